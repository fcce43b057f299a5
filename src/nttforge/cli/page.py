# SPDX-License-Identifier: Apache-2.0
"""What the terminal shows, as an HTML page that stands alone: no script, no font, no link out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text


@dataclass(frozen=True)
class Section:
    """A heading, and what is below it."""

    title: str
    view: RenderableType


@dataclass(frozen=True)
class Block:
    """A table with its title, or a paragraph if there are no columns.

    Attributes
    ----------
    numeric
        Whether a column's cells are numbers, which stand on the right.
    """

    text: str
    columns: Sequence[str] = ()
    numeric: Sequence[bool] = ()
    rows: Sequence[Sequence[str]] = ()


def blocks(view: RenderableType) -> Iterator[Block]:
    """The tables and paragraphs of a view, from top to bottom.

    Raises
    ------
    TypeError
        If the view has something else in it.
    """
    if isinstance(view, Group):
        for part in view.renderables:
            yield from blocks(part)
    elif isinstance(view, Table):
        columns = [[str(cell) for cell in column.cells] for column in view.columns]
        yield Block(
            str(view.title),
            [str(column.header) for column in view.columns],
            [column.justify == "right" for column in view.columns],
            list(zip(*columns, strict=True)),
        )
    elif isinstance(view, Text | str):
        yield Block(str(view))
    else:
        raise TypeError(f"no HTML for {type(view).__name__}")


def page(contract: str, drawing: str | None, sections: Sequence[Section], footer: str) -> str:
    """A data sheet.

    Parameters
    ----------
    contract
        Markdown, whose first heading is the page's.
    drawing
        SVG, or None.
    sections
        Below the contract, in this order.
    footer
        A line at the end.
    """
    environment = Environment(
        loader=PackageLoader("nttforge.cli"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    heading, _, rest = contract.partition("\n")
    return environment.get_template("report.html.j2").render(
        title=heading.removeprefix("# "),
        contract=Markup(MarkdownIt("commonmark").enable("table").render(rest)),
        drawing=Markup(drawing) if drawing else None,
        sections=[(section.title, list(blocks(section.view))) for section in sections],
        footer=footer,
    )
