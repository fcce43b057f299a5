# SPDX-License-Identifier: Apache-2.0
"""Sums of products of words of any modulus, alone: drawn ones, and those at all ends of ranges."""

import random
from pathlib import Path

from nttforge.kinds.rns.build import RnsCore
from nttforge.ring.primes import is_prime
from tests.rtl.rns.bench import prepared, unit

_TAIL = 80


def clocks(core: RnsCore) -> int:
    """From the last summand to the residue: sum_clocks of ntf_rns_pkg."""
    rows = core.table.terms.bit_length()
    return 1 + 2 + core.multiplier.latency + 1 + rows + 1


def moduli(core: RnsCore, rng: random.Random) -> list[int]:
    zeros, top = core.pipeline.moduli.zeros, 1 << core.bits
    widest = next(q for q in range(top + 1 - (1 << zeros), 0, -(1 << zeros)) if is_prime(q))
    narrowest = next(q for q in range(1 + (1 << zeros), top, 1 << zeros) if is_prime(q))
    drawn: list[int] = []
    while len(drawn) < 6:
        q = rng.getrandbits(rng.randint(zeros + 2, core.bits)) >> zeros << zeros | 1
        drawn += [q] if q > 1 and is_prime(q) else []
    return [widest, narrowest, *drawn]


def test_sums_are_residues(tmp_path: Path) -> None:
    made, rng = prepared(), random.Random(0)
    core = made.core
    width, bits = core.pipeline.moduli.constants_width, core.bits
    flags = {"new_i": 1, "valid_i": 1, "first_i": 1}
    words = {"mod_i": width, "initial_i": bits, "a_i": bits, "b_i": bits}
    model = unit(made, tmp_path, "ntf_rns_sum", flags | words, {"r_o": bits})
    cycles: list[dict[str, int]] = []
    expected: dict[int, int] = {}
    for _ in range(150):
        q = rng.choice(moduli(core, rng))
        constants = core.pipeline.moduli.constants(q)
        inverse, start = pow(core.scale, -1, q), len(cycles)
        ends = (0, 1, q // 2, q // 2 + 1, q - 1)
        initial = rng.choice((0, q - 1, rng.randrange(q)))
        # As a walker does: a sum for each beat of a row, pauses between.
        for _ in range(core.beats):
            terms, total = rng.choice((1, 2, core.table.terms)), initial
            for number in range(terms):
                a = rng.choice((0, (1 << bits) - 1, rng.getrandbits(bits)))
                b = rng.choice((*ends, rng.randrange(q)))
                while rng.random() < 0.2:
                    cycles.append({"mod_i": constants, "initial_i": initial, "a_i": a, "b_i": b})
                cycles.append(
                    {
                        "mod_i": constants,
                        "initial_i": initial,
                        "valid_i": 1,
                        "first_i": number == 0,
                        "a_i": a,
                        "b_i": b,
                    }
                )
                total += a * b * inverse
            expected[len(cycles) - 1 + clocks(core)] = total % q
        first = next(i for i in range(start, len(cycles)) if "valid_i" in cycles[i])
        for i in range(start, len(cycles)):
            cycles[i]["new_i"] = int(i == first)
    seen = model.run([*cycles, *({} for _ in range(_TAIL))])
    assert {at: seen[at]["r_o"] for at in expected} == expected
