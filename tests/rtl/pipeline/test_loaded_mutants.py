# SPDX-License-Identifier: Apache-2.0
"""Loads and transforms behind each other, by hand; and defects of what is loaded and made.

A modulus that is not 1 modulo 2n has no root whose square is -1 often enough, so the check of its
lowest bits is no mutant: without it the root's check refuses the same loads.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from nttforge.cache import design_files
from nttforge.design import parse_design
from nttforge.flow.prepare import Prepared, prepare
from nttforge.flow.reference import reference
from nttforge.hw.core import Operation, StreamCore
from nttforge.simulate.cycles import CycleModel, Ports
from tests.loaded_primes import engine, loaded_with
from tests.mutants import beside
from tests.mutation.sites import CHOSEN

PORT, FRAMER = "rtl/pipeline/ntf_loaded_port.sv", "rtl/pipeline/ntf_loaded_framer.sv"
MAKER, TABLES = "rtl/pipeline/ntf_loaded_maker.sv", "rtl/pipeline/ntf_loaded_tables.sv"
CONSTANTS, EARLY = "rtl/pipeline/ntf_loaded_constants.sv", "rtl/pipeline/ntf_early.sv"
ROOT, WORDS = "rtl/arith/ntf_loaded_root.sv", "rtl/arith/ntf_loaded_words.sv"
CENTRE, STAGE = "rtl/arith/ntf_loaded_centre.sv", "rtl/pipeline/ntf_stage.sv"

#: Name -> file, pattern of an expression, what it becomes.
MUTANTS = {
    "a load does not wait for transforms": (PORT, r"load \? !busy_i : ready_i", "ready_i"),
    "a transform waits for no check": (PORT, r"valid_i && !load && !pending_q", "valid_i && !load"),
    "any place is loaded": (PORT, r"place_fits && loaded_q\[place\]", "place_fits"),
    "the check is not asked": (PORT, r"(?<=loaded_q\[place_q\] <= )root_good", "1'b1"),
    "a modulus of 1": (PORT, r"word_i\[W-1:Zeros\] != '0", "1'b1"),
    "a load that is too long": (PORT, r"(?<=good = )last_factor && last_i", "last_factor"),
    "a load that is too short": (PORT, r"(?<=good = )last_factor && last_i", "last_i"),
    "lengths of the first table": (PORT, r"\(rom_q < 16'd2\) \? rom_q\[1:0\] : 2'd2", "2'd0"),
    "a place for each beat": (FRAMER, r"first \? framed_place : place_q", "framed_place"),
    "a place that is not loaded": (FRAMER, r"error \| missing", "error"),
    "nothing is inside": (FRAMER, r"inside_q != '0", "1'b0"),
    "high words of the first place": (
        MAKER,
        r"(?<=raddr_i\()HighAddrW'\(32'\(place\) << HighW\)",
        "HighAddrW'(0)",
    ),
    "low words are high ones": (MAKER, r"number & 32'\(\(1 << LowW\) - 1\)", "number >> HighW"),
    "words of the other path": (MAKER, r"highs\[path_q\]", "highs[~path_q]"),
    "lanes' words of the other path": (MAKER, r"words\[late_path_q\]", "words[~late_path_q]"),
    "factors of the table's first place": (
        TABLES,
        r"(?<=raddr = )RamW'\(32'\(place_i\) << AddrW\)",
        "RamW'(0)",
    ),
    "constants of the first place": (CONSTANTS, r"(?<=raddr_i\()place_i", "PlaceW'(0)"),
    "the modulus is never new": (CONSTANTS, r"(?<=mod_o\[ModW-1\] <= )first_i", "1'b0"),
    "beats are not counted ahead": (EARLY, r"beat_q \+ BeatW'\(1\)", "beat_q"),
    "the first row alone": (CENTRE, r"sum\[W\+1\] == x\[W\]", "1'b0"),
    "always the other one": (CENTRE, r"sum\[W\+1\] == x\[W\]", "1'b1"),
    "a root of q and more": (ROOT, r"!less_q\[W\]", "1'b0"),
    "any root": (ROOT, r"\(bits_q\[W-1\] \? sum_d : sum_q\) != \{q_q\[W-1:1\], 1'b0\}", "1'b0"),
    "a squaring less": (ROOT, r"CountW'\(Squarings - 1\)", "CountW'(Squarings - 2)"),
    "words of q": (WORDS, r"word\[i\] > \{mod_i\[FW-1:0\], Zeros'\(0\)\}", "1'b0"),
    "words from q - 1 on": (
        WORDS,
        r"word\[i\] > \{mod_i\[FW-1:0\], Zeros'\(0\)\}",
        "word[i] >= {mod_i[FW-1:0], Zeros'(0)}",
    ),
    "for ever": (WORDS, r"wrong_q && !new_q", "wrong_q"),
    "the last words alone": (WORDS, r"wrong_q && !new_q", "1'b0"),
    "errors are not reported": (STAGE, r"out_tag\[TagW-1\] \| out_wrong", "out_tag[TagW-1]"),
}


#: Cycles without a beat in or out that are a hang.
PATIENCE = 4000


@dataclass(frozen=True)
class Packet:
    """What goes in, and what must come of it: nothing, words, or the error bit."""

    user: int
    beats: tuple[int, ...]
    comes_out: bool = False
    words: tuple[int, ...] | None = None


class Bench:
    """Packets behind each other through a core whose moduli are loaded."""

    def __init__(self, prepared: Prepared[StreamCore]) -> None:
        self.core = prepared.core
        stream = self.core.stream
        ports = Ports(
            {"s_axis_tvalid": 1, "s_axis_tlast": 1, "s_axis_tuser": stream.user_bits}
            | {"s_axis_tdata": stream.data_bits, "m_axis_tready": 1},
            {"s_axis_tready": 1, "m_axis_tvalid": 1, "m_axis_tlast": 1}
            | {"m_axis_tuser": stream.user_bits + 1, "m_axis_tdata": stream.data_bits},
        )
        self.model = CycleModel(
            CycleModel.kept(design_files(prepared.folder), self.core.name, ports), ports
        )

    def play(self, packets: Sequence[Packet], seed: int = 0) -> None:
        """Stream them, with random stalls, and compare what comes out."""
        rng = random.Random(seed)
        stream = self.core.stream
        self.model.reset()
        given = [
            # Behind the first beat tuser means nothing.
            (packet.user if at == 0 else rng.getrandbits(stream.user_bits), beat, last)
            for packet in packets
            for at, beat in enumerate(packet.beats)
            for last in [int(at == len(packet.beats) - 1)]
        ]
        wanted = [packet for packet in packets if packet.comes_out]
        waited = at = 0
        got: list[int] = []
        offered = False
        while wanted:
            offered = at < len(given) and (offered or rng.random() < 0.8)
            user, beat, last = given[at] if offered else (rng.getrandbits(3), 0, 0)
            ready = int(rng.random() < 0.8)
            out = self.model.step(
                s_axis_tvalid=int(offered),
                s_axis_tlast=last,
                s_axis_tuser=user,
                s_axis_tdata=beat,
                m_axis_tready=ready,
            )
            waited += 1
            if offered and out["s_axis_tready"]:
                at, offered, waited = at + 1, False, 0
            if out["m_axis_tvalid"] and ready:
                got.append(out["m_axis_tdata"])
                waited = 0
                if out["m_axis_tlast"]:
                    packet = wanted.pop(0)
                    error = int(packet.words is None) << stream.user_bits
                    assert out["m_axis_tuser"] == error | packet.user
                    assert packet.words is None or packet.words == tuple(got)
                    got = []
            assert waited < PATIENCE, "it hangs"
        assert at == len(given)


def load(core: StreamCore, place: int, *words: int) -> Packet:
    """A load, of the core's words or of others."""
    code = core.loads[0].code + (place << engine(core).path_bits)
    return Packet(code, words or core.loads[place % len(core.loads)].words)


