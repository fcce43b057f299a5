# SPDX-License-Identifier: Apache-2.0
"""Draw the share of look-up tables of each block, as rectangles."""

from collections.abc import Mapping, Sequence
from html import escape

from nttforge.draw.canvas import Canvas

_WIDTH, _HEIGHT, _EDGE, _TOP = 1000, 460, 16, 44
_LETTER = 6.6  # pixels of a letter
_KINDS = ("ntt", "intt", "tip")

Box = tuple[float, float, float, float]


def gathered(blocks: Mapping[str, int], depth: int) -> dict[str, int]:
    """Numbers of instance paths, those deeper than `depth` with the one above them."""
    found: dict[str, int] = {}
    for path, count in blocks.items():
        name = ".".join(path.split(".")[:depth])
        found[name] = found.get(name, 0) + count
    return {name: count for name, count in found.items() if count > 0}


def boxes(parts: Sequence[tuple[str, int]], box: Box) -> list[tuple[str, int, Box]]:
    """Split `box` (x, y, width, height) into a rectangle for each (name, number), by halving."""
    if len(parts) < 2:
        return [(name, count, box) for name, count in parts]
    total, first, at = sum(count for _, count in parts), 0, 0
    while at < len(parts) - 1 and (at == 0 or 2 * first < total):
        first += parts[at][1]
        at += 1
    x, y, w, h = box
    share = first / total
    if w >= h:
        one, other = (x, y, w * share, h), (x + w * share, y, w * (1 - share), h)
    else:
        one, other = (x, y, w, h * share), (x, y + h * share, w, h * (1 - share))
    return [*boxes(parts[:at], one), *boxes(parts[at:], other)]


def draw(title: str, blocks: Mapping[str, int], depth: int = 2) -> str:
    """Look-up tables of each instance path as an SVG, those deeper with the one above them."""
    parts = sorted(gathered(blocks, depth).items(), key=lambda part: (-part[1], part[0]))
    canvas = Canvas()
    canvas.text(_EDGE, 30, title, "head", anchor="start")
    whole = (_EDGE, _TOP, _WIDTH - 2 * _EDGE, _HEIGHT - _TOP - _EDGE)
    heads = list(dict.fromkeys(name.split(".")[0] for name, _ in parts))
    for name, count, (x, y, w, h) in boxes(parts, whole):
        kind = _KINDS[heads.index(name.split(".")[0]) % len(_KINDS)]
        said = f"{name or 'top'}: {count:,} LUT"
        canvas.elements.append(
            f'<g><title>{escape(said)}</title><rect class="{kind}" opacity="0.75" x="{x:.1f}" '
            f'y="{y:.1f}" width="{max(0.5, w - 1):.1f}" height="{max(0.5, h - 1):.1f}"/></g>'
        )
        if len(said) * _LETTER < w and h > 16:
            canvas.text(round(x + w / 2), round(y + h / 2 + 4), said, "small onbar")
    return canvas.svg(_WIDTH, _HEIGHT, title, "nttforge report")
