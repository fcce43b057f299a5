# SPDX-License-Identifier: Apache-2.0
"""Candidate iterative cores, and their estimates."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from nttforge.config.requirements import Requirements
from nttforge.design import Design
from nttforge.hw.common import block_rams
from nttforge.hw.resources import (
    ROM_WORDS,
    ResourceEstimate,
    ResourceFeatures,
    clock_amounts,
    cycles_of,
    multiplier,
    rom_blocks,
    varying,
)
from nttforge.kinds.iterative.build import operations_of
from nttforge.kinds.iterative.config import IterativeTable
from nttforge.kinds.iterative.engine import Iterative, elaborate
from nttforge.kinds.iterative.factors import divisions
from nttforge.kinds.iterative.memory import measured

_USUAL = "xcup"


def table_sizes(core: Iterative) -> tuple[list[tuple[int, int]], bool]:
    """((tables, words) by group, whether inverse factors are made), from layouts alone."""
    apart = _arranged(core, halved=False)
    shared = _arranged(core, halved=True)
    width, least = core.plan.modulus_width, min(depth for _, depth in shared)
    if core.pair_plan is not None or least < core.table.rom_block_from:
        return apart, False
    less = _blocks(shared, width) < _blocks(apart, width)
    return (shared, True) if less else (apart, False)


def _blocks(sizes: list[tuple[int, int]], width: int) -> int:
    return sum(count * block_rams(depth, width) for count, depth in sizes)


def _arranged(core: Iterative, *, halved: bool) -> list[tuple[int, int]]:
    """As :func:`arrange`; `halved`: the inverse's factors are made from the forward one's."""
    lengths: dict[tuple[int, str, int], dict[int, int]] = {}
    for each, (number, _) in zip(core.programs, core.codes, strict=True):
        cyclic = not core.rings[number].negacyclic
        for step in each.steps:
            if step.kind == "product":
                continue
            kind = "forward" if halved and step.kind == "inverse" and not cyclic else step.kind
            bit = step.way.index_bit
            lanes, depth = (set[int](), 1) if kind == "load" else varying(step.way.layout, bit)
            tables = 1 << len(lanes)
            # In a cyclic ring the factors of one pass are the first ones of the next.
            passes = lengths.setdefault((number, kind, tables), {})
            passes[0 if cyclic else bit] = max(passes.get(0 if cyclic else bit, 0), depth)
    by_kind: dict[int, int] = {}
    for (_, _, tables), passes in lengths.items():
        by_kind[tables] = by_kind.get(tables, 0) + sum(passes.values())
    kinds = sorted(by_kind)
    best = [(kinds[-1], sum(by_kind.values()))]
    for runs in divisions(len(kinds)):
        sizes = [(kinds[run[-1]], sum(by_kind[kinds[i]] for i in run)) for run in runs]
        deep = min(depth for _, depth in sizes) >= core.table.rom_block_from
        if len(runs) > 1 and deep:
            width = core.plan.modulus_width
            best = min(best, sizes, key=lambda found: _blocks(found, width))
    return best


def _memory(core: Iterative) -> tuple[float, float, int]:
    """LUTs, flip-flops and block RAMs of the memory, as measured for words of its depth."""
    target, width = core.design.target, core.lines * core.residue_bits
    rows = measured().get((target, core.material), measured()[_USUAL, core.material])
    depth = next((depth for depth in sorted(rows) if depth >= core.words), max(rows))
    area = rows[depth].scaled(width)
    return area.lut, area.ff, area.block * max(1, -(-core.words // depth))


def _features(core: Iterative) -> ResourceFeatures:
    lines, lanes, width = core.lines, 2 * core.lines, core.residue_bits
    # A pair's multiplier is ntf_mul_pair.sv, whose tiles are blocks, with two narrow reductions.
    one = multiplier(core.plan, 0 if core.pair_plan else core.lut_tile)
    narrow = core.pair_plan and multiplier(core.pair_plan)
    lut, ff, blocks = _memory(core)
    per_rom = ROM_WORDS.get(core.design.target, ROM_WORDS[_USUAL])
    tables = 0
    sizes, halved = table_sizes(core)
    for count, depth in sizes:
        if depth >= core.table.rom_block_from:
            blocks += rom_blocks(count * core.plan.b_width, depth, core.design.target)
        elif depth > 1:
            tables += count * core.plan.b_width * -(-depth // per_rom)
    words, passes = lanes * width, core.pass_count * len(core.programs)
    group_bits, address_bits = core.groups.bit_length() - 1, (core.words - 1).bit_length()
    # What goes along with a group until its results are written: two addresses, and what it is of.
    along = 8 + 2 * address_bits + (len(core.codes) - 1).bit_length()
    waits = max((wait for row in core.waits for wait in row), default=0)
    state = 2 + group_bits + waits.bit_length() + core.pass_count.bit_length()
    return {
        "lut": {
            "multipliers": lines * (one.adders + (2 * narrow.adders if narrow else 0)),
            "small tiles": lines * one.small,
            "adders": lines * width,
            "products": lines * width * core.products,
            "both ways": lines * width * (len(core.design.operations) > 1),
            "moduli": lines * width * (len(core.plan.moduli) - 1),
            "words": words,
            "crossed words": words * core.lane_bits,
            "turned words": words * (core.lane_bits > 1),
            "chosen factors": lines * core.plan.b_width * (len(sizes) - 1),
            "halved factors": lines * width * halved,
            "memory": lut,
            "tables": tables,
            "passes": passes * core.contexts,
            "state": state * core.contexts,
            "choice": (core.contexts - 1) * (state + along),
            "addresses": 2 * address_bits,
            "along": along * -(-core.butterfly_latency // 16),
            "base": 1,
        },
        "ff": {
            "multipliers": lines * (one.registers + (2 * narrow.registers if narrow else 0)),
            "tiles": lines * one.tiles,
            "waiting": lines * width * core.butterfly_latency,
            "words": words,
            "deep words": words * core.deep,
            "memory": ff,
            "state": (state + 16) * core.contexts,
            "along": along * core.butterfly_latency,
            "base": 1,
        },
        "dsp": {"tiles": lines * one.dsp},
        "bram18": {"memories": blocks},
        "ns arithmetic": {
            **clock_amounts(one, width, lines, short=core.table.short),
            "products": float(core.products),
            "block RAM": float(core.block_ram and not core.read_registers),
            "distributed RAM": float(core.material == "distributed" and not core.read_registers),
        },
        "ns control": {
            "base": 1,
            "contexts": (core.contexts - 1).bit_length(),
            "groups": group_bits,
            "passes": (passes - 1).bit_length(),
            "products": float(core.products),
            "block RAM": float(core.block_ram),
            "at once": float(not core.deep),
        },
    }


def choices(need: Requirements) -> Iterator[Mapping[str, Any]]:
    """Butterflies, contexts, multipliers in DSP blocks or LUTs, pairs; registers if they matter."""
    pace = list(need.paces(IterativeTable().adders_per_stage))
    tiles: tuple[dict[str, Any], ...] = ({}, {"lut_tile": 0}, {"lut_tile": 12})
    pairs: tuple[dict[str, Any], ...] = ({}, {"pairs": True})[: min(2, len(need.rings))]
    slots: tuple[dict[str, Any], ...] = ({}, {"slots": 2}, {"slots": 4})
    for butterflies in need.butterflies(each_stage=False):
        for parts in product(slots, tiles, pairs, pace):
            yield {"butterflies": butterflies, **{k: v for d in parts for k, v in d.items()}}


def estimate(design: Design) -> ResourceEstimate:
    """Estimate of an iterative core before synthesis."""
    core = elaborate(design)
    intervals = (core.interval(code) for code in range(len(core.codes)))
    return ResourceEstimate(cycles_of(operations_of(core), intervals), _features(core))
