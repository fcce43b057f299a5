# SPDX-License-Identifier: Apache-2.0
"""The model of a DRAM does what was measured, and each of its times is one that it keeps."""

from dataclasses import replace

import numpy as np
import pytest

from nttforge.hw.dram import HBM2, HBM2_U280, Dram
from nttforge.simulate.dram_model import latencies, linear, serve

ROW, BANK, HIGH_GROUP, GROUP = 1 << 14, 1 << 11, 1 << 13, 1 << 5
#: Without refreshes, which closed forms need not know.
CALM = replace(HBM2, refresh_period=0.0)
MANY = 1 << 12
CHANNELS = 32


def apart(dram: Dram, addresses: object, writes: object = False, asked: int = 64) -> float:
    """Nanoseconds from one atom to the next one, in the long run."""
    times = serve(dram, addresses, writes, asked=asked).times  # type: ignore[arg-type]
    half = len(times) // 2
    return float(times[-1] - times[half]) / (len(times) - 1 - half)


def test_what_was_measured() -> None:
    """Reads of 32 channels; 16 that are read and 16 that are written; latencies, in cycles."""
    assert CHANNELS * linear(HBM2_U280) == pytest.approx(425, rel=0.01)
    both = CHANNELS // 2 * (linear(HBM2) + linear(HBM2, write=True))
    assert both == pytest.approx(360, rel=0.025)
    cycles = [round(time * 0.45) for time in latencies(HBM2_U280)]
    assert cycles == [48, 55, 62]


def test_what_refreshes_leave_is_never_exceeded() -> None:
    for dram in (HBM2, HBM2_U280):
        assert 0.96 < linear(dram) / dram.usable_gbytes_s < 1
        assert dram.usable_gbytes_s < dram.peak_gbytes_s == pytest.approx(14.4)


@pytest.mark.parametrize(
    ("what", "addresses", "writes", "expected"),
    [
        ("linear", np.arange(MANY) * 32, False, CALM.column),
        ("one group", np.arange(16) * 64, False, CALM.same_group),
        ("one bank, a row each", np.arange(MANY) * ROW, False, CALM.open_least + CALM.close),
        (
            "one bank, written, a row each",
            np.arange(MANY) * ROW,
            True,
            CALM.open + CALM.write_close + CALM.close,
        ),
        (
            "16 banks, a row each",
            np.arange(MANY) % 16 // 2 * BANK
            + np.arange(MANY) % 2 * GROUP
            + np.arange(MANY) // 16 * ROW,
            False,
            CALM.four_opens / 4,
        ),
        (
            "back and forth",
            np.zeros(MANY),
            np.arange(MANY) % 2,
            (CALM.read_write + CALM.write_read) / 2,
        ),
    ],
)
def test_closed_forms(what: str, addresses: object, writes: object, expected: float) -> None:
    assert apart(CALM, addresses, writes) == pytest.approx(expected, rel=1e-3), what


def test_rows_open_apart() -> None:
    """Two banks: tRRD; a bank that was read may be closed tRTP after it, if that is later."""
    first, second = serve(CALM, [0, BANK]).times
    assert second - first == pytest.approx(CALM.open_open)
    # Sixteen atoms of a row, then the next row of that bank.
    times = serve(CALM, [*(np.arange(32) * 32), ROW]).times
    assert times[32] - times[30] == pytest.approx(CALM.read_close + CALM.close + CALM.open)


def test_refreshes_close_all_rows() -> None:
    """Nothing is served meanwhile, and what was open is opened again."""
    dram = replace(HBM2, refresh_period=1000.0, refresh=300.0)
    served = serve(dram, np.arange(1 << 14) % 64 * 32, asked=1 << 14)
    gaps = np.diff(served.times)
    waits = gaps[gaps > 2 * dram.same_group]
    assert len(waits) == served.refreshes - 1 or len(waits) == served.refreshes
    assert (waits >= dram.refresh + dram.open).all()
    assert (waits <= dram.read_close + dram.close + dram.refresh + dram.open + 20).all()
    assert served.opened == 2 * (served.refreshes + 1)  # two groups of banks
    assert serve(replace(dram, refresh_period=0.0), [0]).refreshes == 0


def test_who_waits_for_answers_pays_for_latency() -> None:
    slow = apart(CALM, np.arange(MANY) * 32, asked=1)
    assert slow == pytest.approx(CALM.latency, rel=0.05)


def test_an_idle_channel_is_refreshed_in_time() -> None:
    """Long behind, all rows are closed and nothing is owed."""
    dram = replace(HBM2, latency=1e6)
    first, second = serve(dram, [0, 0], asked=1).times
    assert second - first - dram.latency == pytest.approx(dram.open, abs=dram.refresh + dram.close)
