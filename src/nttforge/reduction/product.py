# SPDX-License-Identifier: Apache-2.0
"""Products of two variables: by tiles, by Karatsuba over blocks of tiles, by shifts alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from nttforge.reduction.constant import Cost, Goal, Row, Tiling, best_tiling

#: Most blocks that Karatsuba's method may cut an operand into.
MAX_BLOCKS = 16
#: Operands of fewer bits are not worth the search.
KARATSUBA_FROM = 48


@dataclass(frozen=True)
class Karatsuba:
    """A product of `blocks` blocks a side, each product of two of them once (Karatsuba 1962).

    a_i * b_j + a_j * b_i = a_i * b_i + a_j * b_j - (a_i - a_j) * (b_i - b_j), hence instead of
    blocks^2 products only half as many, and the squares' sum in all places is one number times
    1 + B + B^2 + ... The twin of ntf_mul_karatsuba.sv. Widths as in :class:`Tiling`.
    """

    a_width: int
    b_width: int
    out_width: int
    tile_a: int
    tile_b: int
    lut_tile: int
    blocks: int
    block_width: int

    @property
    def pairs(self) -> int:
        """Products of differences."""
        return self.blocks * (self.blocks - 1) // 2

    def _top(self, width: int) -> int:
        return width - (self.blocks - 1) * self.block_width

    def _difference(self, width: int, *, with_top: bool) -> int:
        """Width of the difference of two blocks: the top one is signed, the others are not."""
        if not with_top:
            return self.block_width + 1
        return max(self._top(width), self.block_width + 1) + 1

    def _block(self, a_width: int, b_width: int) -> Tiling:
        return Tiling(a_width, b_width, a_width + b_width, self.tile_a, self.tile_b, self.lut_tile)

    def _blocks(self) -> Iterator[tuple[Tiling, int]]:
        """Products of blocks, and how many there are of each."""
        low = self.block_width + 1
        yield self._block(low, low), self.blocks - 1
        yield self._block(self._top(self.a_width), self._top(self.b_width)), 1
        for with_top, count in ((False, self.pairs - self.blocks + 1), (True, self.blocks - 1)):
            a, b = (self._difference(w, with_top=with_top) for w in (self.a_width, self.b_width))
            yield self._block(a, b), count

    def cost(self) -> Cost:
        """Tiles and adder bits."""
        total = Cost()
        for tiling, count in self._blocks():
            one = tiling.cost()
            total += Cost(one.lut * count, one.dsp * count)
        for with_top, count in ((False, self.pairs - self.blocks + 1), (True, self.blocks - 1)):
            for width in (self.a_width, self.b_width):
                total += Cost(count * self._difference(width, with_top=with_top))
        lut = self.out_width - self.block_width  # the last row
        lut += self.a_width + self.b_width - self.block_width  # even and odd squares
        lut += sum(
            min(self.a_width + self.b_width + (count - 1) * self.block_width, self.out_width)
            - low * self.block_width
            for count, low in window_steps(self.blocks)
        )
        return total + Cost(lut + self._tree())

    def _tree(self) -> int:
        """Adder bits of the tree over the products of differences."""
        places = sorted(i + j for j in range(self.blocks) for i in range(j))
        nodes = [(k * self.block_width, 2 * self.block_width + 2) for k in places]
        lut = 0
        while len(nodes) > 1:
            merged = []
            for low, high in zip(nodes[::2], nodes[1::2], strict=False):
                apart = high[0] - low[0]
                width = max(low[1], apart + high[1]) + 1
                lut += width - apart
                merged.append((low[0], width))
            nodes = merged + nodes[len(merged) * 2 :]
        return lut

    def multiply(self, a: int, b: int) -> int:
        """What the hardware makes of two operands."""
        return a * b

    def rows(self) -> tuple[Row, ...]:
        """Differences, products of blocks, the two sums side by side, and their difference."""
        a, b = (self._difference(w, with_top=True) for w in (self.a_width, self.b_width))
        inner = self._block(a, b).rows()
        sums = max(1 + len(window_steps(self.blocks)), (self.pairs - 1).bit_length())
        every = self.blocks + self.pairs
        return (
            Row((a + b) * every, tile=True),
            *(Row(row.live * every, row.tile) for row in inner),
            *(Row(3 * self.out_width) for _ in range(sums)),
            Row(self.out_width),
        )


def window_steps(blocks: int) -> list[tuple[int, int]]:
    """Steps that compute 1 + B + ... + B^(blocks-1), by doubling and adding.

    Each step is (terms so far, place of the term or terms that it adds).
    """
    steps = []
    terms = 1
    for bit in bin(blocks)[3:]:
        steps.append((2 * terms, terms))
        terms *= 2
        if bit == "1":
            steps.append((terms + 1, terms))
            terms += 1
    return steps


@dataclass(frozen=True)
class Shifts:
    """A product with 2^(unit * code), code <= top, or 2^offset times that, or minus it if `sign`.

    The factor is encoded as {negative, with offset, code}, without unused bits. The
    twin of ntf_mul_shift.sv.
    """

    a_width: int
    b_width: int
    out_width: int
    unit: int
    top: int
    offset: int
    sign: bool

    @property
    def code_width(self) -> int:
        """Bits of the code."""
        return max(1, self.top.bit_length())

    def encode(self, factor: int, q: int) -> int:
        """The operand that multiplies by `factor`."""
        negative = 1 << self.code_width + (self.offset > 0)
        offsets = (0, 1 << self.code_width) if self.offset else (0,)
        for code in (offset + shift for offset in offsets for shift in range(self.top + 1)):
            power = self.multiply(1, code) % q
            if factor % q == power:
                return code
            if self.sign and -factor % q == power:
                return negative | code
        raise ValueError(f"{factor} is no power of two that is known modulo {q}")

    def multiply(self, a: int, b: int) -> int:
        """What the hardware makes of an operand and a factor's code."""
        code = b & (1 << self.code_width) - 1
        if code > self.top:
            raise ValueError(f"code {code} is no shift: the last one is {self.top}")
        product = a << self.unit * code
        b >>= self.code_width
        if self.offset:
            product <<= self.offset * (b & 1)
            b >>= 1
        return -product if self.sign and b & 1 else product

    @property
    def factor_width(self) -> int:
        """Bits of an encoded factor."""
        return self.code_width + (self.offset > 0) + self.sign

    def cost(self) -> Cost:
        """Bits of the multiplexers, two of which are one LUT, and of the negation."""
        ranks = self.top.bit_length() + (self.offset > 0)
        return Cost(self.out_width * ranks // 2 + self.sign * self.a_width)

    def rows(self) -> tuple[Row, ...]:
        """Negation if there is one, and the shift."""
        shift = Row(self.out_width, tile=True)
        return (Row(self.a_width + 1 + self.b_width, tile=True), shift) if self.sign else (shift,)


Product = Tiling | Karatsuba | Shifts


@lru_cache(maxsize=256)
def best_product(a_width: int, b_width: int, out_width: int, goal: Goal) -> Tiling | Karatsuba:
    """The cheapest product of two variables."""
    options: list[Tiling | Karatsuba] = [best_tiling(a_width, b_width, out_width, goal)]
    if min(a_width, b_width) >= KARATSUBA_FROM:
        options += karatsubas(a_width, b_width, out_width, goal)
    return min(options, key=lambda p: (goal.score(p.cost()), len(p.rows())))


def karatsubas(a_width: int, b_width: int, out_width: int, goal: Goal) -> Iterator[Karatsuba]:
    """The cuts of two operands that :func:`best_product` chooses among."""
    for blocks in range(2, MAX_BLOCKS + 1):
        least = -(-max(a_width, b_width) // blocks)
        for block_width in range(max(2, least - 2), least + 3):
            tops = [width - (blocks - 1) * block_width for width in (a_width, b_width)]
            if min(tops) < 2:
                continue
            for tile in dict.fromkeys((goal.tile, goal.tile[::-1])):
                for lut_tile in goal.lut_tiles(max(a_width, b_width)):
                    yield Karatsuba(
                        a_width, b_width, out_width, *tile, lut_tile, blocks, block_width
                    )
