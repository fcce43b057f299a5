# SPDX-License-Identifier: Apache-2.0
"""Verify, KeyGen and Sign as lists of jobs for the units of `rtl/scaled/ntf_dsa_core`.

A job waits until as many polynomials are whole as it says; the jobs are the structs of
`rtl/scaled/ntf_dsa_pkg.sv`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import ClassVar

from nttforge.hw.sv_struct import Fields, Table
from nttforge.kinds.lattice.mldsa.program import MATRIX_BLOCKS, SETS
from nttforge.kinds.lattice.unit_job import UnitJob
from nttforge.standards.keccak import SHAKE256_RATE
from nttforge.standards.ml_dsa.parameters import DROPPED_BITS, N, Parameters

#: Places of S: columns of z, rows of t1 and of w, the challenge; of V: z and t1, transformed, and
#: the challenge, then the sum, in `SUM`, so that 16 places are enough; of M: the challenge,
#: transformed, in the eight from `STORED` on as in V. ntf_dsa_pkg has them, too. KeyGen has s1 for
#: z, s2 for t1, and t for w; of V a row of s2, transformed, is where its sum begins.
Z, T1, W, BALL = 0, 8, 16, 24
SUM, STORED = 7, 56
#: Of Sign S has y of this try and of the next one, s1 + 512 s2 and then w, t0 and then the
#: challenge and products with it; V has y, s1 + 512 s2, t0, the sum and the challenge.
Y_LATER, PAIRS, LOWS = 8, 16, 24
V_PAIRS, V_LOWS, V_SUM, V_BALL = 8, 16, 24, 31
#: Rows of the matrix that are sampled while the private key is unpacked.
KEY_ROWS = 2
#: Bytes a cycle of a core that packs s1 and s2 before t1, and has a queue for them, and whose
#: products are beside its engine.
FAST = 8
#: Bytes of the queue of `ntf_dsa_rows` for a private key.
QUEUED = 8 * 512
#: Of V, without Sign and with it.
PLACES, SIGN_PLACES = 16, 32


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
    - `store`: the result is written to M, too; of a product beside the engine, `other` as it is.
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
    """A row that is packed or checked.

    - `at`, `origin`: the row; its place.
    - `count`, `other`: products with the challenge that it needs; the place of the last one.
    """

    unit = "row"
    widths: ClassVar = {"at": 3, "from": 5, "count": 5, "other": 5}

    at: int = 0
    origin: int = 0
    count: int = 0
    other: int = 0


#: Kinds of the halves of t, and what they are called.
_PARTS_OF_T = (("Key", "t1"), ("Low", "t0"))


def small_blocks(p: Parameters) -> int:
    """That are squeezed for a polynomial of s1 or s2: of 2^147 one needs more."""
    return 3 if p.eta == 4 else 2


def key_floor(p: Parameters) -> int:
    """Rounds of Keccak of KeyGen."""
    small, matrix = (p.k + p.l) * small_blocks(p), p.k * p.l * MATRIX_BLOCKS
    return 24 * (1 + small + matrix + p.pk_bytes // SHAKE256_RATE + 1)


def _matrix(p: Parameters) -> list[AbsorbJob]:
    """Row by row."""
    return [
        AbsorbJob("Matrix", f"A{i}{j}", x=j, y=i, to=i * p.l + j)
        for i in range(p.k)
        for j in range(p.l)
    ]


def _absorbs(p: Parameters, *, external: bool) -> Iterator[AbsorbJob]:
    # The challenge's seed comes after the key.
    matrix, early = _matrix(p), p.k // 2 + 1
    yield from matrix[:early]
    yield AbsorbJob("Ball", "SampleInBall(c~)")
    yield from matrix[early:]
    if not external:
        yield AbsorbJob("Key", "tr = H(pk)")
        yield AbsorbJob("Mu", "mu = H(tr, M')")
    yield AbsorbJob("Check", "c~' = H(mu, w1)")
    yield AbsorbJob("End", "end")


def _row(
    p: Parameters, i: int, of: str, factor: str, to: int, *, begun: bool = True
) -> Iterator[EngineJob]:
    """Products of a row of the matrix, added to a sum that is there if it has `begun`."""
    for j in range(p.l):
        at, label = i * p.l + j, f"{of}{i}: A{i}{j} {factor}{j}"
        add = begun or j > 0
        yield EngineJob("Product", label, "Matrix", at + 1, at, other=j, to=to, add=add)


def _engine(p: Parameters) -> Iterator[EngineJob]:
    """In the order in which polynomials come."""
    for i in range(p.k):
        yield EngineJob("Forward", f"NTT t1_{i}", "Keys", i + 1, origin=T1 + i, to=T1 + i)
    yield EngineJob("Forward", "NTT -c", "Ball", origin=BALL, to=SUM, store=True)
    for j in range(p.l):
        yield EngineJob("Forward", f"NTT z{j}", "Vectors", j + 1, origin=Z + j, to=j)
    ball = STORED + SUM % 8
    for i in range(p.k):
        yield EngineJob("Product", f"w{i}: -c t1", origin=ball, other=T1 + i, to=SUM)
        yield from _row(p, i, "w", "z", SUM)
        yield EngineJob("Inverse", f"INTT w{i}", origin=SUM, to=W + i)
    yield EngineJob("End", "end")


def _rows(p: Parameters, *, external: bool) -> Iterator[RowJob]:
    if not external:
        yield from (RowJob("Key", f"t1_{i}", i, T1 + i) for i in range(p.k))
    yield from (RowJob("High", f"w1_{i}", i, W + i) for i in range(p.k))
    yield RowJob("End", "end")


def _key_absorbs(p: Parameters) -> Iterator[AbsorbJob]:
    yield AbsorbJob("Seeds", "rho, rho', K = H(xi, k, l)", x=p.k, y=p.l)
    for n in range(p.l + p.k):
        name, to = (f"s1_{n}", Z + n) if n < p.l else (f"s2_{n - p.l}", T1 + n - p.l)
        yield AbsorbJob("Small", name, x=n, to=to)
    yield from _matrix(p)
    yield AbsorbJob("Key", "tr = H(pk)")
    yield AbsorbJob("End", "end")


def _key_engine(p: Parameters, *, apart: bool) -> Iterator[EngineJob]:
    """`apart`: products have a sum of their own, which begins with s2."""
    for j in range(p.l):
        yield EngineJob("Forward", f"NTT s1_{j}", "Vectors", j + 1, origin=Z + j, to=j)
    late = [
        EngineJob("Forward", f"NTT s2_{i}", "Keys", i + 1, origin=T1 + i, to=T1 + i)
        for i in range(p.k)
    ]
    if apart:
        yield from late
    for i in range(p.k):
        row = T1 + i
        if apart:
            yield EngineJob("Product", f"t{i}: s2_{i}", other=row, store=True)
        else:
            yield late[i]
        yield from _row(p, i, "t", "s1_", row)
        yield EngineJob("Inverse", f"INTT t{i}", origin=row, to=W + i)
    yield EngineJob("End", "end")


def _key_rows(p: Parameters, *, ahead: bool) -> Iterator[RowJob]:
    """All of t1 first: it waits in a queue, and what is secret for its port.

    `ahead`: that has a queue as well, so s1 and s2 go first, and t0 with t1. But t1 waits for no
    port: what has no room in the queue comes behind it.
    """
    small = [RowJob("Small", f"s1_{j}", j, Z + j) for j in range(p.l)]
    small += [RowJob("Small", f"s2_{i}", i, T1 + i) for i in range(p.k)]
    high, low = ([RowJob(of, f"{t}_{i}", i, W + i) for i in range(p.k)] for of, t in _PARTS_OF_T)
    if not ahead:
        yield from [*high, *small, *low]
    else:
        room = (QUEUED - (p.k + p.l) * N // 8 * p.eta_bits) // (N // 8 * DROPPED_BITS)
        pairs = zip_longest(high, low[:room])
        yield from [*small, *(job for pair in pairs for job in pair if job), *low[room:]]
    yield RowJob("End", "end")


def result_place(row: int) -> int:
    """Place of S of a product with the challenge."""
    return BALL + 1 + row if row < 7 else 7


def _vectors(p: Parameters, first: int) -> list[AbsorbJob]:
    """y of this try, or, `l` later, of the next one."""
    return [AbsorbJob("Vector", f"y{first + j}", x=first + j) for j in range(p.l)]


def early_vectors(p: Parameters) -> int:
    """Of the next try's y transformed while w1 is hashed; others while products are checked."""
    return p.l // 2 + 1


