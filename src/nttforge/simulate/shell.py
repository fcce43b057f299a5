# SPDX-License-Identifier: Apache-2.0
"""A host and its memory around a compiled shell: buffers in, a job over AXI4-Lite, results out."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nttforge.families import shell as registers
from nttforge.families.core import Core, Operation
from nttforge.families.shell import Shell
from nttforge.simulate.build import SHELL_HARNESS, build_simulator
from nttforge.simulate.stream import NO_STALLS, Polynomials, StallPattern, StreamViolationError

Bytes = npt.NDArray[np.uint8]

_NOWHERE = (1 << 64) - 1
# Buffers lie in pages of their own, far apart, as on a board with a bank for each.
_BANK_BYTES = 1 << 28


@dataclass(frozen=True)
class MemoryModel:
    """A memory behind every channel, for each direction on its own.

    Attributes
    ----------
    latency
        Cycles from a read's request to its first word, and from a write's last word to the answer.
    words_per_cycle
        Bandwidth of a channel, a direction.
    refresh_period, refresh_length
        Every so many cycles a channel transfers nothing for so many cycles; 0 is never.
    stalls
        Of each handshake, at random.
    requests
        Bursts that a channel accepts before it has answered one.
    """

    latency: int = 128
    words_per_cycle: float = 1.0
    refresh_period: int = 0
    refresh_length: int = 0
    stalls: StallPattern = NO_STALLS
    requests: int = 64


@dataclass(frozen=True)
class Buffer:
    """Memory of the host: bytes from an address on."""

    address: int
    data: Bytes


@dataclass(frozen=True)
class Task:
    """What an instance is given: where its transforms are, where they go, how many there are."""

    source: int
    target: int
    count: int


@dataclass(frozen=True)
class JobRun:
    """What a job showed.

    Attributes
    ----------
    status
        One of :data:`nttforge.families.shell.STATUSES`.
    channel, fault
        Channel (2i reads, 2i+1 writes for instance i) and address of an error, else 0.
    cycles
        From the write that starts the job to the interrupt.
    counted_cycles
        What the shell's own counter says.
    read_words, written_words, read_bursts, write_bursts
        Of each instance.
    repeated, resumed
        With a silent channel: how the job ended when it was repeated, and when the channel had
        answered.
    """

    status: str
    channel: int
    fault: int
    cycles: int
    counted_cycles: int
    read_words: npt.NDArray[np.uint64]
    written_words: npt.NDArray[np.uint64]
    read_bursts: npt.NDArray[np.uint64]
    write_bursts: npt.NDArray[np.uint64]
    control_errors: int
    repeated: str | None = None
    resumed: str | None = None


class _StallProcess(ctypes.Structure):
    _fields_ = (("enter", ctypes.c_double), ("leave", ctypes.c_double))


class _Region(ctypes.Structure):
    _fields_ = (
        ("base", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
        ("data", ctypes.c_void_p),
    )


class _Access(ctypes.Structure):
    _fields_ = (("address", ctypes.c_uint64), ("value", ctypes.c_uint64))


class _Memory(ctypes.Structure):
    _fields_ = (
        ("latency", ctypes.c_uint64),
        ("words_per_cycle", ctypes.c_double),
        ("refresh_period", ctypes.c_uint64),
        ("refresh_length", ctypes.c_uint64),
        ("stalls", _StallProcess),
        ("requests", ctypes.c_uint64),
    )


class _Job(ctypes.Structure):
    """`struct ShellJob` of shell.cpp, field by field."""

    _fields_ = (
        *((name, ctypes.c_uint64) for name in ("instances", "data_bytes", "address_bits")),
        ("regions", ctypes.POINTER(_Region)),
        ("num_regions", ctypes.c_uint64),
        ("writes", ctypes.POINTER(_Access)),
        ("num_writes", ctypes.c_uint64),
        ("reads", ctypes.POINTER(_Access)),
        ("num_reads", ctypes.c_uint64),
        ("memory", _Memory),
        *(
            (name, ctypes.c_uint64)
            for name in ("bad_read", "bad_write", "silent", "seed", "patience")
        ),
        *(
            (name, ctypes.c_void_p)
            for name in ("read_words", "written_words", "read_bursts", "write_bursts")
        ),
        ("cycles", ctypes.c_uint64),
        ("control_errors", ctypes.c_uint64),
        ("repeated", ctypes.c_uint64),
        ("resumed", ctypes.c_uint64),
        ("violation", ctypes.c_char * 32),
        ("message", ctypes.c_char * 256),
    )


class ShellSimulator:
    """A compiled shell.

    Parameters
    ----------
    core
        The core, with its shell.
    library
        What :func:`nttforge.simulate.build.build_simulator` returned for the shell's top.
    instances
        With how many it was compiled, if not with the design's.
    """

    def __init__(self, core: Core, library: Path, instances: int | None = None) -> None:
        if core.shell is None:
            raise ValueError(f"{core.name} has no shell")
        self.core = core
        self.shell: Shell = replace(core.shell, instances=instances or core.shell.instances)
        self._library = ctypes.CDLL(str(library))
        self._library.nttforge_open.restype = ctypes.c_void_p
        self._library.nttforge_close.argtypes = [ctypes.c_void_p]
        self._library.nttforge_run.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Job)]
        self._library.nttforge_job_size.restype = ctypes.c_uint64
        if self._library.nttforge_job_size() != ctypes.sizeof(_Job):
            raise RuntimeError("shell.cpp and shell.py disagree on the layout of a job")
        self._handle: int | None = self._library.nttforge_open()

    @classmethod
    def build(cls, core: Core, folder: Path, instances: int | None = None) -> "ShellSimulator":
        """Compile the shell of the design folder, or take the library that is kept, and open it.

        `instances` compiles fewer than the design has: they share nothing but the control, and
        the time to compile grows with them.
        """
        if core.shell is None:
            raise ValueError(f"{core.name} has no shell")
        parameters = {"NumInst": instances or core.shell.instances}
        library = build_simulator(folder, core.shell.top, SHELL_HARNESS, parameters)
        return cls(core, library, instances)

    def close(self) -> None:
        """Free the model."""
        if self._handle is not None:
            self._library.nttforge_close(self._handle)
            self._handle = None

    def __enter__(self) -> "ShellSimulator":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()

    def transform(
        self,
        operation: Operation,
        polynomials: Polynomials,
        memory: MemoryModel | None = None,
        seed: int = 0,
    ) -> tuple[Polynomials, JobRun]:
        """Transform a batch as a host would: shared out evenly among the instances.

        Parameters
        ----------
        operation
            What to do.
        polynomials
            Shape (batch, n), coefficients in [0, q); one at least.
        memory, seed
            How the memory behaves.

        Returns
        -------
        tuple
            The results, shaped as the input, and what the job showed.

        Raises
        ------
        StreamViolationError
            The shell broke AXI4's rules, or is stuck.
        """
        shares = np.array_split(np.arange(len(polynomials)), self.shell.instances)
        tasks, buffers = [], []
        for i, rows in enumerate(shares):
            source, target = 2 * i * _BANK_BYTES, (2 * i + 1) * _BANK_BYTES
            data = to_memory(self.shell, operation.pack(polynomials[rows]))
            tasks.append(Task(source, target, len(rows)))
            buffers += [Buffer(source, data), Buffer(target, np.zeros_like(data))]
        job = self.run(operation.code, tasks, buffers, memory, seed=seed)
        results = np.empty(
            polynomials.shape,
            object if self.shell.word_bits > 64 else np.uint64,
        )
        for i, rows in enumerate(shares):
            words = from_memory(self.shell, buffers[2 * i + 1].data, len(rows))
            results[rows] = operation.unpack(words)
        return results, job

    def run(
        self,
        code: int,
        tasks: Sequence[Task],
        buffers: Sequence[Buffer],
        memory: MemoryModel | None = None,
        *,
        bad_read: int | None = None,
        bad_write: int | None = None,
        silent: int | None = None,
        seed: int = 0,
        patience: int | None = None,
    ) -> JobRun:
        """Run one job.

        Parameters
        ----------
        code
            The operation's code; the shell checks it.
        tasks
            One an instance.
        buffers
            What memory there is; written in place. Elsewhere it answers with errors.
        memory
            How it behaves.
        bad_read, bad_write
            Addresses at which it answers with an error.
        silent
            A channel on which it answers nothing until the job has ended. The job is then repeated,
            and once more after the answers have come.
        seed
            Of the random stalls.
        patience
            Cycles in which nothing moves that count as stuck.

        Raises
        ------
        StreamViolationError
            The shell broke AXI4's rules, or is stuck.
        """
        if self._handle is None:
            raise RuntimeError("the simulator is closed")
        model = memory or MemoryModel()
        n = self.shell.instances
        writes = [(registers.OPERATION, code)]
        for i, task in enumerate(tasks):
            at = self.shell.arguments(i)
            for offset, value in ((registers.SOURCE, task.source), (registers.TARGET, task.target)):
                writes += [(at + offset, value % (1 << 32)), (at + offset + 4, value >> 32)]
            writes.append((at + registers.COUNT, task.count))
        asked = [registers.STATUS, registers.FAULT, registers.FAULT + 4]
        asked += [registers.CYCLES, registers.CYCLES + 4, registers.INSTANCES]
        reads = (_Access * len(asked))(*(_Access(address, 0) for address in asked))
        counts = np.zeros((4, n), np.uint64)
        slowest = max(operation.latency for operation in self.core.operations)
        job = _Job(
            instances=n,
            data_bytes=self.shell.word_bytes,
            address_bits=self.shell.address_width,
            regions=(_Region * len(buffers))(
                *(_Region(b.address, b.data.size, b.data.ctypes.data) for b in buffers)
            ),
            num_regions=len(buffers),
            writes=(_Access * len(writes))(*(_Access(*pair) for pair in writes)),
            num_writes=len(writes),
            reads=reads,
            num_reads=len(asked),
            memory=_Memory(
                model.latency,
                model.words_per_cycle,
                model.refresh_period,
                model.refresh_length,
                _StallProcess(model.stalls.enter, model.stalls.leave),
                model.requests,
            ),
            bad_read=_NOWHERE if bad_read is None else bad_read,
            bad_write=_NOWHERE if bad_write is None else bad_write,
            silent=_NOWHERE if silent is None else silent,
            seed=seed,
            patience=patience or 4 * (slowest + model.latency + model.refresh_length) + 4000,
            read_words=counts[0].ctypes.data,
            written_words=counts[1].ctypes.data,
            read_bursts=counts[2].ctypes.data,
            write_bursts=counts[3].ctypes.data,
        )
        self._library.nttforge_run(self._handle, ctypes.byref(job))
        if job.violation:
            raise StreamViolationError(
                job.violation.decode(), job.message.decode(), seed, job.cycles
            )
        status, low, high, cycles_low, cycles_high, instances = (r.value for r in reads)
        if instances != n:
            raise RuntimeError(f"the shell says that it has {instances} instances, not {n}")
        return JobRun(
            status=registers.STATUSES[status & 0xFF],
            channel=status >> 8,
            fault=high << 32 | low,
            cycles=job.cycles,
            counted_cycles=cycles_high << 32 | cycles_low,
            read_words=counts[0],
            written_words=counts[1],
            read_bursts=counts[2],
            write_bursts=counts[3],
            control_errors=job.control_errors,
            repeated=None if silent is None else registers.STATUSES[job.repeated],
            resumed=None if silent is None else registers.STATUSES[job.resumed],
        )


def to_memory(shell: Shell, stream: Polynomials) -> Bytes:
    """Words in stream order, shape (transforms, n), as the bytes of a buffer."""
    bits = shell.store_bits
    flat = stream.reshape(-1)
    if bits in (16, 32, 64):
        return flat.astype(f"<u{bits // 8}").view(np.uint8)
    size = -(-bits // 8)
    if bits <= 64:
        raw = flat.astype("<u8").view(np.uint8).reshape(-1, 8)[:, :size]
    else:
        raw = np.array([list(int(v).to_bytes(size, "little")) for v in flat], np.uint8)
    columns = np.unpackbits(raw.reshape(-1, size), axis=1, bitorder="little")[:, :bits]
    return np.packbits(columns.reshape(-1), bitorder="little")


def from_memory(shell: Shell, data: Bytes, transforms: int) -> Polynomials:
    """Undo :func:`to_memory`: shape (transforms, n)."""
    bits = shell.store_bits
    n = shell.beats * shell.lanes
    if bits in (16, 32, 64):
        return data.view(f"<u{bits // 8}").astype(np.uint64).reshape(transforms, n)
    columns = np.unpackbits(data, bitorder="little")[: transforms * n * bits].reshape(-1, bits)
    raw = np.packbits(columns, axis=1, bitorder="little")
    if bits <= 64:
        wide = np.zeros((len(raw), 8), np.uint8)
        wide[:, : raw.shape[1]] = raw
        return wide.reshape(-1).view("<u8").astype(np.uint64).reshape(transforms, n)
    values = np.empty(len(raw), dtype=object)
    values[:] = [int.from_bytes(row.tobytes(), "little") for row in raw]
    return values.reshape(transforms, n)
