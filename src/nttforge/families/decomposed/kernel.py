# SPDX-License-Identifier: Apache-2.0
"""The transforms of the kernel: blocks of {batch bits, digit}, as its stages compute them.

The c and r passes pair the block's bits from the top; the p pass, whose digit is stored reversed,
from the bottom. A stage that pairs a batch bit passes it on.
"""

import numpy as np
import numpy.typing as npt

from nttforge.families.decomposed.addresses import reverse
from nttforge.families.decomposed.twiddles import Seeds
from nttforge.ring.arithmetic import Array, arithmetic

Places = npt.NDArray[np.int64]


def stage_bits(v: int, reversed_digit: bool) -> range:
    """The block's bit that each stage pairs."""
    return range(v) if reversed_digit else range(v - 1, -1, -1)


def stage_exponents(v: int, bit: int, digit: int, reversed_digit: bool) -> Places:
    """Exponents, in units of the root of order 2^v, of the stage that pairs `bit` of the block.

    Parameters
    ----------
    v
        log2 of the block.
    bit
        The block's bit in which a pair's places differ, below `digit`.
    digit
        Bits of the digit.
    reversed_digit
        Whether the digit is stored reversed.

    Returns
    -------
    ndarray
        Shape (2^(v-1),): for each pair, in the order of its places without `bit`.
    """
    pair = np.arange(1 << (v - 1), dtype=np.int64)
    if not reversed_digit:
        return (pair & (1 << bit) - 1) << (v - 1 - bit)
    # The digit's bit above the pair's weighs a quarter of the circle, the next one an eighth, ...
    above = (pair & (1 << (digit - 1)) - 1) >> bit
    return reverse(above, v - 1 - bit) << bit


def transform_blocks(
    seeds: Seeds,
    blocks: Array,
    digit: int,
    *,
    reversed_digit: bool,
    inverse: bool,
    twisted: bool,
) -> Array:
    """Transform along the digit of every block, and divide by 2^digit.

    Parameters
    ----------
    seeds
        The roots.
    blocks
        Shape (blocks, 2^v), canonical.
    digit
        Bits of the digit.
    reversed_digit
        The digit is stored reversed (the p pass), and leaves in order; else the other way round.
    inverse
        Roots are the inverse ones.
    twisted
        Output k has the factor psi^-k, psi the root of order 2^(digit + 1): the last pass of a
        negacyclic inverse.

    Returns
    -------
    ndarray
        Of the same shape.
    """
    modular = arithmetic(seeds.q)
    v = blocks.shape[1].bit_length() - 1
    powers = [1]
    for _ in range((1 << v) - 1):
        powers.append(powers[-1] * seeds.root(v, inverse) % seeds.q)
    words = blocks
    for bit in stage_bits(v, reversed_digit):
        if bit >= digit:
            continue
        twist = seeds.root(bit + 2, inverse=True) if twisted else 1
        exponents = stage_exponents(v, bit, digit, reversed_digit)
        factors = [powers[int(exponent)] * twist % seeds.q for exponent in exponents]
        prepared = modular.prepare(np.array(factors, dtype=modular.dtype)).reshape(-1, 1 << bit)
        pairs = words.reshape(len(words), -1, 2, 1 << bit)
        u, w = pairs[:, :, 0], pairs[:, :, 1]
        sums = modular.halve(modular.add(u, w))
        differences = modular.scale(modular.halve(modular.subtract(u, w)), prepared)
        words = np.stack((sums, differences), axis=2).reshape(words.shape)
    return words
