# SPDX-License-Identifier: Apache-2.0
"""What key switchings at 32 coefficients a cycle take: `python -m docs.tools.large_key_switching`.

Cycles are those of the engine's list schedule, which its simulation exceeds by about a hundredth
(docs/rns.md), for engines of 54 bits. Multiplier blocks are those of its multipliers' plans, memory
is UltraRAM of 4,096 words of 72 bits for the rows alone. Beside them, what an Alveo U280 has.
`--find LOG_N Q P CYCLES` prints the engine of fewest multiplier blocks that takes so many cycles
or fewer, and the channels of HBM2 that its keys take at 300 MHz; or why there is none.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import ceil

from nttforge.design import Design, parse_design
from nttforge.errors import NttforgeError
from nttforge.hw.dram import HBM2_U280
from nttforge.kinds.rns.build import inner_design
from nttforge.kinds.rns.config import RnsTable
from nttforge.kinds.rns.core import HALVES, RnsCore
from nttforge.kinds.rns.program import Op
from nttforge.kinds.rns.switching import Job, Limbs, Switch, batch
from nttforge.kinds.stream.loaded import LoadedPipeline, sample_moduli, work_out_loaded
from nttforge.reduction.product import best_product
from nttforge.simulate.dram_model import linear
from nttforge.standards.rns import CONVENTIONS
from nttforge.table import Cell, Table, markdown

BITS, BUTTERFLIES = 54, 16
#: Of the card, and of a block of UltraRAM.
DSPS, URAMS, URAM_WORDS, URAM_BITS = 9024, 960, 4096, 72


#: Keys in memory, and what is tried: butterflies, targets, rows.
WORD_BYTES, CLOCK_MHZ = 8, 300.0
CHOICES = ((1, 2, 4, 8, 16), (2, 4, 8), (32, 64, 112))


_PIPELINES: dict[str, LoadedPipeline] = {}


def _pipeline(design: Design) -> LoadedPipeline:
    """Engines of other targets and rows have the same."""
    key = design.model_dump_json()
    if key not in _PIPELINES:
        _PIPELINES[key] = work_out_loaded(design)
    return _PIPELINES[key]


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
    butterflies: int = BUTTERFLIES

    def engine(self) -> RnsCore:
        """Without a driver, whose programs of all levels take a minute."""
        ring = {"n": 1 << self.log_n, "q": "runtime", "bits": BITS, "moduli": self.q + self.p}
        table: dict[str, object] = {
            "butterflies": self.butterflies,
            "rows": self.rows,
            "terms": max(self.p + 2, -(-self.q // self.p)),
            "targets": self.targets,
            "twiddles": "made" if self.log_n > 14 else "tables",
        }
        data = {"name": "wide-switch", "family": "rns", "prefer": self.prefer}
        design = parse_design({**data, "rings": [ring], "rns": table}, "table")
        pipeline = _pipeline(inner_design(design))
        own = design.table(RnsTable)
        nothing: dict[str, tuple[str, dict[str, object]]] = {}
        return RnsCore(
            name="wide_switch", sources=(), templates=nothing, table=own, pipeline=pipeline
        )

    def job(self, core: RnsCore) -> Job:
        """By lattigo's convention."""
        job = Job(Limbs(core, tuple(sample_moduli(core.pipeline.design))))
        special = range(self.q, self.q + self.p)
        how = Switch(range(self.q), special, self.p, CONVENTIONS["lattigo"])
        batch(job, how, self.calls)
        return job


SETTINGS = (
    *(Setting(14, 6, 1, 1, 4, 96, prefer) for prefer in ("balanced", "dsp")),
    *(Setting(14, 6, 1, calls, 4, 96) for calls in (4, 16)),
    *(Setting(16, 24, 8, 1, *engine) for engine in ((4, 112), (8, 112), (8, 80), (8, 64))),
    Setting(16, 16, 4, 1, 8, 64),
    Setting(16, 12, 4, 1, 8, 64),
    Setting(16, 8, 4, 1, 4, 64),
)


