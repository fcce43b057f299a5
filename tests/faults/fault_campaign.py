# SPDX-License-Identifier: Apache-2.0
"""Which bits are flipped when, and what came of it: chunk by chunk, in processes of their own.

Every flip is a function of the seed and of its number, so that any part of a campaign can be
repeated. The models and the recorded runs are made once; the processes are copies of this one.
"""

import multiprocessing
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from nttforge.kinds.lattice.standard import standards_of
from nttforge.machine import processors
from nttforge.simulate.cycles import CycleModel
from tests.faults import dsa
from tests.faults import kem_cases as kem
from tests.faults.case import Case, timings
from tests.faults.hardware import (
    BOTH,
    DSA,
    KEM,
    NARROW_BOTH,
    SCALED,
    SEEDS_UNIT,
    WITH_BOTH,
    build,
    core_of,
    hardware,
    is_control,
)
from tests.faults.hosts import HOSTS
from tests.faults.scenario import (
    ALERTED,
    BAD,
    HANG,
    LOCKED,
    RIGHT,
    STUCK,
    WRONG,
    Residue,
    Scenario,
    left,
    residue,
)
from tests.rtl.faulty import Register, registers

Flip = tuple[Register, int, int]
"""A bit of a register, and the cycle."""
CHUNK = 250
#: Of twenty flips, how many are tried on which coprocessor: runs of ML-KEM are short.
SHARES = {KEM: 15, DSA: 3, BOTH: 2}
#: Coprocessors with a record of their own, and the cores whose cases they run.
CORES = {
    **{KEM: ("kem",), DSA: ("dsa",), BOTH: ("kem", "dsa")},
    **dict.fromkeys(SCALED, ("kem",)),
    **dict.fromkeys(NARROW_BOTH.values(), ("kem", "dsa")),
}
CONTROL, SEEDS, DATA, IDLE, WIPED = (
    "control",
    "control of the seeds",
    "data",
    "control of the idle core",
    "zeroize after a flip",
)
#: Of a hundred, how many are of which kind; those of the idle core are control elsewhere.
KINDS = {CONTROL: 43, SEEDS: 10, IDLE: 35, DATA: 9, WIPED: 3}
# Secret words are late by so many cycles at most.
LATE = {"kem": 600, "dsa": 2500}
_SECRET_LEFT = "a secret is left after zeroize"
_IDLE_WRONG = "wrong after a fault of the idle core"
# Cycles between a flip and a zeroize, at most; and until nothing may be left.
# A wiping, which a zeroize may come into, takes up to 450, in narrower cores 1,200, or 2,200.
_LATER, BOUND = 450, 512
_NARROW = {**dict.fromkeys((*SCALED, NARROW_BOTH[8]), (1200, 1300)), NARROW_BOTH[4]: (2400, 2600)}
#: Outcomes whose registers are listed.
LISTED = (WRONG, ALERTED, HANG, LOCKED, STUCK)


@dataclass(frozen=True)
class Tried:
    """A flip, and what came of it."""

    coprocessor: str
    kind: str
    register: str
    outcome: str
    place: str  # scenario, register, bit and cycle, in words


@dataclass
class Bench:
    """A coprocessor, and the runs that faults are tried in.

    Attributes
    ----------
    places
        Bits of registers, by kind.
    others
        Of each pair runs that go further.
    residues
        Of each pair the bytes that `zeroize` leaves different without a flip.
    """

    name: str
    model: CycleModel
    scenarios: list[Scenario]
    pairs: list[tuple[Scenario, Scenario]]
    others: list[list[Scenario]]
    places: dict[str, list[tuple[Register, int]]] = field(default_factory=dict)
    residues: list[Residue] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.residues = [
            residue(pair, self.bound, others)
            for pair, others in zip(self.pairs, self.others, strict=True)
        ]
        found = registers(self.model)
        control = [register for register in found if is_control(register)]
        for core in ("kem", "dsa"):
            one = self.name not in WITH_BOTH
            busy = [r for r in control if one or core_of(r) in (core, "shared")]
            names = {register.name for register in busy}
            self.places[f"{CONTROL}, {core}"] = _bits(busy)
            self.places[f"{SEEDS}, {core}"] = _bits(r for r in busy if SEEDS_UNIT in r.name)
            self.places[f"{IDLE}, {core}"] = _bits(r for r in control if r.name not in names)
        self.places[CONTROL] = _bits(control)
        self.places[DATA] = _bits(r for r in found if not is_control(r))

    @property
    def bound(self) -> int:
        """Cycles after a `zeroize` until nothing may be left."""
        return _NARROW.get(self.name, (_LATER, BOUND))[1]

    def flip(self, rng: random.Random) -> Tried:
        """A flip that is drawn."""
        kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
        if kind == WIPED and self.pairs:
            return self._zeroized(rng)
        scenario = rng.choice(self.scenarios)
        places, kind = self._places(kind, scenario.case.core)
        register, bit = rng.choice(places)
        cycle = rng.randrange(scenario.cycles)
        outcome = scenario.changed(cycle, partial(register.flip, bit))
        outcome = of_idle_core(outcome) if kind == IDLE else outcome
        return self._tried(kind, scenario.name, (register, bit, cycle), outcome)

    def _places(self, kind: str, core: str) -> tuple[list[tuple[Register, int]], str]:
        """Bits of that kind while a core is busy; of which kind they are here."""
        if kind == DATA:
            return self.places[DATA], DATA
        if kind == WIPED or (kind == IDLE and self.name not in WITH_BOTH):
            kind = CONTROL
        return self.places[f"{kind}, {core}"], kind

    def _zeroized(self, rng: random.Random) -> Tried:
        number = rng.randrange(len(self.pairs))
        pair = self.pairs[number]
        cycle = rng.randrange(min(each.cycles for each in pair))
        register, bit = rng.choice(self.places[CONTROL])
        later = rng.randrange(_NARROW.get(self.name, (_LATER, BOUND))[0])
        change = partial(register.flip, bit)
        found = left(pair, cycle, change, later, self.bound, beside=self.residues[number])
        outcome = BAD + _SECRET_LEFT if found else RIGHT
        return self._tried(WIPED, pair[0].name, (register, bit, cycle), outcome)

    def _tried(self, kind: str, scenario: str, flip: Flip, outcome: str) -> Tried:
        register, bit, cycle = flip
        place = f"{self.name}, {scenario}: bit {bit} of {register.name} in cycle {cycle}"
        return Tried(self.name, kind, register.name, outcome, place)


