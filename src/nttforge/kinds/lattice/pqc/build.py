# SPDX-License-Identifier: Apache-2.0
"""One core for ML-KEM and ML-DSA: both cores, one sponge, one transform."""

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from nttforge.design import Design, load_design
from nttforge.designs import DSA_CORE, ENGINE
from nttforge.hw.core import Hardware
from nttforge.hw.drivers import Files
from nttforge.kinds.lattice.commands import SET_SPACE
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.coprocessor_transform import (
    HOST_MODULES,
    own_rings,
    transform_design,
    transform_files,
)
from nttforge.kinds.lattice.drivers import command_driver_files
from nttforge.kinds.lattice.mldsa import build as mldsa
from nttforge.kinds.lattice.mldsa.registers import ERRORS as DSA_ERRORS
from nttforge.kinds.lattice.mlkem import build as mlkem
from nttforge.kinds.lattice.mlkem.registers import ERRORS as KEM_ERRORS
from nttforge.kinds.lattice.pqc.core import PqcCore
from nttforge.kinds.lattice.pqc.registers import (
    COMMANDS,
    DSA_PREFIX,
    KEM_PREFIX,
    command_bytes,
    error_codes,
)
from nttforge.kinds.stream.build import build as build_pipeline
from nttforge.rtl_library import combine, sources_of

_PROGRAM = "_program_pkg.sv"
_MODULES = ("mlkem_core", "mldsa_core", "sponge", "pqc_control", "pqc_share")


def build(design: Design) -> PqcCore:
    """The core of a design.

    Raises
    ------
    NttforgeError
        If the design asks for other rings, not for both directions, or for a shell.
    """
    table = design.table(LatticeTable)
    own_rings(design, table.standards, "the core of both standards")
    rounds, checks = table.rounds_per_cycle, table.verify_signatures
    modules = (
        *_MODULES,
        *((mldsa.RELEASE,) if checks else ()),
        *(HOST_MODULES if table.registers else ()),
    )
    # A beat of the transform has the eight coefficients that ML-DSA's arithmetic takes.
    inner = transform_design(ENGINE, design.name, mldsa.BUTTERFLIES, design.target)
    transform = build_pipeline(inner)
    latency = max(operation.latency for operation in transform.operations)
    kem = mlkem.build(
        _part(design, mlkem.PRESET, "kem", rounds, {"lattice.butterflies": mldsa.BUTTERFLIES})
    )
    dsa = mldsa.build(_part(design, DSA_CORE, "dsa", rounds, {}))
    variables = {
        "kem": kem.name,
        "dsa": dsa.name,
        "units": mldsa.UNITS,
        "transform": inner.module,
        "host": table.registers,
        "checks": checks,
        **COMMANDS.variables(rounds, transform.stream.lanes),
    }
    return PqcCore(
        name=design.module,
        operations={"ML-KEM": kem.operations, "ML-DSA": dsa.operations},
        parameter_sets={"ML-KEM": kem.parameter_sets, "ML-DSA": dsa.parameter_sets},
        rounds_per_cycle=rounds,
        transform=inner,
        host=table.registers,
        checks=checks,
        sources=combine(transform.sources, sources_of(*modules)),
        templates={
            **transform_files(transform),
            **_programs(kem, latency=latency),
            **_programs(dsa),
            **(_host(design.module, variables) if table.registers else {}),
            f"{design.module}.sv": (
                "pqc_coprocessor.sv.j2",
                {
                    **variables,
                    "command_bytes": command_bytes(),
                    "error_codes": error_codes(),
                    "flag_at": {
                        name: COMMANDS.flags_at + at for at, (name, _) in enumerate(COMMANDS.flags)
                    },
                },
            ),
            "README.md": ("pqc_readme.md.j2", {}),
        },
        views=tuple(view.within("u_transform") for view in transform.views),
        facts={
            "errors": tuple(zip_longest(KEM_ERRORS, DSA_ERRORS, fillvalue="")),
            "multiplier_latency": dsa.facts["multiplier_latency"],
        },
    )


def _part(design: Design, preset: str, name: str, rounds: int, more: Mapping[str, Any]) -> Design:
    """The design of one standard's coprocessor, called after the whole."""
    keys = {"target": design.target, "prefer": design.prefer, **more}
    part = load_design(preset, {**keys, "lattice.rounds_per_cycle": rounds})
    return part.model_copy(update={"name": f"{design.name}-{name}"})


def _programs(core: Hardware, **other: object) -> dict[str, tuple[str, Mapping[str, object]]]:
    """Of a coprocessor's files the package of its programs, with some variables changed."""
    return {
        name: (template, {**variables, **other})
        for name, (template, variables) in core.templates.items()
        if name == f"{core.name}{_PROGRAM}"
    }


def _host(name: str, variables: Mapping[str, object]) -> Files:
    """What a coprocessor with registers has besides: their decoder, and a driver."""
    known = {**variables, "name": name}
    kem = mlkem.standard_driver(KEM_PREFIX)
    dsa = mldsa.standard_driver(
        checks=bool(variables["checks"]), prefix=DSA_PREFIX, first=SET_SPACE
    )
    return {
        f"{name}_registers.sv": ("registers.sv.j2", known),
        **command_driver_files(name, known, kem, dsa),
    }
