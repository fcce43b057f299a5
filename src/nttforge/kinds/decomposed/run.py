# SPDX-License-Identifier: Apache-2.0
"""`run` for an engine of large transforms: a user's file, streamed if it is larger than memory."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nttforge.errors import NttforgeError
from nttforge.flow.formats import (
    BY_SUFFIX,
    FileFormat,
    WordSpec,
    check_target,
    check_used,
    format_of,
    output_format,
    read_polynomials,
    write_polynomials,
)
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.kinds.decomposed.config import MOST_BLOWUP
from nttforge.kinds.decomposed.core import DecomposedCore, DecomposedOperation
from nttforge.kinds.decomposed.measure import bar, check_padding
from nttforge.kinds.decomposed.simulator import DecomposedRun, DecomposedSimulator, check_run
from nttforge.kinds.decomposed.verify import definition_holds, reference, with_zeros
from nttforge.names import find_operation
from nttforge.options.verbs import FileOptions
from nttforge.output import check_writable, claim_name, writing
from nttforge.results import Ran, timed
from nttforge.ring.transform import as_array, check_integers
from nttforge.simulate.native import (
    Limbs,
    below,
    from_limbs,
    limbs_of,
    to_limbs,
)
from nttforge.table import Block, Line

# Words up to which every one of the results is compared; beyond, values at some points.
_COMPARED = 1 << 22
# Words that are looked at together.
_PART = 1 << 20
# A model of words of more bits takes a minute to compile; one that is not optimised, half of it.
_WIDE = 64
# Beats up to which it is done before the optimised one was compiled.
_SHORT_BEATS = 10_000


class DecomposedRunResult(Ran):
    """Result of `run`; sizes are log2 of words, cycles from start to interrupt."""

    modulus: str
    root: str
    generator: str | None
    size: int
    transforms: int
    words_compared: int
    points_compared: int

    def shown(self) -> Iterator[Block]:
        """One line, what was compared, and the verdict."""
        generator = "" if self.generator is None else f"generator {self.generator}, "
        done, verdict = self.ending(
            f"{self.operation} of {self.transforms} polynomials of 2^{self.size} words, "
            f"{generator}root {self.root},"
        )
        yield done
        yield Line(f"compared: {self.words_compared:,} words, {self.points_compared} values")
        yield verdict


def find_decomposed_operation(core: DecomposedCore, name: str | None) -> DecomposedOperation:
    """Look up an operation by name."""
    return find_operation(core.name, name, {o.name: o for o in core.operations})


@timed
def run_decomposed(
    prepared: Prepared[DecomposedCore],
    operation_name: str | None,
    source: Path,
    target: Path,
    progress: Progress = silent,
    *,
    padding: int = 0,
    files: FileOptions = BY_SUFFIX,
) -> DecomposedRunResult:
    """Transform the polynomials of a file with the simulated RTL, and write another.

    Files of 64-bit words are mapped: shape (N,), (batch, N), or (batch, N, limbs), lowest first.
    `padding`: log2 of the words of a transform for each that is given.
    """
    core = prepared.core
    operation = find_decomposed_operation(core, operation_name)
    words = WordSpec.of(None, core.ring.width, files)
    read, written = format_of(source, files.format), output_format(target, files)
    check_used(files, [read, written])
    raw = read_polynomials(source, read, words, mapped=True)
    given = check_words(core, operation, raw, str(source), padding)
    _check_target(target, written, words, given)
    size = given.size
    with _beside(target) as folder:
        results = _space(given, target, written, folder)
        run = _simulate(prepared, operation, (given, results), folder, progress)
        check_run(run)
        compared, points, ok = _check(core, operation, given, results, progress)
        if ok:
            _write(target, written, words, results.reshape(given.results_as_limbs), folder)
    return DecomposedRunResult(
        design=core.name,
        operation=operation.name,
        modulus=str(core.ring.q),
        root=str(core.root(operation, size)),
        generator=None if core.ring.generator is None else str(core.ring.generator),
        size=size,
        transforms=len(given.words),
        cycles=run.cycles,
        input=str(source),
        output=str(target) if ok else None,
        input_format=read.describe(words),
        output_format=written.describe(words),
        words_compared=compared,
        points_compared=points,
        ok=ok,
    )


@dataclass(frozen=True)
class Given:
    """Polynomials: words of shape (batch, N, limbs), the file's shape, log2 of padding."""

    words: Limbs
    shape: tuple[int, ...]
    padding: int = 0

    @property
    def size(self) -> int:
        """log2 of a transform's words."""
        return int(self.words.shape[1] - 1).bit_length() + self.padding

    @property
    def results(self) -> tuple[int, ...]:
        """Shape of the results, as in a file."""
        axis = 1 if self.as_limbs else len(self.shape) - 1
        return (*self.shape[:axis], 1 << self.size, *self.shape[axis + 1 :])

    @property
    def results_as_limbs(self) -> tuple[int, ...]:
        """Shape of the results' limbs: that of the results, and the limbs of a word."""
        return (*self.results[: 2 if self.as_limbs else None], self.words.shape[2])

    @property
    def as_limbs(self) -> bool:
        """Whether the file holds limbs."""
        return len(self.shape) == 3


