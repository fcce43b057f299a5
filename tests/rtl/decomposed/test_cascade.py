# SPDX-License-Identifier: Apache-2.0
"""Engines of two kernels, one after the other: a round takes a pass less."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from nttforge.errors import FaultError
from nttforge.kinds.decomposed.lower_bounds import throughput_floor, waiting_floor
from nttforge.kinds.decomposed.simulator import DecomposedSimulator
from nttforge.kinds.decomposed.verify import memories, verify_decomposed
from nttforge.simulate.memory import MemoryModel
from tests.formal.proof import broken
from tests.rtl.decomposed.test_large import Engine, prepared_of

RING: dict[str, object] = {"q": 998244353}
#: Short digits: 2^10 words take two rounds, 2^13 three, and rounds have one group or many.
SHORT: dict[str, Any] = {"digit": 3, "l_max": 13}
#: Of eight beats.
LONG_BLOCKS = SHORT | {"n": 64, "t": 8, "b": 2, "digit": 4, "made": 1, "adders_per_stage": 7}
FAST = MemoryModel(latency=20)


def cascade(**table: Any) -> Engine:
    return prepared_of(RING, kernels=2, **table)


def long_blocks() -> Engine:
    return prepared_of({"preset": "goldilocks"}, kernels=2, **LONG_BLOCKS)


@pytest.fixture(scope="module")
def bare() -> Iterator[DecomposedSimulator]:
    """Of short digits, without words."""
    prepared = cascade(**SHORT)
    with DecomposedSimulator.build(prepared.core, prepared.folder, data=False) as opened:
        yield opened


def test_results() -> None:
    """All operations, cosets and zeros; rounds of one, two and three digits; all memories."""
    result = verify_decomposed(cascade(l_max=11, coset=5, blowup=4), seed=1)
    assert result.ok, result.mismatches or result.violation
    assert result.sizes == (4, 11)
    assert len(result.operations) == 12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ring", "table"),
    [
        (RING, {}),
        (RING, SHORT),
        (RING, SHORT | {"engines": 2}),
        (RING, SHORT | {"engines": 4, "own_channels": True, "memory": "hbm2"}),
        ({"preset": "goldilocks"}, {"n": 32, "t": 8, "b": 4, "coset": 7, "blowup": 16}),
        ({"preset": "bn254"}, {"adders_per_stage": 1}),
        ({"preset": "goldilocks"}, LONG_BLOCKS | {"coset": 7, "engines": 2}),
        (RING, LONG_BLOCKS | {"made": 4}),
    ],
)
def test_other_rings_and_shapes(ring: dict[str, object], table: dict[str, Any]) -> None:
    for count in (1, 3):
        result = verify_decomposed(prepared_of(ring, kernels=2, **table), count=count, seed=count)
        assert result.ok, result.mismatches or result.violation


def test_blocks_of_many_beats() -> None:
    """Of short digits, so that a block has each of its twiddles several times; words of 2^13."""
    result = verify_decomposed(long_blocks(), count=1, sizes=(13,))
    assert result.ok, result.mismatches or result.violation


@pytest.mark.slow
@pytest.mark.parametrize("violated", [True, False])
def test_tables_are_not_written_while_they_are_looked_up(violated: bool, tmp_path: Path) -> None:
    """A job that comes when the last block is chosen: an assertion tells, else the words do."""
    prepared = long_blocks()
    there = replace(prepared, folder=tmp_path / "design")
    copytree(prepared.folder, there.folder)
    for module, good, bad in (
        ("ntf_kernel_stage", ".Depth(linger(Cfg))", ".Depth(0)"),
        (
            "ntf_decomposed_datapath",
            "!(lookup.valid",
            f"{'' if violated else '1 || '}!(lookup.valid",
        ),
    ):
        (file,) = there.folder.rglob(f"{module}.sv")
        broken(file, good, bad, file.parent)
    result = verify_decomposed(there, count=1, sizes=(13,))
    assert not result.ok
    assert bool(result.violation) == violated


@pytest.mark.slow
def test_long_transforms() -> None:
    """Every size to 2^18."""
    result = verify_decomposed(prepared_of(RING, kernels=2, l_max=18), seed=3, largest=18)
    assert result.ok, result.mismatches or result.violation


def test_the_machine_without_words_takes_the_same_cycles(bare: DecomposedSimulator) -> None:
    core = bare.core
    with DecomposedSimulator.build(core, cascade(**SHORT).folder) as whole:
        for seed, (name, memory) in enumerate(memories(core).items()):
            for size in (5, 11, 13):
                operation = core.operations[seed % len(core.operations)]
                runs = [at.count(operation, size, 3, memory, seed=seed) for at in (whole, bare)]
                assert runs[0].status == "ok", name
                assert runs[0] == runs[1], (name, size)


def test_it_is_near_its_floors() -> None:
    """Behind ports that bring a beat a cycle; alone, and in a batch."""
    prepared = prepared_of(RING, kernels=2, n=32, b=8, l_max=15)
    rates = {"channel_gbytes_s": 1e3, "peak_gbytes_s": 1e3, "burst_ns": 1e-3}
    flat = prepared.core.board.model_copy(update={**rates, "latency_cycles": FAST.latency})
    rated = replace(prepared.core, board=flat)
    with DecomposedSimulator.build(rated, prepared.folder, data=False) as engine:
        for size in (12, 14, 15):
            alone, batch = (
                engine.count(rated.operations[0], size, n, FAST).cycles for n in (1, 12)
            )
            assert 0.9 * alone < waiting_floor(rated, size) < alone
            assert 0.9 * batch < 12 * throughput_floor(rated, size) < batch


def test_a_round_of_two_digits_takes_half(bare: DecomposedSimulator) -> None:
    """A batch, behind ports that bring a beat a cycle."""
    one = prepared_of(RING, **SHORT)
    with DecomposedSimulator.build(one.core, one.folder, data=False) as single:
        cycles = [at.count(at.core.operations[0], 11, 16, FAST).cycles for at in (bare, single)]
    assert len(bare.core.rounds(11)) == 2
    assert cycles[0] < 0.6 * cycles[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "good", "bad"),
    [
        # A bank or a row that is not the word's; a group that is read before it is there.
        ("ntf_load_walker", "pass_form(round_i, first_pass(round_i))", "pass_form(round_i, PassC)"),
        (
            "ntf_load_walker",
            "pass_walk(form_q, form_q.first, 1'b0,",
            "pass_walk(form_q, 1'b0, 1'b0,",
        ),
        ("ntf_pass_scheduler", "Stage == StageRest ? round_i.beats : ", ""),
        # A slot that is free too soon; blocks whose return is not counted.
        ("ntf_kernel_stage", "unload_group.valid & unload_group.all", "unload_group.valid"),
        (
            "ntf_kernel_stage",
            "block_handed    = handed & (handed_q == '1)",
            "block_handed    = 1'b0",
        ),
        # Twiddles that are missing, and those of another pass.
        ("ntf_kernel_stage", "its[TableA2] = Stage != StageFirst", "its[TableA2] = 1'b0"),
        ("ntf_kernel_stage", "~(fits & last)", "~fits"),
        ("ntf_kernel_stage", "Stage == StageWhole ? 4 : 6", "2"),
        # Rounds of one pass.
        ("ntf_pass_scheduler", "stage_passes(round_i, Stage) == '0", "1'b0"),
        ("ntf_pass_scheduler", "Stage == StageRest && passes == '0", "1'b0"),
        ("ntf_pass_scheduler", ".still ? loaded_q", ".still ? '1 | loaded_q"),
        ("ntf_walk_pkg", "stage == StageFirst ? first_pass(round)", "1'b0 ? first_pass(round)"),
    ],
)
def test_defects_are_caught(module: str, good: str, bad: str, tmp_path: Path) -> None:
    prepared = cascade(**SHORT)
    copytree(prepared.folder, tmp_path / "design")
    (file,) = (tmp_path / "design").rglob(f"{module}.sv")
    broken(file, good, bad, file.parent)
    # Wrong results, a broken rule of AXI4's, an assertion, or it hangs.
    with suppress(FaultError):
        there = replace(prepared, folder=tmp_path / "design")
        assert not verify_decomposed(there, count=3, seed=1, largest=13).ok
