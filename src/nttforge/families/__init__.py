# SPDX-License-Identifier: Apache-2.0
"""Families: from a validated design to a core, as data."""

import dataclasses

from nttforge.design import Design, ShellTable
from nttforge.errors import NttforgeError
from nttforge.families import iterative, pipeline, shell
from nttforge.families.core import Core, Hardware, Operation, StreamFormat
from nttforge.families.decomposed import build as decomposed
from nttforge.families.decomposed.core import LargeCore
from nttforge.families.kem import KemCore

# The module, not its functions: it is written in terms of this package.
from nttforge.mlkem import coprocessor
from nttforge.module_names import clash

__all__ = ["Core", "Hardware", "KemCore", "LargeCore", "Operation", "StreamFormat", "build"]

_TRANSFORMS = {"pipeline": pipeline.build, "iterative": iterative.build}


def build(design: Design) -> Core | KemCore | LargeCore:
    """Make the core of a design: of transforms, or a coprocessor that contains one.

    Raises
    ------
    NttforgeError
        If its rings or parameters do not fit its family, or a file would have the name of one of
        the RTL library.
    """
    core = _built(design)
    found = clash(name for name in core.templates if name.endswith(".sv"))
    if found is not None:
        raise NttforgeError(
            "name", f"{design.name} would make {found}, which the RTL library has", "use another"
        )
    return core


def _built(design: Design) -> Core | KemCore | LargeCore:
    if design.family == "mlkem":
        if design.shell is not None:
            raise NttforgeError("shell", "a coprocessor has none", "leave the table out")
        return coprocessor.build(design)
    if design.family == "decomposed":
        return decomposed.build(design)
    core = _TRANSFORMS[design.family](design)
    return core if design.shell is None else _with_shell(core, design.shell)


def _with_shell(core: Core, table: ShellTable) -> Core:
    """The core, and the memory shell around it."""
    around = shell.build_shell(table, core.name, core.stream)
    variables = {"shell": around, "stream": core.stream, "operations": core.operations}
    return dataclasses.replace(
        core,
        sources=tuple(dict.fromkeys((*core.sources, *shell.SOURCES))),
        templates={
            **core.templates,
            f"{around.top}.sv": ("shell_top.sv.j2", variables),
            f"{around.kernel}.sv": ("shell_kernel.sv.j2", variables),
            "kernel.xml": ("kernel.xml.j2", variables),
            "connectivity.cfg": ("connectivity.cfg.j2", variables),
            "package_kernel.tcl": ("package_kernel.tcl.j2", variables),
            "placement.xdc": ("placement.xdc.j2", variables),
            "ooc.tcl": ("ooc.tcl.j2", variables),
            "ooc.xdc": ("ooc.xdc.j2", variables),
            f"{core.name}.core": ("fusesoc.core.j2", variables),
        },
        shell=around,
    )
