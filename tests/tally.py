# SPDX-License-Identifier: Apache-2.0
"""How much of a space of keys was met: counted while drawing, kept as JSON, shown as a table."""

import json
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: Where what was counted is kept.
RECORDS = Path(__file__).parents[1] / "docs" / "records"


@dataclass
class Met:
    """The values of one key that were met.

    Attributes
    ----------
    space
        What it may be, in words.
    size
        How many values that are; None if they cannot be counted.
    """

    space: str
    size: int | None
    values: set[Hashable] = field(default_factory=set)

    def record(self) -> dict[str, Any]:
        """What is kept of it: least and most of numbers, all of a few other values."""
        numbers = sorted(
            v for v in self.values if isinstance(v, int | float) and not isinstance(v, bool)
        )
        ends = {"least": str(numbers[0]), "most": str(numbers[-1])} if numbers else {}
        return {"space": self.space, "size": self.size, "met": len(self.values), **ends}


def keep(name: str, record: Mapping[str, Any]) -> Path:
    """Write a record; returns its file."""
    path = RECORDS / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", "utf-8")
    return path


def kept(name: str) -> dict[str, Any]:
    """A record, empty if there is none."""
    path = RECORDS / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def markdown(head: Iterable[str], rows: Iterable[Iterable[object]], text: int = 1) -> str:
    """A table whose first `text` columns are words and whose others are numbers."""
    heads = list(head)
    rule = ["---" if i < text else "---:" for i in range(len(heads))]
    lines = [heads, rule, *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def key_table(keys: Mapping[str, Mapping[str, Any]]) -> str:
    """What was met of each key, as Markdown."""
    rows = []
    for name, met in keys.items():
        of = "" if met["size"] is None else f" of {met['size']:,}"
        ends = f"{met['least']} to {met['most']}" if "least" in met else ""
        rows.append((f"`{name}`", met["space"], f"{met['met']:,}{of}", ends))
    return markdown(("key", "may be", "values met", "from, to"), rows, 2)
