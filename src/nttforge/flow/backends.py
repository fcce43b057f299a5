# SPDX-License-Identifier: Apache-2.0
"""The bench of each kind of core."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from nttforge.flow.backend import Backend
from nttforge.hw import Core
from nttforge.kinds import FAMILIES, part


@cache
def backends() -> Mapping[type[Core], Backend[Any]]:
    """All of them, by the type of core."""
    found = (backend for family in FAMILIES for backend in _backends_of(part(family, "backend")))
    return {backend.core: backend for backend in found}


def _backends_of(module: Any) -> Iterable[Backend[Any]]:
    """One, or several if kinds of core share an implementation."""
    return getattr(module, "BENCHES", None) or (module.BACKEND,)


def backend_of(core: Core) -> Backend[Any]:
    """What the verbs do with a core of this kind."""
    return backends()[type(core)]
