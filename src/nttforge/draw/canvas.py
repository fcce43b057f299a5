# SPDX-License-Identifier: Apache-2.0
"""Common parts of the docs' drawings: colours for light and dark, and elements of an SVG."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Literal

# (selector, light, dark): the panel has a background of its own, so that either is readable
# wherever the drawing is shown.
_COLOURS = (
    (".panel", "fill:#fbfcfe;stroke:#d5dce6", "fill:#10161f;stroke:#2b3646"),
    (".card", "fill:#ffffff;stroke:#c3cddb", "fill:#18212d;stroke:#37465a"),
    (".block", "fill:#eef2f8;stroke:#aab8cb", "fill:#223042;stroke:#4a5d76"),
    (".rom", "fill:#fdf3dc;stroke:#d9b45f", "fill:#3a3018;stroke:#8f7530"),
    (".edge", "fill:#e4f3ec;stroke:#7fbf9f", "fill:#183528;stroke:#3f7d5f"),
    (".wire", "stroke:#5b6b80", "stroke:#8a9bb1"),
    (".lit", "fill:#ffffff;stroke:#5b6b80", "fill:#18212d;stroke:#8a9bb1"),
    (".tip", "fill:#5b6b80", "fill:#8a9bb1"),
    ("text", "fill:#1c2733", "fill:#e4eaf2"),
    (".onbar", "fill:#ffffff", "fill:#10161f"),
    (".soft", "fill:#5b6b80", "fill:#9aabc0"),
    (".ntt", "fill:#1f66c1", "fill:#6fb0ff"),
    (".intt", "fill:#c0561a", "fill:#ffa36b"),
)
_SHAPES = (
    "text{font-family:system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;font-size:12px}"
    ".title{font-size:20px;font-weight:600}.head{font-size:13px;font-weight:600}"
    ".small{font-size:11px}.number{font-size:15px;font-weight:600}"
    ".wire{fill:none;stroke-width:1.6}.lit{stroke-width:1.6}"
)

Way = Literal["right", "left", "up", "down"]
#: Arrows' tips, from where they end.
_TIPS: Mapping[Way, str] = {
    "right": "l-7 -4v8z",
    "left": "l7 -4v8z",
    "up": "l-4 7h8z",
    "down": "l-4 -7h8z",
}


def _style() -> str:
    light = "".join(f"{selector}{{{colours}}}" for selector, colours, _ in _COLOURS)
    dark = "".join(f"{selector}{{{colours}}}" for selector, _, colours in _COLOURS)
    return f"<style>{_SHAPES}{light}@media(prefers-color-scheme:dark){{{dark}}}</style>"


@dataclass
class Canvas:
    """Elements of a drawing, in the order in which they are painted."""

    elements: list[str] = field(default_factory=list)

    def svg(self, width: int, height: int, label: str, author: str) -> str:
        """The drawing as a file, on a panel of so many pixels; `author` is the module it is by."""
        size = f'width="{width - 1}" height="{height - 1}"'
        panel = f'<rect class="panel" x="0.5" y="0.5" {size} rx="12"/>'
        body = "\n".join((panel, *self.elements))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-label="{escape(label)}">\n'
            f"<!-- SPDX-License-Identifier: Apache-2.0; drawn by {author} -->\n"
            f"{_style()}\n{body}\n</svg>\n"
        )

    def box(self, x: int, y: int, w: int, h: int, kind: str, *, radius: int = 5) -> None:
        """A rectangle, (x, y) its upper left corner."""
        self.elements.append(
            f'<rect class="{kind}" x="{x}" y="{y}" width="{w}" height="{h}" rx="{radius}"/>'
        )

    def text(
        self,
        x: int,
        y: int,
        words: str,
        kind: str = "",
        *,
        anchor: str = "middle",
        turn: bool = False,
    ) -> None:
        """Words at (x, y), which is the base line's middle unless `anchor` says otherwise."""
        turned = f' transform="rotate(-90 {x} {y})"' if turn else ""
        self.elements.append(
            f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}"{turned}>'
            f"{escape(words)}</text>"
        )

    def path(self, data: str) -> None:
        """Wires, as an SVG path."""
        self.elements.append(f'<path class="wire" d="{data}"/>')

    def tip(self, x: int, y: int, way: Way = "right") -> None:
        """An arrow's tip that ends at (x, y)."""
        self.elements.append(f'<path class="tip" d="M{x} {y}{_TIPS[way]}"/>')

    def circle(self, x: int, y: int, radius: int, sign: str) -> None:
        """A circle around (x, y) with a sign in it."""
        self.elements.append(f'<circle class="lit" cx="{x}" cy="{y}" r="{radius}"/>')
        self.text(x, y + 5, sign, "head")
