# SPDX-License-Identifier: Apache-2.0
"""Families: from a validated design to a core, as data."""

from importlib import import_module
from typing import TypeVar

from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.families.core import Core, Hardware, Operation, StreamFormat
from nttforge.families.decomposed.core import DecomposedCore
from nttforge.families.mldsa.core import MldsaCore
from nttforge.families.mlkem.core import MlkemCore
from nttforge.kinds import FAMILIES
from nttforge.module_names import clash

__all__ = [
    "Core",
    "DecomposedCore",
    "Hardware",
    "MldsaCore",
    "MlkemCore",
    "Operation",
    "StreamFormat",
    "build",
    "build_kind",
]

K = TypeVar("K", bound=Hardware)


def build(design: Design) -> Hardware:
    """Make the core of a design.

    Raises
    ------
    NttforgeError
        If its rings or parameters do not fit its family, or a file would have the name of one of
        the RTL library.
    """
    core: Hardware = import_module(f"{__name__}.{FAMILIES[design.family].core}").build(design)
    found = clash(name for name in core.templates if name.endswith(".sv"))
    if found is not None:
        raise NttforgeError(
            "name", f"{design.name} would make {found}, which the RTL library has", "use another"
        )
    return core


def build_kind(design: Design, kind: type[K]) -> K:
    """As :func:`build`, for what works on one kind of core only.

    Raises
    ------
    NttforgeError
        If the design is of another kind, too.
    """
    core = build(design)
    if not isinstance(core, kind):
        raise NttforgeError(design.name, f"is {core.what}, not {kind.what}", core.instead)
    return core
