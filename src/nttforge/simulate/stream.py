# SPDX-License-Identifier: Apache-2.0
"""Streaming polynomials through a compiled core, from numpy."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.c_struct import DOUBLE, POINTER, U64, members
from nttforge.errors import FaultError, NttforgeError
from nttforge.hw.core import Operation, StreamCore, StreamFormat
from nttforge.simulate.build import build_simulator
from nttforge.simulate.native import from_limbs, to_limbs
from nttforge.simulate.shared_library import CompiledModel

Polynomials = npt.NDArray[Any]
Cycles = npt.NDArray[np.int64]

_LIMB = 64
_TAIL_CYCLES = 256


@dataclass(frozen=True)
class StallPattern:
    """A Markov chain of two states: probabilities to `enter` and to `leave` a stall, each cycle."""

    enter: float = 0.0
    leave: float = 1.0

    def __post_init__(self) -> None:
        if not (0 <= self.enter <= 1 and 0 < self.leave <= 1):
            raise ValueError(f"enter {self.enter} and leave {self.leave} are not probabilities > 0")

    @classmethod
    def random(cls, probability: float) -> "StallPattern":
        """Stall each cycle with this probability, independently of the cycle before."""
        return cls(probability, 1 - probability)

    @classmethod
    def bursts(cls, run: float, pause: float) -> "StallPattern":
        """Run and pause in turn, for so many cycles on average."""
        return cls(1 / run, 1 / pause)


NO_STALLS = StallPattern()


@dataclass(frozen=True)
class StreamRun:
    """Observations of one run. Cycle 0 is the first after reset.

    - `outputs`: polynomials, shape (transforms, n): uint64, or Python integers for words over 64
      bits.
    - `first_in`, `last_in`, `first_out`, `last_out`: cycle in which a transform's first and last
      beat crossed each port, shape (transforms,).
    - `cycles`: length of the run.
    - `trace`: for each cycle s_valid, s_ready, m_valid, m_ready in bits 0 to 3; empty if not asked
      for.
    - `seed`: seed of the stall pattern.
    """

    outputs: Polynomials
    first_in: Cycles
    last_in: Cycles
    first_out: Cycles
    last_out: Cycles
    cycles: int
    trace: npt.NDArray[np.uint8]
    seed: int

    @property
    def latency(self) -> Cycles:
        """Cycles from first beat in to last beat out, both counted, shape (transforms,)."""
        return self.last_out - self.first_in + 1


class StallProcess(ctypes.Structure):
    """`struct StallProcess` of ports.h."""

    _fields_ = members((DOUBLE, "enter leave"))


class _Job(ctypes.Structure):
    """`struct Job` of stream.cpp, field by field."""

    _fields_ = members(
        (U64, "transforms lanes word_bits lane_bits"),
        (POINTER, "words codes gaps sizes_in sizes_out"),
        (U64, "loads"),
        (POINTER, "load_words load_codes load_sizes load_waits"),
        (StallProcess, "source sink"),
        (U64, "seed patience tail probe"),
        (POINTER, "results first_in last_in first_out last_out trace"),
        (U64, "trace_capacity cycles beats_in beats_out"),
        (ctypes.c_char * 32, "violation"),
        (ctypes.c_char * 256, "message"),
    )


class StreamSimulator(CompiledModel):
    """A compiled core and its stream format."""

    def __init__(self, core: StreamCore, library: Path) -> None:
        super().__init__(library, _Job)
        self.core = core

    @classmethod
    def build(cls, core: StreamCore, folder: Path) -> "StreamSimulator":
        """Compile the design folder of `core`, or take the library that is kept, and open it."""
        return cls(core, build_simulator(folder, core.name))

    def transform(self, requests: Sequence[tuple[Operation, Polynomials]]) -> list[Polynomials]:
        """Stream batches back to back without stalls.

        - `requests`: operations, each with its polynomials of shape (batch, n), or (batch,
          operands, n) if it takes several; coefficients in [0, q).

        Returns the results of each request, of shape (batch, n).
        """
        if not requests:
            return []
        operations = [op for op, polys in requests for _ in range(len(polys))]
        wide = self.core.stream.word_bits > _LIMB
        dtype = object if wide else np.uint64
        most = max(operation.operands for operation in operations)
        run = self.stream(
            operations, np.concatenate([_widened(p.astype(dtype), most) for _, p in requests])
        )
        edges = np.cumsum([len(polys) for _, polys in requests])[:-1]
        return list(np.split(run.outputs, edges))

    def stream(
        self,
        operations: Sequence[Operation],
        polynomials: Polynomials,
        *,
        source: StallPattern = NO_STALLS,
        sink: StallPattern = NO_STALLS,
        seed: int = 0,
        gaps: Cycles | None = None,
        trace_cycles: int = 0,
        probe: bool = False,
        patience: int | None = None,
    ) -> StreamRun:
        """Stream one transform after the other, checking the stream contract in every cycle.

        - `operations`: of each transform, in order.
        - `polynomials`: shape (transforms, n), or (transforms, m, n) of which each operation takes
          the first of m; unsigned integers below 2^word_bits. Whether they are below q is the
          caller's business.
        - `source`, `sink`: when `s_axis_tvalid` and `m_axis_tready` are withheld.
        - `seed`: of both stall patterns. They depend on it and on the cycle alone, not on data.
        - `gaps`: idle cycles before each transform, shape (transforms,).
        - `trace_cycles`: record the handshakes of so many cycles.
        - `probe`: look in every cycle for a combinational path from `m_axis_tready`.
        - `patience`: cycles in which nothing moves, though both ports are willing, that count as
          stuck.
        """
        form = self.core.stream
        count = len(operations)
        sizes_out = np.array([operation.beats for operation in operations], dtype=np.int64)
        sizes_in = sizes_out * np.array([op.operands for op in operations], dtype=np.int64)
        groups = _groups(operations)
        stream_order = np.zeros(sizes_in.sum() * form.lanes, polynomials.dtype)
        for operation, rows in groups:
            stream_order[_places(sizes_in, rows, form)] = operation.pack(polynomials[rows])
        words = _checked_limbs(stream_order, form)
        results = np.zeros((sizes_out.sum() * form.lanes, words.shape[-1]), dtype=np.uint64)
        codes = np.array([operation.code for operation in operations], dtype=np.uint64)
        idle = np.zeros(count, np.uint64) if gaps is None else gaps.astype(np.uint64)
        cycles = np.full((4, count), -1, dtype=np.int64)
        trace = np.zeros(trace_cycles, dtype=np.uint8)
        used = {operation.code for operation in operations}
        loads = [
            load
            for load in self.core.loads
            if not load.operations or not used.isdisjoint(load.operations)
        ]
        arrays = {
            **{"words": words, "codes": codes, "gaps": idle, "results": results, "trace": trace},
            **{"sizes_in": sizes_in, "sizes_out": sizes_out},
            **dict(zip(("first_in", "last_in", "first_out", "last_out"), cycles, strict=True)),
            "load_words": np.array([word for load in loads for word in load.words], np.uint64),
            "load_codes": np.array([load.code for load in loads], np.uint64),
            "load_sizes": np.array([len(load.words) for load in loads], np.uint64),
            "load_waits": np.array([load.wait for load in loads], np.uint64),
        }
        job = _Job(
            transforms=count,
            lanes=form.lanes,
            word_bits=form.word_bits,
            lane_bits=form.lane_bits,
            loads=len(loads),
            source=StallProcess(source.enter, source.leave),
            sink=StallProcess(sink.enter, sink.leave),
            seed=seed,
            patience=self._patience() if patience is None else patience,
            tail=_TAIL_CYCLES,
            probe=probe,
            trace_capacity=trace_cycles,
            **{name: array.ctypes.data for name, array in arrays.items()},
        )
        if count:
            self._do(job)
        if job.violation:
            raise FaultError(job.violation.decode(), job.message.decode(), seed, job.cycles)
        from_stream = from_limbs(results)
        outputs = np.empty((count, polynomials.shape[-1]), dtype=from_stream.dtype)
        for operation, rows in groups:
            outputs[rows] = operation.unpack(from_stream[_places(sizes_out, rows, form)])
        first_in, last_in, first_out, last_out = cycles
        return StreamRun(
            outputs, first_in, last_in, first_out, last_out, job.cycles, trace[: job.cycles], seed
        )

    def _patience(self) -> int:
        """Longer than any core holds a transform back: several of the slowest operation."""
        slowest = max(operation.latency for operation in self.core.operations)
        return 4 * slowest + 1000 + (self.core.flush.cycles if self.core.flush else 0)


def _widened(polynomials: Polynomials, operands: int) -> Polynomials:
    """Polynomials of shape (batch, n) or (batch, m, n), with zeros up to so many operands."""
    if operands == 1:
        return polynomials
    several = polynomials.reshape(len(polynomials), -1, polynomials.shape[-1])
    missing = operands - several.shape[1]
    return np.pad(several, ((0, 0), (0, missing), (0, 0)))


def _groups(operations: Sequence[Operation]) -> list[tuple[Operation, npt.NDArray[np.intp]]]:
    codes = np.array([operation.code for operation in operations], dtype=np.uint64)
    return [
        (operations[rows[0]], rows)
        for rows in (np.flatnonzero(codes == code) for code in np.unique(codes))
    ]


def _places(sizes: Cycles, rows: npt.NDArray[np.intp], form: StreamFormat) -> npt.NDArray[np.int64]:
    """Indices of the words of `rows`: transforms of the given sizes, stored contiguously."""
    starts = (np.cumsum(sizes) - sizes)[rows] * form.lanes
    return np.asarray(starts[:, None] + np.arange(sizes[rows[0]] * form.lanes))


def _checked_limbs(words: Polynomials, form: StreamFormat) -> npt.NDArray[np.uint64]:
    """Words of any shape as contiguous limbs, which are the last axis."""
    if words.size and (int(words.min()) < 0 or int(words.max()) >> form.word_bits):
        raise NttforgeError(
            "coefficients",
            f"one does not fit the port's {form.word_bits} bits",
            "reduce it modulo q",
        )
    return to_limbs(words, -(-form.word_bits // _LIMB))
