# SPDX-License-Identifier: Apache-2.0
"""The backend of engines for large transforms."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy.typing as npt

from nttforge.emit.stimulus import Stimulus
from nttforge.errors import NttforgeError
from nttforge.flow.backend import Backend
from nttforge.flow.memory_jobs import Jobs
from nttforge.flow.prepare import Prepared, Progress
from nttforge.kinds.decomposed.core import DecomposedCore, DecomposedOperation
from nttforge.kinds.decomposed.measure import DecomposedMeasureResult, measure_decomposed
from nttforge.kinds.decomposed.place import place_decomposed
from nttforge.kinds.decomposed.run import (
    DecomposedRunResult,
    check_words,
    find_decomposed_operation,
    run_decomposed,
)
from nttforge.kinds.decomposed.simulator import DecomposedSimulator, check_run
from nttforge.kinds.decomposed.stimulus import decomposed_stimulus
from nttforge.kinds.decomposed.verify import DecomposedVerifyResult, verify_decomposed
from nttforge.options.verbs import MeasureOptions, RunOptions, VerifyOptions
from nttforge.results import Generated
from nttforge.simulate.native import from_limbs
from nttforge.table import Block, Line, Table


class DecomposedGenerated(Generated):
    """A written engine for large transforms; sizes are log2 of words."""

    lanes: int
    word_bits: int
    store_bits: int
    kernel: int
    burst: int
    sizes: tuple[int, int]
    generator: str | None
    root: str
    operations: list[str]
    seed_bits: int

    def shown(self) -> Iterator[Block]:
        """Resources of the engine, and its files."""
        least, largest = self.sizes
        yield Table(
            f"{self.design}: 2^{least} to 2^{largest} words of {self.word_bits} bits",
            ("", "value"),
            [
                ("points of the kernel", self.kernel),
                ("words a beat", self.lanes),
                ("words a burst", self.burst),
                ("bits of a word in memory", self.store_bits),
                ("bits of the ROM of roots", self.seed_bits),
                ("generator of the roots", self.generator or "none"),
            ],
        )
        yield Line(f"root of unity of the largest order: {self.root}")
        yield Line("operations: " + ", ".join(self.operations))
        yield from super().shown()


class DecomposedBackend(Backend[DecomposedCore]):
    """Transforms of every size in off-chip memory."""

    core = DecomposedCore
    has_data = False

    def generated(self, core: DecomposedCore, common: Generated) -> DecomposedGenerated:
        """Sizes, words and operations."""
        return DecomposedGenerated(
            **common.model_dump(),
            lanes=core.lanes,
            word_bits=core.ring.width,
            store_bits=core.store_bits,
            kernel=1 << core.shape.v,
            burst=1 << core.shape.p,
            sizes=(core.least, core.largest),
            generator=None if core.ring.generator is None else str(core.ring.generator),
            root=str(core.ring.root),
            operations=[operation.name for operation in core.operations],
            seed_bits=core.seed_bits,
        )

    def stimulus(self, core: DecomposedCore) -> Stimulus:
        """Jobs of every operation."""
        return decomposed_stimulus(core)

    def verify(
        self, prepared: Prepared[DecomposedCore], options: VerifyOptions, progress: Progress
    ) -> DecomposedVerifyResult:
        """See :func:`nttforge.kinds.decomposed.verify.verify_decomposed`."""
        seed = options.seed or 0
        return verify_decomposed(prepared, count=options.count, seed=seed, progress=progress)

    def measure(
        self, prepared: Prepared[DecomposedCore], options: MeasureOptions, progress: Progress
    ) -> DecomposedMeasureResult:
        """See :func:`nttforge.kinds.decomposed.measure.measure_decomposed`."""
        taken = ("count", "sizes", "operation", "padding")
        options.only(MeasureOptions, *taken, seed=("no duration depends on data", "leave it out"))
        named = options.operation
        return measure_decomposed(
            prepared,
            count=options.count,
            sizes=options.sizes,
            operation=None if named is None else find_decomposed_operation(prepared.core, named),
            padding=options.padding or 0,
            progress=progress,
        )

    def run(
        self,
        prepared: Prepared[DecomposedCore],
        sources: Sequence[Path],
        target: Path,
        options: RunOptions,
        progress: Progress,
    ) -> DecomposedRunResult:
        """See :func:`nttforge.kinds.decomposed.run.run_decomposed`."""
        source, *more = sources
        if more:
            raise NttforgeError("more", "a transform takes one input", "leave it out")
        return run_decomposed(
            prepared,
            options.operation,
            source,
            target,
            progress,
            padding=options.padding or 0,
            files=options,
        )

    def jobs(self, core: DecomposedCore) -> Jobs:
        """By its registers."""
        return Jobs(core.driver, partial(place_decomposed, core))

    def functions(self, prepared: Prepared[DecomposedCore]) -> Mapping[str, Callable[..., Any]]:
        """Operations on arrays of shape (N,) or (batch, N); `padding=k` appends zeros to 2^k N."""
        return {
            operation.name: partial(_compute, prepared, operation)
            for operation in prepared.core.operations
        }


def _compute(
    prepared: Prepared[DecomposedCore],
    operation: DecomposedOperation,
    words: npt.ArrayLike,
    *,
    padding: int = 0,
) -> npt.NDArray[Any]:
    given = check_words(prepared.core, operation, words, "operand 0", padding)
    with DecomposedSimulator.build(prepared.core, prepared.folder) as simulator:
        results, run = simulator.transform(operation, given.words, padding=padding)
    check_run(run)
    return results if given.as_limbs else from_limbs(results).reshape(given.results)


BACKEND = DecomposedBackend()
