# SPDX-License-Identifier: Apache-2.0
"""The command line: every verb from the model of its options, and the function that does it."""

import sys
import warnings
from collections.abc import Sequence
from inspect import Parameter, Signature
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Optional, get_args, get_origin

import typer
from pydantic import BeforeValidator
from pydantic.fields import FieldInfo

from nttforge.cli import completion as names
from nttforge.cli.outcome import FAILED, INTERRUPTED, OK, USAGE
from nttforge.cli.session import complain, do, standard_output
from nttforge.errors import NttforgeError, RenamedWarning, warn_renamed
from nttforge.kinds import FAMILIES, has_part, part
from nttforge.options import verbs
from nttforge.options.model import Options, flag_of
from nttforge.version import __version__

app = typer.Typer(
    name="nttforge",
    help="Verified, measured hardware accelerators for the number-theoretic transform.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
#: Of the kinds of cores that have verbs of their own.
_OF_KINDS = [part(family, "options") for family in FAMILIES if has_part(family, "options")]
_GROUPS = {
    "": app,
    **{name: typer.Typer(help=text) for of in _OF_KINDS for name, text in of.GROUPS.items()},
    "cache": typer.Typer(help="Show or prune the result cache."),
    "show": typer.Typer(help="Derived data: contracts, layouts, registers, timelines, drawings."),
}
for _name, _group in _GROUPS.items():
    if _name:
        app.add_typer(_group, name=_name, no_args_is_help=True)

#: The model of a verb's options, and the function that does its work: `room.module:name`.
VERBS: dict[str, tuple[type[Options], str]] = {
    "presets": (verbs.Presets, "flow.generate:presets"),
    "generate": (verbs.Generate, "flow.generate:generate"),
    "host": (verbs.Host, "host.library:write_library"),
    "soc": (verbs.Soc, "soc.folder:write_soc"),
    "bitstream": (verbs.Bitstream, "board.bitstream:write_bitstream"),
    "verify": (verbs.Verify, "flow.core_verbs:verify"),
    "run": (verbs.Run, "flow.core_verbs:run"),
    "measure": (verbs.Measure, "flow.core_verbs:measure"),
    "synth": (verbs.Synth, "flow.synth:synth"),
    "multiplier": (verbs.Multiplier, "flow.multiplier:multiplier"),
    "ring": (verbs.Ring, "flow.rings:find_rings"),
    "explore": (verbs.Explore, "flow.explore.command:explore"),
    "timing": (verbs.Timing, "flow.timing:timing"),
    "pnr": (verbs.Pnr, "flow.synth:pnr"),
    "sweep": (verbs.Sweep, "flow.sweep:sweep_file"),
    "report": (verbs.Report, "flow.report:write_report"),
    "demo": (verbs.Demo, "flow.demo:showcase"),
    "cache path": (verbs.CachePath, "flow.cached:folder"),
    "cache list": (verbs.CacheList, "flow.cached:listing"),
    "cache prune": (verbs.CachePrune, "flow.cached:pruned"),
    "show contract": (verbs.ShowContract, "show.contract:contract_of"),
    "show layout": (verbs.ShowLayout, "show.layout_tables:show"),
    "show keys": (verbs.ShowKeys, "show.keys:reference"),
    "show example": (verbs.ShowExample, "show.example:example"),
    "show schema": (verbs.ShowSchema, "show.keys:schema"),
    "show registers": (verbs.ShowRegisters, "show.keys:registers"),
    "show units": (verbs.ShowUnits, "show.units:units_or_sheets"),
    **{verb: found for of in _OF_KINDS for verb, found in of.VERBS.items()},
}
#: Options that the help text has after a verb's own.
_LAST = ("settings", "junit", "markdown", "as_json")
_PLAIN = {bool, int, float, str, Path}


def _annotation(field: FieldInfo) -> Any:
    """The type that the command line reads: text where the model parses it by itself."""
    wanted: Any = field.annotation
    kinds = {each for each in get_args(wanted) or (wanted,) if each is not NoneType}
    parsed = any(isinstance(each, BeforeValidator) for each in field.metadata)
    read: Any = str
    if get_origin(wanted) is list or kinds <= {Sequence[str], list[str]}:
        read = list[str]
    elif kinds <= _PLAIN and not parsed:
        (read,) = kinds
    return Optional[read] if NoneType in get_args(wanted) else read  # noqa: UP045  (a value)


def _parameter(name: str, field: FieldInfo) -> Parameter:
    """A field, as typer has it."""
    flag = flag_of(field)
    known: dict[str, Any] = {"help": field.description, "metavar": flag.metavar}
    known["show_default"] = field.annotation is not bool
    if flag.complete:
        known["autocompletion"] = getattr(names, flag.complete)
    flags = flag.names
    if not flags and field.annotation is bool:
        flags = (f"--{name.replace('_', '-')}",)
    shown = typer.Argument(**known) if flag.argument else typer.Option(*flags, **known)
    default = Parameter.empty if field.is_required() else field.default
    annotation: Any = Annotated[_annotation(field), shown]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def add(verb: str, model: type[Options], function: str) -> None:
    """Add a verb, whose parameters are the fields of a model."""
    group, _, name = verb.rpartition(" ")

    def command(**given: object) -> None:
        do(verb, function, model, given)

    fields = sorted(model.model_fields.items(), key=lambda each: each[0] in _LAST)
    parameters = [_parameter(*each) for each in fields]
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    command.__doc__ = model.__doc__
    _GROUPS[group].command(name)(command)


for _verb, (_model, _function) in VERBS.items():
    add(_verb, _model, _function)


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
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def _present_flags(words: Sequence[str]) -> list[str]:
    """A command line in which flags of the last release are replaced, each with a warning."""
    verb = next((each for each in (" ".join(words[:2]), words[0]) if each in VERBS), None)
    former = VERBS[verb][0].former_flags() if verb else {}
    found = []
    for word in words:
        flag, equals, value = word.partition("=")
        present = former.get(flag, flag)
        if present != flag:
            warn_renamed(flag, present)
        found.append(present + equals + value)
    return found


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
            code = app(_present_flags(words), prog_name="nttforge", standalone_mode=False)
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
