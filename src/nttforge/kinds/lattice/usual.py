# SPDX-License-Identifier: Apache-2.0
"""Parts of a standard whose package has none of its own: all operations, of random values.

What they compare with is the standard's reference.
"""

import random
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from nttforge.flow.vectors import Vector
from nttforge.kinds.lattice.bus import Coprocessor
from nttforge.kinds.lattice.measure import Measures
from nttforge.kinds.lattice.operation import Standard, Values
from nttforge.kinds.lattice.stimulus import Script, StimulusStep, stimulus_step
from nttforge.kinds.lattice.verify import Case, Cases, Turns, turn

_CYCLES = 100_000  # of an operation, at most


def stimulus(standard: Standard) -> SimpleNamespace:
    """What the bench in a folder plays: each operation of each set, and by the entropy port."""

    def examples(*, short: bool = False) -> Iterator[tuple[str, Any, Values]]:
        del short
        for p in standard.sets:
            values = standard.example(p, random.Random(p.name))
            yield from ((operation, p, values) for operation in standard.operations)

    def cases(*, entropy: bool, checks: bool = False) -> Iterator[StimulusStep]:
        for operation, p, values in examples():
            yield stimulus_step(operation, p, values, checks=checks)
            if entropy and standard.operations[operation].seeds:
                yield stimulus_step(operation, p, values, word=b"", checks=checks)

    about = "It runs each operation of each parameter set, and refuses a command that is none."
    return SimpleNamespace(SCRIPT=Script(_CYCLES, True, about), examples=examples, cases=cases)


def verify(standard: Standard) -> SimpleNamespace:
    """What is compared: each operation of a case's values, every other case by the entropy port."""

    class UsualCases(Cases):
        """All operations of a set, of random values."""

        sets = standard.sets
        usual = 20

        def __init__(self, core: Coprocessor, names: Sequence[str]) -> None:
            del core, names
            self.oracles = ["its reference"]

        def vectors(self) -> list[Vector]:
            """None are published."""
            return []

        def wrong_answers(self, vector: Vector) -> list[tuple[str, str, str]]:
            """None: there is no vector."""
            return []

        def random_case(self, case: Case, rng: random.Random) -> None:
            """Compare one."""
            word = b"" if case.number % 2 else None
            turns = self._turns(case.p, rng, checks=case.core.checks, word=word)
            runs = case.run(*(request for request, _ in turns))
            for run, (request, expected) in zip(runs, turns, strict=True):
                case.compare(request.operation, run.public + run.secret, b"".join(expected))

        @staticmethod
        def _turns(p: Any, rng: random.Random, **how: Any) -> Turns:
            values = standard.example(p, rng)
            return [turn(operation, p, values, **how) for operation in standard.operations]

        @staticmethod
        def turns(p: Any, rng: random.Random, *, checks: bool) -> Turns:
            """All operations of a set."""
            return UsualCases._turns(p, rng, checks=checks)

    return SimpleNamespace(CASES=UsualCases)


def measure(standard: Standard) -> SimpleNamespace:
    """Cycles of each operation and set."""
    del standard
    return SimpleNamespace(MEASURES=Measures)
