# SPDX-License-Identifier: Apache-2.0
"""The command line starts quickly: help, version and completion load nothing that only jobs need.

Seconds depend on the machine, so what is loaded is counted instead.
"""

import inspect
import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
import typer

from nttforge import limits
from nttforge.cli import app as signatures
from nttforge.cli import jobs
from nttforge.design import design_names
from nttforge.flow.benches import benches
from nttforge.flow.formats import FileOptions
from nttforge.flow.synth import pnr, synth
from nttforge.flow.timing import timing
from nttforge.kinds.lattice.verbs import (
    dsa_keygen,
    dsa_sign,
    dsa_verify,
    kem_decaps,
    kem_encaps,
    kem_keygen,
)
from nttforge.reproduce import PAPERS
from nttforge.ring.presets import PRESETS

#: Each takes a tenth of a second or more to load, alone or with what it brings. (pydantic too, but
#: typer itself loads it where it is there.)
HEAVY = {"jinja2", "numpy", "pyosys"}
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
    assert "nttforge.cli.jobs" not in loaded


def test_a_job_is_seen() -> None:
    _, loaded = started("presets")
    assert loaded >= {"nttforge.cli.jobs", "numpy"}


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
    assert completed("nttforge reproduce r") == ["r2mdc"]
    assert completed("nttforge ring --form x") == ["x^n+1", "x^n-1"]
    assert completed("nttforge run ml-kem --format h") == ["hex"]
    assert completed("nttforge show contract ml-k") == ["ml-kem", "ml-kem-coprocessor"]
    found = completed("nttforge generate ")
    assert set(found) == {*PRESETS, *design_names()}


def verbs(group: typer.Typer, prefix: str = "") -> Iterator[tuple[str, list[str]]]:
    """(verb, its parameters) of a group and of those below it."""
    for command in group.registered_commands:
        assert command.callback is not None and command.name is not None
        given = set(inspect.signature(command.callback).parameters)
        # What the session takes itself.
        taken = {n for n in given if not n.startswith(("max_", "min_"))}
        taken -= {"as_json", "markdown", "junit"}
        yield f"{prefix}{command.name}", sorted(taken)
    for below in group.registered_groups:
        assert below.typer_instance is not None
        yield from verbs(below.typer_instance, f"{below.typer_instance.info.name} ")


def taken_by(function: Callable[..., object]) -> set[str]:
    """What a job takes by name."""
    parameters = inspect.signature(function).parameters.values()
    return {p.name for p in parameters if p.kind is p.KEYWORD_ONLY}


#: What jobs hand on as it was given: the functions that take it, or the benches' options.
HANDED_ON = {
    "timing": taken_by(timing) - {"paths", "progress"},
    "pnr": taken_by(pnr) - {"frequency_mhz", "seeds", "jobs", "progress"},
    "synth": taken_by(synth) - {"progress"},
    "explore": {"throughput", "latency", "each_us", "latency_us", "prefer", "goal"},
    "dsa keygen": taken_by(dsa_keygen) - {"progress"} | {"trace"},
    "dsa sign": taken_by(dsa_sign) - {"progress"} | {"trace"},
    "dsa verify": taken_by(dsa_verify) - {"progress"} | {"trace"},
    "kem keygen": taken_by(kem_keygen) - {"progress"} | {"trace"},
    "kem encaps": taken_by(kem_encaps) - {"progress"} | {"trace"},
    "kem decaps": taken_by(kem_decaps) - {"progress"} | {"trace"},
    "verify": {"count", "seed"},
    "measure": {"count", "seed", "operation", "padding"},
    "run": {"operation", "padding", *FileOptions.model_fields},
}


def test_every_verb_has_a_job_that_takes_its_options() -> None:
    found = dict(verbs(signatures.app))
    assert len(found) > 20
    for verb, taken in found.items():
        job = getattr(jobs, verb.replace(" ", "_"))
        assert taken_by(job) | HANDED_ON.get(verb, set()) == set(taken), verb
        handed = {p.kind for p in inspect.signature(job).parameters.values()}
        assert (inspect.Parameter.VAR_KEYWORD in handed) == (verb in HANDED_ON), verb
    for bench in benches().values():
        known = {"count", "seed", "operation", "sizes", "padding"}
        assert set(bench.measure_options.model_fields) <= known


def test_names_that_are_shown_are_those_that_there_are() -> None:
    assert set(limits.PAPERS) == set(PAPERS)
    assert {limits.ENGINE, limits.COPROCESSOR, limits.DSA_COPROCESSOR, limits.DSA_CORE} <= set(
        design_names()
    )
