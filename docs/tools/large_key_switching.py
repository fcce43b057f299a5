# SPDX-License-Identifier: Apache-2.0
"""What key switchings at 32 coefficients a cycle take: `python -m docs.tools.large_key_switching`.

Cycles are those of the engine's list schedule, which its simulation exceeds by about a hundredth
(docs/key-switching.md), for engines of 54 bits. Multiplier blocks are those of its multipliers'
plans, memory is UltraRAM of 4,096 words of 72 bits for the rows alone: as `nttforge explore` has
them. Beside them, what an Alveo U280 has.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from nttforge.config.requirements import KeySwitching
from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.kinds.rns.core import RnsCore
from nttforge.kinds.rns.program import Op
from nttforge.kinds.rns.search_space import bare_core, blocks, switching_job, uram
from nttforge.table import Cell, Table, markdown

BITS, BUTTERFLIES = 54, 16
#: Of the card.
DSPS, URAMS = 9024, 960


@dataclass(frozen=True)
class Setting:
    """Key switchings, and an engine for them.

    - `log_n`, `q`, `p`: log2 n, and limbs of Q and of P; a digit has as many as P.
    - `calls`: in one program.
    - `targets`, `rows`, `prefer`: of the design.
    """

    log_n: int
    q: int
    p: int
    calls: int
    targets: int
    rows: int
    prefer: str = "dsp"

    @property
    def asked(self) -> KeySwitching:
        """What is computed."""
        return KeySwitching(limbs=self.q, special=self.p, calls=self.calls)

    def engine(self) -> RnsCore:
        """Without a driver, whose programs of all levels take a minute."""
        ring = {"n": 1 << self.log_n, "q": "runtime", "bits": BITS, "moduli": self.q + self.p}
        table: dict[str, object] = {
            "butterflies": BUTTERFLIES,
            "rows": self.rows,
            "terms": max(self.p + 2, self.asked.dnum),
            "targets": self.targets,
            "twiddles": "made" if self.log_n > 14 else "tables",
        }
        data = {"name": "wide-switch", "family": "rns", "prefer": self.prefer}
        return bare_core(parse_design({**data, "rings": [ring], "rns": table}, "table"))


SETTINGS = (
    *(Setting(14, 6, 1, 1, 4, 96, prefer) for prefer in ("balanced", "dsp")),
    *(Setting(14, 6, 1, calls, 4, 96) for calls in (4, 16)),
    *(Setting(16, 24, 8, 1, *engine) for engine in ((4, 112), (8, 112), (8, 80), (8, 64))),
    Setting(16, 16, 4, 1, 8, 64),
    Setting(16, 12, 4, 1, 8, 64),
    Setting(16, 8, 4, 1, 4, 64),
)


def rows() -> Iterator[list[Cell]]:
    """A setting each."""
    for setting in SETTINGS:
        core = setting.engine()
        job = switching_job(core, setting.asked, setting.calls)
        transforms = sum(command.op is Op.TRANSFORM for command in job.draft.commands)
        floor = transforms * core.beats // setting.calls
        try:
            cycles = job.order.clocks // setting.calls
            seen: list[Cell] = [str(job.order.used), floor, f"{cycles:,}", f"{cycles / floor:.3f}"]
        except NttforgeError:
            cycles, seen = 0, ["more", floor, "", ""]
        fits = cycles and blocks(core) <= DSPS and uram(core) <= URAMS
        limbs = f"2^{setting.log_n}, {setting.q} + {setting.p}"
        own: list[Cell] = [limbs, setting.calls, setting.targets, setting.rows, setting.prefer]
        yield [*own, *seen, blocks(core), uram(core), "yes" if fits else "no"]


def table() -> Table:
    """Bounds and blocks."""
    columns = ("n, limbs", "calls", "targets", "rows", "prefer", "rows used", "floor")
    more = ("cycles a call", "of the floor", "DSP", "URAM", "both fit a U280")
    return Table("32 coefficients a cycle", (*columns, *more), list(rows()))


def main() -> None:
    """Print the table."""
    if sys.argv[1:]:
        sys.exit("no arguments are taken; nttforge explore finds engines")
    print(markdown([table()]))


if __name__ == "__main__":
    main()
