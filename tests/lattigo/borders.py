# SPDX-License-Identifier: Apache-2.0
"""Digits at every distance 2^j from half of their modulus: ours, and lattigo 6.1.1's.

`python -m tests.lattigo.borders run` switches, on the simulated RTL, polynomials whose one digit of
k limbs lies at D / 2 and beside it, D the product of the limbs, with a key that is 1, so that a
digit that is wrong by D shows in its own coefficient. It records how many of the RTL's are not the
exact reference's, and in which lattigo's, if Go is there, is on the other side of the border.
Without `run` the record is printed.
"""

import argparse
import sys
from contextlib import ExitStack
from typing import Any

import numpy as np

from nttforge.kinds.rns.cases import Case, Shape, run_case
from nttforge.kinds.rns.machine import Machine
from nttforge.kinds.rns.switching import Job, Switch, key_switch
from nttforge.ring.primes import largest_ntt_primes
from nttforge.standards import rns
from nttforge.standards.rns import CONVENTIONS, Basis, SwitchingKey
from tests.lattigo.parameter_sets import engine
from tests.lattigo.peer import Lattigo, NoLattigoError, lattigo
from tests.tally import keep, kept, markdown

RECORD = "key-switching-borders"
#: In this order; the last one is the farthest border that lattigo is wrong at, from D / 2.
COLUMNS = ("limbs", "bits", "borders", "near words", "wrong rows", "lattigo differs", "within")
LOG_N = 10
LIMBS, WIDTHS = (1, 2, 3, 4, 8), (30, 45, 60)


def offsets(d: int) -> list[int]:
    """From (D - 1) / 2: 0 and each power of two, both ways; and the same from (D + 1) / 2."""
    powers = [1 << j for j in range(d.bit_length() - 2)]
    around = [0, *powers, *(-power for power in powers)]
    return [*around, *(1 + each for each in around)]


def unit_key(n: int, q: Basis, p: Basis) -> SwitchingKey:
    """(1, 0): what is switched is the digit over P, rounded."""
    one, zero = (np.zeros((len(q.moduli) + len(p.moduli), n), object) for _ in range(2))
    one[:, 0] = 1
    return SwitchingKey(q, p, ((one, zero),), len(q.moduli), CONVENTIONS["lattigo"])


def case_of(machine: Machine, q: Basis, p: Basis, values: list[int]) -> Case:
    """A polynomial of values modulo D; Q is in the first places, and P in the last ones."""
    n, places = machine.core.n, len(machine.moduli)
    level, special = len(q.moduli), range(places - len(p.moduli), places)
    c = q.residues(np.array(values, object))
    key = unit_key(n, q, p)
    pair = rns.key_switch(c, key)
    how = Switch(range(level), special, level, key.convention)

    def make(job: Job) -> None:
        key_switch(job, how)

    rows = {(0, place): row for place, row in enumerate(c)}
    expected = {(half, i): row for half in range(2) for i, row in enumerate(pair[half])}
    shape = Shape("key_switch", "lattigo", level, level, len(p.moduli), level)
    return Case(shape, make, rows, expected, key, dict(enumerate([*range(level), *special])))


def compare(machine: Machine, peer: Lattigo | None, limbs: int, bits: int) -> dict[str, Any]:
    """A row: digits of so many limbs of so many bits."""
    n = machine.core.n
    # A digit that is wrong by D is wrong by more than 1 over P.
    q, p = (Basis(tuple(largest_ntt_primes(b, 2 * n, limbs))) for b in (bits, bits - 2))
    machine.load((*q.moduli, *p.moduli))
    d, wrong, near, apart = q.product, 0, 0, list[int]()
    every = [d // 2 + each for each in offsets(d)]
    for start in range(0, len(every), n):
        values = every[start : start + n]
        case = case_of(machine, q, p, (values + [0] * n)[:n])
        done = run_case(machine, case, pauses=0.1)
        wrong += len(done.wrong) + len(done.outcome.errors)
        near += done.near
        if peer is not None and case.key is not None:
            c = np.stack([case.rows[0, place] for place in range(limbs)])
            u0, _ = peer.key_switch(c, case.key)
            right = np.stack([case.expected[0, place] for place in range(limbs)])
            found = np.any(u0 != right, axis=0)
            apart += [values[i] - d // 2 for i in np.nonzero(found)[0] if i < len(values)]
    farthest = max((abs(each) for each in apart), default=0)
    return {
        "limbs": limbs,
        "bits": bits,
        "borders": len(every),
        "near words": near,
        "wrong rows": wrong,
        "lattigo differs": "not asked" if peer is None else len(apart),
        "within": f"2^{farthest.bit_length() - d.bit_length()} D" if apart else "",
    }


def run() -> list[dict[str, Any]]:
    """All rows."""
    with ExitStack() as stack:
        try:
            peer = stack.enter_context(lattigo())
        except NoLattigoError as missing:
            print(missing, file=sys.stderr)
            peer = None
        machine = stack.enter_context(engine(LOG_N))
        return [compare(machine, peer, limbs, bits) for limbs in LIMBS for bits in WIDTHS]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip())
    parser.add_argument("what", nargs="?", choices=["run"])
    if parser.parse_args().what == "run":
        keep(RECORD, {"rows": run()})
    rows = kept(RECORD)["rows"]
    print(markdown(COLUMNS, [[row[name] for name in COLUMNS] for row in rows], text=0))


if __name__ == "__main__":
    main()
