# SPDX-License-Identifier: Apache-2.0
"""What `verify` compares of ML-DSA: vectors, keys, signatures right and wrong, refusals."""

import random
from collections.abc import Sequence
from functools import partial

from nttforge.flow.vectors import Vector
from nttforge.kinds.lattice.bus import Coprocessor, Request, Run
from nttforge.kinds.lattice.mldsa.forgeries import KINDS, Signed
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.standard import STANDARD, WORDS
from nttforge.kinds.lattice.mldsa.vectors import golden_vectors, wrong_answers
from nttforge.kinds.lattice.operation import padded
from nttforge.kinds.lattice.verify import Case, Cases, Turns, turn, verify_standard
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


class MldsaCases(Cases):
    """ML-DSA's.

    A case is a seed that ends early or late, and, waiting after it, one that does not; signatures
    that are made with that key, of M' and of mu, and private keys that are refused; a signature
    that is verified with M' and with mu; wrong ones; and a packet of the wrong length.
    """

    sets = SETS
    usual = 20

    def __init__(self, core: Coprocessor, names: Sequence[str]) -> None:
        self._core, self._other = core, dsa_public_key()
        self._references = {name: dilithium_py(name) for name in names}
        self.oracles = ["dilithium-py", *(["cryptography"] if self._other else [])]

    def vectors(self) -> list[Vector]:
        """NIST's."""
        return golden_vectors()

    def wrong_answers(self, vector: Vector) -> list[tuple[str, str, str]]:
        """See :func:`wrong_answers`."""
        return wrong_answers(self._core, vector)

    def random_case(self, case: Case, rng: random.Random) -> None:
        """Compare one."""
        seed, public = _random_case(case, self._references[case.p.name], rng)
        if self._other is not None:
            case.compare("public keys", public, self._other(case.p.name, seed))

    @staticmethod
    def turns(p: Parameters, rng: random.Random, *, checks: bool) -> Turns:
        """A key pair, a signature, and its verification, right and wrong."""
        xi, rnd, message = (rng.randbytes(SEED_BYTES) for _ in range(3))
        oracle = dilithium_py(p.name)
        pk, sk = oracle._keygen_internal(xi)
        signature = oracle._sign_internal(sk, message, rnd)
        given = {"seed": xi, "rnd": rnd, "message": message, "pk": pk, "sk": sk}
        right = {**given, "signature": signature, "verdict": WORDS[True]}
        wrong = signature[:-1] + bytes([signature[-1] ^ 1])
        return [
            turn("keygen_standard", p, right),
            turn("sign", p, right, checks=checks),
            turn("verify", p, right),
            turn("verify", p, {**right, "signature": wrong, "verdict": WORDS[False]}),
            turn("verify", p, right),
        ]


CASES = MldsaCases
verify_mldsa = partial(verify_standard, MldsaCases)


def _signs(case: Case, request: Request, pk: bytes) -> Request:
    """With what a core that verifies its signatures takes besides."""
    return request.checked(pk) if case.core.checks else request


def _judged(case: Case, what: str, run: Run, *, right: bool) -> None:
    good = run.accepted == right and run.reason != "length"
    case.judge(what, good, run.reason, "none" if right else "signature")


def _refused(case: Case, run: Run, reason: str = "length") -> None:
    case.judge("refused streams", run.reason == reason, run.reason, reason)


def _random_case(case: Case, oracle: DsaOracle, rng: random.Random) -> tuple[bytes, bytes]:
    """A key and its signatures, and what has the wrong length; the seed, and our public key."""
    p, seed = case.p, rng.randbytes(SEED_BYTES)
    wrong = rng.randbytes(_WORD * rng.choice((1, 2, 3, 5, 6, 12)))
    names = ("keygen", "keygen_standard")
    refused, *runs = case.run(
        Request(names[case.number % 2], p, wrong), *(Request(name, p, seed) for name in names)
    )
    _refused(case, refused)
    keys = oracle._keygen_internal(seed)
    for name, run in zip(names, runs, strict=True):
        expected = STANDARD.operations[name].expected(dict(zip(("pk", "sk"), keys, strict=True)))
        case.compare("public keys", run.public, expected[0])
        case.compare("private keys", run.secret, expected[1])
    message = rng.randbytes(rng.choice((0, 1, 7, 8, 64, 71, 72, 73, 135, 136, 500)))
    if case.number % _LONG_EACH == _LONG_EACH - 1:  # around 32 blocks, which a counter must survive
        message = rng.randbytes(rng.randrange(32 * SHAKE256_RATE - 80, 40 * SHAKE256_RATE))
    _signatures(case, oracle, keys, message, rng)
    return seed, run.public


def _signatures(
    case: Case, oracle: DsaOracle, keys: tuple[bytes, bytes], message: bytes, rng: random.Random
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
    _judged(case, "right signatures", runs[0], right=True)
    _judged(case, "right signatures", runs[1], right=True)
    _refused(case, runs[2])
    for name, each, run in zip(names, wrong, runs[3:], strict=True):
        accepted = oracle._verify_internal(each.pk, each.message, each.signature)
        _judged(case, f"wrong: {name}", run, right=accepted)


def _signed(
    case: Case,
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
    runs = case.run(*(_signs(case, request, pk) for request in asked))
    for run, given in ((runs[0], rnd), (runs[3], bytes(32))):
        expected = oracle._sign_internal(sk, message, given)
        case.compare("signatures made", run.public, padded(expected))
    _refused(case, runs[1])
    _refused(case, runs[2], "key")


def _loaded(
    case: Case,
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
        _signs(case, Request("sign_loaded", another, rnd, (message,)), pk),
        _signs(case, Request("sign_loaded", p, short, (message,)), pk),
        Request("load", p, sk[:-_WORD]),
    )
    ended = ends[case.number % len(ends)]
    # A verification takes the place of a key, which is loaded again then.
    again = (load,) if case.core.checks else ()
    mine, sign = _signs(case, sign, own), _signs(case, sign, pk)
    external = _signs(case, Request("sign_loaded_mu", p, bytes(32), (mu,)), own)
    runs = case.run(
        *(load, mine, *again, external), *(Request("load_seed", p, xi), sign, ended, sign)
    )
    del runs[2 : 2 + len(again)]
    for at, key, given in ((1, sk, rnd), (2, sk, bytes(32)), (4, other, rnd)):
        expected = oracle._sign_internal(key, message, given)
        case.compare("signatures of keys that stay", runs[at].public, padded(expected))
    case.compare("public keys", runs[3].public, pk)
    _refused(case, runs[6], "key")


def _wrong_length(right: Signed, rng: random.Random) -> Signed:
    """A key or a signature with some bytes more or less."""
    name = rng.choice(("pk", "signature"))
    data: bytes = getattr(right, name)
    changed = (data[:-1], data[:-_WORD], data + bytes(1), data + bytes(_WORD), data[:4])
    return right._replace(**{name: rng.choice(changed)})
