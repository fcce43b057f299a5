# SPDX-License-Identifier: Apache-2.0
"""Registers that are there twice, against faults or for speed, are still there behind synthesis."""

from pathlib import Path

import pytest

from nttforge import rtl_library
from nttforge.rtl_library import alone, library
from nttforge.synthesize.timing import Module
from nttforge.synthesize.yosys import synthesize

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

    prim_kept u_kept (.clk_i, .rst_ni, .d_i, .q_o(kept_o[c]));
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
    rails = own_registers(mapped("mlkem_verdict"), "kept_q")
    # Rail 0: seen, rank, count, stage, leave; rail 1: the same but for a rank, which its count has.
    assert len(rails) == (2 + 3 + 8 + 7 + 2) + (2 + 8 + 7 + 2)
    assert all(rails)


def test_the_three_copies_of_the_turn_are_there() -> None:
    # Owed, waits, turn, there; an error and a command.
    copies = own_registers(mapped("pqc_control"), "kept_q")
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
