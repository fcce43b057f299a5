# SPDX-License-Identifier: Apache-2.0
"""What was looked at as a page with an interactive plot, which needs no network.

The plot is drawn by Plotly, whose script is in the page. Filters are by family, by bounds of every
figure, and by whether a design is on the front; a click on a point shows its design file.
"""

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path

from nttforge import __version__
from nttforge.flow.explore.front import Candidate
from nttforge.output import check_writable
from nttforge.packages import imported

_TEMPLATE = Path(__file__).with_name("page.html")
#: Figures of a candidate that can be an axis, as people call them.
AXES = {
    "each": "cycles each",
    "latency": "latency, cycles",
    "lut": "LUT",
    "ff": "FF",
    "dsp": "DSP",
    "bram18": "BRAM",
    "mhz": "MHz",
    "each_us": "us each",
    "latency_us": "latency, us",
}


def _script() -> str:
    offline = imported("plotly.offline", "plotly", "--html needs it")
    text: str = offline.get_plotlyjs()
    return text


def check_page(path: Path) -> None:
    """Refuse a page that cannot be made, before the work for it.

    Raises
    ------
    NttforgeError
        If the file cannot be written, or Plotly is not installed.
    """
    check_writable(path)
    _script()


def _json(value: object) -> str:
    """For a script within a page: nothing in it ends the script."""
    return json.dumps(value).replace("<", "\\u003c")


def page_of(looked_at: Sequence[tuple[str, str, Sequence[Candidate]]]) -> str:
    """The page.

    Parameters
    ----------
    looked_at
        Name, target and candidates of each need.
    """
    needs = [
        {
            "name": f"{name} on {target}",
            "points": [
                {
                    "family": each.family,
                    "text": each.text,
                    "front": each.front,
                    "chosen": each.chosen,
                    "misses": list(each.misses),
                    "design": each.design,
                    **{axis: getattr(each, axis) for axis in AXES},
                }
                for each in candidates
            ],
        }
        for name, target, candidates in looked_at
    ]
    parts = {
        "@VERSION@": escape(__version__),
        "@DATA@": _json({"needs": needs, "axes": AXES}),
        "@PLOTLY@": _script(),
    }
    text = _TEMPLATE.read_text("utf-8")
    for mark, part in parts.items():
        text = text.replace(mark, part)
    return text
