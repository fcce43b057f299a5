# SPDX-License-Identifier: Apache-2.0
"""The ML-DSA coprocessor of a design: its transform, its programs, and the RTL around them."""

from collections.abc import Mapping

from nttforge.design import Design
from nttforge.hw.drivers import Files
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.coprocessor_transform import (
    HOST_MODULES,
    only_ring,
    transform_design,
    transform_files,
)
from nttforge.kinds.lattice.drivers import StandardDriver, command_driver_files
from nttforge.kinds.lattice.mldsa.core import MldsaCore
from nttforge.kinds.lattice.mldsa.jobs import tables
from nttforge.kinds.lattice.mldsa.plan import machine
from nttforge.kinds.lattice.mldsa.program import MATRIX_BLOCKS, SETS, SMALL_BLOCKS
from nttforge.kinds.lattice.mldsa.registers import ACCEPTED, COMMANDS, ERRORS
from nttforge.kinds.lattice.mldsa.signing import OPERATIONS
from nttforge.kinds.stream.build import build as build_pipeline
from nttforge.reduction.plan import plan_multiplier
from nttforge.rtl_library import combine, sources_of
from nttforge.standards.ml_dsa.message import ARC, HASHES, MU_BYTES
from nttforge.standards.ml_dsa.parameters import SEED_BYTES

_RING = "ml-dsa"
#: Those that follow lists of jobs, as their tables are called.
UNITS = ("hash", "mac", "ntt", "pub", "sec")
#: What is around the core if signatures are verified before they leave.
RELEASE = "mldsa_release"
#: Coefficients of a beat are two for each butterfly; memories and products have eight.
BUTTERFLIES = 4
# Between two registers of a product: where carries are slow, four in a row are the slowest path.
_ADDERS = {"ecp5": 2}
# Of the packets of a port that a driver sends: pk, a signature, and M' with context and digest; or
# pk between M' twice.
_PIECES, _CHECKED_PIECES = 6, 9


def build(design: Design) -> MldsaCore:
    """The coprocessor of a design, or its core alone.

    Raises
    ------
    NttforgeError
        If the design asks for another ring than ML-DSA's, not for both directions, or for a shell.
    """
    ring = only_ring(design, _RING, "ML-DSA")
    table = design.table(LatticeTable)
    inner = transform_design(_RING, design.name, BUTTERFLIES, design.target)
    transform = build_pipeline(inner)
    plan = plan_multiplier(
        (ring.q,),
        kind="solinas",
        adders_per_stage=_ADDERS.get(design.target, 4),
        target=design.target,
        prefer=design.prefer,
        operands="residues",
    )
    variables = {
        "tables": tables(
            {f"{p.name} {name}": make(p) for name, make in OPERATIONS.items() for p in SETS}
        ),
        "plan": plan,
        "host": table.registers,
        "checks": table.verify_signatures,
        **COMMANDS.variables(table.rounds_per_cycle, transform.stream.lanes),
        "matrix_blocks": MATRIX_BLOCKS,
        "small_blocks": SMALL_BLOCKS,
        "name": design.module,
        "transform": inner.module,
    }
    return MldsaCore(
        name=design.module,
        operations=tuple(OPERATIONS),
        parameter_sets=tuple(p.name for p in SETS),
        rounds_per_cycle=table.rounds_per_cycle,
        transform=inner,
        host=table.registers,
        checks=table.verify_signatures,
        sources=combine(
            transform.sources,
            sources_of(
                "mldsa_core",
                "sponge",
                *((RELEASE,) if table.verify_signatures else ()),
                *(HOST_MODULES if table.registers else ()),
            ),
        ),
        templates={
            **transform_files(transform),
            f"{design.module}_program_pkg.sv": ("mldsa_program_pkg.sv.j2", variables),
            **(_host(design.module, variables) if table.registers else {}),
            f"{design.module}.sv": ("mldsa_coprocessor.sv.j2", variables),
            "README.md": ("dsa_readme.md.j2", {}),
        },
        views=tuple(view.within("u_transform") for view in transform.views),
        facts={
            "errors": ERRORS,
            "transform": machine(BUTTERFLIES),
            "multiplier_latency": plan.latency,
        },
    )


def _host(name: str, variables: Mapping[str, object]) -> Files:
    """What a coprocessor with registers has besides: their decoder, and a driver."""
    driver = standard_driver(checks=bool(variables["checks"]))
    known = {**variables, **driver.known, "name": name}
    return {
        f"{name}_registers.sv": ("registers.sv.j2", known),
        **command_driver_files(name, known, driver),
    }


def standard_driver(*, checks: bool, prefix: str = "", first: int = 0) -> StandardDriver:
    """What a C driver has of ML-DSA, with the public key of a signature if it `checks` them.

    The other arguments are those of :class:`StandardDriver`.
    """
    known = {
        "seed_bytes": SEED_BYTES,
        "mu_bytes": MU_BYTES,
        "sets": [
            {"name": of, "pk": p.pk_bytes, "sk": p.sk_bytes, "signature": p.signature_bytes}
            for of, p in zip(COMMANDS.sets, SETS, strict=True)
        ],
        "hashes": [
            {
                "name": of.upper().replace("-", "_").replace("/", "_"),
                "number": number,
                "bytes": len(digest(b"")),
            }
            for of, (number, digest) in HASHES.items()
        ],
        "arc": tuple(ARC),
        "right": tuple(ACCEPTED),
    }
    pieces = _CHECKED_PIECES if checks else _PIECES
    return StandardDriver(
        "ML-DSA",
        "FIPS 204",
        "mldsa",
        pieces,
        known,
        answers=("signature",),
        prefix=prefix,
        first=first,
    )
