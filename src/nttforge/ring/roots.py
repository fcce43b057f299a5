# SPDX-License-Identifier: Apache-2.0
"""Which root of unity a transform uses: the one rule for all families, docs/roots.md.

A root fixes which value stands where, so it must depend on nothing but the ring: not on the
family, and not on the largest size of an engine.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from nttforge.errors import NttforgeError, shown

MINIMAL_UP_TO = 1 << 17
"""Largest order of which the smallest root is searched for, among order / 2 of them: that of
negacyclic rings of 65,536 coefficients, the largest of one size."""

Minimal = Literal["minimal"]
"""What the key `root` says for the smallest root of the ring's order."""


class Rule(StrEnum):
    """Origin of a ring's root."""

    STANDARD = "standard"
    FIELD = "usual generator of the field"
    MINIMAL = "smallest root of its order"
    NON_RESIDUE = "least non-residue"
    GENERATOR = "key generator"
    ROOT = "key root"


@dataclass(frozen=True)
class NamedField:
    """A prime field with the generator g of its libraries: the root of order N is g^((q-1)/N).

    `source` says where it is defined.
    """

    name: str
    q: int
    generator: int
    source: str


_FIELDS = (
    NamedField("Goldilocks", (1 << 64) - (1 << 32) + 1, 7, "Plonky3, p3-goldilocks"),
    NamedField("BabyBear", (1 << 31) - (1 << 27) + 1, 31, "Plonky3, p3-baby-bear"),
    NamedField("KoalaBear", (1 << 31) - (1 << 24) + 1, 3, "Plonky3, p3-koala-bear"),
    NamedField(
        "BLS12-381 Fr",
        0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001,
        7,
        "zkcrypto, bls12_381; arkworks, ark-bls12-381; gnark-crypto; EIP-4844",
    ),
    NamedField(
        "BLS12-377 Fr",
        0x12AB655E9A2CA55660B44D1E5C37B00159AA76FED00000010A11800000000001,
        22,
        "arkworks, ark-bls12-377; gnark-crypto",
    ),
    NamedField(
        "BN254 Fr",
        0x30644E72E131A029B85045B68181585D2833E84879B9709143E1F593F0000001,
        5,
        "arkworks, ark-bn254; gnark-crypto; libff, alt_bn128",
    ),
    NamedField(
        "Pasta Fp (Vesta Fr)",
        0x40000000000000000000000000000000224698FC094CF91B992D30ED00000001,
        5,
        "zcash, pasta_curves",
    ),
    NamedField(
        "Pasta Fq (Pallas Fr)",
        0x40000000000000000000000000000000224698FC0994A8DD8C46EB2100000001,
        5,
        "zcash, pasta_curves",
    ),
    NamedField("Stark252", (1 << 251) + 17 * (1 << 192) + 1, 3, "StarkWare, starknet-crypto"),
    NamedField("f128", (1 << 128) - 45 * (1 << 40) + 1, 3, "Winterfell, winter-math"),
    NamedField("f62", (1 << 62) - 111 * (1 << 39) + 1, 3, "Winterfell, winter-math"),
)

FIELDS: Mapping[int, NamedField] = MappingProxyType({field.q: field for field in _FIELDS})
"""The fields with a usual generator, by modulus."""


@dataclass(frozen=True)
class Standard:
    """A ring whose root a standard gives.

    - `name`, `source`: what it is called, and where the root is defined.
    - `q`, `n`, `layers`: the ring: negacyclic, of n coefficients and so many layers.
    - `root`: its root, of order 2^(layers+1).
    - `generator`: the least g with g^((q-1)/order) = root: what engines of many sizes over q go by,
      so that the standard's transform is among theirs.
    """

    name: str
    source: str
    q: int
    n: int
    layers: int
    root: int
    generator: int


_STANDARDS = (
    Standard("ML-KEM", "FIPS 203, section 4.3", 3329, 256, 7, 17, 147),
    Standard("ML-DSA", "FIPS 204, section 7.5", 8380417, 256, 8, 1753, 874),
)

STANDARDS: Mapping[int, Standard] = MappingProxyType({each.q: each for each in _STANDARDS})
"""The rings whose root a standard gives, by modulus."""


@dataclass(frozen=True)
class Root:
    """A root of unity, and why it is this one.

    - `value`: the root.
    - `generator`: g with value = g^((q-1)/order), if it was chosen by one.
    - `rule`: what decided.
    """

    value: int
    generator: int | None
    rule: Rule


def log_order(root: int, q: int) -> int | None:
    """log2 of the order of `root` modulo `q`; None if the order is no power of two."""
    for log in range((q - 1 & 1 - q).bit_length()):
        if root == 1:
            return log
        root = root * root % q
    return None


def check_order(q: int, order: int) -> None:
    """Check that there are roots of an order modulo `q`.

    Raises NttforgeError: `order`: not a power of two, or not a divisor of q - 1.
    """
    if order < 1 or order & (order - 1):
        raise NttforgeError("order", f"{order} is not a power of two", "use 512, for instance")
    if (q - 1) % order:
        raise NttforgeError(
            "order",
            f"{order} does not divide q - 1 for q = {q}",
            f"use a divisor of {q - 1 & 1 - q}",
        )


