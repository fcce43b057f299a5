# SPDX-License-Identifier: Apache-2.0
"""`show flow`: what it shows is what the RTL did, and no model of it."""

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from docs.tools import record
from nttforge.design import parse_design
from nttforge.draw.step_page import UNKNOWN
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import prepare
from nttforge.kinds import part
from nttforge.kinds.iterative import engine as iterative_engine
from nttforge.kinds.iterative.spans import iterative_spans
from nttforge.kinds.stream.build import elaborate
from nttforge.kinds.stream.dataflow import (
    DataflowTrace,
    flow_page,
    flow_table,
    places,
    trace_dataflow,
)
from nttforge.kinds.stream.engine import operation_schedule
from nttforge.kinds.stream.spans import pipeline_spans
from tests.browser import installed, opened, unreadable
from tests.marks import first
from tests.mutants import mutated
from tests.unit.flow.test_trace import PLAIN, ROW


@pytest.fixture(scope="module")
def plain() -> Any:
    return prepare(parse_design(PLAIN, "plain"))


def beats(found: DataflowTrace, tap: str) -> list[list[int | None]]:
    """Indices that a tap showed, beat by beat."""
    return [
        [None if word is None else word[1] for word in sight.words]
        for sight in found.sights
        if sight.tap.name == tap
    ]


@pytest.mark.parametrize("direction", ["ntt", "intt"])
def test_words_are_where_the_schedule_has_them(direction: Any, plain: Any) -> None:
    found = trace_dataflow(plain, direction)
    assert found.unknown == 0
    operation = found.operation
    assert found.cycles == operation.latency
    assert beats(found, "s_axis") == operation.input_layout.order().tolist()
    assert beats(found, "m_axis") == operation.output_layout.order().tolist()
    for number, stage in enumerate(operation_schedule("natural", 4, 1, direction).stages):
        assert beats(found, f"butterflies_{number}") == stage.layout.order().tolist()


@pytest.mark.parametrize("name", ["ntt", "intt"])
def test_a_row_of_butterflies_keeps_words_in_memory(name: str) -> None:
    found = trace_dataflow(prepare(parse_design(ROW, "row")), name)
    assert found.unknown == 0 and found.cycles == found.operation.latency
    assert len(beats(found, "butterflies")) == 4 * 4 and len(beats(found, "memory")) == 3 * 4
    (memory,) = (place for place in places(found) if place.name == "in memory")
    assert max(map(len, memory.words)) > 4
    written = [sight.addresses for sight in found.sights if sight.tap.name == "memory"]
    assert {each for pair in written for each in pair} == set(range(4))


@pytest.mark.slow
def test_incomplete_transforms_pass_words_on(small: Any) -> None:
    for name in ("b.ntt", "b.intt"):
        assert trace_dataflow(small, name).unknown == 0


@pytest.mark.parametrize(
    ("design", "file", "good", "bad"),
    [
        (ROW, "iterative/ntf_bank_memory.sv", "rparity_i ? {stored", "!rparity_i ? {stored"),
        *(
            pytest.param(PLAIN, *change, marks=pytest.mark.slow)
            for change in (
                (
                    "pipeline/ntf_commutator.sv",
                    "? data_x[l][0] : stored",
                    "? data_x[l][1] : stored",
                ),
                ("pipeline/ntf_stage.sv", "[l+Lines], wired[path][l]}", "[l], wired[path][l]}"),
            )
        ),
    ],
)
def test_a_mutant_shows(design: Any, file: str, good: str, bad: str, tmp_path: Path) -> None:
    prepared = prepare(parse_design(design, "right"))
    broken = mutated(prepared, tmp_path / "x", f"rtl/{file}", good, bad)
    found, right = trace_dataflow(broken), trace_dataflow(prepared)
    assert [s.words for s in found.sights] != [s.words for s in right.sights]
    assert found.unknown > 0 and right.unknown == 0
    page = flow_page(found, parse_design(design, "right"))
    assert UNKNOWN in page and "are in no stage" in flow_table(found)


