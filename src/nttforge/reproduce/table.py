# SPDX-License-Identifier: Apache-2.0
"""What `reproduce` gives: a table in which every row says where it is from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from nttforge.flow.prepare import Progress, silent
from nttforge.results import Result
from nttforge.table import Block, Cell, Table

Rows = list[list[Cell]]


class Reproduction(Result):
    """A paper's table beside ours.

    Attributes
    ----------
    paper
        Title of the paper.
    columns
        Names of the columns; the first is the row's name.
    rows
        Cells of each row; None for what is not known.
    notes
        What to bear in mind when comparing.
    """

    paper: str
    columns: list[str]
    rows: Rows
    notes: list[str]

    def shown(self) -> Iterator[Block]:
        """The table."""
        yield Table(self.paper, self.columns, self.rows, self.notes)


@dataclass(frozen=True)
class Paper:
    """A paper's table, and how ours is measured.

    Attributes
    ----------
    title, columns
        Of the table.
    rows
        The paper's, and ours, measured when it is called: (what takes long too, progress).
    notes
        What to bear in mind, or a function like that of rows.
    """

    title: str
    columns: Sequence[str]
    rows: Callable[[bool, Progress], Rows]
    notes: Sequence[str] | Callable[[bool, Progress], list[str]]

    def __call__(self, clock: bool = False, progress: Progress = silent) -> Reproduction:
        """Measure ours, and put it beside the paper's.

        Raises
        ------
        NttforgeError
            If a tool is missing or fails.
        """
        notes = self.notes(clock, progress) if callable(self.notes) else self.notes
        return Reproduction(
            paper=self.title,
            columns=list(self.columns),
            rows=self.rows(clock, progress),
            notes=list(notes),
        )
