# SPDX-License-Identifier: Apache-2.0
"""Orders in which a group's words are loaded, transformed and unloaded, as layouts of {r, c, p}."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nttforge.kinds.decomposed.rounds import Field, Round, Side
from nttforge.kinds.decomposed.shape import Shape
from nttforge.layout.layout import Layout

Bit = tuple[Field, int]
Places = npt.NDArray[np.int64]
Fields = tuple[Places, Places, Places]
"""Fields p, c, r of words: arrays of one shape."""


def reverse(values: Places, bits: int) -> Places:
    """Reverse the lowest `bits` bits of each value."""
    result = np.zeros_like(values)
    for bit in range(bits):
        result |= (values >> bit & 1) << (bits - 1 - bit)
    return result


@dataclass(frozen=True)
class Walk:
    """One order of a group's words; `unit`: log2 of beats until the next pass may start."""

    round: Round
    lane_bits: int
    bits: tuple[Bit, ...]
    unit: int

    @cached_property
    def layout(self) -> Layout:
        """The same as a layout of a group's flat index, p lowest and r highest."""
        start = (0, self.round.mp, self.round.mp + self.round.mc)
        return Layout(tuple(start[field] + bit for field, bit in self.bits), self.lane_bits)

    @cached_property
    def fields(self) -> Fields:
        """Fields p, c, r of every word, each of shape (beats, lanes)."""
        index = self.layout.order()
        mp, mc, _ = self.round.bits
        return index & (1 << mp) - 1, index >> mp & (1 << mc) - 1, index >> (mp + mc)


def all_bits(field: Field, bits: int, start: int = 0) -> tuple[Bit, ...]:
    """Bits of a field, its bit `start` first."""
    return tuple((field, bit) for bit in range(start, bits))


def reversed_bits(field: Field, bits: int, start: int = 0) -> tuple[Bit, ...]:
    """Bits of the field's reversal, its bit `start` first."""
    return tuple((field, bits - 1 - bit) for bit in range(start, bits))


def load(shape: Shape, at: Round) -> Walk:
    """The order in which a group is read from memory."""
    p, c, r = (all_bits(field, bits) for field, bits in zip(Field, at.bits, strict=True))
    if at.along:
        return Walk(at, shape.t, p + c + r, at.load.unit)
    if at.mirror_in:
        return _mirrored(shape, at, at.load)
    if not at.fits:
        return Walk(at, shape.t, r + c + p, at.load.unit)
    return _straight(shape, at, at.load)


def unload(shape: Shape, at: Round) -> Walk:
    """The order in which a group is written to memory."""
    p, c, r = (all_bits(field, bits) for field, bits in zip(Field, at.bits, strict=True))
    if at.still:
        return load(shape, at)
    if at.along:
        return Walk(at, shape.t, p + r + c, at.unload.unit)
    return (_mirrored if at.mirror_out else _straight)(shape, at, at.unload)


def _straight(shape: Shape, at: Round, side: Side) -> Walk:
    """Bursts along r, and what they have not got of it of c, or of i_1, the reversal of p."""
    p, c, r = (all_bits(field, bits) for field, bits in zip(Field, at.bits, strict=True))
    low = min(side.skip, at.mc)
    if not at.mc:
        p = reversed_bits(Field.P, at.mp)
    return Walk(at, shape.t, r + c[:low] + p + c[low:], side.unit)


def _mirrored(shape: Shape, at: Round, side: Side) -> Walk:
    """Bursts along p, and what they have not got of it of kc, or of kr."""
    low = min(side.skip, at.mc)
    kc, kr = reversed_bits(Field.C, at.mc), reversed_bits(Field.R, at.mr)
    return Walk(at, shape.t, all_bits(Field.P, at.mp) + kc[:low] + kr + kc[low:], side.unit)
