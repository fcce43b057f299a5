# SPDX-License-Identifier: Apache-2.0
"""K-PKE, the public-key encryption inside ML-KEM (FIPS 203, section 5).

Not to be used alone: it checks nothing and resists no chosen ciphertext.
"""

import numpy as np

from nttforge.standards.ml_kem.encoding import (
    COEFFICIENT_BITS,
    byte_decode,
    byte_encode,
    compress,
    decompress,
)
from nttforge.standards.ml_kem.multiplication import dot
from nttforge.standards.ml_kem.parameters import RING, Parameters, Q
from nttforge.standards.ml_kem.sampling import sample_matrix, sample_vector
from nttforge.standards.ml_kem.symmetric import g
from nttforge.standards.transform_engine import IntArray, TransformEngine


def k_pke_keygen(p: Parameters, d: bytes, engine: TransformEngine) -> tuple[bytes, bytes]:
    """K-PKE.KeyGen (algorithm 13): 32 random bytes to an encryption and a decryption key.

    Secret and error are transformed in one batch of 2k.
    """
    rho, sigma = g(d + bytes([p.k]))
    secret_and_error = sample_vector(sigma, p.eta1, 0, 2 * p.k)
    s_hat, e_hat = np.split(engine.ntt(RING, secret_and_error), 2)
    t_hat = (dot(sample_matrix(rho, p.k), s_hat) + e_hat) % Q
    return byte_encode(t_hat, COEFFICIENT_BITS) + rho, byte_encode(s_hat, COEFFICIENT_BITS)


def k_pke_encrypt(p: Parameters, ek: bytes, m: bytes, r: bytes, engine: TransformEngine) -> bytes:
    """K-PKE.Encrypt (algorithm 14): message and randomness, 32 bytes each, to a ciphertext.

    Needs k forward transforms in one batch, and k + 1 inverse ones in another.
    """
    t_hat = byte_decode(ek[: p.pke_key_bytes], COEFFICIENT_BITS)
    rho = ek[p.pke_key_bytes :]
    y = sample_vector(r, p.eta1, 0, p.k)
    errors = sample_vector(r, p.eta2, p.k, p.k + 1)
    y_hat = engine.ntt(RING, y)
    # The rows of A transposed, and t as one more row: u and v come from one batch.
    rows = np.concatenate([sample_matrix(rho, p.k).swapaxes(0, 1), t_hat[np.newaxis]])
    noisy = engine.intt(RING, dot(rows, y_hat)) + errors
    u, v = noisy[: p.k] % Q, (noisy[p.k :] + message_to_poly(m)) % Q
    return byte_encode(compress(u, p.du), p.du) + byte_encode(compress(v, p.dv), p.dv)


def k_pke_decrypt(p: Parameters, dk: bytes, c: bytes, engine: TransformEngine) -> bytes:
    """K-PKE.Decrypt (algorithm 15): a ciphertext to a message of 32 bytes.

    Needs k forward transforms in one batch, then one inverse transform.
    """
    c1, c2 = c[: 32 * p.du * p.k], c[32 * p.du * p.k :]
    u = decompress(byte_decode(c1, p.du), p.du)
    v = decompress(byte_decode(c2, p.dv), p.dv)
    s_hat = byte_decode(dk, COEFFICIENT_BITS)
    product = dot(s_hat, engine.ntt(RING, u))
    return poly_to_message((v - engine.intt(RING, product[np.newaxis])) % Q)


def message_to_poly(m: bytes) -> IntArray:
    """32 bytes to a polynomial of coefficients 0 or (q+1)/2, shape (1, 256)."""
    return decompress(byte_decode(m, 1), 1)


def poly_to_message(w: IntArray) -> bytes:
    """A polynomial, shape (1, 256), to the 32 bytes it is nearest to."""
    return byte_encode(compress(w, 1), 1)
