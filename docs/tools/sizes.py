# SPDX-License-Identifier: Apache-2.0
"""ML-KEM at any width: what is planned, and what the units of rtl/scaled cost.

`python -m docs.tools.sizes plan` places every operation in time, `program --of OPERATION SET`
shows one of them, `bounds` what its units work, `observed` what the cores take; `areas`
synthesizes the units, `core` the cores; `summary` has their areas and cycles, `presets` what is
kept of the areas and cycles of all sizes of both standards.
"""

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest

from docs.tools.sized_machine import Plan, Size
from nttforge.design import load_design
from nttforge.designs import (
    COPROCESSOR,
    DSA_COPROCESSOR,
    DSA_KEYS,
    DSA_MIDDLE,
    DSA_SMALL,
    DSA_VERIFIER,
    KEM_MIDDLE,
    KEM_SMALL,
    PQC,
    PQC_MIDDLE,
    PQC_SMALL,
)
from nttforge.flow.prepare import prepare_any, prepare_kind
from nttforge.kinds.lattice import sizes
from nttforge.kinds.lattice.bus import open_core
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.measure import measure_standard
from nttforge.kinds.lattice.mlkem.measure import KemMeasures
from nttforge.kinds.lattice.mlkem.program import CODES, OPERATIONS, SETS, KemOperation
from nttforge.kinds.lattice.mlkem.standard import STANDARD
from nttforge.names import find
from nttforge.rtl_library import alone
from nttforge.standards.ml_kem.parameters import parameter_set
from nttforge.synthesize.yosys import synthesize
from nttforge.table import Cell, Table, markdown

#: Machines: bytes a cycle, butterflies.
SIZES = (Size(1, 1), Size(2, 2), Size(4, 4, packed=2))
#: Those that are cores.
CORES = {KEM_SMALL: SIZES[1], KEM_MIDDLE: SIZES[2]}
#: All sizes.
PRESETS = (
    *(KEM_SMALL, KEM_MIDDLE, COPROCESSOR),
    *(DSA_VERIFIER, DSA_KEYS, DSA_SMALL, DSA_MIDDLE, DSA_COPROCESSOR),
    *(PQC_SMALL, PQC_MIDDLE, PQC),
)
#: Cycles of ML-KEM-512 that published cores of these sizes take: see the page.
PEERS = {
    KEM_SMALL: {"keygen": 3768, "encaps": 5079, "decaps": 6668},
    KEM_MIDDLE: {"keygen": 1882, "encaps": 2446, "decaps": 3754},
}
#: What is synthesized: module, and the parameter that is its width.
UNITS = (
    ("ntf_keccak_folded", "Chunks", (8, 4, 2, 1)),
    ("ntf_sponge_folded", "Chunks", (8, 4, 2)),
    ("ntf_ring_engine", "Butterflies", (1, 2, 4)),
    ("ntf_sample_words", "Bytes", (1, 2, 4)),
    ("ntf_pack_words", "Fields", (1, 2, 4)),
    ("ntf_unpack_words", "Fields", (1, 2, 4)),
)


def _name(size: Size) -> str:
    return f"w = {size.width}, {size.butterflies} butterfl{'y' if size.butterflies == 1 else 'ies'}"


def plan_table() -> Table:
    """Cycles of every operation and set, by machine, behind Keccak's floor."""
    columns = [
        "operation",
        *(f"{what}, {_name(s)}" for s in SIZES for what in ("floor", "planned")),
    ]
    rows = []
    for p in SETS:
        for operation in OPERATIONS:
            plans = [Plan(size, operation, p) for size in SIZES]
            cells = [f"{n:,}" for plan in plans for n in (plan.floor, plan.cycles)]
            rows.append([f"{p.name} {operation}", *cells])
    return Table("Plan", columns, rows)


def bound_table() -> Table:
    """Of the cores: what each unit works, and what a peer's core takes."""
    columns = ["core", "ML-KEM-512", "Keccak", "engine", "encoder", "planned", "at most"]
    rows = []
    for name, size in CORES.items():
        for operation in OPERATIONS:
            plan = Plan(size, operation, SETS[0])
            works = (sum(job.cycles for _, job in jobs) for jobs in (plan.engine, plan.encoder))
            figures = (plan.floor, *works, plan.cycles, PEERS[name][operation])
            rows.append([f"`{name}`", operation, *(f"{figure:,}" for figure in figures)])
    return Table("Bounds", columns, rows)


def program_table(operation: str, number: str) -> Table:
    """What each unit begins when."""
    known: dict[str, KemOperation] = {name: name for name in OPERATIONS}
    p = parameter_set(f"ML-KEM-{number}")
    plan = Plan(SIZES[1], find("operation", operation, known), p)
    columns = [
        [f"{start:,}: {name}" for start, name in plan.hashes],
        *(
            [f"{start:,}: {job.name}" for start, job in jobs]
            for jobs in (plan.engine, plan.encoder)
        ),
    ]
    rows = [list(row) for row in zip_longest(*columns, fillvalue="")]
    return Table("Program", ["sponge", "engine", "encoder"], rows)


def area_table() -> Table:
    """LUTs of the units by width."""
    columns = ["unit", "width", "xc7", "xcup", "ecp5", "FF", "DSP", "BRAM18"]
    rows = []
    for module, parameter, values in UNITS:
        for value in values:
            rows.append(area_row(module, {parameter: value}, "xc7", "xcup", "ecp5"))
    return Table("Areas", columns, rows)


