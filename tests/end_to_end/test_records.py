# SPDX-License-Identifier: Apache-2.0
"""The figures of the pages are what their commands print."""

import os
from pathlib import Path

import pytest

from docs.tools.record import blocks, main, record, run
from docs.tools.site import pages
from tests.host.mlkem_native import CHECKOUT
from tests.host.test_openssl import tls_tools

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *pages()]
RECORDED = [
    pytest.param(command, output, id=f"{page.name}: {command}")
    for page in PAGES
    for command, output in blocks(page.read_text("utf-8"))
]


def test_every_block_is_filled() -> None:
    assert RECORDED
    assert all(str(param.values[1]).strip() for param in RECORDED)


@pytest.mark.slow
@pytest.mark.parametrize(("command", "output"), RECORDED)
def test_blocks_are_what_the_commands_print(command: str, output: str) -> None:
    if command.endswith(("host.mlkem_native", "soc.cycles")) and CHECKOUT not in os.environ:
        pytest.skip(f"no checkout here: set {CHECKOUT} to one of mlkem-native")
    if command.endswith("host.tls"):
        tls_tools()
    assert run(command) == output


def test_a_block_is_replaced_between_its_comments() -> None:
    page = "before\n<!-- nttforge --version -->\nold\n<!-- end -->\nafter\n"
    assert record(page, {}) == page
    assert record(page, {"nttforge --version": "new\n"}) == page.replace("old", "new")


def test_a_command_that_fails_spoils_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    failing = "<!-- nttforge nonsense -->\nkept\n<!-- end -->\n"
    page.write_text(f"{failing}<!-- nttforge --version -->\nold\n<!-- end -->\n")
    assert main([str(page)]) == 1
    assert "nttforge nonsense: failed" in capsys.readouterr().out
    assert failing in page.read_text()
    assert "old" not in page.read_text()


def test_commands_can_be_chosen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- nttforge --version -->\nold\n<!-- end -->\n")
    assert main(["--only", "synth", "--check", str(page)]) == 0
    assert main(["--only", "version", "--check", str(page)]) == 1
