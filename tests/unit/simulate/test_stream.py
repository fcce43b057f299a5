# SPDX-License-Identifier: Apache-2.0
"""The harness streams rightly, measures rightly, and catches every broken clause."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from nttforge.errors import FaultError, NttforgeError
from nttforge.simulate.build import build_simulator
from nttforge.simulate.stream import (
    StallPattern,
    StreamSimulator,
)
from tests.unit.simulate.toy import toy_core, toy_folder

BUSY = {
    "source": StallPattern.random(0.3),
    "sink": StallPattern.random(0.5),
    "probe": True,
}


def signals(trace: npt.NDArray[np.uint8]) -> dict[str, npt.NDArray[np.bool_]]:
    names = ("s_valid", "s_ready", "m_valid", "m_ready")
    return {name: (trace >> bit & 1).astype(bool) for bit, name in enumerate(names)}


def open_toy(tmp_path: Path, with_reset: Any = 1, **form: Any) -> Any:
    core = toy_core(**form)
    return StreamSimulator.build(core, toy_folder(tmp_path, core, with_reset))


def expected(core: Any, operations: Any, polynomials: Any) -> Any:
    """What the toy does: add, in stream order."""
    rows = []
    for op, row in zip(operations, polynomials, strict=True):
        total = [0] * len(row)
        into, out = op.input_layout.order().reshape(-1), op.output_layout.order().reshape(-1)
        for i, o in zip(into, out, strict=True):
            total[o] = (int(row[i]) + op.code % 2 + 1) % 2**core.stream.word_bits
        rows.append(total)
    return np.array(rows, dtype=object)


@pytest.mark.parametrize(
    "form",
    [
        {"lanes": 2, "word_bits": 3},
        {"lanes": 1, "word_bits": 17, "beats": 8},
        {"lanes": 2, "word_bits": 32},
        {"lanes": 4, "word_bits": 23},
        {"lanes": 2, "word_bits": 64},
        {"lanes": 2, "word_bits": 65},
        {"lanes": 4, "word_bits": 255, "beats": 2},
    ],
    ids=str,
)
def test_every_word_size_arrives(tmp_path: Path, form: dict[str, Any]) -> None:
    simulator = open_toy(tmp_path, **form)
    core = simulator.core
    rng = np.random.default_rng(form["word_bits"])
    operations = [core.operations[i] for i in rng.integers(0, 2, 50)]
    n = core.operations[0].ring.n
    polynomials = np.array(
        [
            [int.from_bytes(rng.bytes(40)) % 2 ** form["word_bits"] for _ in range(n)]
            for _ in range(50)
        ],
        dtype=object,
    )
    polynomials[0] = 2 ** form["word_bits"] - 1
    for options in ({}, BUSY):
        run = simulator.stream(operations, polynomials, seed=5, **options)
        assert (run.outputs == expected(core, operations, polynomials)).all()


def test_a_model_that_is_not_optimised_streams_too(tmp_path: Path) -> None:
    core = toy_core(lanes=4, word_bits=255, beats=2)
    folder = toy_folder(tmp_path, core)
    simulator = StreamSimulator(core, build_simulator(folder, core.name, short=True))
    operations, polynomials = [*core.operations], np.array([[*range(8)]] * 2, dtype=object)
    run = simulator.stream(operations, polynomials, seed=5)
    assert (run.outputs == expected(core, operations, polynomials)).all()


def test_batches_come_back_as_they_went(tmp_path: Path) -> None:
    simulator = open_toy(tmp_path)
    forward, inverse = simulator.core.operations
    a, b = np.arange(24).reshape(3, 8), np.arange(8).reshape(1, 8)
    results = simulator.transform([(forward, a), (inverse, b), (forward, a[:0])])
    assert [r.shape for r in results] == [(3, 8), (1, 8), (0, 8)]
    assert (results[0] == expected(simulator.core, [forward] * 3, a)).all()
    assert (results[1] == expected(simulator.core, [inverse], b)).all()
    assert simulator.transform([]) == []


def test_cycles_are_those_of_the_handshakes(tmp_path: Path) -> None:
    simulator = open_toy(tmp_path)
    operation = simulator.core.operations[0]
    gaps = np.array([3, 0, 7])
    run = simulator.stream([operation] * 3, np.zeros((3, 8), int), gaps=gaps, trace_cycles=40)
    assert run.first_in.tolist() == [3, 7, 18]
    assert run.last_in.tolist() == [6, 10, 21]
    assert run.first_out.tolist() == [4, 8, 19]
    assert run.latency.tolist() == [5, 5, 5]
    trace = signals(run.trace)
    taken = np.flatnonzero(trace["s_valid"] & trace["s_ready"])
    given = np.flatnonzero(trace["m_valid"] & trace["m_ready"])
    assert taken.tolist() == [*range(3, 11), *range(18, 22)]
    assert given.tolist() == [*range(4, 12), *range(19, 23)]


def test_stalls_depend_on_the_seed_alone(tmp_path: Path) -> Any:
    simulator = open_toy(tmp_path)
    operations = [simulator.core.operations[0]] * 30
    zeros = np.zeros((30, 8), int)

    def trace(data: Any, seed: Any) -> Any:
        return simulator.stream(
            operations, data, seed=seed, trace_cycles=500, **BUSY
        ).trace.tolist()

    assert trace(zeros, 1) == trace(zeros + 4711, 1)
    assert trace(zeros, 1) != trace(zeros, 2)
    assert len(set(trace(zeros, 1))) > 6


def test_stall_patterns_have_the_rates_they_name(tmp_path: Path) -> None:
    simulator = open_toy(tmp_path)
    operations, zeros = [simulator.core.operations[0]] * 2000, np.zeros((2000, 8), int)
    for pattern, rate in [
        (StallPattern.random(0.25), 0.75),
        (StallPattern.bursts(20, 60), 0.25),
        (StallPattern(1.0, 1.0), 0.5),
    ]:
        run = simulator.stream(operations, zeros, sink=pattern, seed=3, trace_cycles=100000)
        assert signals(run.trace)["m_ready"].mean() == pytest.approx(rate, abs=0.05)
    with pytest.raises(ValueError):
        StallPattern(0.5, 0.0)


@pytest.mark.parametrize(
    ("fault", "kinds"),
    [
        (1, {"tlast", "tuser"}),  # repeats a beat
        (2, {"tlast", "tuser"}),  # loses a beat
        (3, {"unstable"}),
        (4, {"combinational"}),  # tready to tready
        (5, {"dropped"}),
        (6, {"tlast"}),
        (7, {"tuser"}),
        (8, {"stuck"}),
        (9, {"superfluous"}),
        (12, {"combinational"}),  # tvalid waits for tready
        (14, {"assertion"}),
    ],
)
def test_faults_are_caught(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], fault: int, kinds: Any
) -> None:
    simulator = open_toy(tmp_path, fault=fault)
    core = simulator.core
    operations = [core.operations[i % 2] for i in range(10)]
    with pytest.raises(FaultError) as caught:
        simulator.stream(operations, np.ones((10, 8), int), seed=8, **BUSY)
    assert caught.value.kind in kinds
    assert "seed 8" in str(caught.value)
    assert capfd.readouterr().out == ""
    with pytest.raises(FaultError):  # the simulator is usable after a violation, or a crash
        simulator.stream(operations, np.ones((10, 8), int), seed=8, **BUSY)


def test_faults_that_are_not_of_the_contract_show_in_data_and_trace(tmp_path: Path) -> None:
    simulator = open_toy(tmp_path / "wrong", fault=11)
    core = simulator.core
    operations, zeros = [core.operations[0]] * 10, np.zeros((10, 8), int)
    run = simulator.stream(operations, zeros)
    assert (run.outputs != expected(core, operations, zeros)).sum() == 1

    simulator = open_toy(tmp_path / "timing", fault=10)
    operations = [simulator.core.operations[0]] * 10
    traces = [
        simulator.stream(operations, data, seed=1, trace_cycles=200, **BUSY).trace.tolist()
        for data in (zeros, zeros + 1)
    ]
    assert traces[0] != traces[1]


def test_a_register_without_reset_is_noticed(tmp_path: Path) -> None:
    simulator = open_toy(tmp_path, with_reset=0)
    with pytest.raises(FaultError):
        simulator.stream([simulator.core.operations[0]] * 10, np.zeros((10, 8), int))


def test_words_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    simulator = open_toy(tmp_path)
    for bad in (2**23, -1):
        with pytest.raises(NttforgeError, match="23 bits"):
            simulator.transform([(simulator.core.operations[0], np.full((1, 8), bad))])
