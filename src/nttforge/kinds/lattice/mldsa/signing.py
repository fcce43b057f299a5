# SPDX-License-Identifier: Apache-2.0
"""Sign as the hardware does it, tries that overlap; keys that stay; the programs of all operations.

A round begins with a challenge and ends with the next one's c~: products of y for the next try are
done while the challenge is sampled, and y of the one after that is. The lists of Sign are an
opening, with all of the first try, and a round, which is repeated. Where one of them ends, it says
with which of its jobs another one goes on. The opening takes the matrix by rows, as it is sampled;
what finds it there takes it by columns, as the polynomials of y come.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from nttforge.kinds.lattice.mldsa.program import (
    MESSAGE_WORDS,
    SAMPLE_DRAIN,
    WORD,
    HashJob,
    MacJob,
    NttJob,
    Program,
    SendJob,
    ball_cycles,
    hash_job,
    keygen,
    matrix_jobs,
    permutations,
    poly_words,
    product_job,
    row_job,
    sum_slot,
    verify,
)
from nttforge.standards.ml_dsa.parameters import DROPPED_BITS, Parameters

# Vectors: y in front of s1 + 512 s2 and t0, even rows of both and then odd ones, which are
# multiplied at once. Small polynomials: this one is none.
_FACTORS, _NONE = 8, 15
_LOWS = _FACTORS + 4
_ROWS = 8  # of w, of one try or more
# Where digests go: `digest_e`.
_TO_MASK, _TO_CHALLENGE = 1, 2


def signing(p: Parameters, *, external: bool = False, loaded: bool = False) -> Program:
    """Sign_internal: what comes once, an opening with the first try, and a round, repeated.

    - `p`: the set.
    - `external`: mu comes instead of M'.
    - `loaded`: the key is there: its matrix, K and tr, and what it was transformed to.
    """
    n, program = permutations(p), Program()
    program.arrive([("rnd", 4)])
    if loaded:
        program.arrives |= dict.fromkeys(("K", "tr"), 0)
    else:
        _private_key(program, p)
    program.arrive([("mu", 8) if external else ("M", MESSAGE_WORDS)])
    if not external:
        message = (("tr", 8), ("M", MESSAGE_WORDS))
        program.hashes.append(hash_job("mu", n.mu, *message, kind="HashDigest"))
        program.public += [SendJob("SendTr", 1), SendJob("SendMessage", last=True)]
    seeds = (("K", 4), ("rnd", 4), ("mu", 8))
    program.hashes.append(hash_job("rho''", n.rho, *seeds, kind="HashDigest", x=_TO_MASK))
    program.public += [SendJob("SendKey"), SendJob("SendRnd"), SendJob("SendDigest", 2, last=True)]
    _opening(program, p, loaded=loaded)
    _round(program, p)
    back = len(program.public)
    program.public += [SendJob("SendDigest", 2)]
    program.public += [SendJob("SendW1", i, last=i == p.k - 1) for i in range(p.k)]
    program.public += [SendJob("SendChallenge", len(program.public) + 1 - back)]
    program.public += [SendJob("SendVector", j) for j in range(p.l)]
    program.public += [SendJob("SendHints", last=True)]
    program.leaves = -(-p.signature_bytes // WORD)
    return program


def _private_key(program: Program, p: Parameters) -> None:
    """Append a private key that comes, and its transforms."""
    program.arrive([("rho", 4), ("K", 4), ("tr", 8)])
    program.arrive([("s", poly_words(p.eta_bits) * (p.k + p.l))])
    program.arrive([("t0", poly_words(DROPPED_BITS) * p.k)])
    program.ntts += [_pair_job(p, i, "s") for i in range(p.k)]
    program.ntts += [_low_job(i, "t0") for i in range(p.k)]


def _pair_job(p: Parameters, row: int, *takes: str) -> NttJob:
    """s1 + 512 s2; there may be less of s1."""
    first = row if row < p.l else _NONE
    label, to = f"NTT s_{row}", _FACTORS + sum_slot(row)
    return NttJob(label, takes, kind="NttPair", slot=first, small=p.l + row, to=to)


def _low_job(row: int, takes: str) -> NttJob:
    return NttJob(f"NTT t0_{row}", (takes,), kind="NttLow", slot=row, to=_LOWS + sum_slot(row))


def load(p: Parameters) -> Program:
    """A private key that stays: its transforms, and the matrix."""
    program = Program()
    _private_key(program, p)
    program.hashes += matrix_jobs(p, permutations(p), ("rho",))
    return program


def load_seed(p: Parameters) -> Program:
    """KeyGen whose key stays; only the public one leaves."""
    program = keygen(p)
    secrets, rows = program.ntts[: p.l], program.ntts[p.l :]
    pairs = [_pair_job(p, i, *[f"s1_{i}"] * (i < p.l), f"s2_{i}") for i in range(p.k)]
    lows = [_low_job(i, row.label) for i, row in enumerate(rows)]
    program.ntts = [
        *secrets,
        *pairs,
        *(job for both in zip(rows, lows, strict=True) for job in both),
    ]
    program.secret.clear()
    return program


def drop(p: Parameters) -> Program:
    """Zeroes, so that no key material remains."""
    del p
    return Program()


@dataclass(frozen=True)
class Order:
    """Order of one try's jobs among those of others.

    - `early`: polynomials of the second y that are sampled while a loaded key's first products are
      done,
    - `offset`: and products with them in front of those with the first challenge.
    - `front`, `tail`: products with y in front of those with the challenge, and those that the
      round before does.
    - `second`, `third`: in the opening, polynomials of the second y that are transformed until the
      first try has passed, and of the third one that are in front of rows w of the second.
    - `between`: products with y between both of those with the challenge.
    - `lag`: last polynomials of a y that are transformed in the next round, while its challenge is
      made.
    - `after`, `during`: polynomials of the y that is sampled which are transformed after the
      challenge, and until its try has passed the first checks,
    - `ahead`: and rows w in front of these, which then have places for more than one try.
    - `waits`: products with t0 wait for these checks, too.
    """

    early: int
    front: int
    tail: int
    offset: int = 0
    second: int = 0
    third: int = 0
    between: int = 0
    lag: int = 0
    after: int = 0
    during: int = 0
    ahead: int = 0
    waits: bool = False


ORDERS = {
    "ML-DSA-44": Order(2, 4, 2, offset=4, between=2, lag=1, ahead=2),
    "ML-DSA-65": Order(3, 5, 3, offset=6, second=2, third=1, between=7, lag=2, ahead=2),
    "ML-DSA-87": Order(
        *(4, 6, 10), offset=10, second=2, third=2, between=7, after=1, during=2, waits=True
    ),
}


def _opening(program: Program, p: Parameters, *, loaded: bool) -> None:
    """Append the first try, what is hashed of the second one, and y of the third."""
    order = ORDERS[p.name]
    early, offset = (order.early, order.offset) if loaded else (0, 0)
    masks = _masks(p, 1)
    program.hashes += [*_masks(p, 0), *masks[:early]]
    if not loaded:
        program.hashes += matrix_jobs(p, permutations(p), ("rho",))
    program.hashes += [_digest(p, 0), _ball(p, 0), *masks[early:], *_masks(p, 2), _digest(p, 1)]
    first = _products(p, 0) if loaded else list(_by_rows(p))
    seconds, thirds = _products(p, 1), _products(p, 2)
    program.macs += [*first, *seconds[:offset], *_pairs(p, 0), *_lows(p, 0)]
    program.macs += [*seconds[offset:], *thirds[: order.tail]]
    # What is there while the challenge is hashed is transformed in front of it.
    vectors = _vectors(p, 1)
    program.ntts += [*_vectors(p, 0), *_rows(p, 0, first), *vectors[:early]]
    soon, third = early + order.second, _vectors(p, 2)[: p.l - order.lag]
    program.ntts += [*_checked(p, 0), *vectors[early:soon], *_hinted(p, 0), *vectors[soon:]]
    program.ntts += [*third[: order.third], *_rows(p, 1, seconds), *third[order.third :]]
    program.hashes.append(HashJob("turn 0", permutations=0, kind="HashEnd"))
    program.macs.append(MacJob("turn 0", stop=len(program.macs) + 1))
    program.ntts.append(NttJob("turn 0", kind="NttEnd", stop=len(program.ntts) + 1))


def _round(program: Program, p: Parameters) -> None:
    """Append a try, what is hashed of the next one, and y of the one after that."""
    order, macs, ntts = ORDERS[p.name], len(program.macs), len(program.ntts)
    hashes = [_ball(p, 1), *_masks(p, 3), _digest(p, 2)]
    # Another round begins where this one did.
    end = HashJob("turn 1", permutations=0, kind="HashEnd", x=len(hashes) + 1)
    program.hashes += [*hashes, end]
    left, ahead = _products(p, 2)[order.tail :], _products(p, 3)[: order.tail]
    soon = order.front + order.between
    program.macs += [*left[: order.front], *_pairs(p, 1), *left[order.front : soon]]
    program.macs += [*_lows(p, 1), *left[soon:], *ahead]
    program.macs.append(MacJob("turn 1", stop=macs))
    split = p.l - order.lag
    lagging = [replace(job, small=1) for job in _vectors(p, 2)[split:]]
    vectors, rows, (challenge, *checked) = _vectors(p, 3), _rows(p, 2, left), _checked(p, 1)
    soon = order.after + order.during
    program.ntts += [*lagging, challenge, *vectors[: order.after], *checked]
    program.ntts += [*rows[: order.ahead], *vectors[order.after : soon]]
    program.ntts += [*_hinted(p, 1), *rows[order.ahead :], *vectors[soon:split]]
    program.ntts.append(NttJob("turn 1", kind="NttEnd", stop=ntts))


def _masks(p: Parameters, at: int) -> list[HashJob]:
    """The polynomials of a try's y, so many after kappa: a round has that of the second try."""
    return [
        HashJob(
            f"y{at}_{j}",
            needs=("rho''",),
            permutations=permutations(p).mask,
            drain=SAMPLE_DRAIN,
            kind="HashMask",
            x=min(at, 2) * p.l + j,
        )
        for j in range(p.l)
    ]


