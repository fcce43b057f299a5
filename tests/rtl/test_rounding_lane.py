# SPDX-License-Identifier: Apache-2.0
"""What ML-DSA does with a coefficient between its transforms, against the standard's roundings."""

import random
from pathlib import Path

import numpy as np
import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards.ml_dsa.encoding import power2round
from nttforge.standards.ml_dsa.parameters import ML_DSA_44, ML_DSA_65, Parameters, Q
from nttforge.standards.ml_dsa.signing import decompose
from tests.mutants import changed_module, sources_of

NAME, LATENCY = "ntf_rounding_lane", 8
USE, ROUND, REST, MASK, HINT = range(5)
SETS = (ML_DSA_44, ML_DSA_65)  # by `wide_i`


def build(where: Path) -> CycleModel:
    """The unit, of a folder with a changed copy of a part of it, perhaps."""
    ports = Ports(
        {"op_i": 3, "wide_i": 1, "hint_i": 1, "x_i": 23, "y_i": 23},
        {"sum_o": 23, "code_o": 10, "low_o": 21},
        ("clk_i",),
    )
    files = sources_of(where, NAME)
    return CycleModel.build(where / "build", files, NAME, ports, {})


def high_low(p: Parameters, value: int) -> tuple[int, int]:
    """HighBits, LowBits."""
    high, low = decompose(p, np.array([value % Q]))
    return int(high[0]), int(low[0])


def centred(value: int) -> int:
    value %= Q
    return value - Q if value > Q // 2 else value


def drawn(rng: random.Random, op: int, p: Parameters) -> tuple[int, int, int, tuple[int, int, int]]:
    """x, y and a hint, near the borders of the roundings; sum, code and low, each None if free."""
    step = 2 * p.gamma2
    near = rng.randrange(0, Q // step + 1) * step + p.gamma2 * rng.randrange(2)
    x = rng.choice((near + rng.randrange(-2, 3), rng.randrange(Q), 0, Q - 1)) % Q
    hint = rng.randrange(2)
    high, low = high_low(p, x)
    if op == USE:
        count = (Q - 1) // step
        code = (high + (1 if low > 0 else -1) * hint) % count
        return x, rng.randrange(Q), hint, (x, code, low)
    if op == ROUND:
        y = rng.randrange(Q)
        total = (x + y) % Q
        t1, t0 = power2round(np.array([total]))
        return x, y, hint, (total, int(t1[0]), 4096 - int(t0[0]))
    if op == HINT:
        large = rng.choice((p.gamma2 - 1, rng.randrange(p.gamma2), abs(low), p.gamma2 - abs(low)))
        ct0 = rng.choice((-1, 1)) * min(large, p.gamma2 - 1)
        return x, ct0 % Q, hint, (x, int(high != high_low(p, x + ct0)[0]), ct0)
    first, second = (rng.choice((-196, 196, rng.randrange(-196, 197))) for _ in range(2))
    pair = (first + 512 * second) % Q
    if op == REST:
        total = (x - second) % Q
        upper, lower = high_low(p, total)
        code = (upper + (1 if lower > 0 else -1) * hint) % ((Q - 1) // step)
        return x, pair, hint, (total, code, lower)
    x = rng.choice((0, 1, 1 << 19, Q - 1, Q - (1 << 19) + 1, rng.randrange(-1 << 19, 1 << 19) % Q))
    total = (x + first) % Q
    return x, pair, hint, (total, -1, centred(total))


def check(where: Path) -> None:
    """A coefficient a cycle, each of another op and set."""
    lane, rng = build(where), random.Random(5)
    expected: list[tuple[int, int, int]] = []
    for cycle in range(12_000):
        op, wide = rng.randrange(5), rng.randrange(2)
        x, y, hint, results = drawn(rng, op, SETS[wide])
        expected.append(results)
        seen = lane.step(op_i=op, wide_i=wide, hint_i=hint, x_i=x, y_i=y)
        if cycle >= LATENCY:
            total, code, low = expected[cycle - LATENCY]
            assert seen["sum_o"] == total
            assert code < 0 or seen["code_o"] == code
            assert (seen["low_o"] ^ 1 << 20) - (1 << 20) == low


def test_roundings(tmp_path: Path) -> None:
    check(tmp_path)


MUTANTS = {
    "a negative sum": ("(sum2_q < 25'sd0) ? -Q", "(sum2_q < 25'sd0) ? Q"),
    "a sum of q": ("sum2_q >= Q", "sum2_q > Q"),
    "the other secret": ("addend = -25'(second)", "addend = -25'(first)"),
    "added, not taken away": ("addend = -25'(second)", "addend = 25'(second)"),
    "centred without the sum": ("(op3.op == 3'd4) ? y3 : sum3_q", "y3"),
    "gamma2 of the next one": (".wide_i(op8_wide)", ".wide_i(op7.wide)"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, tmp_path: Path) -> None:
    changed_module(tmp_path, NAME, *MUTANTS[name])
    with pytest.raises(AssertionError):
        check(tmp_path)