def observed_table() -> Table:
    """Cycles of the cores, simulated, beside the plan."""
    rows = []
    for name, size in CORES.items():
        made = prepare_kind(load_design(name), LatticeCore)
        measured = measure_standard(KemMeasures(STANDARD, made.core), open_core(made), runs=0)
        for p in SETS:
            for operation in CODES:
                seen = measured.operations[f"{p.name} {operation}"]
                known = operation in OPERATIONS
                planned = f"{Plan(size, operation, p).cycles:,}" if known else ""
                figures = (seen.latency_cycles, seen.cycles_per_operation)
                row = [f"`{name}`", f"{p.name} {operation}", f"{seen.floor_cycles:,}", planned]
                rows.append([*row, *(f"{figure:,}" for figure in figures)])
    columns = ["core", "operation", "floor", "planned", "latency", "to the next command"]
    return Table("Observed", columns, rows)


def core_table() -> Table:
    """The cores on an Artix-7."""
    rows = []
    for name in CORES:
        made = prepare_any(load_design(name))
        for target in ("xc7",):
            counts = synthesize(made.folder, made.core.name, target, time_limit=7200).counts
            names = ("lut_total", "ff", "dsp", "bram18")
            rows.append([f"`{name}`", target, *(f"{counts.get(name, 0):,}" for name in names)])
    return Table("Core", ["core", "family", "LUT", "FF", "DSP", "BRAM18"], rows)


def summary_table() -> Table:
    """The cores on an Artix-7, with their cycles of ML-KEM-512."""
    rows = []
    for name, size in CORES.items():
        made = prepare_kind(load_design(name), LatticeCore)
        counts = synthesize(made.folder, made.core.name, "xc7", time_limit=7200).counts
        seen = measure_standard(KemMeasures(STANDARD, made.core), open_core(made), runs=0)
        figures = (
            *(counts.get(resource, 0) for resource in ("lut_total", "dsp", "bram18")),
            *(seen.operations[f"{SETS[0].name} {op}"].latency_cycles for op in OPERATIONS),
        )
        rows.append([f"`{name}`", f"{size.width}", *(f"{figure:,}" for figure in figures)])
    columns = ["core", "bytes a cycle", "LUT", "DSP", "BRAM18", *OPERATIONS]
    return Table("Summary", columns, rows)


def preset_table() -> Table:
    """All sizes of both standards, with the cycles of the smallest sets."""
    rows: list[list[Cell]] = []
    of_sets = {
        "ML-KEM-512": ("keygen", "encaps", "decaps"),
        "ML-DSA-44": ("keygen", "sign", "verify"),
    }
    for name in PRESETS:
        found = {
            target: sizes.estimate(load_design(name, {"target": target}))
            for target in ("xcup", "ecp5")
        }
        cycles, area = found["xcup"].cycles, {each: of.area or {} for each, of in found.items()}
        taken = [
            " / ".join(
                f"{cycles[f'{p} {operation}'].latency:,.0f}"
                if f"{p} {operation}" in cycles
                else "-"
                for operation in operations
            )
            if any(label.startswith(p) for label in cycles)
            else ""
            for p, operations in of_sets.items()
        ]
        width = load_design(name).table(LatticeTable).width
        figures = (area["xcup"]["lut"], area["ecp5"]["lut"], area["xcup"]["dsp"])
        rows.append(
            [
                *(f"`{name}`", f"{width}", *(f"{figure:,.0f}" for figure in figures)),
                *(f"{area['xcup']['bram18']:,.0f}", *taken),
            ]
        )
    columns = ["core", "bytes a cycle", "LUT, UltraScale+", "LUT4, ECP5", "DSP48", "BRAM18"]
    titles = [f"{p}: {' / '.join(operations)}" for p, operations in of_sets.items()]
    return Table("Presets", [*columns, *titles], rows)


def area_row(module: str, parameters: Mapping[str, int], *targets: str) -> list[Cell]:
    """A unit's LUTs of each target, and its other cells of the first."""
    found = [_area(module, parameters, target) for target in targets]
    given = ", ".join(f"{name} {value}" for name, value in parameters.items())
    luts = [f"{counts['lut_total']:,}" for counts in found]
    rest = [f"{found[0].get(name, 0):,}" for name in ("ff", "dsp", "bram18")]
    return [module, given, *luts, *rest]


def _area(module: str, parameters: Mapping[str, int], target: str) -> dict[str, int]:
    """Of a module with other defaults."""
    with alone(module) as folder:
        source = folder / f"{module}.sv"
        text = source.read_text("utf-8")
        for name, value in parameters.items():
            default = rf"(parameter +\w+ *(?:unsigned)? +{name} += )\w+('\w+)?"
            text, changed = re.subn(default, rf"\g<1>{value}", text, count=1)
            assert changed, f"{module} has no {name}"
        source.write_text(text, "utf-8")
        return synthesize(folder, module, target, time_limit=3600).counts


def print_table(
    arguments: Sequence[str],
    name: str,
    tables: Mapping[str, Callable[[], Table]],
    placed: tuple[str, Callable[[str, str], Table], tuple[str, str]],
) -> int:
    """Print the table that is asked for; `placed` is one of an operation and set, and the usual."""
    own, table_of, usual = placed
    parser = argparse.ArgumentParser(prog=f"python -m docs.tools.{name}")
    parser.add_argument("table", choices=[*tables, own])
    parser.add_argument("--of", nargs=2, default=usual, help="operation and set")
    given = parser.parse_args(arguments)
    table = table_of(*given.of) if given.table == own else tables[given.table]()
    print(markdown([table]))
    return 0


def main(arguments: Sequence[str]) -> int:
    """Print a table."""
    tables: dict[str, Callable[[], Table]] = {
        "plan": plan_table,
        "bounds": bound_table,
        "observed": observed_table,
        "areas": area_table,
        "core": core_table,
        "summary": summary_table,
        "presets": preset_table,
    }
    return print_table(arguments, "sizes", tables, ("program", program_table, ("encaps", "512")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
