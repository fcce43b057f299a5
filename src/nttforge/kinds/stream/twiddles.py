# SPDX-License-Identifier: Apache-2.0
"""Loaded twiddle factors of stages: full tables, or products of short ones (docs/rns.md)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nttforge.config.fields import Direction
from nttforge.layout.schedule import Schedule, Stage
from nttforge.reduction.loaded import LoadedPlan
from nttforge.ring.ring import Ring

#: Enabled clocks of ntf_loaded_maker beside its products: table, register, two rows that centre.
MAKER_REGISTERS = 4


@dataclass(frozen=True)
class StageFactors:
    """Factors of a row of butterflies by the layouts; they change every 2^shift beats."""

    stages: tuple[Stage, ...]
    rom_of: tuple[int, ...]
    lines: tuple[int, ...]
    shift: tuple[int, ...]
    beats: int

    def length(self, path: int) -> int:
        """Factors of a table."""
        return self.beats >> self.shift[path]

    @property
    def longest(self) -> int:
        """Factors of the longest table."""
        return max(self.length(path) for path in range(len(self.shift)))

    def low(self, path: int) -> int:
        """Bits of a factor's number that the second table of what makes them is addressed by."""
        return (self.length(path).bit_length() - 1) // 2

    def block(self, path: int, line: int, number: int) -> int:
        """The block that a butterfly works on at factor `number` of a path."""
        at = self.stages[path]
        return at.layout.index(number << self.shift[path], line) >> at.index_bit + 1


def stage_factors(paths: Sequence[Schedule], stage: int) -> StageFactors:
    """Factors of a stage's butterflies."""
    stages = tuple(path.stages[stage] for path in paths)
    lane_bits, beats = stages[0].layout.lane_bits, stages[0].layout.beats
    shifts = []
    masks = []
    for at in stages:
        above = [bit > at.index_bit for bit in at.layout.bits]
        time = above[lane_bits:]
        shifts.append(time.index(True) if True in time else len(time))
        masks.append(sum(1 << lane for lane in range(lane_bits - 1) if above[lane]))
    kinds = [tuple(line & mask for mask in masks) for line in range(1 << lane_bits - 1)]
    roms = list(dict.fromkeys(kinds))
    return StageFactors(
        stages,
        tuple(roms.index(kind) for kind in kinds),
        tuple(kinds.index(rom) for rom in roms),
        tuple(shifts),
        beats,
    )


def factor(ring: Ring, direction: Direction, index_bit: int, block: int) -> int:
    """Factor of the butterflies of a block: `block_factors` of the engine, without all others."""
    stage = ring.depth - 1 - index_bit
    if direction == "ntt":
        return -ring.twiddle(stage, block) % ring.q
    return ring.inverse_twiddle(stage, block)


def table_words(
    ring: Ring, plan: LoadedPlan, directions: Sequence[Direction], stage: StageFactors
) -> Iterator[int]:
    """All factors, in the order of a load: by table, path and beat."""
    mask = (1 << plan.b_width) - 1
    for line in stage.lines:
        for path, direction in enumerate(directions):
            bit = stage.stages[path].index_bit
            for number in range(stage.length(path)):
                value = factor(ring, direction, bit, stage.block(path, line, number))
                yield plan.encode_for(ring.q, value) & mask


def maker_words(
    ring: Ring,
    plan: LoadedPlan,
    maker: LoadedPlan,
    directions: Sequence[Direction],
    stage: StageFactors,
) -> Iterator[int]:
    """What factors are made of, in the order of a load: high bits, low bits, other butterflies."""
    q, mask = ring.q, (1 << plan.b_width) - 1

    def at(path: int, line: int, number: int) -> int:
        bit = stage.stages[path].index_bit
        return factor(ring, directions[path], bit, stage.block(path, line, number))

    paths = range(len(directions))
    first = [at(path, 0, 0) for path in paths]
    unit = [pow(value, -1, q) for value in first]
    for path in paths:
        for number in range(stage.length(path) >> stage.low(path)):
            value = at(path, 0, number << stage.low(path))
            yield plan.encode_for(q, value) & mask
    for path in paths:
        for number in range(1 << stage.low(path)):
            yield maker.encode_for(q, at(path, 0, number) * unit[path] % q) & mask
    for line in stage.lines[1:]:
        for path in paths:
            yield maker.encode_for(q, at(path, line, 0) * unit[path] % q) & mask
