# SPDX-License-Identifier: Apache-2.0
"""The coprocessor as a core: its transform, its programs, and the RTL around them."""

from collections.abc import Mapping
from functools import partial

from nttforge.design import Design, load_design
from nttforge.designs import COPROCESSOR
from nttforge.hw.sv_struct import Table
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.coprocessor_transform import HOST_MODULES, own_rings
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.drivers import command_files
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
from nttforge.kinds.lattice.mlkem.sized import Size
from nttforge.kinds.lattice.mlkem.small import permutations_of, tables
from nttforge.kinds.lattice.mlkem.standard import COMMANDS, STANDARD
from nttforge.rtl_library import sources_of

PRESET = COPROCESSOR
_RING = "ml-kem"
_FAST = 8  # bytes a cycle of ntf_mlkem_core


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
        return _build_scaled(design, Size(table.width, table.width))
    frame = Frame.of(design, (_RING,), STANDARD.name, _RING, table.butterflies)
    programs = all_programs(table.keccak_cores)
    variables = {
        **frame.variables(COMMANDS),
        "tables": {name: _table(programs, name) for name in ("hashes", "macs", "ntts")},
        "programs": programs,
        "zetas": design.rings[0].ring().leaf_roots,
        "cores": table.keccak_cores,
        "latency": frame.latency,
    }
    words = partial(STANDARD.code_words, STANDARD.registers["command"])
    return frame.core(
        STANDARD,
        commands=COMMANDS,
        modules=("ntf_mlkem_core", "ntf_sponge"),
        top="mlkem_coprocessor.sv.j2",
        readme=("kem_readme.md.j2", {"code_words": words}),
        variables=variables,
        programs={f"{design.module}_program_pkg.sv": ("mlkem_program_pkg.sv.j2", variables)},
        library=STANDARD.library,
        kind_label=STANDARD.kind_label,
        usage_hint=STANDARD.usage_hint,
        facts={"permutations": {key: p.permutations for key, p in all_programs().items()}},
        keccak_cores=table.keccak_cores,
    )


def _build_scaled(design: Design, size: Size) -> LatticeCore:
    """Fewer bytes a cycle, without a transform of its own."""
    own_rings(design, (_RING,), STANDARD.name)
    name = design.module
    variables = {
        "name": name,
        "host": True,
        "checks": False,
        "size": size,
        "tables": tables(),
        **COMMANDS.variables(0, 2 * size.butterflies),
    }
    words = partial(STANDARD.code_words, STANDARD.registers["command"])
    return LatticeCore(
        name=name,
        standards=(STANDARD,),
        commands=COMMANDS,
        rounds_per_cycle=size.width / _FAST,
        transform=None,
        kind_label=STANDARD.kind_label,
        usage_hint=STANDARD.usage_hint,
        library=STANDARD.library,
        sources=sources_of("ntf_scaled_core", *HOST_MODULES),
        templates={
            f"{name}_program_pkg.sv": ("mlkem_small_pkg.sv.j2", variables),
            **command_files(name, variables, STANDARD, checks=False),
            f"{name}.sv": ("mlkem_small.sv.j2", variables),
            "README.md": ("kem_readme.md.j2", {"code_words": words}),
        },
        views=(),
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
