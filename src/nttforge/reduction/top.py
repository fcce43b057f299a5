# SPDX-License-Identifier: Apache-2.0
"""A multiplier as a design of its own, to be measured."""

from pathlib import Path

from nttforge.cache import FILE_LIST
from nttforge.reduction.half import HalfRatePlan
from nttforge.reduction.loaded import LoadedPlan
from nttforge.reduction.plan import MultiplierPlan
from nttforge.rtl_library import rtl_root

TOP = "mul_top"


def sources() -> list[Path]:
    """Files that multipliers are made of, the package first."""
    rtl = rtl_root()
    package = rtl / "arith" / "ntf_arith_pkg.sv"
    rest = sorted(p for p in (rtl / "arith").glob("*.sv") if p != package)
    parts = (rtl / "prim" / name for name in ("ntf_prim_pipe.sv", "ntf_hold.sv"))
    return [rtl / "prim" / "ntf_prim_pkg.sv", package, *parts, *rest]


def wrapper(plan: MultiplierPlan | HalfRatePlan, name: str = TOP) -> str:
    """A top module that holds nothing but the multiplier of a plan."""
    more = ""
    if isinstance(plan, HalfRatePlan):
        a_width, residue_width, select = plan.core.a_width, plan.core.residue_width, "first_i"
        mod_width, config = 1, plan.sv_config("Mul")
        chosen = "".join(f", .{p}(Mul{p})" for p in ("BW", "Split", "LowFirst", "Delay"))
        module = f"ntf_mod_mul_half #(.Cfg(MulCfg), .Steps(MulSteps){chosen})"
    elif isinstance(plan, LoadedPlan):
        a_width, residue_width, select = plan.a_width, plan.residue_width, "mod_i"
        more = "  input  logic new_i,\n"
        mod_width, config = plan.taken.constants_width, plan.sv_config()
        module = "ntf_loaded_mul #(.Cfg(MulCfg), .Moduli(MulModuli), .Steps(MulSteps))"
    else:
        a_width, residue_width, select = plan.a_width, plan.residue_width, "mod_i"
        mod_width, config = max(1, (len(plan.moduli) - 1).bit_length()), plan.sv_config()
        module = "ntf_mod_mul #(.Cfg(MulCfg), .Steps(MulSteps))"
    return (
        f"module {name} (\n"
        "  input  logic clk_i,\n"
        "  input  logic en_i,\n"
        f"  input  logic signed [{a_width - 1}:0] a_i,\n"
        f"  input  logic signed [{plan.b_width - 1}:0] b_i,\n"
        f"  input  logic [{mod_width - 1}:0] {select},\n"
        f"{more}"
        f"  output logic signed [{residue_width - 1}:0] r_o\n"
        ");\n\n"
        f"{config}\n"
        f"  {module} u_mul (\n"
        f"    .clk_i, .en_i, .a_i, .b_i, .{select}, {'.new_i, ' if more else ''}.r_o\n"
        "  );\n\n"
        "endmodule\n"
    )


def write_folder(plan: MultiplierPlan | HalfRatePlan, folder: Path) -> None:
    """Write a design folder of one multiplier, which tools can read."""
    names = []
    for path in sources():
        (folder / path.name).write_bytes(path.read_bytes())
        names.append(path.name)
    (folder / f"{TOP}.sv").write_text(wrapper(plan), encoding="utf-8")
    names.append(f"{TOP}.sv")
    (folder / FILE_LIST).write_text("\n".join(names) + "\n", encoding="utf-8")
