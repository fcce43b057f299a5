# SPDX-License-Identifier: Apache-2.0
"""From an iterative design to its core, as data."""

from dataclasses import replace

from nttforge.design import Design
from nttforge.families.common import ARITHMETIC, FLUSHER, stream_format, transform
from nttforge.families.core import Core, Flush, Operation
from nttforge.families.iterative.engine import Iterative, work_out
from nttforge.families.shelled import shelled

SOURCES = (
    "prim/prim_pkg.sv",
    "arith/arith_pkg.sv",
    "pipeline/pipeline_pkg.sv",
    "iterative/iterative_pkg.sv",
    "prim/prim_axis_slice.sv",
    "prim/prim_pipe.sv",
    "prim/prim_line.sv",
    "prim/prim_ram_1r1w.sv",
    "prim/prim_rom.sv",
    *ARITHMETIC,
    "arith/mod_negate_halve.sv",
    "pipeline/twiddle_rom.sv",
    "pipeline/butterfly.sv",
    "pipeline/framer.sv",
    "iterative/bank_memory.sv",
    "arith/mul_pair.sv",
    "iterative/butterfly_unit.sv",
    "iterative/pass_control.sv",
    "iterative/iterative_input.sv",
    "iterative/iterative_address.sv",
    "iterative/iterative_operands.sv",
    "iterative/iterative_twiddles.sv",
    "iterative/iterative_output.sv",
    "iterative/ntt_iterative.sv",
)


def operations_of(core: Iterative) -> tuple[Operation, ...]:
    """What it does, in the order of the codes."""
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


@shelled
def build(design: Design) -> Core:
    """Make the core of an iterative design.

    Raises
    ------
    NttforgeError
        If the rings or parameters do not fit.
    """
    iterative = work_out(design)
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
    variables = {
        "design": design,
        "iterative": iterative,
        "operations": operations,
        "stream": stream,
        "flush": flush,
    }
    return Core(
        name=design.module,
        operations=operations,
        stream=stream,
        sources=SOURCES if flush is None else (*SOURCES, *FLUSHER),
        flush=flush,
        templates={
            f"{design.module}_pkg.sv": ("iterative_pkg.sv.j2", variables),
            f"{design.module}.sv": ("iterative_top.sv.j2", variables),
            "README.md": ("design_readme.md.j2", variables),
        },
        facts={
            "intervals": tuple(iterative.interval(operation.code) for operation in operations),
            "contexts": iterative.contexts,
            "pass_latency": iterative.pass_latency,
            "idle_cycles": tuple(sum(waits) for waits in iterative.waits),
            "buffer_words": iterative.words * 2 * iterative.lines,
            "twiddle_words": len(iterative.factors.words),
            "multiplier": iterative.plan.describe(),
        },
    )
