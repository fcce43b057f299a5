# SPDX-License-Identifier: Apache-2.0
"""What a key switching of 2^16 with 24 + 8 limbs takes: `python -m docs.tools.large_key_switching`.

Cycles are those of the engine's list schedule, which its simulation exceeds by about a hundredth
(docs/rns.md), for engines of 32 coefficients a cycle and 54 bits. Multiplier blocks are those of
its multipliers' plans, memory is UltraRAM of 4,096 words of 72 bits for the rows alone. Beside
them, what an Alveo U280 has.
"""

from collections.abc import Iterator

from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.kinds.rns.build import inner_design
from nttforge.kinds.rns.config import RnsTable
from nttforge.kinds.rns.core import HALVES, RnsCore
from nttforge.kinds.rns.program import Op
from nttforge.kinds.rns.switching import Job, Limbs, Switch, key_switch
from nttforge.kinds.stream.loaded import sample_moduli, work_out_loaded
from nttforge.reduction.product import best_product
from nttforge.standards.rns import CONVENTIONS
from nttforge.table import Cell, Table, markdown

N, Q, P, BITS, BUTTERFLIES = 1 << 16, 24, 8, 54, 16
#: Of the card, and of a block of UltraRAM.
DSPS, URAMS, URAM_WORDS, URAM_BITS = 9024, 960, 4096, 72
TARGETS, ROWS = (4, 6, 8), (80, 96, 112)


def engine(targets: int, rows: int, prefer: str = "dsp") -> RnsCore:
    """Without a driver: its programs of 31 levels take minutes."""
    ring = {"n": N, "q": "runtime", "bits": BITS, "moduli": Q + P}
    numbers = {"butterflies": BUTTERFLIES, "rows": rows, "terms": P + 2, "targets": targets}
    table: dict[str, object] = {**numbers, "twiddles": "made"}
    data = {"name": "wide-switch", "family": "rns", "prefer": prefer, "rings": [ring], "rns": table}
    design = parse_design(data, "table")
    return RnsCore(
        name="wide_switch",
        sources=(),
        templates={},
        table=design.table(RnsTable),
        pipeline=work_out_loaded(inner_design(design)),
    )


def blocks(core: RnsCore) -> int:
    """Multiplier blocks: of butterflies and what makes their factors, sums, and fractions."""
    pipeline, plan = core.pipeline, core.multiplier
    fraction = best_product(BITS + 1, core.fractions.guard + 3, BITS + 67, plan.goal)
    butterflies = pipeline.stages * BUTTERFLIES * pipeline.loaded.cost().dsp
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
    """Numbers of targets and of rows."""
    switch = Switch(range(Q), range(Q, Q + P), P, CONVENTIONS["lattigo"])
    for targets in TARGETS:
        for count in ROWS:
            core = engine(targets, count)
            job = Job(Limbs(core, tuple(sample_moduli(core.pipeline.design))))
            key_switch(job, switch)
            floor = core.beats * sum(c.op is Op.TRANSFORM for c in job.draft.commands)
            try:
                order, cycles = job.order, f"{job.order.clocks:,}"
                used: Cell = order.used
            except NttforgeError:
                cycles, used = "too few rows", ""
            fits = blocks(core) <= DSPS and uram(core) <= URAMS
            yield [
                *(targets, count, used, floor, cycles, blocks(core), uram(core)),
                "yes" if fits else "no",
            ]


def table() -> Table:
    """Bounds and blocks."""
    columns = ("targets", "rows", "rows used", "floor", "cycles", "DSP", "URAM", "fits a U280")
    return Table("2^16, 24 + 8 limbs, digits of 8", columns, list(rows()))


if __name__ == "__main__":
    print(markdown([table()]))
