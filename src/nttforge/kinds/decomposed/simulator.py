# SPDX-License-Identifier: Apache-2.0
"""Jobs of a compiled engine for large transforms: buffers in memory, registers, results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.errors import FaultError, NttforgeError
from nttforge.hw import shell as shell_registers
from nttforge.kinds.decomposed.core import (
    COUNT,
    ID,
    LOG_SIZE,
    PADDING,
    SCRATCH,
    SOURCE,
    STATUSES,
    STRIPE,
    TARGET,
    DecomposedCore,
    DecomposedOperation,
    operation_of,
)
from nttforge.simulate.build import SHELL_HARNESS, build_simulator
from nttforge.simulate.memory import (
    END,
    Buffer,
    Bytes,
    Channels,
    JobSimulator,
    JobStatus,
    MemoryModel,
)
from nttforge.simulate.native import Limbs

_ALIGNMENT = 1 << 12
_LIMB = 64
BUFFER_SOURCE, BUFFER_TARGET = range(2)

Places = npt.NDArray[np.int64]

Watch = Callable[[int, float], None]
"""Called with the cycles so far, and the share of the job's words that has been written."""


@dataclass(frozen=True, kw_only=True)
class DecomposedRun(JobStatus):
    """A job's end, its traffic on the ports of each engine, and on a DRAM's channels."""

    read_beats: int
    written_beats: int
    read_bursts: int
    write_bursts: int
    drams: tuple[tuple[int, ...], ...] = ()


def board(core: DecomposedCore, **changes: Any) -> MemoryModel:
    """The memory of the design's board, in the clock and the words of its channels."""
    at = core.board
    if core.dram is not None:
        model = MemoryModel(core.memory_latency, dram=core.dram.timing(core.clock_mhz))
        return replace(model, **changes)
    model = MemoryModel(
        latency=at.latency_cycles,
        words_per_cycle=min(1.0, core.beats_a_cycle(at.channel_gbytes_s)),
        # The memory's own: the channel carries no more than one, but meanwhile it goes on.
        peak_words_per_cycle=core.beats_a_cycle(at.peak_gbytes_s),
        burst_cycles=core.own_burst_cycles,
    )
    return replace(model, **changes)


@dataclass(frozen=True)
class DecomposedJob:
    """The engine's job: log2 of the size, count, byte addresses, stripe, log2 of padding."""

    code: int
    size: int
    count: int
    source: int
    target: int
    scratch: int
    stripe: int = 0
    padding: int = 0


