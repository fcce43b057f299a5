# SPDX-License-Identifier: Apache-2.0
"""The verbs below `nttforge kem`: ML-KEM on a user's own keys, by the simulated coprocessor."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from nttforge.cli import views
from nttforge.cli.session import Outcome, run_verb
from nttforge.design import load_design
from nttforge.families import MlkemCore
from nttforge.families.mlkem.build import PRESET
from nttforge.flow.mlkem.keys import KemResult, find_set, kem_decaps, kem_encaps, kem_keygen
from nttforge.flow.prepare import Prepared, Progress, prepare_mlkem
from nttforge.standards.ml_kem.parameters import Parameters

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
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output, nothing else.")
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


def _run(
    verb: str,
    name: str,
    design: str,
    as_json: bool,
    work: Callable[[Prepared[MlkemCore], Parameters, Progress], KemResult],
) -> typer.Exit:
    def job(progress: Progress) -> Outcome:
        p = find_set(name)
        progress(f"generating {design}")
        result = work(prepare_mlkem(load_design(design)), p, progress)
        return Outcome(result.model_dump(mode="json"), views.kem_view(result))

    return typer.Exit(run_verb(f"kem {verb}", as_json, job))


@app.command("keygen")
def keygen_command(
    *,
    parameter_set: Set,
    d: Annotated[str | None, _seed("d")] = None,
    z: Annotated[str | None, _seed("z")] = None,
    output: Annotated[Path | None, _output("PREFIX.ek and PREFIX.dk")] = None,
    design: DesignOption = PRESET,
    as_json: JsonOption = False,
) -> None:
    """Make a key pair."""
    raise _run(
        *("keygen", parameter_set, design, as_json),
        lambda prepared, p, progress: kem_keygen(
            prepared, p, d=d, z=z, output=output, progress=progress
        ),
    )


@app.command("encaps")
def encaps_command(
    *,
    parameter_set: Set,
    ek: Annotated[str, typer.Option("--ek", metavar=_VALUE, help="Encapsulation key.")],
    m: Annotated[str | None, _seed("m")] = None,
    output: Annotated[Path | None, _output("PREFIX.c and PREFIX.secret")] = None,
    design: DesignOption = PRESET,
    as_json: JsonOption = False,
) -> None:
    """Make a shared secret and the ciphertext that carries it."""
    raise _run(
        *("encaps", parameter_set, design, as_json),
        lambda prepared, p, progress: kem_encaps(
            prepared, p, ek=ek, m=m, output=output, progress=progress
        ),
    )


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
    design: DesignOption = PRESET,
    as_json: JsonOption = False,
) -> None:
    """Find the shared secret in a ciphertext."""
    raise _run(
        *("decaps", parameter_set, design, as_json),
        lambda prepared, p, progress: kem_decaps(
            prepared, p, dk=dk, c=c, check=check, output=output, progress=progress
        ),
    )
