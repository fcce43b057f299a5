# SPDX-License-Identifier: Apache-2.0
import io
import json
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from nttforge.cli.terminal import show
from nttforge.errors import NttforgeError
from nttforge.flow.demo_steps import DemoResult, all_equal, demo, simulated
from tests.unit.standards.definition import definition

Q = {"ml-kem": 3329, "ml-dsa": 8380417}


class FakeSimulator:
    """A core that does what its operations' names say."""

    def __init__(self, names: list[str]) -> None:
        operations = tuple(SimpleNamespace(name=name) for name in names)
        self.core = SimpleNamespace(name="fake", operations=operations)

    def transform(self, requests: Any) -> Any:
        return [definition(op.name, polys).astype(np.uint64) for op, polys in requests]


def fake(names: list[str]) -> Any:
    return FakeSimulator(names)


OPERATIONS = ["ml-dsa.intt", "ml-kem.ntt", "ml-kem.intt", "ml-dsa.ntt"]


def test_a_simulated_core_does_the_transforms() -> None:
    result = demo(simulated(fake(OPERATIONS)))
    assert result.ok
    assert set(result.transforms) == set(OPERATIONS)


@pytest.mark.parametrize("missing", OPERATIONS)
def test_refuses_a_core_that_lacks_an_operation(missing: str) -> None:
    with pytest.raises(NttforgeError, match=f"fake has no operation {missing}"):
        simulated(fake([name for name in OPERATIONS if name != missing]))


def shown(result: DemoResult) -> str:
    out = io.StringIO()
    show(result.shown(), Console(file=out, width=140))
    return out.getvalue()


@pytest.mark.parametrize(
    ("kem", "signature", "k", "rows", "columns"),
    [("ML-KEM-768", "ML-DSA-65", 3, 6, 5), ("ML-KEM-512", "ML-DSA-87", 2, 8, 7)],
)
def test_everything_equals_the_oracles(
    kem: str, signature: str, k: int, rows: int, columns: int
) -> None:
    steps: list[str] = []
    result = demo(
        definition, engine="the definition", kem=kem, signature=signature, progress=steps.append
    )
    assert result.ok
    assert len(result.comparisons) == 8
    assert [c.standard for c in result.comparisons] == [kem] * 6 + [signature] * 2
    # Key generation 2k; encapsulation k and k + 1; two decapsulations 2k and k + 2 each.
    assert result.transforms == {
        "ml-kem.ntt": 2 * k + k + 2 * 2 * k,
        "ml-kem.intt": k + 1 + 2 * (k + 2),
        "ml-dsa.ntt": columns,
        "ml-dsa.intt": rows,
    }
    assert len(steps) == 5
    text = shown(result)
    assert "Every byte is equal" in text
    assert "the definition" in text
    assert f"{result.transforms_total} transforms" in text
    assert json.loads(result.model_dump_json())["ok"] is True


def test_the_seed_changes_every_byte_string() -> None:
    first, again, other = (demo(definition, seed=seed).comparisons for seed in (1, 1, 2))
    assert first == again
    assert all(a.fingerprint != b.fingerprint for a, b in zip(first, other, strict=True))
    with pytest.raises(NttforgeError, match="-1"):
        demo(definition, seed=-1)


@pytest.mark.parametrize(
    ("broken", "different"),
    [
        ("ml-kem.ntt", {"encapsulation key", "decapsulation key", "ciphertext"}),
        ("ml-kem.intt", {"ciphertext", "secret, decapsulated"}),
        ("ml-dsa.ntt", {"public key", "private key"}),
        ("ml-dsa.intt", {"public key", "private key"}),
    ],
)
def test_a_wrong_transform_is_seen(broken: str, different: Any) -> Any:
    def run(operation: Any, polynomials: Any) -> Any:
        result = definition(operation, polynomials)
        if operation == broken:
            q = Q[operation.split(".")[0]]
            result[0, 1] = (result[0, 1] + q // 2) % q
        return result

    result = demo(run)
    assert not result.ok
    assert different <= {c.what for c in result.comparisons if not c.equal}
    assert all(c.equal for c in result.comparisons if c.standard[:6].lower() != broken[:6])
    assert "DIFFERENT" in shown(result)
    assert "differ." in shown(result)


def test_an_engine_that_swaps_polynomials_is_seen() -> None:
    result = demo(lambda operation, x: definition(operation, x)[::-1])
    assert not result.ok


@pytest.mark.parametrize(
    ("module", "package"),
    [("kyber_py.ml_kem", "kyber-py"), ("dilithium_py.ml_dsa", "dilithium-py")],
)
def test_says_which_oracle_is_missing(
    module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(NttforgeError, match=rf"{package}.*pip install {package}"):
        demo(definition)


def test_nothing_compared_is_not_ok() -> None:
    assert not all_equal([])


@pytest.mark.parametrize("option", ["kem", "signature"])
def test_refuses_an_unknown_parameter_set(option: str) -> None:
    with pytest.raises(NttforgeError, match="parameter_set"):
        given: dict[str, Any] = {option: "ML-1"}
        demo(definition, **given)
