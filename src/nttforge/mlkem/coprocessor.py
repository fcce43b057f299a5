# SPDX-License-Identifier: Apache-2.0
"""The coprocessor as a core: its transform, its programs, and the RTL around them."""

from collections.abc import Sequence
from pathlib import Path

from nttforge.design import Design, load_design
from nttforge.emit.folder import DesignFolder, write
from nttforge.errors import NttforgeError
from nttforge.families.core import Core
from nttforge.families.pipeline import build as build_pipeline
from nttforge.mlkem.program import HashJob, MacJob, NttJob, Program, all_programs
from nttforge.ring.presets import find_preset

NAME = "mlkem_coprocessor"
# Two butterflies a stage: a beat is four coefficients, and a transform takes 64 cycles.
BUTTERFLIES = 2
STAGES = (1, 2, 4)
ROUNDS = (1, 2, 3, 4, 6, 8, 12, 24)

_SOURCES = (
    "mlkem/mlkem_pkg.sv",
    "mlkem/keccak_round.sv",
    "mlkem/keccak_f1600.sv",
    "mlkem/sponge_absorb.sv",
    "mlkem/squeeze_buffer.sv",
    "mlkem/sample_cbd.sv",
    "mlkem/sample_uniform.sv",
    "mlkem/mlkem_hash.sv",
    "mlkem/mlkem_reduce.sv",
    "mlkem/basemul.sv",
    "mlkem/mlkem_mac.sv",
    "prim/prim_fifo.sv",
    "mlkem/mlkem_products.sv",
    "mlkem/compress.sv",
    "mlkem/decompress.sv",
    "mlkem/byte_encode.sv",
    "mlkem/byte_decode.sv",
    "mlkem/key_decode.sv",
    "mlkem/cipher_memory.sv",
    "mlkem/noise_memory.sv",
    "mlkem/mlkem_input.sv",
    "mlkem/mlkem_seeds.sv",
    "mlkem/absorb_source.sv",
    "mlkem/mlkem_cipher.sv",
    "mlkem/transform_feed.sv",
    "mlkem/transform_drain.sv",
    "mlkem/mlkem_output.sv",
    "mlkem/mlkem_core.sv",
)


def transform_design(butterflies: int = BUTTERFLIES) -> Design:
    """The design of the transform inside the coprocessor."""
    return load_design(
        "ml-kem",
        {
            "name": "mlkem-transform",
            "pipeline.butterflies": butterflies,
            # The products have the DSP blocks.
            "pipeline.lut_tile": 12,
            # The fewest registers: their number is on the way of every operation.
            "pipeline.short": True,
        },
    )


def _table(programs: Sequence[Program], pick: str) -> tuple[list[int], list[int], int]:
    """Encoded jobs of one unit, where each program's begin, and the bits of a job."""
    words: list[int] = []
    bases = []
    bits = 0
    for program in programs:
        jobs: list[HashJob] | list[MacJob] | list[NttJob] = getattr(program, pick)
        bases.append(len(words))
        words += [job.encode() for job in jobs]
        bits = jobs[0].BITS
    return words, bases, bits


def coprocessor_core(rounds: int = 1, butterflies: int = BUTTERFLIES) -> tuple[Core, Design]:
    """The coprocessor, and the design of its transform.

    Parameters
    ----------
    rounds
        Rounds of Keccak a cycle, a divisor of 24.
    butterflies
        Of the transform, a stage: 1, 2 or 4.

    Raises
    ------
    NttforgeError
        If a number is not one of these.
    """
    if rounds not in ROUNDS:
        raise NttforgeError(
            "rounds", f"{rounds} does not divide 24", f"use one of {', '.join(map(str, ROUNDS))}"
        )
    if butterflies not in STAGES:
        raise NttforgeError(
            "butterflies", f"{butterflies} is not possible", "use 1, 2 or 4 butterflies a stage"
        )
    design = transform_design(butterflies)
    transform = build_pipeline(design)
    programs = all_programs()
    tables = {name: _table(list(programs.values()), name) for name in ("hashes", "macs", "ntts")}
    variables = {
        "tables": tables,
        "programs": programs,
        "zetas": find_preset("ml-kem").ring.leaf_roots,
        "rounds": rounds,
        "lanes": 2 * butterflies,
        "latency": max(operation.latency for operation in transform.operations),
    }
    core = Core(
        name=NAME,
        operations=transform.operations,
        stream=transform.stream,
        sources=(*transform.sources, *_SOURCES),
        templates={
            # The transform's README describes its own ports, which nobody sees here.
            **{name: of for name, of in transform.templates.items() if name != "README.md"},
            "mlkem_program_pkg.sv": ("mlkem_program_pkg.sv.j2", variables),
            f"{NAME}.sv": ("mlkem_coprocessor.sv.j2", variables),
        },
        facts={"permutations": {key: p.permutations for key, p in programs.items()}},
    )
    return core, design


def write_coprocessor(
    folder: Path, rounds: int = 1, butterflies: int = BUTTERFLIES
) -> DesignFolder:
    """Write the coprocessor's design folder."""
    core, design = coprocessor_core(rounds, butterflies)
    return write(core, design, folder)
