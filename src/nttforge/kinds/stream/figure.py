# SPDX-License-Identifier: Apache-2.0
"""Draw an elaborated pipeline: `nttforge show figure mlkem-mldsa -o docs/mlkem-mldsa.svg`."""

from nttforge.design import Design
from nttforge.draw.canvas import Canvas
from nttforge.draw.step_page import Spot
from nttforge.hw.growth import PASS
from nttforge.kinds.stream.build import elaborate
from nttforge.kinds.stream.config import PipelineTable
from nttforge.kinds.stream.engine import Pipeline

_WIDTH = 1000
_PER_ROW = 4
_CARD_W, _CARD_H = 170, 196
_COLUMN = 188  # from one card to the next
_LEFT = 133  # of the first card
_TOP = 96  # of the first row
_ROW = _CARD_H + 48
_LANES = (66, 112)  # of the two halves of a beat, below a card's top
_PORT = 24


def _plural(count: int, noun: str) -> str:
    plural = "butterflies" if noun == "butterfly" else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def _exchange(canvas: Canvas, pipeline: Pipeline, stage: int, x: int, y: int) -> None:
    """Alignment of each direction's pairs: beats of a commutator, or wires."""
    directions = pipeline.design.directions
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


def _butterfly(canvas: Canvas, x: int, upper: int, lower: int) -> None:
    """Two lanes that cross, with the one multiplier on the second of them."""
    canvas.path(f"M{x} {upper}H{x + 58}M{x} {lower}H{x + 58}")
    canvas.path(f"M{x + 26} {upper}L{x + 50} {lower}M{x + 26} {lower}L{x + 50} {upper}")
    canvas.circle(x + 11, lower, 9, "×")


def _stage(canvas: Canvas, pipeline: Pipeline, stage: int, x: int, y: int) -> None:
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
    canvas.tip(x + 105, lower + 9, "up")
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


def _edge(canvas: Canvas, x: int, y: int, words: str) -> None:
    canvas.box(x, y + _LANES[0] - 32, 26, 110, "edge")
    canvas.text(x + 17, y + _LANES[0] + 23, words, "small", turn=True)


def _input(canvas: Canvas, y: int) -> None:
    for lane in _LANES:
        canvas.path(f"M{_PORT} {y + lane}H{_PORT + 15}M70 {y + lane}H80M106 {y + lane}H{_LEFT}")
        canvas.tip(_PORT + 20, y + lane)
    canvas.text(_PORT, y + 21, "s_axis", "head", anchor="start")
    _edge(canvas, 44, y, "register slice")
    _edge(canvas, 80, y, "framer")


def _output(canvas: Canvas, x: int, y: int, words: str) -> None:
    """Drawing after the last card, which ends at x; `words` describes the port."""
    for lane in _LANES:
        canvas.path(f"M{x} {y + lane}H{x + 20}M{x + 46} {y + lane}h10M{x + 82} {y + lane}h15")
        canvas.tip(x + 102, y + lane)
    _edge(canvas, x + 20, y, "to [0, q), order")
    _edge(canvas, x + 56, y, words)
    canvas.text(x + 104, y + 21, "m_axis", "head", anchor="end")


def _turn(canvas: Canvas, y: int) -> None:
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


def _legend(canvas: Canvas, pipeline: Pipeline, y: int) -> None:
    """Legend of the figures, and total resources."""
    colours = {"ntt": "forward", "intt": "inverse"}
    x = _PORT
    for direction in pipeline.design.directions:
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
    edges = sum(pipeline.settle_registers) + pipeline.edge_registers
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
    stages = pipeline.stages
    rows = -(-stages // _PER_ROW)
    height = _TOP + rows * _ROW - 48 + 56
    canvas = Canvas()
    canvas.text(_PORT, 38, design.name, "title", anchor="start")
    width = max(ring.width for ring in pipeline.rings)
    n = pipeline.rings[0].n
    canvas.text(
        _PORT,
        62,
        f"{n:,} coefficients in {pipeline.beats:,} beats of {2 * pipeline.lines} lanes, "
        f"{width} bits each; {_plural(stages, 'stage')} of {_plural(pipeline.lines, 'butterfly')}"
        f"{'; seamless' if design.table(PipelineTable).seamless else ''}",
        "soft",
        anchor="start",
    )
    moduli = ", ".join(f"{ring.label} {_short(ring.ring().q)}" for ring in design.rings)
    canvas.text(_WIDTH - _PORT, 38, moduli, "soft", anchor="end")
    turns = {
        f"{before} to {after}": pipeline.turnaround[b][a]
        for b, before in enumerate(design.directions)
        for a, after in enumerate(design.directions)
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
            port = f"queue, {pipeline.credits:,} beats" if pipeline.credits else "register slice"
            _output(canvas, x + _CARD_W, y, port)
        elif column == _PER_ROW - 1:
            _turn(canvas, y)
        else:
            for lane in _LANES:
                canvas.path(f"M{x + _CARD_W} {y + lane}H{x + _COLUMN - 5}")
                canvas.tip(x + _COLUMN, y + lane)
    _legend(canvas, pipeline, height - 24)
    return canvas.svg(_WIDTH, height, design.name, "nttforge show figure")


def spots(pipeline: Pipeline) -> dict[str, Spot]:
    """Rectangles of words in the drawing, by the place names of `show flow`."""
    first, last = _LANES[0] - 24, pipeline.stages - 1
    high = _LANES[1] - _LANES[0] + 50
    found = {"input port": Spot(4, _TOP + first, 38, high)}
    for stage in range(pipeline.stages):
        row, column = divmod(stage, _PER_ROW)
        x, y = _LEFT + _COLUMN * column, _TOP + _ROW * row + first
        found[f"to the butterflies of stage {stage}"] = Spot(x + 13, y, 64, high)
        found[f"butterflies of stage {stage}"] = Spot(x + 80, y, 36, high)
        found[f"computed by butterflies of stage {stage}"] = Spot(x + 118, y, 34, high)
        found[f"behind stage {stage}"] = Spot(x + 153, y, 17, high)
    x, y = (_LEFT + _COLUMN * (last % _PER_ROW) + _CARD_W, _TOP + _ROW * (last // _PER_ROW) + first)
    found["to the output port"] = Spot(x + 20, y, 62, high)
    found["output port"] = Spot(x + 84, y, 38, high)
    return found


def _short(q: int) -> str:
    return str(q) if q < 1 << 64 else f"of {q.bit_length()} bits"


def figure(design: Design) -> str:
    """:func:`draw` of a pipeline design."""
    return draw(elaborate(design))
