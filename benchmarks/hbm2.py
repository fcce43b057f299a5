# SPDX-License-Identifier: Apache-2.0
"""The simulator's model of HBM2, asked what was measured on cards."""

import numpy as np

from nttforge.hw.dram import HBM2, HBM2_U280
from nttforge.simulate.dram_model import latencies, linear, serve

CHANNELS = 32
#: Of all channels, in GB/s.
READ = CHANNELS * linear(HBM2_U280)
BOTH_WAYS = CHANNELS // 2 * (linear(HBM2) + linear(HBM2, write=True))
_ATOMS = 1 << 17
_STRIDE = 1 << 14  # bytes: the same bank, the next row
OPEN, CLOSED, OTHER = latencies(HBM2_U280)


def strided(burst: int) -> float:
    """Gigabytes a second of a channel in bursts of so many bytes, each in a bank's next row."""
    bursts = np.arange(_ATOMS // 8)[:, None] * _STRIDE
    words = bursts + np.arange(0, burst, HBM2.atom_bytes)
    return serve(HBM2, words.reshape(-1) % (1 << HBM2.channel_bits)).gbytes_s


def of_peak(found: float, channels: int = 1) -> str:
    """A rate over the peak of so many channels."""
    return f"{found / (channels * HBM2.peak_gbytes_s):.1%}"
