# SPDX-License-Identifier: Apache-2.0
"""Polynomials from bytes that look random (FIPS 203, section 4.2.2)."""

import numpy as np

from nttforge.standards import bits
from nttforge.standards.keccak import SHAKE128_RATE
from nttforge.standards.ml_kem.parameters import N, Q
from nttforge.standards.ml_kem.symmetric import prf, xof
from nttforge.standards.rejection import first_accepted
from nttforge.standards.transform_engine import IntArray

# Four blocks of SHAKE128 hold 448 candidates, of which all but 19% pass: more are hardly ever
# needed, and then they are squeezed.
_FIRST_BYTES = 4 * SHAKE128_RATE


def _accepted(stream: bytes) -> IntArray:
    """Candidates of 12 bits, two in three bytes, that are below q."""
    candidates = bits.unpack(stream, 12)
    return candidates[candidates < Q]


def sample_ntt(data: bytes, first_bytes: int = _FIRST_BYTES) -> IntArray:
    """SampleNTT (algorithm 7): a uniform polynomial in the transform's domain, shape (256,).

    - `data`: seed of 32 bytes, and two bytes of indices.
    - `first_bytes`: bytes squeezed at once, a multiple of 3; no matter for the result.
    """
    return first_accepted(xof(data), _accepted, N, first_bytes)


def sample_matrix(rho: bytes, k: int) -> IntArray:
    """The matrix A in the transform's domain, shape (k, k, 256) (algorithm 13, lines 3 to 7)."""
    return np.array(
        [[sample_ntt(rho + bytes([column, row])) for column in range(k)] for row in range(k)]
    )


def sample_poly_cbd(data: bytes, eta: int) -> IntArray:
    """SamplePolyCBD_eta (algorithm 8): 64 eta bytes to coefficients in [0, q), shape (256,)."""
    ones: IntArray = bits.unpack(data, 1).reshape(N, 2, eta).sum(axis=2)
    return (ones[:, 0] - ones[:, 1]) % Q


def sample_vector(seed: bytes, eta: int, first_nonce: int, count: int) -> IntArray:
    """`count` small polynomials from consecutive nonces, shape (count, 256)."""
    nonces = range(first_nonce, first_nonce + count)
    return np.array([sample_poly_cbd(prf(eta, seed, nonce), eta) for nonce in nonces])
