# SPDX-License-Identifier: Apache-2.0
"""Several engines for one transform: the barrier between rounds alone, and whole machines."""

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any

import pytest

from nttforge.errors import FaultError, NttforgeError
from nttforge.kinds.decomposed.lower_bounds import throughput_floor, waiting_floor
from nttforge.kinds.decomposed.simulator import DecomposedJob, DecomposedRun, DecomposedSimulator
from nttforge.kinds.decomposed.verify import memories, verify_decomposed
from nttforge.simulate.cycles import CycleModel
from nttforge.simulate.memory import Buffer, MemoryModel
from tests.formal.proof import broken
from tests.rtl.decomposed.test_large import Engine, prepared_of
from tests.rtl.decomposed.unit_bench import RTL, unit

RING: dict[str, object] = {"q": 998244353}
#: Short digits: 2^10 words take two rounds, 2^13 three, and rounds have one group or many.
SHORT: dict[str, Any] = {"digit": 3, "l_max": 13}
LARGEST = 13


def barrier(where: Path, engines: int, rtl: Path = RTL) -> CycleModel:
    each = dict.fromkeys(("wants_i", "written_i"), engines)
    return unit(
        where,
        "barrier_engines",
        {"most_i": 32, "valid_i": 1, "bounds_i": 2, **each},
        {"ready_o": 1, "begins_o": engines, "busy_o": 1},
        needs=("decomposed/ntf_round_barrier.sv",),
        rtl=rtl,
        source=Path(__file__).with_name("barrier_engines.sv"),
        LogEngines=engines.bit_length() - 1,
    )


@dataclass
class Turns:
    """Engines that read and write groups by turns, in rounds of transforms."""

    engines: int
    groups: list[tuple[int, bool, bool]]  # its round, whether it is the first and the last of it
    issued: int = 0
    to_read: list[deque[int]] = field(init=False)
    to_write: list[deque[int]] = field(init=False)
    open: set[int] = field(default_factory=set)  # issued and not written

    def __post_init__(self) -> None:
        self.to_read = [deque() for _ in range(self.engines)]
        self.to_write = [deque() for _ in range(self.engines)]

    @classmethod
    def random(cls, engines: int, rng: Random, rounds: int) -> "Turns":
        groups = []
        for number in range(rounds):
            count = 1 if engines == 1 else 1 << rng.randrange(5)
            groups += [(number, i == 0, i == count - 1) for i in range(count)]
        return cls(engines, groups)

    def rounds_before(self, group: int, most: int) -> list[int]:
        """Groups that have to be written before it is read, and are not."""
        end = self.groups[group][0] - most
        ahead = [n for n in self.open if self.groups[n][0] <= end]
        return ahead + [n for n in range(self.issued, group) if self.groups[n][0] <= end]


def check_barrier(model: CycleModel, engines: int) -> None:
    for seed in range(12):
        rng = Random(seed)
        most, fast = 1 + seed % 3, seed % 2 == 0
        turns = Turns.random(engines, rng, 40)
        model.reset()
        idle = 0
        while turns.issued < len(turns.groups) or turns.open:
            give = turns.issued < len(turns.groups) and (fast or rng.random() < 0.5)
            wants = [bool(q) and (fast or rng.random() < 0.3) for q in turns.to_read]
            ends = [bool(q) and rng.random() < (0.5, 0.1)[fast] for q in turns.to_write]
            _, first, last = turns.groups[min(turns.issued, len(turns.groups) - 1)]
            seen = model.step(
                most_i=most,
                valid_i=int(give),
                bounds_i=2 * last + first,
                wants_i=sum(want << e for e, want in enumerate(wants)),
                written_i=sum(end << e for e, end in enumerate(ends)),
            )
            assert seen["busy_o"] or len(turns.open) <= sum(ends) or engines == 1, seed
            began = [e for e in range(engines) if seen["begins_o"] >> e & 1]
            for e in began:
                group = turns.to_read[e].popleft()
                assert not turns.rounds_before(group, most), (seed, group)
                turns.to_write[e].append(group)
            for e, end in enumerate(ends):
                if end:
                    turns.open.remove(turns.to_write[e].popleft())
            if give and seen["ready_o"]:
                turns.to_read[turns.issued % engines].append(turns.issued)
                turns.open.add(turns.issued)
                turns.issued += 1
            # Nobody waits for long who need not.
            blocked = all(not q or turns.rounds_before(q[0], most) for q in turns.to_read)
            idle = 0 if began or blocked or not fast else idle + 1
            assert idle < 8 + 2 * engines, (seed, "it hangs")
        for _ in range(4 + engines):
            seen = model.step(most_i=most)
        assert not seen["busy_o"] and not seen["begins_o"]


