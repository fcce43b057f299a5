# SPDX-License-Identifier: Apache-2.0
"""A chain of transforms and products against the references: drawn primes, sums, keys that wait."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from pydantic import BaseModel

from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared, Progress
from nttforge.kinds.stream.chain import ChainCore
from nttforge.kinds.stream.chain_machine import Beats, ChainMachine, Sum, Term, right
from nttforge.kinds.stream.loaded import ring_of, sample_moduli
from nttforge.results import Verification, timed
from nttforge.ring.arithmetic import Array
from nttforge.ring.primes import drawn_primes
from nttforge.ring.ring import Ring
from nttforge.table import Block, Table

_MISMATCHES = 5
#: Sums for one set of moduli, terms of a sum at most, words of a case that take about a second.
_SUMS_OF_A_SET, _MOST_TERMS, _WORDS_A_SECOND = 16, 3, 20_000
#: Share of the cycles in which streams pause, and by how many products keys are late.
_PAUSES, _LATE = (0.0, 0.1, 0.4), (0, 0, 4)
#: Sums for each that is spoilt.
_SPOILT_EACH = 4


class ChainTally(BaseModel):
    """Sums of one kind."""

    kind: str
    sums: int = 0
    words: int = 0


class ChainMismatch(BaseModel):
    """A word that is not the reference's, or an error bit that is missing or too many."""

    sum: int
    modulus: int
    coefficient: int
    error_bit: bool


class ChainVerification(Verification):
    """Comparisons.

    - `sums`: all of them; `sets`: of moduli that were loaded.
    - `tallies`: by kind.
    - `mismatches`: the first ones.
    """

    sums: int
    sets: int
    tallies: list[ChainTally]
    mismatches: list[ChainMismatch]
    seed: int

    @property
    def verdict(self) -> tuple[str, str]:
        """Sums of products."""
        return f"{self.sums} sums of products", f"{len(self.mismatches)} or more are wrong"

    def shown(self) -> Iterator[Block]:
        """Sums by kind, and the verdict."""
        yield Table(
            f"{self.design}: {self.sets} sets of moduli",
            ("kind", "sums", "words"),
            [(each.kind, each.sums, each.words) for each in self.tallies],
        )
        yield from self.ending(self.mismatches)


def drawn_words(ring: Ring, rng: random.Random) -> Array:
    """A polynomial: words of any size, corners among them, or the largest ones alone."""
    if rng.random() < 0.1:
        return np.array([ring.q - 1] * ring.n, object)
    corners = (0, 1, ring.q - 1)
    words = [
        rng.choice(corners) if rng.random() < 0.3 else rng.randrange(ring.q) for _ in range(ring.n)
    ]
    return np.array(words, object)


def drawn_sum(place: int, ring: Ring, rng: random.Random) -> Sum:
    """One of 1 to 3 products, a few of them by a number."""
    terms = [
        Term(
            drawn_words(ring, rng),
            rng.randrange(ring.q) if rng.random() < 0.25 else drawn_words(ring, rng),
        )
        for _ in range(rng.randint(1, _MOST_TERMS))
    ]
    return Sum(place, terms)


def drawn_rings(core: ChainCore, rng: random.Random) -> list[Ring]:
    """Distinct primes of all widths, one a place."""
    primes = drawn_primes(core.places, core.bits, core.forward.moduli.zeros, rng)
    return [ring_of(core.design, q) for q in primes]


def _cut(beats: list[int]) -> list[int]:
    """A packet without its last beat."""
    return [*beats[:-2], beats[-2] | 1]


def _longer(beats: list[int]) -> list[int]:
    """A packet with a beat too many."""
    return [*beats[:-1], beats[-1] & ~1, beats[-1]]


def _too_large(beats: list[int], ring: Ring, bits: int, rng: random.Random) -> list[int]:
    """A packet with the modulus itself as a word."""
    at, mask = rng.randrange(len(beats)), (1 << bits) - 1
    changed = beats[at] & ~(mask << 1) | ring.q << 1
    return [*beats[:at], changed, *beats[at + 1 :]]


#: What is wrong with a product, and what that does to polynomial and key.
Spoil = Callable[[Beats, Ring, random.Random], None]


def _spoils() -> dict[str, Spoil]:
    def polynomial_short(beats: Beats, ring: Ring, rng: random.Random) -> None:
        del ring, rng
        beats.polynomials = _cut(beats.polynomials)

    def polynomial_long(beats: Beats, ring: Ring, rng: random.Random) -> None:
        del ring, rng
        beats.polynomials = _longer(beats.polynomials)

    def key_short(beats: Beats, ring: Ring, rng: random.Random) -> None:
        del ring, rng
        beats.keys = _cut(beats.keys)

    def key_long(beats: Beats, ring: Ring, rng: random.Random) -> None:
        del ring, rng
        beats.keys = _longer(beats.keys)

    def word(beats: Beats, ring: Ring, rng: random.Random) -> None:
        beats.polynomials = _too_large(beats.polynomials, ring, beats.core.bits, rng)

    def key_word(beats: Beats, ring: Ring, rng: random.Random) -> None:
        beats.keys = _too_large(beats.keys, ring, beats.core.bits, rng)

    return {
        "polynomial too short": polynomial_short,
        "polynomial too long": polynomial_long,
        "key too short": key_short,
        "key too long": key_long,
        "a coefficient of q": word,
        "a key's word of q": key_word,
    }


