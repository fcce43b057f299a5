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
from nttforge.ring.polynomial_product import base_multiply, multiply, schoolbook
from nttforge.ring.presets import PRESETS
from nttforge.ring.transform import coefficient_dtype

from .random_rings import random_polynomials, rings

seeds = st.integers(0, 2**32 - 1)


def flint_product(ring: Any, a: Any, b: Any) -> Any:
    context = flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(ring.q))
    modulus = context([1 if ring.negacyclic else -1, *[0] * (ring.n - 1), 1])
    coefficients = [int(c) for c in (context(a.tolist()) * context(b.tolist()) % modulus).coeffs()]
    return coefficients + [0] * (ring.n - len(coefficients))


@given(rings(), seeds)
def test_products_equal_flint_s(ring: Any, seed: Any) -> None:
    a, b = random_polynomials(ring, seed), random_polynomials(ring, seed + 1)
    expected = [flint_product(ring, x, y) for x, y in zip(a, b, strict=True)]
    for product in (multiply(ring, a, b), schoolbook(ring, a, b)):
        assert product.dtype == coefficient_dtype(ring)
        assert product.tolist() == expected


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_presets_multiply_as_flint_does(preset: Any) -> None:
    a, b = random_polynomials(preset.ring, 3, batch=2)
    assert multiply(preset.ring, a, b).tolist() == flint_product(preset.ring, a, b)


@given(seeds)
def test_ml_kem_base_multiplication_equals_kyber_py(seed: Any) -> None:
    a, b = random_polynomials(PRESETS["ml-kem"].ring, seed, batch=2)
    field = ML_KEM_512.R
    theirs = field(a.tolist(), is_ntt=True) * field(b.tolist(), is_ntt=True)
    assert base_multiply(PRESETS["ml-kem"].ring, a, b).tolist() == theirs.coeffs


@given(seeds)
def test_ml_dsa_pointwise_product_equals_dilithium_py(seed: Any) -> None:
    a, b = random_polynomials(PRESETS["ml-dsa"].ring, seed, batch=2)
    field = ML_DSA_44.R
    theirs = field(a.tolist(), is_ntt=True) * field(b.tolist(), is_ntt=True)
    assert base_multiply(PRESETS["ml-dsa"].ring, a, b).tolist() == theirs.coeffs


@pytest.mark.parametrize("product", [multiply, schoolbook, base_multiply])
def test_one_polynomial_times_a_batch(product: Any) -> None:
    ring = PRESETS["ml-kem"].ring
    batch = random_polynomials(ring, 4, batch=3)
    one = random_polynomials(ring, 5, batch=1)[0]
    expected = [product(ring, one, row).tolist() for row in batch]
    assert product(ring, one, batch).tolist() == expected
    assert product(ring, batch, one).tolist() == expected
    assert product(ring, one, batch[0]).shape == (256,)


@pytest.mark.parametrize("product", [multiply, schoolbook, base_multiply])
def test_bad_operands(product: Any) -> None:
    ring = PRESETS["ml-kem"].ring
    good = np.zeros((2, 256), dtype=np.int64)
    for a, b, field in (
        (good, good + 3329, "b"),
        (good - 1, good, "a"),
        (good, good[:, :5], "b"),
        (good, np.zeros((3, 256), dtype=np.int64), "b"),
    ):
        with pytest.raises(NttforgeError) as error:
            product(ring, a, b)
        assert error.value.field == field
