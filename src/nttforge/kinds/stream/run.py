# SPDX-License-Identifier: Apache-2.0
"""`run`: a user's own polynomials through the simulated RTL."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nttforge.errors import NttforgeError
from nttforge.flow.formats import (
    BY_SUFFIX,
    WordSpec,
    check_target,
    check_used,
    format_of,
    output_format,
    read_polynomials,
    write_polynomials,
)
from nttforge.flow.prepare import Prepared, Progress, find_operation, silent
from nttforge.flow.reference import Polynomials, reference
from nttforge.hw import Operation, StreamCore
from nttforge.kinds.stream.shell import transform_in_memory
from nttforge.options.verbs import FileOptions
from nttforge.results import Ran, timed
from nttforge.ring.transform import check_polynomials
from nttforge.table import Block

#: Options of the operands' files.
OPTIONS = ("--input", "--input-b", "--input-c")


class RunResult(Ran):
    """Result of `run`; `cycles` of the whole batch, with a shell from start to interrupt."""

    ring: str
    transforms: int

    def shown(self) -> Iterator[Block]:
        """One line, and the verdict."""
        return self.ending(f"{self.operation} in {self.ring}: {self.transforms} polynomials")


def run_file(
    prepared: Prepared[StreamCore],
    operation_name: str | None,
    source: Path,
    target: Path,
    progress: Progress = silent,
    *,
    more: Sequence[Path] = (),
    files: FileOptions = BY_SUFFIX,
) -> RunResult:
    """Transform or multiply the polynomials of files with the simulated RTL, and write another.

    - `operation_name`: name of one of the core's operations; None if it has but one.
    - `source`: a file of one of :data:`nttforge.flow.formats.FORMATS`: shape (batch, n) or (n,), or
      a polynomial a line, or words one after the other. Of a product, all operands in one `.npy` or
      `.json` of shape (batch, operands, n), or the first one.
    - `target`: as `source`; in the shape of the operands.
    - `more`: files of a product's other operands; a single polynomial goes with each of a batch.
    - `files`: formats that suffixes do not name, and what raw words are.
    """
    operation = find_operation(prepared.core, operation_name)
    return run_operation(
        prepared.core.name,
        operation,
        lambda batch: transform_batch(prepared, operation, batch, progress),
        sources=(source, *more),
        target=target,
        files=files,
    )


@timed
def run_operation(
    name: str,
    operation: Operation,
    compute: Callable[[Polynomials], tuple[Polynomials, int]],
    *,
    sources: Sequence[Path],
    target: Path,
    files: FileOptions,
) -> RunResult:
    """As :func:`run_file`, of a core of that name which computes batches: results and cycles."""
    words = WordSpec.of(operation.ring.n, operation.ring.width, files)
    written = output_format(target, files)
    check_target(target, written, words)
    check_used(files, [written, *(format_of(path, files.format) for path in sources)])
    operands = read_operands(operation, sources, files)
    batch, shape = stack_operands(operation, operands)
    outputs, cycles = compute(batch) if len(batch) else (batch, 0)
    ok = bool((outputs == reference(operation, batch)).all()) if len(batch) else True
    if ok:
        write_polynomials(target, written, words, outputs.reshape(shape))
    return RunResult(
        design=name,
        operation=operation.name,
        ring=operation.ring.describe(),
        transforms=len(batch),
        cycles=cycles,
        input=", ".join(map(str, sources)),
        output=str(target) if ok else None,
        input_format=format_of(sources[0], files.format).describe(words),
        output_format=written.describe(words),
        ok=ok,
    )


def read_operands(
    operation: Operation, sources: Sequence[Path], files: FileOptions = BY_SUFFIX
) -> list[Polynomials]:
    """The operands of an operation from files, checked; shapes (batch, n) or (n,)."""
    ring, count = operation.ring, operation.operands
    words = WordSpec.of(ring.n, ring.width, files)

    def read(source: Path) -> Polynomials:
        return read_polynomials(source, format_of(source, files.format), words)

    if count > 1 and len(sources) == 1:
        together = read(sources[0])
        if together.ndim != 3 or together.shape[1] != count:
            raise NttforgeError(
                str(sources[0]),
                f"its shape is {together.shape}, not (batch, {count}, {ring.n})",
                f"give {operation.name} a file for each of its {count} operands "
                f"({', '.join(OPTIONS[:count])}), or all in one .npy or .json of that shape",
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
    operands = [check_polynomials(ring, read(s), str(s)) for s in sources]
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
    """Operands that a user gave, checked: one batch, and the shape of the results."""
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

    Returns shape (batch, n), or (batch, operands, n) if there are several; and what the results are
    to be reshaped to.
    """
    shape = np.broadcast_shapes(*(operand.shape for operand in operands))
    batch = np.stack([np.broadcast_to(operand, shape) for operand in operands], axis=-2)
    batch = batch.reshape(-1, operation.operands, operation.ring.n)
    return (batch[:, 0] if operation.operands == 1 else batch), shape


def transform_batch(
    prepared: Prepared[StreamCore], operation: Operation, batch: Polynomials, progress: Progress
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
