# SPDX-License-Identifier: Apache-2.0
"""Several engines, each of which reads from memory channels of its own: docs/hbm.md."""

import ctypes
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from nttforge.design import load_design, parse_design
from nttforge.errors import FaultError, NttforgeError
from nttforge.flow.prepare import prepare_kind
from nttforge.host.driver import driver_texts, job_type
from nttforge.hw.dram import TRAFFIC
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.lower_bounds import waiting_floor
from nttforge.kinds.decomposed.measure import measure_decomposed
from nttforge.kinds.decomposed.simulator import (
    DecomposedJob,
    DecomposedRun,
    DecomposedSimulator,
    to_memory,
)
from nttforge.kinds.decomposed.verify import memories, verify_decomposed
from nttforge.simulate.build import build_c
from nttforge.simulate.memory import Buffer, MemoryModel
from tests.formal.proof import broken
from tests.rtl.decomposed.test_large import LEAST, Engine, prepared_of

RING: dict[str, Any] = {"q": 998244353}
#: 2^12 to 2^14 words take two rounds of groups enough for four engines.
OWN: dict[str, Any] = {"own_channels": True, "port_bits": 64, "memory": "hbm2", "clock_mhz": 300.0}
SHORT: dict[str, Any] = {"digit": 3, "l_max": 13}
#: Bursts of 32 words, and transforms from 16 words on.
LONG_BURSTS: dict[str, Any] = {"n": 16, "t": 4, "b": 8, "l_max": 13}
EXAMPLE = Path(__file__).parents[3] / "examples" / "hbm-64-four.toml"


def own(engines: int, **table: Any) -> Engine:
    return prepared_of(RING, engines=engines, **OWN | table)


@pytest.fixture(scope="module")
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture(scope="module")
def whole(opened: ExitStack) -> DecomposedSimulator:
    """Two engines with their words."""
    prepared = own(2, **SHORT)
    return opened.enter_context(DecomposedSimulator.build(prepared.core, prepared.folder))


@pytest.fixture(scope="module")
def two(opened: ExitStack) -> DecomposedSimulator:
    """The same without."""
    prepared = own(2, **SHORT)
    build = DecomposedSimulator.build(prepared.core, prepared.folder, data=False)
    return opened.enter_context(build)


@pytest.fixture(scope="module")
def four(opened: ExitStack) -> DecomposedSimulator:
    prepared = own(4)
    build = DecomposedSimulator.build(prepared.core, prepared.folder, data=False)
    return opened.enter_context(build)


def test_results() -> None:
    """All operations and sizes, under all memories."""
    result = verify_decomposed(own(2, **SHORT), count=1, seed=2, largest=10)
    assert result.ok, result.mismatches or result.violation


