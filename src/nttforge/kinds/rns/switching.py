# SPDX-License-Identifier: Apache-2.0
"""Key switching as programs: digits, their conversion, sums with keys, and the division by P.

All that libraries do differently is in factors and initial values: see docs/rns.md#key-switching.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod

from nttforge.kinds.rns.build import RnsCore
from nttforge.kinds.rns.program import By, Program, Term
from nttforge.standards.rns import Convention, Lift

#: What a packet of the key stream has: the digits of a sum, half of the key, and the limb.
Packet = tuple[tuple[int, ...], int, int]


@dataclass(frozen=True)
class Limbs:
    """Moduli of a program, by the places that they are loaded in.

    Attributes
    ----------
    core
        The engine.
    moduli
        By place.
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

    Attributes
    ----------
    rows
        y_i, by place: D / q_i times y_i, added up, is the integer, plus a multiple of D, plus h.
    whole
        The row of that multiple; None if there is none.
    added
        h.
    """

    rows: dict[int, int]
    whole: int | None
    added: int

    @property
    def all_rows(self) -> tuple[int, ...]:
        """Rows that it holds."""
        return (*self.rows.values(), *([] if self.whole is None else [self.whole]))


def addition(lift: Lift, modulus: int) -> int:
    """What is added in front of the conversion, and subtracted behind it, for a lift."""
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

    Parameters
    ----------
    rows
        Of coefficients, by place.
    lift
        Which integer they stand for.
    factor
        What they are multiplied by first, modulo each modulus.
    exact
        Tell near words by their signs; otherwise the engine counts them.
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
        program.release(*some.values(), *([] if before is None else [before]))
    row = program.fraction(_fractions(limbs, found, sign))
    if sign is not None:
        program.release(sign)
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
class Switching:
    """A program of key switching, and what its streams are in order.

    Attributes
    ----------
    program
        The program.
    packets
        Of the key stream.
    stored
        Of the output: (polynomial, place).
    """

    program: Program
    packets: list[Packet] = field(default_factory=list)
    stored: list[tuple[int, int]] = field(default_factory=list)


def key_switch(
    limbs: Limbs,
    q: Sequence[int],
    p: Sequence[int],
    digit_limbs: int,
    convention: Convention,
    *,
    t: int = 0,
    exact: bool = False,
) -> Switching:
    """A polynomial times s' as a pair under s; in and out as values of transforms.

    Parameters
    ----------
    limbs
        The engine and its moduli.
    q, p
        Places of the limbs at the level, and of the special ones.
    digit_limbs
        Limbs of Q a digit.
    convention, t, exact
        See the references, and :func:`make_digit`.
    """
    program = Program(limbs.core.table.rows)
    found = Switching(program)
    values = {place: program.load() for place in q}
    digits = []
    for start in range(0, len(q), digit_limbs):
        group = q[start : start + digit_limbs]
        rows = {place: program.transform(place, values[place], inverse=True) for place in group}
        lift = convention.lift(len(group))
        digits.append(make_digit(program, limbs, rows, lift, exact=exact))
        program.release(*rows.values())

    def inner(place: int) -> list[int]:
        """Sums of digits and keys, modulo a place."""
        raised = []
        for digit in digits:
            if place in digit.rows:
                raised.append(values[place])
                continue
            row = convert(program, limbs, digit, place)
            raised.append(program.transform(place, row))
            program.release(row)
        sums = []
        for half in range(2):
            sums.append(program.sum(place, [Term(row, by=By.KEY) for row in raised]))
            found.packets.append((tuple(range(len(digits))), half, place))
        program.release(*(row for row in raised if row not in values.values()))
        return sums

    of_p = {place: inner(place) for place in p}
    remainders = [
        _remainder(
            program,
            limbs,
            {place: of_p[place][half] for place in p},
            convention.remainder,
            t,
            exact=exact,
        )
        for half in range(2)
    ]
    for place in q:
        sums = inner(place)
        for half, remainder in enumerate(remainders):
            divide(program, limbs, sums[half], remainder, place, t)
            found.stored.append((half, place))
    return found


def _remainder(
    program: Program,
    limbs: Limbs,
    values: dict[int, int],
    lift: Lift,
    t: int,
    *,
    exact: bool,
) -> Digit:
    """What is subtracted before a division, of the values of the limbs that are divided by."""
    rows = {place: program.transform(place, row, inverse=True) for place, row in values.items()}
    program.release(*values.values())
    digit = make_digit(
        program, limbs, rows, lift, factor=lambda q: pow(t, -1, q) if t else 1, exact=exact
    )
    program.release(*rows.values())
    return digit


def divide(program: Program, limbs: Limbs, row: int, remainder: Digit, place: int, t: int) -> None:
    """Store (x - r) / P modulo a place, of a row of values x, which is released."""
    q = limbs.moduli[place]
    inverse = pow(prod(limbs.moduli[each] for each in remainder.rows), -1, q)
    taken = convert(program, limbs, remainder, place, -inverse * (t or 1) % q)
    values = program.transform(place, taken)
    terms = [Term(row, limbs.factor(place, inverse)), Term(values, limbs.factor(place, 1))]
    quotient = program.sum(place, terms)
    program.release(taken, values, row)
    program.store(quotient)
    program.release(quotient)


def rescale(limbs: Limbs, q: Sequence[int], *, t: int = 0, exact: bool = False) -> Switching:
    """Divide by the last limb, rounded, and drop it."""
    program = Program(limbs.core.table.rows)
    found = Switching(program)
    last = q[-1]
    remainder = _remainder(program, limbs, {last: program.load()}, Lift.CENTRED, t, exact=exact)
    for place in q[:-1]:
        divide(program, limbs, program.load(), remainder, place, t)
        found.stored.append((0, place))
    return found
