# SPDX-License-Identifier: Apache-2.0
"""Families: from a validated design to a core, as data."""

import dataclasses
from collections.abc import Callable, Mapping

from nttforge.design import Design, Family, ShellTable
from nttforge.errors import NttforgeError
from nttforge.families import iterative, pipeline, shell
from nttforge.families.core import Core, Hardware, Operation, StreamFormat
from nttforge.families.decomposed import build as decomposed
from nttforge.families.decomposed.core import DecomposedCore
from nttforge.families.drivers import driver_files
from nttforge.families.mlkem import build as mlkem
from nttforge.families.mlkem.core import MlkemCore
from nttforge.module_names import clash

__all__ = [
    "FAMILIES",
    "Core",
    "DecomposedCore",
    "Hardware",
    "MlkemCore",
    "Operation",
    "StreamFormat",
    "build",
]


def build(design: Design) -> Hardware:
    """Make the core of a design.

    Raises
    ------
    NttforgeError
        If its rings or parameters do not fit its family, or a file would have the name of one of
        the RTL library.
    """
    core = FAMILIES[design.family](design)
    found = clash(name for name in core.templates if name.endswith(".sv"))
    if found is not None:
        raise NttforgeError(
            "name", f"{design.name} would make {found}, which the RTL library has", "use another"
        )
    return core


def _with_shell(core: Core, table: ShellTable) -> Core:
    """The core, and the memory shell around it."""
    intervals: tuple[int, ...] = core.facts["intervals"]  # type: ignore[assignment]
    traffic = [
        shell.Traffic(op.operands * op.input_layout.beats, op.beats, intervals[op.code])
        for op in core.operations
    ]
    around = shell.build_shell(table, core.name, core.stream, traffic)
    variables = {"shell": around, "stream": core.stream, "operations": core.operations}
    return dataclasses.replace(
        core,
        sources=tuple(dict.fromkeys((*core.sources, *shell.SOURCES))),
        templates={
            **core.templates,
            f"{around.top}.sv": ("shell_top.sv.j2", variables),
            "kernel.xml": ("kernel.xml.j2", variables),
            "connectivity.cfg": ("connectivity.cfg.j2", variables),
            "package_kernel.tcl": ("package_kernel.tcl.j2", variables),
            "placement.xdc": ("placement.xdc.j2", variables),
            "ooc.tcl": ("ooc.tcl.j2", variables),
            **driver_files(core.name, "job", around.header([o.name for o in core.operations])),
        },
        shell=around,
    )


def _streams(build_core: Callable[[Design], Core]) -> Callable[[Design], Core]:
    """Of a family of stream cores: with the memory shell around it, if the design asks for one."""

    def build_shelled(design: Design) -> Core:
        core = build_core(design)
        return core if design.shell is None else _with_shell(core, design.shell)

    return build_shelled


#: How each family makes its core.
FAMILIES: Mapping[Family, Callable[[Design], Hardware]] = {
    "pipeline": _streams(pipeline.build),
    "iterative": _streams(iterative.build),
    "decomposed": decomposed.build,
    "mlkem": mlkem.build,
}
