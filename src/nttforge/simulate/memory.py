# SPDX-License-Identifier: Apache-2.0
"""A host and a memory around a compiled design that does jobs: what shell.cpp offers.

The design has registers on AXI4-Lite, an interrupt, and pairs of AXI4 channels.
"""

import ctypes
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from nttforge.c_struct import DOUBLE, POINTER, U64, members
from nttforge.errors import FaultError
from nttforge.hw import shell as shell_registers
from nttforge.hw.dram import TRAFFIC, DramTiming
from nttforge.simulate.shared_library import CompiledModel
from nttforge.simulate.stream import NO_STALLS, StallPattern, StallProcess

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.uint64]
Watch = Callable[[int, int], None]
"""Called now and then with the cycles and the words written so far."""

_NOWHERE = (1 << 64) - 1
_DRAMS = 64
_WATCH_SECONDS = 0.2


@dataclass(frozen=True)
class MemoryModel:
    """A memory behind every channel: what it answers, for each direction on its own, and a DRAM
    after all of them.

    - `latency`: cycles from a read's request to its first word, and from a write's last word to the
      answer, beside what the DRAM takes.
    - `words_per_cycle`: bandwidth of a channel, a direction.
    - `peak_words_per_cycle`, `burst_cycles`: a burst takes as long as its words at the bandwidth,
      or these cycles and its words at the peak, whichever is longer.
    - `refresh_period`, `refresh_length`: every so many cycles a channel transfers nothing for so
      many cycles; 0 is never.
    - `stalls`: of each handshake, at random.
    - `requests`: bursts that a channel accepts before it has answered one.
    - `dram`: what is after, in cycles, by the address alone: rows that open and close, banks,
      refreshes. Nothing if None.
    - `spread`: bursts of one direction that a channel may be asked for more than another one; None
      if they have nothing to do with each other.
    - `together`: channels of which that holds, those that follow each other; all if 0.
    - `bad_read`, `bad_write`: addresses at which it answers with an error.
    - `silent`: a channel on which it answers nothing until the job has ended. The job is then
      repeated, and once more after the answers have come.
    """

    latency: int = 128
    words_per_cycle: float = 1.0
    peak_words_per_cycle: float = 1.0
    burst_cycles: float = 0.0
    refresh_period: int = 0
    refresh_length: int = 0
    stalls: StallPattern = NO_STALLS
    requests: int = 64
    dram: DramTiming | None = None
    spread: int | None = None
    together: int = 0
    bad_read: int | None = None
    bad_write: int | None = None
    silent: int | None = None


@dataclass(frozen=True)
class Buffer:
    """Host memory from `address` on; without `data` it reads as 0 and ignores writes."""

    address: int
    data: Bytes | None
    size: int | None = None

    @property
    def extent(self) -> int:
        """Bytes that are there."""
        if self.size is not None:
            return self.size
        return 0 if self.data is None else self.data.size


#: Of a memory, as its model has them.
_PLAIN = (
    *("latency", "words_per_cycle", "peak_words_per_cycle", "burst_cycles"),
    *("refresh_period", "refresh_length", "requests"),
)
#: Of each pair of channels.
COUNTS = ("read_words", "written_words", "read_bursts", "write_bursts")


class _Region(ctypes.Structure):
    _fields_ = members((U64, "base bytes"), (POINTER, "data"))


class _Access(ctypes.Structure):
    _fields_ = members((U64, "address value"))


class _Memory(ctypes.Structure):
    _fields_ = members(
        (U64, "latency"),
        (DOUBLE, "words_per_cycle peak_words_per_cycle burst_cycles"),
        (U64, "refresh_period refresh_length"),
        (StallProcess, "stalls"),
        (U64, "requests"),
        (DramTiming, "dram"),
    )


class _Job(ctypes.Structure):
    """`struct ShellJob` of shell.cpp, field by field."""

    _fields_ = members(
        (U64, "instances data_bytes address_bits"),
        (ctypes.POINTER(_Region), "regions"),
        (U64, "num_regions"),
        (ctypes.POINTER(_Access), "writes"),
        (U64, "num_writes"),
        (ctypes.POINTER(_Access), "reads"),
        (U64, "num_reads"),
        (_Memory, "memory"),
        (U64, "bad_read bad_write silent spread together seed patience stop"),
        (POINTER, " ".join((*COUNTS, "drams"))),
        (U64, "cycles control_errors repeated resumed"),
        (ctypes.c_char * 32, "violation"),
        (ctypes.c_char * 256, "message"),
    )


@dataclass(frozen=True)
class Channels:
    """Shape of the channels: pairs of them, bytes of a word, bits of an address."""

    count: int
    word_bytes: int
    address_bits: int


