# SPDX-License-Identifier: Apache-2.0
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nttforge.layout.change import exchanges, minimum_buffer, minimum_delay
from nttforge.layout.layout import Layout, halves, natural

from .exchange_model import run_exchange


@st.composite
def layouts(draw: Any, depth: Any = None, lane_bits: Any = None) -> Any:
    depth = draw(st.integers(1, 7)) if depth is None else depth
    lane_bits = draw(st.integers(0, depth)) if lane_bits is None else lane_bits
    return Layout(tuple(draw(st.permutations(range(depth)))), lane_bits)


@st.composite
def layout_pairs(draw: Any) -> Any:
    before = draw(layouts())
    return before, draw(layouts(len(before.bits), before.lane_bits))


@st.composite
def positions(draw: Any, layout: Any) -> Any:
    position = st.integers(0, len(layout.bits) - 1)
    return draw(position), draw(position)


def times(layout: Any) -> Any:
    """Beat in which each coefficient crosses, by brute force from the order."""
    result = np.empty(layout.order().size, dtype=np.int64)
    for beat, indices in enumerate(layout.order()):
        result[indices] = beat
    return result


@given(layouts())
def test_order_is_a_permutation_and_equals_index(layout: Any) -> None:
    order = layout.order()
    assert order.shape == (layout.beats, layout.lanes)
    assert sorted(order.reshape(-1)) == list(range(1 << len(layout.bits)))
    assert order.tolist() == [
        [layout.index(beat, lane) for lane in range(layout.lanes)] for beat in range(layout.beats)
    ]


@given(layouts())
def test_position_is_where_the_bit_sits(layout: Any) -> None:
    order = layout.order().reshape(-1)
    for bit in range(len(layout.bits)):
        assert order[1 << layout.position(bit)] == 1 << bit


@given(layouts(), st.data())
def test_exchange_is_its_own_inverse_and_moves_two_bits(layout: Any, data: Any) -> None:
    a, b = data.draw(positions(layout))
    exchanged = layout.exchange(a, b)
    assert exchanged == layout.exchange(b, a)
    assert exchanged.exchange(a, b) == layout
    assert (exchanged.bits[a], exchanged.bits[b]) == (layout.bits[b], layout.bits[a])
    assert sum(x != y for x, y in zip(layout.bits, exchanged.bits, strict=True)) == 2 * (a != b)


@given(st.integers(1, 8), st.data())
def test_natural_and_halves(depth: Any, data: Any) -> None:
    lane_bits = data.draw(st.integers(0, depth))
    n = 1 << depth
    assert natural(depth, lane_bits).order().reshape(-1).tolist() == list(range(n))
    if lane_bits:
        order = halves(depth, lane_bits).order()
        lower, upper = np.split(order, 2, axis=1)
        assert lower.reshape(-1).tolist() == list(range(n // 2))
        assert np.array_equal(upper, lower + n // 2)


@pytest.mark.parametrize(
    ("bits", "lane_bits"), [((0, 0), 1), ((1, 2), 1), ((0, 1), 3), ((0, 1), -1)]
)
def test_impossible_layouts(bits: tuple[Any, ...], lane_bits: int) -> None:
    with pytest.raises(ValueError, match=r"is not a permutation|do not fit"):
        Layout(bits, lane_bits)


@given(layouts(), st.data())
def test_exchange_delay_is_the_least_delay(layout: Any, data: Any) -> None:
    a, b = data.draw(positions(layout))
    exchanged = layout.exchange(a, b)
    assert layout.exchange_delay(a, b) == layout.exchange_delay(b, a)
    if a != b:
        early = int((times(layout) - times(exchanged)).max())
        assert layout.exchange_delay(a, b) == early == minimum_delay(layout, exchanged)


@given(layouts(), st.data())
def test_a_lane_and_time_bit_t_need_2_to_the_t_beats(layout: Any, data: Any) -> None:
    if not 0 < layout.lane_bits < len(layout.bits):
        return
    lane = data.draw(st.integers(0, layout.lane_bits - 1))
    t = data.draw(st.integers(0, len(layout.bits) - layout.lane_bits - 1))
    assert layout.exchange_delay(lane, layout.lane_bits + t) == 1 << t


@given(layouts(), st.data())
def test_the_circuit_of_an_exchange_has_its_delay_and_its_buffer(layout: Any, data: Any) -> None:
    a, b = data.draw(positions(layout))
    if a == b:
        return
    exchanged, transforms = layout.exchange(a, b), 3
    delay = layout.exchange_delay(a, b)
    outputs, held = zip(*run_exchange(layout, a, b, transforms), strict=True)
    arriving, leaving = (
        [[(k, i) for i in beat] for k in range(transforms) for beat in order.tolist()]
        for order in (layout.order(), exchanged.order())
    )
    assert list(outputs[delay:]) == leaving[: len(leaving) - delay]
    # It holds what has come and has not left, each word once, and has no room for anything else.
    inside: set[tuple[int, int]] = set()
    for time in range(len(outputs)):
        inside |= set(arriving[time])
        if time >= delay:
            inside -= set(leaving[time - delay])
            assert sorted(held[time]) == sorted(inside)
            assert len(inside) == delay * layout.lanes == minimum_buffer(layout, exchanged)


@given(layout_pairs())
def test_minimum_delay_by_brute_force(pair: Any) -> None:
    before, after = pair
    assert minimum_delay(before, after) == int((times(before) - times(after)).max())


@given(layout_pairs())
def test_delay_is_the_same_both_ways(pair: Any) -> None:
    assert minimum_delay(*pair) == minimum_delay(*pair[::-1])


@given(layout_pairs())
def test_minimum_buffer_is_the_peak_of_words_inside(pair: Any) -> None:
    before, after = pair
    delay = minimum_delay(before, after)
    arrive = np.concatenate([times(before) + k * before.beats for k in range(3)])
    leave = np.concatenate([times(after) + k * before.beats for k in range(3)]) + delay
    assert (leave >= arrive).all()
    # After a beat, what came in until then and has not left yet.
    inside = [int(((arrive <= t) & (leave > t)).sum()) for t in range(3 * before.beats)]
    assert minimum_buffer(before, after) == max(inside)


@given(layout_pairs())
def test_a_chain_of_exchanges_is_as_good_as_the_minimum(pair: Any) -> None:
    before, after = pair
    layout, total = before, 0
    for a, b in exchanges(before, after):
        total += layout.exchange_delay(a, b)
        layout = layout.exchange(a, b)
    assert layout == after
    assert total == minimum_delay(before, after)


@pytest.mark.parametrize("function", [minimum_delay, minimum_buffer, exchanges])
@pytest.mark.parametrize("other", [natural(4, 2), natural(5, 1)])
def test_layouts_of_different_streams(function: Any, other: Any) -> None:
    with pytest.raises(ValueError, match="are not layouts of one stream"):
        function(natural(4, 1), other)
