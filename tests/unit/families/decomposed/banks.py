# SPDX-License-Identifier: Apache-2.0
"""Where in the buffer a word of a group stands; docs/decomposed.md, *Banks without conflicts*."""

from dataclasses import dataclass

from nttforge.kinds.decomposed.rounds import Round
from nttforge.kinds.decomposed.shape import Shape
from nttforge.kinds.decomposed.walks import Fields, Places


@dataclass(frozen=True)
class Home:
    """Bank and row of words: arrays of one shape.

    Attributes
    ----------
    bank
        Within a half, below t.
    half
        0 or 1.
    row
        Within a bank.
    """

    bank: Places
    half: Places
    row: Places


def home(shape: Shape, at: Round, slot: int, fields: Fields) -> Home:
    """Where the words {r, c, p} of the group in `slot` stand."""
    v, t = shape.v, shape.t
    mark = 1 << at.slot_bit if slot >> 1 else 0
    p, c, r = (values | mark * (at.slot_field == i) for i, values in enumerate(fields))
    mixed = p ^ c ^ r
    bank = mixed & ((1 << t) - 1) ^ (mixed >> (v - 1) & 1) << (t - 1)
    row = (((slot & 1) << shape.digit | r) << shape.digit | c) << (shape.p - t - 1) | p >> (t + 1)
    return Home(bank, mixed >> t & 1, row)
