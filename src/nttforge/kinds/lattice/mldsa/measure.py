# SPDX-License-Identifier: Apache-2.0
"""`measure` of an ML-DSA core: cycles of every set, observed in simulation, beside the derived."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, silent
from nttforge.kinds.lattice.bus import Coprocessor, Request, Run
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.measure import (
    OperationCycles,
    StandardMeasureResult,
    measured,
)
from nttforge.kinds.lattice.mldsa.cycles import (
    MULTIPLIER_LATENCY,
    checked_cycles,
    keygen_cycles,
    keygen_floor,
    keygen_standard_cycles,
    load_cycles,
    load_floor,
    load_seed_cycles,
    sign_cycles,
    sign_floor,
    verify_cycles,
    verify_floor,
)
from nttforge.kinds.lattice.mldsa.program import MESSAGE_WORDS, SETS, WORD
from nttforge.standards.ml_dsa.keygen import h, keygen_internal
from nttforge.standards.ml_dsa.message import MU_BYTES
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters
from nttforge.standards.ml_dsa.signing import RND_BYTES, sign_mu
from nttforge.standards.transform_engine import software_engine


class DsaCycles(OperationCycles):
    """One operation of one parameter set, without stalls, over all runs.

    Attributes
    ----------
    latency_cycles
        First input word to last output word, the verdict of Verify, or the result of `load`, both
        counted: the mean.
    latency_shortest, latency_longest
        It depends on the seed: how many blocks s1 and s2 take, and when the matrix is sampled.
    cycles_per_operation
        From a command to the next one, if they wait one after the other: the mean.
    keccak_utilisation
        Of the latency, the cycles in which Keccak worked.
    floor_cycles
        What the permutations alone take, on average over all seeds; of a signature, with as many
        tries as these runs took.
    derived
        Runs whose latency is, to the cycle, the one that is derived; None where none is: if
        Keccak does several rounds a cycle, and of signatures if multipliers take another number
        of cycles.
    runs
        With different seeds.
    tries
        Of a signature: the mean; None of what is none.
    """

    columns: ClassVar[Mapping[str, str]] = {
        "shortest": "latency_shortest",
        "longest": "latency_longest",
        "runs": "runs",
        "as derived": "derived",
        "tries": "tries",
    }
    legend: ClassVar[str] = (
        "means; floor: what Keccak's permutations alone take, on average, see docs"
    )

    latency_cycles: float
    latency_shortest: int
    latency_longest: int
    cycles_per_operation: float
    keccak_utilisation: float
    floor_cycles: int
    derived: int | None
    runs: int
    tries: float | None = None


#: What an operation takes, derived.
Took = Callable[[Request], int | None]


def _load(p: Parameters, request: Request) -> int:
    return load_cycles(p, request.secret[:SEED_BYTES])


_KEYGENS = ("keygen", "keygen_standard")  # keys as the stream, and as the standard has them
_SIGNS = ("sign", "sign_mu", "sign_loaded", "sign_loaded_mu")
#: What is measured of each set.
MEASURED = (*_KEYGENS, "verify", "verify_mu", "load", "load_seed", *_SIGNS)


def _seeded(
    derived: Callable[[Parameters, bytes], int | None], p: Parameters, request: Request
) -> int | None:
    return derived(p, request.secret)


class _Tried(NamedTuple):
    """A private key, and c~ of each try."""

    sk: bytes
    challenges: tuple[bytes, ...]


def _tries(
    p: Parameters, sk: bytes, rnd: bytes, given: bytes, *, external: bool
) -> tuple[bytes, ...]:
    """c~ of each try, by the reference; how many it takes is public."""
    mu = given if external else h(sk[64:128] + given, MU_BYTES)
    return sign_mu(p, sk, mu, rnd, software_engine()).challenges


def _sign(p: Parameters, tried: Mapping[Request, _Tried], request: Request) -> int:
    sk, challenges = tried[request]
    loaded = "loaded" in request.operation
    message = None if request.operation.endswith("mu") else len(request.public[0])
    cycles = sign_cycles(p, None if loaded else sk[:SEED_BYTES], challenges, message)
    if len(request.public) > 1:
        cycles += checked_cycles(p, request.public[1], message, loaded=loaded)
    return cycles


def _verify(p: Parameters, request: Request) -> int:
    pk, _, message = request.public
    return verify_cycles(p, pk, None if request.operation == "verify_mu" else len(message))


class _Asked(NamedTuple):
    """One operation of a set: its requests, among others, its floor, and what it should take."""

    name: str
    requests: Sequence[Request]
    floor: float
    took: Took | None = None
    tries: float | None = None


def _asked(
    p: Parameters,
    seeds: Sequence[bytes],
    wanted: Sequence[str],
    rng: random.Random,
    *,
    checks: bool,
    usual: bool,
) -> Iterator[_Asked]:
    """What is measured of a set. With `usual` multipliers a signature's cycles are derived."""
    for name, derived in zip(_KEYGENS, (keygen_cycles, keygen_standard_cycles), strict=True):
        if name in wanted:
            keys = [Request(name, p, each) for each in seeds]
            yield _Asked(name, keys, keygen_floor(p), partial(_seeded, derived, p))
    public, private = zip(
        *(keygen_internal(p, each, software_engine()) for each in seeds), strict=True
    )
    for name, length in (("verify", MESSAGE_WORDS * WORD), ("verify_mu", MU_BYTES)):
        if name in wanted:
            signed = [
                (pk, rng.randbytes(p.signature_bytes), rng.randbytes(length)) for pk in public
            ]
            asked = [Request(name, p, public=packets) for packets in signed]
            floor = verify_floor(p, external=name == "verify_mu")
            yield _Asked(name, asked, floor, partial(_verify, p))
    drop = Request("drop", p)  # which the next command would wait for
    loads = [[Request("load", p, sk), drop] for sk in private]
    if "load" in wanted:
        yield _Asked("load", [*chain(*loads)], load_floor(p), partial(_load, p))
    if "load_seed" in wanted:
        kept = [each for xi in seeds for each in (Request("load_seed", p, xi), drop)]
        yield _Asked("load_seed", kept, keygen_floor(p), partial(_seeded, load_seed_cycles, p))
    for name in _SIGNS:
        if name not in wanted:
            continue
        loaded, external = "loaded" in name, name.endswith("mu")
        asked, tried = [], {}
        for (load, _), sk, pk in zip(loads, private, public, strict=True):
            rnd = rng.randbytes(RND_BYTES)
            given = rng.randbytes(MU_BYTES if external else MESSAGE_WORDS * WORD)
            sign = Request(name, p, rnd if loaded else rnd + sk, (given,))
            sign = sign.checked(pk) if checks else sign
            asked += [load, sign, drop] if loaded else [sign]
            tried[sign] = _Tried(sk, _tries(p, sk, rnd, given, external=external))
        tries = sum(len(each.challenges) for each in tried.values()) / len(seeds)
        floor = sign_floor(p, tries, external=external, loaded=loaded)
        floor += verify_floor(p, external=external) if checks else 0
        due = partial(_sign, p, tried) if usual else None
        yield _Asked(name, asked, floor, due, round(tries, 2))


