# SPDX-License-Identifier: Apache-2.0
"""Pictures of an iterative core for its data sheet."""

from nttforge.design import Design
from nttforge.kinds.iterative.engine import elaborate
from nttforge.kinds.iterative.spans import iterative_spans
from nttforge.kinds.stream.spans import draw_spans


def architecture(design: Design) -> None:
    """None: one row of butterflies and its memory look alike in all of them."""
    del design


def timeline(design: Design) -> str:
    """The passes of its first operation, as SVG."""
    return draw_spans(
        design, iterative_spans(elaborate(design)), "when each pass has the butterflies"
    )
