# SPDX-License-Identifier: Apache-2.0
"""Options that several verbs have."""

import os
from collections.abc import Callable
from pathlib import Path
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
#: What the number of things that a verb simulates is called: the first of any design, the second of
#: one for a standard.
COUNTS = {"verify": ("--transforms", "--cases"), "measure": ("--transforms", "--runs")}
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output, nothing else.")
]
MarkdownOption = Annotated[
    bool, typer.Option("--markdown", help="Print the tables for a page; with --json, as data.")
]

TraceOption = Annotated[
    Path | None,
    typer.Option(
        "--trace",
        metavar="FILE.fst|FILE.vcd",
        help="Write what the signals do, with files beside it for GTKWave and Surfer.",
    ),
]

SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        "--with",
        metavar="KEY=VALUE|FILE.toml",
        help="Replace a key of the design, pipeline.seamless=true, or all that a file has. "
        "Later ones win.",
    ),
]
#: Bytes, as a user gives them.
VALUE = "HEX|FILE"


def _prefix(given: str) -> Path:
    if given.endswith(os.sep):  # a path forgets it, and the files would lie beside the folder
        raise typer.BadParameter(f"{given} is a folder; add a prefix for files in it")
    return Path(given)


def output_option(names: str) -> typer.models.OptionInfo:
    """Where bytes are written to; `names` says which files."""
    option: typer.models.OptionInfo = typer.Option(
        "-o", "--output", metavar="PREFIX", parser=_prefix, help=f"Write the bytes to {names}."
    )
    return option


def seed_option(name: str) -> typer.models.OptionInfo:
    """A seed of that name."""
    option: typer.models.OptionInfo = typer.Option(
        f"--{name}", metavar=VALUE, help=f"{name}, 32 bytes; random if left out."
    )
    return option


def between(least: float, most: float) -> Callable[[float | None], float | None]:
    """A check of an option's number, which may be none; what is no number is refused too."""

    def check(value: float | None) -> float | None:
        if value is not None and not least <= value <= most:
            raise typer.BadParameter(f"{value:g} is not from {least:g} to {most:g}")
        return value

    return check
