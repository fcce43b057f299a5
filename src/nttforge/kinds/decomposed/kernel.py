# SPDX-License-Identifier: Apache-2.0
"""The stages of the kernel, which transforms blocks of {batch bits, digit}.

The c and r passes pair the block's bits from the top; the p pass, whose digit is stored reversed,
from the bottom. A stage that pairs a batch bit passes it on.
"""

import numpy as np

from nttforge.kinds.decomposed.walks import Places, reverse


def stage_bits(v: int, reversed_digit: bool) -> range:
    """The block's bit that each stage pairs."""
    return range(v) if reversed_digit else range(v - 1, -1, -1)


def stage_exponents(v: int, bit: int, digit: int, reversed_digit: bool) -> Places:
    """Exponents, in units of the root of order 2^v, of the stage that pairs `bit` of the block.

    - `v`: log2 of the block.
    - `bit`: the block's bit in which a pair's places differ, below `digit`.
    - `digit`: bits of the digit.
    - `reversed_digit`: whether the digit is stored reversed.
    """
    pair = np.arange(1 << (v - 1), dtype=np.int64)
    if not reversed_digit:
        return (pair & (1 << bit) - 1) << (v - 1 - bit)
    # The digit's bit above the pair's weighs a quarter of the circle, the next one an eighth, ...
    above = (pair & (1 << (digit - 1)) - 1) >> bit
    return reverse(above, v - 1 - bit) << bit
