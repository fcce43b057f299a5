# SPDX-License-Identifier: Apache-2.0
from typing import Any

import flint
import pytest
from dilithium_py.ml_dsa import ML_DSA_44
from hypothesis import given
from kyber_py.ml_kem import ML_KEM_512

from nttforge.errors import NttforgeError
from nttforge.ring.presets import PRESETS, find_preset
from nttforge.ring.ring import Ring, bit_reverse

from .random_rings import rings


@pytest.mark.parametrize(
    ("name", "zetas"),
    [("ml-kem", ML_KEM_512.R.ntt_zetas), ("ml-dsa", ML_DSA_44.R.ntt_zetas)],
)
def test_twiddles_are_the_zetas_of_the_standards(name: str, zetas: Any) -> None:
    ring = PRESETS[name].ring
    assert [1, *(z for stage in ring.twiddles for z in stage)] == zetas


@given(rings())
def test_the_leaves_multiply_to_the_ring_s_polynomial(ring: Any) -> None:
    context = flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(ring.q))
    product = context([1])
    for root in ring.leaf_roots:
        product *= context([-root, *[0] * (ring.leaf_degree - 1), 1])
    assert product == context([1 if ring.negacyclic else -1, *[0] * (ring.n - 1), 1])


@given(rings())
def test_every_stage_splits_x2m_minus_z2(ring: Any) -> None:
    squares = [[-1 % ring.q if ring.negacyclic else 1]]
    for stage in ring.twiddles:
        assert [z * z % ring.q for z in stage] == squares[-1]
        squares.append([s for z in stage for s in (z, ring.q - z)])
    assert squares[-1] == list(ring.leaf_roots)


@given(rings())
def test_inverse_twiddles_undo_the_twiddles(ring: Any) -> None:
    for forward, inverse in zip(ring.twiddles, ring.inverse_twiddles, strict=True):
        assert all(-2 * z * t % ring.q == 1 for z, t in zip(forward, inverse, strict=True))


def test_properties() -> None:
    ring = PRESETS["ml-kem"].ring
    assert (ring.depth, ring.width, ring.root_order, ring.leaf_degree) == (8, 12, 256, 2)
    assert ring.describe() == "Z_3329[x]/(x^256 + 1), 7 of 8 layers, root 17"
    cyclic = Ring.create(8, 257, negacyclic=False)
    assert (cyclic.root_order, cyclic.leaf_degree) == (8, 1)
    assert cyclic.describe() == "Z_257[x]/(x^8 - 1), complete, generator 3, root 64"


def test_bit_reverse() -> None:
    assert [bit_reverse(v, 3) for v in range(8)] == [0, 4, 2, 6, 1, 5, 3, 7]
    assert bit_reverse(0b1011, 2) == 0b11


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("n", {"n": 0, "q": 3329}),
        ("n", {"n": 2, "q": 3329}),
        ("n", {"n": 100, "q": 3329}),
        ("n", {"n": -8, "q": 3329}),
        ("q", {"n": 256, "q": 2}),
        ("q", {"n": 256, "q": -3329}),
        ("q", {"n": 256, "q": 3329 * 7681}),
        ("q", {"n": 256, "q": 3329}),  # no root of order 512
        ("layers", {"n": 256, "q": 3329, "layers": 0}),
        ("layers", {"n": 256, "q": 3329, "layers": 9}),
        ("root", {"n": 256, "q": 3329, "layers": 7, "root": 0}),
        ("root", {"n": 256, "q": 3329, "layers": 7, "root": 16}),
        ("root", {"n": 256, "q": 3329, "layers": 7, "root": 17 + 3329}),
    ],
)
def test_bad_rings(field: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(NttforgeError) as error:
        Ring.create(**arguments)
    assert error.value.field == field


def test_the_message_names_a_root_that_works() -> None:
    with pytest.raises(NttforgeError, match="leave it out to use 17"):
        Ring.create(256, 3329, layers=7, root=3)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_presets_are_valid_rings(preset: Any) -> None:
    ring = preset.ring
    assert ring == Ring.create(
        ring.n, ring.q, negacyclic=ring.negacyclic, layers=ring.layers, root=ring.root
    )
    assert flint.fmpz(ring.q).is_prime()
    assert PRESETS[preset.name] is find_preset(preset.name) is preset
    assert preset.description


# The roots of order 2^28 and 2^32 that the libraries of those fields publish.
@pytest.mark.parametrize(
    ("name", "two_adicity", "published"),
    [
        ("goldilocks", 32, 1753635133440165772),
        (
            "bn254",
            28,
            19103219067921713944291392827692070036145651957329286315305642004821462161904,
        ),
        (
            "bls12-381",
            32,
            10238227357739495823651030575849232062558860180284477541189508159991286009131,
        ),
    ],
)
def test_roots_of_the_proof_systems(name: str, two_adicity: int, published: int) -> None:
    ring = PRESETS[name].ring
    assert ring.root == pow(published, (1 << two_adicity) // ring.n, ring.q)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("mlkem", "ml-kem"), ("ML-DSA", "ml-dsa"), ("bls-381", "bls12-381")],
)
def test_an_unknown_preset_proposes_the_nearest(wrong: str, right: str) -> None:
    with pytest.raises(NttforgeError, match=rf"did you mean {right}\?") as error:
        find_preset(wrong)
    assert error.value.field == "ring"
