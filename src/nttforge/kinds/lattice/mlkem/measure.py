# SPDX-License-Identifier: Apache-2.0
"""`measure` of an ML-KEM coprocessor: cycles of every operation and set, observed in simulation."""

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from nttforge.errors import FaultError
from nttforge.flow.prepare import Progress, silent
from nttforge.kinds.lattice.bus import Coprocessor, Request, Run, request_of
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.measure import OperationCycles, StandardMeasureResult, measured
from nttforge.kinds.lattice.mlkem.program import CODES, SETS, floor_permutations
from nttforge.kinds.lattice.mlkem.standard import reference
from nttforge.standards.bits import unpack
from nttforge.standards.ml_kem.parameters import SEED_BYTES, N, Parameters, Q
from nttforge.standards.ml_kem.symmetric import g

# Keccak-f[1600]'s rounds.
_ROUNDS = 24
_UNIFORM_BYTES = 504  # three blocks of SHAKE128
_CANDIDATES = 8  # that the sampler takes in a cycle


class KemCycles(OperationCycles):
    """One operation of one parameter set, without stalls.

    Attributes
    ----------
    latency_cycles
        First input word to last output word, both counted: the usual case, in which no polynomial
        of the matrix needs a fourth block.
    cycles_per_operation
        From a command to the next one, if they wait one after the other.
    keccak_cycles, keccak_utilisation
        Of the latency, the cycles in which Keccak worked; of several cores, the first one.
    floor_cycles
        What the permutations alone take, which the cores share.
    latency_longest
        Of all runs, those with fourth blocks included.
    runs
        With different seeds.
    """

    columns: ClassVar[Mapping[str, str]] = {"longest latency": "latency_longest", "runs": "runs"}
    legend: ClassVar[str] = (
        "floor: what Keccak's permutations alone take; longest: with fourth blocks, see docs; "
        "of several Keccak cores the first one is seen at work"
    )

    latency_cycles: int
    cycles_per_operation: int
    keccak_cycles: int
    keccak_utilisation: float
    floor_cycles: int
    latency_longest: int
    runs: int


def taken(coprocessor: Coprocessor, request: Request) -> Run:
    """What a request gives; a FaultError if it is refused."""
    run = coprocessor.run(request)
    if run.error:
        what = f"{request.operation} of {request.p.name}"
        raise FaultError("refused", f"the coprocessor refuses {what} ({run.reason})")
    return run


def seeded(p: Parameters, d: bytes, z: bytes, m: bytes) -> dict[str, bytes]:
    """Inputs and outputs of all operations, from seeds, by software."""
    return reference(p, {"d": d, "z": z, "m": m})


def measure_mlkem(
    coprocessor: Coprocessor,
    design: str,
    rounds_per_cycle: int,
    cores: int = 1,
    *,
    runs: int = 20,
    seed: int = 0,
    progress: Progress = silent,
) -> StandardMeasureResult:
    """Run every operation of every set with `runs` seeds, without stalls.

    Parameters
    ----------
    coprocessor
        The compiled coprocessor.
    design, rounds_per_cycle, cores
        Its name, Keccak's rounds a cycle, and its cores of Keccak.
    runs
        Of each operation and set; one more has a seed whose matrix is of the usual kind.
    seed
        Of the seeds.
    progress
        Called with the progress.

    Raises
    ------
    FaultError
        If the coprocessor hangs or breaks its handshakes.
    """

    def observed() -> Iterator[tuple[str, KemCycles]]:
        rng = random.Random(seed)
        for p in SETS:
            progress(f"{p.name}, {runs} seeds")
            usual = seeded(p, *(3 * [usual_seed(p)]))
            others = [
                seeded(p, *(rng.randbytes(SEED_BYTES) for _ in range(3))) for _ in range(runs)
            ]
            for operation in CODES:
                first, *more = (request_of(operation, p, values) for values in (usual, *others))
                ran = [coprocessor.run(request) for request in (first, *more)]
                floor = floor_permutations(operation, p, cores) * _ROUNDS // rounds_per_cycle
                yield f"{p.name} {operation}", _cycles(ran, coprocessor.run_all([first] * 2), floor)

    return measured(design, seed, observed())


def measure(opened: Coprocessor, core: LatticeCore, **how: Any) -> StandardMeasureResult:
    """Of a core, see :func:`measure_mlkem`."""
    facts = (core.name, core.rounds_per_cycle, core.keccak_cores)
    return measure_mlkem(opened, *facts, **how)


def _cycles(ran: Sequence[Run], two: Sequence[Run], floor: int) -> KemCycles:
    run = ran[0]
    return KemCycles(
        latency_cycles=run.cycles,
        cycles_per_operation=sum(each.occupied for each in two) - run.occupied,
        keccak_cycles=run.keccak_cycles,
        keccak_utilisation=round(run.keccak_cycles / run.cycles, 4),
        floor_cycles=floor,
        latency_longest=max(each.cycles for each in ran),
        runs=len(ran),
    )


def usual_seed(p: Parameters) -> bytes:
    """A seed d whose matrix takes three blocks a polynomial, as 99 of 100 polynomials do."""
    for number in range(1000):
        seed = number.to_bytes(SEED_BYTES, "little")
        if None not in words_sampled(p, g(seed + bytes([p.k]))[0]):
            return seed
    raise AssertionError("one seed in five is usual")


def rare_seed(p: Parameters, rng: random.Random) -> bytes:
    """A random d whose matrix has a polynomial that takes a fourth block."""
    while True:
        seed = rng.randbytes(SEED_BYTES)
        if None in words_sampled(p, g(seed + bytes([p.k]))[0]):
            return seed


def words_sampled(p: Parameters, rho: bytes) -> tuple[int | None, ...]:
    """How many words of eight candidates each polynomial of the matrix takes, row by row.

    Sampling accepts candidates below q until there are 256 (FIPS 203, algorithm 7); None if three
    blocks of SHAKE128 do not hold so many.
    """
    seeds = (rho + bytes([j, i]) for i in range(p.k) for j in range(p.k))
    return tuple(_words(hashlib.shake_128(seed).digest(_UNIFORM_BYTES)) for seed in seeds)


def _words(stream: bytes) -> int | None:
    candidates = unpack(stream, 12)
    accepted = np.flatnonzero(candidates < Q)
    return int(accepted[N - 1]) // _CANDIDATES + 1 if len(accepted) >= N else None
