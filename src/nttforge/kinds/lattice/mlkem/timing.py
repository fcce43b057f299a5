# SPDX-License-Identifier: Apache-2.0
"""Test of constant time: handshakes of runs that differ in secrets only."""

import random
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from nttforge.kinds.lattice.bus import Coprocessor, Run, request_of
from nttforge.kinds.lattice.mlkem.measure import seeded, taken, usual_seed, words_sampled
from nttforge.kinds.lattice.mlkem.program import CODES, KemOperation
from nttforge.kinds.lattice.mlkem.standard import reference
from nttforge.kinds.lattice.operation import Values
from nttforge.standards.ml_kem.parameters import SEED_BYTES, Parameters
from nttforge.standards.ml_kem.symmetric import g, h


def flip(data: bytes, rng: random.Random) -> bytes:
    """The same bytes but for one bit."""
    bit = rng.randrange(8 * len(data))
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


@dataclass
class Patterns:
    """Patterns of handshakes by the public words that sample the matrix; one each without leaks."""

    runs: int = 0
    seen: dict[tuple[int | None, ...], set[tuple[Hashable, ...]]] = field(default_factory=dict)

    @property
    def leaks(self) -> bool:
        """Whether runs that differ in secrets alone differ in what can be seen."""
        return any(len(found) > 1 for found in self.seen.values())

    def add(self, run: Run, words: tuple[int | None, ...]) -> None:
        """Count a run whose matrix was sampled from so many words a polynomial."""
        self.runs += 1
        pattern = (run.cycles, run.occupied, run.error, tuple(run.handshakes))
        self.seen.setdefault(words, set()).add(pattern)


class _Case(NamedTuple):
    """One run: its inputs, and the rho in them."""

    operation: KemOperation
    values: Values
    rho: bytes


def _cases(p: Parameters, count: int, rng: random.Random, keys: Values) -> Iterator[_Case]:
    """Inputs with everything secret at random, ciphertexts valid and spoilt."""
    d, ek, dk = keys["d"], keys["ek"], keys["dk"]
    size, rho = p.pke_key_bytes, ek[-SEED_BYTES:]
    for turn in range(count):
        m, z = rng.randbytes(SEED_BYTES), rng.randbytes(SEED_BYTES)
        # The public seed of a key pair is a hash of d: another d, another rho.
        chosen = d if turn % 2 else rng.randbytes(SEED_BYTES)
        own = seeded(p, chosen, z, m)
        yield _Case("keygen", own, g(chosen + bytes([p.k]))[0])
        sent = reference(p, {"ek": ek, "m": m})
        yield _Case("encaps", sent, rho)
        valid = sent["c"]
        bad = rng.randbytes(len(valid)) if turn % 4 == 3 else flip(valid, rng)
        # Any twelve bits are a coefficient of s; the public key stays.
        secret = rng.randbytes(size) if turn % 5 == 4 else dk[:size]
        for c in (valid, bad):
            given = {"dk": secret + ek + h(ek) + z, "c": c}
            yield from (_Case(name, given, rho) for name in ("decaps", "decaps_standard"))
        for c in (own["c"], flip(own["c"], rng)):
            yield _Case("decaps_seed", own | {"c": c}, g(chosen + bytes([p.k]))[0])


def secret_patterns(
    coprocessor: Coprocessor, p: Parameters, count: int, *, seed: int = 0, stall: float = 0.0
) -> dict[KemOperation, Patterns]:
    """Handshakes of `count` cases an operation, and as many rejections, under equal stalls.

    They may depend on the public rho, by the number of words of each matrix polynomial.
    """
    rng = random.Random(seed)
    patterns: dict[KemOperation, Patterns] = {operation: Patterns() for operation in CODES}
    d = usual_seed(p)
    keys = seeded(p, d, d, d)
    taken(coprocessor, request_of("keygen", p, keys))
    for case in _cases(p, count, rng, keys):
        request = request_of(case.operation, p, case.values)
        run = coprocessor.run(request, stall=stall, seed=seed)
        patterns[case.operation].add(run, words_sampled(p, case.rho))
    return patterns
