# SPDX-License-Identifier: Apache-2.0
"""Operations of ML-DSA, known values where a secret belongs, and tries that must not be let out."""

import random
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_65, ML_DSA_87

from nttforge.kinds.lattice.bus import Request
from nttforge.kinds.lattice.mldsa.forgeries import KINDS, Signed
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.standard import WORDS, private_key, stream_order
from nttforge.standards import bits
from nttforge.standards.ml_dsa import expand_a, expand_s, h, matrix_vector, rej_bounded_poly
from nttforge.standards.ml_dsa.encoding import bit_pack
from nttforge.standards.ml_dsa.parameters import RING, N, Parameters, Q
from nttforge.standards.ml_dsa.signing import (
    decompose,
    expand_mask,
    sample_in_ball,
    sign_mu,
    sk_decode,
)
from nttforge.standards.transform_engine import software_engine
from tests.faults.case import PERMUTED, ZEROS, Answer, Case

REFERENCE = dict(zip(SETS, (ML_DSA_44, ML_DSA_65, ML_DSA_87), strict=True))
RND = bytes(32)
#: What stands in the place of xi, rnd or K before it comes, or is what hashes give of nothing.
SEEDS = (ZEROS[:32], PERMUTED[:32], PERMUTED[32:], h(b"", 32))
#: The same for rho' and rho''.
WIDE = (ZEROS, PERMUTED, h(b"", 64))
#: Tries whose y is looked for.
_TRIES = 24
# Signatures whose challenges take other times, of which two take the same.
_ALIKE = 10
# A further try of a signature may take so many cycles; so may a few of them.
_SIGN_SLACK, _SLACK = 30_000, 6_000


def _constant(polynomial: Any) -> bool:
    return bool((polynomial == polynomial[0]).all())


@cache
def _small(p: Parameters) -> frozenset[bytes]:
    """Polynomials of s1 and s2 that anyone knows."""
    seeds = [*WIDE, *(h(seed + bytes([p.k, p.l]), 96)[32:] for seed in SEEDS)]
    return frozenset(
        rej_bounded_poly(seed + nonce.to_bytes(2, "little"), p.eta).tobytes()
        for seed in seeds
        for nonce in range(p.k + p.l)
    )


def known_key(p: Parameters, answer: Answer, standard: bool) -> str | None:
    """What of a key pair anyone knows: its K, or a polynomial of s1 or s2."""
    if len(answer.secret) != p.sk_bytes:
        return None
    sk = answer.secret if standard else private_key(answer.secret)
    _, key, _, s1, s2, _ = sk_decode(p, sk)
    if key in SEEDS:
        return "K is known"
    for name, vector in (("s1", s1), ("s2", s2)):
        for row in vector:
            if _constant(row) or row.tobytes() in _small(p):
                return f"{name} has a known polynomial"
    return None


class Key(NamedTuple):
    """A key that signs, as the signatures' judge needs it."""

    p: Parameters
    pk: bytes
    sk: bytes


class _Try(NamedTuple):
    """What a signature is made of."""

    z: Any
    y: Any
    mus: tuple[bool, bool]  # it is of the message, or of mu = 0
    accepted: bool  # by all that FIPS 204 asks of a try


