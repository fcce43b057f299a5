# SPDX-License-Identifier: Apache-2.0
"""The block of a design that a mapped cell belongs to.

A flat netlist gives the best area, but mapping renames nearly everything. What survives mapping is
the attribute `src` of registers, memories, carry chains and DSPs. So each cell of the elaborated
design is labelled there with the instance it was written in, before it is mapped, and a register
with its name too; look-up tables, which carry no attribute, belong to the block that they feed.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

_Wire = TypeVar("_Wire")

_LABEL = "@"
_REGISTER = "="
_OUTPUTS = frozenset(("\\Y", "\\Q", "\\DATA", "\\RD_DATA"))
_CELL = re.compile(r"  cell (\S+) (\S+)$")
_CONNECT = re.compile(r"(?:  )?  connect (.*)$")
_GENERATED = re.compile(r"\$(\d+|[a-z]+[$\\]).*")
_SUFFIX = re.compile(r"\$\d+$")


def label_blocks(rtlil: str) -> str:
    """Write the instance path of every cell of a flat elaborated design into its `src`.

    A cell belongs where the wire that it drives was declared; one that drives a wire without a
    name of its own, as within an expression, where its readers are.

    - `rtlil`: what `read_slang; write_rtlil` gives for one flat module.
    """
    lines = rtlil.splitlines()
    blocks, registers = _elaborated_blocks(lines)
    result: list[str] = []
    attributes: list[str] = []
    for line in lines:
        if line.startswith("  attribute "):
            attributes.append(line)
            continue
        cell = _CELL.match(line)
        if cell:
            attributes = [a for a in attributes if not a.startswith("  attribute \\src ")]
            labels = [_LABEL + blocks.get(cell[2], "")]
            if cell[2] in registers:
                labels.append(_REGISTER + registers[cell[2]])
            attributes.append(f'  attribute \\src "{"|".join(labels)}"')
        result += [*attributes, line]
        attributes = []
    return "\n".join(result) + "\n"


def _elaborated_blocks(lines: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The block of each cell, and the name of each register."""
    registers: dict[str, str] = {}
    drives: dict[str, list[str]] = {}
    readers: dict[str, list[str]] = defaultdict(list)
    homes: dict[str, list[str]] = {}
    for cell, ports in _elaborated_cells(lines):
        drives[cell] = [w for port, wires in ports if port in _OUTPUTS for w in wires]
        homes[cell] = [home for wire in drives[cell] if (home := _home(wire)) is not None]
        for port, wires in ports:
            if port == "\\Q" and not _GENERATED.fullmatch(wires[0]):
                registers[cell] = _SUFFIX.sub("", wires[0][1:])
            if port not in _OUTPUTS:
                for wire in wires:
                    readers[wire].append(cell)
    blocks = {cell: _most_common(found) for cell, found in homes.items() if found}
    _spread(blocks, drives, readers)
    return blocks, registers


def _elaborated_cells(
    lines: Sequence[str],
) -> Iterable[tuple[str, list[tuple[str, list[str]]]]]:
    """Cells with the wires at each port; `connect` statements count as cells of their own."""
    name: str | None = None
    ports: list[tuple[str, list[str]]] = []
    for number, line in enumerate(lines):
        cell = _CELL.match(line)
        connect = _CONNECT.match(line)
        if cell:
            name, ports = cell[2], []
        elif name is not None and line == "  end":
            yield name, ports
            name = None
        elif connect and name is not None:
            port, _, signal = connect[1].partition(" ")
            ports.append((port, _wires(signal)))
        elif connect:
            left, right = _two_signals(connect[1])
            yield f"connect {number}", [("\\Y", _wires(left)), ("\\A", _wires(right))]


def _two_signals(text: str) -> tuple[str, str]:
    """The two sides of a `connect`: each a name with an optional slice, or a list in braces."""
    depth = 0
    words = text.split()
    for index, word in enumerate(words):
        depth += word.count("{") - word.count("}") if word in "{}" else 0
        following = words[index + 1] if index + 1 < len(words) else ""
        if depth == 0 and not following.startswith("["):
            return " ".join(words[: index + 1]), " ".join(words[index + 1 :])
    return text, ""


def _wires(signal: str) -> list[str]:
    return [word for word in signal.split() if word[0] in "\\$"]


def _home(wire: str) -> str | None:
    """Path of the instance that drives a wire; None if unknown: an `_i` port's is outside."""
    if _GENERATED.fullmatch(wire):
        return None
    path = _SUFFIX.sub("", wire[1:]).split(".")
    inside = 2 if path[-1].endswith("_i") else 1
    return ".".join(path[:-inside])


def mapped_blocks(module: Mapping[str, Any]) -> dict[str, str]:
    """The block of each cell of a labelled netlist, without those of unknown origin."""
    blocks: dict[str, str] = {}
    drives: dict[str, list[int | str]] = {}
    readers: dict[int | str, list[str]] = defaultdict(list)
    for name, cell in module["cells"].items():
        drives[name] = []
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output":
                drives[name] += [bit for bit in bits if isinstance(bit, int)]
            else:
                for bit in bits:
                    readers[bit].append(name)
        labels = _labels(cell, _LABEL)
        if labels:
            blocks[name] = _most_common(labels)
        elif cell["type"].startswith("RAM"):
            blocks[name] = _memory_block(name)
    _spread(blocks, drives, readers)
    return blocks


def _labels(cell: Mapping[str, Any], kind: str) -> list[str]:
    source = cell["attributes"].get("src", "").split("|")
    return [part.removeprefix(kind) for part in source if part.startswith(kind)]


def register_names(cell: Mapping[str, Any]) -> list[str]:
    """Source names of a mapped register: of merged equal ones, all names."""
    return _labels(cell, _REGISTER)


def _memory_block(name: str) -> str:
    """Cells of a memory are named after it, with numbers after: `u_ram.mem.0.3`."""
    path = name.split(".")
    while len(path) > 1 and path[-1].isdigit():
        path.pop()
    return ".".join(path[:-1])


def _spread(
    blocks: dict[str, str],
    drives: Mapping[str, Sequence[_Wire]],
    readers: Mapping[_Wire, Sequence[str]],
) -> None:
    """Give cells without a block that of most of their readers, from the outputs inwards."""
    pending = [name for name in drives if name not in blocks]
    while pending:
        found: dict[str, str] = {}
        for name in pending:
            near = [
                blocks[reader]
                for wire in drives[name]
                for reader in readers.get(wire, ())
                if reader in blocks
            ]
            if near:
                found[name] = _most_common(near)
        if not found:
            return
        blocks.update(found)
        pending = [name for name in pending if name not in found]


def _most_common(values: Iterable[str]) -> str:
    """The commonest; of several the one that sorts first, so that results do not vary."""
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value))
