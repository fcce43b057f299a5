# SPDX-License-Identifier: Apache-2.0
"""The tests must be able to fail: the vectors of test_mod_mul catch each mutant of the RTL."""

import random
import shutil
from pathlib import Path

import pytest

from nttforge.reduction import plan_half_rate, plan_multiplier, plan_shifts
from nttforge.reduction.constant import Tiling
from nttforge.reduction.loaded import plan_loaded
from tests.mutants import change
from tests.rtl.arith_bench import ROOT, Unit, build, failures
from tests.rtl.test_loaded_mul import loaded_unit, shaped
from tests.rtl.test_mod_mul import mul_unit, shift_unit
from tests.rtl.test_mod_mul_half import half_unit

MUTANTS = [
    (
        "ntf_fold.sv",
        "= {base_ext, carry} + {addend, carry};",
        "= {base_ext, carry} + {addend, 1'b0};",
    ),
    ("ntf_fold.sv", "assign y = base_ext - addend;", "assign y = base_ext + addend;"),
    ("ntf_fold.sv", ".Depth(Wait)) u_base", ".Depth(Wait + 1)) u_base"),
    ("ntf_fold.sv", "base_ext = signed'(OutW'(base))", "base_ext = OutW'(signed'(base))"),
    ("ntf_mod_correct.sv", "(x_i[InW-1] ? Value : -Value)", "(x_i[InW-1] ? Value : '0)"),
    ("ntf_mul_const.sv", "if (Digit.neg)", "if (!Digit.neg)"),
    ("ntf_mul_tiled.sv", "assign b = {1'b0, b_i[LoB+:StepB]};", "assign b = b_i[LoB+:StepB+1];"),
    ("ntf_mod_mul.sv", ".Depth(Latency - 1)) u_mod", ".Depth(Latency - 2)) u_mod"),
]


def changed(rtl: Path, file: str, right: str, wrong: str) -> Path:
    """A copy of the library's arithmetic with one change."""
    for room in ("arith", "prim"):
        shutil.copytree(ROOT / "rtl" / room, rtl / room)
    change(rtl / "arith" / file, right, wrong)
    return rtl


@pytest.mark.parametrize(("file", "right", "wrong"), MUTANTS)
def test_mutant_is_caught(file: str, right: str, wrong: str, tmp_path: Path) -> None:
    rtl = changed(tmp_path / "rtl", file, right, wrong)
    plans = [
        (kind, plan_multiplier([3329, 8380417], kind=kind, adders_per_stage=2))
        for kind in ("solinas", "word-montgomery", "montgomery")
    ]
    units = [mul_unit(name, i, plan, 200, i) for i, (name, plan) in enumerate(plans)]
    assert failures(units, build(units, tmp_path / "build", rtl))


#: 128 bits: its words' products are of several tiles.
LONG = 0x9E3779B97F4A7C15F39CC0605DB00001
#: Of the wide multipliers: which unit shows it.
WIDE_MUTANTS = [
    (
        "ntf_mul_karatsuba.sv",
        "- (OutW'(crosses) << Width)",
        "+ (OutW'(crosses) << Width)",
        "blocks",
    ),
    ("ntf_mul_row.sv", "assign value[Lo+:FW] =", "assign value[Lo+:FW] = ~", "words"),
    ("ntf_mul_tree.sv", "<< (Span / 2));", "<< (Span / 2 + 1));", "words"),
    ("ntf_fold.sv", "{1'b0, x_i[Split-1:0]}", "{x_i[Split-1], x_i[Split-1:0]}", "words"),
    ("ntf_mul_table.sv", "? Digit - 2 ** B", "? Digit - 2 ** (B - 1)", "tables"),
    ("ntf_mul_table.sv", "+ product;", "- product;", "tables"),
    ("ntf_mul_table.sv", "x[LeftW+Next-1:Next]", "x[LeftW-1:0]", "tables"),
    ("ntf_mul_shift.sv", "b_i[HowW] ? -(AW + 1)'(a_i)", "b_i[HowW] ? ~(AW + 1)'(a_i)", "shifts"),
    ("ntf_mod_mul_half.sv", "(Delay - Reduce - 1)", "(Delay - Reduce)", "half"),
]


