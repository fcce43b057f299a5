# SPDX-License-Identifier: Apache-2.0
from typing import Any

import numpy as np
import pytest

from nttforge.errors import NttforgeError
from nttforge.standards.transform_engine import CountingEngine, software, software_engine
from tests.unit.standards.definition import definition


def test_counts_polynomials_by_operation() -> Any:
    seen = []

    def run(operation: Any, polynomials: Any) -> Any:
        seen.append((operation, polynomials.shape))
        return polynomials.astype(object)

    engine = CountingEngine(run)
    polynomials = np.arange(512).reshape(2, 256)
    result = engine.ntt("ml-kem", polynomials)
    assert result.dtype == np.int64
    assert (result == polynomials).all()
    engine.ntt("ml-kem", polynomials[:1])
    engine.intt("ml-dsa", polynomials)
    assert engine.counts == {"ml-kem.ntt": 3, "ml-dsa.intt": 2}
    assert seen == [("ml-kem.ntt", (2, 256)), ("ml-kem.ntt", (1, 256)), ("ml-dsa.intt", (2, 256))]


def test_refuses_an_unknown_ring() -> None:
    with pytest.raises(NttforgeError, match="'ml-kex'"):
        CountingEngine(lambda _, x: x).ntt("ml-kex", np.zeros((1, 256), np.int64))


@pytest.mark.parametrize("value", [-1, 3329])
def test_refuses_coefficients_out_of_range(value: int) -> None:
    good = np.zeros((2, 256), np.int64)
    bad = good.copy()
    bad[1, 5] = value
    with pytest.raises(NttforgeError, match=f"given the coefficient {value},"):
        CountingEngine(lambda _, x: x).ntt("ml-kem", bad)
    with pytest.raises(NttforgeError, match=f"returned the coefficient {value},"):
        CountingEngine(lambda *_: bad).ntt("ml-kem", good)
    CountingEngine(lambda *_: bad + 1).ntt("ml-dsa", good)


@pytest.mark.parametrize("shape", [(1, 256), (2, 255), (512,)])
def test_refuses_other_shapes(shape: tuple[Any, ...]) -> None:
    good = np.zeros((2, 256), np.int64)
    with pytest.raises(NttforgeError, match="shape"):
        CountingEngine(lambda *_: np.zeros(shape, np.int64)).ntt("ml-kem", good)
    if shape != (1, 256):
        with pytest.raises(NttforgeError, match="shape"):
            CountingEngine(lambda _, x: x).ntt("ml-kem", np.zeros(shape, np.int64))


@pytest.mark.parametrize("ring", ["ml-kem", "ml-dsa"])
@pytest.mark.parametrize("direction", ["ntt", "intt"])
def test_the_software_engine_follows_the_definition(ring: str, direction: str) -> None:
    q = {"ml-kem": 3329, "ml-dsa": 8380417}[ring]
    polynomials = np.random.default_rng(0).integers(0, q, (5, 256))
    polynomials[0] = q - 1
    engine = software_engine()
    result = getattr(engine, direction)(ring, polynomials)
    assert (result == definition(f"{ring}.{direction}", polynomials)).all()
    assert engine.counts == {f"{ring}.{direction}": 5}


@pytest.mark.parametrize("operation", ["ml-kem.multiply", "ml-kem", "ntt"])
def test_software_refuses_an_unknown_operation(operation: str) -> None:
    with pytest.raises(NttforgeError):
        software(operation, np.zeros((1, 256), np.int64))
