# SPDX-License-Identifier: Apache-2.0
"""Products beside the engine of a narrower ML-DSA core, against Python's integers."""

import random
from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards.ml_dsa.parameters import N, Q
from tests.mutants import changed_module
from tests.rtl.mlkem_bench import pack, unpack
from tests.rtl.test_dual_engine import model

W = 23
LANE, UNIT = "ntf_product_lane", "ntf_dsa_products"
#: From factors to the result; from them to the sum.
LATENCY, ADDS = 5, 2
#: From a beat's address to the first cycle in which its sum can be read.
TURN = 8
LANE_PORTS = Ports({"x_i": W, "y_i": W, "add_i": 1, "acc_i": W}, {"r_o": W}, ("clk_i",))
RUN, WIPE = 1 << 14, 1 << 13  # of phase_t


def word(rng: random.Random) -> int:
    """Of 23 bits, which may be more than q."""
    edges = (0, 1, Q - 1, Q, (1 << W) - 1)
    return rng.choice(edges) if rng.random() < 0.4 else rng.getrandbits(W)


def check_lane(lane: CycleModel, cycles: int = 8_000) -> None:
    rng = random.Random(1)
    sums, expected = deque([(0, 0)] * ADDS), deque[int]()
    for cycle in range(cycles):
        x, y, add, acc = word(rng), word(rng), rng.randrange(2), word(rng)
        sums.append((add, acc))
        expected.append((x * y + add * acc) % Q)
        late_add, late_acc = sums.popleft()
        seen = lane.step(x_i=x, y_i=y, add_i=late_add, acc_i=late_acc)
        if cycle >= LATENCY:
            assert seen["r_o"] == expected.popleft()


class Unit:
    """`ntf_dsa_products`, and the memories that it reads."""

    def __init__(self, where: Path, width: int) -> None:
        self.coefficients, self.beats = 2 * width, 128 // width
        at = self.beats.bit_length() - 1
        row = W * self.coefficients
        inputs = {"phase_i": 15, "sweep_i": 13, "start_i": 1, "job_i": 29}
        inputs |= {"m_i": row, "v_i": row, "sum_at_i": at}
        outputs = {"ready_o": 1, "idle_o": 1, "m_place_o": 6, "v_place_o": 5, "read_at_o": at}
        outputs |= {"sum_o": row, "fault_o": 1}
        self.model = model(where, UNIT, Ports(inputs, outputs, ("clk_i", "rst_ni")), Bytes=width)
        self.model.reset()
        rng = random.Random(width)
        self.m, self.v = (
            [[word(rng) for _ in range(N)] for _ in range(places)] for places in (64, 32)
        )
        self.read: dict[str, int] = {}
        self.seen = self.step()

    def step(self, phase: int = RUN, **inputs: int) -> dict[str, int]:
        """One cycle; what was addressed in the one before comes."""
        self.seen = self.model.step(phase_i=phase, **self.read, **inputs)
        at = self.seen["read_at_o"] * self.coefficients
        self.read = {
            f"{name}_i": pack(memory[self.seen[f"{name}_place_o"]][at : at + self.coefficients], W)
            for name, memory in (("m", self.m), ("v", self.v))
        }
        return self.seen

    def start(self, m: int, v: int, *, add: bool, alone: bool) -> None:
        """A job, which is accepted."""
        assert self.seen["ready_o"]
        job = 2 << 27 | m << 12 | v << 7 | 31 << 2 | add << 1 | alone
        self.step(start_i=1, job_i=job)

    def sum(self, phase: int = RUN) -> list[int]:
        """As the engine reads it."""
        self.step(phase, sum_at_i=0)
        rows = [
            self.step(phase, sum_at_i=(at + 1) % self.beats)["sum_o"] for at in range(self.beats)
        ]
        return [each for row in rows for each in unpack(row, W, self.coefficients)]


def check_sums(unit: Unit, rng: random.Random, sums: int = 12) -> None:
    """Of one product to eight, which follow each other at once or late."""
    for _ in range(sums):
        expected = [0] * N
        for term in range(rng.randint(1, 8)):
            m, v, alone = rng.randrange(64), rng.randrange(32), rng.random() < 0.2
            add = term > 0
            factor = [1] * N if alone else unit.m[m]
            expected = [
                (a * b + add * c) % Q for a, b, c in zip(factor, unit.v[v], expected, strict=True)
            ]
            while not unit.seen["ready_o"] or rng.random() < 0.1:
                unit.step()
            unit.start(m, v, add=add, alone=alone)
            unit.step()
            assert not unit.seen["idle_o"]
        cycles = 1
        while not unit.seen["idle_o"]:
            cycles += 1
            assert not unit.seen["fault_o"]
            unit.step()
        assert cycles == unit.beats + TURN
        assert unit.sum() == expected


def wipes(unit: Unit) -> None:
    """A sum in the middle of which everything is wiped."""
    unit.start(1, 1, add=False, alone=False)
    for _ in range(unit.beats // 2):
        unit.step()
    for at in range(unit.beats + TURN):
        unit.step(WIPE, sweep_i=1 << 12 | at)
    assert unit.sum(WIPE) == [0] * N
    assert unit.seen["idle_o"] and unit.seen["ready_o"] and not unit.seen["fault_o"]


def test_lane(tmp_path: Path) -> None:
    check_lane(model(tmp_path, LANE, LANE_PORTS))


@pytest.mark.parametrize("width", [4, 8])
def test_sums(tmp_path: Path, width: int) -> None:
    unit = Unit(tmp_path, width)
    rng = random.Random(width)
    check_sums(unit, rng)
    wipes(unit)
    check_sums(unit, rng)


#: What is wrong: module, what stands there, what is put there.
MUTANTS = {
    "the lower tile too short": (LANE, "40'(x_i) * 40'(y_i[16:0])", "40'(x_i) * 40'(y_i[15:0])"),
    "the sum's highest bit": (LANE, "24'(acc_i & {23{add_i}})", "24'(acc_i[21:0] & {22{add_i}})"),
    "the upper tile in a wrong place": (LANE, "tile_q[39:17]", "tile_q[38:16]"),
    "always added": (LANE, "acc_i & {23{add_i}}", "acc_i"),
    "never alone": (UNIT, "late_q[1].alone", "1'b0"),
    "alone a cycle late": (UNIT, "late_q[1].alone", "late_q[2].alone"),
    "the sum of the beat before": (UNIT, "late_q[3].at)", "late_q[2].at)"),
    "added a cycle late": (UNIT, "late_q[4].add", "late_q[5].add"),
    "taken too early": (UNIT, "~held_q.busy | (held_q.at == '1)", "1'b1"),
    "whole too early": (UNIT, "& (live == '0)", ""),
    "the last beat is left out": (
        UNIT,
        "held_d.busy = held_q.at != '1;",
        "held_d.busy = held_q.at != AtW'(14);",
    ),
    "written while wiped": (UNIT, "made & {23 * Coefs{~phase_i.wipe}}", "made"),
    "not wiped": (UNIT, "late_q[Latency].live | phase_i.wipe", "late_q[Latency].live"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, tmp_path: Path) -> None:
    module, right, wrong = MUTANTS[name]
    changed_module(tmp_path, module, right, wrong)
    rng = random.Random(name)

    def of_lane() -> None:
        check_lane(model(tmp_path, LANE, LANE_PORTS), 3_000)

    def of_unit() -> None:
        unit = Unit(tmp_path, 8)
        check_sums(unit, rng, 6)
        wipes(unit)

    check: Callable[[], None] = of_lane if module == LANE else of_unit
    with pytest.raises(AssertionError):
        check()
