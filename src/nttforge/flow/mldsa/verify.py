# SPDX-License-Identifier: Apache-2.0
"""`verify` of an ML-DSA core: standard vectors, keys, signatures right and wrong, refusals."""

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from nttforge.errors import FaultError
from nttforge.families import MldsaCore
from nttforge.families.mldsa.program import SETS
from nttforge.flow.mldsa.dsa import open_core
from nttforge.flow.mldsa.vectors import golden_vectors, wrong_answers
from nttforge.flow.mldsa.wrong import KINDS, Signed
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.trace import Again
from nttforge.flow.vectors import STALLS, Mismatch, Tally, shown_bytes
from nttforge.results import Verification
from nttforge.simulate.mldsa import KEY_ORDERS, DsaCore, DsaRun, Request
from nttforge.standards.keccak import SHAKE256_RATE
from nttforge.standards.ml_dsa.message import representative
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters
from nttforge.standards.oracle import (
    DsaOracle,
    dilithium_py,
    dsa_public_key,
    signature_beyond,
)
from nttforge.table import Block, Line, Table

_WORD = 8
_WRONG, _EACH = 3, 3  # wrong signatures of a case; every so many cases there is another one:
FAR = "z beyond its bound"
_LONG_EACH = 7  # and so many have a long message


class MldsaVerifyResult(Verification):
    """What `verify` did and found.

    Attributes
    ----------
    cases
        Random ones of each parameter set.
    comparisons
        Answers that were compared in all.
    compared
        By parameter set: how many of what.
    vectors
        NIST's ACVP vectors, all of them.
    oracles
        What random cases were compared with.
    cycles
        Simulated in all of the compared runs, from first to last word.
    mismatches
        The first few, and how many answers were wrong in all.
    """

    seed: int
    cases: int
    comparisons: int
    compared: dict[str, dict[str, int]]
    vectors: int
    oracles: list[str]
    stalls: list[float]
    cycles: int
    wrong_answers: int
    mismatches: list[Mismatch]

    @property
    def verdict(self) -> tuple[str, str]:
        """What was compared, and what is to be said if it did not hold."""
        broken = "the core did what it must never do"
        bad = f"{self.wrong_answers} of {self.comparisons} answers are wrong"
        return f"{self.comparisons:,} comparisons", broken if self.violation else bad

    def shown(self) -> Iterator[Block]:
        """What was compared with what, and the first answers that differ."""
        kinds = list(dict.fromkeys(kind for row in self.compared.values() for kind in row))
        yield Table(
            f"{self.design}, seed {self.seed}: compared with {', '.join(self.oracles)}",
            ("compared", *self.compared),
            [(kind, *(row.get(kind, 0) for row in self.compared.values())) for kind in kinds],
        )
        yield Line(
            f"{self.vectors} vectors of NIST; {self.cycles:,} cycles simulated; ports stall in "
            f"{', '.join(f'{stall:.0%}' for stall in self.stalls)} of the cycles"
        )
        yield from self.ending(self.mismatches)


@dataclass
class _Case:
    """One random case: runs the core under its stalls, compares, and counts."""

    core: DsaCore
    p: Parameters
    number: int
    seed: int
    tally: Tally

    @property
    def stall(self) -> float:
        return STALLS[self.number % len(STALLS)]

    def run(self, *requests: Request) -> list[DsaRun]:
        runs = self.core.run_all(requests, stall=self.stall, seed=self.seed + self.number)
        self.tally.cycles += sum(run.cycles for run in runs)
        return runs

    def signs(self, request: Request, pk: bytes) -> Request:
        """With what a core that verifies its signatures takes besides."""
        return request.checked(pk) if self.core.checks else request

    def compare(self, what: str, got: bytes, expected: bytes) -> None:
        self.tally.compared[self.p.name][what] += 1
        if got != expected:
            shown = (shown_bytes(got), shown_bytes(expected))
            self.tally.differs(self.p.name, what, self.number, self.stall, *shown)

    def keys(self, run: DsaRun, keys: tuple[bytes, bytes], name: str) -> None:
        self.compare("public keys", run.public, keys[0])
        self.compare("private keys", KEY_ORDERS[name](run.secret), keys[1])

    def judged(self, what: str, run: DsaRun, *, right: bool) -> None:
        self.tally.compared[self.p.name][what] += 1
        if run.accepted != right or run.reason == "length":
            expected = "none" if right else "signature"
            self.tally.differs(self.p.name, what, self.number, self.stall, run.reason, expected)

    def refused(self, run: DsaRun, reason: str = "length") -> None:
        self.tally.compared[self.p.name]["refused streams"] += 1
        if run.reason != reason:
            where = (self.p.name, "refused streams", self.number, self.stall)
            self.tally.differs(*where, run.reason, reason)


