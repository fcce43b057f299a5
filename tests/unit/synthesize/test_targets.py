# SPDX-License-Identifier: Apache-2.0
"""A family of FPGAs is one entry: docs/extending.md, followed."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from nttforge.synthesize.yosys import _mapping
from nttforge.targets import TARGETS, one_of
from tests import costs

#: A script that adds an entry, before anything else is loaded.
ENTRY = """
from typing import Literal
from nttforge import targets
targets.TARGETS["toy"] = targets.TargetFacts(
    "Toy", "synth_ecp5 -no-rw-check", "synth_ecp5 -noflatten -no-rw-check", (16, 16)
)
targets.Target = Literal[tuple(targets.TARGETS)]
from nttforge.cli import main
main()
"""
DESIGN = 'name = "tiny"\ntarget = "toy"\n[[rings]]\nn = 16\nq = 97\n'


def with_toy(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ENTRY, *map(str, words)],
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.synth
def test_a_new_target_is_one_entry(tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(DESIGN)
    done = with_toy("synth", path, "--target", "toy", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["target"] == "toy"
    assert found["lut"] > 0
    assert "xcup, xc7, ecp5 or toy" in with_toy("synth", path, "--target", "asic").stderr
    keys = json.loads(with_toy("show", "schema").stdout)["properties"]
    assert "toy" in keys["target"]["enum"]


def test_a_target_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(DESIGN)
    done = subprocess.run(
        [sys.executable, "-m", "nttforge", "generate", str(path), "-o", str(tmp_path / "x")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "target" in done.stderr


@pytest.mark.parametrize("target", TARGETS)
def test_costs_and_areas_are_of_one_command(target: str) -> None:
    text = Path(str(costs.__file__)).read_text("utf-8")
    assert "synth_" not in text
    assert ".mapping}" in text
    assert f"{TARGETS[target].mapping} -top x" in _mapping("x", target, piecewise=False)
    assert f"{TARGETS[target].piecewise} -top x" in _mapping("x", target, piecewise=True)


@pytest.mark.synth
@pytest.mark.parametrize("target", [name for name, of in TARGETS.items() if of.memories])
def test_what_has_no_memories_passes_over_one_step_of_the_command(target: str) -> None:
    """Labels that Yosys does not know would leave out all that comes after them."""
    labels = TARGETS[target].memories
    assert labels is not None
    command = TARGETS[target].mapping.split()[0]
    asked = f"from pyosys import libyosys as ys; ys.run_pass('help {command}', ys.Design())"
    printed = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    ).stdout
    steps = re.findall(r"^    (\w+):", printed, re.MULTILINE)
    assert steps[steps.index(labels[0]) + 1] == labels[1]
    *_, first, second, _, _ = _mapping("x", target, piecewise=False, memories=False)
    assert first.endswith(f" -run :{labels[0]}") and second.endswith(f" -run {labels[1]}:")


def test_names_are_listed_as_in_a_sentence() -> None:
    assert one_of("none").endswith(" or none")
