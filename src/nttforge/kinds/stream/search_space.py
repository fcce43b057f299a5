# SPDX-License-Identifier: Apache-2.0
"""Candidate pipelines, and their estimates before synthesis."""

from collections.abc import Iterator, Mapping
from itertools import product, repeat
from typing import Any

from nttforge.config.requirements import Requirements
from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.hw.resources import ResourceEstimate, cycles_of, engine_features
from nttforge.kinds.stream.build import elaborate, operations_of
from nttforge.kinds.stream.config import PipelineTable
from nttforge.kinds.stream.loaded import is_loaded


def choices(need: Requirements) -> Iterator[Mapping[str, Any]]:
    """Numbers of butterflies, both orders, multipliers in LUTs; registers if they matter."""
    for lines, tile in product(need.butterflies(each_stage=True), (0, 12)):
        for order in ("natural", "mirrored")[: 2 if lines > 1 else 1]:
            for pace in need.paces(PipelineTable().adders_per_stage):
                yield {"butterflies": lines, "order": order, "lut_tile": tile, **pace}


def estimate(design: Design) -> ResourceEstimate:
    """What is known of a pipeline before it is synthesized."""
    if is_loaded(design):
        problem = "the area of a pipeline whose moduli are loaded is not estimated"
        raise NttforgeError("q", problem, "use synth, which maps it")
    pipeline = elaborate(design)
    cycles = cycles_of(operations_of(pipeline), repeat(pipeline.beats))
    return ResourceEstimate(cycles, engine_features(pipeline, design.target, len(cycles)))
