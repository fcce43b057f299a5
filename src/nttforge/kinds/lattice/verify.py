# SPDX-License-Identifier: Apache-2.0
"""What verifying and measuring a standard have in common: results, cases, and the loops."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared, Progress
from nttforge.flow.trace import Again
from nttforge.flow.vectors import STALLS, Mismatch, Tally, Vector, shown_bytes
from nttforge.hw import Hardware
from nttforge.kinds.lattice.bus import open_core
from nttforge.results import Measurement, Timed, Verification
from nttforge.table import Block, Line, Table


class StandardVerifyResult(Verification):
    """What `verify` did and found.

    Attributes
    ----------
    ok
        Every vector and comparison held.
    cases
        Random ones of each parameter set.
    comparisons
        Answers that were compared in all.
    compared
        By parameter set: how many of what.
    vectors
        NIST's ACVP vectors, all of them.
    oracles
        What random cases were compared with.
    cycles
        Simulated in all of the compared runs, from first to last word.
    mismatches
        The first few, and how many answers were wrong in all.
    violation
        What the hardware did that it must never do, or None.
    """

    hardware: ClassVar[str] = "core"

    seed: int
    cases: int
    comparisons: int
    compared: dict[str, dict[str, int]]
    vectors: int
    oracles: list[str]
    stalls: list[float]
    cycles: int
    wrong_answers: int
    mismatches: list[Mismatch]

    @property
    def verdict(self) -> tuple[str, str]:
        """What was compared, and what is to be said if it did not hold."""
        broken = f"the {self.hardware} did what it must never do"
        bad = f"{self.wrong_answers} of {self.comparisons} answers are wrong"
        return f"{self.comparisons:,} comparisons", broken if self.violation else bad

    def shown(self) -> Iterator[Block]:
        """What was compared with what, and the first answers that differ."""
        kinds = list(dict.fromkeys(kind for row in self.compared.values() for kind in row))
        yield self._table(kinds)
        yield Line(
            f"{self.vectors} vectors of NIST; {self._besides()}{self.cycles:,} cycles simulated; "
            f"ports stall in {', '.join(f'{stall:.0%}' for stall in self.stalls)} of the cycles"
        )
        yield from self.ending(self.mismatches)

    def _table(self, kinds: Sequence[str]) -> Table:
        return Table(
            self._title(),
            ("compared", *self.compared),
            [(kind, *(row.get(kind, 0) for row in self.compared.values())) for kind in kinds],
        )

    def _title(self) -> str:
        return f"{self.design}, seed {self.seed}: compared with {', '.join(self.oracles)}"

    def _besides(self) -> str:
        """What else was compared, for the line below the table."""
        return ""


class StandardMeasureResult(Measurement):
    """What `measure` observed, by `SET OPERATION`: `ML-KEM-768 encaps`.

    Attributes
    ----------
    columns
        The table's last ones, each with the field of an operation that it shows.
    legend
        What the columns mean.
    """

    columns: ClassVar[Mapping[str, str]]
    legend: ClassVar[str]

    latency_cycles: float
    cycles_per_operation: float
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
        yield Table(
            f"{self.design}, cycles observed in simulation",
            (
                *("operation", "latency", "floor", "Keccak works", "to the next command"),
                *self.columns,
            ),
            [
                (
                    *(name, row.latency_cycles, row.floor_cycles, f"{row.keccak_utilisation:.1%}"),
                    row.cycles_per_operation,
                    *(getattr(row, field) for field in self.columns.values()),
                )
                for name, row in self.operations.items()
            ],
        )
        yield Line(self.legend)
        yield from self.times()


@dataclass
class Case:
    """One random case: what it compares is counted."""

    core: Any
    p: Any
    number: int
    seed: int
    tally: Tally

    @property
    def stall(self) -> float:
        """The probability that a port stalls in a cycle."""
        return STALLS[self.number % len(STALLS)]

    def compare(self, what: str, got: bytes, expected: bytes) -> None:
        """Count an answer, and whether it is right."""
        self.tally.compared[self.p.name][what] += 1
        if got != expected:
            shown = (_shown(got), _shown(expected))
            self.tally.differs(self.p.name, what, self.number, self.stall, *shown)


def _shown(data: bytes) -> str:
    """The first bytes; words of ours as they are."""
    if data.startswith((b"refused", b"taken")):
        return data.decode()
    return shown_bytes(data)


def compare_all(
    tally: Tally,
    vectors: Sequence[Vector],
    wrong_answers: Callable[[Vector], list[tuple[str, str, str]]],
    sets: Sequence[Any],
    random_case: Callable[[Any, int, random.Random], object],
    *,
    cases: int,
    seed: int,
    progress: Progress,
    last: Callable[[Any], object] = lambda _: None,
) -> str | None:
    """Vectors, then random cases set by set; what the hardware did that it must never do.

    Parameters
    ----------
    tally
        Counts.
    vectors, wrong_answers
        Published vectors, and what is wrong of one.
    sets, random_case, cases
        Parameter sets; compares one case of a set; how many of each set.
    seed
        Of the cases.
    progress
        Is told how far it has got.
    last
        Done after the cases of each set.
    """
    try:
        progress("NIST's vectors")
        for vector in vectors:
            tally.vector(vector, wrong_answers(vector))
        for p in sets:
            for number in range(cases):
                progress(f"{p.name}, case {number} of {cases}")
                random_case(p, number, random.Random(f"{seed} {p.name} {number}"))
            last(p)
    except FaultError as error:
        tally.stopped()
        return str(error)
    return None


def replay(failed: Any) -> Again | None:
    """The operations that failed, once more: arguments of :meth:`Coprocessor.run_all`."""

    def do(prepared: Prepared[Hardware], progress: Progress) -> None:
        del progress
        requests, stall, seed = failed
        with suppress(FaultError):
            open_core(prepared).run_all(requests, stall=stall, seed=seed)

    return None if failed is None else Again(do)
