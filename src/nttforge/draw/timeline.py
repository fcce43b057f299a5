# SPDX-License-Identifier: Apache-2.0
"""Draw which unit works when: `nttforge show timeline encaps 768 -o docs/....svg`.

The drawing is of a simulated run, see :mod:`nttforge.flow.mlkem.trace`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from nttforge.draw.canvas import Canvas

_WIDTH, _LEFT, _RIGHT = 1000, 126, 24
_TOP, _ROW, _BAR = 78, 30, 18
_TICK = 100
_LETTER = 6.2  # pixels of a letter of the small text
_SOLID = 0.9  # of its time a job works whose name can be read on its bar
_MATRIX = re.compile(r"A\d\d")
_NOISE = re.compile(r"(NTT )?(s\d|y\d|e\d?(_\d)?)")
# (what a job is of, class of its colour)
_KINDS = (("matrix", "ntt"), ("noise", "intt"), ("the rest", "tip"))


@dataclass(frozen=True)
class Span:
    """One job of one unit.

    Attributes
    ----------
    unit
        Who does it.
    label
        The job's name.
    runs
        First and last cycle of each time that it worked without a pause, counted from the first
        input word.
    """

    unit: str
    label: str
    runs: tuple[tuple[int, int], ...]

    @property
    def first(self) -> int:
        """Cycle in which it began."""
        return self.runs[0][0]

    @property
    def last(self) -> int:
        """Cycle in which it ended."""
        return self.runs[-1][1]

    @property
    def works(self) -> int:
        """Cycles in which it worked."""
        return sum(last - first + 1 for first, last in self.runs)


def _colour(label: str) -> str:
    """By what a job works on: the matrix, noise, or anything else."""
    if _MATRIX.match(label):
        return "ntt"
    return "intt" if _NOISE.fullmatch(label) else "tip"


def draw(run: str, units: Sequence[str], spans: Sequence[Span]) -> str:
    """A simulated run as an SVG of 1000 pixels' width: a row a unit, time from left to right."""
    end = max(span.last for span in spans) + 1
    scale = (_WIDTH - _LEFT - _RIGHT) / end
    height = _TOP + len(units) * _ROW + 34
    canvas = Canvas()
    canvas.text(24, 36, run, "title", anchor="start")
    keccak = sum(span.works for span in spans if span.unit == "Keccak")
    words = f"{end:,} cycles, Keccak works in {keccak:,} of them"
    canvas.text(_WIDTH - _RIGHT, 36, words, "soft", anchor="end")
    _legend(canvas)
    bottom = _TOP + len(units) * _ROW
    for cycle in range(0, end, _TICK):
        x = round(_LEFT + cycle * scale)
        canvas.elements.append(f'<path class="wire" opacity="0.35" d="M{x} {_TOP}V{bottom + 4}"/>')
        canvas.text(x, bottom + 20, f"{cycle:,}", "small soft")
    for row, unit in enumerate(units):
        y = _TOP + row * _ROW
        canvas.text(_LEFT - 10, y + _ROW // 2 + 4, unit, "small", anchor="end")
        for span in spans:
            if span.unit == unit:
                _span(canvas, span, y + (_ROW - _BAR) // 2, scale)
    return canvas.svg(_WIDTH, height, run, "nttforge show timeline")


def _legend(canvas: Canvas) -> None:
    x = 24
    for words, kind in _KINDS:
        canvas.elements.append(
            f'<rect class="{kind}" x="{x}" y="52" width="18" height="9" rx="2"/>'
        )
        canvas.text(x + 24, 60, words, "small", anchor="start")
        x += 90
    canvas.text(x, 60, "pale: the job waits for data or for room", "small soft", anchor="start")


def _span(canvas: Canvas, span: Span, y: int, scale: float) -> None:
    """A job: pale from beginning to end, full where it works, its name on it if there is room."""
    kind = _colour(span.label)
    x, width = _LEFT + span.first * scale, (span.last + 1 - span.first) * scale
    canvas.elements.append(
        f"<g><title>{escape(span.label)}: cycles {span.first} to {span.last}, works in "
        f'{span.works}</title><rect class="{kind}" opacity="0.25" x="{x:.1f}" y="{y}" '
        f'width="{width:.1f}" height="{_BAR}" rx="2"/>'
    )
    for first, last in span.runs:
        left, right = _LEFT + first * scale, _LEFT + (last + 1) * scale
        canvas.elements.append(
            f'<rect class="{kind}" x="{left:.1f}" y="{y}" '
            f'width="{max(0.4, right - left - 0.4):.1f}" height="{_BAR}"/>'
        )
    canvas.elements.append("</g>")
    name = span.label.split()[-1] if span.unit.startswith("transform") else span.label
    busy = span.works >= _SOLID * (span.last + 1 - span.first)
    if busy and len(name) * _LETTER < width and name != span.unit:
        canvas.elements.append(
            f'<text class="small onbar" x="{x + width / 2:.1f}" y="{y + 13}" '
            f'text-anchor="middle">{escape(name)}</text>'
        )
