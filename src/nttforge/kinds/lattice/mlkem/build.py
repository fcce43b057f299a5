# SPDX-License-Identifier: Apache-2.0
"""The coprocessor as a core: its transform, its programs, and the RTL around them."""

from collections.abc import Mapping

from nttforge.design import Design, load_design
from nttforge.designs import COPROCESSOR
from nttforge.hw.sv_struct import Table
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.frame import Frame
from nttforge.kinds.lattice.mlkem.program import (
    CODES,
    SETS,
    HashJob,
    KemOperation,
    MacJob,
    NttJob,
    Program,
    all_programs,
)
from nttforge.kinds.lattice.mlkem.small import permutations_of, tables
from nttforge.kinds.lattice.mlkem.standard import COMMANDS, STANDARD

PRESET = COPROCESSOR
_RING, _README = "ml-kem", "kem_readme.md.j2"
_FAST = 8  # bytes a cycle of ntf_mlkem_core
_PACKED = 2  # coefficients a cycle that narrower cores pack: more of them gain little


def _table(programs: Mapping[tuple[KemOperation, str], Program], pick: str) -> Table:
    table = Table()
    for (operation, name), program in programs.items():
        listed: list[HashJob] | list[MacJob] | list[NttJob] = getattr(program, pick)
        table.add(f"{operation} of {name}", ((job.label, job.literal()) for job in listed))
    return table


def build(design: Design) -> LatticeCore:
    """The coprocessor of a design."""
    table = design.table(LatticeTable)
    if table.width < _FAST:
        return _build_scaled(design, table.width)
    frame = Frame.of(design, STANDARD, ring=_RING, butterflies=table.butterflies)
    programs = all_programs(table.keccak_cores)
    variables = {
        **frame.variables(COMMANDS),
        "tables": {name: _table(programs, name) for name in ("hashes", "macs", "ntts")},
        "programs": programs,
        "zetas": design.rings[0].ring().leaf_roots,
        "cores": table.keccak_cores,
        "latency": frame.latency,
    }
    return frame.core(
        *("ntf_mlkem_core", "ntf_sponge"),
        top="mlkem_coprocessor.sv.j2",
        readme=_README,
        variables=variables,
        programs={f"{design.module}_program_pkg.sv": ("mlkem_program_pkg.sv.j2", variables)},
        facts={"permutations": {key: p.permutations for key, p in all_programs().items()}},
        keccak_cores=table.keccak_cores,
    )


def _build_scaled(design: Design, width: int) -> LatticeCore:
    """Fewer bytes a cycle, and as many butterflies, without a transform of its own."""
    frame = Frame.of(design, STANDARD)
    own = {"width": width, "packed": _PACKED, "tables": tables()}
    variables = {**frame.variables(COMMANDS, lanes=2 * width), **own}
    return frame.core(
        *("ntf_scaled_core", "ntf_scaled_store", "ntf_sponge_folded"),
        top="mlkem_small.sv.j2",
        readme=_README,
        variables=variables,
        programs={f"{design.module}_program_pkg.sv": ("mlkem_small_pkg.sv.j2", variables)},
        rounds_per_cycle=width / _FAST,
        facts={
            "permutations": {(op, p.name): permutations_of(op, p) for op in CODES for p in SETS}
        },
    )


def coprocessor_design(rounds: int = 1, butterflies: int | None = None, cores: int = 1) -> Design:
    """The preset with so many rounds of Keccak a cycle, butterflies a stage, and Keccak cores."""
    keys = {"lattice.rounds_per_cycle": rounds, "lattice.keccak_cores": cores}
    if butterflies is not None:
        keys["lattice.butterflies"] = butterflies
    return load_design(PRESET, keys)
