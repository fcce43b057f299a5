# SPDX-License-Identifier: Apache-2.0
"""The backend of streaming cores."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy.typing as npt
from pydantic import BaseModel

from nttforge.design import Design
from nttforge.emit.stimulus import Stimulus
from nttforge.errors import NttforgeError
from nttforge.flow.backend import Backend, one_of_each
from nttforge.flow.memory_jobs import Jobs
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.hw import Operation, StreamCore
from nttforge.kinds import has_part, part
from nttforge.kinds.stream.chain_backend import BACKEND as CHAINS
from nttforge.kinds.stream.loaded import with_modulus
from nttforge.kinds.stream.measure import MeasureResult, measure
from nttforge.kinds.stream.place import place_shell
from nttforge.kinds.stream.run import RunResult, check_operands, run_file, transform_batch
from nttforge.kinds.stream.stimulus import core_play
from nttforge.kinds.stream.verify import VerifyResult, verify
from nttforge.options.verbs import FileOptions, MeasureOptions, RunOptions, VerifyOptions
from nttforge.results import Generated
from nttforge.ring.arithmetic import Array
from nttforge.ring.transform import coefficient_dtype
from nttforge.table import Block, Table


class OperationFacts(BaseModel):
    """An operation of a core: its code on `tuser`, its ring, its order at both ports."""

    name: str
    code: int
    ring: str
    input_layout: str
    output_layout: str
    latency_derived: int


class TransformGenerated(Generated):
    """A written core of transforms: lanes, bits of a word, beats a transform."""

    lanes: int
    word_bits: int
    beats: int
    operations: list[OperationFacts]

    def shown(self) -> Iterator[Block]:
        """The contract of each operation, and where the files are."""
        yield Table(
            f"{self.design}: {self.lanes} lanes of {self.word_bits} bits, "
            f"{self.beats} beats a transform",
            ("operation", "tuser", "ring", "input order", "output order"),
            [
                (op.name, op.code, op.ring, op.input_layout, op.output_layout)
                for op in self.operations
            ],
        )
        yield from super().shown()


def _picture(design: Design, name: Literal["architecture", "timeline"]) -> str | None:
    """A picture that the design's kind draws; None if it does not."""
    if not has_part(design.family, "drawing"):
        return None
    picture: str | None = getattr(part(design.family, "drawing"), name)(design)
    return picture


def _compute(
    prepared: Prepared[StreamCore], operation: Operation, *operands: npt.ArrayLike
) -> Array:
    batch, shape = check_operands(operation, operands)
    outputs, _ = transform_batch(prepared, operation, batch, silent)
    return outputs.reshape(shape).astype(coefficient_dtype(operation.ring))


class StreamBackend(Backend[StreamCore]):
    """Pipelines and iterative engines, with and without a memory shell."""

    core = StreamCore

    def generated(self, core: StreamCore, common: Generated) -> TransformGenerated:
        """Format of the streams, and the contract of each operation."""
        return TransformGenerated(
            **common.model_dump(),
            lanes=core.stream.lanes,
            word_bits=core.stream.word_bits,
            beats=core.stream.beats,
            operations=[
                OperationFacts(
                    name=op.name,
                    code=op.code,
                    ring=op.ring.describe(),
                    input_layout=op.input_layout.describe(),
                    output_layout=op.output_layout.describe(),
                    latency_derived=op.latency,
                )
                for op in core.operations
            ],
        )

    def stimulus(self, core: StreamCore) -> Stimulus:
        """Every operation after every other one, or jobs of the shell."""
        return core_play(core)

    def verify(
        self, prepared: Prepared[StreamCore], options: VerifyOptions, progress: Progress
    ) -> VerifyResult:
        """Compare drawn transforms with the reference, and look for protocol errors."""
        seed = options.seed or 0
        return verify(prepared, transforms=options.count, seed=seed, progress=progress)

    def measure(
        self, prepared: Prepared[StreamCore], options: MeasureOptions, progress: Progress
    ) -> MeasureResult:
        """Observe interval, latency and turnaround of transforms, in clock cycles."""
        options.only(MeasureOptions, "count", "seed", **one_of_each(prepared.core.name))
        seed = options.seed or 0
        return measure(prepared, transforms=options.count, seed=seed, progress=progress)

    def run(
        self,
        prepared: Prepared[StreamCore],
        sources: Sequence[Path],
        target: Path,
        options: RunOptions,
        progress: Progress,
    ) -> RunResult:
        """See :func:`nttforge.kinds.stream.run.run_file`."""
        options.only(RunOptions, "operation", "modulus", *FileOptions.model_fields)
        if options.modulus is not None:
            prepared = replace(prepared, core=with_modulus(prepared.core, options.modulus))
        source, *more = sources
        return run_file(
            prepared, options.operation, source, target, progress, more=more, files=options
        )

    def functions(self, prepared: Prepared[StreamCore]) -> Mapping[str, Callable[..., Any]]:
        """Each operation: arrays of shape (n,) or (batch, n) in, one of that shape out."""
        return {
            operation.name: partial(_compute, prepared, operation)
            for operation in prepared.core.operations
        }

    def jobs(self, core: StreamCore) -> Jobs:
        """By its memory shell."""
        if core.shell is None:
            hint = "give the design a table [shell]"
            raise NttforgeError("shell", f"{core.name} has no registers", hint)
        header = core.shell.driver([operation.name for operation in core.operations])
        return Jobs(header, partial(place_shell, core))

    def drawing(self, design: Design) -> str | None:
        """A pipeline's stages."""
        return _picture(design, "architecture")

    def timeline(self, design: Design) -> str | None:
        """Stages of a pipeline, or passes of an iterative core, as transforms go through."""
        return _picture(design, "timeline")


BACKEND = StreamBackend()
#: Of all cores of the family.
BACKENDS = (BACKEND, CHAINS)
