# SPDX-License-Identifier: Apache-2.0
"""Exact cycles of a design, and the resources from which its area is estimated.

Area and clock are estimated as sums of *amounts*: adder bits, registers, words of memory, each
times what one of them was measured to take (:mod:`nttforge.flow.explore`). A family says how many
there are of each; it knows nothing of what they take.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nttforge.hw.common import block_rams
from nttforge.hw.core import Operation
from nttforge.hw.engine import Engine, is_sparse
from nttforge.hw.growth import PASS, adder_bits
from nttforge.layout.layout import Layout
from nttforge.reduction import MultiplierPlan
from nttforge.reduction.constant import Cost, Tiling, booth_cost, tile_sides

#: Resource -> what it comes of -> how much of that there is.
ResourceFeatures = Mapping[str, Mapping[str, float]]

#: Of a resource that is a path: the clock is the longest of them.
PATH = "ns "

#: Words of one look-up table as memory, by target.
LUT_WORDS = {"xcup": 32, "xc7": 32, "ecp5": 16}
#: Words of a table in one look-up table.
ROM_WORDS = {"xcup": 64, "xc7": 64, "ecp5": 16}
_USUAL = "xcup"


@dataclass(frozen=True)
class Cycles:
    """Cycles of a transform: from first beat in to last beat out, and of each in a sequence."""

    latency: float
    each: float


@dataclass(frozen=True)
class ResourceEstimate:
    """Known figures of a design: cycles by operation or size, exact or a lower bound, and amounts.

    Amounts of area are by `lut`, `ff`, `dsp` and `bram18`; `ns PATH` has those of a path that can
    limit the clock, and `ram` is the Mb of a buffer for data in memory. `area` is there instead if
    designs as a whole were measured; `lacks` counts operations that others of the family have.
    """

    cycles: Mapping[str, Cycles]
    features: ResourceFeatures
    area: Mapping[str, float] | None = None
    lacks: int = 0

    @property
    def latency(self) -> float:
        """Of the slowest operation."""
        return max(each.latency for each in self.cycles.values())

    @property
    def each(self) -> float:
        """Of the slowest operation."""
        return max(each.each for each in self.cycles.values())


def cycles_of(operations: Iterable[Operation], each: Iterable[int]) -> dict[str, Cycles]:
    """By operation: latency, and what each takes in a sequence."""
    return {o.name: Cycles(o.latency, cycles) for o, cycles in zip(operations, each, strict=False)}


@dataclass(frozen=True)
class Multiplier:
    """Resources of a modular multiplier.

    - `adders`: adder bits of sums, reductions and corrections.
    - `small`: adder bits of tiles that are made of look-up tables.
    - `chain`: bits of the widest such tile.
    - `dsp`: multiplier blocks.
    - `tiles`, `registers`: bits of registers right after tiles, and of all others.
    - `rows`: adder rows between two registers, at most.
    """

    adders: int
    small: int
    chain: int
    dsp: int
    tiles: int
    registers: int
    rows: int


def multiplier(plan: MultiplierPlan, lut_tile: int = 0) -> Multiplier:
    """Resources of a multiplier whose tiles of up to `lut_tile` bits are look-up tables."""
    product, whole = plan.product, plan.cost()
    small = Cost(0, product.cost().dsp)
    chain = 0
    if isinstance(product, Tiling) and lut_tile > product.lut_tile:
        small = booth_cost(product, lut_tile)
        narrow = (side for side, _ in tile_sides(product, lut_tile) if side <= lut_tile)
        chain = max(narrow, default=0)
    rows = list(zip(product.rows(), plan.product_reg_after, strict=True))
    for reduction in plan.reductions:
        steps = zip(reduction.steps, reduction.reg_after, strict=True)
        rows += [row for step, mask in steps for row in zip(step.rows(), mask, strict=True)]
    kept = [(row.live, row.tile) for row, register in rows if register]
    return Multiplier(
        adders=whole.lut,
        small=small.lut,
        chain=chain,
        dsp=whole.dsp - product.cost().dsp + small.dsp,
        tiles=sum(bits for bits, tile in kept if tile),
        registers=sum(bits for bits, tile in kept if not tile) + plan.residue_width,
        rows=min(plan.adders_per_stage, len(rows)),
    )


def rom_blocks(width: int, depth: int, target: str) -> int:
    """Block RAMs of 18 Kbit that a table takes; those of ECP5 are read in words of 18 bits."""
    return block_rams(max(depth, 1024) if target == "ecp5" else depth, width)


def varying(layout: Layout, index_bit: int) -> tuple[set[int], int]:
    """Places on lanes by which factors differ, and factors that a butterfly meets in time.

    A factor depends on the index bits above the paired one. Those on lanes tell butterflies apart;
    of those in time, the beats up to the lowest one that counts have the same factor.
    """
    counts = [bit > index_bit for bit in layout.bits]
    time = counts[layout.lane_bits :]
    lanes = {place for place in range(layout.lane_bits) if counts[place]}
    return lanes, 1 << (len(time) - time.index(True) if True in time else 0)


def tables(engine: Engine, stage: int) -> tuple[int, int]:
    """Twiddle ROMs of a stage, and factors a ROM, from the layouts alone."""
    lines: set[int] = set()
    depth, passes = 0, False
    for code, (_, path) in enumerate(engine.codes):
        at = engine.paths[path].stages[stage]
        if engine.mode(code, at.index_bit) == PASS:
            passes = True
            continue
        lanes, factors = varying(at.layout, at.index_bit)
        lines |= lanes
        depth += factors
    return 1 << len(lines), depth + passes


def _plain(engine: Engine, stage: int, depth: int) -> int:
    """Butterflies of a stage whose factor changes, or is no sparse number."""
    if depth > 1:
        return engine.lines
    at, plan = engine.paths[engine.codes[0][1]].stages[stage], engine.stage_plans[stage]
    words = (
        plan.encode(engine.factor(0, at.index_bit, at.layout.index(0, line)), engine.codes[0][0])
        for line in range(engine.lines)
    )
    return sum(not is_sparse(plan, word % (1 << plan.b_width)) for word in words)


@dataclass(frozen=True)
class LoadedFeatures:
    """Additional resources of loaded moduli in a pipeline.

    - `memories`: (words, bits) of each memory of factors and constants.
    - `makers`: multipliers that make factors.
    - `adders`, `registers`: bits.
    """

    memories: Sequence[tuple[int, int]]
    makers: Sequence[Multiplier]
    adders: int
    registers: int


#: Of moduli that are fixed.
_NOT_LOADED = LoadedFeatures((), (), 0, 0)


def engine_features(
    engine: Engine, target: str, operations: int, loaded: LoadedFeatures | None = None
) -> ResourceFeatures:
    """Features from which a streaming engine's area and clock are estimated.

    - `engine`: worked out.
    - `target`: FPGA family.
    - `operations`: operation codes.
    - `loaded`: of loaded moduli, whose factors are in no tables of constants.
    """
    lines, lanes = engine.lines, 2 * engine.lines
    widths = engine.growth.widths
    inside, lane = adder_bits(engine.growth)
    found = [multiplier(plan, engine.options.lut_tile) for plan in engine.stage_plans]
    roms = [] if loaded else [tables(engine, stage) for stage in range(engine.stages)]
    # Factors that never change and are sparse take adders alone.
    plain = [_plain(engine, stage, depth) for stage, (_, depth) in enumerate(roms)]
    plain = plain or [lines] * engine.stages
    more = loaded or _NOT_LOADED
    per_lut, per_rom = (table.get(target, table[_USUAL]) for table in (LUT_WORDS, ROM_WORDS))
    stored = blocks = factors = words = 0
    for width, delays in zip(widths[:-1], engine.delays, strict=True):
        deepest = sum(delays) if engine.options.seamless and len(set(delays)) > 1 else max(delays)
        words += lanes * width * (deepest > 0)
        if deepest >= (engine.options.ram_ultra_from or math.inf):
            continue
        if deepest >= engine.options.ram_block_from:
            blocks += block_rams(deepest, lanes * width)
        elif deepest > 1:
            stored += lanes * width * -(-deepest // per_lut)
    # The queue at the output: a beat, its operation, error and end.
    place = lanes * engine.plan.modulus_width + operations.bit_length() + 2
    if engine.credits >= engine.options.ram_block_from:
        blocks += block_rams(engine.credits, place)
    else:
        stored += place * -(-engine.credits // per_lut)
    bits = engine.plan.b_width
    for count, depth in roms:
        if depth >= engine.options.rom_block_from:
            blocks += rom_blocks(count * bits, depth, target)
        elif depth > 1:
            factors += count * bits * -(-depth // per_rom)
    for depth, width in more.memories:
        if depth >= engine.options.rom_block_from:
            blocks += rom_blocks(width, depth, target)
        else:
            stored += width * -(-depth // per_lut)
    waiting = sum(
        lines * width * (engine.front_registers + engine.product_latency(plan))
        for width, plan in zip(widths[:-1], engine.stage_plans, strict=True)
    )
    ways = zip(widths[:-1], engine.modes, strict=True)
    stage_words = sum(lanes * width for width in widths)
    settled = lanes * sum(engine.growth.settle_widths)
    edge = lanes * engine.plan.modulus_width * engine.edge_registers
    worst = max(found, key=lambda each: each.rows)
    control = engine.stages * (3 + operations.bit_length())
    return {
        "lut": {
            "multipliers": sum(m.adders * lines for m in found)
            + sum(m.adders for m in more.makers)
            + more.adders,
            "small tiles": sum(m.small * lines for m in found),
            "adders": lines * inside + lanes * lane,
            "both ways": lines * sum(width for width, modes in ways if len(set(modes)) > 1),
            "exchanged words": words,
            "stored words": stored,
            "tables": factors,
            "waiting lines": sum(lines * width for width in widths[:-1]),
            "edges": edge,
            "control": control,
        },
        "ff": {
            "multipliers": sum(m.registers * lines for m in found)
            + sum(m.registers for m in more.makers),
            "tiles": sum(m.tiles * lines for m in found) + sum(m.tiles for m in more.makers),
            "waiting": waiting,
            "words": stage_words + more.registers,
            "settled": settled,
            "edges": edge,
            "control": control,
        },
        "dsp": {
            "tiles": sum(m.dsp * many for m, many in zip(found, plain, strict=True))
            + sum(m.dsp for m in more.makers)
        },
        "bram18": {"memories": blocks},
        "ns arithmetic": clock_amounts(worst, max(widths), lines, short=engine.short),
    }


def clock_amounts(one: Multiplier, width: int, lines: int, *, short: bool) -> Mapping[str, float]:
    """Features of the clock: adder rows and their carries, multiplier blocks, and wires."""
    return {
        "base": 1,
        "rows": one.rows,
        "carries": one.rows * width,
        "small tiles": one.chain,
        "multiplier blocks": float(one.dsp > 0),
        "width": width,
        "lanes": (2 * lines).bit_length(),
        "short": float(short),
    }
