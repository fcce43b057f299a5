# SPDX-License-Identifier: Apache-2.0
"""`generate` and `presets`: the design folder, and the designs that have a name."""

from pathlib import Path

from pydantic import BaseModel

from nttforge.content import FILE_LIST
from nttforge.design import Design, design_names, load_design
from nttforge.emit import write
from nttforge.errors import NttforgeError
from nttforge.families import Core, KemCore, LargeCore, build
from nttforge.ring.presets import PRESETS


class OperationFacts(BaseModel):
    """An operation of a core: its code on `tuser`, its ring, its order at both ports."""

    name: str
    code: int
    ring: str
    input_layout: str
    output_layout: str
    latency_derived: int


class GenerateResult(BaseModel):
    """A written design folder.

    Attributes
    ----------
    files
        SystemVerilog files relative to the folder, packages first, the top last.
    """

    design: str
    folder: str
    top: str
    files: list[str]


class TransformGenerated(GenerateResult):
    """A written core of transforms.

    Attributes
    ----------
    lanes, word_bits, beats
        Coefficients a beat, bits of each, beats a transform.
    """

    lanes: int
    word_bits: int
    beats: int
    operations: list[OperationFacts]


class KemGenerated(GenerateResult):
    """A written ML-KEM coprocessor; operations and sets are in the order of their codes."""

    operations: list[str]
    parameter_sets: list[str]
    rounds_per_cycle: int


class LargeGenerated(GenerateResult):
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


def _check_folder(folder: Path) -> None:
    """Refuse to write where something else is."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise NttforgeError(str(folder), "is not a folder", "name a folder with -o")
    if any(folder.iterdir()) and not (folder / FILE_LIST).is_file():
        raise NttforgeError(
            str(folder), "is neither empty nor a design folder", "name another one with -o"
        )


def generate(design: Design, folder: Path) -> TransformGenerated | KemGenerated | LargeGenerated:
    """Write a design folder.

    Raises
    ------
    NttforgeError
        If the design cannot be built, or the folder holds something else or cannot be written.
    """
    core = build(design)
    _check_folder(folder)
    written = write(core, design, folder)
    common = GenerateResult(
        design=design.name, folder=str(folder), top=written.top, files=list(written.files)
    )
    if isinstance(core, KemCore):
        return _kem_generated(core, common)
    return (
        _large_generated(core, common) if isinstance(core, LargeCore) else _generated(core, common)
    )


def _kem_generated(core: KemCore, common: GenerateResult) -> KemGenerated:
    return KemGenerated(
        **common.model_dump(),
        operations=list(core.operations),
        parameter_sets=list(core.parameter_sets),
        rounds_per_cycle=core.rounds_per_cycle,
    )


def _large_generated(core: LargeCore, common: GenerateResult) -> LargeGenerated:
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


def _generated(core: Core, common: GenerateResult) -> TransformGenerated:
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


class RingFacts(BaseModel):
    """A ring that has a name."""

    name: str
    description: str
    ring: str
    n: int
    q: str
    layers: int


class DesignFacts(BaseModel):
    """A design that has a name."""

    name: str
    description: str
    family: str
    rings: list[str]


class PresetsResult(BaseModel):
    """Everything that can be named as DESIGN; a ring's name is a design with that ring alone."""

    designs: list[DesignFacts]
    rings: list[RingFacts]


def presets() -> PresetsResult:
    """List the named designs and rings."""
    designs = [load_design(name) for name in design_names()]
    return PresetsResult(
        designs=[
            DesignFacts(
                name=design.name,
                description=design.description,
                family=design.family,
                rings=[table.label for table in design.rings],
            )
            for design in designs
        ],
        rings=[
            RingFacts(
                name=preset.name,
                description=preset.description,
                ring=preset.ring.describe(),
                n=preset.ring.n,
                q=str(preset.ring.q),
                layers=preset.ring.layers,
            )
            for preset in PRESETS.values()
        ],
    )
