# SPDX-License-Identifier: Apache-2.0
"""A host and its memory around a compiled shell: buffers in, a job over AXI4-Lite, results out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nttforge.errors import FaultError
from nttforge.hw import shell as shell_registers
from nttforge.hw.core import Operation, StreamCore
from nttforge.hw.shell import Shell
from nttforge.simulate.build import SHELL_HARNESS, build_simulator
from nttforge.simulate.memory import (
    COUNTS,
    END,
    Buffer,
    Bytes,
    Channels,
    JobSimulator,
    JobStatus,
    MemoryModel,
)
from nttforge.simulate.stream import Polynomials

__all__ = ["Buffer", "JobRun", "MemoryModel", "ShellSimulator", "Task"]

# Buffers lie in pages of their own, far apart, as on a board with a bank for each.
_BANK_BYTES = 1 << 28


@dataclass(frozen=True)
class Task:
    """An instance's task: addresses of operands and results, number of operations."""

    source: int
    target: int
    count: int


@dataclass(frozen=True, kw_only=True)
class JobRun(JobStatus):
    """A job's end, and words and bursts of each instance."""

    read_words: npt.NDArray[np.uint64]
    written_words: npt.NDArray[np.uint64]
    read_bursts: npt.NDArray[np.uint64]
    write_bursts: npt.NDArray[np.uint64]
    control_errors: int


class ShellSimulator(JobSimulator):
    """A compiled shell, of `instances` instances if not the design's number."""

    def __init__(self, core: StreamCore, library: Path, instances: int | None = None) -> None:
        if core.shell is None:
            raise ValueError(f"{core.name} has no shell")
        self.core = core
        self.shell: Shell = replace(core.shell, instances=instances or core.shell.instances)
        super().__init__(library)

    @classmethod
    def build(
        cls, core: StreamCore, folder: Path, instances: int | None = None
    ) -> "ShellSimulator":
        """Compile the shell of the design folder, or take the cached library."""
        if core.shell is None:
            raise ValueError(f"{core.name} has no shell")
        parameters = {"NumInst": instances or core.shell.instances}
        library = build_simulator(folder, core.shell.top, SHELL_HARNESS, parameters)
        return cls(core, library, instances)

    def transform(
        self,
        operation: Operation,
        polynomials: Polynomials,
        memory: MemoryModel | None = None,
        seed: int = 0,
    ) -> tuple[Polynomials, JobRun]:
        """Transform a batch as a host would: shared out evenly among the instances.

        - `operation`: what to do.
        - `polynomials`: shape (batch, n), or (batch, m, n) of which the operation takes the first;
          coefficients in [0, q); one at least.
        - `memory`, `seed`: how the memory behaves.
        """
        shares = np.array_split(np.arange(len(polynomials)), self.shell.instances)
        tasks, buffers, targets = [], [], []
        for i, rows in enumerate(shares):
            source, target = 2 * i * _BANK_BYTES, (2 * i + 1) * _BANK_BYTES
            data = to_memory(self.shell, operation.pack(polynomials[rows]))
            tasks.append(Task(source, target, len(rows)))
            targets.append(np.zeros(len(rows) * self.shell.write_bytes(operation.code), np.uint8))
            buffers += [Buffer(source, data), Buffer(target, targets[-1])]
        job = self.run(operation.code, tasks, buffers, memory, seed=seed)
        results = np.empty(
            (len(polynomials), operation.ring.n),
            object if self.shell.word_bits > 64 else np.uint64,
        )
        for rows, written in zip(shares, targets, strict=True):
            if len(rows):
                results[rows] = operation.unpack(from_memory(self.shell, written, len(rows)))
        return results, job

    def run(
        self,
        code: int,
        tasks: Sequence[Task],
        buffers: Sequence[Buffer],
        memory: MemoryModel | None = None,
        *,
        seed: int = 0,
        patience: int | None = None,
    ) -> JobRun:
        """Run one job: a task per instance, with buffers that are written in place."""
        model = memory or MemoryModel()
        n = self.shell.instances
        writes = [(shell_registers.OPERATION, code)]
        for i, task in enumerate(tasks):
            at = self.shell.arguments(i)
            for offset, value in (
                (shell_registers.SOURCE, task.source),
                (shell_registers.TARGET, task.target),
            ):
                writes += [(at + offset, value % (1 << 32)), (at + offset + 4, value >> 32)]
            writes.append((at + shell_registers.COUNT, task.count))
        slowest = max(operation.latency for operation in self.core.operations)
        answer = self._host.job(
            Channels(n, self.shell.word_bytes, self.shell.address_width),
            writes,
            [*END, shell_registers.INSTANCES],
            buffers,
            model,
            patience=patience or 4 * (slowest + model.latency + model.refresh_length) + 4000,
            seed=seed,
        )
        instances = answer.registers[len(END)]
        if instances != n:
            raise FaultError("identity", f"the shell says {instances} instances, not {n}")
        return JobRun(
            **vars(JobStatus.of(answer, shell_registers.STATUSES, model.silent)),
            **{name: getattr(answer, name) for name in (*COUNTS, "control_errors")},
        )


def to_memory(shell: Shell, stream: Polynomials) -> Bytes:
    """Words in stream order, shape (operations, words), as the bytes of a buffer."""
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


def from_memory(shell: Shell, data: Bytes, count: int) -> Polynomials:
    """Undo :func:`to_memory`, for `count` operations or results, one at least."""
    bits = shell.store_bits
    words = data.size * 8 // bits // count
    if bits in (16, 32, 64):
        return data.view(f"<u{bits // 8}").astype(np.uint64).reshape(count, words)
    columns = np.unpackbits(data, bitorder="little")[: count * words * bits].reshape(-1, bits)
    raw = np.packbits(columns, axis=1, bitorder="little")
    if bits <= 64:
        wide = np.zeros((len(raw), 8), np.uint8)
        wide[:, : raw.shape[1]] = raw
        return wide.reshape(-1).view("<u8").astype(np.uint64).reshape(count, words)
    values = np.empty(len(raw), dtype=object)
    values[:] = [int.from_bytes(row.tobytes(), "little") for row in raw]
    return values.reshape(count, words)
