# SPDX-License-Identifier: Apache-2.0
"""Cases of `verify` for ML-KEM: vectors, random cases, refusals, and timing."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from hashlib import shake_256
from typing import Any, ClassVar

from nttforge.flow.prepare import Progress
from nttforge.kinds.lattice.bus import Coprocessor, request_of
from nttforge.kinds.lattice.commands import QUEUE_DEPTH
from nttforge.kinds.lattice.mlkem.measure import rare_seed
from nttforge.kinds.lattice.mlkem.program import CODES
from nttforge.kinds.lattice.mlkem.standard import STANDARD
from nttforge.kinds.lattice.mlkem.timing import flip, secret_patterns
from nttforge.kinds.lattice.operation import Values
from nttforge.kinds.lattice.stimulus import StimulusStep, stimulus_step
from nttforge.kinds.lattice.verify import (
    Batch,
    Case,
    Cases,
    Check,
    StandardVerifyResult,
    verify_standard,
)
from nttforge.standards.ml_kem.parameters import SEED_BYTES, Parameters, Q
from nttforge.standards.oracle import KemOracle, PyCryptography, kyber_py

_TIMING_STALL = 0.3
_RARE = 8  # every so many cases have a matrix that takes a fourth block
_QUEUED = 4  # every so many cases are followed by a queue of operations
_WORD = 8

#: Operations that take a decapsulation key, each in an order of its bytes.
_ORDERS = ("decaps", "decaps_standard")


class MlkemVerifyResult(StandardVerifyResult):
    """Result of `verify`.

    - `handshakes_compared`: runs whose handshakes had to be the same but for the words.
    """

    hardware: ClassVar[str] = "coprocessor"
    corner: ClassVar[str] = "parameter set"
    sets_down: ClassVar[bool] = True

    handshakes_compared: int

    def _besides(self) -> str:
        return f"{self.handshakes_compared} runs with other secrets and the same handshakes; "


class MlkemCases(Cases):
    """ML-KEM's.

    A case is a key pair, an encapsulation, its decapsulation and that of a spoilt ciphertext, by
    the key and by its seeds; a key with a coefficient that is not below q, and one that does not
    match its hash; streams that end early or late; in one of four cases as many operations as the
    queue holds, back to back. One case in eight has a matrix with a fourth block, every other one
    gets its seeds from the entropy port. At last, runs that differ in secrets alone must have the
    same handshakes.
    """

    standard = STANDARD
    usual = 40
    result = MlkemVerifyResult

    def __init__(self, core: Coprocessor, names: Sequence[str]) -> None:
        super().__init__(core, names)
        self._handshakes = 0
        self._references = {name: kyber_py(name) for name in names}
        available = [name for name in names if PyCryptography.available(name)]
        self._others = {name: PyCryptography(name) for name in available}
        self.oracles = ["kyber-py", *([PyCryptography.NAME] if available else [])]

    def batches(self, case: Case, rng: random.Random) -> Iterator[Batch]:
        """Operations of a random case, and what must come of them."""
        name = case.p.name
        for each in _checks(case, self._references[name], self._others.get(name), rng):
            yield each if isinstance(each, list) else [each]

    @classmethod
    def turns(
        cls, p: Any, rng: random.Random, *, checks: bool, word: bytes | None = None
    ) -> list[StimulusStep]:
        """A key pair, a secret and its ciphertext, and what it gives, right and spoilt."""
        del checks, word
        d, z, m = (rng.randbytes(SEED_BYTES) for _ in range(3))
        right = _values(kyber_py(p.name), d, z, m)
        spoilt = _received(kyber_py(p.name), right, bytes([right["c"][0] ^ 1]) + right["c"][1:])
        return [
            stimulus_step("keygen", p, right, word=d[:8]),
            stimulus_step("encaps", p, right),
            stimulus_step("decaps", p, right, check=True),
            stimulus_step("decaps_standard", p, spoilt, check=True),
            stimulus_step("decaps_seed", p, right),
            stimulus_step("decaps_seed", p, spoilt),
        ]

    def last(self, case: Case, progress: Progress) -> None:
        """Whether handshakes depend on secrets."""
        progress(f"{case.p.name}, handshakes with other secrets")
        count = max(4, case.number // 4)
        for stall in (0.0, _TIMING_STALL):
            found = secret_patterns(case.core, case.p, count, seed=case.seed, stall=stall)
            for operation, patterns in found.items():
                self._handshakes += patterns.runs
                if patterns.leaks:
                    self.violation = (
                        f"timing: handshakes of {operation} of {case.p.name} differ between runs "
                        f"that differ in secrets alone (seed {case.seed}, stalls {stall})"
                    )

    def fields(self) -> dict[str, Any]:
        """Number of handshakes compared."""
        return {"handshakes_compared": self._handshakes}


verify_mlkem = partial(verify_standard, MlkemCases)


CASES = MlkemCases


def _values(oracle: KemOracle, d: bytes, z: bytes, m: bytes) -> dict[str, bytes]:
    """Inputs and outputs of all operations, by a reference."""
    ek, dk = oracle._keygen_internal(d, z)
    secret, c = oracle._encaps_internal(ek, m)
    keys = {"d": d, "z": z, "m": m, "seed": d + z, "ek": ek, "dk": dk}
    return {**keys, "c": c, "secret": secret}


def _received(oracle: KemOracle, values: Values, c: bytes) -> dict[str, bytes]:
    """The same with another ciphertext."""
    return {**values, "c": c, "secret": oracle._decaps_internal(values["dk"], c)}


def _checks(
    case: Case, oracle: KemOracle, other: PyCryptography | None, rng: random.Random
) -> Iterator[Check | list[Check]]:
    p, (d, z, m) = case.p, (rng.randbytes(SEED_BYTES) for _ in range(3))
    if case.number % _RARE == 0:
        d = rare_seed(p, rng)
    right = _values(oracle, d, z, m)
    word = rng.randbytes(8)  # for the wiping
    by_port = word if case.number % 2 == 1 else None
    yield "keys", stimulus_step("keygen", p, right, word=by_port)
    yield ("ciphertexts", "secrets"), stimulus_step("encaps", p, right, word=by_port)
    hash_check = case.number % 2 == 0
    # Both orders of the key, with and without the check, with and without stalls.
    name = _ORDERS[case.number // 2 % 2]
    yield "secrets", stimulus_step(name, p, right, check=hash_check, word=by_port)
    c = right["c"]
    bad = _received(oracle, right, rng.randbytes(len(c)) if case.number % 8 == 7 else flip(c, rng))
    yield "rejections", stimulus_step(name, p, bad, check=hash_check)
    yield "by seeds", stimulus_step("decaps_seed", p, right, word=by_port)
    yield "by seeds", stimulus_step("decaps_seed", p, bad, check=hash_check)
    yield from _wrong_keys(p, oracle, right, rng)
    yield _wrong_stream(case, right, rng)
    if case.number % _QUEUED == 0:
        # As many operations as the queue holds, back to back.
        names = [rng.choice(CODES) for _ in range(QUEUE_DEPTH)]
        yield [("queued", stimulus_step(each, p, right)) for each in names]
    if other is not None:
        case.compare("keys", right["ek"], other.encapsulation_key(d, z))
        case.compare("secrets", other.decapsulate(d, z, c), right["secret"])
        case.compare("rejections", other.decapsulate(d, z, bad["c"]), bad["secret"])
        secret, c = other.encapsulate(right["ek"])
        theirs = right | {"secret": secret, "c": c}
        yield "secrets", stimulus_step(name, p, theirs)
        yield "by seeds", stimulus_step("decaps_seed", p, theirs)


def with_coefficient(p: Parameters, ek: bytes, place: int, value: int) -> bytes:
    """An encapsulation key with another word of 12 bits in one place, 0 to 256 k - 1."""
    number = int.from_bytes(ek, "little")
    shift = 12 * (place % (256 * p.k))
    return (number & ~(4095 << shift) | value << shift).to_bytes(len(ek), "little")


def _wrong_keys(
    p: Parameters, oracle: KemOracle, values: Values, rng: random.Random
) -> Iterator[Check]:
    """Coefficients around q (FIPS 203, section 7.2), and a wrong hash (section 7.3)."""
    ek, dk = values["ek"], values["dk"]
    place = rng.randrange(256 * p.k)
    above = with_coefficient(p, ek, place, rng.choice((Q, 4095, rng.randrange(Q, 4096))))
    yield "refused keys", StimulusStep(request_of("encaps", p, {**values, "ek": above}), "modulus")
    below = with_coefficient(p, ek, place, Q - 1)
    secret, c = oracle._encaps_internal(below, values["m"])
    made = {**values, "ek": below, "secret": secret, "c": c}
    yield "ciphertexts", stimulus_step("encaps", p, made)
    wrong = dk[: -2 * SEED_BYTES] + flip(dk[-2 * SEED_BYTES : -SEED_BYTES], rng) + dk[-SEED_BYTES:]
    # Unchecked, another hash gives other randomness, and so another ciphertext than c.
    rejected = shake_256(dk[-SEED_BYTES:] + values["c"]).digest(SEED_BYTES)
    given = {**values, "dk": wrong, "secret": rejected}
    for name in _ORDERS:
        yield "refused keys", StimulusStep(request_of(name, p, given, check=True), "hash")
        yield "rejections", stimulus_step(name, p, given)


def _wrong_stream(case: Case, values: Values, rng: random.Random) -> Check:
    """One stream that ends early or late; what follows is as if nothing had been."""
    operation = CODES[(case.number + case.number // len(CODES)) % len(CODES)]
    asked = request_of(operation, case.p, values)
    (public,), secret = asked.public or (b"",), asked.secret
    spoil_public = bool(public) and rng.random() < 0.5
    data = public if spoil_public else secret
    words = len(data) // _WORD
    length = rng.choice((1, words - 1, words + 1, rng.randrange(1, words), words + 12))
    spoilt = (data + rng.randbytes(_WORD * 12))[: _WORD * length]
    bad = replace(asked, public=(spoilt,)) if spoil_public else replace(asked, secret=spoilt)
    return "refused streams", StimulusStep(bad, f"{'public' if spoil_public else 'secret'}_length")
