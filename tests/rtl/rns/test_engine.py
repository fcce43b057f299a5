# SPDX-License-Identifier: Apache-2.0
"""Engines of key switching beside the exact references: operations, borders, errors."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from nttforge.flow.prepare import Prepared
from nttforge.kinds.rns.build import RnsCore
from nttforge.kinds.rns.cases import OPERATIONS, Case, Shape, draw_moduli, draw_shape, run_case
from nttforge.kinds.rns.machine import EngineKey, Machine, Ran
from nttforge.kinds.rns.program import By, Command, Op, Program, Target, Term
from nttforge.kinds.rns.switching import Job, mod_down
from nttforge.simulate.word_streams import Supply
from nttforge.standards.rns import Basis, Lift
from tests.rtl.rns.bench import near_words, prepared

#: Lattigo's, SEAL's and OpenFHE's parameters that the small engine takes.
_SHAPES = (
    Shape("key_switch", "lattigo", 5, 5, 1, 1),
    Shape("key_switch", "lattigo", 4, 5, 2, 2, t=65537),
    Shape("key_switch", "lattigo", 4, 4, 3, 3),
    Shape("key_switch", "seal", 6, 6, 1, 1),
    Shape("key_switch", "openfhe", 5, 5, 2, 3, t=65537),
    Shape("key_switch", "openfhe", 1, 5, 2, 3),
    Shape("relinearize", "lattigo", 5, 5, 2, 2),
    Shape("rotate", "lattigo", 4, 4, 2, 2, g=5),
    Shape("rotate", "seal", 3, 3, 1, 1, g=127),
    Shape("rotate", "openfhe", 4, 4, 2, 2, g=77),
    Shape("hoisted", "lattigo", 4, 5, 1, 1, g=127),
    Shape("hoisted", "lattigo", 3, 4, 2, 2, g=5),
    Shape("hoisted", "openfhe", 4, 4, 2, 2, g=77),
)


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    with Machine.of(prepared()) as found:
        yield found


def case_of(machine: Machine, shape: Shape, seed: int = 0) -> Case:
    return OPERATIONS[shape.operation](machine, shape, random.Random(seed))


@pytest.mark.parametrize("shape", _SHAPES, ids=lambda s: f"{s.operation}-{s.convention}-{s.level}")
@pytest.mark.parametrize("border", [False, True])
def test_every_coefficient_is_the_references(
    machine: Machine, shape: Shape, *, border: bool
) -> None:
    rng = random.Random(shape.level)
    machine.load(draw_moduli(machine.core, rng, 50))
    case = case_of(machine, replace(shape, border=border))
    done = run_case(machine, case, pauses=0.2, rng=rng)
    assert not done.wrong
    assert not done.outcome.errors
    several = shape.digit_limbs > 1 and shape.convention != "openfhe" and shape.level > 1
    assert bool(done.near) == (border and several)


def wrong_operations(prepared: Prepared[RnsCore], rng: random.Random, count: int) -> list[Shape]:
    """Of so many drawn ones, each in turn, those that give other words or errors."""
    found = []
    with Machine.of(prepared) as machine:
        for number in range(count):
            if number % len(OPERATIONS) == 0:
                machine.load(draw_moduli(machine.core, rng, 40))
            name = list(OPERATIONS)[number % len(OPERATIONS)]
            case = OPERATIONS[name](machine, draw_shape(machine.core, rng, name), rng)
            done = run_case(machine, case, pauses=rng.choice((0, 0.3)), rng=rng)
            found += [case.shape] if done.wrong or done.outcome.errors else []
    return found


def test_drawn_operations() -> None:
    assert not wrong_operations(prepared(), random.Random(1), 4 * len(OPERATIONS))


@pytest.mark.parametrize("depth", [1, 64])
def test_keys_that_come_slowly_from_memory(machine: Machine, depth: int) -> None:
    """Words are right, and the time is that of the beats; of one place, that of round trips."""
    machine.load(draw_moduli(machine.core, random.Random(7), 50))
    case = case_of(machine, Shape("key_switch", "lattigo", 5, 5, 1, 1))
    fast = run_case(machine, case)
    interval, latency = 9.5, 60
    machine.key_memory = lambda: Supply(interval, latency, depth)
    try:
        slow = run_case(machine, case, pauses=0.1, rng=random.Random(1))
    finally:
        machine.key_memory = None
    assert not slow.wrong and not slow.outcome.errors
    beats = 5 * 6 * machine.core.beats
    least = beats * (interval if depth > 1 else latency)
    assert fast.cycles < least < slow.cycles < 2 * (fast.cycles + least)


@pytest.mark.slow
@pytest.mark.parametrize(("butterflies", "targets", "banks"), [(1, 1, 1), (1, 7, 32), (8, 3, None)])
def test_other_numbers_of_lanes_targets_and_banks(
    butterflies: int, targets: int, banks: int | None
) -> None:
    made = prepared(butterflies=butterflies, targets=targets, banks=banks)
    assert not wrong_operations(made, random.Random(butterflies), 3 * len(OPERATIONS))


@pytest.mark.parametrize("lift", [Lift.CENTRED, Lift.PLAIN, Lift.UNCORRECTED])
def test_quotients_at_every_border(machine: Machine, lift: Lift) -> None:
    """Of a division by three limbs, with P / 2 +- 2^j for every j as the remainder."""
    rng = random.Random(2)
    moduli = draw_moduli(machine.core, rng, 53)
    machine.load(moduli)
    q, p = Basis(moduli[:2]), Basis(moduli[4:])
    half, n = p.product // 2, machine.core.n
    remainders = [
        (base + sign * (1 << j)) % p.product
        for base in (0, half, half + 1)
        for sign in (1, -1)
        for j in range(p.product.bit_length())
    ]
    near = right_near = 0
    for start in range(0, len(remainders), n):
        some = (remainders[start : start + n] + remainders)[:n]
        x = p.residues(np.array(some, object))
        rows = {(0, 4 + i): row for i, row in enumerate(x)}
        rows |= {(0, i): np.zeros(n, object) for i in range(2)}
        right = [[-r * pow(p.product, -1, m) % m for r in p.integers(x, lift)] for m in q.moduli]

        def make(job: Job) -> None:
            mod_down(job, [0, 1], [4, 5, 6], lift)

        done = machine.compute(make, rows)
        assert [done.rows[0, i].tolist() for i in range(2)] == right
        near += done.near
        right_near += near_words(machine.core, x, p, lift)
    assert near == (0 if lift is Lift.UNCORRECTED else right_near)
    assert bool(near) == (lift is not Lift.UNCORRECTED)


# -------------------------------------------------------------------------------------------------
# Errors


class Faulty:
    """A division by the last of two limbs, with something wrong, and then again without."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        machine.load(draw_moduli(machine.core, random.Random(3), 50))
        self.case = case_of(machine, Shape("rescale", level=2, whole=2))
        job = Job(machine.limbs)
        self.case.make(job)
        self.job, self.words = job, job.program.words(1)
        self.data = [machine.row(place, self.case.rows[0, place]) for _, place in job.loaded]

    def run(
        self,
        words: Sequence[int] | None = None,
        data: Sequence[Sequence[int]] | None = None,
        rows: int = 1,
    ) -> Ran:
        found = self.machine.run(
            self.words if words is None else words,
            data=self.data if data is None else data,
            rows=rows,
        )
        done = run_case(self.machine, self.case)
        assert not done.wrong
        assert not done.outcome.errors
        return found


