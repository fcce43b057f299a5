# SPDX-License-Identifier: Apache-2.0
"""Splits a transform into digits, and the digits into rounds."""

from contextlib import suppress
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache

from nttforge.errors import NttforgeError
from nttforge.kinds.decomposed.shape import FIELD, Shape


class Field(IntEnum):
    """A field of a group's index; ntf_decomposed_pkg::field_e."""

    P = 0
    C = 1
    R = 2


class Order(IntEnum):
    """Order of words before and after: natural, to bit-reversed, and back (in place)."""

    NATURAL = 0
    TO_REVERSED = 1
    FROM_REVERSED = 2


class Way(IntEnum):
    """Fields that a walk of memory counts, fastest first; ntf_decomposed_pkg::way_e.

    R is straight without c, P with p reversed; P_C_R_C and P_R are mirrored.
    """

    P_C_R = 0
    P_R_C = 1
    R_C_P_C = 2
    R_P = 3
    P_C_R_C = 4
    P_R = 5


@dataclass(frozen=True)
class Side:
    """Loading or unloading of a round's groups; ntf_decomposed_pkg::side_t, field by field.

    - `way`: the order of the fields.
    - `burst`, `unit`: log2 of the words of a burst (lb, ub on the page), of the beats of a unit.
    - `skip`, `rest`: bits of a burst outside of its lanes' field, and what they leave of the next.
    - `low`: bits of c that a straight walk counts before p.
    - `shift_p`, `shift_c`, `shift_r`: shifts of the fields in an address in words, with FRACTION
      bits below the point.
    - `pad`: high bits of the first digit that are 0 in all words read; of a job, not of a round.
    """

    way: Way = Way.P_C_R
    burst: int = 0
    skip: int = 0
    rest: int = 0
    low: int = 0
    unit: int = 0
    shift_p: int = 0
    shift_c: int = 0
    shift_r: int = 0
    pad: int = 0


FRACTION = 8
"""ntf_walk_pkg::FractW: a reversed field stands with its top where it is to be shifted to."""


@dataclass(frozen=True)
class Round:
    """One round of a transform; ntf_decomposed_pkg::round_t, field by field.

    - `size`: log2 of the transform.
    - `last`: it is the last one.
    - `keyed`: K depends on p: the round is of kind L, else of kind F.
    - `fits`: it is the first one of a transform in its memory's place, and has a pass along p as
      well.
    - `mirror_in`, `mirror_out`: it reads, and writes, by the mirrored address.
    - `still`: there is no pass along r: a group is 2^mr parts that have nothing to do with each
      other.
    - `mp`, `mc`, `mr`: bits of the fields p, c, r.
    - `kappa`: bits that are transformed before the c pass.
    - `slots`: log2 of the buffer's slots: 1, or 2 for groups that leave an index bit unused.
    - `slot_field`, `slot_bit`: the unused bit in which the upper bit of a slot's number stands (0,
      0 if slots = 1).
    - `beats`: log2 of the beats of a group.
    - `split`: low bits of K that table A2 has; B has the others, where no kc needs it.
    - `load`, `unload`: what follows from all this for either side.
    """

    size: int
    last: bool
    keyed: bool
    fits: bool
    mirror_in: bool
    mirror_out: bool
    still: bool
    mp: int
    mc: int
    mr: int
    kappa: int
    slots: int
    slot_field: Field
    slot_bit: int
    beats: int = 0
    split: int = 0
    load: Side = Side()
    unload: Side = Side()

    @property
    def group(self) -> int:
        """log2 of the words of a group."""
        return self.mp + self.mc + self.mr

    @property
    def part(self) -> int:
        """log2 of the words of a part of a group that is transformed on its own."""
        return self.group - (self.mr if self.still else 0)

    @property
    def groups(self) -> int:
        """Groups of a transform."""
        return 1 << (self.size - self.group)

    @property
    def bits(self) -> tuple[int, int, int]:
        """Bits of the fields p, c, r."""
        return self.mp, self.mc, self.mr

    @property
    def order_b(self) -> int:
        """log2 of the order of the factors of table B."""
        return self.mc + self.mr if self.mc else self.kappa + self.mr - self.split

    @property
    def along(self) -> bool:
        """Bursts go along p on both sides, as always in kind F."""
        return not self.fits and (self.mirror_in or not self.keyed)

    @property
    def most_pad(self) -> int:
        """Of a forward transform's first round: bits of the first digit that are in no burst."""
        if not self.fits:
            return self.mc
        return self.mp if self.mc else self.load.rest

    @property
    def key_bits(self) -> int:
        """Bits of a group's number that are K's."""
        return self.kappa - self.mp if self.keyed else self.kappa

    @property
    def low_bits(self) -> int:
        """Bits of a group's number that are none of K's."""
        return self.size - self.kappa - self.mc - self.mr - (0 if self.keyed else self.mp)

    @property
    def passes(self) -> tuple[Field, ...]:
        """Fields along which a group is transformed, in that order."""
        along_r = self.mr > 0 and not self.still
        fields = ((Field.P, self.fits), (Field.C, self.mc > 0), (Field.R, along_r))
        return tuple(field for field, used in fields if used)


