# SPDX-License-Identifier: Apache-2.0
"""The verbs below `nttforge kem`: ML-KEM on a user's own keys, by the simulated coprocessor."""

from pathlib import Path
from typing import Annotated

import typer

from nttforge.cli.options import JsonOption
from nttforge.cli.session import do
from nttforge.limits import COPROCESSOR

app = typer.Typer(
    name="kem",
    help="ML-KEM with your own keys: every step is done by the simulated coprocessor.",
    no_args_is_help=True,
)

_VALUE = "HEX|FILE"
Set = Annotated[str, typer.Option("--set", metavar="512|768|1024", help="Parameter set.")]
DesignOption = Annotated[
    str, typer.Option("--design", metavar="DESIGN", help="A coprocessor's name or TOML file.")
]


def _output(names: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        "-o", "--output", metavar="PREFIX", help=f"Write the bytes to {names}."
    )
    return option


def _seed(name: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        f"--{name}", metavar=_VALUE, help=f"{name}, 32 bytes; random if left out."
    )
    return option


@app.command("keygen")
def keygen_command(
    *,
    parameter_set: Set,
    d: Annotated[str | None, _seed("d")] = None,
    z: Annotated[str | None, _seed("z")] = None,
    output: Annotated[Path | None, _output("PREFIX.ek and PREFIX.dk")] = None,
    design: DesignOption = COPROCESSOR,
    as_json: JsonOption = False,
) -> None:
    """Make a key pair."""
    do("kem keygen", **locals())


@app.command("encaps")
def encaps_command(
    *,
    parameter_set: Set,
    ek: Annotated[str, typer.Option("--ek", metavar=_VALUE, help="Encapsulation key.")],
    m: Annotated[str | None, _seed("m")] = None,
    output: Annotated[Path | None, _output("PREFIX.c and PREFIX.secret")] = None,
    design: DesignOption = COPROCESSOR,
    as_json: JsonOption = False,
) -> None:
    """Make a shared secret and the ciphertext that carries it."""
    do("kem encaps", **locals())


@app.command("decaps")
def decaps_command(
    *,
    parameter_set: Set,
    dk: Annotated[str, typer.Option("--dk", metavar=_VALUE, help="Decapsulation key.")],
    c: Annotated[str, typer.Option("--c", metavar=_VALUE, help="Ciphertext.")],
    check: Annotated[
        bool, typer.Option(" /--no-check", help="Do not check the key's hash.")
    ] = True,
    output: Annotated[Path | None, _output("PREFIX.secret")] = None,
    design: DesignOption = COPROCESSOR,
    as_json: JsonOption = False,
) -> None:
    """Find the shared secret in a ciphertext."""
    do("kem decaps", **locals())
