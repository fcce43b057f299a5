# SPDX-License-Identifier: Apache-2.0
"""The rows of a sweep as a table in Parquet, and as a page with a plot."""

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nttforge.draw.points import page_of, point
from nttforge.output import atomic_file, check_writable
from nttforge.packages import imported

_AXES = ("result.", "keys.", "options.", "seconds")
_NOTE = "Each point is a row of the sweep; grey: failed, or did not hold."


def _flat(row: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Columns of a row: names of inner tables are joined by dots, lists are JSON."""
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", json.dumps(value) if isinstance(value, list) else value


def _arrow(module: str) -> Any:
    return imported(module, "pyarrow", "--parquet needs it")


def check_arrow(path: Path) -> None:
    """Refuse a table that cannot be written, before the work."""
    check_writable(path)
    _arrow("pyarrow")


def write_parquet(rows: Iterable[Mapping[str, Any]], path: Path) -> None:
    """Write rows as a table; a column with values of several kinds is one of text."""
    arrow, parquet = map(_arrow, ("pyarrow", "pyarrow.parquet"))
    flat = [dict(_flat(row)) for row in rows]
    columns: dict[str, list[Any]] = {}
    for name in dict.fromkeys(itertools.chain.from_iterable(flat)):
        values = [row.get(name) for row in flat]
        kinds = {type(value) for value in values if value is not None}
        if len(kinds) > 1 and kinds != {int, float}:
            values = [value if value is None else json.dumps(value) for value in values]
        columns[name] = values
    with atomic_file(path) as file:
        parquet.write_table(arrow.table(columns), file)


def _figures(row: Mapping[str, Any]) -> dict[str, float]:
    """Numbers of a row that can be an axis of a plot."""
    return {
        column.removeprefix("result."): value
        for column, value in _flat(row)
        if column.startswith(_AXES)
        and isinstance(value, int | float)
        and not isinstance(value, bool)
        and "provenance" not in column
    }


def page_of_rows(title: str, points: Sequence[Any], rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as a page with a plot: any figure of the results, and any key, against any other."""
    figures = [_figures(row) for row in rows]
    every = dict.fromkeys(itertools.chain.from_iterable(figures))
    values = {axis: {found[axis] for found in figures if axis in found} for axis in every}
    # A figure that is the same in all rows is no axis, unless all are.
    axes = [axis for axis in every if len(values[axis]) > 1] or [*every]
    axes.sort(key="seconds".__eq__)
    drawn = []
    for each, row, found in zip(points, rows, figures, strict=True):
        asked = [f"{key} = {value}" for key, value in (*each.keys.items(), *each.options.items())]
        wrong = [row["error"]] if "error" in row else [] if row["ok"] else ["did not hold"]
        text, taken = ", ".join([each.design, *asked]), {axis: found.get(axis) for axis in axes}
        drawn.append(point(each.design, text, each.text, taken, violations=wrong))
    return page_of("A sweep", {title: drawn}, {axis: axis for axis in axes}, of="rows", note=_NOTE)
