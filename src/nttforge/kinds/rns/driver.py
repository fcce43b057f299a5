# SPDX-License-Identifier: Apache-2.0
"""The C driver of engines of key switching: programs of each level as tables.

A program of a level is the same for all moduli but for its factors. So the driver has its words,
and which value by which modulus each factor is; it computes those when it sends them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, count, islice

from nttforge.errors import NttforgeError
from nttforge.hw.drivers import DriverError, Files, LibraryTemplates
from nttforge.kinds.rns.core import HALVES, RnsCore
from nttforge.kinds.rns.program import Program, Term
from nttforge.kinds.rns.switching import Job, Limbs, Row, Seeded, Switch, key_switch
from nttforge.kinds.stream.driver import load_variables
from nttforge.kinds.stream.loaded import ring_of
from nttforge.ring.primes import is_prime
from nttforge.standards.rns import CONVENTIONS
from nttforge.standards.rns.expansion import SEED_BYTES

#: Its library for C programs: the driver reaches streams, and needs no registers.
LIBRARY = LibraryTemplates(
    example="rns_host_example.c.j2",
    readme="rns_host_readme.md.j2",
    board="rns_board.c.j2",
    header="rns_host.h.j2",
    registers=False,
)
#: Tag of the programs that compute; that of loads is 0.
TAG = 1
_TEXTS = {
    "OK": "no error",
    "ARGUMENT": "a pointer is null, or a number is not one of those that there are",
    "SIZE": "n, a number of moduli, or that of components is not what the engine takes",
    "LEVEL": "there is no such level: the engine has not the rows or summands for it",
    "WIDE": "a modulus has too many bits",
    "FORM": "a modulus is not 1 modulo 2n",
    "COMPOSITE": "a modulus is not prime",
    "ROOT": "the twiddle factors are not powers of a primitive 2n-th root of unity",
    "FACTOR": "a factor of the modulus switch is not the inverse of the last modulus",
    "RANGE": "a word is not below its modulus",
    "BUS": "a channel answers with an error",
    "TIMEOUT": "nothing moved for too long",
    "LOST": "a channel failed before: reset the engine",
    "PROGRAM": "the engine refuses the program",
    "DATA": "a row that the engine got has another length",
    "KEY": "the key stream ended early or late",
    "TRANSFORM": "a modulus is not loaded, or a word in the engine is no residue",
}
ERRORS = tuple(DriverError(name, -at, text) for at, (name, text) in enumerate(_TEXTS.items()))
#: The lowest bit of a factor in a word.
_FACTOR_AT = 32
#: What a word's factor is; P is the last modulus, and half of it is rounded down.
VALUES = ("NO_FACTOR", "ONE", "ONE_BY_P", "MINUS_ONE_BY_P", "HALF_P", "HALF_P_BY_P")
#: Of programs that expand keys: a half of the seed; R^2, R^2 / P; a digit of P's limb.
SEED_VALUES = ("SEED", "SQUARE", "SQUARE_BY_P", "DIGIT_OF_P")
_HALVES_OF_SEED = 2


@dataclass(frozen=True)
class ProgramWord:
    """A word of a program without its factor, and which value that is, modulo which place.

    Values are those of :data:`VALUES`, then those of :data:`SEED_VALUES`, of which the place is the
    number of a half of the seed, and a digit's.
    """

    word: int
    value: int = 0
    place: int = 0


@dataclass(frozen=True)
class Level:
    """A program of so many limbs of Q, and what its streams are in order.

    - `words`: the program.
    - `loads`, `stores`: (polynomial, place); polynomial 0 is what is switched, 1 and 2 are the
      pair that it is added to.
    - `packets`: places of the key's packets; each has all digits.
    - `seeded`: the program that expands uniform halves of keys; nothing, if the engine does not.
    """

    words: tuple[ProgramWord, ...]
    loads: tuple[Row, ...]
    stores: tuple[Row, ...]
    packets: tuple[int, ...]
    seeded: tuple[ProgramWord, ...] = ()


def _primes(core: RnsCore) -> tuple[int, ...]:
    """A modulus for each place, the widest ones."""
    step = 1 << core.pipeline.moduli.zeros
    top = (1 << core.bits) + 1
    falling = (q for c in count(1) if is_prime(q := top - c * step))
    return tuple(islice(falling, core.pipeline.places))


def _values(limbs: Limbs) -> Iterator[tuple[int, int, int]]:
    """Each factor that there may be: which of :data:`VALUES`, the place, and the factor."""
    last, p = len(limbs.moduli) - 1, limbs.moduli[-1]
    yield VALUES.index("HALF_P"), last, p // 2
    for place, q in enumerate(limbs.moduli):
        yield VALUES.index("ONE"), place, limbs.factor(place, 1)
        if place != last:
            inverse = pow(p, -1, q)
            yield VALUES.index("ONE_BY_P"), place, limbs.factor(place, inverse)
            yield VALUES.index("MINUS_ONE_BY_P"), place, limbs.factor(place, -inverse)
            yield VALUES.index("HALF_P_BY_P"), place, p // 2 * inverse % q


def _seed_values(limbs: Limbs, limb_of_p: int) -> Iterator[tuple[int, int, int]]:
    """The same of programs that expand keys, in which P has this limb."""
    scale, last = limbs.core.scale, len(limbs.moduli) - 1
    first = len(VALUES)
    for place, q in enumerate(limbs.moduli):
        yield first + SEED_VALUES.index("SQUARE"), place, limbs.factor(place, scale)
        if place != last:
            by_p = limbs.factor(place, scale * pow(limbs.moduli[-1], -1, q))
            yield first + SEED_VALUES.index("SQUARE_BY_P"), place, by_p
    for digit in range(last):
        word = Term.seeded(0, digit, limb_of_p, last)
        yield first + SEED_VALUES.index("DIGIT_OF_P"), digit, word.factor


def _job(moduli: Limbs, limbs: int, limb_of_p: int | None = None) -> Job:
    """SEAL's key switching of so many limbs of Q, added to a pair; P is in the last place.

    With a limb of P the uniform half of the key is expanded.
    """
    job = Job(moduli)
    last = len(moduli.moduli) - 1
    seeded = None
    if limb_of_p is not None:
        of_limbs = {place: place for place in range(limbs)} | {last: limb_of_p}
        seeded = Seeded(bytes(SEED_BYTES), of_limbs)
    switch = Switch(range(limbs), [last], 1, CONVENTIONS["seal"], added=2, seeded=seeded)
    key_switch(job, switch)
    return job


def _parted(
    programs: Sequence[Program], known: Mapping[tuple[int, int], tuple[int, int]]
) -> list[ProgramWord]:
    """The words of two programs of other moduli, which differ in factors that are known."""

    def parted(one: int, two: int) -> ProgramWord:
        if one == two:
            return ProgramWord(one)
        low = one & (1 << _FACTOR_AT) - 1
        assert low == two & (1 << _FACTOR_AT) - 1
        return ProgramWord(low, *known[one >> _FACTOR_AT, two >> _FACTOR_AT])

    return list(map(parted, *(program.words(TAG) for program in programs)))


def level_of(core: RnsCore, limbs: int) -> Level:
    """The program for so many limbs of Q.

    What differs between the programs of two sets of moduli is a factor, and which one it is follows
    from both of its values.

    Raises NttforgeError if the engine has too few rows or summands.
    """
    primes = _primes(core)
    sets = [Limbs(core, primes), Limbs(core, (*primes[1:], primes[0]))]
    jobs = [_job(moduli, limbs) for moduli in sets]
    job, order = jobs[0], jobs[0].order
    values = zip(*map(_values, sets), strict=True)
    known = {(one[2], two[2]): one[:2] for one, two in values}
    words = _parted([order.of(each.draft, each.units) for each in jobs], known)
    assert all(packet[0] == tuple(range(limbs)) for packet in job.packets)
    seeded: list[ProgramWord] = []
    if core.table.keccaks:
        # Two limbs of P that no other has, so that its words are known too.
        of_p = (254, 255)
        jobs = [_job(*each) for each in zip(sets, (limbs, limbs), of_p, strict=True)]
        values = zip(*map(_seed_values, sets, of_p), strict=True)
        known |= {(one[2], two[2]): one[:2] for one, two in values}
        # Commands are the same, so their order is.
        programs = [order.of(each.draft, each.units, each.seed) for each in jobs]
        head, *rest = _parted(programs, known)
        at_seed = len(VALUES) + SEED_VALUES.index("SEED")
        halves = [ProgramWord(0, at_seed, half) for half in range(_HALVES_OF_SEED)]
        seeded = [head, *halves, *rest[_HALVES_OF_SEED:]]
    packets = tuple(packet[1] for packet in job.packets)
    return Level(tuple(words), tuple(job.loaded), tuple(job.stored), packets, tuple(seeded))


def levels_of(core: RnsCore) -> list[Level]:
    """Those that the engine has the places, rows and summands for, from one limb on."""
    found: list[Level] = []
    for limbs in range(1, core.pipeline.places):
        try:
            found.append(level_of(core, limbs))
        except NttforgeError:
            break
    return found


def _load_of(core: RnsCore, words: int) -> list[int]:
    """The program that loads a modulus of so many words into place 0."""
    program = Program(core.table.rows, core.table.terms)
    program.modulus(0, words)
    return program.words()


def _slices(lists: Sequence[Sequence[object]]) -> list[tuple[int, int]]:
    """First and number of each list's items, behind each other."""
    starts = accumulate((len(each) for each in lists), initial=0)
    return [(start, len(each)) for start, each in zip(starts, lists, strict=False)]


