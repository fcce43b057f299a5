# SPDX-License-Identifier: Apache-2.0
"""Hash functions of ML-KEM (FIPS 203, section 4.1)."""

from hashlib import sha3_256, sha3_512, shake_128, shake_256

from nttforge.standards.rejection import Xof


def g(data: bytes) -> tuple[bytes, bytes]:
    """G: SHA3-512, as two strings of 32 bytes (equation 4.5)."""
    digest = sha3_512(data).digest()
    return digest[:32], digest[32:]


def h(data: bytes) -> bytes:
    """H: SHA3-256, 32 bytes (equation 4.4)."""
    return sha3_256(data).digest()


def j(data: bytes) -> bytes:
    """J: SHAKE256, 32 bytes (equation 4.4)."""
    return shake_256(data).digest(32)


def prf(eta: int, seed: bytes, nonce: int) -> bytes:
    """PRF: 64 eta bytes of SHAKE256 of a seed of 32 bytes and one byte (equation 4.3)."""
    return shake_256(seed + bytes([nonce])).digest(64 * eta)


def xof(data: bytes) -> Xof:
    """XOF: the stream of SHAKE128 of `data`."""
    return shake_128(data).digest
