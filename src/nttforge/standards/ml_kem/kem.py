# SPDX-License-Identifier: Apache-2.0
"""ML-KEM itself: its three algorithms without their randomness, and the checks of their inputs.

FIPS 203 checks inputs in sections 7.2 and 7.3, outside of the internal algorithms of section 6;
here the internal algorithms check them too, so that no caller can forget.
"""

from hmac import compare_digest

from nttforge.errors import NttforgeError
from nttforge.standards.checks import check_length
from nttforge.standards.ml_kem.encoding import COEFFICIENT_BITS, byte_decode, byte_encode
from nttforge.standards.ml_kem.parameters import SEED_BYTES, Parameters
from nttforge.standards.ml_kem.pke import k_pke_decrypt, k_pke_encrypt, k_pke_keygen
from nttforge.standards.ml_kem.symmetric import g, h, j
from nttforge.standards.transform_engine import TransformEngine


def keygen_internal(
    p: Parameters, d: bytes, z: bytes, engine: TransformEngine
) -> tuple[bytes, bytes]:
    """ML-KEM.KeyGen_internal (algorithm 16).

    - `p`: parameter set.
    - `d`, `z`: seeds of 32 bytes: of the keys, and of the secret that answers a bad ciphertext.
    - `engine`: does the transforms.

    Returns encapsulation key and decapsulation key. Raises NttforgeError if a seed has the wrong
    length.
    """
    check_length("d", d, SEED_BYTES, "a seed")
    check_length("z", z, SEED_BYTES, "a seed")
    ek, dk_pke = k_pke_keygen(p, d, engine)
    return ek, dk_pke + ek + h(ek) + z


def encaps_internal(
    p: Parameters, ek: bytes, m: bytes, engine: TransformEngine
) -> tuple[bytes, bytes]:
    """ML-KEM.Encaps_internal (algorithm 17).

    Returns shared secret (32 bytes) and ciphertext. Raises NttforgeError if the key is not one
    (section 7.2), or the randomness `m` is not 32 bytes.
    """
    check_encapsulation_key(p, ek)
    check_length("m", m, SEED_BYTES, "randomness")
    secret, r = g(m + h(ek))
    return secret, k_pke_encrypt(p, ek, m, r, engine)


def decaps_internal(p: Parameters, dk: bytes, c: bytes, engine: TransformEngine) -> bytes:
    """ML-KEM.Decaps_internal (algorithm 18).

    Returns shared secret (32 bytes). A ciphertext that does not re-encrypt to itself gives a secret
    that depends on `z` and on the ciphertext alone: implicit rejection, no error. Raises
    NttforgeError if the key is not one or the ciphertext has the wrong length (section 7.3).
    """
    check_ciphertext(p, c)
    check_decapsulation_key(p, dk)
    dk_pke, ek, h_ek, z = split_decapsulation_key(p, dk)
    m = k_pke_decrypt(p, dk_pke, c, engine)
    secret, r = g(m + h_ek)
    rejection = j(z + c)
    return secret if compare_digest(c, k_pke_encrypt(p, ek, m, r, engine)) else rejection


def split_decapsulation_key(p: Parameters, dk: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    """The K-PKE key, the encapsulation key, its hash and the rejection seed in a `dk`."""
    ek_at = p.pke_key_bytes
    hash_at = ek_at + p.ek_bytes
    z_at = hash_at + SEED_BYTES
    return dk[:ek_at], dk[ek_at:hash_at], dk[hash_at:z_at], dk[z_at:]


def check_encapsulation_key(p: Parameters, ek: bytes) -> None:
    """Type check and modulus check of an encapsulation key (section 7.2).

    Raises NttforgeError if it has the wrong length, or a coefficient that is not below q.
    """
    check_length("ek", ek, p.ek_bytes, f"an encapsulation key of {p.name}")
    encoded = ek[: p.pke_key_bytes]
    if byte_encode(byte_decode(encoded, COEFFICIENT_BITS), COEFFICIENT_BITS) != encoded:
        raise NttforgeError(
            "ek", "it holds a coefficient that is not below q", "use a key made by ML-KEM.KeyGen"
        )


def check_decapsulation_key(p: Parameters, dk: bytes) -> None:
    """Type check and hash check of a decapsulation key (section 7.3).

    Raises NttforgeError if it has the wrong length, or does not hold the hash of its encapsulation
    key.
    """
    check_length("dk", dk, p.dk_bytes, f"a decapsulation key of {p.name}")
    _, ek, h_ek, _ = split_decapsulation_key(p, dk)
    if h(ek) != h_ek:
        raise NttforgeError(
            "dk",
            "its hash is not that of the encapsulation key in it",
            "use a key made by ML-KEM.KeyGen",
        )


def check_ciphertext(p: Parameters, c: bytes) -> None:
    """Type check of a ciphertext (section 7.3). Raises NttforgeError if it has the wrong length."""
    check_length("c", c, p.ciphertext_bytes, f"a ciphertext of {p.name}")