def check_words(
    core: DecomposedCore,
    operation: DecomposedOperation,
    given: npt.ArrayLike,
    name: str,
    padding: int = 0,
) -> Given:
    """Check polynomials: integers (N,) or (batch, N), or 64-bit limbs (batch, N, limbs)."""
    if not 0 <= padding < MOST_BLOWUP.bit_length():
        most = MOST_BLOWUP.bit_length() - 1
        raise NttforgeError("padding", f"{padding} is out of range", f"use 0 to {most}")
    limbs = limbs_of(core.ring.width)
    raw = as_array(given, name)
    shape = raw.shape
    if raw.ndim == 3 and raw.dtype == np.uint64 and shape[2] == limbs:
        n = shape[1]
    elif raw.ndim in (1, 2):
        n = shape[-1]
    else:
        raise NttforgeError(
            name,
            f"it has the shape {shape} and holds {raw.dtype}",
            f"give (batch, N) integers, or (batch, N, {limbs}) 64-bit limbs as uint64",
        )
    check_integers(raw, name)
    if not raw.size:
        raise NttforgeError(name, "there are no polynomials", "give one at least")
    size, largest = n.bit_length() - 1 + padding, core.largest_of(operation)
    if n & (n - 1) or not core.least <= size <= largest:
        raise NttforgeError(
            name,
            f"a polynomial has {n << padding} words",
            f"{operation.name} of {core.name} takes a power of two from 2^{core.least} to "
            f"2^{largest}",
        )
    check_padding(core, operation, size, padding)
    if raw.ndim == 3 or (limbs == 1 and raw.dtype == np.uint64):
        words = raw.reshape(-1, n, limbs)
        _check_limbs(core, words, name)
        return Given(words, shape, padding)
    for place in (int(raw.argmin()), int(raw.argmax())):
        _check_value(core, int(raw.flat[place]), divmod(place, n), name)
    return Given(to_limbs(raw.reshape(-1, n), limbs), shape, padding)


def _check_value(core: DecomposedCore, value: int, place: tuple[int, int], name: str) -> None:
    if not 0 <= value < core.ring.q:
        raise NttforgeError(
            name,
            f"word {place[1]} of polynomial {place[0]}: {value} is not in [0, {core.ring.q})",
            "reduce it",
        )


def _check_limbs(core: DecomposedCore, words: Limbs, name: str) -> None:
    """Look at every word, a part of the file at a time."""
    flat = words.reshape(-1, words.shape[2])
    for start in range(0, len(flat), _PART):
        part = flat[start : start + _PART]
        wrong = np.flatnonzero(~below(part, core.ring.q))
        if len(wrong):
            place = divmod(start + int(wrong[0]), words.shape[1])
            _check_value(core, int(from_limbs(part[wrong[:1]])[0]), place, name)


