# SPDX-License-Identifier: Apache-2.0
"""`run`: a user's own polynomials through the simulated RTL."""

import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.errors import NttforgeError
from nttforge.families import Core, Operation
from nttforge.flow.prepare import Prepared, Progress, find_operation, silent
from nttforge.flow.reference import Polynomials, reference
from nttforge.flow.stream.shell import transform_in_memory
from nttforge.output import check_writable, open_to_read, reading, replacing
from nttforge.results import Ran
from nttforge.ring.ring import Ring
from nttforge.ring.transform import check_polynomials
from nttforge.table import Block

#: Options of the operands' files.
OPTIONS = ("--input", "--input-b", "--input-c")

_TEXT = ".txt"
_NUMPY = ".npy"
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


class RunResult(Ran):
    """What `run` did.

    Attributes
    ----------
    transforms
        Polynomials transformed by the simulated RTL.
    cycles
        First beat in to last beat out of the whole batch; with a memory shell, from the start of
        the job to its interrupt.
    ok
        The results equal the reference's.
    """

    ring: str
    transforms: int

    def shown(self) -> Iterator[Block]:
        """One line, and the verdict."""
        return self.ending(f"{self.operation} in {self.ring}: {self.transforms} polynomials")


def run_file(
    prepared: Prepared[Core],
    operation_name: str | None,
    source: Path,
    target: Path,
    progress: Progress = silent,
    *,
    more: Sequence[Path] = (),
) -> RunResult:
    """Transform or multiply the polynomials of files with the simulated RTL, and write another.

    Parameters
    ----------
    prepared
        The core and its folder.
    operation_name
        Name of one of the core's operations; None if it has but one.
    source
        `.npy` with integers of shape (batch, n) or (n,), or `.txt` with decimal numbers, one
        polynomial a line. Of a product, all operands in one `.npy` of shape (batch, operands, n),
        or the first one.
    target
        `.npy` or `.txt`, as `source`; in the shape of the operands.
    progress
        Is told how far it has got.
    more
        Files of a product's other operands; a single polynomial goes with each of a batch.

    Raises
    ------
    NttforgeError
        Naming the option, file, shape, type or coefficient that is wrong.
    FaultError
        If the core breaks the stream contract.
    """
    start = time.monotonic()
    operation = find_operation(prepared.core, operation_name)
    _check_target(operation.ring, target)
    sources = (source, *more)
    operands = read_operands(operation, sources)
    batch, shape = stack_operands(operation, operands)
    outputs, cycles = transform_batch(prepared, operation, batch, progress)
    ok = bool((outputs == reference(operation, batch)).all()) if len(batch) else True
    if ok:
        write_polynomials(target, operation.ring, outputs.reshape(shape))
    return RunResult(
        design=prepared.core.name,
        operation=operation.name,
        ring=operation.ring.describe(),
        transforms=len(batch),
        cycles=cycles,
        input=", ".join(map(str, sources)),
        output=str(target) if ok else None,
        ok=ok,
        seconds=round(time.monotonic() - start, 2),
    )


def read_operands(operation: Operation, sources: Sequence[Path]) -> list[Polynomials]:
    """The operands of an operation from files, checked; shapes (batch, n) or (n,).

    Raises
    ------
    NttforgeError
        Naming the option, file, shape, type or coefficient that is wrong.
    """
    ring, count = operation.ring, operation.operands
    if count > 1 and len(sources) == 1:
        together = read_polynomials(sources[0])
        if together.ndim != 3 or together.shape[1] != count:
            raise NttforgeError(
                str(sources[0]),
                f"its shape is {together.shape}, not (batch, {count}, {ring.n})",
                f"give {operation.name} a file for each of its {count} operands "
                f"({', '.join(OPTIONS[:count])}), or all in one .npy of that shape",
            )
        return [
            check_polynomials(ring, together[:, i], f"{sources[0]}, operand {i}")
            for i in range(count)
        ]
    if len(sources) != count:
        raise NttforgeError(
            OPTIONS[min(len(sources), count)],
            f"{operation.name} takes {count} operand{'s' if count > 1 else ''}, not {len(sources)}",
            f"use {', '.join(OPTIONS[:count])}",
        )
    operands = [check_polynomials(ring, read_polynomials(s), str(s)) for s in sources]
    batches = {len(operand) for operand in operands if operand.ndim == 2} - {1}
    if len(batches) > 1:
        raise NttforgeError(
            OPTIONS[1],
            f"the files have {', '.join(map(str, sorted(batches)))} polynomials",
            "give as many in each, or a single one",
        )
    return operands


def check_operands(
    operation: Operation, operands: Sequence[npt.ArrayLike]
) -> tuple[Polynomials, tuple[int, ...]]:
    """Operands that a user gave, checked: one batch, and the shape of the results.

    Raises
    ------
    NttforgeError
        If there are too few or too many, or one does not fit the ring or the others.
    """
    count = operation.operands
    if len(operands) != count:
        problem = f"it takes {count} operand{'s' if count > 1 else ''}, not {len(operands)}"
        raise NttforgeError(operation.name, problem, "give an array for each")
    checked = [check_polynomials(operation.ring, x, f"operand {i}") for i, x in enumerate(operands)]
    try:
        return stack_operands(operation, checked)
    except ValueError:
        shapes = ", ".join(str(operand.shape) for operand in checked)
        raise NttforgeError(
            operation.name, f"the operands' shapes are {shapes}", "give as many of each, or one"
        ) from None


