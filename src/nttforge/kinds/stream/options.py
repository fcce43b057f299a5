# SPDX-License-Identifier: Apache-2.0
"""Verbs of cores of streams alone: the models of their options."""

from collections.abc import Mapping
from pathlib import Path

from nttforge.options.model import Options, option, required
from nttforge.options.verbs import OfDesign


class ShowSheet(OfDesign):
    """Print the derived values of a pipeline design: delays, latencies, widths."""


class ShowFigure(OfDesign):
    """Draw a pipeline design."""

    svg: Path = required("SVG to write.", "-o", "--output")


class ShowFlow(OfDesign):
    """Step through a simulated transform: positions of all coefficients in every cycle."""

    operation: str | None = option("Transform; by default the first one.", None, "--op")
    output: Path | None = option("Write a page (HTML) instead.", None, "-o", "--output")


GROUPS: Mapping[str, str] = {}
#: As `VERBS` of the command line.
VERBS: Mapping[str, tuple[type[Options], str]] = {
    "show sheet": (ShowSheet, "kinds.stream.sheet:sheet"),
    "show figure": (ShowFigure, "kinds.stream.figure:figure"),
    "show flow": (ShowFlow, "kinds.stream.dataflow:flow"),
}
