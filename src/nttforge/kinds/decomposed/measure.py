# SPDX-License-Identifier: Apache-2.0
"""`measure` of an engine for large transforms: cycles of one and of a batch, on its board."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.kinds.decomposed.core import DecomposedCore, DecomposedOperation
from nttforge.kinds.decomposed.lower_bounds import (
    beat_cycles,
    latency_floor,
    throughput_floor,
    waiting_floor,
)
from nttforge.kinds.decomposed.simulator import DecomposedRun, DecomposedSimulator, check_run
from nttforge.results import Measurement, Timed, timed
from nttforge.simulate.dram_model import linear
from nttforge.table import Block, Table

_SIZES = (10, 12, 14, 16, 18, 20)
# Words of a batch, together; transforms of one at most, and at least if there are two.
_BATCH_WORDS, _BATCH_MOST, _BATCH_LEAST = 1 << 22, 256, 4


class Carried(BaseModel):
    """Bytes of a transform on DRAM channels: GB/s, shares of linear streams and of peak."""

    channels: int
    gbytes_s: float
    of_usable: float
    of_peak: float


class DecomposedLatency(BaseModel):
    """One transform, from the job's start to its interrupt.

    - `size`, `rounds`: log2 of its words, and how often they are read and written.
    - `cycles`, `milliseconds`: observed, and that in the board's clock.
    - `floor_cycles`: what no control could be faster than if nothing had a latency;
      docs/decomposed.md derives it.
    - `of_floor`: that over the cycles.
    - `waiting_cycles`: the same with the latencies of memory, multipliers and kernel.
    - `of_waiting`: that over the cycles.
    - `carried`: what the channels of a DRAM have carried, in both directions; none of another
      memory.
    """

    size: int
    rounds: int
    cycles: int
    milliseconds: float
    floor_cycles: int
    of_floor: float
    waiting_cycles: int
    of_waiting: float
    carried: Carried | None = None


class DecomposedThroughput(BaseModel):
    """A batch of transforms: cycles each, its floor, and what one more transform adds."""

    size: int
    transforms: int
    cycles: int
    cycles_per_transform: float
    floor_cycles: int
    of_floor: float
    more_cycles: float
    more_of_floor: float


class DecomposedMeasureResult(Measurement):
    """Measurements on the design's board; `beats_per_cycle`: of a channel, in bursts."""

    operation: str
    padding: int = 0
    clock_mhz: float
    beats_per_cycle: float
    memory_latency: int
    one: list[DecomposedLatency]
    batches: list[DecomposedThroughput]

    @property
    def _read(self) -> str:
        return f", one word of {1 << self.padding} read" if self.padding else ""

    @property
    def timed(self) -> dict[str, Timed]:
        """Transforms of each size."""
        each = {batch.size: batch.cycles_per_transform for batch in self.batches}
        return {f"2^{row.size}": Timed(row.cycles, each.get(row.size)) for row in self.one}

    def shown(self) -> Iterator[Block]:
        """Cycles of one transform and of a batch at each size."""
        yield Table(
            f"{self.design}, {self.operation}{self._read}, one transform on the board of "
            f"{self.clock_mhz:g} MHz, {self.beats_per_cycle} beats a cycle",
            ("words", "rounds", "cycles", "ms", "floor", "of it", "with waiting", "of it"),
            [
                (
                    *(f"2^{r.size}", r.rounds, r.cycles, r.milliseconds),
                    *(r.floor_cycles, f"{r.of_floor:.1%}"),
                    *(r.waiting_cycles, f"{r.of_waiting:.1%}"),
                )
                for r in self.one
            ],
        )
        carried = [(r.size, r.carried) for r in self.one if r.carried]
        if carried:
            yield Table(
                "What the memory carries meanwhile, both ways",
                ("words", "channels", "GB/s", "of linear streams", "of peak"),
                [
                    (f"2^{size}", c.channels, c.gbytes_s, f"{c.of_usable:.1%}", f"{c.of_peak:.1%}")
                    for size, c in carried
                ],
            )
        if self.batches:
            yield Table(
                "Batches",
                (
                    *("words", "transforms", "cycles", "cycles each", "floor", "of it"),
                    *("one more", "of it"),
                ),
                [
                    (
                        *(f"2^{r.size}", r.transforms, r.cycles, r.cycles_per_transform),
                        *(r.floor_cycles, f"{r.of_floor:.1%}"),
                        *(r.more_cycles, f"{r.more_of_floor:.1%}"),
                    )
                    for r in self.batches
                ],
            )
        yield from self.times()