#: By what is wrong.
SPOILS = _spoils()


@dataclass
class _Run:
    """Sums of one run, as they are drawn: kind and ring of each."""

    beats: Beats
    sums: list[Sum] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    rings: list[Ring] = field(default_factory=list)

    def add(self, ring: Ring, each: Sum) -> None:
        """A sum that must be right."""
        numbers = [isinstance(term.key, int) for term in each.terms]
        kind = "sum of products" if len(numbers) > 1 else "by a number" if numbers[0] else "product"
        self.beats.add(ring, each)
        self._note(ring, each, kind)

    def spoil(self, ring: Ring, each: Sum, name: str, rng: random.Random) -> None:
        """A product with something wrong, which must be marked."""
        own = Beats(self.beats.core)
        own.add(ring, each)
        SPOILS[name](own, ring, rng)
        self.beats.polynomials += own.polynomials
        self.beats.keys += own.keys
        self._note(ring, replace(each, marked=True), name)

    def unloaded(self, place: int, ring: Ring, rng: random.Random) -> None:
        """A product of a place that has no modulus yet."""
        each = Sum(place, [Term(drawn_words(ring, rng), drawn_words(ring, rng))], marked=True)
        self.beats.add(ring, each)
        self._note(ring, each, "place not loaded")

    def _note(self, ring: Ring, each: Sum, kind: str) -> None:
        self.sums.append(each)
        self.kinds.append(kind)
        self.rings.append(ring)


def _drawn_run(core: ChainCore, rings: Sequence[Ring], numbers: range, rng: random.Random) -> _Run:
    """Loads, and sums of these numbers; the very first one has a place that is not loaded."""
    run = _Run(Beats(core))
    if not numbers.start:
        run.unloaded(core.places - 1, rings[-1], rng)
    for place, ring in enumerate(rings):
        run.beats.load(place, ring)
    names = list(SPOILS)
    for number in numbers:
        place = rng.randrange(core.places)
        ring = rings[place]
        if number % _SPOILT_EACH == _SPOILT_EACH - 1:
            each = Sum(place, [Term(drawn_words(ring, rng), drawn_words(ring, rng))])
            run.spoil(ring, each, names[number // _SPOILT_EACH % len(names)], rng)
        # The rest of a key that is too long goes when the next one is asked for.
        place = rng.randrange(core.places)
        run.add(rings[place], drawn_sum(place, rings[place], rng))
    return run


def usual_sums(core: ChainCore) -> int:
    """As many as take about a minute."""
    return max(4, min(240, 60 * _WORDS_A_SECOND // core.n))


@timed
def verify(
    prepared: Prepared[ChainCore], count: int | None, seed: int, progress: Progress
) -> ChainVerification:
    """Compare drawn sums; streams pause in most of the runs, and keys are late in some."""
    core, rng = prepared.core, random.Random(seed)
    tallies: dict[str, ChainTally] = {}
    mismatches: list[ChainMismatch] = []
    violation, sets, done = None, 0, 0
    wanted = count or usual_sums(core)
    progress("compiling")
    with ChainMachine.of(prepared) as machine:
        while done < wanted and not (violation or mismatches):
            rings = (
                drawn_rings(core, rng)
                if sets
                else [ring_of(core.design, q) for q in sample_moduli(core.design)]
            )
            each = min(_SUMS_OF_A_SET, wanted - done)
            run = _drawn_run(core, rings, range(done, done + each), rng)
            late = {"k_axis": rng.choice(_LATE) * core.latency}
            pauses = rng.choice(_PAUSES)
            try:
                found = machine.run(run.beats, run.sums, pauses=pauses, rng=rng, late=late)
            except FaultError as error:
                violation = f"{pauses} pauses, moduli {sets}: {error.message}"
                break
            rows = zip(run.sums, run.kinds, run.rings, strict=True)
            for number, (item, kind, ring) in enumerate(rows):
                tally = tallies.setdefault(kind, ChainTally(kind=kind))
                tally.sums += 1
                marked = found.marked[number]
                wrong: list[int] = [0] if marked != item.marked else []
                if not (item.marked or marked):
                    tally.words += ring.n
                    different = found.polynomials[number] != right(ring, item.terms)
                    wrong = np.flatnonzero(different).tolist()
                mismatches += [
                    ChainMismatch(
                        sum=done + number, modulus=ring.q, coefficient=at, error_bit=marked
                    )
                    for at in wrong[:_MISMATCHES]
                ]
            sets, done = sets + 1, done + each
            progress(f"{done} sums")
    return ChainVerification(
        design=core.name,
        ok=not (violation or mismatches),
        violation=violation,
        sums=sum(tally.sums for tally in tallies.values()),
        sets=sets,
        tallies=list(tallies.values()),
        mismatches=mismatches[:_MISMATCHES],
        seed=seed,
    )
