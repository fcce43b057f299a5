# SPDX-License-Identifier: Apache-2.0
"""Key switching by lattigo on one core beside the engine: `python -m tests.lattigo.times run`.

lattigo's `ApplyEvaluationKey` is timed at the parameters of the engine's key switchings: the least
of several calls, on one core. The engine's cycles are those that `nttforge measure ckks-14`
observed (docs/key-switching.md), or of the list schedule; they become microseconds at a stated
clock. It needs Go, and records what it finds; without `run` the record is printed.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docs.tools.large_key_switching import Setting
from docs.tools.record import kept as figures
from nttforge.kinds.rns.search_space import switching_job
from nttforge.ring.primes import largest_ntt_primes
from nttforge.standards.rns import Basis
from tests.lattigo.peer import NoLattigoError, lattigo
from tests.tally import keep, kept, markdown

RECORD = "key-switching-times"
PAGE = Path(__file__).parents[2] / "docs" / "key-switching.md"
#: The slowest part of an engine as estimated for ECP5, and what cards with HBM are clocked at.
CLOCKS_MHZ = (132, 300)
COLUMNS = (
    *("n, limbs", "coefficients a cycle", "cycles", "are"),
    *(f"us at {clock} MHz" for clock in CLOCKS_MHZ),
    "lattigo, us",
)
BITS, CALLS = 54, 10
LARGE = (Setting(14, 6, 1, 1, 4, 96), Setting(16, 24, 8, 1, 8, 112))


@dataclass(frozen=True)
class Switched:
    """A key switching of an engine.

    - `log_n`, `q`, `p`: log2 n, and limbs of Q and of P.
    - `lanes`: coefficients a cycle.
    - `cycles`: of a call, and how they are known.
    """

    log_n: int
    q: int
    p: int
    lanes: int
    cycles: int
    known: str

    @property
    def moduli(self) -> tuple[Basis, Basis]:
        """Of Q and P."""
        found = largest_ntt_primes(BITS, 2 << self.log_n, self.q + self.p)
        return Basis(tuple(found[: self.q])), Basis(tuple(found[self.q :]))


def switchings() -> Iterator[Switched]:
    """Those of `ckks-14` as observed, and large ones as scheduled."""
    (table,) = figures(PAGE)["nttforge measure ckks-14 --markdown"]["page"][:1]
    for row in table["rows"]:
        if row[0] == "key_switch":
            q, p = map(int, row[1].split(",")[0].split(" + "))
            yield Switched(14, q, p, 8, row[-1], "observed")
    for setting in LARGE:
        engine = setting.engine()
        clocks = switching_job(engine, setting.asked, 1).order.clocks
        yield Switched(setting.log_n, setting.q, setting.p, engine.lanes, clocks, "scheduled")


def rows(asked: Sequence[Switched], calls: int = CALLS) -> Iterator[dict[str, Any]]:
    """A row a key switching."""
    known: dict[tuple[int, int, int], float] = {}
    with lattigo() as peer:
        for each in asked:
            size = each.log_n, each.q, each.p
            if size not in known:
                known[size] = min(peer.apply_times(1 << each.log_n, *each.moduli, calls))
            own = (f"2^{each.log_n}, {each.q} + {each.p}", each.lanes, f"{each.cycles:,}")
            times = [f"{each.cycles / clock:,.0f}" for clock in CLOCKS_MHZ]
            values = (*own, each.known, *times, f"{1e6 * known[size]:,.0f}")
            yield dict(zip(COLUMNS, values, strict=True))


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lattigo.times")
    parser.add_argument("what", nargs="?", choices=["run"])
    if parser.parse_args(argv).what == "run":
        try:
            found = list(rows(list(switchings())))
        except NoLattigoError as error:
            sys.exit(f"not timed: {error}")
        keep(RECORD, {"rows": found, "load": round(os.getloadavg()[0]), "cores": os.cpu_count()})
    record = kept(RECORD)
    print(markdown(COLUMNS, [[row[name] for name in COLUMNS] for row in record["rows"]]))
    print(f"\nThe machine had {record['cores']} cores and a load of {record['load']}.")


if __name__ == "__main__":
    main()
