# SPDX-License-Identifier: Apache-2.0
"""The sign-off table: every cell is filled, but for one."""

from typing import Any

import pytest

from tests import signoff
from tests.signoff import EMPTY, cases, cells, empty


def test_no_cell_is_empty() -> None:
    """Nobody has simulated the netlist of the core of both standards in four states."""
    assert empty() == {("pqc", "X-free netlist")}


def test_cases_of_a_file_that_failed_or_was_not_run_do_not_count() -> None:
    record = {
        "a.py": {"passed": 3, "failed": 0},
        "b.py": {"passed": 4, "failed": 0},
        "c.py": {"passed": 9, "failed": 1},
    }
    assert cases(("a.py", "b.py"), record) == "7"
    assert cases(("a.py", "c.py"), record) == EMPTY
    assert cases(("a.py", "d.py"), record) == EMPTY
    assert cases((), record) == EMPTY


ROOM = {"lines": [3, 4], "toggles": [1, 2], "uncovered": {}}
KILLED = {"mutants": 10, "killed": 9, "modules": {}, "survivors": [{"what": "x: a -> b"}]}
RECORDS: dict[str, dict[str, Any]] = {
    "designs": {
        "families": {
            "pipeline": {"designs": 2, "transforms": 1000},
            "pipeline, shell": {"designs": 1, "transforms": 500},
        },
        "broken": 0,
    },
    "coverage": dict.fromkeys(("pipeline", "arith", "prim"), ROOM),
    "mutants": dict.fromkeys(("pipeline", "arith", "prim"), KILLED),
    "cases": {
        "tests/cocotb/test_axis.py": {"passed": 2, "failed": 0},
        "tests/formal/test_bus_rules.py": {"passed": 3, "failed": 0},
    },
}


def test_a_line_is_summed_over_the_rooms_of_a_family() -> None:
    line = cells("pipeline", RECORDS)
    assert line["designs drawn"] == "3"
    assert line["transforms"] == "1,500"
    assert line["lines run"] == "75.0% of 12"
    assert line["bits seen"] == "50.0% of 6"
    assert line["mutants killed"] == "27 of 30"
    assert line["bus rules"] == "5"
    assert line["proofs"] == EMPTY


def test_a_room_that_was_not_run_leaves_the_cell_empty() -> None:
    line = cells("shell", RECORDS)
    assert line["designs drawn"] == "1"
    assert {line[c] for c in ("lines run", "mutants killed", "bus rules")} == {EMPTY}


@pytest.mark.parametrize("family", signoff.ROOMS)
def test_a_design_that_did_not_hold_empties_the_cell(family: str) -> None:
    broken = RECORDS | {"designs": {**RECORDS["designs"], "broken": 1}}
    assert cells(family, broken)["designs drawn"] == EMPTY