def job_places(
    core: DecomposedCore, operation: DecomposedOperation, size: int, part: int
) -> tuple[int, int, int, int]:
    """Addresses of stripe, source, target and scratch, for buffers of `part` bytes a stripe."""
    if core.dram is None:
        stride = -(-core.stripes * part // _ALIGNMENT) * _ALIGNMENT + _ALIGNMENT
        return part, stride, 2 * stride, 3 * stride
    stripe = 1 << core.dram.channel_bits
    side, half = core.stripes * stripe, stripe // 2
    if part > half:
        raise NttforgeError(
            "sizes",
            f"{part} bytes a port do not fit half a channel of {stripe} bytes",
            "take smaller transforms, or fewer",
        )
    back = core.needs_work(operation, size)
    return stripe, 0, half if back else side, side


class DecomposedSimulator(JobSimulator):
    """A compiled engine."""

    def __init__(self, core: DecomposedCore, library: Path, *, data: bool = True) -> None:
        self.core = core
        self.data = data
        super().__init__(library)

    @classmethod
    def build(
        cls, core: DecomposedCore, folder: Path, *, data: bool = True, short: bool = False
    ) -> "DecomposedSimulator":
        """Compile the design folder or take the cached library; without `data` all words are 0."""
        top = core.name if data else core.cycles
        return cls(core, build_simulator(folder, top, SHELL_HARNESS, short=short), data=data)

    def transform(
        self,
        operation: DecomposedOperation,
        words: Limbs,
        memory: MemoryModel | None = None,
        *,
        padding: int = 0,
        into: Limbs | None = None,
        scratch: Bytes | None = None,
        seed: int = 0,
        watch: Watch | None = None,
    ) -> tuple[Limbs, DecomposedRun]:
        """Transform a batch: words of shape (batch, N / 2^padding, limbs), in [0, q).

        `into` takes the results, (batch, N, limbs); `scratch` as many bytes, if not in place. The
        memory is that of the design's board by default.
        """
        if not self.data:
            raise RuntimeError("the engine was compiled without its data path")
        batch, given, limbs = words.shape
        shape = batch, given << padding, limbs
        size = shape[1].bit_length() - 1
        _, source_at, target_at, _ = job_places(
            self.core, operation, size, self.core.part(size, batch)
        )
        source = to_memory(self.core, words, source_at, operation)
        result = np.zeros(shape, np.uint64) if into is None else into
        # Words of 64 bits are written where they are to be; narrower ones are widened.
        direct = (
            self.core.store_bits >= _LIMB and not self.core.striped and result.flags.c_contiguous
        )
        extent = self.core.stripes * self.core.part(size, batch)
        target = result.view(np.uint8).reshape(-1) if direct else np.zeros(extent, np.uint8)
        if scratch is None and self.core.needs_work(operation, size):
            scratch = np.zeros(extent, np.uint8)
        buffers = (source, target, source if scratch is None else scratch)
        run = self._job(
            operation, size, batch, buffers, memory, padding=padding, seed=seed, watch=watch
        )
        if not direct:
            result[...] = from_memory(self.core, target, shape, target_at, operation)
        return result, run

    def count(
        self,
        operation: DecomposedOperation,
        size: int,
        batch: int = 1,
        memory: MemoryModel | None = None,
        *,
        padding: int = 0,
        seed: int = 0,
        watch: Watch | None = None,
    ) -> DecomposedRun:
        """Cycles of a batch of transforms of 2^size words, with memory that keeps nothing."""
        return self._job(
            operation, size, batch, None, memory, padding=padding, seed=seed, watch=watch
        )

    def _job(
        self,
        operation: DecomposedOperation,
        size: int,
        batch: int,
        data: tuple[Bytes, Bytes, Bytes] | None,
        memory: MemoryModel | None,
        *,
        padding: int,
        seed: int,
        watch: Watch | None,
    ) -> DecomposedRun:
        core = self.core
        part = core.part(size, batch)
        stripe, source, target, scratch = job_places(core, operation, size, part)
        buffers = [
            Buffer(address + port * stripe, content, extent)
            for address, whole, extent in zip(
                (source, target, scratch),
                data or (None, None, None),
                (core.part(size - padding, batch), part, part),
                strict=True,
            )
            for port, content in enumerate(
                [None] * core.stripes if whole is None else whole.reshape(core.stripes, -1)
            )
        ]
        job = DecomposedJob(operation.code, size, batch, source, target, scratch, stripe, padding)
        return self.run(job, buffers, memory, seed=seed, watch=watch)

    def run(
        self,
        job: DecomposedJob,
        buffers: Sequence[Buffer],
        memory: MemoryModel | None = None,
        *,
        seed: int = 0,
        watch: Watch | None = None,
    ) -> DecomposedRun:
        """Run one job, whatever its arguments; buffers are written in place."""
        core = self.core
        # What a burst asks of a port, it asks of all.
        model = replace(memory or board(core), spread=1, together=core.ports)
        writes = [(shell_registers.OPERATION, job.code), (LOG_SIZE, job.size), (COUNT, job.count)]
        arguments = [(SOURCE, job.source), (TARGET, job.target), (SCRATCH, job.scratch)]
        # Bit 0: over the banks of the memory.
        arguments += [(STRIPE, job.stripe | (core.banks.bits > 0))] if core.striped else []
        for at, value in arguments:
            writes += [(at, value % (1 << 32)), (at + 4, value >> 32)]
        writes += [(PADDING, job.padding)] if core.board.blowup > 1 else []
        known = core.least <= job.size <= core.largest
        order = operation_of(job.code).order
        rounds = len(core.rounds(job.size, order)) if known else 1
        beats = (job.count << job.size) // core.lanes * rounds
        answer = self._host.job(
            Channels(core.channels, core.port_bytes, shell_registers.ADDRESS_WIDTH),
            writes,
            [*END, ID],
            buffers,
            model,
            patience=self._patience(model) + (0 if model.silent is None else core.timeout_cycles),
            seed=seed,
            watch=None
            if watch is None
            else lambda cycles, words: watch(cycles, words / max(1, beats * core.ports)),
        )
        name = answer.registers[len(END)]
        expected = core.largest << 16 | core.shape.t << 8 | core.shape.v
        if name != expected:
            raise FaultError("identity", f"the engine says that it is {name:#x}, not {expected:#x}")
        return DecomposedRun(
            **vars(JobStatus.of(answer, STATUSES, model.silent)),
            read_beats=int(answer.read_words[:: core.ports].sum()),
            written_beats=int(answer.written_words[:: core.ports].sum()),
            read_bursts=int(answer.read_bursts[:: core.ports].sum()),
            write_bursts=int(answer.write_bursts[:: core.ports].sum()),
            drams=tuple(map(tuple, answer.drams.tolist())) if core.dram is not None else (),
        )

    def _patience(self, model: MemoryModel) -> int:
        """No word moves while a group is transformed along its passes, and tables are made."""
        shape = self.core.shape
        passes = 8 << (shape.group - shape.t)
        rate = min(model.words_per_cycle, model.peak_words_per_cycle)
        bursts = 4 * round((1 << shape.b) / rate + model.burst_cycles)
        return passes + bursts + 16 * (model.latency + model.refresh_length) + 40_000


def check_run(run: DecomposedRun) -> None:
    """Refuse a job that did not end well."""
    if run.status != "ok":
        where = ("reading", "writing")[run.channel & 1]
        raise NttforgeError(
            "job", f"it ended with: {run.status}", f"see {where} at address {run.fault:#x}"
        )


def to_memory(
    core: DecomposedCore,
    words: Limbs,
    address: int | None = None,
    operation: DecomposedOperation | None = None,
    buffer: int = BUFFER_SOURCE,
) -> Bytes:
    """Words (batch, N, limbs) as the bytes of a buffer: a stripe, then the next one's.

    With the address at port 0, blocks are spread over the memory's banks.
    """
    if core.store_bits >= _LIMB:
        data = np.ascontiguousarray(words, "<u8").view(np.uint8).reshape(-1)
    else:
        narrow = np.ascontiguousarray(words[..., 0], f"<u{core.word_bytes}")
        data = narrow.view(np.uint8).reshape(-1)
    if not core.striped:
        return data
    batch, size = words.shape[0], words.shape[1].bit_length() - 1
    striped = np.zeros((core.stripes, core.part(size, batch)), np.uint8)
    units = data.reshape(-1, _unit(core, size) // core.lanes, core.ports, core.port_bytes)
    chosen, places = _units(core, operation, buffer, size, len(units))
    _chunks(core, size, striped)[chosen, :, places] = units.swapaxes(1, 2)
    return _spread(core, striped, address).reshape(-1)


def from_memory(
    core: DecomposedCore,
    data: Bytes,
    shape: tuple[int, ...],
    address: int | None = None,
    operation: DecomposedOperation | None = None,
) -> Limbs:
    """Undo :func:`to_memory`, of the operation's target."""
    if core.striped:
        whole = _spread(core, data.reshape(core.stripes, -1), address)
        size = shape[1].bit_length() - 1
        count = shape[0] * shape[1] // _unit(core, size)
        chosen, places = _units(core, operation, BUFFER_TARGET, size, count)
        data = _chunks(core, size, whole)[chosen, :, places].swapaxes(1, 2).reshape(-1)
    if core.store_bits >= _LIMB:
        return data.view("<u8").astype(np.uint64).reshape(shape)
    result: npt.NDArray[np.uint64] = data.view(f"<u{core.word_bytes}").astype(np.uint64)
    return result.reshape(shape)


def _unit(core: DecomposedCore, size: int) -> int:
    """Words that stay together: of a beat, or with sets of channels of a burst."""
    return 1 << min(core.shape.p, size) if core.sets > 1 else core.lanes


def _units(
    core: DecomposedCore,
    operation: DecomposedOperation | None,
    buffer: int,
    size: int,
    count: int,
) -> tuple[Places, Places]:
    """Set and place there of so many units."""
    numbers = np.arange(count)
    if core.sets == 1:
        return np.zeros_like(numbers), numbers
    if operation is None:
        raise ValueError("where words are in channels of their own depends on the operation")
    at, unit = core.maps(operation.order, size)[buffer], _unit(core, size)
    chosen, places = at.place(numbers * unit, core.log_sets, core.shape.p)
    return chosen, places // unit


def _chunks(core: DecomposedCore, size: int, striped: Bytes) -> Bytes:
    """A buffer's bytes as units of each port: shape (sets, ports, units, beats, bytes)."""
    beats = _unit(core, size) // core.lanes
    return striped.reshape(core.sets, core.ports, -1, beats, core.port_bytes)


def _spread(core: DecomposedCore, parts: Bytes, address: int | None) -> Bytes:
    """Bytes of each stripe, shape (stripes, bytes), spread over banks; its own inverse."""
    banks = core.banks
    if not banks.bits or address is None:
        return parts
    unit = 1 << banks.low
    moved = banks.spread(np.arange(address, address + parts.shape[1], unit)) - address
    chunks = parts.reshape(core.stripes, -1, unit)[:, moved // unit]
    return chunks.reshape(parts.shape)
