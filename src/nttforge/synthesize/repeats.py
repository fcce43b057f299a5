# SPDX-License-Identifier: Apache-2.0
"""Synthesis of a large design piece by piece: each module once, however often it is there.

Elaboration that keeps the hierarchy makes a copy of a module for every instance. Copies that say
the same become one module again, and those that are named as pieces stay modules when the others
are flattened into them; the area of the design is the sum over the pieces' instances. What is not
reads, or is constant, beyond the edge of a piece is left out; no logic is optimised across it, so
the sum is a little above that of the flat design.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

_CELL_START = "  cell "
_CELL = re.compile(r"  cell (\\\S+) (\S+)$")
_GENERATED = re.compile(r"\$\S*\d\S*")
_SOURCE = re.compile(r"\s+attribute \\(src|hdlname) ")
_BETWEEN = "."  # a module's name and its number; no name in SystemVerilog has one
_MERGED = re.compile(r"^(module |  cell )\\(\w+)\.(\d+)(?=$| )", re.MULTILINE)

Module = Mapping[str, Any]


def merge_copies(rtlil: str, pieces: Collection[str]) -> str:
    """Leave one of each module's equal copies; those named in `pieces` stay modules."""
    names: dict[str, str] = {}  # of each copy: the module that is left
    known: dict[str, str] = {}  # the same by content
    count: Counter[str] = Counter()
    result = re.findall(r"^autoidx .*$", rtlil, re.MULTILINE)
    modules = dict(_modules(rtlil))
    top = next(iter(modules))
    for name in _inside_out(modules, top):
        lines = [_renamed(line, names) for line in modules[name]]
        content = _content(lines)
        if name == top:
            names[name] = name
        elif content in known:
            names[name] = known[content]
            continue
        else:
            base = name[1:].partition("$")[0]
            names[name] = known[content] = f"\\{base}{_BETWEEN}{count[base]}"
            count[base] += 1
            if base in pieces:
                result.append("attribute \\keep_hierarchy 1")
        if name == top:
            result.append("attribute \\top 1")
        result += [f"module {names[name]}", *lines, "end"]
    return "\n".join(result) + "\n"


def with_plain_names(rtlil: str, prefix: str) -> str:
    """Give the modules that :func:`merge_copies` has left names without a dot, and a prefix."""
    return _MERGED.sub(rf"\1\\{prefix}\2_\3", rtlil)


def _modules(rtlil: str) -> Iterator[tuple[str, list[str]]]:
    """Name and lines of each module, the top first."""
    name: str | None = None
    lines: list[str] = []
    for line in rtlil.splitlines():
        if line.startswith("module "):
            name, lines = line[len("module ") :], []
        elif line == "end" and name is not None:
            yield name, lines
            name = None
        elif name is not None and not _SOURCE.match(line):
            lines.append(line)


def _inside_out(modules: Mapping[str, list[str]], top: str) -> Iterator[str]:
    """Names of the modules that are used, each after those that it uses."""
    done: set[str] = set()
    stack = [(top, False)]
    while stack:
        name, used_are_done = stack.pop()
        if name in done:
            continue
        if used_are_done:
            done.add(name)
            yield name
            continue
        stack.append((name, True))
        used = (_CELL.match(line) for line in modules[name])
        stack += [(cell[1], False) for cell in used if cell and cell[1] in modules]


def _renamed(line: str, names: Mapping[str, str]) -> str:
    cell = _CELL.match(line)
    return f"  cell {names.get(cell[1], cell[1])} {cell[2]}" if cell else line


def _content(lines: list[str]) -> str:
    """The text of a module without what is only its copy's: numbers in generated names."""
    numbers: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        return numbers.setdefault(match[0], f"${len(numbers)}")

    result = []
    for line in lines:
        kind, space, rest = "", "", line
        if line.startswith(_CELL_START):  # the type is no name
            kind, space, rest = line.rpartition(" ")
        result.append(kind + space + _GENERATED.sub(number, rest))
    return "\n".join(result)


def instances(modules: Mapping[str, Module], top: str) -> Iterator[tuple[str, str]]:
    """(path, module) of every instance of a `write_json` netlist; the top's path is empty."""
    stack = [("", top)]
    while stack:
        path, name = stack.pop()
        yield path, name
        for cell, at in modules[name]["cells"].items():
            if _is_piece(modules, at["type"]):
                stack.append((f"{path}.{cell}" if path else cell, at["type"]))


def own_cells(modules: Mapping[str, Module], name: str) -> Counter[str]:
    """Number of cells of each type in one module, without those that are modules."""
    cells = modules[name]["cells"].values()
    return Counter(cell["type"] for cell in cells if not _is_piece(modules, cell["type"]))


def _is_piece(modules: Mapping[str, Module], name: str) -> bool:
    """A module of the design; those of the target's cells are there as black boxes."""
    return name in modules and not {"blackbox", "whitebox"} & set(modules[name]["attributes"])
