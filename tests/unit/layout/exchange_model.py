# SPDX-License-Identifier: Apache-2.0
"""Circuits that exchange index bits, beat by beat: what docs/layouts.md proves, seen happening.

The circuits are those of hardware: delay lines, multiplexers, and one counter for what enters and
one for what leaves. They know positions and delays, nothing of indices. A word is whatever one
likes; None is the absence of one.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nttforge.layout.layout import Layout
from nttforge.layout.schedule import Schedule

Word = Any


@dataclass(frozen=True)
class Exchange:
    """What a commutator does to one transform: exchange two positions, `low` one of the lanes."""

    low: int
    high: int
    lane_bits: int

    @property
    def delay(self) -> int:
        return 1 << (self.high - self.lane_bits) if self.high >= self.lane_bits else 0


class Commutator:
    """Exchanges a lane position with a time position by two delay lines a pair of lanes.

    The upper lane of a pair goes through the first line, the lower output comes out of the second
    one; the two routes between them depend on the phase of what enters and of what leaves. A
    transform's exchange may be shallower than the lines, or wires.
    """

    def __init__(self, lanes: int, depth: int) -> None:
        self.first = [deque([None] * (depth + 1), depth + 1) for _ in range(lanes)]
        self.second = [deque([None] * (depth + 1), depth + 1) for _ in range(lanes)]

    def step(
        self,
        words: Sequence[Word],
        entering: tuple[Exchange, int] | None,
        leaving: tuple[Exchange, int] | None,
    ) -> list[Word]:
        """One beat: the words that come in, and (exchange, beat of its transform) at both ends."""
        result: list[Word] = [None] * len(words)
        for lane, word in enumerate(words):
            self.first[lane].appendleft(word)
        if entering:
            exchange, beat = entering
            for lane in range(len(words)):
                if not lane >> exchange.low & 1:
                    upper = self.first[lane | 1 << exchange.low][exchange.delay]
                    phase = exchange.delay and beat & exchange.delay
                    self.second[lane].appendleft(upper if phase else words[lane])
        else:
            for line in self.second:
                line.appendleft(None)
        if leaving:
            exchange, beat = leaving
            for lane in range(len(words)):
                if exchange.delay == 0:
                    a, b = lane >> exchange.low & 1, lane >> exchange.high & 1
                    source = lane ^ ((a ^ b) << exchange.low) ^ ((a ^ b) << exchange.high)
                    result[lane] = words[source]
                elif not lane >> exchange.low & 1:
                    result[lane] = self.second[lane][exchange.delay]
                elif beat & exchange.delay:
                    result[lane] = self.first[lane][exchange.delay]
                else:
                    result[lane] = words[lane ^ 1 << exchange.low]
        return result

    def held(self, low: int) -> list[Word]:
        """Words in the lines between two beats; `low` is the lane position that is exchanged."""
        lanes = range(len(self.first))
        lines = ((self.first if lane >> low & 1 else self.second)[lane] for lane in lanes)
        return [word for line in lines for word in list(line)[:-1]]


class TimeExchange:
    """Exchanges time bits s < t by one line of 2^t - 2^s beats, which words may go round twice."""

    def __init__(self, lanes: int, s: int, t: int) -> None:
        self.s, self.t = s, t
        self.line: deque[Sequence[Word]] = deque([[None] * lanes] * ((1 << t) - (1 << s)))

    def step(self, words: Sequence[Word], beat: int) -> Sequence[Word]:
        """One beat of a stream without gaps; `beat` is that of the transform that enters."""
        oldest = self.line.pop()
        overtakes = beat >> self.t & 1 and not beat >> self.s & 1
        self.line.appendleft(oldest if overtakes else words)
        return words if overtakes else oldest

    def held(self) -> list[Word]:
        """Words in the line between two beats."""
        return [word for words in self.line for word in words]


class CollisionError(Exception):
    """Two transforms need one port in the same beat."""


def run_pipeline(
    schedules: Sequence[Schedule], idle: Sequence[int]
) -> list[list[tuple[int, list[Word]]]]:
    """Stream transforms through one pipeline; each takes its own schedule.

    idle[i] beats pass between transforms i and i + 1. A word is (transform, index). Returns, for
    each stage, the beats at its butterflies as (time, words).

    Raises
    ------
    CollisionError
        A transform overtakes the one before it.
    """
    first = schedules[0]
    lanes, beats = first.input_layout.lanes, first.input_layout.beats
    pair = first.input_layout.lane_bits - 1
    stages = range(len(first.stages))
    depths = [max(s.stages[stage].delay for s in schedules) for stage in stages]
    starts = [0]
    for gap in idle:
        starts.append(starts[-1] + beats + gap)

    port: dict[int, list[Word]] = {}
    for number, (start, plan) in enumerate(zip(starts, schedules, strict=True)):
        for beat, indices in enumerate(plan.input_layout.order()):
            port[start + beat] = [(number, int(index)) for index in indices]
    rows = []
    for stage in stages:
        entering: dict[int, tuple[Exchange, int]] = {}
        leaving: dict[int, tuple[Exchange, int]] = {}
        for number, plan in enumerate(schedules):
            source = plan.stages[stage].source
            exchange = Exchange(min(source, pair), max(source, pair), pair + 1)
            for beat in range(beats):
                for table, time in (
                    (entering, starts[number] + beat),
                    (leaving, starts[number] + exchange.delay + beat),
                ):
                    if time in table:
                        raise CollisionError(f"stage {stage}, time {time}")
                    table[time] = (exchange, beat)
            starts[number] += exchange.delay
        commutator = Commutator(lanes, depths[stage])
        output = {
            time: commutator.step(
                port.get(time, [None] * lanes), entering.get(time), leaving.get(time)
            )
            for time in range(max(leaving) + 1)
        }
        port = {time: output[time] for time in leaving}
        rows.append(sorted(port.items()))
    return rows


def run_exchange(
    layout: Layout, low: int, high: int, transforms: int
) -> list[tuple[list[Word], list[Word]]]:
    """Stream transforms without gaps through the circuit that exchanges two positions.

    Returns, for each beat, the words that come out, and those that the circuit holds thereafter.
    A word is (transform, index).
    """
    low, high = min(low, high), max(low, high)
    stream = [
        [(number, int(index)) for index in indices]
        for number in range(transforms)
        for indices in layout.order()
    ]
    result = []
    if low >= layout.lane_bits:
        circuit = TimeExchange(layout.lanes, low - layout.lane_bits, high - layout.lane_bits)
        for time, words in enumerate(stream):
            result.append((list(circuit.step(words, time % layout.beats)), circuit.held()))
        return result
    exchange = Exchange(low, high, layout.lane_bits)
    commutator = Commutator(layout.lanes, exchange.delay)
    for time, words in enumerate(stream):
        entering = (exchange, time % layout.beats)
        leaving = (exchange, (time - exchange.delay) % layout.beats)
        result.append((commutator.step(words, entering, leaving), commutator.held(low)))
    return result
