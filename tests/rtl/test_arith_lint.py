# SPDX-License-Identifier: Apache-2.0
"""Every module of the arithmetic room is clean under Verilator and slang, with its defaults."""

from pathlib import Path

import pyslang
import pytest

from nttforge.reduction import plan_multiplier
from nttforge.reduction.top import wrapper
from tests.rtl.arith_bench import run_verilator, sources

MODULES = [p.stem for p in sources() if not p.stem.endswith("_pkg")]


@pytest.mark.long
@pytest.mark.parametrize("module", MODULES)
def test_verilator_has_nothing_to_say(module: str, tmp_path: Path) -> None:
    done = run_verilator(["--lint-only", "-Wall", "--top-module", module, *sources()], tmp_path)
    assert done.returncode == 0 and not done.stderr, done.stderr


@pytest.mark.parametrize("kind", ["solinas", "word-montgomery", "montgomery", "barrett"])
def test_generated_configurations_are_clean(kind: str, tmp_path: Path) -> None:
    top = tmp_path / "mul_top.sv"
    top.write_text(wrapper(plan_multiplier([3329, 268369921], kind=kind, adders_per_stage=2)))
    assert all(len(line) <= 100 for line in top.read_text().splitlines())
    done = run_verilator(
        ["--lint-only", "-Wall", "--top-module", "mul_top", *sources(), top], tmp_path
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    trees = [pyslang.syntax.SyntaxTree.fromFile(str(p)) for p in [*sources(), top]]
    compilation = pyslang.ast.Compilation()
    for tree in trees:
        compilation.addSyntaxTree(tree)
    assert not [d for d in compilation.getAllDiagnostics() if d.isError()]


def test_a_latency_that_does_not_add_up_stops_elaboration(tmp_path: Path) -> None:
    plan = plan_multiplier([3329, 8380417])
    text = wrapper(plan)
    right = f"latency: 8'd{plan.latency}"
    assert right in text
    top = tmp_path / "mul_top.sv"
    top.write_text(text.replace(right, f"latency: 8'd{plan.latency + 1}"))
    done = run_verilator(["--lint-only", "--top-module", "mul_top", *sources(), top], tmp_path)
    assert done.returncode != 0 and "do not add up" in done.stderr
