# SPDX-License-Identifier: Apache-2.0
"""`measure`: cycles, observed in simulation and never computed."""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from pydantic import BaseModel

from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.reference import Polynomials
from nttforge.hw import Operation, StreamCore
from nttforge.kinds.stream.shell import ShellThroughput, measure_shell
from nttforge.kinds.stream.sim_budget import choose
from nttforge.results import Measurement, Timed, timed
from nttforge.simulate.stream import StreamRun, StreamSimulator
from nttforge.table import Block, Line, Table

# Transforms of one operation before the other's turn, so that the core is full at each turn.
_RUN_LENGTH = 4


class Throughput(BaseModel):
    """Operations streamed back to back: mean and longest cycles between last beats, latency."""

    operations: list[str]
    cycles_per_transform: int | float
    cycles_longest: int
    latency_cycles: int
    transforms: int


class Turnaround(BaseModel):
    """Idle cycles at input and output when one operation follows another, the most observed."""

    before: str
    after: str
    input_idle_cycles: int
    output_idle_cycles: int
    turns: int


class MeasureResult(Measurement):
    """Measurements.

    - `latency_cycles`: first beat in to last beat out, both counted, without stalls: of the slowest
      operation.
    - `cycles_per_transform`: of the slowest operation, streamed alone, in the steady state.
    - `transforms_measured`: in each of the sequences.
    - `chosen`: what was chosen to be less than usual, in words, so that it takes about a minute.
    - `operations`: each operation alone.
    - `mixed_rings`: per direction: the rings mixed at random; empty for a core with one ring.
    - `mixed`: all operations mixed at random; None for a core with one operation.
    - `turnarounds`: of each ordered pair of operations.
    - `shell`: jobs through the memory shell; None for a design without one.
    """

    latency_cycles: int
    cycles_per_transform: int | float
    transforms_measured: int
    chosen: str | None = None
    operations: dict[str, Throughput]
    mixed_rings: dict[str, Throughput]
    mixed: Throughput | None
    turnarounds: list[Turnaround]
    turnaround_cycles: dict[str, int]
    shell: ShellThroughput | None = None
    seed: int

    @property
    def timed(self) -> dict[str, Timed]:
        """Each operation alone."""
        return {
            name: Timed(row.latency_cycles, row.cycles_per_transform)
            for name, row in self.operations.items()
        }

    def shown(self) -> Iterator[Block]:
        """Steady states, mixtures, turnarounds, jobs of a shell, time."""
        rows = [*self.operations.items()]
        rows += [(f"{name} of all rings, mixed", row) for name, row in self.mixed_rings.items()]
        if self.mixed is not None:
            rows.append(("all operations, mixed", self.mixed))
        turns = ", ".join(f"{kind} {idle}" for kind, idle in self.turnaround_cycles.items())
        yield Table(
            f"{self.design}, cycles observed in simulation",
            ("streamed back to back", "a transform", "longest", "latency", "transforms"),
            [
                (name, r.cycles_per_transform, r.cycles_longest, r.latency_cycles, r.transforms)
                for name, r in rows
            ],
            [f"Idle cycles, at most: {turns}."] if turns else [],
        )
        if self.turnarounds:
            yield Table(
                "Turnarounds, idle cycles",
                ("from", "to", "input", "output", "turns"),
                [
                    (t.before, t.after, t.input_idle_cycles, t.output_idle_cycles, t.turns)
                    for t in self.turnarounds
                ],
            )
        if self.shell is not None:
            yield self.shell.table()
        if self.chosen:
            yield Line(self.chosen)
        yield Line(
            f"latency {self.latency_cycles} cycles, {self.cycles_per_transform} cycles a transform"
        )
        yield from self.times()

    def page(self) -> Iterator[Block]:
        """Cycles by operation, and time."""
        return (block for block in (next(self.shown()), *self.times()))


