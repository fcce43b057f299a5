# SPDX-License-Identifier: Apache-2.0
"""What residues grow to is what they can grow to, and no more than words and multipliers take."""

import random
from typing import Any

import pytest

from nttforge.hw.growth import COOLEY_TUKEY, GENTLEMAN_SANDE, LIMITS, PASS, Growth, grow
from nttforge.reduction import MultiplierPlan, plan_multiplier
from nttforge.reduction.numbers import Range, lazy

STAGES = 8
MODES = {
    "ntt": [COOLEY_TUKEY] * STAGES,
    "intt": [GENTLEMAN_SANDE] * STAGES,
    "incomplete": [COOLEY_TUKEY] * (STAGES - 1) + [PASS],
}


def moved(a: int, m: int) -> int:
    """ntf_mod_centre.sv: a by m towards 0 if that is nearer, as far as leading bits tell."""
    unit = 1 << max(0, (2 * m).bit_length() - 4)
    half = (2 * m // unit + 1) // 2 * unit
    return a - m if 2 * a >= half else a + m if 2 * a < -half else a


def butterfly(
    plan: MultiplierPlan, m: int, mode: int, pair: tuple[int, int], w: int
) -> tuple[int, int]:
    """Words of ntf_butterfly.sv, after what moves a."""
    a, b = pair
    q = plan.moduli[m]
    difference = b - (a if mode == GENTLEMAN_SANDE else 0)
    assert abs(difference) <= plan.limit * q
    product = plan.model(difference, w, m)
    if mode == COOLEY_TUKEY:
        return a - product, a + product
    if mode == PASS:
        return a, product
    total = a + b
    if total % 2:
        total += q if total < 0 else -q
    return total // 2, product


def walk(plan: MultiplierPlan, growth: Growth, m: int, modes: list[int], rng: random.Random) -> int:
    """One word's way through the stages, with partners and factors that are often extreme."""
    q = plan.moduli[m]
    words = [rng.choice((0, q - 1, rng.randrange(q))) for _ in range(16)]
    for stage, mode in enumerate(modes):
        assert all(word in range_of(growth.widths[stage]) for word in words)
        following: list[Any] = []
        for _ in range(8):
            pair = (rng.choice(words), rng.choice(words))
            w = rng.choice((q // 2, -(q // 2), rng.randrange(-(q // 2), q // 2 + 1)))
            if mode == COOLEY_TUKEY and growth.nearer[stage]:
                pair = (moved(pair[0], growth.nearer[stage] * q), pair[1])
            following += butterfly(plan, m, mode, pair, w)
        words = sorted(following)[:3] + sorted(following)[-3:] + rng.sample(following, 10)
    word = rng.choice((words[0], words[5], words[9]))
    for row, multiple in enumerate(growth.settle):
        assert word in range_of(growth.settle_widths[row])
        word += multiple * q if word < 0 else -multiple * q
    assert Range(word, word).within(lazy(q))
    return word


def range_of(width: int) -> range:
    return range(-(1 << width - 1), 1 << width - 1)


@pytest.mark.long
@pytest.mark.parametrize("moduli", [(17,), (97, 3329), (7681,), (8380417, 3329), (12289,)])
@pytest.mark.parametrize("limit", LIMITS)
def test_no_word_outgrows_its_place(moduli: tuple[int, ...], limit: int) -> None:
    plan = plan_multiplier(moduli, limit=limit, reach=10)
    operations = [(m, modes) for m in range(len(moduli)) for modes in MODES.values()]
    growth = grow(plan, operations)
    assert len(growth.widths) == STAGES + 1 and len(growth.nearer) == STAGES
    rng = random.Random(limit)
    for m, modes in operations:
        for _ in range(60):
            walk(plan, growth, m, modes, rng)


def test_an_inverse_does_not_grow() -> None:
    plan = plan_multiplier([8380417])
    growth = grow(plan, [(0, MODES["intt"])])
    assert set(growth.widths) == {24}
    assert not any(growth.nearer) and not growth.settle


def test_what_is_too_wide_for_the_multiplier_is_taken_back() -> None:
    narrow, wide = (
        grow(plan_multiplier([8380417], limit=limit), [(0, MODES["ntt"])]) for limit in (2, 12)
    )
    assert any(narrow.nearer[:-1]) and not any(wide.nearer[:-1])
    assert max(narrow.widths) < max(wide.widths)
    assert len(narrow.settle) < len(wide.settle)
