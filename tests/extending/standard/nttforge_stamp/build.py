# SPDX-License-Identifier: Apache-2.0
"""From a design to a stamping coprocessor."""

from nttforge.design import Design
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.drivers import command_files
from nttforge.rtl_library import combine, sources_of
from nttforge_stamp.standard import COMMANDS, PROGRAM, SETS, STANDARD


def build(design: Design) -> LatticeCore:
    """The coprocessor: registers, a queue of commands, and a machine of five states."""
    known = {"name": design.module, "program": PROGRAM, "sets": SETS, **COMMANDS.variables(1, 1)}
    return LatticeCore(
        name=design.module,
        standards=(STANDARD,),
        commands=COMMANDS,
        rounds_per_cycle=1,
        transform=design,
        kind_label=STANDARD.kind_label,
        usage_hint=STANDARD.usage_hint,
        library=STANDARD.library,
        sources=combine(sources_of("ntf_command_queue", "ntf_axi_lite_port")),
        templates={
            **command_files(design.module, known, STANDARD),
            f"{design.module}.sv": ("stamp.sv.j2", known),
            "README.md": ("stamp_readme.md.j2", {}),
        },
    )
