# SPDX-License-Identifier: Apache-2.0
"""Programs of the iterative family: whatever a step reads is there, and is what it takes it for."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nttforge.errors import NttforgeError
from nttforge.kinds.iterative.passes import place, rotation
from nttforge.kinds.iterative.program import program
from nttforge.ring.primes import next_ntt_prime
from nttforge.ring.ring import Ring

OPERATIONS = ("ntt", "intt", "pointwise", "mac", "polymul")


def ring_of(depth: Any, layers: Any) -> Any:
    return Ring.create(1 << depth, next_ntt_prime(16, 2 << depth), layers=layers)


def reads(step: Any, phase: Any) -> Any:
    """The slot that a step reads in one of a group's cycles, if any."""
    if step.kind != "product":
        return step.source
    return (step.source, step.other, None, step.scaled)[phase]


def late(each: Any, lane_bits: Any, depth: Any, latency: Any, waits: Any) -> Any:
    """Runs a program on tagged words; returns whether a word is read before it is there.

    Words are tagged with their index and what has become of them: in a slot all words that are read
    together must have come through the same steps.
    """
    wires = {name: rotation(depth, lane_bits, name) for name in ("ntt", "intt")}
    lines = 1 << (lane_bits - 1)
    memory: dict[Any, Any] = {}
    now, early = 0, False
    for number, (step, wait) in enumerate(zip(each.steps, waits, strict=True)):
        way = step.way
        for group in range(each.groups):
            places = [place(way, group, upper) for upper in (False, True)]
            for phase in range(step.cycles):
                slot = reads(step, phase)
                if slot is not None:
                    found = [
                        memory[slot, half, address, line]
                        for half, address in places
                        for line in range(lines)
                    ]
                    assert [index for index, _, _ in found] == [
                        way.index(group, lane) for lane in range(2 * lines)
                    ]
                    assert len({origin for _, origin, _ in found}) == 1
                    early |= any(there > now for _, _, there in found)
                now += 1
            if step.target is not None:
                out = [step.output_index(group, lane) for lane in range(2 * lines)]
                direction = "intt" if step.kind in ("inverse", "product") else "ntt"
                if way.rotate:
                    out = [out[lane] for lane in wires[direction]]
                for upper, (half, address) in enumerate(places):
                    for line in range(lines):
                        word = out[upper * lines + line]
                        memory[step.target, half, address, line] = word, number, now - 1 + latency
        now += wait
    return early


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_every_word_is_there_when_it_is_read(data: Any) -> None:
    depth = data.draw(st.integers(2, 7))
    lane_bits = data.draw(st.integers(1, depth))
    name = data.draw(st.sampled_from(OPERATIONS))
    least = 1 if name in ("ntt", "intt") else depth - 1
    layers = data.draw(st.integers(least, depth))
    latency = data.draw(st.integers(1, 40))
    each = program(ring_of(depth, layers), name, lane_bits)
    waits = each.waits(latency)
    assert not late(each, lane_bits, depth, latency, waits)
    longest = max(range(len(waits)), key=waits.__getitem__)
    if waits[longest] and name in ("ntt", "intt"):
        waits[longest] -= 1
        assert late(each, lane_bits, depth, latency, waits)


@pytest.mark.parametrize("layers", [5, 4])
@pytest.mark.parametrize("lane_bits", [1, 3, 5])
def test_a_product_multiplies_as_often_as_its_leaves_need(layers: int, lane_bits: int) -> None:
    """A cycle for each multiplication of a butterfly: transforms, and the leaves' products."""
    ring = ring_of(5, layers)
    each = program(ring, "polymul", lane_bits)
    row = 1 << (lane_bits - 1)
    leaves = ring.n if layers == 5 else 5 * ring.n // 2
    assert each.busy * row == 3 * layers * ring.n // 2 + leaves
    assert each.slots == (2 if layers == 5 else 3)


def test_operands_and_result_of_a_product_cross_in_one_order() -> None:
    for lane_bits in (1, 2, 4):
        for name in ("pointwise", "mac", "polymul"):
            each = program(ring_of(4, 3), name, lane_bits)
            assert each.input_layout == each.output_layout


def test_leaves_of_four_are_not_multiplied() -> None:
    with pytest.raises(NttforgeError, match="one or two coefficients, not of 4"):
        program(ring_of(5, 3), "pointwise", 2)
