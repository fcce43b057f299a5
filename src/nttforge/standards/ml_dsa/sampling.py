# SPDX-License-Identifier: Apache-2.0
"""The matrix and the secrets, expanded from seeds (FIPS 204, section 7.3)."""

from functools import partial
from hashlib import shake_128, shake_256

import numpy as np

from nttforge.standards import bits
from nttforge.standards.keccak import SHAKE128_RATE, SHAKE256_RATE
from nttforge.standards.ml_dsa.parameters import N, Parameters, Q
from nttforge.standards.rejection import first_accepted
from nttforge.standards.transform_engine import IntArray

_MATRIX_BYTES = 5 * SHAKE128_RATE  # 280 candidates, of which nearly all pass
_SECRET_BYTES = 2 * SHAKE256_RATE  # 544 candidates, of which 15/16 or 9/16 pass


def _accepted_uniform(stream: bytes) -> IntArray:
    """Candidates of 23 bits, one in three bytes, that are below q (algorithm 14)."""
    candidates = bits.unpack(stream, 24) & 0x7FFFFF
    return candidates[candidates < Q]


def _accepted_small(eta: int, stream: bytes) -> IntArray:
    """Half-bytes to coefficients in [-eta, eta] (algorithm 15)."""
    candidates = bits.unpack(stream, 4)
    if eta == 2:
        return 2 - candidates[candidates < 15] % 5
    return eta - candidates[candidates < 2 * eta + 1]


def rej_ntt_poly(seed: bytes, first_bytes: int = _MATRIX_BYTES) -> IntArray:
    """RejNTTPoly (algorithm 30): a uniform polynomial in the transform's domain, shape (256,)."""
    return first_accepted(shake_128(seed).digest, _accepted_uniform, N, first_bytes)


def rej_bounded_poly(seed: bytes, eta: int, first_bytes: int = _SECRET_BYTES) -> IntArray:
    """RejBoundedPoly (algorithm 31): coefficients in [-eta, eta], shape (256,)."""
    return first_accepted(shake_256(seed).digest, partial(_accepted_small, eta), N, first_bytes)


def expand_a(p: Parameters, rho: bytes) -> IntArray:
    """ExpandA (algorithm 32): the matrix in the transform's domain, shape (k, l, 256)."""
    return np.array(
        [[rej_ntt_poly(rho + bytes([column, row])) for column in range(p.l)] for row in range(p.k)]
    )


def expand_s(p: Parameters, rho: bytes) -> tuple[IntArray, IntArray]:
    """ExpandS (algorithm 33): secrets s1, shape (l, 256), and s2, shape (k, 256)."""
    seeds = [rho + nonce.to_bytes(2, "little") for nonce in range(p.l + p.k)]
    secrets = np.array([rej_bounded_poly(seed, p.eta) for seed in seeds])
    return secrets[: p.l], secrets[p.l :]
