# SPDX-License-Identifier: Apache-2.0
"""Published vectors, inputs as they are, outputs as SHA-256; the count of answers that differ."""

import hashlib
import json
import lzma
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from pydantic import BaseModel

#: Probability that a port stalls in a cycle, case by case; half of them have none.
STALLS = (0.0, 0.1, 0.0, 0.4, 0.0, 0.8)
_SHOWN, _SHOWN_BYTES, _SHOWN_DIGITS = 5, 8, 16


@dataclass(frozen=True)
class Vector:
    """One published vector.

    - `name`, `number`: where it is from, and its number there.
    - `inputs`: bytes by the standard's names: d, z, ek, m, dk, c, or seed, or pk, message and
      signature.
    - `digests`: SHA-256 of the outputs, in hexadecimal: ek, dk, c, k, or pk, sk, or accepted; of
      Kyber's third round `kyber_k`.
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
    """Vectors as `python -m tests.known_answers` packs them."""
    return [
        Vector(**{**entry, "inputs": {k: bytes.fromhex(v) for k, v in entry["inputs"].items()}})
        for entry in json.loads(lzma.decompress(file.read_bytes()))
    ]


def packed(package: str, name: str) -> list[Vector]:
    """Vectors of a file in a package."""
    return read_vectors(resources.files(package) / name)


def first_of(vectors: Iterable[Vector], *fields: str, digest: str = "") -> list[Vector]:
    """The first vector of each combination of these fields, and of the digest of that name."""
    first: dict[tuple[str, ...], Vector] = {}
    for vector in vectors:
        key = (*(getattr(vector, name) for name in fields), vector.digests.get(digest, ""))
        first.setdefault(key, vector)
    return list(first.values())


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


@dataclass
class Tally:
    """Running totals of a verification, by parameter set, and what failed first."""

    compared: dict[str, Counter[str]]
    cycles: int = 0
    wrong: int = 0
    vectors: int = 0
    mismatches: list[Mismatch] = field(default_factory=list)
    simulator: Any = None
    failed: Any = None

    def stopped(self) -> None:
        """Remember what was run last as that which failed, unless something did before."""
        self.failed = self.failed or self.simulator.last

    def differs(self, **found: Any) -> None:
        """Count a wrong answer, fields of :class:`Mismatch`, and keep the first few."""
        self.wrong += 1
        self.stopped()
        if len(self.mismatches) < _SHOWN:
            self.mismatches.append(Mismatch(**found))

    def vector(self, vector: Vector, wrong: Sequence[tuple[str, str, str]]) -> None:
        """Count a vector, and its answers that differ, as :meth:`Vector.wrong` gives them."""
        self.vectors += 1
        for what, got, expected in wrong:
            self.differs(
                **{"parameter_set": vector.parameter_set, "what": f"{vector.name}: {what}"},
                **{"case": vector.number, "stall": 0.0},
                **{"got": got[:_SHOWN_DIGITS], "expected": expected[:_SHOWN_DIGITS]},
            )

    def fields(self) -> dict[str, Any]:
        """Of a result, by their names."""
        return {
            "comparisons": sum(row.total() for row in self.compared.values()) + self.vectors,
            "compared": {name: dict(row) for name, row in self.compared.items()},
            "vectors": self.vectors,
            "stalls": sorted(set(STALLS)),
            "cycles": self.cycles,
            "wrong_answers": self.wrong,
            "mismatches": self.mismatches,
        }
