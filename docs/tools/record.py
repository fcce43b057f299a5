# SPDX-License-Identifier: Apache-2.0
"""Keeps the figures of the pages true: runs the commands that the pages show, writes the results.

A block of a page that is kept looks like this, and is replaced as a whole between its comments:

    <!-- python -m benchmarks r2mdc --markdown -->
    whatever the command printed
    <!-- end -->

The command is one of nttforge's verbs (`nttforge show layout ...`), a table of the benchmarks, or
a module of the docs' tools or of the tests, which shows what they have recorded. What it prints
must not depend on the time or the machine.

What a command with `--markdown` found is kept as JSON too, with where it is from, in
`docs/figures/PAGE.json`; the block is made of that.

`python -m docs.tools.record PAGE ...` runs every block's command and rewrites the page, block by
block, so that an interruption loses one figure and no more. `--check` only says which blocks
differ; `--kept` runs nothing, and makes the blocks of what is kept; `--only TEXT` takes those whose
command contains the text. Blocks that are made of what other blocks recorded (`READERS`) are
renewed after them, on whichever page they are.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nttforge.output import write_text
from nttforge.table import markdown, read

_BLOCK = re.compile(
    r"^<!-- ((?:nttforge |python -m (?:benchmarks[ .]|(?:docs|tests)\.))[^\n]*?) -->\n"
    r"(.*?)^<!-- end -->$",
    re.MULTILINE | re.DOTALL,
)

READERS = ("python -m tests.modules", "python -m tests.result_records", "python -m tests.signoff")
"""Commands that print what is recorded elsewhere, and run nothing but that."""


def blocks(page: str) -> Iterator[tuple[str, str]]:
    """(command, recorded output) of each block of a page."""
    for match in _BLOCK.finditer(page):
        yield match.group(1), match.group(2)


def figures_of(page: Path) -> Path:
    """Where the figures of a page are kept: `figures` of the `docs` above it, or beside it."""
    above = (folder for folder in page.parents if folder.name == "docs")
    return next(above, page.parent / "docs") / "figures" / f"{page.stem}.json"


def kept(page: Path) -> dict[str, Any]:
    """The figures of a page: command -> its tables, `page`, and where they are from."""
    path = figures_of(page)
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def keep(page: Path, command: str, figure: Mapping[str, Any]) -> None:
    """Keep a figure of a page, and none that is not on it any more."""
    path = figures_of(page)
    path.parent.mkdir(parents=True, exist_ok=True)
    there = {each for each, _ in blocks(page.read_text("utf-8"))}
    figures = {name: old for name, old in kept(page).items() if name in there}
    text = json.dumps(figures | {command: figure}, indent=1, sort_keys=True, ensure_ascii=False)
    write_text(path, text + "\n")


def block_of(figure: Mapping[str, Any]) -> str:
    """The block that a figure makes."""
    return markdown(read(figure["page"])) + "\n"


def measured(command: str) -> bool:
    """Whether a command finds figures, which are kept."""
    return "--markdown" in shlex.split(command)


def run(command: str) -> str:
    """What a command of nttforge prints.

    Raises
    ------
    subprocess.CalledProcessError
        If it fails.
    """
    program, *arguments = shlex.split(command)
    module = ["-m", "nttforge"] if program == "nttforge" else []
    done = subprocess.run(
        [sys.executable, *module, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.rstrip("\n") + "\n"


def record(page: str, renewed: Mapping[str, str]) -> str:
    """The page with the output of those commands that are given."""

    def block(match: re.Match[str]) -> str:
        command, old = match.groups()
        return f"<!-- {command} -->\n{renewed.get(command, old)}<!-- end -->"

    return _BLOCK.sub(block, page)


def renew_readers(of: Path) -> None:
    """Renew the blocks that are made of records, after one of a page in `docs` was renewed."""
    above = next((folder for folder in of.resolve().parents if folder.name == "docs"), None)
    for path in sorted(above.rglob("*.md")) if above else ():
        for command, old in blocks(path.read_text("utf-8")):
            if command in READERS and (new := run(command)) != old:
                print(f"{path}: {command}: renewed", flush=True)
                write_text(path, record(path.read_text("utf-8"), {command: new}))


def main(arguments: list[str] | None = None) -> int:
    """Record or check the pages; 0 if nothing differs, or all is written."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing, say what differs")
    parser.add_argument("--kept", action="store_true", help="run nothing: what is kept as JSON")
    parser.add_argument("--only", default="", metavar="TEXT", help="commands that contain this")
    parser.add_argument("pages", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    stale = failed = 0
    for path in options.pages:
        before = path.read_text("utf-8")
        for command, old in blocks(path.read_text("utf-8")):
            figure = kept(path).get(command) if options.kept else None
            if options.only not in command or (options.kept and figure is None):
                continue
            try:
                if measured(command) and figure is None:
                    found = json.loads(run(f"{command} --json"))
                    figure = {key: found[key] for key in ("provenance", "page")}
                new = run(command) if figure is None else block_of(figure)
            except subprocess.CalledProcessError:
                failed += 1
                print(f"{path}: {command}: failed", flush=True)
                continue
            if figure is not None and not options.check:
                keep(path, command, figure)
            if old != new:
                stale += 1
                print(f"{path}: {command}: {'differs' if options.check else 'renewed'}", flush=True)
                if not options.check:
                    page = record(path.read_text("utf-8"), {command: new})
                    write_text(path, page)
        if path.read_text("utf-8") != before:
            renew_readers(path)
    return 1 if failed or (options.check and stale) else 0


if __name__ == "__main__":
    sys.exit(main())
