# SPDX-License-Identifier: Apache-2.0
"""Draw a pipeline: `python -m nttforge.emit.figure mlkem-mldsa -o docs/mlkem-mldsa.svg`.

Everything in the drawing is read off the design that was worked out: stages, exchanges and their
depths, butterflies, tables, edges, latency.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.families.growth import PASS
from nttforge.families.pipeline import EDGE_REGISTERS, Pipeline, work_out

_WIDTH = 1000
_PER_ROW = 4
_CARD_W, _CARD_H = 170, 196
_COLUMN = 188  # from one card to the next
_LEFT = 133  # of the first card
_TOP = 96  # of the first row
_ROW = _CARD_H + 48
_LANES = (66, 112)  # of the two halves of a beat, below a card's top
_PORT = 24

# (selector, light, dark): the panel has a background of its own, so that either is readable
# wherever the drawing is shown.
_COLOURS = (
    (".panel", "fill:#fbfcfe;stroke:#d5dce6", "fill:#10161f;stroke:#2b3646"),
    (".card", "fill:#ffffff;stroke:#c3cddb", "fill:#18212d;stroke:#37465a"),
    (".block", "fill:#eef2f8;stroke:#aab8cb", "fill:#223042;stroke:#4a5d76"),
    (".rom", "fill:#fdf3dc;stroke:#d9b45f", "fill:#3a3018;stroke:#8f7530"),
    (".edge", "fill:#e4f3ec;stroke:#7fbf9f", "fill:#183528;stroke:#3f7d5f"),
    (".wire", "stroke:#5b6b80", "stroke:#8a9bb1"),
    (".lit", "fill:#ffffff;stroke:#5b6b80", "fill:#18212d;stroke:#8a9bb1"),
    (".tip", "fill:#5b6b80", "fill:#8a9bb1"),
    ("text", "fill:#1c2733", "fill:#e4eaf2"),
    (".soft", "fill:#5b6b80", "fill:#9aabc0"),
    (".ntt", "fill:#1f66c1", "fill:#6fb0ff"),
    (".intt", "fill:#c0561a", "fill:#ffa36b"),
)
_SHAPES = (
    "text{font-family:system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;font-size:12px}"
    ".title{font-size:20px;font-weight:600}.head{font-size:13px;font-weight:600}"
    ".small{font-size:11px}.number{font-size:15px;font-weight:600}"
    ".wire{fill:none;stroke-width:1.6}.lit{stroke-width:1.6}"
)


def _style() -> str:
    light = "".join(f"{selector}{{{colours}}}" for selector, colours, _ in _COLOURS)
    dark = "".join(f"{selector}{{{colours}}}" for selector, _, colours in _COLOURS)
    return f"<style>{_SHAPES}{light}@media(prefers-color-scheme:dark){{{dark}}}</style>"


@dataclass
class _Canvas:
    """Elements of a drawing, in the order in which they are painted."""

    elements: list[str] = field(default_factory=list)

    def box(self, x: int, y: int, w: int, h: int, kind: str, *, radius: int = 5) -> None:
        self.elements.append(
            f'<rect class="{kind}" x="{x}" y="{y}" width="{w}" height="{h}" rx="{radius}"/>'
        )

    def text(
        self,
        x: int,
        y: int,
        words: str,
        kind: str = "",
        *,
        anchor: str = "middle",
        turn: bool = False,
    ) -> None:
        turned = f' transform="rotate(-90 {x} {y})"' if turn else ""
        self.elements.append(
            f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}"{turned}>'
            f"{escape(words)}</text>"
        )

    def path(self, data: str) -> None:
        self.elements.append(f'<path class="wire" d="{data}"/>')

    def tip(self, x: int, y: int, up: bool = False) -> None:
        """An arrow's tip that ends at (x, y)."""
        shape = f"M{x} {y}l-4 7h8z" if up else f"M{x} {y}l-7 -4v8z"
        self.elements.append(f'<path class="tip" d="{shape}"/>')

    def circle(self, x: int, y: int, radius: int, sign: str) -> None:
        self.elements.append(f'<circle class="lit" cx="{x}" cy="{y}" r="{radius}"/>')
        self.text(x, y + 5, sign, "head")


