# SPDX-License-Identifier: Apache-2.0
"""The ML-DSA coprocessor of a design: its transform, its programs, and the RTL around them."""

from nttforge.design import Design
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.drivers import StandardDriver
from nttforge.kinds.lattice.frame import Frame
from nttforge.kinds.lattice.mldsa.jobs import tables
from nttforge.kinds.lattice.mldsa.plan import machine
from nttforge.kinds.lattice.mldsa.program import MATRIX_BLOCKS, SETS, SMALL_BLOCKS
from nttforge.kinds.lattice.mldsa.signing import OPERATIONS
from nttforge.kinds.lattice.mldsa.standard import ACCEPTED, COMMANDS, ERRORS, STANDARD
from nttforge.reduction.plan import plan_multiplier
from nttforge.standards.ml_dsa.message import ARC, HASHES, MU_BYTES
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Q

_RING = "ml-dsa"
#: Those that follow lists of jobs, as their tables are called.
UNITS = ("hash", "mac", "ntt", "pub", "sec")
#: Coefficients of a beat are two for each butterfly; memories and products have eight.
BUTTERFLIES = 4
# Between two registers of a product: where carries are slow, four in a row are the slowest path.
_ADDERS = {"ecp5": 2}
# Of the packets of a port that a driver sends: pk, a signature, and M' with context and digest; or
# pk between M' twice.
_PIECES, _CHECKED_PIECES = 6, 9


def build(design: Design) -> LatticeCore:
    """The coprocessor of a design, or its core alone.

    Raises
    ------
    NttforgeError
        If the design asks for another ring than ML-DSA's, not for both directions, or for a shell.
    """
    frame = Frame.of(design, (_RING,), STANDARD.name, _RING, BUTTERFLIES)
    plan = plan_multiplier(
        (Q,),
        kind="solinas",
        adders_per_stage=_ADDERS.get(design.target, 4),
        target=design.target,
        prefer=design.prefer,
        operands="residues",
    )
    variables = {
        **frame.variables(COMMANDS),
        "tables": tables(
            {f"{p.name} {name}": make(p) for name, make in OPERATIONS.items() for p in SETS}
        ),
        "plan": plan,
        "matrix_blocks": MATRIX_BLOCKS,
        "small_blocks": SMALL_BLOCKS,
    }
    return frame.core(
        STANDARD,
        commands=COMMANDS,
        modules=("ntf_mldsa_core", "ntf_sponge"),
        top="mldsa_coprocessor.sv.j2",
        readme=("dsa_readme.md.j2", {}),
        variables=variables,
        programs={f"{design.module}_program_pkg.sv": ("mldsa_program_pkg.sv.j2", variables)},
        drivers=(standard_driver(checks=frame.table.verify_signatures),),
        library=STANDARD.library,
        what=STANDARD.what,
        instead=STANDARD.instead,
        facts={
            "errors": ERRORS,
            "transform": machine(BUTTERFLIES),
            "multiplier_latency": plan.latency,
        },
    )


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
