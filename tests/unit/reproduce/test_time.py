# SPDX-License-Identifier: Apache-2.0
"""Time is cycles over a clock that was placed; without one there is none."""

import pytest

from nttforge.flow.stream.measure import MeasureResult, Throughput
from nttforge.reproduce import time
from nttforge.reproduce.time import TIME_COLUMNS, time_cells
from nttforge.results import Clock
from nttforge.table import markdown

CLOCK = Clock(device="a device", mhz=150.0, seeds=[1, 2], lut4=4000)


def measured() -> MeasureResult:
    row = Throughput(
        operations=["a.ntt"],
        cycles_per_transform=128,
        cycles_longest=128,
        latency_cycles=300,
        transforms=9,
    )
    return MeasureResult(
        design="d",
        latency_cycles=300,
        cycles_per_transform=128,
        transforms_measured=9,
        operations={"a.ntt": row},
        mixed_rings={},
        mixed=None,
        turnarounds=[],
        turnaround_cycles={},
        seed=0,
        seconds=1.0,
    )


def test_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "clock_of", lambda *_, **__: CLOCK)
    cells = time_cells(None, measured())  # type: ignore[arg-type]
    assert dict(zip(TIME_COLUMNS, cells, strict=True)) == {
        "MHz, ECP5": "150",
        "latency, us": "2",
        "a transform, us": "0.853",
        "1000 LUT4 x us": "3.41",
    }


def test_a_measurement_shows_time_only_with_a_clock() -> None:
    plain = measured()
    assert not [*plain.times()]
    timed = plain.model_copy(update={"clock": CLOCK})
    assert "| a.ntt | 2.0 | 0.853 | 3.41 |" in markdown(timed.page())
    assert "150.0 MHz on a device, best of seeds 1, 2." in markdown(timed.page())
