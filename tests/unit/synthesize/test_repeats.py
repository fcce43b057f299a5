# SPDX-License-Identifier: Apache-2.0
"""Equal copies of modules, and what is counted of those that are left."""

from nttforge.synthesize.repeats import instances, merge_copies, own_cells


def module(name: str, lines: list[str]) -> str:
    return "\n".join([f"module {name}", *lines, "end", ""])


def leaf(number: int, kind: str = "$and", source: int = 1) -> list[str]:
    """A module's lines as elaboration writes them, with numbers of its own."""
    return [
        f'  attribute \\src "x.sv:{source}"',
        f"  wire $procmux${number}_Y",
        f"  cell {kind} $auto${number}",
        f"    connect \\Y $procmux${number}_Y",
        "  end",
    ]


def cell(kind: str, name: str) -> list[str]:
    return [f"  cell {kind} {name}", "    connect \\a \\a", "  end"]


def design(*leaves: list[str]) -> str:
    """A top with two middles, each with leaves of its own."""
    text = "autoidx 77\n"
    text += module("\\top", [*cell("\\mid$top.a", "\\a"), *cell("\\mid$top.b", "\\b")])
    for name, lines in zip("ab", leaves, strict=True):
        text += module(f"\\mid$top.{name}", cell(f"\\leaf$top.{name}.u", "\\u"))
        text += module(f"\\leaf$top.{name}.u", lines)
    return text


def names(text: str) -> list[str]:
    return [line.split()[1] for line in text.splitlines() if line.startswith("module ")]


def test_copies_become_one() -> None:
    merged = merge_copies(design(leaf(5), leaf(912, source=7)), ["leaf"])
    assert names(merged) == ["\\leaf.0", "\\mid.0", "\\top"]
    assert merged.count("cell \\mid.0 ") == 2
    assert merged.index("keep_hierarchy") < merged.index("module \\leaf.0")
    assert merged.count("keep_hierarchy") == 1
    assert merged.startswith("autoidx 77\n")


def test_what_differs_stays_apart() -> None:
    """In a type, in a connection, or in which of two wires is connected."""
    two = [*leaf(5)[:-1], "    connect \\A $procmux$5_Y", "  end"]
    wires = ["  wire $1", "  wire $2", "  cell $not $3", "    connect \\A ${}", "  end"]
    first, second = ([line.replace("{}", which) for line in wires] for which in "12")
    for a, b in ((leaf(5), leaf(6, "$or")), (leaf(5), two), (first, second)):
        merged = merge_copies(design(a, b), [])
        assert len(names(merged)) == 5
        assert "keep_hierarchy" not in merged


def test_types_are_no_names() -> None:
    """Cells whose types have digits are not taken for each other."""
    lines = [leaf(5, kind) for kind in ("$memrd_v2", "$memwr_v2")]
    assert len(names(merge_copies(design(*lines), []))) == 5


def test_instances_are_counted_by_their_paths() -> None:
    def of(*cells: tuple[str, str], **attributes: str) -> dict[str, object]:
        return {"attributes": attributes, "cells": {n: {"type": t} for n, t in cells}}

    modules = {
        "top": of(("a", "mid"), ("b", "mid"), ("x", "LUT2")),
        "mid": of(("u", "leaf"), ("y", "FDRE")),
        "leaf": of(("z", "LUT2"), ("w", "LUT2")),
        "LUT2": of(blackbox="1"),
        "FDRE": of(blackbox="1"),
    }
    assert sorted(instances(modules, "top")) == [
        ("", "top"),
        ("a", "mid"),
        ("a.u", "leaf"),
        ("b", "mid"),
        ("b.u", "leaf"),
    ]
    assert own_cells(modules, "top") == {"LUT2": 1}
    assert own_cells(modules, "mid") == {"FDRE": 1}
    assert own_cells(modules, "leaf") == {"LUT2": 2}
