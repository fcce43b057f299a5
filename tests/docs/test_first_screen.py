# SPDX-License-Identifier: Apache-2.0
"""The first screen of a page: what it is, a picture, a command, the contract and its limits."""

import re
from pathlib import Path

import pytest

from docs.tools.site import pages
from tests.docs.console import commands as commands_of
from tests.docs.console import run, same, write_files

ROOT = Path(__file__).parents[2]
#: Lines of a page that are its first screen, each wrapped at 130 characters.
SCREEN, WIDTH = 62, 130
#: Lists, lessons, a procedure, and a record of attacks.
OTHERS = {"README.md", "glossary.md", "release.md", "threat-model.md", "tutorial.md"}
#: A table is all that they have to show.
TABLES = {"matrix", "modules"}
PAGES = [path for path in pages() if path.parent.name == "docs" and path.name not in OTHERS]
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def screen(path: Path) -> str:
    """The first lines of a page, counted as they are shown."""
    shown, room = [], SCREEN
    for line in path.read_text("utf-8").splitlines():
        room -= max(1, -(-len(line) // WIDTH))
        if room < 0:
            break
        shown.append(line)
    return "\n".join(shown)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_begins_with_what_it_is(path: Path) -> None:
    text = screen(path)
    title, _, rest = text.partition("# ")[2].partition("\n\n")
    assert title and re.match(r"[A-Z`]", rest, re.IGNORECASE), "a sentence that says what it is"
    picture = re.search(r"^(!\[.+\]\(.+\)| {4}\S.*)$", rest, re.MULTILINE)
    assert picture or path.stem in TABLES, "a picture"
    assert re.search(r"^```(console|toml)$", rest, re.MULTILINE), "a command"
    assert len(re.findall(r"^\|.*\|$", rest, re.MULTILINE)) >= 3, "the contract, as a table"
    assert re.search(r"\blimits?\b", rest, re.IGNORECASE), "its limits"


def commands() -> list[str]:
    """Lines of console blocks that call the command line."""
    blocks = (block for path in pages() for block in CONSOLE.findall(path.read_text("utf-8")))
    lines = (line.removeprefix("$ ") for block in blocks for line in block.splitlines())
    return [line for line in lines if line.startswith("nttforge ")]


def test_commands_of_pages_have_verbs_and_options_that_there_are() -> None:
    """Whole commands are run by other tests; these are parsed only."""
    from typer.main import get_command  # noqa: PLC0415

    from nttforge.cli.app import app  # noqa: PLC0415

    root = get_command(app)
    for line in commands():
        words = re.split(r"\s+(?:#|\|)", line)[0].split()[1:]
        command, rest = root, words
        while hasattr(command, "commands") and rest:
            command, rest = command.commands[rest[0]], rest[1:]
        known = {option for param in command.params for option in param.opts} | {"--help"}
        used = {word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
        assert used <= known, (line, used - known)


def shown(path: Path) -> list[str]:
    """Console blocks of a page that show what their commands print."""
    return [b for b in CONSOLE.findall(path.read_text("utf-8")) if b.startswith("$ ")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [path for path in pages() if shown(path)], ids=lambda path: path.stem
)
def test_a_page_shows_what_its_commands_print(path: Path, tmp_path: Path) -> None:
    write_files(path.read_text("utf-8"), tmp_path)
    for block in shown(path):
        for command, said in run(commands_of(block), tmp_path):
            assert not command.shown or same(command.shown, said), (command.line, said)
