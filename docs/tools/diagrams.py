# SPDX-License-Identifier: Apache-2.0
"""Block diagrams of the pages that have nothing to simulate: boxes, and arrows between them.

`python -m docs.tools.diagrams NAME -o docs/NAME.svg` draws one. Boxes stand in a grid: a diagram is
data, and a test draws all of them again.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nttforge.draw.canvas import Canvas, Way
from nttforge.output import write_text

#: Pixels: of a line of a box, of a panel's edge, and of a row of a flow.
_LINE, _EDGE, _ROW = 17, 24, 108
#: Which way an arrow points that ends at a side.
_INTO: Mapping[str, Way] = {"l": "right", "r": "left", "t": "down", "b": "up"}


@dataclass(frozen=True)
class Box:
    """A box: its name for arrows, upper left corner, size, class of the style, and its lines."""

    name: str
    x: int
    y: int
    w: int
    h: int
    kind: str
    lines: tuple[str, ...]

    def side(self, way: str, shift: int = 0) -> tuple[int, int]:
        """The middle of a side (`l`, `r`, `t`, `b`), moved along it."""
        x, y = self.x + self.w // 2 + shift, self.y + self.h // 2 + shift
        return {
            "l": (self.x, y),
            "r": (self.x + self.w, y),
            "t": (x, self.y),
            "b": (x, self.y + self.h),
        }[way]


@dataclass(frozen=True)
class Arrow:
    """From a box's side to another's (`a.r`, `b.l`), with words beside its first part."""

    begin: str
    end: str
    words: str = ""
    shift: int = 0
    end_shift: int = 0


@dataclass(frozen=True)
class Diagram:
    """A drawing of so many pixels."""

    title: str
    label: str
    width: int
    height: int
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    notes: tuple[tuple[int, int, str], ...] = ()


def _drawn_box(canvas: Canvas, box: Box) -> None:
    canvas.box(box.x, box.y, box.w, box.h, box.kind)
    top = box.y + box.h // 2 - _LINE * (len(box.lines) - 1) // 2 + 4
    for at, words in enumerate(box.lines):
        kind = "head" if at == 0 else "small soft"
        canvas.text(box.x + box.w // 2, top + at * _LINE, words, kind)


def _drawn_arrow(canvas: Canvas, boxes: dict[str, Box], arrow: Arrow) -> None:
    (one, leaves), (two, enters) = (end.split(".") for end in (arrow.begin, arrow.end))
    x0, y0 = boxes[one].side(leaves, arrow.shift)
    x1, y1 = boxes[two].side(enters, arrow.end_shift)
    if leaves in "lr" and enters in "lr":
        bend = (x0 + x1) // 2
        canvas.path(f"M{x0} {y0}H{bend}V{y1}H{x1}" if y0 != y1 else f"M{x0} {y0}H{x1}")
    elif leaves in "lr":
        canvas.path(f"M{x0} {y0}H{x1}V{y1}")
    elif enters in "lr":
        canvas.path(f"M{x0} {y0}V{y1}H{x1}")
    else:
        bend = (y0 + y1) // 2
        canvas.path(f"M{x0} {y0}V{bend}H{x1}V{y1}" if x0 != x1 else f"M{x0} {y0}V{y1}")
    canvas.tip(x1, y1, _INTO[enters])
    if arrow.words:
        across = leaves in "lr"
        x, y = (x0 + (8 if leaves == "r" else -8), y0 - 6) if across else (x0 + 8, y0 + 15)
        canvas.text(x, y, arrow.words, "small soft", anchor="end" if leaves == "l" else "start")


def drawn(diagram: Diagram) -> str:
    """The SVG."""
    canvas, boxes = Canvas(), {box.name: box for box in diagram.boxes}
    canvas.text(_EDGE, 34, diagram.title, "title", anchor="start")
    for arrow in diagram.arrows:
        _drawn_arrow(canvas, boxes, arrow)
    for box in diagram.boxes:
        _drawn_box(canvas, box)
    for x, y, words in diagram.notes:
        canvas.text(x, y, words, "small soft", anchor="start")
    return canvas.svg(diagram.width, diagram.height, diagram.label, "docs.tools.diagrams")


def _question(name: str, rows: tuple[int, int], *lines: str) -> Box:
    first, last = rows
    return Box(name, _EDGE, 60 + 66 * first, 250, 48 + 66 * (last - first), "card", lines)


def _answer(name: str, row: int, *lines: str) -> Box:
    return Box(name, 500, 60 + 66 * row, 436, 48, "block", lines)


CHOOSE = Diagram(
    "From a need to an engine",
    "A standard or transforms, on the chip or in memory, how often: each answer leads to an engine",
    960,
    456,
    (
        _question("what", (0, 1), "1. A standard, or transforms?"),
        _question("where", (2, 2), "2. On the chip, or in memory?"),
        _question("often", (3, 5), "3. How often?", "n coefficients a transform"),
        _answer("lattice", 0, "lattice", "ML-KEM, ML-DSA, or both, from small to fast"),
        _answer("rns", 1, "rns", "key switching of CKKS and BGV"),
        _answer("decomposed", 2, "decomposed", "2^4 to 2^28 words and beyond, DDR4 or HBM2"),
        _answer("pipeline", 3, "pipeline", "a row of butterflies for each stage"),
        _answer("loaded", 4, 'pipeline, q = "runtime"', "any prime, chosen with each transform"),
        _answer("iterative", 5, "iterative", "one row of butterflies for all stages; products"),
    ),
    (
        Arrow("what.r", "lattice.l", "a standard", -33),
        Arrow("what.r", "rns.l", "key switching", 33),
        Arrow("what.b", "where.t", "transforms"),
        Arrow("where.r", "decomposed.l", "in memory"),
        Arrow("where.b", "often.t", "on the chip"),
        Arrow("often.r", "pipeline.l", "n / 2 cycles or less", -66),
        Arrow("often.r", "loaded.l", "so, modulo many primes"),
        Arrow("often.r", "iterative.l", "less often", 66),
    ),
)


def _part(name: str, x: int, w: int, kind: str, *lines: str, y: int = 70, h: int = 58) -> Box:
    return Box(name, x, y, w, h, kind, lines)


RNS = Diagram(
    "A pipeline of loaded moduli",
    "Coefficients run through stages whose modulus and twiddle factors come with each transform",
    960,
    310,
    (
        _part("in", 24, 84, "edge", "s_axis", "tuser: place"),
        _part("framer", 140, 92, "edge", "framer", "n / t beats"),
        _part("s0", 264, 118, "block", "stage 0", "multiply, add"),
        _part("s1", 414, 118, "block", "stage 1", "multiply, add"),
        _part("sk", 600, 118, "block", "last stage", "multiply, add"),
        _part("end", 750, 92, "edge", "to [0, q)", "order"),
        _part("out", 872, 68, "edge", "m_axis"),
        _part("port", 140, 92, "edge", "load port", "checks q, psi", y=210),
        _part("table", 264, 250, "rom", "moduli", "q, -1/q, R^2, 1/n by place", y=210),
        _part(
            "factors", 600, 250, "rom", "twiddle factors", "made from few words, or tables", y=210
        ),
    ),
    (
        Arrow("in.r", "framer.l"),
        Arrow("framer.r", "s0.l"),
        Arrow("s0.r", "s1.l"),
        Arrow("s1.r", "sk.l"),
        Arrow("sk.r", "end.l"),
        Arrow("end.r", "out.l"),
        Arrow("in.b", "port.l", "load = 1"),
        Arrow("port.r", "table.l"),
        Arrow("table.t", "s0.b", "", -66),
        Arrow("table.t", "s1.b", "", 84),
        Arrow("table.r", "factors.l", "root"),
        Arrow("factors.t", "sk.b", "", -66),
    ),
    ((556, 88, "..."), (264, 292, "the place of a transform moves along with it, stage by stage")),
)


def _step(name: str, column: int, row: int, kind: str, *lines: str) -> Box:
    return Box(name, _EDGE + 154 * column, 70 + _ROW * row, 122, 58, kind, lines)


KEY_SWITCHING = Diagram(
    "Key switching",
    "Inverse transforms, base conversion, transforms, products with the key, and back modulo Q",
    960,
    270,
    (
        _step("c", 0, 0, "edge", "c", "limbs of Q"),
        _step("intt", 1, 0, "block", "INTT", "a limb"),
        _step("up", 2, 0, "block", "ModUp", "a digit, to Q and P"),
        _step("ntt", 3, 0, "block", "NTT", "a limb"),
        _step("mac", 4, 0, "block", "multiply, add", "all digits"),
        _step("key", 5, 0, "rom", "key", "memory channels"),
        _step("sum", 4, 1, "card", "two sums", "modulo Q and P"),
        _step("back", 3, 1, "block", "INTT", "limbs of P"),
        _step("down", 2, 1, "block", "ModDown", "P to Q, times 1/P"),
        _step("again", 1, 1, "block", "NTT", "limbs of Q"),
        _step("result", 0, 1, "edge", "c0, c1", "limbs of Q"),
    ),
    (
        Arrow("c.r", "intt.l"),
        Arrow("intt.r", "up.l"),
        Arrow("up.r", "ntt.l"),
        Arrow("ntt.r", "mac.l"),
        Arrow("key.l", "mac.r"),
        Arrow("mac.b", "sum.t"),
        Arrow("sum.l", "back.r"),
        Arrow("back.l", "down.r"),
        Arrow("down.l", "again.r"),
        Arrow("again.l", "result.r"),
    ),
)

DIAGRAMS = {"choose": CHOOSE, "rns": RNS, "key-switching": KEY_SWITCHING}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a diagram."""
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("name", choices=DIAGRAMS)
    made.add_argument("-o", "--output", type=Path, required=True, help="SVG file")
    asked = made.parse_args(arguments)
    write_text(asked.output, drawn(DIAGRAMS[asked.name]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
