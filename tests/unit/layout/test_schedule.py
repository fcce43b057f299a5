# SPDX-License-Identifier: Apache-2.0
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nttforge.layout.layout import Layout, halves, natural
from nttforge.layout.schedule import padded_delays, schedule, turnaround
from nttforge.ring.presets import PRESETS
from nttforge.ring.transform import ntt

from .exchange_model import CollisionError, run_pipeline
from .test_layout import layouts


def both(depth: Any, lane_bits: Any, layers: Any = None) -> Any:
    """Forward from the halves, and inverse from where that ends."""
    order = range(depth - 1, depth - 1 - (layers or depth), -1)
    forward = schedule(halves(depth, lane_bits), order)
    return forward, schedule(forward.output_layout, order[::-1])


sizes = st.integers(2, 7).flatmap(lambda d: st.tuples(st.just(d), st.integers(1, d)))


def test_figures_of_the_engine_with_256_coefficients_and_two_lanes() -> None:
    forward, inverse = both(8, 1)
    assert forward.delays == (0, 64, 32, 16, 8, 4, 2, 1)
    assert forward.prefix_delays == (0, 64, 96, 112, 120, 124, 126, 127)
    assert inverse.prefix_delays == (0, 1, 3, 7, 15, 31, 63, 127)
    assert turnaround(forward, inverse) == 105
    assert turnaround(inverse, forward) == 0
    assert sum(padded_delays((forward, inverse))) == 232
    assert forward.buffer_words == 2 * 127


@pytest.mark.parametrize("depth", range(2, 12))
def test_two_lanes_end_in_natural_order_and_come_back(depth: int) -> None:
    forward, inverse = both(depth, 1)
    assert forward.output_layout == natural(depth, 1)
    assert inverse.output_layout == halves(depth, 1)


@given(sizes)
def test_several_lanes_end_in_natural_order_but_for_the_lanes(size: Any) -> None:
    depth, lane_bits = size
    forward, inverse = both(depth, lane_bits)
    beats = forward.output_layout.order()
    assert np.array_equal(np.sort(beats, axis=1), natural(depth, lane_bits).order())
    assert inverse.output_layout == halves(depth, lane_bits)
    from_natural = schedule(natural(depth, lane_bits), range(depth))
    ends = from_natural.output_layout.order()
    assert np.array_equal(np.sort(ends, axis=1), np.sort(halves(depth, lane_bits).order(), axis=1))


@given(sizes)
def test_a_complete_transform_lags_by_all_beats_but_one(size: Any) -> None:
    """Its first output needs its last input, so no schedule lags by less."""
    depth, lane_bits = size
    for plan in both(depth, lane_bits):
        assert sum(plan.delays) == (1 << (depth - lane_bits)) - 1
        assert plan.buffer_words == sum(plan.delays) << lane_bits
        assert sum(stage.delay > 0 for stage in plan.stages) == depth - lane_bits


@given(layouts(), st.data())
def test_every_stage_has_its_pairs_side_by_side(layout: Any, data: Any) -> None:
    if layout.lane_bits == 0:
        return
    order = data.draw(st.permutations(range(len(layout.bits))))
    before = layout
    for stage in schedule(layout, order).stages:
        lower, upper = np.split(stage.layout.order(), 2, axis=1)
        assert np.array_equal(upper, lower | 1 << stage.index_bit)
        assert not (lower >> stage.index_bit & 1).any()
        assert before.bits[stage.source] == stage.index_bit
        assert stage.layout == before.exchange(stage.source, layout.lane_bits - 1)
        before = stage.layout


def test_one_lane_holds_no_pair() -> None:
    with pytest.raises(ValueError, match="stream of one lane"):
        schedule(natural(3, 0), range(3))


def check_rows(plans: Any, idle: Any) -> None:
    """Every stage's butterflies see every transform in the layout and at the time that we say."""
    rows = run_pipeline(plans, idle)
    beats = plans[0].input_layout.beats
    starts = [0]
    for gap in idle:
        starts.append(starts[-1] + beats + gap)
    for number, row in enumerate(rows):
        expected = [
            (
                start + plan.prefix_delays[number] + beat,
                [(transform, int(index)) for index in indices],
            )
            for transform, (start, plan) in enumerate(zip(starts, plans, strict=True))
            for beat, indices in enumerate(plan.stages[number].layout.order())
        ]
        assert row == expected


@given(layouts(), st.data())
@settings(max_examples=40, deadline=None)
def test_commutators_realise_any_schedule(layout: Any, data: Any) -> None:
    if layout.lane_bits == 0:
        return
    order = data.draw(st.permutations(range(len(layout.bits))))
    check_rows([schedule(layout, order)] * 3, [0, data.draw(st.integers(0, 3))])


@given(sizes, st.lists(st.booleans(), min_size=2, max_size=5))
@settings(max_examples=40, deadline=None)
def test_operations_mix_in_one_pipeline_with_the_turnaround_between(
    size: Any, inverses: Any
) -> None:
    forward, inverse = both(*size)
    plans = [inverse if choice else forward for choice in inverses]
    check_rows(plans, [turnaround(a, b) for a, b in pairwise(plans)])


@pytest.mark.parametrize("size", [(4, 1), (6, 1), (8, 1), (8, 1, 7), (6, 3), (8, 4)])
def test_one_idle_beat_less_collides(size: tuple[Any, ...]) -> None:
    forward, inverse = both(*size)
    idle = turnaround(forward, inverse)
    assert idle > 0
    check_rows([forward, inverse], [idle])
    with pytest.raises(CollisionError):
        run_pipeline([forward, inverse], [idle - 1])


def test_a_pipeline_of_butterflies_transforms() -> None:
    """The schedule, the commutators and the twiddles by block number give the transform."""
    ring = PRESETS["ml-kem"].ring
    forward, _ = both(ring.depth, 2, ring.layers)
    rng = np.random.default_rng(0)
    polynomial = rng.integers(0, ring.q, ring.n)
    values = {i: int(v) for i, v in enumerate(polynomial)}
    for number, row in enumerate(run_pipeline([forward], [])):
        bit = forward.stages[number].index_bit
        for _, words in row:
            half = len(words) // 2
            for (_, i), (_, j) in zip(words[:half], words[half:], strict=True):
                u, v = values[i], values[j] * ring.twiddles[number][i >> (bit + 1)]
                values[i], values[j] = (u + v) % ring.q, (u - v) % ring.q
    assert [values[i] for i in range(ring.n)] == ntt(ring, polynomial).tolist()


def test_layout_is_hashable_and_compares() -> None:
    assert len({Layout((0, 1), 1), natural(2, 1), halves(2, 1)}) == 2