@pytest.mark.parametrize(("data", "direction"), [(PLAIN, "ntt"), (ROW, "ntt")])
def test_timelines_are_what_is_seen(data: dict[str, Any], direction: str) -> None:
    design = parse_design(data, "timeline")
    found = trace_dataflow(prepare(design), direction)
    seen = [
        [sight.cycle for sight in found.sights if sight.tap.name == tap.name]
        for tap in found.taps
        if tap.name in ("s_axis", "m_axis") or tap.name.startswith("butterflies")
    ]
    if design.family == "pipeline":
        derived = pipeline_spans(elaborate(design))[: len(seen)]
        assert [[*range(each.first, each.last + 1)] for each in derived] == seen
        return
    first, *passes, last = iterative_spans(iterative_engine.elaborate(design))
    assert [first.first, first.last] == [seen[0][0], seen[0][-1]]
    assert [last.first, last.last] == [seen[-1][0], seen[-1][-1]]
    assert [c for each in passes for c in range(each.first, each.last + 1)] == seen[1]


def test_the_page_has_what_was_seen(plain: Any) -> None:
    found = trace_dataflow(plain)
    text = flow_page(found, parse_design(PLAIN, "plain"))
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    data = json.loads(re.search(r"const places = (\[.*?\]), n = 16", text).group(1))  # type: ignore[union-attr]
    assert [place["name"] for place in data] == [place.name for place in places(found)]
    assert all(len(place["words"]) == found.cycles for place in data)
    every = {name for place in data for words in place["words"] for name in words}
    assert every == {str(index) for index in range(16)}


def test_a_browser_steps_through_the_page(plain: Any, tmp_path: Path) -> None:
    browser = installed()
    page = tmp_path / "page.html"
    stepping = "<script>move(1); move(1);</script></body>"
    text = flow_page(trace_dataflow(plain), parse_design(PLAIN, "plain"))
    page.write_text(text.replace("</body>", stepping), "utf-8")
    shown = opened(browser, page)
    assert '<b id="cycle">2</b>' in shown
    found = re.findall(r'class="word" data-word="(\d+)"([^>]*)>', shown)
    places_of = {word: re.findall(r'data-place="([^"]*)"', rest)[0] for word, rest in found}
    assert places_of == {
        **dict.fromkeys(("2", "10"), "input port"),
        **dict.fromkeys(("1", "9"), "to the butterflies of stage 0"),
        **dict.fromkeys(("0", "8"), "butterflies of stage 0"),
    }
    # Words of a beat are beside each other, those of another one are elsewhere.
    at = {word: re.findall(r"translate\(([\d.]+)px", rest)[0] for word, rest in found}
    assert len(set(at.values())) == 6


@pytest.mark.parametrize(
    "data",
    first(
        [
            PLAIN,
            {**PLAIN, "name": "wide", "pipeline": {"butterflies": 2}},
            {**PLAIN, "name": "long", "rings": [{"n": 512, "q": 12289}]},
            ROW,
        ]
    ),
    ids=lambda data: data["name"],
)
def test_each_place_has_a_spot_in_a_readable_drawing(data: dict[str, Any], tmp_path: Path) -> None:
    design = parse_design(data, "drawn")
    scene = part(design.family, "drawing").scene(design)
    width, height = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', scene.svg)[0])
    for name, spot in scene.spots.items():
        assert spot.x >= 0 and spot.x + spot.width <= width, name
        assert spot.y >= 0 and spot.y + spot.height <= height, name
    for one, two in combinations(scene.spots.values(), 2):
        apart = one.x + one.width <= two.x or two.x + two.width <= one.x
        assert apart or one.y + one.height <= two.y or two.y + two.height <= one.y, (one, two)
    file = tmp_path / "drawing.html"
    file.write_text(f"<html><body>{scene.svg}</body></html>", "utf-8")
    assert not unreadable(installed(), file)


def test_what_cannot_be_shown_is_said() -> None:
    large = parse_design({"name": "long", "rings": [{"n": 2048, "q": 12289}]}, "long")
    with pytest.raises(NttforgeError, match="too many to look at"):
        trace_dataflow(prepare(large))
    product = {**ROW, "name": "product", "operations": ["ntt", "polymul"]}
    with pytest.raises(NttforgeError, match="no transform"):
        trace_dataflow(prepare(parse_design(product, "product")), "polymul")


@pytest.mark.slow
@pytest.mark.parametrize("family", ["sixteen", "row"])
def test_pages_show_what_is_seen(family: str) -> None:
    page = Path(__file__).parents[3] / "docs" / "appendix" / "step-by-step.md"
    blocks = dict(record.blocks(page.read_text("utf-8")))
    assert len(blocks) == 2
    (command,) = (command for command in blocks if f"--set name={family}" in command)
    assert record.run(command) == blocks[command]
