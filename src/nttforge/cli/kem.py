# SPDX-License-Identifier: Apache-2.0
"""The verbs below `nttforge kem`: ML-KEM on a user's own keys, by the simulated coprocessor."""

from pathlib import Path
from typing import Annotated

import typer

from nttforge.cli.options import VALUE, JsonOption, TraceOption, output_option, seed_option
from nttforge.cli.session import do
from nttforge.limits import COPROCESSOR

app = typer.Typer(
    name="kem",
    help="ML-KEM with your own keys: every step is done by the simulated coprocessor.",
    no_args_is_help=True,
)

Set = Annotated[str, typer.Option("--set", metavar="512|768|1024", help="Parameter set.")]
DesignOption = Annotated[
    str, typer.Option("--design", metavar="DESIGN", help="A coprocessor's name or TOML file.")
]


@app.command("keygen")
def keygen_command(
    *,
    parameter_set: Set,
    d: Annotated[str | None, seed_option("d")] = None,
    z: Annotated[str | None, seed_option("z")] = None,
    output: Annotated[Path | None, output_option("PREFIX.ek and PREFIX.dk")] = None,
    design: DesignOption = COPROCESSOR,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a key pair."""
    do("kem keygen", **locals())


@app.command("encaps")
def encaps_command(
    *,
    parameter_set: Set,
    ek: Annotated[str, typer.Option("--ek", metavar=VALUE, help="Encapsulation key.")],
    m: Annotated[str | None, seed_option("m")] = None,
    output: Annotated[Path | None, output_option("PREFIX.c and PREFIX.secret")] = None,
    design: DesignOption = COPROCESSOR,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a shared secret and the ciphertext that carries it."""
    do("kem encaps", **locals())


@app.command("decaps")
def decaps_command(
    *,
    parameter_set: Set,
    dk: Annotated[
        str | None, typer.Option("--dk", metavar=VALUE, help="Decapsulation key.")
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar=VALUE, help="The key's seed, d and z, 64 bytes, instead."),
    ] = None,
    c: Annotated[str, typer.Option("--c", metavar=VALUE, help="Ciphertext.")],
    check: Annotated[
        bool, typer.Option(" /--no-check", help="Do not check the key's hash.")
    ] = True,
    output: Annotated[Path | None, output_option("PREFIX.secret")] = None,
    design: DesignOption = COPROCESSOR,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the shared secret in a ciphertext."""
    do("kem decaps", **locals())