def stack_operands(
    operation: Operation, operands: Sequence[Polynomials]
) -> tuple[Polynomials, tuple[int, ...]]:
    """Operands of shape (batch, n) or (n,) as one batch, and the shape of the results.

    Returns
    -------
    tuple
        Shape (batch, n), or (batch, operands, n) if there are several; and what the results are
        to be reshaped to.
    """
    shape = np.broadcast_shapes(*(operand.shape for operand in operands))
    batch = np.stack([np.broadcast_to(operand, shape) for operand in operands], axis=-2)
    batch = batch.reshape(-1, operation.operands, operation.ring.n)
    return (batch[:, 0] if operation.operands == 1 else batch), shape


def transform_batch(
    prepared: Prepared[Core], operation: Operation, batch: Polynomials, progress: Progress
) -> tuple[Polynomials, int]:
    """Through memory if the design has a shell, else through the core's streams."""
    if not len(batch):
        return batch, 0
    if prepared.core.shell is not None:
        outputs, job = transform_in_memory(prepared, operation, batch, progress)
        return outputs, job.cycles
    with prepared.simulator() as simulator:
        progress(f"{operation.name} of {len(batch)} polynomials")
        run = simulator.stream([operation] * len(batch), batch)
    return run.outputs, int(run.last_out[-1] - run.first_in[0] + 1)


def read_polynomials(source: Path) -> Polynomials:
    """Read integers from a `.npy` or `.txt` file; their shape and range are not checked here.

    Raises
    ------
    NttforgeError
        Naming the file, and the line if it is text.
    """
    if source.suffix not in (_NUMPY, _TEXT):
        raise NttforgeError(
            str(source), f"{source.suffix or 'no suffix'} is not known", "use .npy or .txt"
        )
    if source.suffix == _NUMPY:
        return read_npy(source)
    with reading(source), open_to_read(source) as file:
        text = file.read().decode("utf-8")
    return _parse_text(source, text)


def read_npy(source: Path, *, mapped: bool = False) -> npt.NDArray[Any]:
    """The array of a `.npy` file, read or `mapped`, whatever a hostile one's header says.

    Raises
    ------
    NttforgeError
        Naming the file.
    """
    wrong = NttforgeError(
        str(source),
        "is not a .npy file of integers",
        "write one with numpy.save, or use .txt for integers over 64 bits",
    )
    with reading(source), open_to_read(source) as file:
        try:
            header = _HEADERS[np.lib.format.read_magic(file)]
            shape, _, dtype = header(file)
            size = math.prod(shape) * dtype.itemsize
            there = source.stat().st_size - file.tell()
            # numpy would make room for what the header says.
            if min(shape, default=0) < 0 or size > there or dtype.hasobject or dtype.fields:
                raise wrong
            if mapped and size:
                return np.lib.format.open_memmap(source, mode="r")
            file.seek(0)
            return np.asarray(np.lib.format.read_array(file, allow_pickle=False))
        except (OSError, MemoryError, NttforgeError):
            raise
        except Exception:  # of numpy, Python's parser, its numbers, its text: by the header's bytes
            raise wrong from None


def _parse_text(source: Path, text: str) -> Polynomials:
    lines = [line.replace(",", " ").split() for line in text.splitlines()]
    rows: list[list[int]] = []
    for number, words in enumerate(lines, start=1):
        if not words:
            continue
        for word in words:
            # int() would also take underscores and other scripts' digits.
            if not (word.isascii() and word.removeprefix("-").isdigit()):
                raise NttforgeError(
                    f"{source}, line {number}", f"{word!r} is not an integer", "use decimal digits"
                )
        rows.append([_decimal(source, number, word) for word in words])
        if len(rows[-1]) != len(rows[0]):
            raise NttforgeError(
                f"{source}, line {number}",
                f"it has {len(rows[-1])} numbers, the first line {len(rows[0])}",
                "give one polynomial a line",
            )
    result = np.empty((len(rows), len(rows[0]) if rows else 0), dtype=object)
    for index, row in enumerate(rows):
        result[index] = row
    return result


def _decimal(source: Path, line: int, word: str) -> int:
    try:
        return int(word)
    except ValueError:  # Python's limit on the number of digits
        raise NttforgeError(
            f"{source}, line {line}", f"a number has {len(word)} digits", "reduce it modulo q"
        ) from None


def _check_target(ring: Ring, target: Path) -> None:
    """Refuse what cannot be written before anything is simulated."""
    if target.suffix not in (_NUMPY, _TEXT):
        raise NttforgeError(
            str(target), f"{target.suffix or 'no suffix'} is not known", "use .npy or .txt"
        )
    if target.suffix == _NUMPY and ring.width > 64:
        raise NttforgeError(
            str(target), f"coefficients of {ring.width} bits do not fit a .npy file", "use .txt"
        )
    check_writable(target)


def write_polynomials(target: Path, ring: Ring, polynomials: Polynomials) -> None:
    """Write `.npy` (int64, or uint64 if q >= 2^63) or `.txt` (decimal, one polynomial a line).

    Raises
    ------
    NttforgeError
        If the file cannot be written.
    """
    with replacing(target) as file:
        if target.suffix == _NUMPY:
            dtype = np.int64 if ring.q < 1 << 63 else np.uint64
            np.lib.format.write_array(file, polynomials.astype(dtype), allow_pickle=False)
        else:
            for row in polynomials.reshape(-1, ring.n):
                file.write((" ".join(str(v) for v in row) + "\n").encode())
