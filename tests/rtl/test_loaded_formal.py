# SPDX-License-Identifier: Apache-2.0
"""A word of the reduction by a loaded modulus, proved for every modulus and every x at once.

A word replaces x by y with y * 2^r = x - m * q, q = c * 2^z + 1. The only wide product in it is
that of m and -c, in tiles. The solver sees tiles that may be anything but for their lowest bits,
which are those of the product, and in whose sum is none beyond the product's greatest, and proves
y * 2^r = x - m + 2^z * (sum of tiles). That the tiles' sum is m * -c is the distributive law; that
m is not beyond half of 2^r is its type. Ranges follow by integers: nttforge.reduction.loaded.
"""

from pathlib import Path

import pytest

from nttforge.reduction.loaded import LoadedStep, plan_loaded
from nttforge.reduction.step import StepKind
from nttforge.rtl_library import rtl_root
from nttforge.targets import Target
from tests.formal.proof import broken, holds, write_smt

#: What the wide products are made of, in which tiles are free, and registers are wires.
STUBS = """
module any_value #(parameter int unsigned W = 1) (output logic [W-1:0] y_o);
endmodule

module ntf_prim_pipe #(parameter int unsigned Width = 1, parameter int unsigned Depth = 1) (
  input logic clk_i, input logic en_i, input logic [Width-1:0] d_i, output logic [Width-1:0] q_o
);
  assign q_o = d_i;
endmodule

module ntf_mul_row import ntf_arith_pkg::*; #(
  parameter int unsigned AW = 25, parameter int unsigned WB = 18,
  parameter int unsigned OutW = AW + WB,
  parameter int unsigned TileA = 27, parameter int unsigned TileB = 18,
  parameter int unsigned LutTile = 0, parameter logic Plain = 1'b0, parameter bit RestLow = 1'b0,
  parameter bit LowB = 1'b0, parameter logic [MaxRows-1:0] RegAfter = MaxRows'(1)
) (
  input logic clk_i, input logic en_i,
  input logic signed [AW-1:0] a_i, input logic signed [WB-1:0] b_i,
  output logic signed [OutW-1:0] p_o
);
  logic [OutW-1:0] any;
  any_value #(.W(OutW)) u_any (.y_o(any));
  assign p_o = any;
endmodule
"""


def property_text(step: LoadedStep) -> str:
    """The word, and what it must do, for constants {inverse, -c, c} that belong together."""
    moduli, split = step.moduli, step.split
    factor, above, zeros = moduli.factor_width, step.above, moduli.zeros
    wide = step.x.width + 4
    reach = f"{wide}'sd{((1 << factor) - 1) << split - 1}"
    tiles = [
        f"(wide_t'(u_word.gen_tile[{j}].tile) <<< {j * (step.tile - 1)})"
        for j in range(len(step.chunk_widths))
    ]
    low = (
        f"assume ({above}'(u_word.gen_tile[0].tile) == "
        f"{above}'({above}'(u_word.m) * {above}'(minus)));"
        if above
        else ""
    )
    fields = f"""
      in_width: 10'd{step.x.width}, out_width: 10'd{step.y.width}, split: 10'd{split},
      tile: 10'd{step.tile}, lut_tile: 10'd0, reg_after: '1, correct: 1'b0,
      apart: 1'b{int(step.apart)}"""
    return f"""
module top import ntf_arith_pkg::*; (
  input logic clk_i,
  input logic signed [{step.x.width - 1}:0] x_i,
  input logic [{factor - 1}:0] c_i
);
  localparam loaded_moduli_t Moduli = '{{
    bits: 10'd{moduli.bits}, zeros: 10'd{zeros}, inverse: 10'd0, every: 16'd1}};
  localparam loaded_step_t Step = '{{{fields}}};
  typedef logic signed [{wide - 1}:0] wide_t;
  logic signed [{factor}:0] minus;
  logic signed [{step.y.width - 1}:0] y_o;
  assign minus = -({factor + 1})'(c_i);
  ntf_loaded_word #(.Moduli(Moduli), .Step(Step)) u_word (
    .clk_i, .en_i(1'b1), .now_i({{minus, c_i}}), .soon_i({{minus, c_i}}), .x_i, .y_o
  );
  wide_t product;
  assign product = {" + ".join(tiles)};
  wide_t x;
  assign x = wide_t'(x_i);
  always_comb begin
    {low}
    assume (product >= -{reach} && product <= {reach});
    assume (x >= {number(step.x.lo, wide)} && x <= {number(step.x.hi, wide)});
    assert ((wide_t'(y_o) <<< {split}) ==
            x - wide_t'(u_word.m) + (product <<< {zeros}));
  end
endmodule
"""


def number(value: int, bits: int) -> str:
    return f"{'-' if value < 0 else ''}{bits}'sd{abs(value)}"


def proved(step: LoadedStep, where: Path, word: Path | None = None) -> bool:
    where.mkdir(exist_ok=True)
    (where / "stubs.sv").write_text(STUBS)
    (where / "top.sv").write_text(property_text(step))
    rtl = rtl_root()
    files = [
        *(rtl / name for name in ("prim/ntf_prim_pkg.sv", "arith/ntf_arith_pkg.sv")),
        word or rtl / "arith" / "ntf_loaded_word.sv",
        where / "stubs.sv",
        where / "top.sv",
    ]
    return holds(write_smt(where, "top", files, own=False, free=("any_value",)), 1, limit=300)


def words(bits: int, zeros: int, target: Target) -> list[LoadedStep]:
    """The words of plans that differ in more than widths."""
    chains = [plan_loaded(bits, zeros, target=target, apart=way).chain for way in (False, True)]
    first = [next(step for step in each if step.kind is StepKind.MONTGOMERY) for each in chains]
    return [*dict.fromkeys(first)]


#: One tile, two and three; quotients of x alone, and with bits of a product.
CASES: list[tuple[int, int, Target]] = [
    (54, 13, "xcup"),
    (54, 13, "ecp5"),
    (60, 17, "xcup"),
    (30, 18, "xcup"),
    (30, 13, "xcup"),
    (64, 18, "ecp5"),
]


@pytest.mark.parametrize(("bits", "zeros", "target"), CASES)
def test_a_word_is_right_for_every_modulus(
    bits: int, zeros: int, target: Target, tmp_path: Path
) -> None:
    for i, step in enumerate(words(bits, zeros, target)):
        assert not step.moduli.inverse
        assert proved(step, tmp_path / str(i)), step


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("{so_far, carried} + {added, carried}", "{so_far, 1'b0} + {added, 1'b0}"),
        ("{OutW'(base), negative} + {addend, negative}", "{OutW'(base), 1'b0} + {addend, 1'b0}"),
        ("gen_tile[0].tile >>> Above", "gen_tile[0].tile >> Above"),
        ("(j + 1) * StepC - Above;", "(j + 1) * StepC - Above + 1;"),
        ("(x_i[Above-1:0] << i)", "(x_i[Above:1] << i)"),
    ],
)
def test_a_defect_is_refuted(good: str, bad: str, tmp_path: Path) -> None:
    step = words(54, 13, "xcup")[0]
    word = broken(rtl_root() / "arith" / "ntf_loaded_word.sv", good, bad, tmp_path)
    assert not proved(step, tmp_path / "proof", word)
