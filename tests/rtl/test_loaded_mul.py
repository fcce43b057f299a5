# SPDX-License-Identifier: Apache-2.0
"""The multiplier by a modulus that is loaded, for primes of every width and shape."""

import random
import subprocess
from collections.abc import Sequence
from itertools import islice, product
from pathlib import Path

import pytest

from nttforge.reduction.constant import Goal
from nttforge.reduction.loaded import (
    LoadedPlan,
    LoadedStep,
    Moduli,
    corrected,
    plan_loaded,
    plan_of_steps,
    word,
)
from nttforge.reduction.plan import product_range
from nttforge.reduction.step import StepKind
from tests.known_primes import drawn, largest, smallest, sparsest
from tests.rtl.arith_bench import Unit, Vector, build, failures

#: Operands of a modulus before the next one comes, at least.
RUN = 3


def operands(plan: LoadedPlan, q: int, rng: random.Random, count: int) -> list[tuple[int, int]]:
    """Corners of the operands' ranges, shuffled, and random ones, for one modulus."""
    top, reach = q // 2, plan.limit * q
    corners_a = [-reach, -reach + 1, -q, -1, 0, 1, q - 1, q, reach - 1, reach]
    corners_b = [-top, -top + 1, -1, 0, 1, top - 1, top]
    corners = list(product(corners_a, corners_b))
    drawn_pairs = [(rng.randint(-reach, reach), rng.randint(-top, top)) for _ in range(count)]
    return [*rng.sample(corners, min(count, len(corners))), *drawn_pairs]


def loaded_vectors(
    plan: LoadedPlan, moduli: Sequence[int], rng: random.Random, count: int
) -> list[Vector]:
    """Runs of operands, a modulus after the other; the last run lasts until all have come out."""
    width = constants_width(plan)
    vectors: list[Vector] = []
    for q in moduli:
        pairs = operands(plan, q, rng, count)
        pairs += [pairs[-1]] * (plan.taken.every - len(pairs))
        if rng.random() < 0.5:  # the next one comes as early as it may
            del pairs[plan.taken.every :]
        constants = plan.taken.constants(q)
        vectors += [
            (a, b, constants | (number == 0) << width) for number, (a, b) in enumerate(pairs)
        ]
    a, b, constants = vectors[-1]
    return vectors + [(a, b, constants & ~(1 << width))] * plan.latency


def constants_width(plan: LoadedPlan) -> int:
    """Bits of what the hardware computes with of a modulus."""
    return plan.taken.inverse + 2 * plan.taken.factor_width + 1


def loaded_unit(
    i: int, plan: LoadedPlan, moduli: Sequence[int], count: int, rng: random.Random
) -> Unit:
    width, factor = constants_width(plan), plan.taken.factor_width

    def check(a: int, b: int, mod: int, r: int) -> bool:
        q = ((mod & (1 << factor) - 1) << plan.taken.zeros) + 1
        scale = plan.reductions[0].scale
        return -q <= r < q and (r * scale - a * b) % q == 0 and r == plan.model_for(q, a, b)

    return Unit(
        f"{plan.taken} {plan.target} limit {plan.limit}",
        plan.sv_config(f"P{i}"),
        f"ntf_loaded_mul #(.Cfg(P{i}Cfg), .Moduli(P{i}Moduli), .Steps(P{i}Steps))",
        (plan.a_width, plan.b_width, width + 1, plan.residue_width),
        plan.latency,
        loaded_vectors(plan, moduli, rng, count),
        check,
        wiring=(
            f".new_i(mod_i[{i}][{width}]), .mod_i(mod_i[{i}][{width - 1}:0]), "
            f".a_i(a_i[{i}][{plan.a_width - 1}:0]), .b_i(b_i[{i}][{plan.b_width - 1}:0]), "
            f".r_o(r{i})"
        ),
    )


def shaped(bits: int, zeros: int, rng: random.Random, count: int) -> list[int]:
    """The smallest, the largest, the sparsest prime, and drawn ones."""
    corners = [smallest(zeros), largest(bits, zeros), sparsest(bits, zeros)]
    return [*corners, *(drawn(bits, zeros, rng) for _ in range(count))]


