# SPDX-License-Identifier: Apache-2.0
"""Candidate pipelines, and their estimates before synthesis."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product, repeat
from typing import Any

from nttforge.config.requirements import Requirements
from nttforge.design import Design
from nttforge.hw.resources import (
    LoadedFeatures,
    ResourceEstimate,
    cycles_of,
    engine_features,
    multiplier,
)
from nttforge.kinds.stream.build import elaborate, operations_of
from nttforge.kinds.stream.config import PipelineTable
from nttforge.kinds.stream.loaded import is_loaded, operations_of_places, work_out_loaded


def choices(need: Requirements) -> Iterator[Mapping[str, Any]]:
    """Numbers of butterflies, both orders, multipliers in LUTs; registers if they matter.

    Of loaded moduli in place of multipliers in LUTs: factors in tables, or made.
    """
    loaded = any(ring.is_loaded for ring in need.rings)
    ways: tuple[dict[str, Any], ...] = ({"lut_tile": 0}, {"lut_tile": 12})
    if loaded:
        ways = ({"twiddles": "tables"}, {"twiddles": "made"})
    for lines, way in product(need.butterflies(each_stage=True), ways):
        for order in ("natural", "mirrored")[: 2 if lines > 1 else 1]:
            for pace in need.paces(PipelineTable().adders_per_stage):
                if not (loaded and "short" in pace):
                    yield {"butterflies": lines, "order": order, **way, **pace}


def estimate(design: Design) -> ResourceEstimate:
    """Estimate of a pipeline before synthesis."""
    if is_loaded(design):
        return _estimate_loaded(design)
    pipeline = elaborate(design)
    cycles = cycles_of(operations_of(pipeline), repeat(pipeline.beats))
    return ResourceEstimate(cycles, engine_features(pipeline, design.target, len(cycles)))


def _estimate_loaded(design: Design) -> ResourceEstimate:
    """The same of a pipeline of loaded moduli."""
    pipeline = work_out_loaded(design)
    one = operations_of_places(replace(pipeline, places=1), pipeline.rings)
    cycles = cycles_of(one, repeat(pipeline.beats))
    moduli, bits = pipeline.moduli, pipeline.moduli.bits
    memories = [(depth, bits) for depth in pipeline.factor_memories]
    # Of each stage {inverse, c}; beats that wait for their factors.
    memories += [(pipeline.places, moduli.inverse + moduli.factor_width)] * pipeline.stages
    memories += [(pipeline.ahead, 2 * pipeline.lines * bits)] * bool(pipeline.ahead)
    multipliers = pipeline.stages * pipeline.lines + pipeline.makers
    steps = len(pipeline.loaded.chain)
    loaded = LoadedFeatures(
        memories,
        [multiplier(pipeline.maker)] * pipeline.makers,
        # Two rows that centre a factor, two that square the root.
        adders=2 * bits * (pipeline.makers + 1),
        # c and -c of each step, and the squared root with what it is compared with.
        registers=multipliers * 2 * steps * moduli.factor_width + 6 * bits,
    )
    return ResourceEstimate(
        cycles, engine_features(pipeline, design.target, len(pipeline.paths), loaded)
    )
