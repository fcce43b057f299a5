# SPDX-License-Identifier: Apache-2.0
"""`verify` and `measure` of a core of both standards: each as alone, and both in turn."""

import random
import time
from collections.abc import Iterator, Sequence
from typing import Any

from nttforge.errors import FaultError
from nttforge.flow.prepare import Progress, silent
from nttforge.flow.vectors import STALLS, shown_bytes
from nttforge.kinds.lattice.bus import (
    WORDS,
    Coprocessor,
    KemPort,
    Request,
    Run,
    kem_request,
    rotate_key,
)
from nttforge.kinds.lattice.mldsa.measure import MldsaMeasureResult, measure_mldsa
from nttforge.kinds.lattice.mldsa.program import SETS as DSA_SETS
from nttforge.kinds.lattice.mldsa.verify import verify_mldsa
from nttforge.kinds.lattice.mlkem.measure import MlkemMeasureResult, measure_mlkem
from nttforge.kinds.lattice.mlkem.program import SETS as KEM_SETS
from nttforge.kinds.lattice.mlkem.program import KemOperation
from nttforge.kinds.lattice.mlkem.verify import MlkemVerifyResult, verify_mlkem
from nttforge.kinds.lattice.verify import StandardVerifyResult, replay
from nttforge.results import Measurement, Timed, Verification
from nttforge.standards.ml_dsa.parameters import Parameters as DsaSet
from nttforge.standards.ml_kem.parameters import Parameters as KemSet
from nttforge.standards.oracle import dilithium_py, kyber_py
from nttforge.table import Block, Line

Expected = tuple[bytes, bytes]
"""Of an operation: what leaves at the public and at the secret output."""


class PqcVerifyResult(Verification):
    """What `verify` did and found.

    Attributes
    ----------
    kem, dsa
        Of each standard, as it is verified alone.
    in_turn
        Operations of both standards, one behind the other, that were compared.
    differ
        Of these, those that were wrong: operation, case, what came, what must.
    """

    kem: MlkemVerifyResult
    dsa: StandardVerifyResult
    in_turn: int
    differ: list[str]

    @property
    def verdict(self) -> tuple[str, str]:
        """What was compared, and what is to be said if it did not hold."""
        compared = self.kem.comparisons + self.dsa.comparisons + self.in_turn
        wrong = self.kem.wrong_answers + self.dsa.wrong_answers + len(self.differ)
        broken = "the core did what it must never do"
        bad = broken if self.violation else f"{wrong} of {compared} answers are wrong"
        return f"{compared:,} comparisons", bad

    def shown(self) -> Iterator[Block]:
        """Each standard, and both in turn."""
        for part in (self.kem, self.dsa):
            yield from part.shown()
        yield Line(f"{self.in_turn} operations of both standards in turn, {len(self.differ)} wrong")
        yield from (Line(each, "bad") for each in self.differ)
        yield from self.ending([])


def in_turn(
    p: KemSet, q: DsaSet, rng: random.Random, *, checks: bool = False
) -> list[tuple[Request, Expected]]:
    """Keys, a secret and its ciphertext, a signature and its verification, standards in turn.

    With `checks` for a core that verifies its signatures.
    """
    d, z, m, xi, rnd, message = (rng.randbytes(32) for _ in range(6))
    kem, dsa = kyber_py(p.name), dilithium_py(q.name)
    ek, dk = kem._keygen_internal(d, z)
    secret, c = kem._encaps_internal(ek, m)
    spoilt = bytes([c[0] ^ 1]) + c[1:]
    pk, sk = dsa._keygen_internal(xi)
    signature = dsa._sign_internal(sk, message, rnd)
    wrong = signature[:-1] + bytes([signature[-1] ^ 1])
    padded = signature + bytes(-len(signature) % 8)
    rejected = kem._decaps_internal(dk, spoilt)

    def kems(name: KemOperation, public: bytes, given: bytes, **more: Any) -> Request:
        return kem_request(name, p, public, given, **more)

    def dsas(name: str, given: bytes, *public: bytes) -> Request:
        return Request(name, q, given, public)

    sign = dsas("sign", rnd + sk, message)
    return [
        (kems("keygen", b"", b"", entropy=d + z + d[:8]), (ek, dk)),
        (dsas("keygen_standard", xi), (pk, sk)),
        (kems("encaps", ek, m), (c, secret)),
        (sign.checked(pk) if checks else sign, (padded, b"")),
        (kems("decaps", c, rotate_key(dk), check=True), (b"", secret)),
        (dsas("verify", b"", pk, signature, message), (WORDS[True], b"")),
        (kems("decaps_standard", spoilt, dk, check=True), (b"", rejected)),
        (dsas("verify", b"", pk, wrong, message), (WORDS[False], b"")),
        (kems("decaps_seed", c, d + z), (b"", secret)),
        (dsas("verify", b"", pk, signature, message), (WORDS[True], b"")),
        (kems("decaps_seed", spoilt, d + z), (b"", rejected)),
    ]


