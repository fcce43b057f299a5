# SPDX-License-Identifier: Apache-2.0
"""How a transform is cut into digits, and the digits into rounds."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from nttforge.errors import NttforgeError
from nttforge.families.decomposed.shape import Shape


class Field(IntEnum):
    """A field of a group's index; decomposed_pkg::field_e."""

    P = 0
    C = 1
    R = 2


@dataclass(frozen=True)
class Round:
    """One round of a transform; decomposed_pkg::round_t, field by field.

    Attributes
    ----------
    size
        log2 of the transform.
    last
        The round is of kind L, which writes in natural order; else of kind F.
    fits
        It is the only round, and has a pass along p as well.
    mp, mc, mr
        Bits of the fields p, c, r.
    kappa
        Bits that are transformed before the c pass.
    slots
        log2 of the buffer's slots: 1, or 2 for groups that leave an index bit unused.
    slot_field, slot_bit
        The unused bit in which the upper bit of a slot's number stands (0, 0 if slots = 1).
    """

    size: int
    last: bool
    fits: bool
    mp: int
    mc: int
    mr: int
    kappa: int
    slots: int
    slot_field: Field
    slot_bit: int

    @property
    def group(self) -> int:
        """log2 of the words of a group."""
        return self.mp + self.mc + self.mr

    @property
    def groups(self) -> int:
        """Groups of a transform."""
        return 1 << (self.size - self.group)

    @property
    def bits(self) -> tuple[int, int, int]:
        """Bits of the fields p, c, r."""
        return self.mp, self.mc, self.mr

    @property
    def split(self) -> int:
        """Low bits of K that table A2 has; B has the others, where no kc needs it."""
        return (self.mp + 1) // 2 if self.last and not self.mc else self.mp

    @property
    def passes(self) -> tuple[Field, ...]:
        """Fields along which a group is transformed, in that order."""
        fields = ((Field.P, self.fits), (Field.C, self.mc > 0), (Field.R, self.mr > 0))
        return tuple(field for field, used in fields if used)


def _split(bits: int, parts: int) -> tuple[int, ...]:
    """Split into as equal parts as can be, the larger ones first."""
    return tuple(bits // parts + (i < bits % parts) for i in range(parts))


def _parts(shape: Shape, size: int) -> tuple[int, ...]:
    if size > shape.fits:
        return _split(size, -(-size // shape.v))
    count = 2 if size <= shape.first + shape.v else 3
    first = min(shape.first, -(-size // count))
    return first, *_split(size - first, count - 1)


def digits(shape: Shape, size: int) -> tuple[int, ...]:
    """Sizes of the digits of an index of `size` bits, the highest one first.

    Raises
    ------
    NttforgeError
        If there is no such decomposition.
    """
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


def rounds(shape: Shape, size: int) -> tuple[Round, ...]:
    """The rounds of a transform of 2^size words.

    Raises
    ------
    NttforgeError
        If there is no such decomposition.
    """
    parts = digits(shape, size)
    if size <= shape.fits:
        mp, mc, mr = parts if len(parts) == 3 else (parts[0], 0, parts[1])
        return (_round(shape, size, (mp, mc, mr), kappa=mp, fits=True),)
    # The odd digit comes first, where its short groups start the machine soonest.
    result, kappa = [], 0
    head = parts[: len(parts) - 2]
    pairs = [(head[0], 0)] if len(head) % 2 else []
    pairs += [(head[i], head[i + 1]) for i in range(len(head) % 2, len(head), 2)]
    for mc, mr in pairs:
        result.append(_round(shape, size, (shape.p, mc, mr), kappa=kappa))
        kappa += mc + mr
    mc, mr = parts[-2:]
    result.append(_round(shape, size, (shape.p, mc, mr), kappa=kappa, last=True))
    if kappa < shape.p or sum(parts[-2:]) < shape.p:
        raise NttforgeError(
            "decomposed.b",
            f"bursts of {1 << shape.p} words are too long for 2^{size} points",
            "use a smaller b",
        )
    return tuple(result)


def _round(
    shape: Shape,
    size: int,
    bits: tuple[int, int, int],
    *,
    kappa: int,
    last: bool = False,
    fits: bool = False,
) -> Round:
    mp, mc, mr = bits
    slots, field, bit = 1, Field.P, 0
    # Any bit that the group leaves unused will do; the r field is looked at first.
    for name, used, limit in (
        (Field.R, mr, shape.v),
        (Field.C, mc, shape.v),
        (Field.P, mp, shape.p),
    ):
        if used < limit:
            slots, field, bit = 2, name, limit - 1
            break
    return Round(size, last or fits, fits, mp, mc, mr, kappa, slots, field, bit)