def verify_mldsa(
    core: DsaCore,
    design: str,
    *,
    cases: int = 20,
    seed: int = 0,
    sets: Sequence[Parameters] = SETS,
    progress: Progress = silent,
) -> MldsaVerifyResult:
    """Compare the simulated core with NIST's vectors and with independent implementations.

    Every set has the same number of random cases, every other one with stalls on all ports. A case
    is a seed that ends early or late, and, waiting behind it, one that does not; signatures that
    are made with that key, of M' and of mu, and private keys that are refused; a signature that is
    verified with M' and with mu; wrong ones; and a packet of the wrong length.

    Parameters
    ----------
    core
        The compiled core.
    design
        Its name.
    cases
        Of each parameter set.
    seed
        Of everything random.
    sets
        Parameter sets; vectors are run of all.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        If dilithium-py is not installed.
    """
    start = time.monotonic()
    tally = Tally({p.name: Counter() for p in sets}, simulator=core)
    oracles = {p.name: dilithium_py(p.name) for p in sets}
    other = dsa_public_key()
    violation = None
    try:
        progress("NIST's vectors")
        for vector in golden_vectors():
            tally.vector(vector, wrong_answers(core, vector))
        for p in sets:
            for number in range(cases):
                progress(f"{p.name}, case {number} of {cases}")
                case = _Case(core, p, number, seed, tally)
                rng = random.Random(f"{seed} {p.name} {number}")
                public = _random_case(case, oracles[p.name], rng)
                if other is not None:
                    case.compare("public keys", public[1], other(p.name, public[0]))
    except FaultError as error:
        violation = str(error)
        tally.stopped()
    return MldsaVerifyResult(
        design=design,
        ok=violation is None and not tally.wrong,
        violation=violation,
        seed=seed,
        cases=cases,
        **tally.fields(),
        oracles=["dilithium-py", *(["cryptography"] if other else [])],
        seconds=round(time.monotonic() - start, 2),
    ).failed(_again(tally.failed))


def _again(failed: Any) -> Again | None:
    """The operations that failed, once more."""

    def do(prepared: Prepared[MldsaCore], progress: Progress) -> None:
        requests, stall, seed = failed
        with suppress(FaultError):
            open_core(prepared).run_all(requests, stall=stall, seed=seed)

    return None if failed is None else Again(do)


def _random_case(case: _Case, oracle: DsaOracle, rng: random.Random) -> tuple[bytes, bytes]:
    """A key and its signatures, and what has the wrong length; the seed, and our public key."""
    p, seed = case.p, rng.randbytes(SEED_BYTES)
    wrong = rng.randbytes(_WORD * rng.choice((1, 2, 3, 5, 6, 12)))
    names = list(KEY_ORDERS)
    refused, *runs = case.run(
        Request(names[case.number % 2], p, wrong), *(Request(name, p, seed) for name in names)
    )
    case.refused(refused)
    keys = oracle._keygen_internal(seed)
    for name, run in zip(names, runs, strict=True):
        case.keys(run, keys, name)
    message = rng.randbytes(rng.choice((0, 1, 7, 8, 64, 71, 72, 73, 135, 136, 500)))
    if case.number % _LONG_EACH == _LONG_EACH - 1:  # around 32 blocks, which a counter must survive
        message = rng.randbytes(rng.randrange(32 * SHAKE256_RATE - 80, 40 * SHAKE256_RATE))
    _signatures(case, oracle, keys, message, rng)
    return seed, run.public


