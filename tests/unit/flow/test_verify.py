# SPDX-License-Identifier: Apache-2.0
"""`verify` passes what is right, and fails what is not."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nttforge.design import parse_design
from nttforge.flow.prepare import prepare
from nttforge.flow.reference import definition_holds, random_polynomials, references
from nttforge.kinds.stream import sim_budget
from nttforge.kinds.stream.verify import STALLS, corner_polynomials, verify
from nttforge.ring.presets import PRESETS
from nttforge.ring.transform import ntt, ntt_definition
from nttforge.table import markdown
from tests.mutants import mutated


def test_a_right_core_passes(small: Any) -> None:
    messages: list[str] = []
    result = verify(small, transforms=140, seed=3, progress=messages.append)
    assert result.ok
    assert (result.wrong_transforms, result.mismatches, result.violation) == (0, [], None)
    assert result.corners == 4 * (16 + 2)
    assert result.random == 140
    assert result.transforms == result.corners + result.random
    assert sum(result.per_operation.values()) == result.transforms
    assert set(result.per_operation) == {"a.ntt", "a.intt", "b.ntt", "b.intt"}
    assert result.definition_checked == 4 * 3
    assert result.handshakes_compared > 100
    assert any("long pauses" in text for text in messages)


def test_words_over_64_bits(wide: Any) -> None:
    assert verify(wide, transforms=20).ok


def test_the_seed_says_it_all(small: Any) -> None:
    first, second, other = (verify(small, transforms=20, seed=seed).cycles for seed in (1, 1, 2))
    assert first == second != other


def test_a_wrong_twiddle_is_caught(small: Any, tmp_path: Path) -> None:
    package = next(small.folder.glob("*_pkg.sv")).name
    words = re.findall(r"\d+'h([0-9a-f]+)", (small.folder / package).read_text())
    last = words[0]
    wrong = f"{int(last, 16) ^ 1:0{len(last)}x}"
    broken = mutated(small, tmp_path / "x", package, f"'h{last}", f"'h{wrong}")
    result = verify(broken, transforms=20)
    assert not result.ok
    assert result.wrong_transforms > 0
    assert 1 <= len(result.mismatches) <= 5
    assert result.violation is None
    assert result.mismatches[0].got != result.mismatches[0].expected


def test_a_broken_contract_is_caught(small: Any, tmp_path: Path) -> None:
    slice_ = "rtl/prim/ntf_prim_axis_slice.sv"
    broken = mutated(small, tmp_path / "x", slice_, "if (give) data_q <=", "data_q <=")
    result = verify(broken, transforms=140)
    assert not result.ok
    assert result.violation is not None or result.wrong_transforms


def test_a_combinational_ready_is_caught(small: Any, tmp_path: Path) -> None:
    slice_ = "rtl/prim/ntf_prim_axis_slice.sv"
    broken = mutated(
        small, tmp_path / "x", slice_, "assign ready_o = ~full_q;", "assign ready_o = ready_i;"
    )
    assert not verify(broken, transforms=20).ok


def test_a_reference_for_another_ring_fails(small: Any) -> None:
    """The comparison is with the ring of the operation, not with what the core happens to do."""
    wrong_ring = replace(
        small.core.operations[0].ring, root=pow(small.core.operations[0].ring.root, 3, 97)
    )
    operation = replace(small.core.operations[0], ring=wrong_ring)
    core = replace(small.core, operations=(operation, *small.core.operations[1:]))
    result = verify(replace(small, core=core), transforms=20)
    assert not result.ok
    assert {m.operation for m in result.mismatches} == {"a.ntt"}


def test_corners_are_the_corners(small: Any) -> None:
    operation = small.core.operations[0]
    batches = list(corner_polynomials(operation))
    rows = np.concatenate(batches).tolist()
    assert rows[0] == [0] * 16
    assert rows[1] == [96] * 16
    assert np.array_equal(rows[2:], np.eye(16))


def test_a_slow_core_gets_fewer(small: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of everything, but no fewer than show each stall and each bit of an index; and says so."""
    usual = verify(small)
    assert (usual.random, usual.impulses, usual.chosen) == (500, 16, None)
    monkeypatch.setattr(sim_budget, "_ALL_IMPULSES", 0)
    monkeypatch.setattr(sim_budget, "_FEWEST_IMPULSES", 6)
    monkeypatch.setattr(sim_budget, "_SECONDS", 0.0)
    few = verify(small)
    assert (few.random, few.impulses, few.corners) == (20, 16, 4 * 18)
    assert few.chosen is not None and "--transforms" in few.chosen and few.ok
    given = verify(small, transforms=20)
    assert given.chosen is None and given.cycles == few.cycles
    fewest = verify(small, transforms=4, seed=1)
    assert (fewest.impulses, fewest.corners) == (8, 4 * 10)
    text = markdown(fewest.shown())
    assert "8 of 16 impulses" in text and "every impulse" in markdown(few.shown())


