# SPDX-License-Identifier: Apache-2.0
"""Writes the result of `make test-full` into docs/verification.md.

`python tests/results.py RESULTS.xml PAGE`: counts the cases of a JUnit file that pytest wrote, a
line a room of the tests, and puts the table between the page's comments
`<!-- make test-full -->` and `<!-- end -->`.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

_BLOCK = re.compile(r"(<!-- make test-full -->\n).*?(<!-- end -->)", re.DOTALL)
_OUTCOMES = ("passed", "skipped", "failed")


def outcomes(results: Path) -> dict[str, Counter[str]]:
    """Cases of each room, by outcome."""
    rooms: dict[str, Counter[str]] = {}
    for case in ElementTree.parse(results).iter("testcase"):
        parts = case.get("classname", "").split(".")
        room = "/".join(parts[:2]) if len(parts) > 2 else parts[0]
        failed = case.find("failure") is not None or case.find("error") is not None
        skipped = case.find("skipped") is not None
        outcome = "failed" if failed else "skipped" if skipped else "passed"
        rooms.setdefault(room, Counter())[outcome] += 1
    return dict(sorted(rooms.items()))


def table(rooms: dict[str, Counter[str]], revision: str) -> str:
    """The table of the page."""
    total = sum(rooms.values(), Counter())
    lines = [f"At revision {revision}:", "", _row("room", _OUTCOMES), "|---|--:|--:|--:|"]
    for room, count in [*rooms.items(), ("**all**", total)]:
        lines.append(_row(room, [str(count[outcome]) for outcome in _OUTCOMES]))
    return "\n".join(lines) + "\n"


def _row(head: str, cells: Iterable[str]) -> str:
    return f"| {head} | {' | '.join(cells)} |"


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
    text = table(outcomes(Path(results)), revision)
    page_text = path.read_text("utf-8")
    renewed, blocks = _BLOCK.subn(lambda block: block[1] + text + block[2], page_text)
    if blocks != 1:
        sys.exit(f"{page}: no block '<!-- make test-full -->'; add it where the table goes")
    path.write_text(renewed, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
