# SPDX-License-Identifier: Apache-2.0
"""Transforms by what does jobs in memory, on a board: arrays to its memory, a job, and back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.calls import checked_constructor
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared
from nttforge.host.device import FunctionDevice
from nttforge.host.driver import JobDriver, Registers
from nttforge.host.transport import WORD, Bytes, Transport, read_bytes, write_bytes
from nttforge.hw import StreamCore
from nttforge.kinds.decomposed import simulator as decomposed
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.run import check_words
from nttforge.kinds.stream.run import check_operands
from nttforge.ring.transform import coefficient_dtype
from nttforge.simulate import shell_simulator as shell
from nttforge.simulate.native import from_limbs

Array = npt.NDArray[Any]

#: Buffers begin at multiples of it, which all engines' bursts divide.
_ALIGNMENT = 1 << 12


@dataclass(frozen=True)
class Placed:
    """A job and its data, before they have addresses.

    Attributes
    ----------
    code, log_size
        What the registers take.
    sources
        What each engine reads.
    targets
        How many bytes each engine writes.
    counts
        How many operations each engine does.
    scratch
        Bytes of the work area, if one is used.
    stripe
        From a memory port's part of a buffer to the next one's, if there are several.
    results
        From what the engines have written to the array that a user gets.
    padding
        What the register takes, if there is one.
    """

    code: int
    log_size: int
    sources: list[Bytes]
    targets: list[int]
    counts: list[int]
    scratch: int
    stripe: int
    results: Callable[[list[Bytes]], Array]
    padding: int = 0


def place_shell(core: StreamCore, name: str, *operands: npt.ArrayLike) -> Placed:
    """Operands of a core behind a memory shell, shared out evenly among the instances."""
    around = core.shell
    assert around is not None
    operation = next(o for o in core.operations if o.name == name)
    batch, shape = check_operands(operation, operands)
    shares = np.array_split(np.arange(len(batch)), around.instances)

    def results(written: list[Bytes]) -> Array:
        parts = [
            operation.unpack(shell.from_memory(around, data, len(rows)))
            for rows, data in zip(shares, written, strict=True)
            if len(rows)
        ]
        return np.concatenate(parts).reshape(shape).astype(coefficient_dtype(operation.ring))

    return Placed(
        code=operation.code,
        log_size=0,
        sources=[shell.to_memory(around, operation.pack(batch[rows])) for rows in shares],
        targets=[len(rows) * around.write_bytes(operation.code) for rows in shares],
        counts=[len(rows) for rows in shares],
        scratch=0,
        stripe=0,
        results=results,
    )


def place_decomposed(
    core: DecomposedCore, name: str, words: npt.ArrayLike, *, padding: int = 0
) -> Placed:
    """Polynomials of any size for an engine of large transforms, 2^padding - 1 zeros a word."""
    operation = next(o for o in core.operations if o.name == name)
    given = check_words(core, operation, words, "operand 0", padding)
    batch, _, limbs = given.words.shape
    size = given.size
    part = core.part(size, batch)
    extent = core.stripes * part
    source = decomposed.to_memory(core, given.words, operation=operation)
    if core.stripes > 1 and padding:
        # Parts without their zeros are shorter, and as far from each other as a target's.
        parts = source.reshape(core.stripes, -1)
        source = np.pad(parts, ((0, 0), (0, part - parts.shape[1]))).reshape(-1)

    def results(written: list[Bytes]) -> Array:
        shape = batch, 1 << size, limbs
        found = decomposed.from_memory(core, written[0], shape, operation=operation)
        return found if given.as_limbs else from_limbs(found).reshape(given.results)

    return Placed(
        code=operation.code,
        log_size=size,
        sources=[source],
        targets=[extent],
        counts=[batch],
        scratch=extent if core.needs_work(operation, size) else 0,
        stripe=part if core.stripes > 1 else 0,
        padding=padding,
        results=results,
    )


@checked_constructor
@dataclass(frozen=True)
class Board:
    """Where a design is on a board.

    Attributes
    ----------
    way
        To its address space.
    registers
        Address of its first register.
    memory, size
        Memory for buffers that both reach, and how many bytes it has.
    wait
        See :class:`nttforge.host.driver.Registers`.
    seconds
        That a job may take.
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

        Raises
        ------
        NttforgeError
            If the memory is too small.
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

    Parameters
    ----------
    name
        Of the design.
    prepared
        What is on it.
    header
        Variables of its driver.
    place
        How its operands lie in memory.
    board
        Where it is.

    Raises
    ------
    NttforgeError
        If nothing answers there, or it has other sizes, or another number of engines. Moduli
        are not compared, because the hardware does not tell them.
    """

    def __init__(
        self,
        name: str,
        prepared: Prepared[Any],
        header: Mapping[str, Any],
        place: Callable[..., Placed],
        board: Board,
    ) -> None:
        names = [operation.name for operation in prepared.core.operations]
        super().__init__(name, {each: partial(self._compute, each) for each in names})
        self._place = partial(place, prepared.core)
        self._board = board
        self._driver = JobDriver.build(prepared, header, board.access())
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
