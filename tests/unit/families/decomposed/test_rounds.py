# SPDX-License-Identifier: Apache-2.0
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from nttforge.errors import NttforgeError
from nttforge.kinds.decomposed.rounds import Field, Order, all_rounds, digits, least_size, rounds
from nttforge.kinds.decomposed.shape import FIELD, Shape
from tests.marks import first
from tests.unit.families.decomposed.cases import SHAPES, sizes

SAM = Shape(6, 4, 3)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_digits_cover_the_index_and_fit_the_kernel(shape: Shape) -> None:
    for size in sizes(shape, 36):
        parts = digits(shape, size)
        assert sum(parts) == size
        assert max(parts[1:]) <= shape.digit
        assert parts[0] <= (shape.v if size <= shape.fits else shape.digit)
        assert min(parts) >= max(shape.t, shape.v - shape.t)
        assert max(parts[1:]) - min(parts[1:]) <= 1


@pytest.mark.parametrize("v", first(range(3, FIELD + 1), 3))
def test_no_digit_of_any_shape_is_longer_than_its_place(v: int) -> None:
    """Of a group in the buffer: a burst, and twice a digit. All shapes, sizes and orders."""
    met = 0
    for shape in shapes(v):
        for size, order in product(range(least_size(shape), 37), Order):
            with suppress(NttforgeError):
                for at in rounds(shape, size, order):
                    assert at.mp <= shape.p and max(at.mc, at.mr) <= shape.digit, (shape, size)
                    assert max(at.bits[field] for field in at.passes) <= v, (shape, size)
                    met += 1
    assert met > 100


def shapes(v: int) -> Iterator[Shape]:
    """All of a kernel."""
    sizes = range(1, FIELD + 1)
    for t, b, d, rising in product(sizes, sizes, range(v + 1), (False, True)):
        with suppress(NttforgeError):
            yield Shape(v, t, b, d, rising=rising)


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_rounds_transform_every_bit_once(shape: Shape, order: Order) -> None:
    for size in sizes(shape, 36):
        plan = rounds(shape, size, order)
        done = 0
        for at in plan:
            assert at.kappa == done + (at.mp if at.fits else 0)
            done += sum(at.bits[field] for field in at.passes)
            assert at.group <= shape.group
            assert at.slots == 1 or at.bits[at.slot_field] <= at.slot_bit
            assert (at.slots == 1) == (at.bits == (shape.p, shape.digit, shape.digit))
        assert done == size
        assert [at.last for at in plan] == [False] * (len(plan) - 1) + [True]
        assert [at.fits for at in plan[1:]] == [False] * (len(plan) - 1)
        assert plan[0].fits == (size <= shape.fits or order is Order.FROM_REVERSED)
        assert plan[0].still == (len(plan[0].passes) == 1)
        assert not any(at.still for at in plan[1:])
        for at in plan:
            assert at.keyed == (at.last or order is Order.FROM_REVERSED)
            assert at.mirror_in == (order is Order.FROM_REVERSED)
            assert at.mirror_out == ((at.last and order is Order.NATURAL) or at.mirror_in)


def test_as_many_rounds_as_the_paper_has() -> None:
    """SAM, III-B: two of the digits a round, but a transform that fits takes one in all."""
    dimensions = {size: -(-size // 6) for size in range(19, 37)}
    for size, count in dimensions.items():
        assert len(rounds(SAM, size)) == (count + 1) // 2
    assert [len(rounds(SAM, size)) for size in range(10, 19)] == [1] * 9


def test_from_reversed_order_an_odd_digit_saves_a_round() -> None:
    for size in range(19, 31):
        assert len(rounds(SAM, size, Order.FROM_REVERSED)) == 2
    assert rounds(SAM, 28, Order.FROM_REVERSED)[0].passes == tuple(Field)
    assert rounds(SAM, 24, Order.FROM_REVERSED)[0].passes == (Field.P, Field.R)


def test_the_odd_digit_comes_first() -> None:
    first, *others = rounds(SAM, 28)
    assert first.passes == (Field.C,)
    assert all(at.passes == (Field.C, Field.R) for at in others)
    assert (first.group, first.part) == (SAM.group, SAM.p + SAM.v)
    assert all(at.part == at.group for at in others)


def test_too_small_a_transform_is_refused() -> None:
    assert least_size(SAM) == 8
    with pytest.raises(NttforgeError, match=r"size: 2\^7 is too small.*use 2\^8 or more"):
        digits(SAM, 7)


@pytest.mark.parametrize(
    ("v", "t", "b", "field"),
    [(4, 3, 1, "n"), (4, 0, 1, "t"), (4, 2, 0, "b"), (4, 2, 5, "b"), (6, 3, 6, "b")],
)
def test_impossible_shapes_are_refused(v: int, t: int, b: int, field: str) -> None:
    with pytest.raises(NttforgeError, match=rf"decomposed\.{field}: "):
        Shape(v, t, b)


@pytest.mark.parametrize("d", [4, 8])
def test_impossible_digits_are_refused(d: int) -> None:
    with pytest.raises(NttforgeError, match=r"decomposed\.digit: .* use 5 to 7"):
        Shape(7, 5, 3, d)


def test_a_bit_less_of_digits_makes_the_buffer_a_fourth() -> None:
    whole, less = Shape(7, 5, 3), Shape(7, 5, 3, 6)
    assert whole.rows == 4 * less.rows
    # As long as there are as many digits, there are as many passes.
    for size in (22, 24):
        assert len(rounds(less, size)) == len(rounds(whole, size)) <= 2


EVERY = [
    Shape(v, t, b, d)
    for t in range(2, 7)
    for v in range(t + 2, FIELD + 1)
    for b in range(1, min(FIELD - t, v) + 1)
    for d in range(max(t, v - t), v + 1)
]


def test_what_has_no_rounds_is_told_what_has() -> None:
    """Of every shape that may be asked for: a refusal names a key and a value that will do."""
    refused = 0
    for shape in EVERY:
        for largest in (least_size(shape), least_size(shape) + 2, 28):
            try:
                all_rounds(shape, largest)
            except NttforgeError as error:
                refused += 1
                found = re.fullmatch(
                    r"decomposed\.(digit|b|n): .*; use (\d+)( and .*digit.*)?", str(error)
                )
                assert found, error
                key, value = found[1], int(found[2])
                bits = value if key == "digit" else value.bit_length() - 1
                change: dict[str, Any] = {{"n": "v"}.get(key[0], key[0]): bits}
                change |= {"d": 0} if found[3] else {}
                all_rounds(replace(shape, **change), largest)
    assert refused > 100
