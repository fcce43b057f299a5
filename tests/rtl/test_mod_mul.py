# SPDX-License-Identifier: Apache-2.0
import random
import subprocess
from pathlib import Path

import pytest
from arith_bench import Unit, build, failures

from nttforge.errors import NttforgeError
from nttforge.reduction import MultiplierPlan, plan_multiplier
from nttforge.reduction.kinds import KINDS

BN254 = 21888242871839275222246405745257275088548364400416034343698204186575808495617
BLS12_381 = 52435875175126190479447740508185965837690552500527637822603658699938581184513
MODULI = [
    (3,),
    (7681,),
    (12289,),
    (8380417,),
    (268369921,),
    (3221225473,),
    (1152921504606830593,),
    (2**64 - 2**32 + 1,),
    (3329, 8380417),
    (8380417, 12289, 3329),
]


def mul_unit(name: str, i: int, plan: MultiplierPlan, count: int, seed: int) -> Unit:
    rng = random.Random(seed)
    vectors = []
    for mod, q in enumerate(plan.moduli):
        top = q // 2
        corners_a = [-2 * q, -2 * q + 1, -q, -1, 0, 1, q - 1, q, 2 * q - 1, 2 * q]
        corners_b = [-top, -top + 1, -1, 0, 1, top - 1, top]
        vectors += [(a, b, mod) for a in corners_a for b in corners_b]
        vectors += [(rng.randint(-2 * q, 2 * q), rng.randint(-top, top), mod) for _ in range(count)]
    rng.shuffle(vectors)  # the modulus changes from clock to clock

    def check(a: int, b: int, mod: int, r: int) -> bool:
        q, divisor = plan.moduli[mod], plan.reductions[mod].scale
        return -q <= r < q and (r * divisor - a * b) % q == 0 and r == plan.model(a, b, mod)

    instance = f"mod_mul #(.Cfg(P{i}Cfg), .Steps(P{i}Steps))"
    mod_width = max(1, (len(plan.moduli) - 1).bit_length())
    widths = (plan.a_width, plan.b_width, mod_width, plan.residue_width)
    text = plan.sv_config(f"P{i}")
    return Unit(name, text, instance, widths, plan.latency, vectors, check)


def all_plans(moduli: list[tuple[int, ...]], stages: list[int], target: str) -> list[tuple]:
    plans = []
    for qs in moduli:
        for kind in ("auto", *KINDS):
            for k in stages:
                try:
                    plan = plan_multiplier(qs, kind=kind, adders_per_stage=k, target=target)
                except NttforgeError:
                    continue
                plans.append((f"{'-'.join(map(str, qs))} {kind} k={k} {target}", plan))
    return plans


def check_plans(plans: list[tuple], where: Path, count: int) -> None:
    units = [mul_unit(name, i, plan, count, i) for i, (name, plan) in enumerate(plans)]
    wrong = failures(units, build(units, where))
    assert not wrong, {name: lines[:3] for name, lines in wrong.items()}


@pytest.mark.parametrize("k", [1, 2, 4])
def test_every_kind_at_every_width(k: int, tmp_path: Path) -> None:
    plans = all_plans(MODULI, [k], "xcup")
    assert len(plans) > 30
    check_plans(plans, tmp_path, 400)


def test_other_targets(tmp_path: Path) -> None:
    plans = [p for target in ("xc7", "ecp5") for p in all_plans(MODULI[3:7], [3], target)]
    check_plans(plans, tmp_path, 300)


def test_scalar_fields(tmp_path: Path) -> None:
    """The word-level kind for one of them, Barrett for the other: both are large to compile."""
    plans = [
        ("bn254", plan_multiplier([BN254], kind="word-montgomery")),
        ("bls12-381", plan_multiplier([BLS12_381], kind="barrett")),
    ]
    check_plans(plans, tmp_path, 200)


@pytest.mark.parametrize("kind", ["auto", "barrett"])
def test_kyber_modulus_exhaustively(kind: str, tmp_path: Path) -> None:
    plan = plan_multiplier([3329], kind=kind)
    executable = build([mul_unit(kind, 0, plan, 0, 0)], tmp_path)
    scale = plan.reductions[0].scale % 3329
    done = subprocess.run(
        [executable, "exhaust", "3329", str(plan.latency), str(scale)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str((4 * 3329 + 1) * 3329), "0"]
    # The same program must be able to say no: this is no multiplier modulo 17.
    wrong = subprocess.run(
        [executable, "exhaust", "17", str(plan.latency), str(scale)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(wrong.stdout.split()[1]) > 0
