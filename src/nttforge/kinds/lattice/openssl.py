# SPDX-License-Identifier: Apache-2.0
"""A standard's names in OpenSSL, as data: names, object identifiers, TLS numbers."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Algorithm:
    """A parameter set as an algorithm: names, OID, bits of security, TLS 1.3 signature scheme."""

    name: str
    short: str
    oid: str
    security: int
    scheme: str = ""
    code_point: int = 0

    @property
    def names(self) -> str:
        """All names by which it is fetched."""
        return ":".join((self.name, self.name.replace("-", "", 2), self.oid, self.short))


@dataclass(frozen=True)
class Group:
    """A group of TLS 1.3: a KEM and X25519; IANA's name and number."""

    name: str
    code_point: int
    place: int


@dataclass(frozen=True)
class Algorithms:
    """All that OpenSSL has of a standard.

    - `interface`: what its operations are: those of a KEM or of signatures. A template is named
      after it.
    - `public`, `private`, `output`, `seed`: names of values: parts of a key, what is made with it,
      what it is made of.
    - `algorithms`: of each parameter set.
    - `groups`: of TLS 1.3.
    """

    interface: Literal["kem", "signature"]
    public: str
    private: str
    output: str
    algorithms: tuple[Algorithm, ...]
    groups: tuple[Group, ...] = ()
    seed: str = "seed"
