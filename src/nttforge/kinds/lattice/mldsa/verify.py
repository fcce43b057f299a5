# SPDX-License-Identifier: Apache-2.0
"""`verify` of an ML-DSA core: standard vectors, keys, signatures right and wrong, refusals."""

import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from nttforge.flow.prepare import Progress, silent
from nttforge.flow.vectors import Tally
from nttforge.kinds.lattice.bus import KEY_ORDERS, Coprocessor, Request, Run
from nttforge.kinds.lattice.mldsa.forgeries import KINDS, Signed
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.vectors import golden_vectors, wrong_answers
from nttforge.kinds.lattice.verify import Case, StandardVerifyResult, compare_all, replay
from nttforge.standards.keccak import SHAKE256_RATE
from nttforge.standards.ml_dsa.message import representative
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters
from nttforge.standards.oracle import (
    DsaOracle,
    dilithium_py,
    dsa_public_key,
    signature_beyond,
)

_WORD = 8
_WRONG, _EACH = 3, 3  # wrong signatures of a case; every so many cases there is another one:
FAR = "z beyond its bound"
_LONG_EACH = 7  # and so many have a long message


@dataclass
class _Case(Case):
    """One random case: runs the core under its stalls, compares, and counts."""

    core: Coprocessor

    def run(self, *requests: Request) -> list[Run]:
        runs = self.core.run_all(requests, stall=self.stall, seed=self.seed + self.number)
        self.tally.cycles += sum(run.cycles for run in runs)
        return runs

    def signs(self, request: Request, pk: bytes) -> Request:
        """With what a core that verifies its signatures takes besides."""
        return request.checked(pk) if self.core.checks else request

    def keys(self, run: Run, keys: tuple[bytes, bytes], name: str) -> None:
        self.compare("public keys", run.public, keys[0])
        self.compare("private keys", KEY_ORDERS[name](run.secret), keys[1])

    def judged(self, what: str, run: Run, *, right: bool) -> None:
        self.tally.compared[self.p.name][what] += 1
        if run.accepted != right or run.reason == "length":
            expected = "none" if right else "signature"
            self.tally.differs(self.p.name, what, self.number, self.stall, run.reason, expected)

    def refused(self, run: Run, reason: str = "length") -> None:
        self.tally.compared[self.p.name]["refused streams"] += 1
        if run.reason != reason:
            where = (self.p.name, "refused streams", self.number, self.stall)
            self.tally.differs(*where, run.reason, reason)


def verify_mldsa(
    core: Coprocessor,
    design: str,
    *,
    cases: int = 20,
    seed: int = 0,
    sets: Sequence[Parameters] = SETS,
    progress: Progress = silent,
) -> StandardVerifyResult:
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

    def random_case(p: Parameters, number: int, rng: random.Random) -> None:
        case = _Case(core, p, number, seed, tally)
        public = _random_case(case, oracles[p.name], rng)
        if other is not None:
            case.compare("public keys", public[1], other(p.name, public[0]))

    violation = compare_all(
        tally,
        golden_vectors(),
        partial(wrong_answers, core),
        sets,
        random_case,
        cases=cases,
        seed=seed,
        progress=progress,
    )
    return StandardVerifyResult(
        design=design,
        ok=violation is None and not tally.wrong,
        violation=violation,
        seed=seed,
        cases=cases,
        **tally.fields(),
        oracles=["dilithium-py", *(["cryptography"] if other else [])],
        seconds=round(time.monotonic() - start, 2),
    ).failed(replay(tally.failed))


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
