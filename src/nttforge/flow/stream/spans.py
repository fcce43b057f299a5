# SPDX-License-Identifier: Apache-2.0
"""When each stage, or each pass, has its words: derived, as a test compares with what is seen."""

from collections.abc import Callable, Iterator, Mapping

from nttforge.design import Design, Family
from nttforge.draw import timeline
from nttforge.draw.timeline import Span
from nttforge.families import iterative, pipeline
from nttforge.families.core import Operation
from nttforge.families.engine import EXCHANGE_REGISTERS
from nttforge.families.iterative.build import operations_of
from nttforge.families.iterative.engine import Iterative
from nttforge.families.pipeline import Pipeline

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
    operations = pipeline.operations_of(engine)
    other = next((c for c, (_, path) in enumerate(engine.codes) if path), 0)
    found: list[Span] = []
    start, before = 0, None
    for code in (0, 0, other):
        if before is not None:
            start += engine.beats + engine.turnaround[before][code]
        found += _transform(engine, code, operations[code], start)
        before = code
    return found


def iterative_spans(core: Iterative) -> list[Span]:
    """The first operation alone, a row a pass; between passes it waits for its last results."""
    operation, program, waits = operations_of(core)[0], core.programs[0], core.waits[0]
    beats, at = operation.beats, 2 + int(core.deep) + core.read_registers

    def span(unit: str, first: int, length: int) -> Span:
        return Span(unit, operation.name, ((first, first + length - 1),))

    found = [span("in", 0, beats)]
    for number, (step, wait) in enumerate(zip(program.steps, waits, strict=True), start=1):
        length = step.cycles * program.groups
        found.append(span(f"pass {number}: {step.kind}", at, length))
        at += length + wait
    return [*found, span("out", operation.latency - beats, beats)]


#: What is drawn of a design of each family, and what the rows show.
_SPANS: Mapping[Family, tuple[Callable[[Design], list[Span]], str]] = {
    "pipeline": (
        lambda design: pipeline_spans(pipeline.work_out(design)),
        "when words come into each stage's butterflies",
    ),
    "iterative": (
        lambda design: iterative_spans(iterative.work_out(design)),
        "when each pass has the butterflies",
    ),
}


def drawn(design: Design) -> str | None:
    """The timeline of a pipeline or an iterative core as SVG; None of anything else."""
    known = _SPANS.get(design.family)
    if known is None:
        return None
    spans_of, told = known
    found = spans_of(design)
    labels = dict.fromkeys(span.label for span in found)
    kinds = {label: _COLOURS[i % len(_COLOURS)] for i, label in enumerate(labels)}
    units = list(dict.fromkeys(span.unit for span in found))
    author = f"nttforge report {design.name}"
    return timeline.draw(design.name, units, found, kinds=kinds, told=told, author=author)
