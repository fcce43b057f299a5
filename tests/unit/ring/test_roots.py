# SPDX-License-Identifier: Apache-2.0
"""Which root a ring has: one rule for all families and sizes."""

import random
from functools import cache
from typing import Any

import flint
import pytest

from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.kinds.decomposed.build import build
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.ring.presets import PRESETS
from nttforge.ring.primes import next_ntt_prime
from nttforge.ring.ring import Ring
from nttforge.ring.roots import (
    FIELDS,
    MINIMAL_UP_TO,
    STANDARDS,
    Rule,
    choose_root,
    least_non_residue,
    log_order,
    minimal_root,
    reduced_root,
    root_by_generator,
    usual_generator,
)
from tests.drawn import random_prime

GOLDILOCKS = (1 << 64) - (1 << 32) + 1
BLS12_381 = PRESETS["bls12-381"].ring.q


def largest_order(q: int) -> int:
    return q - 1 & 1 - q


@cache
def drawn_fields() -> list[int]:
    """All fields with a name, and primes of 12 to 256 bits."""
    rng = random.Random(58)
    found = [*FIELDS, *STANDARDS]
    while len(found) < 200:
        bits = rng.randint(12, 256)
        q = random_prime(rng, bits, 1 << rng.randint(3, min(40, bits - 5)))
        found += [] if q is None else [q]
    return found


def test_every_size_and_form_over_200_fields_has_powers_of_one_root() -> None:
    """For a cyclic ring, and for every ring over a field with a usual generator."""
    for q in drawn_fields():
        g, largest = usual_generator(q), largest_order(q).bit_length() - 2
        for size in {2, min(10, largest), min(36, largest)}:
            cyclic = Ring.create(1 << size, q, negacyclic=False)
            assert (cyclic.generator, cyclic.root) == (g, pow(g, (q - 1) >> size, q))
            assert Ring.create(1 << size, q, negacyclic=False, many_sizes=True) == cyclic
            for of_many in (True, False) if q in FIELDS or size > 16 else (True,):
                psi = Ring.create(1 << size, q, many_sizes=of_many)
                assert (psi.generator, psi.root) == (g, pow(g, (q - 1) >> size + 1, q))
                assert psi.root**2 % q == cyclic.root
                assert log_order(psi.root, q) == size + 1


