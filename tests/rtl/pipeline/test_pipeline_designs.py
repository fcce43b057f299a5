# SPDX-License-Identifier: Apache-2.0
"""Designs and rings that have a name, and the smallest moduli, against the references, stalled."""

import pytest

from nttforge.design import design_names, load_design, parse_design
from nttforge.flow.prepare import prepare
from nttforge.kinds.stream.verify import verify
from nttforge.ring.presets import PRESETS

# Of the ring presets, those that compile in a few seconds.
QUICK = ("rlwe-7681",)
# Of the designs, those that do not; tests/rtl/shell has small ones of their kind.
LARGE = (
    "scalable-kyber",
    *(name for name in design_names() if name.startswith(("streamntt-", "rns-"))),
)
# Families whose cores take and give streams of polynomials.
STREAMED = ("pipeline", "iterative")


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


@pytest.mark.parametrize("reduction", ["auto", "montgomery", "word-montgomery", "barrett"])
def test_the_smallest_moduli_beside_a_wider_one(reduction: str) -> None:
    rings = [
        {"name": "a", "n": 8, "q": 17},
        {"name": "b", "n": 8, "q": 3, "form": "x^n-1", "layers": 1},
        {"name": "c", "n": 8, "q": 5, "layers": 1},
    ]
    data = {"name": "smallest", "rings": rings, "pipeline": {"reduction": reduction}}
    result = verify(prepare(parse_design(data, "test")), transforms=120, seed=3)
    assert result.ok, result
