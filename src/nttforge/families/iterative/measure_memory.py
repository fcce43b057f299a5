# SPDX-License-Identifier: Apache-2.0
"""Measures bank_memory with Yosys, and keeps the table that `memory = "auto"` chooses by.

`python -m nttforge.families.iterative.measure_memory` rewrites memory_costs.json, in a few minutes.
"""

import json
import sys
import tempfile
from pathlib import Path

from nttforge.families.iterative.memory import COSTS_FILE, MEASURED_WIDTH, Area, Material
from nttforge.rtl_library import rtl_root
from nttforge.synthesize.area import count_cells
from nttforge.targets import TARGETS, Target

#: Words a bank that are measured, of each material.
DEPTHS: dict[Material, tuple[int, ...]] = {
    "registers": (1, 2, 4, 8),
    "distributed": (16, 32, 64, 128, 256),
    "block": (512, 1024, 2048, 4096),
}

_TOP = "bank_memory"


def measure(
    target: Target, material: Material, depth: int, width: int = MEASURED_WIDTH, lines: int = 1
) -> Area:
    """Area of a memory of two banks a line, of `depth` words of `width` bits."""
    from pyosys import libyosys as ys  # noqa: PLC0415 - slow to load, and only needed here

    rtl = rtl_root()
    parameters = {
        "Width": str(width),
        "Lines": str(lines),
        "Depth": str(depth),
        "Block": f"1'b{int(material == 'block')}",
        "Flops": f"1'b{int(material == 'registers')}",
    }
    settings = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    names = ("prim/prim_pkg", "prim/prim_ram_1r1w", "iterative/bank_memory")
    files = " ".join(str(rtl / f"{name}.sv") for name in names)
    with tempfile.TemporaryDirectory() as folder:
        stat = Path(folder) / "stat.json"
        design = ys.Design()
        for command in (
            f"tee -q read_slang --top {_TOP} {settings} {files}",
            "scratchpad -set abc9.verify false",
            f"tee -q {TARGETS[target].mapping}",
            f"tee -q -o {stat} stat -json",
        ):
            ys.run_pass(command, design)
        cells = json.loads(stat.read_text("utf-8"))["modules"][f"\\{_TOP}"]["num_cells_by_type"]
    counts = count_cells(cells)
    return Area(counts["lut_total"], counts["ff"], counts["bram18"])


def main() -> int:
    """Measure every material at every depth."""
    table: dict[str, dict[str, dict[str, list[int]]]] = {}
    for target in TARGETS:
        for material, depths in DEPTHS.items():
            row = table.setdefault(target, {}).setdefault(material, {})
            for depth in depths:
                area = measure(target, material, depth)
                row[str(depth)] = [area.lut, area.ff, area.block]
                print(f"{target} {material} {depth}: {area}", file=sys.stderr)
    COSTS_FILE.write_text(json.dumps(table, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
