# SPDX-License-Identifier: Apache-2.0
"""Engines for large transforms behind the verbs."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from nttforge.emit.play import Play
from nttforge.errors import NttforgeError
from nttforge.families import LargeCore
from nttforge.families.decomposed.core import LargeOperation
from nttforge.flow.bench import LAST_SEED, MOST, Bench, Given, Options, read_options
from nttforge.flow.decomposed.play import large_play
from nttforge.flow.large_measure import LargeMeasureResult, measure_large
from nttforge.flow.large_run import LargeRunResult, check_words, find_large_operation, run_large
from nttforge.flow.large_verify import LargeVerifyResult, verify_large
from nttforge.flow.prepare import Prepared, Progress
from nttforge.results import Generated
from nttforge.simulate.large import LargeSimulator, check_run
from nttforge.simulate.native import from_limbs


class LargeGenerated(Generated):
    """A written engine for large transforms.

    Attributes
    ----------
    lanes, word_bits, store_bits
        Words a beat, bits of each, and bits of each in memory.
    kernel, burst
        Points of the kernel, words of a burst.
    sizes
        log2 of the smallest and of the largest transform.
    operations
        Names, in the order of their codes.
    seed_bits
        Bits of the ROM of roots, the only part that grows with the largest transform.
    """

    lanes: int
    word_bits: int
    store_bits: int
    kernel: int
    burst: int
    sizes: tuple[int, int]
    operations: list[str]
    seed_bits: int


class VerifyOptions(Options):
    """Polynomials of each job, some if None; and the seed of all data and stalls."""

    count: int | None = Field(None, ge=1, le=MOST)
    seed: int = Field(0, ge=0, le=LAST_SEED)


class MeasureOptions(Options):
    """Transforms of a batch, log2 of their sizes, and what is done; see `measure_large`."""

    count: int | None = Field(None, ge=2, le=MOST)
    sizes: tuple[int, ...] | None = None
    operation: str | None = None


class RunOptions(Options):
    """The operation."""

    operation: str | None = None


class DecomposedBench(Bench[LargeCore]):
    """Transforms of every size in off-chip memory."""

    measure_options = MeasureOptions

    def generated(self, core: LargeCore, common: Generated) -> LargeGenerated:
        """Sizes, words and operations."""
        return LargeGenerated(
            **common.model_dump(),
            lanes=core.lanes,
            word_bits=core.ring.width,
            store_bits=core.store_bits,
            kernel=1 << core.shape.v,
            burst=1 << core.shape.p,
            sizes=(core.least, core.largest),
            operations=[operation.name for operation in core.operations],
            seed_bits=core.seed_bits,
        )

    def play(self, core: LargeCore) -> Play:
        """Jobs of every operation."""
        return large_play(core)

    def verify(
        self, prepared: Prepared[LargeCore], given: Given, progress: Progress
    ) -> LargeVerifyResult:
        """See :func:`nttforge.flow.large_verify.verify_large`."""
        chosen = read_options(VerifyOptions, given)
        return verify_large(prepared, count=chosen.count, seed=chosen.seed, progress=progress)

    def measure(
        self, prepared: Prepared[LargeCore], given: Given, progress: Progress
    ) -> LargeMeasureResult:
        """See :func:`nttforge.flow.large_measure.measure_large`."""
        refused = {"seed": ("no duration depends on data", "leave it out")}
        chosen = read_options(MeasureOptions, given, refused)
        named = chosen.operation
        return measure_large(
            prepared,
            count=chosen.count,
            sizes=chosen.sizes,
            operation=None if named is None else find_large_operation(prepared.core, named),
            progress=progress,
        )

    def run(
        self,
        prepared: Prepared[LargeCore],
        sources: Sequence[Path],
        target: Path,
        given: Given,
        progress: Progress,
    ) -> LargeRunResult:
        """See :func:`nttforge.flow.large_run.run_large`."""
        operation = read_options(RunOptions, given).operation
        source, *more = sources
        if more:
            raise NttforgeError("more", "a transform takes one input", "leave it out")
        return run_large(prepared, operation, source, target, progress)

    def functions(self, prepared: Prepared[LargeCore]) -> Mapping[str, Callable[..., Any]]:
        """Each operation: an array of shape (N,) or (batch, N) in, one of that shape out."""
        return {
            operation.name: partial(_compute, prepared, operation)
            for operation in prepared.core.operations
        }


def _compute(
    prepared: Prepared[LargeCore], operation: LargeOperation, words: npt.ArrayLike
) -> npt.NDArray[Any]:
    given = check_words(prepared.core, operation, np.asarray(words), "operand 0")
    with LargeSimulator.build(prepared.core, prepared.folder) as simulator:
        results, run = simulator.transform(operation, given.words)
    check_run(run)
    return results if len(given.shape) == 3 else from_limbs(results).reshape(given.shape)
