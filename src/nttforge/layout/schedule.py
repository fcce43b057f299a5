# SPDX-License-Identifier: Apache-2.0
"""Schedules: a transform as a sequence of exchanges, each followed by a row of butterflies.

A stage that pairs index bit b needs b on the *pair position*, the highest lane. The exchange that
brings it there is a delay commutator if b sits on a time position, and wires if it sits on a lane.
Everything else (delays, latencies, twiddle order, output order) follows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from nttforge.layout.layout import Layout


@dataclass(frozen=True)
class Stage:
    """One stage of a schedule.

    - `index_bit`: the bit in which the indices of a pair differ.
    - `source`: position from which the bit is brought to the pair position (the pair position
      itself if it is there already).
    - `delay`: beats by which that exchange delays the stream: 2^t for time bit t, else 0.
    - `layout`: layout at the butterflies, after the exchange.
    """

    index_bit: int
    source: int
    delay: int
    layout: Layout


@dataclass(frozen=True)
class Schedule:
    """The stages of one operation, in the order in which the hardware meets them."""

    input_layout: Layout
    stages: tuple[Stage, ...]

    @property
    def output_layout(self) -> Layout:
        """Layout after the last row of butterflies."""
        return self.stages[-1].layout

    @property
    def delays(self) -> tuple[int, ...]:
        """Delay of each stage's exchange, in beats."""
        return tuple(stage.delay for stage in self.stages)

    @property
    def prefix_delays(self) -> tuple[int, ...]:
        """Beats between the input and each stage's butterflies, pipeline registers not counted."""
        total = 0
        sums = []
        for delay in self.delays:
            total += delay
            sums.append(total)
        return tuple(sums)

    @property
    def buffer_words(self) -> int:
        """Words that the commutators hold: the least that the exchanges need."""
        return sum(stage.delay for stage in self.stages) * self.input_layout.lanes


def schedule(input_layout: Layout, index_bits: Sequence[int]) -> Schedule:
    """Bring each of `index_bits` in turn to the pair position.

    Forward transforms take the bits from L-1 down to 0, inverse ones from 0 up. Raises ValueError:
    the stream has no lane bit, so no beat can hold a pair.
    """
    if input_layout.lane_bits < 1:
        raise ValueError("a stream of one lane never has both words of a pair in one beat")
    pair = input_layout.lane_bits - 1
    layout = input_layout
    stages = []
    for bit in index_bits:
        source = layout.position(bit)
        delay = layout.exchange_delay(source, pair) if source != pair else 0
        layout = layout.exchange(source, pair)
        stages.append(Stage(bit, source, delay, layout))
    return Schedule(input_layout, tuple(stages))


def turnaround(before: Schedule, after: Schedule) -> int:
    """Idle beats needed between a transform of `before` and one of `after`.

    After stage s the first transform lags by its prefix of delays, the second one by its own; the
    second must nowhere overtake the first. With the exchanges of ML-KEM's inverse after those of
    its forward transform that is max(112 - 7, ...) = 105; the other way round it is 0.
    """
    lag = (b - a for b, a in zip(before.prefix_delays, after.prefix_delays, strict=True))
    return max(0, *lag)


def padded_delays(schedules: Sequence[Schedule]) -> tuple[int, ...]:
    """Delay of each stage if every operation is padded to the slowest one there (`seamless`)."""
    return tuple(max(delays) for delays in zip(*(s.delays for s in schedules), strict=True))
