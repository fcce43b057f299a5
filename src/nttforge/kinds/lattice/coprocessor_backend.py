# SPDX-License-Identifier: Apache-2.0
"""What the benches of cores for standards have in common: bytes instead of polynomials."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Generic, NoReturn, TypeVar

from pydantic import Field

from nttforge.errors import NttforgeError
from nttforge.flow.backend import Bench, Given, K, Options
from nttforge.flow.prepare import Prepared, Progress
from nttforge.limits import LAST_SEED, LEAST_MEASURED, MOST

C = TypeVar("C")


class Opened(Generic[C]):
    """A simulated coprocessor whose operations are functions; it is compiled and opened once.

    Parameters
    ----------
    kind
        Its class, whose methods are the operations.
    opens
        Compiles and opens it. Called again after a call that did not come to its end, because the
        simulated core is then in the middle of something.
    """

    def __init__(self, kind: type[C], opens: Callable[[], C]) -> None:
        self._kind, self._opens = kind, opens
        self._lock = Lock()
        self._core: C | None = None

    def functions(
        self, names: Iterable[str], find_set: Callable[[str], object]
    ) -> dict[str, Callable[..., Any]]:
        """Methods of the coprocessor, by name.

        Parameters
        ----------
        names
            Of methods whose first argument is a parameter set.
        find_set
            From its number or name to that set; the functions take either.
        """
        return {name: self._function(name, find_set) for name in names}

    def _function(self, name: str, find_set: Callable[[str], object]) -> Callable[..., Any]:
        def call(parameter_set: int | str, *given: Any, **named: Any) -> Any:
            found = find_set(str(parameter_set))
            with self._lock:
                core = self._core or self._opens()
                self._core = None
                try:
                    result = getattr(core, name)(found, *given, **named)
                except NttforgeError:  # refused, before or by an operation that came to its end
                    self._core = core
                    raise
                self._core = core
            return result

        signature = inspect.signature(getattr(self._kind, name))
        _, _, *rest = signature.parameters.values()  # self and the set
        first = next(iter(inspect.signature(call).parameters.values()))
        call.__signature__ = signature.replace(parameters=[first, *rest])  # type: ignore[attr-defined]
        return call


class VerifyOptions(Options):
    """Random cases of each parameter set, and the seed of all data and stalls."""

    count: int = Field(ge=1, le=MOST)
    seed: int = Field(0, ge=0, le=LAST_SEED)


class MeasureOptions(Options):
    """Runs of each operation and set, and the seed of their inputs."""

    count: int = Field(20, ge=LEAST_MEASURED, le=MOST)
    seed: int = Field(0, ge=0, le=LAST_SEED)


class CoprocessorBench(Bench[K]):
    """Of a core from and to bytes, which `measure` runs with all of its operations."""

    measure_options = MeasureOptions

    def run(
        self,
        prepared: Prepared[K],
        sources: Sequence[Path],
        target: Path,
        given: Given,
        progress: Progress,
    ) -> NoReturn:
        """Refuse: seeds, keys and ciphertexts are no polynomials."""
        del sources, target, given, progress
        raise NttforgeError(*prepared.core.no_transforms())
