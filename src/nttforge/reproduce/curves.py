# SPDX-License-Identifier: Apache-2.0
"""Draw the scaling curves: `python -m nttforge.reproduce.curves docs/streamntt.md -o X.svg`.

The figures are those of the table that `nttforge reproduce scaling --markdown` has left on the
page, so that the drawing shows what was measured, and can be drawn again without measuring.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nttforge.emit.canvas import Canvas
from nttforge.errors import NttforgeError
from nttforge.output import write_text
from nttforge.record import blocks
from nttforge.reproduce.scaling import COLUMNS, OURS

COMMANDS = (
    "nttforge reproduce scaling --markdown",
    "nttforge reproduce scaling --clock --markdown",
)
SHOWN = ("cycles a transform", "latency", "LUT", "DSP")

_WIDTH, _HEIGHT = 1000, 330
_PLOT_W, _PLOT_H = 180, 190
_LEFT, _TOP, _STEP = 62, 72, 242
_RADIUS = 4


@dataclass(frozen=True)
class Point:
    """A row of the table; what it does not say is not among the values."""

    ours: bool
    lanes: int
    values: dict[str, float]


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


def _short(value: int) -> str:
    return f"{value // 1024}K" if value >= 1024 else str(value)


def _plot(canvas: Canvas, x: int, key: str, found: Sequence[Point]) -> None:
    """One quantity against lanes; both axes are logarithmic, a line each power of two."""
    known = [point for point in found if key in point.values]
    values = [point.values[key] for point in known]
    low, high = math.floor(math.log2(min(values))), math.ceil(math.log2(max(values)))
    first, last = (math.log2(f(point.lanes for point in found)) for f in (min, max))

    def across(lanes: float) -> int:
        return x + round(_PLOT_W * (math.log2(lanes) - first) / (last - first))

    def up(value: float) -> int:
        return _TOP + round(_PLOT_H * (high - math.log2(value)) / (high - low))

    canvas.text(x, _TOP - 12, key, "head", anchor="start")
    canvas.box(x, _TOP, _PLOT_W, _PLOT_H, "card", radius=3)
    for exponent in range(low, high + 1):
        at = up(2**exponent)
        canvas.elements.append(f'<path class="wire" opacity="0.2" d="M{x} {at}H{x + _PLOT_W}"/>')
        canvas.text(x - 8, at + 4, _short(2**exponent), "small soft", anchor="end")
    for exponent in range(round(first), round(last) + 1):
        canvas.text(across(2**exponent), _TOP + _PLOT_H + 18, str(2**exponent), "small soft")
    canvas.text(x + _PLOT_W // 2, _TOP + _PLOT_H + 36, "lanes", "small soft")
    for ours in (False, True):
        places = sorted(
            (across(point.lanes), up(point.values[key])) for point in known if point.ours == ours
        )
        canvas.path("M" + "L".join(f"{a} {b}" for a, b in places))
        kind = "ntt" if ours else "intt"
        canvas.elements += [
            f'<circle class="{kind}" cx="{a}" cy="{b}" r="{_RADIUS}"/>' for a, b in places
        ]


def draw(found: Sequence[Point]) -> str:
    """The curves as an SVG."""
    canvas = Canvas()
    canvas.text(24, 34, "The streaming engine against lanes", "title", anchor="start")
    for place, kind, words in ((640, "ntt", OURS), (740, "intt", "published radix-4 pipeline")):
        canvas.elements.append(f'<circle class="{kind}" cx="{place}" cy="29" r="{_RADIUS}"/>')
        canvas.text(place + 10, 33, words, "small", anchor="start")
    for i, key in enumerate(SHOWN):
        _plot(canvas, _LEFT + _STEP * i, key, found)
    label = "Cycles, latency, LUTs and DSPs against lanes"
    return canvas.svg(_WIDTH, _HEIGHT, label, "nttforge.reproduce.curves")


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; 0, or 2 with one line that says what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m nttforge.reproduce.curves")
    parser.add_argument("page", type=Path, help="a page with the recorded table")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the SVG")
    options = parser.parse_args(arguments)
    try:
        drawing = draw(points(options.page.read_text("utf-8")))
        write_text(options.output, drawing)
    except (NttforgeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
