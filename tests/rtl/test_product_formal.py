# SPDX-License-Identifier: Apache-2.0
"""Products equal a * b for *every* operand, by SMT: the shapes of the large ones in small tiles.

What is made of a product depends on how often a tile goes into its operands, and on what is left
over: tiles of three and four bits have, within the reach of a solver, all shapes of a device's.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import pytest

from nttforge.reduction.constant import Tiling
from nttforge.reduction.product import Karatsuba
from tests.rtl.arith_bench import ROOT, Unit
from tests.rtl.plan_space import Draw, block_unit, tile_unit
from tests.rtl.test_reduction_formal import proved

#: As those of ecp5, xcup and xcup turned.
TILES = ((3, 3), (4, 3), (3, 4))
#: Widest operands that a solver takes seconds for.
WIDEST = 8
#: Units of one question to the solver: what fails in any of many is harder to rule out than each.
AT_ONCE = 4


def shapes(width: int) -> Iterator[Unit]:
    """Every product of an operand of so many bits and one that is not wider."""
    draw = Draw(random.Random(width))
    for tile, plain, other in product(TILES, (False, True), range(2, width + 1)):
        for out_width in dict.fromkeys((width + other, width + 1, width - 1)):
            lut_tile = draw.rng.choice((0, 2))
            tiling = Tiling(width, other, out_width, *tile, lut_tile, None, plain)
            yield tile_unit(draw, "ntf_mul_tiled", "BW", tiling)
            if other <= tile[1]:
                yield tile_unit(draw, "ntf_mul_row", "WB", tiling)


def blocks(width: int) -> Iterator[Unit]:
    """Every cut of two equal operands, and of one that is narrower."""
    draw = Draw(random.Random(width))
    cuts = [
        (other, count, block, tile)
        for other in (width, width - 1)
        for count in range(2, width // 2 + 1)
        for block in range(2, (other - 2) // (count - 1) + 1)
        for tile in TILES[:2]
    ]
    for i, (other, count, block, tile) in enumerate(cuts):
        cut = Karatsuba(width, other, width + other - i % 3, *tile, 0, count, block)
        yield block_unit(i, draw, cut)


def property_text(units: Sequence[Unit]) -> str:
    """A top in which each unit, when its pipeline is full, must give the product."""
    lines = [
        f"module top (input logic clk_i, input logic [{len(units) - 1}:0][15:0] a_i, b_i);",
        "  logic en_i;",
        "  logic [7:0] seen;",
        "  assign en_i = 1'b1;",
        "  initial seen = '0;",
        "  always_ff @(posedge clk_i) seen <= seen + 8'd1;",
    ]
    for i, unit in enumerate(units):
        a, b, _, r = unit.widths
        operands = f"{r}'(signed'(a_i[{i}][{a - 1}:0])) * {r}'(signed'(b_i[{i}][{b - 1}:0]))"
        lines += [
            unit.declarations,
            f"  logic signed [{r - 1}:0] r{i}, want{i};",
            f"  {unit.instance} u{i} ({unit.ports(i)});",
            f"  ntf_prim_pipe #(.Width({r}), .Depth({unit.latency})) w{i} (",
            f"    .clk_i, .en_i, .d_i({operands}), .q_o(want{i})",
            "  );",
            f"  always_comb if (seen >= {unit.latency}) assert (r{i} == want{i});",
        ]
        if ".Plain(1'b1)" in unit.instance:
            lines.append(f"  always_comb assume (!a_i[{i}][{a - 1}] && !b_i[{i}][{b - 1}]);")
    return "\n".join([*lines, "endmodule\n"])


def check(units: Sequence[Unit], where: Path) -> None:
    for first in range(0, len(units), AT_ONCE):
        some = units[first : first + AT_ONCE]
        depth = 2 + max(unit.latency for unit in some)
        assert proved(property_text(some), where / str(first), depth), f"from unit {first} on"


WIDTHS = [
    *range(3, 6),
    *(pytest.param(width, marks=pytest.mark.slow) for width in range(6, WIDEST + 1)),
]


@pytest.mark.parametrize("width", WIDTHS)
def test_tiles(width: int, tmp_path: Path) -> None:
    check([*shapes(width)], tmp_path)


@pytest.mark.parametrize("width", WIDTHS[1:])
def test_blocks(width: int, tmp_path: Path) -> None:
    check([*blocks(width)], tmp_path)


def test_a_tile_that_is_cut_to_the_stride_is_refuted(tmp_path: Path) -> None:
    """Tiles as wide as high lie closer to each other than the top one is wide."""
    tiling = Tiling(6, 3, 9, 3, 3, 0, None, plain=True)
    text = property_text([tile_unit(Draw(random.Random(1)), "ntf_mul_row", "WB", tiling)])
    right = (ROOT / "rtl" / "arith" / "ntf_mul_row.sv").read_text()
    assert proved(text, tmp_path / "right", 4)
    wrong = right.replace("t == Last || ", "").replace("module ntf_mul_row", "module mul_row_wrong")
    assert wrong.count("t == Last") == 0
    assert not proved(
        text.replace("ntf_mul_row #", "mul_row_wrong #") + wrong, tmp_path / "wrong", 4
    )
