# SPDX-License-Identifier: Apache-2.0
"""Multipliers drawn from all that a design may ask for, compared with exact integers.

Every comparison leaves its outcome in `build/plans`, whether a test or a command has asked for it.
`python -m tests.plans FIRST END` compares those of these seeds, `--record` makes the record of all
outcomes that are there, and `python -m tests.plans` prints the record as a table.
"""

import argparse
import ast
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.tally import Met, keep, kept, key_table
from tests.undriven import undriven

sys.path.insert(0, str(Path(__file__).parent / "rtl"))  # as the tests there find their benches

from tests.rtl.arith_bench import build, failures, sources
from tests.rtl.plan_space import drawn, size, space

RECORD = "multipliers"
#: Units that share a compiled top.
SHARED = 30


ROOT = Path(__file__).parents[1]
#: Where outcomes are left, a file for each compiled top.
OUTCOMES = ROOT / "build" / "plans"


def compare(seeds: range, where: Path, **how: int) -> list[dict[str, Any]]:
    """Compare the units of these seeds; leaves and returns the keys that each of them had.

    Raises
    ------
    AssertionError
        With the units that are wrong, by seed, or the bits that nothing drives.
    """
    units, keys = zip(*(drawn(seed, i, **how) for i, seed in enumerate(seeds)), strict=True)
    left = OUTCOMES / f"{seeds[0]}.json"
    left.parent.mkdir(parents=True, exist_ok=True)
    left.write_text("null", "utf-8")  # as long as they are not right
    executable = build(units, where)
    open_bits = undriven([*sources(), where / "top.sv"], "top", where)
    assert not open_bits, open_bits
    wrong = failures(units, executable)
    assert not wrong, {name: lines[:3] for name, lines in wrong.items()}
    left.write_text(json.dumps(keys), "utf-8")
    return list(keys)


def planner() -> str:
    """What today's planner and its modules are known by, whatever their comments say."""
    python = sorted((ROOT / "src" / "nttforge" / "reduction").glob("*.py"))
    modules = sorted((ROOT / "rtl" / "arith").glob("*.sv"))
    texts = [ast.dump(ast.parse(path.read_text("utf-8"))) for path in python]
    texts += [re.sub(r"//.*", "", path.read_text("utf-8")) for path in modules]
    return sha256("\n".join(texts).encode()).hexdigest()[:12]


def record_of(compared: Sequence[Mapping[str, Any]], broken: int) -> dict[str, Any]:
    """What is kept of multipliers that were right."""
    met = {name: Met(of.words, size(of)) for name, of in space().items()}
    for keys in compared:
        for name, value in keys.items():
            met[name].values.add(value)
    return {
        "units": Counter(keys["unit"] for keys in compared),
        "keys": {name: of.record() for name, of in met.items()},
        "broken": broken,
        "planner": planner(),
    }


def shown(record: Mapping[str, Any]) -> str:
    """The record as text and a table."""
    if not record:
        return "Nothing is recorded yet."
    units = ", ".join(f"{count:,} `{name}`" for name, count in record["units"].items())
    total = sum(record["units"].values())
    wrong = f"{record['broken']:,} tops of {SHARED} were wrong." if record["broken"] else ""
    same = record.get("planner") == planner()
    when = "of today's planner" if same else "of a planner, or modules, that have changed since"
    return f"{total:,} multipliers {when}: {units}. {wrong}\n\n{key_table(record['keys'])}"


def main() -> int:
    """Compare the multipliers of some seeds, or print the record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("seeds", nargs="*", type=int, metavar="FIRST END")
    parser.add_argument("--record", action="store_true", help="of all outcomes in build/plans")
    options = parser.parse_args()
    broken = 0
    start, end = options.seeds or (0, 0)
    for first in range(start, end, SHARED):
        seeds = range(first, min(first + SHARED, end))
        try:
            with tempfile.TemporaryDirectory() as scratch:
                compare(seeds, Path(scratch))
            print(f"seeds {seeds} are right", file=sys.stderr, flush=True)
        except AssertionError as error:
            broken += 1
            print(f"seeds {seeds}: {error}", flush=True)
    if options.record:
        tops = [json.loads(path.read_text("utf-8")) for path in sorted(OUTCOMES.glob("*.json"))]
        keep(RECORD, record_of([keys for top in tops for keys in top or ()], tops.count(None)))
    elif not options.seeds:
        print(shown(kept(RECORD)))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
