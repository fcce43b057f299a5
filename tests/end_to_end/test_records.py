# SPDX-License-Identifier: Apache-2.0
"""The figures of the pages are what their commands print."""

from pathlib import Path

import pytest

from nttforge.record import blocks, record, run

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
RECORDED = [
    pytest.param(command, output, id=f"{page.name}: {command}")
    for page in PAGES
    for command, output in blocks(page.read_text("utf-8"))
]


def test_every_block_is_filled() -> None:
    assert RECORDED
    assert all(output.strip() for _, output in (param.values for param in RECORDED))


@pytest.mark.slow
@pytest.mark.parametrize(("command", "output"), RECORDED)
def test_blocks_are_what_the_commands_print(command: str, output: str) -> None:
    assert run(command) == output


def test_a_block_is_replaced_between_its_comments() -> None:
    page = "before\n<!-- nttforge --version -->\nold\n<!-- end -->\nafter\n"
    renewed = record(page)
    assert renewed.startswith("before\n<!-- nttforge --version -->\nnttforge ")
    assert renewed.endswith("\n<!-- end -->\nafter\n")
    assert "old" not in renewed
