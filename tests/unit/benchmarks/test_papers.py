# SPDX-License-Identifier: Apache-2.0
"""Files of papers are tables, and what is stated of one figure follows from others."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from benchmarks.reproduce import FUNCTIONS, Paper, papers, reproduce, table
from docs.tools.record import blocks
from docs.tools.site import pages
from nttforge.errors import NttforgeError

DOCS = Path(__file__).parents[3] / "docs"
# Section IV-B, microseconds of KeyGen, Encaps and Decaps.
MICROSECONDS = (7.4, 12.0, 16.4)


@pytest.mark.parametrize("name", papers())
def test_a_file_is_a_table(name: str) -> None:
    """No row has more cells than columns, and a formula is an expression."""
    paper, group = papers()[name]
    rows = paper.of_group(group)
    assert rows and all(len(row.get("cells", ())) <= len(paper.columns) for row in rows)
    assert all(row.get("of", next(iter(paper.designs), "")) in {*paper.designs, ""} for row in rows)
    assert {blank for row in rows for blank in row.get("blank", ())} <= {*paper.heads}
    cells = [cell for row in rows for cell in row.get("cells", ())]
    for cell in (*cells, *paper.notes, *(formula for _, formula in paper.columns)):
        if isinstance(cell, str) and cell.startswith("="):
            ast.parse(cell[1:], mode="eval")
    assert all(each.design.name for each in paper.subjects())


def test_every_recorded_table_is_one_that_there_is() -> None:
    """And columns are those that are recorded."""
    recorded = set()
    for path in (DOCS / "figures").glob("*.json"):
        for command, figure in json.loads(path.read_text("utf-8")).items():
            words = command.split()
            if words[:3] == ["python", "-m", "benchmarks"]:
                paper, _ = papers()[words[3]]
                assert figure["page"][0]["columns"] == paper.heads
                recorded.add(words[3])
    texts = (page.read_text("utf-8") for page in (*pages(), DOCS.parent / "README.md"))
    shown = [command.split() for text in texts for command, _ in blocks(text)]
    assert recorded == {words[3] for words in shown if "benchmarks" in words} and recorded


def paper_of(*rows: dict[str, Any], formula: str = "=label") -> Paper:
    return Paper(title="{group}", columns=[("a", formula), ("b", "")], rows=list(rows))


def test_cells_and_formulas() -> None:
    """What is not measured is empty; names that there are not are a mistake."""
    made = table(
        paper_of(
            {"cells": ["paper", "=round(2.345, 1)"]},
            {"cells": ["=known(None)"]},
            {"cells": ["only with --place"], "clocked": True},
            {"design": "ml-kem", "blank": ["b"]},
            {"cells": ["=above['a']"], "group": "x"},
        ),
        None,
        False,
    )
    assert made.rows == [["paper", 2.3], [None, None], ["ml-kem", None], ["ml-kem", None]]
    with pytest.raises(NameError):
        table(paper_of({"cells": ["=nothing"]}), None, False)
    assert table(paper_of({"cells": [1], "group": "x"}), "x", True).title == "x"
    assert FUNCTIONS["whole"](3.0) == 3 and FUNCTIONS["whole"](3.14) == 3.1


@pytest.mark.sim
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hbm2", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["provenance"]["nttforge"] and len(said["rows"]) == 9
    assert main(["hbm2", "--markdown"]) == 0
    assert capsys.readouterr().out.count("U280") >= 4
    assert main(["nothing"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(NttforgeError, match="hbm2"):
        reproduce("hbm", False)


def test_times_are_those_of_the_paper() -> None:
    cells = papers()["kyber"][0].rows[0]["cells"]
    at = papers()["kyber"][0].heads.index("KeyGen, us")
    for time, stated in zip(cells[at : at + 3], MICROSECONDS, strict=True):
        assert abs(time - stated) < 0.1


@pytest.mark.parametrize(("name", "cycles", "us", "mhz"), [("kyber", 8, 11, 7), ("pqc", 7, 11, 10)])
def test_microseconds_are_cycles_over_the_clock(name: str, cycles: int, us: int, mhz: int) -> None:
    for row in papers()[name][0].rows:
        cells = row.get("cells", ())
        for at, time in enumerate(cells[us : us + 3]):
            if time != "":
                assert time == round(cells[cycles + at] / cells[mhz], 2)
