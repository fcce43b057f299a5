# SPDX-License-Identifier: Apache-2.0
"""Options that several verbs have."""

from typing import Annotated

import typer

from nttforge.cli.names import designs

DesignArgument = Annotated[
    str,
    typer.Argument(
        metavar="DESIGN",
        help="A preset's name, or the path of a TOML file.",
        autocompletion=designs,
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output, nothing else.")
]
MarkdownOption = Annotated[
    bool, typer.Option("--markdown", help="Print the tables for a page; with --json, as data.")
]
