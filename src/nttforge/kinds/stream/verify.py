# SPDX-License-Identifier: Apache-2.0
"""`verify`: the RTL against the references, with random stalls."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel

from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.reference import (
    Polynomials,
    definition_holds,
    operands,
    product_holds,
    references,
)
from nttforge.flow.trace import Replay
from nttforge.hw import Operation, StreamCore
from nttforge.kinds.stream.shell import MEMORIES, open_shell
from nttforge.kinds.stream.sim_budget import (
    RANDOM,
    SimBudget,
    choose,
    impulse_indices,
    impulses,
    places,
)
from nttforge.results import Verification, timed
from nttforge.simulate.shell_simulator import MemoryModel
from nttforge.simulate.stream import (
    NO_STALLS,
    StallPattern,
    StreamRun,
    StreamSimulator,
)
from nttforge.simulate.waveform import LAST_CYCLE
from nttforge.table import Block, Line, Table

# Pairs (source, sink). A long pause of the sink fills the whole core; one of the source drains it.
STALLS: dict[str, tuple[StallPattern, StallPattern]] = {
    "none": (NO_STALLS, NO_STALLS),
    "both at random": (StallPattern.random(0.3), StallPattern.random(0.3)),
    "rare": (StallPattern.random(0.02), StallPattern.random(0.02)),
    "slow source": (StallPattern.random(0.8), NO_STALLS),
    "slow sink": (NO_STALLS, StallPattern.random(0.8)),
    "bursts": (StallPattern.bursts(9, 5), StallPattern.bursts(7, 11)),
    "long pauses": (StallPattern.bursts(400, 300), StallPattern.bursts(500, 400)),
}

_CHUNK_WORDS = 1 << 19
_DEFINITION_SAMPLES = 3
_DEFINITION_WORK = 1 << 20
_SHOWN = 5
_PHASES = ("corners", "random", "in memory")
_IN_MEMORY = 64  # that go through memory: enough for every lane, and for words that straddle


class Mismatch(BaseModel):
    """One coefficient that is not what the reference says, and how to see it again."""

    phase: str
    operation: str
    transform: int
    coefficient: int
    got: str
    expected: str
    seed: int


class VerifyResult(Verification):
    """Result of `verify`.

    - `ok`: no mismatch, no violation, equal handshakes for different data.
    - `transforms`: compared in all, of which `corners`, `random` ones with mixed operations and
      stalls, and those that went `in_memory` through the shell, if there is one.
    - `definition_checked`: of these, compared with the definition too.
    - `handshakes_compared`: cycles in which two runs with different data had the same handshakes.
    - `n`, `impulses`: coefficients of a polynomial, and how many of as many impulses each operation
      gets.
    - `chosen`: what was chosen to be less than usual, in words, so that it takes about a minute.
    - `cycles`: simulated in all.
    - `mismatches`: the first few, and how many transforms were wrong in all.
    - `violation`: the stream contract's clause that was broken, or None.
    """

    seed: int
    transforms: int
    corners: int
    n: int
    impulses: int
    random: int
    chosen: str | None = None
    in_memory: int
    per_operation: dict[str, int]
    definition_checked: int
    handshakes_compared: int
    stalls: list[str]
    cycles: int
    wrong_transforms: int
    mismatches: list[Mismatch]

    @property
    def verdict(self) -> tuple[str, str]:
        """Comparisons, and the message for a failure."""
        bad = f"{self.wrong_transforms} of {self.transforms} transforms are wrong"
        broken = "the stream contract is broken"
        return f"{self.transforms:,} transforms", broken if self.violation else bad

    def shown(self) -> Iterator[Block]:
        """Comparisons, and the first mismatches."""
        every = self.impulses == self.n
        which = "every impulse" if every else f"{self.impulses} of {self.n} impulses"
        yield Table(
            f"{self.design}, seed {self.seed}",
            ("compared", "number"),
            [
                (f"corner polynomials: zero, q-1, {which}", self.corners),
                ("random polynomials, operations mixed", self.random),
                ("of these, with the definition too", self.definition_checked),
                ("cycles with equal handshakes for different data", self.handshakes_compared),
                ("cycles simulated", self.cycles),
            ],
        )
        yield Line("stalls: " + ", ".join(self.stalls))
        if self.chosen:
            yield Line(self.chosen)
        yield from self.ending(self.mismatches)


@dataclass
class _Tally:
    """Running totals of a verification."""

    counts: dict[str, int]
    phases: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_PHASES, 0))
    cycles: int = 0
    wrong: int = 0
    defined: dict[str, int] = field(default_factory=dict)
    handshakes: int = 0
    mismatches: list[Mismatch] = field(default_factory=list)
    replay: Replay | None = None
    under_way: "_Chunk | None" = None


@timed
def verify(
    prepared: Prepared[StreamCore],
    *,
    transforms: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> VerifyResult:
    """Compare the simulated RTL with the references.

    Every operation gets the corner polynomials: all zero, all q-1, and an impulse at each index; of
    a large transform at some, see :func:`nttforge.kinds.stream.sim_budget.impulses`.
    Then come random polynomials with operations mixed at random, under each of :data:`STALLS` in
    turn. A sample is compared with the definition, the rest with the fast transform. At last
    different data are streamed under the same stalls, and the handshakes compared.

    - `transforms`: number of random transforms; if it is not given, 500, or as many as take about a
      minute.
    - `seed`: of all data and stalls.
    """
    core = prepared.core
    tally = _Tally({operation.name: 0 for operation in core.operations})
    violation = None
    same = True
    budget = SimBudget(transforms or RANDOM, None)
    try:
        with prepared.simulator() as simulator:
            budget = choose(simulator, transforms, seed, compared=True)
            _corners(simulator, tally, impulses(core, budget.transforms), seed, progress)
            _random(simulator, tally, budget.transforms, seed, progress)
            same = _same_handshakes(simulator, tally, seed, progress)
        if core.shell is not None:
            violation = _in_memory(prepared, tally, budget.transforms, seed, progress)
    except FaultError as error:
        violation = f"{error.kind}: {error}"
        if tally.replay is None and tally.under_way is not None:
            before = 2 * max(operation.latency for operation in core.operations)
            tally.replay = tally.under_way.replay(max(0, error.cycle - before), error.cycle + 1)
    if violation is None and not same:
        violation = f"timing: the handshakes depend on the data (seed {seed})"
    return VerifyResult(
        design=core.name,
        ok=violation is None and not tally.wrong,
        seed=seed,
        transforms=sum(tally.phases.values()),
        corners=tally.phases["corners"],
        n=core.operations[0].ring.n,
        impulses=impulses(core, budget.transforms),
        chosen=budget.note,
        random=tally.phases["random"],
        in_memory=tally.phases["in memory"],
        per_operation=tally.counts,
        definition_checked=sum(tally.defined.values()),
        handshakes_compared=tally.handshakes,
        stalls=list(STALLS),
        cycles=tally.cycles,
        wrong_transforms=tally.wrong,
        mismatches=tally.mismatches,
        violation=violation,
    ).with_replay(tally.replay)


def corner_polynomials(
    operation: Operation, impulses: int | None = None, seed: int = 0, place: int = 0
) -> Iterator[Polynomials]:
    """All zero, all q-1, and impulses, in batches of bounded size.

    Of a product, all operands zero or q-1, and impulses times something that tells them apart.

    - `operation`: of a core.
    - `impulses`: how many, n if it is not given: one at each index.
    - `seed`, `place`: of their indices, if they are fewer.

    Yields shape (batch, n), or (batch, operands, n) of a product.
    """
    ring, product = operation.ring, operation.product is not None
    shape = (operation.operands, ring.n) if product else (ring.n,)
    dtype = np.int64 if ring.q < 1 << 63 else object
    ends = np.zeros((2, *shape), dtype=dtype)
    ends[1] = ring.q - 1
    yield ends
    others = [pow(3, i + 1, ring.q) for i in range(ring.n)] if product else []
    indices = impulse_indices(ring.n, ring.n if impulses is None else impulses, seed, place)
    size = max(1, _CHUNK_WORDS // ring.n)
    for first in range(0, len(indices), size):
        some = indices[first : first + size]
        made = np.zeros((len(some), *shape), dtype=dtype)
        impulse = made[:, 0] if product else made
        impulse[np.arange(len(some)), some] = 1
        if product:
            made[:, 1:] = np.array(others, dtype=dtype)
        yield made


def _corners(
    simulator: StreamSimulator, tally: _Tally, count: int, seed: int, progress: Progress
) -> None:
    core = simulator.core
    of_a_place = len(core.operations) // places(core)
    for number, operation in enumerate(core.operations):
        for polynomials in corner_polynomials(operation, count, seed, number // of_a_place):
            done = sum(tally.phases.values())
            progress(f"{done} transforms compared; corners of {operation.name}")
            operations = [operation] * len(polynomials)
            _compare(simulator, tally, _Chunk("corners", operations, polynomials, seed))


def _random(
    simulator: StreamSimulator, tally: _Tally, transforms: int, seed: int, progress: Progress
) -> None:
    """Mixed operations; each chunk has its own stall pattern and its own seed."""
    core = simulator.core
    rng = np.random.default_rng(seed)
    n = core.operations[0].ring.n
    size = max(1, min(_CHUNK_WORDS // n, -(-transforms // len(STALLS))))
    for number, first in enumerate(range(0, transforms, size)):
        name = list(STALLS)[number % len(STALLS)]
        progress(
            f"{sum(tally.phases.values())} transforms compared; "
            f"random {first} of {transforms}, stalls: {name}"
        )
        operations, polynomials = _mixed(core, min(size, transforms - first), rng)
        chunk = _Chunk("random", operations, polynomials, seed + number, STALLS[name])
        _compare(simulator, tally, chunk)


def _mixed(
    core: StreamCore, count: int, rng: np.random.Generator
) -> tuple[list[Operation], Polynomials]:
    """Operations at random, each with a random polynomial of its ring."""
    operations = [core.operations[i] for i in rng.integers(0, len(core.operations), count)]
    wide = any(operation.ring.q >= 1 << 63 for operation in core.operations)
    n = core.operations[0].ring.n
    shape = (count, n) if core.operands == 1 else (count, core.operands, n)
    polynomials = np.empty(shape, dtype=object if wide else np.int64)
    for operation in core.operations:
        rows = [i for i, op in enumerate(operations) if op.code == operation.code]
        polynomials[rows] = operands(operation, len(rows), core.operands, rng)
    return operations, polynomials


@dataclass(frozen=True)
class _Chunk:
    """Transforms that are streamed and compared together."""

    phase: str
    operations: Sequence[Operation]
    polynomials: Polynomials
    seed: int
    stalls: tuple[StallPattern, StallPattern] = (NO_STALLS, NO_STALLS)
    memory: MemoryModel | None = None

    def stream(self, simulator: StreamSimulator) -> StreamRun:
        """Through the core's ports."""
        source, sink = self.stalls
        return simulator.stream(
            self.operations, self.polynomials, source=source, sink=sink, seed=self.seed, probe=True
        )

    def replay(self, first: int, last: int) -> Replay:
        """The same, once more."""

        def do(prepared: Prepared[StreamCore], progress: Progress) -> None:
            with suppress(FaultError):
                if self.memory is None:
                    with prepared.simulator() as simulator:
                        self.stream(simulator)
                else:
                    with open_shell(prepared) as shell:
                        shell.transform(
                            self.operations[0], self.polynomials, self.memory, self.seed
                        )

        return Replay(do, first, last)