def _check_target(target: Path, written: FileFormat, words: WordSpec, given: Given) -> None:
    """Refuse what cannot be written before anything is simulated."""
    if given.as_limbs and written.name == "npy":
        check_writable(target)  # limbs fit it, whatever the words
    else:
        check_target(target, written, words)
    if written.flat and len(given.words) > 1:
        problem = f"there are {len(given.words)} polynomials, and {target.suffix} holds one"
        raise NttforgeError(str(target), problem, "use .npy, .txt, .csv or .json")


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A folder for files under way, where the output will be; it does not stay."""
    real = Path(os.path.realpath(target))
    try:
        folder = tempfile.TemporaryDirectory(prefix=".nttforge-", dir=real.parent)
    except OSError:
        raise NttforgeError(
            str(target), f"nothing can be written to {real.parent}", "correct --output"
        ) from None
    with folder as name:
        yield Path(name)


def _reserve(path: Path, what: str) -> None:
    """Reserve a file's disk space: a write to a map without it ends the process."""
    size = path.stat().st_size
    if not hasattr(os, "posix_fallocate"):  # macOS
        return
    with path.open("r+b") as file:
        try:
            os.posix_fallocate(file.fileno(), 0, size)
        except OSError as error:
            raise NttforgeError(
                "--output",
                f"no room for {size / 1e6:,.1f} MB of {what} beside it: {error.strerror}",
                "make room, or write elsewhere",
            ) from None


def _space(given: Given, target: Path, written: FileFormat, folder: Path) -> Limbs:
    """Memory for results: a file if they are written in memory order."""
    shape = len(given.words), 1 << given.size, given.words.shape[2]
    if written.name != "npy":
        return np.zeros(shape, np.uint64)
    path = folder / target.name
    mapped = np.lib.format.open_memmap(path, mode="w+", dtype=np.uint64, shape=given.results)
    _reserve(path, "results")
    return mapped.reshape(shape)


def _write(
    target: Path, written: FileFormat, words: WordSpec, results: Limbs, folder: Path
) -> None:
    """Give the output its name, now that it is complete."""
    if written.name == "npy":
        with writing(target):
            if isinstance(results, np.memmap):
                results.flush()
        claim_name(folder / target.name, target)
        return
    write_polynomials(target, written, words, from_limbs(results))


def is_short(core: DecomposedCore, size: int, count: int) -> bool:
    """Whether to optimise the model takes longer than `count` transforms of 2^size words by it."""
    beats = len(core.rounds(size)) * (count << size) // core.lanes
    return core.ring.width > _WIDE and beats <= _SHORT_BEATS


def _simulate(
    prepared: Prepared[DecomposedCore],
    operation: DecomposedOperation,
    data: tuple[Given, Limbs],
    folder: Path,
    progress: Progress,
) -> DecomposedRun:
    """One job from the words that were given to the results."""
    core, (given, results) = prepared.core, data
    words, size = given.words, given.size
    scratch = None
    if core.needs_work(operation, size):
        extent = core.stripes * core.part(size, len(words))
        scratch = np.memmap(folder / "scratch", np.uint8, "w+", shape=(extent,))
        _reserve(folder / "scratch", "words between two rounds")
    short = is_short(core, size, len(words))
    with DecomposedSimulator.build(core, prepared.folder, short=short) as simulator:
        what = f"{operation.name} of {len(words)} x 2^{size} words"
        _, run = simulator.transform(
            operation,
            words,
            padding=given.padding,
            into=results,
            scratch=scratch,
            watch=lambda cycles, part: progress(f"{what}: {bar(part)} {cycles:,} cycles"),
        )
    return run


def _check(
    core: DecomposedCore,
    operation: DecomposedOperation,
    source: Given,
    results: Limbs,
    progress: Progress,
) -> tuple[int, int, bool]:
    """Numbers of words and points compared, and whether they are equal."""
    progress("comparing the results")
    compared, points, ok = 0, 0, True
    for row, (words, got) in enumerate(zip(source.words, results, strict=True)):
        given = with_zeros(words[np.newaxis], source.padding)[0]
        holds, count = definition_holds(core, operation, given, got, row)
        points, ok = points + count, ok and holds
        if compared + len(given) <= _COMPARED:
            expected = reference(core, operation, given[np.newaxis])
            compared, ok = compared + len(given), ok and bool((expected[0] == got).all())
    return compared, points, ok
