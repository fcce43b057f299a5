# SPDX-License-Identifier: Apache-2.0
"""Loads through registers: right and wrong ones, beside a stream that is busy; and defects."""

import random
from collections.abc import Generator, Mapping
from itertools import chain

import numpy as np
import pytest

from nttforge.flow.prepare import Prepared, prepare
from nttforge.hw.core import Operation, StreamCore
from nttforge.kinds.stream.loaded_registers import ROOM, STATUSES, load_writes
from nttforge.simulate.cycles import CycleModel
from tests.loaded_primes import engine, loaded_with, values_by_flint
from tests.mutants import beside
from tests.mutation.sites import CHOSEN
from tests.rtl.pipeline.test_loaded_registers import MAP, Bench, design, wrong_loads

ENTRY, OWN = "rtl/pipeline/ntf_loaded_entry.sv", "rtl/pipeline/ntf_loaded_registers.sv"
#: Name -> file, pattern of an expression, what it becomes.
MUTANTS = {
    "a load cuts into a packet": (ENTRY, r"\(state_q == StFree && l_valid_i\)", "l_valid_i"),
    "a packet cuts into a load": (
        ENTRY,
        r"state_q == StRegisters \|\| \(state_q == StFree && l_valid_i\)",
        "(state_q != StStream && l_valid_i)",
    ),
    "a load waits for ever": (
        ENTRY,
        r"state_q == StFree && l_valid_i",
        "state_q == StFree && l_valid_i && !s_valid_i",
    ),
    "the stream's word is loaded": (ENTRY, r"(?<=if \()registers(?=\) m_data_o)", "1'b0"),
    "the stream waits for ever": (ENTRY, r"l_last_i \? StFree : StRegisters", "StRegisters"),
    "a load's word alone": (ENTRY, r"l_last_i \? StFree : StRegisters", "StFree"),
    "a packet never ends": (ENTRY, r"\(s_last_i && ends\) \? StFree : StStream", "StStream"),
    "a packet's beat alone": (ENTRY, r"\(s_last_i && ends\) \? StFree : StStream", "StFree"),
    "the stream is taken meanwhile": (ENTRY, r"m_ready_i && !registers", "m_ready_i"),
    "the load's operation is the stream's": (
        ENTRY,
        r"registers \? l_user_i : s_user_i",
        "s_user_i",
    ),
    "no word is the last one": (OWN, r"(?<=last_word  = )access.waddr == AddrLastWordH", "1'b0"),
    "any word is the last one": (OWN, r"(?<=last_word  = )access.waddr == AddrLastWordH", "high"),
    "what has no room is accepted": (OWN, r"high && !\(fits && room\)", "high && !fits"),
    "what is too wide is accepted": (OWN, r"high && !\(fits && room\)", "high && !room"),
    "what is too wide is sent": (OWN, r"access.write && high && fits", "access.write && high"),
    "low halves are sent too": (
        OWN,
        r"access.write && high && fits",
        "access.write && fits && (high || access.waddr == AddrWord)",
    ),
    "the low half of a last word is lost": (
        OWN,
        r"\(access.waddr == AddrWord \|\| access.waddr == AddrLastWord\)",
        "access.waddr == AddrWord",
    ),
    "a load is always whole": (OWN, r"(?<=open_q <= )!last_word", "1'b0"),
    "a load is never whole": (OWN, r"(?<=open_q <= )!last_word", "1'b1"),
    "a refused word opens a load": (OWN, r"sends && room(?=\) open_q)", "access.write && high"),
    "there is always room": (OWN, r"8'\(Depth\) - 8'\(waiting\)", "8'(Depth)"),
    "loads of the first place": (OWN, r"(?<=second_q, )place_q(?=, word)", "PlaceW'(0)"),
    "the high half twice": (OWN, r"\{access.wdata, low_q\}", "{access.wdata, access.wdata}"),
}

#: Cycles in which all that is inside has left.
QUIET = 1000

Drive = Generator[dict[str, int], Mapping[str, int], None]


class Writer(Bench):
    """Loads through registers as well."""

    @property
    def room(self) -> int:
        """Words that there is room for."""
        return MAP["load"].field("room").get(self.read("load"))

    @property
    def is_open(self) -> bool:
        """Whether a load lacks its last word."""
        return bool(MAP["load"].field("open").get(self.read("load")))

    def words(self, words: tuple[int, ...], *, end: bool = True) -> None:
        """Words of a load, with the last one unless there is no `end`."""
        writes = [*load_writes(words if end else (*words, 0))]
        for name, half, value in writes if end else writes[:-2]:
            for _ in range(1000):
                if half or self.room:
                    break
            else:
                pytest.fail("there is never room")
            assert self.write(name, value, half)

    def load(self, place: int, words: tuple[int, ...], *, wait: bool = True) -> None:
        """A load through registers; with `wait` until it is checked."""
        assert self.write("place", place)
        self.words(words)
        self.wait(engine(self.core).load_wait if wait else 8)


