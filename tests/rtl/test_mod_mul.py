# SPDX-License-Identifier: Apache-2.0
import random
import subprocess
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

from nttforge.errors import NttforgeError
from nttforge.reduction import MultiplierPlan, plan_multiplier, plan_shifts
from nttforge.reduction.constant import Tables, Tiling
from nttforge.reduction.kinds import KINDS
from nttforge.reduction.plan import Operands
from nttforge.reduction.product import Karatsuba
from nttforge.targets import Target
from tests.rtl.arith_bench import Unit, Vector, build, failures

Planned = tuple[str, MultiplierPlan]

BN254 = 21888242871839275222246405745257275088548364400416034343698204186575808495617
BLS12_381 = 52435875175126190479447740508185965837690552500527637822603658699938581184513
#: 64 bits, of which nothing can be left out, and of which much can.
DENSE, SPARSE = 0xC6A4A7A100000001, 2**64 - 2**32 + 1
#: 256 bits, of which nothing can be left out.
WIDEST = 0xB504F333F9DE6484597D89B3754ABE9F1D6F60BA893BA84CED17AC93D0000001
#: 96 bits, of which nothing can be left out.
MANY_ROWS = 0xF952693DDCF4BB99F4BEA975
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


def mul_vectors(plan: MultiplierPlan, count: int, rng: random.Random) -> list[Vector]:
    """Corners of the operands' ranges, and random ones; moduli in any order."""
    vectors = []
    for mod, q in enumerate(plan.moduli):
        top = q // 2
        if plan.operands == "residues":
            corners_a = corners_b = [-q, -q + 1, -top, -1, 0, 1, top, q - 2, q - 1]
            low_a, high_a, low_b, high_b = -q, q - 1, -q, q - 1
        else:
            corners_a = [-2 * q, -2 * q + 1, -q, -1, 0, 1, q - 1, q, 2 * q - 1, 2 * q]
            corners_b = [-top, -top + 1, -1, 0, 1, top - 1, top]
            low_a, high_a, low_b, high_b = -2 * q, 2 * q, -top, top
        vectors += [(a, b, mod) for a in corners_a for b in corners_b]
        vectors += [
            (rng.randint(low_a, high_a), rng.randint(low_b, high_b), mod) for _ in range(count)
        ]
    rng.shuffle(vectors)  # the modulus changes from clock to clock
    return vectors


def mul_unit(name: str, i: int, plan: MultiplierPlan, count: int, seed: int) -> Unit:
    vectors = mul_vectors(plan, count, random.Random(seed))

    def check(a: int, b: int, mod: int, r: int) -> bool:
        q, divisor = plan.moduli[mod], plan.reductions[mod].scale
        return -q <= r < q and (r * divisor - a * b) % q == 0 and r == plan.model(a, b, mod)

    instance = f"ntf_mod_mul #(.Cfg(P{i}Cfg), .Steps(P{i}Steps))"
    mod_width = max(1, (len(plan.moduli) - 1).bit_length())
    widths = (plan.a_width, plan.b_width, mod_width, plan.residue_width)
    text = plan.sv_config(f"P{i}")
    return Unit(name, text, instance, widths, plan.latency, vectors, check)


def all_plans(moduli: list[tuple[int, ...]], stages: list[int], target: Target) -> list[Planned]:
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


def check_plans(plans: list[Planned], where: Path, count: int) -> None:
    units = [mul_unit(name, i, plan, count, i) for i, (name, plan) in enumerate(plans)]
    wrong = failures(units, build(units, where))
    assert not wrong, {name: lines[:3] for name, lines in wrong.items()}


@pytest.mark.parametrize("k", [1, 2, 4])
def test_every_kind_at_every_width(k: int, tmp_path: Path) -> None:
    plans = all_plans(MODULI, [k], "xcup")
    assert len(plans) > 30
    check_plans(plans, tmp_path, 400)


def test_the_smallest_modulus(tmp_path: Path) -> None:
    """3, alone and beside wider ones, where a result that reaches less far is worth something."""
    plans = []
    for kind, qs in product(("auto", *KINDS), ((3,), (17, 3), (3, 5, (1 << 31) - 1))):
        for reach in (0, 8, 32):
            with suppress(NttforgeError):
                plan = plan_multiplier(qs, kind=kind, reach=reach, adders_per_stage=2)
                plans.append((f"{qs} {kind} {reach}", plan))
    assert {"auto", "montgomery", "barrett"} <= {name.split()[-2] for name, _ in plans}
    check_plans(plans, tmp_path, 100)


def test_other_targets(tmp_path: Path) -> None:
    plans = [p for target in ("xc7", "ecp5") for p in all_plans(MODULI[3:7], [3], target)]
    check_plans(plans, tmp_path, 300)


def test_scalar_fields(tmp_path: Path) -> None:
    """Each of them in one way: they are large to compile."""
    plans = [
        ("bn254", plan_multiplier([BN254])),
        ("bls12-381", plan_multiplier([BLS12_381], prefer="dsp", operands="residues")),
    ]
    assert any(step.plain for step in plans[0][1].reductions[0].steps)
    check_scalar_fields(plans, tmp_path)


def test_steps_of_many_rows(tmp_path: Path) -> None:
    """Registers far beyond the 32nd row of a step, where the planner puts them."""
    plans = [
        (kind, plan_multiplier([MANY_ROWS], kind=kind, prefer="dsp", target="ecp5"))
        for kind in ("barrett", "montgomery")
    ]
    masks = [mask for _, plan in plans for mask in plan.reductions[0].reg_after]
    assert sum(any(mask[32:]) for mask in masks) == len(plans)
    check_plans(plans, tmp_path, 200)


