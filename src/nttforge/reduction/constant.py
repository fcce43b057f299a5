# SPDX-License-Identifier: Apache-2.0
"""Multiplication by a constant, and of two variables, as mul_const.sv and mul_tiled.sv do it."""

from dataclasses import dataclass
from functools import lru_cache

from nttforge.reduction.numbers import Range, signed_digits

#: Signed operands of a multiplier block: DSP48E2, DSP48E1 and MULT18X18D.
TILES: dict[str, tuple[int, int]] = {"xcup": (27, 18), "xc7": (25, 18), "ecp5": (18, 18)}
#: LUTs that a multiplier block is worth when designs are compared: about the ratio of the two on
#: the parts themselves.
LUTS_PER_DSP = 100
#: Most digits of a sparse constant (MaxDigits of arith_pkg).
MAX_DIGITS = 8


@dataclass(frozen=True)
class Cost:
    """Area: adder bits, which are LUTs, and multiplier blocks."""

    lut: int = 0
    dsp: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.lut + other.lut, self.dsp + other.dsp)

    @property
    def score(self) -> int:
        """One number to compare by, in LUTs."""
        return self.lut + LUTS_PER_DSP * self.dsp


@dataclass(frozen=True)
class Row:
    """One row of a unit: an adder, a rank of tiles, or nothing.

    Attributes
    ----------
    live
        Bits that a register behind it would hold.
    tile
        True for a rank of tiles, which starts behind a register and ends in one.
    """

    live: int
    tile: bool = False


@dataclass(frozen=True)
class Tiling:
    """How a signed product is cut into tiles; the twin of mul_tiled.sv."""

    a_width: int
    b_width: int
    out_width: int
    tile_a: int
    tile_b: int

    @property
    def chunks_a(self) -> int:
        """Chunks of operand a."""
        return _chunks(self.a_width, self.tile_a)

    @property
    def chunks_b(self) -> int:
        """Chunks of operand b."""
        return _chunks(self.b_width, self.tile_b)

    def cost(self) -> Cost:
        """Tiles and adder bits that are really made."""
        step_a, step_b = self.tile_a - 1, self.tile_b - 1
        lut = dsp = 0
        for j in range(self.chunks_b):
            low_b = j * step_b
            width_b = self.b_width - low_b if j == self.chunks_b - 1 else step_b + 1
            made = [i for i in range(self.chunks_a) if i * step_a + low_b < self.out_width]
            dsp += len(made)
            lut += sum(_merge_bits(len(made), step_a, self.a_width, width_b))
        made_b = sum(j * step_b < self.out_width for j in range(self.chunks_b))
        return Cost(lut + sum(_merge_bits(made_b, step_b, self.b_width, self.a_width)), dsp)

    def rows(self) -> tuple[Row, ...]:
        """The rank of tiles, then the adder trees."""
        depth_a = (self.chunks_a - 1).bit_length()
        depth_b = (self.chunks_b - 1).bit_length()
        live = [
            (self.a_width + self.b_width * -(-self.chunks_a >> level)) * self.chunks_b
            for level in range(depth_a + 1)
        ] + [
            self.b_width + self.a_width * -(-self.chunks_b >> level)
            for level in range(1, depth_b + 1)
        ]
        return tuple(Row(bits, tile=i == 0) for i, bits in enumerate(live))


def _chunks(width: int, tile: int) -> int:
    return 1 if width <= tile else -(-(width - 1) // (tile - 1))


def _merge_bits(nodes: int, step: int, width: int, other: int) -> list[int]:
    """Adder bits of a tree that puts `nodes` slices of an operand of `width` bits together."""
    bits = []
    span = step
    while nodes > 1:
        for n in range(0, nodes - 1, 2):
            top = min(width - n * span, 2 * span)
            bits.append(max(1, top - span + other))
        nodes = -(-nodes // 2)
        span *= 2
    return bits


@lru_cache(maxsize=4096)
def best_tiling(a_width: int, b_width: int, out_width: int, target: str) -> Tiling:
    """Put each operand on that side of the tile on which the product costs less."""
    tile = TILES[target]
    options = [Tiling(a_width, b_width, out_width, *t) for t in (tile, tile[::-1])]
    return min(options, key=lambda t: (t.cost().score, len(t.rows())))


@dataclass(frozen=True)
class Constant:
    """A constant factor, sparse (`digits`) or dense (`tiling`).

    Attributes
    ----------
    value
        The factor.
    digits
        (sign, shift, width of the sum so far), the first one positive; empty if dense.
    tiling
        How it is multiplied if it is dense.
    """

    value: int
    digits: tuple[tuple[int, int, int], ...]
    tiling: Tiling | None

    def cost(self) -> Cost:
        """Area of the multiplication."""
        if self.tiling:
            return self.tiling.cost()
        return Cost(sum(width - shift for _, shift, width in self.digits[1:]))

    def rows(self, in_width: int) -> tuple[Row, ...]:
        """Rows of the multiplication of an operand of `in_width` bits."""
        if self.tiling:
            return self.tiling.rows()
        last = len(self.digits) - 1
        return tuple(
            Row(width + (in_width if i < last else 0))
            for i, (_, _, width) in enumerate(self.digits)
            if i > 0
        )


def sparse(value: int, x: Range, out_width: int) -> Constant | None:
    """`value` as shifts and adds on an operand in `x`, if it has few digits, one of them positive.

    The lowest positive digit comes first, so that the first sum needs no negation; the others
    follow from the lowest up, which leaves the bits below each of them alone.
    """
    digits = signed_digits(value)
    positive = [d for d in digits if d[0] > 0]
    if not positive or len(digits) > MAX_DIGITS:
        return None
    ordered = [positive[0], *(d for d in digits if d != positive[0])]
    result = []
    total = 0
    for sign, shift in ordered:
        total += sign << shift
        result.append((sign, shift, min(x.scaled(total).width, out_width)))
    return Constant(value, tuple(result), None)


def dense(value: int, in_width: int, out_width: int, target: str) -> Constant:
    """`value` as a product of tiles."""
    tiling = best_tiling(in_width, Range(value, value).width, out_width, target)
    return Constant(value, (), tiling)


def cheapest(value: int, x: Range, in_width: int, out_width: int, target: str) -> Constant:
    """`value` in the form that costs less."""
    options = [dense(value, in_width, out_width, target)]
    digits = sparse(value, x, out_width)
    if digits:
        options.append(digits)
    return min(options, key=lambda c: (c.cost().score, len(c.rows(in_width))))
