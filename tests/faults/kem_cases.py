# SPDX-License-Identifier: Apache-2.0
"""Operations of ML-KEM, and known values where a secret belongs."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768, ML_KEM_1024

from nttforge.kinds.lattice.bus import Request
from nttforge.kinds.lattice.mlkem.program import SETS, KemOperation
from nttforge.kinds.lattice.mlkem.standard import rotate_key
from nttforge.standards.ml_kem.encoding import (
    COEFFICIENT_BITS,
    byte_decode,
    byte_encode,
    compress,
)
from nttforge.standards.ml_kem.multiplication import dot
from nttforge.standards.ml_kem.parameters import RING, Parameters, Q
from nttforge.standards.ml_kem.sampling import sample_matrix, sample_poly_cbd
from nttforge.standards.ml_kem.symmetric import g, h, j, prf
from nttforge.standards.transform_engine import software_engine
from tests.coprocessors import kem_request, key_orders
from tests.faults.case import PERMUTED, Answer, Case, Judge, words_of

REFERENCE = dict(zip(SETS, (ML_KEM_512, ML_KEM_768, ML_KEM_1024), strict=True))
ZERO = bytes(32)
#: What stands in a seed's place before it comes, or is what hashes give of nothing.
SEEDS = (ZERO, PERMUTED[:32], PERMUTED[32:], *g(b""), h(b""), j(b""))


def _small(p: Parameters, eta: int) -> dict[bytes, str]:
    """Polynomials of s, e or y that anyone knows, transformed; each with what it is."""
    seeds = dict.fromkeys(SEEDS, "PRF of a known seed")
    seeds |= {g(seed + bytes([p.k]))[1]: "PRF of sigma of a known d" for seed in SEEDS}
    streams = {prf(eta, s, n): name for s, name in seeds.items() for n in range(2 * p.k + 1)}
    streams[PERMUTED.ljust(64 * eta, b"\0")[: 64 * eta]] = "PRF of nothing"
    polynomials = np.array([sample_poly_cbd(data, eta) for data in streams])
    hats = software_engine().ntt(RING, polynomials)
    known = {_coded(hat): name for hat, name in zip(hats, streams.values(), strict=True)}
    return known | {bytes(384): "zeros"}


_known_small = cache(_small)


def _coded(hat: Any) -> bytes:
    return byte_encode(hat[np.newaxis], COEFFICIENT_BITS)


def known_key(p: Parameters, ek: bytes, dk: bytes) -> str | None:
    """What of a key pair anyone knows: its z, or a polynomial of s or e."""
    if len(dk) != 768 * p.k + 96 or len(ek) != 384 * p.k + 32:
        return None
    if dk[-32:] in SEEDS:
        return "z is known"
    known = _known_small(p, p.eta1)
    vector = dk[: 384 * p.k]
    parts = [vector[at : at + 384] for at in range(0, len(vector), 384)]
    found = next((known[part] for part in parts if part in known), None)
    if found:
        return f"s has {found}"
    s_hat, t_hat = (byte_decode(data[: 384 * p.k], COEFFICIENT_BITS) for data in (vector, ek))
    e_hat = (t_hat - dot(sample_matrix(ek[-32:], p.k), s_hat)) % Q
    found = next((known[part] for part in map(_coded, e_hat) if part in known), None)
    return found and f"e has {found}"


def _u_parts(p: Parameters, ek: bytes, r: bytes) -> Iterator[bytes]:
    """Every u of which some polynomials of y, or the errors, come of a known r; the rest of r."""

    def samples(seed: bytes) -> tuple[Any, Any]:
        y = [sample_poly_cbd(prf(p.eta1, seed, n), p.eta1) for n in range(p.k)]
        e = [sample_poly_cbd(prf(p.eta2, seed, n), p.eta2) for n in range(p.k, 2 * p.k)]
        return np.array(y), np.array(e)

    engine, right = software_engine(), samples(r)
    matrix = sample_matrix(ek[-32:], p.k).swapaxes(0, 1)
    for seed in SEEDS:
        known = samples(seed)
        for choice in product((0, 1), repeat=p.k + 1):
            if not any(choice):
                continue
            of = np.array(choice[:-1], bool)[:, np.newaxis]
            y = np.where(of, known[0], right[0])
            u = engine.intt(RING, dot(matrix, engine.ntt(RING, y)))
            u = (u + (known if choice[-1] else right)[1]) % Q
            yield byte_encode(compress(u, p.du), p.du)


class _Encaps:
    """A judge of encapsulations with a key and a message."""

    def __init__(self, p: Parameters, ek: bytes, m: bytes) -> None:
        self._p, self._ek, self._r = p, ek, g(m + h(ek))[1]
        self._known = _known_secrets(ek)
        self._u: frozenset[bytes] | None = None

    def __call__(self, answer: Answer) -> str | None:
        found = self._known.get(answer.secret)
        if found:
            return found
        if self._u is None:
            self._u = frozenset(_u_parts(self._p, self._ek, self._r))
        u = answer.public[: 32 * self._p.du * self._p.k]
        return "y or e of a known r" if u in self._u else None


def _known_secrets(ek: bytes, c: bytes = b"") -> dict[bytes, str]:
    """Shared secrets that anyone can compute, of a known m or z; each with its name."""
    known = dict.fromkeys(SEEDS, "K is known")
    known |= {g(seed + key)[0]: "K of a known m" for seed in SEEDS for key in (h(ek), ZERO)}
    known |= {j(seed + c): "K = J(known, c)" for seed in SEEDS}
    return known | {ZERO: "K = 0", g(ZERO + h(ek))[0]: "K of m = 0", j(ZERO + c): "K = J(0, c)"}


def _asked(
    operation: KemOperation,
    p: Parameters,
    public: bytes,
    secret: bytes,
    *,
    check: bool = False,
    entropy: bytes | None = None,
) -> tuple[Request, ...]:
    return (kem_request(operation, p, public, secret, check=check, entropy=entropy),)


def _refused(reason: str, what: str) -> tuple[Answer, Judge]:
    """Of what is refused: nothing may leave with the result "none"."""
    return Answer((reason,)), lambda answer: what if answer.public or answer.secret else None


def cases(seed: int) -> list[Case]:
    """All operations, of all sets; of the smallest one also what is refused."""
    rng = random.Random(f"ML-KEM {seed}")
    found = [case for p in SETS for case in _of_set(p, rng)]
    return [*found, *_of_refusals(SETS[0], rng)]


def _of_set(p: Parameters, rng: random.Random) -> Iterator[Case]:
    d, z, m, word = (rng.randbytes(size) for size in (32, 32, 32, 8))
    reference = REFERENCE[p]
    ek, dk = reference._keygen_internal(d, z)
    key = Answer(("none",), ek, dk, (1, 1))
    for name, where in (("", {"secret": d + z}), (", entropy", {"entropy": d + z + word})):
        if name and p is not SETS[0]:
            continue
        asked = _asked("keygen", p, b"", **({"secret": b""} | where))  # type: ignore[arg-type]
        yield Case(
            f"{p.name} keygen{name}", "kem", asked, key, lambda a: known_key(p, a.public, a.secret)
        )
    secret, c = reference._encaps_internal(ek, m)
    sent = Answer(("none",), c, secret, (1, 1))
    judge = _Encaps(p, ek, m)
    yield Case(f"{p.name} encaps", "kem", _asked("encaps", p, ek, m), sent, judge)
    if p is SETS[0]:
        asked = _asked("encaps", p, ek, b"", entropy=m + word)
        yield Case(f"{p.name} encaps, entropy", "kem", asked, sent, judge)
    # A small error, so that the true secret is what an attacker wants; and noise.
    wrong = {"wrong": c[:-1] + bytes([c[-1] ^ 1]), "noise": rng.randbytes(len(c))}
    orders = {**key_orders(dk), "decaps_seed": d + z}
    for name, given in {"right": c, **wrong}.items():
        judges = _judges(ek, given, secret if given != c else b"")
        kept = Answer(("none",), b"", reference._decaps_internal(dk, given), (0, 1))
        for operation, order in orders.items():
            if p is not SETS[0] and (name, operation) != ("wrong", "decaps"):
                continue
            asked = _asked(operation, p, given, order, check=operation != "decaps_seed")
            yield Case(f"{p.name} {operation}, {name} c", "kem", asked, kept, *judges)


def _judges(ek: bytes, c: bytes, true: bytes) -> tuple[Judge, Judge]:
    """Of a decapsulation: of a wrong ciphertext no word of the true secret may leave."""
    words, known = frozenset(words_of(true)), _known_secrets(ek, c)

    def released(answer: Answer) -> str | None:
        return "K' leaves" if words & {*words_of(answer.secret)} else None

    return lambda answer: known.get(answer.secret), released


def _of_refusals(p: Parameters, rng: random.Random) -> Iterator[Case]:
    d, z, m = (rng.randbytes(32) for _ in range(3))
    ek, dk = REFERENCE[p]._keygen_internal(d, z)
    c = REFERENCE[p]._encaps_internal(ek, m)[1]
    large = ek[:-40] + bytes([255] * 8) + ek[-32:]
    right, judge = _refused("modulus", "a key that is not reduced passes")
    yield Case(f"{p.name} encaps, large key", "kem", _asked("encaps", p, large, m), right, judge)
    forged = dk[:-64] + bytes([dk[-64] ^ 1]) + dk[-63:]
    right, judge = _refused("hash", "a key of another hash passes")
    asked = _asked("decaps", p, c, rotate_key(forged), check=True)
    yield Case(f"{p.name} decaps, forged hash", "kem", asked, right, judge)


def pairs(seed: int) -> list[tuple[Case, ...]]:
    """Operations that differ in a secret alone."""
    rng, p = random.Random(f"pairs {seed}"), SETS[0]
    d, *others = (rng.randbytes(32) for _ in range(3))
    ek, dk = REFERENCE[p]._keygen_internal(d, d)
    c = REFERENCE[p]._encaps_internal(ek, d)[1]

    def pair(name: str, operation: KemOperation, public: bytes, *secrets: bytes) -> Any:
        both = f"{p.name} {name}, two secrets"
        return tuple(
            Case(both, "kem", _asked(operation, p, public, secret), Answer(()), lambda _: None)
            for secret in secrets
        )

    keys = [rotate_key(dk[:-32] + z) for z in others]
    return [
        pair("keygen", "keygen", b"", *(d + z for z in others)),
        pair("encaps", "encaps", ek, *others),
        pair("decaps", "decaps", c, *keys),
        pair("decaps_seed", "decaps_seed", c, *(d + z for z in others)),
    ]
