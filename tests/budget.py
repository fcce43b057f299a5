# SPDX-License-Identifier: Apache-2.0
"""The longest path that each module may have: `python -m tests.budget`.

Prints, as Markdown, the levels and the estimated ns of the slowest path of modules of the library,
each alone between registers and with its default parameters, beside the budget that
`budgets.toml` gives it. Ends with 1 if one is over its budget. `--write` lowers budgets to what
was found.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nttforge.errors import NttforgeError
from nttforge.names import find
from nttforge.rtl_library import alone
from nttforge.synthesize.static_timing import NameResolver, TimingGraph, delays, slowest_paths
from nttforge.synthesize.yosys import synthesize

FILE = Path(__file__).with_name("budgets.toml")
_SPEED = 8
_HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# The longest path that a module may have on an ECP5 of speed grade 8, alone between registers and
# with its default parameters, as `python -m tests.budget` finds it: levels, and ns.
"""


@dataclass(frozen=True)
class Budget:
    """What the slowest path of a module takes, or may take."""

    levels: int
    ns: float

    def holds(self, found: "Budget") -> bool:
        """Whether what was found is within this."""
        return found.levels <= self.levels and found.ns <= self.ns


def budgets() -> dict[str, Budget]:
    """The budget of each module that has one."""
    rows = tomllib.loads(FILE.read_text("utf-8"))
    return {module: Budget(**row) for module, row in rows.items()}


def slowest(module: str) -> Budget:
    """Levels and ns of the slowest path of a module of the library, alone.

    Raises
    ------
    NttforgeError
        If Yosys is missing or fails.
    """
    with alone(module) as folder:
        mapped = synthesize(folder, module, "ecp5", part=module).module()
    (path, _), *_ = slowest_paths(TimingGraph(mapped, delays(_SPEED)), NameResolver(mapped), 1)
    return Budget(path.levels, round(path.delay_ns, 2))


def table(rows: Mapping[str, Budget]) -> Iterator[tuple[str, str, Budget]]:
    """(line of the table, module, what was found) of each module, as soon as it is known."""
    for module, budget in rows.items():
        found = slowest(module)
        over = "" if budget.holds(found) else " **over**"
        cells = (f"`{module}`", found.levels, budget.levels, found.ns, f"{budget.ns}{over}")
        yield f"| {' | '.join(map(str, cells))} |", module, found


def _write(rows: Mapping[str, Budget]) -> None:
    lines = (f"{name} = {{ levels = {row.levels}, ns = {row.ns} }}\n" for name, row in rows.items())
    FILE.write_text(_HEAD + "".join(lines), "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.budget",
        description="Print the slowest path of modules of the library beside their budgets.",
    )
    parser.add_argument("modules", nargs="*", help="those with a budget if left out")
    parser.add_argument("--write", action="store_true", help="lower budgets to what is found")
    options = parser.parse_args(arguments)
    known = budgets()
    try:
        for module in options.modules:
            find(module, module, known, "has no budget")
        wanted = {module: known[module] for module in options.modules or known}
        print("| module | levels | at most | ns | at most |\n|---|---:|---:|---:|---:|", flush=True)
        over = False
        for line, module, found in table(wanted):
            print(line, flush=True)
            budget = known[module]
            over |= not budget.holds(found)
            known[module] = Budget(min(budget.levels, found.levels), min(budget.ns, found.ns))
        if options.write:
            _write(known)
    except NttforgeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
