# SPDX-License-Identifier: Apache-2.0
"""Draw scaling curves: area and speed of an engine against lanes, butterflies or sizes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nttforge.draw.canvas import Canvas

SHOWN = ("cycles a transform", "latency", "LUT", "DSP")

_WIDTH, _HEIGHT = 1000, 330
_PLOT_W, _PLOT_H = 180, 190
_LEFT, _TOP, _STEP = 62, 72, 242
_RADIUS = 4
_LETTER = 6.2  # pixels of a letter of the small text
_MARKS = 12  # at an axis


@dataclass(frozen=True)
class Point:
    """A row of the table: `lanes` is its x, `values` by quantity; `ours` chooses the curve."""

    ours: bool
    lanes: int
    values: dict[str, float]


def _short(value: float) -> str:
    for letter, much in (("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)):
        if value >= much:
            return f"{value / much:g}{letter}"
    return f"{value:.2g}" if value < 1 else f"{value:g}"


def _marks(low: int, high: int) -> range:
    """Powers of two that are written at an axis."""
    return range(low, high + 1, 1 + (high - low) // _MARKS)


def _plot(canvas: Canvas, x: int, key: str, found: Sequence[Point], along: str) -> None:
    """One quantity along another; both axes are logarithmic, a line each power of two."""
    known = [point for point in found if key in point.values]
    values = [point.values[key] for point in known]
    low, high = math.floor(math.log2(min(values))), math.ceil(math.log2(max(values)))
    high = max(high, low + 1)
    first, last = (math.log2(f(point.lanes for point in found)) for f in (min, max))
    last = max(last, first + 1)

    def across(lanes: float) -> int:
        return x + round(_PLOT_W * (math.log2(lanes) - first) / (last - first))

    def up(value: float) -> int:
        return _TOP + round(_PLOT_H * (high - math.log2(value)) / (high - low))

    canvas.text(x, _TOP - 12, key, "head", anchor="start")
    canvas.box(x, _TOP, _PLOT_W, _PLOT_H, "card", radius=3)
    for exponent in _marks(low, high):
        at = up(2**exponent)
        canvas.elements.append(f'<path class="wire" opacity="0.2" d="M{x} {at}H{x + _PLOT_W}"/>')
        canvas.text(x - 8, at + 4, _short(2**exponent), "small soft", anchor="end")
    for exponent in _marks(round(first), round(last)):
        canvas.text(across(2**exponent), _TOP + _PLOT_H + 18, _short(2**exponent), "small soft")
    canvas.text(x + _PLOT_W // 2, _TOP + _PLOT_H + 36, along, "small soft")
    for ours in (False, True):
        places = sorted(
            (across(point.lanes), up(point.values[key])) for point in known if point.ours == ours
        )
        if places:
            canvas.path("M" + "L".join(f"{a} {b}" for a, b in places))
        kind = "ntt" if ours else "intt"
        canvas.elements += [
            f'<circle class="{kind}" cx="{a}" cy="{b}" r="{_RADIUS}"/>' for a, b in places
        ]


def draw(
    names: tuple[str, str],
    found: Sequence[Point],
    *,
    title: str = "The streaming engine against lanes",
    shown: Sequence[str] = SHOWN,
    along: str = "lanes",
    author: str = "nttforge",
) -> str:
    """The curves as an SVG; names are those of ours and of what it is compared with."""
    canvas = Canvas()
    canvas.text(24, 34, title, "title", anchor="start")
    second = 660 + round(len(names[0]) * _LETTER)
    for place, kind, words in ((640, "ntt", names[0]), (max(740, second), "intt", names[1])):
        if words:
            canvas.elements.append(f'<circle class="{kind}" cx="{place}" cy="29" r="{_RADIUS}"/>')
            canvas.text(place + 10, 33, words, "small", anchor="start")
    for i, key in enumerate(shown):
        _plot(canvas, _LEFT + _STEP * i, key, found, along)
    return canvas.svg(_WIDTH, _HEIGHT, f"{title}: {', '.join(shown)}", author)
