# SPDX-License-Identifier: Apache-2.0
"""Which word of a group stands where in memory; docs/decomposed.md, *Index fields of a group*."""

import numpy as np

from nttforge.kinds.decomposed.rounds import Round
from nttforge.kinds.decomposed.shape import Shape
from nttforge.kinds.decomposed.walks import Fields, Places, load, reverse


def fields_read(shape: Shape, at: Round) -> Fields:
    """Fields of the words that are read, beat by beat: without those of zeros."""
    p, c, r = load(shape, at).fields
    digit, bits = (reverse(p, at.mp), at.mp) if at.fits else (c, at.mc)
    there = digit >> bits - at.load.pad == 0
    kept = there.all(axis=1)
    assert (there.any(axis=1) == kept).all()
    return p[kept], c[kept], r[kept]


def read_address(at: Round, group: int, fields: Fields) -> Places:
    """Address, in words, from which each word {r, c, p} of a group is read."""
    return _mirrored(at, group, fields) if at.mirror_in else _straight(at, group, fields)


def write_address(at: Round, group: int, fields: Fields) -> Places:
    """Address, in words, to which each word {r, c, p} of a group is written."""
    return _mirrored(at, group, fields) if at.mirror_out else _straight(at, group, fields)


def _outer(at: Round, group: int) -> tuple[int, int]:
    """o_hi, which are bits of K, and o_lo, which are not."""
    return group >> at.low_bits, group & (1 << at.low_bits) - 1


def _straight(at: Round, group: int, fields: Fields) -> Places:
    """Digits that are done stand on top, reversed."""
    p, c, r = fields
    high, low = _outer(at, group)
    done = at.kappa - (at.mp if at.keyed else 0)
    top = int(reverse(np.array(high), done)) << (at.size - at.kappa)
    below = at.size - at.kappa - at.mc
    result: Places = top | c << below | r << (below - at.mr)
    if at.keyed:
        return result | reverse(p, at.mp) << (at.size - at.mp)
    return result | low << at.mp | p


def _mirrored(at: Round, group: int, fields: Fields) -> Places:
    """Digits that are done stand at the bottom, in natural order."""
    p, c, r = fields
    high, low = _outer(at, group)
    kc, kr = reverse(c, at.mc), reverse(r, at.mr)
    above = at.kappa + at.mc
    result: Places = p | high << at.mp | kc << at.kappa | kr << above | low << (above + at.mr)
    return result
