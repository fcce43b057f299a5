# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey, MLKEM1024PrivateKey
from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768, ML_KEM_1024
from kyber_py.ml_kem.ml_kem import ML_KEM

from nttforge.errors import NttforgeError
from nttforge.standards import ml_kem
from nttforge.standards.transform_engine import CountingEngine

ORACLES = {"ML-KEM-512": ML_KEM_512, "ML-KEM-768": ML_KEM_768, "ML-KEM-1024": ML_KEM_1024}
SETS = pytest.mark.parametrize("p", ml_kem.PARAMETER_SETS.values(), ids=lambda p: p.name)


def oracle(p: ml_kem.Parameters) -> ML_KEM:
    return ORACLES[p.name]


@SETS
def test_equals_kyber_py(p: Any, engine: Any) -> None:
    random = Random(p.name)
    for _ in range(8):
        d, z, m = (random.randbytes(32) for _ in range(3))
        ek, dk = ml_kem.keygen_internal(p, d, z, engine)
        assert (ek, dk) == oracle(p)._keygen_internal(d, z)
        assert (len(ek), len(dk)) == (p.ek_bytes, p.dk_bytes)
        secret, c = ml_kem.encaps_internal(p, ek, m, engine)
        assert (secret, c) == oracle(p)._encaps_internal(ek, m)
        assert len(c) == p.ciphertext_bytes
        assert ml_kem.decaps_internal(p, dk, c, engine) == secret


@SETS
def test_rejects_implicitly(p: Any, engine: Any) -> None:
    random = Random(p.name)
    d, z, m = (random.randbytes(32) for _ in range(3))
    ek, dk = ml_kem.keygen_internal(p, d, z, engine)
    secret, c = ml_kem.encaps_internal(p, ek, m, engine)
    # One bit in each part of the ciphertext, and a ciphertext that is nonsense.
    spoilt = [bytes(b ^ (i == at) for i, b in enumerate(c)) for at in (0, len(c) - 1)]
    for wrong in (*spoilt, random.randbytes(len(c))):
        answer = ml_kem.decaps_internal(p, dk, wrong, engine)
        assert answer == oracle(p)._decaps_internal(dk, wrong) == ml_kem.j(z + wrong)
        assert answer != secret


