# SPDX-License-Identifier: Apache-2.0
"""The sign-off table: what is shown of each family, from the records that tests leave.

`python -m tests.signoff` prints it. Its cells come from `tests.drawn` (designs, transforms),
`tests.coverage` (lines, bits), `tests.mutation` (defects killed) and `make test-full` (the cases of
files of tests: proofs, lints, buses, netlists). A cell that nothing fills says so; which may be so
is listed in tests/docs/test_signoff.py.
"""

import sys
from collections.abc import Mapping
from typing import Any

from tests import coverage
from tests.drawn import RECORD as DESIGNS
from tests.mutation import score
from tests.result_records import RECORD as CASES
from tests.tally import kept, markdown

EMPTY = "not shown"

#: Rooms of rtl/ that a family is made of, the first one its own.
ROOMS = {
    "pipeline": ("pipeline", "arith", "prim"),
    "iterative": ("iterative", "arith", "prim"),
    "decomposed": ("decomposed", "arith", "prim"),
    "mlkem": ("mlkem", "lattice", "arith", "prim"),
    "mldsa": ("mldsa", "lattice", "arith", "prim"),
    "pqc": ("pqc", "mlkem", "mldsa", "lattice", "arith", "prim"),
    "shell": ("shell", "prim"),
}
_RULES = "tests/formal/test_bus_rules.py"
_STREAMS, _MOVERS = "tests/formal/test_stream_control.py", "tests/formal/test_mover_proofs.py"
_STEPS, _STYLE = "tests/rtl/test_reduction_formal.py", "tests/test_style.py"
_AXIS, _AXI = "tests/cocotb/test_axis.py", "tests/cocotb/test_axi.py"
_NETLIST, _ARITH = "tests/rtl/test_netlist.py", "tests/rtl/test_arith_lint.py"
_UNKNOWN = "tests/rtl/test_netlist_x.py"
#: Files of tests that are proofs, lints, ... of a family.
FILES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "proofs": {
        "pipeline": (_STREAMS, _STEPS),
        "iterative": (_STREAMS, _STEPS),
        "decomposed": (_STREAMS, _STEPS, _MOVERS),
        "mlkem": (_STREAMS, _STEPS),
        "mldsa": (_STREAMS, _STEPS),
        "pqc": (_STREAMS, _STEPS),
        "shell": (_MOVERS,),
    },
    "lints": {
        "pipeline": (_STYLE, _ARITH),
        "iterative": (_STYLE, _ARITH, "tests/rtl/test_iterative_lint.py"),
        "decomposed": (_STYLE, _ARITH, "tests/rtl/decomposed/test_lint.py"),
        "mlkem": (_STYLE, _ARITH),
        "mldsa": (_STYLE, _ARITH),
        "pqc": (_STYLE, _ARITH),
        "shell": (_STYLE,),
    },
    "bus rules": {
        "pipeline": (_AXIS, _RULES),
        "iterative": (_RULES,),
        "decomposed": (_AXI, _RULES),
        "mlkem": (_RULES,),
        "mldsa": (_RULES,),
        "pqc": (_RULES,),
        "shell": (_AXI, _RULES),
    },
    # In four states, as the RTL in each cycle.
    "X-free netlist": dict.fromkeys(ROOMS, (_UNKNOWN,))
    | {"pipeline": (_NETLIST, _UNKNOWN), "pqc": ()},
}
COLUMNS = ("designs drawn", "transforms", "lines run", "bits seen", "mutants killed", *FILES)


def cases(files: tuple[str, ...], record: Mapping[str, Any]) -> str:
    """Cases that passed in all of these files; empty if one of them was not run or did not pass."""
    counts = [record.get(file) for file in files]
    if not counts or any(count is None or count["failed"] for count in counts):
        return EMPTY
    return f"{sum(count['passed'] for count in counts if count):,}"


def cells(family: str, records: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """A family's line, by column."""
    drawn = records[DESIGNS].get("families", {})
    kinds = [of for kind, of in drawn.items() if family in kind.split(", ")]
    found = dict.fromkeys(COLUMNS, EMPTY)
    if kinds and not records[DESIGNS]["broken"]:
        found["designs drawn"] = f"{sum(of['designs'] for of in kinds):,}"
        found["transforms"] = f"{sum(of['transforms'] for of in kinds):,}"
    covered = [records[coverage.RECORD].get(room) for room in ROOMS[family]]
    if all(covered):
        for column, kind in (("lines run", "lines"), ("bits seen", "toggles")):
            met, of = (sum(room[kind][i] for room in covered if room) for i in (0, 1))
            found[column] = f"{met / max(1, of):.1%} of {of:,}"
    rooms = [records[score.RECORD].get(room) for room in ROOMS[family]]
    if all(rooms):
        counts = [score.totals(room) for room in rooms if room]
        killed = sum(count[2] for count in counts)
        of = sum(count[0] - count[1] for count in counts)
        found["mutants killed"] = f"{killed:,} of {of:,}"
    for column, files in FILES.items():
        found[column] = cases(files.get(family, ()), records[CASES])
    return found


def table() -> dict[str, dict[str, str]]:
    """All cells, by family and column."""
    records = {name: kept(name) for name in (DESIGNS, CASES)}
    records |= {coverage.RECORD: coverage.recorded(), score.RECORD: score.recorded()}
    return {family: cells(family, records) for family in ROOMS}


def empty() -> set[tuple[str, str]]:
    """(family, column) of the cells that nothing fills."""
    return {(f, column) for f, line in table().items() for column in line if line[column] == EMPTY}


def main() -> int:
    """Print the table."""
    rows = [(family, *line.values()) for family, line in table().items()]
    print(markdown(("family", *COLUMNS), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