def _cycles(asked: _Asked, ran: Sequence[Run], rounds_per_cycle: int) -> DsaCycles:
    both = zip(ran, asked.requests, strict=True)
    own = [(run, request) for run, request in both if request.operation == asked.name]
    seen, took, runs = [run for run, _ in own], asked.took, len(own)
    cycles = [run.cycles for run in seen]
    same = None
    if took is not None and rounds_per_cycle == 1:
        same = sum(run.cycles == took(request) for run, request in own)
    return DsaCycles(
        latency_cycles=round(sum(cycles) / runs, 1),
        latency_shortest=min(cycles),
        latency_longest=max(cycles),
        cycles_per_operation=round(sum(run.occupied for run in seen) / runs, 1),
        keccak_utilisation=round(sum(run.keccak_cycles for run in seen) / sum(cycles), 4),
        floor_cycles=round(asked.floor / rounds_per_cycle),
        derived=same,
        runs=runs,
        tries=asked.tries,
    )


#: Of the verb, besides those that all take.
OPTIONS = ("operation",)


def check(operation: str | None) -> None:
    """Refuse an operation that cannot be measured, before anything is compiled.

    Raises
    ------
    NttforgeError
        `operation`.
    """
    if operation is not None and operation not in MEASURED:
        *first, last = MEASURED
        known = f"use {', '.join(first)} or {last}"
        raise NttforgeError("operation", f"there is no {operation!r}", known)


def measure(
    opened: Coprocessor, core: LatticeCore, *, operation: str | None = None, **how: Any
) -> StandardMeasureResult:
    """Of a core, see :func:`measure_mldsa`."""
    facts = (core.name, core.rounds_per_cycle, core.facts["multiplier_latency"])
    return measure_mldsa(opened, *facts, only=operation, **how)


def measure_mldsa(
    core: Coprocessor,
    design: str,
    rounds_per_cycle: int,
    multiplier_latency: int,
    *,
    runs: int = 20,
    seed: int = 0,
    only: str | None = None,
    progress: Progress = silent,
) -> StandardMeasureResult:
    """Make keys of every set with `runs` seeds, and verify with each of them, without stalls.

    What is verified are random bytes, which take as long as a signature. What is signed is random,
    too; the keys are the reference's.

    Parameters
    ----------
    core
        The compiled core.
    design, rounds_per_cycle, multiplier_latency
        Its name, Keccak's rounds a cycle, and registers of a multiplier of the products.
    runs
        Of each operation and set.
    seed
        Of the seeds.
    only
        The one operation to measure; None for all of :data:`MEASURED`.
    progress
        Called with the progress.

    Raises
    ------
    FaultError
        If the core hangs or breaks its handshakes.
    """

    def observed() -> Iterator[tuple[str, DsaCycles]]:
        rng = random.Random(seed)
        seeds = {p: [rng.randbytes(SEED_BYTES) for _ in range(runs)] for p in SETS}
        how: dict[str, bool] = {
            "checks": core.checks,
            "usual": multiplier_latency == MULTIPLIER_LATENCY,
        }
        for p in SETS:
            for asked in _asked(p, seeds[p], MEASURED if only is None else (only,), rng, **how):
                progress(f"{p.name}, {runs} times {asked.name}")
                ran = core.run_all(asked.requests)
                yield f"{p.name} {asked.name}", _cycles(asked, ran, rounds_per_cycle)

    return measured(design, seed, observed())
