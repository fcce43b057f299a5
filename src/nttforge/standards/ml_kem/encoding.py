# SPDX-License-Identifier: Apache-2.0
"""Bytes, coefficients, and the rounding between them (FIPS 203, section 4.2.1)."""

from nttforge.standards import bits
from nttforge.standards.ml_kem.parameters import N, Q
from nttforge.standards.transform_engine import IntArray

COEFFICIENT_BITS = 12


def byte_encode(polynomials: IntArray, d: int) -> bytes:
    """ByteEncode_d (algorithm 5) of every row of (..., 256), one after the other.

    Coefficients are in [0, 2^d), and in [0, q) for d = 12.
    """
    return bits.pack(polynomials, d)


def byte_decode(data: bytes, d: int) -> IntArray:
    """ByteDecode_d (algorithm 6) of 32 d bytes a polynomial, shape (polynomials, 256).

    For d = 12 coefficients are taken modulo q, so several strings decode to the same polynomial.
    """
    values = bits.unpack(data, d).reshape(-1, N)
    return values % Q if d == COEFFICIENT_BITS else values


def compress(values: IntArray, d: int) -> IntArray:
    """Compress_d: [0, q) to [0, 2^d), rounded to the nearest (equation 4.7)."""
    rounded: IntArray = ((values << d) + Q // 2) // Q % 2**d
    return rounded


def decompress(values: IntArray, d: int) -> IntArray:
    """Decompress_d: [0, 2^d) to [0, q), rounded to the nearest, halves up (equation 4.8)."""
    rounded: IntArray = values * Q + 2 ** (d - 1) >> d
    return rounded
