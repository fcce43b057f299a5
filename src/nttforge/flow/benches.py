# SPDX-License-Identifier: Apache-2.0
"""The kinds of core that there are: a line each, and the only place that knows them all."""

from collections.abc import Mapping
from typing import Any

from nttforge.families import Core, DecomposedCore, Hardware, MlkemCore
from nttforge.flow.bench import Bench
from nttforge.flow.decomposed.bench import DecomposedBench
from nttforge.flow.mlkem.bench import MlkemBench
from nttforge.flow.stream.bench import StreamBench

BENCHES: Mapping[type[Hardware], Bench[Any]] = {
    Core: StreamBench(),
    MlkemCore: MlkemBench(),
    DecomposedCore: DecomposedBench(),
}


def bench_of(core: Hardware) -> Bench[Any]:
    """What the verbs do with a core of this kind."""
    return BENCHES[type(core)]
