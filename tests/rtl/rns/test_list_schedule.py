# SPDX-License-Identifier: Apache-2.0
"""Programs in units that take any time: what comes out depends on what commands wait for alone."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from nttforge.design import Design, parse_design
from nttforge.errors import NttforgeError
from nttforge.kinds.rns.build import RnsCore, elaborate
from nttforge.kinds.rns.cases import draw_moduli
from nttforge.kinds.rns.program import By, Command, Op
from nttforge.kinds.rns.switching import (
    Job,
    Limbs,
    Switch,
    batch,
    key_switch,
    mod_down,
    tensor,
)
from nttforge.kinds.stream.loaded import sample_moduli
from nttforge.standards.rns import CONVENTIONS, Lift
from tests.rtl.rns.bench import prepared

#: ints are numbers of what they are made of; one is being made, and one nothing has made.
_POISON, _NOTHING = -1, -2
_NUMBERS: dict[tuple[object, ...], int] = {}
_UNITS = (Op.TRANSFORM, Op.SUM, Op.CONVERT, Op.LOAD, Op.STORE)


def unit_of(command: Command) -> int:
    return _UNITS.index(Op.CONVERT if command.op is Op.FRACTION else command.op)


def numbered(*parts: object) -> int:
    """The value that is made of these."""
    return _NUMBERS.setdefault(parts, len(_NUMBERS))


def results(command: Command, read: dict[int, int], stream: Iterator[int]) -> list[int]:
    """What its targets become, whichever unit and row it has."""
    if command.op is Op.LOAD:
        return [numbered("load", next(stream))]
    if command.op is Op.TRANSFORM:
        return [numbered("transform", command.place, command.set, read[command.src])]
    packet = next(stream) if any(term.by is By.KEY for term in command.terms) else 0

    def summand(number: int, target: int) -> tuple[int, ...]:
        term = command.terms[number]
        factor = 0
        if term.by is By.FACTOR:
            factor = (term.factor, *term.others)[target]
        elif term.by is By.KEY:
            factor = numbered("key", packet, number, target)
        elif term.by is By.ROW:
            factor = read[term.factor]
        return read[term.row], factor, term.by, term.shift

    kind = command.op is Op.FRACTION, command.set, command.moved
    return [
        numbered(
            *kind,
            target.place,
            target.initial,
            *sorted(summand(number, at) for number in range(len(command.terms))),
        )
        for at, target in enumerate(command.targets)
    ]


def in_order(commands: Sequence[Command]) -> list[int]:
    """What is stored if each command is over before the next one begins."""
    return Timing(commands, max).run(one=True)


class Timing:
    """Units that begin, end their reading, and end, when `choose` says so.

    The row of a result is spoiled from the beginning of its command on, and read rows count as they
    are at the beginning and at the end of the reading.
    """

    def __init__(self, commands: Sequence[Command], choose: Callable[[Sequence[int]], int]) -> None:
        self.queues = [[c for c in commands if unit_of(c) == u] for u in range(len(_UNITS))]
        self.commands, self.choose = commands, choose
        self.rows: dict[int, int] = {}
        self.over = [0] * len(_UNITS)
        self.reading: dict[int, tuple[Command, dict[int, int]]] = {}
        self.late: list[list[tuple[Command, list[int]]]] = [[] for _ in _UNITS]
        self.streams = {op: iter(range(10_000)) for op in (Op.LOAD, Op.SUM)}
        self.stored: list[int] = []

    def run(self, *, one: bool = False) -> list[int]:
        if one:
            for command in self.commands:
                unit = unit_of(command)
                self.begin(unit)
                self.read(unit)
                self.end(unit)
            return self.stored
        while steps := [*self.steps()]:
            number = self.choose(range(len(steps)))
            step, unit = steps[number]
            step(unit)
        return self.stored

    def steps(self) -> Iterator[tuple[Callable[[int], None], int]]:
        for unit, queue in enumerate(self.queues):
            if unit in self.reading:
                yield self.read, unit
            elif queue and all(map(int.__ge__, self.over, queue[0].waits)):
                yield self.begin, unit
            if self.late[unit]:
                yield self.end, unit

    def seen(self, command: Command) -> dict[int, int]:
        return {row: self.rows.get(row, _NOTHING) for row in command.reads}

    def begin(self, unit: int) -> None:
        command = self.queues[unit].pop(0)
        self.reading[unit] = command, self.seen(command)
        self.rows |= dict.fromkeys(command.writes, _POISON)

    def read(self, unit: int) -> None:
        command, before = self.reading.pop(unit)
        now = self.seen(command)
        assert now == before and not {_POISON, _NOTHING} & set(now.values()), "a race"
        if command.op is Op.STORE:
            self.stored.append(now[command.src])
        stream = self.streams[Op.LOAD if command.op is Op.LOAD else Op.SUM]
        made = [] if command.op is Op.STORE else results(command, now, stream)
        self.late[unit].append((command, made))

    def end(self, unit: int) -> None:
        command, made = self.late[unit].pop(0)
        self.rows |= zip(command.writes, made, strict=True)
        self.over[unit] += 1


@cache
def core() -> RnsCore:
    return prepared(terms=7).core


def _job(name: str) -> Job:
    job = Job(Limbs(core(), draw_moduli(core(), random.Random(0), 50)), exact=name == "exact")
    switch = Switch(range(6), range(6, 7), 1, CONVENTIONS["lattigo"])
    if name == "rescale":
        mod_down(job, range(6), [6], Lift.CENTRED)
    elif name == "tensor":
        tensor(job, range(7))
    elif name == "switch":
        key_switch(job, switch)
    elif name == "exact":
        key_switch(job, replace(switch, q=range(4), p=range(4, 7), digit_limbs=3))
    else:
        key_switch(job, replace(switch, g=5, added=1, digit_limbs=2, p=(5, 6), q=range(5)))
    return job


@cache
def stored(name: str) -> list[int]:
    """Of the draft."""
    return in_order(_job(name).draft.commands)


_NAMES = ("switch", "rotate", "rescale", "tensor", "exact")


@pytest.mark.parametrize("name", _NAMES)
def test_units_may_take_any_time(name: str) -> None:
    commands = _job(name).program.commands
    assert in_order(commands) == stored(name)
    for seed in range(8):
        assert Timing(commands, random.Random(seed).choice).run() == stored(name)
    # One unit as late as can be, and one as early.
    for chosen in (min, max):
        assert Timing(commands, chosen).run() == stored(name)


def test_without_waits_it_depends_on_time() -> None:
    commands = [replace(each, waits=(0,) * len(_UNITS)) for each in _job("switch").program.commands]
    with pytest.raises(AssertionError, match="a race"):
        Timing(commands, random.Random(0).choice).run()


@pytest.mark.parametrize("waits", range(len(_UNITS)))
def test_each_unit_is_awaited(waits: int) -> None:
    """A store is awaited where its row is written again, so of two calls in few rows."""
    few = prepared(terms=7, rows=32).core
    job = _job("switch")
    key_switch(job, Switch(range(6), range(6, 7), 1, CONVENTIONS["lattigo"]))
    right = in_order(job.draft.commands)
    job.limbs = replace(job.limbs, core=few)
    commands = [
        replace(each, waits=tuple(0 if u == waits else w for u, w in enumerate(each.waits)))
        for each in job.program.commands
    ]

    def fails(seed: int) -> bool:
        try:
            return Timing(commands, random.Random(seed).choice).run() != right
        except AssertionError:
            return True

    assert any(fails(seed) for seed in range(20))


@pytest.mark.parametrize("rows", [16, 24, 40])
def test_fewer_rows_take_more_time_or_are_refused(rows: int) -> None:
    job = _job("switch")
    job.limbs = replace(job.limbs, core=prepared(terms=7, rows=rows).core)
    if rows == 16:
        with pytest.raises(NttforgeError, match=r"16 are too few"):
            assert job.program
        return
    assert job.program.used <= rows
    assert in_order(job.program.commands) == stored("switch")


def _long_rows() -> Design:
    """Of rows of 512 beats, as those of 2^14 coefficients at 32 a cycle."""
    table = {"butterflies": 2, "targets": 4, "rows": 96, "banks": 16, "terms": 8}
    ring = {"n": 2048, "q": "runtime", "bits": 54, "moduli": 7}
    return parse_design(
        {"name": "long-rows", "family": "rns", "rings": [ring], "rns": table}, "test"
    )


def test_calls_with_one_key_seldom_turn_the_transform_around() -> None:
    """Turning around takes nearly as long as a transform; the model counts it, and avoids it."""
    core, calls = elaborate(_long_rows()), 16
    job = Job(Limbs(core, sample_moduli(core.pipeline.design)))
    batch(job, Switch(range(6), range(6, 7), 1, CONVENTIONS["lattigo"]), calls)
    inverse = [each.set for each in job.program.commands if each.op is Op.TRANSFORM]
    assert len(inverse) == 56 * calls
    turned = sum(not before and after for before, after in pairwise(inverse))
    assert turned <= calls + 4
    assert core.pipeline.turnaround[0][1] > core.beats * 3 // 4
    gaps = turned * core.pipeline.turnaround[0][1]
    assert len(inverse) * core.beats + gaps < job.order.clocks < 1.05 * len(inverse) * core.beats
