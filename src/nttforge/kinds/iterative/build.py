# SPDX-License-Identifier: Apache-2.0
"""From an iterative design to its core, as data."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from nttforge.design import Design
from nttforge.hw.common import stream_core, stream_format, transform
from nttforge.hw.core import Flush, Operation, StreamCore, StreamFormat
from nttforge.hw.view import Case, Tap, port_tap
from nttforge.hw.with_memory_shell import with_memory_shell
from nttforge.kinds.iterative.engine import Iterative, check_factors, elaborate


def operations_of(core: Iterative) -> tuple[Operation, ...]:
    """Operations of the core, in the order of the codes."""
    operations = []
    for code, (ring, name) in enumerate(core.codes):
        layouts = (core.programs[code].input_layout, core.programs[code].output_layout)
        latency = core.latency(code)
        made = transform(core.design, ring, name, code=code, layouts=layouts, latency=latency)
        if core.is_pair(ring):
            made = replace(made, packed_bits=core.word_bits // 2)
        operations.append(made)
    return tuple(operations)


def _flush(core: Iterative) -> Flush:
    """Operations that together write all words that any of them writes, in each context."""
    written = [each.written for each in core.programs]
    missing, codes = set().union(*written), list[int]()
    while missing or not codes:
        best = max(range(len(written)), key=lambda code: len(written[code] & missing))
        codes.append(best)
        missing -= written[best]
    turns = tuple(code for code in codes for _ in range(core.contexts))
    return Flush.behind(turns, sum(core.latency(code) for code in turns))


def _taps(core: Iterative, operations: Sequence[Operation], form: StreamFormat) -> Iterator[Tap]:
    """Ports, butterflies, and what is written to memory."""
    most = max(len(each.steps) for each in core.programs)
    pass_bits = max(1, (most - 1).bit_length())
    passes = {
        op.code << pass_bits | number: Case(
            f"{op.name}, {step.kind} {number}", op.ring, step.way.layout, step.way.mirror
        )
        for op in operations
        for number, step in enumerate(core.programs[op.code].steps)
    }
    issue = 1 + core.read_registers
    written = core.read_registers + core.butterfly_latency + core.write_registers
    lanes = range(form.lanes)
    tap = partial(
        Tap,
        bits=core.residue_bits,
        signed=True,
        code="{u_iterative.op, u_iterative.u_control.mine.pass}",
        code_bits=form.user_bits + pass_bits,
        enable="u_iterative.en",
    )
    yield port_tap(
        "s_axis", form, {o.code: Case(o.name, o.ring, o.input_layout) for o in operations}, stages=0
    )
    yield tap(
        name="butterflies",
        words=tuple(f"u_iterative.operand[{lane}]" for lane in lanes),
        valid="u_iterative.work.live",
        moves="u_iterative.work.live & u_iterative.en",
        cases=passes,
        beat="u_iterative.group",
        late=issue,
        place="butterflies",
    )
    there = f"u_iterative.valid_q[{written}] & ~u_iterative.written.last"
    yield tap(
        name="memory",
        words=tuple(f"u_iterative.back[{lane}]" for lane in lanes),
        valid=there,
        moves=f"{there} & u_iterative.en",
        cases={},
        late=issue + written - core.read_registers,
        place="written to memory",
        addresses=tuple(f"u_iterative.written.addr[{half}]" for half in range(2)),
    )
    out = {o.code: Case(o.name, o.ring, o.output_layout) for o in operations}
    yield port_tap("m_axis", form, out, stages=-1)


@with_memory_shell
def build(design: Design) -> StreamCore:
    """The core of an iterative design, refused as by :func:`elaborate`."""
    iterative = elaborate(design)
    check_factors(iterative)
    operations = operations_of(iterative)
    stream = replace(
        stream_format(
            iterative.rings,
            iterative.lines,
            len(operations),
            byte_lanes=iterative.table.byte_lanes,
        ),
        word_bits=iterative.word_bits,
    )
    flush = _flush(iterative) if iterative.table.flush else None
    facts = {
        "intervals": tuple(iterative.interval(operation.code) for operation in operations),
        "contexts": iterative.contexts,
        "pass_latency": iterative.pass_latency,
        "idle_cycles": tuple(sum(waits) for waits in iterative.waits),
        "buffer_words": iterative.words * 2 * iterative.lines,
        "twiddle_words": len(iterative.factors.words),
        "multiplier": iterative.plan.describe(),
    }
    return stream_core(
        "iterative",
        iterative,
        operations,
        stream,
        flush=flush,
        taps=tuple(_taps(iterative, operations, stream)),
        facts=facts,
    )
