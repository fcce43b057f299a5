# SPDX-License-Identifier: Apache-2.0
"""docs/extending.md says what the code asks for; tests/extending follows it."""

import dataclasses
import inspect
import re
from pathlib import Path
from typing import get_args

import pytest
from jinja2 import UndefinedError

from nttforge.config.fields import Reduction
from nttforge.design import load_design
from nttforge.emit.design_folder import render
from nttforge.flow.backend import Backend
from nttforge.hw import build
from nttforge.reduction.kinds import KINDS
from nttforge.show.units import latencies, sheet, units

PAGE = (Path(__file__).parents[2] / "docs" / "extending.md").read_text("utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_a_reduction_takes_what_the_page_says(kind: str) -> None:
    said = re.search(r"`\(([\w, ]+)\) -> Chain \| None`", PAGE)
    assert said is not None
    assert said.group(1).split(", ") == [*inspect.signature(KINDS[kind]).parameters]


def test_reductions_are_entered_in_two_places() -> None:
    assert {*get_args(Reduction)} - {"auto"} == {*KINDS}


@pytest.mark.parametrize("name", ["mlkem-mldsa", "scalable-kyber"])
def test_facts_that_are_required_and_no_others(name: str) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| `facts`"))
    required = re.findall(r"`(\w+)`[^`]*? is required", row)
    assert required == ["intervals"]
    design = load_design(name)
    core = build(design)
    least = {name: core.facts[name] for name in required}
    render(dataclasses.replace(core, facts=least), design)
    with pytest.raises((KeyError, UndefinedError), match="intervals"):
        render(dataclasses.replace(core, facts={}), design)


def test_methods_of_a_bench_are_those_of_the_table() -> None:
    named = set(
        re.findall(
            r"^\| `(\w+)` \|",
            PAGE.partition("## Another kind")[2].partition("\n## ")[0],
            re.MULTILINE,
        )
    )
    assert named == Backend.__abstractmethods__


def test_a_units_latency_is_a_number_of_cycles_or_none() -> None:
    """Or a sentence of the room's table; never the column before it."""
    for unit in units():
        said = re.findall(r"^Latency(?: in cycles)?: (.*)\.$", sheet(unit), re.MULTILINE)
        known = latencies().get(unit, "")
        assert len(said) == bool(known)
        assert not known or re.match(r"\d|logic|see docs", known), (unit, known)
