# SPDX-License-Identifier: Apache-2.0
"""Designs as a page with an interactive plot (Plotly, included in the page)."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from nttforge.draw.html_page import filled, script_json
from nttforge.output import check_writable
from nttforge.packages import imported
from nttforge.version import __version__


def _script() -> str:
    offline = imported("plotly.offline", "plotly", "--html needs it")
    text: str = offline.get_plotlyjs()
    return text


def check_page(path: Path) -> None:
    """Refuse a page that cannot be made, before the work for it."""
    check_writable(path)
    _script()


def point(
    family: str,
    text: str,
    design: str,
    figures: Mapping[str, float | None],
    *,
    violations: Sequence[str] = (),
    front: bool = False,
    chosen: bool = False,
) -> dict[str, Any]:
    """A design on the page: its figures by axis, and how it is marked."""
    marks = {"violations": list(violations), "front": front, "chosen": chosen}
    return {**figures, "family": family, "text": text, "design": design, **marks}


def page_of(
    title: str,
    groups: Mapping[str, Sequence[Mapping[str, Any]]],
    axes: Mapping[str, str],
    *,
    of: str,
    note: str,
) -> str:
    """The page: `groups` of points by name, and the `axes` that can be chosen."""
    needs = [{"name": name, "points": points} for name, points in groups.items()]
    parts = {
        "TITLE": escape(title),
        "OF": escape(of),
        "NOTE": escape(note),
        "VERSION": escape(__version__),
        "DATA": script_json({"needs": needs, "axes": axes}),
        "PLOTLY": _script(),
    }
    return filled("points.html", parts)