def check_loaded(plans: Sequence[LoadedPlan], where: Path, *, primes: int, count: int) -> int:
    """Simulate them; how many moduli there were."""
    units, total = [], 0
    for i, plan in enumerate(plans):
        rng = random.Random(i)
        moduli = shaped(plan.taken.bits, plan.taken.zeros, rng, primes)
        total += len(moduli)
        units.append(loaded_unit(i, plan, moduli, count, rng))
    wrong = failures(units, build(units, where))
    assert not wrong, {name: lines[:3] for name, lines in wrong.items()}
    return total


#: Bits and zeros: n = 2^3 to 2^17, all widths in between.
SHAPES = [
    (bits, zeros)
    for bits in (30, 31, 36, 40, 45, 50, 54, 59, 60, 63, 64)
    for zeros in (4, 5, 8, 11, 13, 15, 17, 18)
    if bits > zeros + 8
]


@pytest.mark.parametrize("part", range(4))
def test_every_width_and_size(part: int, tmp_path: Path) -> None:
    """Each shape on each family of FPGAs in turn, with moduli that follow each other closely."""
    ways = product(("xcup", "xc7", "ecp5"), (1, 2, 4), (2, 4, 8), (1, 2, 5, 40), (False, True))
    chosen = random.Random(part).sample(list(ways), len(SHAPES))
    plans = [
        plan_loaded(
            *(bits, zeros),
            target=target,
            adders_per_stage=adders,
            limit=limit,
            every=every,
            apart=apart,
        )
        for (bits, zeros), (target, adders, limit, every, apart) in islice(
            zip(SHAPES, chosen, strict=True), part, None, 4
        )
    ]
    check_loaded(plans, tmp_path, primes=40, count=RUN)


@pytest.mark.long
def test_what_plans_have() -> None:
    """The tests' plans have all that there is: each way of making a quotient, one tile and many."""
    steps = [
        step
        for bits, zeros in SHAPES
        for target in ("xcup", "ecp5")
        for step in plan_loaded(bits, zeros, target=target).chain
        if step.kind is StepKind.MONTGOMERY
    ]
    assert {0, 5} <= {step.above for step in steps}
    assert max(step.above for step in steps) > 8
    assert {1, 2, 3} <= {len(step.chunk_widths) for step in steps}
    assert {step.moduli.inverse > 0 for step in steps} == {True, False}


#: Words that have all that there is at 8 bits: bits of a word, tile, zeros.
SMALL = [(5, 4, 3), (2, 8, 3), (4, 3, 2)]


@pytest.mark.parametrize(("split", "tile", "zeros"), SMALL)
def test_all_moduli_of_eight_bits(split: int, tile: int, zeros: int, tmp_path: Path) -> None:
    """Every q = 1 modulo 2^zeros below 256, prime or not, with every pair of operands."""
    plan = small_plan(8, split, tile, zeros)
    unit = loaded_unit(0, plan, [257 - (1 << zeros)], 2, random.Random(0))
    scale = plan.reductions[0].scale
    done = subprocess.run(
        [
            build([unit], tmp_path, optimize="-O2"),
            *("loaded", "8", str(zeros), str(plan.latency), str(scale)),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    moduli = range((1 << zeros) + 1, 256, 1 << zeros)
    assert done.stdout.split() == [str(sum((4 * q + 1) * q for q in moduli)), "0"]


def small_plan(bits: int, split: int, tile: int, zeros: int) -> LoadedPlan:
    """A plan with words and tiles of such sizes."""
    moduli = Moduli(bits, zeros, every=64)
    x = product_range(moduli.largest)
    chain: list[LoadedStep] = []
    steps = None
    while steps is None:
        chain.append(word(chain[-1].y if chain else x, split, moduli, tile))
        steps = corrected(chain, moduli)
    plan = plan_of_steps(steps, Goal(), adders_per_stage=2, limit=2)
    assert {step.split for step in plan.chain if step.kind is StepKind.MONTGOMERY} == {split}
    return plan
