# SPDX-License-Identifier: Apache-2.0
"""The bench of each kind of core."""

from collections.abc import Mapping
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
    found = (import_module(f"nttforge.flow.{room}.bench").BENCH for room in rooms)
    return {bench.core: bench for bench in found}


def bench_of(core: Hardware) -> Bench[Any]:
    """What the verbs do with a core of this kind."""
    return benches()[type(core)]
