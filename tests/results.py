# SPDX-License-Identifier: Apache-2.0
"""Writes the result of `make test-full` into docs/verification.md.

`python tests/results.py RESULTS.xml PAGE`: counts the cases of a JUnit file that pytest wrote, a
line a room of the tests, and puts the table between the page's comments
`<!-- make test-full -->` and `<!-- end -->`. Rooms that were not run keep the line that they have,
with the revision at which they were. The counts of each file of tests go to the records, for the
sign-off table.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from xml.etree import ElementTree

from tests.tally import keep, kept

RECORD = "cases"
_BLOCK = re.compile(r"(<!-- make test-full -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_OUTCOMES = ("passed", "skipped", "failed")
_HEAD = f"| room | {' | '.join(_OUTCOMES)} | at revision |\n|---|--:|--:|--:|---|\n"
_ROW = re.compile(r"^\| (tests[\w/]*) \| (\d+) \| (\d+) \| (\d+) \| (\S+) \|$", re.MULTILINE)


@dataclass(frozen=True)
class Room:
    """How the cases of a room ended, in the order of `_OUTCOMES`, and what they were run on."""

    counts: tuple[int, ...]
    revision: str


def by_file(results: Path) -> dict[str, Counter[str]]:
    """How the cases of each file of tests ended, by a JUnit file."""
    files: dict[str, Counter[str]] = {}
    for case in ElementTree.parse(results).iter("testcase"):
        parts = case.get("classname", "").split(".")
        folder = list(takewhile(lambda part: not part.startswith("test_"), parts))
        file = "/".join([*folder, f"{parts[len(folder)]}.py"])
        failed = case.find("failure") is not None or case.find("error") is not None
        skipped = case.find("skipped") is not None
        outcome = "failed" if failed else "skipped" if skipped else "passed"
        files.setdefault(file, Counter())[outcome] += 1
    return files


def outcomes(results: Path, revision: str) -> dict[str, Room]:
    """The rooms of a JUnit file."""
    rooms: dict[str, Counter[str]] = {}
    for file, counts in by_file(results).items():
        rooms.setdefault(file.rpartition("/")[0], Counter()).update(counts)
    return {
        room: Room(tuple(count[outcome] for outcome in _OUTCOMES), revision)
        for room, count in rooms.items()
    }


def recorded(block: str) -> dict[str, Room]:
    """The rooms of a table."""
    return {
        room: Room(tuple(map(int, counts)), revision)
        for room, *counts, revision in _ROW.findall(block)
    }


def table(rooms: Mapping[str, Room]) -> str:
    """The table of the page."""
    total = [sum(counts) for counts in zip(*(room.counts for room in rooms.values()), strict=True)]
    lines = [(name, room.counts, room.revision) for name, room in sorted(rooms.items())]
    return _HEAD + "".join(
        f"| {name} | {' | '.join(map(str, counts))} | {revision} |\n"
        for name, counts, revision in [*lines, ("**all**", total, "")]
    )


def renewed(page: str, rooms: Mapping[str, Room]) -> str:
    """The page with the lines of these rooms.

    Raises
    ------
    ValueError
        If it has not one block for them.
    """
    text, blocks = _BLOCK.subn(
        lambda block: block[1] + table({**recorded(block[2]), **rooms}) + block[3], page
    )
    if blocks != 1:
        raise ValueError("no block '<!-- make test-full -->'; add it where the table goes")
    return text


def main(results: str, page: str) -> None:
    """Renew the page's block."""
    path = Path(page)
    revision = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--exclude=*"],
        cwd=path.parent,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.strip()
    try:
        text = renewed(path.read_text("utf-8"), outcomes(Path(results), revision))
        counted = by_file(Path(results)).items()
        files = {file: {name: count[name] for name in _OUTCOMES} for file, count in counted}
        keep(RECORD, kept(RECORD) | files)
    except FileNotFoundError as error:
        sys.exit(f"{error.filename}: there is no such file; nothing was run")
    except ValueError as error:
        sys.exit(f"{page}: {error}")
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
