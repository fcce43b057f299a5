# SPDX-License-Identifier: Apache-2.0
"""`verify` of an ML-KEM coprocessor: standard vectors, random cases, refusals, stalls, timing."""

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import shake_256
from typing import ClassVar

from nttforge.flow.vectors import Tally
from nttforge.kinds.lattice.bus import KemPort, Request, Run, kem_request, key_orders
from nttforge.kinds.lattice.mlkem.measure import rare_seed
from nttforge.kinds.lattice.mlkem.program import CODES, SETS, KemOperation
from nttforge.kinds.lattice.mlkem.registers import QUEUE_DEPTH
from nttforge.kinds.lattice.mlkem.timing import flip, secret_patterns
from nttforge.kinds.lattice.mlkem.vectors import golden_vectors, wrong_answers
from nttforge.kinds.lattice.verify import Case, StandardVerifyResult, compare_all, replay
from nttforge.standards.ml_kem.parameters import SEED_BYTES, Parameters, Q
from nttforge.standards.oracle import KemOracle, PyCryptography, kyber_py
from nttforge.table import Table

_TIMING_STALL = 0.3
_RARE = 8  # every so many cases have a matrix that takes a fourth block
_QUEUED = 4  # every so many cases are followed by a queue of operations
_WORD = 8

Progress = Callable[[str], None]
_Bytes = dict[KemOperation, tuple[bytes, bytes]]


class MlkemVerifyResult(StandardVerifyResult):
    """What `verify` did and found.

    Attributes
    ----------
    handshakes_compared
        Runs whose handshakes had to be the same but for the words.
    """

    hardware: ClassVar[str] = "coprocessor"

    handshakes_compared: int

    def _table(self, kinds: Sequence[str]) -> Table:
        rows = self.compared.items()
        return Table(
            self._title(),
            ("parameter set", *kinds),
            [(name, *(row.get(kind, 0) for kind in kinds)) for name, row in rows],
        )

    def _besides(self) -> str:
        return f"{self.handshakes_compared} runs with other secrets and the same handshakes; "


@dataclass
class _Tally(Tally):
    """And how many runs had to have the same handshakes."""

    handshakes: int = 0
    violation: str | None = None


@dataclass
class _Case(Case):
    """One random case: runs operations under its stalls, compares, and counts."""

    core: KemPort

    def run(
        self,
        operation: KemOperation,
        public: bytes,
        secret: bytes,
        *,
        check: bool = False,
        entropy: bytes | None = None,
    ) -> Run:
        run = self.core.run(
            *(operation, self.p, public, secret),
            check=check,
            entropy=entropy,
            stall=self.stall,
            seed=self.seed + self.number,
        )
        self.tally.cycles += run.cycles
        return run

    def run_queued(self, requests: Sequence[Request]) -> list[Run]:
        runs = self.core.run_all(requests, stall=self.stall, seed=self.seed + self.number)
        self.tally.cycles += sum(run.cycles for run in runs)
        return runs

    def refused(self, what: str, run: Run, expected: bool = True) -> None:
        """That a run ended with an error and without output, or did not."""
        names = {True: b"refused", False: b"taken"}
        output = run.error and (run.public or run.secret)
        self.compare(what, b"refused with output" if output else names[run.error], names[expected])


