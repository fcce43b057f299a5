# SPDX-License-Identifier: Apache-2.0
"""A row says what is aimed at, estimated and placed, of designs and parts that there are."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from nttforge.flow.prepare import silent
from nttforge.reproduce import clocks
from nttforge.reproduce.clocks import COLUMNS, DESIGNS, Placed

RTL = Path(__file__).parents[3] / "rtl"
ALL = [placed for designs in DESIGNS.values() for placed in designs]


@pytest.mark.parametrize("placed", ALL, ids=lambda placed: f"{placed.label} {placed.part}")
def test_there_is_such_a_design_and_part(placed: Placed) -> None:
    design = placed.design()
    assert design.target == "ecp5" and placed.aim
    assert not placed.part or [*RTL.rglob(f"{placed.part}.sv")]


def test_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []

    def placing(_: object, **how: object) -> SimpleNamespace:
        asked.append(how)
        by_seed = dict.fromkeys(cast(tuple[int, ...], how["seeds"]), 160.04)
        sites = {"TRELLIS_COMB": (7, 9)}
        return SimpleNamespace(fmax_mhz=160.04, fmax_by_seed=by_seed, utilization=sites)

    monkeypatch.setattr(clocks, "prepare_any", lambda _: None)
    monkeypatch.setattr(clocks, "timing", lambda *_, **__: SimpleNamespace(fmax_mhz=200.0))
    monkeypatch.setattr(clocks, "pnr", placing)
    row = Placed("ml-kem", 165, {"shell.instances": 2}, shell=True)
    without, cells = (dict(zip(COLUMNS, row.row(c, silent), strict=True)) for c in (False, True))
    assert cells == {
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
    assert without == cells | dict.fromkeys(COLUMNS[4:])
    assert [(how["shell"], how["part"], how["seeds"]) for how in asked] == [
        (True, "", (1,)),
        (True, "", (1, 2)),
    ]
    reached = dict(zip(COLUMNS, replace(row, aim=150).row(True, silent), strict=True))
    assert reached["seeds"] == "1" and len(asked) == 3
    estimated = dict(zip(COLUMNS, replace(row, seeds=()).row(True, silent), strict=True))
    assert estimated == without and len(asked) == 3
