# SPDX-License-Identifier: Apache-2.0
"""Sign as the hardware does it, one try behind the other; keys that stay; all operations.

The lists of a try are there twice: the first one samples the matrix, row by row; those behind it
find it there, and take it by columns, as the polynomials of y come: with a key that is loaded all
of them do. Where a list of a try ends, it says with which of its jobs another one goes on.
"""

from collections.abc import Callable, Iterator
from functools import partial

from nttforge.families.mldsa.program import (
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
    verify,
)
from nttforge.standards.ml_dsa.parameters import DROPPED_BITS, Parameters

# Vectors: y in front of s1 + 512 s2 and t0. Small polynomials: this one is none.
_PAIRS, _LOWS, _NONE = 8, 16, 15
_SUMS = 8  # of even rows; then those of odd ones
# Where digests go: `digest_e`.
_TO_MASK, _TO_CHALLENGE = 1, 2


def signing(p: Parameters, *, external: bool = False, loaded: bool = False) -> Program:
    """Sign_internal: what comes once, a first try, and another one, which is repeated.

    Parameters
    ----------
    p
        The set.
    external
        Mu comes instead of M'.
    loaded
        The key is there: its matrix, K and tr, and what it was transformed to.
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
    if loaded:
        program.hashes += _masks(p, 0, 0)
    else:
        _attempt(program, p, 0)
    _attempt(program, p, 1)
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
    label, to = f"NTT s_{row}", _PAIRS + row
    return NttJob(label, takes, kind="NttPair", slot=first, small=p.l + row, to=to)


def _low_job(row: int, takes: str) -> NttJob:
    return NttJob(f"NTT t0_{row}", (takes,), kind="NttLow", slot=row, to=_LOWS + row)


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
    """Nothing, behind which no key stays."""
    del p
    return Program()


def _attempt(program: Program, p: Parameters, at: int) -> None:
    """Append a try: y, w, its challenge, and its checks."""
    n, again = permutations(p), at > 0
    hashes, macs, ntts = len(program.hashes), len(program.macs), len(program.ntts)
    columns, rows = range(p.l), range(p.k)
    if not again:
        program.hashes += _masks(p, 0, 0)
        program.hashes += matrix_jobs(p, n, ("rho",))
    for j in columns:
        program.ntts.append(
            NttJob(f"NTT y{at}_{j}", (f"y{at}_{j}",), kind="NttVector", slot=j, to=j)
        )
    last: dict[int, str] = {}
    for i, j in _order(p, by_columns=again):
        # The matrix is taken as it comes, and then two rows at once.
        takes = (*(() if again else (f"A{i}{j}",)), f"NTT y{at}_{j}")
        label = f"A{i}{j} y{at}_{j}"
        last |= {i: label, i + again: label}
        program.macs.append(product_job(p, label, takes, i, j, add=j > 0, twice=again))
    program.ntts += [row_job(f"w{at}_{i}", last[i], i) for i in rows]
    # y of the next try: while the row of products and the transforms have this one, if the matrix
    # is there, and else behind the challenge.
    late, masks = (p.l - 1) * again, _masks(p, at + 1, p.l)
    program.hashes += masks[:late]
    w1 = ((f"w{at}_{i}", poly_words(p.w1_bits)) for i in rows)
    program.hashes.append(
        hash_job(f"c~{at}", n.challenge, ("mu", 8), *w1, kind="HashDigest", x=_TO_CHALLENGE)
    )
    seed, drain = (f"c~{at}", p.challenge_bytes // WORD), 1 + ball_cycles(p)
    program.hashes.append(hash_job(f"c{at}", n.ball, seed, drain=drain, kind="HashBall"))
    program.hashes += masks[late:]
    program.ntts.append(NttJob(f"NTT c{at}", (f"c{at}",), kind="NttBall"))
    for i in rows:
        takes = (f"NTT c{at}", f"NTT s_{i}", f"NTT t0_{i}")
        label = f"c{at} s_{i}, t0_{i}"
        program.macs.append(
            MacJob(label, takes, row=2 * i, vector=_PAIRS + i, challenge=True, twice=True)
        )
    for kind, name, half in (("NttPaired", "s", 0), ("NttHints", "t0", _SUMS)):
        for i in rows:
            label, takes = f"INTT c{at} {name}_{i}", (f"c{at} s_{i}, t0_{i}",)
            program.ntts.append(NttJob(label, takes, inverse=True, kind=kind, slot=half + i, to=i))
    # Another try begins behind this one, or where this one did.
    back = len(program.hashes) + 1 - hashes if again else 0
    program.hashes.append(HashJob(f"turn {at}", permutations=0, kind="HashEnd", x=back))
    program.macs.append(MacJob(f"turn {at}", stop=macs if again else len(program.macs) + 1))
    turn = ntts if again else len(program.ntts) + 1
    program.ntts.append(NttJob(f"turn {at}", kind="NttEnd", stop=turn))


def _masks(p: Parameters, at: int, first: int) -> list[HashJob]:
    """The polynomials of a try's y, so many behind kappa."""
    return [
        HashJob(
            f"y{at}_{j}",
            needs=("rho''",),
            permutations=permutations(p).mask,
            drain=SAMPLE_DRAIN,
            kind="HashMask",
            x=first + j,
        )
        for j in range(p.l)
    ]


def _order(p: Parameters, *, by_columns: bool) -> Iterator[tuple[int, int]]:
    """Products of the matrix, by rows; or by columns, in which even rows stand for two."""
    if by_columns:
        yield from ((i, j) for j in range(p.l) for i in range(0, p.k, 2))
    else:
        yield from ((i, j) for i in range(p.k) for j in range(p.l))


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
}
