# SPDX-License-Identifier: Apache-2.0
"""`measure` of a lattice coprocessor: one loop and one result for all standards."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel, SerializerFunctionWrapHandler, model_serializer

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, silent
from nttforge.kinds.lattice.bus import Coprocessor, Request, Run, request_of
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.operation import Standard, Values
from nttforge.results import Measurement, Timed, timed
from nttforge.table import Block, Line, Table


class OperationCycles(BaseModel):
    """One operation of one parameter set, without stalls.

    - `columns`, `legend`: the table's last columns, each with the attribute that it shows; what the
      columns mean.
    - `latency_cycles`: first input word to last output word, both counted, of the first run.
    - `cycles_per_operation`: from a command to the next one, if they wait one after the other.
    - `keccak_cycles`, `keccak_utilisation`: of the latency, the cycles in which Keccak worked; of
      several cores, the first one.
    - `floor_cycles`: what the permutations alone take, which the cores share; if that is not known,
      the cycles in which Keccak worked.
    - `latency_longest`: of all runs.
    - `runs`: with different seeds.
    """

    columns: ClassVar[Mapping[str, str]] = {"longest latency": "latency_longest", "runs": "runs"}
    legend: ClassVar[str] = "floor: the cycles in which Keccak works"

    latency_cycles: int | float
    cycles_per_operation: int | float
    keccak_cycles: int
    keccak_utilisation: float
    floor_cycles: int
    latency_longest: int
    runs: int


class Measured(NamedTuple):
    """One operation of a set: requests in batches, and the row of their runs."""

    p: Any
    operation: str
    batches: Sequence[Sequence[Request]]
    row: Callable[[Sequence[Sequence[Run]]], Any]


class Measures:
    """Measurements of a standard: each operation alone, with random values."""

    row_type: ClassVar[type[OperationCycles]] = OperationCycles

    def __init__(self, standard: Standard, core: LatticeCore, operation: str | None = None) -> None:
        self.standard, self.core = standard, core
        *first, last = known = self.known()
        if operation is not None and operation not in known:
            hint = f"use {', '.join(first)} or {last}"
            raise NttforgeError("operation", f"there is no {operation!r}", hint)
        self.names = known if operation is None else [operation]

    def known(self) -> list[str]:
        """Names of the operations, in the order of the result."""
        return [*self.standard.operations]

    def values(self, p: Any, rng: random.Random, runs: int) -> list[Values]:
        """Of each run."""
        return [self.standard.example(p, rng) for _ in range(runs)]

    def floor(self, operation: str, p: Any) -> int | None:
        """Cycles of Keccak's permutations alone; None if unknown."""
        del operation, p
        return None

    def operations(self, rng: random.Random, runs: int) -> Iterator[Measured]:
        """All of them, set by set."""
        for p in self.standard.sets:
            given = self.values(p, rng, runs)
            for name in self.names:
                asked = [request_of(name, p, each, checks=self.core.checks) for each in given]
                batches = [*([each] for each in asked), asked[:1] * 2]
                yield Measured(p, name, batches, partial(self._row, self.floor(name, p)))

    def _row(self, floor: int | None, ran: Sequence[Sequence[Run]]) -> OperationCycles:
        *alone, two = ran
        run = alone[0][0]
        return self.row_type(
            latency_cycles=run.cycles,
            cycles_per_operation=sum(each.occupied for each in two) - run.occupied,
            keccak_cycles=run.keccak_cycles,
            keccak_utilisation=round(run.keccak_cycles / max(1, run.cycles), 4),
            floor_cycles=run.keccak_cycles if floor is None else floor,
            latency_longest=max(each.cycles for (each,) in alone),
            runs=len(alone),
        )


class StandardMeasureResult(Measurement):
    """Measurements, by `SET OPERATION`: `ML-KEM-768 encaps`."""

    latency_cycles: int | float
    cycles_per_operation: int | float
    operations_measured: int
    operations: dict[str, Any]
    seed: int

    @property
    def timed(self) -> dict[str, Timed]:
        """Each operation of each set."""
        return {
            name: Timed(row.latency_cycles, row.cycles_per_operation)
            for name, row in self.operations.items()
        }

    def shown(self) -> Iterator[Block]:
        """Cycles of each operation and set."""
        kind = next(iter(self.operations.values()))
        yield Table(
            f"{self.design}, cycles observed in simulation",
            (
                *("operation", "latency", "floor", "Keccak works", "to the next command"),
                *kind.columns,
            ),
            [
                (
                    *(name, row.latency_cycles, row.floor_cycles, f"{row.keccak_utilisation:.1%}"),
                    row.cycles_per_operation,
                    *(getattr(row, field) for field in kind.columns.values()),
                )
                for name, row in self.operations.items()
            ],
        )
        yield Line(kind.legend)
        yield from self.times()


def flat(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Of a result of several standards: each standard's own beside the other fields."""
    made: dict[str, Any] = {}
    for name, value in fields.items():
        made |= value if name == "parts" else {name: value}
    return made


class SeveralMeasureResult(Measurement):
    """Measurements of several standards, as alone."""

    parts: dict[str, StandardMeasureResult]

    @model_serializer(mode="wrap")
    def _flat(self, given: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return flat(given(self))

    @property
    def timed(self) -> dict[str, Timed]:
        """Each operation of each set."""
        return {name: row for part in self.parts.values() for name, row in part.timed.items()}

    def shown(self) -> Iterator[Block]:
        """Cycles of each operation and set, standard by standard."""
        for part in self.parts.values():
            yield from part.shown()
        yield from self.times()


@timed
def measure_standard(
    measures: Measures,
    opened: Coprocessor,
    *,
    runs: int = 20,
    seed: int = 0,
    progress: Progress = silent,
) -> StandardMeasureResult:
    """Count the cycles of every set's operations without stalls, `runs` of each."""
    operations: dict[str, Any] = {}
    for each in measures.operations(random.Random(seed), runs):
        progress(f"{each.p.name}, {runs} times {each.operation}")
        ran = [opened.run_all(batch) for batch in each.batches]
        operations[f"{each.p.name} {each.operation}"] = last = each.row(ran)
    return StandardMeasureResult(
        design=measures.core.name,
        latency_cycles=last.latency_cycles,
        cycles_per_operation=last.cycles_per_operation,
        operations_measured=sum(row.runs for row in operations.values()),
        operations=operations,
        seed=seed,
    )


@timed
def several(
    design: str, parts: Iterator[tuple[str, StandardMeasureResult]]
) -> SeveralMeasureResult:
    """The result of what is observed of the standards."""
    return SeveralMeasureResult(design=design, parts=dict(parts))
