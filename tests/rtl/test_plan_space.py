# SPDX-License-Identifier: Apache-2.0
"""Multipliers of drawn plans equal exact integers, on patterns of bits and at random."""

from pathlib import Path

import pytest

from tests.plans import SHARED, compare, record_of, shown
from tests.rtl.plan_space import drawn, planner_arguments, size, space

#: Tops of `make test`, of narrow moduli, and of `make test-full`.
SAMPLE, ALL = 2, 100


@pytest.mark.parametrize("part", range(SAMPLE))
def test_a_sample(part: int, tmp_path: Path) -> None:
    compare(range(-1 - part * SHARED, -1 - (part + 1) * SHARED, -1), tmp_path, most=40)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(ALL))
def test_everything_that_a_design_may_ask_for(part: int, tmp_path: Path) -> None:
    compare(range(part * SHARED, (part + 1) * SHARED), tmp_path)


def test_every_argument_of_the_planners_is_drawn() -> None:
    assert planner_arguments() <= space().keys()


def test_a_unit_is_the_same_whenever_it_is_drawn() -> None:
    first, again = (drawn(5, 0, 24) for _ in range(2))
    assert first[1] == again[1] and first[0].vectors == again[0].vectors


def test_what_was_met_is_counted() -> None:
    assert size(space()["lut_tile"]) == 14 and size(space()["target"]) == 3
    met = [{"unit": "ntf_mod_mul", "target": "xc7"}, {"unit": "ntf_mod_mul", "target": "ecp5"}]
    record = record_of(met, 0)
    text = shown(record)
    assert "2 multipliers of today's planner: 2 `ntf_mod_mul`." in text
    assert "changed since" in shown(record | {"planner": "another"})
    assert "| `target` | `xcup`, `xc7`, `ecp5` | 2 of 3 |" in text
