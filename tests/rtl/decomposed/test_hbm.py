# SPDX-License-Identifier: Apache-2.0
"""Engines with high-bandwidth memory: every port has channels of its own, to read and to write."""

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from nttforge.errors import FaultError, NttforgeError
from nttforge.hw.dram import TRAFFIC
from nttforge.kinds.decomposed.measure import measure_decomposed
from nttforge.kinds.decomposed.simulator import (
    DecomposedJob,
    DecomposedRun,
    DecomposedSimulator,
    board,
)
from nttforge.kinds.decomposed.verify import reference, verify_decomposed
from nttforge.simulate.memory import Buffer, MemoryModel
from nttforge.simulate.native import random_words
from nttforge.simulate.stream import StallPattern
from tests.formal.proof import broken
from tests.rtl.decomposed.test_large import Engine, prepared_of

RING: dict[str, object] = {"q": 998244353}
#: Four ports of 64 bits, eight of them: of each word a byte, or less than that.
TABLES: dict[int, dict[str, Any]] = {4: {"n": 32, "t": 8}, 8: {"n": 64, "t": 16}}
PORTS = pytest.mark.parametrize("ports", TABLES)
PACKAGE, MEMORY, CONTROL = (f"ntf_decomposed_{n}.sv" for n in ("pkg", "memory", "control"))
WALKER, SEQUENCER = "ntf_burst_walker.sv", "ntf_round_sequencer.sv"
FAST = MemoryModel(latency=20)
#: Of two rounds, in several blocks of each bank.
SIZE, COUNT, STRIPE = 15, 2, 1 << 20


def engine_of(ports: int, **table: Any) -> Engine:
    keys = {"port_bits": 64, "l_max": SIZE, "memory": "hbm2", "clock_mhz": 300.0}
    return prepared_of(RING, **TABLES[ports] | keys | table)


class Opened:
    """Engines without data, by the number of ports."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._made: dict[int, DecomposedSimulator] = {}

    def __call__(self, ports: int) -> DecomposedSimulator:
        if ports not in self._made:
            prepared = engine_of(ports)
            build = DecomposedSimulator.build(prepared.core, prepared.folder, data=False)
            self._made[ports] = self._stack.enter_context(build)
        return self._made[ports]


@pytest.fixture(scope="module")
def opened() -> Iterator[Opened]:
    with ExitStack() as stack:
        yield Opened(stack)


def traffic(run: DecomposedRun, channels: range) -> list[dict[str, int]]:
    return [dict(zip(TRAFFIC, run.drams[channel], strict=True)) for channel in channels]


@PORTS
def test_each_channel_has_an_equal_part(opened: Opened, ports: int) -> None:
    """A round reads from one channel of each port and writes to the other; all as often."""
    engine = opened(ports)
    core = engine.core
    assert (core.ports, core.port_bytes) == (ports, 8)
    for size in (9, SIZE):
        run = engine.count(core.operations[0], size, 2)
        assert run.status == "ok"
        rounds = len(core.rounds(size))
        near, far = traffic(run, range(ports)), traffic(run, range(ports, 2 * ports))
        for side, reads, writes in ((near, 1, rounds - 1), (far, rounds - 1, 1)):
            for name, share in (("reads", reads), ("writes", writes)):
                # A burst of 16 bytes is one atom.
                expected = run.read_bursts // rounds * share
                assert [channel[name] for channel in side] == [expected] * ports
        assert not any(any(channel) for channel in run.drams[2 * ports :])


def test_measured_traffic_is_that_of_all_rounds() -> None:
    """Every round reads and writes each word once; linear streams are as fast as channels get."""
    prepared = engine_of(4)
    core = prepared.core
    for row in measure_decomposed(prepared, sizes=[9, SIZE], count=1).one:
        moved = 2 * row.rounds * core.word_bytes << row.size
        assert row.carried is not None
        assert row.carried.channels == 2 * core.ports
        assert row.carried.gbytes_s == round(moved * core.clock_mhz / 1e3 / row.cycles, 1)
        assert 0 < row.carried.of_peak < row.carried.of_usable < 1


def transformed(prepared: Engine, seed: int) -> bool:
    """Whether long transforms are right; random stalls, and each channel's refreshes."""
    core, rng = prepared.core, np.random.default_rng(seed)
    memory = board(core, stalls=StallPattern.random(0.2))
    with DecomposedSimulator.build(core, prepared.folder) as engine:
        for operation in (core.operations[0], core.operations[5]):
            words = random_words(core.ring.q, (COUNT, 1 << SIZE), rng)
            found, job = engine.transform(operation, words, memory, seed=seed)
            if job.status != "ok" or (found != reference(core, operation, words)).any():
                return False
    return True