def test_cycles_are_foreseen(small: Any) -> None:
    foreseen = sim_budget.verify_cycles(small.core, 500)
    assert 0.5 < foreseen / verify(small, transforms=500).cycles < 2


@pytest.mark.parametrize("count", [12, 20, 64, 100])
def test_impulses_are_at_every_bit(count: int) -> None:
    found = sim_budget.impulse_indices(64, count, 1).tolist()
    assert len(set(found)) == len(found) == min(count, 64)
    assert found == sim_budget.impulse_indices(64, count, 1).tolist()
    assert {0, 1, 2, 4, 8, 16, 32, 63} <= set(found)
    if 14 <= count < 64:
        assert {63 - (1 << k) for k in range(6)} <= set(found)
        assert found != sim_budget.impulse_indices(64, count, 2).tolist()


def test_places_share_the_impulses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a large transform each place has some, and all places together those of every bit."""
    rings = [{"n": 64, "q": "runtime", "bits": 30, "moduli": 8}]
    core = prepare(parse_design({"name": "dut", "rings": rings}, "test")).core
    assert sim_budget.impulses(core, 20) == 64
    monkeypatch.setattr(sim_budget, "_ALL_IMPULSES", 0)
    monkeypatch.setattr(sim_budget, "_FEWEST_IMPULSES", 32)
    count = sim_budget.impulses(core, 4)
    assert count == 8
    found = [set(sim_budget.impulse_indices(64, count, 1, place).tolist()) for place in range(8)]
    assert [len(each) for each in found] == [8] * 8 and set.union(*found) == set(range(64))


def test_stalls_are_of_every_kind() -> None:
    assert len(set(STALLS.values())) == len(STALLS) == 7


@pytest.mark.parametrize("name", ["ml-kem", "ml-dsa", "goldilocks"])
def test_the_leafwise_definition_is_the_definition(name: str) -> None:
    ring = replace(PRESETS[name].ring)
    if ring.n > 256:
        ring = type(ring).create(64, ring.q, negacyclic=ring.negacyclic)
    rng = np.random.default_rng(1)
    given = [int(v) for v in random_polynomials(ring, 1, rng)[0]]
    transform = [int(v) for v in ntt_definition(ring, given)]
    leaves = range(1 << ring.layers)
    assert definition_holds(ring, given, transform, leaves)
    for place in (0, ring.n - 1):
        wrong = list(transform)
        wrong[place] = (wrong[place] + 1) % ring.q
        assert not definition_holds(ring, given, wrong, leaves)
        assert definition_holds(ring, given, wrong, [(1 << ring.layers) // 2])


def test_references_follow_the_operation_of_each_row(small: Any) -> None:
    operations = [small.core.operations[i] for i in (0, 3, 2, 1, 0)]
    rng = np.random.default_rng(2)
    polynomials = rng.integers(0, 97, (5, 16))
    result = references(operations, polynomials)
    assert (result[0] == ntt(operations[0].ring, polynomials[0])).all()
    assert (result[2] == ntt(operations[2].ring, polynomials[2])).all()
    assert (ntt(operations[1].ring, result[1]) == polynomials[1]).all()
    assert (ntt(operations[3].ring, result[3]) == polynomials[3]).all()


@pytest.mark.parametrize("q", [97, (1 << 64) + 13, 2**255 - 19])
def test_random_polynomials_are_in_range_and_spread(q: int) -> None:
    ring = replace(PRESETS["ml-dsa"].ring, n=16, q=q)
    values = random_polynomials(ring, 200, np.random.default_rng(0))
    assert values.shape == (200, 16)
    assert values.min() >= 0 and values.max() < q
    assert int(values.sum()) / values.size == pytest.approx(q / 2, rel=0.1)
    assert values.max() > 0.95 * q
