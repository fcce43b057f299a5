# SPDX-License-Identifier: Apache-2.0
"""Products with a constant, and of two variables: ntf_mul_const, ntf_mul_table, ntf_mul_tiled."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from nttforge.reduction.numbers import Range, signed_digits
from nttforge.targets import TARGETS

#: Signed operands of a multiplier block: DSP48E2, DSP48E1 and MULT18X18D.
TILES = {name: facts.tile for name, facts in TARGETS.items()}
#: LUTs that a multiplier block is worth when designs are compared: about the ratio of the two on
#: the parts themselves if neither is preferred, else a third or several times as many.
LUTS_PER_DSP = {"balanced": 100, "lut": 30, "dsp": 400}
#: LUTs that a flip-flop and a block RAM of 18 Kbit are worth. The parts have two flip-flops a LUT,
#: and some 200 LUTs a block RAM; but what runs out first in designs full of butterflies are LUTs.
LUTS_PER_FLOP, LUTS_PER_BLOCK = 0.5, 80
#: Most digits of a sparse constant (MaxDigits of ntf_arith_pkg).
MAX_DIGITS = 8
#: Widest remainders of operands for which LUTs instead of a multiplier block are considered. Such
#: a tile is a chain of adders in one stage, which must not be slower than one adder of the whole
#: operand's width, of so many bits for each of them, unless multiplier blocks are to be saved.
LUT_TILES = (0, 2, 3, 4, 6)
BITS_PER_LUT_ADDER = 32
#: Widest tile that :func:`booth_tile` makes in look-up tables.
MOST_BOOTH_BITS = 12


@dataclass(frozen=True)
class Cost:
    """Area: adder bits, which are LUTs, and multiplier blocks."""

    lut: int = 0
    dsp: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.lut + other.lut, self.dsp + other.dsp)


@dataclass(frozen=True)
class Goal:
    """The FPGA family, a key of TILES, and the resource to save, a key of LUTS_PER_DSP."""

    target: str = "xcup"
    prefer: str = "balanced"

    @property
    def tile(self) -> tuple[int, int]:
        """Signed widths of a multiplier block."""
        return TILES[self.target]

    @property
    def digits(self) -> tuple[int, int]:
        """Bits of a table's digits: of the lowest one, and of the others."""
        return TARGETS[self.target].digits

    def lut_tiles(self, width: int) -> list[int]:
        """Widths to consider for tiles in LUTs in operands of up to `width` bits."""
        most = max(2, width // BITS_PER_LUT_ADDER)
        return [bits for bits in LUT_TILES if self.prefer == "dsp" or bits <= most]

    def score(self, cost: Cost) -> int:
        """One number to compare costs by, in LUTs."""
        return cost.lut + LUTS_PER_DSP[self.prefer] * cost.dsp


@dataclass(frozen=True)
class Row:
    """One row of a unit: an adder, a rank of tiles (`tile`), or nothing; `live` bits after it.

    `sign`: it waits for the sign of the row in front, so their carries do not overlap.
    """

    live: int
    tile: bool = False
    sign: bool = False

    @property
    def weight(self) -> int:
        """As how many rows it counts behind another one of its stage."""
        return 2 if self.sign else 1


@dataclass(frozen=True)
class Tiling:
    """Tiles of a signed product; the model of ntf_mul_tiled.sv.

    - `a_width`, `b_width`, `out_width`: signed widths of the operands, and of what is made of the
      product.
    - `tile_a`, `tile_b`: signed widths of a tile.
    - `lut_tile`: tiles that take at most so many bits of one operand are adders in LUTs.
    - `factor`: operand a if it is a constant, whose zeros cost nothing.
    - `plain`: no operand is ever negative.
    """

    a_width: int
    b_width: int
    out_width: int
    tile_a: int
    tile_b: int
    lut_tile: int = 0
    factor: int | None = None
    plain: bool = False

    @property
    def chunks_a(self) -> int:
        """Chunks of operand a."""
        return tile_chunks(self.a_width, self.tile_a)

    @property
    def chunks_b(self) -> int:
        """Chunks of operand b."""
        return tile_chunks(self.b_width, self.tile_b)

    @property
    def sums(self) -> int:
        """Numbers that a ntf_mul_row adds up."""
        step = self.tile_a - 1
        apart = -(-(step + self.tile_b - 1) // step)
        return min(self.chunks_a, apart) if self.plain else self.chunks_a

    def cost(self) -> Cost:
        """Tiles and adder bits that are really made."""
        step_a, step_b = self.tile_a - 1, self.tile_b - 1
        result = Cost()
        for j in range(self.chunks_b):
            low_b = j * step_b
            width_b = self.b_width - low_b if j == self.chunks_b - 1 else step_b + 1
            made = [i for i in range(self.chunks_a) if i * step_a + low_b < self.out_width]
            result = sum((self._tile(i, width_b) for i in made), result)
            if self.sums < self.chunks_a:
                lut = sum(self.a_width - i * step_a for i in range(1, min(len(made), self.sums)))
            else:
                lut = sum(_merge_bits(len(made), step_a, self.a_width, width_b))
            result += Cost(lut)
        made_b = sum(j * step_b < self.out_width for j in range(self.chunks_b))
        return result + Cost(sum(_merge_bits(made_b, step_b, self.b_width, self.a_width)))

    def _tile(self, number: int, width_b: int) -> Cost:
        """One tile: a multiplier block, or adders."""
        step = self.tile_a - 1
        width_a = self.a_width - number * step if number == self.chunks_a - 1 else step + 1
        chunk = None
        if self.factor is not None:
            chunk = self.factor >> number * step & (1 << width_a) - 1
        if chunk == 0:
            return Cost()
        if width_b <= self.lut_tile:
            return Cost((width_b - 1) * (width_a + 1))
        if width_a <= self.lut_tile:
            adders = width_a - 1 if chunk is None else chunk.bit_count() - 1
            return Cost(adders * (width_b + 1))
        return Cost(0, 1)

    def multiply(self, a: int, b: int) -> int:
        """The hardware's result for two operands."""
        return a * b

    def rows(self) -> tuple[Row, ...]:
        """The rank of tiles, then the adder trees."""
        depth_a = (self.sums - 1).bit_length()
        depth_b = (self.chunks_b - 1).bit_length()
        live = [
            (self.a_width + self.b_width * -(-self.sums >> level)) * self.chunks_b
            for level in range(depth_a + 1)
        ] + [
            self.b_width + self.a_width * -(-self.chunks_b >> level)
            for level in range(1, depth_b + 1)
        ]
        return tuple(Row(bits, tile=i == 0) for i, bits in enumerate(live))


@dataclass(frozen=True)
class Tables:
    """A signed product with a constant out of tables of its multiples; twin of ntf_mul_table.sv.

    - `factor`, `a_width`: the constant, and its signed width.
    - `b_width`, `out_width`: signed widths of the variable, and of what is made of the product.
    - `first`, `following`: bits of the lowest digit of the variable, and of the others.
    """

    factor: int
    a_width: int
    b_width: int
    out_width: int
    first: int
    following: int

    @property
    def digits(self) -> list[tuple[int, int]]:
        """Lowest bit of each digit, and how many it has."""
        lows = [0, *range(self.first, self.b_width, self.following)]
        ends = [*lows[1:], self.b_width]
        return [(low, end - low) for low, end in zip(lows, ends, strict=True)]

    def cost(self) -> Cost:
        """Look-up tables; an adder is free where a digit leaves room. Yosys takes a fifth more."""
        made = [min(self.a_width + bits, self.out_width - low) for low, bits in self.digits]
        added = sum(max(0, width) for width in made[1:])
        return Cost(made[0] + (added * 6 // 5 if self.following < self.first else 2 * added))

    def multiply(self, a: int, b: int) -> int:
        """The hardware's result for two operands."""
        return a * b

    def rows(self) -> tuple[Row, ...]:
        """A row for each digit but the lowest."""
        return tuple(
            Row(min(self.a_width + low + bits, self.out_width) + self.b_width)
            for low, bits in self.digits[1:]
        )


def tile_sides(tiling: Tiling, most: int) -> list[tuple[int, int]]:
    """Sides of each tile, narrow one first, if those of up to `most` bits are ntf_mul_booth.sv."""

    def widths(width: int, step: int, chunks: int) -> list[int]:
        rest = width - (chunks - 1) * step
        if chunks == 2 and rest <= most:
            return [rest, step + 1]  # its lowest bits, with a 0 as sign
        return [*[step + 1] * (chunks - 1), rest]

    return [
        (min(a, b), max(a, b))
        for a in widths(tiling.a_width, tiling.tile_a - 1, tiling.chunks_a)
        for b in widths(tiling.b_width, tiling.tile_b - 1, tiling.chunks_b)
    ]


def booth_cost(tiling: Tiling, most: int) -> Cost:
    """Adder bits of the tiles that are ntf_mul_booth.sv, and multiplier blocks of the others."""
    sides = tile_sides(tiling, most)
    lut = sum((narrow + 1) // 2 * (wide + 2) for narrow, wide in sides if narrow <= most)
    return Cost(lut, sum(narrow > most for narrow, _ in sides))


def booth_tile(tiling: Tiling, goal: Goal, rows: int) -> int:
    """Narrowest width up to which tiles of a product cost less in look-up tables.

    Those are ntf_mul_booth.sv: an adder row for every two bits, of which `rows` fit between two
    registers; the remainder of an operand takes one less, for it is not negative.
    """
    whole = min(tiling.a_width, tiling.b_width)
    deepest = 2 * rows if whole <= 2 * (rows + 1) else 2 * (rows + 1)
    tried = range(min(MOST_BOOTH_BITS, deepest) + 1)
    return min(tried, key=lambda most: goal.score(booth_cost(tiling, most)))


def tile_chunks(width: int, tile: int) -> int:
    """Chunks into which tiles of `tile` signed bits cut a signed operand."""
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
def best_tiling(
    a_width: int,
    b_width: int,
    out_width: int,
    goal: Goal,
    *,
    factor: int | None = None,
    plain: bool = False,
) -> Tiling:
    """The cheapest tiling by the goal's score; `factor` and `plain` as in :class:`Tiling`."""
    options = [
        Tiling(a_width, b_width, out_width, *tile, lut_tile, factor, plain)
        for tile in dict.fromkeys((goal.tile, goal.tile[::-1]))
        for lut_tile in goal.lut_tiles(max(a_width, b_width))
    ]
    return min(options, key=lambda t: (goal.score(t.cost()), len(t.rows()), t.lut_tile))


@dataclass(frozen=True)
class Constant:
    """A constant factor: dense << shift, by tiles or tables, plus digits, by adders.

    - `value`: the factor.
    - `digits`: (sign, shift, width of the sum so far); the first one positive if there is no dense
      part.
    - `tiling`: how the dense part is multiplied; None if there is none.
    - `dense`, `shift`, `dense_width`: the dense part, and the bits of its product with the
      variable, `shift` included.
    """

    value: int
    digits: tuple[tuple[int, int, int], ...] = ()
    tiling: Tiling | Tables | None = None
    dense: int = 0
    shift: int = 0
    dense_width: int = 0

    def cost(self) -> Cost:
        """Area of the multiplication."""
        added = self.digits if self.tiling else self.digits[1:]
        adders = Cost(sum(width - shift for _, shift, width in added))
        return adders + self.tiling.cost() if self.tiling else adders

    def rows(self, in_width: int) -> tuple[Row, ...]:
        """Rows of the multiplication of an operand of `in_width` bits."""
        added = self.digits if self.tiling else self.digits[1:]
        tiles = self.tiling.rows() if self.tiling else ()
        return tiles + tuple(
            Row(width + (in_width if i < len(added) - 1 else 0))
            for i, (_, _, width) in enumerate(added)
        )


def sparse(value: int, x: Range, out_width: int) -> Constant | None:
    """`value` as shifts and adds, lowest positive digit first; None if it has many digits."""
    digits = signed_digits(value)
    positive = [d for d in digits if d[0] > 0]
    if not positive or len(digits) > MAX_DIGITS:
        return None
    ordered = [positive[0], *(d for d in digits if d != positive[0])]
    return Constant(value, _sums(ordered, 0, x, out_width))


def _sums(
    digits: list[tuple[int, int]], total: int, x: Range, out_width: int
) -> tuple[tuple[int, int, int], ...]:
    """The digits with the width of the sum that each of them makes, from `total` times x on."""
    result = []
    for sign, shift in digits:
        total += sign << shift
        result.append((sign, shift, min(x.scaled(total).width, out_width)))
    return tuple(result)


def mixed(value: int, x: Range, in_width: int, out_width: int, goal: Goal) -> Iterator[Constant]:
    """`value` as a dense product, alone and without a few of its outermost digits."""
    tables = goal.prefer == "dsp" and x.lo < 0
    digits = signed_digits(value)
    for low in range(4):
        for high in range(2):
            outer = [*digits[:low], *digits[len(digits) - high :]]
            dense = value - sum(sign << shift for sign, shift in outer)
            if low + high >= len(digits) or dense == 0:
                continue
            shift = (dense & -dense).bit_length() - 1
            dense >>= shift
            width = min(x.scaled(dense << shift).width, out_width)
            if width <= shift:
                continue
            tiling = best_tiling(
                Range(dense, dense).width,
                in_width,
                width - shift,
                goal,
                factor=dense,
                plain=dense > 0 and x.lo >= 0,
            )
            sums = _sums(outer, dense << shift, x, out_width)
            yield Constant(value, sums, tiling, dense, shift, width)
            if tables:
                a_width = Range(dense, dense).width
                made = Tables(dense, a_width, in_width, width - shift, *goal.digits)
                yield Constant(value, sums, made, dense, shift, width)


@lru_cache(maxsize=4096)
def cheapest(value: int, x: Range, in_width: int, out_width: int, goal: Goal) -> Constant:
    """`value` in the form that costs least."""
    options = [*mixed(value, x, in_width, out_width, goal)]
    digits = sparse(value, x, out_width)
    if digits:
        options.append(digits)
    return min(options, key=lambda c: (goal.score(c.cost()), len(c.rows(in_width))))
