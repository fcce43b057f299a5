# SPDX-License-Identifier: Apache-2.0
"""Derived values of a pipeline, as tables for the docs: `nttforge show sheet mlkem-mldsa`."""

from collections.abc import Iterator

from nttforge.design import Design
from nttforge.hw.engine import EXCHANGE_REGISTERS
from nttforge.hw.growth import COOLEY_TUKEY, GENTLEMAN_SANDE, PASS
from nttforge.kinds.stream.build import elaborate
from nttforge.kinds.stream.engine import Pipeline
from nttforge.layout.schedule import padded_delays

_MODES = {PASS: "pass", GENTLEMAN_SANDE: "GS", COOLEY_TUKEY: "CT"}


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _name(pipeline: Pipeline, code: int) -> str:
    ring, path = pipeline.codes[code]
    return f"{pipeline.design.rings[ring].label}.{pipeline.design.directions[path]}"


def stages(pipeline: Pipeline) -> Iterator[str]:
    """A row a stage: delay of each direction, mode and table of each operation."""
    codes = range(len(pipeline.codes))
    directions = pipeline.design.directions
    yield _row(
        "stage",
        *(f"depth, {direction}" for direction in directions),
        "factors",
        *(f"{_name(pipeline, code)}: mode, base, shift" for code in codes),
    )
    yield "|" + "---|" * (2 + len(directions) + len(codes))
    for stage, table in enumerate(pipeline.twiddle_tables):
        cells = (
            f"{_MODES[pipeline.modes[stage][code]]}, {table.base[code]}, {table.shift[code]}"
            for code in codes
        )
        roms = f"{len(table.words)} × {table.depth}" if len(table.words) > 1 else table.depth
        yield _row(stage, *pipeline.delays[stage], roms, *cells)


def latency(pipeline: Pipeline) -> Iterator[str]:
    """The terms of the latency, a row each."""
    yield _row("", *pipeline.design.directions)
    yield "|---|" + "---:|" * len(pipeline.paths)
    count = range(len(pipeline.paths))
    seamless = pipeline.table.seamless
    delays = [
        sum(padded_delays(pipeline.paths) if seamless else path.delays) for path in pipeline.paths
    ]
    yield _row("beats of a transform", *(pipeline.beats for _ in count))
    yield _row("depths of the exchanges", *delays)
    multipliers = sorted({plan.latency - pipeline.short for plan in pipeline.stage_plans})
    parts = (
        f"{EXCHANGE_REGISTERS} exchange + {pipeline.front_registers} front "
        f"+ {' or '.join(map(str, multipliers))} multiplier "
        f"+ {' or '.join(map(str, sorted(set(pipeline.add_latencies))))} adder"
    )
    registers = sum(pipeline.stage_latencies)
    yield _row(f"{pipeline.stages} stages of {parts}", *(registers for _ in count))
    yield _row("rows at the output", *(sum(pipeline.settle_registers) for _ in count))
    edges = "slice and queue" if pipeline.credits else "slices"
    yield _row(f"{edges} at the edges", *(pipeline.edge_registers for _ in count))
    yield _row("**latency, cycles**", *(pipeline.latency(path) for path in count))


def sheet(design: Design) -> str:
    """Stages, latency, buffers, turnarounds and the multiplier of a pipeline, as Markdown."""
    pipeline = elaborate(design)
    turns = [
        f"{before} to {after} {pipeline.turnaround[b][a]}"
        for b, before in enumerate(pipeline.design.directions)
        for a, after in enumerate(pipeline.design.directions)
    ]
    plan = [f"    {line}" for p in pipeline.plans for line in p.describe().splitlines()]
    return "\n".join(
        (
            *stages(pipeline),
            "",
            *latency(pipeline),
            "",
            f"Words in the commutators: {pipeline.buffer_words}. "
            f"Idle cycles between operations: {', '.join(turns)}. The multiplier:",
            "",
            *plan,
        )
    )
