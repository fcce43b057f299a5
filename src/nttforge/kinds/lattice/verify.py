# SPDX-License-Identifier: Apache-2.0
"""`verify` of a lattice coprocessor: one loop and one result for all standards."""

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any, ClassVar

from pydantic import SerializeAsAny, SerializerFunctionWrapHandler, model_serializer

from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.trace import Replay
from nttforge.flow.vectors import STALLS, Mismatch, Tally, Vector, shown_bytes
from nttforge.hw import Core
from nttforge.kinds.lattice import standard as standards
from nttforge.kinds.lattice.bus import Coprocessor, Request, Run, open_core, request_of
from nttforge.kinds.lattice.measure import flat
from nttforge.kinds.lattice.operation import Standard, Values
from nttforge.results import Verification, timed
from nttforge.table import Block, Cell, Line, Table


def compared_words(
    hardware: str, compared: int, wrong: int, violation: str | None
) -> tuple[str, str]:
    """What was compared, and what is to be said if it did not hold."""
    broken = f"the {hardware} did what it must never do"
    bad = f"{wrong} of {compared} answers are wrong"
    return f"{compared:,} comparisons", broken if violation else bad


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
    hardware, corner, sets_down
        What it is called, and the table's first cell; whether its rows are sets.
    """

    hardware: ClassVar[str] = "core"
    corner: ClassVar[str] = "compared"
    sets_down: ClassVar[bool] = False

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
        counts = (self.comparisons, self.wrong_answers)
        return compared_words(self.hardware, *counts, self.violation)

    def shown(self) -> Iterator[Block]:
        """What was compared with what, and the first answers that differ."""
        kinds = dict.fromkeys(kind for row in self.compared.values() for kind in row)
        rows: list[tuple[Cell, ...]] = [(self.corner, *self.compared)]
        rows += [(kind, *(row.get(kind, 0) for row in self.compared.values())) for kind in kinds]
        columns, *rows = zip(*rows, strict=True) if self.sets_down else rows
        title = f"{self.design}, seed {self.seed}: compared with {', '.join(self.oracles)}"
        yield Table(title, [str(name) for name in columns], rows)
        yield Line(
            f"{self.vectors} vectors of NIST; {self._besides()}{self.cycles:,} cycles simulated; "
            f"ports stall in {', '.join(f'{stall:.0%}' for stall in self.stalls)} of the cycles"
        )
        yield from self.ending(self.mismatches)

    def _besides(self) -> str:
        """What else was compared, for the line below the table."""
        return ""


@dataclass
class Case:
    """One random case: runs operations under its stalls; what it compares is counted."""

    core: Coprocessor
    p: Any
    number: int
    seed: int
    tally: Tally

    @property
    def stall(self) -> float:
        """The probability that a port stalls in a cycle."""
        return STALLS[self.number % len(STALLS)]

    def run(self, *requests: Request) -> list[Run]:
        """Operations one after the other."""
        runs = self.core.run_all(requests, stall=self.stall, seed=self.seed + self.number)
        self.tally.cycles += sum(run.cycles for run in runs)
        return runs

    def compare(self, what: str, got: bytes, expected: bytes) -> None:
        """Count an answer, and whether it is right."""
        self.judge(what, got == expected, shown_bytes(got), shown_bytes(expected))

    def judge(self, what: str, right: bool, got: str, expected: str) -> None:
        """The same of an answer in words."""
        self.tally.compared[self.p.name][what] += 1
        if not right:
            self.tally.differs(self.p.name, what, self.number, self.stall, got, expected)


def cases_of(standard: Standard) -> type["Cases"]:
    """What is compared of a standard."""
    made: type[Cases] = standards.part(standard, "verify").CASES
    return made


#: Of an operation: what leaves at the public and at the secret output.
Expected = tuple[bytes, bytes]
Turns = list[tuple[Request, Expected]]


def turn(operation: str, p: Any, values: Values, **how: Any) -> tuple[Request, Expected]:
    """An operation with its inputs, see :func:`request_of`, and its outputs, all among values."""
    expected = standards.standard_of(p).operations[operation].expected(values)
    return request_of(operation, p, values, **how), expected


class Cases(ABC):
    """What is compared of one standard: its vectors, and random cases against references.

    Attributes
    ----------
    sets
        Of the standard.
    usual
        How many cases of each set, unless it is said.
    result
        The type of what was found.
    oracles
        Names of the references that there are.
    violation
        What the hardware did that it must never do, or None.
    """

    sets: ClassVar[Sequence[Any]]
    usual: ClassVar[int]
    result: ClassVar[type[StandardVerifyResult]] = StandardVerifyResult
    oracles: list[str]
    violation: str | None = None

    @abstractmethod
    def __init__(self, core: Coprocessor, names: Sequence[str]) -> None:
        """Find references of the parameter sets of these names."""

    @abstractmethod
    def vectors(self) -> list[Vector]:
        """Published ones."""

    @abstractmethod
    def wrong_answers(self, vector: Vector) -> list[tuple[str, str, str]]:
        """(output, digest of ours, expected one) of each output that differs."""

    @abstractmethod
    def random_case(self, case: Case, rng: random.Random) -> None:
        """Compare one."""

    @staticmethod
    @abstractmethod
    def turns(p: Any, rng: random.Random, *, checks: bool) -> Turns:
        """Operations of a set, one after the other, and what must come of them.

        With `checks` for a core that verifies its signatures.
        """

    def last(self, case: Case, progress: Progress) -> None:  # noqa: B027  # most have nothing
        """Done after all cases of a set; `case` has the number of them."""

    def fields(self) -> dict[str, Any]:
        """Of the result, besides those that all have."""
        return {}


@timed
def verify_standard(
    kind: type[Cases],
    core: Coprocessor,
    design: str,
    *,
    cases: int | None = None,
    seed: int = 0,
    sets: Sequence[Any] | None = None,
    progress: Progress = silent,
) -> StandardVerifyResult:
    """Compare a simulated core with published vectors and with independent implementations.

    Every set has the same number of random cases, every other one with stalls on all ports.

    Parameters
    ----------
    kind
        What is compared.
    core
        The compiled core.
    design
        Its name.
    cases
        Of each parameter set; its usual number if None.
    seed
        Of everything random.
    sets
        Parameter sets, all if None; vectors are run of all.
    progress
        Called with the progress.

    Raises
    ------
    NttforgeError
        If a reference is not installed.
    """
    violation = None
    sets, cases = kind.sets if sets is None else sets, kind.usual if cases is None else cases
    names = [p.name for p in sets]
    tally = Tally({name: Counter() for name in names}, simulator=core)
    compared = kind(core, names)
    try:
        progress("NIST's vectors")
        for vector in compared.vectors():
            tally.vector(vector, compared.wrong_answers(vector))
        for p in sets:
            for number in range(cases):
                progress(f"{p.name}, case {number} of {cases}")
                rng = random.Random(f"{seed} {p.name} {number}")
                compared.random_case(Case(core, p, number, seed, tally), rng)
            compared.last(Case(core, p, cases, seed, tally), progress)
    except FaultError as error:
        tally.stopped()
        violation = str(error)
    violation = violation or compared.violation
    return kind.result(
        design=design,
        ok=violation is None and not tally.wrong,
        violation=violation,
        seed=seed,
        cases=cases,
        **tally.fields(),
        **compared.fields(),
        oracles=compared.oracles,
    ).with_replay(replay(tally.failed))


class SeveralVerifyResult(Verification):
    """What `verify` did and found of a core of several standards.

    Attributes
    ----------
    parts
        Of each standard, as it is verified alone; in JSON they stand beside the other fields.
    in_turn
        Operations of all standards, one after the other, that were compared.
    differ
        Of these, those that were wrong: operation, case, what came, what must.
    """

    parts: dict[str, SerializeAsAny[StandardVerifyResult]]
    in_turn: int
    differ: list[str]

    @model_serializer(mode="wrap")
    def _flat(self, given: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return flat(given(self))

    @property
    def verdict(self) -> tuple[str, str]:
        """What was compared, and what is to be said if it did not hold."""
        parts = self.parts.values()
        compared = sum(part.comparisons for part in parts) + self.in_turn
        wrong = sum(part.wrong_answers for part in parts) + len(self.differ)
        return compared_words("core", compared, wrong, self.violation)

    def shown(self) -> Iterator[Block]:
        """Each standard, and all in turn."""
        for part in self.parts.values():
            yield from part.shown()
        yield Line(f"{self.in_turn} operations of both standards in turn, {len(self.differ)} wrong")
        yield from (Line(each, "bad") for each in self.differ)
        yield from self.ending([])


def in_turn(
    kinds: Iterable[type[Cases]], sets: Iterable[Any], rng: random.Random, *, checks: bool = False
) -> Turns:
    """Operations of a set of each standard, standards in turn."""
    lists = [kind.turns(p, rng, checks=checks) for kind, p in zip(kinds, sets, strict=True)]
    return [each for each in chain.from_iterable(zip_longest(*lists)) if each is not None]


def compared(core: Coprocessor, asked: Turns, *, stall: float, seed: int) -> list[str]:
    """What is wrong of operations one after the other.

    Raises
    ------
    FaultError
        If the core hangs, or does what it must never do.
    """
    runs = core.run_all([each for each, _ in asked], stall=stall, seed=seed)
    return [
        f"{each.operation} of {each.p.name}: {'; '.join(map(shown_bytes, came))} ({run.reason}), "
        f"not {'; '.join(map(shown_bytes, must))}"
        for (each, must), run in zip(asked, runs, strict=True)
        if (came := (run.public, run.secret)) != must
    ]


@timed
def verify_several(
    kinds: Mapping[str, type[Cases]],
    core: Coprocessor,
    design: str,
    *,
    cases: int = 10,
    seed: int = 0,
    progress: Progress = silent,
) -> SeveralVerifyResult:
    """Verify each standard as alone, and operations of all in turn, every other case with stalls.

    Parameters
    ----------
    kinds
        What is compared, by what the result calls the standard.
    core, design, seed, progress
        As of :func:`verify_standard`.
    cases
        Of each parameter set, and of one set of each standard in turn.

    Raises
    ------
    NttforgeError
        If a reference is not installed.
    """
    number, differ, violation, failed = 0, list[str](), None, None
    # Other ways to the wrong standard's core first: it is the quickest to find something.
    for case in range(cases):
        progress(f"both standards in turn, case {case} of {cases}")
        sets = [
            kind.sets[case // len(kind.sets) ** at % len(kind.sets)]
            for at, kind in enumerate(kinds.values())
        ]
        rng = random.Random(f"{seed} in turn {case}")
        asked = in_turn(kinds.values(), sets, rng, checks=core.checks)
        try:
            wrong = compared(core, asked, stall=STALLS[case % len(STALLS)], seed=seed + case)
        except FaultError as error:
            violation, failed = str(error), core.last
            break
        failed = failed or (core.last if wrong else None)
        differ += [f"case {case}, {each}" for each in wrong]
        number += len(asked)
    parts = {
        name: verify_standard(kind, core, design, cases=cases, seed=seed, progress=progress)
        for name, kind in kinds.items()
    }
    violations = [violation, *(part.violation for part in parts.values())]
    replays = [replay(failed), *(part.replay for part in parts.values())]
    return SeveralVerifyResult(
        design=design,
        ok=all(part.ok for part in parts.values()) and not differ and violation is None,
        violation=next(filter(None, violations), None),
        parts=parts,
        in_turn=number,
        differ=differ,
    ).with_replay(next(filter(None, replays), None))


def replay(failed: Any) -> Replay | None:
    """The operations that failed, once more: arguments of :meth:`Coprocessor.run_all`."""

    def do(prepared: Prepared[Core], progress: Progress) -> None:
        del progress
        requests, stall, seed = failed
        with suppress(FaultError):
            open_core(prepared).run_all(requests, stall=stall, seed=seed)

    return None if failed is None else Replay(do)
