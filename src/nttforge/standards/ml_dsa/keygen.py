# SPDX-License-Identifier: Apache-2.0
"""Key generation of ML-DSA without its randomness (FIPS 204, section 6.1)."""

from hashlib import shake_256

from nttforge.standards.checks import check_length
from nttforge.standards.ml_dsa.encoding import pk_encode, power2round, sk_encode
from nttforge.standards.ml_dsa.parameters import RING, SEED_BYTES, Parameters, Q
from nttforge.standards.ml_dsa.sampling import expand_a, expand_s
from nttforge.standards.transform_engine import IntArray, TransformEngine


def h(data: bytes, length: int) -> bytes:
    """H: so many bytes of SHAKE256 (section 3.7)."""
    return shake_256(data).digest(length)


def matrix_vector(matrix: IntArray, vector: IntArray) -> IntArray:
    """Product in the transform's domain: (k, l, 256) times (l, 256), shape (k, 256).

    (algorithm 48). Up to 7 products of 46 bits are summed before they are reduced.
    """
    total: IntArray = (matrix * vector).sum(axis=1)
    return total % Q


def keygen_internal(p: Parameters, seed: bytes, engine: TransformEngine) -> tuple[bytes, bytes]:
    """ML-DSA.KeyGen_internal (algorithm 6).

    Needs l forward transforms in one batch, and k inverse ones in another.

    - `p`: parameter set.
    - `seed`: 32 bytes, xi in the standard.
    - `engine`: does the transforms.

    Returns public key and private key. Raises NttforgeError if the seed has the wrong length.
    """
    check_length("seed", seed, SEED_BYTES, "a seed")
    expanded = h(seed + bytes([p.k, p.l]), 128)
    rho, rho_secret, key = expanded[:32], expanded[32:96], expanded[96:]
    s1, s2 = expand_s(p, rho_secret)
    product = matrix_vector(expand_a(p, rho), engine.ntt(RING, s1 % Q))
    t1, t0 = power2round((engine.intt(RING, product) + s2) % Q)
    pk = pk_encode(rho, t1)
    return pk, sk_encode(p, rho=rho, key=key, tr=h(pk, 64), s1=s1, s2=s2, t0=t0)
