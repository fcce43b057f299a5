# SPDX-License-Identifier: Apache-2.0
from random import Random
from typing import Any

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.mldsa import (
    MLDSA44PrivateKey,
    MLDSA65PrivateKey,
    MLDSA87PrivateKey,
)
from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_65, ML_DSA_87

from nttforge.errors import NttforgeError
from nttforge.standards import ml_dsa
from nttforge.standards.ml_dsa.message import formatted, representative
from nttforge.standards.ml_dsa.signing import sign_mu

ORACLES: dict[str, tuple[Any, Any]] = {
    "ML-DSA-44": (ML_DSA_44, MLDSA44PrivateKey),
    "ML-DSA-65": (ML_DSA_65, MLDSA65PrivateKey),
    "ML-DSA-87": (ML_DSA_87, MLDSA87PrivateKey),
}
SETS = pytest.mark.parametrize("p", ml_dsa.PARAMETER_SETS.values(), ids=lambda p: p.name)


@SETS
def test_equals_dilithium_py_and_cryptography(p: Any, engine: Any) -> None:
    random = Random(p.name)
    python, compiled = ORACLES[p.name]
    for _ in range(4):
        seed = random.randbytes(32)
        pk, sk = ml_dsa.keygen_internal(p, seed, engine)
        assert (pk, sk) == python._keygen_internal(seed)
        assert pk == compiled.from_seed_bytes(seed).public_key().public_bytes_raw()
        assert (len(pk), len(sk)) == (p.pk_bytes, p.sk_bytes)


@SETS
def test_signatures_equal_dilithium_py_and_are_right(p: Any, engine: Any) -> None:
    random = Random(p.name)
    python, compiled = ORACLES[p.name]
    seed, message = random.randbytes(32), random.randbytes(70)
    pk, sk = python._keygen_internal(seed)
    tries = set()
    for _ in range(4):
        rnd = random.randbytes(32)
        # M' without a context.
        mu = representative(pk, formatted(message))
        made = sign_mu(p, sk, mu, rnd, engine)
        assert made.data == python._sign_internal(sk, bytes(2) + message, rnd)
        assert made.data.startswith(made.challenges[-1])
        compiled.from_seed_bytes(seed).public_key().verify(made.data, message)
        tries.add(len(made.challenges))
    assert len(tries) > 1
    for name, *given in (("mu", sk, mu[1:], rnd), ("rnd", sk, mu, b""), ("sk", b"", mu, rnd)):
        with pytest.raises(NttforgeError) as caught:
            sign_mu(p, given[0], given[1], given[2], engine)
        assert caught.value.field == name


@SETS
def test_transforms_are_all_done_by_the_engine(p: Any, engine: Any) -> None:
    ml_dsa.keygen_internal(p, bytes(32), engine)
    assert engine.counts == {"ml-dsa.ntt": p.l, "ml-dsa.intt": p.k}


@pytest.mark.parametrize("length", [0, 31, 33])
def test_refuses_a_seed_of_another_length(length: int, engine: Any) -> None:
    with pytest.raises(NttforgeError, match=f"{length} bytes") as caught:
        ml_dsa.keygen_internal(ml_dsa.ML_DSA_65, bytes(length), engine)
    assert caught.value.field == "seed"


def test_there_is_no_other_parameter_set() -> None:
    assert ml_dsa.parameter_set("ML-DSA-65") is ml_dsa.ML_DSA_65
    with pytest.raises(NttforgeError, match="ML-DSA-65"):
        ml_dsa.parameter_set("ML-DSA-66")


def test_rounding_keeps_the_low_part_centred() -> None:
    corners = [0, 1, 4095, 4096, 4097, 8191, 8192, 12288, 12289, 8380416]
    values = np.array(corners + Random(0).choices(range(8380417), k=1000))
    high, low = ml_dsa.power2round(values)
    assert (high * 8192 + low == values).all()
    assert low.min() > -4096
    assert low.max() <= 4096


def test_samples_do_not_depend_on_the_bytes_squeezed_at_once() -> None:
    for first_bytes in (3, 168, 765):
        expected = ml_dsa.rej_ntt_poly(bytes(34))
        assert (ml_dsa.rej_ntt_poly(bytes(34), first_bytes) == expected).all()
    for eta in (2, 4):
        expected = ml_dsa.rej_bounded_poly(bytes(66), eta)
        assert set(expected) == set(range(-eta, eta + 1))
        for first_bytes in (1, 100, 136):
            assert (ml_dsa.rej_bounded_poly(bytes(66), eta, first_bytes) == expected).all()
