# SPDX-License-Identifier: Apache-2.0
"""The coprocessor as a core: its transform, its programs, and the RTL around them."""

from collections.abc import Mapping
from functools import partial

from nttforge.design import Design, load_design
from nttforge.designs import COPROCESSOR
from nttforge.hw.sv_struct import Table
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.coprocessor_transform import (
    HOST_MODULES,
    only_ring,
    transform_design,
    transform_files,
)
from nttforge.kinds.lattice.drivers import StandardDriver, command_driver_files
from nttforge.kinds.lattice.mlkem.core import MlkemCore
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
from nttforge.kinds.lattice.mlkem.registers import (
    COMMANDS,
    REGISTERS,
    TAIL_BYTES,
)
from nttforge.kinds.lattice.standard import ML_KEM
from nttforge.kinds.stream.build import build as build_pipeline
from nttforge.rtl_library import combine, sources_of
from nttforge.standards.ml_kem.parameters import SEED_BYTES

PRESET = COPROCESSOR
_RING = "ml-kem"


def _table(programs: Mapping[tuple[KemOperation, str], Program], pick: str) -> Table:
    table = Table()
    for (operation, name), program in programs.items():
        listed: list[HashJob] | list[MacJob] | list[NttJob] = getattr(program, pick)
        table.add(f"{operation} of {name}", ((job.label, job.literal()) for job in listed))
    return table


def build(design: Design) -> MlkemCore:
    """The coprocessor of a design.

    Raises
    ------
    NttforgeError
        If the design asks for another ring than ML-KEM's, not for both directions, or for a shell.
    """
    ring = only_ring(design, _RING, "ML-KEM")
    table = design.table(LatticeTable)
    inner = transform_design(_RING, design.name, table.butterflies, design.target)
    transform = build_pipeline(inner)
    programs = all_programs(table.keccak_cores)
    tables = {name: _table(programs, name) for name in ("hashes", "macs", "ntts")}
    driver = standard_driver()
    variables = {
        "tables": tables,
        "programs": programs,
        "zetas": ring.leaf_roots,
        "cores": table.keccak_cores,
        "name": design.module,
        "transform": inner.module,
        **COMMANDS.variables(table.rounds_per_cycle, transform.stream.lanes),
        **driver.known,
        "latency": max(operation.latency for operation in transform.operations),
    }
    return MlkemCore(
        name=design.module,
        operations=CODES,
        parameter_sets=tuple(p.name for p in SETS),
        rounds_per_cycle=table.rounds_per_cycle,
        keccak_cores=table.keccak_cores,
        transform=inner,
        sources=combine(transform.sources, sources_of("mlkem_core", "sponge", *HOST_MODULES)),
        templates={
            **transform_files(transform),
            f"{design.module}_program_pkg.sv": ("mlkem_program_pkg.sv.j2", variables),
            f"{design.module}_registers.sv": ("registers.sv.j2", variables),
            **command_driver_files(design.module, variables, driver),
            f"{design.module}.sv": ("mlkem_coprocessor.sv.j2", variables),
            "README.md": (
                "kem_readme.md.j2",
                {"code_words": partial(ML_KEM.code_words, REGISTERS["command"])},
            ),
        },
        views=tuple(view.within("u_transform") for view in transform.views),
        facts={"permutations": {key: p.permutations for key, p in all_programs().items()}},
    )


def standard_driver(prefix: str = "", first: int = 0) -> StandardDriver:
    """What a C driver has of ML-KEM; the arguments are those of :class:`StandardDriver`."""
    known = {
        "sets": [
            {"name": name, "ek": p.ek_bytes, "dk": p.dk_bytes, "ciphertext": p.ciphertext_bytes}
            for name, p in zip(COMMANDS.sets, SETS, strict=True)
        ],
        "seed_bytes": SEED_BYTES,
        "tail_bytes": TAIL_BYTES,
    }
    return StandardDriver("ML-KEM", "FIPS 203", "mlkem", 2, known, prefix=prefix, first=first)


def coprocessor_design(rounds: int = 1, butterflies: int | None = None, cores: int = 1) -> Design:
    """The preset with so many rounds of Keccak a cycle, butterflies a stage, and Keccak cores.

    Raises
    ------
    NttforgeError
        If there is no such coprocessor.
    """
    keys = {"lattice.rounds_per_cycle": rounds, "lattice.keccak_cores": cores}
    if butterflies is not None:
        keys["lattice.butterflies"] = butterflies
    return load_design(PRESET, keys)