@pytest.mark.slow
def test_scalar_fields_in_other_ways(tmp_path: Path) -> None:
    plans = [
        ("bn254, tables", plan_multiplier([BN254], prefer="dsp")),
        ("bls12-381 barrett", plan_multiplier([BLS12_381], kind="barrett")),
    ]
    check_scalar_fields(plans, tmp_path)


def check_scalar_fields(plans: list[Planned], where: Path) -> None:
    """Values, and that who saves blocks takes none but those of the product."""
    assert all(isinstance(plan.product, Karatsuba) for _, plan in plans)
    tabled = [plan for _, plan in plans if plan.cost().dsp == plan.product.cost().dsp]
    assert len(tabled) == 1
    constants = (step.c1 for step in tabled[0].reductions[0].steps)
    assert {type(constant.tiling) for constant in constants if constant} >= {Tables}
    check_plans(plans, where, 200)


@pytest.mark.parametrize(
    ("moduli", "operands"),
    [
        ([DENSE], ("constant", "residues", "either")),
        ([DENSE, SPARSE], ("either",)),
        pytest.param([DENSE, SPARSE], ("constant", "residues"), marks=pytest.mark.slow),
    ],
)
def test_wide_primes_of_no_name(
    moduli: list[int], operands: tuple[Operands, ...], tmp_path: Path
) -> None:
    """64 bits to the brim, for either preference; two share one product."""
    plans = [
        (f"{prefer} {operand}", plan)
        for prefer in ("lut", "dsp")
        for operand in operands
        for plan in [plan_multiplier(moduli, prefer=prefer, operands=operand, adders_per_stage=2)]
    ]
    assert {isinstance(plan.product, Karatsuba) for _, plan in plans} == {True, False}
    check_plans(plans, tmp_path, 300)


@pytest.mark.slow
def test_the_widest_modulus(tmp_path: Path) -> None:
    """256 bits to the brim."""
    plan = plan_multiplier([WIDEST], target="xc7", prefer="lut", operands="residues")
    check_plans([("256", plan)], tmp_path, 300)


def test_the_top_one_of_tiles_side_by_side(tmp_path: Path) -> None:
    """Where no operand is negative, the last tile of an addend may be wider than the stride."""
    plan = plan_multiplier([6339350252245219841], target="ecp5")
    constants = (step.c1 for step in plan.reductions[0].steps)
    (tiling,) = {c.tiling for c in constants if c and c.tiling}
    assert isinstance(tiling, Tiling) and tiling.sums < tiling.chunks_a
    assert tiling.sums * (tiling.tile_a - 1) < tiling.tile_a + tiling.tile_b
    check_plans([("ecp5", plan)], tmp_path, 300)


def shift_unit(name: str, i: int, plan: MultiplierPlan, factors: set[int]) -> Unit:
    """A multiplier by shifts, with each factor and all corners of the other operand."""
    rng = random.Random(i)
    (q,) = plan.moduli
    corners = [-2 * q + 1, -q, -q + 1, -1, 0, 1, q - 1, q, 2 * q - 1]
    by_code = {plan.encode(factor): factor for factor in factors}
    vectors = [
        (a, code, 0)
        for code in by_code
        for a in (*corners, *(rng.randint(-2 * q + 1, 2 * q - 1) for _ in range(20)))
    ]
    rng.shuffle(vectors)

    def check(a: int, b: int, mod: int, r: int) -> bool:
        return -q <= r < q and (r - a * by_code[b]) % q == 0 and r == plan.model(a, b, mod)

    instance = f"ntf_mod_mul #(.Cfg(P{i}Cfg), .Steps(P{i}Steps))"
    widths = (plan.a_width, plan.b_width, 1, plan.residue_width)
    return Unit(name, plan.sv_config(f"P{i}"), instance, widths, plan.latency, vectors, check)


def test_shifts(tmp_path: Path) -> None:
    """All powers of two modulo the Goldilocks prime; one and a half modulo another; a Fermat."""
    goldilocks = 2**64 - 2**32 + 1
    half = (8380417 + 1) // 2
    cases: list[tuple[int, set[int]]] = [
        (goldilocks, {pow(2, e, goldilocks) for e in range(192)}),
        (goldilocks, {pow(2, 3 * e, goldilocks) for e in range(32)}),
        (8380417, {1, half}),
        (8380417, {8380416, half, 1}),
        (65537, {pow(2, 2 * e, 65537) for e in range(16)}),
    ]
    units: list[Unit] = []
    for q, factors in cases:
        for k in (1, 4):
            plan = plan_shifts([q], [factors], adders_per_stage=k)
            assert plan is not None and plan.cost().dsp == 0
            units.append(shift_unit(f"{q} {k}", len(units), plan, factors))
    assert plan_shifts([8380417], [{1, 3}]) is None
    wrong = failures(units, build(units, tmp_path))
    assert not wrong, {name: lines[:3] for name, lines in wrong.items()}


@pytest.mark.parametrize("kind", ["auto", "barrett"])
def test_kyber_modulus_exhaustively(kind: str, tmp_path: Path) -> None:
    plan = plan_multiplier([3329], kind=kind)
    executable = build([mul_unit(kind, 0, plan, 0, 0)], tmp_path, optimize="-O2")
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