def wide_unit(name: str) -> Unit:
    dense, goldilocks = 0xC6A4A7A100000001, 2**64 - 2**32 + 1
    if name == "half":
        return half_unit(0, plan_half_rate(dense), 100)
    if name == "shifts":
        factors = {pow(2, 3 * e, goldilocks) for e in range(64)}
        plan = plan_shifts([goldilocks], [factors])
        assert plan is not None
        return shift_unit(name, 0, plan, factors)
    if name == "tables":
        return mul_unit(name, 0, plan_multiplier([LONG], prefer="dsp", adders_per_stage=1), 200, 0)
    if name == "words":
        plan = plan_multiplier([LONG])
        tilings = [s.c1.tiling for s in plan.reductions[0].steps if s.c1 and s.c1.tiling]
        assert any(t.sums < t.chunks_a for t in tilings if isinstance(t, Tiling))
    else:
        plan = plan_multiplier([dense], prefer="dsp")
    return mul_unit(name, 0, plan, 200, 0)


@pytest.mark.parametrize(("file", "right", "wrong", "unit"), WIDE_MUTANTS)
def test_wide_mutant_is_caught(
    file: str, right: str, wrong: str, unit: str, tmp_path: Path
) -> None:
    rtl = changed(tmp_path / "rtl", file, right, wrong)
    units = [wide_unit(unit)]
    assert failures(units, build(units, tmp_path / "build", rtl))


#: Of the multiplier by a loaded modulus.
LOADED_MUTANTS = [
    ("arith/ntf_loaded_word.sv", "v[i] ? (x_i[Above-1:0] << i)", "v[i] ? x_i[Above-1:0]"),
    (
        "arith/ntf_loaded_word.sv",
        "{so_far, carried} + {added, carried}",
        "{so_far, 1'b0} + {added, 1'b0}",
    ),
    ("arith/ntf_loaded_word.sv", ".Depth(Wait - First)) u_negative", ".Depth(Wait)) u_negative"),
    (
        "arith/ntf_loaded_word.sv",
        "assign addend       = OutW'(product) <<< Left",
        "assign addend       = OutW'(product)",
    ),
    ("arith/ntf_loaded_word.sv", "now_i[2*FW+1+:Above]", "now_i[FW+:Above]"),
    ("arith/ntf_loaded_mul.sv", ".Depth(At + Before - 1)", ".Depth(At + Before)"),
    ("arith/ntf_loaded_word.sv", "FW + 1), .Depth(1)) u_minus", "FW + 1), .Depth(0)) u_minus"),
    ("arith/ntf_loaded_mul.sv", ".Shift(int'(Step.split))", ".Shift(0)"),
    ("arith/ntf_loaded_addend.sv", "factor_i ^ {FW{minus_i}}", "factor_i"),
    ("arith/ntf_loaded_addend.sv", "q[Zeros-1:1]  = {(Zeros-1){minus_i}}", "q[Zeros-1:1]  = '0"),
    ("arith/ntf_loaded_correct.sv", "Centred && !x_i[InW-1]", "Centred && x_i[InW-1]"),
    ("prim/ntf_hold.sv", "en_i && is_new[At-1]", "is_new[At-1]"),
    ("prim/ntf_hold.sv", "value[r+1] <= value[r]", "value[r+1] <= value[0]"),
]


@pytest.mark.parametrize(("file", "right", "wrong"), LOADED_MUTANTS)
def test_loaded_mutant_is_caught(file: str, right: str, wrong: str, tmp_path: Path) -> None:
    rtl = changed(tmp_path / "rtl", f"../{file}", right, wrong)
    plans = [
        plan_loaded(30, 13, adders_per_stage=2, every=4),
        plan_loaded(40, 19, adders_per_stage=2),
        plan_loaded(30, 4, adders_per_stage=2, every=3),
        plan_loaded(64, 4, adders_per_stage=2, every=5),
    ]
    units = []
    for i, plan in enumerate(plans):
        rng = random.Random(i)
        moduli = shaped(plan.taken.bits, plan.taken.zeros, rng, 10)
        units.append(loaded_unit(i, plan, moduli, 8, rng))
    assert failures(units, build(units, tmp_path / "build", rtl))
