# SPDX-License-Identifier: Apache-2.0
"""One core for ML-KEM and ML-DSA: both cores, one sponge, one transform; or both narrower ones."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from nttforge.design import Design, load_design
from nttforge.designs import DSA_CORE, DSA_SMALL, ENGINE, KEM_SMALL
from nttforge.hw.drivers import Files, LibraryTemplates
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.frame import Frame
from nttforge.kinds.lattice.mldsa import build as mldsa
from nttforge.kinds.lattice.mldsa.small import build as mldsa_small
from nttforge.kinds.lattice.mldsa.standard import STANDARD as ML_DSA
from nttforge.kinds.lattice.mlkem import build as mlkem
from nttforge.kinds.lattice.mlkem.standard import STANDARD as ML_KEM
from nttforge.kinds.lattice.pqc.registers import COMMANDS, command_bytes, error_codes

_PROGRAM = "_program_pkg.sv"
_MODULES = ("ntf_mlkem_core", "ntf_mldsa_core", "ntf_sponge", "ntf_pqc_control", "ntf_pqc_share")


#: Around both narrower cores.
_SMALL_MODULES = (
    *("ntf_scaled_core", "ntf_dsa_core", "ntf_sponge_folded", "ntf_dsa_store"),
    *("ntf_pqc_control", "ntf_pqc_fold", "ntf_sponge_pairs"),
)


def build(design: Design) -> LatticeCore:
    """The core of a design."""
    if design.table(LatticeTable).narrow:
        return _build_small(design)
    # A beat of the transform has the eight coefficients that ML-DSA's arithmetic takes.
    frame = Frame.of(design, ML_KEM, ML_DSA, ring=ENGINE, butterflies=mldsa.BUTTERFLIES)
    table = frame.table
    rounds = {"lattice.rounds_per_cycle": table.rounds_per_cycle}
    more = {"lattice.butterflies": mldsa.BUTTERFLIES}
    equal = {"lattice.equal_tries": table.equal_tries}
    kem = mlkem.build(_part(design, mlkem.PRESET, "kem", {**rounds, **more}))
    dsa = mldsa.build(_part(design, DSA_CORE, "dsa", {**rounds, **equal}))
    return frame.core(
        *_MODULES,
        variables={
            **frame.variables(COMMANDS),
            **_variables(kem, dsa),
            "small": False,
            "units": mldsa.UNITS,
        },
        programs={**_programs(kem, latency=frame.latency), **_programs(dsa)},
        facts={
            **_errors(kem, dsa),
            "multiplier_latency": dsa.facts["multiplier_latency"],
            "equal_tries": table.equal_tries,
        },
        **_COMMON,
    )


def _build_small(design: Design) -> LatticeCore:
    """Both narrower cores with one sponge, the same memories and multipliers."""
    frame = Frame.of(design, ML_KEM, ML_DSA)
    width = frame.table.width
    kem = mlkem.build(_part(design, KEM_SMALL, "kem", {"lattice.width": width // 2}))
    keys = ("operations", "width", "transform")
    own = {f"lattice.{key}": getattr(frame.table, key) for key in keys}
    dsa = mldsa_small.build(_part(design, DSA_SMALL, "dsa", own))
    variables = {
        **frame.variables(COMMANDS, lanes=2 * width),
        **_variables(kem, dsa),
        "small": True,
        **{
            name: dsa.templates[f"{dsa.name}.sv"][1][name]
            for name in ("keys", "signs", "places", "width")
        },
    }
    core = frame.core(
        *_SMALL_MODULES,
        variables=variables,
        programs={**_programs(kem), **_programs(dsa)},
        rounds_per_cycle=dsa.rounds_per_cycle,
        facts={**_errors(kem, dsa), "permutations": kem.facts["permutations"]},
        **_COMMON,
    )
    return replace(core, standards=(*kem.standards, *dsa.standards))


_COMMON: Mapping[str, Any] = {
    "commands": COMMANDS,
    "top": "pqc_coprocessor.sv.j2",
    "readme": "pqc_readme.md.j2",
    "library": LibraryTemplates("pqc_host_example.c.j2", "pqc_host_readme.md.j2"),
    "kind_label": "a core for ML-KEM and ML-DSA",
    "usage_hint": "use `nttforge kem` or `nttforge dsa`",
}


def _variables(kem: LatticeCore, dsa: LatticeCore) -> dict[str, Any]:
    """Of the template, whatever is shared: names of the parts, and codes of commands."""
    return {
        "kem": kem.name,
        "dsa": dsa.name,
        "command_bytes": command_bytes(),
        "error_codes": error_codes(),
        "flag_at": {name: COMMANDS.flags_at + at for at, (name, _) in enumerate(COMMANDS.flags)},
    }


def _errors(*parts: LatticeCore) -> dict[str, Any]:
    """By code, what each standard calls it."""
    return {"errors": tuple(zip_longest(*(each.commands.errors for each in parts), fillvalue=""))}


def _part(design: Design, preset: str, name: str, more: Mapping[str, Any]) -> Design:
    """The design of one standard's coprocessor, called after the whole."""
    part = load_design(preset, {"target": design.target, "prefer": design.prefer, **more})
    return part.model_copy(update={"name": f"{design.name}-{name}"})


def _programs(core: LatticeCore, **other: object) -> Files:
    """Of a coprocessor's files the package of its programs, with some variables changed."""
    return {
        name: (template, {**variables, **other})
        for name, (template, variables) in core.templates.items()
        if name == f"{core.name}{_PROGRAM}"
    }
