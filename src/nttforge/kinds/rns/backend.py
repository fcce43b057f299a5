# SPDX-License-Identifier: Apache-2.0
"""The backend of engines of key switching."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from nttforge.emit.stimulus import Stimulus
from nttforge.errors import NttforgeError
from nttforge.flow.backend import Backend
from nttforge.flow.prepare import Prepared, Progress
from nttforge.kinds.rns.calls import FUNCTIONS
from nttforge.kinds.rns.core import RnsCore
from nttforge.kinds.rns.machine import Machine
from nttforge.kinds.rns.measure import RnsMeasurement, measure
from nttforge.kinds.rns.run import RnsRan, run
from nttforge.kinds.rns.stimulus import stimulus
from nttforge.kinds.rns.verify import RnsVerification, verify
from nttforge.options.verbs import MeasureOptions, RunOptions, VerifyOptions
from nttforge.standards.rns.basis import Array


class RnsBackend(Backend[RnsCore]):
    """Engines of key switching."""

    core = RnsCore

    def stimulus(self, core: RnsCore) -> Stimulus:
        """Moduli, and a division."""
        return stimulus(core)

    def verify(
        self, prepared: Prepared[RnsCore], options: VerifyOptions, progress: Progress
    ) -> RnsVerification:
        """Drawn cases of each operation beside the exact references."""
        return verify(prepared, options.count, options.seed or 0, progress)

    def measure(
        self, prepared: Prepared[RnsCore], options: MeasureOptions, progress: Progress
    ) -> RnsMeasurement:
        """Each operation at the highest level; or several calls of key switching, with one key."""
        options.only(MeasureOptions, "seed", "count")
        return measure(prepared, options.seed or 0, options.count, progress)

    def run(
        self,
        prepared: Prepared[RnsCore],
        sources: Sequence[Path],
        target: Path,
        options: RunOptions,
        progress: Progress,
    ) -> RnsRan:
        """An operation of a JSON file."""
        options.only(RunOptions, "operation")
        if len(sources) > 1:
            raise NttforgeError("--input", "there are several", "name one file")
        return run(prepared, sources[0], target, options.operation, progress)

    def functions(self, prepared: Prepared[RnsCore]) -> Mapping[str, Callable[..., Any]]:
        """Operations of polynomials."""
        return {name: partial(_call, prepared, name) for name in FUNCTIONS}


def _call(prepared: Prepared[RnsCore], name: str, *given: Any, **named: Any) -> list[Array]:
    with Machine.of(prepared) as machine:
        return FUNCTIONS[name](machine, *given, **named)


BACKEND = RnsBackend()
