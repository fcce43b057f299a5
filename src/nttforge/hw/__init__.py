# SPDX-License-Identifier: Apache-2.0
"""Families: from a validated design to a core, as data."""

from typing import TypeVar

from nttforge.config.requirements import Requirements
from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.hw.core import Core, Operation, StreamCore, StreamFormat
from nttforge.hw.resources import ResourceEstimate
from nttforge.kinds import part
from nttforge.module_names import clash

__all__ = [
    "Core",
    "Operation",
    "StreamCore",
    "StreamFormat",
    "build",
    "build_kind",
    "estimate",
    "of_kind",
]

K = TypeVar("K", bound=Core)


def build(design: Design) -> Core:
    """Make the core of a design.

    Raises NttforgeError if its rings or parameters do not fit its family, or a file would have the
    name of one of the RTL library.
    """
    core: Core = part(design.family, "build").build(design)
    found = clash(name for name in core.templates if name.endswith(".sv"))
    if found is not None:
        raise NttforgeError(
            "name", f"{design.name} would make {found}, which the RTL library has", "use another"
        )
    return core


def estimate(design: Design, need: Requirements | None = None) -> ResourceEstimate:
    """Estimate of a design before synthesis, by its family.

    - `need`: what its cycles are of, if it asks for key switchings.

    Raises NttforgeError if its rings or parameters do not fit its family, or the need.
    """
    space = part(design.family, "search_space")
    known: ResourceEstimate
    if need is None or need.key_switching is None:
        known = space.estimate(design)
    else:
        known = space.estimate_need(design, need.key_switching, need.mhz)
    return known


def build_kind(design: Design, kind: type[K]) -> K:
    """As :func:`build`, for what works on one kind of core only.

    Raises NttforgeError if the design is of another kind, too.
    """
    core = build(design)
    found = of_kind(core, kind)
    if found is None:
        raise NttforgeError(
            design.name, f"is {core.kind_label}, not {kind.kind_label}", core.usage_hint
        )
    return found


def of_kind(core: Core, kind: type[K]) -> K | None:
    """The core, if it is of this kind."""
    return core if isinstance(core, kind) else None
