# SPDX-License-Identifier: Apache-2.0
"""KeyGen, Sign and Verify of ML-DSA as jobs of three units, each in the order of its list.

A job names the jobs whose results it takes, and waits for nothing else. `docs/mldsa.md` derives the
orders; `plan.py` says when each job runs.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil, comb
from typing import Any

from nttforge.standards.keccak import SHAKE128_RATE, SHAKE256_RATE, absorbed
from nttforge.standards.ml_dsa.encoding import T1_BITS
from nttforge.standards.ml_dsa.parameters import DROPPED_BITS, PARAMETER_SETS, N, Parameters, Q

SETS: tuple[Parameters, ...] = tuple(PARAMETER_SETS.values())
#: Those that the hardware does, in the order of their codes.
OPERATIONS = ("keygen",)

WORD = 8  # bytes
MESSAGE_WORDS = 8  # of the message that figures are for


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
    """What a unit does with one polynomial, or one message.

    Attributes
    ----------
    takes
        Jobs whose results it takes as a stream.
    needs
        Jobs that must be done before it starts.
    late
        It belongs to the checks of a try, which overlap with the next one: it goes as soon as it
        can, whatever else waits.
    """

    label: str
    takes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    late: bool = False


@dataclass(frozen=True)
class HashJob(Job):
    """One use of Keccak.

    Attributes
    ----------
    permutations
        On average.
    words
        Absorbed from each job of `takes`, behind `before` that are there.
    drain
        Cycles from the last permutation to the last of its results.
    kind, x, y
        For the hardware: what it does, and the bytes behind the seed.
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
    """One product of polynomials, added to a sum: row and column of the matrix."""

    row: int = 0
    column: int = 0


@dataclass(frozen=True)
class NttJob(Job):
    """One transform, forward or inverse.

    Attributes
    ----------
    slot
        Of the vector or the row that it makes, and of what it is made from.
    small
        Of the small polynomial that is added on the way out.
    """

    inverse: bool = False
    slot: int = 0
    small: int = 0


@dataclass(frozen=True)
class SendJob:
    """What leaves at a port: a seed, or the polynomial of a slot."""

    kind: str
    slot: int = 0


