# SPDX-License-Identifier: Apache-2.0
"""Results as text on a terminal."""

from collections.abc import Iterable, Mapping

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text

from nttforge.table import Block, Code, Table, Tone

_STYLES: Mapping[Tone, str] = {
    "plain": "",
    "strong": "bold",
    "good": "bold green",
    "bad": "bold red",
}


def _table(table: Table) -> RenderableType:
    shown = RichTable(title=escape(table.title), title_justify="left")  # Z_97[x] is no style
    for name, number in zip(table.columns, table.numeric, strict=True):
        shown.add_column(name, justify="right" if number else "left", overflow="fold")
    for row in table.texts:
        shown.add_row(*map(Text, row))
    return Group(shown, *map(Text, table.notes))


def _shown(block: Block) -> RenderableType:
    if isinstance(block, Table):
        return _table(block)
    return Text(block.text, _STYLES[getattr(block, "tone", "plain")])


def show(blocks: Iterable[Block], console: Console) -> None:
    """Tables in frames, lines in their colours; what is code is not broken, so it can be copied."""
    for block in blocks:
        console.print(_shown(block), soft_wrap=isinstance(block, Code))


def printed(blocks: Iterable[Block], width: int | None) -> None:
    """Show them on standard output; as wide as the terminal if no width is given."""
    show(blocks, Console(width=width))
