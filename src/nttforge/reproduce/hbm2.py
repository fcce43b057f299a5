# SPDX-License-Identifier: Apache-2.0
"""What was measured of HBM2 on cards with FPGAs, beside the simulator's model of it.

Rates and latencies of the U280: Wang, Huang, Zhang, Alonso: Shuhai: Benchmarking High Bandwidth
Memory on FPGAs, FCCM 2020. The C1100's rate is what the winner of ZPrize 2022's transforms names of
its own card, 16 channels read and 16 written.
"""

import numpy as np

from nttforge.families.dram import HBM2, HBM2_U280, Dram
from nttforge.flow.prepare import Progress
from nttforge.reproduce.table import Paper, Rows
from nttforge.simulate.dram import linear, serve
from nttforge.table import Cell

COLUMNS = ["card", "what", "unit", "published", "the model", "of peak"]
CHANNELS = 32
_ATOMS = 1 << 17
_STRIDE = 1 << 14  # bytes: the same bank, the next row


def latencies(dram: Dram) -> tuple[float, float, float]:
    """Nanoseconds to the first word if its row is open, if none is, and if another one is."""
    row = 1 << dram.row_bits
    times = serve(dram, [0, 0, row], asked=1).times
    closed, hit, miss = (float(time) for time in times)
    return (
        hit - closed,
        closed + dram.latency,
        miss - hit,
    )


def strided(dram: Dram, burst: int) -> float:
    """Gigabytes a second of a channel in bursts of so many bytes, each in a bank's next row."""
    bursts = np.arange(_ATOMS // 8)[:, None] * _STRIDE
    words = bursts + np.arange(0, burst, dram.atom_bytes)
    return serve(dram, words.reshape(-1) % (1 << dram.channel_bits)).gbytes_s


def _rate(card: str, what: str, published: float | None, found: float, channels: int) -> list[Cell]:
    peak = channels * HBM2.peak_gbytes_s
    return [card, what, "GB/s", published, round(found, 1), f"{found / peak:.1%}"]


def _rows(clock: bool, progress: Progress) -> Rows:
    del clock
    progress("asking the model")
    rows: Rows = [
        _rate("U280", "32 channels are read", 425.0, CHANNELS * linear(HBM2_U280), CHANNELS),
        _rate(
            *("C1100", "16 channels are read, 16 written", 360.0),
            CHANNELS // 2 * (linear(HBM2) + linear(HBM2, write=True)),
            CHANNELS,
        ),
    ]
    names = ("the row is open", "no row is open", "another row is open")
    for name, published, found in zip(
        names, (106.7, 122.2, 137.8), latencies(HBM2_U280), strict=True
    ):
        rows.append(["U280", f"latency, {name}", "ns", published, round(found, 1), None])
    for burst in (64, 128, 256, 512):
        what = f"a channel, {burst} bytes of each row of one bank"
        rows.append(_rate("C1100", what, None, strided(HBM2, burst), 1))
    return rows


reproduce_hbm2 = Paper(
    "HBM2: what was measured, and what the model makes of it",
    COLUMNS,
    _rows,
    [
        "peak: 14.4 GB/s a channel, 256 bits at 450 MHz; GB/s of all channels, if not of one",
        "the U280 is refreshed every 3.9 us for 260 ns; the C1100, whose stacks are twice as high, "
        "for 350 ns, and twice as often, as warm stacks are: an assumption, with which the model "
        "loses about what the card was seen to lose",
    ],
)
