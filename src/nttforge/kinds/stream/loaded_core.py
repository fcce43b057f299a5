# SPDX-License-Identifier: Apache-2.0
"""The core of a pipeline with loaded moduli, with its driver."""

from dataclasses import replace

from nttforge.design import Design
from nttforge.hw.common import STREAM_PIECES, stream_format
from nttforge.hw.core import StreamCore
from nttforge.hw.drivers import LibraryTemplates
from nttforge.kinds.stream.driver import loaded_driver
from nttforge.kinds.stream.loaded import (
    loads_of,
    operations_of_places,
    ring_of,
    sample_moduli,
    work_out_loaded,
)
from nttforge.kinds.stream.loaded_registers import loaded_registers
from nttforge.rtl_library import sources_of

#: Its library for C programs: the driver reaches streams, and needs no registers.
LIBRARY = LibraryTemplates(
    example="loaded_host_example.c.j2",
    readme="loaded_host_readme.md.j2",
    board="loaded_board.c.j2",
    header="loaded_host.h.j2",
    registers=False,
)

#: What is around a pipeline with registers.
CONTROL = ("ntf_loaded_registers", "ntf_loaded_entry")


def build_loaded(design: Design) -> StreamCore:
    """Make the core of a pipeline whose moduli are loaded.

    Raises NttforgeError if the ring or parameters do not fit.
    """
    pipeline = work_out_loaded(design)
    rings = [ring_of(design, q) for q in sample_moduli(design)]
    operations = operations_of_places(pipeline, rings)
    form = stream_format(
        pipeline.rings, pipeline.lines, len(operations), byte_lanes=pipeline.table.byte_lanes
    )
    stream = replace(form, word_bits=pipeline.moduli.bits, user_bits=pipeline.user_bits)
    registers = loaded_registers() if pipeline.table.registers else None
    variables = {
        "design": design,
        "registers": registers,
        "pipeline": pipeline,
        "engine": pipeline,
        "operations": operations,
        "stream": stream,
        "flush": None,
        "clear": False,
    }
    gaps = pipeline.path_gaps
    paths = len(pipeline.paths)
    codes = range(pipeline.places << pipeline.path_bits)
    path_of = [min(code & (1 << pipeline.path_bits) - 1, paths - 1) for code in codes]
    return StreamCore(
        name=design.module,
        operations=operations,
        stream=stream,
        loads=loads_of(pipeline, rings),
        control=registers,
        library=LIBRARY,
        sources=sources_of("ntf_pipeline", *(CONTROL if registers else ())),
        templates={
            f"{design.module}_pkg.sv": ("loaded_pipeline_pkg.sv.j2", variables),
            f"{design.module}.sv": ("loaded_pipeline_top.sv.j2", variables),
            **loaded_driver(design.module, pipeline, operations, stream),
            "README.md": ("design_readme.md.j2", variables),
        },
        facts={
            "turnaround": tuple(tuple(gaps[a][b] for b in path_of) for a in path_of),
            "intervals": tuple(pipeline.beats for _ in codes),
            "stage_registers": pipeline.stage_latencies,
            "buffer_words": pipeline.buffer_words,
            "multiplier": pipeline.loaded.describe(),
            "loaded": pipeline,
        },
        pieces=STREAM_PIECES,
    )