def _compare(simulator: StreamSimulator, tally: _Tally, chunk: _Chunk) -> None:
    """Stream a chunk, compare it with the references, and count."""
    tally.under_way = chunk
    run = chunk.stream(simulator)
    wrong = _count(tally, chunk, run.outputs, run.cycles)
    if wrong is not None and tally.replay is None:
        # Registers at the edges: what is around the transform is seen, too.
        tally.replay = chunk.replay(
            max(0, int(run.first_in[wrong]) - 2), int(run.last_out[wrong]) + 2
        )


def _in_memory(
    prepared: Prepared[StreamCore], tally: _Tally, transforms: int, seed: int, progress: Progress
) -> str | None:
    """Jobs through the shell with memories of every kind; the first status that is wrong."""
    operations = prepared.core.operations
    share = max(1, transforms // (len(MEMORIES) * len(operations)))
    rng = np.random.default_rng(seed)
    with open_shell(prepared) as simulator:
        for number, (name, memory) in enumerate(MEMORIES.items()):
            for operation in operations:
                done = sum(tally.phases.values())
                progress(f"{done} transforms compared; {operation.name} in memory: {name}")
                corners = islice(corner_polynomials(operation), 0 if number else 2)
                random = operands(operation, share, operation.operands, rng)
                for polynomials in (*(each[:_IN_MEMORY] for each in corners), random):
                    chunk = _Chunk(
                        "in memory",
                        [operation] * len(polynomials),
                        polynomials,
                        seed,
                        memory=memory,
                    )
                    tally.under_way = chunk
                    outputs, job = simulator.transform(operation, polynomials, memory, seed)
                    if job.status != "ok":
                        tally.replay = tally.replay or chunk.replay(0, LAST_CYCLE)
                        return f"shell: {operation.name} ended with {job.status} ({name} memory)"
                    wrong = _count(tally, chunk, outputs, job.cycles)
                    if wrong is not None:
                        tally.replay = tally.replay or chunk.replay(0, LAST_CYCLE)
    return None


def _count(tally: _Tally, chunk: _Chunk, outputs: Polynomials, cycles: int) -> int | None:
    """Compare a chunk's results with the references, and count; the first that is wrong."""
    expected = references(chunk.operations, chunk.polynomials)
    wrong = outputs != expected
    rows = np.flatnonzero(wrong.any(axis=1))
    for row in rows[: max(0, _SHOWN - len(tally.mismatches))]:
        place = int(wrong[row].argmax())
        tally.mismatches.append(
            Mismatch(
                phase=chunk.phase,
                operation=chunk.operations[row].name,
                transform=tally.phases[chunk.phase] + int(row),
                coefficient=place,
                got=str(outputs[row, place]),
                expected=str(expected[row, place]),
                seed=chunk.seed,
            )
        )
    tally.wrong += len(rows)
    tally.cycles += cycles
    tally.phases[chunk.phase] += len(chunk.operations)
    for operation in chunk.operations:
        tally.counts[operation.name] += 1
    if chunk.phase == "random" and not len(rows):
        _compare_with_definition(tally, chunk, outputs)
    return int(rows[0]) if len(rows) else None


def _compare_with_definition(tally: _Tally, chunk: _Chunk, outputs: Polynomials) -> None:
    """Check the first few transforms of each operation, at as many leaves as is affordable."""
    rng = np.random.default_rng(chunk.seed)
    for row, operation in enumerate(chunk.operations):
        if tally.defined.get(operation.name, 0) >= _DEFINITION_SAMPLES:
            continue
        tally.defined[operation.name] = tally.defined.get(operation.name, 0) + 1
        if not _defined(operation, chunk.polynomials[row], outputs[row], rng):
            tally.wrong += 1
            tally.mismatches.append(
                Mismatch(
                    phase="definition",
                    operation=operation.name,
                    transform=row,
                    coefficient=0,
                    got="as the fast reference",
                    expected="the definition",
                    seed=chunk.seed,
                )
            )


def _defined(
    operation: Operation, polynomials: Polynomials, output: Polynomials, rng: np.random.Generator
) -> bool:
    """Whether one result is right by the definition, at as many leaves as is affordable."""
    ring = operation.ring
    sample = rng.permutation(1 << ring.layers)[: max(1, _DEFINITION_WORK // ring.n)]
    leaves, got = [int(leaf) for leaf in sample], [int(v) for v in output]
    if operation.product is not None:
        return product_holds(operation, polynomials, got, leaves)
    given = [int(v) for v in polynomials.reshape(-1, ring.n)[0]]
    pair = (got, given) if operation.inverse else (given, got)
    return definition_holds(ring, *pair, leaves)


def _same_handshakes(
    simulator: StreamSimulator, tally: _Tally, seed: int, progress: Progress
) -> bool:
    """Whether different data under equal stalls have the same handshakes in every cycle."""
    core = simulator.core
    count = max(4, min(60, (_CHUNK_WORDS >> 2) // core.operations[0].ring.n))
    progress(f"{sum(tally.phases.values())} transforms compared; handshakes of different data")
    rng = np.random.default_rng(seed)
    operations, polynomials = _mixed(core, count, rng)
    limits = np.array([operation.ring.q - 1 for operation in operations], dtype=object)
    limits = limits.reshape(-1, *[1] * (polynomials.ndim - 1))
    everything = [polynomials, polynomials * 0, (polynomials * 0 + limits).astype(object)]
    source, sink = STALLS["both at random"]
    traces: list[npt.NDArray[Any]] = []
    for data in everything:
        run = simulator.stream(
            operations, data, source=source, sink=sink, seed=seed, trace_cycles=1 << 22
        )
        traces.append(run.trace)
        tally.cycles += run.cycles
    tally.handshakes += len(traces[0])
    return all(np.array_equal(traces[0], trace) for trace in traces[1:])
