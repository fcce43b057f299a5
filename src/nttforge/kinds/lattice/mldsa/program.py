# SPDX-License-Identifier: Apache-2.0
"""KeyGen, Sign and Verify of ML-DSA as jobs of three units, each in the order of its list.

A job names the jobs whose results it takes, and waits for nothing else.
`docs/appendix/ml-dsa-schedule.md` derives the orders; `plan.py` says when each job runs.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from math import ceil, comb
from typing import Any

from nttforge.standards.keccak import SHAKE128_RATE, SHAKE256_RATE, absorbed
from nttforge.standards.ml_dsa.encoding import T1_BITS
from nttforge.standards.ml_dsa.parameters import PARAMETER_SETS, N, Parameters, Q

SETS: tuple[Parameters, ...] = tuple(PARAMETER_SETS.values())
WORD = 8  # bytes
MESSAGE_WORDS = 8  # of the message that figures are for
#: Blocks of Keccak that are squeezed without waiting, of a polynomial of the matrix, of s1 or s2.
MATRIX_BLOCKS, SMALL_BLOCKS = 5, 2


def _expected(candidates: int, passing: float) -> float:
    """Blocks until N candidates have passed, on average, at so many candidates a block."""
    total, block = 0.0, 0
    while True:
        n = candidates * block
        short = sum(
            comb(n, i) * passing**i * (1 - passing) ** (n - i) for i in range(min(n + 1, N))
        )
        if short < 1e-12:
            return total
        total, block = total + short, block + 1


@dataclass(frozen=True)
class Permutations:
    """Of Keccak, for each use of it; those of rejection sampling are averages."""

    seeds: float
    matrix: float
    secret: float
    mask: float
    tr: float
    mu: float
    rho: float
    challenge: float
    ball: float


@cache
def permutations(p: Parameters) -> Permutations:
    """Permutations of one use each: `matrix`, `secret` and `mask` are of one polynomial."""
    small = {2: 15 / 16, 4: 9 / 16}[p.eta]
    return Permutations(
        seeds=1,
        matrix=_expected(SHAKE128_RATE // 3, Q / 2**23),
        secret=_expected(SHAKE256_RATE * 2, small),
        mask=ceil(N // 8 * p.z_bits / SHAKE256_RATE),
        tr=absorbed(p.pk_bytes),
        mu=absorbed(64 + MESSAGE_WORDS * WORD),
        rho=1,
        challenge=absorbed(64 + N // 8 * p.w1_bits * p.k),
        ball=1,
    )


@dataclass(frozen=True)
class Totals:
    """Permutations of the operations; a signature takes `sign` and `attempt` for every try."""

    keygen: float
    sign: float
    attempt: float
    verify: float


def totals(p: Parameters) -> Totals:
    """Permutations of the operations, on average."""
    n = permutations(p)
    matrix = p.k * p.l * n.matrix
    return Totals(
        keygen=n.seeds + (p.k + p.l) * n.secret + matrix + n.tr,
        sign=n.mu + n.rho + matrix,
        attempt=p.l * n.mask + n.challenge + n.ball,
        verify=n.tr + n.mu + n.ball + matrix + n.challenge,
    )


@dataclass(frozen=True)
class Job:
    """A unit's job: one polynomial, or one message.

    - `takes`: jobs whose results it takes as a stream.
    - `needs`: jobs that must be done before it starts.
    - `late`: it belongs to the checks of a try, which overlap with the next one: it goes as soon as
      it can, whatever else waits.
    """

    label: str
    takes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    late: bool = False


@dataclass(frozen=True)
class HashJob(Job):
    """One use of Keccak.

    - `permutations`: on average.
    - `words`: absorbed from each job of `takes`, after `before` that are there.
    - `drain`: cycles from the last permutation to the last of its results.
    - `kind`, `x`, `y`: for the hardware: what it does, and the bytes after the seed.
    """

    permutations: float = 1
    words: tuple[int, ...] = ()
    before: int = 0
    drain: int = 1
    kind: str = ""
    x: int = 0
    y: int = 0


@dataclass(frozen=True)
class MacJob(Job):
    """One product of polynomials.

    - `row`: of the sum.
    - `vector`: slot of the second factor.
    - `matrix`: polynomial of the even rows of the matrix, or of the odd ones, by rows.
    - `challenge`: the first factor is the challenge, not the matrix.
    - `twice`: of two rows, or of two vectors with the challenge.
    - `add`: it is not the first of its sum.
    - `whole`: it is the last of its sum, which the transform can read then.
    - `waits`: until the try has passed what is checked before; skipped if it has not.
    - `stop`: not a job: marks the end of a signing attempt; the next one resumes here.
    """

    row: int = 0
    vector: int = 0
    matrix: int = 0
    challenge: bool = False
    twice: bool = False
    add: bool = False
    whole: bool = False
    waits: bool = False
    stop: int | None = None


@dataclass(frozen=True)
class NttJob(Job):
    """One transform, forward or inverse.

    - `kind`: for the hardware: what is transformed.
    - `slot`, `to`: of what it is made from, and of the vector or the row that it makes.
    - `small`: of the small polynomial that is added on the way out, or to what is transformed.
    - `stop`: as of a product.
    """

    inverse: bool = False
    kind: str = ""
    slot: int = 0
    to: int = 0
    small: int = 0
    stop: int | None = None


@dataclass(frozen=True)
class SendJob:
    """A job of an output port or of the hash: a seed, or the polynomial of a slot.

    - `last`: a packet, or a message that is hashed, ends with it.
    """

    kind: str
    slot: int = 0
    last: bool = False


@dataclass
class Program:
    """The lists of one operation.

    - `arrives`: words of the input, by the job that takes them: the last one's place in the stream.
    - `leaves`: words of the output that cannot leave before all is done.
    - `public`, `secret`: what leaves at these ports, in order, for the hardware; empty where there
      is none yet.
    """

    arrives: dict[str, int] = field(default_factory=dict)
    hashes: list[HashJob] = field(default_factory=list)
    macs: list[MacJob] = field(default_factory=list)
    ntts: list[NttJob] = field(default_factory=list)
    leaves: int = 0
    public: list[SendJob] = field(default_factory=list)
    secret: list[SendJob] = field(default_factory=list)

    def arrive(self, pieces: Iterable[tuple[str, int]]) -> None:
        """Words of the input, in order."""
        at = max(self.arrives.values(), default=0)
        for label, words in pieces:
            at += words
            self.arrives[label] = at


def poly_words(bits: int) -> int:
    """Of a polynomial of so many bits a coefficient."""
    return N * bits // 64


# Cycles in which a block's results leave the samplers after its permutation.
SAMPLE_DRAIN = 17


def matrix_jobs(p: Parameters, n: Permutations, needs: tuple[str, ...] = ()) -> list[HashJob]:
    """The matrix by rows."""
    return [
        HashJob(
            f"A{i}{j}",
            needs=needs,
            permutations=n.matrix,
            drain=SAMPLE_DRAIN,
            kind="HashMatrix",
            x=j,
            y=i,
        )
        for i in range(p.k)
        for j in range(p.l)
    ]


def hash_job(
    label: str, permutations: float, *pieces: tuple[str, int], before: int = 0, **more: Any
) -> HashJob:
    """Keccak absorbs words of jobs, after some that are there."""
    takes, words = zip(*pieces, strict=True)
    return HashJob(label, takes, permutations=permutations, words=words, before=before, **more)


def keygen(p: Parameters, *, standard: bool = False) -> Program:
    """KeyGen_internal: seeds, secrets, the matrix by rows, and tr, as its rows are ready.

    tr, which is known last, leaves last, or where the standard has it, and then the rest waits.
    """
    n, program = permutations(p), Program()
    program.arrive([("xi", 4)])
    program.hashes.append(hash_job("H(xi)", n.seeds, ("xi", 4), kind="HashSeeds"))
    small = [*(f"s1_{j}" for j in range(p.l)), *(f"s2_{i}" for i in range(p.k))]
    for slot, name in enumerate(small):
        program.hashes.append(
            HashJob(name, permutations=n.secret, drain=SAMPLE_DRAIN, kind="HashSmall", x=slot)
        )
    program.hashes += matrix_jobs(p, n)
    t1 = ((f"t{i}", poly_words(T1_BITS)) for i in range(p.k))
    program.hashes.append(hash_job("tr", n.tr, *t1, before=4, kind="HashDigest"))
    program.ntts += [
        NttJob(f"NTT s1_{j}", (f"s1_{j}",), kind="NttSmall", slot=j, to=j) for j in range(p.l)
    ]
    for i in range(p.k):
        for j in range(p.l):
            takes = (f"A{i}{j}", f"NTT s1_{j}")
            program.macs.append(product_job(p, f"A{i}{j} s1_{j}", takes, i, j, add=j > 0))
        program.ntts.append(row_job(f"t{i}", f"A{i}{p.l - 1} s1_{p.l - 1}", i, small=p.l + i))
    rows = range(p.k)
    program.public += _public_key(p)
    digest = [SendJob("SendDigest", 1)]
    vectors = [SendJob("SendSmall", slot) for slot in range(len(small))]
    vectors += [SendJob("SendLow", i) for i in rows]
    *jobs, end = digest + vectors if standard else vectors + digest
    program.secret += [SendJob("SendRho"), SendJob("SendKey"), *jobs, replace(end, last=True)]
    program.leaves = (p.sk_bytes - 64 if standard else 64) // WORD  # from tr on, see the page
    return program


def product_job(
    p: Parameters,
    label: str,
    takes: tuple[str, ...],
    row: int,
    column: int,
    *,
    add: bool,
    twice: bool = False,
) -> MacJob:
    """A polynomial of the matrix times the vector's; or of this row and the next one."""
    place, whole = row // 2 * p.l + column, column == p.l - 1
    return MacJob(
        label, takes, row=row, vector=column, matrix=place, add=add, twice=twice, whole=whole
    )


