# SPDX-License-Identifier: Apache-2.0
"""When each job of a program runs: units in order, results as streams, nothing else waited for.

What the hardware will do, before there is any: a floor that knows latencies. It knows no stalls,
and takes averages where the number of blocks varies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from nttforge.design import load_design
from nttforge.kinds.lattice.mldsa.program import HashJob, Job, NttJob, Program, keygen, sign, verify
from nttforge.kinds.stream.build import build
from nttforge.standards.ml_dsa.parameters import N, Parameters

UNITS = ("keccak", "products", "transform")
ROUND_CYCLES = 24
RATE_WORDS = 17
SEED_WORDS = 8
PRODUCT_LATENCY = 10
#: From a transform's output to packed words: addition, rounding, packing.
ROUNDING_LATENCY = 8
#: Words in and out of registers.
EDGE = 2
#: A unit stays idle for so long, if what is late can then go first: a permutation.
PATIENCE = ROUND_CYCLES


@dataclass(frozen=True)
class Machine:
    """What there is of the units, and the transform's times.

    Attributes
    ----------
    butterflies
        A stage.
    lanes
        Of the products.
    beats, latency, turnaround
        Cycles of a transform; from its first beat to its first result; idle ones before an
        inverse transform after a forward one.
    keccaks
        Permutations at a time; each has samplers of its own.
    """

    butterflies: int
    lanes: int
    beats: int
    latency: int
    turnaround: int
    keccaks: int = 1


@cache
def machine(butterflies: int = 4, lanes: int = 16) -> Machine:
    """The transform is the pipeline's, as it is derived."""
    keys = {
        "pipeline.butterflies": butterflies,
        "pipeline.adders_per_stage": 4,
        "pipeline.fused": True,
    }
    core = build(load_design("ml-dsa", keys))
    facts: Mapping[str, Any] = core.facts
    beats: int = facts["intervals"][0]
    first = core.operations[0].latency - beats + 1
    return Machine(butterflies, lanes, beats, first, facts["turnaround"][0][1])


@dataclass(frozen=True)
class When:
    """Cycles: from when the unit works on a job, until when, its first and its last result."""

    start: float
    end: float
    first: float
    last: float


@dataclass
class Plan:
    """A program, placed in time.

    Attributes
    ----------
    jobs
        By label.
    order
        Labels of each unit's jobs, in the order in which it does them.
    """

    jobs: dict[str, When] = field(default_factory=dict)
    order: dict[str, list[str]] = field(default_factory=lambda: {unit: [] for unit in UNITS})


class _Placing:
    """Jobs placed one after another, always the one that can start first."""

    def __init__(self, program: Program, engine: Machine) -> None:
        self.engine = engine
        self.result = Plan()
        for label, at in program.arrives.items():
            self.result.jobs[label] = When(at, at, at, at + EDGE)
        lists: tuple[Sequence[Job], ...] = (program.hashes, program.macs, program.ntts)
        # What is late goes first if both could.
        self.queues: dict[tuple[str, bool], list[Job]] = {
            (unit, late): [job for job in jobs if job.late == late][::-1]
            for unit, jobs in zip(UNITS, lists, strict=True)
            for late in (True, False)
        }
        # Of each unit, or of each Keccak: when it has done what it was given.
        self.free = {unit: [0.0] for unit in UNITS}
        self.free["keccak"] *= engine.keccaks
        self.inverse = False

    def placed(self, unit: str, job: Job) -> When | None:
        """When a job would run; None if what it waits for has no time yet."""
        done = self.result.jobs
        if any(label not in done for label in (*job.takes, *job.needs)):
            return None
        start = max([min(self.free[unit]), *(done[label].last + 1 for label in job.needs)])
        if isinstance(job, HashJob):
            words = job.before
            for label, number in zip(job.takes, job.words, strict=True):
                words += number
                # The permutation that absorbs its last word cannot start before that is here.
                after = words // RATE_WORDS * ROUND_CYCLES
                packed = ROUNDING_LATENCY if number > SEED_WORDS else EDGE
                start = max(start, done[label].last + packed - after)
            end = start + ROUND_CYCLES * job.permutations
            return When(start, end, start + ROUND_CYCLES + EDGE, end + job.drain)
        length, latency = N // self.engine.lanes, PRODUCT_LATENCY
        if isinstance(job, NttJob):
            length, latency = self.engine.beats, self.engine.latency
            start += self.engine.turnaround if job.inverse and not self.inverse else 0
        for label in job.takes:
            start = max(start, done[label].first + 1, done[label].last + 2 - length)
        return When(start, start + length, start + latency, start + latency + length - 1)

    def all(self) -> Plan:
        """Place all of them."""
        while any(self.queues.values()):
            ready = [
                (when.start - PATIENCE * key[1], number, key, when)
                for number, (key, queue) in enumerate(self.queues.items())
                if queue and (when := self.placed(key[0], queue[-1])) is not None
            ]
            if not ready:
                raise ValueError("a job waits for what never comes")
            _, _, key, when = min(ready, key=lambda found: found[:2])
            job, unit = self.queues[key].pop(), key[0]
            self.result.jobs[job.label] = when
            self.result.order[unit].append(job.label)
            free = self.free[unit]
            free[free.index(min(free))] = when.end
            if isinstance(job, NttJob):
                self.inverse = job.inverse
        return self.result


def plan(program: Program, engine: Machine) -> Plan:
    """When everything happens, if every unit works as soon as it can.

    Raises
    ------
    ValueError
        If a job waits for itself.
    """
    return _Placing(program, engine).all()


def over(program: Program, engine: Machine, last: str) -> float:
    """The cycle in which the last word leaves, when job `last` decides that it may."""
    return plan(program, engine).jobs[last].last + ROUNDING_LATENCY + program.leaves + EDGE


def keygen_cycles(p: Parameters, engine: Machine) -> float:
    """Cycles of KeyGen."""
    return over(keygen(p), engine, "tr")


def verify_cycles(p: Parameters, engine: Machine) -> float:
    """Cycles of Verify."""
    return over(verify(p), engine, "c~'")


def sign_cycles(
    p: Parameters, engine: Machine, tries: int, *, loaded: bool = False, ahead: int = 1
) -> float:
    """Cycles of a signature of so many tries."""
    program = sign(p, tries, loaded=loaded, ahead=ahead)
    return over(program, engine, f"INTT c{tries - 1} t0_{p.k - 1}")


@dataclass(frozen=True)
class Signature:
    """Cycles of a signature: on average, of each try, and of all but the tries."""

    mean: float
    each: float
    fixed: float


def sign_mean(p: Parameters, engine: Machine, *, loaded: bool = False, ahead: int = 1) -> Signature:
    """Cycles of signatures; from the third try on, each takes the same time."""
    many = 4
    times = [
        sign_cycles(p, engine, tries, loaded=loaded, ahead=ahead)
        for tries in (*range(1, many + 1), many + 2)
    ]
    each = (times[-1] - times[-2]) / 2
    fixed = times[-2] - many * each
    once = 1 / p.tries
    mean, left = 0.0, 1.0
    for tries, cycles in enumerate(times[:-1], 1):
        mean, left = mean + left * once * cycles, left * (1 - once)
        beyond = tries + p.tries
    return Signature(mean + left * (fixed + each * beyond), each, fixed)
