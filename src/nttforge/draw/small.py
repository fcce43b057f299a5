# SPDX-License-Identifier: Apache-2.0
"""Draw examples of sixteen words: `nttforge show example iterative -o docs/iterative-16.svg`."""

from collections.abc import Sequence

from nttforge.draw.canvas import Canvas

_COLOURS = ("block", "rom", "edge", "card")
_LEFT, _CELL, _HIGH = 24, 48, 34
_AUTHOR = "nttforge.draw.small"


def _loop(canvas: Canvas, lanes: int, y: int) -> None:
    """The row of butterflies, and the memory after it through which all passes but two go."""
    for x, words in ((360, f"{lanes // 2} butterflies"), (640, f"{lanes} banks of words")):
        canvas.box(x, y, 170, 56, "card")
        canvas.text(x + 85, y + 33, words, "head")
    canvas.text(_LEFT, y + 21, "first pass", "small soft", anchor="start")
    canvas.path(f"M{_LEFT} {y + 30}H353M530 {y + 30}H633")
    canvas.tip(360, y + 30)
    canvas.tip(640, y + 30)
    canvas.text(585, y + 23, "each pass", "small soft")
    canvas.path(f"M725 {y + 56}V{y + 80}H445V{y + 63}")
    canvas.tip(445, y + 56, "up")
    canvas.text(585, y + 75, "the next pass", "small soft")
    canvas.path(f"M445 {y}V{y - 12}H953")
    canvas.tip(960, y - 12)
    canvas.text(885, y - 20, "last pass", "small soft")


def passes(apart: Sequence[str], groups: Sequence[Sequence[Sequence[int]]]) -> str:
    """Draw a row of butterflies over passes: distance of a pair and groups of indices of each."""
    canvas = Canvas()
    canvas.text(_LEFT, 34, "Sixteen words on one row of butterflies", "title", anchor="start")
    lanes = len(groups[0][0])
    _loop(canvas, lanes, 76)
    left, top, step = _LEFT + 176, 214, 86
    for at, (gap, found) in enumerate(zip(apart, groups, strict=True)):
        y = top + step * at
        canvas.text(_LEFT, y + 22, f"pass {at}: {gap} apart", "head", anchor="start")
        for number, group in enumerate(found):
            for index in group:
                canvas.box(left + _CELL * index, y, _CELL - 4, _HIGH, _COLOURS[number])
                canvas.text(left + _CELL * index + _CELL // 2 - 2, y + 22, str(index))
        middle = left + _CELL // 2 - 2
        for low, high in zip(found[0][: lanes // 2], found[0][lanes // 2 :], strict=True):
            a, b = (middle + _CELL * index for index in (low, high))
            canvas.path(f"M{a} {y}C{a} {y - 26} {b} {y - 26} {b} {y}")
    y = top + step * len(groups) - 22
    for number in range(len(groups[0])):
        canvas.box(left + 150 * number, y, 22, 22, _COLOURS[number])
        canvas.text(left + 150 * number + 30, y + 15, f"cycle {number}", "small", anchor="start")
    words = "arcs: pairs of cycle 0"
    canvas.text(left + 150 * len(groups[0]), y + 15, words, "small soft", anchor="start")
    label = "Which of sixteen words one row of butterflies takes in which cycle"
    return canvas.svg(1000, y + 46, label, _AUTHOR)


def squares(names: Sequence[str], matrices: Sequence[Sequence[Sequence[int]]], by: str) -> str:
    """Draw a transform as squares of words; `by`: `c`olumns or `r`ows are transformed in each."""
    canvas = Canvas()
    canvas.text(_LEFT, 34, "Sixteen words through a kernel of four", "title", anchor="start")
    size = len(matrices[0])
    step, top = size * _CELL + 46, 100
    for number, (name, matrix, way) in enumerate(zip(names, matrices, by, strict=True)):
        x = _LEFT + step * number
        canvas.text(x, top - 18, name, "head", anchor="start")
        for r, row in enumerate(matrix):
            for c, word in enumerate(row):
                kind = _COLOURS[c if way == "c" else r]
                canvas.box(x + _CELL * c, top + _CELL * r, _CELL - 4, _CELL - 4, kind)
                canvas.text(x + _CELL * c + _CELL // 2 - 2, top + _CELL * r + 27, str(word))
        if number:
            middle = top + size * _CELL // 2 - 2
            canvas.path(f"M{x - 44} {middle}h30")
            canvas.tip(x - 8, middle)
    y = top + size * _CELL + 24
    words = "A colour is what the kernel takes together: first columns, then rows."
    canvas.text(_LEFT, y, words, "small soft", anchor="start")
    label = "Four squares of four by four words: in memory, and after each step"
    return canvas.svg(_LEFT + step * len(matrices) - 22, y + 20, label, _AUTHOR)
