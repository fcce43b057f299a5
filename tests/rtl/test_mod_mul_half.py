# SPDX-License-Identifier: Apache-2.0
import random
from pathlib import Path

import pytest

from nttforge.errors import NttforgeError
from nttforge.reduction import HalfRatePlan, plan_half_rate, plan_multiplier
from tests.rtl.arith_bench import Unit, build, failures

BN254 = 21888242871839275222246405745257275088548364400416034343698204186575808495617
GOLDILOCKS = 2**64 - 2**32 + 1
MODULI = [257, 3329, 8380417, 3221225473, 1152921504606830593, GOLDILOCKS, 0xC6A4A7A100000001]


def half_unit(i: int, plan: HalfRatePlan, count: int) -> Unit:
    """Pairs in every second clock, garbage between them."""
    rng = random.Random(i)
    q = plan.q
    top = q // 2
    pairs = [
        (a, b)
        for a in (-2 * q, -2 * q + 1, -q, -1, 0, 1, q - 1, q, 2 * q - 1, 2 * q)
        for b in (-top, -top + 1, -1, 1, top - 1, top, (1 << plan.split) - 1, -1 << plan.split)
    ]
    pairs += [(rng.randint(-2 * q, 2 * q), rng.randint(-top, top)) for _ in range(count)]
    rng.shuffle(pairs)
    # The last pairs' second turns come after them.
    pairs += [(0, 0)] * plan.latency
    vectors = []
    for a, b in pairs:
        vectors += [(a, b, 1), (rng.randint(-2 * q, 2 * q), rng.randint(-top, top), 0)]

    def check(a: int, b: int, first: int, r: int) -> bool:
        if not first or a == b == 0:
            return True
        return -q <= r < q and (r * plan.scale - a * b) % q == 0 and r == plan.model(a, b)

    names = ("BW", "Split", "LowFirst", "Delay")
    chosen = ", ".join(f".{name}(P{i}{name})" for name in names)
    instance = f"ntf_mod_mul_half #(.Cfg(P{i}Cfg), .Steps(P{i}Steps), {chosen})"
    widths = (plan.core.a_width, plan.b_width, 1, plan.core.residue_width)
    return Unit(
        *(str(q), plan.sv_config(f"P{i}"), instance, widths, plan.latency, vectors, check),
        select="first_i",
    )


def check_plans(plans: list[HalfRatePlan], where: Path) -> None:
    units = [half_unit(i, plan, 300) for i, plan in enumerate(plans)]
    wrong = failures(units, build(units, where))
    assert not wrong, {name: lines[:3] for name, lines in wrong.items()}


def test_every_width(tmp_path: Path) -> None:
    plans = [plan_half_rate(q, adders_per_stage=k) for q in MODULI for k in (1, 3)]
    assert {plan.low_first for plan in plans} == {True, False}
    check_plans(plans, tmp_path)


def test_scalar_field(tmp_path: Path) -> None:
    check_plans([plan_half_rate(BN254)], tmp_path)


@pytest.mark.parametrize("q", [GOLDILOCKS, 0xC6A4A7A100000001])
def test_half_the_blocks(q: int) -> None:
    assert 2 * plan_half_rate(q).cost().dsp == plan_multiplier([q]).cost().dsp


def test_encoding_is_for_two_passes() -> None:
    plan = plan_half_rate(GOLDILOCKS)
    for a, b in ((5, 7), (-2 * plan.q, plan.q - 1), (12345, GOLDILOCKS // 3)):
        r = plan.model(a, plan.encode(b))
        assert -plan.q <= r < plan.q and (r - a * b) % plan.q == 0
    with pytest.raises(ValueError, match="out of range"):
        plan.model(2 * plan.q + 1, 0)


def test_too_small_to_halve() -> None:
    with pytest.raises(NttforgeError) as caught:
        plan_half_rate(3)
    assert caught.value.field == "moduli"
