# SPDX-License-Identifier: Apache-2.0
"""Keys of the memory shell."""

from typing import Literal

from pydantic import Field

from nttforge.config.fields import ConfigTable, Rate


class ShellTable(ConfigTable):
    """Parameters of the memory shell; a design with this table gets one."""

    instances: int = Field(default=1, ge=1, le=64)
    """Engines, each with a memory channel to read and one to write."""
    data_width: Literal[64, 128, 256, 512, 1024] | None = None
    """Bits of a channel's word, a power of two from 64 to 1024; if it is not given, what carries a
    beat, but 512 at most."""
    packing: Literal["packed", "words"] = "packed"
    """`packed`: a coefficient takes ceil(log2 q) bits in memory; `words`: 16, 32, 64, ... bits."""
    burst_bytes: Literal[64, 128, 256, 512, 1024, 2048, 4096] = 1024
    """Length of a whole burst, a power of two up to 4096."""
    latency_cycles: int = Field(default=160, ge=1, le=4096)
    """Latency of the memory that reading must hide."""
    timeout_cycles: int = Field(default=1 << 20, ge=0, le=(1 << 31) - 1)
    """A job ends with an error when a channel has owed an answer for so many cycles, 256 more
    than the latency at least; 0 is never."""
    channel_gbytes_s: Rate = 8.3
    """Bandwidth of a channel, by which the number of butterflies is chosen if it is not given."""
    clock_mhz: Rate = 306.0
    """Clock by which it is chosen."""

    def butterflies(self, n: int, width: int) -> int:
        """Butterflies a stage that a channel can feed: StreamNTT, section IV-C.

        EBW / (width * f_clk), rounded down to a power of two from 1 to n/2.
        """
        fed = self.channel_gbytes_s * 8e3 / (width * self.clock_mhz)
        return min(n // 2, 1 << (max(1, int(fed)).bit_length() - 1))