def _vectors(p: Parameters, at: int) -> list[NttJob]:
    """Their transforms."""
    return [
        NttJob(f"NTT y{at}_{j}", (f"y{at}_{j}",), kind="NttVector", slot=j, to=j, small=min(at, 2))
        for j in range(p.l)
    ]


def _by_rows(p: Parameters) -> Iterator[MacJob]:
    """Products of the first y, as the matrix comes."""
    for i in range(p.k):
        for j in range(p.l):
            takes = (f"A{i}{j}", f"NTT y0_{j}")
            yield product_job(p, f"A{i}{j} y0_{j}", takes, i, j, add=j > 0)


def _products(p: Parameters, at: int) -> list[MacJob]:
    """Products of a try's y with the matrix: by columns, two rows at once."""
    return [
        product_job(p, f"A{i}{j} y{at}_{j}", (f"NTT y{at}_{j}",), i, j, add=j > 0, twice=True)
        for j in range(p.l)
        for i in range(0, p.k, 2)
    ]


def _rows(p: Parameters, at: int, products: Sequence[MacJob]) -> list[NttJob]:
    """Rows w, each after its last product; later ones behind those of the try that is checked."""
    last = {job.row + odd: job.label for job in products for odd in range(1 + job.twice)}
    rows = (row_job(f"w{at}_{i}", last[i], i) for i in range(p.k))
    return [replace(row, to=(row.to + min(at, 1) * p.k) % _ROWS) for row in rows]


