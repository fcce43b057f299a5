# SPDX-License-Identifier: Apache-2.0
"""Rounding and packing of ML-DSA keys (FIPS 204, sections 7.1, 7.2 and 7.4)."""

from nttforge.standards import bits
from nttforge.standards.ml_dsa.parameters import DROPPED_BITS, Parameters
from nttforge.standards.transform_engine import IntArray

T1_BITS = 10  # of (q-1) / 2^d


def power2round(values: IntArray) -> tuple[IntArray, IntArray]:
    """Power2Round (algorithm 35): r in [0, q) to (r1, r0) with r = r1 2^d + r0.

    r0 is in (-2^(d-1), 2^(d-1)], d = 13.
    """
    half = 2 ** (DROPPED_BITS - 1)
    high = values + half - 1 >> DROPPED_BITS
    return high, values - (high << DROPPED_BITS)


def bit_pack(values: IntArray, low: int, high: int) -> bytes:
    """BitPack (algorithm 17) of coefficients in [-low, high], row after row."""
    return bits.pack(high - values, (low + high).bit_length())


def pk_encode(rho: bytes, t1: IntArray) -> bytes:
    """PkEncode (algorithm 22)."""
    return rho + bits.pack(t1, T1_BITS)


def sk_encode(
    p: Parameters,
    *,
    rho: bytes,
    key: bytes,
    tr: bytes,
    s1: IntArray,
    s2: IntArray,
    t0: IntArray,
) -> bytes:
    """SkEncode (algorithm 24)."""
    half = 2 ** (DROPPED_BITS - 1)
    secrets = bit_pack(s1, p.eta, p.eta) + bit_pack(s2, p.eta, p.eta)
    return rho + key + tr + secrets + bit_pack(t0, half - 1, half)
