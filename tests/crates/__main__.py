# SPDX-License-Identifier: Apache-2.0
"""Random cases of lattice coprocessors beside the crates fips203 and fips204.

`python -m tests.crates run DESIGN --cases N` runs N cases of each parameter set and records how
many answers are not the crates'; `python -m tests.crates` prints what is recorded. A case is a key
pair, and what is done with it: of ML-KEM a secret, and what its ciphertext gives, right and spoilt,
by each form of the key; of ML-DSA a signature, and its verification, right and wrong. Every other
case has stalls at all ports. The exit code is 1 if an answer is wrong.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from unittest.mock import patch

from nttforge.errors import NttforgeError
from nttforge.flow.vectors import STALLS
from nttforge.kinds.lattice.bus import Coprocessor
from nttforge.kinds.lattice.operation import Standard
from nttforge.kinds.lattice.verify import cases_of, compared
from tests.coprocessors import opened
from tests.crates.rust_program import NoCratesError, Running, crates
from tests.tally import keep, kept, markdown

RECORD = "crates"
COLUMNS = ("cases", "operations", "wrong", "seed")
#: Where `verify` has the reference of its cases, by package of a standard.
_REFERENCES = {"mlkem": "kyber_py", "mldsa": "dilithium_py"}


@contextmanager
def reference(running: Running) -> Iterator[None]:
    """Cases that `verify` makes have their answers from the crates."""
    places = [
        patch.object(import_module(f"nttforge.kinds.lattice.{package}.verify"), name, running.of)
        for package, name in _REFERENCES.items()
    ]
    with places[0], places[1]:
        yield


def wrong(
    core: Coprocessor, standards: Sequence[Standard], cases: int, seed: int
) -> Iterator[tuple[str, int, list[str]]]:
    """Of each parameter set: its name, how many answers were compared, and those that differ."""
    for standard in standards:
        for p in standard.sets:
            number, found = 0, list[str]()
            for case in range(cases):
                rng = random.Random(f"{seed} {p.name} {case}")
                word = b"" if case % 2 else None
                steps = cases_of(standard).turns(p, rng, checks=core.checks, word=word)
                stall = STALLS[case % len(STALLS)]
                differ = compared(core, steps, stall=stall, seed=seed + case)
                found += [f"case {case}, {each}" for each in differ]
                number += len(steps)
            yield p.name, number, found


def run(design: str, cases: int, seed: int) -> list[str]:
    """Compare, and record set by set; the answers that differ."""
    with crates() as running, reference(running):
        core, standards = opened(design)
        rows, failures = {}, list[str]()
        for name, number, differ in wrong(core, standards, cases, seed):
            print(f"{design}, {name}: {len(differ)} of {number} differ", file=sys.stderr)
            rows[name] = {"cases": cases, "operations": number, "wrong": len(differ), "seed": seed}
            failures += differ
            keep(RECORD, kept(RECORD) | {design: rows})
    return failures


def shown() -> str:
    """What is recorded, as a table."""
    rows = [
        (f"`{design}`", name, *(row[column] for column in COLUMNS))
        for design, sets in sorted(kept(RECORD).items())
        for name, row in sets.items()
    ]
    return markdown(("design", "parameter set", *COLUMNS), rows, text=2)


def main() -> None:
    """Compare, or print what is recorded."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("do", nargs="?", choices=("show", "run"), default="show")
    parser.add_argument("design", nargs="?", help="name or file of a lattice coprocessor")
    parser.add_argument("--cases", type=int, default=20, help="of each parameter set (default: 20)")
    parser.add_argument("--seed", type=int, default=0, help="of everything random (default: 0)")
    given = parser.parse_args()
    if given.do == "show":
        print(shown())
        return
    if given.design is None:
        parser.error("run: name a design")
    try:
        failures = run(given.design, given.cases, given.seed)
    except (NoCratesError, NttforgeError) as missing:
        sys.exit(str(missing))
    print("\n".join(failures[:10]) or "0 answers differ")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
