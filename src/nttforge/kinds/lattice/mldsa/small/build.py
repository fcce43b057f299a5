# SPDX-License-Identifier: Apache-2.0
"""A narrower core of a design: its programs, and the RTL around them."""

from dataclasses import replace

from nttforge.design import Design
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.frame import Frame
from nttforge.kinds.lattice.mldsa.small.keys.standard import STANDARD as KEYS
from nttforge.kinds.lattice.mldsa.small.program import FAST, PLACES, SIGN_PLACES, tables
from nttforge.kinds.lattice.mldsa.small.signing.standard import STANDARD as SIGNS
from nttforge.kinds.lattice.mldsa.small.standard import STANDARD
from nttforge.kinds.lattice.mldsa.standard import COMMANDS, ERRORS
from nttforge.kinds.lattice.mldsa.standard import STANDARD as WHOLE

#: Rounds of Keccak a cycle, by bytes a cycle.
ROUNDS = {4: 0.5, 8: 1}


def build(design: Design) -> LatticeCore:
    """The coprocessor of a design; its driver is that of the whole standard.

    Raises NttforgeError if the design asks for other rings than ML-DSA's.
    """
    frame = Frame.of(design, WHOLE)
    width = frame.table.width
    keys, signs = frame.table.operations != "verify", frame.table.operations == "all"
    standard = SIGNS if signs else KEYS if keys else STANDARD
    variables = {
        **frame.variables(COMMANDS, lanes=2 * width),
        "width": width,
        "tables": tables(keys=keys, signs=signs, fast=width == FAST),
        "keys": keys,
        "signs": signs,
        "places": SIGN_PLACES if signs else PLACES,
    }
    core = frame.core(
        *("ntf_dsa_core", "ntf_dsa_store", "ntf_sponge_folded"),
        top="mldsa_small.sv.j2",
        readme="dsa_verify_readme.md.j2",
        variables=variables,
        programs={f"{design.module}_program_pkg.sv": ("mldsa_small_pkg.sv.j2", variables)},
        rounds_per_cycle=ROUNDS[width],
        facts={"errors": ERRORS},
    )
    return replace(
        core,
        standards=(standard,),
        kind_label=standard.kind_label,
        usage_hint=standard.usage_hint,
    )
