# SPDX-License-Identifier: Apache-2.0
"""A standard as OpenSSL knows it, as data: names, object identifiers, TLS numbers."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Algorithm:
    """A parameter set as an algorithm.

    Attributes
    ----------
    name, short
        Its name, and the short name of its object identifier.
    oid
        The object identifier of keys and signatures.
    security
        Bits of security.
    scheme, code_point
        Of TLS 1.3, if certificates of it sign there: IANA's name and number.
    """

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
    """A group of TLS 1.3: a KEM, and X25519 after it.

    Attributes
    ----------
    name, code_point
        IANA's name and number.
    place
        The number of the parameter set.
    """

    name: str
    code_point: int
    place: int


@dataclass(frozen=True)
class Algorithms:
    """All that OpenSSL has of a standard.

    Attributes
    ----------
    interface
        What its operations are: those of a KEM or of signatures. A template is named after it.
    public, private, output, seed
        Names of values: parts of a key, what is made with it, what it is made of.
    algorithms
        Of each parameter set.
    groups
        Of TLS 1.3.
    """

    interface: Literal["kem", "signature"]
    public: str
    private: str
    output: str
    algorithms: tuple[Algorithm, ...]
    groups: tuple[Group, ...] = ()
    seed: str = "seed"
