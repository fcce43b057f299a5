# SPDX-License-Identifier: Apache-2.0
"""The verbs below `nttforge dsa`: ML-DSA on a user's own seeds, by the simulated core."""

from pathlib import Path
from typing import Annotated

import typer

from nttforge.cli.options import JsonOption, output_option, seed_option
from nttforge.cli.session import do
from nttforge.limits import DSA_CORE

app = typer.Typer(
    name="dsa",
    help="ML-DSA with your own seeds: every step is done by the simulated core.",
    no_args_is_help=True,
)


@app.callback()
def group() -> None:
    """Keep `keygen` a verb of its own, though it is the only one."""


@app.command("keygen")
def keygen_command(
    *,
    parameter_set: Annotated[str, typer.Option("--set", metavar="44|65|87", help="Parameter set.")],
    seed: Annotated[str | None, seed_option("seed")] = None,
    output: Annotated[Path | None, output_option("PREFIX.pk and PREFIX.sk")] = None,
    design: Annotated[
        str, typer.Option("--design", metavar="DESIGN", help="A core's name or TOML file.")
    ] = DSA_CORE,
    as_json: JsonOption = False,
) -> None:
    """Make a key pair."""
    do("dsa keygen", **locals())