@pytest.mark.parametrize(
    ("p", "key_class"),
    [(ml_kem.ML_KEM_768, MLKEM768PrivateKey), (ml_kem.ML_KEM_1024, MLKEM1024PrivateKey)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_works_with_cryptography(p: Any, key_class: Any, engine: Any) -> None:
    random = Random(p.name)
    for _ in range(4):
        d, z, m = (random.randbytes(32) for _ in range(3))
        theirs = key_class.from_seed_bytes(d + z)
        ek, dk = ml_kem.keygen_internal(p, d, z, engine)
        assert ek == theirs.public_key().public_bytes_raw()
        secret, c = ml_kem.encaps_internal(p, ek, m, engine)
        assert theirs.decapsulate(c) == secret
        secret, c = theirs.public_key().encapsulate()
        assert ml_kem.decaps_internal(p, dk, c, engine) == secret


@SETS
def test_transforms_are_all_done_by_the_engine(p: Any, engine: Any) -> None:
    ek, dk = ml_kem.keygen_internal(p, bytes(32), bytes(32), engine)
    assert engine.counts == {"ml-kem.ntt": 2 * p.k}
    engine.counts.clear()
    _, c = ml_kem.encaps_internal(p, ek, bytes(32), engine)
    assert engine.counts == {"ml-kem.ntt": p.k, "ml-kem.intt": p.k + 1}
    engine.counts.clear()
    ml_kem.decaps_internal(p, dk, c, engine)
    assert engine.counts == {"ml-kem.ntt": 2 * p.k, "ml-kem.intt": p.k + 2}


@SETS
@pytest.mark.parametrize("change", [b"", b"\0"], ids=["short", "long"])
def test_refuses_wrong_lengths(p: Any, change: bytes, engine: Any) -> Any:
    ek, dk = ml_kem.keygen_internal(p, bytes(32), bytes(32), engine)
    _, c = ml_kem.encaps_internal(p, ek, bytes(32), engine)

    def wrong(value: bytes) -> bytes:
        return value + change if change else value[:-1]

    calls: dict[str, Callable[[], object]] = {
        "d": lambda: ml_kem.keygen_internal(p, wrong(bytes(32)), bytes(32), engine),
        "z": lambda: ml_kem.keygen_internal(p, bytes(32), wrong(bytes(32)), engine),
        "ek": lambda: ml_kem.encaps_internal(p, wrong(ek), bytes(32), engine),
        "m": lambda: ml_kem.encaps_internal(p, ek, wrong(bytes(32)), engine),
        "dk": lambda: ml_kem.decaps_internal(p, wrong(dk), c, engine),
        "c": lambda: ml_kem.decaps_internal(p, dk, wrong(c), engine),
    }
    for field, call in calls.items():
        with pytest.raises(NttforgeError) as caught:
            call()
        assert caught.value.field == field


@SETS
def test_refuses_keys_that_are_none(p: Any, engine: Any) -> None:
    ek, dk = ml_kem.keygen_internal(p, bytes(32), bytes(32), engine)
    _, c = ml_kem.encaps_internal(p, ek, bytes(32), engine)
    t_hat = ml_kem.byte_decode(ek[:-32], 12)
    t_hat[-1, -1] = 3328
    largest = ml_kem.byte_encode(t_hat, 12) + ek[-32:]
    ml_kem.check_encapsulation_key(p, largest)
    t_hat[-1, -1] = 3329
    with pytest.raises(NttforgeError, match="below q") as caught:
        ml_kem.encaps_internal(p, ml_kem.byte_encode(t_hat, 12) + ek[-32:], bytes(32), engine)
    assert caught.value.field == "ek"
    for at in (p.pke_key_bytes, p.dk_bytes - 64):
        spoilt = dk[:at] + bytes([dk[at] ^ 1]) + dk[at + 1 :]
        with pytest.raises(NttforgeError, match="hash") as caught:
            ml_kem.decaps_internal(p, spoilt, c, engine)
        assert caught.value.field == "dk"


def test_there_is_no_other_parameter_set() -> None:
    assert ml_kem.parameter_set("ML-KEM-768") is ml_kem.ML_KEM_768
    with pytest.raises(NttforgeError, match="ML-KEM-768"):
        ml_kem.parameter_set("ML-KEM-769")


@pytest.mark.parametrize("d", [1, 4, 5, 10, 11])
def test_compression_rounds_to_the_nearest(d: int) -> None:
    x = np.arange(3329)
    y = ml_kem.compress(x, d)
    exact = [((2 * v * 2**d + 3329) // (2 * 3329)) % 2**d for v in range(3329)]
    assert y.tolist() == exact
    z = np.arange(2**d)
    assert ml_kem.decompress(z, d).tolist() == [(2 * v * 3329 + 2**d) // 2 ** (d + 1) for v in z]
    assert ml_kem.compress(ml_kem.decompress(z, d), d).tolist() == z.tolist()


@pytest.mark.parametrize("d", [1, 4, 5, 10, 11, 12])
def test_bytes_hold_coefficients_lowest_bit_first(d: int) -> None:
    values = np.random.default_rng(d).integers(0, min(2**d, 3329), (3, 256))
    data = ml_kem.byte_encode(values, d)
    number = sum(int(v) << d * i for i, v in enumerate(values.reshape(-1)))
    assert data == number.to_bytes(32 * d * 3, "little")
    assert (ml_kem.byte_decode(data, d) == values).all()


def test_decoding_12_bits_reduces_modulo_q() -> None:
    assert set(ml_kem.byte_decode(b"\xff" * 384, 12)[0]) == {4095 - 3329}


@pytest.mark.parametrize("eta", [2, 3])
def test_binomial_samples_follow_the_definition(eta: int) -> None:
    data = Random(eta).randbytes(64 * eta)
    bits = [data[i // 8] >> i % 8 & 1 for i in range(512 * eta)]
    expected = [
        (sum(bits[2 * i * eta :][:eta]) - sum(bits[(2 * i + 1) * eta :][:eta])) % 3329
        for i in range(256)
    ]
    assert ml_kem.sample_poly_cbd(data, eta).tolist() == expected


def test_uniform_samples_do_not_depend_on_the_bytes_squeezed_at_once() -> None:
    for seed in range(4):
        data = bytes([seed]) * 34
        expected = ml_kem.sample_ntt(data)
        for first_bytes in (3, 168, 384, 840):
            assert (ml_kem.sample_ntt(data, first_bytes) == expected).all()
        assert expected.shape == (256,)
        assert expected.max() < 3329


def test_products_are_those_of_the_ring(engine: Any) -> None:
    random = np.random.default_rng(1)
    a, b = random.integers(0, 3329, (2, 5, 256))
    transformed = ml_kem.multiply_ntts(engine.ntt("ml-kem", a), engine.ntt("ml-kem", b))
    product = engine.intt("ml-kem", transformed)
    for row_a, row_b, row in zip(a, b, product, strict=True):
        full = np.convolve(row_a, row_b)
        full = np.pad(full, (0, 512 - len(full)))
        assert ((full[:256] - full[256:]) % 3329 == row).all()


def test_wrong_transforms_give_wrong_keys(engine: Any) -> Any:
    def spoilt(operation: Any, polynomials: Any) -> Any:
        result = engine._run(operation, polynomials).copy()
        result[-1, 7] = (result[-1, 7] + 1) % 3329
        return result

    seeds = bytes(32), bytes(32)
    wrong = ml_kem.keygen_internal(ml_kem.ML_KEM_512, *seeds, CountingEngine(spoilt))
    assert wrong != ml_kem.keygen_internal(ml_kem.ML_KEM_512, *seeds, engine)
