# SPDX-License-Identifier: Apache-2.0
"""An HTML page that stands alone: no script, no font, no link out."""

from collections.abc import Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from nttforge.version import __version__


def page(
    contract: str, drawing: str | None, sections: Sequence[tuple[str, str]], command: str
) -> str:
    """A data sheet: Markdown contract, SVG drawing or None, (heading, HTML) sections, command."""
    environment = Environment(
        loader=PackageLoader("nttforge.emit"),
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
        sections=[(title, Markup(text)) for title, text in sections],
        footer=f"nttforge {__version__}: {command}",
    )
