# SPDX-License-Identifier: Apache-2.0
"""Whether what happens when depends on secrets: handshakes of runs that differ in nothing else."""

import random
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from nttforge.kinds.lattice.bus import Coprocessor, Run, kem_request, key_orders
from nttforge.kinds.lattice.mlkem.measure import encaps, keygen, usual_seed, words_sampled
from nttforge.kinds.lattice.mlkem.program import CODES, KemOperation
from nttforge.standards.ml_kem.parameters import SEED_BYTES, Parameters
from nttforge.standards.ml_kem.symmetric import g, h


def flip(data: bytes, rng: random.Random) -> bytes:
    """The same bytes but for one bit."""
    bit = rng.randrange(8 * len(data))
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


@dataclass
class Patterns:
    """Patterns of handshakes that an operation had.

    Attributes
    ----------
    runs
        How many there were.
    seen
        Words from which the matrix was sampled, which are public -> patterns: one each, if nothing
        depends on secrets.
    """

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


@dataclass(frozen=True)
class _Case:
    """One run: its input streams, and the rho in them."""

    operation: KemOperation
    public: bytes
    secret: bytes
    rho: bytes


def _cases(
    coprocessor: Coprocessor, p: Parameters, count: int, rng: random.Random
) -> Iterator[_Case]:
    """Inputs with everything secret at random, ciphertexts valid and spoilt."""
    d = usual_seed(p)
    ek, dk = keygen(coprocessor, p, d, d)
    size, rho = p.pke_key_bytes, ek[-SEED_BYTES:]
    for turn in range(count):
        m, z = rng.randbytes(SEED_BYTES), rng.randbytes(SEED_BYTES)
        # The public seed of a key pair is a hash of d: another d, another rho.
        chosen = d if turn % 2 else rng.randbytes(SEED_BYTES)
        yield _Case("keygen", b"", chosen + z, g(chosen + bytes([p.k]))[0])
        yield _Case("encaps", ek, m, rho)
        valid = encaps(coprocessor, p, ek, m)
        bad = rng.randbytes(len(valid)) if turn % 4 == 3 else flip(valid, rng)
        # Any twelve bits are a coefficient of s; the public key stays.
        secret = rng.randbytes(size) if turn % 5 == 4 else dk[:size]
        key = secret + ek + h(ek) + z
        own = encaps(coprocessor, p, keygen(coprocessor, p, chosen, z)[0], m)
        for c in (valid, bad):
            yield from (_Case(name, c, given, rho) for name, given in key_orders(key).items())
        for c in (own, flip(own, rng)):
            yield _Case("decaps_seed", c, chosen + z, g(chosen + bytes([p.k]))[0])


def secret_patterns(
    coprocessor: Coprocessor, p: Parameters, count: int, *, seed: int = 0, stall: float = 0.0
) -> dict[KemOperation, Patterns]:
    """Run `count` cases an operation, and as many rejections, under equal stalls.

    What happens when may depend on rho, which is public, and on it only through the number of
    words from which each polynomial of the matrix is sampled: those are what patterns are sorted
    by.

    Parameters
    ----------
    coprocessor, p
        The compiled coprocessor, and the parameter set.
    count
        Of cases with other secrets.
    seed
        Of the secrets, and of the stalls.
    stall
        Probability that a port stalls in a cycle.
    """
    rng = random.Random(seed)
    patterns: dict[KemOperation, Patterns] = {operation: Patterns() for operation in CODES}
    for case in _cases(coprocessor, p, count, rng):
        request = kem_request(case.operation, p, case.public, case.secret)
        run = coprocessor.run(request, stall=stall, seed=seed)
        patterns[case.operation].add(run, words_sampled(p, case.rho))
    return patterns
