# SPDX-License-Identifier: Apache-2.0
"""Steps of the demo: real keys and secrets, every transform computed by the accelerator."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256, shake_256
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, silent
from nttforge.results import Result
from nttforge.simulate.stream import StreamSimulator
from nttforge.standards import ml_dsa, ml_kem
from nttforge.standards.oracle import DsaOracle, KemOracle, dilithium_py, kyber_py
from nttforge.standards.transform_engine import RINGS, CountingEngine, IntArray, Run
from nttforge.table import Block, Line, Table, verdict


@dataclass(frozen=True)
class Comparison:
    """A byte string made with and without the accelerator; fingerprint: 8 hex digits of SHA-256."""

    what: str
    standard: str
    oracle: str
    size_bytes: int
    fingerprint: str
    equal: bool


class DemoResult(Result):
    """Comparisons of the demo; `engine_seconds`: wall time in the engine; `ok`: all equal."""

    engine: str
    seed: int
    comparisons: list[Comparison]
    transforms: dict[str, int]
    engine_seconds: float
    ok: bool
    transforms_total: int

    def shown(self) -> Iterator[Block]:
        """Comparisons, use of the engine, and whether every byte is equal."""
        title = f"Keys and secrets made with {self.engine}, seed {self.seed}"
        yield compared_table(title, self.comparisons)
        counts = ", ".join(f"{count} {operation}" for operation, count in self.transforms.items())
        yield Line(
            f"{self.transforms_total} transforms of 256 coefficients by {self.engine} "
            f"in {self.engine_seconds:.3g} s: {counts}"
        )
        yield verdict(self.ok, "Every byte is equal.", different(self.comparisons))


def compared_table(title: str, comparisons: Sequence[Comparison]) -> Table:
    """Comparisons, one row each."""
    return Table(
        title,
        ("standard", "what", "bytes", "SHA-256", "compared with", ""),
        [
            (
                *(c.standard, c.what, c.size_bytes, c.fingerprint, c.oracle),
                "equal" if c.equal else "DIFFERENT",
            )
            for c in comparisons
        ],
    )


def different(comparisons: Sequence[Comparison]) -> str:
    """Number of differences, as a sentence."""
    return f"{sum(not c.equal for c in comparisons)} of {len(comparisons)} byte strings differ."


def simulated(simulator: StreamSimulator) -> Run:
    """Transforms by a simulated core, as the function that :func:`demo` takes."""
    operations = {operation.name: operation for operation in simulator.core.operations}
    for name in (f"{ring}.{direction}" for ring in RINGS for direction in ("ntt", "intt")):
        if name not in operations:
            raise NttforgeError(
                "design",
                f"{simulator.core.name} has no operation {name}",
                "use a design with the rings ml-kem and ml-dsa, and both directions",
            )

    def run(operation: str, polynomials: IntArray) -> npt.NDArray[Any]:
        return simulator.transform([(operations[operation], polynomials)])[0]

    return run


class _Timed:
    """Adds up the wall time of calls to an engine's function."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.seconds = 0.0

    def __call__(self, operation: str, polynomials: IntArray) -> npt.NDArray[np.generic]:
        start = time.perf_counter()
        try:
            return self._run(operation, polynomials)
        finally:
            self.seconds += time.perf_counter() - start


class Comparer:
    """Collects comparisons with one oracle."""

    def __init__(self, standard: str, oracle: str) -> None:
        self._standard = standard
        self._oracle = oracle
        self.comparisons: list[Comparison] = []

    def compare(self, what: str, ours: bytes, theirs: bytes) -> None:
        """Note whether two byte strings are equal."""
        self.comparisons.append(
            Comparison(
                what,
                self._standard,
                self._oracle,
                len(ours),
                sha256(ours).hexdigest()[:8],
                ours == theirs,
            )
        )


