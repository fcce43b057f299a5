# SPDX-License-Identifier: Apache-2.0
"""The bench of each kind of core."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from nttforge.families import Hardware
from nttforge.flow.bench import Bench
from nttforge.kinds import FAMILIES


@cache
def benches() -> Mapping[type[Hardware], Bench[Any]]:
    """All of them, by the type of core."""
    rooms = {kind.bench for kind in FAMILIES.values()}
    modules = [import_module(f"nttforge.{room}.bench") for room in rooms]
    found = (bench for module in modules for bench in _benches(module))
    return {bench.core: bench for bench in found}


def _benches(module: Any) -> Iterable[Bench[Any]]:
    """One, or several if kinds of core share an implementation."""
    return getattr(module, "BENCHES", None) or (module.BENCH,)


def bench_of(core: Hardware) -> Bench[Any]:
    """What the verbs do with a core of this kind."""
    return benches()[type(core)]
