# SPDX-License-Identifier: Apache-2.0
"""Published vectors, inputs as they are, outputs as SHA-256; and answers that differ."""

import hashlib
import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable

from pydantic import BaseModel

_SHOWN_BYTES = 8


@dataclass(frozen=True)
class Vector:
    """One published vector.

    Attributes
    ----------
    name, number
        Where it is from, and its number there.
    inputs
        Bytes by the standard's names: d, z, ek, m, dk, c, or seed.
    digests
        SHA-256 of the outputs, in hexadecimal: ek, dk, c, k, or pk, sk; of Kyber's third round
        `kyber_k`.
    """

    name: str
    number: int
    parameter_set: str
    operation: str
    inputs: dict[str, bytes]
    digests: dict[str, str]

    def wrong(self, ours: Mapping[str, bytes]) -> list[tuple[str, str, str]]:
        """(output, digest of ours, expected one) of each output that differs."""
        return [
            (what, digest(ours[what]), expected)
            for what, expected in self.digests.items()
            if digest(ours[what]) != expected
        ]


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def read_vectors(file: Traversable) -> list[Vector]:
    """Vectors as `python -m tests.vectors` packs them."""
    return [
        Vector(**{**entry, "inputs": {k: bytes.fromhex(v) for k, v in entry["inputs"].items()}})
        for entry in json.loads(lzma.decompress(file.read_bytes()))
    ]


class Mismatch(BaseModel):
    """One answer that is not the oracle's, and how to see it again."""

    parameter_set: str
    what: str
    case: int
    stall: float
    got: str
    expected: str


def shown_bytes(data: bytes) -> str:
    """The first bytes of an answer."""
    return f"{data[:_SHOWN_BYTES].hex()}... ({len(data)} bytes)" if data else "nothing"
