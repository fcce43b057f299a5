# SPDX-License-Identifier: Apache-2.0
"""Flip bits of registers in whole coprocessors, or print what came of it.

Without a word the record is printed as a table; `registers` lists the registers whose flips gave
wrong results or hangs, `bad` every flip after which something was that must never be, `scenarios`
the runs that bits are flipped in. `run` tries flips, keeps what it found as it goes, and goes on
with the record of the same hardware and options. It ends with 1 if a flip was bad.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.faults import fault_report as report
from tests.faults.fault_campaign import CHUNK, CORES, SHARES, Bench, Campaign, bench
from tests.faults.hardware import hardware
from tests.tally import keep, kept

RECORD = "faults"


def parser() -> argparse.ArgumentParser:
    """Of the command's words."""
    made = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    made.add_argument("what", nargs="?", choices=["run", "registers", "bad", "scenarios"])
    made.add_argument("--flips", type=int, default=510_000, help="how many, %(default)s")
    made.add_argument("--seed", type=int, default=1, help="of all that is drawn, %(default)s")
    made.add_argument(
        "--design", action="append", choices=list(CORES), help="of these alone; the fast three"
    )
    made.add_argument("--only", default="", help="runs whose name contains this")
    made.add_argument("--minutes", type=float, default=1e6, help="stop after so many")
    made.add_argument("--record", default=RECORD, help="name of the record, %(default)s")
    return made


def benches(options: argparse.Namespace, scratch: Path) -> dict[str, Bench]:
    """The coprocessors that are asked for, with their runs."""
    found = {}
    for name in options.design or SHARES:
        print(f"{name}: recording its runs", file=sys.stderr, flush=True)
        made = bench(name, scratch / name, options.seed, options.only)
        if made.scenarios:
            found[name] = made
    return found


def run(options: argparse.Namespace, scratch: Path) -> dict[str, Any]:
    """Try flips until all, or the minutes, are over: the record."""
    folders = {name: hardware(name).folder.name for name in options.design or SHARES}
    begun = {"hardware": folders, "seed": options.seed, "only": options.only}
    chunks = -(-options.flips // CHUNK)
    record = kept(options.record)
    if record.get("begun") != begun:
        record = report.empty(begun, 0)
    record["planned"] = chunks * CHUNK
    campaign = Campaign(benches(options, scratch), options.seed)
    began, first = time.monotonic(), record["chunks"]
    print(f"seed {options.seed}", file=sys.stderr)
    for tried in campaign.run(range(first, chunks)):
        report.add(record, tried)
        keep(options.record, record)
        seconds = time.monotonic() - began
        rate = (record["chunks"] - first) * CHUNK / seconds
        print(
            f"{record['chunks'] * CHUNK:,} of {chunks * CHUNK:,} flips, {rate:.0f} a second, "
            f"{report.bad(record)} bad",
            file=sys.stderr,
            flush=True,
        )
        if seconds > 60 * options.minutes:
            break
    return record


def main() -> int:
    """Try flips, or print the record."""
    options = parser().parse_args()
    if options.what in ("run", "scenarios"):
        with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
            if options.what == "scenarios":
                for name, made in benches(options, Path(scratch)).items():
                    for scenario in made.scenarios:
                        print(f"{name}: {scenario.name}: {scenario.cycles:,} cycles")
                return 0
            record = run(options, Path(scratch))
        print(report.table(record))
        return int(report.bad(record) > 0)
    record = kept(options.record)
    shown = {"registers": report.registers_table, "bad": report.bad_list}
    print(shown.get(options.what, report.table)(record))
    return 0


if __name__ == "__main__":
    sys.exit(main())
