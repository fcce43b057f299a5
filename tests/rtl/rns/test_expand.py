# SPDX-License-Identifier: Apache-2.0
"""Keys whose uniform half the engine expands from a seed: exact values, stalls, errors, defects."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from docs.tools.key_switching import CHUNK_CYCLES
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared
from nttforge.kinds.rns.build import RnsCore
from nttforge.kinds.rns.cases import (
    OPERATIONS,
    Case,
    Shape,
    batch_case,
    draw_moduli,
    run_case,
)
from nttforge.kinds.rns.machine import EngineKey, Machine, Ran, StuckError
from nttforge.kinds.rns.program import Command, Op, Target, Term
from nttforge.kinds.rns.switching import Job
from nttforge.simulate.word_streams import Supply
from nttforge.standards.rns import expand
from tests.mutants import beside
from tests.mutation.sites import CHOSEN
from tests.rtl.rns.bench import prepared, unit
from tests.rtl.rns.test_sum import moduli

#: Two chunks a row.
N = 512
_SHAPES = (
    Shape("key_switch", "lattigo", 5, 5, 1, 1, seeded=True),
    Shape("key_switch", "lattigo", 3, 4, 2, 2, t=65537, seeded=True),
    Shape("key_switch", "openfhe", 1, 5, 2, 3, seeded=True),
    Shape("key_switch", "seal", 6, 6, 1, 1, border=True, seeded=True),
    Shape("relinearize", "lattigo", 5, 5, 2, 2, seeded=True),
    Shape("rotate", "seal", 3, 3, 1, 1, g=127, seeded=True),
    Shape("hoisted", "lattigo", 3, 4, 2, 2, g=5, seeded=True),
)
_SWITCH = _SHAPES[0]


def case_of(machine: Machine, shape: Shape, seed: int = 0) -> Case:
    return OPERATIONS[shape.operation](machine, shape, random.Random(seed))


@pytest.mark.parametrize("n", [8, 64, N])
def test_a_sampler_outputs_the_values_of_its_message(n: int, tmp_path: Path) -> None:
    made, rng = prepared(n, keccaks=1, banks=1), random.Random(n)
    core = made.core
    # Narrow and wide moduli; of one just above a power of two half of the words are refused.
    chosen = [*moduli(core, rng)[:5], (1 << core.bits - 1) + 1]
    cycles: list[dict[str, int]] = [{"rst_ni": 0}] * 2
    expected: list[int] = []
    for q in chosen:
        seed, digit, limb = rng.randbytes(32), rng.randrange(256), rng.randrange(256)
        message = seed + bytes([digit, limb, 0, 0])
        start = {"start_valid_i": 1, "start_message_i": int.from_bytes(message, "little")}
        # More than enough blocks for a chunk; messages are offered early, too.
        cycles += [{"rst_ni": 1, "start_modulus_i": q} | start]
        cycles += [{"rst_ni": 1}] * (24 * 40)
        values = expand(seed, digit, limb, q, min(n, 256)).tolist()
        expected += [
            sum(value << core.bits * lane for lane, value in enumerate(values[i : i + core.lanes]))
            for i in range(0, len(values), core.lanes)
        ]
    inputs = {"rst_ni": 1, "start_valid_i": 1, "start_message_i": 288, "start_modulus_i": core.bits}
    outputs = {"start_ready_o": 1, "valid_o": 1, "data_o": core.data_bits}
    model = unit(made, tmp_path, "ntf_rns_sampler", inputs, outputs)
    seen = model.run(cycles)
    assert [each["data_o"] for each in seen if each["valid_o"]] == expected
    assert seen[-1]["start_ready_o"] == 1
    # Messages one after the other, of which no word is refused.
    start |= {"rst_ni": 1, "start_modulus_i": (1 << core.bits) - 1}
    seen = model.run([*([{"rst_ni": 0}] * 2), *([start] * 2000)])
    starts = [i for i, each in enumerate(seen) if i > 2 and each["start_ready_o"]]
    values = min(n, 256)
    # Whole blocks, the words of the last one, and two registers with the next start.
    blocks, words = divmod(values - 1, 21)
    clocks = 24 * (blocks + 1) + words + 4
    assert values < 256 or clocks == CHUNK_CYCLES
    assert {after - before for before, after in pairwise(starts)} == {clocks}


#: Keccaks: fewer than digits, as many, more.
@pytest.fixture(scope="module", params=[1, 3, 5, 11])
def machine(request: pytest.FixtureRequest) -> Iterator[Machine]:
    with Machine.of(prepared(N, keccaks=request.param, banks=16)) as found:
        yield found


@pytest.mark.parametrize("shape", _SHAPES, ids=lambda s: f"{s.operation}-{s.convention}-{s.level}")
def test_every_coefficient_is_that_of_the_whole_key(machine: Machine, shape: Shape) -> None:
    rng = random.Random(shape.level)
    machine.load(draw_moduli(machine.core, rng, 40))
    for pauses in (0, 0.3):
        done = run_case(machine, case_of(machine, shape), pauses=pauses, rng=rng)
        assert not done.wrong
        assert not done.outcome.errors


def test_calls_with_seeds_and_with_whole_keys_follow_each_other(machine: Machine) -> None:
    rng = random.Random(3)
    machine.load(draw_moduli(machine.core, rng, 50))
    for number, seeded in enumerate((True, True, False, True)):
        case = case_of(machine, replace(_SWITCH, seeded=seeded), number)
        done = run_case(machine, case)
        assert (done.wrong, done.outcome.errors) == ((), ())
    done = run_case(machine, batch_case(machine, _SWITCH, rng, 3))
    assert (done.wrong, done.outcome.errors) == ((), ())


def test_a_key_stream_that_is_slow(machine: Machine) -> None:
    machine.load(draw_moduli(machine.core, random.Random(4), 50))
    machine.key_memory = lambda: Supply(7.3, 60, 16)
    done = run_case(machine, case_of(machine, _SWITCH))
    machine.key_memory = None
    assert (done.wrong, done.outcome.errors) == ((), ())


def _ran(machine: Machine, change: Callable[[list[list[int]]], object]) -> Ran:
    """With other packets of the key stream."""
    case = case_of(machine, replace(_SWITCH, level=2, whole=2))
    job = Job(machine.limbs)
    case.make(job)
    assert case.key is not None
    key = EngineKey.of(machine, case.key, case.places, halved=True)
    keys = [machine.key_packet(key, packet) for packet in job.packets]
    change(keys)
    data = [machine.row(place, case.rows[number, place]) for number, place in job.loaded]
    words = job.program.words(1)
    return machine.run(words, data=data, keys=keys, rows=len(job.stored), limit=60_000)


@pytest.mark.parametrize("beats", [-1, -5, 1, 6])
@pytest.mark.parametrize("packet", [0, -1])
def test_packets_of_another_length(machine: Machine, beats: int, packet: int) -> None:
    """One error; the expansion goes on with the next command, and the next call is right."""
    machine.load(draw_moduli(machine.core, random.Random(5), 50))

    def change(keys: list[list[int]]) -> None:
        words = keys[packet]
        keys[packet] = words[:beats] if beats < 0 else [*words, *[0] * beats]

    assert _ran(machine, change).outcome.errors == ("key",)
    assert _ran(machine, lambda _: None).outcome.errors == ()
    done = run_case(machine, case_of(machine, _SWITCH))
    assert (done.wrong, done.outcome.errors) == ((), ())


def test_seeds_of_one_program_follow_each_other(machine: Machine) -> None:
    """A seed waits until keys of the one before are expanded."""
    machine.load(draw_moduli(machine.core, random.Random(6), 50))
    core, rng = machine.core, random.Random(7)
    seeds = [rng.randbytes(32) for _ in range(5)]
    commands, waits = [Command(Op.LOAD, dst=0)], (0, 0, 0, 1, 0)
    for number, seed in enumerate(seeds):
        targets = (Target(number, dst=1 + 2 * number), Target(number, dst=2 + 2 * number))
        terms = (Term.seeded(0, number, 9, number),)
        commands.append(Command(Op.SEED, seed=seed))
        commands.append(Command(Op.SUM, targets=targets, terms=terms, waits=waits))
        after = (0, number + 1, 0, 0, 0)
        commands.append(Command(Op.STORE, src=2 + 2 * number, waits=after))
    commands.append(Command(Op.END, tag=1, waits=(0, len(seeds), 0, 1, len(seeds))))
    one = core.beats_of(np.ones(core.n, object), values=True)
    keys = [[0] * (core.beats // 2) for _ in seeds]
    words = [word for command in commands for word in command.words]
    ran = machine.run(words, data=[one], keys=keys, rows=len(seeds))
    assert ran.outcome.errors == ()
    for number, (seed, packet) in enumerate(zip(seeds, ran.packets, strict=True)):
        q = machine.moduli[number]
        values = expand(seed, number, 9, q, core.n) * pow(core.scale, -1, q) % q
        assert core.row_of(packet, values=True).tolist() == values.tolist()


def test_an_engine_without_keccaks_refuses_a_seed() -> None:
    with Machine.of(prepared()) as machine:
        machine.load(draw_moduli(machine.core, random.Random(8), 50))
        end = Command(Op.END, tag=1)
        seed = Command(Op.SEED, seed=bytes(32))
        term = Term.seeded(0, 0, 0, 0)
        summed = Command(Op.SUM, targets=(Target(), Target()), terms=(term,))
        for command in (seed, summed):
            words = [word for each in (command, end) for word in each.words]
            assert machine.run(words, limit=30_000).outcome.errors == ("program",)


def test_an_unloaded_place_does_not_hang() -> None:
    """Its values mean nothing, and are there."""
    with Machine.of(prepared(N, keccaks=3, banks=16)) as machine:
        core = machine.core
        targets, term = (Target(3, dst=1), Target(3, dst=2)), Term.seeded(0, 0, 0, 3)
        commands = (
            Command(Op.SEED, seed=bytes(32)),
            Command(Op.SUM, targets=targets, terms=(term,)),
            Command(Op.END, tag=1, waits=(0, 1, 0, 0, 0)),
        )
        words = [word for each in commands for word in each.words]
        ran = machine.run(words, keys=[[0] * (core.beats // 2)], limit=60_000)
        assert ran.outcome.tag == 1


#: Name: file, what is right, what is wrong.
MUTANTS: Mapping[str, tuple[str, str, str]] = {
    "a message has no suffix": (
        "ntf_rns_sampler.sv",
        r"Suffix & \{8\{start\}\}",
        "8'h06 & {8{start}}",
    ),
    "a message has no last bit": (
        "ntf_rns_sampler.sv",
        r"(?<=block\[RateW-1\]            = )start",
        "1'b0",
    ),
    "a permutation begins anew": (
        "ntf_rns_sampler.sv",
        r"(?<=fresh_i     \()start",
        "start || next",
    ),
    "words are not masked": ("ntf_rns_sampler.sv", r"words_q\[W-1:0\] & mask_q", "words_q[W-1:0]"),
    "words of q and more are taken": (
        "ntf_rns_sampler.sv",
        r"masked_q < modulus_q",
        "1'b1",
    ),
    "a word is skipped": ("ntf_rns_sampler.sv", r"left_q != 0 && !over", "left_q > 1 && !over"),
    "words of a chunk that is over are taken": (
        "ntf_rns_sampler.sv",
        r"(?<=if \()over(?=\) left_q)",
        "1'b0",
    ),
    "a sampler begins another chunk without room": (
        "ntf_rns_expand.sv",
        r"begun_q - freed_q\[k\] != HeldW'\(Held\)",
        "1'b1",
    ),
    "beats are read before they are there": (
        "ntf_rns_expand.sv",
        r"ahead != 0 && ahead <= \(AddrW \+ 1\)'\(Depth\)",
        "1'b1",
    ),
    "digits of one sampler are one": (
        "ntf_rns_expand.sv",
        r"is_last_beat \? '0 : behind_q",
        "'0",
    ),
    "all chunks are the first": ("ntf_rns_expand.sv", r"16'\(chunk_q\)", "16'd0"),
    "all digits are the first": ("ntf_rns_expand.sv", r"asked\[15:0\]", "{asked[15:8], 8'd0}"),
    "all limbs are the first": (
        "ntf_rns_expand.sv",
        r"\{term\.place, seeded\.limb, seeded\.digit\}",
        "{term.place, 8'd0, seeded.digit}",
    ),
    "all values have the first modulus": (
        "ntf_rns_expand.sv",
        r"asked\[16\+:PlaceW\]",
        "PlaceW'(0)",
    ),
    "a seed is half of it": (
        "ntf_rns_expand.sv",
        r"\{word_i, seed_q\[SeedW-1:WordW\]\}",
        "{word_i, word_i}",
    ),
    "a seed does not wait": ("ntf_rns_expand.sv", r"!waiting && !ask_q", "1'b1"),
    "the other half of a beat is taken": (
        "ntf_rns_walker.sv",
        r"(?<=assign key_o.upper    = )upper_q",
        "!upper_q",
    ),
    "a beat is for one step": (
        "ntf_rns_walker.sv",
        r"(?<=read_ready_i && )\(!is_expanded \|\| upper_q\)",
        "1'b1",
    ),
    "a packet ends with half of its last beat": (
        "ntf_rns_walker.sv",
        r"key_i.last && \(!is_expanded \|\| upper_q\)",
        "key_i.last",
    ),
    "expanded values are not awaited": (
        "ntf_rns_walker.sv",
        r"!is_expanded \|\| key_i.expanded",
        "1'b1",
    ),
    "the second half is that of the stream": (
        "ntf_rns_unit.sv",
        r"(?<=key_q <= )key_use.expanded",
        "1'b0",
    ),
}


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prepared[RnsCore]]:
    places = [(f"rtl/rns/{file}", good, bad) for file, good, bad in MUTANTS.values()]
    yield beside(
        prepared(N, keccaks=3, banks=16), tmp_path_factory.mktemp("expand") / "design", places
    )


def fails(made: Prepared[RnsCore]) -> bool:
    """Whether keys from seeds go wrong, or the engine gets stuck."""
    with Machine.of(made) as machine:
        try:
            machine.load(draw_moduli(machine.core, random.Random(2), 48))
            for shape in (_SWITCH, _SHAPES[6]):
                done = run_case(machine, case_of(machine, shape), pauses=0.1, rng=random.Random(1))
                if done.wrong or done.outcome.errors:
                    return True
            try:
                test_seeds_of_one_program_follow_each_other(machine)
            except AssertionError:
                return True
        except (StuckError, NttforgeError):  # what comes may be no residues
            return True
    return False


def test_without_a_defect_nothing_shows(
    spoiled: Prepared[RnsCore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, "0")
    assert not fails(spoiled)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_defect_shows(
    spoiled: Prepared[RnsCore], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, str([*MUTANTS].index(name) + 1))
    assert fails(spoiled)
