# SPDX-License-Identifier: Apache-2.0
"""Print the schedules of a transform: `nttforge show layout --n 256 --lanes 2`."""

from collections.abc import Iterator

from nttforge.errors import NttforgeError
from nttforge.layout.change import minimum_buffer, minimum_delay
from nttforge.layout.layout import Layout, halves, natural
from nttforge.layout.schedule import Schedule, Stage, padded_delays, schedule, turnaround


def bits(layout: Layout) -> str:
    """Write a layout: index bits on the time positions | on the lanes, highest position first."""
    time = " ".join(str(bit) for bit in reversed(layout.bits[layout.lane_bits :]))
    lane = " ".join(str(bit) for bit in reversed(layout.bits[: layout.lane_bits]))
    return f"{time} | {lane}".strip()


def _source(stage: Stage) -> str:
    lane_bits = stage.layout.lane_bits
    if stage.source >= lane_bits:
        return f"time {stage.source - lane_bits}"
    return "in place" if stage.source == lane_bits - 1 else f"lane {stage.source}"


def _table(title: str, stages: Schedule) -> Iterator[str]:
    yield f"{title}, entering as {bits(stages.input_layout)}"
    yield "  stage  pairs bit  from      delay  since input  words  layout at the butterflies"
    for number, (stage, prefix) in enumerate(zip(stages.stages, stages.prefix_delays, strict=True)):
        words = stage.delay * stage.layout.lanes
        yield (
            f"  {number:5}  {stage.index_bit:9}  {_source(stage):8}  {stage.delay:5}"
            f"  {prefix:11}  {words:5}  {bits(stage.layout)}"
        )
    yield f"  {stages.prefix_delays[-1]} beats, {stages.buffer_words} words"


def _reordering(title: str, before: Layout, after: Layout) -> str:
    return f"  {title}: {minimum_delay(before, after)} beats, {minimum_buffer(before, after)} words"


def show(n: int, lanes: int, layers: int | None = None) -> str:
    """Describe the forward and the inverse schedule of a transform.

    - `n`: coefficients, a power of two from 4 up.
    - `lanes`: coefficients a beat, a power of two from 2 to n.
    - `layers`: stages; all log2(n) if not given.
    """
    if n < 4 or n & (n - 1):
        raise NttforgeError("n", f"{n} is not a power of two from 4 up", "use 256, for instance")
    if not 2 <= lanes <= n or lanes & (lanes - 1):
        raise NttforgeError(
            "lanes", f"{lanes} is not a power of two from 2 to {n}", "use 2, for instance"
        )
    depth, lane_bits = n.bit_length() - 1, lanes.bit_length() - 1
    layers = depth if layers is None else layers
    if not 1 <= layers <= depth:
        raise NttforgeError("layers", f"{layers} is not from 1 to {depth}", f"use {depth}")
    order = range(depth - 1, depth - 1 - layers, -1)
    forward = schedule(halves(depth, lane_bits), order)
    inverse = schedule(forward.output_layout, order[::-1])
    padded = padded_delays((forward, inverse))
    plain = natural(depth, lane_bits)
    return "\n".join(
        (
            f"n = {n}: {n // lanes} beats of {lanes} lanes",
            "",
            *_table("forward", forward),
            "",
            *_table("inverse", inverse),
            "",
            "idle beats between two transforms",
            f"  forward, then inverse: {turnaround(forward, inverse)}",
            f"  inverse, then forward: {turnaround(inverse, forward)}",
            f"  none if every stage is padded to {' '.join(str(delay) for delay in padded)},"
            f" {sum(padded)} beats in all",
            "",
            "reordering buffers, if both ends shall be in natural order",
            _reordering("before the forward transform", plain, forward.input_layout),
            _reordering("after it", forward.output_layout, plain),
            _reordering("before the inverse transform", plain, inverse.input_layout),
            _reordering("after it", inverse.output_layout, plain),
        )
    )
