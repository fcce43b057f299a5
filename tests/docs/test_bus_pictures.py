# SPDX-License-Identifier: Apache-2.0
"""Pictures of transactions on the bus are those of a simulated run."""

from pathlib import Path

import pytest

from docs.tools import bus_pictures
from docs.tools.bus_pictures import TRANSACTIONS, Channel, columns, events

DOCS = Path(__file__).parents[2] / "docs"
STREAM = Channel("in", "valid", "ready", lambda _: "", ())


def rows(*valid: int) -> list[dict[str, int]]:
    return [{"valid": each, "ready": 1} for each in valid]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(TRANSACTIONS))
def test_the_pictures_in_the_docs_are_drawn_again(name: str, tmp_path: Path) -> None:
    assert bus_pictures.main([name, "-o", str(tmp_path / "x.svg")]) == 0
    drawn = (tmp_path / "x.svg").read_text("utf-8")
    assert drawn == (DOCS / f"bus-{name}.svg").read_text("utf-8")


def test_every_picture_is_on_a_page() -> None:
    pages = "".join(page.read_text("utf-8") for page in DOCS.rglob("*.md"))
    assert all(f"bus-{name}.svg)" in pages for name in TRANSACTIONS)


def test_cycles_without_an_event_are_a_break() -> None:
    shown = columns([STREAM], rows(0, 1, 0, 0, 0, 0, 0, 1, 0))
    assert shown == [0, 1, 2, None, 6, 7, 8]


def test_gaps_that_are_short_are_drawn() -> None:
    assert columns([STREAM], rows(1, 0, 0, 0, 1)) == [0, 1, 2, 3, 4]


def test_of_long_packets_the_ends_are_drawn() -> None:
    assert events(STREAM, rows(*[1] * 40)) == [0, 1, 38, 39]
    level = Channel("interrupt", "valid")
    assert events(level, rows(0, 0, 1, 1, 0)) == [2, 4]
