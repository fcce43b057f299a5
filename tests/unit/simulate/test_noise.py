# SPDX-License-Identifier: Apache-2.0
"""Undefined values are noise in a model: neither zeros nor ones hide that they are used.

Registers and memories begin as noise in every harness; and no source assigns an X, of which a
simulator of two states would have to make something.
"""

import re
from pathlib import Path

from nttforge import simulate
from nttforge.rtl_library import rtl_root
from nttforge.simulate.cycles import CycleModel, Ports

SOURCE = """\
module noise (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] known_i,
  output logic [63:0] word_o
);
  logic unused;
  assign unused = rst_ni;

  logic [63:0] word_q;

  always_ff @(posedge clk_i) begin
    if (known_i == 32'h600d_f00d) word_q <= {word_q[31:0], known_i};
  end

  assign word_o = word_q;
endmodule
"""
X = re.compile(r"'[bodh]?[0-9a-f_]*x", re.IGNORECASE)


def test_registers_begin_as_noise(tmp_path: Path) -> None:
    source = tmp_path / "noise.sv"
    source.write_text(SOURCE)
    model = CycleModel.build(
        tmp_path / "model", [source], "noise", Ports({"known_i": 32}, {"word_o": 64})
    )
    assert model.step()["word_o"] not in (0, (1 << 64) - 1)
    model.step(known_i=0x600D_F00D)
    assert model.step()["word_o"] & 0xFFFF_FFFF == 0x600D_F00D


def test_every_harness_begins_with_noise() -> None:
    room = Path(simulate.__file__).parent
    makes = re.compile(r"VerilatedContext(>\(\)| context;)")
    harnesses = [path for path in room.glob("*.[ch]*") if makes.search(path.read_text())]
    assert {path.name for path in harnesses} == {"cycle_ports.cpp", "harness.h"}
    assert all("randReset(2)" in path.read_text() for path in harnesses)


def test_no_source_assigns_an_x() -> None:
    assert X.search("a = 'x;") and X.search("a = 4'b1x01;") and not X.search("a = 8'h1f;")
    package = Path(simulate.__file__).parents[1]
    sources = [*rtl_root().rglob("*.sv"), *package.rglob("templates/*.sv.j2")]
    assert len(sources) > 100
    for path in sources:
        code = re.sub(r"//.*", "", path.read_text("utf-8"))
        assert not X.search(code), path.name
