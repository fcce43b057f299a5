# SPDX-License-Identifier: Apache-2.0
"""Programs of narrower cores: a list of jobs each for Keccak, the engine and the encoder.

A set's list has all operations one behind the other; an operation begins somewhere in it. A job
waits until what it needs is there, and units make and use up polynomials in one order, so no job
names another. The jobs are the structs of `rtl/scaled/ntf_scaled_pkg.sv`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from nttforge.hw.sv_struct import Table
from nttforge.kinds.lattice.mlkem.program import CODES, MATRIX_BLOCKS, SETS, KemOperation
from nttforge.kinds.lattice.unit_job import UnitJob
from nttforge.standards.keccak import absorbed
from nttforge.standards.ml_kem.parameters import SEED_BYTES, Parameters

#: Polynomials of the matrix that Decaps samples before its message is there: all that have room.
EARLY = 4


@dataclass(frozen=True)
class SpongeJob(UnitJob):
    """A message.

    - `eta3`: of noise: 3 is the width of the distribution, not 2.
    - `addend`: noise that is added behind a transform, not transformed.
    - `x`, `y`: bytes after the seed. Of H: 1 of a key in the standard's order that is checked, 2 of
      another one that is.
    """

    unit = "sponge"
    widths: ClassVar = {"eta3": 1, "addend": 1, "x": 4, "y": 2}

    eta3: bool = False
    addend: bool = False
    x: int = 0
    y: int = 0


@dataclass(frozen=True)
class RingJob(UnitJob):
    """A transform or a product.

    - `at`: vector, addend of a key or part of a key.
    - `key`, `t`: of a product: the other factor is a part of a key, of the public one.
    - `add`: to the sum that is there.
    - `whole`: a part of a key is there now.
    """

    unit = "ring"
    widths: ClassVar = {"at": 2, "key": 1, "t": 1, "add": 1, "whole": 1}

    at: int = 0
    key: bool = False
    t: bool = False
    add: bool = False
    whole: bool = False


@dataclass(frozen=True)
class CodeJob(UnitJob):
    """A polynomial that is encoded."""

    unit = "code"
    widths: ClassVar = {"at": 2}

    at: int = 0


@dataclass(frozen=True)
class Lists:
    """A set's jobs, by unit, and where an operation begins."""

    sponge: list[SpongeJob] = field(default_factory=list)
    ring: list[RingJob] = field(default_factory=list)
    code: list[CodeJob] = field(default_factory=list)
    #: Operation -> places in these lists.
    entries: dict[KemOperation, tuple[int, int, int]] = field(default_factory=dict)

    def begin(self, *operations: KemOperation) -> None:
        """Operations that begin here."""
        places = len(self.sponge), len(self.ring), len(self.code)
        self.entries.update(dict.fromkeys(operations, places))

    def end(self, kind: str) -> None:
        """The end of all lists, or of those that no decapsulation follows."""
        label = "end" if kind == "End" else "end, but of decaps_seed"
        self.sponge.append(SpongeJob(kind, label))
        self.ring.append(RingJob(kind, label))
        self.code.append(CodeJob(kind, label))


def _noise(name: str, x: int, eta: int, *, addend: bool = False) -> SpongeJob:
    return SpongeJob("Prf", name, eta3=eta == 3, addend=addend, x=x)


def _sum(made: str, factors: list[tuple[str, int]], whole: bool = False) -> Iterator[RingJob]:
    """Products, the first of which is not added to anything."""
    for n, (a, at) in enumerate(factors):
        last = whole and n == len(factors) - 1
        kind = {"key": a[0] in "st", "t": a[0] == "t"}
        yield RingJob("Product", f"{made}: {a}", at, **kind, add=n > 0, whole=last)


def _keygen(lists: Lists, p: Parameters) -> None:
    k = range(p.k)
    lists.sponge.append(SpongeJob("D", "G(d, k)"))
    lists.sponge.extend(_noise(f"s{j}", j, p.eta1) for j in k)
    lists.sponge.extend(_noise(f"e{i}", p.k + i, p.eta1) for i in k)
    lists.ring.extend(RingJob("Vector", f"NTT s{j}", j) for j in k)
    lists.code.extend(CodeJob("Secret", f"s{j}", j) for j in k)
    # Products let s leave, and Keccak go on, so each e is transformed as late as it may: its place
    # is that of its own sum if there are four, of the one before if there are three.
    errors = [(max(0, i - (p.k < 4)), RingJob("Noise", f"NTT e{i}", i)) for i in k]
    for i in k:
        lists.sponge.extend(SpongeJob("Xof", f"A{i}{j}", x=j, y=i) for j in k)
        lists.ring.extend(noise for at, noise in errors if at == i)
        lists.ring.extend(_sum(f"t{i}", [(f"A{i}{j}", j) for j in k], whole=True))
        lists.code.append(CodeJob("Key", f"t{i}", i))
    lists.sponge.append(SpongeJob("H", "H(ek)"))


