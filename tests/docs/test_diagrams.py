# SPDX-License-Identifier: Apache-2.0
"""The block diagrams in the docs are those that are described, and can be read."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from docs.tools.diagrams import DIAGRAMS, drawn, main
from tests.browser import installed, unreadable

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", DIAGRAMS)
def test_the_diagram_in_the_docs_is_drawn_anew(name: str, tmp_path: Path) -> None:
    assert main([name, "-o", str(tmp_path / "x.svg")]) == 0
    found = (tmp_path / "x.svg").read_text("utf-8")
    assert found == (DOCS / f"{name}.svg").read_text("utf-8")
    ElementTree.fromstring(found)


@pytest.mark.parametrize("name", DIAGRAMS)
def test_boxes_are_apart_and_inside(name: str) -> None:
    diagram = DIAGRAMS[name]
    for at, box in enumerate(diagram.boxes):
        assert box.x > 0 and box.x + box.w < diagram.width, box.name
        assert box.y > 40 and box.y + box.h < diagram.height, box.name
        for other in diagram.boxes[:at]:
            across = min(box.x + box.w, other.x + other.w) - max(box.x, other.x)
            down = min(box.y + box.h, other.y + other.h) - max(box.y, other.y)
            assert across < 0 or down < 0, (box.name, other.name)


@pytest.mark.long
@pytest.mark.parametrize("name", DIAGRAMS)
def test_its_words_can_be_read(name: str, tmp_path: Path) -> None:
    browser, page = installed(), tmp_path / "page.html"
    page.write_text(f"<html><body>{drawn(DIAGRAMS[name])}</body></html>", "utf-8")
    assert not unreadable(browser, page)
