# SPDX-License-Identifier: Apache-2.0
"""What `verify` compares of ML-KEM: vectors, random cases, what is refused, and timing."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from hashlib import shake_256
from typing import Any, ClassVar

from nttforge.flow.prepare import Progress
from nttforge.flow.vectors import Vector
from nttforge.kinds.lattice.bus import Coprocessor, Run, request_of
from nttforge.kinds.lattice.commands import QUEUE_DEPTH
from nttforge.kinds.lattice.mlkem.measure import rare_seed
from nttforge.kinds.lattice.mlkem.program import CODES, SETS
from nttforge.kinds.lattice.mlkem.timing import flip, secret_patterns
from nttforge.kinds.lattice.mlkem.vectors import golden_vectors, wrong_answers
from nttforge.kinds.lattice.operation import Values
from nttforge.kinds.lattice.verify import (
    Case,
    Cases,
    StandardVerifyResult,
    Turns,
    turn,
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
    """What `verify` did and found.

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

    sets = SETS
    usual = 40
    result = MlkemVerifyResult

    def __init__(self, core: Coprocessor, names: Sequence[str]) -> None:
        self._core, self._handshakes = core, 0
        self._references = {name: kyber_py(name) for name in names}
        available = [name for name in names if PyCryptography.available(name)]
        self._others = {name: PyCryptography(name) for name in available}
        self.oracles = ["kyber-py", *([PyCryptography.NAME] if available else [])]

    def vectors(self) -> list[Vector]:
        """NIST's."""
        return golden_vectors()

    def wrong_answers(self, vector: Vector) -> list[tuple[str, str, str]]:
        """See :func:`wrong_answers`."""
        return wrong_answers(self._core, vector)

    def random_case(self, case: Case, rng: random.Random) -> None:
        """Compare one."""
        name = case.p.name
        _random_case(case, self._references[name], self._others.get(name), rng)

    @staticmethod
    def turns(p: Parameters, rng: random.Random, *, checks: bool) -> Turns:
        """A key pair, a secret and its ciphertext, and what it gives, right and spoilt."""
        del checks
        d, z, m = (rng.randbytes(SEED_BYTES) for _ in range(3))
        right = _values(kyber_py(p.name), d, z, m)
        spoilt = _received(kyber_py(p.name), right, bytes([right["c"][0] ^ 1]) + right["c"][1:])
        return [
            turn("keygen", p, right, word=d[:8]),
            turn("encaps", p, right),
            turn("decaps", p, right, check=True),
            turn("decaps_standard", p, spoilt, check=True),
            turn("decaps_seed", p, right),
            turn("decaps_seed", p, spoilt),
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
        """How many handshakes were compared."""
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


def _run(case: Case, operation: str, values: Values, **how: Any) -> Run:
    return case.run(request_of(operation, case.p, values, **how))[0]


def _compare(case: Case, what: str, operation: str, values: Values, **how: Any) -> Run:
    """Run an operation, and compare what leaves with what is among the values."""
    asked, expected = turn(operation, case.p, values, **how)
    (run,) = case.run(asked)
    case.compare(what, run.public + run.secret, b"".join(expected))
    return run


def _refused(case: Case, what: str, run: Run) -> None:
    """That a run ended with an error and without output."""
    output = " with output" if run.public or run.secret else ""
    got = f"refused{output}" if run.error else "taken"
    case.judge(what, got == "refused", got, "refused")


def _random_case(
    case: Case, oracle: KemOracle, other: PyCryptography | None, rng: random.Random
) -> None:
    d, z, m = (rng.randbytes(SEED_BYTES) for _ in range(3))
    if case.number % _RARE == 0:
        d = rare_seed(case.p, rng)
    right = _values(oracle, d, z, m)
    word = rng.randbytes(8)  # for the wiping
    by_port = word if case.number % 2 == 1 else None
    _compare(case, "keys", "keygen", right, word=by_port)
    run = _run(case, "encaps", right, word=by_port)
    case.compare("ciphertexts", run.public, right["c"])
    case.compare("secrets", run.secret, right["secret"])
    hash_check = case.number % 2 == 0
    # Both orders of the key, with and without the check, with and without stalls.
    name = _ORDERS[case.number // 2 % 2]
    _compare(case, "secrets", name, right, check=hash_check, word=by_port)
    c = right["c"]
    bad = _received(oracle, right, rng.randbytes(len(c)) if case.number % 8 == 7 else flip(c, rng))
    _compare(case, "rejections", name, bad, check=hash_check)
    _compare(case, "by seeds", "decaps_seed", right, word=by_port)
    run = _compare(case, "by seeds", "decaps_seed", bad, check=hash_check)
    _refused_keys(case, oracle, right, rng)
    _refused_streams(case, right, rng)
    if case.number % _QUEUED == 0:
        _queued(case, right, rng)
    if other is not None:
        case.compare("keys", right["ek"], other.encapsulation_key(d, z))
        case.compare("secrets", other.decapsulate(d, z, c), right["secret"])
        case.compare("rejections", other.decapsulate(d, z, bad["c"]), run.secret)
        secret, c = other.encapsulate(right["ek"])
        theirs = right | {"secret": secret, "c": c}
        _compare(case, "secrets", name, theirs)
        _compare(case, "by seeds", "decaps_seed", theirs)


def with_coefficient(p: Parameters, ek: bytes, place: int, value: int) -> bytes:
    """An encapsulation key with another word of 12 bits in one place, 0 to 256 k - 1."""
    number = int.from_bytes(ek, "little")
    shift = 12 * (place % (256 * p.k))
    return (number & ~(4095 << shift) | value << shift).to_bytes(len(ek), "little")


def _refused_keys(case: Case, oracle: KemOracle, values: Values, rng: random.Random) -> None:
    """Coefficients around q (FIPS 203, section 7.2), and a wrong hash (section 7.3)."""
    ek, dk = values["ek"], values["dk"]
    place = rng.randrange(256 * case.p.k)
    above = with_coefficient(case.p, ek, place, rng.choice((Q, 4095, rng.randrange(Q, 4096))))
    _refused(case, "refused keys", _run(case, "encaps", {**values, "ek": above}))
    below = with_coefficient(case.p, ek, place, Q - 1)
    secret, c = oracle._encaps_internal(below, values["m"])
    made = {**values, "ek": below, "secret": secret, "c": c}
    _compare(case, "ciphertexts", "encaps", made)
    wrong = dk[: -2 * SEED_BYTES] + flip(dk[-2 * SEED_BYTES : -SEED_BYTES], rng) + dk[-SEED_BYTES:]
    # Unchecked, another hash gives other randomness, and so another ciphertext than c.
    rejected = shake_256(dk[-SEED_BYTES:] + values["c"]).digest(SEED_BYTES)
    given = {**values, "dk": wrong, "secret": rejected}
    for name in _ORDERS:
        _refused(case, "refused keys", _run(case, name, given, check=True))
        _compare(case, "rejections", name, given)


def _queued(case: Case, values: Values, rng: random.Random) -> None:
    """As many operations as the queue holds, back to back."""
    turns = [turn(rng.choice(CODES), case.p, values) for _ in range(QUEUE_DEPTH)]
    for run, (_, expected) in zip(case.run(*(asked for asked, _ in turns)), turns, strict=True):
        case.compare("queued", run.public + run.secret, b"".join(expected))


def _refused_streams(case: Case, values: Values, rng: random.Random) -> None:
    """One stream that ends early or late, and after it an operation as if nothing had been."""
    operation = CODES[(case.number + case.number // len(CODES)) % len(CODES)]
    asked = request_of(operation, case.p, values)
    (public,), secret = asked.public or (b"",), asked.secret
    spoil_public = bool(public) and rng.random() < 0.5
    data = public if spoil_public else secret
    words = len(data) // _WORD
    length = rng.choice((1, words - 1, words + 1, rng.randrange(1, words), words + 12))
    spoilt = (data + rng.randbytes(_WORD * 12))[: _WORD * length]
    bad = replace(asked, public=(spoilt,)) if spoil_public else replace(asked, secret=spoilt)
    _refused(case, "refused streams", case.run(bad)[0])
