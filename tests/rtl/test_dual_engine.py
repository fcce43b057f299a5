# SPDX-License-Identifier: Apache-2.0
"""The engine of two moduli, its lane and its reduction, against their definitions."""

import random
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards.ml_dsa.parameters import RING as DSA_RING
from nttforge.standards.ml_dsa.parameters import Q as Q_DSA
from nttforge.standards.transform_engine import software_engine
from tests.mutants import changed_module, sources_of
from tests.rtl.mlkem_bench import Q as Q_KEM
from tests.rtl.mlkem_bench import pack, unpack
from tests.rtl.test_scaled_units import ROOTS, intt, ntt, product

W = 23
FORWARD, INVERSE, PRODUCT, ADDEND = range(4)
LANE_LATENCY = 7
GUEST_LATENCY = 2
#: Bits of both factors of another core, of 13 and 12 bits, and of their product.
FACTOR = 25
#: Cycles from a beat's reading to the first in which what is made of it can be read.
TURN = 12
MODULI = {0: Q_DSA, 1: Q_KEM}  # by `mlkem_i`


def model(where: Path, name: str, ports: Ports, **parameters: int) -> CycleModel:
    """A unit of the library, or of a changed copy of it in the same folder."""
    files = sources_of(where, name)
    given = {key: str(value) for key, value in parameters.items()}
    return CycleModel.build(where / "build", files, name, ports, given)


LANE = Ports(
    {
        **dict.fromkeys(("mlkem_i", "inverse_i", "product_i", "add_i", "guest_i"), 1),
        **dict.fromkeys(("a_i", "b_i", "zeta_i", "acc_i"), W),
        **{"x_i": 2 * W, "y_i": 2 * W, "factors_i": FACTOR},
    },
    {"a_o": W, "b_o": W, "product_o": FACTOR},
    ("clk_i",),
)


def lane_results(kem: int, kind: int, a: int, b: int, zeta: int) -> tuple[int, int]:
    """Of a butterfly."""
    q = MODULI[kem]
    half = (q + 1) // 2
    if kind == INVERSE:
        return (a + b) * half % q, zeta * (a - b) % q
    return (a + zeta * b) % q, (a - zeta * b) % q


