# SPDX-License-Identifier: Apache-2.0
"""What `reproduce` gives: a table in which every row says where it is from."""

from nttforge.results import Result

Cell = str | int | float | None


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

    def markdown(self) -> str:
        """The table as Markdown, for the docs."""
        numeric = [
            all(isinstance(row[i], int | float | None) for row in self.rows)
            for i in range(len(self.columns))
        ]
        lines = [
            _line(self.columns),
            _line(["---:" if number else "---" for number in numeric]),
            *(_line([_text(cell) for cell in row]) for row in self.rows),
            "",
            *(f"- {note}" for note in self.notes),
        ]
        return "\n".join(lines)


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
