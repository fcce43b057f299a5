# SPDX-License-Identifier: Apache-2.0
"""Draw the activity of units over time: `nttforge show timeline encaps 768 -o docs/....svg`.

That drawing is of a simulated run, see :mod:`nttforge.kinds.lattice.trace`; those of the data
sheets are derived, see :mod:`nttforge.kinds.stream.spans`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import count

from nttforge.draw.canvas import Canvas

_WIDTH, _LEFT, _RIGHT = 1000, 126, 24
_TOP, _ROW, _BAR = 78, 30, 18
_TICKS = 15
_LETTER = 6.2  # pixels of a letter of the small text
_SOLID = 0.9  # of its time a job works whose name can be read on its bar
_MATRIX = re.compile(r"A\d\d")
_NOISE = re.compile(r"(NTT )?(s\d|y\d|e\d?(_\d)?)")
# (what a job is of, class of its colour)
_KINDS = (("matrix", "ntt"), ("noise", "intt"), ("the rest", "tip"))


@dataclass(frozen=True)
class Span:
    """One job of one unit.

    `runs` are the first and last cycle of each time that it worked without a pause, counted from
    the first input word.
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


def _steps() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50, ..."""
    yield from (step * 10**power for power in count() for step in (1, 2, 5))


def draw(
    run: str,
    units: Sequence[str],
    spans: Sequence[Span],
    *,
    kinds: Mapping[str, str] | None = None,
    caption: str = "",
    author: str = "nttforge show timeline",
) -> str:
    """A run as an SVG of 1000 pixels' width: a row a unit, time from left to right.

    - `run`: what it is.
    - `units`, `spans`: rows from above to below, and what is on them.
    - `kinds`: label -> class of its colour; None: the colours of a coprocessor's jobs.
    - `caption`: text beside the number of cycles.
    - `author`: the command that it is by.
    """
    end = max(span.last for span in spans) + 1
    tick = next(step for step in _steps() if end <= _TICKS * step)
    scale = (_WIDTH - _LEFT - _RIGHT) / end
    height = _TOP + len(units) * _ROW + 34
    canvas = Canvas()
    canvas.text(24, 36, run, "title", anchor="start")
    if kinds is None:
        keccak = sum(span.works for span in spans if span.unit == "Keccak")
        caption = f"Keccak works in {keccak:,} of them"
    canvas.text(_WIDTH - _RIGHT, 36, f"{end:,} cycles, {caption}", "soft", anchor="end")
    if kinds is None:
        x = _legend(canvas, _KINDS)
        canvas.text(x, 60, "pale: the job waits for data or for room", "small soft", anchor="start")
    else:
        _legend(canvas, tuple(kinds.items()))
    bottom = _TOP + len(units) * _ROW
    for cycle in range(0, end, tick):
        x = round(_LEFT + cycle * scale)
        canvas.elements.append(f'<path class="wire" opacity="0.35" d="M{x} {_TOP}V{bottom + 4}"/>')
        canvas.text(x, bottom + 20, f"{cycle:,}", "small soft")
    for row, unit in enumerate(units):
        y = _TOP + row * _ROW
        canvas.text(_LEFT - 10, y + _ROW // 2 + 4, unit, "small", anchor="end")
        for span in spans:
            if span.unit == unit:
                kind = _colour(span.label) if kinds is None else kinds[span.label]
                _span(canvas, span, kind, y + (_ROW - _BAR) // 2, scale)
    return canvas.svg(_WIDTH, height, run, author)


def _legend(canvas: Canvas, kinds: Sequence[tuple[str, str]]) -> int:
    """Legend of the colours; returns the free space beside it."""
    x = 24
    for words, kind in kinds:
        canvas.elements.append(
            f'<rect class="{kind}" x="{x}" y="52" width="18" height="9" rx="2"/>'
        )
        canvas.text(x + 24, 60, words, "small", anchor="start")
        x += max(90, 40 + round(len(words) * _LETTER))
    return x


def _span(canvas: Canvas, span: Span, kind: str, y: int, scale: float) -> None:
    """A job: pale from beginning to end, full where it works, its name on it if there is room."""
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
