# SPDX-License-Identifier: Apache-2.0
"""`measure` sees what the simulated handshakes show, and the layouts foretell."""

from pathlib import Path
from typing import Any

import pytest

from nttforge.design import load_design, parse_design
from nttforge.flow.prepare import Prepared, prepare
from nttforge.kinds.stream import sim_budget
from nttforge.kinds.stream.measure import measure
from nttforge.table import markdown
from tests.unit.flow.conftest import SMALL
from tests.unit.simulate.toy import toy_core, toy_folder


def test_steady_state_and_latency(small: Any) -> None:
    result = measure(small, transforms=100)
    assert result.cycles_per_transform == 8
    assert result.transforms_measured == 100
    assert set(result.operations) == {"a.ntt", "a.intt", "b.ntt", "b.intt"}
    for operation in small.core.operations:
        figures = result.operations[operation.name]
        assert figures.cycles_per_transform == figures.cycles_longest == 8
        assert figures.latency_cycles == operation.latency
        assert figures.transforms == 100
    assert result.latency_cycles == max(op.latency for op in small.core.operations)
    assert {name: f.cycles_per_transform for name, f in result.mixed_rings.items()} == {
        "ntt": 8,
        "intt": 8,
    }
    assert sorted(result.mixed_rings["ntt"].operations) == ["a.ntt", "b.ntt"]


def test_turnarounds_are_those_of_the_layouts(small: Any) -> None:
    result = measure(small, transforms=100)
    names = {op.name: op for op in small.core.operations}
    assert len(result.turnarounds) == 4 * 3
    for turn in result.turnarounds:
        derived = small.core.turnaround(names[turn.before], names[turn.after])
        assert turn.input_idle_cycles == turn.output_idle_cycles == derived
        assert turn.turns >= 12
    assert result.turnaround_cycles["intt to ntt"] == 0
    assert result.turnaround_cycles["ntt to intt"] > 0
    assert result.mixed is not None
    assert 8 < result.mixed.cycles_per_transform < 8 + result.turnaround_cycles["ntt to intt"]


def test_seamless_never_waits() -> None:
    design = parse_design({**SMALL, "name": "seamless", "pipeline": {"seamless": True}}, "test")
    result = measure(prepare(design), transforms=100)
    assert result.mixed is not None
    assert result.mixed.cycles_per_transform == result.mixed.cycles_longest == 8
    assert set(result.turnaround_cycles.values()) == {0}


def test_a_slow_core_gets_fewer(small: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The count is in the result, and with it the same is measured again."""
    usual = measure(small)
    assert (usual.transforms_measured, usual.chosen) == (1000, None)
    monkeypatch.setattr(sim_budget, "_SECONDS", 0.0)
    few = measure(small, seed=5)
    assert few.transforms_measured == 20
    assert few.chosen is not None and few.chosen in markdown(few.shown())
    again = measure(small, transforms=20, seed=5)
    assert again.chosen is None
    assert (again.mixed, again.turnarounds) == (few.mixed, few.turnarounds)


def test_one_operation_has_no_mixtures(wide: Any) -> None:
    result = measure(wide, transforms=10)
    assert (result.mixed_rings, result.mixed, result.turnarounds) == ({}, None, [])
    assert result.cycles_per_transform == 4


def test_it_observes_and_does_not_derive(tmp_path: Path) -> None:
    """A core that is slower than it says is measured as it is."""
    core = toy_core()
    source = toy_folder(tmp_path, core) / "toy_stream.sv"
    text = source.read_text()
    slow = text.replace(
        "assign s_axis_tready = (", "assign s_axis_tready = in_q[0] == out_q[0] && ("
    )
    assert slow != text
    source.write_text(slow)
    result = measure(Prepared(core, tmp_path, load_design("ml-kem")), transforms=50)
    assert result.cycles_per_transform == pytest.approx(8, abs=0.1)
    assert result.latency_cycles > core.operations[0].latency


def test_markdown_has_every_sequence_and_no_times(small: Any) -> None:
    result = measure(small, transforms=20)
    text = markdown(result.page())
    for name, figures in result.operations.items():
        assert f"| {name} | 8 | {figures.cycles_longest} | {figures.latency_cycles} | 20 |" in text
    assert "| all operations, mixed |" in text
    assert f"ntt to intt {result.turnaround_cycles['ntt to intt']}" in text
    assert text == markdown(measure(small, transforms=20).page())
