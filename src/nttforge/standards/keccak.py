# SPDX-License-Identifier: Apache-2.0
"""Keccak's blocks, as FIPS 202 cuts them."""

#: Bytes of a block.
SHAKE128_RATE, SHAKE256_RATE = 168, 136


def absorbed(length: int) -> int:
    """Permutations of SHAKE256, or SHA3-256, for so many bytes, and a first block squeezed."""
    return length // SHAKE256_RATE + 1
