# SPDX-License-Identifier: Apache-2.0
"""Default amount of simulation: about a minute, by timing a few transforms first."""

import time
from typing import NamedTuple

import numpy as np

from nttforge.flow.reference import operands, references
from nttforge.hw import Operation, StreamCore
from nttforge.kinds.stream.shell import affordable_instances
from nttforge.simulate.stream import StreamSimulator

#: Random transforms that are verified, and transforms of a sequence that is measured, if that ends
#: in about a minute.
RANDOM, SEQUENCE = 500, 1000
_SECONDS = 60.0
_STEPS = (1000, 500, 200, 100, 50, 20)  # so that a little noise seldom gives another count
# Transforms that are timed, of one operation.
_TIMED = 3
# Coefficients in all impulses of all operations that are few enough to take every one.
_ALL_IMPULSES = 1 << 25
_FEWEST_IMPULSES = 64
# Of an operation modulo one loaded place: all places have the same hardware, and share the rest.
_FEWEST_OF_A_PLACE = 8
# Cycles under stalls, the mean of all kinds, beside those without; and of the handshakes' runs.
_STALLED = 3.0


class SimBudget(NamedTuple):
    """Number of transforms to simulate; `usual`: of a fast core, None if the count was given."""

    transforms: int
    usual: int | None

    @property
    def note(self) -> str | None:
        """Message if it is less than usual."""
        if self.usual is None or self.transforms == self.usual:
            return None
        return (
            f"{self.transforms} transforms, of {self.usual} otherwise, were chosen so that "
            "it takes about a minute; --transforms takes another number"
        )


def interval(core: StreamCore, operation: Operation) -> int:
    """Cycles of a transform that follows another one like it."""
    intervals: tuple[int, ...] = core.facts["intervals"]
    return intervals[operation.code]


def seconds_a_cycle(simulator: StreamSimulator, seed: int, *, compared: bool) -> float:
    """Processor time of a simulated cycle; `compared`: with the references' time."""
    operation = max(simulator.core.operations, key=lambda each: each.ring.q)
    rng = np.random.default_rng(seed)
    seconds = 0.0
    for count in (1, _TIMED):  # the first makes the tables that the others use
        polynomials = operands(operation, count, operation.operands, rng)
        start = time.process_time()
        run = simulator.stream([operation] * count, polynomials, probe=compared)
        if compared:
            references([operation] * count, polynomials)
        seconds = (time.process_time() - start) / run.cycles
    return seconds


def places(core: StreamCore) -> int:
    """Loaded moduli, of which each has all operations; 1 of other cores."""
    return max(1, len(core.loads))


def impulses(core: StreamCore, count: int) -> int:
    """Impulses of each operation to verify: every one, or twice as many as random transforms.

    Operations modulo loaded places, which differ in words of a memory alone, share as many.
    """
    n = core.operations[0].ring.n
    if len(core.operations) * n * n <= _ALL_IMPULSES:
        return n
    shared = max(_FEWEST_IMPULSES, 2 * count) // places(core)
    return min(n, max(_FEWEST_OF_A_PLACE, shared))


def impulse_indices(
    n: int, count: int, seed: int, place: int = 0
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Indices of impulses: each bit alone, each complement, both ends, others at random.

    - `place`: of a loaded modulus: the next one begins where this one ends.
    """
    if count >= n:
        return np.arange(n, dtype=np.int64)
    bits = [1 << k for k in range(n.bit_length() - 1)]
    first = dict.fromkeys([0, n - 1, *bits, *(n - 1 - bit for bit in bits)])
    drawn = np.random.default_rng(seed).permutation(n).tolist()
    ordered = np.array(list(dict.fromkeys([*first, *drawn])), dtype=np.int64)
    return np.sort(np.roll(ordered, -place * count)[:count])


def verify_cycles(core: StreamCore, count: int) -> float:
    """Cycles, roughly, that are simulated to verify a core with so many random transforms."""
    each = [interval(core, operation) for operation in core.operations]
    corners = sum(each) * (impulses(core, count) + 2)
    return corners + _mixed(core, count * _STALLED) + _in_shell(core, count, sum(each) / len(each))


def measure_cycles(core: StreamCore, count: int) -> float:
    """Cycles, roughly, that are simulated to measure a core with sequences of so many."""
    kinds = len(core.operations)
    sequences = kinds + (kinds > 1) + kinds * (kinds - 1) / 2
    each = max(interval(core, operation) for operation in core.operations)
    return _mixed(core, count * (sequences + 1)) + _in_shell(core, kinds * count, each)


def _mixed(core: StreamCore, count: float) -> float:
    """Cycles of mixed transforms: an interval each, and after some a turnaround."""
    turns = [
        core.turnaround(before, after)
        for before in core.operations
        for after in core.operations
        if "turnaround" in core.facts
    ]
    idle = sum(turns) / len(turns) if turns else 0
    return count * (idle + max(interval(core, operation) for operation in core.operations))


def _in_shell(core: StreamCore, count: float, each: float) -> float:
    return 0 if core.shell is None else 2 * count * each * affordable_instances(core)


def choose(
    simulator: StreamSimulator, given: int | None, seed: int, *, compared: bool
) -> SimBudget:
    """The given count, or the largest up to the usual one that takes about a minute."""
    if given is not None:
        return SimBudget(given, None)
    cycle = seconds_a_cycle(simulator, seed, compared=compared)
    usual, cycles = (RANDOM, verify_cycles) if compared else (SEQUENCE, measure_cycles)
    steps = [step for step in _STEPS if step <= usual]
    fits = (step for step in steps if cycles(simulator.core, step) * cycle <= _SECONDS)
    return SimBudget(next(fits, steps[-1]), usual)
