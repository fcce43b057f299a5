# SPDX-License-Identifier: Apache-2.0
"""The RTL against the exact references: every operation, convention and level that is drawn."""

import random
from collections.abc import Iterator

from pydantic import BaseModel

from nttforge.flow.prepare import Prepared, Progress
from nttforge.kinds.rns.cases import OPERATIONS, draw_moduli, draw_shape, run_case
from nttforge.kinds.rns.core import RnsCore
from nttforge.kinds.rns.machine import Machine, StuckError
from nttforge.kinds.stream.loaded import sample_moduli
from nttforge.results import Verification, timed
from nttforge.table import Block, Table

_MISMATCHES = 5
#: Cases for one set of moduli, and share of the cycles in which streams pause.
_CASES_OF_A_SET, _PAUSES = 6, (0.0, 0.1, 0.4)
#: Words of a case that take about a second, with the reference.
_WORDS_A_SECOND = 60_000


class Mismatch(BaseModel):
    """A word that is not the reference's."""

    operation: str
    convention: str
    level: int
    polynomial: int
    place: int
    coefficient: int


class Tally(BaseModel):
    """Cases of an operation."""

    operation: str
    cases: int = 0
    words: int = 0
    near: int = 0


class RnsVerification(Verification):
    """Comparisons.

    - `sets`: of moduli that were loaded.
    - `tallies`: by operation.
    - `mismatches`: the first ones.
    """

    cases: int
    sets: int
    tallies: list[Tally]
    mismatches: list[Mismatch]
    seed: int

    @property
    def verdict(self) -> tuple[str, str]:
        """Cases."""
        return f"{self.cases} cases", f"{len(self.mismatches)} or more words are wrong"

    def shown(self) -> Iterator[Block]:
        """Cases by operation, and the verdict."""
        yield Table(
            f"{self.design}: coefficients beside the exact references, {self.sets} sets of moduli",
            ("operation", "cases", "coefficients", "of near words, computed again"),
            [(each.operation, each.cases, each.words, each.near) for each in self.tallies],
        )
        yield from self.ending(self.mismatches)


def usual_cases(core: RnsCore) -> int:
    """As many as take about a minute."""
    words = core.n * core.pipeline.places * core.pipeline.places
    return max(len(OPERATIONS), min(120, 60 * _WORDS_A_SECOND // words))


@timed
def verify(
    prepared: Prepared[RnsCore], count: int | None, seed: int, progress: Progress
) -> RnsVerification:
    """Compare drawn cases; streams pause in most of them."""
    core, rng = prepared.core, random.Random(seed)
    tallies = {name: Tally(operation=name) for name in OPERATIONS}
    mismatches: list[Mismatch] = []
    violation, sets, number = None, 0, 0
    progress("compiling")
    with Machine.of(prepared) as machine:
        for number in range(1, (count or usual_cases(core)) + 1):
            if number % _CASES_OF_A_SET == 1:
                whole = sets % 2 == 0
                machine.load(
                    sample_moduli(core.pipeline.design) if whole else draw_moduli(core, rng)
                )
                sets += 1
            name = list(OPERATIONS)[(number - 1) % len(OPERATIONS)]
            shape = draw_shape(core, rng, name)
            case = OPERATIONS[name](machine, shape, rng)
            try:
                done = run_case(machine, case, pauses=rng.choice(_PAUSES), rng=rng)
            except StuckError as error:
                violation = f"{name}, {shape.convention}, level {shape.level}: {error}"
                break
            if done.outcome.errors or done.outcome.tag != 1:
                violation = f"{name}: errors without a reason: {', '.join(done.outcome.errors)}"
            tally = tallies[name]
            tally.cases += 1
            tally.words += done.words
            tally.near += done.near
            mismatches += [
                Mismatch(
                    operation=name,
                    convention=shape.convention,
                    level=shape.level,
                    polynomial=polynomial,
                    place=place,
                    coefficient=coefficient,
                )
                for polynomial, place, coefficient in done.wrong
            ]
            progress(f"{number} cases")
            if violation or len(mismatches) >= _MISMATCHES:
                break
    return RnsVerification(
        design=core.name,
        ok=not (violation or mismatches),
        violation=violation,
        cases=number,
        sets=sets,
        tallies=list(tallies.values()),
        mismatches=mismatches[:_MISMATCHES],
        seed=seed,
    )
