# SPDX-License-Identifier: Apache-2.0
"""Registers that are there twice, against faults or for speed, are still there after synthesis."""

from pathlib import Path

import pytest

from nttforge import rtl_library
from nttforge.cache import design_files
from nttforge.rtl_library import alone, library
from nttforge.synthesize.static_timing import Module
from nttforge.synthesize.yosys import synthesize
from tests.kept import GATES, constants, design_of, expected, gates, lost

COPIES = """\
module copies (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       d_i,
  output logic [3:0] kept_o,
  output logic [3:0] plain_o
);
  for (genvar c = 0; c < 4; c++) begin : gen_copy
    logic plain_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) plain_q <= 1'b0;
      else plain_q <= d_i;
    end
    assign plain_o[c] = plain_q;

    ntf_prim_kept u_kept (.clk_i, .rst_ni, .d_i, .q_o(kept_o[c]));
  end
endmodule
"""


def mapped(module: str) -> Module:
    with alone(module) as folder:
        return synthesize(folder, module, "ecp5", part=module).module()


def own_registers(module: Module, name: str) -> list[bool]:
    """Of each bit of the words called so: whether it is a flip-flop that no other of them is."""
    flops = {
        cell["connections"]["Q"][0]
        for cell in module["cells"].values()
        if cell["type"] == "TRELLIS_FF"
    }
    words = [net["bits"] for word, net in module["netnames"].items() if word.endswith(f".{name}")]
    bits = [bit for word in words for bit in word]
    return [bit in flops and bits.count(bit) == 1 for bit in bits]


def test_both_rails_of_the_verdict_are_there() -> None:
    rails = own_registers(mapped("ntf_mlkem_verdict"), "kept_q")
    # Rail 0: seen, rank, count, exact, stage, leave; rail 1 has no rank and no exact.
    assert len(rails) == (2 + 3 + 8 + 1 + 7 + 2) + (2 + 8 + 7 + 2)
    assert all(rails)


def test_the_three_copies_of_the_turn_are_there() -> None:
    # Owed, waits, turn, there; an error and a command.
    copies = own_registers(mapped("ntf_pqc_control"), "kept_q")
    assert len(copies) == 3 * (4 + 3 + 8)
    assert all(copies)


def test_copies_stay_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "copies.sv").write_text(COPIES)
    known = library() | {"copies": tmp_path / "copies.sv"}
    monkeypatch.setattr(rtl_library, "library", lambda: known)
    module = mapped("copies")
    assert own_registers(module, "kept_q") == [True] * 4
    # The check sees what Yosys does to others: it leaves one of them.
    assert not any(own_registers(module, "plain_q"))


# Both rails remember the same bit.
PAIR = """\
module pair (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       d_i,
  output logic [1:0] q_o
);
  ntf_prim_rails u_pair (.clk_i, .rst_ni, .d_i({2{d_i}}), .q_o, .fault_o());
endmodule
"""
# One of two bits never changes.
CONSTANT = """\
module half (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            d_i,
  output logic [1:0][1:0] q_o
);
  ntf_prim_rails #(.Width(2)) u_pair (.clk_i, .rst_ni, .d_i({2{d_i, 1'b0}}), .q_o, .fault_o());
endmodule
"""
MODULES = ["ntf_mlkem_verdict", "ntf_mldsa_verdict", "ntf_mldsa_tries", "ntf_prim_rails"]
QUICK = {("ecp5", "ntf_prim_rails"), ("ecp5", "ntf_mlkem_verdict"), ("xcup", "ntf_mldsa_verdict")}


def missing(name: str, target: str) -> tuple[dict[str, int], dict[str, int]]:
    """The kept registers of a design, and those that are not whole when it is mapped."""
    with design_of(name) as (folder, top):
        wanted = expected(design_files(folder), top)
        if target == GATES:
            return wanted, lost(wanted, gates(design_files(folder), top))
        part = name if target == "ecp5" and name in library() else ""
        return wanted, lost(wanted, synthesize(folder, top, target, part=part).module())


@pytest.mark.parametrize(
    ("target", "module"),
    [
        pytest.param(
            *(target, module),
            marks=[] if target == GATES or (target, module) in QUICK else [pytest.mark.slow],
        )
        for target in (GATES, "ecp5", "xcup")
        for module in MODULES
    ],
)
def test_kept_registers_are_mapped(target: str, module: str) -> None:
    wanted, lacking = missing(module, target)
    assert wanted
    assert not lacking


@pytest.mark.slow
@pytest.mark.parametrize("target", [GATES, "ecp5", "xcup"])
@pytest.mark.parametrize("name", ["ml-kem-coprocessor", "ml-dsa-coprocessor", "pqc-core"])
def test_kept_registers_of_coprocessors_are_mapped(target: str, name: str) -> None:
    wanted, lacking = missing(name, target)
    assert wanted
    assert not lacking


@pytest.mark.synth
def test_a_rail_without_its_attribute_is_lost(tmp_path: Path) -> None:
    """A library without flip-flops that can be set has both rails alike, and Yosys merges them."""
    sources = [library()["ntf_prim_kept"], library()["ntf_prim_rails"], tmp_path / "pair.sv"]
    sources[-1].write_text(PAIR)
    wanted = expected(sources, "pair")
    assert wanted == {"u_pair.u_rail_0.kept_q": 1, "u_pair.u_rail_1.kept_q": 1}
    assert not lost(wanted, gates(sources, "pair"))
    # The attribute is one of a wire, and must come to the flip-flop.
    assert lost(wanted, gates(sources, "pair", keep=()))
    bare = tmp_path / "ntf_prim_kept.sv"
    lines = sources[0].read_text().splitlines(keepends=True)
    bare.write_text("".join(line for line in lines if "(* keep" not in line))
    assert bare.read_text() != sources[0].read_text()
    assert lost(wanted, gates([bare, *sources[1:]], "pair"))


@pytest.mark.synth
def test_a_constant_is_no_lost_register(tmp_path: Path) -> None:
    sources = [library()["ntf_prim_kept"], library()["ntf_prim_rails"], tmp_path / "half.sv"]
    sources[-1].write_text(CONSTANT)
    wanted, rails = expected(sources, "half"), ("u_pair.u_rail_0.kept_q", "u_pair.u_rail_1.kept_q")
    module = gates(sources, "half")
    assert wanted == dict.fromkeys(rails, 2)
    assert constants(wanted, module) == dict.fromkeys(rails, 1)
    assert not lost(wanted, module)
    # The bit that changes has a flip-flop on each rail, and they are not one.
    assert lost(wanted, gates(sources, "half", keep=()))
