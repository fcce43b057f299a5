# SPDX-License-Identifier: Apache-2.0
"""Key switching as programs: digits, their conversion, sums with keys, and the division by P.

All that libraries do differently is in factors and initial values: see docs/key-switching.md.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from nttforge.kinds.rns.core import HALVES, RnsCore
from nttforge.kinds.rns.list_schedule import Order, Units, schedule
from nttforge.kinds.rns.program import By, Op, Program, Target, Term
from nttforge.standards.rns import Convention, Lift

#: Each result of a draft has one of its own.
_ROWS_OF_DRAFTS = 1 << 16
#: What a packet of the key stream has: the digits of a sum, of both halves each, and the limb.
Packet = tuple[tuple[int, ...], int]
#: A polynomial's number, and a place.
Row = tuple[int, int]


@dataclass(frozen=True)
class Limbs:
    """Moduli of a program, by the places that they are loaded in.

    - `core`: the engine.
    - `moduli`: by place.
    """

    core: RnsCore
    moduli: tuple[int, ...]

    def factor(self, place: int, value: int) -> int:
        """A factor modulo a place, as sums take it."""
        q = self.moduli[place]
        return value * self.core.scale % q


@dataclass(frozen=True)
class Digit:
    """A polynomial modulo the product D of some limbs, ready for conversion.

    - `rows`: y_i, by place: D / q_i times y_i, added up, is the integer, plus a multiple of D, plus
      h.
    - `whole`: the row of that multiple; None if there is none.
    - `added`: h.
    """

    rows: dict[int, int]
    whole: int | None
    added: int

    @property
    def all_rows(self) -> tuple[int, ...]:
        """Rows that it holds."""
        return (*self.rows.values(), *([] if self.whole is None else [self.whole]))


def addition(lift: Lift, modulus: int) -> int:
    """Offset added before the conversion, and subtracted after it, for a lift."""
    return {Lift.CENTRED: (modulus - 1) // 2, Lift.CENTRED_DOWN: (modulus + 1) // 2}.get(lift, 0)


def make_digit(
    program: Program,
    limbs: Limbs,
    rows: dict[int, int],
    lift: Lift,
    *,
    factor: Callable[[int], int] = lambda _: 1,
    exact: bool = False,
) -> Digit:
    """Prepare coefficients modulo some places for conversion.

    - `rows`: of coefficients, by place.
    - `lift`: the integer that they represent.
    - `factor`: initial factor, modulo each modulus.
    - `exact`: decide near words by their signs; otherwise the engine counts them.
    """
    places = list(rows)
    moduli = [limbs.moduli[place] for place in places]
    whole = prod(moduli)
    added = addition(lift, whole)

    def scaled(place: int, among: Sequence[int]) -> int:
        q = limbs.moduli[place]
        inverse = pow(prod(among) // q, -1, q)
        initial = added * inverse % q
        times = factor(q) * inverse % q
        term = Term(rows[place], limbs.factor(place, times))
        return program.sum(place, [term], initial)

    found = {place: scaled(place, moduli) for place in places}
    if len(places) == 1 or lift is Lift.UNCORRECTED:
        return Digit(found, None, added)
    sign: int | None = None
    for count in range(1, len(places)) if exact else ():
        some = {place: scaled(place, moduli[:count]) for place in places[:count]}
        before = sign
        sign = program.fraction(_fractions(limbs, some, before), sign=True)
    row = program.fraction(_fractions(limbs, found, sign))
    return Digit(found, row, added)


def _fractions(limbs: Limbs, rows: dict[int, int], sign: int | None) -> list[Term]:
    terms = []
    for place, row in rows.items():
        shift, factor = limbs.core.fractions.constant(limbs.moduli[place])
        terms.append(Term(row, factor, shift=shift))
    return terms if sign is None else [*terms, Term(sign, by=By.SIGN)]


def convert(program: Program, limbs: Limbs, digit: Digit, place: int, times: int = 1) -> int:
    """A digit times a number, modulo another place: a row of coefficients."""
    q = limbs.moduli[place]
    whole = prod(limbs.moduli[each] for each in digit.rows)
    terms = [
        Term(row, limbs.factor(place, whole // limbs.moduli[each] * times % q))
        for each, row in digit.rows.items()
    ]
    if digit.whole is not None:
        terms.append(Term(digit.whole, limbs.factor(place, -whole * times % q)))
    return program.sum(place, terms, -digit.added * times % q)


@dataclass
class Job:
    """A program, and what its streams are in order.

    - `limbs`: the engine and its moduli.
    - `draft`: its commands, in an order in which they hold few rows.
    - `loaded`, `stored`: of the data stream and of the output: (polynomial, place).
    - `packets`: of the key stream.
    - `exact`: see :func:`make_digit`.
    - `seed`: from which uniform halves of keys are expanded.
    """

    limbs: Limbs
    exact: bool = False
    seed: bytes | None = None
    draft: Program = field(init=False)
    loaded: list[Row] = field(default_factory=list)
    stored: list[Row] = field(default_factory=list)
    packets: list[Packet] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.draft = Program(_ROWS_OF_DRAFTS, self.limbs.core.table.terms)

    @cached_property
    def units(self) -> Units:
        """Of the engine."""
        core = self.limbs.core
        # Of a transform, of an inverse.
        codes = [core.pipeline.design.directions.index(name) for name in ("ntt", "intt")]
        gaps = core.pipeline.turnaround
        first, second = ((gaps[before][codes[0]], gaps[before][codes[1]]) for before in codes)
        return Units(
            core.table.rows,
            core.table.terms,
            {Op.CONVERT: core.targets, Op.SUM: HALVES},
            core.beats,
            core.banks,
            core.pipeline.latency(codes[1]),
            (first, second),
        )

    @cached_property
    def order(self) -> Order:
        """Of its commands, when all are there."""
        return schedule(self.draft, self.units)

    @cached_property
    def program(self) -> Program:
        """The program, when all commands are there."""
        return self.order.of(self.draft, self.units, self.seed)

    def load(self, polynomial: int, place: int) -> int:
        """A row of values."""
        self.loaded.append((polynomial, place))
        return self.draft.load()

    def store(self, row: int, polynomial: int, place: int) -> None:
        """A row of values."""
        self.stored.append((polynomial, place))
        self.draft.store(row)

    def digit(
        self,
        values: Mapping[int, int],
        lift: Lift,
        factor: Callable[[int], int] = lambda _: 1,
    ) -> Digit:
        """Value of rows modulo the product of their moduli, by place."""
        program = self.draft
        rows = {place: program.transform(place, row, inverse=True) for place, row in values.items()}
        digit = make_digit(program, self.limbs, rows, lift, factor=factor, exact=self.exact)
        return digit

    def raised(self, digit: Digit, place: int, times: int = 1) -> int:
        """Values of a digit times a number, modulo another place."""
        row = convert(self.draft, self.limbs, digit, place, times)
        values = self.draft.transform(place, row)
        return values

    def remainder(self, values: Mapping[int, int], lift: Lift, t: int, times: int = 1) -> Digit:
        """Value subtracted before a division by the moduli of some rows, which are a factor low."""
        digit = self.digit(values, lift, lambda q: times * (pow(t, -1, q) if t else 1))
        return digit

    def subtrahend(self, remainder: Digit, place: int, t: int) -> int:
        """Values of -r / P modulo a place."""
        q = self.limbs.moduli[place]
        return self.raised(remainder, place, -self._inverse(remainder, place) * (t or 1) % q)

    def _inverse(self, remainder: Digit, place: int) -> int:
        moduli = self.limbs.moduli
        return pow(prod(moduli[each] for each in remainder.rows), -1, moduli[place])

    def quotient(
        self,
        row: int,
        remainder: Digit,
        taken: int,
        place: int,
        *,
        times: int = 1,
        added: int | None = None,
        moved: int = 0,
    ) -> int:
        """The image under x -> x^moved of (x times - r) / P plus a row, modulo a place."""
        one = self.limbs.factor(place, 1)
        inverse = self.limbs.factor(place, self._inverse(remainder, place) * times)
        terms = [Term(row, inverse), Term(taken, one)]
        terms += [] if added is None else [Term(added, one)]
        quotient = self.draft.sum(place, terms, moved=moved)
        return quotient

    def image(self, row: int, place: int, g: int) -> int:
        """A row of values under x -> x^g."""
        moved = self.draft.sum(place, [Term(row, self.limbs.factor(place, 1))], moved=g)
        return moved


@dataclass(frozen=True)
class Seeded:
    """A key whose uniform half is expanded by the engine.

    - `seed`: see :func:`nttforge.standards.rns.expand`.
    - `limbs`: the number of each place's limb in the key.
    """

    seed: bytes
    limbs: Mapping[int, int]


@dataclass(frozen=True)
class Switch:
    """Parameters of a polynomial's key switching.

    - `q`, `p`: places of the limbs at the level, and of the special ones.
    - `digit_limbs`: limbs of Q per digit.
    - `convention`, `t`: see the references.
    - `added`: polynomials 1, 2, ... are added to the pair: none, one, or both for relinearization.
    - `g`: of a rotation: x -> x^g is applied before or after, as the convention has it; 1 for none.
    - `seeded`: if half of the key is expanded.
    """

    q: Sequence[int]
    p: Sequence[int]
    digit_limbs: int
    convention: Convention
    t: int = 0
    added: int = 0
    g: int = 1
    seeded: Seeded | None = None

    @property
    def before(self) -> int:
        """g of what is applied first, or 1."""
        return 1 if self.convention.permute_after else self.g

    @property
    def after(self) -> int:
        """g of what is applied last, or 0."""
        return self.g if self.convention.permute_after and self.g != 1 else 0

    @property
    def groups(self) -> list[Sequence[int]]:
        """Places of each digit."""
        starts = range(0, len(self.q), self.digit_limbs)
        return [self.q[start : start + self.digit_limbs] for start in starts]


def key_switch(job: Job, switch: Switch) -> None:
    """Polynomial 0 times s' as a pair under s, 0 and 1; in and out as values of transforms."""
    _switched(job, switch, [switch.after], 0)


