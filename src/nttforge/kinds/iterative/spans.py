# SPDX-License-Identifier: Apache-2.0
"""Cycles in which each pass of an iterative core uses the butterflies, derived."""

from nttforge.draw.timeline import Span
from nttforge.kinds.iterative.build import operations_of
from nttforge.kinds.iterative.engine import Iterative


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
