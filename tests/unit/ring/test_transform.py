# SPDX-License-Identifier: Apache-2.0
from typing import Any

import flint
import numpy as np
import pytest
from dilithium_py.ml_dsa import ML_DSA_44
from hypothesis import given
from hypothesis import strategies as st
from kyber_py.ml_kem import ML_KEM_512

from nttforge.errors import NttforgeError
from nttforge.ring.presets import PRESETS
from nttforge.ring.ring import Ring
from nttforge.ring.transform import (
    check_polynomials,
    coefficient_dtype,
    intt,
    intt_definition,
    ntt,
    ntt_definition,
)

from .random_rings import random_polynomials, rings

seeds = st.integers(0, 2**32 - 1)
KEM = PRESETS["ml-kem"].ring


@given(rings(), seeds)
def test_fast_equals_definition(ring: Any, seed: Any) -> None:
    polynomials = random_polynomials(ring, seed)
    transformed = ntt(ring, polynomials)
    assert np.array_equal(transformed, ntt_definition(ring, polynomials))
    assert np.array_equal(intt(ring, polynomials), intt_definition(ring, polynomials))
    assert np.array_equal(intt(ring, transformed), polynomials)


@given(rings(), seeds)
def test_transform_is_the_remainders_that_flint_finds(ring: Any, seed: Any) -> None:
    context = flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(ring.q))
    polynomial = random_polynomials(ring, seed, batch=1)[0]
    expected = []
    for root in ring.leaf_roots:
        leaf = context([-root, *[0] * (ring.leaf_degree - 1), 1])
        remainder = [int(c) for c in (context(polynomial.tolist()) % leaf).coeffs()]
        expected += remainder + [0] * (ring.leaf_degree - len(remainder))
    assert ntt(ring, polynomial).tolist() == expected


@given(rings(complete=True), seeds)
def test_complete_transform_is_evaluation_at_the_roots(ring: Any, seed: Any) -> None:
    context = flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(ring.q))
    polynomial = random_polynomials(ring, seed, batch=1)[0]
    values = [int(context(polynomial.tolist())(root)) for root in ring.leaf_roots]
    assert ntt(ring, polynomial).tolist() == values


@given(seeds)
def test_ml_kem_equals_kyber_py_in_value_and_order(seed: Any) -> None:
    polynomial = random_polynomials(KEM, seed, batch=1)[0]
    theirs = ML_KEM_512.R(polynomial.tolist()).to_ntt().coeffs
    assert ntt(KEM, polynomial).tolist() == theirs
    back = ML_KEM_512.R(polynomial.tolist(), is_ntt=True).from_ntt().coeffs
    assert intt(KEM, polynomial).tolist() == back


@given(seeds)
def test_ml_dsa_equals_dilithium_py_in_value_and_order(seed: Any) -> None:
    ring = PRESETS["ml-dsa"].ring
    polynomial = random_polynomials(ring, seed, batch=1)[0]
    theirs = ML_DSA_44.R(polynomial.tolist()).to_ntt().coeffs
    assert ntt(ring, polynomial).tolist() == theirs
    back = ML_DSA_44.R(polynomial.tolist(), is_ntt=True).from_ntt().coeffs
    assert intt(ring, polynomial).tolist() == back


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_presets_there_and_back(preset: Any) -> None:
    ring = preset.ring
    polynomials = random_polynomials(ring, 1, batch=5)
    transformed = ntt(ring, polynomials)
    context = flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(ring.q))
    leaf = len(ring.leaf_roots) - 2
    modulus = context([-ring.leaf_roots[leaf], *[0] * (ring.leaf_degree - 1), 1])
    for row, polynomial in zip(transformed, polynomials, strict=True):
        remainder = (context(polynomial.tolist()) % modulus).coeffs()
        words = row[leaf * ring.leaf_degree :][: ring.leaf_degree]
        assert [int(c) for c in remainder] == words.tolist()
    assert np.array_equal(intt(ring, transformed), polynomials)


@pytest.mark.parametrize("transform", [ntt, intt, ntt_definition, intt_definition])
@pytest.mark.parametrize("name", ["ml-kem", "fhe-60bit", "goldilocks"])
def test_shapes_and_types(transform: Any, name: str) -> None:
    preset = PRESETS[name].ring
    ring = Ring.create(8, preset.q, negacyclic=preset.negacyclic)
    polynomials = random_polynomials(ring, 2, batch=4)
    before = polynomials.copy()
    batch = transform(ring, polynomials)
    assert np.array_equal(polynomials, before)
    assert batch.shape == (4, 8)
    assert batch.dtype == coefficient_dtype(ring)
    assert batch.dtype == (np.object_ if name == "goldilocks" else np.int64)
    one = transform(ring, polynomials[0])
    assert one.shape == (8,)
    assert np.array_equal(one, batch[0])
    assert np.array_equal(transform(ring, polynomials.tolist()), batch)
    assert np.array_equal(transform(ring, polynomials.astype(np.uint64)), batch)
    assert transform(ring, polynomials[:0]).shape == (0, 8)


def test_small_integers_do_not_wrap_in_a_large_ring() -> None:
    ring = Ring.create(8, (1 << 64) - (1 << 32) + 1)
    polynomial = np.full(8, 255, dtype=np.uint8)
    mixed = np.array([np.int64(255)] * 8, dtype=np.object_)
    expected = ntt_definition(ring, [255] * 8)
    assert np.array_equal(ntt(ring, polynomial), expected)
    assert np.array_equal(ntt(ring, mixed), expected)
    assert all(type(value) is int for value in ntt(ring, mixed))


BAD = {
    "too short": [0] * 255,
    "too long": np.zeros((2, 257), dtype=np.int64),
    "a number": 5,
    "three dimensions": np.zeros((1, 1, 256), dtype=np.int64),
    "ragged": [[0] * 256, [0] * 255],
    "floats": np.zeros(256),
    "a float in a list": [0] * 255 + [1.0],
    "a string": ["0"] * 256,
    "booleans": np.zeros(256, dtype=bool),
    "a boolean in a list": [0] * 255 + [True],
    "complex": np.zeros(256, dtype=complex),
    "negative": [0] * 255 + [-1],
    "equal to q": [0] * 255 + [3329],
    "beyond 64 bits": [0] * 255 + [1 << 70],
    "none": None,
}


@pytest.mark.parametrize("polynomials", BAD.values(), ids=list(BAD))
@pytest.mark.parametrize("transform", [ntt, intt, ntt_definition, intt_definition])
def test_bad_polynomials(polynomials: Any, transform: Any) -> None:
    with pytest.raises(NttforgeError) as error:
        transform(KEM, polynomials)
    assert error.value.field == "polynomials"


@pytest.mark.parametrize("dtype", [np.int16, np.uint16, np.int64, np.uint64, np.object_])
def test_the_message_names_the_first_bad_place(dtype: Any) -> None:
    polynomials = np.zeros((3, 256), dtype=dtype)
    polynomials[1, 7] = 3329
    polynomials[2, 0] = 4000
    with pytest.raises(
        NttforgeError, match=r"x: coefficient 7 of polynomial 1 is 3329, which is not in \[0, 3329"
    ):
        check_polynomials(KEM, polynomials, "x")
    with pytest.raises(NttforgeError, match="coefficient 7 is 3329"):
        check_polynomials(KEM, polynomials[1])
    if np.dtype(dtype).kind == "O":
        polynomials[0, 9] = 0.5
        with pytest.raises(NttforgeError, match=r"coefficient 9 of polynomial 0 is 0\.5"):
            check_polynomials(KEM, polynomials)
