# SPDX-License-Identifier: Apache-2.0
"""Operations of the engine as functions of polynomials: all moduli and levels at run time.

All arguments are checked before moduli are loaded, so a call that is refused has changed nothing.
Polynomials are limbs of coefficients, of shape (limbs, n).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.errors import NttforgeError
from nttforge.kinds.rns import switching
from nttforge.kinds.rns.machine import EngineKey, Machine
from nttforge.kinds.rns.switching import Job, Row, Seeded
from nttforge.kinds.stream.loaded import ring_of
from nttforge.ring.transform import intt
from nttforge.standards.rns import Basis, Lift, SwitchingKey, convention
from nttforge.standards.rns.basis import Array
from nttforge.standards.rns.expansion import SEED_BYTES, expand


def _polynomial(machine: Machine, name: str, limbs: npt.ArrayLike, moduli: Sequence[int]) -> Array:
    """Limbs, checked.

    Raises NttforgeError (`name`) if the shape differs, or a word is not a residue.
    """
    array = np.array(limbs, dtype=object)
    if array.shape != (len(moduli), machine.core.n):
        wanted = f"use {len(moduli)} limbs of {machine.core.n} coefficients"
        raise NttforgeError(name, f"has the shape {array.shape}", wanted)
    for row, q in zip(array, moduli, strict=True):
        if not all(isinstance(word, int) and 0 <= word < q for word in row.tolist()):
            raise NttforgeError(name, f"has words that are no residues modulo {q}", "reduce them")
    return array


def _with_moduli(machine: Machine, moduli: Sequence[int]) -> None:
    """Load them, unless they are there.

    Raises NttforgeError (`moduli`) if there are too many, or one is illegal.
    """
    places = machine.core.pipeline.places
    if len(moduli) > places:
        raise NttforgeError("moduli", f"{len(moduli)} are too many", f"use {places} or fewer")
    if machine.moduli[: len(moduli)] != tuple(Basis(tuple(moduli)).moduli):
        machine.load(moduli)


def _computed(
    machine: Machine,
    make: Callable[[Job], None],
    rows: Mapping[Row, Array],
    key: EngineKey | None = None,
) -> list[Array]:
    """Polynomials out, in order."""
    done = machine.compute(make, rows, key)
    if done.outcome.errors:
        raise NttforgeError("engine", f"errors: {', '.join(done.outcome.errors)}", "report this")
    numbers = sorted({number for number, _ in done.rows})
    return [
        np.stack([row for (each, _), row in sorted(done.rows.items()) if each == number])
        for number in numbers
    ]


def _rows(number: int, limbs: Array, first: int = 0) -> dict[Row, Array]:
    return {(number, first + place): row for place, row in enumerate(limbs)}


@dataclass(frozen=True, kw_only=True)
class KeySwitch:
    """A switching key.

    - `q`, `p`: all moduli of Q, and those of P.
    - `key`: of each digit (b, a), limbs of Q and P; with a seed b alone.
    - `digit_limbs`: limbs of a digit.
    - `library`: the library whose convention is used.
    - `seed`: 32 bytes, or their hexadecimal digits: each a is expanded from it, by the engine if it
      has Keccaks; see :func:`nttforge.standards.rns.expand`. Digits of several keys are numbered
      through.
    """

    q: Sequence[int]
    p: Sequence[int]
    key: Any
    digit_limbs: int = 1
    library: str = "lattigo"
    seed: bytes | str | None = None

    @property
    def seed_bytes(self) -> bytes | None:
        """The seed.

        Raises NttforgeError (`seed`) if it is not 32 bytes.
        """
        try:
            seed = bytes.fromhex(self.seed) if isinstance(self.seed, str) else self.seed
        except ValueError:
            seed = b""
        if seed is not None and len(seed) != SEED_BYTES:
            raise NttforgeError("seed", f"is not {SEED_BYTES} bytes", "use 64 hexadecimal digits")
        return seed

    def checked(self, machine: Machine, first: int = 0) -> SwitchingKey:
        """The key of the references, both halves of it; `first`: number of its first digit."""
        both = (*self.q, *self.p)
        seed, design = self.seed_bytes, machine.core.pipeline.design

        def limbs(half: Any) -> Array:
            return _polynomial(machine, "key", half, both)

        def expanded(digit: int, limb: int, q: int) -> Array:
            values = expand(seed or b"", first + digit, limb, q, machine.core.n)
            return intt(ring_of(design, q), values).astype(object)

        def second(digit: int) -> Array:
            return np.stack([expanded(digit, limb, q) for limb, q in enumerate(both)])

        if seed is None:
            pairs = tuple((limbs(b), limbs(a)) for b, a in self.key)
        else:
            pairs = tuple((limbs(b), second(digit)) for digit, b in enumerate(self.key))
        q, p = Basis(tuple(self.q)), Basis(tuple(self.p))
        return SwitchingKey(q, p, pairs, self.digit_limbs, convention(self.library))

    def seeded(self, machine: Machine) -> Seeded | None:
        """What the engine expands, whose places have Q, then P; None without Keccaks or a seed."""
        seed = self.seed_bytes
        if seed is None or not machine.core.table.keccaks:
            return None
        return Seeded(seed, {place: place for place in range(len(self.q) + len(self.p))})


def key_switch(
    machine: Machine, c: npt.ArrayLike, *, t: int = 0, add: Any = None, **key: Any
) -> list[Array]:
    """A polynomial times s' as a pair under s; `add`, a pair, is added to it.

    - `c`: limbs of the first level + 1 moduli of Q.
    - `t`: see :func:`nttforge.standards.rns.key_switch`.
    - `key`: see :class:`KeySwitch`.
    """
    return _switched(machine, c, tuple(add or ()), KeySwitch(**key), t=t)


def key_switches(
    machine: Machine, cs: Sequence[npt.ArrayLike], *, t: int = 0, **key: Any
) -> list[Array]:
    """Several polynomials of one level, with one key and in one program: a pair each, in order.

    The same coefficients as of :func:`key_switch`, in less time, since the calls overlap.

    Raises NttforgeError (`cs`) if it is empty, or levels differ.
    """
    given = KeySwitch(**key)
    levels = {len(np.array(c, dtype=object)) for c in cs}
    if len(levels) != 1:
        hint = "give one or more polynomials of one level"
        raise NttforgeError("cs", f"has polynomials of {len(levels)} levels", hint)
    q, p = given.q, given.p
    whole = given.checked(machine)
    (level,) = levels
    _check_level(level, given, len(whole.pairs))
    rows: dict[Row, Array] = {}
    for number, c in enumerate(cs):
        rows |= _rows(number, _polynomial(machine, "cs", c, q[:level]))
    _with_moduli(machine, (*q, *p))
    special, seeded = range(len(q), len(q) + len(p)), given.seeded(machine)
    how = switching.Switch(
        range(level), special, given.digit_limbs, whole.convention, t, seeded=seeded
    )

    def make(job: Job) -> None:
        switching.batch(job, how, len(cs))

    return _computed(machine, make, rows, _engine_key(machine, whole, seeded))


def _engine_key(machine: Machine, whole: SwitchingKey, seeded: Seeded | None) -> EngineKey:
    places = dict(enumerate(range(len(whole.q.moduli) + len(whole.p.moduli))))
    return EngineKey.of(machine, whole, places, halved=seeded is not None)


def rotate(machine: Machine, pair: Any, g: int, **key: Any) -> list[Array]:
    """A ciphertext's image under x -> x^g, for an odd g; see :func:`nttforge.standards.rns.rotate`.

    Raises NttforgeError (`g`) if it is even, or outside of 1 to 2n - 1.
    """
    _check_rotation(machine, g)
    c0, c1 = pair
    return _switched(machine, c1, (c0,), KeySwitch(**key), gs=(g,))


def hoisted(
    machine: Machine, pair: Any, gs: Sequence[int], *, keys: Sequence[Any], **key: Any
) -> list[Array]:
    """Images of a ciphertext under x -> x^g for several g: its digits are raised once for all.

    The same coefficients as of :func:`rotate`, one pair behind the other.

    - `gs`: odd, one for each of the keys.
    - `keys`: as `key` of :class:`KeySwitch`.
    - `key`: its other attributes.

    Raises NttforgeError (`gs`) if one is not a rotation, or their number is not that of the keys,
    (`library`) if it permutes before it switches.
    """
    if not gs or len(gs) != len(keys):
        problem = f"{len(gs)} rotations have {len(keys)} keys"
        raise NttforgeError("gs", problem, "give one of each, or several")
    for g in gs:
        _check_rotation(machine, g)
    given = [KeySwitch(key=each, **key) for each in keys]
    library = convention(given[0].library)
    if not library.permute_after:
        problem = f"{library.name} permutes before it takes digits"
        raise NttforgeError("library", problem, "use rotate, or another convention")
    stride = len(keys[0])
    whole = [each.checked(machine, number * stride) for number, each in enumerate(given)]
    if any(len(each.pairs) != stride for each in whole):
        raise NttforgeError("keys", "have different numbers of digits", "use keys of one Q")
    both = replace(whole[0], pairs=tuple(pair for each in whole for pair in each.pairs))
    c0, c1 = pair
    return _switched(machine, c1, (c0,), given[0], both, gs=gs, stride=stride)


def _check_rotation(machine: Machine, g: int) -> None:
    if g % 2 == 0 or not 0 < g < 2 * machine.core.n:
        hint = f"use an odd number below {2 * machine.core.n}"
        raise NttforgeError("g", f"{g} is no rotation", hint)


def _check_level(level: int, given: KeySwitch, digits: int) -> None:
    if not 0 < level <= len(given.q):
        raise NttforgeError("c", f"has {level} limbs", f"use 1 to {len(given.q)}")
    if -(-level // given.digit_limbs) > digits:
        raise NttforgeError("key", f"has {digits} digits", "they are too few for c")


def _switched(
    machine: Machine,
    c: Any,
    added: Sequence[Any],
    given: KeySwitch,
    whole: SwitchingKey | None = None,
    *,
    t: int = 0,
    gs: Sequence[int] = (1,),
    stride: int = 0,
) -> list[Array]:
    q, p = given.q, given.p
    whole = whole or given.checked(machine)
    level = len(np.array(c, dtype=object))
    _check_level(level, given, stride or len(whole.pairs))
    rows = _rows(0, _polynomial(machine, "c", c, q[:level]))
    for number, other in enumerate(added, 1):
        rows |= _rows(number, _polynomial(machine, "add", other, q[:level]))
    _with_moduli(machine, (*q, *p))
    special = range(len(q), len(q) + len(p))
    seeded = given.seeded(machine)
    how = switching.Switch(
        range(level), special, given.digit_limbs, whole.convention, t, len(added), gs[0], seeded
    )

    def make(job: Job) -> None:
        if stride:
            switching.hoisted(job, how, gs, stride)
        else:
            switching.key_switch(job, how)

    return _computed(machine, make, rows, _engine_key(machine, whole, seeded))


def rescale(machine: Machine, c: npt.ArrayLike, q: Sequence[int], t: int = 0) -> list[Array]:
    """A polynomial divided by the last modulus, rounded; `t` as in :func:`key_switch`."""
    if len(q) < 2:
        raise NttforgeError("q", "has one modulus", "rescaling drops the last of two or more")
    rows = _rows(0, _polynomial(machine, "c", c, q))
    _with_moduli(machine, q)
    kept, dropped = range(len(q) - 1), range(len(q) - 1, len(q))

    def make(job: Job) -> None:
        switching.mod_down(job, kept, dropped, Lift.CENTRED, t=t)

    return _computed(machine, make, rows)


def tensor(machine: Machine, a: Any, b: Any, q: Sequence[int], times: int = 1) -> list[Array]:
    """The product of two ciphertexts, pairs of polynomials, as three.

    - `times`: a factor of all three: lattigo's BGV multiplies by its plaintext modulus.
    """
    rows: dict[Row, Array] = {}
    for number, limbs in enumerate((*a, *b)):
        rows |= _rows(number, _polynomial(machine, "ab"[number // 2], limbs, q))
    _with_moduli(machine, q)

    def make(job: Job) -> None:
        switching.tensor(job, range(len(q)), times)

    return _computed(machine, make, rows)


#: By name; the machine is the first argument.
FUNCTIONS: Mapping[str, Callable[..., list[Array]]] = {
    "key_switch": key_switch,
    "key_switches": key_switches,
    "rotate": rotate,
    "hoisted": hoisted,
    "rescale": rescale,
    "tensor": tensor,
}