@pytest.fixture(scope="module")
def faulty(machine: Machine) -> Faulty:
    return Faulty(machine)


def _program(*commands: Command, end: Command | None = None) -> list[int]:
    return [w for c in (*commands, end or Command(Op.END, tag=5)) for w in c.words]


@pytest.mark.parametrize(
    "command",
    {
        "no operation": Command(Op.LOAD, dst=7),
        "row": Command(Op.LOAD, dst=64),
        "source": Command(Op.STORE, src=64),
        "place": Command(Op.TRANSFORM, place=7),
        "wait": Command(Op.LOAD, waits=(0, 0, 0, 1, 0)),
        "no summand": Command(Op.SUM, targets=(Target(),)),
        "summands": Command(Op.CONVERT, targets=(Target(),), terms=(Term(0),) * 7),
        "no target": Command(Op.CONVERT, terms=(Term(0),)),
        "targets": Command(Op.CONVERT, targets=(Target(),) * 5, terms=(Term(0),)),
        "three halves": Command(Op.SUM, targets=(Target(),) * 3, terms=(Term(0),)),
        "two fractions": Command(Op.FRACTION, targets=(Target(),) * 2, terms=(Term(0),)),
    }.items(),
    ids=lambda item: item[0],
)
def test_a_wrong_command_ends_its_program(faulty: Faulty, command: tuple[str, Command]) -> None:
    name, wrong = command
    words = _program(wrong)
    if name == "no operation":
        words[0] |= 15
    found = faulty.run(words, data=[], rows=0)
    assert found.outcome.errors == ("program",)
    assert found.outcome.tag == 0


