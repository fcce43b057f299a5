# SPDX-License-Identifier: Apache-2.0
"""The command line: every verb from the model of its options. What they do is in `jobs.py`."""

import sys
import warnings
from collections.abc import Sequence
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from typing import Annotated

import typer

from nttforge.cli import verbs
from nttforge.cli.outcome import FAILED, INTERRUPTED, OK, USAGE
from nttforge.cli.session import complain, do, standard_output
from nttforge.errors import NttforgeError, RenamedWarning
from nttforge.version import __version__

app = typer.Typer(
    name="nttforge",
    help="Verified, measured hardware accelerators for the number-theoretic transform.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
kem = typer.Typer(
    name="kem",
    help="ML-KEM with your own keys: every step is done by the simulated coprocessor.",
    no_args_is_help=True,
)
dsa = typer.Typer(
    name="dsa",
    help="ML-DSA with your own keys: every step is done by the simulated core.",
    no_args_is_help=True,
)
cache = typer.Typer(
    name="cache",
    help="Results that are kept between runs: where, how many, and fewer of them.",
    no_args_is_help=True,
)
show = typer.Typer(
    name="show",
    help="What is derived: contracts, layouts, registers, timelines, drawings.",
    no_args_is_help=True,
)
for _group in (kem, dsa, cache, show):
    app.add_typer(_group)

#: Verbs by the group that they are in.
VERBS: tuple[tuple[typer.Typer, dict[str, type[verbs.Options]]], ...] = (
    (
        app,
        {
            "presets": verbs.Presets,
            "generate": verbs.Generate,
            "host": verbs.Host,
            "soc": verbs.Soc,
            "bitstream": verbs.Bitstream,
            "verify": verbs.Verify,
            "run": verbs.Run,
            "measure": verbs.Measure,
            "synth": verbs.Synth,
            "multiplier": verbs.Multiplier,
            "ring": verbs.Ring,
            "explore": verbs.Explore,
            "timing": verbs.Timing,
            "pnr": verbs.Pnr,
            "sweep": verbs.Sweep,
            "report": verbs.Report,
            "demo": verbs.Demo,
        },
    ),
    (
        kem,
        {
            "keygen": verbs.KemKeygen,
            "encaps": verbs.KemEncaps,
            "decaps": verbs.KemDecaps,
        },
    ),
    (
        dsa,
        {
            "keygen": verbs.DsaKeygen,
            "sign": verbs.DsaSign,
            "verify": verbs.DsaVerify,
        },
    ),
    (
        cache,
        {
            "path": verbs.CachePath,
            "list": verbs.CacheList,
            "prune": verbs.CachePrune,
        },
    ),
    (
        show,
        {
            "contract": verbs.ShowContract,
            "layout": verbs.ShowLayout,
            "keys": verbs.ShowKeys,
            "example": verbs.ShowExample,
            "schema": verbs.ShowSchema,
            "registers": verbs.ShowRegisters,
            "options": verbs.ShowOptions,
            "units": verbs.ShowUnits,
            "sheet": verbs.ShowSheet,
            "figure": verbs.ShowFigure,
            "flow": verbs.ShowFlow,
            "timeline": verbs.ShowTimeline,
        },
    ),
)


def add(group: typer.Typer, name: str, model: type[verbs.Options]) -> None:
    """Add a verb, whose parameters are the fields of a model."""
    verb = f"{group.info.name} {name}" if group is not app else name
    hints = model.__annotations__

    def command(**given: object) -> None:
        do(verb, model, given)

    parameters = [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(model)
    ]
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = hints
    command.__doc__ = model.__doc__
    group.command(name)(command)


for _group, _models in VERBS:
    for _name, _model in _models.items():
        add(_group, _name, _model)


@app.command(
    "reproduce",
    hidden=True,
    add_help_option=False,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def reproduce_command(context: typer.Context) -> None:
    """Name the command that has replaced it."""
    line = "`nttforge reproduce` is `python -m benchmarks PAPER` now, run in a checkout"
    raise typer.Exit(complain(line, "--json" in context.args, USAGE))


def _version(wanted: bool) -> None:
    if wanted:
        print(f"nttforge {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    _version_wanted: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")
    ] = False,
) -> None:
    pass


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    print(f"warning: {message}", file=sys.stderr)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a verb; its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # libraries' words to their callers
        warnings.simplefilter("default", RenamedWarning)
        warnings.showwarning = _warn
    try:
        with standard_output():
            code = app(words, prog_name="nttforge", standalone_mode=False)
    except KeyboardInterrupt:
        return complain("interrupted", False, INTERRUPTED)
    except NttforgeError as error:  # of standard output, where help goes
        return complain(str(error), False, FAILED)
    except Exception as error:
        # What is wrong with the command line comes as one of click's exceptions; typer has its
        # own copy of click or the package, depending on its version.
        describe = getattr(error, "format_message", None)
        if describe is None:
            raise
        text = f"{describe()} (see nttforge --help)" if describe() else "no such command"
        return complain(text, "--json" in words, USAGE)
    return code if isinstance(code, int) else OK
