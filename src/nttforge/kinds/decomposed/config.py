# SPDX-License-Identifier: Apache-2.0
"""Keys of the decomposed family."""

from typing import Literal

from pydantic import Field, field_validator

from nttforge.config.family import FamilyConfig
from nttforge.config.fields import Rate, Reduction, Root
from nttforge.config.ring_table import RingTable
from nttforge.ring.ring import Ring

#: Of words for one that is read.
MOST_BLOWUP = 16


class DecomposedTable(FamilyConfig):
    """Parameters of the decomposed family, for transforms that do not fit on the chip."""

    n: int = Field(default=64, ge=8, le=256)
    """Size of the kernel, a power of two."""
    t: int = Field(default=16, ge=4, le=64)
    """Words a beat of the memory and of the kernel, a power of two."""
    b: int = Field(default=8, ge=2, le=64)
    """Beats of a memory's burst, a power of two; a burst has 256 words at most."""
    digit: int = Field(default=0, ge=0, le=8)
    """Most bits of an index's digits; log2 n if 0. Each bit less makes the buffer a fourth, and
    some sizes take a pass more. No less than log2 t, nor than log2 n - log2 t."""
    port_bits: Literal[64, 128, 256, 512, 1024] = 1024
    """Bits of a memory port's word, at most: a wider beat is shared by several ports, each with its
    part of all words and with bursts of its own."""
    kernels: Literal[1, 2] = 1
    """Kernels of an engine, one after the other: with two a round takes a pass less, for a second
    buffer and twice the multipliers."""
    engines: Literal[1, 2, 4] = 1
    """Engines that take the groups of each round by turns, each with memory ports of its own."""
    own_channels: bool = False
    """Each of several engines reads from memory channels that are its own, and buffers are laid out
    for it; else all engines share the channels of a side."""
    l_max: int = Field(default=28, ge=4, le=36)
    """log2 of the largest transform."""
    made: int = Field(default=1, ge=1, le=32)
    """Twiddles that the generator makes a cycle, a power of two up to t/2, with a multiplier each:
    more of them let small transforms start sooner."""
    coset: Root | None = None
    """g of the operations `coset.ntt` and `coset.intt`, whose values are those at g w^k; no root of
    unity of an order up to 2^l_max. There are no such operations if it is left out."""
    coset_inverse: bool = True
    """With `coset`: there is `coset.intt`, too, for which all stages of the kernel multiply, where
    some could have but shifted; else only the way there, for two rows of the ROM of roots."""
    blowup: int = Field(default=1, ge=1, le=MOST_BLOWUP)
    """What a job may ask for at most, a power of two: words of a forward transform for one that its
    source has; the others are zeros, and are not read."""
    adders_per_stage: int = Field(default=4, ge=1, le=8)
    """Adder rows between two registers: 1 for the highest clock."""
    reduction: Reduction = "auto"
    """Kind of the modular reduction; `auto` takes the one of least measured cost."""
    memory: Literal["ddr4", "hbm2"] = "ddr4"
    """What simulations have at the ports: a channel a direction with the rates below, or the
    pseudo-channels of HBM2, one a port and side, whose rates are their own."""
    clock_mhz: Rate = 165.0
    """Clock by which simulations turn the memory's speed into words a cycle."""
    channel_gbytes_s: Rate = 11.0
    """What DDR4 does in one direction, all ports together: a burst takes the longer one of
    its bytes at this rate, and of its bytes at `peak_gbytes_s` and `burst_ns`."""
    peak_gbytes_s: Rate = 19.2
    """See `channel_gbytes_s`."""
    burst_ns: Rate = 40.0
    """Nanoseconds that a burst takes besides, see `channel_gbytes_s`."""
    latency_cycles: int = Field(default=100, ge=1, le=4096)
    """Latency of DDR4, which reading must hide."""

    @field_validator("n", "t", "b", "made", "blowup")
    @classmethod
    def _power_of_two(cls, value: int) -> int:
        if value & (value - 1):
            raise ValueError("it is not a power of two")
        return value

    def ring(self, table: RingTable) -> Ring:
        """The ring of the largest size: the family takes every one."""
        return table.ring_of_size(self.l_max)