@dataclass
class Program:
    """The lists of one operation.

    Attributes
    ----------
    arrives
        Words of the input, by the job that takes them: the last one's place in the stream.
    leaves
        Words of the output that cannot leave before all is done.
    public, secret
        What leaves at these ports, in order, for the hardware; empty where there is none yet.
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


def _words(bits: int) -> int:
    """Of a polynomial of so many bits a coefficient."""
    return N * bits // 64


# Cycles in which a block's results leave the samplers behind its permutation.
SAMPLE_DRAIN = 17


def _matrix(p: Parameters, n: Permutations, needs: tuple[str, ...] = ()) -> list[HashJob]:
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


def _hash(
    label: str, permutations: float, *pieces: tuple[str, int], before: int = 0, **more: Any
) -> HashJob:
    """Keccak absorbs words of jobs, behind some that are there."""
    takes, words = zip(*pieces, strict=True)
    return HashJob(label, takes, permutations=permutations, words=words, before=before, **more)


def keygen(p: Parameters) -> Program:
    """KeyGen_internal: seeds, secrets, the matrix by rows, and tr, as its rows are ready."""
    n, program = permutations(p), Program()
    program.arrive([("xi", 4)])
    program.hashes.append(_hash("H(xi)", n.seeds, ("xi", 4), kind="HashSeeds"))
    small = [*(f"s1_{j}" for j in range(p.l)), *(f"s2_{i}" for i in range(p.k))]
    for slot, name in enumerate(small):
        program.hashes.append(
            HashJob(name, permutations=n.secret, drain=SAMPLE_DRAIN, kind="HashSmall", x=slot)
        )
    program.hashes += _matrix(p, n)
    t1 = ((f"t{i}", _words(T1_BITS)) for i in range(p.k))
    program.hashes.append(_hash("tr", n.tr, *t1, before=4, kind="HashKey"))
    program.ntts += [NttJob(f"NTT s1_{j}", (f"s1_{j}",), slot=j) for j in range(p.l)]
    for i in range(p.k):
        for j in range(p.l):
            takes = (f"A{i}{j}", f"NTT s1_{j}")
            program.macs.append(MacJob(f"A{i}{j} s1_{j}", takes, row=i, column=j))
        last = f"A{i}{p.l - 1} s1_{p.l - 1}"
        program.ntts.append(NttJob(f"t{i}", (last,), inverse=True, slot=i, small=p.l + i))
    rows = range(p.k)
    program.public += [SendJob("SendRho"), *(SendJob("SendHigh", i) for i in rows)]
    program.secret += [SendJob("SendRho"), SendJob("SendKey")]
    program.secret += [SendJob("SendSmall", slot) for slot in range(len(small))]
    program.secret += [*(SendJob("SendLow", i) for i in rows), SendJob("SendTr")]
    program.leaves = 64 // WORD  # tr is what leaves last, see the page
    return program


def verify(p: Parameters) -> Program:
    """Verify_internal: the matrix first, behind whose last row tr and mu give time."""
    n, program = permutations(p), Program()
    program.arrive([("rho", 4), *((f"t1_{i}", _words(T1_BITS)) for i in range(p.k))])
    program.arrive([("c~", p.challenge_bytes // WORD)])
    program.arrive((f"z{j}", _words(p.z_bits)) for j in range(p.l))
    program.arrive([("h", ceil((p.omega + p.k) / WORD)), ("M", MESSAGE_WORDS)])
    matrix = _matrix(p, n, ("rho",))
    # The challenge comes when some of the matrix is there already.
    early = 3
    program.hashes += matrix[:early]
    ball = _hash("c", n.ball, ("c~", p.challenge_bytes // WORD), drain=1 + ball_cycles(p))
    program.hashes += [ball, *matrix[early:]]
    pk = ((f"t1_{i}", _words(T1_BITS)) for i in range(p.k))
    program.hashes.append(_hash("tr", n.tr, ("rho", 4), *pk))
    program.hashes.append(_hash("mu", n.mu, ("tr", 8), ("M", MESSAGE_WORDS)))
    w1 = ((f"w{i}", _words(p.w1_bits)) for i in range(p.k))
    program.hashes.append(_hash("c~'", n.challenge, ("mu", 8), *w1))
    program.ntts += [NttJob(f"NTT t1_{i}", (f"t1_{i}",)) for i in range(p.k)]
    program.ntts += [NttJob(f"NTT z{j}", (f"z{j}",)) for j in range(p.l)]
    program.ntts.append(NttJob("NTT c", ("c",)))
    for i in range(p.k):
        program.macs.append(MacJob(f"c t1_{i}", ("NTT c", f"NTT t1_{i}")))
        for j in range(p.l):
            program.macs.append(MacJob(f"A{i}{j} z{j}", (f"A{i}{j}", f"NTT z{j}")))
        program.ntts.append(NttJob(f"w{i}", (f"A{i}{p.l - 1} z{p.l - 1}",), inverse=True))
    return program


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
    program.hashes.append(_hash("mu", n.mu, ("M", MESSAGE_WORDS), before=8))
    program.hashes.append(_hash("rho''", n.rho, ("mu", 8), before=8))
    if not loaded:
        secret = p.eta_bits * (p.k + p.l)
        program.arrive([("s", _words(secret)), ("t0", _words(DROPPED_BITS * p.k))])
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
        program.hashes += _matrix(p, n)
    products = [(i, j) for i in range(p.k) for j in range(p.l)]
    # The first time rows are sampled; later all of the matrix waits for y's polynomials.
    for i, j in products if first else sorted(products, key=lambda place: place[::-1]):
        takes = (*((f"A{i}{j}",) if first else ()), f"NTT y{at}_{j}")
        program.macs.append(MacJob(f"A{i}{j} y{at}_{j}", takes))
    for i in range(p.k):
        last = f"A{i}{p.l - 1} y{at}_{p.l - 1}"
        kept = (f"INTT c{at - 2} t0_{i}",) if at > 1 else ()
        program.ntts.append(NttJob(f"w{at}_{i}", (last,), kept, inverse=True))
    w1 = ((f"w{at}_{i}", _words(p.w1_bits)) for i in range(p.k))
    program.hashes.append(_hash(f"c~{at}", n.challenge, *w1, before=8, late=True))
    seed = (f"c~{at}", p.challenge_bytes // WORD)
    program.hashes.append(_hash(f"c{at}", n.ball, seed, drain=1 + ball_cycles(p), late=True))
    program.ntts.append(NttJob(f"NTT c{at}", (f"c{at}",), late=True))
    # s1 and s2 share products and transforms, see the page.
    for name in (f"{part}{i}" for part in ("s_", "t0_") for i in range(p.k)):
        # With a loaded key the factor is there.
        factor = () if loaded else (f"NTT {name}",)
        label = f"c{at} {name}"
        program.macs.append(MacJob(label, (f"NTT c{at}", *factor), late=True))
        program.ntts.append(NttJob(f"INTT {label}", (label,), inverse=True, late=True))


def ball_cycles(p: Parameters) -> int:
    """Candidates of SampleInBall on average, one a cycle."""
    return round(sum(N / (i + 1) for i in range(N - p.tau, N)))
