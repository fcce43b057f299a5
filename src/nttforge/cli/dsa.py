# SPDX-License-Identifier: Apache-2.0
"""The verbs below `nttforge dsa`: ML-DSA on a user's own keys, by the simulated core."""

from pathlib import Path
from typing import Annotated

import typer

from nttforge.cli.options import VALUE, JsonOption, TraceOption, output_option, seed_option
from nttforge.cli.session import do
from nttforge.limits import DSA_COPROCESSOR

app = typer.Typer(
    name="dsa",
    help="ML-DSA with your own keys: every step is done by the simulated core.",
    no_args_is_help=True,
)


Set = Annotated[str, typer.Option("--set", metavar="44|65|87", help="Parameter set.")]
Message = Annotated[Path | None, typer.Option("--message", metavar="FILE", help="What is signed.")]
Mu = Annotated[str | None, typer.Option("--mu", metavar=VALUE, help="mu, instead of the message.")]
Context = Annotated[
    str, typer.Option("--context", metavar="HEX", help="Context string, 255 bytes at most.")
]
Prehash = Annotated[
    str | None, typer.Option("--prehash", metavar="HASH", help="HashML-DSA with it: `sha2-512`.")
]
DesignOption = Annotated[
    str, typer.Option("--design", metavar="DESIGN", help="A core's name or TOML file.")
]


@app.command("keygen")
def keygen_command(
    *,
    parameter_set: Set,
    seed: Annotated[str | None, seed_option("seed")] = None,
    output: Annotated[Path | None, output_option("PREFIX.pk and PREFIX.sk")] = None,
    design: DesignOption = DSA_COPROCESSOR,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a key pair."""
    do("dsa keygen", **locals())


@app.command("sign")
def sign_command(
    *,
    parameter_set: Set,
    sk: Annotated[str | None, typer.Option("--sk", metavar=VALUE, help="Private key.")] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar=VALUE, help="The key's seed, 32 bytes, instead.")
    ] = None,
    message: Message = None,
    mu: Mu = None,
    context: Context = "",
    prehash: Prehash = None,
    rnd: Annotated[
        str | None, typer.Option("--rnd", metavar=VALUE, help="32 bytes; random if left out.")
    ] = None,
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="The same signature each time: rnd are zeros.")
    ] = False,
    output: Annotated[Path | None, output_option("PREFIX.sig")] = None,
    design: DesignOption = DSA_COPROCESSOR,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Sign a message."""
    do("dsa sign", **locals())


@app.command("verify")
def verify_command(
    *,
    parameter_set: Set,
    pk: Annotated[str, typer.Option("--pk", metavar=VALUE, help="Public key.")],
    signature: Annotated[str, typer.Option("--signature", metavar=VALUE, help="Signature.")],
    message: Message = None,
    mu: Mu = None,
    context: Context = "",
    prehash: Prehash = None,
    design: DesignOption = DSA_COPROCESSOR,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell whether a signature is right: exit code 0, 3 if it is wrong, 1 if nobody can tell."""
    do("dsa verify", **locals())
