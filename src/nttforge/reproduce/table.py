# SPDX-License-Identifier: Apache-2.0
"""What `reproduce` gives: a table in which every row says where it is from."""

from collections.abc import Iterator

from nttforge.results import Result
from nttforge.table import Block, Cell, Table


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
    rows: list[list[Cell]]
    notes: list[str]

    def shown(self) -> Iterator[Block]:
        """The table."""
        yield Table(self.paper, self.columns, self.rows, self.notes)
