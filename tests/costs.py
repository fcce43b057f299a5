# SPDX-License-Identifier: Apache-2.0
"""Measures with Yosys what `auto` chooses by: `python -m tests.costs`, most of an hour.

It rewrites the table of multipliers (`reduction/costs.json`) and that of the iterative family's
memories; `python -m tests.costs Q ...` only the rows of multipliers of these moduli.
"""

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from pyosys import libyosys as ys

from nttforge.errors import NttforgeError
from nttforge.kinds.iterative import memory
from nttforge.kinds.iterative.memory import MEASURED_WIDTH, Area, Material
from nttforge.output import write_text
from nttforge.reduction import plan
from nttforge.reduction.constant import Cost
from nttforge.reduction.kinds import GOLDILOCKS, KINDS
from nttforge.reduction.plan import MultiplierPlan, plan_multiplier
from nttforge.reduction.top import TOP, sources, wrapper
from nttforge.ring.presets import find_preset
from nttforge.rtl_library import rtl_root
from nttforge.synthesize.area import count_cells
from nttforge.targets import TARGETS, Target

#: Moduli that people use often: ML-KEM, its first round, Falcon, ML-DSA, 30- and 32-bit words,
#: 2^64 - 2^32 + 1, and the scalar fields of BN254 and BLS12-381. For others `auto` goes by the
#: model.
MODULI = (
    *(3329, 7681, 12289, 8380417, 998244353, 3221225473, GOLDILOCKS),
    *(find_preset(name).ring.q for name in ("bn254", "bls12-381")),
)
#: Words a bank that are measured, of each material.
DEPTHS: dict[Material, tuple[int, ...]] = {
    "registers": (1, 2, 4, 8),
    "distributed": (16, 32, 64, 128, 256),
    "block": (512, 1024, 2048, 4096),
}
Table = dict[str, dict[str, dict[str, list[int]]]]


def mapped(
    top: str, files: Sequence[Path], target: Target, parameters: Mapping[str, str] = {}
) -> dict[str, int]:
    """Cells of a module, by the command that `synth` uses."""
    settings = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    with tempfile.TemporaryDirectory() as folder:
        stat = Path(folder) / "stat.json"
        design = ys.Design()
        for command in (
            f"tee -q read_slang --top {top} {settings} {' '.join(map(str, files))}",
            "scratchpad -set abc9.verify false",
            f"tee -q {TARGETS[target].mapping}",
            f"tee -q -o {stat} stat -json",
        ):
            ys.run_pass(command, design)
        cells: dict[str, int] = json.loads(stat.read_text("utf-8"))["modules"][f"\\{top}"][
            "num_cells_by_type"
        ]
    return cells


def multiplier(plan: MultiplierPlan) -> Cost:
    """LUTs (inverters and carry cells of ECP5 included) and multiplier blocks after synthesis."""
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder) / "mul_top.sv"
        top.write_text(wrapper(plan))
        cells = mapped(TOP, [*sources(), top], plan.target)

    def total(*prefixes: str) -> int:
        return sum(count for name, count in cells.items() if name.startswith(prefixes))

    return Cost(total("LUT", "INV", "SRL") + 2 * total("CCU2C"), total("DSP48", "MULT18"))


def banks(
    target: Target, material: Material, depth: int, width: int = MEASURED_WIDTH, lines: int = 1
) -> Area:
    """Area of a memory of two banks a line, of `depth` words of `width` bits."""
    parameters = {
        "Width": str(width),
        "Lines": str(lines),
        "Depth": str(depth),
        "Block": f"1'b{int(material == 'block')}",
        "Flops": f"1'b{int(material == 'registers')}",
    }
    names = ("prim/ntf_prim_pkg", "prim/ntf_prim_ram_1r1w", "iterative/ntf_bank_memory")
    files = [rtl_root() / f"{name}.sv" for name in names]
    counts = count_cells(mapped("ntf_bank_memory", files, target, parameters))
    return Area(counts["lut_total"], counts["ff"], counts["bram18"])


def _keep(table: Table, path: Path) -> None:
    write_text(path, json.dumps(table, indent=1) + "\n")


def multipliers(moduli: Sequence[int], table: Table) -> None:
    """Measure every kind of reduction, and keep each row."""
    for target, facts in TARGETS.items():
        for q in moduli:
            if facts.widest is not None and q.bit_length() > facts.widest:
                continue
            row: dict[str, list[int]] = {}
            table.setdefault(target, {})[str(q)] = row
            for kind in KINDS:
                try:
                    made = plan_multiplier([q], kind=kind, target=target)
                except NttforgeError:
                    continue
                cost = multiplier(made)
                row[kind] = [cost.lut, cost.dsp]
                print(f"{target} {q} {kind}: {cost}, model {made.cost()}", file=sys.stderr)
            _keep(table, plan.COSTS_FILE)


def memories() -> None:
    """Measure every material at every depth, and keep the table."""
    table: Table = {}
    for target in TARGETS:
        for material, depths in DEPTHS.items():
            row = table.setdefault(target, {}).setdefault(material, {})
            for depth in depths:
                area = banks(target, material, depth)
                row[str(depth)] = [area.lut, area.ff, area.block]
                print(f"{target} {material} {depth}: {area}", file=sys.stderr)
    _keep(table, memory.COSTS_FILE)


def main(arguments: Sequence[str]) -> int:
    """Measure what is named, or everything."""
    if arguments:
        multipliers([int(q, 0) for q in arguments], json.loads(plan.COSTS_FILE.read_text("utf-8")))
        return 0
    multipliers(MODULI, {})
    memories()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