@dataclass(frozen=True)
class JobResult:
    """Registers that were read, cycles from start to interrupt, and traffic by pair of channels."""

    registers: tuple[int, ...]
    cycles: int
    read_words: Counts
    written_words: Counts
    read_bursts: Counts
    write_bursts: Counts
    drams: Counts
    control_errors: int
    repeated: int = 0
    resumed: int = 0


#: Registers that say how a job has ended; what else is asked for comes after them.
END = (
    *(shell_registers.STATUS, shell_registers.FAULT, shell_registers.FAULT + 4),
    *(shell_registers.CYCLES, shell_registers.CYCLES + 4),
)


@dataclass(frozen=True, kw_only=True)
class JobStatus:
    """End of a job: status, channel (2i reads, 2i+1 writes, of pair i), address, cycles."""

    status: str
    channel: int
    fault: int
    cycles: int
    counted_cycles: int
    repeated: str | None = None
    resumed: str | None = None

    @classmethod
    def of(cls, answer: JobResult, statuses: Mapping[int, str], silent: int | None) -> "JobStatus":
        """From the registers of :data:`END`, which come first in the answer."""
        status, low, high, cycles_low, cycles_high = answer.registers[: len(END)]
        return JobStatus(
            status=statuses[status & 0xFF],
            channel=status >> 8,
            fault=high << 32 | low,
            cycles=answer.cycles,
            counted_cycles=cycles_high << 32 | cycles_low,
            repeated=None if silent is None else statuses[answer.repeated],
            resumed=None if silent is None else statuses[answer.resumed],
        )


class MemoryHost(CompiledModel):
    """A compiled design with the harness shell.cpp; jobs follow each other without a reset."""

    def __init__(self, library: Path) -> None:
        super().__init__(library, _Job)

    def job(
        self,
        channels: Channels,
        writes: Sequence[tuple[int, int]],
        asked: Sequence[int],
        buffers: Sequence[Buffer],
        model: MemoryModel,
        *,
        patience: int,
        seed: int = 0,
        watch: Watch | None = None,
    ) -> JobResult:
        """Write registers, start, wait for the interrupt, read registers.

        - `channels`: the design's channels.
        - `writes`: (address, value) of registers, in order, before the start.
        - `asked`: addresses of registers to read in the end.
        - `buffers`: what memory there is; written in place. Elsewhere it answers with errors.
        - `model`: how memory behaves.
        - `patience`: cycles in which nothing moves that count as stuck.
        - `seed`: of the random stalls.
        - `watch`: called with the progress.
        """
        reads = (_Access * len(asked))(*(_Access(address, 0) for address in asked))
        counts = np.zeros((4, channels.count), np.uint64)
        drams = np.zeros((_DRAMS, len(TRAFFIC)), np.uint64)
        arrays = {**dict(zip(COUNTS, counts, strict=True)), "drams": drams}
        places = {
            name: getattr(model, name) for name in ("bad_read", "bad_write", "silent", "spread")
        }
        job = _Job(
            instances=channels.count,
            data_bytes=channels.word_bytes,
            address_bits=channels.address_bits,
            regions=(_Region * len(buffers))(
                *(
                    _Region(b.address, b.extent, None if b.data is None else b.data.ctypes.data)
                    for b in buffers
                )
            ),
            num_regions=len(buffers),
            writes=(_Access * len(writes))(*(_Access(*pair) for pair in writes)),
            num_writes=len(writes),
            reads=reads,
            num_reads=len(asked),
            memory=_Memory(
                **{name: getattr(model, name) for name in _PLAIN},
                stalls=StallProcess(model.stalls.enter, model.stalls.leave),
                dram=DramTiming() if model.dram is None else model.dram,
            ),
            **{name: _NOWHERE if at is None else at for name, at in places.items()},
            together=model.together or channels.count,
            seed=seed,
            patience=patience,
            stop=0,
            **{name: array.ctypes.data for name, array in arrays.items()},
        )
        self._run(job, counts[1], watch)
        if job.violation:
            raise FaultError(job.violation.decode(), job.message.decode(), seed, job.cycles)
        return JobResult(
            registers=tuple(access.value for access in reads),
            cycles=job.cycles,
            **arrays,
            control_errors=job.control_errors,
            repeated=job.repeated,
            resumed=job.resumed,
        )

    def _run(self, job: _Job, written: Counts, watch: Watch | None) -> None:
        """Run in a thread of its own, so that an interrupt is heard and progress is seen."""
        worker = threading.Thread(target=self._do, args=(job,))
        worker.start()
        try:
            while worker.is_alive():
                worker.join(_WATCH_SECONDS)
                if watch is not None:
                    watch(job.cycles, int(written.sum()))
        except BaseException:
            job.stop = 1
            worker.join()
            raise


class JobSimulator:
    """A compiled design that does jobs, with its host and memory; open until it is closed."""

    def __init__(self, library: Path) -> None:
        self._host = MemoryHost(library)

    def close(self) -> None:
        """Free the model."""
        self._host.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