@timed
def measure_decomposed(
    prepared: Prepared[DecomposedCore],
    *,
    count: int | None = None,
    sizes: Sequence[int] | None = None,
    operation: DecomposedOperation | None = None,
    padding: int = 0,
    progress: Progress = silent,
) -> DecomposedMeasureResult:
    """Observe one transform and a batch at each of `sizes` (log2), without a data path.

    `count`: transforms of a batch; by default four million words, between 4 and 256 transforms.
    `padding`: log2 of the words of a transform for each that its source has.
    """
    core = prepared.core
    operation = operation or core.operations[0]
    largest = core.largest_of(operation)
    for size in sizes or ():
        if not core.least <= size <= largest:
            raise NttforgeError(
                "sizes",
                f"{core.name} has no transform of 2^{size} words",
                f"use {core.least} to {largest}",
            )
    own = [size for size in _SIZES if core.least <= size <= largest] or [largest]
    sizes = own if sizes is None else sizes
    for size in sizes:
        check_padding(core, operation, size, padding)
    job = _Job(operation, padding)
    result = DecomposedMeasureResult(
        design=core.name,
        operation=operation.name,
        padding=padding,
        clock_mhz=core.board.clock_mhz,
        beats_per_cycle=round(1 / _beat_cycles(core), 4),
        memory_latency=core.memory_latency,
        one=[],
        batches=[],
    )
    with DecomposedSimulator.build(core, prepared.folder, data=False) as simulator:
        for size in sizes:
            result.one.append(_one(simulator, job, size, progress))
            transforms = count or min(_BATCH_MOST, _BATCH_WORDS >> size)
            if transforms > 1:
                # So that half of them keep every engine busy, as all of them do.
                least = max(_BATCH_LEAST, 2 * core.engines)
                transforms = count or max(least, transforms)
                result.batches.append(_batch(simulator, job, size, transforms, progress))
    return result


def check_padding(
    core: DecomposedCore, operation: DecomposedOperation, size: int, padding: int
) -> None:
    """Refuse what the hardware refuses."""
    most = core.most_padding(operation, size)
    if padding > most:
        raise NttforgeError(
            "padding",
            f"{operation.name} of 2^{size} words reads one of {1 << most} at least, not of "
            f"{1 << padding}",
            f"use {most} or less" if most or operation.inverse else "a larger `blowup`, or 0",
        )


@dataclass(frozen=True)
class _Job:
    """A job without its size."""

    operation: DecomposedOperation
    padding: int


def _beat_cycles(core: DecomposedCore) -> float:
    return beat_cycles(core, 1 << core.shape.p, core.engines)


def _run(
    simulator: DecomposedSimulator,
    job: _Job,
    size: int,
    transforms: int,
    progress: Progress,
) -> DecomposedRun:
    what = f"2^{size} words" + (f", {transforms} times" if transforms > 1 else "")
    progress(what)
    run = simulator.count(
        job.operation,
        size,
        transforms,
        padding=job.padding,
        watch=lambda cycles, part: progress(f"{what}: {bar(part)} {cycles:,} cycles"),
    )
    check_run(run)
    return run


def bar(part: float, width: int = 20) -> str:
    """Progress, as text."""
    full = round(min(1.0, part) * width)
    return f"{'█' * full}{'░' * (width - full)} {part:.0%}"


def _one(
    simulator: DecomposedSimulator, job: _Job, size: int, progress: Progress
) -> DecomposedLatency:
    core = simulator.core
    at = size, job.operation.order, job.padding
    run = _run(simulator, job, size, 1, progress)
    cycles = run.cycles
    floor, waiting = latency_floor(core, *at), waiting_floor(core, *at)
    return DecomposedLatency(
        size=size,
        rounds=len(core.rounds(*at)),
        cycles=cycles,
        milliseconds=round(cycles / core.board.clock_mhz / 1e3, 4),
        floor_cycles=round(floor),
        of_floor=round(floor / cycles, 4),
        waiting_cycles=round(waiting),
        of_waiting=round(waiting / cycles, 4),
        carried=_carried(core, run),
    )


def _carried(core: DecomposedCore, run: DecomposedRun) -> Carried | None:
    """Words of all beats over the job's time, beside the channels that have carried any."""
    if core.dram is None:
        return None
    channels = sum(1 for reads, writes, *_ in run.drams if reads + writes)
    moved = (run.read_beats + run.written_beats) * core.beat_bytes
    gbytes_s = moved * core.board.clock_mhz / 1e3 / run.cycles
    usable = channels * (linear(core.dram) + linear(core.dram, write=True)) / 2
    return Carried(
        channels=channels,
        gbytes_s=round(gbytes_s, 1),
        of_usable=round(gbytes_s / usable, 4),
        of_peak=round(gbytes_s / (channels * core.dram.peak_gbytes_s), 4),
    )


def _batch(
    simulator: DecomposedSimulator,
    job: _Job,
    size: int,
    transforms: int,
    progress: Progress,
) -> DecomposedThroughput:
    half = transforms // 2
    cycles = _run(simulator, job, size, transforms, progress).cycles
    more = (cycles - _run(simulator, job, size, half, progress).cycles) / (transforms - half)
    floor = throughput_floor(simulator.core, size, job.operation.order, job.padding)
    return DecomposedThroughput(
        size=size,
        transforms=transforms,
        cycles=cycles,
        cycles_per_transform=round(cycles / transforms, 1),
        floor_cycles=round(floor),
        of_floor=round(floor * transforms / cycles, 4),
        more_cycles=round(more, 1),
        more_of_floor=round(floor / more, 4),
    )