def demo(
    run: Run,
    *,
    engine: str = "the simulated RTL",
    seed: int = 0,
    kem: str = "ML-KEM-768",
    signature: str = "ML-DSA-65",
    progress: Progress = silent,
) -> DemoResult:
    """Make keys, a ciphertext and shared secrets with every transform done by `run`.

    Each is compared with that of an independent implementation which does its own transforms:
    kyber-py and dilithium-py (the optional extra `demo`).

    - `run`: takes an operation (`ml-kem.ntt`, `ml-kem.intt`, `ml-dsa.ntt`, `ml-dsa.intt`) and
      polynomials of shape (batch, 256), coefficients in [0, q); returns as many, in the values and
      order of FIPS 203 and FIPS 204.
    - `engine`: what `run` is, in words, for the report.
    - `seed`: seed of all randomness, not negative.
    - `kem`, `signature`: parameter sets.
    - `progress`: called with a description of each step.
    """
    if seed < 0:
        raise NttforgeError("seed", f"{seed} is negative", "use 0 or more")
    kem_parameters = ml_kem.parameter_set(kem)
    signature_parameters = ml_dsa.parameter_set(signature)
    kem_oracle = kyber_py(kem)
    signature_oracle = dilithium_py(signature)
    randomness = shake_256(b"nttforge demo" + str(seed).encode()).digest(128)
    timed = _Timed(run)
    counting = CountingEngine(timed)
    comparisons = _compare_kem(kem_parameters, randomness[:96], counting, kem_oracle, progress)
    comparisons += _compare_signature(
        signature_parameters, randomness[96:], counting, signature_oracle, progress
    )
    return DemoResult(
        engine=engine,
        seed=seed,
        comparisons=comparisons,
        transforms=dict(counting.counts),
        engine_seconds=timed.seconds,
        ok=all_equal(comparisons),
        transforms_total=counting.counts.total(),
    )


def all_equal(comparisons: Sequence[Comparison]) -> bool:
    """Whether there was something to compare, and all of it was equal."""
    return bool(comparisons) and all(c.equal for c in comparisons)


def _compare_kem(
    p: ml_kem.Parameters,
    randomness: bytes,
    engine: CountingEngine,
    oracle: KemOracle,
    progress: Progress,
) -> list[Comparison]:
    """A key pair, an encapsulation, its decapsulation, and that of a spoilt ciphertext."""
    d, z, m = randomness[:32], randomness[32:64], randomness[64:]
    comparer = Comparer(p.name, "kyber-py")

    progress(f"{p.name}: key generation")
    ek, dk = ml_kem.keygen_internal(p, d, z, engine)
    their_ek, their_dk = oracle._keygen_internal(d, z)
    comparer.compare("encapsulation key", ek, their_ek)
    comparer.compare("decapsulation key", dk, their_dk)

    # From here on both sides start from the oracle's keys and ciphertext: one wrong transform
    # must spoil its own comparison, not lead to a malformed key and an exception.
    progress(f"{p.name}: encapsulation")
    secret, c = ml_kem.encaps_internal(p, their_ek, m, engine)
    their_secret, their_c = oracle._encaps_internal(their_ek, m)
    comparer.compare("ciphertext", c, their_c)
    comparer.compare("secret, encapsulated", secret, their_secret)

    progress(f"{p.name}: decapsulation")
    ours = ml_kem.decaps_internal(p, their_dk, their_c, engine)
    comparer.compare("secret, decapsulated", ours, their_secret)

    progress(f"{p.name}: decapsulation of a spoilt ciphertext")
    spoilt = bytes([their_c[0] ^ 1]) + their_c[1:]
    rejection = ml_kem.decaps_internal(p, their_dk, spoilt, engine)
    comparer.compare("secret, rejected", rejection, oracle._decaps_internal(their_dk, spoilt))
    return comparer.comparisons


def _compare_signature(
    p: ml_dsa.Parameters,
    seed: bytes,
    engine: CountingEngine,
    oracle: DsaOracle,
    progress: Progress,
) -> list[Comparison]:
    """A key pair."""
    comparer = Comparer(p.name, "dilithium-py")
    progress(f"{p.name}: key generation")
    pk, sk = ml_dsa.keygen_internal(p, seed, engine)
    their_pk, their_sk = oracle._keygen_internal(seed)
    comparer.compare("public key", pk, their_pk)
    comparer.compare("private key", sk, their_sk)
    return comparer.comparisons
