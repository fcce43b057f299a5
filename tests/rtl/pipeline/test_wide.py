# SPDX-License-Identifier: Apache-2.0
"""Engines of 64- and 256-bit words, those of stages without multipliers among them."""

from typing import Any

import pytest

from nttforge.design import parse_design
from nttforge.flow.prepare import prepare
from nttforge.kinds.stream.build import elaborate
from nttforge.kinds.stream.verify import verify
from nttforge.reduction.product import Karatsuba, Shifts
from tests.rtl.small_cores import design_data

GOLDILOCKS = 2**64 - 2**32 + 1
DENSE = 0xC6A4A7A100000001
BN254 = 21888242871839275222246405745257275088548364400416034343698204186575808495617
BLS12_381 = 52435875175126190479447740508185965837690552500527637822603658699938581184513
WIDEST = 0xB504F333F9DE6484597D89B3754ABE9F1D6F60BA893BA84CED17AC93D0000001
BOTH = ["ntt", "intt"]


def wide(q: int, n: int, form: str, operations: list[str], **keys: object) -> dict[str, Any]:
    ring = {"n": n, "q": str(q), "form": form}
    return design_data(ring, operations=operations, **keys)


CASES = {
    "goldilocks": wide(GOLDILOCKS, 64, "x^n-1", BOTH),
    "goldilocks, negacyclic": wide(GOLDILOCKS, 64, "x^n+1", BOTH, butterflies=2),
    "64 bits": wide(DENSE, 64, "x^n-1", BOTH),
    "ecp5": wide(6339350252245219841, 4, "x^n+1", BOTH, target="ecp5"),
}
LARGE = {
    "bn254, 16": wide(BN254, 16, "x^n-1", ["ntt"]),
    "goldilocks, forward, fast": wide(GOLDILOCKS, 64, "x^n-1", ["ntt"], adders_per_stage=1),
    "bn254": wide(BN254, 64, "x^n-1", BOTH),
    "bls12-381": wide(BLS12_381, 64, "x^n-1", BOTH, adders_per_stage=1),
    "256 bits": wide(WIDEST, 64, "x^n+1", BOTH),
}


@pytest.mark.parametrize(
    "name", [*CASES, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE)]
)
def test_wide_engines(name: str) -> None:
    design = parse_design((CASES | LARGE)[name], "test")
    result = verify(prepare(design), transforms=70, seed=3)
    assert result.ok, result


def by_shifts(name: str) -> list[bool]:
    pipeline = elaborate(parse_design((CASES | LARGE)[name], "test"))
    return [isinstance(plan.product, Shifts) for plan in pipeline.stage_plans]


@pytest.mark.long
def test_which_stages_have_no_multipliers() -> None:
    """Modulo 2^64 - 2^32 + 1, 2 is of order 192: roots of order 64 are powers of two."""
    assert by_shifts("goldilocks") == [True] * 6
    assert by_shifts("goldilocks, forward, fast") == [True] * 6
    # x^64 + 1 has a root of order 128, but of its stages one a direction needs odd powers of it.
    assert by_shifts("goldilocks, negacyclic") == [False, True, True, True, True, False]
    # The first stage of a cyclic transform multiplies by 1.
    assert by_shifts("bn254, 16") == [True, False, False, False]
    # Back, that is the last one.
    assert by_shifts("bn254") == [False] * 6
    assert not any(by_shifts("64 bits"))


def test_shifts_are_a_choice_of_auto_alone() -> None:
    data = CASES["goldilocks"]
    chosen = data | {"pipeline": data["pipeline"] | {"reduction": "montgomery"}}
    assert elaborate(parse_design(chosen, "test")).plan_of == (0,) * 6


@pytest.mark.long
def test_saving_blocks_and_saving_luts_differ() -> None:
    plans = {
        prefer: elaborate(parse_design(CASES["64 bits"] | {"prefer": prefer}, "test")).plan
        for prefer in ("dsp", "balanced", "lut")
    }
    assert isinstance(plans["dsp"].product, Karatsuba)
    costs = {prefer: plan.cost() for prefer, plan in plans.items()}
    assert costs["dsp"].dsp < costs["balanced"].dsp < costs["lut"].dsp
    assert costs["dsp"].lut > costs["balanced"].lut > costs["lut"].lut
