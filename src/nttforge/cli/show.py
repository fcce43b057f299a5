# SPDX-License-Identifier: Apache-2.0
"""The verbs below `nttforge show`: what is derived, in words, tables and drawings."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from nttforge.cli.session import Outcome, run_verb
from nttforge.design import load_design
from nttforge.draw import figure, timeline
from nttforge.families.mlkem.program import describe, program_of
from nttforge.families.pipeline import work_out
from nttforge.flow.mlkem import trace
from nttforge.output import check_writable, write_text
from nttforge.pages import contract, keys, layout, registers, sheet

app = typer.Typer(
    name="show",
    help="What is derived: contracts, layouts, registers, timelines, drawings.",
    no_args_is_help=True,
)

DesignArgument = Annotated[
    str, typer.Argument(metavar="DESIGN", help="A preset's name, or the path of a TOML file.")
]


def _print(what: str, text: Callable[[], str]) -> None:
    """Print a text; nothing is written to standard output if it cannot be made."""
    raise typer.Exit(run_verb(f"show {what}", False, lambda _: Outcome({}, text())))


def _write(target: Path, drawing: Callable[[], str]) -> str:
    """Write a drawing, and say where."""
    check_writable(target)
    write_text(target, drawing())
    return f"written to {target}"


@app.command("contract")
def contract_command(
    ring: Annotated[str, typer.Argument(metavar="RING", help="A ring preset's name.")],
    *,
    lanes: Annotated[int, typer.Option(help="Coefficients a beat.")] = 2,
    order: Annotated[str, typer.Option(help="Of the beats: natural or mirrored.")] = "natural",
) -> None:
    """The transform contract of a pipeline for one ring: which coefficient is where."""
    _print("contract", lambda: contract.pipeline_contract(ring, lanes, order))


@app.command("layout")
def layout_command(
    *,
    n: Annotated[int, typer.Option("--n", help="Coefficients.")],
    lanes: Annotated[int, typer.Option(help="Coefficients a beat.")],
    layers: Annotated[int | None, typer.Option(help="Stages, if not log2(n).")] = None,
) -> None:
    """The schedules of a transform: exchanges, delays, buffers, turnarounds."""
    _print("layout", lambda: layout.show(n, lanes, layers))


@app.command("keys")
def keys_command() -> None:
    """Every key of a design: values, default, meaning."""
    _print("keys", keys.reference)


@app.command("registers")
def registers_command() -> None:
    """The registers of the ML-KEM coprocessor: addresses, bits, meanings."""
    _print("registers", registers.table)


@app.command("sheet")
def sheet_command(design: DesignArgument) -> None:
    """What a pipeline design derives: delays, latencies, widths."""
    _print("sheet", lambda: sheet.sheet(work_out(load_design(design))))


@app.command("figure")
def figure_command(
    design: DesignArgument,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", help="The SVG to write.")],
) -> None:
    """Draw a pipeline design."""
    _print("figure", lambda: _write(output, lambda: figure.draw(work_out(load_design(design)))))


@app.command("timeline")
def timeline_command(
    operation: Annotated[str, typer.Argument(help="keygen, encaps or decaps.")],
    parameter_set: Annotated[str, typer.Argument(metavar="SET", help="512, 768 or 1024.")],
    *,
    plan: Annotated[bool, typer.Option("--plan", help="The units' lists of jobs instead.")] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="An SVG to write instead.")
    ] = None,
) -> None:
    """Which unit of the simulated ML-KEM coprocessor works when."""

    def text() -> str:
        op, p = trace.parse(operation, parameter_set)
        if plan:
            return describe(program_of(op, p))
        if output is None:
            return trace.table(trace.traced(op, p))
        words = f"{op} of {p.name}"
        return _write(output, lambda: timeline.draw(words, trace.UNITS, trace.traced(op, p)))

    _print("timeline", text)
