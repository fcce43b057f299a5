# SPDX-License-Identifier: Apache-2.0
"""The verbs below `nttforge cache`: what is kept between runs, and how much of it."""

from typing import Annotated

import typer

from nttforge.cli.options import JsonOption, between
from nttforge.cli.session import do

app = typer.Typer(
    name="cache",
    help="Results that are kept between runs: where, how many, and fewer of them.",
    no_args_is_help=True,
)


@app.command("path")
def path_command(as_json: JsonOption = False) -> None:
    """Print the folder; NTTFORGE_CACHE names another one."""
    do("cache path", **locals())


@app.command("list")
def list_command(as_json: JsonOption = False) -> None:
    """List what is kept, by kind."""
    do("cache list", **locals())


@app.command("prune")
def prune_command(
    *,
    limit: Annotated[
        float | None,
        typer.Option(
            "--to",
            metavar="GB",
            callback=between(0, 1e9),
            help="Gigabytes that may stay; NTTFORGE_CACHE_GB or 20.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Take away what was used longest ago; what was used in the last hour stays."""
    do("cache prune", **locals())
