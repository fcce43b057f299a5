# SPDX-License-Identifier: Apache-2.0
"""The driver of designs that do jobs in memory: what it writes is done by the compiled RTL, and
what goes wrong ends in a code."""

import ctypes
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nttforge.flow.prepare import prepare, prepare_kind
from nttforge.host.driver import CODES, JobDriver, Outcome, Registers
from nttforge.hw import Core
from nttforge.hw.core import StreamCore
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.simulator import DecomposedSimulator
from nttforge.simulate.memory import JobResult, MemoryHost, MemoryModel
from nttforge.simulate.native import native_transform, random_words
from nttforge.simulate.shell_simulator import ShellSimulator
from tests.drivers.compilers import shared
from tests.end_to_end.test_folder_bench import design_of
from tests.rtl.shell.shells import check

CONTROL, STATUS, OPERATION, LOG_SIZE = 0x00, 0x18, 0x10, 0x14
ASKED = (STATUS, 0x20, 0x24, 0x28, 0x2C)


@dataclass
class StandIn:
    """A stand-in of the registers: a start calls `job` with what was written, which then ends after
    a few looks."""

    identity: int
    job: Callable[[list[tuple[int, int]]], dict[int, int]]
    rng: random.Random

    def __post_init__(self) -> None:
        self.values: dict[int, int] = {0x30: self.identity, OPERATION: 0}
        self.writes: list[tuple[int, int]] = []
        self.idle, self.done, self.left, self.waits = True, False, 0, 0
        self.bad: set[int] = set()
        self.late = False

    def read(self, address: int) -> int:
        if address in self.bad:
            raise OSError
        if address == CONTROL:
            if self.left:
                self.left -= 1
                self.idle = self.done = not self.left
            value = 4 * self.idle + 2 * self.done + (not self.idle)
            self.done = False
            return value
        return self.values[address]

    def write(self, address: int, value: int) -> None:
        if address in self.bad:
            raise OSError
        if address != CONTROL:
            if self.late:  # refused, and the bus does not tell
                return
            self.values[address] = value
            self.writes.append((address, value))
        elif value == 1:
            assert self.idle
            self.values |= self.job([w for w in self.writes if w[0] >= OPERATION])
            self.writes = []
            self.idle, self.left = False, self.rng.randrange(1, 9)

    def wait(self) -> None:
        self.waits += 1


class Driver(JobDriver):
    """The compiled driver of a core, on such registers."""

    def __init__(
        self,
        core: Core,
        folder: Path,
        place: Path,
        *,
        waits: bool = False,
        change: tuple[str, str] = ("", ""),
    ) -> None:
        header = core.shell.driver([]) if isinstance(core, StreamCore) else core.driver  # type: ignore[union-attr, attr-defined]
        for file in folder.glob("*.[ch]"):
            shutil.copy(file, place)
        source = place / f"{core.name}_driver.c"
        assert change[0] in source.read_text()
        if change[0]:
            source.write_text(source.read_text().replace(*change))
        identity: Any = header["identity"]
        self.registers = StandIn(int(identity), lambda _: {}, random.Random(1))
        access = Registers(
            self.registers.read, self.registers.write, self.registers.wait if waits else None
        )
        super().__init__(core.name, shared(source), header, access)


class Through:
    """A host whose jobs go through the driver: the RTL is given what the driver writes."""

    def __init__(self, host: MemoryHost, driver: Driver) -> None:
        self._inner, self._driver = host, driver
        assert driver.call("open", driver.io) == 0

    def close(self) -> None:
        self._inner.close()

    def job(
        self, channels: Any, writes: Any, asked: Any, buffers: Any, model: Any, **options: Any
    ) -> JobResult:
        driver, given = self._driver, dict(writes)
        job = driver.job_type(operation=given[OPERATION], log_size=given.get(LOG_SIZE, 0))
        for i, task in enumerate(job.tasks):
            at = 0x40 + 0x20 * i
            for name, offset in (("source", 0), ("target", 8), ("scratch", 0x18)):
                value = given.get(at + offset, 0) | given.get(at + offset + 4, 0) << 32
                setattr(task, name, value)
            task.count = given.get(at + 0x10, 0)
        seen: list[JobResult] = []

        def start(registers: list[tuple[int, int]]) -> dict[int, int]:
            answer = self._inner.job(channels, registers, ASKED, buffers, model, **options)
            seen.append(answer)
            return dict(zip(ASKED, answer.registers, strict=True))

        driver.registers.job = start
        outcome = Outcome()
        code = driver.call("run", job, outcome)
        (answer,) = seen
        status, low, high, cycles, cycles_high = answer.registers
        assert code == outcome.status == status & 255 and outcome.channel == status >> 8
        assert outcome.fault == low | high << 32 and outcome.cycles == cycles | cycles_high << 32
        known = driver.registers.values
        return replace(answer, registers=tuple(known.get(a, 0) for a in asked))


@pytest.fixture(params=["poll", "interrupt"])
def shell(request: Any, tmp_path: Path) -> Iterator[tuple[ShellSimulator, Driver]]:
    prepared = prepare(design_of("shell"))
    with ShellSimulator.build(prepared.core, prepared.folder) as simulator:
        waits = request.param == "interrupt"
        driver = Driver(prepared.core, prepared.folder, tmp_path, waits=waits)
        simulator._host = Through(simulator._host, driver)  # type: ignore[assignment]
        yield simulator, driver


