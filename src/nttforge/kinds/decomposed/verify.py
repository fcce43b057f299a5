# SPDX-License-Identifier: Apache-2.0
"""`verify` of an engine for large transforms: jobs through memory, against a native reference."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field

import numpy as np
from pydantic import BaseModel

from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.trace import Replay
from nttforge.kinds.decomposed.core import DecomposedCore, DecomposedOperation
from nttforge.kinds.decomposed.rounds import Order
from nttforge.kinds.decomposed.simulator import DecomposedSimulator, board
from nttforge.results import Verification, timed
from nttforge.simulate.memory import MemoryModel
from nttforge.simulate.native import (
    Limbs,
    from_limbs,
    native_evaluate,
    native_transform,
    random_words,
    to_limbs,
)
from nttforge.simulate.stream import StallPattern
from nttforge.table import Block, Line, Table

# The largest transform that is simulated has 2^14 beats.
_LARGEST_BEATS = 14
# Polynomials of a job: so many words together, but not more than these.
_BATCH_WORDS, _BATCH_MOST = 1 << 12, 4
_POINTS = 2


def memories(core: DecomposedCore) -> dict[str, MemoryModel]:
    """Memories that a job is tried with: the design's board, and what is hard on the control."""
    behind = board(core).dram
    return {
        "the board": board(core),
        "a beat a cycle, latency 1": MemoryModel(latency=1, requests=4),
        "random stalls on every handshake": MemoryModel(
            latency=20, stalls=StallPattern.random(0.3), requests=3, dram=behind
        ),
        "latency 300, stalls in bursts": MemoryModel(
            latency=300, stalls=StallPattern.bursts(60, 25), requests=64
        ),
        "refreshed": board(core, refresh_period=1290, refresh_length=58),
    }


class DecomposedMismatch(BaseModel):
    """A word that differs: which job, which one, what it is and what it should be."""

    operation: str
    size: int
    padding: int
    memory: str
    transform: int
    word: int
    got: str
    expected: str
    seed: int


class DecomposedVerifyResult(Verification):
    """Comparisons: sizes (log2), words, values by the definition, memories."""

    seed: int
    sizes: tuple[int, int]
    operations: list[str]
    transforms: int
    words: int
    definition_checked: int
    cycles: int
    memories: list[str]
    wrong_jobs: int
    mismatches: list[DecomposedMismatch]

    @property
    def verdict(self) -> tuple[str, str]:
        """Comparisons, and the message for a failure."""
        broken = "the engine broke off"
        bad = broken if self.violation else f"{self.wrong_jobs} jobs are wrong"
        return f"{self.transforms:,} transforms", bad

    def shown(self) -> Iterator[Block]:
        """Comparisons, and the first mismatches."""
        least, largest = self.sizes
        yield Table(
            f"{self.design}, 2^{least} to 2^{largest} words, seed {self.seed}",
            ("compared", "number"),
            [
                ("transforms", self.transforms),
                ("words", self.words),
                ("values, with the definition", self.definition_checked),
                ("cycles simulated", self.cycles),
            ],
        )
        yield Line("operations: " + ", ".join(self.operations))
        yield Line("memories: " + "; ".join(self.memories))
        yield from self.ending(self.mismatches)


@dataclass
class _Tally:
    transforms: int = 0
    words: int = 0
    points: int = 0
    cycles: int = 0
    wrong: int = 0
    under_way: "_Case | None" = None
    failed: "_Case | None" = None
    mismatches: list[DecomposedMismatch] = field(default_factory=list)


@dataclass(frozen=True)
class _Case:
    """One job: what, how large, and under which memory."""

    operation: DecomposedOperation
    size: int
    memory: str
    seed: int
    padding: int = 0


def _cases(core: DecomposedCore, seed: int, sizes: Iterable[int]) -> Iterator[_Case]:
    """Every size with every operation; the memories take turns."""
    names = list(memories(core))
    number = 0
    for size in sizes:
        for operation in core.operations:
            if size <= core.largest_of(operation):
                # Of every number of operations each meets each memory, at some size.
                memory = names[(number + size) % len(names)]
                yield _Case(operation, size, memory, seed + number)
                number += 1
        # The forward operations take turns at sources without their zeros.
        forward = [o for o in core.operations if size <= core.largest_of(o) and not o.inverse]
        for padding in range(1, core.most_padding(forward[0], size) + 1):
            memory = names[(padding + size) % len(names)]
            operation = forward[(padding + 2 * size) % len(forward)]
            yield _Case(operation, size, memory, seed + size, padding)


def _polynomials(core: DecomposedCore, case: _Case, count: int | None) -> Limbs:
    """Random ones; and of several, the last is all q - 1 or has a single one."""
    rng = np.random.default_rng(case.seed)
    n = 1 << case.size - case.padding
    batch = count or max(1, min(_BATCH_MOST, _BATCH_WORDS >> case.size))
    words = random_words(core.ring.q, (batch, n), rng)
    if batch > 1:
        words[-1] = 0
        if case.seed % 2:
            words[-1] = to_limbs(np.array([core.ring.q - 1], dtype=object), words.shape[2])
        else:
            words[-1, int(rng.integers(n)), 0] = 1
    return words


