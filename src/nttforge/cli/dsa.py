# SPDX-License-Identifier: Apache-2.0
"""The verbs below `nttforge dsa`: ML-DSA on a user's own keys, by the simulated core."""

from pathlib import Path
from typing import Annotated

import typer

from nttforge.cli.options import VALUE, JsonOption, output_option, seed_option
from nttforge.cli.session import do
from nttforge.limits import DSA_CORE

app = typer.Typer(
    name="dsa",
    help="ML-DSA with your own keys: every step is done by the simulated core.",
    no_args_is_help=True,
)


Set = Annotated[str, typer.Option("--set", metavar="44|65|87", help="Parameter set.")]
DesignOption = Annotated[
    str, typer.Option("--design", metavar="DESIGN", help="A core's name or TOML file.")
]


@app.command("keygen")
def keygen_command(
    *,
    parameter_set: Set,
    seed: Annotated[str | None, seed_option("seed")] = None,
    output: Annotated[Path | None, output_option("PREFIX.pk and PREFIX.sk")] = None,
    design: DesignOption = DSA_CORE,
    as_json: JsonOption = False,
) -> None:
    """Make a key pair."""
    do("dsa keygen", **locals())


@app.command("verify")
def verify_command(
    *,
    parameter_set: Set,
    pk: Annotated[str, typer.Option("--pk", metavar=VALUE, help="Public key.")],
    signature: Annotated[str, typer.Option("--signature", metavar=VALUE, help="Signature.")],
    message: Annotated[
        Path | None, typer.Option("--message", metavar="FILE", help="What was signed.")
    ] = None,
    mu: Annotated[
        str | None, typer.Option("--mu", metavar=VALUE, help="mu, instead of the message.")
    ] = None,
    context: Annotated[
        str, typer.Option("--context", metavar="HEX", help="Context string, 255 bytes at most.")
    ] = "",
    prehash: Annotated[
        str | None,
        typer.Option("--prehash", metavar="HASH", help="HashML-DSA with it: `sha2-512`."),
    ] = None,
    design: DesignOption = DSA_CORE,
    as_json: JsonOption = False,
) -> None:
    """Tell whether a signature is right: exit code 0, or 1."""
    do("dsa verify", **locals())
