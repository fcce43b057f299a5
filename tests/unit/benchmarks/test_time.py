# SPDX-License-Identifier: Apache-2.0
"""Time is cycles over a clock that was placed; without one there is none."""

from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from benchmarks import subject
from benchmarks.reproduce import papers, table
from nttforge.design import Design, load_design
from nttforge.errors import NttforgeError, TooLargeError
from nttforge.flow import clock
from nttforge.flow.prepare import prepare_any
from nttforge.flow.timing import timing
from nttforge.kinds.stream.measure import MeasureResult, Throughput
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
    """Of the design as built for ECP5, with --place alone."""
    targets: list[str] = []

    def prepared(design: Design) -> Any:
        targets.append(design.target)
        return SimpleNamespace(core=design)

    monkeypatch.setattr(subject, "prepare_any", prepared)
    monkeypatch.setattr(subject, "clock_of", lambda *_, **__: CLOCK)
    bench = SimpleNamespace(measure=lambda *_: measured())
    monkeypatch.setattr(subject, "backend_of", lambda _: bench)
    paper, _ = papers()["r2mdc"]
    columns = paper.columns[-4:]
    paper = paper.model_copy(update={"columns": columns, "rows": [{"design": "ml-kem"}]})
    made = table(paper, None, clock=True)
    assert dict(zip(made.columns, made.rows[0], strict=True)) == {
        "MHz, ECP5": "150",
        "latency, us": "2",
        "a transform, us": "0.853",
        "1000 LUT4 x us": "3.41",
    }
    assert {*targets} == {"ecp5"} and table(paper, None, clock=False).rows == [[None] * 4]


def test_a_measurement_shows_time_only_with_a_clock() -> None:
    plain = measured()
    assert not [*plain.times()]
    timed = plain.model_copy(update={"clock": CLOCK})
    assert "| a.ntt | 2.0 | 0.853 | 3.41 |" in markdown(timed.page())
    assert "150.0 MHz on a device, best of seeds 1, 2." in markdown(timed.page())


def test_of_what_does_not_fit_the_clock_is_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    """And its page says so; another failure of nextpnr stays one."""
    prepared = prepare_any(load_design("ml-kem", {"target": "ecp5"}))

    def full(*_: object, **__: object) -> NoReturn:
        raise TooLargeError("nextpnr", "the design takes more", "place a part of it")

    def missing(*_: object, **__: object) -> NoReturn:
        raise NttforgeError("nextpnr", "it is not installed", "install it")

    monkeypatch.setattr(clock, "pnr", full)
    found = clock.clock_of(prepared)
    assert (found.mhz, found.seeds) == (timing(prepared, paths=1).fmax_mhz, [])
    assert found.lut4 > 1000
    timed = measured().model_copy(update={"clock": found})
    assert f"{found.mhz} MHz, estimated for an LFE5U-85F" in markdown(timed.page())
    monkeypatch.setattr(clock, "pnr", missing)
    with pytest.raises(NttforgeError, match="not installed"):
        clock.clock_of(prepared)
