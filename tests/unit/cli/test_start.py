# SPDX-License-Identifier: Apache-2.0
"""The command line starts quickly: help, version and completion load nothing that only jobs need.

Seconds depend on the machine, so what is loaded is counted instead.
"""

import inspect
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest
import typer

from nttforge import designs
from nttforge.cli import app as signatures
from nttforge.cli.outcome import FAILED, USAGE
from nttforge.cli.session import do
from nttforge.design import design_names
from nttforge.kinds.lattice.options import KeyOptions
from nttforge.options import verbs
from nttforge.options.model import Options
from nttforge.options.verbs import Measure, Pnr, Sweep, Timing, Verify
from nttforge.ring.presets import PRESETS

#: Each takes a tenth of a second or more to load, alone or with what it brings. (pydantic too, but
#: typer itself loads it where it is there.)
HEAVY = {"jinja2", "numpy", "pyosys"}
#: Options that kinds of cores read.
KINDS = {*verbs.VerifyOptions.model_fields, *verbs.MeasureOptions.model_fields} | {
    *verbs.RunOptions.model_fields
}
#: Prints what was imported, whatever the command line does.
PROBE = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
from nttforge.cli import main
main()
"""


def started(*words: str, **environment: str) -> tuple[str, set[str]]:
    """Standard output of a command line, and the modules that it has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *words],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout, set(done.stderr.split())


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["synth", "--help"], []])
def test_what_needs_no_job_loads_none(words: list[str]) -> None:
    out, loaded = started(*words)
    assert out
    assert "nttforge.cli.app" in loaded
    assert not loaded & HEAVY
    assert "nttforge.cli.work" not in loaded


def test_a_job_is_seen() -> None:
    _, loaded = started("presets")
    assert loaded >= {"nttforge.cli.work", "numpy"}


def completed(line: str) -> list[str]:
    number = len(line.split()) - (not line.endswith(" "))
    out, loaded = started(
        COMP_WORDS=line, COMP_CWORD=str(number), _NTTFORGE_COMPLETE="complete_bash"
    )
    assert not loaded & {*HEAVY, "rich.table", "markdown_it"}
    return out.split()


def test_verbs_options_and_names_are_completed() -> None:
    assert completed("nttforge ver") == ["verify"]
    assert completed("nttforge synth ml-kem --targ") == ["--target"]
    assert completed("nttforge synth ml-kem --target x") == ["xc7", "xcup"]
    assert completed("nttforge ring --form x") == ["x^n+1", "x^n-1"]
    assert completed("nttforge run ml-kem --format h") == ["hex"]
    assert completed("nttforge show contract ml-k") == [
        *("ml-kem", "ml-kem-coprocessor", "ml-kem-middle", "ml-kem-small")
    ]
    found = completed("nttforge generate ")
    assert set(found) == {*PRESETS, *design_names()}


def test_every_verb_has_a_job_that_takes_its_options() -> None:
    """And reads each of them, but for what the session takes itself."""
    assert len(signatures.VERBS) > 30
    session = {"as_json", "markdown", "junit", "settings", "design", "svg", *verbs.BOUNDS}
    for verb, (model, function) in signatures.VERBS.items():
        module, _, name = function.partition(":")
        work = getattr(import_module(f"nttforge.{module}"), name)
        asked = inspect.signature(work).parameters
        read = inspect.getsource(sys.modules[work.__module__]) if "options" in asked else ""
        for field in model.model_fields:
            of_kinds = verb in ("verify", "run", "measure") and field in KINDS
            if field in session or of_kinds or issubclass(model, KeyOptions):
                continue
            made = verb == "pnr" and field in ("placements", "first_seed")
            target = field == "target" and "prepared" in asked
            assert (
                field in asked
                or made
                or target
                or f'"{field}"' in read
                or (re.search(rf"\boptions\.{field}\b", read))
            ), (verb, field)


@pytest.mark.parametrize(
    ("verb", "model", "options", "problem"),
    [
        ("verify", Verify, {"count": 0}, "--transforms / --cases: 0 is not from 1 to"),
        ("measure", Measure, {"count": 1}, "1 is not from 2 to"),
        ("pnr", Pnr, {"placements": 1001}, "--placements: 1001 is not from 1 to 1000"),
        ("timing", Timing, {"paths": -1}, "--paths: -1 is not from 1 to"),
        ("sweep", Sweep, {"jobs": 0}, "--jobs: 0 is not from 1 to"),
    ],
)
def test_limits_are_those_of_the_model(
    verb: str,
    model: type[Options],
    options: dict[str, object],
    problem: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given: dict[str, object] = {"design": "ml-kem"}
    if model is Sweep:
        given = {"grid": Path("none.toml"), "output": Path("rows.jsonl")}
    with pytest.raises(typer.Exit) as ended:
        do(verb, signatures.VERBS[verb][1], model, given | options)
    assert ended.value.exit_code == FAILED and problem in capsys.readouterr().err


def test_names_that_are_shown_are_those_that_there_are() -> None:
    known = (designs.ENGINE, designs.COPROCESSOR, designs.DSA_COPROCESSOR, designs.DSA_CORE)
    narrow = (designs.KEM_SMALL, designs.KEM_MIDDLE, designs.DSA_VERIFIER, designs.DSA_KEYS)
    others = (designs.DSA_SMALL, designs.PQC, designs.PQC_CORE, designs.PQC_SMALL)
    assert {*known, *narrow, *others} <= set(design_names())


@pytest.mark.parametrize("more", [(), ("r2mdc",), ("r2mdc", "--place", "--markdown"), ("--json",)])
def test_reproduce_names_the_command_that_replaced_it(
    more: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, and the exit code of a wrong command line."""
    assert signatures.run(["reproduce", *more]) == USAGE
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and "python -m benchmarks" in said.err
    assert bool(said.out) == ("--json" in more)