def of_idle_core(outcome: str) -> str:
    """What an outcome is after a flip in the idle core: no wrong result may say "none"."""
    bad = {WRONG: _IDLE_WRONG, ALERTED: f"{_IDLE_WRONG}, with the alert"}
    return BAD + bad[outcome] if outcome in bad else outcome


def _bits(of: Iterable[Register]) -> list[tuple[Register, int]]:
    return [(register, bit) for register in of for bit in range(register.bits)]


def _alike(runs: Sequence[Scenario]) -> tuple[Scenario, Scenario]:
    """Two runs that take the same time, or nearly so, the longer one last."""
    ordered = sorted(runs, key=lambda run: run.cycles)
    at = min(range(1, len(ordered)), key=lambda at: ordered[at].cycles - ordered[at - 1].cycles)
    return ordered[at - 1], ordered[at]


def bench(
    name: str,
    folder: Path,
    seed: int,
    only: str = "",
    states: int = 80,
    *,
    defects: Mapping[str, tuple[str, str]] | None = None,
) -> Bench:
    """A coprocessor with its runs: those of which the name contains `only`."""
    model = build(name, folder, defects)
    found = [{"kem": kem, "dsa": dsa}[core] for core in CORES[name]]
    standards = standards_of(hardware(name).core)
    does = {operation for standard in standards for operation in standard.operations}
    cases = [
        case
        for module in found
        for case in module.cases(seed)
        if all(request.operation in does for request in case.requests)
    ]
    pairs = [pair for module in found for pair in module.pairs(seed)]
    drawn = [
        (case, timing)
        for case in cases
        for timing in timings(random.Random(f"{seed} {case.name}"), LATE[case.core])
        if case.secret or not timing.secrets
        if only in f"{case.name}, {timing.name}"
    ]
    host = HOSTS[name]()
    early = timings(random.Random(seed), 100)[0]

    # Of a pair both begin alike: what is public may stay in memories from what was before.
    state = model.state()

    def made(case: Case) -> Scenario:
        model.restore(state)
        return Scenario(model, host, case, early, states=states)

    scenarios = [Scenario(model, host, *each, states=states) for each in drawn]
    asked = [cases for cases in pairs if only in f"{cases[0].name}, {early.name}"]
    runs = [[made(case) for case in cases] for cases in asked]
    both = [_alike(each) for each in runs]
    others = [
        [run for run in each if run.cycles > longer.cycles]
        for each, (_, longer) in zip(runs, both, strict=True)
    ]
    return Bench(name, model, scenarios, both, others)


@dataclass(frozen=True)
class Campaign:
    """Coprocessors, and a seed of which all flips come."""

    benches: Mapping[str, Bench]
    seed: int

    def flip(self, number: int) -> Tried:
        """The flip of a number."""
        rng = random.Random(f"{self.seed} {number}")
        shares = [SHARES.get(name, 1) for name in self.benches]
        return self.benches[rng.choices(list(self.benches), shares)[0]].flip(rng)

    def chunk(self, number: int) -> list[Tried]:
        """So many flips that are kept together."""
        return [self.flip(number * CHUNK + at) for at in range(CHUNK)]

    def run(self, chunks: Sequence[int]) -> Iterator[list[Tried]]:
        """Chunks in their order, in as many processes as there are processors."""
        if processors() == 1 or len(chunks) == 1:
            yield from map(self.chunk, chunks)
            return
        # The processes are copies: models are at the same addresses in all of them.
        _forked.append(self)
        try:
            with multiprocessing.get_context("fork").Pool(processors()) as pool:
                yield from pool.imap(_chunk, chunks)
        finally:
            _forked.pop()


_forked: list[Campaign] = []


def _chunk(number: int) -> list[Tried]:
    return _forked[-1].chunk(number)


def counted(tried: Sequence[Tried]) -> Counter[tuple[str, str, str]]:
    """By coprocessor, kind and outcome; all that is bad is one."""
    return Counter((t.coprocessor, t.kind, _outcome(t)) for t in tried)


def _outcome(tried: Tried) -> str:
    return "bad" if tried.outcome.startswith(BAD) else tried.outcome