def rns_driver(core: RnsCore) -> Files:
    """The driver of an engine: a header and a source; nothing, if it has the rows for no level."""
    name, levels, primes = core.name, levels_of(core), _primes(core)
    if not levels:
        return {}
    ring = ring_of(core.pipeline.design, primes[0])
    streams = ("loads", "stores", "packets")
    lists = {stream: [getattr(level, stream) for level in levels] for stream in streams}
    # Programs that expand keys are behind the others.
    programs = [level.words for level in levels]
    programs += [level.seeded for level in levels] if core.table.keccaks else []
    parts = _slices(programs)
    slices = [parts[: len(levels)], *(_slices(lists[stream]) for stream in streams)]
    slices += [parts[len(levels) :]] if core.table.keccaks else []
    variables: Mapping[str, object] = {
        **load_variables(name, core.pipeline, ring),
        "core": core,
        "lanes": core.lanes,
        "key_halves": HALVES,
        "errors": ERRORS,
        "values": (*VALUES, *SEED_VALUES) if core.table.keccaks else VALUES,
        "seeds": core.table.keccaks > 0,
        "load": _load_of(core, sum(1 for _ in core.pipeline.load_words(ring))),
        "tag": TAG,
        "example": (primes[0], primes[1], pow(primes[1], -1, primes[0])),
        "levels": list(zip(*slices, strict=True)),
        "words": [word for program in programs for word in program],
        **{stream: [item for each in lists[stream] for item in each] for stream in streams},
    }
    return {
        f"{name}_driver.h": ("rns_driver.h.j2", variables),
        f"{name}_driver.c": ("rns_driver.c.j2", variables),
    }