def batch(job: Job, switch: Switch, count: int) -> None:
    """Several key switchings with one key, which overlap: each as :func:`key_switch`.

    The polynomials of number k are those from k (1 + `switch.added`) on, and 2 k and 2 k + 1 out.
    """
    for number in range(count):
        _switched(job, switch, [switch.after], 0, number)


def hoisted(job: Job, switch: Switch, gs: Sequence[int], stride: int) -> None:
    """Several rotations of polynomials 1 and 0: of number k as polynomials 2 k and 2 k + 1.

    Digits are raised once. Each rotation has `stride` digits of the key; those of number k are the
    ones from k `stride` on. `switch` is a convention that permutes last.
    """
    assert switch.convention.permute_after
    _switched(job, switch, [0 if g == 1 else g for g in gs], stride)


def _switched(job: Job, switch: Switch, moved: Sequence[int], stride: int, call: int = 0) -> None:
    """A pair for each of `moved`, whose digits of the key are `stride` apart, of one of several."""

    def loaded(number: int, place: int) -> int:
        row = job.load(number + call * (1 + switch.added), place)
        return row if switch.before == 1 else job.image(row, place, switch.before)

    seeded = switch.seeded
    # Expanded values are not premultiplied, so the sums of the second half are R times too low.
    times = [1] * HALVES
    if seeded is not None:
        job.seed, times[1] = seeded.seed, job.limbs.core.scale
    values = {place: loaded(0, place) for place in switch.q}
    digits = [
        job.digit({place: values[place] for place in group}, switch.convention.lift(len(group)))
        for group in switch.groups
    ]

    def inner(place: int) -> list[list[int]]:
        """Sums of digits and each key, modulo a place."""
        rows = [
            values[place] if place in digit.rows else job.raised(digit, place) for digit in digits
        ]
        sums = []
        for number in range(len(moved)):
            first = number * stride
            terms = [Term(row, by=By.KEY) for row in rows]
            if seeded is not None:
                limb = seeded.limbs[place]
                terms = [Term.seeded(row, first + i, limb, place) for i, row in enumerate(rows)]
            job.packets.append((tuple(range(first, first + len(digits))), place))
            sums.append(job.draft.sums([Target(place), Target(place)], terms, op=Op.SUM))
        return sums

    of_p = [inner(place) for place in switch.p]
    lift = switch.convention.remainder
    remainders = [
        [
            job.remainder(dict(zip(switch.p, half, strict=True)), lift, switch.t, times[number])
            for number, half in enumerate(zip(*sums, strict=True))
        ]
        for sums in zip(*of_p, strict=True)
    ]
    for place in switch.q:
        added: dict[int, int] = {}
        for number, sums in enumerate(inner(place)):
            for half, remainder in enumerate(remainders[number]):
                taken = job.subtrahend(remainder, place, switch.t)
                if half < switch.added and half not in added:
                    added[half] = loaded(1 + half, place)
                row = job.quotient(
                    sums[half],
                    remainder,
                    taken,
                    place,
                    times=times[half],
                    added=added.get(half),
                    moved=moved[number],
                )
                job.store(row, 2 * (call + number) + half, place)