def _attempt(p: Parameters, again: int, before: int) -> Iterator[AbsorbJob]:
    """`before`: polynomials of the next try's y in front of the challenge."""
    later = _vectors(p, p.l)
    yield from later[:before]
    yield AbsorbJob("Check", "c~ = H(mu, w1)")
    yield AbsorbJob("Ball", "SampleInBall(c~)")
    yield from later[before:]
    yield AbsorbJob("Judge", "end of a try", x=again // 16, y=again % 16)


def _sign_absorbs(p: Parameters, *, external: bool) -> Iterator[AbsorbJob]:
    matrix, early = _matrix(p), KEY_ROWS * p.l
    first: list[AbsorbJob] = [] if external else [AbsorbJob("Mu", "mu = H(tr, M')")]
    first.append(AbsorbJob("Private", "rho'' = H(K, rnd, mu)"))
    first += [*matrix[:early], *_vectors(p, 0), *matrix[early:]]
    # Of the first try the engine waits for Keccak: of y comes what it needs first.
    first += _attempt(p, len(first) + p.l + 3, early_vectors(p))
    yield from first
    yield from _attempt(p, len(first), p.l)
    yield AbsorbJob("End", "end")


def _sign_engine(p: Parameters, *, apart: bool) -> Iterator[EngineJob]:
    """`apart`: the next try's first row of w is summed before this one is judged."""
    for i in range(p.k):
        yield EngineJob("Forward", f"NTT s_{i}", "Keys", i + 1, origin=PAIRS + i, to=V_PAIRS + i)
    for i in range(p.k):
        yield EngineJob("Forward", f"NTT t0_{i}", "Lows", i + 1, origin=LOWS + i, to=V_LOWS + i)
    for j in range(p.l):
        yield EngineJob("Forward", f"NTT y{j}", "Vectors", j + 1, origin=j, to=j)
    rows = [[*_row(p, i, "w", "y", V_SUM, begun=False)] for i in range(p.k)]
    ahead, again = rows[0] if apart else [], 2 * p.k + p.l
    for i, row in enumerate(rows):
        yield from row
        yield EngineJob("Inverse", f"INTT w{i}", origin=V_SUM, to=W + i)
    later = [
        EngineJob(
            *("Forward", f"NTT y{j} of the next try", "Vectors", p.l + j + 1),
            origin=Y_LATER + j,
            to=j,
        )
        for j in range(p.l)
    ]
    yield from later[: early_vectors(p)]
    yield EngineJob("Forward", "NTT c", "Ball", origin=BALL, to=V_BALL, store=True)
    stored = STORED + V_BALL % 8
    for name, first, need in (("s", V_PAIRS, "Passed"), ("t0", V_LOWS, "Accepted")):
        for i in range(p.k):
            label = f"c {name}_{i}"
            yield EngineJob("Product", label, origin=stored, other=first + i, to=V_SUM)
            yield EngineJob("Inverse", f"INTT {label}", origin=V_SUM, to=result_place(i))
        if need == "Passed":
            yield from (*later[early_vectors(p) :], *ahead)
        # A product with t0 has taken the place of the sum.
        begun = len(ahead) if need == "Passed" else 0
        yield EngineJob("End", f"judge: {need.lower()}", need, origin=again + begun)
    yield EngineJob("End", "end")


def _sign_rows(p: Parameters) -> Iterator[RowJob]:
    yield from (RowJob("High", f"w1_{i}", i, W + i) for i in range(p.k))
    for i in range(p.k):
        count, other = i + 1, result_place(i)
        yield RowJob("Rest", f"w_{i} - c s2_{i}", i, W + i, count, other)
        if i < p.l:
            yield RowJob("Sum", f"z_{i} = y_{i} + c s1_{i}", i, Z + i, count, other)
    yield RowJob("Passed", "judge: passed")
    for i in range(p.k):
        yield RowJob("Hints", f"hints {i}", i, W + i, p.k + i + 1, result_place(i))
    yield RowJob("Accepted", "judge: accepted")
    yield from (RowJob("Vector", f"z_{j}", j, Z + j) for j in range(p.l))
    yield from (RowJob("Code", f"hints {i}", i, W + i) for i in range(p.k))
    yield RowJob("End", "end")


def lists_of(
    operation: str, p: Parameters, *, fast: bool = False
) -> tuple[Iterator[UnitJob], Iterator[UnitJob], Iterator[UnitJob]]:
    """Jobs of what is absorbed, of the engine, and of rows.

    - `operation`: verify, keygen or sign; with `_mu` if mu comes from outside.
    - `fast`: see :func:`tables`.
    """
    name, _, mu = operation.partition("_")
    if name == "keygen":
        return _key_absorbs(p), _key_engine(p, apart=fast), _key_rows(p, ahead=fast)
    if name == "sign":
        return _sign_absorbs(p, external=bool(mu)), _sign_engine(p, apart=fast), _sign_rows(p)
    return _absorbs(p, external=bool(mu)), _engine(p), _rows(p, external=bool(mu))


def tables(*, keys: bool = False, signs: bool = False, fast: bool = False) -> dict[str, Table]:
    """Jobs of each unit: of Verify of each set, then with mu from outside, of KeyGen, of Sign.

    - `fast`: s1 and s2 are packed before t1, and products are beside the engine.
    """
    made = {name: Table() for name in ("absorb", "engine", "row")}
    more = ("keygen",) * keys + ("sign", "sign_mu") * signs
    for operation in ("verify", "verify_mu", *more):
        for p in SETS:
            lists = lists_of(operation, p, fast=fast)
            for table, jobs in zip(made.values(), lists, strict=True):
                listed = ((job.label, job.literal()) for job in jobs)
                table.add(f"{p.name} {operation}", listed)
    return made
