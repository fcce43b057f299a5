# SPDX-License-Identifier: Apache-2.0
"""Shapes and sizes at which the page of the decomposed family is proved."""

from nttforge.families.decomposed.rounds import least_size
from nttforge.families.decomposed.shape import Shape

SHAPES = tuple(
    Shape(*sizes)
    for sizes in ((3, 1, 1), (4, 2, 1), (4, 2, 2), (4, 1, 2), (5, 3, 1), (6, 2, 3), (6, 4, 3))
)


def sizes(shape: Shape, largest: int) -> range:
    """All sizes from the least that the shape takes."""
    return range(least_size(shape), largest + 1)


def cases(largest: int) -> list[tuple[Shape, int]]:
    """Every shape with every size up to `largest`."""
    return [(shape, size) for shape in SHAPES for size in sizes(shape, largest)]