def check_wrong(bench: Writer, core: StreamCore) -> None:
    """Each wrong load has its reason, other places are as they were, and the next load is right."""
    moduli = [each.words[0] for each in core.loads]
    bits = engine(core).moduli.bits
    for reason, words in wrong_loads(core.loads[1].words, bench.root_at, bits):
        bench.load(1, words)
        assert bench.last() == (reason, 1) and not bench.is_open
        assert bench.place(1) == (reason, words[0])
        assert bench.place(0) == ("ready", moduli[0])
        bench.load(1, core.loads[1].words)
        assert bench.place(1) == ("ready", moduli[1])


def check_refused(bench: Writer, core: StreamCore) -> None:
    """Words that are too wide, or have no room, change nothing; reads of words are refused."""
    words, bits = core.loads[1].words, engine(core).moduli.bits
    assert bench.write("place", 1)
    assert bench.write("load_word", 1)
    for name in ("load_word", "load_last"):
        assert not bench.write(name, 1 << bits - 32, 1)
        with pytest.raises(OSError, match=name):
            bench.read(name)
    assert not bench.is_open and bench.room == ROOM
    assert bench.place(1) == ("ready", words[0])
    # Half a packet of the stream, and as many words as wait.
    pipeline, beats = engine(core), core.stream.beats
    for _ in range(beats // 2):
        bench.beat(s_axis_tuser=pipeline.code(0, 0))
    for at, word in enumerate(words[:ROOM]):
        assert bench.room == ROOM - at
        assert bench.write("load_word", word & 0xFFFFFFFF) and bench.write(
            "load_word", word >> 32, 1
        )
        assert bench.write("place", 2) and bench.is_open  # looks at another one meanwhile
    assert bench.room == 0
    assert bench.write("load_last", 0) and not bench.write("load_last", 0, 1)
    assert bench.is_open and bench.place(1) == ("ready", words[0])
    for at in range(beats // 2, beats):
        bench.beat(s_axis_tlast=int(at == beats - 1))
    bench.words(words[ROOM:])
    bench.wait(pipeline.load_wait)
    assert not bench.is_open and bench.last() == ("ready", 1)
    # A load that is left without an end holds the stream, until another program ends it.
    assert bench.write("place", 1)
    bench.words(words[:3], end=False)
    bench.wait(8)
    assert bench.is_open and bench.last() == ("under_way", 1)
    assert not bench.model.step(s_axis_tvalid=1, s_axis_tuser=pipeline.code(0, 0))["s_axis_tready"]
    bench.words((0,))
    bench.wait(8)
    assert bench.last() == ("short", 1)
    bench.load(1, words)
    assert bench.place(1) == ("ready", words[0])


def stream_beats(packets: list[tuple[int, list[int]]], rng: random.Random) -> Drive:
    """Packets at the input, with pauses."""
    for user, beats in packets:
        for at, beat in enumerate(beats):
            while rng.random() < 0.2:
                yield {}
            while True:
                last = int(at == len(beats) - 1)
                seen = yield {
                    "s_axis_tvalid": 1,
                    "s_axis_tuser": user,
                    "s_axis_tdata": beat,
                    "s_axis_tlast": last,
                }
                if seen["s_axis_tready"]:
                    break


def access(
    write: bool, address: int, value: int = 0
) -> Generator[dict[str, int], Mapping[str, int], int]:
    """An access to a register; the word that is read."""
    if write:
        request = {"s_axi_awvalid": 1, "s_axi_wvalid": 1, "s_axi_wstrb": 15}
        request |= {"s_axi_awaddr": address, "s_axi_wdata": value}
        yield request
        yield request
        seen = yield {"s_axi_bready": 1}
        assert seen["s_axi_bvalid"] and not seen["s_axi_bresp"]
        return 0
    yield {"s_axi_arvalid": 1, "s_axi_araddr": address}
    seen = yield {"s_axi_rready": 1}
    assert seen["s_axi_rvalid"] and not seen["s_axi_rresp"]
    return seen["s_axi_rdata"]


def written(place: int, words: tuple[int, ...], rng: random.Random) -> Drive:
    """A load through registers, with pauses, until it is checked."""
    yield from access(True, MAP["place"].address, place)
    for name, half, value in load_writes(words):
        while rng.random() < 0.3:
            yield {}
        while not half and not (yield from access(False, MAP["load"].address)) & 0xFF:
            pass
        yield from access(True, MAP[name].address + 4 * half, value)
    while STATUSES[(yield from access(False, MAP["status"].address)) & 0xFF] != "ready":
        pass


def together(model: CycleModel, *drives: Drive, limit: int, rng: random.Random) -> list[list[int]]:
    """All at the same time; what leaves meanwhile, and after it, as packets of {tuser, beats}."""
    asked = {drive: next(drive) for drive in drives}
    packets: list[list[int]] = [[]]
    quiet = 0  # cycles without anything, when all is in
    for _ in range(limit):
        quiet = 0 if asked else quiet + 1
        if quiet == QUIET:
            break
        ready = int(rng.random() < 0.8)
        seen = model.step(m_axis_tready=ready, **dict(chain(*(a.items() for a in asked.values()))))
        if ready and seen["m_axis_tvalid"]:
            quiet = 0
            packets[-1].append(seen["m_axis_tdata"])
            if seen["m_axis_tlast"]:
                packets[-1].insert(0, seen["m_axis_tuser"])
                packets.append([])
        for drive in [*asked]:
            try:
                asked[drive] = drive.send(seen)
            except StopIteration:
                del asked[drive]
    assert not asked, "it hangs"
    return packets[:-1]


def beats_of(core: StreamCore, operation: Operation, polynomial: list[int]) -> list[int]:
    """Beats of a transform's input."""
    words = operation.pack(np.array([polynomial], object))[0]
    lanes, bits = core.stream.lanes, core.stream.word_bits
    rows = words.reshape(-1, lanes)
    return [sum(int(word) << bits * lane for lane, word in enumerate(row)) for row in rows]


def values_of(core: StreamCore, operation: Operation, beats: list[int]) -> list[int]:
    """The transform that beats of the output are."""
    lanes, bits = core.stream.lanes, core.stream.word_bits
    words = [beat >> bits * lane & (1 << bits) - 1 for beat in beats for lane in range(lanes)]
    return [int(word) for word in operation.unpack(np.array([words], object))[0]]


def check_together(bench: Writer, core: StreamCore, seed: int) -> None:
    """A load through registers while the stream is busy with transforms, and with a load."""
    rng = random.Random(seed)
    forward = [op for op in core.operations if not op.inverse]
    ops = [rng.choice((forward[0], forward[2])) for _ in range(12)]
    data = [[rng.randrange(op.ring.q) for _ in range(op.ring.n)] for op in ops]
    packets = [(op.code, beats_of(core, op, f)) for op, f in zip(ops, data, strict=True)]
    packets.insert(6, (core.loads[2].code, [*core.loads[2].words]))
    stream = stream_beats(packets, rng)
    load = written(1, core.loads[1].words, rng)
    found = together(bench.model, stream, load, limit=12000, rng=rng)
    assert [packet[0] for packet in found] == [op.code for op in ops]
    for op, polynomial, packet in zip(ops, data, found, strict=True):
        assert values_of(core, op, packet[1:]) == values_by_flint(op.ring, polynomial)
    moduli = [each.words[0] for each in core.loads]
    assert [bench.place(number) for number in range(3)] == [("ready", q) for q in moduli]
    # The place is right as well as ready.
    op, polynomial = forward[1], [rng.randrange(forward[1].ring.q) for _ in range(op.ring.n)]
    (packet,) = together(
        bench.model,
        stream_beats([(op.code, beats_of(core, op, polynomial))], rng),
        limit=1000,
        rng=rng,
    )
    assert packet[0] == op.code
    assert values_of(core, op, packet[1:]) == values_by_flint(op.ring, polynomial)


def check_in_turn(bench: Writer, core: StreamCore) -> None:
    """A stream that never pauses, with a packet behind the other, does not hold up a load."""
    rng, over = random.Random(5), [False]
    zeros = [0] * core.stream.beats

    def load() -> Drive:
        yield from written(1, core.loads[1].words, random.Random(6))
        over[0] = True

    def transforms() -> Drive:
        while not over[0]:
            for at, beat in enumerate(zeros):
                drive = {"s_axis_tvalid": 1, "s_axis_tuser": 0, "s_axis_tdata": beat}
                while not (yield drive | {"s_axis_tlast": int(at == len(zeros) - 1)})[
                    "s_axis_tready"
                ]:
                    pass

    together(bench.model, transforms(), load(), limit=8000, rng=rng)


def check(prepared: Prepared[StreamCore]) -> None:
    """Right loads, busy streams, wrong loads, and words that are refused."""
    core = loaded_with(prepared.core, (193, 12289, prepared.core.operations[0].ring.q))
    bench = Writer(prepared)
    assert bench.room == ROOM and not bench.is_open
    for place, each in enumerate(core.loads):
        bench.load(place, each.words)
        assert bench.place(place) == ("ready", each.words[0])
    for seed in range(4):
        check_together(bench, core, seed)
    check_in_turn(bench, core)
    check_refused(bench, core)
    check_wrong(bench, core)


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Prepared[StreamCore]:
    whole = prepare(design())
    return beside(whole, tmp_path_factory.mktemp("written") / "dut", [*MUTANTS.values()])


def test_loads_through_registers(
    spoiled: Prepared[StreamCore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, "0")
    check(spoiled)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_defect_is_seen(
    name: str, spoiled: Prepared[StreamCore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, str([*MUTANTS].index(name) + 1))
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check(spoiled)
