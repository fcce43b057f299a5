# SPDX-License-Identifier: Apache-2.0
"""Which word of a group stands where in memory; docs/decomposed.md, *Index fields of a group*."""

import numpy as np

from nttforge.families.decomposed.rounds import Round
from nttforge.families.decomposed.walks import Fields, Places


def reverse(values: Places, bits: int) -> Places:
    """Reverse the lowest `bits` bits of each value."""
    result = np.zeros_like(values)
    for bit in range(bits):
        result |= (values >> bit & 1) << (bits - 1 - bit)
    return result


def _outer(at: Round, group: int) -> int:
    return int(reverse(np.array(group), at.kappa - at.mp))


def read_address(at: Round, group: int, fields: Fields) -> Places:
    """Address, in words, from which each word {r, c, p} of a group is read."""
    if not at.last:
        return _in_place(at, group, fields)
    p, c, r = fields
    high = reverse(p, at.mp) << (at.size - at.mp)
    result: Places = high | _outer(at, group) << (at.mc + at.mr) | c << at.mr | r
    return result


def write_address(at: Round, group: int, fields: Fields) -> Places:
    """Address, in words, to which each word {r, c, p} of a group is written."""
    if not at.last:
        return _in_place(at, group, fields)
    p, c, r = fields
    kc, kr = reverse(c, at.mc), reverse(r, at.mr)
    result: Places = p | group << at.mp | kc << at.kappa | kr << (at.kappa + at.mc)
    return result


def _in_place(at: Round, group: int, fields: Fields) -> Places:
    p, c, r = fields
    low_bits = at.size - at.kappa - at.mc - at.mr - at.mp
    known, low = group >> low_bits, group & (1 << low_bits) - 1
    top = int(reverse(np.array(known), at.kappa)) << (at.size - at.kappa)
    result: Places = (
        top
        | c << (at.size - at.kappa - at.mc)
        | r << (at.size - at.kappa - at.mc - at.mr)
        | low << at.mp
        | p
    )
    return result