def _try(key: Key, mu: bytes, signature: bytes) -> _Try:
    """Take a signature apart with its private key."""
    p, engine = key.p, software_engine()
    rho, _, _, s1, s2, t0 = sk_decode(p, key.sk)
    challenge, packed = signature[: p.challenge_bytes], signature[p.challenge_bytes :]
    z = (1 << p.gamma1_bits) - bits.unpack(packed[: N // 8 * p.l * p.z_bits], p.z_bits)
    z = z.reshape(-1, N)
    c = engine.ntt(RING, sample_in_ball(p, challenge)[np.newaxis] % Q)

    def times(secret: Any) -> Any:
        product = engine.intt(RING, c * engine.ntt(RING, secret % Q) % Q)
        return (product + Q // 2) % Q - Q // 2

    # Too large a z was packed without its highest bit; y is in (-gamma1, gamma1].
    gamma = 1 << p.gamma1_bits
    y = gamma - (gamma - z + times(s1)) % (2 * gamma)
    z = y + times(s1)
    w = engine.intt(RING, matrix_vector(expand_a(p, rho), engine.ntt(RING, y % Q)))
    high, low = decompose(p, w)
    packed_high = bits.pack(high, p.w1_bits)
    mus = tuple(h(each + packed_high, p.challenge_bytes) == challenge for each in (mu, ZEROS))
    rest, c_t0 = low - times(s2), times(t0)
    hints = (decompose(p, (w - times(s2) + c_t0) % Q)[0] != high).sum()
    accepted = (
        np.abs(z).max() < (1 << p.gamma1_bits) - p.beta
        and np.abs(rest).max() < p.gamma2 - p.beta
        and np.abs(c_t0).max() < p.gamma2
        and hints <= p.omega
    )
    return _Try(z, y, (mus[0], mus[1]), bool(accepted))


class SignatureJudge:
    """A judge of signatures by a key, of a message; so many bytes leave in front of them."""

    def __init__(self, key: Key, mu: bytes, rnd: bytes, before: int = 0) -> None:
        self._key, self._mu, self._before = key, mu, before
        k0 = [h(seed + r + m, 64) for seed in SEEDS for r in {rnd, RND} for m in (mu, ZEROS)]
        self._seeds = (*WIDE, *k0)
        # Of the right tries: what z hides of them must be within its bounds.
        self._right = h(sk_decode(key.p, key.sk)[1] + rnd + mu, 64)
        self._y: frozenset[bytes] | None = None
        self._genuine = frozenset[bytes]()

    def __call__(self, answer: Answer) -> str | None:
        p, size = self._key.p, self._key.p.signature_bytes
        signature = answer.public[self._before :][:size]
        if len(signature) < size:
            return None
        made = _try(self._key, self._mu, signature)
        if self._y is None:
            self._y = _masks(p, self._seeds)
            self._genuine = _masks(p, (self._right,))
        if any(_constant(row) or row.tobytes() in self._y for row in made.y):
            return "y has a known polynomial"
        if made.mus[1]:
            return "a signature of mu = 0"
        if made.mus[0] and not made.accepted:
            return "a try that is to be rejected"
        bound = (1 << p.gamma1_bits) - p.beta
        outside = (
            np.abs(z).max() >= bound and y.tobytes() in self._genuine
            for z, y in zip(made.z, made.y, strict=True)
        )
        return "z of a right y is out of bounds" if any(outside) else None


def _masks(p: Parameters, seeds: Iterable[bytes]) -> frozenset[bytes]:
    """Polynomials of y of the first tries, of known rho''."""
    return frozenset(
        row.tobytes()
        for seed in seeds
        for number in range(_TRIES)
        for row in expand_mask(p, seed, number * p.l)
    )


def _padded(data: bytes) -> bytes:
    """As whole words leave."""
    return data + bytes(-len(data) % 8)


def verified(answer: Answer) -> str | None:
    """Whether the verdict's word says of a forged signature what the result says."""
    return "a forged signature is accepted" if answer.public == WORDS[True] else None


def cases(seed: int) -> list[Case]:
    """All operations of the smallest set, and the main ones of the others."""
    rng = random.Random(f"ML-DSA {seed}")
    return [case for p in SETS for case in _of_set(p, rng, whole=p is SETS[0])]


def _of_set(p: Parameters, rng: random.Random, *, whole: bool) -> Iterator[Case]:
    xi = rng.randbytes(32)
    pk, sk = REFERENCE[p]._keygen_internal(xi)
    key = Key(p, pk, sk)
    yield from _keys(p, xi, pk, sk, whole=whole)
    yield from _signatures(key, xi, rng, whole=whole)
    yield from _verifications(key, rng, whole=whole)


def _keys(p: Parameters, xi: bytes, pk: bytes, sk: bytes, *, whole: bool) -> Iterator[Case]:
    orders = {"keygen": stream_order(sk)} | ({"keygen_standard": sk} if whole else {})
    asked = {name: Request(name, p, xi) for name in orders}
    if whole:
        asked["keygen, entropy"] = Request("keygen", p, entropy=xi)
    for name, request in asked.items():
        standard = request.operation == "keygen_standard"
        secret = orders[request.operation]

        def judge(answer: Answer, standard: bool = standard) -> str | None:
            return known_key(p, answer, standard)

        right = Answer(("none",), pk, secret, (1, 1))
        yield Case(f"{p.name} {name}", "dsa", (request,), right, judge, slack=_SLACK)


def _tries(key: Key, rnd: bytes, wanted: int, rng: random.Random) -> tuple[bytes, bytes, bytes]:
    """A message whose signature takes so many tries: M', mu and the signature."""
    while True:
        message = rng.randbytes(40)
        mu = h(h(key.pk, 64) + message, 64)
        made = sign_mu(key.p, key.sk, mu, rnd, software_engine())
        if len(made.challenges) == wanted:
            return message, mu, made.data


def _signatures(key: Key, xi: bytes, rng: random.Random, *, whole: bool) -> Iterator[Case]:
    p, hedged = key.p, rng.randbytes(32)

    def case(name: str, rnd: bytes, tries: int, *, mu: bool, load: str = "") -> Case:
        message, digest, signature = _tries(key, rnd, tries, rng)
        given = (digest if mu else message,)
        requests: tuple[Request, ...]
        loaded = "_loaded" if load else ""
        operation = f"sign{loaded}{'_mu' if mu else ''}"
        if load:
            secret = xi if load == "load_seed" else key.sk
            requests = (Request(load, p, secret), Request(operation, p, rnd, given))
        elif name == "entropy":
            requests = (Request(operation, p, key.sk, given, entropy=rnd),)
        else:
            requests = (Request(operation, p, rnd + key.sk, given),)
        # With a seed the public key leaves first.
        pk = key.pk if load == "load_seed" else b""
        packets = (1 + bool(pk), 0)
        answer = Answer(("none",) * len(requests), pk + _padded(signature), b"", packets)
        full = f"{p.name} {operation}, {name}, {tries} tries"
        judge = SignatureJudge(key, digest, rnd, len(pk))
        return Case(full, "dsa", requests, answer, judge, slack=_SIGN_SLACK)

    yield case("deterministic", RND, 1, mu=True)
    yield case("hedged", hedged, 2, mu=False)
    if whole:
        yield case("hedged", hedged, 3, mu=True)
        yield case("entropy", hedged, 1, mu=True)
        yield case("key loaded", hedged, 1, mu=True, load="load")
        yield case("key of a seed", RND, 2, mu=False, load="load_seed")
        # s1 has a coefficient that it cannot have.
        wrong = bytearray(key.sk)
        wrong[128] |= 7
        _, digest, _ = _tries(key, RND, 1, rng)
        request = Request("sign_mu", p, RND + bytes(wrong), (digest,))
        yield Case(
            f"{p.name} sign_mu, a key that cannot be",
            "dsa",
            (request,),
            Answer(("key",)),
            lambda answer: "a key that cannot be signs" if answer.public else None,
            slack=_SIGN_SLACK,
        )


def _verifications(key: Key, rng: random.Random, *, whole: bool) -> Iterator[Case]:
    p, message = key.p, rng.randbytes(40)
    signature = sign_mu(p, key.sk, h(h(key.pk, 64) + message, 64), RND, software_engine()).data
    right = Signed(key.pk, signature, message)
    forged = {name: kind(p, right, rng) for name, kind in KINDS.items()}
    forged["z too large"] = right._replace(signature=_large(p, signature))
    chosen = forged if whole else {name: forged[name] for name in ("challenge", "hint")}
    yield Case(
        f"{p.name} verify",
        "dsa",
        (Request("verify", p, public=right.packets),),
        Answer(("none",), WORDS[True], b"", (1, 0)),
        lambda _: None,
        slack=_SLACK,
    )
    for name, signed in chosen.items():
        yield Case(
            f"{p.name} verify, forged: {name}",
            "dsa",
            (Request("verify", p, public=signed.packets),),
            Answer(("signature",), WORDS[False], b"", (1, 0)),
            verified,
            slack=_SLACK,
        )


def _large(p: Parameters, signature: bytes) -> bytes:
    """With a coefficient of z at its bound."""
    begin, end = p.challenge_bytes, p.challenge_bytes + N // 8 * p.l * p.z_bits
    z = (1 << p.gamma1_bits) - bits.unpack(signature[begin:end], p.z_bits)
    z[0] = (1 << p.gamma1_bits) - p.beta
    packed = bit_pack(z.reshape(-1, N), (1 << p.gamma1_bits) - 1, 1 << p.gamma1_bits)
    return signature[:begin] + packed + signature[end:]


def _drawn_at_once(p: Parameters, challenge: bytes) -> bool:
    """Whether SampleInBall rejects no byte of what it draws from a challenge."""
    drawn = h(challenge, 8 + p.tau)[8:]
    return all(byte <= N - p.tau + at for at, byte in enumerate(drawn))


def pairs(seed: int) -> list[tuple[Case, ...]]:
    """Signatures by keys that differ in secrets alone.

    All but the last take a try, of which two take as long; that one takes another try, as they do
    if a flip makes theirs fail.
    """
    rng, p = random.Random(f"pairs {seed}"), SETS[0]
    _, sk = REFERENCE[p]._keygen_internal(rng.randbytes(32))
    mu = rng.randbytes(64)
    made: list[Case] = []
    while len(made) < _ALIKE + 1:
        other = sk[:32] + rng.randbytes(32) + sk[64:]
        s1, s2 = expand_s(p, rng.randbytes(64))
        small = bits.pack(p.eta - np.concatenate([s1, s2]), p.eta_bits)
        other = other[:128] + small + other[128 + len(small) :]
        rnd = rng.randbytes(32)
        tries = sign_mu(p, other, mu, rnd, software_engine()).challenges
        if len(tries) != 1 + (len(made) == _ALIKE) or not _drawn_at_once(p, tries[0]):
            continue
        request = Request("sign_mu", p, rnd + other, (mu,))
        made.append(
            Case(f"{p.name} sign_mu, two secrets", "dsa", (request,), Answer(()), lambda _: None)
        )
    return [tuple(made)]
