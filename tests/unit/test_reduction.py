# SPDX-License-Identifier: Apache-2.0
import random
import re
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any, get_args

import pytest
from flint import fmpz
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nttforge.errors import NttforgeError
from nttforge.hw.growth import LIMITS
from nttforge.reduction import plan_multiplier, plan_shifts
from nttforge.reduction.constant import (
    LUTS_PER_DSP,
    MAX_DIGITS,
    TILES,
    Cost,
    Goal,
    Row,
    Tables,
    Tiling,
)
from nttforge.reduction.kinds import KINDS
from nttforge.reduction.numbers import Range, centred, signed_digits, signed_low
from nttforge.reduction.plan import MAX_ROWS, MAX_WIDTH, Operands
from nttforge.reduction.product import Shifts
from nttforge.reduction.registers import place_registers
from nttforge.reduction.step import Step, barrett, correct, high_fold, low_fold, montgomery
from nttforge.ring.presets import find_preset
from tests.marks import first


@given(st.integers(-(2**300), 2**300), st.integers(1, 300))
def test_signed_low_is_congruent_and_in_range(x: int, bits: int) -> None:
    low = signed_low(x, bits)
    assert (x - low) % 2**bits == 0
    assert -(2 ** (bits - 1)) <= low < 2 ** (bits - 1)


@given(st.integers(-(2**64), 2**64))
def test_signed_digits_add_up_and_are_not_adjacent(value: int) -> None:
    digits = signed_digits(value)
    assert sum(sign << shift for sign, shift in digits) == value
    shifts = [shift for _, shift in digits]
    assert all(b - a >= 2 for a, b in pairwise(shifts))


