# SPDX-License-Identifier: Apache-2.0
"""Pictures of a pipeline for its folder and its data sheet."""

from nttforge.design import Design
from nttforge.draw.step_page import Scene
from nttforge.kinds.stream.build import elaborate
from nttforge.kinds.stream.figure import draw, spots
from nttforge.kinds.stream.spans import draw_spans, pipeline_spans


def architecture(design: Design) -> str:
    """Its stages, as SVG."""
    return draw(elaborate(design))


def timeline(design: Design) -> str:
    """Its stages as transforms pass through, as SVG."""
    spans = pipeline_spans(elaborate(design))
    return draw_spans(design, spans, "when words come into each stage's butterflies")


def scene(design: Design) -> Scene:
    """Its stages, and where words are in them, for `show flow`."""
    pipeline = elaborate(design)
    return Scene(draw(pipeline), spots(pipeline))
