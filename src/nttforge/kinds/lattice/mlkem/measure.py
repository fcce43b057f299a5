# SPDX-License-Identifier: Apache-2.0
"""Measurements of ML-KEM, and seeds of usual and of rare matrices."""

import hashlib
import random
from typing import Any, ClassVar

import numpy as np

from nttforge.errors import FaultError
from nttforge.kinds.lattice.bus import Coprocessor, Request, Run
from nttforge.kinds.lattice.measure import Measures, OperationCycles
from nttforge.kinds.lattice.mlkem.program import floor_permutations
from nttforge.kinds.lattice.mlkem.standard import reference
from nttforge.kinds.lattice.operation import Values
from nttforge.standards.bits import unpack
from nttforge.standards.ml_kem.parameters import SEED_BYTES, N, Parameters, Q
from nttforge.standards.ml_kem.symmetric import g

_UNIFORM_BYTES = 504  # three blocks of SHAKE128
_CANDIDATES = 8  # that the sampler takes in a cycle


class KemCycles(OperationCycles):
    """One operation of one parameter set; the first run is the usual case.

    In it no polynomial of the matrix needs a fourth block.
    """

    legend: ClassVar[str] = (
        "floor: what Keccak's permutations alone take; longest: with fourth blocks, see docs; "
        "of several Keccak cores the first one is seen at work"
    )


class KemMeasures(Measures):
    """ML-KEM's: a run more has a seed whose matrix is of the usual kind, and is the first one."""

    row_type = KemCycles

    def values(self, p: Parameters, rng: random.Random, runs: int) -> list[Values]:
        """Of each run."""
        others = [[rng.randbytes(SEED_BYTES) for _ in "dzm"] for _ in range(runs)]
        return [seeded(p, *seeds) for seeds in (3 * [usual_seed(p)], *others)]

    def floor(self, operation: Any, p: Parameters) -> int:
        """Cycles of the permutations alone, divided among the cores."""
        own = self.core.facts.get("permutations", {}).get((operation, p.name))
        cores = self.core.keccak_cores
        if own is None or cores > 1:
            own = floor_permutations(operation, p, cores)
        return int(own) * self.core.permutation_cycles


MEASURES = KemMeasures


def taken(coprocessor: Coprocessor, request: Request) -> Run:
    """Result of a request; a FaultError if it is refused."""
    run = coprocessor.run(request)
    if run.error:
        what = f"{request.operation} of {request.p.name}"
        raise FaultError("refused", f"the coprocessor refuses {what} ({run.reason})")
    return run


def seeded(p: Parameters, d: bytes, z: bytes, m: bytes) -> dict[str, bytes]:
    """Inputs and outputs of all operations, from seeds, by software."""
    return reference(p, {"d": d, "z": z, "m": m})


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
    """Words of eight candidates for each polynomial of the matrix, row by row.

    Sampling accepts candidates below q until there are 256 (FIPS 203, algorithm 7); None if three
    blocks of SHAKE128 do not hold so many.
    """
    seeds = (rho + bytes([j, i]) for i in range(p.k) for j in range(p.k))
    return tuple(_words(hashlib.shake_128(seed).digest(_UNIFORM_BYTES)) for seed in seeds)


def _words(stream: bytes) -> int | None:
    candidates = unpack(stream, 12)
    accepted = np.flatnonzero(candidates < Q)
    return int(accepted[N - 1]) // _CANDIDATES + 1 if len(accepted) >= N else None
