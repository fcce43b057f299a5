# SPDX-License-Identifier: Apache-2.0
"""Rooms stand on each other: what a lower floor may not know of a higher one.

Kinds of engine are told apart in one place, so a new one needs no other.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "nttforge"
MODULES = sorted(PACKAGE.rglob("*.py"))
KINDS = {"Core", "MlkemCore", "MldsaCore", "DecomposedCore"}
#: Lists the families, and imports nothing: any room may read it.
REGISTRY = "nttforge.kinds"
#: Where families and kinds are listed, and the design's own checks of its tables.
REGISTRIES = {"design.py", "families/__init__.py"}
#: From the lowest up; a room imports what is below.
FLOORS = (
    {"ring", "layout"},
    {"keys"},
    {"reduction"},
    {"standards"},
    {"families"},
    {"emit"},
    {"simulate", "synthesize", "draw"},
    {"flow", "kinds"},
    {"api", "host", "reproduce"},
    {"soc"},
    {"board"},
    {"pages"},
    {"cli"},
)
#: What a room may not import although it is on a lower floor, or on its own.
APART = {
    "layout": {"ring"},
    "ring": {"layout"},
    "simulate": {"emit", "synthesize", "draw"},
    "synthesize": {"families", "emit", "simulate", "draw"},
    "draw": {"emit", "simulate", "synthesize"},
    "standards": {"reduction"},
}
ROOMS = [room for floor in FLOORS for room in sorted(floor) if (PACKAGE / room).is_dir()]


def imported(tree: ast.AST) -> Iterator[str]:
    """Rooms and modules of the package that a module imports."""
    for node in ast.walk(tree):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        own = (name for name in names if name.startswith("nttforge.") and name != REGISTRY)
        yield from (name.split(".")[1] for name in own)


def above(room: str) -> set[str]:
    """What a room may not import: higher floors, and what it stands apart from."""
    at = next(at for at, floor in enumerate(FLOORS) if room in floor)
    higher = {name for floor in FLOORS[at + 1 :] for name in floor}
    return higher | APART.get(room, set())


def arrows_up(room: str, text: str) -> set[str]:
    return above(room) & set(imported(ast.parse(text)))


def test_every_room_has_a_floor() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/*.py")}
    assert rooms == set(ROOMS)


def told_apart(text: str) -> list[int]:
    """Lines that ask which kind of core, or which family, something is."""
    lines = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
            asked = {ast.unparse(part) for part in ast.walk(node.args[1])}
            if asked & KINDS:
                lines.append(node.lineno)
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            if any(isinstance(side, ast.Attribute) and side.attr == "family" for side in sides):
                lines.append(node.lineno)
    return lines


@pytest.mark.parametrize("room", ROOMS)
def test_no_arrow_leads_up(room: str) -> None:
    paths = list((PACKAGE / room).rglob("*.py"))
    assert paths
    found = {path.name: arrows_up(room, path.read_text("utf-8")) for path in paths}
    assert not any(found.values()), {name: rooms for name, rooms in found.items() if rooms}


def test_kinds_are_told_apart_in_one_place() -> None:
    found = {
        name: lines
        for path in MODULES
        if (name := path.relative_to(PACKAGE).as_posix()) not in REGISTRIES
        and (lines := told_apart(path.read_text("utf-8")))
    }
    assert not found


def test_the_tests_can_fail() -> None:
    assert arrows_up("families", "from nttforge.flow.stream.run import x") == {"flow"}
    assert arrows_up("families", "from nttforge.kinds.lattice.bus import x") == {"kinds"}
    assert not arrows_up("families", "from nttforge.kinds import FAMILIES")
    assert told_apart("isinstance(core, MlkemCore | Core)\nif design.family == 'mlkem': pass") == [
        1,
        2,
    ]
