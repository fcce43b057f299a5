# SPDX-License-Identifier: Apache-2.0
"""The tests must be able to fail: the vectors of test_mod_mul catch each mutant of the RTL."""

import shutil
from pathlib import Path

import pytest
from arith_bench import ROOT, build, failures
from test_mod_mul import mul_unit

from nttforge.reduction import plan_multiplier

MUTANTS = [
    ("fold.sv", "= {base_ext, carry} + {addend, carry};", "= {base_ext, carry} + {addend, 1'b0};"),
    ("fold.sv", "assign y = base_ext - addend;", "assign y = base_ext + addend;"),
    ("fold.sv", ".Depth(Wait)) u_base", ".Depth(Wait + 1)) u_base"),
    ("fold.sv", "base_ext = signed'(OutW'(base))", "base_ext = OutW'(signed'(base))"),
    ("mod_correct.sv", "(x_i[InW-1] ? Value : -Value)", "(x_i[InW-1] ? Value : '0)"),
    ("mul_const.sv", "if (Digit.neg)", "if (!Digit.neg)"),
    ("mul_tiled.sv", "assign b = {1'b0, b_i[LoB+:StepB]};", "assign b = b_i[LoB+:StepB+1];"),
    ("mod_mul.sv", ".Depth(Latency - 1)) u_mod", ".Depth(Latency - 2)) u_mod"),
]


@pytest.mark.parametrize(("file", "right", "wrong"), MUTANTS)
def test_mutant_is_caught(file: str, right: str, wrong: str, tmp_path: Path) -> None:
    rtl = tmp_path / "rtl"
    for room in ("arith", "prim"):
        shutil.copytree(ROOT / "rtl" / room, rtl / room)
    path = rtl / "arith" / file
    text = path.read_text()
    assert right in text
    path.write_text(text.replace(right, wrong))
    plans = [
        (kind, plan_multiplier([3329, 8380417], kind=kind, adders_per_stage=2))
        for kind in ("solinas", "word-montgomery", "montgomery")
    ]
    units = [mul_unit(name, i, plan, 200, i) for i, (name, plan) in enumerate(plans)]
    assert failures(units, build(units, tmp_path / "build", rtl, "-O0"))
