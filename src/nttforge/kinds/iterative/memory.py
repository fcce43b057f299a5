# SPDX-License-Identifier: Apache-2.0
"""The kind of a core's memory: flip-flops, distributed RAM or block RAM, by measured cost."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from nttforge.reduction.constant import LUTS_PER_BLOCK, LUTS_PER_FLOP
from nttforge.targets import Target

Material = Literal["registers", "distributed", "block"]
MATERIALS: tuple[Material, ...] = ("registers", "distributed", "block")

#: Measured area by target, material and depth; written by
#: `python -m tests.costs`.
COSTS_FILE = Path(__file__).with_name("memory_costs.json")
#: Bits of a bank as it was measured: those of a block RAM at its widest.
MEASURED_WIDTH = 36


#: Bits of a small block RAM, and those that it can read in a cycle.
BLOCK_BITS, BLOCK_WIDTH = 18 * 1024, 36


def least_block_rams(words: int, width: int, lines: int) -> int:
    """Least block RAMs (18 Kbit) that hold the words and read `lines` pairs of words a cycle."""
    return max(-(-words * width // BLOCK_BITS), 2 * -(-lines * width // BLOCK_WIDTH))


@dataclass(frozen=True)
class Area:
    """Area of both halves of a memory."""

    lut: int
    ff: int
    block: int

    def scaled(self, width: int) -> "Area":
        """That of a memory whose halves have so many bits, if this one's have MEASURED_WIDTH."""
        of_half = -(-self.block * width // (2 * MEASURED_WIDTH))
        return Area(
            -(-self.lut * width // MEASURED_WIDTH),
            -(-self.ff * width // MEASURED_WIDTH),
            2 * of_half,
        )

    @property
    def score(self) -> float:
        """One number to compare by, in look-up tables."""
        return self.lut + LUTS_PER_FLOP * self.ff + LUTS_PER_BLOCK * self.block


_USUAL = "xcup"


@cache
def measured() -> Mapping[tuple[str, str], Mapping[int, Area]]:
    """Measured area by target and material, then by words a bank."""
    table = json.loads(COSTS_FILE.read_text("utf-8"))
    return {
        (target, material): {int(depth): Area(*area) for depth, area in row.items()}
        for target, materials in table.items()
        for material, row in materials.items()
    }


def cheapest(
    target: Target, width: int, depth: int, among: tuple[Material, ...] = MATERIALS
) -> Material:
    """The material of least measured cost for banks of `depth` words of two `width`-bit halves."""
    scores = {}
    for material in among:
        rows = measured().get((target, material), measured()[_USUAL, material])
        fitting = [(d, a) for d, a in rows.items() if d >= depth]
        if fitting:
            scores[material] = min(fitting, key=lambda row: row[0])[1].scaled(width).score
    return min(scores, key=scores.__getitem__) if scores else "block"
