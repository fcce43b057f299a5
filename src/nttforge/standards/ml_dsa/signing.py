# SPDX-License-Identifier: Apache-2.0
"""Signatures of ML-DSA without their randomness (FIPS 204, section 6.2)."""

from dataclasses import dataclass
from hashlib import shake_256

import numpy as np

from nttforge.standards import bits
from nttforge.standards.checks import check_length
from nttforge.standards.ml_dsa.encoding import bit_pack, pk_encode, power2round
from nttforge.standards.ml_dsa.keygen import h, matrix_vector
from nttforge.standards.ml_dsa.message import MU_BYTES
from nttforge.standards.ml_dsa.parameters import DROPPED_BITS, RING, SEED_BYTES, N, Parameters, Q
from nttforge.standards.ml_dsa.sampling import expand_a
from nttforge.standards.transform_engine import IntArray, TransformEngine

RND_BYTES = 32


@dataclass(frozen=True)
class Signature:
    """An encoded signature, and its tries, of which the last one is the signature's.

    The number of tries is public, the values of the others are secret.

    - `data`: the signature.
    - `challenges`: c~ of each try.
    - `passed`: of each try, whether z and w0 - c s2 were small: c t0 and hints can still reject it.
    """

    data: bytes
    challenges: tuple[bytes, ...]
    passed: tuple[bool, ...]


def sk_decode(p: Parameters, sk: bytes) -> tuple[bytes, bytes, bytes, IntArray, IntArray, IntArray]:
    """SkDecode (algorithm 25): rho, K, tr, and s1, s2 and t0, of shapes (l, 256) and (k, 256)."""
    check_length("sk", sk, p.sk_bytes, "a private key")
    rho, key, tr = sk[:32], sk[32:64], sk[64:128]
    small = N // 8 * p.eta_bits * (p.k + p.l)
    secrets = (p.eta - bits.unpack(sk[128 : 128 + small], p.eta_bits)).reshape(-1, N)
    low = (1 << DROPPED_BITS - 1) - bits.unpack(sk[128 + small :], DROPPED_BITS)
    return rho, key, tr, secrets[: p.l], secrets[p.l :], low.reshape(-1, N)


def public_key(p: Parameters, sk: bytes, engine: TransformEngine) -> bytes:
    """The public key of a private key, which has all that it is made of.

    Raises NttforgeError if the private key has the wrong length.
    """
    rho, _, _, s1, s2, _ = sk_decode(p, sk)
    product = matrix_vector(expand_a(p, rho), engine.ntt(RING, s1 % Q))
    return pk_encode(rho, power2round((engine.intt(RING, product) + s2) % Q)[0])


def expand_mask(p: Parameters, seed: bytes, kappa: int) -> IntArray:
    """ExpandMask (algorithm 34): y, shape (l, 256), of coefficients in (-gamma1, gamma1]."""
    packed = b"".join(
        shake_256(seed + (kappa + j).to_bytes(2, "little")).digest(N // 8 * p.z_bits)
        for j in range(p.l)
    )
    return (1 << p.gamma1_bits) - bits.unpack(packed, p.z_bits).reshape(-1, N)


def decompose(p: Parameters, values: IntArray) -> tuple[IntArray, IntArray]:
    """Decompose (algorithm 36) of residues: HighBits, and LowBits in [-gamma2, gamma2]."""
    high = (values + p.gamma2 - 1) // (2 * p.gamma2)
    low = values - high * 2 * p.gamma2
    top = high == (Q - 1) // (2 * p.gamma2)
    return np.where(top, 0, high), low - top


def sample_in_ball(p: Parameters, seed: bytes) -> IntArray:
    """SampleInBall (algorithm 29): tau coefficients of 1 or -1, shape (256,)."""
    stream = shake_256(seed).digest(8 + N * 4)
    signs, places = int.from_bytes(stream[:8], "little"), iter(stream[8:])
    c = np.zeros(N, np.int64)
    for number, i in enumerate(range(N - p.tau, N)):
        j = next(place for place in places if place <= i)
        c[i], c[j] = c[j], 1 - 2 * (signs >> number & 1)
    return c


def hint_pack(p: Parameters, hints: IntArray) -> bytes:
    """HintBitPack (algorithm 20) of hints of shape (k, 256), omega of them at most."""
    places = [int(at) for row in hints for at in np.flatnonzero(row)]
    ends = np.cumsum(hints.sum(axis=1)).tolist()
    return bytes(places).ljust(p.omega, b"\0") + bytes(ends)


def sign_mu(p: Parameters, sk: bytes, mu: bytes, rnd: bytes, engine: TransformEngine) -> Signature:
    """ML-DSA.Sign_internal (algorithm 7) from line 7 on: of mu, by a private key.

    - `p`, `sk`: parameter set, and a private key as the standard encodes it.
    - `mu`: 64 bytes.
    - `rnd`: 32 bytes; zeros make a deterministic signature.
    - `engine`: does the transforms.

    Raises NttforgeError if one of them has the wrong length.
    """
    check_length("mu", mu, MU_BYTES, "H(H(pk), M')")
    check_length("rnd", rnd, RND_BYTES, "random bytes, or zeros")
    rho, key, _, s1, s2, t0 = sk_decode(p, sk)
    s1_hat, s2_hat, t0_hat = (engine.ntt(RING, secret % Q) for secret in (s1, s2, t0))
    matrix, seed = expand_a(p, rho), h(key + rnd + mu, 2 * SEED_BYTES)
    bound = (1 << p.gamma1_bits) - p.beta
    challenges: list[bytes] = []
    passed: list[bool] = []
    while True:
        y = expand_mask(p, seed, p.l * len(challenges))
        w = engine.intt(RING, matrix_vector(matrix, engine.ntt(RING, y % Q)))
        w1, w0 = decompose(p, w)
        challenges.append(h(mu + bits.pack(w1, p.w1_bits), p.challenge_bytes))
        c_hat = engine.ntt(RING, sample_in_ball(p, challenges[-1])[np.newaxis] % Q)
        c_s1, c_s2, c_t0 = (
            _centred(engine.intt(RING, c_hat * secret % Q)) for secret in (s1_hat, s2_hat, t0_hat)
        )
        z, rest = y + c_s1, w0 - c_s2
        # HighBits of w - c s2 are those of w, if what is left is small enough.
        hints = (decompose(p, (w - c_s2 + c_t0) % Q)[0] != w1).astype(np.int64)
        small = np.abs(z).max() < bound and np.abs(rest).max() < p.gamma2 - p.beta
        passed.append(bool(small))
        if small and np.abs(c_t0).max() < p.gamma2 and hints.sum() <= p.omega:
            packed = bit_pack(z, (1 << p.gamma1_bits) - 1, 1 << p.gamma1_bits)
            data = challenges[-1] + packed + hint_pack(p, hints)
            return Signature(data, tuple(challenges), tuple(passed))


def _centred(values: IntArray) -> IntArray:
    """Residues in (-q / 2, q / 2)."""
    return (values + Q // 2) % Q - Q // 2
