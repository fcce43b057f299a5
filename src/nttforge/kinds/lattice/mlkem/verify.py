# SPDX-License-Identifier: Apache-2.0
"""What `verify` compares of ML-KEM: vectors, random cases, what is refused, and timing."""

import random
from collections.abc import Sequence
from functools import partial
from hashlib import shake_256
from typing import Any, ClassVar

from nttforge.flow.prepare import Progress
from nttforge.flow.vectors import Vector
from nttforge.kinds.lattice.bus import Coprocessor, Run, kem_request, key_orders, rotate_key
from nttforge.kinds.lattice.commands import QUEUE_DEPTH
from nttforge.kinds.lattice.mlkem.measure import rare_seed
from nttforge.kinds.lattice.mlkem.program import CODES, SETS, KemOperation
from nttforge.kinds.lattice.mlkem.timing import flip, secret_patterns
from nttforge.kinds.lattice.mlkem.vectors import golden_vectors, wrong_answers
from nttforge.kinds.lattice.verify import Case, Cases, StandardVerifyResult, Turns, verify_standard
from nttforge.standards.ml_kem.parameters import SEED_BYTES, Parameters, Q
from nttforge.standards.oracle import KemOracle, PyCryptography, kyber_py

_TIMING_STALL = 0.3
_RARE = 8  # every so many cases have a matrix that takes a fourth block
_QUEUED = 4  # every so many cases are followed by a queue of operations
_WORD = 8

_Bytes = dict[KemOperation, tuple[bytes, bytes]]


