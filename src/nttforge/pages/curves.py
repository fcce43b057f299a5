# SPDX-License-Identifier: Apache-2.0
"""Draw the scaling curves: `python -m nttforge.pages.curves docs/streamntt.md -o X.svg`.

The figures are those of the table that `nttforge reproduce scaling --markdown` has left on the
page, so that the drawing shows what was measured, and can be drawn again without measuring.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from nttforge.draw.curves import SHOWN, Point, draw
from nttforge.errors import NttforgeError
from nttforge.output import write_text
from nttforge.record import blocks
from nttforge.reproduce.scaling import COLUMNS, OURS

COMMANDS = (
    "nttforge reproduce scaling --markdown",
    "nttforge reproduce scaling --clock --markdown",
)


def points(page: str) -> list[Point]:
    """Rows of the table that is recorded on a page.

    Raises
    ------
    NttforgeError
        If there is no such table.
    """
    recorded = [output for command, output in blocks(page) if command in COMMANDS]
    lines = [line for output in recorded for line in output.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    if not rows or rows[0] != COLUMNS:
        raise NttforgeError("page", f"it has no table by `{COMMANDS[0]}`", "record it first")
    return [
        Point(
            row[0] == OURS,
            int(row[COLUMNS.index("lanes")]),
            {
                key: float(row[COLUMNS.index(key)].replace(",", ""))
                for key in SHOWN
                if row[COLUMNS.index(key)]
            },
        )
        for row in rows[2:]
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; 0, or 2 with one line that says what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m nttforge.pages.curves")
    parser.add_argument("page", type=Path, help="a page with the recorded table")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the SVG")
    options = parser.parse_args(arguments)
    try:
        drawing = draw(
            (OURS, "published radix-4 pipeline"), points(options.page.read_text("utf-8"))
        )
        write_text(options.output, drawing)
    except (NttforgeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
