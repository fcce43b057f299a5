# SPDX-License-Identifier: Apache-2.0
"""Draw scaling curves: what a streaming engine takes and does, against its lanes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nttforge.draw.canvas import Canvas

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


def draw(names: tuple[str, str], found: Sequence[Point]) -> str:
    """The curves as an SVG; names are those of ours and of what it is compared with."""
    canvas = Canvas()
    canvas.text(24, 34, "The streaming engine against lanes", "title", anchor="start")
    for place, kind, words in ((640, "ntt", names[0]), (740, "intt", names[1])):
        canvas.elements.append(f'<circle class="{kind}" cx="{place}" cy="29" r="{_RADIUS}"/>')
        canvas.text(place + 10, 33, words, "small", anchor="start")
    for i, key in enumerate(SHOWN):
        _plot(canvas, _LEFT + _STEP * i, key, found)
    label = "Cycles, latency, LUTs and DSPs against lanes"
    return canvas.svg(_WIDTH, _HEIGHT, label, "nttforge.pages.curves")
