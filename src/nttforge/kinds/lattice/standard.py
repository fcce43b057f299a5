# SPDX-License-Identifier: Apache-2.0
"""The standards that a lattice coprocessor can have: those here, and those of other packages."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from nttforge.hw.core import Core
from nttforge.kinds.lattice.mldsa.standard import STANDARD as ML_DSA
from nttforge.kinds.lattice.mlkem.standard import STANDARD as ML_KEM
from nttforge.kinds.lattice.operation import Operation, Standard
from nttforge.kinds.lattice.packages import PACKAGES

__all__ = [
    "ML_DSA",
    "ML_KEM",
    "Operation",
    "Standard",
    "part",
    "part_of",
    "standards",
    "standards_of",
]

Part = Literal["build", "measure", "stimulus", "verify"]


@cache
def standards() -> Mapping[str, Standard]:
    """All of them, by the names that designs have for them."""
    return {
        name: import_module(f"{package}.standard").STANDARD for name, package in PACKAGES.items()
    }


def part(standard: Standard, name: Part) -> Any:
    """A part of a standard's package; what stands for it where the package has none."""
    own = f"{standard.package}.{name}"
    if find_spec(own) is not None:
        return import_module(own)
    return getattr(import_module("nttforge.kinds.lattice.usual"), name)(standard)


@cache
def _by_set() -> Mapping[type, Standard]:
    return {type(each.sets[0]): each for each in standards().values()}


def standard_of(p: object) -> Standard:
    """The standard of a parameter set."""
    return _by_set()[type(p)]


def standards_of(core: Core) -> tuple[Standard, ...]:
    """Those that a core has; none, if it is no lattice coprocessor."""
    found: tuple[Standard, ...] = getattr(core, "standards", ())
    return found


def part_of(core: Core, standard: Standard) -> Standard | None:
    """What a core has of a standard: all of it, some of its operations, or nothing."""
    return next((each for each in standards_of(core) if standard in (each, each.whole)), None)
