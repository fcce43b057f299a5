# SPDX-License-Identifier: Apache-2.0
"""The orders of the kernel's passes; docs/decomposed.md, *Order of everything*."""

from dataclasses import dataclass

from nttforge.kinds.decomposed.rounds import Field, Round
from nttforge.kinds.decomposed.shape import Shape
from nttforge.kinds.decomposed.walks import Bit, Walk, all_bits, reversed_bits


@dataclass(frozen=True)
class PassWalks:
    """A pass of the kernel along one field.

    Attributes
    ----------
    field
        The digit's field.
    read, write
        Orders of its beats in front of the kernel and after it.
    """

    field: Field
    read: Walk
    write: Walk


def block_bits(shape: Shape, at: Round, field: Field, inner: Field) -> tuple[Bit, ...]:
    """What the v bits of a block are: the digit, and on top the batch bits, I[T-1] highest."""
    digit = at.bits[field]
    batch = tuple((inner, shape.t - 1 - j) for j in range(shape.v - digit))
    return all_bits(field, digit) + batch[::-1]


def kernel_pass(shape: Shape, at: Round, field: Field) -> PassWalks:
    """The orders of one pass."""
    v, t = shape.v, shape.t
    inner = Field.R if field is Field.P or (field is Field.C and not at.along) else Field.P
    outer = next(other for other in Field if other not in (field, inner))
    block = block_bits(shape, at, field, inner)
    rest = [(inner, bit) for bit in range(at.bits[inner]) if (inner, bit) not in block]
    if (inner, t) in rest:
        rest.remove((inner, t))
        rest.insert(0, (inner, t))
    mirrors = {Field.P: at.mirror_in, Field.C: False, Field.R: at.mirror_out}
    reverse = mirrors[field] and not at.along
    count = reversed_bits(outer, at.bits[outer]) if reverse else all_bits(outer, at.bits[outer])
    halves = (*block[: t - 1], block[v - 1], *block[t - 1 : v - 1])
    first, second = (block, halves) if field is Field.P else (halves, block)
    tail = (*rest, *count)
    unit = v - t + len(rest)
    return PassWalks(field, Walk(at, t, (*first, *tail), unit), Walk(at, t, (*second, *tail), unit))
