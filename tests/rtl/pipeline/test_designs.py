# SPDX-License-Identifier: Apache-2.0
"""The engine in many shapes: every design is compared with the references under all stalls."""

import json

import pytest

from nttforge.design import design_names, load_design, parse_design
from nttforge.flow.prepare import prepare
from nttforge.flow.verify import verify
from nttforge.ring.presets import PRESETS
from tests.rtl.cores import random_design

# Of the ring presets, those that compile in a few seconds.
QUICK = ("rlwe-7681",)
# Of the designs, those that do not.
LARGE = ("scalable-kyber",)
# Families whose cores take and give streams of polynomials.
STREAMED = ("pipeline", "iterative")
# Twelve in a row that have every shape; a test says which.
SEEDS = range(759, 771)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in LARGE else ())
        for name in design_names()
        if load_design(name).family in STREAMED
    ],
)
def test_designs_that_come_with_nttforge(name: str) -> None:
    result = verify(prepare(load_design(name)), transforms=300, seed=1)
    assert result.ok, result
    assert result.random == 300


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in PRESETS],
)
def test_ring_presets(name: str) -> None:
    result = verify(prepare(load_design(name)), transforms=70, seed=2)
    assert result.ok, result


@pytest.mark.parametrize(
    "seed", [*SEEDS, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(100))]
)
def test_random_designs(seed: int) -> None:
    data = random_design(seed)
    result = verify(prepare(parse_design(data, "random")), transforms=140, seed=seed)
    assert result.ok, f"{json.dumps(data)}\n{result}"


def test_the_sample_has_every_shape() -> None:
    """So that nobody loses a kind of design by turning a knob of the sample."""
    designs = [random_design(seed) for seed in SEEDS]
    tables = [design["pipeline"] for design in designs]
    rings = [ring for design in designs for ring in design["rings"]]
    assert {t["seamless"] for t in tables} == {False, True}
    assert {t["adders_per_stage"] for t in tables} == {1, 2, 4, 8}
    assert {t["order"] for t in tables} == {"natural", "mirrored"}
    assert {t["lut_tile"] for t in tables} == {0, 6, 12}
    assert {t["butterflies"] for t in tables} >= {1, 2, 4}
    assert any(
        2 * t["butterflies"] == d["rings"][0]["n"] for t, d in zip(tables, designs, strict=True)
    )
    assert {tuple(d["operations"]) for d in designs} >= {
        ("ntt",),
        ("intt",),
        ("ntt", "intt"),
        ("intt", "ntt"),
    }
    assert {len(d["rings"]) for d in designs} == {1, 2, 3}
    assert {r["form"] for r in rings} == {"x^n+1", "x^n-1"}
    assert {r["n"] for r in rings} == {4, 8, 16, 32, 64}
    assert any(1 << r["layers"] < r["n"] for r in rings)
    assert min(int(r["q"]) for r in rings) < 32
    assert max(int(r["q"]).bit_length() for r in rings) == 100
