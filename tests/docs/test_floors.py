# SPDX-License-Identifier: Apache-2.0
"""Rooms stand on each other: what a lower floor may not know of a higher one.

Kinds of engine are distinguished in one place, so a new one needs no other.
"""

import ast
from collections.abc import Iterable, Mapping
from functools import cache

import pytest

from nttforge.kinds import BUILT_IN, FAMILIES, FORMER, Part, has_part
from tests.imports import PACKAGE, imported, module_of, reached, tree

MODULES = sorted(PACKAGE.rglob("*.py"))
#: Lists the families, and imports nothing: any room may read it.
REGISTRY = "nttforge.kinds"
#: Where families are listed, and the design's own checks of its tables.
REGISTRIES = {"design.py", "kinds/__init__.py"}
#: Host software of coprocessors with a queue of commands, whose operations are data.
COMMANDING = {"host/lattice.py", "host/library.py", "host/openssl.py", "soc/folder.py"}
#: Parts of a kind that are below the tools, and the highest floor that they stand on.
PARTS: Mapping[Part, str] = {"config": "config", "build": "hw", "search_space": "hw"}
#: From the lowest up: rooms, and modules beside them; each imports what is below.
FLOORS = (
    {"c_struct", "designs", "errors", "machine", "table", "targets", "version"},
    {"names", "options", "output", "packages", "provenance"},
    {"calls", "cache"},
    {"progress", "rtl_library"},
    {"module_names"},
    {"ring", "layout"},
    {"config"},
    {"design"},
    {"results"},
    {"reduction"},
    {"standards"},
    {"hw"},
    {"emit"},
    {"simulate", "synthesize", "draw"},
    {"flow", "kinds"},
    {"api", "cocotb", "host"},
    {"board"},
    {"soc"},
    {"show"},
    {"cli"},
)
#: What a room may not import although it is on a lower floor, or on its own.
APART = {
    "layout": {"ring"},
    "ring": {"layout"},
    "simulate": {"emit", "synthesize", "draw"},
    "synthesize": {"hw", "emit", "simulate", "draw"},
    "draw": {"emit", "simulate", "synthesize"},
    "standards": {"reduction"},
}
#: The package itself, and the command's module: they are above all.
TOP = {"__init__", "__main__"}
ROOMS = [room for floor in FLOORS for room in sorted(floor)]


NAMES = {module_of(path) for path in MODULES}


@cache
def imports() -> Mapping[str, set[str]]:
    """Module -> what it imports."""
    return {module_of(path): {*imported(tree(path), NAMES)} for path in MODULES}


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
    names = {*imported(ast.parse(text), NAMES)} - {"nttforge", REGISTRY}
    return above(room) & {name.split(".")[1] for name in names}


def test_every_room_has_a_floor() -> None:
    """And every module that stands in no room."""
    rooms = {path.parent.name for path in PACKAGE.glob("*/*.py")}
    alone = {path.stem for path in PACKAGE.glob("*.py")} - TOP
    assert rooms | alone == set(ROOMS) and len(ROOMS) == len({*ROOMS})


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = imports()
    assert not circle(graph), " -> ".join(circle(graph))


def subclasses(of: str) -> set[str]:
    """Names of the package's classes that derive from one, itself among them."""
    bases: dict[str, set[str]] = {}
    for path in MODULES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                over = {ast.unparse(base).partition("[")[0] for base in node.bases}
                bases[node.name] = bases.get(node.name, set()) | over
    found = {of}
    while more := {name for name, over in bases.items() if over & found} - found:
        found |= more
    return found


#: Words by which designs name families, or did.
WORDS = {*FAMILIES, *FORMER}


@cache
def kinds() -> set[str]:
    """Types of cores."""
    return subclasses("Core") - {"Core"}


def kind_tests(text: str) -> list[int]:
    """Lines that ask which kind of core, or which family, something is.

    By `isinstance`, a comparison of `family` or of a type, a `match`, or a table by types of cores
    or by names of families.
    """
    lines = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Name("isinstance" | "issubclass"), args=[_, others]):
                asked = {ast.unparse(part) for part in ast.walk(others)} & kinds()
            case ast.Compare(left=left, comparators=others):
                sides = (left, *others)
                asked = {ast.unparse(part) for side in sides for part in ast.walk(side)} & kinds()
                if any(isinstance(side, ast.Attribute) and side.attr == "family" for side in sides):
                    asked.add("family")
            case ast.MatchClass(cls=kind):
                asked = {ast.unparse(kind)} & kinds()
            case ast.MatchValue(value=ast.Constant(value=str() as word)):
                asked = {word} & WORDS
            case ast.Dict(keys=keys):
                asked = {ast.unparse(key) for key in keys if key is not None} & kinds()
                asked |= {str(key.value) for key in keys if isinstance(key, ast.Constant)} & WORDS
            case _:
                continue
        if asked:
            lines.append(node.lineno)
    return lines


