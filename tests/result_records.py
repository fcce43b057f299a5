# SPDX-License-Identifier: Apache-2.0
"""What became of `make test-full`, which a small machine takes room by room, or file by file.

`python -m tests.result_records RESULTS.xml` keeps the counts of a JUnit file that pytest wrote, a
file of tests each, with the revision at which it was run; a file of tests that takes a day can be
run piece by piece, and its JUnit files be given together. Without an argument it prints the table
that the page of verification has, a line a room. Files that were not run keep what they have.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain, takewhile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tests.tally import keep, kept, markdown

RECORD = "cases"
TESTS = Path(__file__).parent
_OUTCOMES = ("passed", "skipped", "failed")


def by_file(results: Iterable[Path]) -> dict[str, Counter[str]]:
    """How the cases of each file of tests ended: of one that several JUnit files have, the last."""
    ended: dict[tuple[str, str], str] = {}
    for case in chain.from_iterable(ElementTree.parse(path).iter("testcase") for path in results):
        failed = case.find("failure") is not None or case.find("error") is not None
        skipped = case.find("skipped") is not None
        outcome = "failed" if failed else "skipped" if skipped else "passed"
        ended[case.get("classname", ""), case.get("name", "")] = outcome
    files: dict[str, Counter[str]] = {}
    for (classname, _), outcome in ended.items():
        parts = classname.split(".")
        folder = list(takewhile(lambda part: not part.startswith("test_"), parts))
        files.setdefault("/".join([*folder, f"{parts[len(folder)]}.py"]), Counter())[outcome] += 1
    return files


def record_of(results: Iterable[Path], revision: str) -> dict[str, dict[str, Any]]:
    """What is kept of JUnit files."""
    return {
        file: {name: counts[name] for name in _OUTCOMES} | {"revision": revision}
        for file, counts in by_file(results).items()
    }


def table(record: Mapping[str, Mapping[str, Any]], there: Mapping[str, int]) -> str:
    """A line a room: how many of its files were run, and when.

    Parameters
    ----------
    there
        Room -> files of tests that it has.
    """
    rows = []
    for room in sorted(there):
        files = [counts for file, counts in record.items() if file.rpartition("/")[0] == room]
        sums = [sum(counts[name] for counts in files) for name in _OUTCOMES]
        revisions = ", ".join(sorted({str(counts["revision"]) for counts in files}))
        rows.append((room, revisions, f"{len(files)} of {there[room]}", *sums))
    totals = [sum(row[3 + i] for row in rows) for i in range(len(_OUTCOMES))]
    rows.append(("**all**", "", f"{len(record)} of {sum(there.values())}", *totals))
    return markdown(("room", "at revision", "files run", *_OUTCOMES), rows, 2)


def rooms() -> dict[str, int]:
    """Folders of tests, and how many files of tests are in each."""
    paths = TESTS.rglob("test_*.py")
    return dict(Counter(str(path.parent.relative_to(TESTS.parent)) for path in paths))


def revision() -> str:
    """The commit, and whether more than pages, where other runs are recorded, is ahead of it."""
    commit, *changed = (
        subprocess.run(
            ["git", *command], cwd=TESTS.parent, stdout=subprocess.PIPE, text=True, check=True
        ).stdout.strip()
        for command in (
            ("describe", "--always", "--exclude=*"),
            ("status", "--porcelain", "--", ".", ":!docs"),
        )
    )
    return commit + "-dirty" * any(changed)


def main(arguments: list[str]) -> None:
    """Keep the counts of a run, or print those of all."""
    if not arguments:
        there = {str(p.relative_to(TESTS.parent)) for p in TESTS.rglob("test_*.py")}
        print(table({f: counts for f, counts in kept(RECORD).items() if f in there}, rooms()))
        return
    try:
        keep(RECORD, kept(RECORD) | record_of(map(Path, arguments), revision()))
    except FileNotFoundError as error:
        sys.exit(f"{error.filename}: there is no such file; nothing was run")


if __name__ == "__main__":
    main(sys.argv[1:])