def test_a_shell_does_what_the_driver_says(shell: tuple[ShellSimulator, Driver]) -> None:
    simulator, driver = shell
    for count in (1, 3, 20):
        check(simulator, count, count, MemoryModel(latency=20))
    assert (driver.registers.waits > 0) == bool(driver.io.wait)
    assert driver.call("close") == 0


def test_a_large_engine_does_what_the_driver_says(tmp_path: Path) -> None:
    prepared = prepare_kind(design_of("large"), DecomposedCore)
    driver = Driver(prepared.core, prepared.folder, tmp_path)
    rng = np.random.default_rng(3)
    with DecomposedSimulator.build(prepared.core, prepared.folder) as simulator:
        simulator._host = Through(simulator._host, driver)  # type: ignore[assignment]
        for operation in prepared.core.operations[:2]:
            for size in (prepared.core.least, prepared.core.largest):
                words = random_words(prepared.core.ring.q, (2, 1 << size), rng)
                got, run = simulator.transform(operation, words, seed=5)
                assert run.status == "ok"
                root = prepared.core.root(operation, size)
                q = prepared.core.ring.q
                assert (got == native_transform(q, root, words, inverse=operation.inverse)).all()


@pytest.mark.parametrize(
    ("old", "new"), [("task->source", "task->target"), ("(uint32_t)(value >> 32)", "0xffffu")]
)
def test_a_broken_driver_is_seen(old: str, new: str, tmp_path: Path) -> None:
    prepared = prepare(design_of("shell"))
    driver = Driver(prepared.core, prepared.folder, tmp_path, change=(old, new))
    with ShellSimulator.build(prepared.core, prepared.folder) as simulator:
        simulator._host = Through(simulator._host, driver)  # type: ignore[assignment]
        with pytest.raises(AssertionError):
            check(simulator, 3, 3, MemoryModel(latency=20))


def test_misuse_ends_in_a_code(tmp_path: Path) -> None:
    prepared = prepare(design_of("shell"))
    driver = Driver(prepared.core, prepared.folder, tmp_path)
    registers, io, outcome = driver.registers, driver.io, Outcome()
    job = driver.job_type()
    null = ctypes.c_void_p()
    assert driver.call("open", null) == CODES["ARGUMENT"]
    registers.values[0x30] += 1
    assert driver.call("open", io) == CODES["DEVICE"]
    assert driver.call("start", job) == CODES["LOST"]
    registers.values[0x30] -= 1
    registers.idle = False
    assert driver.call("open", io) == CODES["BUSY"]
    registers.idle = True
    for address in (CONTROL, 0x04, 0x08, 0x0C, 0x30):
        registers.bad = {address}
        assert driver.call("open", io) == CODES["BUS"]
    registers.bad = set()
    assert driver.call("open", io) == 0
    assert driver.call("poll", outcome) == driver.call("finish", outcome) == CODES["READY"]
    assert driver.call("start", null) == CODES["ARGUMENT"]
    for address in (OPERATION, 0x44, 0x50, 0x70, CONTROL):
        registers.bad = {address}
        assert driver.call("start", job) == CODES["BUS"]
    registers.bad = set()
    registers.job = lambda _: dict.fromkeys(ASKED, 0) | {STATUS: 0x0105, 0x24: 7}
    assert driver.call("start", job) == 0
    assert driver.call("start", job) == driver.call("close") == CODES["BUSY"]
    assert driver.call("finish", outcome) == 5
    assert (outcome.status, outcome.channel, outcome.fault) == (5, 1, 7 << 32)
    # Someone else's job, and one that is never over.
    registers.idle = False
    assert driver.call("start", job) == CODES["BUSY"]
    registers.idle = True
    assert driver.call("start", job) == 0
    registers.left, driver.device.patience = 10**9, 1000
    assert driver.call("finish", outcome) == CODES["TIMEOUT"]
    assert driver.call("start", job) == driver.call("poll", outcome) == CODES["LOST"]


def test_arguments_that_are_refused_start_no_job(tmp_path: Path) -> None:
    """After a time-out of the memory, before its answer: the earlier job is not delivered."""
    prepared = prepare_kind(design_of("large"), DecomposedCore)
    driver = Driver(prepared.core, prepared.folder, tmp_path)
    registers, done = driver.registers, list[dict[int, int]]()

    def do(writes: list[tuple[int, int]]) -> dict[int, int]:
        done.append(dict(writes))
        return dict.fromkeys(ASKED, 0)

    registers.job = do
    assert driver.call("open", driver.io) == 0
    for operation in (0, 1):
        job = driver.job_type(operation=operation, log_size=prepared.core.least)
        for registers.late in (True, False):
            expected = CODES["BUSY"] if registers.late else 0
            assert driver.call("run", job, Outcome()) == expected
    assert [job[OPERATION] for job in done] == [0, 1]


def test_every_code_has_words(tmp_path: Path) -> None:
    prepared = prepare_kind(design_of("large"), DecomposedCore)
    driver = Driver(prepared.core, prepared.folder, tmp_path)
    texts = [driver.message(code) for code in range(min(CODES.values()), 11)]
    assert len(set(texts)) == len(texts)
    assert driver.message(99) == driver.message(-99) == "no such code"
