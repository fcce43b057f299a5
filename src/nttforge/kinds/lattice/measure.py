# SPDX-License-Identifier: Apache-2.0
"""`measure` of a lattice coprocessor: one result for all standards, cycles seen in simulation."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, SerializerFunctionWrapHandler, model_serializer

from nttforge.results import Measurement, Timed, timed
from nttforge.table import Block, Line, Table


class OperationCycles(BaseModel):
    """One operation of one parameter set, without stalls, as a standard shows it.

    Attributes
    ----------
    columns, legend
        The table's last columns, each with the attribute that it shows; what the columns mean.
    """

    columns: ClassVar[Mapping[str, str]]
    legend: ClassVar[str]


class StandardMeasureResult(Measurement):
    """What `measure` observed, by `SET OPERATION`: `ML-KEM-768 encaps`.

    Attributes
    ----------
    latency_cycles, cycles_per_operation
        Of the last operation of the largest set.
    operations_measured
        Operations that were run in all.
    """

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
    """What `measure` observed of a core of several standards.

    Attributes
    ----------
    parts
        Of each standard, as it is measured alone; in JSON they stand beside the other fields.
    """

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
def measured(design: str, seed: int, observed: Iterator[tuple[str, Any]]) -> StandardMeasureResult:
    """The result of what is observed of the operations, set by set."""
    operations = dict(observed)
    last = list(operations.values())[-1]
    return StandardMeasureResult(
        design=design,
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
