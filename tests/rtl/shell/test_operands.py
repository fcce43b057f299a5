# SPDX-License-Identifier: Apache-2.0
"""Shells around operations with several operands, and around words of two coefficients."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nttforge.design import parse_design
from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared, prepare
from nttforge.flow.reference import operands, reference
from nttforge.hw import StreamCore
from nttforge.kinds.stream.run import run_file
from nttforge.kinds.stream.shell import MEMORIES, measure_shell
from nttforge.kinds.stream.verify import verify
from nttforge.simulate.shell_simulator import Buffer, ShellSimulator, Task
from tests.mutants import mutated
from tests.rtl.shell.shells import BANK

PRODUCTS: dict[str, Any] = {
    "name": "dut",
    "family": "iterative",
    "rings": [{"n": 16, "q": 97}],
    "operations": ["ntt", "intt", "pointwise", "mac", "polymul"],
    "iterative": {"butterflies": 2},
    "shell": {"instances": 2, "data_width": 64, "burst_bytes": 128},
}
# A word is two coefficients of 12 bits, or one of 23; polynomials of the first are half as long.
PAIRS: dict[str, Any] = PRODUCTS | {
    "rings": [{"name": "a", "n": 16, "q": 3329, "layers": 3}, {"name": "b", "n": 16, "q": 8380417}],
    "operations": ["ntt", "intt"],
    "iterative": {"butterflies": 1, "pairs": True},
    "shell": {"data_width": 128, "packing": "words"},
}
DESIGNS = {"products": PRODUCTS, "pairs": PAIRS, "pairs, packed": PAIRS | {"shell": {}}}


def made(data: dict[str, Any]) -> Prepared[StreamCore]:
    return prepare(parse_design(data, "test"))


def check(simulator: ShellSimulator, memory: str, count: int, seed: int) -> None:
    """A job of each operation."""
    rng = np.random.default_rng(seed)
    for operation in simulator.core.operations:
        batch = operands(operation, count, simulator.core.operands, rng)
        outputs, job = simulator.transform(operation, batch, MEMORIES[memory], seed)
        assert job.status == "ok"
        assert (outputs == reference(operation, batch)).all(), operation.name


@pytest.mark.parametrize("name", DESIGNS)
def test_results_behind_every_memory(name: str) -> None:
    prepared = made(DESIGNS[name])
    with ShellSimulator.build(prepared.core, prepared.folder) as opened:
        for seed, memory in enumerate(MEMORIES):
            for count in (1, 2, 3, 41):
                check(opened, memory, count, seed)


@pytest.fixture(scope="module")
def simulator() -> Any:
    prepared = made(PRODUCTS)
    with ShellSimulator.build(prepared.core, prepared.folder) as opened:
        yield opened


def test_buffers_are_as_long_as_what_is_read_and_written(simulator: ShellSimulator) -> None:
    """The target may begin where the operands end, which may be the end of all addresses."""
    for operation in simulator.core.operations:
        reads = simulator.shell.read_bytes(operation.code)
        writes = simulator.shell.write_bytes(operation.code)
        assert reads == operation.operands * writes == operation.operands * 14
        count = 8  # whole words of the channel
        buffer = np.zeros(count * (reads + writes), np.uint8)
        tasks = [Task(0, count * reads, count), Task(BANK, 2 * BANK, 0)]
        assert simulator.run(operation.code, tasks, [Buffer(0, buffer)]).status == "ok"
        tasks[0] = Task(0, count * reads - 8, count)
        assert simulator.run(operation.code, tasks, [Buffer(0, buffer)]).status == "overlap"
        tasks[0] = Task(8, 0, count)
        low = Buffer(0, buffer)
        refused = simulator.run(operation.code, tasks, [low])
        assert refused.status == "overlap"
        end = (1 << 64) - count * reads
        tasks[0] = Task(end, 0, count)
        high = Buffer(end, np.zeros(count * reads, np.uint8))
        assert simulator.run(operation.code, tasks, [low, high]).status == "ok"
        tasks[0] = Task(end + 8, 0, count)
        assert simulator.run(operation.code, tasks, [low, high]).status == "out of range"


def test_nothing_but_the_results_is_written(simulator: ShellSimulator) -> None:
    for operation in simulator.core.operations:
        read, write = (
            3 * each(operation.code)
            for each in (simulator.shell.read_bytes, simulator.shell.write_bytes)
        )
        target = np.full(write + 64, 0x5A, np.uint8)
        buffers = [Buffer(0, np.zeros(read, np.uint8)), Buffer(BANK, target)]
        job = simulator.run(operation.code, [Task(0, BANK, 3), Task(0, 0, 0)], buffers)
        assert job.status == "ok"
        assert (target[write:] == 0x5A).all() and not target[:write].any()


def test_run_and_measure_go_through_memory(tmp_path: Path) -> None:
    prepared = made(PRODUCTS)
    operation = prepared.core.operations[3]
    rng = np.random.default_rng(0)
    batch = operands(operation, 5, 3, rng)
    np.save(tmp_path / "x.npy", batch)
    result = run_file(prepared, "mac", tmp_path / "x.npy", tmp_path / "y.npy")
    assert result.ok
    assert (np.load(tmp_path / "y.npy") == reference(operation, batch)).all()
    observed = measure_shell(prepared, 200, rng)
    assert all(job.ok and job.efficiency > 0.9 for job in observed.jobs)


MUTANTS = [
    ("shell/ntf_shell_instance.sv", "read_units_i - UnitsW'(1)", "read_units_i"),
    ("shell/ntf_shell_instance.sv", "last_unit ? '0 :", "1'b0 ? '0 :"),
    ("shell/ntf_shell_instance.sv", ".words_i     (read_words_q)", ".words_i     (write_words_q)"),
    ("shell/ntf_shell_lengths.sv", "times(sum_q, reads_q)", "times(sum_q, writes_q)"),
    ("shell/ntf_shell_control.sv", "work_q | some;", "some;"),
    (
        "shell/ntf_shell_control.sv",
        "side_q ? write_bytes[other_q] : read_bytes[other_q]",
        "write_bytes[other_q]",
    ),
    ("../dut_shell.sv", "read_bytes[i]})", "read_bytes[0]})"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "old", "new"), MUTANTS)
def test_mutants_are_caught(file: str, old: str, new: str, tmp_path: Path) -> None:
    mutant = mutated(made(PRODUCTS), tmp_path / "dut", f"rtl/{file}", old, new)
    with (
        pytest.raises((AssertionError, FaultError)),
        ShellSimulator.build(mutant.core, mutant.folder) as opened,
    ):
        check(opened, "random", 41, 0)
        test_buffers_are_as_long_as_what_is_read_and_written(opened)


def test_verify_sees_a_mutant_of_the_shell(tmp_path: Path) -> None:
    """A shell that is wrong around a core that is right is found."""
    prepared = made(PRODUCTS)
    result = verify(prepared, transforms=60)
    assert result.ok and result.in_memory > 60
    broken = mutated(
        prepared,
        tmp_path / "dut",
        "rtl/shell/ntf_shell_instance.sv",
        "beat_data[l*StoreW+:CoefW]",
        "beat_data[(Lanes-1-l)*StoreW+:CoefW]",
    )
    result = verify(broken, transforms=60)
    assert not result.ok
    assert result.wrong_transforms and {m.phase for m in result.mismatches} == {"in memory"}