def mod_up(job: Job, group: Sequence[int], others: Sequence[int], lift: Lift) -> None:
    """The integer that some limbs of polynomial 0 stand for, modulo other places."""
    digit = job.digit({place: job.load(0, place) for place in group}, lift)
    for place in others:
        job.store(job.raised(digit, place), 0, place)


def mod_down(job: Job, q: Sequence[int], p: Sequence[int], lift: Lift, *, t: int = 0) -> None:
    """Polynomial 0 divided by the product of the moduli in places p, which are dropped."""
    remainder = job.remainder({place: job.load(0, place) for place in p}, lift, t)
    for place in q:
        taken = job.subtrahend(remainder, place, t)
        job.store(job.quotient(job.load(0, place), remainder, taken, place), 0, place)


def tensor(job: Job, q: Sequence[int], times: int = 1) -> None:
    """The product of two ciphertexts, polynomials 0, 1 and 2, 3, times a number, as three."""
    program, limbs = job.draft, job.limbs
    for place in q:
        a = [job.load(polynomial, place) for polynomial in (0, 1)]
        b = [job.load(polynomial, place) for polynomial in (2, 3)]
        # A product divides by R.
        factor = limbs.factor(place, times * limbs.core.scale)
        scaled = [program.sum(place, [Term(row, factor)]) for row in b]
        for number, pairs in enumerate(([(0, 0)], [(0, 1), (1, 0)], [(1, 1)])):
            terms = [Term(a[i], scaled[j], By.ROW) for i, j in pairs]
            job.store(program.sum(place, terms, op=Op.SUM), number, place)