def verify_mlkem(
    coprocessor: KemPort,
    design: str,
    *,
    cases: int = 40,
    seed: int = 0,
    sets: Sequence[Parameters] = SETS,
    progress: Progress = lambda _: None,
) -> MlkemVerifyResult:
    """Compare the simulated coprocessor with NIST's vectors and with independent implementations.

    Every set has the same number of random cases, every other one with stalls on all ports. A case
    is a key pair, an encapsulation, its decapsulation and that of a spoilt ciphertext, by the key
    and by its seeds; a key with a coefficient that is not below q, and one that does not match its
    hash; streams that end early or late; in one of four cases as many operations as the queue
    holds, back to back. One case in eight has a matrix with a fourth block, every other one gets
    its seeds from the entropy port. At last, runs that differ in secrets alone must have the same
    handshakes.

    Parameters
    ----------
    coprocessor
        The compiled coprocessor.
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
        If kyber-py is not installed.
    """
    start = time.monotonic()
    tally = _Tally({p.name: Counter() for p in sets}, simulator=coprocessor)
    oracles = {p.name: kyber_py(p.name) for p in sets}
    others = {p.name: PyCryptography(p.name) for p in sets if PyCryptography.available(p.name)}

    def random_case(p: Parameters, number: int, rng: random.Random) -> None:
        case = _Case(coprocessor, p, number, seed, tally)
        _random_case(case, oracles[p.name], others.get(p.name), rng)

    def handshakes(p: Parameters) -> None:
        progress(f"{p.name}, handshakes with other secrets")
        _check_timing(coprocessor, p, max(4, cases // 4), seed, tally)

    violation = compare_all(
        tally,
        golden_vectors(),
        partial(wrong_answers, coprocessor),
        sets,
        random_case,
        cases=cases,
        seed=seed,
        progress=progress,
        last=handshakes,
    )
    violation = violation or tally.violation
    return MlkemVerifyResult(
        design=design,
        ok=violation is None and not tally.wrong,
        seed=seed,
        cases=cases,
        **tally.fields(),
        oracles=["kyber-py", *([PyCryptography.NAME] if others else [])],
        handshakes_compared=tally.handshakes,
        violation=violation,
        seconds=round(time.monotonic() - start, 2),
    ).failed(replay(tally.failed))


def _check_timing(
    coprocessor: KemPort, p: Parameters, count: int, seed: int, tally: _Tally
) -> None:
    for stall in (0.0, _TIMING_STALL):
        found = secret_patterns(coprocessor, p, count, seed=seed, stall=stall)
        for operation, patterns in found.items():
            tally.handshakes += patterns.runs
            if patterns.leaks:
                tally.violation = (
                    f"timing: handshakes of {operation} of {p.name} differ between runs that "
                    f"differ in secrets alone (seed {seed}, stalls {stall})"
                )


def _random_case(
    case: _Case, oracle: KemOracle, other: PyCryptography | None, rng: random.Random
) -> None:
    d, z, m = (rng.randbytes(SEED_BYTES) for _ in range(3))
    if case.number % _RARE == 0:
        d = rare_seed(case.p, rng)
    ek, dk = oracle._keygen_internal(d, z)
    secret, c = oracle._encaps_internal(ek, m)
    by_port = case.number % 2 == 1
    word = rng.randbytes(8)  # for the wiping
    run = case.run(
        "keygen", b"", b"" if by_port else d + z, entropy=d + z + word if by_port else None
    )
    case.compare("keys", run.public + run.secret, ek + dk)
    run = case.run("encaps", ek, b"" if by_port else m, entropy=m + word if by_port else None)
    case.compare("ciphertexts", run.public, c)
    case.compare("secrets", run.secret, secret)
    hash_check = case.number % 2 == 0
    # Both orders of the key, with and without the check, with and without stalls.
    orders = key_orders(dk)
    name, key = list(orders.items())[case.number // 2 % 2]
    run = case.run(name, c, key, check=hash_check, entropy=word if by_port else None)
    case.compare("secrets", run.secret, secret)
    bad = rng.randbytes(len(c)) if case.number % 8 == 7 else flip(c, rng)
    run = case.run(name, bad, key, check=hash_check)
    case.compare("rejections", run.secret, oracle._decaps_internal(dk, bad))
    run = case.run("decaps_seed", c, d + z, entropy=word if by_port else None)
    case.compare("by seeds", run.public + run.secret, secret)
    run = case.run("decaps_seed", bad, d + z, check=hash_check)
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
        run = case.run(name, their_c, key)
        case.compare("secrets", run.secret, their_secret)
        run = case.run("decaps_seed", their_c, d + z)
        case.compare("by seeds", run.secret, their_secret)


def with_coefficient(p: Parameters, ek: bytes, place: int, value: int) -> bytes:
    """An encapsulation key with another word of 12 bits in one place, 0 to 256 k - 1."""
    number = int.from_bytes(ek, "little")
    shift = 12 * (place % (256 * p.k))
    return (number & ~(4095 << shift) | value << shift).to_bytes(len(ek), "little")


def _refused_keys(
    case: _Case,
    oracle: KemOracle,
    keys: tuple[bytes, bytes],
    message: tuple[bytes, bytes],
    rng: random.Random,
) -> None:
    """Coefficients around q (FIPS 203, section 7.2), and a wrong hash (section 7.3)."""
    (ek, dk), (m, c) = keys, message
    place = rng.randrange(256 * case.p.k)
    above = with_coefficient(case.p, ek, place, rng.choice((Q, 4095, rng.randrange(Q, 4096))))
    case.refused("refused keys", case.run("encaps", above, m))
    below = with_coefficient(case.p, ek, place, Q - 1)
    secret, ciphertext = oracle._encaps_internal(below, m)
    run = case.run("encaps", below, m)
    case.compare("ciphertexts", run.public + run.secret, ciphertext + secret)
    wrong = dk[: -2 * SEED_BYTES] + flip(dk[-2 * SEED_BYTES : -SEED_BYTES], rng) + dk[-SEED_BYTES:]
    for name, key in key_orders(wrong).items():
        case.refused("refused keys", case.run(name, c, key, check=True))
        # Unchecked, another hash gives other randomness, and so another ciphertext than c.
        rejected = shake_256(dk[-SEED_BYTES:] + c).digest(SEED_BYTES)
        case.compare("rejections", case.run(name, c, key).secret, rejected)


def _queued(case: _Case, inputs: _Bytes, outputs: _Bytes, rng: random.Random) -> None:
    """As many operations as the queue holds, back to back."""
    chosen = [rng.choice(CODES) for _ in range(QUEUE_DEPTH)]
    runs = case.run_queued([kem_request(name, case.p, *inputs[name]) for name in chosen])
    for name, run in zip(chosen, runs, strict=True):
        case.compare("queued", run.public + run.secret, b"".join(outputs[name]))


def _refused_streams(case: _Case, inputs: _Bytes, rng: random.Random) -> None:
    """One stream that ends early or late, and after it an operation as if nothing had been."""
    operation = CODES[(case.number + case.number // len(CODES)) % len(CODES)]
    public, secret = inputs[operation]
    spoil_public = bool(public) and rng.random() < 0.5
    data = public if spoil_public else secret
    words = len(data) // _WORD
    length = rng.choice((1, words - 1, words + 1, rng.randrange(1, words), words + 12))
    spoilt = (data + rng.randbytes(_WORD * 12))[: _WORD * length]
    streams = (spoilt, secret) if spoil_public else (public, spoilt)
    case.refused("refused streams", case.run(operation, *streams))
