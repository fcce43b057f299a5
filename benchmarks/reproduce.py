# SPDX-License-Identifier: Apache-2.0
"""Tables of papers and peers beside ours: TOML files, of which one engine makes a table.

A file of `papers/` has a title, columns, notes and rows. A column is its name and a formula for the
rows that are ours; other rows have `cells`. A cell or note that begins with `=` is a formula, a
Python expression over the row's keys, what :class:`Subject` measures of the row's design, the
file's named designs, and the functions of the module that the file names. A formula over what is
not measured, as a clock without --place, is an empty cell.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from benchmarks.subject import SPEC, Subject
from nttforge.flow.prepare import Progress, silent
from nttforge.names import find
from nttforge.results import Listing
from nttforge.table import Cell

PAPERS = Path(__file__).parent / "papers"


class UnknownError(Exception):
    """A formula needs what was not measured."""


def known(value: Any) -> Any:
    """A value that was measured.

    Raises
    ------
    UnknownError
        If it is None.
    """
    if value is None:
        raise UnknownError
    return value


FUNCTIONS: Mapping[str, Any] = {
    **{function.__name__: function for function in (int, known, len, max, min, round)},
    "text": lambda value: f"{value:g}",
    "whole": lambda value: int(value) if value == int(value) else round(value, 1),
}
"""What formulas may call."""


class Names(dict[str, Any]):
    """Names in a formula: keys, then attributes of a subject; without values they are unknown."""

    def __init__(self, subject: Subject | None, *keys: Mapping[str, Any]) -> None:
        texts = {name: value for each in keys for name, value in each.items() if name not in SPEC}
        super().__init__(texts)
        self._subject = subject

    def __getitem__(self, name: str) -> Any:
        return known(super().__getitem__(name))

    def __missing__(self, name: str) -> Any:
        of = self._subject
        if of is None or (name not in vars(of) and not hasattr(type(of), name)):
            raise KeyError(name)
        return getattr(of, name)


def evaluated(cell: Any, names: Mapping[str, Any]) -> Cell:
    """A cell's value; an empty text is an empty cell."""
    if not isinstance(cell, str) or not cell.startswith("="):
        return None if cell == "" else cell
    try:
        return eval(cell[1:], {"__builtins__": {}}, names)  # type: ignore[no-any-return]
    except UnknownError:
        return None


class Paper(BaseModel):
    """A file of `papers/`.

    Attributes
    ----------
    title
        Of the table; `{group}` is replaced.
    columns
        Name, and the formula of our rows.
    notes
        Texts, or formulas.
    rows
        In order. `cells` of published rows; `design`, or the name `of` one, of ours, `blank`
        columns, `clocked` rows that need --place, a `group`, and a `note` on it.
    designs, defaults, data
        Designs by name; keys that all rows have in common; keys that all designs have.
    functions
        A module whose functions formulas call.
    groups
        Whether groups of rows are tables too, or nothing else is.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    columns: list[tuple[str, Any]]
    notes: list[str] = []
    rows: list[dict[str, Any]]
    designs: dict[str, dict[str, Any]] = {}
    defaults: dict[str, Any] = {}
    functions: str | None = None
    groups: Literal["none", "also", "only"] = "none"

    @property
    def heads(self) -> list[str]:
        """Names of the columns."""
        return [name for name, _ in self.columns]

    def of_group(self, group: str | None) -> list[dict[str, Any]]:
        """Rows of a group, or all."""
        return [row for row in self.rows if group in (None, row.get("group"))]

    def keys_of(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """A row's keys, with those of its named design and of all rows."""
        return {**self.defaults, **self.designs.get(row.get("of", ""), {}), **row}

    def is_ours(self, row: Mapping[str, Any]) -> bool:
        """Whether a row is of a design."""
        return "of" in row or "design" in row

    def subjects(self, clock: bool = False) -> list[Subject]:
        """The designs of its rows, one a row."""
        rows = [row for row in self.rows if self.is_ours(row)]
        return [Subject(self.keys_of(row), clock) for row in rows]

    def published(self) -> list[dict[str, Any]]:
        """Rows that are not ours, by column."""
        rows = [row["cells"] for row in self.rows if not self.is_ours(row)]
        return [dict(zip(self.heads, cells, strict=False)) for cells in rows]


@cache
def papers() -> dict[str, tuple[Paper, str | None]]:
    """Tables by name: their file, and the group of its rows that is shown."""
    found: dict[str, tuple[Paper, str | None]] = {}
    for path in sorted(PAPERS.glob("*.toml")):
        paper = Paper.model_validate(tomllib.loads(path.read_text("utf-8")))
        if paper.groups != "only":
            found[path.stem] = paper, None
        if paper.groups != "none":
            groups = dict.fromkeys(row["group"] for row in paper.rows)
            found |= {f"{path.stem}-{group}": (paper, group) for group in groups}
    return found


def table(paper: Paper, group: str | None, clock: bool, progress: Progress = silent) -> Listing:
    """Measure ours, and put it beside the paper's.

    Raises
    ------
    NttforgeError
        If a tool is missing or fails.
    """
    named = {
        name: Subject({**paper.defaults, **keys}, clock, progress)
        for name, keys in paper.designs.items()
    }
    own = vars(import_module(paper.functions)) if paper.functions else {}
    common = {**FUNCTIONS, **own, **named, "clocked": clock, "published": paper.published()}
    rows: list[list[Cell]] = []
    above: dict[str, Cell] = {}
    for row in paper.of_group(group):
        if row.get("clocked") and not clock:
            continue
        keys = paper.keys_of(row)
        of = named.get(row.get("of", ""))
        if of is None and "design" in row:
            of = Subject(keys, clock, progress)
        names = Names(of, common, {"above": above, "ours": of}, keys)
        cells = [evaluated(cell, names) for cell in _cells(paper, row)]
        rows.append(cells)
        above = dict(zip(paper.heads, cells, strict=True))
    noted = [*paper.notes, *(row["note"] for row in paper.of_group(group) if "note" in row)]
    notes = [str(n) for n in (evaluated(note, Names(None, common)) for note in noted) if n]
    title = paper.title.format(group=group)
    return Listing(title=title, columns=paper.heads, rows=rows, notes=notes)


def _cells(paper: Paper, row: Mapping[str, Any]) -> Iterator[Any]:
    """A row's cells: its own, or the columns' formulas; empty where it has none."""
    own: Sequence[Any] | None = row.get("cells")
    blank = row.get("blank", ())
    for at, (name, formula) in enumerate(paper.columns):
        cell = formula if own is None else own[at] if at < len(own) else ""
        yield "" if name in blank else cell


def reproduce(name: str, clock: bool, progress: Progress = silent) -> Listing:
    """The table of a name.

    Raises
    ------
    NttforgeError
        If there is none of that name, or a tool is missing or fails.
    """
    return table(*find("paper", name, papers()), clock, progress)
