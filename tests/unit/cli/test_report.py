# SPDX-License-Identifier: Apache-2.0
"""`report`: the data sheet says what the other verbs say, and stands alone."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from nttforge.design import load_design
from nttforge.emit.page import page
from nttforge.flow import scaling
from nttforge.flow.backends import backend_of
from nttforge.hw import build
from nttforge.table import Line, Table, html
from tests.browser import installed, unreadable
from tests.unit.cli.cli_calls import call
from tests.unit.cli.test_cli import call_json

TINY = """
name = "tiny"
[[rings]]
n = 16
q = 97
"""
VOID = {"meta", "path", "rect", "circle", "line", "polygon", "br"}


class Sheet(HTMLParser):
    """Collects the cells of tables; complains about what is not nested or leads out."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "link", "img")
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if any(tag in ("td", "th") for tag in self.open):
            self.cells[-1] += data


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "tiny.toml"
    path.write_text(TINY)
    return path


def test_the_sheet_has_the_figures(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "tiny.html"
    code, found = call_json(capsys, "report", tiny, "-o", output, "--target", "none")
    assert code == 0
    assert found["ok"]
    assert "synth" not in found
    sheet = Sheet(output.read_text("utf-8"))
    assert f"{found['measure']['latency_cycles']:,}" in sheet.cells
    assert f"{found['verify']['random']:,}" in sheet.cells
    assert "m_axis_tuser" in sheet.cells
    for heading in ("Drawing", "Timeline", "Cycles against time"):
        assert re.search(f"<h2>{heading}</h2>\\s*<svg", output.read_text("utf-8"))


@pytest.mark.long
@pytest.mark.parametrize("name", ["mlkem-mldsa", "scalable-kyber", "sam-tiny", "streamntt-12289"])
def test_drawings_can_be_read(name: str, tmp_path: Path) -> None:
    """In a browser: no words are cut off, none lie over others."""
    browser, design, sheet = installed(), load_design(name), tmp_path / "sheet.html"
    drawings = [backend_of(build(design)).timeline(design), scaling.drawn(design)]
    sections = [("D", drawing) for drawing in drawings if drawing]
    sheet.write_text(page("# T\n", None, sections, "f"), "utf-8")
    assert unreadable(browser, sheet) == []


def test_tables_and_paragraphs_keep_their_order_and_are_escaped() -> None:
    shown = html([Line("p"), Table("a < b", ("name", "n"), [("<script>", 1024)])])
    text = page("# Title\n\n| x |\n|---|\n| `y` |\n", None, [("S", shown)], "f")
    assert Sheet(text).cells == ["x", "y", "name", "n", "<script>", "1,024"]
    assert text.index("<p>p</p>") < text.index("a &lt; b")
    assert '<td class="number">1,024</td>' in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--target", "asic"), "xcup, xc7, ecp5 or none"),
        (("-o", "/nowhere/at/all.html"), "/nowhere/at/all.html: there is no such folder"),
    ],
)
def test_what_is_wrong_is_said_before_the_work(
    tiny: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    words: str,
) -> None:
    given = ["-o", str(tmp_path / "x.html")] if "-o" not in arguments else []
    code, _, complaint = call(capsys, "report", tiny, *given, *arguments)
    assert code == 1
    assert words in complaint