def padded(at: Round, padding: int) -> Round:
    """A first round whose source has one word for 2^padding of the transform, the first ones."""
    return replace(at, load=replace(at.load, pad=padding)) if padding else at


def _split(bits: int, parts: int) -> tuple[int, ...]:
    """Split into as equal parts as can be, the larger ones first."""
    return tuple(bits // parts + (i < bits % parts) for i in range(parts))


def _parts(shape: Shape, size: int) -> tuple[int, ...]:
    if size > shape.fits:
        parts = _split(size, -(-size // shape.digit))
        return parts[::-1] if shape.rising else parts
    return _fitting(shape, size, 2 if size <= shape.first + shape.digit else 3)


def _fitting(shape: Shape, size: int, count: int) -> tuple[int, ...]:
    """`count` digits; the first one may be longer than any other, and is where they need that."""
    others = count - 1
    first = min(shape.first, max(-(-size // count), size - others * shape.digit))
    return first, *_split(size - first, others)


def digits(shape: Shape, size: int) -> tuple[int, ...]:
    """Sizes of the digits of an index of `size` bits, the highest one first."""
    parts = _parts(shape, size)
    if size < least_size(shape) or min(parts) < _least_digit(shape):
        raise NttforgeError(
            "size",
            f"2^{size} is too small for beats of {1 << shape.t} words and a kernel of "
            f"{1 << shape.v} points",
            f"use 2^{least_size(shape)} or more",
        )
    return parts


def _least_digit(shape: Shape) -> int:
    """A digit fills a beat, and leaves no more batch bits than a beat has."""
    return max(shape.t, shape.v - shape.t)


@cache
def least_size(shape: Shape) -> int:
    """log2 of the smallest transform from which on there is a decomposition of every size."""
    size = shape.fits
    while min(_parts(shape, size)) >= _least_digit(shape):
        size -= 1
    return size + 1


def rounds(shape: Shape, size: int, order: Order = Order.NATURAL) -> tuple[Round, ...]:
    """The rounds of a transform of 2^size words."""
    parts = digits(shape, size)
    if size <= shape.fits:
        mp, mc, mr = parts if len(parts) == 3 else (parts[0], 0, parts[1])
        mirrors = (order is Order.FROM_REVERSED, order is not Order.TO_REVERSED)
        return (_round(shape, size, (mp, mc, mr), kappa=mp, fits=True, mirrors=mirrors),)
    if order is Order.FROM_REVERSED:
        return _mirrored(shape, size)
    # The odd digit comes first, in groups that are as large as those of a later round.
    result, kappa = [], 0
    head = parts[: len(parts) - 2]
    if len(head) % 2:
        mr = min(shape.digit, size - head[0] - shape.p)
        result.append(_round(shape, size, (shape.p, head[0], mr), kappa=0, still=True))
        kappa = head[0]
    for mc, mr in zip(head[len(head) % 2 :: 2], head[len(head) % 2 + 1 :: 2], strict=True):
        result.append(_round(shape, size, (shape.p, mc, mr), kappa=kappa))
        kappa += mc + mr
    mc, mr = parts[-2:]
    mirrors = (False, order is Order.NATURAL)
    bits = (shape.p, mc, mr)
    result.append(_round(shape, size, bits, kappa=kappa, keyed=True, mirrors=mirrors))
    if kappa < shape.p or sum(parts[-2:]) < shape.p:
        raise _too_long(shape, size)
    return tuple(result)


def _mirrored(shape: Shape, size: int) -> tuple[Round, ...]:
    """Rounds from bit-reversed order: first transforms of words that are together, in place."""
    count = 1 + -(-(size - shape.first) // shape.digit)
    first, *_ = parts = _fitting(shape, size, count)
    # An odd digit makes the first round's groups longer, and saves a round.
    mc, mr = (parts[1], parts[2]) if count % 2 else (0, parts[1])
    bits, kappa = (first, mc, mr), first
    result = [_round(shape, size, bits, kappa=kappa, fits=True, mirrors=(True, True))]
    kappa += mc + mr
    if kappa < shape.p or min(parts) < _least_digit(shape):
        raise _too_long(shape, size)
    rest = parts[2 + count % 2 :]
    for mc, mr in zip(rest[::2], rest[1::2], strict=True):
        bits = (shape.p, mc, mr)
        result.append(_round(shape, size, bits, kappa=kappa, keyed=True, mirrors=(True, True)))
        kappa += mc + mr
    return tuple(result)


def _too_long(shape: Shape, size: int) -> NttforgeError:
    return NttforgeError(
        "decomposed.b",
        f"bursts of {1 << shape.p} words do not fit the digits of 2^{size} points",
        "use another b",
    )


def all_rounds(shape: Shape, largest: int) -> tuple[tuple[tuple[Round, ...], ...], ...]:
    """The rounds of every order, and of every size of it from the least to 2^largest."""
    try:
        return _of_all_sizes(shape, largest)
    except NttforgeError:
        key, hint = _remedy(shape, largest)
        raise NttforgeError(
            f"decomposed.{key}",
            f"with digits of up to {shape.digit} bits and bursts of {1 << shape.p} words some "
            f"sizes up to 2^{largest} fall into no rounds",
            hint,
        ) from None


def _remedy(shape: Shape, largest: int) -> tuple[str, str]:
    """The key to change, and to what: the nearest digit, burst or kernel that does, or less."""
    at, digits = shape, range(shape.digit + 1, shape.v + 1)
    bursts = (*range(at.b - 1, 0, -1), *range(at.b + 1, FIELD - at.t + 1))
    kernels = (*range(at.v - 1, at.t + 1, -1), *range(at.v + 1, FIELD + 1))
    changes = (
        *(({"d": d}, "digit", f"use {d}") for d in digits),
        *(({"b": b}, "b", f"use {1 << b}") for b in bursts),
        *(({"b": b, "d": 0}, "b", f"use {1 << b} and leave digit out") for b in bursts),
        *(({"v": v, "d": 0}, "n", f"use {1 << v} and no digit") for v in kernels),
    )
    for change, key, hint in changes:
        with suppress(NttforgeError):
            if all(_of_all_sizes(replace(shape, **change), largest)):
                return key, hint
    return "l_max", "use less"


def _of_all_sizes(shape: Shape, largest: int) -> tuple[tuple[tuple[Round, ...], ...], ...]:
    sizes = range(least_size(shape), largest + 1)
    return tuple(tuple(rounds(shape, size, order) for size in sizes) for order in Order)


def _round(
    shape: Shape,
    size: int,
    bits: tuple[int, int, int],
    *,
    kappa: int,
    keyed: bool = False,
    fits: bool = False,
    mirrors: tuple[bool, bool] = (False, False),
    still: bool = False,
) -> Round:
    mp, mc, mr = bits
    slots, where, bit = 1, Field.P, 0
    # Any bit that the group leaves unused will do; the r field is looked at first.
    for name, used, limit in (
        (Field.R, mr, shape.digit),
        (Field.C, mc, shape.digit),
        (Field.P, mp, shape.p),
    ):
        if used < limit:
            slots, where, bit = 2, name, limit - 1
            break
    last = not still and kappa + mc + mr == size
    kind = (last, keyed or fits, fits, *mirrors, still)
    split = (mp + 1) // 2 if kind[1] and not mc else mp
    bare = Round(size, *kind, mp, mc, mr, kappa, slots, where, bit, sum(bits) - shape.t, split)
    return replace(bare, load=_load(shape, bare), unload=_unload(shape, bare))


def _load(shape: Shape, at: Round) -> Side:
    side = _side(shape, at, at.mirror_in)
    if at.along:
        return replace(side, way=Way.P_C_R, unit=at.mc + at.mp - shape.t)
    return side if at.fits else replace(side, low=at.mc, unit=at.mc + at.mr - shape.t)


def _unload(shape: Shape, at: Round) -> Side:
    side = _side(shape, at, at.mirror_out)
    if at.along:
        way, inner = (Way.P_C_R, at.mc) if at.still else (Way.P_R_C, at.mr)
        return replace(side, way=way, unit=at.mp + inner - shape.t)
    return side


def _side(shape: Shape, at: Round, mirror: bool) -> Side:
    """Bursts go along their lanes' field, and what they lack of it along the next one."""
    first, second = (at.mp, at.mc or at.mr) if mirror else (at.mr, at.mc or at.mp)
    burst = shape.p if at.along else min(shape.p, first + second)
    skip = max(0, burst - first)
    unit = at.mp + at.mr + min(skip, at.mc) - shape.t
    if not at.keyed:
        below = at.size - at.kappa - at.mc + FRACTION
        shifts = FRACTION, below, below - at.mr
    elif mirror:
        shifts = FRACTION, at.kappa + at.mc, at.kappa + at.mc + at.mr
    else:
        shifts = at.size, at.mr + FRACTION, FRACTION
    ways = (Way.P_C_R_C, Way.P_R) if mirror else (Way.R_C_P_C, Way.R_P)
    way = ways[0] if at.mc else ways[1]
    return Side(way, burst, skip, max(0, second - skip), skip, unit, *shifts)
