# SPDX-License-Identifier: Apache-2.0
"""Rooms stand on each other: what a lower floor may not know of a higher one.

Kinds of engine are told apart in one place, so a new one needs no other.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "nttforge"
MODULES = sorted(PACKAGE.rglob("*.py"))
KINDS = {"Core", "MlkemCore", "MldsaCore", "DecomposedCore"}
#: Lists the families, and imports nothing: any room may read it.
REGISTRY = "nttforge.kinds"
#: Where families and kinds are listed, and the design's own checks of its tables.
REGISTRIES = {"design.py", "families/__init__.py"}
#: From the lowest up: rooms, and modules beside them; each imports what is below.
FLOORS = (
    {"errors", "limits", "machine", "table", "targets", "version"},
    {"names", "output", "packages", "provenance"},
    {"calls", "content"},
    {"pace", "rtl_library"},
    {"module_names"},
    {"ring", "layout"},
    {"keys"},
    {"design"},
    {"results"},
    {"reduction"},
    {"standards"},
    {"families"},
    {"emit"},
    {"simulate", "synthesize", "draw"},
    {"flow", "kinds"},
    {"api", "cocotb", "host"},
    {"soc"},
    {"board"},
    {"show"},
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
#: The package itself, and the command's module: they are above all.
TOP = {"__init__", "__main__"}
ROOMS = [room for floor in FLOORS for room in sorted(floor)]


def module_of(path: Path) -> str:
    """A module's name: of a folder's `__init__.py` the folder's."""
    parts = ("nttforge", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module_of(path) for path in MODULES}


def imported(tree: ast.AST) -> Iterator[str]:
    """Modules of the package that a module imports: anywhere, for types alone or in functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in NAMES)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nttforge"):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in NAMES else str(node.module)


def circle(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """Modules that import each other in a circle, the first one again at its end; none if none."""
    done: set[str] = set()

    def walk(module: str, path: list[str]) -> list[str]:
        if module in path:
            return [*path[path.index(module) :], module]
        if module not in done:
            for other in graph.get(module, ()):
                if found := walk(other, [*path, module]):
                    return found
            done.add(module)
        return []

    return next((found for module in graph if (found := walk(module, []))), [])


def above(room: str) -> set[str]:
    """What a room may not import: higher floors, and what it stands apart from."""
    at = next(at for at, floor in enumerate(FLOORS) if room in floor)
    higher = {name for floor in FLOORS[at + 1 :] for name in floor}
    return higher | APART.get(room, set())


def arrows_up(room: str, text: str) -> set[str]:
    names = {*imported(ast.parse(text))} - {"nttforge", REGISTRY}
    return above(room) & {name.split(".")[1] for name in names}


def test_every_room_has_a_floor() -> None:
    """And every module that stands in no room."""
    rooms = {path.parent.name for path in PACKAGE.glob("*/*.py")}
    alone = {path.stem for path in PACKAGE.glob("*.py")} - TOP
    assert rooms | alone == set(ROOMS) and len(ROOMS) == len({*ROOMS})


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {module_of(path): {*imported(ast.parse(path.read_text("utf-8")))} for path in MODULES}
    assert not circle(graph), " -> ".join(circle(graph))


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
    paths = [*(PACKAGE / room).rglob("*.py"), *PACKAGE.glob(f"{room}.py")]
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
    assert arrows_up("design", "if TYPE_CHECKING:\n    from nttforge import results") == {"results"}
    assert arrows_up("design", "def f():\n    import nttforge.results") == {"results"}
    assert circle({"a": ["b"], "b": ["c"], "c": ["b"]}) == ["b", "c", "b"]
    assert not circle({"a": ["b", "c"], "b": ["c"]})
    assert told_apart("isinstance(core, MlkemCore | Core)\nif design.family == 'mlkem': pass") == [
        1,
        2,
    ]
