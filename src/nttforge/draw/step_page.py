# SPDX-License-Identifier: Apache-2.0
"""A page that steps through cycles: words move through an engine's drawing. It needs no network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from nttforge.draw.html_page import filled, script_json

#: A word that is not known.
UNKNOWN = "?"


class Spot(NamedTuple):
    """Rectangle of a place in the drawing, in pixels, from its upper left corner."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Scene:
    """An engine's drawing as SVG, and the spots of its places by name."""

    svg: str
    spots: Mapping[str, Spot]


@dataclass(frozen=True)
class Place:
    """A place that words pass, or wait in if not `passed`; `words` by cycle, index or `UNKNOWN`."""

    name: str
    passed: bool
    words: tuple[tuple[str, ...], ...]


def page(title: str, words: str, places: Sequence[Place], count: int, scene: Scene) -> str:
    """The page: places in the order in which words pass them, each with a spot in the scene."""
    last = len(places[0].words) - 1
    data = [
        {"name": p.name, "passed": p.passed, "spot": scene.spots[p.name], "words": p.words}
        for p in places
    ]
    parts = {
        "TITLE": escape(title),
        "WORDS": escape(words),
        "LAST": str(last),
        "COUNT": str(count),
        "UNKNOWN": UNKNOWN,
        "DRAWING": scene.svg,
        "DATA": script_json(data, (",", ":")),
    }
    return filled("step_page.html", parts)
