# SPDX-License-Identifier: Apache-2.0
"""Drawing and sheet say what the design says."""

import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from nttforge.design import load_design, parse_design
from nttforge.kinds.stream import figure, sheet
from nttforge.kinds.stream.build import elaborate
from nttforge.kinds.stream.engine import Pipeline
from nttforge.show.example import example
from tests.unit.cli.cli_calls import call

SVG = Path(__file__).parents[2] / "docs" / "mlkem-mldsa.svg"
SMALL = {"name": "small-one", "rings": [{"n": 16, "q": 97}]}


def worked_out(**keys: object) -> Pipeline:
    return elaborate(parse_design(SMALL | keys, "test"))


def words(drawing: str) -> list[str]:
    root = ElementTree.fromstring(drawing)
    return ["".join(e.itertext()) for e in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_drawing_in_the_docs_is_drawn_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(capsys, "show", "figure", "mlkem-mldsa", "-o", tmp_path / "x.svg")[0] == 0
    assert (tmp_path / "x.svg").read_text("utf-8") == SVG.read_text("utf-8")


@pytest.mark.parametrize("family", ["iterative", "decomposed"])
def test_drawings_of_sixteen_words_are_drawn_anew(
    family: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(capsys, "show", "example", family, "-o", tmp_path / "x.svg")[0] == 0
    drawn = (tmp_path / "x.svg").read_text("utf-8")
    assert drawn == (SVG.parent / f"{family}-16.svg").read_text("utf-8")
    assert f"]({family}-16.svg)" in (SVG.parent / f"{family}.md").read_text("utf-8")
    # Every word of the page's table is in the drawing: no more, no fewer.
    table = [row for row in example(family).splitlines() if re.match(r"\| [\d ]+ \|", row)]
    cells = [cell for row in table for cell in row.strip("| ").split(" | ") if " " in cell.strip()]
    numbers = [word for word in words(drawn) if word.isdigit()]
    assert Counter(numbers) == Counter(" ".join(cells).split())
    assert len(numbers) == 64


def test_a_family_without_a_drawing_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, said = call(capsys, "show", "example", "mlkem", "-o", "x.svg")
    assert code == 1 and "family: mlkem has no drawing" in said


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"operations": ["ntt"]},
        {"operations": ["intt", "ntt"], "pipeline": {"seamless": True}},
        {"pipeline": {"butterflies": 2}},
        {"pipeline": {"butterflies": 8}},
    ],
)
def test_a_drawing_has_every_stage_and_depth(keys: dict[str, object]) -> None:
    pipeline = worked_out(**keys)
    shown = words(figure.draw(pipeline))
    assert [w for w in shown if w.startswith("stage ")] == [f"stage {s}" for s in range(4)]
    depths = [str(d) for stage in pipeline.delays for d in stage if d]
    assert Counter(depths) <= Counter(shown)
    assert any(
        w.startswith(f"latency {pipeline.latency(len(pipeline.paths) - 1)} = ") for w in shown
    )


def test_names_of_passing_rings_are_shown() -> None:
    shown = words(figure.draw(elaborate(load_design("ml-kem"))))
    assert shown.count("pass for") == 2


@pytest.mark.parametrize("keys", [{}, {"pipeline": {"seamless": True}}, {"operations": ["intt"]}])
def test_the_terms_of_the_sheet_add_up(keys: dict[str, object]) -> None:
    pipeline = worked_out(**keys)
    columns = [
        [
            int(line.split(" | ")[1 + path].rstrip(" |"))
            for line in list(sheet.latency(pipeline))[2:]
        ]
        for path in range(len(pipeline.paths))
    ]
    assert columns
    for *terms, total in columns:
        assert sum(terms) == total


@pytest.mark.parametrize(
    "words",
    [["sheet", "mlkam"], ["figure", "mlkam", "-o", "x"], ["figure", "ml-kem", "-o", "no/x"]],
)
def test_a_mistake_is_one_line(
    words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    placed = [*words[:-1], tmp_path / words[-1]] if "-o" in words else words
    code, out, err = call(capsys, "show", *placed)
    assert (code, out, err.count("\n")) == (1, "", 1)


@pytest.mark.parametrize("design", ["scalable-kyber", "sam-tiny", "ml-kem-coprocessor"])
def test_what_is_no_pipeline_is_refused(
    design: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for words in (("sheet", design), ("figure", design, "-o", tmp_path / "x.svg")):
        code, _, err = call(capsys, "show", *words)
        assert code == 1
        assert f"error: design: {design} is of the family" in err
        assert "name one of the family pipeline" in err
    assert not (tmp_path / "x.svg").exists()