def _plural(count: int, noun: str) -> str:
    plural = "butterflies" if noun == "butterfly" else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def _exchange(canvas: _Canvas, pipeline: Pipeline, stage: int, x: int, y: int) -> None:
    """How each direction's pairs are brought together: beats of a commutator, or wires."""
    directions = pipeline.design.operations
    canvas.box(x, y, 66, 96, "block")
    canvas.text(x + 33, y + 16, "exchange", "small")
    for row, (direction, path) in enumerate(zip(directions, pipeline.paths, strict=True)):
        at = path.stages[stage]
        pair = at.layout.lane_bits - 1
        words = f"{at.delay:,}" if at.delay else "none" if at.source == pair else "wires"
        kind = f"number {direction}" if at.delay else f"small {direction}"
        middle = y + (42 if len(directions) > 1 else 56) + 34 * row
        canvas.text(x + 33, middle, words, kind)
        if at.delay:
            # As long as the time bit is high.
            length = 6 + 44 * at.delay.bit_length() // pipeline.beats.bit_length()
            canvas.elements.append(
                f'<rect class="{direction}" x="{x + 33 - length // 2}" y="{middle + 6}" '
                f'width="{length}" height="4" rx="2"/>'
            )


def _butterfly(canvas: _Canvas, x: int, upper: int, lower: int) -> None:
    """Two lanes that cross, with the one multiplier on the second of them."""
    canvas.path(f"M{x} {upper}H{x + 58}M{x} {lower}H{x + 58}")
    canvas.path(f"M{x + 26} {upper}L{x + 50} {lower}M{x + 26} {lower}L{x + 50} {upper}")
    canvas.circle(x + 11, lower, 9, "×")


def _stage(canvas: _Canvas, pipeline: Pipeline, stage: int, x: int, y: int) -> None:
    upper, lower = (y + lane for lane in _LANES)
    canvas.box(x, y, _CARD_W, _CARD_H, "card", radius=8)
    canvas.text(x + 12, y + 21, f"stage {stage}", "head", anchor="start")
    bits = dict.fromkeys(path.stages[stage].index_bit for path in pipeline.paths)
    numbers = " / ".join(map(str, bits))
    canvas.text(x + _CARD_W - 12, y + 21, f"bit {numbers}", "small soft", anchor="end")
    canvas.path(f"M{x} {upper}h12M{x} {lower}h12")
    _exchange(canvas, pipeline, stage, x + 12, upper - 25)
    canvas.path(f"M{x + 78} {upper}H{x + 96}M{x + 78} {lower}H{x + 96}")
    _butterfly(canvas, x + 94, upper, lower)
    canvas.path(f"M{x + 152} {upper}H{x + _CARD_W}M{x + 152} {lower}H{x + _CARD_W}")
    if pipeline.lines > 1:
        canvas.text(x + 132, upper - 10, f"× {pipeline.lines}", "small soft")
    table = pipeline.twiddle_tables[stage]
    canvas.box(x + 84, y + 146, 74, 38, "rom")
    canvas.text(x + 121, y + 162, "twiddles", "small")
    roms = f"{len(table.words)} × " if len(table.words) > 1 else ""
    canvas.text(x + 121, y + 177, f"{roms}{table.depth:,}", "small")
    canvas.path(f"M{x + 105} {y + 146}V{lower + 16}")
    canvas.tip(x + 105, lower + 9, up=True)
    passing = [
        pipeline.design.rings[ring].label
        for (ring, _), mode in zip(pipeline.codes, pipeline.modes[stage], strict=True)
        if mode == PASS
    ]
    if passing:
        canvas.text(x + 12, y + 162, "pass for", "small soft", anchor="start")
        first, *others = dict.fromkeys(passing)
        canvas.text(
            x + 12, y + 177, first + (", …" if others else ""), "small soft", anchor="start"
        )


def _edge(canvas: _Canvas, x: int, y: int, words: str) -> None:
    canvas.box(x, y + _LANES[0] - 32, 26, 110, "edge")
    canvas.text(x + 17, y + _LANES[0] + 23, words, "small", turn=True)


def _input(canvas: _Canvas, y: int) -> None:
    for lane in _LANES:
        canvas.path(f"M{_PORT} {y + lane}H{_PORT + 15}M70 {y + lane}H80M106 {y + lane}H{_LEFT}")
        canvas.tip(_PORT + 20, y + lane)
    canvas.text(_PORT, y + 21, "s_axis", "head", anchor="start")
    _edge(canvas, 44, y, "register slice")
    _edge(canvas, 80, y, "framer")


def _output(canvas: _Canvas, x: int, y: int) -> None:
    """What is behind the last card, which ends at x."""
    for lane in _LANES:
        canvas.path(f"M{x} {y + lane}H{x + 20}M{x + 46} {y + lane}h10M{x + 82} {y + lane}h15")
        canvas.tip(x + 102, y + lane)
    _edge(canvas, x + 20, y, "to [0, q), order")
    _edge(canvas, x + 56, y, "register slice")
    canvas.text(x + 104, y + 21, "m_axis", "head", anchor="end")


