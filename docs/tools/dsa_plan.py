# SPDX-License-Identifier: Apache-2.0
"""When each job of a program runs: units in order, results as streams, nothing else waited for.

What the hardware will do, before there is any: a floor that knows latencies. It knows no stalls,
and takes averages where the number of blocks varies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import ceil
from typing import Any

from nttforge.design import load_design
from nttforge.kinds.lattice.mldsa.cycles import ROUND_CYCLES
from nttforge.kinds.lattice.mldsa.cycles import sign_cycles as one_signature
from nttforge.kinds.lattice.mldsa.program import (
    MESSAGE_WORDS,
    SAMPLE_DRAIN,
    WORD,
    HashJob,
    Job,
    MacJob,
    NttJob,
    Program,
    ball_cycles,
    hash_job,
    keygen,
    matrix_jobs,
    permutations,
    poly_words,
    verify,
)
from nttforge.kinds.stream.build import build_transforms as build
from nttforge.standards.ml_dsa.parameters import DROPPED_BITS, SEED_BYTES, N, Parameters
from nttforge.standards.ml_dsa.signing import Signature as Signed

UNITS = ("keccak", "products", "transform")
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


def sign(p: Parameters, tries: int = 1, *, loaded: bool = False, ahead: int = 1) -> Program:
    """Sign_internal with so many tries, of which the last one is accepted.

    Parameters
    ----------
    p
        The set.
    tries
        How many.
    loaded
        Matrix and secrets are there from before.
    ahead
        So many vectors y are kept beside the one that is checked.
    """
    n, program = permutations(p), Program()
    program.arrive([] if loaded else [("seeds", 16)])
    program.arrive([("M", MESSAGE_WORDS)])
    program.hashes.append(hash_job("mu", n.mu, ("M", MESSAGE_WORDS), before=8))
    program.hashes.append(hash_job("rho''", n.rho, ("mu", 8), before=8))
    if not loaded:
        secret = p.eta_bits * (p.k + p.l)
        program.arrive([("s", poly_words(secret)), ("t0", poly_words(DROPPED_BITS * p.k))])
        program.ntts += [NttJob(f"NTT s_{i}", ("s",)) for i in range(p.k)]
        program.ntts += [NttJob(f"NTT t0_{i}", ("t0",)) for i in range(p.k)]
    for attempt in range(tries + ahead):
        _attempt(program, p, attempt, loaded=loaded, ahead=ahead)
    program.leaves = ceil(p.signature_bytes / WORD)
    return program


def _attempt(program: Program, p: Parameters, at: int, *, loaded: bool, ahead: int) -> None:
    """Append a try: y, w, its challenge, and its checks."""
    n, first = permutations(p), at == 0 and not loaded
    old = at - 1 - ahead  # whose place y takes
    for j in range(p.l):
        place = (f"INTT c{old} s_{j}",) if old >= 0 else ("rho''",)
        program.hashes.append(
            HashJob(f"y{at}_{j}", needs=place, permutations=n.mask, drain=SAMPLE_DRAIN)
        )
        used = (f"A{p.k - 1}{j} y{at - 1}_{j}",) if at else ()
        program.ntts.append(NttJob(f"NTT y{at}_{j}", (f"y{at}_{j}",), used))
    if first:
        program.hashes += matrix_jobs(p, n)
    products = [(i, j) for i in range(p.k) for j in range(p.l)]
    # The first time rows are sampled; later all of the matrix waits for y's polynomials.
    for i, j in products if first else sorted(products, key=lambda place: place[::-1]):
        takes = (*((f"A{i}{j}",) if first else ()), f"NTT y{at}_{j}")
        program.macs.append(MacJob(f"A{i}{j} y{at}_{j}", takes))
    for i in range(p.k):
        last = f"A{i}{p.l - 1} y{at}_{p.l - 1}"
        kept = (f"INTT c{at - 2} t0_{i}",) if at > 1 else ()
        program.ntts.append(NttJob(f"w{at}_{i}", (last,), kept, inverse=True))
    w1 = ((f"w{at}_{i}", poly_words(p.w1_bits)) for i in range(p.k))
    program.hashes.append(hash_job(f"c~{at}", n.challenge, *w1, before=8, late=True))
    seed = (f"c~{at}", p.challenge_bytes // WORD)
    program.hashes.append(hash_job(f"c{at}", n.ball, seed, drain=1 + ball_cycles(p), late=True))
    program.ntts.append(NttJob(f"NTT c{at}", (f"c{at}",), late=True))
    # s1 and s2 share products and transforms, see the page.
    for name in (f"{part}{i}" for part in ("s_", "t0_") for i in range(p.k)):
        # With a loaded key the factor is there.
        factor = () if loaded else (f"NTT {name}",)
        label = f"c{at} {name}"
        program.macs.append(MacJob(label, (f"NTT c{at}", *factor), late=True))
        program.ntts.append(NttJob(f"INTT {label}", (label,), inverse=True, late=True))


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


@dataclass(frozen=True)
class Expected:
    """Cycles of a signature of M' of some words on average, and of a round of it."""

    mean: float
    round: float


def _tried(challenge: bytes, tries: int) -> Signed:
    """Tries with one challenge each time, of which all but the last have failed early."""
    return Signed(b"", (challenge,) * tries, (*[False] * (tries - 1), True))


def expected_sign(p: Parameters, *, loaded: bool) -> Expected:
    """Averages of :func:`sign_cycles` of :data:`MESSAGE_WORDS` words, over tries and challenges."""
    runs, size = 200, p.challenge_bytes
    seeds = [number.to_bytes(size, "little") for number in range(runs)]
    rhos = [None] * runs if loaded else [seed[:SEED_BYTES] for seed in seeds]
    tried = [
        [
            one_signature(p, rho, _tried(seed, tries), MESSAGE_WORDS * 8) / runs
            for rho, seed in zip(rhos, seeds, strict=True)
        ]
        for tries in (1, 2, 3)
    ]
    one, two, three = map(sum, tried)
    more = 1 - 1 / p.tries
    each = three - two
    return Expected(one + more * (two - one) + (p.tries - 1 - more) * each, each)
