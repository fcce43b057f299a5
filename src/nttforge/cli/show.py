# SPDX-License-Identifier: Apache-2.0
"""The verbs below `nttforge show`: what is derived, in words, tables and drawings."""

from pathlib import Path
from typing import Annotated

import typer

from nttforge.cli.names import designs, targets
from nttforge.cli.options import DesignArgument, JsonOption, MarkdownOption, SetOption
from nttforge.cli.session import do
from nttforge.limits import COPROCESSOR

SvgOption = Annotated[Path | None, typer.Option("-o", "--output", help="An SVG to write instead.")]

app = typer.Typer(
    name="show",
    help="What is derived: contracts, layouts, registers, timelines, drawings.",
    no_args_is_help=True,
)


@app.command("contract")
def contract_command(
    ring: Annotated[
        str,
        typer.Argument(
            metavar="RING|DESIGN",
            help="A ring's or a design's name, or the path of a TOML file.",
            autocompletion=designs,
        ),
    ],
    *,
    lanes: Annotated[
        int | None, typer.Option(help="Coefficients a beat, of a ring; 2 if left out.")
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="natural|mirrored", help="Of the beats, of a ring; natural if left out."
        ),
    ] = None,
) -> None:
    """The transform contract of a ring's pipeline, or of a design: which coefficient is where."""
    do("show contract", **locals())


@app.command("layout")
def layout_command(
    *,
    n: Annotated[int, typer.Option("--n", help="Coefficients.")],
    lanes: Annotated[int, typer.Option(help="Coefficients a beat.")],
    layers: Annotated[int | None, typer.Option(help="Stages, if not log2(n).")] = None,
) -> None:
    """The schedules of a transform: exchanges, delays, buffers, turnarounds."""
    do("show layout", **locals())


@app.command("keys")
def keys_command() -> None:
    """Every key of a design: values, default, meaning."""
    do("show keys", **locals())


@app.command("example")
def example_command(
    family: Annotated[str, typer.Argument(metavar="FAMILY", help="pipeline, iterative, ...")],
    *,
    output: SvgOption = None,
) -> None:
    """What a family does, with 16 coefficients, to follow by hand."""
    do("show example", **locals())


@app.command("schema")
def schema_command() -> None:
    """The same as a JSON Schema, by which editors check and complete a design's TOML."""
    do("show schema", **locals())


@app.command("registers")
def registers_command(design: DesignArgument = COPROCESSOR) -> None:
    """The registers of a design with a control port: addresses, bits, meanings."""
    do("show registers", **locals())


@app.command("options")
def options_command(
    *,
    areas: Annotated[bool, typer.Option(help="Areas too, which take hours.")] = True,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Area against cycles for the ML-KEM coprocessor's parameters."""
    do("show options", **locals())


@app.command("units")
def units_command(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="UNIT", help="Modules; all if left out.")
    ] = None,
    *,
    room: Annotated[
        list[str] | None, typer.Option(help="All of lattice, mlkem or mldsa; ML-KEM's if left out.")
    ] = None,
    target: Annotated[str, typer.Option(autocompletion=targets)] = "xcup",
    ports: Annotated[bool, typer.Option("--ports", help="What they are, not what they cost.")] = (
        False
    ),
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """What each unit of a coprocessor costs by itself."""
    do("show units", **locals())


@app.command("sheet")
def sheet_command(design: DesignArgument) -> None:
    """What a pipeline design derives: delays, latencies, widths."""
    do("show sheet", **locals())


@app.command("figure")
def figure_command(
    design: DesignArgument,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", help="The SVG to write.")],
) -> None:
    """Draw a pipeline design."""
    do("show figure", **locals())


@app.command("flow")
def flow_command(
    design: DesignArgument,
    *,
    operation: Annotated[
        str | None, typer.Option("--op", help="A transform; the first one if left out.")
    ] = None,
    settings: SetOption = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A page (HTML) to write instead.")
    ] = None,
) -> None:
    """Step through a simulated transform: which coefficient is where in which cycle."""
    do("show flow", **locals())


@app.command("timeline")
def timeline_command(
    operation: Annotated[str, typer.Argument(help="keygen, encaps or decaps.")],
    parameter_set: Annotated[str, typer.Argument(metavar="SET", help="512, 768 or 1024.")],
    *,
    plan: Annotated[bool, typer.Option("--plan", help="The units' lists of jobs instead.")] = False,
    output: SvgOption = None,
) -> None:
    """Which unit of the simulated ML-KEM coprocessor works when."""
    do("show timeline", **locals())
