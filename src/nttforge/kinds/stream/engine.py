# SPDX-License-Identifier: Apache-2.0
"""The pipeline as an engine: schedules, modes and factors from its layouts."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from nttforge.config.fields import Direction, Order
from nttforge.design import Design
from nttforge.hw.common import (
    fewest_butterflies,
)
from nttforge.hw.engine import Engine, EngineOptions
from nttforge.hw.growth import COOLEY_TUKEY, GENTLEMAN_SANDE, PASS
from nttforge.kinds.stream.config import PipelineTable
from nttforge.layout.layout import Layout
from nttforge.layout.schedule import Schedule, schedule
from nttforge.layout.streams import stream_layout
from nttforge.reduction import MultiplierPlan
from nttforge.ring.ring import Ring


def operation_schedule(
    order: Order, depth: int, lane_bits: int, direction: Direction, skipped: int = 0
) -> Schedule:
    """Exchanges of a transform; the lowest `skipped` index bits stay on their lanes."""
    forward = direction == "ntt"
    layout = stream_layout(order, depth, lane_bits, coefficients=forward)
    bits = range(skipped, depth)
    return schedule(layout, bits[::-1] if forward else bits)


def butterfly_mode(ring: Ring, direction: Direction, index_bit: int) -> int:
    """Mode of butterflies that pair `index_bit`; an incomplete transform passes some through."""
    if index_bit < ring.depth - ring.layers:
        return PASS
    return COOLEY_TUKEY if direction == "ntt" else GENTLEMAN_SANDE


@lru_cache(maxsize=1024)
def block_factors(ring: Ring, direction: Direction, index_bit: int) -> tuple[int, ...]:
    """Factors of the butterflies that pair `index_bit`, one a block; Cooley-Tukey's are negated."""
    mode, stage = butterfly_mode(ring, direction, index_bit), ring.depth - 1 - index_bit
    if mode == PASS:
        return (1,) * (ring.n >> (index_bit + 1))
    if mode == COOLEY_TUKEY:
        return tuple(-factor % ring.q for factor in ring.twiddles[stage])
    return ring.inverse_twiddles[stage]


def stage_factor(ring: Ring, direction: Direction, index_bit: int, index: int) -> int:
    """Factor of the butterfly whose pair differs in `index_bit` and holds coefficient `index`."""
    return block_factors(ring, direction, index_bit)[index >> (index_bit + 1)]


@dataclass(frozen=True)
class Pipeline(Engine):
    """A pipeline design, elaborated."""

    design: Design
    rings: tuple[Ring, ...]
    multiplier: MultiplierPlan

    @property
    def table(self) -> PipelineTable:
        """Its parameters."""
        return self.design.table(PipelineTable)

    @property
    def plan(self) -> MultiplierPlan:
        """The multiplier, but where shifts will do."""
        return self.multiplier

    @property
    def depth(self) -> int:
        """log2 of the transform's size."""
        return self.rings[0].depth

    @property
    def skipped(self) -> int:
        """Index bits that no ring pairs, and that stay on their lanes."""
        if self.table.order != "natural":
            return 0
        return min(self.lane_bits - 1, *(ring.depth - ring.layers for ring in self.rings))

    @cached_property
    def lines(self) -> int:
        """Butterflies a stage."""
        return butterflies(self.design, self.rings)

    @cached_property
    def paths(self) -> tuple[Schedule, ...]:
        """The schedules, one a direction."""
        return tuple(
            operation_schedule(
                self.table.order, self.depth, self.lane_bits, direction, self.skipped
            )
            for direction in self.design.directions
        )

    @cached_property
    def codes(self) -> tuple[tuple[int, int], ...]:
        """(ring, path) of each operation code."""
        return tuple(
            (ring, path) for ring in range(len(self.rings)) for path in range(len(self.paths))
        )

    @cached_property
    def output_layouts(self) -> tuple[Layout, ...]:
        """Layout of the output, by path."""
        order = self.table.order
        return tuple(
            stream_layout(order, self.depth, self.lane_bits, coefficients=direction == "intt")
            for direction in self.design.directions
        )

    @cached_property
    def options(self) -> EngineOptions:
        """As its table says."""
        table = self.table
        return EngineOptions(
            seamless=table.seamless,
            may_shift=table.reduction == "auto" and not self.short,
            ram_block_from=table.ram_block_from,
            rom_block_from=table.rom_block_from,
            lut_tile=table.lut_tile,
            fused=table.fused,
            flow_control=table.flow_control,
            ram_ultra_from=table.ram_ultra_from or 0,
        )

    def _of(self, code: int) -> tuple[Ring, Direction]:
        ring, path = self.codes[code]
        return self.rings[ring], self.design.directions[path]

    def mode(self, code: int, index_bit: int) -> int:
        """Mode of the butterflies that pair `index_bit` in an operation."""
        return butterfly_mode(*self._of(code), index_bit)

    def factor(self, code: int, index_bit: int, index: int) -> int:
        """Factor of the butterfly whose pair differs in `index_bit` and holds word `index`."""
        return stage_factor(*self._of(code), index_bit, index)

    def factors(self, code: int, index_bit: int, indices: Sequence[int]) -> list[int]:
        """:meth:`factor` of many words."""
        blocks = block_factors(*self._of(code), index_bit)
        return [blocks[index >> (index_bit + 1)] for index in indices]

    def same_factor(self, index_bit: int, index: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The first index of the block that a butterfly's pair is in."""
        return index >> (index_bit + 1) << (index_bit + 1)

    def stage_factors(self, code: int, index_bit: int) -> Set[int]:
        """All factors of the butterflies that pair `index_bit`: one a block of twice as many."""
        return set(block_factors(*self._of(code), index_bit))


def butterflies(design: Design, rings: Sequence[Ring]) -> int:
    """Butterflies a stage: as given, or for an interval, or what channels of a shell can feed."""
    table, n = design.table(PipelineTable), rings[0].n
    if table.interval is not None:
        return fewest_butterflies(
            "pipeline", table.interval, n // 2, lambda lines: n // (2 * lines)
        )
    if design.shell is None or "butterflies" in table.model_fields_set:
        return table.butterflies
    return design.shell.butterflies(n, max(ring.width for ring in rings))
