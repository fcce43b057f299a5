# SPDX-License-Identifier: Apache-2.0
"""The transforms of the kernel, as its stages compute them."""

import numpy as np

from nttforge.kinds.decomposed.kernel import stage_bits, stage_exponents
from nttforge.kinds.decomposed.twiddles import Seeds
from nttforge.ring.arithmetic import Array, arithmetic


def transform_blocks(
    seeds: Seeds,
    blocks: Array,
    digit: int,
    *,
    reversed_digit: bool,
    inverse: bool,
    twisted: bool,
    size: int = 0,
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
    size
        log2 of the transform, if its values are on a coset: g to the power 2^(size - digit) is then
        in psi's place.

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
    words = blocks.astype(modular.dtype)
    for bit in stage_bits(v, reversed_digit):
        if bit >= digit:
            continue
        twist = seeds.root(bit + 2, inverse=True) if twisted else 1
        if twisted and size:
            twist = pow(seeds.shifts[-1], -(1 << size - 1 - bit), seeds.q)
        exponents = stage_exponents(v, bit, digit, reversed_digit)
        factors = [powers[int(exponent)] * twist % seeds.q for exponent in exponents]
        prepared = modular.prepare(np.array(factors, dtype=modular.dtype)).reshape(-1, 1 << bit)
        pairs = words.reshape(len(words), -1, 2, 1 << bit)
        u, w = pairs[:, :, 0], pairs[:, :, 1]
        sums = modular.halve(modular.add(u, w))
        differences = modular.scale(modular.halve(modular.subtract(u, w)), prepared)
        words = np.stack((sums, differences), axis=2).reshape(words.shape)
    return words
