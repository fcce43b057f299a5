# SPDX-License-Identifier: Apache-2.0
"""Stages of the kernel, which transforms blocks of {batch bits, digit}; batch bits pass through."""

import numpy as np

from nttforge.kinds.decomposed.walks import Places, reverse


def stage_bits(v: int, reversed_digit: bool) -> range:
    """The block's bit that each stage pairs."""
    return range(v) if reversed_digit else range(v - 1, -1, -1)


def stage_exponents(v: int, bit: int, digit: int, reversed_digit: bool) -> Places:
    """Exponents, in units of the root of order 2^v, of the stage that pairs `bit` of the block."""
    pair = np.arange(1 << (v - 1), dtype=np.int64)
    if not reversed_digit:
        return (pair & (1 << bit) - 1) << (v - 1 - bit)
    # The digit's bit above the pair's weighs a quarter of the circle, the next one an eighth, ...
    above = (pair & (1 << (digit - 1)) - 1) >> bit
    return reverse(above, v - 1 - bit) << bit
