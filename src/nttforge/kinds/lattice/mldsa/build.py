# SPDX-License-Identifier: Apache-2.0
"""The ML-DSA coprocessor of a design: its transform, its programs, and the RTL around them."""

from nttforge.design import Design
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.frame import Frame
from nttforge.kinds.lattice.mldsa.jobs import tables
from nttforge.kinds.lattice.mldsa.program import MATRIX_BLOCKS, SETS, SMALL_BLOCKS
from nttforge.kinds.lattice.mldsa.signing import OPERATIONS
from nttforge.kinds.lattice.mldsa.small.build import build as build_small
from nttforge.kinds.lattice.mldsa.standard import COMMANDS, ERRORS, STANDARD
from nttforge.reduction.plan import plan_multiplier
from nttforge.standards.ml_dsa.parameters import Q

_RING = "ml-dsa"
#: Those that follow lists of jobs, as their tables are called.
UNITS = ("hash", "mac", "ntt", "pub", "sec")
#: Coefficients of a beat are two for each butterfly; memories and products have eight.
BUTTERFLIES = 4
# Between two registers of a product: where carries are slow, four in a row are the slowest path.
_ADDERS = {"ecp5": 2}


def build(design: Design) -> LatticeCore:
    """The coprocessor of a design, or its core alone.

    Raises NttforgeError if the design asks for another ring than ML-DSA's, not for both directions,
    or for a shell.
    """
    if design.table(LatticeTable).narrow:
        return build_small(design)
    frame = Frame.of(design, STANDARD, ring=_RING, butterflies=BUTTERFLIES)
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
        "equal_tries": frame.table.equal_tries,
    }
    return frame.core(
        *("ntf_mldsa_core", "ntf_sponge"),
        top="mldsa_coprocessor.sv.j2",
        readme="dsa_readme.md.j2",
        variables=variables,
        programs={f"{design.module}_program_pkg.sv": ("mldsa_program_pkg.sv.j2", variables)},
        facts={
            "errors": ERRORS,
            "multiplier_latency": plan.latency,
            "equal_tries": frame.table.equal_tries,
        },
    )
