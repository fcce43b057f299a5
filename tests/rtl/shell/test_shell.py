# SPDX-License-Identifier: Apache-2.0
"""Whole shells in the compiled simulator: data, speed, refusals, errors, and broken copies."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nttforge.config.shell_table import ShellTable
from nttforge.design import load_design, parse_design
from nttforge.errors import FaultError, NttforgeError
from nttforge.flow.prepare import prepare
from nttforge.flow.reference import random_polynomials, reference
from nttforge.hw.shell import StreamFormat, Traffic, build_shell
from nttforge.kinds.stream.shell import MEMORIES, measure_shell
from nttforge.simulate.shell_simulator import (
    Buffer,
    MemoryModel,
    ShellSimulator,
    Task,
    from_memory,
    to_memory,
)
from tests.mutants import mutated
from tests.rtl.shell.shells import BANK, check, prepare_shell, tasks

RING = {"n": 16, "q": 97}


@pytest.fixture(scope="module")
def two() -> Any:
    """Two instances; a transform is 14 bytes in channels of 8: words do not end with it.

    With registers after the queue of words, which the other shells have not.
    """
    return prepare_shell(RING, 2, target="ecp5", instances=2, data_width=64, burst_bytes=128)


@pytest.fixture(scope="module")
def simulator(two: Any) -> Iterator[Any]:
    with ShellSimulator.build(two.core, two.folder) as opened:
        yield opened


@pytest.mark.parametrize("memory", MEMORIES)
def test_results(simulator: Any, memory: Any) -> None:
    for count in (1, 2, 3, 37, 200):
        check(simulator, count, count, MEMORIES[memory])


@pytest.mark.parametrize(
    ("ring", "butterflies", "shell"),
    [
        (RING, 8, {"data_width": 64, "packing": "words"}),
        (RING, 4, {"data_width": 256, "packing": "packed", "burst_bytes": 64}),
        (RING, 1, {"data_width": 512, "packing": "packed", "burst_bytes": 64}),
        ({"n": 32, "q": 7681}, 2, {"packing": "words", "burst_bytes": 2048}),
        ({"n": 16, "q": 18446744069414584321}, 2, {"data_width": 128, "packing": "packed"}),
    ],
)
def test_widths(ring: Any, butterflies: int, shell: dict[str, Any]) -> None:
    prepared = prepare_shell(ring, butterflies, **shell)
    with ShellSimulator.build(prepared.core, prepared.folder) as opened:
        for name in ("fast", "random"):
            check(opened, 23, 1, MEMORIES[name])


def test_speed(simulator: Any) -> None:
    """At 128 cycles of latency, 95 % of what core and channel allow, all overheads included."""
    count = 4000
    for job in check(simulator, 2 * count, 3, MemoryModel(latency=128)):
        assert job.cycles <= count * simulator.shell.bound_cycles(0) / 0.95
        assert 0 < job.cycles - job.counted_cycles < 40


@pytest.mark.slow
@pytest.mark.parametrize("packing", ["packed", "words"])
@pytest.mark.parametrize("modulus", [7681, 8380417, 12289, 3221225473])
def test_speed_of_the_presets(modulus: int, packing: str) -> None:
    overrides = {"shell.packing": packing, "shell.instances": 1}
    prepared = prepare(load_design(f"streamntt-{modulus}", overrides))
    observed = measure_shell(prepared, 3000, np.random.default_rng(modulus))
    assert observed.memory_latency == 128
    assert {job.bound_cycles for job in observed.jobs} == {prepared.core.stream.beats}
    for job in observed.jobs:
        assert job.ok and job.efficiency >= 0.95


@pytest.mark.parametrize("packing", ["packed", "words"])
def test_speed_of_either_packing(packing: str) -> None:
    """Words of 14 bits in 16: more than the channel carries in a cycle, or exactly as much."""
    ring = {"n": 64, "q": 12289}
    prepared = prepare_shell(ring, 4, packing=packing, data_width=128, burst_bytes=1024)
    observed = measure_shell(prepared, 2000, np.random.default_rng(1))
    for job in observed.jobs:
        assert job.ok and job.efficiency >= 0.95


def test_nothing_outside_the_buffers_is_written(simulator: Any) -> None:
    operation = simulator.core.operations[0]
    given, _ = tasks(simulator, [3, 0])
    source = Buffer(0, np.zeros(64, np.uint8))
    data = np.full(64, 0x5A, np.uint8)
    target = Buffer(BANK, data)
    job = simulator.run(operation.code, given, [source, target])
    assert job.status == "ok"
    used = 3 * simulator.shell.write_bytes(0)
    assert used % simulator.shell.word_bytes, "the last word must be part of a word"
    assert (data[:used] == 0).all()
    assert (data[used:] == 0x5A).all()
    assert job.read_words.tolist() == [-(-used // 8), 0]
    assert job.written_words.tolist() == [-(-used // 8), 0]


@pytest.mark.parametrize("memory", ["random", "refreshed", "bursts"])
@pytest.mark.parametrize("counts", [(19, 5), (3, 240)])
def test_instances_do_not_mix(simulator: Any, counts: tuple[Any, ...], memory: str) -> None:
    """Data, counts, stalls and refreshes of their own, and base addresses within a burst."""
    rng = np.random.default_rng(5)
    operation = simulator.core.operations[1]
    given, buffers, batches, results = [], [], [], []
    for i, count in enumerate(counts):
        batch = random_polynomials(operation.ring, count, rng)
        data = to_memory(simulator.shell, operation.pack(batch))
        source, target = 4 * i * BANK + 40, 4 * i * BANK + BANK + 4096 - 24
        given.append(Task(source, target, count))
        results.append(np.zeros_like(data))
        buffers += [Buffer(source, data), Buffer(target, results[-1])]
        batches.append(batch)
    job = simulator.run(operation.code, given, buffers, MEMORIES[memory], seed=9)
    assert job.status == "ok"
    for batch, result in zip(batches, results, strict=True):
        words = from_memory(simulator.shell, result, len(batch))
        assert (operation.unpack(words) == reference(operation, batch)).all()


REFUSED = [
    ("no work", [(0, BANK, 0), (2 * BANK, 3 * BANK, 0)], 0, (0, 0)),
    ("unknown operation", [(0, BANK, 1), (2 * BANK, 3 * BANK, 1)], 2, (0, 0)),
    ("misaligned", [(4, BANK, 1), (2 * BANK, 3 * BANK, 1)], 0, (0, 4)),
    ("misaligned", [(0, BANK, 1), (2 * BANK, 3 * BANK + 1, 1)], 0, (3, 3 * BANK + 1)),
    ("out of range", [(0, BANK, 1), (2**64 - 8, 3 * BANK, 1)], 0, (2, 2**64 - 8)),
    ("out of range", [(0, 2**64 - 8, 1), (0, BANK, 1)], 0, (1, 2**64 - 8)),
    ("overlap", [(0, 0, 1), (2 * BANK, 3 * BANK, 1)], 0, (1, 0)),
    ("overlap", [(0, 24, 2), (2 * BANK, 3 * BANK, 1)], 0, (1, 24)),
    ("overlap", [(0, BANK, 4), (BANK + 48, 3 * BANK, 1)], 0, (1, BANK)),
    ("overlap", [(0, BANK, 1), (2 * BANK, BANK + 8, 1)], 0, (1, BANK)),
    ("overlap", [(8, BANK, 1), (2 * BANK, 0, 1)], 0, (3, 0)),
]


@pytest.mark.parametrize(("status", "given", "code", "place"), REFUSED)
def test_refused(
    simulator: Any, status: str, given: list[Any], code: int, place: tuple[Any, ...]
) -> None:
    job = simulator.run(code, [Task(*task) for task in given], [])
    assert (job.status, job.channel, job.fault) == (status, *place)
    assert not job.read_bursts.any() and not job.write_bursts.any()
    check(simulator, 3, 1, MEMORIES["fast"])  # and it works on


def test_touching_buffers_are_no_overlap(simulator: Any) -> None:
    """A transform is 14 bytes; the next word is free. Two instances may read the same."""
    memory = [Buffer(0, np.zeros(16, np.uint8)), Buffer(16, np.zeros(32, np.uint8))]
    job = simulator.run(0, [Task(0, 16, 1), Task(0, 32, 1)], memory)
    assert job.status == "ok"


@pytest.mark.parametrize("memory", ["fast", "slow to answer", "random"])
@pytest.mark.parametrize("instance", [0, 1])
@pytest.mark.parametrize("word", [0, 17, 68])
def test_memory_errors_end_the_job(simulator: Any, memory: str, instance: int, word: int) -> None:
    given, buffers = tasks(simulator, [40, 40])
    for side in ("bad_read", "bad_write"):
        base = given[instance].source if side == "bad_read" else given[instance].target
        address = base + 8 * word
        wrong: dict[str, Any] = {side: address}
        job = simulator.run(0, given, buffers, replace(MEMORIES[memory], **wrong), seed=word)
        if side == "bad_read":
            expected = ("read error", 2 * instance, address)
        else:  # an answer is of a whole burst
            expected = ("write error", 2 * instance + 1, address // 128 * 128)
        assert (job.status, job.channel, job.fault) == expected
        check(simulator, 5, word, MEMORIES[memory])  # nothing is left behind


def test_missing_memory_ends_the_job(simulator: Any) -> None:
    given, buffers = tasks(simulator, [40, 40])
    job = simulator.run(0, given, buffers[1:])
    assert (job.status, job.channel, job.fault) == ("read error", 0, 0)
    job = simulator.run(0, given, buffers[:3])
    assert (job.status, job.channel) == ("write error", 3)


def test_cycles_are_told_in_64_bits(simulator: Any, two: Any, tmp_path: Path) -> None:
    """The upper half is seen in a copy whose count begins near the end of the lower one."""
    begins = (1 << 32) - 40
    place, later = r"\) cycles_q <= [^+;]*;", f") cycles_q <= 64'd{begins};"
    copy = mutated(
        two, tmp_path / "dut", "rtl/shell/ntf_job_control.sv", place, later, pattern=True
    )
    with ShellSimulator.build(copy.core, copy.folder) as opened:
        found = [check(of, 5, 1, MEMORIES["random"]) for of in (simulator, opened)]
    for job, beyond in zip(*found, strict=True):
        assert job.counted_cycles + begins == beyond.counted_cycles > 1 << 32


MUTANTS = [
    ("shell/ntf_gearbox.sv", "next - NextW'(InUnits)", "next - NextW'(InUnits - 1)"),
    ("shell/ntf_shift_down.sv", "from[2*Stride+:LeftW]", "from[Stride+:LeftW]"),
    ("shell/ntf_rotate_up.sv", "from[From3] : from[From2]", "from[From3] : from[From1]"),
    ("shell/ntf_gearbox.sv", "here ? fill_q : after", "fill_q"),
    ("shell/ntf_axi_bursts.sv", "(room_i) >= 32'(whole_q)", "(room_i) >= 32'd1"),
    (
        "shell/ntf_axi_bursts.sv",
        "addr_q + (AddrW'(len_o) << WordShift)",
        "addr_q + AddrW'(BurstBytes)",
    ),
    ("shell/ntf_axi_writer.sv", "final_word_q ? last_strb_i : '1", "'1"),
    ("shell/ntf_axi_writer.sv", "final_word_q | final_place", "final_place"),
    ("shell/ntf_axi_writer.sv", "asking | wvalid", "wvalid"),
    ("shell/ntf_shell_instance.sv", "(over == '0) | (b < 32'(over))", "1'b1"),
    ("shell/ntf_shell_instance.sv", "pad_q <= last_write;", "pad_q <= 1'b0;"),
    ("shell/ntf_countdown.sv", "none_q & (low_q == LowW'(1))", "low_q == LowW'(1)"),
    ("shell/ntf_countdown.sv", "borrow_q <= step_i & (low_q == '0)", "borrow_q <= step_i"),
    ("shell/ntf_shell_instance.sv", "late_valid_q <= late_taken", "late_valid_q <= words_valid"),
    ("shell/ntf_shell_instance.sv", "late_q <= words_data", "late_q <= DataW'(0)"),
    ("shell/ntf_shell_control.sv", " & ~about.same", ""),
    ("shell/ntf_shell_control.sv", "found_q   <= found", "found_q   <= verdict_t'(0)"),
    (
        "shell/ntf_shell_arguments.sv",
        "w_argument_q  <= is_argument(",
        "w_argument_q  <= ~is_argument(",
    ),
    ("shell/ntf_shell_lengths.sv", "first_q   <= add_q == '0", "first_q   <= 1'b1"),
    (
        "../dut_shell.sv",
        ".rdata_i           (m_axi_rdata[i])",
        ".rdata_i           (m_axi_rdata[0])",
    ),
    ("../dut_shell.sv", ".target_i          (target[i])", ".target_i          (target[0])"),
    ("../dut_shell.sv", ".count_i           (count[i])", ".count_i           (count[0])"),
    (
        "shell/ntf_shell_control.sv",
        "last_other = other_q == InstW'(NumInst - 1)",
        "last_other = 1'b1",
    ),
]


def _survives(prepared: Any) -> None:
    with ShellSimulator.build(prepared.core, prepared.folder) as opened:
        check(opened, 3000, 1, MEMORIES["slow to answer"])  # the queues fill up
        check(opened, 37, 1, MEMORIES["random"])
        test_nothing_outside_the_buffers_is_written(opened)
        test_instances_do_not_mix(opened, (19, 5), "random")
        for case in REFUSED:
            test_refused(opened, *case)


@pytest.mark.slow
@pytest.mark.parametrize(("file", "old", "new"), MUTANTS)
def test_mutants_are_caught(two: Any, tmp_path: Path, file: str, old: str, new: str) -> None:
    mutant = mutated(two, tmp_path / "dut", f"rtl/{file}", old, new)
    with pytest.raises((AssertionError, FaultError)):
        _survives(mutant)


@pytest.mark.parametrize("bits", [13, 32, 256])
@pytest.mark.parametrize("size", [4, 16, 20])
def test_no_count_overflows_a_length(bits: int, size: int) -> None:
    stream = StreamFormat(lanes=2, word_bits=bits, beats=1 << (size - 1), user_bits=1)
    traffic = [Traffic(3 * stream.beats, stream.beats, stream.beats)]
    shell = build_shell(ShellTable(packing="words"), "dut", stream, traffic)
    assert (2**32 - 1) * shell.read_bytes(0) < 2**shell.bytes_width <= 2**shell.address_width


def test_bad_parameters() -> None:
    for shell, complaint in (
        ({"burst_bytes": 64, "data_width": 1024}, "burst_bytes"),
        ({"instances": 0}, "instances"),
        ({"packing": "tight"}, "packing"),
        ({"data_width": 96}, "data_width"),
        ({"lanes": 2}, "unknown key"),
    ):
        with pytest.raises(NttforgeError, match=complaint):
            prepare_shell(RING, 1, **shell)


@pytest.mark.parametrize(
    ("preset", "butterflies"),
    [("rlwe-7681", 16), ("ml-dsa", 8), ("newhope-1024", 8), ("rlwe-3221225473", 4)],
)
def test_the_papers_rule_gives_the_papers_butterflies(preset: str, butterflies: int) -> None:
    data = {"name": "dut", "rings": [{"preset": preset}], "shell": {}}
    assert prepare(parse_design(data, "test")).core.stream.lanes == 2 * butterflies


@pytest.fixture(scope="module")
def impatient() -> Iterator[Any]:
    """A shell that waits for an answer for 300 cycles."""
    prepared = prepare_shell(
        RING, 2, instances=2, data_width=64, burst_bytes=128, latency_cycles=44, timeout_cycles=300
    )
    with ShellSimulator.build(prepared.core, prepared.folder) as opened:
        yield opened


@pytest.mark.parametrize("memory", ["fast", "slow to answer", "random"])
@pytest.mark.parametrize("channel", range(4))
def test_a_memory_that_never_answers_ends_the_job(
    impatient: Any, memory: str, channel: int
) -> None:
    given, buffers = tasks(impatient, [40, 40])
    job = impatient.run(0, given, buffers, replace(MEMORIES[memory], silent=channel), seed=channel)
    task = given[channel // 2]
    if channel % 2:
        expected = ("write timeout", channel, task.target)
    else:
        expected = ("read timeout", channel, task.source)
    assert (job.status, job.channel, job.fault) == expected
    assert 300 < job.cycles < 1500
    # As long as the answer is owed the shell refuses to work; then it works on.
    assert job.repeated == job.status
    assert job.resumed == "ok"
    check(impatient, 5, channel, MEMORIES[memory])


def test_a_timeout_that_a_sound_memory_runs_into_is_refused() -> None:
    data = {"name": "dut", "rings": [{"preset": "ml-kem"}]}
    with pytest.raises(NttforgeError, match=r"shell\.timeout_cycles: 299 .*use 300 or more, or 0"):
        prepare(
            parse_design(data | {"shell": {"latency_cycles": 44, "timeout_cycles": 299}}, "test")
        )


def test_a_slow_memory_is_no_timeout(impatient: Any) -> None:
    check(impatient, 9, 1, MemoryModel(latency=250))
    check(impatient, 9, 1, MemoryModel(latency=20, refresh_period=600, refresh_length=200))
