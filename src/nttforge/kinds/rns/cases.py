# SPDX-License-Identifier: Apache-2.0
"""Cases of each operation: polynomials, keys and expected results, by the exact references."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from nttforge.kinds.rns import switching
from nttforge.kinds.rns.core import RnsCore
from nttforge.kinds.rns.machine import EngineKey, Machine, Outcome
from nttforge.kinds.rns.switching import Job, Row, Seeded
from nttforge.ring.primes import drawn_primes
from nttforge.standards import rns
from nttforge.standards.rns import CONVENTIONS, Basis, Convention, Lift, SwitchingKey
from nttforge.standards.rns.basis import Array
from nttforge.standards.rns.expansion import SEED_BYTES, expand
from nttforge.standards.rns.keys import uniform
from nttforge.standards.rns.switching import Pair

#: Plaintext moduli of cases; 0 for none.
_PLAINTEXTS = (0, 0, 65537, 2, 786433)


@dataclass(frozen=True)
class Shape:
    """Parameters of a case.

    - `operation`: its name.
    - `convention`: whose coefficients.
    - `level`: limbs of Q.
    - `whole`: those of the key.
    - `special`: limbs of P; they are the last places.
    - `digit_limbs`: limbs of a digit.
    - `t`: plaintext modulus, or 0; of a product it is a factor.
    - `g`: of a rotation.
    - `border`: integers are near half of their moduli; otherwise uniform.
    - `seeded`: half of the key is expanded by the engine.
    """

    operation: str
    convention: str = "lattigo"
    level: int = 1
    whole: int = 1
    special: int = 1
    digit_limbs: int = 1
    t: int = 0
    g: int = 1
    border: bool = False
    seeded: bool = False

    @property
    def q(self) -> range:
        """Places of Q at the level."""
        return range(self.level)

    def p(self, places: int) -> range:
        """Places of P."""
        return range(places - self.special, places)

    @property
    def lifts(self) -> Convention:
        """The convention."""
        return CONVENTIONS[self.convention]


@dataclass(frozen=True)
class Case:
    """Inputs, and expected results.

    - `shape`: its parameters.
    - `make`: enters the commands into a job.
    - `rows`: polynomials in, by number and place.
    - `expected`: polynomials out.
    - `key`: if it takes one: of polynomials.
    - `places`: of the key's limbs.
    - `seeded`: its uniform half, if the engine expands it.
    """

    shape: Shape
    make: Callable[[Job], None]
    rows: Mapping[Row, Array]
    expected: Mapping[Row, Array]
    key: SwitchingKey | None = None
    places: dict[int, int] = field(default_factory=dict)
    seeded: Seeded | None = None


def draw_moduli(core: RnsCore, rng: random.Random, least: int = 0) -> tuple[int, ...]:
    """Distinct primes of all widths for all places.

    - `least`: bits of the narrowest; by default as narrow as there are enough.
    """
    pipeline = core.pipeline
    return drawn_primes(pipeline.places, core.bits, pipeline.moduli.zeros, rng, least)


def draw_shape(core: RnsCore, rng: random.Random, operation: str) -> Shape:
    """A shape that the engine takes."""
    places, terms = core.pipeline.places, core.table.terms
    some = [n for n, c in CONVENTIONS.items() if c.permute_after or operation != "hoisted"]
    name = rng.choice(sorted(some))
    special = rng.randint(1, max(1, min(places - 1, terms - 1, 3)))
    whole = rng.randint(1, places - special)
    default = CONVENTIONS[name].digit_limbs or special
    width = rng.randint(1, min(whole, terms - 1)) if name == "openfhe" else default
    width = max(width, -(-whole // terms))
    level = rng.randint(1, whole)
    if operation in ("rescale", "mod_up"):
        level = whole = rng.randint(min(2, places), places)
        width = rng.randint(1, min(terms - 1, level - 1)) if operation == "mod_up" else 1
    plain = name == "seal" or operation in ("mod_up", "rotate", "hoisted")
    t = 0 if plain else rng.choice(_PLAINTEXTS)
    g = rng.choice((3, 5, 2 * core.n - 1, rng.randrange(2 * core.n) | 1))
    g = g if operation in ("rotate", "hoisted") else 1
    border = operation != "tensor" and rng.random() < 0.4
    switched = operation in ("key_switch", "relinearize", "rotate", "hoisted")
    seeded = switched and core.table.keccaks > 0 and rng.random() < 0.5
    return Shape(operation, name, level, whole, special, width, t, g, border, seeded)


def border_polynomial(rng: random.Random, groups: Sequence[Basis], n: int) -> Array:
    """Limbs of several bases: of each an integer near half of its modulus, or near 0."""
    limbs = []
    for basis in groups:
        whole = basis.product
        integers = np.array([_border(rng, whole, i) for i in range(n)], object)
        limbs.append(basis.residues(integers))
    return np.concatenate(limbs)


def _border(rng: random.Random, whole: int, number: int) -> int:
    base = (whole // 2, -(whole // 2), whole // 2 + 1, 0, whole // 3)[number % 5]
    offset = 1 << number // 5 % whole.bit_length()
    return base + rng.choice((-1, 0, 1)) * offset


def _groups(places: Sequence[int], moduli: Sequence[int], width: int) -> list[Basis]:
    chosen = [moduli[place] for place in places]
    return [Basis(tuple(chosen[i : i + width])) for i in range(0, len(chosen), width)]


def _drawn(shape: Shape, rng: random.Random, groups: Sequence[Basis], n: int) -> Array:
    if shape.border:
        return border_polynomial(rng, groups, n)
    return np.concatenate([uniform(rng, basis, n) for basis in groups])


def _by_place(number: int, places: Sequence[int], limbs: Array) -> dict[Row, Array]:
    return {(number, place): row for place, row in zip(places, limbs, strict=True)}


def _key(
    machine: Machine, shape: Shape, rng: random.Random, digits: int, places: Mapping[int, int]
) -> tuple[tuple[Pair, ...], Seeded | None]:
    """Uniform pairs of all digits, the second half from a seed if the shape has it so."""
    n, moduli = machine.core.n, machine.moduli
    both = Basis(tuple(moduli[place] for place in places.values()))
    pairs = tuple((uniform(rng, both, n), uniform(rng, both, n)) for _ in range(digits))
    if not shape.seeded:
        return pairs, None
    seed = rng.randbytes(SEED_BYTES)

    def half(digit: int) -> Array:
        rows = [
            machine.coefficients(place, expand(seed, digit, limb, moduli[place], n))
            for limb, place in places.items()
        ]
        return np.stack(rows)

    whole = tuple((b, half(digit)) for digit, (b, _) in enumerate(pairs))
    return whole, Seeded(seed, {place: limb for limb, place in places.items()})


def switching_case(machine: Machine, shape: Shape, rng: random.Random) -> Case:
    """Key switching, relinearization or rotation, with a uniform key."""
    n, moduli = machine.core.n, machine.moduli
    p_places = shape.p(len(moduli))
    q, p = Basis(moduli[: shape.whole]), Basis(tuple(moduli[i] for i in p_places))
    digits = -(-shape.whole // shape.digit_limbs)
    places = dict(enumerate([*range(shape.whole), *p_places]))
    pairs, seeded = _key(machine, shape, rng, digits, places)
    key = SwitchingKey(q, p, pairs, shape.digit_limbs, shape.lifts)
    c = _drawn(shape, rng, _groups(shape.q, moduli, shape.digit_limbs), n)
    rows = _by_place(0, shape.q, c)
    added = {"relinearize": 2, "rotate": 1}.get(shape.operation, 0)
    others = [uniform(rng, q.first(shape.level), n) for _ in range(added)]
    for number, other in enumerate(others, 1):
        rows |= _by_place(number, shape.q, other)
    if added == 2:
        pair = rns.relinearize((*others, c), key, t=shape.t)
    elif added == 1:
        pair = rns.rotate((others[0], c), shape.g, key)
    else:
        pair = rns.key_switch(c, key, t=shape.t)
    how = switching.Switch(
        shape.q, p_places, shape.digit_limbs, shape.lifts, shape.t, added, shape.g, seeded
    )

    def make(job: Job) -> None:
        switching.key_switch(job, how)

    expected = _by_place(0, shape.q, pair[0]) | _by_place(1, shape.q, pair[1])
    return Case(shape, make, rows, expected, key, places, seeded)


def hoisted_case(machine: Machine, shape: Shape, rng: random.Random) -> Case:
    """Two rotations of a ciphertext whose digits are raised once."""
    n, moduli = machine.core.n, machine.moduli
    p_places = shape.p(len(moduli))
    q, p = Basis(moduli[: shape.whole]), Basis(tuple(moduli[i] for i in p_places))
    stride, gs = -(-shape.whole // shape.digit_limbs), (shape.g, 3 * shape.g % (2 * n))
    places = dict(enumerate([*range(shape.whole), *p_places]))
    pairs, seeded = _key(machine, shape, rng, len(gs) * stride, places)
    key = SwitchingKey(q, p, pairs, shape.digit_limbs, shape.lifts)
    c = _drawn(shape, rng, _groups(shape.q, moduli, shape.digit_limbs), n)
    other = uniform(rng, q.first(shape.level), n)
    rows = _by_place(0, shape.q, c) | _by_place(1, shape.q, other)
    expected: dict[Row, Array] = {}
    for number, g in enumerate(gs):
        own = replace(key, pairs=pairs[number * stride : (number + 1) * stride])
        for half, limbs in enumerate(rns.rotate((other, c), g, own)):
            expected |= _by_place(2 * number + half, shape.q, limbs)
    how = switching.Switch(
        shape.q, p_places, shape.digit_limbs, shape.lifts, added=1, seeded=seeded
    )

    def make(job: Job) -> None:
        switching.hoisted(job, how, gs, stride)

    return Case(shape, make, rows, expected, key, places, seeded)


def batch_case(machine: Machine, shape: Shape, rng: random.Random, count: int) -> Case:
    """Several key switchings with one key, in one program."""
    first = switching_case(machine, shape, rng)
    assert first.key is not None
    rows, expected = dict(first.rows), dict(first.expected)
    for number in range(1, count):
        groups = _groups(shape.q, machine.moduli, shape.digit_limbs)
        c = _drawn(shape, rng, groups, machine.core.n)
        rows |= _by_place(number, shape.q, c)
        for half, limbs in enumerate(rns.key_switch(c, first.key, t=shape.t)):
            expected |= _by_place(2 * number + half, shape.q, limbs)
    p = shape.p(len(machine.moduli))
    how = switching.Switch(shape.q, p, shape.digit_limbs, shape.lifts, shape.t, seeded=first.seeded)

    def make(job: Job) -> None:
        switching.batch(job, how, count)

    return replace(first, make=make, rows=rows, expected=expected)


def rescale_case(machine: Machine, shape: Shape, rng: random.Random) -> Case:
    """Division by the last limb, rounded."""
    moduli = machine.moduli
    kept, dropped = shape.q[:-1], shape.q[-1:]
    groups = [Basis((moduli[place],)) for place in shape.q]
    x = _drawn(shape, rng, groups, machine.core.n)
    right = rns.rescale(x, Basis(tuple(moduli[i] for i in shape.q)), t=shape.t)

    def make(job: Job) -> None:
        switching.mod_down(job, kept, dropped, Lift.CENTRED, t=shape.t)

    return Case(shape, make, _by_place(0, shape.q, x), _by_place(0, kept, right))


def mod_down_case(machine: Machine, shape: Shape, rng: random.Random) -> Case:
    """Division by P."""
    moduli, lift = machine.moduli, shape.lifts.remainder
    places = [*shape.q, *shape.p(len(moduli))]
    q = Basis(tuple(moduli[i] for i in shape.q))
    p = Basis(tuple(moduli[i] for i in places[shape.level :]))
    x = _drawn(shape, rng, [q, p], machine.core.n)
    right = rns.divide(x, q, p, lift, shape.t)

    def make(job: Job) -> None:
        switching.mod_down(job, shape.q, places[shape.level :], lift, t=shape.t)

    return Case(shape, make, _by_place(0, places, x), _by_place(0, shape.q, right))


def mod_up_case(machine: Machine, shape: Shape, rng: random.Random) -> Case:
    """A digit modulo the other places."""
    moduli = machine.moduli
    group = shape.q[: shape.digit_limbs]
    others = shape.q[shape.digit_limbs :]
    basis, lift = Basis(tuple(moduli[i] for i in group)), shape.lifts.lift(len(group))
    x = _drawn(shape, rng, [basis], machine.core.n)
    integers = basis.integers(x, lift)
    right = np.stack([integers % moduli[place] for place in others])

    def make(job: Job) -> None:
        switching.mod_up(job, group, others, lift)

    return Case(shape, make, _by_place(0, group, x), _by_place(0, others, right))


def tensor_case(machine: Machine, shape: Shape, rng: random.Random) -> Case:
    """The product of two ciphertexts."""
    basis = Basis(machine.moduli[: shape.level])
    a0, a1, b0, b1 = (uniform(rng, basis, machine.core.n) for _ in range(4))
    rows: dict[Row, Array] = {}
    for number, limbs in enumerate((a0, a1, b0, b1)):
        rows |= _by_place(number, shape.q, limbs)
    expected: dict[Row, Array] = {}
    for number, limbs in enumerate(rns.tensor((a0, a1), (b0, b1), basis, times=shape.t or 1)):
        expected |= _by_place(number, shape.q, limbs)

    def make(job: Job) -> None:
        switching.tensor(job, shape.q, shape.t or 1)

    return Case(shape, make, rows, expected)


#: What an engine does, and a case of each.
OPERATIONS: Mapping[str, Callable[[Machine, Shape, random.Random], Case]] = {
    "key_switch": switching_case,
    "relinearize": switching_case,
    "rotate": switching_case,
    "hoisted": hoisted_case,
    "rescale": rescale_case,
    "mod_up": mod_up_case,
    "mod_down": mod_down_case,
    "tensor": tensor_case,
}


@dataclass(frozen=True)
class Finished:
    """A case that was run.

    - `outcome`: of the last run.
    - `near`: words that made a second run necessary.
    - `wrong`: of the first words that differ: (polynomial, place, coefficient).
    - `words`: compared.
    - `cycles`: of the first run.
    """

    outcome: Outcome
    near: int
    wrong: tuple[tuple[int, int, int], ...]
    words: int
    cycles: int


def run_case(
    machine: Machine, case: Case, *, pauses: float = 0, rng: random.Random | None = None
) -> Finished:
    """Run a case, and compare."""
    key = None
    if case.key is not None:
        key = EngineKey.of(machine, case.key, case.places, halved=case.seeded is not None)
    done = machine.compute(case.make, case.rows, key, pauses=pauses, rng=rng)
    wrong = tuple(
        (number, place, int(i))
        for (number, place), row in case.expected.items()
        for i in np.nonzero(done.rows[number, place] != row)[0][:1]
    )
    words = sum(len(row) for row in case.expected.values())
    return Finished(done.outcome, done.near, wrong, words, done.cycles)
