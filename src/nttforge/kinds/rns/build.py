# SPDX-License-Identifier: Apache-2.0
"""From a design to an engine of key switching."""

from collections.abc import Callable, Mapping

from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.kinds.rns.config import RnsTable
from nttforge.kinds.rns.core import RnsCore
from nttforge.kinds.rns.driver import LIBRARY, rns_driver
from nttforge.kinds.stream.loaded import LoadedPipeline, work_out_loaded
from nttforge.reduction.plan import (
    field_mask,
    field_number,
    product_fields,
    product_registers,
    struct_pattern,
)
from nttforge.reduction.product import best_product
from nttforge.rtl_library import sources_of

__all__ = ["RnsCore", "build"]

#: What synthesis maps once: lanes and butterflies, which are many and equal, and what is a part.
PIECES = (
    "ntf_butterfly",
    "ntf_loaded_mul",
    "ntf_pipeline",
    "ntf_rns_fraction",
    "ntf_rns_lanes",
    "ntf_rns_memory",
    "ntf_rns_sum",
)
#: What an engine consists of, by the instances that are its.
PARTS = {
    "transform": ("u_transform",),
    "sums by keys": ("u_core.u_sum",),
    "conversion and fractions": ("u_core.u_convert",),
    "rows": ("u_core.u_memory",),
    "program, streams and addresses": (),
}


def fraction_config(core: RnsCore) -> str:
    """The product of fractions, as SystemVerilog of mul_cfg_t."""
    guard, plan = core.fractions.guard, core.multiplier
    a_width, b_width = core.bits + 1, guard + 3
    out_width = core.bits + guard + 3
    product = best_product(a_width, b_width, out_width, plan.goal)
    registers, _ = product_registers(product, core.table.adders_per_stage, True)
    fields = {
        "num_mods": "8'd1",
        "num_steps": "8'd1",
        "mod_width": field_number(core.bits),
        "a_width": field_number(a_width),
        "b_width": field_number(b_width),
        "product_width": field_number(out_width),
        **product_fields(product),
        "reg_after": field_mask(registers),
        "latency": f"8'd{sum(registers)}",
    }
    return struct_pattern(fields, "    ")


def inner_design(design: Design) -> Design:
    """The design of the transform inside."""
    table = design.table(RnsTable)
    return Design.model_validate(
        {
            "name": design.name,
            "family": "pipeline",
            "target": design.target,
            "prefer": design.prefer,
            "rings": [ring.model_dump(exclude_unset=True) for ring in design.rings],
            "pipeline": {
                "butterflies": table.butterflies,
                "adders_per_stage": table.adders_per_stage,
                "twiddles": table.twiddles,
                "made_from": table.made_from,
            },
        }
    )


def _check(design: Design) -> None:
    """Refuses what such an engine does not support.

    Raises NttforgeError with the name of the key.
    """
    table, ring = design.table(RnsTable), design.rings[0]
    if len(design.rings) > 1 or not ring.is_loaded:
        raise NttforgeError("rings", "it has one ring of loaded moduli", 'use q = "runtime"')
    if ring.form != "x^n+1":
        raise NttforgeError("rings.0.form", f"{ring.form} is not its ring", "use x^n+1")
    if design.shell is not None:
        raise NttforgeError("shell", "it has streams alone", "leave the table out")
    if design.operations != ("ntt", "intt"):
        raise NttforgeError("operations", "it needs both directions", "leave the key out")
    if (ring.moduli or 1) < 2:
        raise NttforgeError("rings.0.moduli", "one modulus has no limbs", "use 2 or more")
    banks = table.banks or 1
    if banks & banks - 1:
        raise NttforgeError("rns.banks", f"{banks} is no power of two", "use 1, 2, 4, ...")
    assert ring.n is not None
    beats = ring.n // (2 * table.butterflies)
    if banks > beats:
        problem = f"{banks} are more than the {beats} beats of a row"
        raise NttforgeError("rns.banks", problem, f"use {beats} or fewer")
    if 4 * table.butterflies > ring.n:
        problem = f"{table.butterflies} take a row in one beat"
        raise NttforgeError("rns.butterflies", problem, f"use {ring.n // 4} or fewer")


def elaborate(
    design: Design, pipeline_of: Callable[[Design], LoadedPipeline] = work_out_loaded
) -> RnsCore:
    """The core without what is written of it; `pipeline_of` works out its transform.

    Raises NttforgeError if ring or parameters are illegal.
    """
    _check(design)
    return RnsCore(
        name=design.module,
        sources=sources_of("ntf_pipeline", "ntf_rns_core"),
        templates={},
        table=design.table(RnsTable),
        pipeline=pipeline_of(inner_design(design)),
    )


def build(design: Design, *, with_driver: bool = True) -> RnsCore:
    """Make the core; its C driver has programs of all levels, which take long for many limbs.

    Raises NttforgeError if ring or parameters are illegal.
    """
    core = elaborate(design)
    pipeline = core.pipeline
    variables = {
        "design": design,
        "pipeline": pipeline,
        "engine": pipeline,
        "core": core,
        "fraction": fraction_config(core),
    }
    driver = rns_driver(core) if with_driver else {}
    templates: dict[str, tuple[str, Mapping[str, object]]] = {
        f"{design.module}_pkg.sv": ("rns_pkg.sv.j2", variables),
        f"{design.module}.sv": ("rns_top.sv.j2", variables),
        **driver,
        "README.md": ("rns_readme.md.j2", variables),
    }
    facts = {"multiplier": pipeline.loaded.describe(), "guard": core.fractions.guard}
    return RnsCore(
        name=core.name,
        sources=core.sources,
        templates=templates,
        facts=facts,
        library=LIBRARY if driver else None,
        pieces=PIECES,
        piecewise=True,
        parts=PARTS,
        table=core.table,
        pipeline=pipeline,
    )
