# SPDX-License-Identifier: Apache-2.0
"""Checks of byte strings that a user hands in."""

import secrets

from nttforge.errors import NttforgeError


def check_length(field: str, value: bytes, length: int, meaning: str) -> None:
    """Refuse a byte string that is not `length` bytes long. Raises NttforgeError naming `field`."""
    if len(value) != length:
        raise NttforgeError(
            field, f"{len(value)} bytes long, not {length}", f"pass {meaning} of {length} bytes"
        )


def drawn(name: str, given: bytes | None, length: int, what: str = "random bytes") -> bytes:
    """So many bytes as given, or random ones. Raises NttforgeError if the length is wrong."""
    if given is None:
        return secrets.token_bytes(length)
    check_length(name, given, length, what)
    return given