def _digest(p: Parameters, at: int) -> HashJob:
    """c~ of a try."""
    w1 = ((f"w{at}_{i}", poly_words(p.w1_bits)) for i in range(p.k))
    n = permutations(p).challenge
    return hash_job(f"c~{at}", n, ("mu", 8), *w1, kind="HashDigest", x=_TO_CHALLENGE)


def _ball(p: Parameters, at: int) -> HashJob:
    """And its challenge."""
    seed, drain = (f"c~{at}", p.challenge_bytes // WORD), 1 + ball_cycles(p)
    return hash_job(f"c{at}", permutations(p).ball, seed, drain=drain, kind="HashBall")


def _challenged(p: Parameters, at: int, name: str, first: int) -> list[MacJob]:
    """Products of the challenge with vectors from slot `first` on, two rows at once."""
    return [
        MacJob(
            f"c{at} {name}_{i}",
            (f"NTT c{at}", f"NTT {name}_{i}", f"NTT {name}_{i + 1}"),
            row=2 * (first - _FACTORS) + i,
            vector=first + i // 2,
            challenge=True,
            twice=True,
        )
        for i in range(0, p.k, 2)
    ]


def _pairs(p: Parameters, at: int) -> list[MacJob]:
    """Products of the challenge with s1 + 512 s2."""
    return _challenged(p, at, "s", _FACTORS)


def _lows(p: Parameters, at: int) -> list[MacJob]:
    """And with t0."""
    waits = ORDERS[p.name].waits
    return [replace(job, waits=waits) for job in _challenged(p, at, "t0", _LOWS)]


def _inverses(p: Parameters, at: int, name: str, kind: str, first: int) -> list[NttJob]:
    """These products, back."""
    return [
        NttJob(
            f"INTT c{at} {name}_{i}",
            (f"c{at} {name}_{i // 2 * 2}",),
            inverse=True,
            kind=kind,
            slot=sum_slot(i) + first - _FACTORS,
            to=i,
        )
        for i in range(p.k)
    ]


def _checked(p: Parameters, at: int) -> list[NttJob]:
    """The challenge's transform, and what is checked first, back."""
    challenge = NttJob(f"NTT c{at}", (f"c{at}",), kind="NttBall")
    return [challenge, *_inverses(p, at, "s", "NttPaired", _FACTORS)]


def _hinted(p: Parameters, at: int) -> list[NttJob]:
    """And c t0, of a try that has passed."""
    return _inverses(p, at, "t0", "NttHints", _LOWS)


#: Programs of what the hardware does, in the order of their codes.
OPERATIONS: dict[str, Callable[[Parameters], Program]] = {
    "keygen": keygen,
    "verify": verify,
    "verify_mu": partial(verify, external=True),
    "sign": signing,
    "sign_mu": partial(signing, external=True),
    "load": load,
    "load_seed": load_seed,
    "sign_loaded": partial(signing, loaded=True),
    "sign_loaded_mu": partial(signing, external=True, loaded=True),
    "drop": drop,
    "keygen_standard": partial(keygen, standard=True),
}
