# SPDX-License-Identifier: Apache-2.0
"""Memories as they are described and were measured; docs/hbm.md has the sources."""

import ctypes
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from nttforge.c_struct import DOUBLE, U64, members

Places = npt.NDArray[np.int64]


class DramTiming(ctypes.Structure):
    """`struct DramTiming` of simulate/dram.h, field by field."""

    _fields_ = members(
        (U64, "channel_bits row_bits atom_bytes group_mask bank_mask"),
        (DOUBLE, "column same_group open close open_least open_open four_opens"),
        (DOUBLE, "read_close write_close read_write write_read refresh_period refresh"),
    )


#: `struct DramTraffic`: atoms that a channel read and wrote, rows that it opened, its refreshes;
#: and a bit for each of those who read.
TRAFFIC = ("reads", "writes", "opened", "refreshes", "readers")


@dataclass(frozen=True)
class Dram:
    """A channel of a DRAM, in nanoseconds.

    - `channel_bits`, `row_bits`: log2 of the bytes of a channel; the lowest address bit of a row's
      number.
    - `atom_bytes`: what a column command moves.
    - `group_mask`, `bank_mask`: address bits that choose a group of banks, and a bank in it.
    - `column`, `same_group`: from a column command to one of another group, and of the same one
      (tCCD_S, tCCD_L).
    - `open`, `close`, `open_least`: a row opens, closes, stays open (tRCD, tRP, tRAS).
    - `open_open`, `four_opens`: from a row's opening to the next one's, and to the fourth one's
      after it (tRRD, tFAW).
    - `read_close`, `write_close`: from a column command to the closing of its row (tRTP; CWL, the
      burst and tWR).
    - `read_write`, `write_read`: from a column command to one of the other direction.
    - `refresh_period`, `refresh`: from one refresh to the next one, and how long it takes (tREFI,
      tRFC).
    - `latency`: from a request of what is in an open row to its first word, with the way there and
      back.
    """

    channel_bits: int
    row_bits: int
    atom_bytes: int
    group_mask: int
    bank_mask: int
    column: float
    same_group: float
    open: float
    close: float
    open_least: float
    open_open: float
    four_opens: float
    read_close: float
    write_close: float
    read_write: float
    write_read: float
    refresh_period: float
    refresh: float
    latency: float

    def timing(self, clock_mhz: float = 1e3) -> DramTiming:
        """Its times in cycles of a clock, or in nanoseconds."""
        given = {name: getattr(self, name) for name, *_ in DramTiming._fields_}
        scale = clock_mhz / 1e3
        return DramTiming(**{n: v * scale if isinstance(v, float) else v for n, v in given.items()})

    @property
    def streamed(self) -> float:
        """Gigabytes a second of a channel that is read from one end to the other, but for rows."""
        return self.atom_bytes / self.column * (1 - self.refresh / self.refresh_period)

    @property
    def banks(self) -> "Banks":
        """Address bits that select a bank and may depend on its row: those just below it."""
        mask, low = self.group_mask | self.bank_mask, self.row_bits
        while low and mask >> (low - 1) & 1:
            low -= 1
        return Banks(low, self.row_bits - low, self.channel_bits)

    @property
    def peak_gbytes_s(self) -> float:
        """Of a channel, if it did nothing but carry words."""
        return self.atom_bytes / self.column

    @property
    def usable_gbytes_s(self) -> float:
        """Peak bandwidth without refreshes."""
        return self.peak_gbytes_s * (1 - self.refresh / self.refresh_period)


@dataclass(frozen=True)
class Banks:
    """Address bits that choose a bank: `bits` from `low` on; `high`: log2 of channel bytes."""

    low: int = 0
    bits: int = 0
    high: int = 0

    @property
    def block(self) -> int:
        """Bytes whose order is changed if they are spread."""
        return 1 << (self.low + self.bits)

    def spread(self, addresses: Places) -> Places:
        """Address of bytes, if a block's bank depends on all bits of its row."""
        result = addresses.copy()
        for bit in range(self.low + self.bits, self.high):
            result ^= (addresses >> bit & 1) << (self.low + (bit - self.low) % self.bits)
        return result


_CYCLE = 1 / 0.9  # 1.8 Gb/s a pin

#: A pseudo-channel of two stacks of 4 GB, Alveo U280. Its address bits, from the top: row, bank
#: group, bank, column, bank group, as the controller has them if nothing else is said.
HBM2_U280 = Dram(
    channel_bits=28,
    row_bits=14,
    atom_bytes=32,
    group_mask=1 << 13 | 1 << 5,
    bank_mask=3 << 11,
    column=2 * _CYCLE,
    same_group=4 * _CYCLE,
    open=14 * _CYCLE,
    close=14 * _CYCLE,
    open_least=33.0,
    open_open=4 * _CYCLE,
    four_opens=30.0,
    read_close=6 * _CYCLE,
    write_close=(4 + 2 + 16) * _CYCLE,
    read_write=(14 + 2 + 2 - 4) * _CYCLE,
    write_read=(4 + 2 + 8) * _CYCLE,
    refresh_period=3900.0,
    refresh=260.0,
    latency=48 / 0.45,
)

#: A pseudo-channel of two stacks of 8 GB, Varium C1100: rows of twice the number, which take longer
#: to refresh, and are refreshed twice as often, as warm ones are.
HBM2 = replace(HBM2_U280, channel_bits=29, refresh_period=1950.0, refresh=350.0)
