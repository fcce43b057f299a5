# SPDX-License-Identifier: Apache-2.0
"""What key switchings of 2^16 take of a card: `python -m docs.tools.large_key_switching`.

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

N, BITS, BUTTERFLIES = 1 << 16, 54, 16
#: Of the card, and of a block of UltraRAM.
DSPS, URAMS, URAM_WORDS, URAM_BITS = 9024, 960, 4096, 72
#: Limbs of Q and of P, which a digit has too; targets and rows of an engine.
SETTINGS = (
    *((24, 8, 4, 112), (24, 8, 8, 112), (24, 8, 8, 80), (24, 8, 8, 64)),
    *((16, 4, 8, 64), (12, 4, 8, 64), (12, 4, 4, 64), (8, 4, 4, 64)),
)


def engine(moduli: int, terms: int, targets: int, rows: int) -> RnsCore:
    """Without a driver, whose programs of all levels take a minute."""
    ring = {"n": N, "q": "runtime", "bits": BITS, "moduli": moduli}
    numbers = {"butterflies": BUTTERFLIES, "rows": rows, "terms": terms, "targets": targets}
    table: dict[str, object] = {**numbers, "twiddles": "made"}
    data = {"name": "wide-switch", "family": "rns", "prefer": "dsp", "rings": [ring], "rns": table}
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
    """A setting each."""
    for q, p, targets, count in SETTINGS:
        core = engine(q + p, max(p + 2, -(-q // p)), targets, count)
        job = Job(Limbs(core, tuple(sample_moduli(core.pipeline.design))))
        key_switch(job, Switch(range(q), range(q, q + p), p, CONVENTIONS["lattigo"]))
        floor = core.beats * sum(c.op is Op.TRANSFORM for c in job.draft.commands)
        try:
            used, cycles = str(job.order.used), f"{job.order.clocks:,}"
        except NttforgeError:
            used, cycles = "more", ""
        fits = cycles and blocks(core) <= DSPS and uram(core) <= URAMS
        limbs = f"{q} + {p}, digits of {p}"
        fitting = "yes" if fits else "no"
        yield [limbs, targets, count, used, floor, cycles, blocks(core), uram(core), fitting]


def table() -> Table:
    """Bounds and blocks."""
    columns = ("limbs", "targets", "rows", "of which used", "floor", "cycles", "DSP", "URAM")
    return Table("2^16", (*columns, "fits a U280"), list(rows()))


if __name__ == "__main__":
    print(markdown([table()]))
