# SPDX-License-Identifier: Apache-2.0
"""`verify` of a lattice coprocessor: one loop and one result for all standards."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import SerializeAsAny, SerializerFunctionWrapHandler, model_serializer

from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.trace import Replay
from nttforge.flow.vectors import STALLS, Mismatch, Tally, shown_bytes
from nttforge.hw import Core
from nttforge.kinds.lattice import standard as standards
from nttforge.kinds.lattice.bus import Coprocessor, Run, open_core
from nttforge.kinds.lattice.measure import flat
from nttforge.kinds.lattice.operation import Standard
from nttforge.kinds.lattice.stimulus import StimulusStep, alternated, stimulus_step
from nttforge.kinds.lattice.vectors import golden_vectors, wrong_answers
from nttforge.results import Verification, timed
from nttforge.table import Block, Cell, Line, Table


def compared_words(
    hardware: str, compared: int, wrong: int, violation: str | None
) -> tuple[str, str]:
    """Comparisons, and the message for a failure."""
    broken = f"the {hardware} did what it must never do"
    bad = f"{wrong} of {compared} answers are wrong"
    return f"{compared:,} comparisons", broken if violation else bad


class StandardVerifyResult(Verification):
    """Result of `verify`.

    - `ok`: every vector and comparison held.
    - `cases`: random ones of each parameter set.
    - `comparisons`: answers that were compared in all.
    - `compared`: by parameter set: how many of what.
    - `vectors`: NIST's ACVP vectors, all of them.
    - `oracles`: what random cases were compared with.
    - `cycles`: simulated in all of the compared runs, from first to last word.
    - `mismatches`: the first few, and how many answers were wrong in all.
    - `violation`: what the hardware did that it must never do, or None.
    - `hardware`, `corner`, `sets_down`: what it is called, and the table's first cell; whether its
      rows are sets.
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
        """Comparisons, references, and the first mismatches."""
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
        """Further comparisons, for the line below the table."""
        return ""


#: What a step is counted as, by port if there are two names, not at all if there is none.
Check = tuple[str | tuple[str, str], StimulusStep]
#: Steps that follow each other without a pause.
Batch = Sequence[Check]


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

    def run(self, batch: Batch) -> None:
        """Run operations one after the other, and compare what comes of each."""
        requests = [step.asked for _, step in batch]
        runs = self.core.run_all(requests, stall=self.stall, seed=self.seed + self.number)
        self.tally.cycles += sum(run.cycles for run in runs)
        for (counted, step), run in zip(batch, runs, strict=True):
            if counted:
                self._check(counted, step, run)

    def _check(self, counted: str | tuple[str, str], step: StimulusStep, run: Run) -> None:
        if isinstance(counted, tuple):
            self.compare(counted[0], run.public, step.public)
            self.compare(counted[1], run.secret, step.secret)
        elif step.reason == "none" and not run.verdicts:
            self.compare(counted, run.public + run.secret, step.public + step.secret)
        else:
            self.judge(counted, differs(step, run) is None, run.reason, step.reason)

    def compare(self, what: str, got: bytes, expected: bytes) -> None:
        """Count an answer, and whether it is right."""
        self.judge(what, got == expected, shown_bytes(got), shown_bytes(expected))

    def judge(self, what: str, right: bool, got: str, expected: str) -> None:
        """The same of an answer in words."""
        self.tally.compared[self.p.name][what] += 1
        if not right:
            where = {"parameter_set": self.p.name, "case": self.number, "stall": self.stall}
            self.tally.differs(**where, what=what, got=got, expected=expected)


def differs(step: StimulusStep, run: Run) -> str | None:
    """The result of an operation and the expected one; None if they are equal."""
    right = run.accepted == (step.reason == "none") if run.verdicts else True
    if right and (run.reason, run.public, run.secret) == step[1:]:
        return None
    came, must = (
        f"{shown_bytes(public)}; {shown_bytes(secret)} ({reason})"
        for reason, public, secret in ((run.reason, run.public, run.secret), step[1:])
    )
    return f"{step.asked.operation} of {step.asked.p.name}: {came}, not {must}"


