# SPDX-License-Identifier: Apache-2.0
"""Default parts of a standard: all operations with random values, against its reference."""

from collections.abc import Iterator
from types import SimpleNamespace

from nttforge.kinds.lattice.measure import Measures
from nttforge.kinds.lattice.operation import Standard
from nttforge.kinds.lattice.stimulus import Script, StimulusStep, stimulus_step
from nttforge.kinds.lattice.vectors import examples
from nttforge.kinds.lattice.verify import Cases

_CYCLES = 100_000  # of an operation, at most


def stimulus(standard: Standard) -> SimpleNamespace:
    """Stimulus of a folder's bench: each operation of each set, and by the entropy port."""

    def cases(*, entropy: bool, checks: bool = False) -> Iterator[StimulusStep]:
        for operation, p, values in examples(standard):
            yield stimulus_step(operation, p, values, checks=checks)
            if entropy and standard.operations[operation].seeds:
                yield stimulus_step(operation, p, values, word=b"", checks=checks)

    about = "It runs each operation of each parameter set, and refuses a command that is none."
    return SimpleNamespace(SCRIPT=Script(_CYCLES, True, about), cases=cases)


def verify(standard: Standard) -> SimpleNamespace:
    """Compares each operation with a case's values, every other case by the entropy port."""
    return SimpleNamespace(CASES=type("UsualCases", (Cases,), {"standard": standard}))


def measure(standard: Standard) -> SimpleNamespace:
    """Cycles of each operation and set."""
    del standard
    return SimpleNamespace(MEASURES=Measures)
