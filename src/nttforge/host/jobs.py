# SPDX-License-Identifier: Apache-2.0
"""Transforms by memory jobs on a board: arrays to its memory, a job, and back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy.typing as npt

from nttforge.calls import checked_constructor
from nttforge.errors import NttforgeError
from nttforge.flow.memory_jobs import Array, Jobs
from nttforge.flow.prepare import Prepared
from nttforge.host.device import FunctionDevice
from nttforge.host.driver import JobDriver, Registers
from nttforge.host.transport import WORD, Transport, read_bytes, write_bytes

#: Buffers begin at multiples of it, which all engines' bursts divide.
_ALIGNMENT = 1 << 12


@checked_constructor
@dataclass(frozen=True)
class Board:
    """Location of a design on a board.

    - `way`: to its address space.
    - `registers`: address of its first register.
    - `memory`, `size`: memory for buffers that both reach, and how many bytes it has.
    - `wait`: see :class:`nttforge.host.driver.Registers`.
    - `seconds`: that a job may take.
    """

    way: Transport
    registers: int
    memory: int
    size: int
    wait: Callable[[], None] | None = None
    seconds: float = 60.0

    def access(self) -> Registers:
        """The design's registers."""
        return Registers(
            read=lambda at: self.way.read(self.registers + at, 1)[0],
            write=lambda at, value: self.way.write(self.registers + at, [value]),
            wait=self.wait,
            seconds=self.seconds,
        )

    def addresses(self, sizes: Sequence[int]) -> list[int]:
        """Places for buffers of so many bytes, none of which overlap.

        Raises NttforgeError if the memory is too small.
        """
        places, at = [], -(-self.memory // _ALIGNMENT) * _ALIGNMENT
        for size in sizes:
            places.append(at)
            at += -(-max(size, WORD) // _ALIGNMENT) * _ALIGNMENT
        if at > self.memory + self.size:
            need = at - self.memory
            raise NttforgeError(
                "memory", f"{need} bytes of buffers, in {self.size}", "give fewer polynomials"
            )
        return places


class JobDevice(FunctionDevice):
    """A design with registers and memory channels, on a board; jobs follow each other.

    Raises NttforgeError if nothing answers there, or it has other sizes, or another number of
    engines. Moduli are not compared, because the hardware does not tell them.

    - `name`: of the design.
    - `prepared`: what is on it.
    - `jobs`: how it is driven.
    - `board`: where it is.
    """

    def __init__(
        self,
        name: str,
        prepared: Prepared[Any],
        jobs: Jobs,
        board: Board,
    ) -> None:
        names = [operation.name for operation in prepared.core.operations]
        super().__init__(name, {each: partial(self._compute, each) for each in names})
        self._place, self._board = jobs.place, board
        self._driver = JobDriver.build(prepared, jobs.header, board.access())
        self._driver.checked("open", self._driver.io)

    def _compute(self, name: str, *operands: npt.ArrayLike, **options: Any) -> Array:
        job, way = self._place(name, *operands, **options), self._board.way
        engines = len(job.sources)
        sizes = [*(data.size for data in job.sources), *job.targets, job.scratch]
        places = self._board.addresses(sizes)
        sources, targets, scratch = places[:engines], places[engines:-1], places[-1]
        tasks = [
            {"source": source, "target": target, "count": count}
            for source, target, count in zip(sources, targets, job.counts, strict=True)
        ]
        if job.scratch:
            tasks[0]["scratch"] = scratch
        if job.stripe:
            tasks[0]["stripe"] = job.stripe
        try:
            for at, data in zip(sources, job.sources, strict=True):
                write_bytes(way, at, data)
            self._driver.run(job.code, tasks, job.log_size, job.padding)
            written = [
                read_bytes(way, at, size) for at, size in zip(targets, job.targets, strict=True)
            ]
        except OSError as error:
            raise NttforgeError(
                self.name, f"the board does not answer: {error}", "connect it, and open it again"
            ) from None
        return job.results(written)