def _turn(canvas: _Canvas, y: int) -> None:
    """From the end of a row, whose top is y, to the beginning of the next one."""
    end = _LEFT + _COLUMN * (_PER_ROW - 1) + _CARD_W
    for number, lane in enumerate(_LANES):
        right, channel, left = (
            end + 34 - 14 * number,
            y + _CARD_H + 30 - 12 * number,
            108 - 14 * number,
        )
        below = y + _ROW + lane
        canvas.path(
            f"M{end} {y + lane}H{right - 6}q6 0 6 6V{channel - 6}q0 6 -6 6"
            f"H{left + 6}q-6 0 -6 6V{below - 6}q0 6 6 6H{_LEFT - 5}"
        )
        canvas.tip(_LEFT, below)


def _legend(canvas: _Canvas, pipeline: Pipeline, y: int) -> None:
    """What the figures are, and what the whole takes."""
    colours = {"ntt": "forward", "intt": "inverse"}
    x = _PORT
    for direction in pipeline.design.operations:
        canvas.elements.append(
            f'<rect class="{direction}" x="{x}" y="{y - 9}" width="18" height="9" rx="2"/>'
        )
        canvas.text(x + 24, y, colours[direction], "small", anchor="start")
        x += 84
    canvas.text(
        x, y, "beats of each exchange: its commutator's depth", "small soft", anchor="start"
    )
    last = len(pipeline.paths) - 1
    stages = sum(pipeline.stage_latencies)
    edges = sum(pipeline.settle_registers) + EDGE_REGISTERS
    delays = pipeline.latency(last) - (pipeline.beats + stages + edges)
    canvas.text(
        _WIDTH - _PORT,
        y,
        f"latency {pipeline.latency(last):,} = {pipeline.beats:,} beats + {delays:,} of exchanges "
        f"+ {stages} registers of stages + {edges} at the edges",
        "small",
        anchor="end",
    )


def draw(pipeline: Pipeline) -> str:
    """A pipeline as an SVG of 1000 pixels' width, for light and dark backgrounds."""
    design = pipeline.design
    stages = pipeline.depth
    rows = -(-stages // _PER_ROW)
    height = _TOP + rows * _ROW - 48 + 56
    canvas = _Canvas()
    canvas.elements.append(
        f'<rect class="panel" x="0.5" y="0.5" width="{_WIDTH - 1}" height="{height - 1}" rx="12"/>'
    )
    canvas.text(_PORT, 38, design.name, "title", anchor="start")
    width = max(ring.width for ring in pipeline.rings)
    n = pipeline.rings[0].n
    canvas.text(
        _PORT,
        62,
        f"{n:,} coefficients in {pipeline.beats:,} beats of {2 * pipeline.lines} lanes, "
        f"{width} bits each; {_plural(stages, 'stage')} of {_plural(pipeline.lines, 'butterfly')}"
        f"{'; seamless' if design.pipeline.seamless else ''}",
        "soft",
        anchor="start",
    )
    moduli = ", ".join(f"{ring.label} {_short(ring.ring().q)}" for ring in design.rings)
    canvas.text(_WIDTH - _PORT, 38, moduli, "soft", anchor="end")
    turns = {
        f"{before} to {after}": pipeline.turnaround[b][a]
        for b, before in enumerate(design.operations)
        for a, after in enumerate(design.operations)
        if b != a
    }
    if turns:
        words = ", ".join(f"{turn} {idle:,}" for turn, idle in turns.items())
        canvas.text(_WIDTH - _PORT, 62, f"idle beats: {words}", "soft", anchor="end")
    _input(canvas, _TOP)
    for stage in range(stages):
        row, column = divmod(stage, _PER_ROW)
        x, y = _LEFT + _COLUMN * column, _TOP + _ROW * row
        _stage(canvas, pipeline, stage, x, y)
        if stage == stages - 1:
            _output(canvas, x + _CARD_W, y)
        elif column == _PER_ROW - 1:
            _turn(canvas, y)
        else:
            for lane in _LANES:
                canvas.path(f"M{x + _CARD_W} {y + lane}H{x + _COLUMN - 5}")
                canvas.tip(x + _COLUMN, y + lane)
    _legend(canvas, pipeline, height - 24)
    body = "\n".join(canvas.elements)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" role="img" aria-label="{escape(design.name)}">\n'
        f"<!-- SPDX-License-Identifier: Apache-2.0; drawn by nttforge.emit.figure -->\n"
        f"{_style()}\n{body}\n</svg>\n"
    )


def _short(q: int) -> str:
    return str(q) if q < 1 << 64 else f"of {q.bit_length()} bits"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m nttforge.emit.figure", description="Draw a pipeline design."
    )
    parser.add_argument("design", help="a preset's name, or the path of a TOML file")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the SVG to write")
    options = parser.parse_args(arguments)
    try:
        options.output.write_text(draw(work_out(load_design(options.design))), "utf-8")
    except NttforgeError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{options.output}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
