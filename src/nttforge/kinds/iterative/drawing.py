# SPDX-License-Identifier: Apache-2.0
"""Pictures of an iterative core for its data sheet."""

from nttforge.design import Design
from nttforge.draw.canvas import Canvas
from nttforge.draw.step_page import Scene, Spot
from nttforge.kinds.iterative.engine import Iterative, elaborate
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


def scene(design: Design) -> Scene:
    """One row of butterflies and its memory, and where words are in them, for `show flow`."""
    core = elaborate(design)
    return Scene(_loop(core), _SPOTS)


_TOP, _HIGH = 110, 210
_SPOTS = {
    "input port": Spot(24, _TOP, 70, _HIGH),
    "to the butterflies": Spot(150, _TOP, 120, _HIGH),
    "butterflies": Spot(300, _TOP, 84, _HIGH),
    "computed by butterflies": Spot(400, _TOP, 84, _HIGH),
    "written to memory": Spot(520, _TOP, 60, _HIGH),
    "in memory": Spot(620, _TOP, 220, _HIGH),
    "to the output port": Spot(400, 44, 400, 44),
    "output port": Spot(880, 44, 96, 44),
}
_BOXES = {
    "registers, reads": ("to the butterflies", "edge"),
    "butterflies": ("butterflies", "card"),
    "their registers": ("computed by butterflies", "card"),
    "memory": ("in memory", "block"),
}


def _loop(core: Iterative) -> str:
    canvas = Canvas()
    name = core.design.name
    canvas.text(24, 34, name, "title", anchor="start")
    for words, (place, kind) in _BOXES.items():
        x, y, width, height = _SPOTS[place]
        canvas.box(x - 4, y - 4, width + 8, height + 8, kind)
        canvas.text(x + width // 2, y + height + 22, words, "small soft")
    lines = f"{core.lines} butterfl{'y' if core.lines == 1 else 'ies'} of "
    moduli = " or ".join(str(each.q) for each in core.rings)
    canvas.text(24, 56, f"{lines}q = {moduli}", "soft", anchor="start")
    middle, below = _TOP + _HIGH // 2, _TOP + _HIGH + 44
    canvas.path(f"M94 {middle}H139M274 {middle}H289M488 {middle}H609")
    for x in (146, 296, 616):
        canvas.tip(x, middle)
    canvas.path(f"M730 {_TOP + _HIGH + 30}V{below}H210V{_TOP + _HIGH + 36}")
    canvas.tip(210, _TOP + _HIGH + 28, "up")
    canvas.text(470, below - 6, "the next pass", "small soft")
    canvas.path(f"M445 {_TOP - 4}V94M800 66H873")
    canvas.tip(445, 88, "up")
    canvas.tip(880, 66)
    canvas.text(60, _TOP - 12, "s_axis", "head")
    canvas.text(928, 34, "m_axis", "head")
    canvas.text(600, 38, "last pass, to [0, q)", "small soft")
    canvas.box(396, 42, 408, 48, "edge")
    return canvas.svg(1000, below + 18, name, "nttforge show flow")
