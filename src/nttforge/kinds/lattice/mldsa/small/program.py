# SPDX-License-Identifier: Apache-2.0
"""Verify as lists of jobs for Keccak, the engine and the packer of `rtl/scaled/ntf_dsa_core`.

A job waits until as many polynomials are whole as it says; the jobs are the structs of
`rtl/scaled/ntf_dsa_pkg.sv`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nttforge.hw.sv_struct import Fields, Table
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.unit_job import UnitJob
from nttforge.standards.ml_dsa.parameters import Parameters

#: Polynomials of the matrix that are sampled before the challenge, whose seed comes after the key.
EARLY = 3
#: Places of S: columns of z, rows of t1 and of w, the challenge; of V: z, t1 and the challenge,
#: transformed, and the sum; of M: the challenge, transformed. ntf_dsa_pkg has them, too.
Z, T1, W, BALL = 0, 8, 16, 24
SUM, STORED_BALL = 16, 56


@dataclass(frozen=True)
class AbsorbJob(UnitJob):
    """A message. `x`, `y`: column and row of a matrix polynomial; `to`: its place."""

    unit = "absorb"
    widths: ClassVar = {"x": 4, "y": 4, "to": 6}

    x: int = 0
    y: int = 0
    to: int = 0


@dataclass(frozen=True)
class EngineJob(UnitJob):
    """A transform or a product.

    - `need`, `count`: what it waits for, and for how many of them.
    - `origin`, `other`, `to`: places.
    - `add`: to the sum that is there.
    - `store`: the result is written to M, too.
    """

    unit = "engine"
    widths: ClassVar = {"count": 6, "from": 6, "other": 5, "to": 5, "add": 1, "store": 1}

    need: str = "None"
    count: int = 0
    origin: int = 0
    other: int = 0
    to: int = 0
    add: bool = False
    store: bool = False

    def fields(self) -> Fields:
        """Fields of the struct behind `kind`."""
        return {"need": f"Need{self.need}", **super().fields()}


@dataclass(frozen=True)
class RowJob(UnitJob):
    """A row that is packed. `at`: the row; `origin`: its place."""

    unit = "row"
    widths: ClassVar = {"at": 3, "from": 5}

    at: int = 0
    origin: int = 0


def _matrix(p: Parameters) -> list[AbsorbJob]:
    """Row by row."""
    return [
        AbsorbJob("Matrix", f"A{i}{j}", x=j, y=i, to=i * p.l + j)
        for i in range(p.k)
        for j in range(p.l)
    ]


def _absorbs(p: Parameters, *, external: bool) -> Iterator[AbsorbJob]:
    matrix = _matrix(p)
    yield from matrix[:EARLY]
    yield AbsorbJob("Ball", "SampleInBall(c~)")
    yield from matrix[EARLY:]
    if not external:
        yield AbsorbJob("Key", "tr = H(pk)")
        yield AbsorbJob("Mu", "mu = H(tr, M')")
    yield AbsorbJob("Check", "c~' = H(mu, w1)")
    yield AbsorbJob("End", "end")


def _engine(p: Parameters) -> Iterator[EngineJob]:
    """In the order in which polynomials come."""
    for i in range(p.k):
        yield EngineJob("Forward", f"NTT t1_{i}", "Keys", i + 1, origin=T1 + i, to=T1 + i)
    yield EngineJob("Forward", "NTT -c", "Ball", origin=BALL, to=BALL, store=True)
    for j in range(p.l):
        yield EngineJob("Forward", f"NTT z{j}", "Vectors", j + 1, origin=Z + j, to=j)
    for i in range(p.k):
        yield EngineJob("Product", f"w{i}: -c t1", origin=STORED_BALL, other=T1 + i, to=SUM)
        for j in range(p.l):
            at, label = i * p.l + j, f"w{i}: A{i}{j} z{j}"
            yield EngineJob("Product", label, "Matrix", at + 1, at, other=j, to=SUM, add=True)
        yield EngineJob("Inverse", f"INTT w{i}", origin=SUM, to=W + i)
    yield EngineJob("End", "end")


def _rows(p: Parameters, *, external: bool) -> Iterator[RowJob]:
    if not external:
        yield from (RowJob("Key", f"t1_{i}", i, T1 + i) for i in range(p.k))
    yield from (RowJob("High", f"w1_{i}", i, W + i) for i in range(p.k))
    yield RowJob("End", "end")


def tables() -> dict[str, Table]:
    """Jobs of each unit: of Verify of each set, then with mu from outside."""
    made = {name: Table() for name in ("absorb", "engine", "row")}
    for external in (False, True):
        for p in SETS:
            name = f"{p.name} verify{'_mu' if external else ''}"
            lists = (_absorbs(p, external=external), _engine(p), _rows(p, external=external))
            for table, listed in zip(made.values(), lists, strict=True):
                table.add(name, ((job.label, job.literal()) for job in listed))
    return made