@pytest.mark.parametrize("term", [Term(64), Term(0, 64, By.ROW), Term(0, by=By.KEY)])
def test_a_wrong_summand(faulty: Faulty, term: Term) -> None:
    program = Program(64, 6)
    row = program.load()
    words = [w for c in program.commands for w in c.words]
    targets, waits = (Target(dst=1),), (0, 0, 0, 1, 0)
    words += _program(Command(Op.CONVERT, targets=targets, terms=(Term(row), term), waits=waits))
    found = faulty.run(words, data=faulty.data[:1], rows=0)
    assert found.outcome.errors == ("program",)


@pytest.mark.parametrize("target", [Target(dst=64), Target(place=7)])
def test_a_wrong_target(faulty: Faulty, target: Target) -> None:
    command = Command(Op.CONVERT, targets=(Target(dst=2), target), terms=(Term(0),))
    found = faulty.run(_program(command), data=[], rows=0)
    assert found.outcome.errors == ("program",)


def test_a_program_without_an_end(faulty: Faulty) -> None:
    found = faulty.run(faulty.words[:-1], rows=0)
    assert found.outcome.errors == ("program",)


def test_a_program_that_ends_within_a_sum(faulty: Faulty) -> None:
    sums = Command(Op.SUM, targets=(Target(initial=1, dst=1),), terms=(Term(0),) * 5).words
    found = faulty.run(sums[:3], data=[], rows=0)
    assert found.outcome.errors == ("program",)


def test_an_end_that_is_not_the_last_word(faulty: Faulty) -> None:
    found = faulty.run([*_program(), *_program()], data=[], rows=0)
    assert found.outcome.errors == ("program",)


@pytest.mark.parametrize("change", ["short", "long"])
def test_a_row_of_another_length(faulty: Faulty, change: str) -> None:
    first, *rest = faulty.data
    wrong = first[:-3] if change == "short" else [*first, *first[:5]]
    found = faulty.run(data=[wrong, *rest])
    assert found.outcome.errors == ("data",)
    assert found.outcome.tag == 1


def test_a_word_that_is_no_residue(faulty: Faulty) -> None:
    first, *rest = faulty.data
    found = faulty.run(data=[[*first[:-1], (1 << faulty.machine.core.data_bits) - 1], *rest])
    assert found.outcome.errors == ("transform",)


@pytest.mark.parametrize("change", ["short", "long", "root"])
def test_a_wrong_load_of_a_modulus(machine: Machine, change: str) -> None:
    moduli = draw_moduli(machine.core, random.Random(4), 50)
    machine.load(moduli)
    good = list(machine.core.pipeline.load_words(machine.ring(0)))
    at = 1 + (machine.core.pipeline.moduli.inverse > 0)
    root = [*good[:at], 1, *good[at + 1 :]]
    bad = {"short": good[:-1], "long": [*good, 1, 2], "root": root}[change]
    program = Program(64, 6)
    program.modulus(0, len(good))
    found = machine.run(program.words(), data=[bad])
    assert found.outcome.errors == (() if change == "root" else ("data",))
    case = case_of(machine, Shape("rescale", level=2, whole=2))
    done = run_case(machine, case)
    assert ("transform" in done.outcome.errors) == (change != "long")
    machine.load(moduli)
    done = run_case(machine, case)
    assert not done.wrong
    assert not done.outcome.errors


@pytest.mark.parametrize("change", ["short", "long"])
def test_a_packet_of_keys_of_another_length(machine: Machine, change: str) -> None:
    machine.load(draw_moduli(machine.core, random.Random(5), 50))
    case = case_of(machine, Shape("key_switch", "lattigo", 3, 3, 1, 1))
    assert case.key is not None
    job = Job(machine.limbs)
    case.make(job)
    key = EngineKey.of(machine, case.key, case.places)
    keys = [machine.key_packet(key, packet) for packet in job.packets]
    keys[2] = keys[2][:-7] if change == "short" else [*keys[2], *keys[2][:9]]
    data = [machine.row(place, case.rows[number, place]) for number, place in job.loaded]
    ran = machine.run(job.program.words(9), data=data, keys=keys, rows=len(job.stored))
    assert ran.outcome.errors == ("key",)
    assert ran.outcome.tag == 9
    done = run_case(machine, case)
    assert not done.wrong
    assert not done.outcome.errors
