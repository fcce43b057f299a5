# SPDX-License-Identifier: Apache-2.0
"""The matrix of kinds and verbs: no kind is left out, and what does not work has a reason."""

import pytest

from nttforge.design import load_design
from nttforge.kinds import BUILT_IN
from tests import matrix


def test_every_kind_has_a_column() -> None:
    assert {load_design(name).family for name in matrix.KINDS.values()} == set(BUILT_IN)


def test_reasons_are_numbered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "LEFT_OUT", {})
    record = {
        "generate": {"both": "works"},
        "run": {"both": "it is none"},
        "soc": {"ML-KEM": "nothing is there", "both": "it is none"},
    }
    text = matrix.shown(record)
    assert text.endswith("1. it is none\n2. nothing is there")
    assert text.count("(1)") == 2 and text.count("(2)") == 1 and text.count("works") == 1


def test_what_is_left_out_has_a_reason() -> None:
    said = matrix.shown({"pnr": {"ML-KEM": "works"}})
    (line,) = (line for line in said.split("\n") if line.startswith("| `pnr`"))
    cells = ["not run"] * 3 + ["works", "not run (2)", "not run (3)", "not run", "not run (1)"]
    assert line == f"| `pnr` | {' | '.join(cells)} |"
    assert "\n1. does not fit" in said


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            "generate: writing\nerror: design: is none; take another\n",
            "design: is none; take another",
        ),
        ("Traceback ...\nnttforge.errors.NttforgeError: shell: none\n", "shell: none"),
        ("something else\n", "something else"),
    ],
)
def test_the_reason_is_the_last_thing_said(said: str, reason: str) -> None:
    assert matrix._reason(said) == reason


@pytest.mark.long
def test_a_cell_is_run() -> None:
    assert matrix.tried("both", "show registers") == "works"
    assert "no registers" in matrix.tried("pipeline", "show registers")
