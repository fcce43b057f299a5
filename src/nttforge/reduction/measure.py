# SPDX-License-Identifier: Apache-2.0
"""Measures multipliers with Yosys, and keeps the table that `auto` chooses by.

`python -m nttforge.reduction.measure` rewrites costs.json, in three quarters of an hour;
`python -m nttforge.reduction.measure Q ...` only the rows of these moduli.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nttforge.errors import NttforgeError
from nttforge.reduction.constant import Cost
from nttforge.reduction.kinds import GOLDILOCKS, KINDS
from nttforge.reduction.plan import COSTS_FILE, MultiplierPlan, plan_multiplier
from nttforge.reduction.top import sources, wrapper
from nttforge.targets import TARGETS

#: Moduli that people use often: ML-KEM, its first round, Falcon, ML-DSA, 30- and 32-bit words,
#: 2^64 - 2^32 + 1, and the scalar fields of BN254 and BLS12-381. For others `auto` goes by the
#: model.
BN254 = 0x30644E72E131A029B85045B68181585D2833E84879B9709143E1F593F0000001
BLS12_381 = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
MEASURED_MODULI = (3329, 7681, 12289, 8380417, 998244353, 3221225473, GOLDILOCKS, BN254, BLS12_381)


def measure(plan: MultiplierPlan) -> Cost:
    """LUTs (inverters and carry cells of ECP5 included) and multiplier blocks after synthesis."""
    from pyosys import libyosys as ys  # noqa: PLC0415 - slow to load, and only needed here

    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder) / "mul_top.sv"
        top.write_text(wrapper(plan))
        stat = Path(folder) / "stat.json"
        files = " ".join(map(str, [*sources(), top]))
        design = ys.Design()
        for command in (
            f"tee -q read_slang --top mul_top {files}",
            "scratchpad -set abc9.verify false",
            f"tee -q {TARGETS[plan.target].mapping}",
            f"tee -q -o {stat} stat -json",
        ):
            ys.run_pass(command, design)
        cells: dict[str, int] = json.loads(stat.read_text())["modules"]["\\mul_top"][
            "num_cells_by_type"
        ]

    def total(*prefixes: str) -> int:
        return sum(count for name, count in cells.items() if name.startswith(prefixes))

    return Cost(total("LUT", "INV", "SRL") + 2 * total("CCU2C"), total("DSP48", "MULT18"))


def main(arguments: Sequence[str]) -> int:
    """Measure every kind of the given moduli, or of all of the table."""
    moduli = [int(q, 0) for q in arguments] or MEASURED_MODULI
    table: dict[str, dict[str, dict[str, list[int]]]] = {}
    if arguments:
        table = json.loads(COSTS_FILE.read_text())
    for target, facts in TARGETS.items():
        for q in moduli:
            if facts.widest is not None and q.bit_length() > facts.widest:
                continue
            row: dict[str, list[int]] = {}
            table.setdefault(target, {})[str(q)] = row
            for kind in KINDS:
                try:
                    plan = plan_multiplier([q], kind=kind, target=target)
                except NttforgeError:
                    continue
                cost = measure(plan)
                row[kind] = [cost.lut, cost.dsp]
                print(f"{target} {q} {kind}: {cost}, model {plan.cost()}", file=sys.stderr)
            COSTS_FILE.write_text(json.dumps(table, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