def compared(
    model: Coprocessor, asked: Sequence[tuple[Request, Expected]], *, stall: float, seed: int
) -> list[str]:
    """What is wrong of operations one behind the other.

    Raises
    ------
    FaultError
        If the core hangs, or does what it must never do.
    """
    runs = model.run_all([each for each, _ in asked], stall=stall, seed=seed)
    pairs = zip(asked, runs, strict=True)
    return [_differs(each, run, must) for (each, must), run in pairs if _came(run) != must]


def _came(run: Run) -> Expected:
    return run.public, run.secret


def _differs(asked: Request, run: Run, must: Expected) -> str:
    came = "; ".join(map(shown_bytes, _came(run)))
    expected = "; ".join(map(shown_bytes, must))
    return f"{asked.operation} of {asked.p.name}: {came} ({run.reason}), not {expected}"


def verify_pqc(
    model: Coprocessor, design: str, *, cases: int = 10, seed: int = 0, progress: Progress = silent
) -> PqcVerifyResult:
    """Verify each standard as alone, and operations of both in turn, every other case with stalls.

    Parameters
    ----------
    model
        The compiled core.
    design
        Its name.
    cases
        Of each parameter set, and of pairs of them in turn.
    seed
        Of everything random.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        If kyber-py or dilithium-py are not installed.
    """
    start = time.monotonic()
    number, differ, violation, failed = 0, [], None, None
    # Other ways to the wrong standard's core first: it is the quickest to find something.
    for case in range(cases):
        progress(f"both standards in turn, case {case} of {cases}")
        rng = random.Random(f"{seed} in turn {case}")
        sets = (KEM_SETS[case % 3], DSA_SETS[case // 3 % 3])
        asked = in_turn(*sets, rng, checks=model.checks)
        try:
            wrong = compared(model, asked, stall=STALLS[case % len(STALLS)], seed=seed + case)
        except FaultError as error:
            violation, failed = str(error), model.last
            break
        failed = failed or (model.last if wrong else None)
        differ += [f"case {case}, {each}" for each in wrong]
        number += len(asked)
    kem = verify_mlkem(KemPort(model), design, cases=cases, seed=seed, progress=progress)
    failed = failed or (None if kem.ok else model.last)
    dsa = verify_mldsa(model, design, cases=cases, seed=seed, progress=progress)
    failed = failed or (None if dsa.ok else model.last)
    return PqcVerifyResult(
        design=design,
        ok=kem.ok and dsa.ok and not differ and violation is None,
        violation=violation or kem.violation or dsa.violation,
        kem=kem,
        dsa=dsa,
        in_turn=number,
        differ=differ,
        seconds=round(time.monotonic() - start, 2),
    ).failed(replay(failed))


class PqcMeasureResult(Measurement):
    """What `measure` observed of a core of both standards.

    Attributes
    ----------
    kem, dsa
        Of each standard, as it is measured alone.
    """

    kem: MlkemMeasureResult
    dsa: MldsaMeasureResult

    @property
    def timed(self) -> dict[str, Timed]:
        """Each operation of each set."""
        return {**self.kem.timed, **self.dsa.timed}

    def shown(self) -> Iterator[Block]:
        """Cycles of each operation and set, standard by standard."""
        yield from self.kem.shown()
        yield from self.dsa.shown()
        yield from self.times()


def measure_pqc(
    model: Coprocessor,
    design: str,
    rounds_per_cycle: int,
    multiplier_latency: int,
    *,
    runs: int = 20,
    seed: int = 0,
    progress: Progress = silent,
) -> PqcMeasureResult:
    """See :func:`measure_mlkem` and :func:`measure_mldsa`.

    Raises
    ------
    FaultError
        If the core hangs or breaks its handshakes.
    """
    start = time.monotonic()
    kem = measure_mlkem(
        KemPort(model), design, rounds_per_cycle, runs=runs, seed=seed, progress=progress
    )
    dsa = measure_mldsa(
        model,
        design,
        rounds_per_cycle,
        multiplier_latency,
        runs=runs,
        seed=seed,
        progress=progress,
    )
    seconds = round(time.monotonic() - start, 2)
    return PqcMeasureResult(design=design, kem=kem, dsa=dsa, seconds=seconds)