@timed
def verify_decomposed(
    prepared: Prepared[DecomposedCore],
    *,
    count: int | None = None,
    seed: int = 0,
    largest: int | None = None,
    sizes: Sequence[int] = (),
    progress: Progress = silent,
) -> DecomposedVerifyResult:
    """Compare the engine with a native transform at every size, in every direction.

    `count`: polynomials a job; `largest`: log2 of the largest size, by default that of 2^14 beats.
    """
    core = prepared.core
    top = min(core.largest, _LARGEST_BEATS + core.shape.t if largest is None else largest)
    sizes = sizes or range(core.least, top + 1)
    tally, violation = _Tally(), None
    with DecomposedSimulator.build(core, prepared.folder) as simulator:
        try:
            for case in _cases(core, seed, sizes):
                # A source's zeros are not written: its buffer keeps the memory's initial content.
                fresh = DecomposedSimulator.build(core, prepared.folder) if case.padding else None
                with fresh or nullcontext(simulator) as engine:
                    _compare(engine, case, count, tally, progress)
        except FaultError as error:
            violation = str(error)
            tally.failed = tally.failed or tally.under_way
    return DecomposedVerifyResult(
        design=core.name,
        seed=seed,
        sizes=(sizes[0], sizes[-1]),
        operations=[operation.name for operation in core.operations],
        transforms=tally.transforms,
        words=tally.words,
        definition_checked=tally.points,
        cycles=tally.cycles,
        memories=list(memories(core)),
        wrong_jobs=tally.wrong,
        mismatches=tally.mismatches[:10],
        violation=violation,
        ok=violation is None and not tally.wrong and tally.transforms > 0,
    ).with_replay(_replay(tally.failed, count))


def _replay(failed: _Case | None, count: int | None) -> Replay | None:
    """The job that failed, once more."""

    def do(prepared: Prepared[DecomposedCore], progress: Progress) -> None:
        if failed is None:
            return
        core = prepared.core
        with DecomposedSimulator.build(core, prepared.folder) as simulator, suppress(FaultError):
            words = _polynomials(core, failed, count)
            memory = memories(core)[failed.memory]
            simulator.transform(
                failed.operation, words, memory, padding=failed.padding, seed=failed.seed
            )

    return None if failed is None else Replay(do)


def _compare(
    simulator: DecomposedSimulator,
    case: _Case,
    count: int | None,
    tally: _Tally,
    progress: Progress,
) -> None:
    core, operation = simulator.core, case.operation
    tally.under_way = case
    words = _polynomials(core, case, count)
    what = f"{tally.transforms} transforms compared; {operation.name} of 2^{case.size} words"
    what += f", {1 << case.padding} for each that is read" if case.padding else ""
    progress(what)
    got, run = simulator.transform(
        operation,
        words,
        memories(core)[case.memory],
        padding=case.padding,
        seed=case.seed,
        watch=lambda cycles, part: progress(f"{what}, {part:.0%}, {cycles:,} cycles"),
    )
    if run.status != "ok":
        raise FaultError("status", f"{what} ended with: {run.status}", case.seed, run.cycles)
    words = with_zeros(words, case.padding)
    expected = reference(core, operation, words)
    tally.transforms += len(words)
    tally.words += words.shape[0] * words.shape[1]
    tally.cycles += run.cycles
    wrong = np.argwhere((got != expected).any(axis=2))
    if len(wrong):
        row, word = (int(i) for i in wrong[0])
        tally.failed = tally.failed or case
        tally.wrong += 1
        tally.mismatches.append(
            DecomposedMismatch(
                operation=operation.name,
                size=case.size,
                padding=case.padding,
                memory=case.memory,
                transform=row,
                word=word,
                got=str(from_limbs(got[row, word])),
                expected=str(from_limbs(expected[row, word])),
                seed=case.seed,
            )
        )
        return
    holds, points = definition_holds(core, operation, words[0], got[0], case.seed)
    tally.points += points
    tally.wrong += not holds
    if not holds:
        tally.failed = tally.failed or case


def _reversed(value: int, bits: int) -> int:
    return int(f"{value:0{bits}b}"[::-1], 2)


def _bit_reversed(words: Limbs) -> Limbs:
    """Words k of each polynomial at the place of k's reversal; shape (batch, N, limbs)."""
    batch, n, limbs = words.shape
    bits = n.bit_length() - 1
    split = words.reshape(batch, *(2,) * bits, limbs)
    return split.transpose(0, *range(bits, 0, -1), bits + 1).reshape(batch, n, limbs)


def with_zeros(words: Limbs, padding: int) -> Limbs:
    """Words, shape (batch, N, limbs), and zeros after them: 2^padding times as many."""
    if not padding:
        return words
    batch, n, limbs = words.shape
    whole = np.zeros((batch, n << padding, limbs), np.uint64)
    whole[:, :n] = words
    return whole


def reference(core: DecomposedCore, operation: DecomposedOperation, words: Limbs) -> Limbs:
    """Result of the operation for words, shape (batch, N, limbs), by the native transform."""
    if operation.order is Order.FROM_REVERSED:
        words = _bit_reversed(words)
    size = words.shape[1].bit_length() - 1
    root, shift = core.seeds.roots[size], core.shift(operation, size)
    result = native_transform(core.ring.q, root, words, inverse=operation.inverse, shift=shift)
    return _bit_reversed(result) if operation.order is Order.TO_REVERSED else result


def definition_holds(
    core: DecomposedCore, operation: DecomposedOperation, given: Limbs, got: Limbs, seed: int
) -> tuple[bool, int]:
    """Whether a result has the polynomial's values at random points, and at how many."""
    size = (len(given) - 1).bit_length()
    reverse = operation.order is not Order.NATURAL
    polynomial, values = (got, given) if operation.inverse else (given, got)
    root, rng = core.seeds.roots[size], np.random.default_rng(seed)
    shift = core.shift(operation, size)
    for k in (int(i) for i in rng.integers(0, len(given), _POINTS)):
        at = shift * pow(root, k, core.ring.q) % core.ring.q
        if native_evaluate(core.ring.q, polynomial, at) != int(
            from_limbs(values[_reversed(k, size) if reverse else k])
        ):
            return False, _POINTS
    return True, _POINTS
