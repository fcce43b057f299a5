# SPDX-License-Identifier: Apache-2.0
"""The interface that each kind of core implements for the verbs.

A kind refuses options that it has no use for (:meth:`nttforge.options.model.Options.only`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from nttforge.design import Design
from nttforge.emit.stimulus import Stimulus
from nttforge.errors import NttforgeError
from nttforge.flow.memory_jobs import Jobs
from nttforge.flow.prepare import Prepared, Progress
from nttforge.hw import Core
from nttforge.options.verbs import MeasureOptions, RunOptions, VerifyOptions
from nttforge.results import Generated, Measurement, Ran, Verification

K = TypeVar("K", bound=Core)


class Backend(ABC, Generic[K]):
    """The verbs for one kind of core; `has_data`: `measure` takes a seed of its data."""

    core: ClassVar[type[Core]]
    has_data: ClassVar[bool] = True

    def generated(self, core: K, common: Generated) -> Generated:
        """Fields of `generate`'s result that this kind adds."""
        del core
        return common

    @abstractmethod
    def stimulus(self, core: K) -> Stimulus:
        """Stimulus and expected results of a folder's bench, computed without a simulator."""

    @abstractmethod
    def verify(
        self, prepared: Prepared[K], options: VerifyOptions, progress: Progress
    ) -> Verification:
        """Compare the RTL with references."""

    @abstractmethod
    def measure(
        self, prepared: Prepared[K], options: MeasureOptions, progress: Progress
    ) -> Measurement:
        """Observe cycles in simulation."""

    def run(
        self,
        prepared: Prepared[K],
        sources: Sequence[Path],
        target: Path,
        options: RunOptions,
        progress: Progress,
    ) -> Ran:
        """A user's own data through the simulated RTL, from files to a file; of transforms."""
        del sources, target, options, progress
        problem = f"is {prepared.core.kind_label}, which has no transforms to call"
        raise NttforgeError(prepared.design.name, problem, prepared.core.usage_hint)

    @abstractmethod
    def functions(self, prepared: Prepared[K]) -> Mapping[str, Callable[..., Any]]:
        """Operations by name as functions of arrays or bytes; the first call compiles."""

    def jobs(self, core: K) -> Jobs | None:
        """The driver for a board's host; None if the core has no memory jobs."""
        del core
        return None

    def drawing(self, design: Design) -> str | None:
        """The engine as SVG, if the kind has a drawing."""
        del design
        return None

    def timeline(self, design: Design) -> str | None:
        """Activity of the engine's parts over time, as SVG, if the kind has a drawing."""
        del design
        return None


def one_of_each(name: str) -> dict[str, tuple[str, str]]:
    """What `measure` of a core of one size refuses, which is measured with all its operations."""
    return {
        "operation": (f"{name} is measured with all of its operations", "leave it out"),
        "sizes": (f"{name} has one size", "use it with the decomposed family"),
    }