def _signatures(
    case: _Case, oracle: DsaOracle, keys: tuple[bytes, bytes], message: bytes, rng: random.Random
) -> None:
    """A right signature, with M' and with mu; wrong ones; a packet of the wrong length."""
    p, (pk, sk) = case.p, keys
    right = Signed(pk, oracle._sign_internal(sk, message, rng.randbytes(32)), message)
    mu = representative(pk, message)
    kinds = list(KINDS)
    names = [kinds[(_WRONG * case.number + i) % len(kinds)] for i in range(_WRONG)]
    wrong = [KINDS[name](p, right, rng) for name in names]
    if not case.number % _EACH:
        names.append(FAR)
        wrong.append(right._replace(signature=signature_beyond(p, sk, message, bytes(32))))
    short = _wrong_length(right, rng)
    _signed(case, oracle, keys, (message, mu), rng)
    _loaded(case, oracle, keys, (message, mu), rng)
    runs = case.run(
        Request("verify", p, public=right.packets),
        Request("verify_mu", p, public=(pk, right.signature, mu)),
        Request("verify", p, public=short.packets),
        *(Request("verify", p, public=each.packets) for each in wrong),
    )
    case.judged("right signatures", runs[0], right=True)
    case.judged("right signatures", runs[1], right=True)
    case.refused(runs[2])
    for name, each, run in zip(names, wrong, runs[3:], strict=True):
        accepted = oracle._verify_internal(each.pk, each.message, each.signature)
        case.judged(f"wrong: {name}", run, right=accepted)


def _signed(
    case: _Case,
    oracle: DsaOracle,
    keys: tuple[bytes, bytes],
    of: tuple[bytes, bytes],
    rng: random.Random,
) -> None:
    """What the core signs: M' with random rnd, and mu with zeros; a key that is none, twice."""
    p, rnd, (message, mu), (pk, sk) = case.p, rng.randbytes(32), of, keys
    foreign = bytearray(sk)
    foreign[rng.randrange(128, 128 + p.eta_bits * 32 * (p.k + p.l))] = 0xFF
    asked = (
        Request("sign", p, rnd + sk, (message,)),
        Request("sign", p, rnd + sk[: rng.choice((64, len(sk) - _WORD))], (message,)),
        Request("sign", p, rnd + bytes(foreign), (message,)),
        Request("sign_mu", p, bytes(32) + sk, (mu,)),
    )
    runs = case.run(*(case.signs(request, pk) for request in asked))
    for run, given in ((runs[0], rnd), (runs[3], bytes(32))):
        case.compare("signatures made", run.public, _padded(oracle, sk, message, given))
    case.refused(runs[1])
    case.refused(runs[2], "key")


def _padded(oracle: DsaOracle, sk: bytes, message: bytes, rnd: bytes) -> bytes:
    """A signature, as it leaves: zeros fill the last word."""
    expected = oracle._sign_internal(sk, message, rnd)
    return expected + bytes(-len(expected) % _WORD)


def _loaded(
    case: _Case,
    oracle: DsaOracle,
    keys: tuple[bytes, bytes],
    of: tuple[bytes, bytes],
    rng: random.Random,
) -> None:
    """Keys that stay, and those that do not: another set, another command, or what is wrong."""
    p, rnd, (message, mu), (own, sk) = case.p, rng.randbytes(32), of, keys
    xi = rng.randbytes(SEED_BYTES)
    pk, other = oracle._keygen_internal(xi)
    load, sign = Request("load", p, sk), Request("sign_loaded", p, rnd, (message,))
    short = rnd[: -rng.choice((8, 24))]
    another = SETS[(SETS.index(p) + 1) % len(SETS)]
    # None of these leaves a key that was loaded.
    ends = (
        Request("drop", p),
        Request("drop", another),
        Request("keygen", p, xi),
        case.signs(Request("sign_loaded", another, rnd, (message,)), pk),
        case.signs(Request("sign_loaded", p, short, (message,)), pk),
        Request("load", p, sk[:-_WORD]),
    )
    ended = ends[case.number % len(ends)]
    # A verification takes the place of a key, which is loaded again then.
    again = (load,) if case.core.checks else ()
    mine, sign = case.signs(sign, own), case.signs(sign, pk)
    external = case.signs(Request("sign_loaded_mu", p, bytes(32), (mu,)), own)
    runs = case.run(
        *(load, mine, *again, external), *(Request("load_seed", p, xi), sign, ended, sign)
    )
    del runs[2 : 2 + len(again)]
    for at, key, given in ((1, sk, rnd), (2, sk, bytes(32)), (4, other, rnd)):
        expected = _padded(oracle, key, message, given)
        case.compare("signatures of keys that stay", runs[at].public, expected)
    case.compare("public keys", runs[3].public, pk)
    case.refused(runs[6], "key")


def _wrong_length(right: Signed, rng: random.Random) -> Signed:
    """A key or a signature with some bytes more or less."""
    name = rng.choice(("pk", "signature"))
    data: bytes = getattr(right, name)
    changed = (data[:-1], data[:-_WORD], data + bytes(1), data + bytes(_WORD), data[:4])
    return right._replace(**{name: rng.choice(changed)})