def sum_slot(row: int) -> int:
    """Slot of a row's sum: even ones, and odd ones."""
    return row % 2 << 3 | row // 2


def row_job(label: str, last: str, row: int, small: int = 0) -> NttJob:
    """A row of sums, transformed back after its last product."""
    return NttJob(
        label, (last,), inverse=True, kind="NttSum", slot=sum_slot(row), to=row, small=small
    )


def _public_key(p: Parameters) -> list[SendJob]:
    """Rho and t1, a message that ends."""
    rows = [SendJob("SendHigh", i, last=i == p.k - 1) for i in range(p.k)]
    return [SendJob("SendRho"), *rows]


def verify(p: Parameters, *, external: bool = False) -> Program:
    """Verify_internal: the matrix first, after whose last row tr and mu give time.

    - `p`: the set.
    - `external`: mu comes instead of M'.
    """
    n, program = permutations(p), Program()
    program.arrive([("rho", 4), *((f"t1_{i}", poly_words(T1_BITS)) for i in range(p.k))])
    program.arrive([("c~", p.challenge_bytes // WORD)])
    program.arrive((f"z{j}", poly_words(p.z_bits)) for j in range(p.l))
    program.arrive([("h", ceil((p.omega + p.k) / WORD))])
    program.arrive([("mu", 8) if external else ("M", MESSAGE_WORDS)])
    matrix = matrix_jobs(p, n, ("rho",))
    # The challenge comes when some of the matrix is there already.
    early = 3
    program.hashes += matrix[:early]
    seed = ("c~", p.challenge_bytes // WORD)
    program.hashes.append(hash_job("c", n.ball, seed, drain=1 + ball_cycles(p), kind="HashBall"))
    program.hashes += matrix[early:]
    if not external:
        pk = ((f"t1_{i}", poly_words(T1_BITS)) for i in range(p.k))
        program.hashes.append(hash_job("tr", n.tr, ("rho", 4), *pk, kind="HashDigest"))
        message = (("tr", 8), ("M", MESSAGE_WORDS))
        program.hashes.append(hash_job("mu", n.mu, *message, kind="HashDigest"))
        program.public += [*_public_key(p), SendJob("SendDigest", 1)]
        program.public.append(SendJob("SendMessage", last=True))
    w1 = ((f"w{i}", poly_words(p.w1_bits)) for i in range(p.k))
    program.hashes.append(hash_job("c~'", n.challenge, ("mu", 8), *w1, kind="HashDigest"))
    program.public.append(SendJob("SendDigest", 2))
    program.public += [SendJob("SendW1", i, last=i == p.k - 1) for i in range(p.k)]
    program.public += [SendJob("SendCheck", 3), SendJob("SendVerdict", last=True)]
    # Vectors: z in front of t1.
    for i in range(p.k):
        program.ntts.append(NttJob(f"NTT t1_{i}", (f"t1_{i}",), kind="NttKey", slot=i, to=8 + i))
    program.ntts.append(NttJob("NTT c", ("c",), kind="NttBall"))
    for j in range(p.l):
        program.ntts.append(NttJob(f"NTT z{j}", (f"z{j}",), kind="NttVector", slot=j, to=j))
    for i in range(p.k):
        takes: tuple[str, ...] = ("NTT c", f"NTT t1_{i}")
        program.macs.append(MacJob(f"c t1_{i}", takes, row=i, vector=8 + i, challenge=True))
        for j in range(p.l):
            takes = (f"A{i}{j}", f"NTT z{j}")
            program.macs.append(product_job(p, f"A{i}{j} z{j}", takes, i, j, add=True))
        program.ntts.append(row_job(f"w{i}", f"A{i}{p.l - 1} z{p.l - 1}", i))
    return program


def ball_cycles(p: Parameters) -> int:
    """Candidates of SampleInBall on average, one a cycle."""
    return round(sum(N / (i + 1) for i in range(N - p.tau, N)))