def check_lane(lane: CycleModel, kem: int, cycles: int, rng: random.Random) -> None:
    """Jobs of all kinds, each cycle another one, at the borders of what words may be."""
    q, most = MODULI[kem], 1 << (12 if kem else W)

    def word(below: int) -> int:
        edges = (0, 1, below - 1, below // 2, below // 2 + 1)
        return rng.choice(edges) if rng.random() < 0.4 else rng.randrange(below)

    expected: deque[tuple[int, int | None]] = deque()
    added = deque([0] * 3)
    for cycle in range(cycles):
        kind = rng.choice((FORWARD, INVERSE, PRODUCT))
        a, b, zeta = (word(q) for _ in range(3))
        x, y = [word(most) for _ in range(2)], [word(q) for _ in range(2)]
        added.append(word(most))
        acc, add = added[-1], rng.randrange(2)
        if kind == PRODUCT:
            whole = x[0] * y[0] + (x[1] * y[1] if kem else 0) + add * acc
            expected.append((whole % q, None))
        else:
            expected.append(lane_results(kem, kind, a, b, zeta))
        seen = lane.step(
            mlkem_i=kem,
            inverse_i=kind == INVERSE,
            product_i=kind == PRODUCT,
            add_i=add,
            **{"a_i": a, "b_i": b, "zeta_i": zeta, "acc_i": added.popleft()},
            **{"x_i": pack(x, W), "y_i": pack(y, W)},
        )
        if cycle >= LANE_LATENCY:
            first, second = expected.popleft()
            assert seen["a_o"] == first
            assert second is None or seen["b_o"] == second


@pytest.mark.parametrize("both", [0, 1])
def test_lane(tmp_path: Path, both: int) -> None:
    lane = model(tmp_path, "ntf_dual_lane", LANE, MlKem=both)
    for kem in range(both + 1):
        check_lane(lane, kem, 12_000, random.Random(kem))


@pytest.mark.parametrize("both", [0, 1])
def test_a_product_of_another_core(tmp_path: Path, both: int) -> None:
    """Of its factors, the greatest ones too, two cycles later, whatever is at the other ports."""
    lane = model(tmp_path, "ntf_dual_lane", LANE, MlKem=both)
    rng, expected = random.Random(both), deque[int]()
    edges = (0, 1, 6657, (1 << 13) - 1)
    for cycle in range(4000):
        x = rng.choice(edges) if rng.random() < 0.2 else rng.getrandbits(13)
        y = rng.choice((0, 4095)) if rng.random() < 0.2 else rng.getrandbits(12)
        expected.append(x * y)
        others = {name: rng.getrandbits(W) for name in ("a_i", "b_i", "zeta_i")}
        how = {name: rng.randrange(2) for name in ("inverse_i", "product_i")}
        seen = lane.step(guest_i=1, factors_i=x << 12 | y, **others, **how)
        if cycle >= GUEST_LATENCY:
            assert seen["product_o"] == expected.popleft()


def test_every_product_by_a_factor_of_ml_kem(tmp_path: Path) -> None:
    """All words by some factors: those at the borders, and others."""
    lane = model(tmp_path, "ntf_dual_lane", LANE, MlKem=1)
    for zeta in (1, 1664, 1665, 3328):
        results = []
        for b in (*range(Q_KEM), *[0] * LANE_LATENCY):
            results.append(lane.step(mlkem_i=1, b_i=b, zeta_i=zeta)["a_o"])
        assert results[LANE_LATENCY:] == [zeta * b % Q_KEM for b in range(Q_KEM)]


REDUCTION = Ports({"high_i": 24, "low_i": 24}, {"r_o": W}, ("clk_i",))


def check_reduction(reduce: CycleModel) -> None:
    """The upper word at all of its upper bits, the lower one at its borders."""
    rng = random.Random(1)
    highs = [top << 10 | low for top in range(1 << 14) for low in (0, 1023)]
    highs += [rng.getrandbits(24) for _ in range(8192)]
    lows = (0, Q_DSA - 1, Q_DSA, (1 << 23) - 1, 1 << 23, (1 << 24) - 1)
    expected = []
    for at, high in enumerate((*highs, 0, 0, 0)):
        low = lows[at % len(lows)]
        signed = high - (1 << 24) * (high >> 23)
        expected.append(((signed << 23) + low) % Q_DSA)
        seen = reduce.step(high_i=high, low_i=low)["r_o"]
        assert at < 3 or seen == expected[at - 3]


def test_every_fold_of_the_reduction(tmp_path: Path) -> None:
    check_reduction(model(tmp_path, "ntf_mldsa_reduce", REDUCTION))


class Engine:
    """`ntf_dual_engine` and memories of polynomials: x, a, b and b's scaled half.

    What is written can be read in the cycle after that, and not before.
    """

    def __init__(self, where: Path, butterflies: int, both: int) -> None:
        self.lanes = 2 * butterflies
        self.beats = 256 // self.lanes
        #: Cycles of a transform in which no beat is read.
        self.pause = max(TURN - (self.beats // 2 + 1), 0)
        at = self.beats.bit_length() - 1
        flags = ("wipe_i", "mlkem_i", "start_i", "add_i")
        outputs = ("ready_o", "idle_o", "read_o", "other_o", "fault_o")
        written = ("other_scaled_o", "write_o", "write_last_o", "write_scaled_o")
        ports = Ports(
            {
                **dict.fromkeys(flags, 1),
                **{"kind_i": 2, "guest_i": 1 + 8 * FACTOR},
                **dict.fromkeys(("read_data_i", "other_data_i"), W * self.lanes),
            },
            {
                **dict.fromkeys((*outputs, *written), 1),
                **dict.fromkeys(("read_at_o", "other_at_o", "write_at_o"), at),
                **{"read_of_o": 2, "products_o": FACTOR * butterflies},
                "write_data_o": W * self.lanes,
            },
        )
        self.model = model(where, "ntf_dual_engine", ports, Butterflies=butterflies, MlKem=both)
        self.x: list[list[int]] = []  # of each job, which may be the same one
        self.reads = 0  # beats of all jobs that ran together
        self.a, self.b, self.scaled = ([0] * 256 for _ in range(3))

    def word(self, asked: int, of: Sequence[int], at: int) -> int:
        place = self.lanes * at
        beat = of[place : place + self.lanes] if asked else None
        return pack(beat or [random.getrandbits(W) for _ in range(self.lanes)], W)

    def run(self, jobs: Sequence[tuple[int, bool, list[int]]], *, kem: int = 0) -> int:
        """Jobs: kind, whether it adds, and its polynomial x; one behind the other.

        Returns the cycles in which the engine was not ready, or took a job.
        """
        waiting, cycles = deque(jobs), 0
        writing: deque[tuple[int, list[int]]] = deque()
        data: Mapping[str, int] = {}
        current: list[int] = []
        assert self.model.step(mlkem_i=kem)["idle_o"]
        started, self.reads = False, 0
        while True:
            give = {}
            if waiting:
                give = {"start_i": 1, "kind_i": waiting[0][0], "add_i": int(waiting[0][1])}
            seen = self.model.step(mlkem_i=kem, **give, **data)
            assert not seen["fault_o"]
            if seen["read_o"]:
                writing.append((cycles, current))
                self.reads += 1
            first = self.a if seen["read_of_o"] & 1 else current
            second = self.scaled if seen["other_scaled_o"] else self.b
            data = {
                "read_data_i": self.word(seen["read_o"], first, seen["read_at_o"]),
                "other_data_i": self.word(seen["other_o"], second, seen["other_at_o"]),
            }
            if seen["write_o"]:
                place = self.lanes * seen["write_at_o"]
                words = unpack(seen["write_data_o"], W, self.lanes)
                # Of what was read eleven cycles ago.
                while writing[0][0] < cycles - TURN + 1:
                    writing.popleft()
                to = self.scaled if seen["write_scaled_o"] else writing[0][1]
                to[place : place + self.lanes] = words
            if seen["ready_o"] and waiting:
                current = waiting.popleft()[2]
                started = True
            elif started and seen["idle_o"] and not waiting:
                break
            cycles += 1
            assert cycles < 100_000
        return cycles - TURN

    def drawn(self, rng: random.Random, below: int, edge: bool) -> list[int]:
        return [below - 1] * 256 if edge else [rng.randrange(below) for _ in range(256)]


def dsa_transform(x: Sequence[int], inverse: bool) -> list[int]:
    engine = software_engine()
    turned = (engine.intt if inverse else engine.ntt)(DSA_RING, np.array([x]))
    return [int(each) for each in turned[0]]


def check_ml_dsa(engine: Engine, rng: random.Random, case: int) -> None:
    """Transforms and products, of which the next one takes what the one before has made."""
    f, g, h = (engine.drawn(rng, Q_DSA, case == 0) for _ in range(3))
    engine.a[:] = engine.drawn(rng, 1 << W, case == 0)
    engine.b[:] = h
    x, y, z = [*f], [*g], [*h]
    jobs = [(FORWARD, False, x), (INVERSE, False, y), (PRODUCT, True, x), (PRODUCT, True, x)]
    jobs += [(INVERSE, False, x), (PRODUCT, False, z), (FORWARD, False, y)]
    cycles = engine.run(jobs)
    transformed = dsa_transform(f, False)
    whole = [(t + 2 * a * b) % Q_DSA for t, a, b in zip(transformed, engine.a, h, strict=True)]
    assert x == dsa_transform(whole, True)
    assert y == g
    assert z == [a * b % Q_DSA for a, b in zip(engine.a, h, strict=True)]
    # No gaps but one in a transform, where beats are few.
    assert cycles == (4 * 8 + 3 * 2) * engine.beats + 4 * engine.pause
    assert engine.reads == (4 * 8 + 3 * 2) * engine.beats


def check_ml_kem(engine: Engine, rng: random.Random, case: int) -> None:
    """The same; the scaled half of a vector comes with its transform."""
    f, g, h = (engine.drawn(rng, Q_KEM, case == 0) for _ in range(3))
    engine.a[:] = engine.drawn(rng, 1 << 12, case == 0)
    x, y = [*f], [*g]
    cycles = engine.run([(FORWARD, False, x), (INVERSE, False, y)], kem=1)
    turned = ntt(f)
    assert x == turned and y == intt(g)
    assert engine.scaled[:128] == [turned[2 * i + 1] * ROOTS[i] % Q_KEM for i in range(128)]
    assert cycles == (8 + 7) * engine.beats + 2 * engine.pause
    assert engine.reads == (8 + 7) * engine.beats
    engine.b[:], x, z = turned, [*h], [*g]
    jobs = [(PRODUCT, True, x), (PRODUCT, True, x), (INVERSE, False, x), (ADDEND, False, z)]
    cycles = engine.run([*jobs, (PRODUCT, False, y)], kem=1)
    once = product(engine.a, turned, h)
    assert x == intt(product(engine.a, turned, once))
    assert z == ntt(g) and y == product(engine.a, turned, [0] * 256)
    assert cycles == (3 * 2 + 2 * 7) * engine.beats + 2 * engine.pause
    assert engine.reads == (3 * 2 + 2 * 7) * engine.beats


@pytest.mark.parametrize(("butterflies", "both"), [(2, 1), (4, 0), (4, 1), (8, 0), (8, 1)])
def test_ml_dsa(tmp_path: Path, butterflies: int, both: int) -> None:
    engine = Engine(tmp_path, butterflies, both)
    for case in range(4):
        check_ml_dsa(engine, random.Random(case), case)


@pytest.mark.parametrize("butterflies", [2, 4, 8])
def test_ml_kem(tmp_path: Path, butterflies: int) -> None:
    engine = Engine(tmp_path, butterflies, 1)
    for case in range(4):
        check_ml_kem(engine, random.Random(case), case)


def test_wiping_forgets_a_job(tmp_path: Path) -> None:
    engine = Engine(tmp_path, 4, 1)
    engine.model.step(start_i=1)
    for _ in range(40):
        assert not engine.model.step()["idle_o"]
    engine.model.step(wipe_i=1)
    for _ in range(TURN + 1):
        seen = engine.model.step()
        assert seen["idle_o"] and seen["ready_o"] and not seen["write_o"]


LANE_OF, ENGINE_OF = "ntf_dual_lane", "ntf_dual_engine"
#: Of the mutants of a wide engine the one that is not slow.
SHORT = "a pause too short"
#: What is wrong: module, what stands there, what is put there; whether the lane, the reduction, or
#: the engine shows it.
MUTANTS = {
    "a fold is left out": ("ntf_mldsa_reduce", "13'(folds) + 13'(twice)", "13'(folds)", "fold"),
    "multiples in too few bits": (
        *("ntf_mldsa_reduce", "{17{k == 4'(i)}}", "{1'b0, {16{k == 4'(i)}}}", "fold"),
    ),
    "half of a sum that is too large": (
        *(LANE_OF, "(reaches(total_q, kem) ? -q : q)", "q", "lane"),
    ),
    "sides too early": (LANE_OF, ".Depth(4)) u_side", ".Depth(3)) u_side", "lane"),
    "a negative sum of ML-KEM": (LANE_OF, "kem & inverse_3", "1'b0", "lane"),
    "a bound of ML-KEM": (LANE_OF, "x[11:8] > 4'd13", "x[11:8] > 4'd14", "lane"),
    "a sum added to the other coefficient": (
        *(ENGINE_OF, "late2.phase ? acc_q[2*i+1] : acc_q[2*i]", "acc_q[2*i]", "engine"),
    ),
    "upper halves of the wrong step": (
        ENGINE_OF,
        "? b_old[i] : a_past",
        "? b_past[i] : a_past",
        "engine",
    ),
    "a job taken too early": (
        *(ENGINE_OF, "~job.busy | ((job.step == '1) & last)", "1'b1", "engine"),
    ),
    "the other beat of a scaled word": (
        ENGINE_OF,
        "late1.at[0] ? other",
        "late1.at[1] ? other",
        "engine",
    ),
    "factors of the inverse forwards": ("ntf_dual_factors", "3 * first - 1 - k", "k", "engine"),
    "no pause": (ENGINE_OF, "after.pause = 2'(Pause)", "after.pause = 2'd0", "wide"),
    SHORT: (ENGINE_OF, "after.pause = 2'(Pause)", "after.pause = 2'd1", "wide"),
    "a pause too often": (ENGINE_OF, "return pass == (!inv", "return pass >= (!inv", "wide"),
    "beats that are read in a pause": (
        ENGINE_OF,
        "job.busy & (job.pause == '0)",
        "job.busy",
        "wide",
    ),
    "a pause before another pass": (ENGINE_OF, "!inverse ? 3'd0", "!inverse ? 3'd1", "wide"),
    "a pause of the inverse, too early": (ENGINE_OF, ": 3'd6);", ": 3'd5);", "wide"),
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (shown == "wide" and name != SHORT))
        for name, (*_, shown) in MUTANTS.items()
    ],
)
def test_a_mutant_is_caught(name: str, tmp_path: Path) -> None:
    module, right, wrong, shown = MUTANTS[name]
    top = {
        "lane": "ntf_dual_lane",
        "fold": "ntf_mldsa_reduce",
        "engine": ENGINE_OF,
        "wide": ENGINE_OF,
    }[shown]
    changed_module(tmp_path, module, right, wrong)
    rng = random.Random(name)

    def check() -> None:
        if shown == "fold":
            check_reduction(model(tmp_path, top, REDUCTION))
        elif shown == "lane":
            lane = model(tmp_path, top, LANE, MlKem=1)
            for kem in range(2):
                check_lane(lane, kem, 3_000, rng)
        else:
            # A pass of eight butterflies is shorter than the pipeline.
            wide = shown == "wide"
            engine = Engine(tmp_path, 8 if wide else 4, int(not wide))
            check_ml_dsa(engine, rng, 1)
            if not wide:
                check_ml_kem(engine, rng, 1)

    with pytest.raises((AssertionError, IndexError)):
        check()