def named_kinds(text: str) -> set[str]:
    """Packages of kinds that are imported, or whose modules are named in a string."""
    packages = {each.removeprefix("nttforge.") for each in BUILT_IN.values()}
    found = {*imported(ast.parse(text), NAMES)}
    named = {name for name in found if name.removeprefix("nttforge.").startswith((*packages,))}
    strings = (n.value for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant))
    ends = (*(f"{package}." for package in packages),)
    return named | {s for s in strings if isinstance(s, str) and s.startswith(ends)}


@pytest.mark.parametrize(
    ("family", "part"),
    [(family, part) for family in BUILT_IN for part in PARTS if has_part(family, part)],
)
def test_parts_of_a_kind_stand_below_the_tools(family: str, part: Part) -> None:
    """What derives a core from a design needs no simulator, no synthesis and no verb."""
    below = reached(f"{BUILT_IN[family]}.{part}", imports())
    rooms = {name.split(".")[1] for name in below if "." in name}
    assert not rooms - {"kinds"} & above(PARTS[part])


@pytest.mark.parametrize("room", ROOMS)
def test_no_arrow_leads_up(room: str) -> None:
    paths = [*(PACKAGE / room).rglob("*.py"), *PACKAGE.glob(f"{room}.py")]
    assert paths
    found = {path.name: arrows_up(room, path.read_text("utf-8")) for path in paths}
    assert not any(found.values()), {name: rooms for name, rooms in found.items() if rooms}


def test_kinds_are_distinguished_in_one_place() -> None:
    """A kind's own package may know it."""
    found = {
        name: lines
        for path in MODULES
        if (name := path.relative_to(PACKAGE).as_posix()) not in REGISTRIES
        and not name.startswith("kinds/")
        and (lines := kind_tests(path.read_text("utf-8")))
    }
    assert not found


def test_kinds_are_asked_and_not_imported() -> None:
    """Outside the kinds no module imports one, or names its modules, but what moves commands."""
    found = {
        name
        for path in MODULES
        if not (name := path.relative_to(PACKAGE).as_posix()).startswith("kinds/")
        and named_kinds(path.read_text("utf-8"))
    }
    assert found == COMMANDING


def test_the_tests_can_fail() -> None:
    assert arrows_up("hw", "from nttforge.flow.generate import x") == {"flow"}
    assert arrows_up("hw", "from nttforge.kinds.lattice.bus import x") == {"kinds"}
    assert not arrows_up("hw", "from nttforge.kinds import FAMILIES")
    assert arrows_up("design", "if TYPE_CHECKING:\n    from nttforge import results") == {"results"}
    assert arrows_up("design", "def f():\n    import nttforge.results") == {"results"}
    assert named_kinds("from nttforge.kinds.lattice.bus import x")
    assert named_kinds('"kinds.stream.figure:figure"') and not named_kinds("'kinds of cores'")
    assert circle({"a": ["b"], "b": ["c"], "c": ["b"]}) == ["b", "c", "b"]
    assert not circle({"a": ["b", "c"], "b": ["c"]})
    below = reached("nttforge.kinds.stream.build", imports())
    assert {"nttforge.hw.core", "nttforge.ring.ring"} <= below
    assert {"StreamCore", "LatticeCore", "DecomposedCore"} <= kinds()


@pytest.mark.parametrize(
    "text",
    [
        "isinstance(core, LatticeCore | StreamCore)",
        "if design.family == 'mlkem': pass",
        "type(core) is LatticeCore",
        "match core:\n case DecomposedCore(): pass",
        "match name:\n case 'mldsa': pass",
        "{LatticeCore: 1}[type(core)]",
        "{'pipeline': 1}[design.family]",
    ],
)
def test_a_test_of_kind_is_seen(text: str) -> None:
    assert kind_tests(text)
    assert not kind_tests("isinstance(core, Core)\n{'name': 1}\nmatch x:\n case 'n': pass")
