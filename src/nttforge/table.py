# SPDX-License-Identifier: Apache-2.0
"""What results show: tables and lines as data, and as Markdown and HTML.

A result says once what it shows; the terminal's renderer is the command line's
(`cli/terminal.py`).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any, Literal

Cell = str | int | float | None
Tone = Literal["plain", "strong", "good", "bad"]

_INDENT = "  "


@dataclass(frozen=True)
class Table:
    """A table. A cell that is not known is None; each two leading spaces of a text are a level of a
    tree; notes are printed below.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = ()

    @property
    def numeric(self) -> list[bool]:
        """Of each column, whether it is one of numbers, which stand on the right."""
        columns = [[row[i] for row in self.rows] for i in range(len(self.columns))]
        return [
            any(cell is not None for cell in cells)
            and all(isinstance(cell, int | float | None) for cell in cells)
            for cells in columns
        ]

    @property
    def texts(self) -> list[list[str]]:
        """The cells of each row in words."""
        return [[_text(cell) for cell in row] for row in self.rows]


@dataclass(frozen=True)
class Line:
    """A paragraph."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Code:
    """A text whose lines stay as they are."""

    text: str
    language: str = ""


Block = Table | Line | Code


class Shown(ABC):
    """An object with output."""

    @abstractmethod
    def shown(self) -> Iterator[Block]:
        """Output for people."""

    def page(self) -> Iterator[Block]:
        """Output for a page: its tables and texts by default."""
        return (block for block in self.shown() if not isinstance(block, Line))

    def _repr_html_(self) -> str:
        return html(self.shown())


def data(blocks: Iterable[Block]) -> list[dict[str, Any]]:
    """The same as JSON data."""
    return [asdict(block) for block in blocks]


def read(found: Iterable[Mapping[str, Any]]) -> list[Block]:
    """The blocks that JSON holds."""
    return [
        Table(**each) if "rows" in each else Code(**each) if "language" in each else Line(**each)
        for each in found
    ]


def verdict(ok: bool, good: str, bad: str) -> Line:
    """The line that says whether all of it held."""
    return Line(good, "good") if ok else Line(bad, "bad")


def tree(paths: Sequence[str]) -> list[str]:
    """Sorted paths, each without what it shares with the one above it, indented."""
    lines = []
    above: list[str] = []
    for path in paths:
        while above and not path.startswith(f"{above[-1]}."):
            above.pop()
        name = path.removeprefix(f"{above[-1]}.") if above else path
        lines.append(_INDENT * len(above) + name)
        above.append(path)
    return lines


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else f"{cell:,}"


def _indented(text: str) -> tuple[int, str]:
    """Levels of a tree before a text, and the text."""
    rest = text.lstrip(" ")
    return (len(text) - len(rest)) // len(_INDENT), rest


def _is_name(text: str) -> bool:
    """Whether it is one of the RTL, or an address, which Markdown must take as it is."""
    return " " not in text.strip() and ("_" in text or "*" in text or text.startswith("0x"))


def markdown_row(cells: Iterable[object]) -> str:
    """A line of a Markdown table."""
    return f"| {' | '.join(map(str, cells))} |"


def _markdown(block: Block, titled: bool) -> Iterator[str]:
    if isinstance(block, Line):
        yield block.text
    elif isinstance(block, Code):
        yield f"```{block.language}\n{block.text.rstrip()}\n```"
    else:
        if titled:
            yield f"**{block.title}**"
        lines = [
            markdown_row(block.columns),
            markdown_row("---:" if number else "---" for number in block.numeric),
        ]
        names = [any(map(_is_name, column)) for column in zip(*block.texts, strict=True)]
        for row in block.texts:
            cells = (_indented(cell.replace("|", "\\|")) for cell in row)
            lines.append(
                markdown_row(
                    "&emsp;" * depth + (f"`{text}`" if name and text and " " not in text else text)
                    for name, (depth, text) in zip(names, cells, strict=True)
                )
            )
        yield "\n".join(lines)
        if block.notes:
            yield "\n".join(f"- {note}" for note in block.notes)


def markdown(blocks: Iterable[Block]) -> str:
    """For a page, whose prose says what a table shows; several have their titles above them."""
    shown = list(blocks)
    titled = sum(isinstance(block, Table) for block in shown) > 1
    return "\n\n".join(part for block in shown for part in _markdown(block, titled))


def _html_row(tag: str, cells: Iterable[str], numeric: Sequence[bool]) -> str:
    found = []
    for number, cell in zip(numeric, cells, strict=True):
        depth, text = _indented(cell)
        kind = ' class="number"' if number else ""
        found.append(f"<{tag}{kind}>{'&emsp;' * depth}{escape(text)}</{tag}>")
    return f"<tr>{''.join(found)}</tr>"


def _html(block: Block) -> Iterator[str]:
    if isinstance(block, Line):
        yield f"<p>{escape(block.text)}</p>"
    elif isinstance(block, Code):
        yield f"<pre>{escape(block.text)}</pre>"
    else:
        yield f'<div class="wide"><table>\n<caption>{escape(block.title)}</caption>'
        yield f"<thead>{_html_row('th', block.columns, block.numeric)}</thead>\n<tbody>"
        yield from (_html_row("td", row, block.numeric) for row in block.texts)
        yield "</tbody>\n</table></div>"
        yield from (f"<p>{escape(note)}</p>" for note in block.notes)


def html(blocks: Iterable[Block]) -> str:
    """For an HTML page or a notebook."""
    return "\n".join(line for block in blocks for line in _html(block))
