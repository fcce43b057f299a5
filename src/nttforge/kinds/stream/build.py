# SPDX-License-Identifier: Apache-2.0
"""The pipeline family: a row of butterflies for every stage, a beat every cycle.

With one butterfly a stage it is the radix-2 multi-path delay commutator of the ML-KEM/ML-DSA
engine (papers: R2MDC, section 4); with several it is StreamNTT's array of line- and cross-mapped
stages (StreamNTT, section IV-B). Which is which follows from the layouts: see docs/pipeline.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise, permutations, repeat

from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.hw.common import (
    NO_REGISTERS,
    check_shape,
    check_transforms_only,
    stream_core,
    stream_format,
    transform,
)
from nttforge.hw.core import Core, Flush, Operation, StreamCore, StreamFormat
from nttforge.hw.growth import LIMITS
from nttforge.hw.view import Case, Tap, port_tap
from nttforge.hw.with_memory_shell import with_memory_shell
from nttforge.kinds.stream.chain import build_chain
from nttforge.kinds.stream.config import PipelineTable
from nttforge.kinds.stream.engine import Pipeline, butterflies
from nttforge.kinds.stream.loaded import is_loaded
from nttforge.kinds.stream.loaded_core import build_loaded
from nttforge.layout.layout import Layout
from nttforge.reduction import plan_multiplier


def elaborate(design: Design) -> Pipeline:
    """Check a pipeline design and derive everything from its layouts.

    Raises NttforgeError if the rings or parameters do not fit.
    """
    table = design.table(PipelineTable)
    rings = tuple(ring.ring() for ring in design.rings)
    check_transforms_only(design, "the pipeline")
    if table.twiddles != "tables":
        problem = "only factors of loaded moduli are made"
        raise NttforgeError("pipeline.twiddles", problem, 'use q = "runtime", or leave it out')
    if table.registers:
        problem = "only loaded moduli have registers of their own"
        raise NttforgeError("pipeline.registers", problem, 'use q = "runtime", or leave it out')
    check_shape("pipeline", rings, butterflies(design, rings))
    pipelines = []
    for limit in LIMITS:
        plan = plan_multiplier(
            [ring.q for ring in rings],
            kind=table.reduction,
            adders_per_stage=NO_REGISTERS if table.short else table.adders_per_stage,
            target=design.target,
            prefer=design.prefer,
            limit=limit,
            reach=max(ring.width for ring in rings),
        )
        pipelines.append(Pipeline(design, rings, plan))
        if not any(pipelines[-1].growth.nearer):
            break  # A multiplier that takes more would change nothing.
    return min(pipelines, key=lambda pipeline: pipeline.area)


def operations_of(pipeline: Pipeline) -> tuple[Operation, ...]:
    """Its operations, by code."""
    operations = []
    for code, (ring, path) in enumerate(pipeline.codes):
        direction, route = pipeline.design.directions[path], pipeline.paths[path]
        layouts = (route.input_layout, pipeline.output_layouts[path])
        latency = pipeline.latency(path)
        operations.append(
            transform(pipeline.design, ring, direction, code=code, layouts=layouts, latency=latency)
        )
    return tuple(operations)


def _flush(pipeline: Pipeline) -> Flush:
    """An operation of each path, in the order that waits least: each exchange at all depths."""
    paths = [path for _, path in pipeline.codes]

    def zeros(order: Sequence[int]) -> int:
        idle = sum(pipeline.path_gaps[before][after] for before, after in pairwise(order))
        return idle + (len(order) - 1) * pipeline.beats + pipeline.latency(order[-1])

    best = min(permutations(range(len(pipeline.paths))), key=zeros)
    # Then as many as overwrite each place of a queue at the output.
    more = -(-pipeline.credits // pipeline.beats) - len(best)
    order = (*best, *repeat(best[-1], more))
    return Flush.behind(tuple(paths.index(path) for path in order), zeros(order))


def taps(pipeline: Pipeline, operations: Sequence[Operation], form: StreamFormat) -> Iterator[Tap]:
    """Ports, butterflies, and what leaves these."""

    paths = [pipeline.paths[path] for _, path in pipeline.codes]

    def cases(layouts: Iterable[Layout]) -> dict[int, Case]:
        each = zip(operations, layouts, strict=True)
        return {op.code: Case(op.name, op.ring, layout) for op, layout in each}

    yield port_tap("s_axis", form, cases(op.input_layout for op in operations), stages=0)
    for stage in range(pipeline.stages):
        unit = f"u_pipeline.gen_stage[{stage + 1}]"
        tap = partial(
            Tap,
            code_bits=form.user_bits,
            cases=cases(way.stages[stage].layout for way in paths),
            signed=True,
            enable="u_pipeline.en",
        )
        half = form.lanes // 2
        yield tap(
            name=f"butterflies_{stage}",
            words=tuple(
                f"{unit}.gen_next.u_stage.pairs[{lane % half}][{lane // half}]"
                for lane in range(form.lanes)
            ),
            bits=pipeline.growth.widths[stage],
            valid=f"{unit}.gen_next.u_stage.pairs_valid",
            moves=f"{unit}.gen_next.u_stage.pairs_valid & u_pipeline.en",
            code=f"{unit}.gen_next.u_stage.op",
            beat=f"{unit}.gen_next.u_stage.beat",
            stages=stage,
            place=f"butterflies of stage {stage}",
        )
        yield tap(
            name=f"behind_{stage}",
            words=tuple(f"{unit}.data[{lane}]" for lane in range(form.lanes)),
            bits=pipeline.growth.widths[stage + 1],
            valid=f"u_pipeline.valid[{stage + 1}]",
            moves=f"u_pipeline.valid[{stage + 1}] & u_pipeline.en",
            code=f"u_pipeline.tag[{stage + 1}][{form.user_bits - 1}:0]",
            stages=stage + 1,
            place=f"behind stage {stage}",
        )
    out = cases(op.output_layout for op in operations)
    yield port_tap("m_axis", form, out, stages=pipeline.stages)


def build(design: Design) -> Core:
    """The core of a pipeline design, refused as by :func:`elaborate`."""
    if is_loaded(design) and "polymul" in design.operations:
        return build_chain(design)
    return build_transforms(design)


@with_memory_shell
def build_transforms(design: Design) -> StreamCore:
    """The core of a design that has no products, refused as by :func:`elaborate`."""
    if is_loaded(design):
        return build_loaded(design)
    pipeline = elaborate(design)
    operations = operations_of(pipeline)
    stream = stream_format(
        pipeline.rings, pipeline.lines, len(operations), byte_lanes=pipeline.table.byte_lanes
    )
    flush = _flush(pipeline) if pipeline.table.flush else None
    facts = {
        "turnaround": pipeline.turnaround,
        "intervals": tuple(pipeline.beats for _ in operations),
        "stage_registers": pipeline.stage_latencies,
        "buffer_words": pipeline.buffer_words,
        "multiplier": "\n".join(plan.describe() for plan in pipeline.plans),
    }
    return stream_core(
        "pipeline",
        pipeline,
        operations,
        stream,
        flush=flush,
        taps=tuple(taps(pipeline, operations, stream)),
        facts=facts,
    )
