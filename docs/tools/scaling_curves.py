# SPDX-License-Identifier: Apache-2.0
"""Draw the scaling curves: `python -m docs.tools.scaling_curves PAGE -o X.svg`.

The figures are those that `python -m benchmarks scaling` has left beside the page, so that the
drawing shows what was measured, and can be drawn again without measuring.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.reproduce import papers
from docs.tools.record import kept
from nttforge.draw.curves import SHOWN, Point, draw
from nttforge.errors import NttforgeError
from nttforge.output import write_text

OURS = "nttforge"
COLUMNS = papers()["scaling"][0].heads
COMMANDS = (
    "python -m benchmarks scaling --markdown",
    "python -m benchmarks scaling --place --markdown",
)


def points(page: Path) -> list[Point]:
    """Rows of the table that is kept for a page.

    Raises
    ------
    NttforgeError
        If there is no such table.
    """
    found = [figure for command, figure in kept(page).items() if command in COMMANDS]
    if not found or found[0]["page"][0]["columns"] != COLUMNS:
        raise NttforgeError("page", f"it has no table by `{COMMANDS[0]}`", "record it first")
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in found[0]["page"][0]["rows"]]
    return [
        Point(
            row["design"] == OURS,
            row["lanes"],
            {key: float(row[key]) for key in SHOWN if row[key] is not None},
        )
        for row in rows
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; 0, or 2 with one line that says what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m docs.tools.scaling_curves")
    parser.add_argument("page", type=Path, help="a page with the recorded table")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the SVG")
    options = parser.parse_args(arguments)
    try:
        names = (OURS, "published radix-4 pipeline")
        drawing = draw(names, points(options.page), author="docs.tools.scaling_curves")
        write_text(options.output, drawing)
    except (NttforgeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