def cases_of(standard: Standard) -> type["Cases"]:
    """Cases of a standard."""
    made: type[Cases] = standards.part(standard, "verify").CASES
    return made


class Cases:
    """Cases of one standard: published vectors, and random cases against a reference.

    Here all operations of a case's values, of which the standard's own reference makes the outputs.

    - `standard`: whose operations.
    - `usual`: how many cases of each set, unless it is said.
    - `result`: the type of what was found.
    - `oracles`: names of the references that there are.
    - `violation`: what the hardware did that it must never do, or None.
    - `core`: the compiled core.
    - `names`: of the parameter sets that are compared.
    """

    standard: ClassVar[Standard]
    usual: ClassVar[int] = 20
    result: ClassVar[type[StandardVerifyResult]] = StandardVerifyResult
    violation: str | None = None

    def __init__(self, core: Coprocessor, names: Sequence[str]) -> None:
        del names
        self.core = core
        self.oracles = ["its reference"]

    def batches(self, case: Case, rng: random.Random) -> Iterator[Batch]:
        """Operations of a random case, and what must come of them."""
        word = b"" if case.number % 2 else None
        yield [
            (step.asked.operation, step)
            for step in self.turns(case.p, rng, checks=case.core.checks, word=word)
        ]

    @classmethod
    def turns(
        cls, p: Any, rng: random.Random, *, checks: bool, word: bytes | None = None
    ) -> list[StimulusStep]:
        """Operations of a set, one after the other, and what must come of them.

        - `checks`: for a core that verifies its signatures.
        - `word`: see :func:`request_of`.
        """
        values = cls.standard.example(p, rng)
        how: dict[str, Any] = {"checks": checks, "word": word}
        return [stimulus_step(name, p, values, **how) for name in cls.standard.operations]

    def last(self, case: Case, progress: Progress) -> None:
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

    - `kind`: what is compared.
    - `core`: the compiled core.
    - `design`: its name.
    - `cases`: of each parameter set; its usual number if None.
    - `seed`: of everything random.
    - `sets`: parameter sets, all if None; vectors are run of all.
    - `progress`: called with the progress.
    """
    violation = None
    sets = kind.standard.sets if sets is None else sets
    cases = kind.usual if cases is None else cases
    names = [p.name for p in sets]
    tally = Tally({name: Counter() for name in names}, simulator=core)
    compared = kind(core, names)
    try:
        progress("NIST's vectors")
        for vector in golden_vectors(kind.standard):
            tally.vector(vector, wrong_answers(core, kind.standard, vector))
        for p in sets:
            for number in range(cases):
                progress(f"{p.name}, case {number} of {cases}")
                rng = random.Random(f"{seed} {p.name} {number}")
                case = Case(core, p, number, seed, tally)
                for batch in compared.batches(case, rng):
                    case.run(batch)
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
    """Result of `verify` for a core of several standards.

    - `parts`: of each standard, as it is verified alone; in JSON they stand beside the other
      fields.
    - `in_turn`: operations of all standards, one after the other, that were compared.
    - `differ`: of these, those that were wrong: operation, case, what came, what must.
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
) -> list[StimulusStep]:
    """Operations of a set of each standard, standards in turn."""
    return alternated(
        kind.turns(p, rng, checks=checks) for kind, p in zip(kinds, sets, strict=True)
    )


def compared(
    core: Coprocessor, steps: Sequence[StimulusStep], *, stall: float, seed: int
) -> list[str]:
    """Mismatches of consecutive operations."""
    runs = core.run_all([step.asked for step in steps], stall=stall, seed=seed)
    return [*filter(None, map(differs, steps, runs))]


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

    - `kinds`: what is compared, by what the result calls the standard.
    - `core`, `design`, `seed`, `progress`: as of :func:`verify_standard`.
    - `cases`: of each parameter set, and of one set of each standard in turn.
    """
    number, differ, violation, failed = 0, list[str](), None, None
    # Other ways to the wrong standard's core first: it is the quickest to find something.
    for case in range(cases):
        progress(f"both standards in turn, case {case} of {cases}")
        sets = [
            of[case // len(of) ** at % len(of)]
            for at, of in enumerate(kind.standard.sets for kind in kinds.values())
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
