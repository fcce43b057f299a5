# SPDX-License-Identifier: Apache-2.0
"""What is signed in place of a message: M' (FIPS 204, sections 5.2 to 5.4)."""

import hashlib
from collections.abc import Callable

from nttforge.errors import NttforgeError
from nttforge.names import find
from nttforge.standards.ml_dsa.keygen import h

MOST_CONTEXT = 255
#: Bytes of mu.
MU_BYTES = 64
#: The arc of NIST's hash functions, 2.16.840.1.101.3.4.2, as DER has it; a byte follows.
ARC = bytes.fromhex("06096086480165030402")


def _fixed(name: str) -> Callable[[bytes], bytes]:
    return lambda data: hashlib.new(name, data).digest()


#: Functions that a message may be hashed with: the identifier's last byte, and the digest.
HASHES: dict[str, tuple[int, Callable[[bytes], bytes]]] = {
    "sha2-224": (4, _fixed("sha224")),
    "sha2-256": (1, _fixed("sha256")),
    "sha2-384": (2, _fixed("sha384")),
    "sha2-512": (3, _fixed("sha512")),
    "sha2-512/224": (5, _fixed("sha512_224")),
    "sha2-512/256": (6, _fixed("sha512_256")),
    "sha3-224": (7, _fixed("sha3_224")),
    "sha3-256": (8, _fixed("sha3_256")),
    "sha3-384": (9, _fixed("sha3_384")),
    "sha3-512": (10, _fixed("sha3_512")),
    "shake-128": (11, lambda data: hashlib.shake_128(data).digest(32)),
    "shake-256": (12, lambda data: hashlib.shake_256(data).digest(64)),
}


def formatted(message: bytes, context: bytes = b"", prehash: str | None = None) -> bytes:
    """M' of a message.

    - `message`: any length.
    - `context`: 255 bytes at most.
    - `prehash`: one of :data:`HASHES` for HashML-DSA, which signs the message's digest.

    Raises NttforgeError if the context is too long, or there is no such hash function.
    """
    if len(context) > MOST_CONTEXT:
        raise NttforgeError("context", f"{len(context)} bytes long", f"give {MOST_CONTEXT} at most")
    head = bytes([prehash is not None, len(context)]) + context
    if prehash is None:
        return head + message
    number, digest = find("prehash", prehash, HASHES)
    return head + ARC + bytes([number]) + digest(message)


def representative(pk: bytes, formatted_message: bytes) -> bytes:
    """mu of a key and M': H(H(pk) || M') (algorithm 8, lines 6 and 7)."""
    return h(h(pk, MU_BYTES) + formatted_message, MU_BYTES)
