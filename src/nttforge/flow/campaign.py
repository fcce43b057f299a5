# SPDX-License-Identifier: Apache-2.0
"""`verify --campaign`: very many transforms, or cases, as a sweep of seeds that can be resumed."""

import shlex
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from nttforge.emit.toml import toml_value
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, silent
from nttforge.flow.sweep import Grid, Workers, sweep
from nttforge.options.model import LAST_SEED
from nttforge.results import Result
from nttforge.table import Block, Line, Table, verdict

# Each part has its corners too: not too small; and what is interrupted is lost: not too large.
_LEAST, _MOST, _PARTS = 500, 10_000, 100
#: Seeds of parts lie so far apart that none is another one's next.
APART = 1 << 20
_COMPARED = ("transforms", "comparisons")


class CampaignResult(Result):
    """Result of a campaign: parts, those that had a row, comparisons, cycles, bad seeds."""

    design: str
    keys: dict[str, Any]
    ok: bool
    seed: int
    count: int
    parts: int
    kept: int
    compared: int
    cycles: int
    each: int
    bad: dict[int, str]
    output: str
    seconds: float

    def shown(self) -> Iterator[Block]:
        """Sums, and how to see again what failed."""
        yield Table(
            f"{self.design}, {self.parts} parts, seeds from {self.seed}",
            ("compared", "cycles simulated", "parts", "there before", "seconds"),
            [(self.compared, self.cycles, self.parts, self.kept, self.seconds)],
        )
        for seed, problem in self.bad.items():
            yield Line(f"{problem}: {self._again(seed)} --trace failed.fst", "bad")
        good = f"{self.compared:,} compared, no mismatch; rows in {self.output}"
        yield verdict(self.ok, good, f"{len(self.bad)} of {self.parts} parts did not hold")

    def _again(self, seed: int) -> str:
        """The command that does a part by itself."""
        keys = (("--set", f"{name}={toml_value(value)}") for name, value in self.keys.items())
        counted = ("--transforms", str(self.each), "--seed", str(seed))
        return shlex.join(("nttforge", "verify", self.design, *chain(*keys), *counted))


def part_size(count: int) -> int:
    """Transforms of a part of a campaign of so many."""
    return min(count, max(_LEAST, min(_MOST, -(-count // _PARTS))))


def campaign(
    design: str,
    keys: Mapping[str, Any],
    count: int,
    output: Path,
    workers: Workers,
    *,
    seed: int = 0,
    progress: Progress = silent,
) -> CampaignResult:
    """Verify a design with `count` random transforms or cases in parts, each a row of `output`.

    Parts with a row are skipped, unless they failed for a reason other than a finding, as a missing
    compiler. `keys` replace those of the design; `seed` is the first part's.
    """
    each = part_size(count)
    seeds = [seed + number * APART for number in range(-(-count // each))]
    if seeds[-1] > LAST_SEED:
        problem = f"{len(seeds)} parts have seeds beyond {LAST_SEED}"
        raise NttforgeError("seed", problem, "begin with a smaller one")
    grid = Grid(
        verb="verify",
        designs=[design],
        keys={name: [value] for name, value in keys.items()},
        options={"transforms": each, "seed": list(seeds)},
    )
    progress(f"{len(seeds)} parts of {each}, {workers.count} at a time")
    swept, rows = sweep(grid, design, output, workers, rerun=True, progress=progress)
    found = [row["result"] for row in rows if "result" in row]
    bad = {
        row["options"]["seed"]: row.get("error") or row["result"]["violation"] or "wrong results"
        for row in rows
        if not row["ok"]
    }
    return CampaignResult(
        design=design,
        keys=dict(keys),
        ok=swept.ok,
        seed=seed,
        count=count,
        parts=swept.points,
        kept=swept.kept,
        compared=sum(result.get(name, 0) for result in found for name in _COMPARED),
        cycles=sum(result["cycles"] for result in found),
        each=each,
        bad=bad,
        output=str(output),
        seconds=swept.seconds,
    )
