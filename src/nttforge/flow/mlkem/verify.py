# SPDX-License-Identifier: Apache-2.0
"""`verify` of an ML-KEM coprocessor: standard vectors, random cases, refusals, stalls, timing."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import shake_256
from typing import Any

from nttforge.errors import FaultError
from nttforge.families import MlkemCore
from nttforge.families.mlkem.program import CODES, SETS, KemOperation
from nttforge.families.mlkem.registers import QUEUE_DEPTH
from nttforge.flow.mlkem.measure import rare_seed
from nttforge.flow.mlkem.timing import flip, secret_patterns
from nttforge.flow.mlkem.vectors import golden_vectors, wrong_answers
from nttforge.flow.prepare import Prepared
from nttforge.flow.trace import Again
from nttforge.flow.vectors import STALLS, Mismatch, Tally, shown_bytes
from nttforge.kinds.lattice.bus import KemPort, Request, Run, kem_request, key_orders, open_kem
from nttforge.results import Verification
from nttforge.standards.ml_kem.parameters import SEED_BYTES, Parameters, Q
from nttforge.standards.oracle import KemOracle, PyCryptography, kyber_py
from nttforge.table import Block, Line, Table

_TIMING_STALL = 0.3
_RARE = 8  # every so many cases have a matrix that takes a fourth block
_QUEUED = 4  # every so many cases are followed by a queue of operations
_WORD = 8

Progress = Callable[[str], None]
_Bytes = dict[KemOperation, tuple[bytes, bytes]]


class MlkemVerifyResult(Verification):
    """What `verify` did and found.

    Attributes
    ----------
    ok
        Every vector and comparison held, and handshakes depend on nothing secret.
    cases
        Random ones of each parameter set.
    comparisons
        Operations that were run and compared in all.
    compared
        By parameter set: how many of what.
    vectors
        NIST's ACVP vectors, all of them.
    oracles
        What random cases were compared with.
    handshakes_compared
        Runs whose handshakes had to be the same but for the words.
    cycles
        Simulated in all of the compared runs, from first to last word.
    mismatches
        The first few, and how many answers were wrong in all.
    violation
        What the coprocessor did that it must never do, or None.
    """

    seed: int
    cases: int
    comparisons: int
    compared: dict[str, dict[str, int]]
    vectors: int
    oracles: list[str]
    handshakes_compared: int
    stalls: list[float]
    cycles: int
    wrong_answers: int
    mismatches: list[Mismatch]

    @property
    def verdict(self) -> tuple[str, str]:
        """What was compared, and what is to be said if it did not hold."""
        broken = "the coprocessor did what it must never do"
        bad = f"{self.wrong_answers} of {self.comparisons} answers are wrong"
        return f"{self.comparisons:,} comparisons", broken if self.violation else bad

    def shown(self) -> Iterator[Block]:
        """What was compared with what, and the first answers that differ."""
        kinds = list(dict.fromkeys(kind for row in self.compared.values() for kind in row))
        yield Table(
            f"{self.design}, seed {self.seed}: compared with {', '.join(self.oracles)}",
            ("parameter set", *kinds),
            [(name, *(row.get(kind, 0) for kind in kinds)) for name, row in self.compared.items()],
        )
        yield Line(
            f"{self.vectors} vectors of NIST; {self.handshakes_compared} runs with other "
            f"secrets and the same handshakes; {self.cycles:,} cycles simulated; ports stall in "
            f"{', '.join(f'{stall:.0%}' for stall in self.stalls)} of the cycles"
        )
        yield from self.ending(self.mismatches)


@dataclass
class _Tally(Tally):
    """And how many runs had to have the same handshakes."""

    handshakes: int = 0
    violation: str | None = None


@dataclass
class _Case:
    """One random case: runs operations under its stalls, compares, and counts."""

    coprocessor: KemPort
    p: Parameters
    number: int
    seed: int
    tally: _Tally

    @property
    def stall(self) -> float:
        return STALLS[self.number % len(STALLS)]

    def run(
        self,
        operation: KemOperation,
        public: bytes,
        secret: bytes,
        *,
        check: bool = False,
        entropy: bytes | None = None,
    ) -> Run:
        run = self.coprocessor.run(
            *(operation, self.p, public, secret),
            check=check,
            entropy=entropy,
            stall=self.stall,
            seed=self.seed,
        )
        self.tally.cycles += run.cycles
        return run

    def run_queued(self, requests: Sequence[Request]) -> list[Run]:
        runs = self.coprocessor.run_all(requests, stall=self.stall, seed=self.seed)
        self.tally.cycles += sum(run.cycles for run in runs)
        return runs

    def compare(self, what: str, got: bytes, expected: bytes) -> None:
        self.tally.compared[self.p.name][what] += 1
        if got != expected:
            self.tally.differs(
                *(self.p.name, what, self.number, self.stall), _shown(got), _shown(expected)
            )

    def refused(self, what: str, run: Run, expected: bool = True) -> None:
        """That a run ended with an error and without output, or did not."""
        names = {True: b"refused", False: b"taken"}
        output = run.error and (run.public or run.secret)
        self.compare(what, b"refused with output" if output else names[run.error], names[expected])


def _shown(data: bytes) -> str:
    """The first bytes; words of ours as they are."""
    if data.startswith((b"refused", b"taken")):
        return data.decode()
    return shown_bytes(data)


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
    try:
        progress("NIST's vectors")
        for vector in golden_vectors():
            tally.vector(vector, wrong_answers(coprocessor, vector))
        for p in sets:
            for number in range(cases):
                progress(f"{p.name}, case {number} of {cases}")
                case = _Case(coprocessor, p, number, seed, tally)
                rng = random.Random(f"{seed} {p.name} {number}")
                _random_case(case, oracles[p.name], others.get(p.name), rng)
            progress(f"{p.name}, handshakes with other secrets")
            _check_timing(coprocessor, p, max(4, cases // 4), seed, tally)
    except FaultError as error:
        tally.violation = str(error)
        tally.stopped()
    return MlkemVerifyResult(
        design=design,
        ok=tally.violation is None and not tally.wrong,
        seed=seed,
        cases=cases,
        **tally.fields(),
        oracles=["kyber-py", *([PyCryptography.NAME] if others else [])],
        handshakes_compared=tally.handshakes,
        violation=tally.violation,
        seconds=round(time.monotonic() - start, 2),
    ).failed(_again(tally.failed))


def _again(failed: Any) -> Again | None:
    """The operations that failed, once more."""

    def do(prepared: Prepared[MlkemCore], progress: Progress) -> None:
        requests, stall, seed = failed
        with suppress(FaultError):
            open_kem(prepared).run_all(requests, stall=stall, seed=seed)

    return None if failed is None else Again(do)


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