class MlkemVerifyResult(StandardVerifyResult):
    """What `verify` did and found.

    Attributes
    ----------
    handshakes_compared
        Runs whose handshakes had to be the same but for the words.
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
        oracle = kyber_py(p.name)
        ek, dk = oracle._keygen_internal(d, z)
        secret, c = oracle._encaps_internal(ek, m)
        spoilt = bytes([c[0] ^ 1]) + c[1:]
        rejected = oracle._decaps_internal(dk, spoilt)
        asked = partial(kem_request, p=p)
        return [
            (asked("keygen", public=b"", secret=b"", entropy=d + z + d[:8]), (ek, dk)),
            (asked("encaps", public=ek, secret=m), (c, secret)),
            (asked("decaps", public=c, secret=rotate_key(dk), check=True), (b"", secret)),
            (asked("decaps_standard", public=spoilt, secret=dk, check=True), (b"", rejected)),
            (asked("decaps_seed", public=c, secret=d + z), (b"", secret)),
            (asked("decaps_seed", public=spoilt, secret=d + z), (b"", rejected)),
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


def _run(case: Case, operation: str, public: bytes, secret: bytes, **how: Any) -> Run:
    return case.run(kem_request(operation, case.p, public, secret, **how))[0]


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
    ek, dk = oracle._keygen_internal(d, z)
    secret, c = oracle._encaps_internal(ek, m)
    by_port = case.number % 2 == 1
    word = rng.randbytes(8)  # for the wiping
    run = _run(
        case, "keygen", b"", b"" if by_port else d + z, entropy=d + z + word if by_port else None
    )
    case.compare("keys", run.public + run.secret, ek + dk)
    run = _run(case, "encaps", ek, b"" if by_port else m, entropy=m + word if by_port else None)
    case.compare("ciphertexts", run.public, c)
    case.compare("secrets", run.secret, secret)
    hash_check = case.number % 2 == 0
    # Both orders of the key, with and without the check, with and without stalls.
    orders = key_orders(dk)
    name, key = list(orders.items())[case.number // 2 % 2]
    run = _run(case, name, c, key, check=hash_check, entropy=word if by_port else None)
    case.compare("secrets", run.secret, secret)
    bad = rng.randbytes(len(c)) if case.number % 8 == 7 else flip(c, rng)
    run = _run(case, name, bad, key, check=hash_check)
    case.compare("rejections", run.secret, oracle._decaps_internal(dk, bad))
    run = _run(case, "decaps_seed", c, d + z, entropy=word if by_port else None)
    case.compare("by seeds", run.public + run.secret, secret)
    run = _run(case, "decaps_seed", bad, d + z, check=hash_check)
    case.compare("by seeds", run.public + run.secret, oracle._decaps_internal(dk, bad))
    _refused_keys(case, oracle, (ek, dk), (m, c), rng)
    taken = {order: (c, given) for order, given in orders.items()}
    inputs: _Bytes = {"keygen": (b"", d + z), "encaps": (ek, m), **taken}
    inputs["decaps_seed"] = (c, d + z)
    _refused_streams(case, inputs, rng)
    shown = dict.fromkeys((*orders, "decaps_seed"), (b"", secret))
    outputs: _Bytes = {"keygen": (ek, dk), "encaps": (c, secret), **shown}
    if case.number % _QUEUED == 0:
        _queued(case, inputs, outputs, rng)
    if other is not None:
        case.compare("keys", ek, other.encapsulation_key(d, z))
        case.compare("secrets", other.decapsulate(d, z, c), secret)
        case.compare("rejections", other.decapsulate(d, z, bad), run.secret)
        their_secret, their_c = other.encapsulate(ek)
        run = _run(case, name, their_c, key)
        case.compare("secrets", run.secret, their_secret)
        run = _run(case, "decaps_seed", their_c, d + z)
        case.compare("by seeds", run.secret, their_secret)


def with_coefficient(p: Parameters, ek: bytes, place: int, value: int) -> bytes:
    """An encapsulation key with another word of 12 bits in one place, 0 to 256 k - 1."""
    number = int.from_bytes(ek, "little")
    shift = 12 * (place % (256 * p.k))
    return (number & ~(4095 << shift) | value << shift).to_bytes(len(ek), "little")


def _refused_keys(
    case: Case,
    oracle: KemOracle,
    keys: tuple[bytes, bytes],
    message: tuple[bytes, bytes],
    rng: random.Random,
) -> None:
    """Coefficients around q (FIPS 203, section 7.2), and a wrong hash (section 7.3)."""
    (ek, dk), (m, c) = keys, message
    place = rng.randrange(256 * case.p.k)
    above = with_coefficient(case.p, ek, place, rng.choice((Q, 4095, rng.randrange(Q, 4096))))
    _refused(case, "refused keys", _run(case, "encaps", above, m))
    below = with_coefficient(case.p, ek, place, Q - 1)
    secret, ciphertext = oracle._encaps_internal(below, m)
    run = _run(case, "encaps", below, m)
    case.compare("ciphertexts", run.public + run.secret, ciphertext + secret)
    wrong = dk[: -2 * SEED_BYTES] + flip(dk[-2 * SEED_BYTES : -SEED_BYTES], rng) + dk[-SEED_BYTES:]
    for name, key in key_orders(wrong).items():
        _refused(case, "refused keys", _run(case, name, c, key, check=True))
        # Unchecked, another hash gives other randomness, and so another ciphertext than c.
        rejected = shake_256(dk[-SEED_BYTES:] + c).digest(SEED_BYTES)
        case.compare("rejections", _run(case, name, c, key).secret, rejected)


def _queued(case: Case, inputs: _Bytes, outputs: _Bytes, rng: random.Random) -> None:
    """As many operations as the queue holds, back to back."""
    chosen = [rng.choice(CODES) for _ in range(QUEUE_DEPTH)]
    runs = case.run(*[kem_request(name, case.p, *inputs[name]) for name in chosen])
    for name, run in zip(chosen, runs, strict=True):
        case.compare("queued", run.public + run.secret, b"".join(outputs[name]))


def _refused_streams(case: Case, inputs: _Bytes, rng: random.Random) -> None:
    """One stream that ends early or late, and after it an operation as if nothing had been."""
    operation = CODES[(case.number + case.number // len(CODES)) % len(CODES)]
    public, secret = inputs[operation]
    spoil_public = bool(public) and rng.random() < 0.5
    data = public if spoil_public else secret
    words = len(data) // _WORD
    length = rng.choice((1, words - 1, words + 1, rng.randrange(1, words), words + 12))
    spoilt = (data + rng.randbytes(_WORD * 12))[: _WORD * length]
    streams = (spoilt, secret) if spoil_public else (public, spoilt)
    _refused(case, "refused streams", _run(case, operation, *streams))
