# SPDX-License-Identifier: Apache-2.0
"""The pipeline on paper: what its tables, modes, wires and delays do to a stream of beats.

It knows nothing of transforms, and of the hardware only what the RTL's headers promise; so a table
that is wrong shows here, without a simulator.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.hw.engine import Engine
from nttforge.hw.growth import COOLEY_TUKEY, GENTLEMAN_SANDE

Words = npt.NDArray[np.object_]


def run(pipeline: Engine, code: int, stream: Words) -> Words:
    """Words of shape (beats, lanes), from the input's order to the output's."""
    path = pipeline.codes[code][1]
    for stage in range(pipeline.stages):
        stream = stream[:, list(pipeline.lane_sources[stage][path])]
        stream = exchange(stream, pipeline.delays[stage][path])
        stream = _butterflies(pipeline, stage, code, stream)
    return stream[:, list(pipeline.output_sources[path])]


def exchange(stream: Words, delay: int) -> Words:
    """Exchange the highest lane bit with the time bit that `delay` is the weight of."""
    if delay == 0:
        return stream
    beats, lanes = stream.shape
    pairs = stream.reshape(beats // (2 * delay), 2, delay, 2, lanes // 2)
    return pairs.transpose(0, 3, 2, 1, 4).reshape(beats, lanes)


def _butterflies(pipeline: Engine, stage: int, code: int, stream: Words) -> Words:
    result = stream.copy()
    lines = pipeline.lines
    for beat in range(len(stream)):
        for line in range(lines):
            a, b = stream[beat, line], stream[beat, line + lines]
            pair = _butterfly(
                pipeline, stage, code, (a, b, factor(pipeline, stage, code, beat, line))
            )
            result[beat, line], result[beat, line + lines] = pair
    return result


def _butterfly(pipeline: Engine, stage: int, code: int, operands: Any) -> tuple[int, int]:
    a, b, w = operands
    q = pipeline.plan.moduli[pipeline.codes[code][0]]
    mode = pipeline.modes[stage][code]
    if mode == COOLEY_TUKEY:
        return (a - b * w) % q, (a + b * w) % q
    if mode == GENTLEMAN_SANDE:
        return (a + b) * pow(2, -1, q) % q, (b - a) * w % q
    return a, b * w % q


def factor(pipeline: Engine, stage: int, code: int, beat: int, line: int) -> int:
    """What the ROM holds for a butterfly, freed of the multiplier's encoding."""
    table = pipeline.twiddle_tables[stage]
    ring = pipeline.codes[code][0]
    address = table.base[code] | beat >> table.shift[code]
    start = pipeline.rom_starts[stage] + table.rom_of[line] * table.depth
    word = pipeline.twiddle_words[start + address]
    plan = pipeline.stage_plans[stage]
    if word >> (plan.b_width - 1):
        word -= 1 << plan.b_width
    q = pipeline.plan.moduli[ring]
    return plan.product.multiply(1, word) * pow(plan.reductions[ring].scale, -1, q) % q