@pytest.mark.parametrize("engines", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_transforms_shorter_than_a_burst(engines: int) -> None:
    """Several of them are in what is a burst of longer ones, and each is another engine's."""
    prepared = own(engines, **LONG_BURSTS)
    least = prepared.core.least
    assert least < prepared.core.shape.p
    for count in (1, engines, 2 * engines + 1):
        result = verify_decomposed(prepared, count=count, seed=count, sizes=(least, least + 1))
        assert result.ok, result.mismatches or result.violation


@pytest.mark.slow
@pytest.mark.parametrize(("engines", "channels", "largest"), [(2, 4, 20), (4, 8, 18)])
def test_long_transforms(engines: int, channels: int, largest: int) -> None:
    """Every size to 2^18, and to 2^20 once; so many channels to read, and as many to write."""
    prepared = own(engines, l_max=largest)
    assert prepared.core.engines * prepared.core.ports == channels
    result = verify_decomposed(prepared, seed=channels, largest=largest)
    assert result.ok, result.mismatches or result.violation
    assert result.sizes[-1] == largest


@pytest.mark.slow
@pytest.mark.parametrize("memory", ["hbm2", "ddr4"])
@pytest.mark.parametrize("table", [{}, SHORT], ids=["long digits", "short digits"])
@pytest.mark.parametrize("engines", [2, 4])
def test_results_of_all_sizes(engines: int, table: dict[str, Any], memory: str) -> None:
    prepared = own(engines, **table, memory=memory)
    for count in (1, 3, 2 * engines):
        result = verify_decomposed(prepared, count=count, seed=engines)
        assert result.ok, result.mismatches or result.violation


def test_the_machine_without_words_takes_the_same_cycles(
    whole: DecomposedSimulator, two: DecomposedSimulator
) -> None:
    for seed, (name, memory) in enumerate(memories(two.core).items()):
        operation = two.core.operations[seed]
        for size, batch in ((8, 3), (11, 2)):
            first, second = (
                at.count(operation, size, batch, memory, seed=seed) for at in (whole, two)
            )
            assert first.status == "ok", name
            assert first == second, (name, size)


@pytest.mark.slow
def test_half_of_a_batch_keeps_every_engine_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that what the other half adds is the cycles of a transform: each fits a round, on one."""
    monkeypatch.setattr("nttforge.kinds.decomposed.measure._BATCH_WORDS", 4 << 10)
    (batch,) = measure_decomposed(own(4), sizes=[10]).batches
    assert batch.transforms == 8
    assert 0.5 < batch.more_of_floor < 1.05


@pytest.mark.slow
def test_four_machines_without_words_take_the_same_cycles(four: DecomposedSimulator) -> None:
    prepared = own(4)
    with DecomposedSimulator.build(prepared.core, prepared.folder) as engine:
        for seed, (name, memory) in enumerate(memories(four.core).items()):
            operation = four.core.operations[(0, 4, 5)[seed % 3]]
            runs = [at.count(operation, 14, 2, memory, seed=seed) for at in (engine, four)]
            assert runs[0].status == "ok", name
            assert runs[0] == runs[1], name


def traffic(run: DecomposedRun) -> list[dict[str, int]]:
    """Of the channels that were used."""
    return [dict(zip(TRAFFIC, channel, strict=True)) for channel in run.drams if any(channel)]


@pytest.mark.parametrize("code", [0, 4, 5])
@pytest.mark.parametrize(("size", "batch"), [(13, 1), (14, 1), (13, 3), (9, 8)])
def test_reads_meet_no_others(four: DecomposedSimulator, code: int, size: int, batch: int) -> None:
    """Each channel's reads come from one engine; all channels of a side have as many."""
    run = four.count(four.core.operations[code], size, batch)
    assert run.status == "ok"
    used = traffic(run)
    for channel in used:
        assert channel["readers"].bit_count() <= 1
    for name in ("reads", "writes"):
        counts = [channel[name] for channel in used]
        sides = len(counts) // four.core.stripes
        for side in range(sides):
            part = counts[side * four.core.stripes : (side + 1) * four.core.stripes]
            assert len({*part}) == 1, (name, part)


def test_they_are_near_their_floor(four: DecomposedSimulator) -> None:
    """That counts the memory's refreshes, but not the rows of a transform that is small."""
    for size, share in ((11, 0.88), (12, 0.8), (13, 0.82), (14, 0.88)):
        cycles = four.count(four.core.operations[0], size).cycles
        assert share * cycles < waiting_floor(four.core, size) < cycles, size


@pytest.mark.slow
@pytest.mark.parametrize(("size", "most", "share"), [(22, 150_000, 0.92), (24, 560_000, 0.95)])
def test_four_engines_at_sixteen_channels_of_each_side(size: int, most: int, share: float) -> None:
    """What docs/hbm.md shows."""
    prepared = prepare_kind(load_design(str(EXAMPLE)), DecomposedCore)
    with DecomposedSimulator.build(prepared.core, prepared.folder, data=False) as engine:
        run = engine.count(prepared.core.operations[0], size)
    assert run.status == "ok"
    assert run.cycles <= most
    assert share * run.cycles < waiting_floor(prepared.core, size) < run.cycles
    assert all(channel["readers"].bit_count() <= 1 for channel in traffic(run))


def test_buffers_are_apart(two: DecomposedSimulator) -> None:
    """If rounds are several, none may be another one, as their words lie otherwise."""
    core, stripe = two.core, 1 << 18
    for size, work, expected in ((11, 2, "overlap"), (11, 1, "ok"), (6, 2, "ok")):
        source, target, scratch = places = (1 << 24, (3 - work) << 24, 3 << 24)
        part = core.part(size, 2)
        buffers = [
            Buffer(at + n * stripe, None, part) for at in {*places} for n in range(core.stripes)
        ]
        job = DecomposedJob(0, size, 2, source, target, scratch, stripe)
        ended = two.run(job, buffers, MemoryModel(latency=20))
        assert expected in ended.status, (size, places)


@pytest.mark.parametrize(("size", "batch"), [(9, 128), (13, 8)])
def test_buffers_may_touch(two: DecomposedSimulator, size: int, batch: int) -> None:
    """Each is as long as its part of a channel, whether sets share transforms or not."""
    core, stripe = two.core, 1 << 18
    part = core.part(size, batch)
    for nearer, expected in ((0, "ok"), (part // 4, "overlap")):
        source, target = 1 << 24, (1 << 24) + part - nearer
        places = (source, target, target + part)
        buffers = [
            Buffer(at + n * stripe, None, part) for at in places for n in range(core.stripes)
        ]
        job = DecomposedJob(0, size, batch, *places, stripe)
        ended = two.run(job, buffers, MemoryModel(latency=20))
        assert expected in ended.status, (size, nearer)


@pytest.mark.parametrize("spread", [0, 1])
@pytest.mark.parametrize("table", [{}, LONG_BURSTS], ids=["short bursts", "long bursts"])
def test_the_drivers_address_of_a_word(spread: int, table: dict[str, Any]) -> None:
    """That of the C driver is where Python puts it, in source and target of every order."""
    data = LEAST | {"engines": 4, **OWN, **table}
    design = parse_design(
        {"name": "dut", "family": "decomposed", "rings": [RING], "decomposed": data}, "test"
    )
    prepared, rng = prepare_kind(design, DecomposedCore), np.random.default_rng(1)
    core = prepared.core
    library = ctypes.CDLL(str(build_c(driver_texts(prepared), "dut") / "libdut.so"))
    library.dut_address.restype = ctypes.c_uint64
    stripe, job = 1 << 22, job_type(core.driver)()
    places = (1 << 26, 5 << 26)
    for task in job.tasks:
        task.source, task.target, task.stripe = *places, stripe | spread
    least = (0, core.least, 37)
    for code, size, batch in ((0, 13, 2), (4, core.largest, 1), (5, 12, 3), (0, 9, 5), least):
        job.operation, job.log_size = code, size
        words = rng.integers(0, RING["q"], (batch, 1 << size, 1), dtype=np.uint64)
        for buffer, place in enumerate(places):
            at = place if spread else None
            image = to_memory(core, words, at, core.operations[code], buffer)
            stripes = image.view("<u4").reshape(core.stripes, -1)
            for number in rng.integers(0, words.size, 200):
                found = library.dut_address(
                    ctypes.byref(job), ctypes.c_uint32(buffer), ctypes.c_uint64(int(number))
                )
                part, offset = divmod(found - place, stripe)
                assert stripes[part, offset // 4] == words.reshape(-1)[number], (code, number)


def test_one_engine_has_no_channels_of_its_own() -> None:
    with pytest.raises(NttforgeError, match=r"decomposed\.own_channels: there is one engine") as of:
        own(1)
    assert len(str(of.value)) < 300


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "good", "bad"),
    [
        ("ntf_decomposed_machine", "map: maps_q[b]", "map: maps_q[0]"),
        ("ntf_decomposed_machine", "base: bases[b]", "base: bases[0]"),
        ("ntf_decomposed_memory", "offset[part_of(set[0], p)]", "offset[part_of('0, p)]"),
        ("ntf_decomposed_memory", "offset[part_of(set[1], p)]", "offset[part_of('0, p)]"),
        ("ntf_decomposed_memory", "p < NumParts; p++", "p < NumPorts; p++"),
        ("ntf_round_sequencer", "(!Own || final_round)", "(!Own || !final_round)"),
        ("ntf_round_sequencer", "next_final_q  <= Own &&", "next_final_q  <= Own ||"),
        ("ntf_channel_map", "without(own_q, row_low_q[1], RowBits)", "own_q"),
    ],
)
def test_defects_are_caught(module: str, good: str, bad: str, tmp_path: Path) -> None:
    prepared = own(4, **SHORT)
    copytree(prepared.folder, tmp_path / "design")
    (file,) = (tmp_path / "design").rglob(f"{module}.sv")
    broken(file, good, bad, file.parent)
    # Wrong results, words that are not there, or it hangs.
    with suppress(FaultError):
        there = replace(prepared, folder=tmp_path / "design")
        assert not verify_decomposed(there, count=3, seed=1).ok