@pytest.mark.parametrize("ports", [4, pytest.param(8, marks=pytest.mark.slow)])
def test_results(ports: int) -> None:
    """All operations and sizes under all memories."""
    prepared = engine_of(ports)
    result = verify_decomposed(prepared, count=1, seed=ports, largest=10)
    assert result.ok, result.mismatches or result.violation
    assert transformed(prepared, ports)


def run(engine: DecomposedSimulator, memory: MemoryModel, shift: int = 0) -> DecomposedRun:
    """A job whose buffers' parts are all in places of their own."""
    part = engine.core.part(SIZE, COUNT)
    source, target, scratch = (ports * STRIPE + shift for ports in (16, 32, 48))
    buffers = [
        Buffer(at + p * STRIPE, None, part)
        for at in (source, target, scratch)
        for p in range(engine.core.ports)
    ]
    job = DecomposedJob(0, SIZE, COUNT, source, target, scratch, STRIPE)
    return engine.run(job, buffers, memory)


@PORTS
def test_errors_name_their_channel(opened: Opened, ports: int) -> None:
    engine = opened(ports)
    for port in range(ports):
        for write in (False, True):
            first = np.array([(16, 32)[write] * STRIPE])
            place = int(engine.core.banks.spread(first)[0]) + port * STRIPE
            wrong: dict[str, Any] = {"bad_write" if write else "bad_read": place}
            ended = run(engine, replace(FAST, **wrong))
            assert ended.status == f"{'write' if write else 'read'} error"
            assert (ended.channel, ended.fault) == (2 * port + write, place)
    assert run(engine, FAST).status == "ok"


@pytest.mark.parametrize(
    ("ports", "channel"),
    [(4, 6), *(pytest.param(8, c, marks=pytest.mark.slow) for c in range(16))],
)
def test_a_channel_that_answers_late_or_never(opened: Opened, ports: int, channel: int) -> None:
    """The status names it; when the answers have come, the engine works on."""
    job = run(opened(ports), replace(FAST, silent=channel))
    assert (job.status, job.channel) == (("read timeout", "write timeout")[channel & 1], channel)
    assert (job.repeated, job.resumed) == (job.status, "ok")


def test_blocks_that_are_spread_are_aligned(opened: Opened) -> None:
    engine = opened(4)
    block = engine.core.banks.block
    assert run(engine, FAST, block).status == "ok"
    for shift in (block // 2, 4096, 16):
        ended = run(engine, FAST, shift)
        assert (ended.status, ended.channel) == ("misaligned", 0)
        assert ended.read_bursts == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "good", "bad"),
    [
        (PACKAGE, "% 32'(cfg.bank_bits)] ^= addr[i];", "% 32'(cfg.bank_bits)] = addr[i];"),
        (PACKAGE, "+ 32'(cfg.bank_bits); i < 32'", "+ 32'(cfg.bank_bits) + 1; i < 32'"),
        (MEMORY, "spread(read_burst_addr, Cfg)", "read_burst_addr"),
        (MEMORY, "spread(write_burst_addr, Cfg)", "write_burst_addr"),
        (WALKER, ">> LogBeat;", ">> 0;"),
        (SEQUENCER, ">> LogBurst;", ">> LogBurst << 1;"),
        (CONTROL, "assign spread_o     = stripe_q[0];", "assign spread_o     = 1'b0;"),
    ],
)
def test_mutants_are_caught(file: str, good: str, bad: str, tmp_path: Path) -> None:
    prepared = engine_of(4)
    copytree(prepared.folder, tmp_path / "design")
    (place,) = (tmp_path / "design").rglob(file)
    broken(place, good, bad, place.parent)
    with suppress(FaultError):
        assert not transformed(replace(prepared, folder=tmp_path / "design"), seed=1)


def test_what_does_not_fit_is_refused(opened: Opened) -> None:
    with pytest.raises(NttforgeError, match=r"decomposed\.b: .* longer than those of HBM2's ports"):
        engine_of(4, b=32)
    engine = opened(4)
    with pytest.raises(NttforgeError, match=r"sizes: .* do not fit half a channel .* or fewer"):
        engine.count(engine.core.operations[0], SIZE, 1 << 16)