def transform(
    core: StreamCore,
    operation: Operation,
    rng: random.Random,
    *,
    change: dict[int, int] | None = None,
) -> Packet:
    """A transform of random words, some of them the largest; or with words that are none."""
    q, stream = operation.ring.q, core.stream
    data = [rng.choice((q - 1, rng.randrange(q))) for _ in range(operation.ring.n)]
    right = reference(operation, np.array([data], dtype=object)).astype(object)
    words = tuple(int(row) for row in stream.all_beats(operation.pack_result(right)[0]))
    for index, word in (change or {}).items():
        data[index] = word
    given = operation.pack(np.array([data], dtype=object))[0]
    beats = tuple(int(row) for row in stream.all_beats(given))
    return Packet(operation.code, beats, comes_out=True, words=None if change else words)


def failing(core: StreamCore, operation: Operation) -> Packet:
    """A transform of zeros, of a place that is not loaded."""
    return Packet(operation.code, (0,) * core.stream.beats, comes_out=True)


def scenarios(core: StreamCore) -> Iterator[list[Packet]]:
    """All that is promised of loads, places and words."""
    rng = random.Random(0)
    widest = core.operations[0].ring.q
    core = loaded_with(core, (193, 12289, widest))
    other = loaded_with(core, (7681, 257, 193))
    loads = [load(core, place) for place in range(3)]

    def some(count: int, of: StreamCore = core) -> list[Packet]:
        return [transform(of, rng.choice(of.operations), rng) for _ in range(count)]

    yield [*loads, *some(40)]
    # A load waits for the transforms before it, and those behind it have the new modulus.
    yield [*loads, *some(5), *(load(other, place) for place in range(3)), *some(12, other)]
    # Words that are none.
    first, last = core.operations[0], core.operations[-1]
    n = first.ring.n
    for operation in (first, last):
        q = operation.ring.q
        marked = [
            packet
            for index in (0, 1, n // 2, n - 1)
            for word in (q, q + 1)
            for packet in (transform(core, operation, rng, change={index: word}), *some(1))
        ]
        yield [*loads, *marked]
    # Wrong loads of place 0, a transform of it at once, and one of another place.
    words = core.loads[0].words
    at = 2 if engine(core).moduli.inverse else 1
    q, root = words[0], words[at]

    def with_root(value: int) -> tuple[int, ...]:
        return (*words[:at], value, *words[at + 1 :])

    wrong = [words[:-1], (*words, 0), words[: at + 2], words[:1]]
    wrong += [(q - 1, *words[1:]), (q + 2, *words[1:]), (1, *words[1:at], 0, *words[at + 1 :])]
    wrong += [with_root(value) for value in (0, q - 1, root * root % q, root + q)]
    for changed in wrong:
        packets = [load(core, 0, *changed), failing(core, first)]
        yield [*loads, *packets, transform(core, core.operations[2], rng), loads[0], *some(3)]
    # A place that there is not, or that was never loaded.
    nowhere = Packet(first.code + 3 * 2, (0,) * core.stream.beats, comes_out=True)
    short = Packet(last.code, (0,) * (core.stream.beats - 2), comes_out=True)
    yield [*loads, load(core, 3), *some(3), nowhere, *some(3), short, *some(3)]
    yield [*loads[:2], failing(core, last), transform(core, first, rng)]


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Prepared[StreamCore]:
    """With factors from tables in one stage, made in all others, for two butterflies in two."""
    ring = {"n": 32, "q": "runtime", "bits": 30, "moduli": 3}
    table = {"butterflies": 2, "twiddles": "made", "made_from": 24}
    design = parse_design({"name": "dut", "rings": [ring], "pipeline": table}, "test")
    whole = prepare(design)
    assert engine(whole.core).made == (True, True, False, True, True)
    return beside(whole, tmp_path_factory.mktemp("loaded") / "dut", [*MUTANTS.values()])


def check(prepared: Prepared[StreamCore]) -> None:
    bench = Bench(prepared)
    for seed, packets in enumerate(scenarios(prepared.core)):
        bench.play(packets, seed)


def test_loads_and_transforms(
    spoiled: Prepared[StreamCore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that is wrong hangs, and what is around it is right."""
    monkeypatch.setenv(CHOSEN, "0")
    check(spoiled)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_defect_is_seen(
    name: str, spoiled: Prepared[StreamCore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, str([*MUTANTS].index(name) + 1))
    with pytest.raises(AssertionError):
        check(spoiled)
