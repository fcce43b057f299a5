# SPDX-License-Identifier: Apache-2.0
"""One core for ML-KEM and ML-DSA: both cores, one sponge, one transform."""

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from nttforge.design import Design, load_design
from nttforge.designs import DSA_CORE, ENGINE
from nttforge.hw.drivers import Files, LibraryTemplates
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.frame import Frame
from nttforge.kinds.lattice.mldsa import build as mldsa
from nttforge.kinds.lattice.mldsa.standard import STANDARD as ML_DSA
from nttforge.kinds.lattice.mlkem import build as mlkem
from nttforge.kinds.lattice.mlkem.standard import STANDARD as ML_KEM
from nttforge.kinds.lattice.pqc.registers import COMMANDS, command_bytes, error_codes

_PROGRAM = "_program_pkg.sv"
_MODULES = ("ntf_mlkem_core", "ntf_mldsa_core", "ntf_sponge", "ntf_pqc_control", "ntf_pqc_share")


def build(design: Design) -> LatticeCore:
    """The core of a design."""
    # A beat of the transform has the eight coefficients that ML-DSA's arithmetic takes.
    frame = Frame.of(design, ML_KEM, ML_DSA, ring=ENGINE, butterflies=mldsa.BUTTERFLIES)
    table = frame.table
    more = {"lattice.butterflies": mldsa.BUTTERFLIES}
    equal = {"lattice.equal_tries": table.equal_tries}
    kem = mlkem.build(_part(design, mlkem.PRESET, "kem", table.rounds_per_cycle, more))
    dsa = mldsa.build(_part(design, DSA_CORE, "dsa", table.rounds_per_cycle, equal))
    flags = {name: COMMANDS.flags_at + at for at, (name, _) in enumerate(COMMANDS.flags)}
    variables = {
        **frame.variables(COMMANDS),
        "kem": kem.name,
        "dsa": dsa.name,
        "units": mldsa.UNITS,
        "command_bytes": command_bytes(),
        "error_codes": error_codes(),
        "flag_at": flags,
    }
    errors = (each.commands.errors for each in (kem, dsa))
    return frame.core(
        *_MODULES,
        commands=COMMANDS,
        top="pqc_coprocessor.sv.j2",
        readme="pqc_readme.md.j2",
        variables=variables,
        programs={**_programs(kem, latency=frame.latency), **_programs(dsa)},
        library=LibraryTemplates("pqc_host_example.c.j2", "pqc_host_readme.md.j2"),
        kind_label="a core for ML-KEM and ML-DSA",
        usage_hint="use `nttforge kem` or `nttforge dsa`",
        facts={
            "errors": tuple(zip_longest(*errors, fillvalue="")),
            "multiplier_latency": dsa.facts["multiplier_latency"],
            "equal_tries": table.equal_tries,
        },
    )


def _part(design: Design, preset: str, name: str, rounds: int, more: Mapping[str, Any]) -> Design:
    """The design of one standard's coprocessor, called after the whole."""
    keys = {"target": design.target, "prefer": design.prefer, **more}
    part = load_design(preset, {**keys, "lattice.rounds_per_cycle": rounds})
    return part.model_copy(update={"name": f"{design.name}-{name}"})


def _programs(core: LatticeCore, **other: object) -> Files:
    """Of a coprocessor's files the package of its programs, with some variables changed."""
    return {
        name: (template, {**variables, **other})
        for name, (template, variables) in core.templates.items()
        if name == f"{core.name}{_PROGRAM}"
    }
