# SPDX-License-Identifier: Apache-2.0
"""Shapes and sizes at which the page of the decomposed family is proved."""

from nttforge.kinds.decomposed.rounds import least_size
from nttforge.kinds.decomposed.shape import Shape

SHAPES = (
    *(Shape(3, 1, 1), Shape(4, 2, 1), Shape(4, 2, 2), Shape(4, 1, 2), Shape(5, 3, 1)),
    *(Shape(6, 2, 3), Shape(6, 4, 3)),
    # Digits that are shorter than the kernel's.
    *(Shape(4, 2, 1, 3), Shape(5, 2, 2, 4)),
    # By two bits: the first one of a transform that fits may have to be longer than the others.
    Shape(6, 3, 3, 4),
)


def sizes(shape: Shape, largest: int) -> range:
    """All sizes from the least that the shape takes."""
    return range(least_size(shape), largest + 1)


def cases(largest: int) -> list[tuple[Shape, int]]:
    """Every shape with every size up to `largest`."""
    return [(shape, size) for shape in SHAPES for size in sizes(shape, largest)]
