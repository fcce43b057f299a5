# SPDX-License-Identifier: Apache-2.0
"""Cycles in which each stage of a pipeline has words, derived; a test compares with simulation."""

from collections.abc import Iterator, Sequence

from nttforge.design import Design
from nttforge.draw import timeline
from nttforge.draw.timeline import Span
from nttforge.hw.core import Operation
from nttforge.hw.engine import EXCHANGE_REGISTERS
from nttforge.kinds.stream.build import operations_of
from nttforge.kinds.stream.engine import Pipeline

_COLOURS = ("ntt", "intt", "tip")


def _transform(engine: Pipeline, code: int, operation: Operation, start: int) -> Iterator[Span]:
    """A transform whose first beat comes in the cycle `start`, a row a stage."""
    path, beats = engine.codes[code][1], engine.beats

    def span(unit: str, first: int) -> Span:
        return Span(unit, operation.name, ((start + first, start + first + beats - 1),))

    yield span("in", 0)
    at = engine.input_registers
    each = zip(engine.waits(path), engine.stage_latencies, strict=True)
    for stage, (wait, registers) in enumerate(each):
        at += wait
        yield span(f"stage {stage}", at + EXCHANGE_REGISTERS)
        at += registers
    yield span("out", operation.latency - beats)


def pipeline_spans(engine: Pipeline) -> list[Span]:
    """Two transforms of the first kind, and one of the other direction, as close as they may be."""
    operations = operations_of(engine)
    other = next((c for c, (_, path) in enumerate(engine.codes) if path), 0)
    found: list[Span] = []
    start, before = 0, None
    for code in (0, 0, other):
        if before is not None:
            start += engine.beats + engine.turnaround[before][code]
        found += _transform(engine, code, operations[code], start)
        before = code
    return found


def draw_spans(design: Design, spans: Sequence[Span], caption: str) -> str:
    """Spans as SVG, with what a row shows as its caption."""
    labels = dict.fromkeys(span.label for span in spans)
    kinds = {label: _COLOURS[i % len(_COLOURS)] for i, label in enumerate(labels)}
    units = list(dict.fromkeys(span.unit for span in spans))
    author = f"nttforge report {design.name}"
    return timeline.draw(design.name, units, spans, kinds=kinds, caption=caption, author=author)