@given(st.integers(-(2**70), 2**70), st.integers(-(2**70), 2**70))
def test_width_is_the_least_that_holds_the_range(a: int, b: int) -> None:
    x = Range(min(a, b), max(a, b))
    half = 1 << x.width - 1
    assert -half <= x.lo and x.hi < half
    assert x.width == 1 or not (-half // 2 <= x.lo and x.hi < half // 2)


def every_step(q: int, x: Range) -> list[Step]:
    bits = q.bit_length()
    steps: list[Step | None] = [high_fold(x, k, centred(1 << k, q)) for k in range(1, 2 * bits)]
    for plain in (False, True):
        steps += [montgomery(x, w, q, Goal(), plain=plain) for w in range(1, bits + 2)]
        steps += [
            low_fold(x, w, q, Goal("ecp5", "dsp"), plain=plain)
            for w in range(1, 9)
            if q % (1 << w) in (1, (1 << w) - 1)
        ]
    steps += [barrett(x, bits - 1, bits + 2, q, Goal("xc7")), correct(x, q)]
    return [step for step in steps if step]


@pytest.mark.parametrize("q", [3, 5, 7, 13, 17])
def test_ranges_hold_for_every_x(q: int) -> None:
    """Residue and range of every step, for all x of a range; folds' bounds are even attained."""
    x = Range(-3 * q * q, 2 * q * q + 1)
    for step in every_step(q, x):
        values = [step.apply(v) for v in range(x.lo, x.hi + 1)]
        divisor = 1 << step.split if step.kind in ("StepLow", "StepMontgomery") else 1
        for v, y in zip(range(x.lo, x.hi + 1), values, strict=True):
            assert (y * divisor - v) % q == 0, (step, v)
            assert step.y.lo <= y <= step.y.hi, (step, v)
        if step.kind in ("StepHigh", "StepLow", "StepCorrect"):
            assert (min(values), max(values)) == tuple(step.y), step


@pytest.mark.long
@pytest.mark.parametrize("kind", ["auto", *KINDS])
@pytest.mark.parametrize("prefer", LUTS_PER_DSP)
def test_every_small_modulus(kind: str, prefer: str) -> None:
    """What a step cuts off is less than it was given, and the result of every x is right."""
    for q, operands, limit, reach in product(
        range(3, 18, 2), get_args(Operands), (2, 3, 6), (0, 8)
    ):
        try:
            plan = plan_multiplier(
                [q], kind=kind, prefer=prefer, operands=operands, limit=limit, reach=reach
            )
        except NttforgeError as error:
            assert error.field == "reduction"
            assert kind not in ("auto", "barrett")
            assert kind != "montgomery" or operands != "constant"
            continue
        (reduction,) = plan.reductions
        assert all(step.split < step.x.width for step in reduction.steps)
        for x in range(reduction.steps[0].x.lo, reduction.steps[0].x.hi + 1):
            r = reduction.reduce(x)
            assert -q <= r < q and (r * reduction.scale - x) % q == 0


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_odd_prime_and_kind(data: st.DataObject) -> None:
    bits = data.draw(st.integers(2, 256))
    q = data.draw(st.integers(2 ** (bits - 1), 2**bits - 1)) | 1
    while not fmpz(q).is_prime():
        q += 2
    assume(q.bit_length() <= 256)
    kind = data.draw(st.sampled_from(["auto", "word-montgomery", "montgomery", "barrett"]))
    target = data.draw(st.sampled_from(sorted(TILES)))
    k = data.draw(st.integers(1, 6))
    prefer = data.draw(st.sampled_from(sorted(LUTS_PER_DSP)))
    plan = plan_multiplier([q], kind=kind, adders_per_stage=k, target=target, prefer=prefer)
    for _ in range(4):
        a = data.draw(st.integers(-2 * q, 2 * q))
        b = data.draw(st.integers(0, q - 1))
        r = plan.model(a, plan.encode(b))
        assert -q <= r < q
        assert (r - a * b) % q == 0


@given(st.sampled_from([17, 257, 65537]), st.integers(1, 6), st.integers(0, 5), st.booleans())
def test_factors_are_coded_as_shifts_that_there_are(
    q: int, unit: int, top: int, negative: bool
) -> None:
    """Where 2^k is -1, shifts beyond the last one are the negatives of others."""
    powers = {pow(2, unit * e, q) for e in range(top + 1)}
    factors = powers | {-f % q for f in powers if negative}
    plan = plan_shifts([q], [factors])
    assume(plan is not None)
    assert plan is not None
    product = plan.product
    assert isinstance(product, Shifts)
    for factor in factors:
        code = plan.encode(factor)
        assert code & (1 << product.code_width) - 1 <= product.top
        assert (plan.model(q - 1, code) + factor) % q == 0


@pytest.mark.parametrize("target", sorted(TILES))
@pytest.mark.parametrize("k", [1, 2, 4])
def test_stages_hold_at_most_k_rows(target: str, k: int) -> None:
    for kind in ("auto", *KINDS):
        try:
            plan = plan_multiplier([8380417, 3329], kind=kind, adders_per_stage=k, target=target)
        except NttforgeError:
            continue
        assert len({r.latency for r in plan.reductions}) == 1
        for reduction in plan.reductions:
            masks = [*plan.product_reg_after, *(b for m in reduction.reg_after for b in m)]
            rows = [(row.tile, True) for row in plan.product.rows()]
            rows += [
                (row.tile, step.kind != "StepPass")
                for step in reduction.steps
                for row in step.rows()
            ]
            stage = 0
            for i, (register, (tile, logic)) in enumerate(zip(masks, rows, strict=True)):
                stage += logic
                assert stage <= k
                if tile:
                    assert stage == 1 and register, f"row {i} of {kind}"
                if register:
                    stage = 0


def test_the_two_standards_share_two_tiles_in_three_stages() -> None:
    plan = plan_multiplier([3329, 8380417])
    assert (plan.a_width, plan.b_width, plan.residue_width) == (25, 23, 24)
    assert plan.latency == 3
    assert plan.cost().dsp == 2


@settings(deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=12), st.integers(1, 4), st.randoms())
def test_registers_split_rows_as_asked(tiles: list[bool], most: int, rng: random.Random) -> None:
    rows = [Row(rng.randint(1, 99), tile) for tile in tiles]
    cuts = place_registers(rows, most, first=most)
    assert cuts is not None and cuts[-1]
    fewest = sum(cuts)
    assert place_registers(rows, most, first=most, stages=len(rows)) == (True,) * len(rows)
    assert fewest == 1 or place_registers(rows, most, first=most, stages=fewest - 1) is None