@pytest.mark.parametrize("engines", [1, 2, 4])
def test_no_round_is_read_before_the_one_before_is_written(engines: int, tmp_path: Path) -> None:
    check_barrier(barrier(tmp_path, engines), engines)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("(~first | room_q)", "room_q"),
        ("(~first | room_q)", "1'b1"),
        ("assign close   = done & last;", "assign close   = done;"),
        ("(written_q[turn_q[1]] != '0)", "(|written_q != '0)"),
        ("~open & (open_q != most_q);\n        for", "(open_q != most_q);\n        for"),
        ("allow & (32'(turn_q[0]) == e)", "allow & (e == 0)"),
        ("may_q[e]     <= ~begin_i[e] & ", "may_q[e]     <= "),
    ],
)
@pytest.mark.slow
def test_defects_of_the_barrier_are_caught(good: str, bad: str, tmp_path: Path) -> None:
    rtl = tmp_path / "rtl"
    copytree(RTL, rtl)
    broken(rtl / "decomposed" / "ntf_round_barrier.sv", good, bad, rtl / "decomposed")
    model = barrier(tmp_path / "build", 4, rtl)
    with pytest.raises((AssertionError, IndexError)):
        check_barrier(model, 4)


def engines_of(engines: int, **table: Any) -> Engine:
    return prepared_of(RING, **SHORT, engines=engines, **table)


@pytest.fixture(scope="module")
def two() -> Iterator[DecomposedSimulator]:
    """Two engines of two ports each, without words."""
    prepared = engines_of(2, port_bits=64)
    with DecomposedSimulator.build(prepared.core, prepared.folder, data=False) as opened:
        yield opened


