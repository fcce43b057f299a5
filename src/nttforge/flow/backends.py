# SPDX-License-Identifier: Apache-2.0
"""The bench of each kind of core."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from nttforge.flow.backend import Bench
from nttforge.hw import Hardware
from nttforge.kinds import FAMILIES, part


@cache
def benches() -> Mapping[type[Hardware], Bench[Any]]:
    """All of them, by the type of core."""
    found = (bench for family in FAMILIES for bench in _benches(part(family, "backend")))
    return {bench.core: bench for bench in found}


def _benches(module: Any) -> Iterable[Bench[Any]]:
    """One, or several if kinds of core share an implementation."""
    return getattr(module, "BENCHES", None) or (module.BENCH,)


def bench_of(core: Hardware) -> Bench[Any]:
    """What the verbs do with a core of this kind."""
    return benches()[type(core)]