@lru_cache(maxsize=256)
def least_non_residue(q: int) -> int:
    """The least number that is not a square modulo the odd prime `q`."""
    return next(g for g in range(2, q) if pow(g, (q - 1) // 2, q) == q - 1)


def usual_generator(q: int) -> int:
    """The generator from which roots of every order are made, if nothing else is given.

    That of the field if it has a usual one; for the modulus of a standard the least one that gives
    the standard's root; else the least non-residue. No factors of q - 1 are needed: g^((q-1)/N) has
    the order N, a power of two, exactly if g is no square.
    """
    if q in FIELDS:
        return FIELDS[q].generator
    return STANDARDS[q].generator if q in STANDARDS else least_non_residue(q)


def root_by_generator(generator: int, q: int, order: int) -> int:
    """g^((q-1)/order).

    Raises NttforgeError: `order`: as :func:`check_order`. `generator`: it is no number from 2 to q
    - 1, or a square modulo q, whose powers have no root of that order among them.
    """
    check_order(q, order)
    problem = None
    if not 1 < generator < q:
        problem = f"{shown(generator)} is not from 2 to {q - 1}"
    elif pow(generator, (q - 1) // 2, q) == 1:
        problem = f"{generator} is a square modulo {q}, so it gives no root of order {order}"
    if problem is not None:
        raise NttforgeError("generator", problem, f"use {usual_generator(q)}, for instance")
    return pow(generator, (q - 1) // order, q)


@lru_cache(maxsize=256)
def minimal_root(q: int, order: int) -> int:
    """The smallest of all primitive roots of an order modulo the odd prime `q`.

    That of the order 2N is none of the order N's roots, as a rule: it depends on the size. Raises
    NttforgeError: `order`: as :func:`check_order`, or above MINIMAL_UP_TO.
    """
    check_order(q, order)
    if order > MINIMAL_UP_TO:
        problem = f"{order} has too many roots to look for the smallest one"
        raise NttforgeError("order", problem, f"use {MINIMAL_UP_TO} or less")
    root = smallest = pow(least_non_residue(q), (q - 1) // order, q)
    square = root * root % q
    for _ in range(order // 2 - 1):
        root = root * square % q
        smallest = min(smallest, root)
    return smallest


def reduced_root(root: int, q: int, order: int) -> int:
    """The root of an order that a root of the same or a larger one gives, by squaring.

    Raises NttforgeError: `root`: not in [1, q), or of an order that is no power of two, or less
    than `order`.
    """
    problem = f"{shown(root)} is not from 1 to {q - 1}"
    if 0 < root < q:
        log = log_order(root, q)
        least = order.bit_length() - 1
        if log is not None and log >= least:
            return pow(root, 1 << (log - least), q)
        has = "its order is no power of two" if log is None else f"its order is 2^{log}"
        problem = f"{root} is not a primitive root of order {order} or more modulo {q}: {has}"
    raise NttforgeError("root", problem, f"give a root of order {order} or a larger power of two")


def choose_root(
    q: int,
    order: int,
    *,
    standard: bool = False,
    minimal: bool = False,
    root: int | Minimal | None = None,
    generator: int | None = None,
) -> Root:
    """Choose the root of a ring: the rule of docs/roots.md.

    - `q`: an odd prime.
    - `order`: the root's order, a power of two that divides q - 1.
    - `standard`: the ring is that of :data:`STANDARDS`.
    - `minimal`: over a prime without a name the default is the smallest root, not a power of the
      least non-residue: of a negacyclic ring of one size.
    - `root`: what a user gave: a root of this or a larger order, or "minimal".
    - `generator`: what a user gave: any number that is not a square modulo q.

    Raises NttforgeError: `root`, `generator`: not possible, or both given.
    """
    if root is not None and generator is not None:
        raise NttforgeError("generator", "there is a root too", "leave one of the two out")
    if generator is not None:
        return Root(root_by_generator(generator, q, order), generator, Rule.GENERATOR)
    if root == "minimal":
        return Root(minimal_root(q, order), None, Rule.MINIMAL)
    if root is not None:
        try:
            return Root(reduced_root(root, q, order), None, Rule.ROOT)
        except NttforgeError as error:
            default = choose_root(q, order, standard=standard, minimal=minimal).value
            raise NttforgeError("root", error.problem, f"leave it out to use {default}") from None
    if standard:
        return Root(STANDARDS[q].root, None, Rule.STANDARD)
    if minimal and q not in FIELDS and order <= MINIMAL_UP_TO:
        return Root(minimal_root(q, order), None, Rule.MINIMAL)
    usual = usual_generator(q)
    rule = Rule.FIELD if q in FIELDS else Rule.STANDARD if q in STANDARDS else Rule.NON_RESIDUE
    return Root(root_by_generator(usual, q, order), usual, rule)