@pytest.mark.parametrize("engines", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_results(engines: int) -> None:
    """All operations and sizes, under all memories."""
    prepared = engines_of(engines)
    result = verify_decomposed(prepared, count=3, seed=engines, largest=LARGEST)
    assert result.ok, result.mismatches or result.violation


@pytest.mark.slow
@pytest.mark.parametrize("engines", [2, 4])
def test_long_digits(engines: int) -> None:
    """One transform of each size and several; rounds of two passes, and of three."""
    for count in (1, 3):
        result = verify_decomposed(prepared_of(RING, engines=engines), count=count, seed=engines)
        assert result.ok, result.mismatches or result.violation


def test_the_machine_without_words_takes_the_same_cycles(two: DecomposedSimulator) -> None:
    core = two.core
    folder = engines_of(2, port_bits=64).folder
    with DecomposedSimulator.build(core, folder) as whole:
        for seed, (name, memory) in enumerate(memories(core).items()):
            for size in (11, LARGEST):
                job = DecomposedJob(seed, size, 3, *PLACES, STRIPE)
                runs = [
                    at.run(job, buffers(core.ports, size), memory, seed=seed) for at in (whole, two)
                ]
                assert runs[0].status == "ok", name
                assert runs[0] == runs[1], (name, size)


PLACES, STRIPE = (1 << 20, 2 << 20, 3 << 20), 1 << 18


def buffers(ports: int, size: int) -> list[Buffer]:
    part = (3 * 4 << size) // ports
    return [Buffer(at + p * STRIPE, None, part) for at in PLACES for p in range(ports)]


def run(machine: DecomposedSimulator, **memory: Any) -> DecomposedRun:
    job = DecomposedJob(0, 11, 3, *PLACES, STRIPE)
    model = replace(MemoryModel(latency=20), **memory)
    return machine.run(job, buffers(machine.core.ports, 11), model)


def test_engines_are_near_their_floors(two: DecomposedSimulator) -> None:
    """Behind ports that bring a beat a cycle; alone, and in a batch."""
    core, size, memory = two.core, 12, MemoryModel(latency=20)
    rates = {"channel_gbytes_s": 1e3, "peak_gbytes_s": 1e3, "burst_ns": 1e-3}
    flat = core.board.model_copy(update={**rates, "latency_cycles": memory.latency})
    rated = replace(core, board=flat)
    alone, batch = (two.count(core.operations[0], size, n, memory).cycles for n in (1, 8))
    assert 0.9 * alone < waiting_floor(rated, size) < alone
    assert 0.9 * batch < 8 * throughput_floor(rated, size) < batch


@pytest.mark.parametrize("port", [0, 1])
@pytest.mark.parametrize("group", [0, 1])
def test_an_error_names_the_port_and_stops_all(
    two: DecomposedSimulator, group: int, port: int
) -> None:
    """The first burst of a group of the first round: engines take groups by turns."""
    core = two.core
    burst = core.port_bytes << core.shape.b
    place = PLACES[0] + port * STRIPE + group * burst
    ended = run(two, bad_read=place)
    assert (ended.status, ended.channel, ended.fault) == (
        "read error",
        2 * (group * core.ports + port),
        place,
    )
    assert run(two).status == "ok"


@pytest.mark.parametrize(
    "channel", [pytest.param(c, marks=() if c > 5 else pytest.mark.slow) for c in range(8)]
)
def test_a_port_that_never_answers_is_named(two: DecomposedSimulator, channel: int) -> None:
    job = run(two, silent=channel)
    assert (job.status, job.channel) == (("read timeout", "write timeout")[channel & 1], channel)
    assert (job.repeated, job.resumed) == (job.status, "ok")


def test_too_many_ports_are_refused() -> None:
    with pytest.raises(NttforgeError, match=r"decomposed\.engines: 256 memory ports.*fewer"):
        prepared_of({"preset": "bn254"}, n=64, t=16, b=2, engines=4, port_bits=64)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "good", "bad"),
    [
        ("ntf_decomposed_machine", "(owner == EngineW'(e))", "(owner == EngineW'(e ^ 1))"),
        ("ntf_round_sequencer", "((32'(owner_q) + 1) % NumEngines)", "(owner_q)"),
        ("ntf_round_sequencer", "(origin_q ? '0 : keys_q[e])", "keys_q[e]"),
        ("ntf_round_sequencer", "((keys_q[e] != '0) & restart_q[e])", "restart_q[e]"),
        ("ntf_round_sequencer", "owes_q[e] | fresh_q", "fresh_q"),
        ("ntf_twiddle_planner", "restart_i & (skipped_q == '0)", "restart_i"),
        ("ntf_twiddle_planner", "3'(name_kept)", "3'd1"),
        ("ntf_decomposed_machine", ".may_i       (may[e])", ".may_i       (1'b1)"),
        ("ntf_round_barrier", "(~first | room_q)", "1'b1"),
    ],
)
def test_defects_are_caught(module: str, good: str, bad: str, tmp_path: Path) -> None:
    prepared = engines_of(4)
    copytree(prepared.folder, tmp_path / "design")
    (file,) = (tmp_path / "design").rglob(f"{module}.sv")
    broken(file, good, bad, file.parent)
    # Wrong results, a broken rule of AXI4's, an assertion, or it hangs.
    with suppress(FaultError):
        there = replace(prepared, folder=tmp_path / "design")
        assert not verify_decomposed(there, count=3, seed=1, largest=LARGEST).ok
