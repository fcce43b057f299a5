# SPDX-License-Identifier: Apache-2.0
"""A row says what is aimed at, estimated and placed, of designs and parts that there are."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from benchmarks import subject
from benchmarks.reproduce import Paper, papers, table
from benchmarks.subject import Subject
from nttforge.table import Cell

CLOCKS, _ = papers()["clocks-pipeline"]
RTL = Path(__file__).parents[3] / "rtl"


@pytest.mark.parametrize(
    "placed", CLOCKS.subjects(), ids=lambda each: f"{each.label} {each.spec['part']}"
)
def test_there_is_such_a_design_and_part(placed: Subject) -> None:
    part = placed.spec["part"]
    assert placed.design.target == "ecp5" and placed.spec["aim"]
    assert not part or [*RTL.rglob(f"{part}.sv")]


def test_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []

    def placing(_: object, **how: object) -> SimpleNamespace:
        asked.append(how)
        by_seed = dict.fromkeys(cast(tuple[int, ...], how["seeds"]), 160.04)
        sites = {"TRELLIS_COMB": (7, 9)}
        return SimpleNamespace(fmax_mhz=160.04, fmax_by_seed=by_seed, utilization=sites)

    monkeypatch.setattr(subject, "prepare_any", lambda _: None)
    monkeypatch.setattr(subject, "timing", lambda *_, **__: SimpleNamespace(fmax_mhz=200.0))
    monkeypatch.setattr(subject, "pnr", placing)
    row = {"design": "ml-kem", "aim": 165, "settings": {"shell.instances": 2}, "shell": True}

    def cells(clock: bool, **more: Any) -> dict[str, Cell]:
        paper = CLOCKS.model_copy(update={"rows": [{**row, **more}]})
        made = table(paper, None, clock)
        return dict(zip(made.columns, made.rows[0], strict=True))

    without, placed = cells(False), cells(True)
    assert placed == {
        "design": "ml-kem, shell.instances = 2",
        "part": "with its shell",
        "aim, MHz": 165,
        "estimated, MHz": 200.0,
        "nextpnr, MHz": 160.0,
        "estimate's period is off by": "-20%",  # 5 ns estimated, 6.25 routed
        "seeds": "1, 2",
        "TRELLIS_COMB": 7,
        "FF": 0,
        "MULT18": 0,
        "DP16KD": 0,
    }
    assert without == placed | dict.fromkeys(CLOCKS.heads[4:])
    assert [(how["shell"], how["instance"], how["seeds"]) for how in asked] == [
        (True, "", (1,)),
        (True, "", (1, 2)),
    ]
    assert cells(True, aim=150)["seeds"] == "1" and len(asked) == 3
    assert cells(True, seeds=()) == without and len(asked) == 3


def test_a_note_of_a_row_is_in_the_table_of_its_group() -> None:
    def noted(paper: Paper, group: str | None) -> bool:
        return any("`ntf_mldsa_core`" in row.get("note", "") for row in paper.of_group(group))

    assert noted(*papers()["clocks-ml-dsa"]) and not noted(*papers()["clocks-pqc"])
