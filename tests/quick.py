# SPDX-License-Identifier: Apache-2.0
"""`python -m tests.quick`: a design of each kind is generated, verified and measured.

Whole cores, as users have them, with little data: what breaks a kind is seen in minutes. Logs and
folders are left in `build/quick`; of a kind that fails the end of the log is printed.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "build" / "quick"
#: Kind -> design, and how much of it: options of `verify`, options of `measure`. What takes longest
#: is first.
DESIGNS: Mapping[str, tuple[str, str, str]] = {
    "lattice": ("ml-kem-coprocessor", "--transforms 1", "--runs 2"),
    "decomposed": ("sam-tiny", "--transforms 1", "--transforms 2"),
    "pipeline": ("mlkem-mldsa", "--transforms 20", "--transforms 20"),
    "iterative": ("scalable-kyber", "--transforms 20", "--transforms 20"),
}
_END = 20  # lines


def commands(kind: str) -> list[list[str]]:
    """What is run of a kind."""
    design, verify, measure = DESIGNS[kind]
    verbs = (
        ["generate", design, "-o", str(PLACE / kind)],
        ["verify", design, *verify.split()],
        ["measure", design, *measure.split()],
    )
    return [[sys.executable, "-m", "nttforge", *verb] for verb in verbs]


def run(kind: str) -> bool:
    """Run a kind's commands into its log; whether all ended well."""
    began, log = time.monotonic(), PLACE / f"{kind}.log"
    shutil.rmtree(PLACE / kind, ignore_errors=True)
    with log.open("w", encoding="utf-8") as output:
        good = all(
            subprocess.run(
                command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, check=False
            ).returncode
            == 0
            for command in commands(kind)
        )
    seconds = time.monotonic() - began
    design = DESIGNS[kind][0]
    print(f"{'ok  ' if good else 'FAIL'} {kind:<10} {design:<20} {seconds:4.0f} s", flush=True)
    if not good:
        end = log.read_text("utf-8", errors="replace").splitlines()[-_END:]
        print("\n".join([*end, f"see {log.relative_to(ROOT)}"]), flush=True)
    return good


def main(arguments: Sequence[str]) -> int:
    """Run the kinds that are named, or all; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.quick", description=__doc__)
    parser.add_argument("kind", nargs="*", help=f"of {', '.join(DESIGNS)} (default: all)")
    parser.add_argument("-j", type=int, default=2, help="kinds at the same time (default: 2)")
    chosen = parser.parse_args(arguments)
    if unknown := {*chosen.kind} - {*DESIGNS}:
        parser.error(f"no such kind: {', '.join(sorted(unknown))}")
    PLACE.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(chosen.j) as pool:
        good = [*pool.map(run, chosen.kind or DESIGNS)]
    spent = sum(os.times()[2:4])
    print(f"{sum(good)} of {len(good)} kinds; {spent:.0f} s of processors")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
