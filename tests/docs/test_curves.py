# SPDX-License-Identifier: Apache-2.0
"""The curves in the docs are those of the recorded table."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.reproduce import papers
from docs.tools import scaling_curves as page_curves
from nttforge.draw import curves

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "appendix" / "comparisons.md"
SCALING, _ = papers()["scaling"]
PUBLISHED = SCALING.published()
BUTTERFLIES = [row for row in SCALING.rows if SCALING.is_ours(row)]
NAMES = ("ours", "theirs")
DRAWING = DOCS / "scaling.svg"


def test_the_drawing_in_the_docs_is_drawn_anew(tmp_path: Path) -> None:
    assert page_curves.main([str(PAGE), "-o", str(tmp_path / "x.svg")]) == 0
    drawn = (tmp_path / "x.svg").read_text("utf-8")
    assert drawn == DRAWING.read_text("utf-8")
    ElementTree.fromstring(drawn)


def test_every_row_is_a_point_of_every_curve() -> None:
    found = page_curves.points(PAGE)
    assert [point.ours for point in found].count(True) == len(BUTTERFLIES)
    assert len(found) == len(BUTTERFLIES) + len(PUBLISHED)
    points = re.findall(r'<circle class="(ntt|intt)"', curves.draw(NAMES, found))
    legend = 1
    known = sum(len(point.values) for point in found if point.ours)
    assert points.count("ntt") == legend + known
    assert points.count("intt") == legend + len(curves.SHOWN) * len(PUBLISHED)
    for key in ("cycles a transform", "latency"):
        assert all(key in point.values for point in found)


def test_points_are_where_their_values_are() -> None:
    """Halving cycles from lanes to lanes is a straight line from corner to corner."""
    key = "cycles a transform"
    values = dict.fromkeys(curves.SHOWN, 1.0)
    found = [curves.Point(True, 2 << i, values | {key: 512 >> i}) for i in range(6)]
    found.append(curves.Point(False, 2, values | {name: 2.0 for name in values if name != key}))
    found[-1].values[key] = 512
    drawn = curves.draw(NAMES, found)
    first = re.search(r'd="M(\d+) (\d+)L[^"]*L(\d+) (\d+)"', drawn)
    assert first is not None
    left, top, right, bottom = map(int, first.groups())
    assert right - left == 180 and bottom - top == 190


def test_a_page_without_the_table_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing\n", "utf-8")
    assert page_curves.main([str(page), "-o", str(tmp_path / "x.svg")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