@timed
def measure(
    prepared: Prepared[StreamCore],
    *,
    transforms: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> MeasureResult:
    """Observe latency, steady state and turnarounds in simulation.

    A sequence has `transforms`, 2 or more; by default 1000, or as many as take about a minute.
    """
    core = prepared.core
    rng = np.random.default_rng(seed)
    with prepared.simulator() as simulator:
        budget = choose(simulator, transforms, seed, compared=False)
        transforms = budget.transforms
        alone = {}
        for operation in core.operations:
            progress(f"{operation.name} back to back")
            figures = _throughput(simulator, [operation] * transforms, rng)
            latency = _latency_alone(simulator, operation, rng)
            alone[operation.name] = figures.model_copy(update={"latency_cycles": latency})
        mixed_rings = {}
        for direction, group in _by_direction(core).items():
            if len(group) > 1:
                progress(f"{direction} of all rings at random")
                mixed_rings[direction] = _at_random(simulator, group, transforms, rng)
        mixed = None
        if len(core.operations) > 1:
            progress("all operations at random")
            mixed = _at_random(simulator, core.operations, transforms, rng)
        turnarounds = []
        for pair in itertools.combinations(core.operations, 2):
            progress(f"turnarounds of {pair[0].name} and {pair[1].name}")
            turnarounds += _turnarounds(simulator, pair, transforms, rng)
    shell = None
    if core.shell is not None:
        shell = measure_shell(prepared, transforms, rng, progress=progress)
    return MeasureResult(
        design=core.name,
        latency_cycles=max(each.latency_cycles for each in alone.values()),
        cycles_per_transform=max(each.cycles_per_transform for each in alone.values()),
        transforms_measured=transforms,
        chosen=budget.note,
        operations=alone,
        mixed_rings=mixed_rings,
        mixed=mixed,
        turnarounds=turnarounds,
        turnaround_cycles=_worst_by_kind(core, turnarounds),
        shell=shell,
        seed=seed,
    )


def _direction(operation: Operation) -> str:
    return operation.product or ("intt" if operation.inverse else "ntt")


def _by_direction(core: StreamCore) -> dict[str, list[Operation]]:
    groups: dict[str, list[Operation]] = {}
    for operation in core.operations:
        groups.setdefault(_direction(operation), []).append(operation)
    return groups


def _worst_by_kind(core: StreamCore, turnarounds: Sequence[Turnaround]) -> dict[str, int]:
    """The longest wait of each kind of turn: `ntt to intt`, `intt to ntt`, ..."""
    direction = {operation.name: _direction(operation) for operation in core.operations}
    worst: dict[str, int] = {}
    for turn in turnarounds:
        kind = f"{direction[turn.before]} to {direction[turn.after]}"
        worst[kind] = max(worst.get(kind, 0), turn.input_idle_cycles, turn.output_idle_cycles)
    return worst


def _stream(
    simulator: StreamSimulator, operations: Sequence[Operation], rng: np.random.Generator
) -> StreamRun:
    """Stream random words: their values do not matter here, `verify` looks at those."""
    return simulator.stream(operations, _words(operations, rng))


def _words(operations: Sequence[Operation], rng: np.random.Generator) -> Polynomials:
    """Random words for operations, shape (operations, most operands, n)."""
    limits = np.array([min(op.ring.q, 1 << 62) for op in operations])[:, None, None]
    most = max(operation.operands for operation in operations)
    return rng.integers(0, limits, (len(operations), most, operations[0].ring.n))


def _throughput(
    simulator: StreamSimulator, operations: Sequence[Operation], rng: np.random.Generator
) -> Throughput:
    run = _stream(simulator, operations, rng)
    intervals = np.diff(run.last_out)
    mean = float(run.last_out[-1] - run.last_out[0]) / len(intervals)
    return Throughput(
        operations=list(dict.fromkeys(operation.name for operation in operations)),
        cycles_per_transform=int(mean) if mean == int(mean) else round(mean, 3),
        cycles_longest=int(intervals.max()),
        latency_cycles=int(run.latency.max()),
        transforms=len(operations),
    )


def _latency_alone(
    simulator: StreamSimulator, operation: Operation, rng: np.random.Generator
) -> int:
    """Latency of transforms that find the core empty: those before have long left it."""
    count = 4
    words = _words([operation] * count, rng)
    gaps = np.full(count, 2 * operation.latency, dtype=np.int64)
    return int(simulator.stream([operation] * count, words, gaps=gaps).latency.max())


def _at_random(
    simulator: StreamSimulator,
    operations: Sequence[Operation],
    transforms: int,
    rng: np.random.Generator,
) -> Throughput:
    picks = rng.integers(0, len(operations), transforms)
    return _throughput(simulator, [operations[pick] for pick in picks], rng)


def _turnarounds(
    simulator: StreamSimulator,
    pair: tuple[Operation, Operation],
    transforms: int,
    rng: np.random.Generator,
) -> list[Turnaround]:
    """Both turns of a pair, from a stream in which the two take turns."""
    sequence = [pair[i // _RUN_LENGTH % 2] for i in range(max(transforms, 4 * _RUN_LENGTH))]
    run = _stream(simulator, sequence, rng)
    codes = np.array([operation.code for operation in sequence])
    beats_out = np.array([operation.beats for operation in sequence])
    beats_in = np.array([operation.beats * operation.operands for operation in sequence])
    results = []
    for before, after in (pair, pair[::-1]):
        turns = np.flatnonzero((codes[:-1] == before.code) & (codes[1:] == after.code))
        idle_in = run.last_in[turns + 1] - run.last_in[turns] - beats_in[turns + 1]
        idle_out = run.last_out[turns + 1] - run.last_out[turns] - beats_out[turns + 1]
        results.append(
            Turnaround(
                before=before.name,
                after=after.name,
                input_idle_cycles=int(idle_in.max()),
                output_idle_cycles=int(idle_out.max()),
                turns=len(turns),
            )
        )
    return results
