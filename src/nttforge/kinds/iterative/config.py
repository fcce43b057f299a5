# SPDX-License-Identifier: Apache-2.0
"""Keys of the iterative family."""

from typing import Literal

from pydantic import Field

from nttforge.config.family import StreamConfig
from nttforge.config.fields import LARGEST, Depth, Reduction


class IterativeTable(StreamConfig):
    """Parameters of the iterative family."""

    butterflies: int = Field(default=1, ge=1, le=LARGEST // 2)
    """Butterflies in the one row that every pass uses; a beat has twice as many coefficients."""
    memory: Literal["auto", "registers", "banks"] = "auto"
    """`registers`, or `banks` of distributed or block RAM; `auto` takes what costs least by
    measured area."""
    short: bool = False
    """Butterflies of two clocks, for as few cycles as possible where a pass has few groups: the
    clock is slower. It takes no notice of `adders_per_stage`."""
    adders_per_stage: int = Field(default=2, ge=1, le=8)
    """Adder rows between two registers: 1 for the highest clock, more for fewer cycles where a pass
    has few groups. Up to 2 there are registers at the stream's edges and after memories, too."""
    reduction: Reduction = "auto"
    """Kind of the modular reduction; `auto` takes the one of least measured cost."""
    lut_tile: int | None = Field(default=None, ge=0, le=12)
    """A multiplier tile of at most so many bits on one side is made of LUTs instead of a DSP block;
    without it, those that cost less so, as far as `adders_per_stage` allows: two bits take an adder
    row. 0 makes all of them DSP blocks; 6 bits are one of two in a product of 23."""
    pairs: bool = False
    """Rings of narrow moduli whose transform ends with pairs of coefficients, as ML-KEM's, beside
    one of a wide modulus: a word is such a pair, and each butterfly two narrow ones."""
    slots: int = Field(default=0, ge=0, le=1024)
    """Polynomials that the core keeps, 0 for as few as its operations need: one for transforms, two
    for products, three in rings whose transform ends with pairs. With more of them operations fill
    each other's waiting."""
    ram_block_from: Depth | None = None
    """Words a bank from which banks are block RAM, instead of what costs least."""
    rom_block_from: Depth = 128
    """Factors a table from which it is block RAM."""
