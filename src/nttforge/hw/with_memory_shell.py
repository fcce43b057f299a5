# SPDX-License-Identifier: Apache-2.0
"""A core of streams with the memory shell around it."""

import dataclasses
from collections.abc import Callable

from nttforge.config.shell_table import ShellTable
from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.hw import shell
from nttforge.hw.core import StreamCore
from nttforge.hw.drivers import driver_files
from nttforge.rtl_library import combine, sources_of
from nttforge.targets import Target


def with_memory_shell(build: Callable[[Design], StreamCore]) -> Callable[[Design], StreamCore]:
    """Of a family of stream cores: with the memory shell around it, if the design asks for one."""

    def build_shelled(design: Design) -> StreamCore:
        core = build(design)
        if design.shell is None:
            return core
        keys = {"flush": core.flush is not None, "byte_lanes": core.stream.byte_lanes}
        for key in (key for key, asked in keys.items() if asked):
            raise NttforgeError(
                f"{design.family}.{key}",
                "a core within a memory shell has no ports of its own",
                f"leave {key} or the shell out",
            )
        return _with_shell(core, design.shell, design.target)

    return build_shelled


def _with_shell(core: StreamCore, table: ShellTable, target: Target) -> StreamCore:
    """The core, and the memory shell around it."""
    intervals: tuple[int, ...] = core.facts["intervals"]
    traffic = [
        shell.Traffic(op.operands * op.input_layout.beats, op.beats, intervals[op.code])
        for op in core.operations
    ]
    around = shell.build_shell(table, core.name, core.stream, traffic, target)
    variables = {"shell": around, "stream": core.stream, "operations": core.operations}
    return dataclasses.replace(
        core,
        sources=combine(
            core.sources, sources_of("ntf_prim_rst", "ntf_shell_instance", "ntf_shell_control")
        ),
        templates={
            **core.templates,
            f"{around.top}.sv": ("shell_top.sv.j2", variables),
            **around.vitis.files,
            **driver_files(core.name, "job", around.driver([o.name for o in core.operations])),
        },
        shell=around,
        views=tuple(view.within("gen_instance[0].u_core") for view in core.views),
    )