def test_a_row_that_waits_for_a_sign_counts_twice() -> None:
    """Its carries begin when those of the row in front are over."""
    adder, sign = Row(9), Row(9, sign=True)
    assert place_registers([adder, adder], 2, first=2) == (False, True)
    assert place_registers([adder, sign], 2, first=2) == (True, True)
    assert place_registers([sign, adder], 2, first=2) == (False, True)
    assert place_registers([adder, sign], 3, first=3) == (False, True)


def test_tiles_of_dsp_blocks() -> None:
    assert Tiling(25, 23, 48, 27, 18).cost().dsp == 2
    assert Tiling(27, 18, 45, 27, 18).cost().dsp == 1
    assert Tiling(23, 23, 46, 18, 18).cost().dsp == 4
    # The upper half of the product left out: three of four tiles.
    assert Tiling(34, 34, 34, 18, 18).cost().dsp == 3


@pytest.mark.long
def test_tables_take_the_place_of_dear_multiplier_blocks() -> None:
    """A prime of 64 bits, and the fields of two curves: only the product keeps its blocks."""
    fields = [find_preset(name).ring.q for name in ("bn254", "bls12-381")]
    for q in (0xC6A4A7A100000001, *fields):
        few, usual = (plan_multiplier([q], prefer=prefer).cost() for prefer in ("dsp", "balanced"))
        assert few.dsp <= usual.dsp / 2
        assert few.lut - usual.lut < 100 * (usual.dsp - few.dsp) or q.bit_length() == 64
    tables = Tables(5, 4, 10, 14, 6, 5)
    assert tables.digits == [(0, 6), (6, 4)]
    assert tables.cost() == Cost(10 + 9)
    assert replace(tables, first=4, following=4).cost() == Cost(8 + 2 * 8 + 2 * 6)
    assert [row.live for row in tables.rows()] == [24]


@pytest.mark.parametrize("target", first(sorted(TILES)))
@pytest.mark.parametrize("kind", ["montgomery", "barrett"])
def test_steps_of_the_widest_moduli_fit_their_fields(kind: str, target: str) -> None:
    """Two constants out of tables of digits, which is more rows than anything else takes."""
    q = 1 << 255 | random.Random(1).getrandbits(255)
    while not fmpz(q).is_prime():
        q += 1
    plan = plan_multiplier(
        [q],
        kind=kind,
        prefer="dsp",
        adders_per_stage=1,
        limit=max(LIMITS),
        reach=256,
        target=target,
    )
    longest = max(len(mask) for mask in plan.reductions[0].reg_after)
    assert 100 < longest <= MAX_ROWS
    assert f"MaxRows'({longest}'b" in plan.sv_config()


@pytest.mark.parametrize(
    ("name", "value"), [("MaxRows", MAX_ROWS), ("MaxDigits", MAX_DIGITS), ("MaxWidth", MAX_WIDTH)]
)
def test_limits_are_those_of_the_package(name: str, value: int) -> None:
    package = (Path(__file__).parents[2] / "rtl" / "arith" / "ntf_arith_pkg.sv").read_text("utf-8")
    assert re.findall(rf"localparam int unsigned {name} += (\d+);", package) == [str(value)]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"moduli": []}, "moduli"),
        ({"moduli": [3328]}, "moduli"),
        ({"moduli": [1]}, "moduli"),
        ({"moduli": [2**257 - 1]}, "moduli"),
        ({"moduli": [3329], "kind": "plantard"}, "reduction"),
        ({"moduli": [3329], "kind": "goldilocks"}, "reduction"),
        ({"moduli": [3329], "adders_per_stage": 0}, "adders_per_stage"),
        ({"moduli": [3329], "target": "versal"}, "target"),
        ({"moduli": [3329], "prefer": "speed"}, "prefer"),
    ],
)
def test_mistakes_are_named(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(NttforgeError) as caught:
        plan_multiplier(**arguments)
    assert caught.value.field == field


def test_operands_out_of_range_are_refused_by_the_model() -> None:
    plan = plan_multiplier([17])
    for a, b in ((35, 0), (-35, 0), (0, 9), (0, -9)):
        with pytest.raises(ValueError, match="out of range"):
            plan.model(a, b)
