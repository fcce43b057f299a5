# SPDX-License-Identifier: Apache-2.0
"""Multipliers drawn from all that a design may ask for, compared with exact integers.

`python -m tests.plans FIRST END` compares those of these seeds and keeps what was met of each key;
`python -m tests.plans` prints the record as a table.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
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


def compare(seeds: Sequence[int], where: Path, **how: int) -> list[dict[str, Any]]:
    """Compare the units of these seeds; returns the keys that each of them had.

    Raises
    ------
    AssertionError
        With the units that are wrong, by seed, or the bits that nothing drives.
    """
    units, keys = zip(*(drawn(seed, i, **how) for i, seed in enumerate(seeds)), strict=True)
    executable = build(units, where)
    open_bits = undriven([*sources(), where / "top.sv"], "top", where)
    assert not open_bits, open_bits
    wrong = failures(units, executable)
    assert not wrong, {name: lines[:3] for name, lines in wrong.items()}
    return list(keys)


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
    }


def shown(record: Mapping[str, Any]) -> str:
    """The record as text and a table."""
    if not record:
        return "Nothing is recorded yet."
    units = ", ".join(f"{count:,} `{name}`" for name, count in record["units"].items())
    total = sum(record["units"].values())
    wrong = f"{record['broken']:,} tops of {SHARED} were wrong." if record["broken"] else ""
    return f"{total:,} multipliers: {units}. {wrong}\n\n{key_table(record['keys'])}"


def main() -> int:
    """Compare the multipliers of some seeds, or print the record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("seeds", nargs="*", type=int, metavar="FIRST END")
    given = parser.parse_args().seeds
    if not given:
        print(shown(kept(RECORD)))
        return 0
    compared: list[dict[str, Any]] = []
    broken = 0
    start, end = given
    for first in range(start, end, SHARED):
        seeds = range(first, min(first + SHARED, end))
        try:
            with tempfile.TemporaryDirectory() as scratch:
                compared += compare(seeds, Path(scratch))
        except AssertionError as error:
            broken += 1
            print(f"seeds {seeds}: {error}", flush=True)
        keep(RECORD, record_of(compared, broken))
        print(f"{len(compared)} are right", file=sys.stderr, flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
