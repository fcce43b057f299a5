# SPDX-License-Identifier: Apache-2.0
"""Twiddles on the fly: the jobs of the generator, and what it makes of them.

A table is a sequence of vectors over a digit x, one for each K; docs/decomposed.md, *Twiddles on
the fly*.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from nttforge.kinds.decomposed.rounds import Field, Round
from nttforge.kinds.decomposed.twiddles import Seeds
from nttforge.ring.arithmetic import Array, arithmetic


class Table(IntEnum):
    """A twiddle table; ntf_decomposed_pkg::table_e."""

    A0 = 0
    A1 = 1
    A2 = 2
    B = 3


@dataclass(frozen=True)
class Job:
    """A job of the generator; ntf_decomposed_pkg::twiddle_job_t, but for `set` and `restart`.

    Attributes
    ----------
    table
        The table it writes.
    inverse
        Roots are the inverse ones.
    scaled
        f0 is 2^log_n, else 1.
    coset
        f1 and v0 are powers of its shift, if they are not 1.
    log_n
        log2 of the transform.
    m
        Bits of x.
    pad
        F is 0 where so many of them from the top are not.
    k
        log2 of the vectors that a job makes.
    start_root, first_root, ratio_root
        log2 of the orders of f1, v0 and v1; 0 is the root 1. Of the shift: which of its powers.
    """

    table: Table
    inverse: bool
    scaled: bool
    coset: bool
    log_n: int
    m: int
    pad: int
    k: int
    start_root: int
    first_root: int
    ratio_root: int


def jobs(at: Round, *, inverse: bool, negacyclic: bool, coset: int = 0) -> dict[Table, Job]:
    """The jobs of a round's tables; `coset`: log2 of the largest transform, if it is on one."""
    twisted_in = bool(negacyclic or coset) and not inverse
    twisted_out = bool(negacyclic or coset) and inverse and at.last
    lift = coset - at.size if coset else 1
    k = at.mp if at.keyed else 0
    first = Table.A0 if at.fits else Table.A1 if at.kappa == 0 else None

    def job(table: Table, m: int, k: int, order: int, *, start: bool, twist: bool) -> Job:
        return Job(
            table,
            inverse,
            scaled=table is first and not inverse,
            coset=bool(coset),
            log_n=at.size,
            m=m,
            pad=at.load.pad if table is first else 0,
            k=k,
            start_root=order + lift if start else 0,
            first_root=order + lift if twist else 0,
            ratio_root=order,
        )

    result = {}
    if at.fits:
        result[Table.A0] = job(Table.A0, at.mp, 0, at.mp, start=twisted_in, twist=False)
    if at.mc:
        order = at.kappa + at.mc
        result[Table.A1] = job(Table.A1, at.mc, k, order, start=twisted_in, twist=False)
    if Field.R in at.passes:
        order = at.kappa + at.mc + at.mr
        k = min(k, at.split)
        result[Table.A2] = job(Table.A2, at.mr, k, order, start=twisted_in, twist=twisted_out)
        k, order = (at.mc, at.mc + at.mr) if at.mc else (at.mp - k, order - k)
        result[Table.B] = job(Table.B, at.mr, k, order, start=False, twist=twisted_out)
    return result


def _seed(seeds: Seeds, job: Job, at: int, *, shift: bool) -> int:
    """A root, or, where the coset's shift may stand, a power of that."""
    if shift and job.coset and at:
        return (seeds.shift_inverses if job.inverse else seeds.shifts)[at]
    return seeds.root(at, job.inverse)


def _geometric(seeds: Seeds, job: Job, first: int, ratio_root: int, *, shift: bool) -> Array:
    """first * ratio^x for all x of m bits, by doubling, as the hardware does."""
    modular = arithmetic(seeds.q)
    vector = np.array([first], dtype=modular.dtype)
    for u in range(job.m):
        word = _seed(seeds, job, max(0, ratio_root - u), shift=shift)
        factor = np.array(word, dtype=modular.dtype)
        vector = np.concatenate((vector, modular.scale(vector, modular.prepare(factor))))
    return vector


def vectors(seeds: Seeds, job: Job) -> Iterator[Array]:
    """The vectors F of a table for K = 0, 1, 2, ..., each of shape (2^m,)."""
    modular = arithmetic(seeds.q)
    f0 = seeds.scales[job.log_n] if job.scaled else 1
    current = _geometric(seeds, job, f0, job.start_root, shift=True)
    current[1 << job.m - job.pad :] = 0
    v0 = _seed(seeds, job, job.first_root, shift=True)
    step = modular.prepare(_geometric(seeds, job, v0, job.ratio_root, shift=False))
    while True:
        yield current
        current = modular.scale(current, step)
