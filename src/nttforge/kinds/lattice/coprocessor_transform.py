# SPDX-License-Identifier: Apache-2.0
"""The transform inside a coprocessor: checks of the design, and the design of the transform."""

from collections.abc import Sequence

from nttforge.design import Design, load_design
from nttforge.errors import NttforgeError
from nttforge.hw.core import StreamCore
from nttforge.hw.drivers import Files
from nttforge.ring.presets import find_preset
from nttforge.targets import Target

#: Modules between registers on AXI4-Lite and a core.
HOST_MODULES = ("ntf_command_queue", "ntf_axi_lite_port")


def own_rings(design: Design, presets: Sequence[str], standard: str) -> None:
    """See that the rings of a coprocessor's design are the standard's."""
    if design.shell is not None:
        raise NttforgeError("shell", "a coprocessor has none", "leave the table out")
    rings = [find_preset(preset).ring for preset in presets]
    if [table.ring() for table in design.rings] != rings:
        number = "one ring" if len(rings) == 1 else f"{len(rings)} rings"
        hint = ", ".join(f'{{ preset = "{preset}" }}' for preset in presets)
        raise NttforgeError("rings", f"{standard} has {number}", f"use [{hint}]")
    if design.operations != ("ntt", "intt"):
        raise NttforgeError("operations", f"{standard} needs both directions", "leave the key out")


def transform_design(ring: str, name: str, butterflies: int, target: Target = "xcup") -> Design:
    """The design of the transform inside the coprocessor `name`; `ring` is a preset."""
    inner = load_design(
        ring,
        {
            "target": target,
            "pipeline.butterflies": butterflies,
            # Five registers a stage: their number is on the way of every operation.
            "pipeline.adders_per_stage": 4,
            "pipeline.fused": True,
        },
    )
    # Parts are called after the whole, so that no two coprocessors share a name. It may be longer
    # than a user's.
    return inner.model_copy(update={"name": f"{name}-transform"})


def transform_files(transform: StreamCore) -> Files:
    """Its templates, with a port that clears it; its README describes ports that are internal."""
    files = {name: of for name, of in transform.templates.items() if name != "README.md"}
    top = f"{transform.name}.sv"
    template, variables = files[top]
    return files | {top: (template, {**variables, "clear": True})}