def blocks(core: RnsCore) -> int:
    """Multiplier blocks: of butterflies and what makes their factors, sums, and fractions."""
    pipeline, plan = core.pipeline, core.multiplier
    guard = core.fractions.guard
    fraction = best_product(BITS + 1, guard + 3, BITS + guard + 3, plan.goal)
    butterflies = pipeline.stages * pipeline.lines * pipeline.loaded.cost().dsp
    stages = zip(pipeline.factor_shapes, pipeline.made, strict=True)
    made = sum(len(stage.lines) for stage, is_made in stages if is_made)
    makers = made * pipeline.maker.cost().dsp
    sums = core.lanes * (HALVES + core.targets) * plan.cost().dsp
    return round(butterflies + makers + sums + core.lanes * fraction.cost().dsp)


def uram(core: RnsCore) -> int:
    """Of the rows: each bank is as wide as a beat."""
    wide = -(-core.data_bits // URAM_BITS)
    return core.banks * wide * -(-core.table.rows * core.beats // (core.banks * URAM_WORDS))


def rows() -> Iterator[list[Cell]]:
    """A setting each."""
    for setting in SETTINGS:
        core = setting.engine()
        job = setting.job(core)
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


@dataclass(frozen=True)
class Found:
    """An engine, the cycles of a call, its blocks, and the channels that keep up with its keys."""

    setting: Setting
    cycles: int
    dsps: int
    urams: int
    channels: int

    @property
    def fits(self) -> bool:
        """A U280."""
        return self.dsps <= DSPS and self.urams <= URAMS

    def __str__(self) -> str:
        own = self.setting
        engine = f"{2 * own.butterflies} lanes, {own.targets} targets, {own.rows} rows"
        taken = f"{self.dsps:,} DSP, {self.urams:,} URAM, {self.channels} channels"
        return f"{engine}: {self.cycles:,} cycles, {taken}"


def channels_of(lanes: int) -> int:
    """That give a beat of keys in each clock."""
    rate = HALVES * lanes * WORD_BYTES * CLOCK_MHZ / 1e3
    return ceil(rate / linear(HBM2_U280))


def engines(log_n: int, q: int, p: int) -> Iterator[Found]:
    """Those that a call fits, of all numbers of lanes, targets and rows that are tried."""
    whole = Setting(log_n, q, p, 1, 1, 8)
    for butterflies, targets, count in product(*CHOICES):
        setting = replace(whole, butterflies=butterflies, targets=targets, rows=count)
        core = setting.engine()
        try:
            cycles = setting.job(core).order.clocks
        except NttforgeError:
            continue
        yield Found(setting, cycles, blocks(core), uram(core), channels_of(core.lanes))


def verdict(found: Sequence[Found], cycles: int) -> str:
    """The one of fewest blocks that fits and is fast enough; or the nearest ones, and why not."""
    fast = [each for each in found if each.cycles <= cycles]
    right = [each for each in fast if each.fits]
    if right:
        return str(min(right, key=lambda each: (each.dsps, each.urams)))
    lines = [f"no engine takes {cycles:,} cycles or fewer and fits"]
    fitting = [each for each in found if each.fits]
    if fitting:
        lines.append(f"the fastest that fits: {min(fitting, key=lambda each: each.cycles)}")
    if fast:
        lines.append(f"the smallest that is fast enough: {min(fast, key=lambda each: each.dsps)}")
    elif found:
        lines.append(f"the fastest: {min(found, key=lambda each: each.cycles)}")
    else:
        lines.append("all have too few rows for one call")
    return "\n".join(lines)


def table() -> Table:
    """Bounds and blocks."""
    columns = ("n, limbs", "calls", "targets", "rows", "prefer", "rows used", "floor")
    more = ("cycles a call", "of the floor", "DSP", "URAM", "fits a U280")
    return Table("32 coefficients a cycle", (*columns, *more), list(rows()))


def main() -> None:
    """The table, or an engine for what is asked."""
    match sys.argv[1:]:
        case []:
            print(markdown([table()]))
        case ["--find", *numbers] if len(numbers) == 4:
            log_n, q, p, cycles = map(int, numbers)
            print(verdict(list(engines(log_n, q, p)), cycles))
        case _:
            sys.exit("use no argument, or --find LOG_N Q P CYCLES")


if __name__ == "__main__":
    main()