def test_negacyclic_rings_of_one_size_over_other_primes_have_the_smallest_root() -> None:
    for q in drawn_fields():
        if q in FIELDS or q in STANDARDS:
            continue
        order = min(largest_order(q), 64)
        ring = Ring.create(order // 2, q)
        roots = {
            pow(pow(usual_generator(q), (q - 1) // order, q), k, q) for k in range(1, order, 2)
        }
        assert (ring.rule, ring.generator, ring.root) == (Rule.MINIMAL, None, min(roots))


@pytest.mark.parametrize("q", [3, 257, 3329, 7681, 12289, 65537])
def test_the_minimal_root_is_the_smallest_of_its_order(q: int) -> None:
    order = 1
    while (q - 1) % order == 0:
        roots = (r for r in range(1, q) if pow(r, order, q) == 1)
        primitive = (r for r in roots if order == 1 or pow(r, order // 2, q) != 1)
        assert minimal_root(q, order) == next(primitive)
        order *= 2


@pytest.mark.parametrize("q", FIELDS, ids=[field.name for field in FIELDS.values()])
def test_the_generators_of_the_fields_are_generators_of_the_powers_of_two(q: int) -> None:
    assert flint.fmpz(q).is_prime()
    top = root_by_generator(FIELDS[q].generator, q, largest_order(q))
    assert 1 << log_order(top, q) == largest_order(q)  # type: ignore[operator]


@pytest.mark.parametrize("q", STANDARDS, ids=[each.name for each in STANDARDS.values()])
def test_the_standards_transforms_are_among_those_of_engines_of_many_sizes(q: int) -> None:
    given = STANDARDS[q]
    order = 2 << given.layers
    assert given.root == minimal_root(q, order)
    assert given.root == root_by_generator(given.generator, q, order)
    least = (g for g in range(2, q) if pow(g, (q - 1) // order, q) == given.root)
    assert given.generator == next(least)
    ring = Ring.create(given.n, q, layers=given.layers)
    assert (ring.rule, ring.root, ring.generator) == (Rule.STANDARD, given.root, None)


def core_of(ring: dict[str, Any], l_max: int) -> DecomposedCore:
    table = {"n": 16, "t": 4, "b": 2, "l_max": l_max}
    data = {"name": "mine", "family": "decomposed", "rings": [ring], "decomposed": table}
    return build(parse_design(data, "test"))


@pytest.mark.long
@pytest.mark.parametrize(
    ("ring", "own"),
    [
        ({"preset": "goldilocks"}, {"q": str(GOLDILOCKS)}),
        ({"preset": "bls12-381"}, {"q": str(BLS12_381)}),
        ({"q": 998244353}, {"q": 998244353}),
        ({"q": "0x8000011c00000001"}, {"q": "0x8000011c00000001"}),
        ({"q": 2013265921, "generator": 11}, {"q": 2013265921, "generator": 11}),
        ({"q": 2013265921, "root": 137}, {"q": 2013265921, "root": 137}),
    ],
    ids=["Goldilocks", "BLS12-381", "998244353", "no name", "generator", "root"],
)
@pytest.mark.parametrize("form", ["x^n-1", "x^n+1"])
def test_families_and_largest_sizes_agree(
    ring: dict[str, Any], own: dict[str, Any], form: str
) -> None:
    """One ring of 1024 coefficients: in engines of other largest sizes, and as ring of one size."""
    negacyclic = form == "x^n+1"
    cores = [core_of(ring, l_max) for l_max in (12, 20)]
    operation = next(o for o in cores[0].operations if o.negacyclic == negacyclic and not o.inverse)
    roots = {core.root(operation, 10) for core in cores}
    for family in ("pipeline", "iterative"):
        table = {"n": 1024, "form": form, **own}
        if negacyclic and not {"root", "generator"} & set(own) and cores[0].ring.q not in FIELDS:
            table["generator"] = usual_generator(cores[0].ring.q)
        data = {"name": "mine", "family": family, "rings": [table]}
        roots.add(parse_design(data, "test").ring(0).root)
    if "preset" in ring and not negacyclic:
        roots.add(PRESETS[ring["preset"]].ring.root)
    assert len(roots) == 1


def test_word_1_of_sam_256_bls12_381() -> None:
    """The value at w of the polynomial x, whose transform's word k is w^k: gnark, arkworks."""
    data = {"name": "mine", "family": "decomposed", "rings": [{"preset": "bls12-381"}]}
    core = build(parse_design(data, "test"))
    assert core.root(core.operations[0], 8) == int(
        "36007022166693598376559747923784822035233416720563672082740011604939309541707"
    )


def test_a_root_of_a_larger_order_gives_its_power() -> None:
    plonky2 = 7277203076849721926
    for size in (3, 10, 31):
        expected = pow(plonky2, 1 << 32 - size, GOLDILOCKS)
        assert Ring.create(1 << size, GOLDILOCKS, negacyclic=False, root=plonky2).root == expected
        psi = pow(plonky2, 1 << 31 - size, GOLDILOCKS)
        assert Ring.create(1 << size, GOLDILOCKS, root=plonky2).root == psi
    assert reduced_root(17, 3329, 256) == 17
    core = core_of({"preset": "goldilocks", "root": str(plonky2)}, 16)
    ring = parse_design(
        {"name": "mine", "rings": [{"preset": "goldilocks", "root": str(plonky2)}]}, "test"
    ).ring(0)
    assert core.root(core.operations[0], 10) == ring.root == pow(plonky2, 1 << 22, GOLDILOCKS)
    assert (ring.rule, ring.generator) == (Rule.ROOT, None)


def test_presets_keep_their_roots() -> None:
    roots = {name: preset.ring.root for name, preset in PRESETS.items()}
    assert {name: root for name, root in roots.items() if root < 1 << 50} == {
        "ml-kem": 17,
        "ml-dsa": 1753,
        "rlwe-7681": 62,
        "rlwe-12289": 3,
        "newhope-512": 49,
        "newhope-1024": 7,
        "rlwe-3221225473": 3985459,
        "fhe-28bit": 326097,
        "fhe-60bit": 317490233586139,
    }
    for preset in PRESETS.values():
        if preset.ring.negacyclic:
            assert preset.ring.root == minimal_root(preset.ring.q, preset.ring.root_order)


def test_the_generator_is_shown_where_the_root_is_one_of_its_powers() -> None:
    assert (
        Ring.create(8, 97, negacyclic=False).describe().endswith("complete, generator 5, root 64")
    )
    assert Ring.create(8, 97).describe().endswith("complete, root 8")
    assert "generator 7, root " in PRESETS["bls12-381"].ring.describe()


@pytest.mark.parametrize(
    ("field", "words", "keys"),
    [
        ("root", "its order is 2^4; leave it out to use 19", {"root": 8}),
        ("root", "its order is no power of two", {"root": 5}),
        ("root", "97 is not from 1 to 96", {"root": 97}),
        ("root", "-3 is not from 1 to 96", {"root": -3}),
        ("generator", "4 is a square modulo 97", {"generator": 4}),
        ("generator", "1 is not from 2 to 96; use 5", {"generator": 1}),
        ("generator", "97 is not from 2", {"generator": 97}),
        ("generator", "leave one of the two out", {"generator": 5, "root": 28}),
        ("root", "another root for each size", {"root": "minimal", "many_sizes": True}),
    ],
)
def test_roots_that_are_refused(field: str, words: str, keys: dict[str, Any]) -> None:
    with pytest.raises(NttforgeError) as caught:
        Ring.create(16, 97, **keys)
    assert caught.value.field == field
    assert words in str(caught.value)


@pytest.mark.parametrize("order", [0, -2, 3, 512, 4 * MINIMAL_UP_TO])
def test_roots_of_an_impossible_order(order: int) -> None:
    q = 3329 if order < 1024 else GOLDILOCKS
    with pytest.raises(NttforgeError) as caught:
        minimal_root(q, order)
    assert caught.value.field == "order"


def test_the_least_non_residue() -> None:
    for q in (3, 5, 97, 3329, next_ntt_prime(200, 1 << 20)):
        g = least_non_residue(q)
        assert all(flint.fmpz(x).jacobi(q) == 1 for x in range(1, g))
        assert flint.fmpz(g).jacobi(q) == -1


def test_large_rings_over_any_prime_are_found_at_once() -> None:
    q = next_ntt_prime(64, 1 << 40)
    assert choose_root(q, 1 << 40, minimal=True).rule is Rule.NON_RESIDUE