def _decrypt(lists: Lists, p: Parameters) -> None:
    k = range(p.k)
    for j in k:
        lists.ring.append(RingJob("Cipher", f"NTT u{j}", j))
        lists.ring.append(RingJob("Product", f"w: s{j}", j, key=True, add=j > 0))
    lists.ring.append(RingJob("Inverse", "INTT w"))
    lists.code.append(CodeJob("Message", "m"))


def _matrix(p: Parameters) -> list[SpongeJob]:
    """Of the transpose, row by row."""
    return [SpongeJob("Xof", f"A{j}{i}", x=i, y=j) for i in range(p.k) for j in range(p.k)]


def _encrypt(p: Parameters, early: int) -> Iterator[SpongeJob]:
    """Noise and matrix, of which so many polynomials were sampled before."""
    matrix = _matrix(p)
    yield from (_noise(f"y{j}", j, p.eta1) for j in range(p.k))
    for i in range(p.k):
        yield from matrix[max(early, i * p.k) : max(early, (i + 1) * p.k)]
        yield _noise(f"e1_{i}", p.k + i, p.eta2, addend=True)
    yield _noise("e2", 2 * p.k, p.eta2, addend=True)


def lists_of(p: Parameters) -> Lists:
    """All operations of a set."""
    lists, k = Lists(), range(p.k)
    lists.begin("keygen", "decaps_seed")
    _keygen(lists, p)
    lists.end("Gate")

    lists.begin("decaps", "decaps_standard")
    early = min(EARLY, p.k * p.k)
    lists.sponge.append(SpongeJob("H", "H(ek), of a standard key on demand", x=1))
    lists.sponge.append(SpongeJob("J", "J(z, c)"))
    lists.sponge.extend(_matrix(p)[:early])
    lists.sponge.append(SpongeJob("H", "H(ek), on demand", x=2))
    lists.sponge.append(SpongeJob("G", "G(m', H)"))
    lists.sponge.extend(_encrypt(p, early))
    lists.sponge.append(SpongeJob("End", "end"))
    _decrypt(lists, p)

    lists.begin("encaps")
    lists.sponge.append(SpongeJob("H", "H(ek)"))
    lists.sponge.append(SpongeJob("G", "G(m, H)"))
    lists.sponge.extend(_encrypt(p, 0))
    lists.ring.extend(RingJob("Vector", f"NTT y{j}", j) for j in k)
    for i in k:
        lists.ring.extend(_sum(f"u{i}", [(f"A{j}{i}", j) for j in k]))
        lists.ring.append(RingJob("Inverse", f"INTT u{i}"))
        lists.code.append(CodeJob("U", f"u{i}", i))
    lists.ring.extend(_sum("v", [(f"t{j}", j) for j in k]))
    lists.ring.append(RingJob("Inverse", "INTT v"))
    lists.code.append(CodeJob("V", "v"))
    lists.end("End")
    return lists


def permutations_of(operation: KemOperation, p: Parameters) -> int:
    """Of Keccak, as planned: without fourth blocks, and without a check of a key's hash."""
    lists, count = lists_of(p), 0
    lengths = {"H": p.ek_bytes, "J": SEED_BYTES + p.ciphertext_bytes}
    for job in lists.sponge[lists.entries[operation][0] :]:
        if job.kind == "End" or (job.kind == "Gate" and operation != "decaps_seed"):
            break
        if job.kind in lengths:
            count += 0 if job.x else absorbed(lengths[job.kind])
        else:
            count += {"Xof": MATRIX_BLOCKS, "Prf": 1 + job.eta3}.get(job.kind, job.kind in "DG")
    return count


def tables() -> dict[str, Table]:
    """Jobs of each unit, all sets one behind the other."""
    lists = {p.name: lists_of(p) for p in SETS}
    found = {}
    for at, unit in enumerate(("sponge", "ring", "code")):
        table, starts = Table(), {}
        for name, each in lists.items():
            starts[name] = len(table.jobs)
            listed: list[UnitJob] = getattr(each, unit)
            for job in listed:
                table.jobs.append((len(table.jobs), f"{name}: {job.label}", job.literal()))
        for operation in CODES:
            table.bases.extend(starts[p.name] + lists[p.name].entries[operation][at] for p in SETS)
        found[unit] = table
    return found
