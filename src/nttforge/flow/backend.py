# SPDX-License-Identifier: Apache-2.0
"""What the verbs do with one kind of core: the interface that a kind implements once.

A verb looks its bench up by the core (:mod:`nttforge.flow.backends`) and knows nothing else of its
kind. Options come by name, only those that were given: a bench reads them into a model of its own,
and refuses what it has no use for, so none is dropped silently.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from nttforge.calls import plain
from nttforge.design import Design
from nttforge.emit.stimulus import Play
from nttforge.errors import NttforgeError, shown
from nttforge.flow.prepare import Prepared, Progress
from nttforge.hw import Hardware
from nttforge.results import Generated, Measurement, Ran, Verification

#: Options that were given, by name.
Given = Mapping[str, object]
Chosen = TypeVar("Chosen", bound="Options")
K = TypeVar("K", bound=Hardware)


class Options(BaseModel):
    """Options of a verb, as one kind of core takes them."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Bench(ABC, Generic[K]):
    """What can be done with one kind of core. What cannot be done says so itself.

    Attributes
    ----------
    core
        The type of the kind.
    measure_options
        What `measure` takes.
    """

    core: ClassVar[type[Hardware]]
    measure_options: ClassVar[type[Options]]

    def generated(self, core: K, common: Generated) -> Generated:
        """What `generate` tells of a written folder, beside what is common to all."""
        del core
        return common

    @abstractmethod
    def play(self, core: K) -> Play:
        """What the bench in a written folder plays, and what must come out: no simulator helps."""

    @abstractmethod
    def verify(self, prepared: Prepared[K], given: Given, progress: Progress) -> Verification:
        """Compare the RTL with references."""

    @abstractmethod
    def measure(self, prepared: Prepared[K], given: Given, progress: Progress) -> Measurement:
        """Observe cycles in simulation."""

    @abstractmethod
    def run(
        self,
        prepared: Prepared[K],
        sources: Sequence[Path],
        target: Path,
        given: Given,
        progress: Progress,
    ) -> Ran:
        """A user's own data through the simulated RTL, from files to a file."""

    @abstractmethod
    def functions(self, prepared: Prepared[K]) -> Mapping[str, Callable[..., Any]]:
        """What the hardware computes, by name, as functions of arrays or bytes.

        Each call simulates; compiled simulators are kept, so only the first one takes long.
        """

    def drawing(self, design: Design) -> str | None:
        """The engine as SVG, if the kind has a drawing."""
        del design
        return None

    def timeline(self, design: Design) -> str | None:
        """When each part of the engine works, as SVG, if the kind has a drawing."""
        del design
        return None


def one_of_each(name: str) -> Mapping[str, tuple[str, str]]:
    """What `measure` of a core of one size refuses, which does all that it can do."""
    return {
        "operation": (f"{name} is measured with all of its operations", "leave it out"),
        "sizes": (f"{name} has one size", "use it with the decomposed family"),
    }


def read_options(
    model: type[Chosen], given: Given, refused: Mapping[str, tuple[str, str]] = {}
) -> Chosen:
    """Options that were given, as a model.

    Parameters
    ----------
    model
        What the kind of core takes.
    given
        By name.
    refused
        Options that other kinds take -> problem and mend.

    Raises
    ------
    NttforgeError
        Naming the first option that is refused or wrong.
    """
    for name in given:
        if refused and name in refused:
            raise NttforgeError(name, *refused[name])
    try:
        return model.model_validate({name: plain(value) for name, value in given.items()})
    except ValidationError as errors:
        error = errors.errors()[0]
    name, value = str(error["loc"][0]), error["input"]
    if error["type"] == "greater_than_equal":
        raise NttforgeError(name, f"{value} is too few", f"use {error['ctx']['ge']} or more")
    if error["type"] == "less_than_equal":
        problem = f"{shown(value)} is too many"
        raise NttforgeError(name, problem, f"use up to {error['ctx']['le']}")
    if error["type"] == "extra_forbidden":
        raise NttforgeError(name, "is no option here", f"use {', '.join(model.model_fields)}")
    raise NttforgeError(name, f"{value!r}: {error['msg']}", "correct it")
