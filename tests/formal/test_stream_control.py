# SPDX-License-Identifier: Apache-2.0
"""Proofs of the units that control streams: no loss, no duplication, stability, progress."""

from pathlib import Path

import pytest

from tests.formal.proof import HERE, check, library, write_smt

COMMUTATOR = ("prim/prim_ram_1r1w.sv", "pipeline/commutator.sv")


def test_slice_is_a_queue_of_two(tmp_path: Path) -> None:
    smt = write_smt(
        tmp_path, "slice_proof", [*library("prim/prim_axis_slice.sv"), HERE / "slice_proof.sv"]
    )
    assert check(smt, 4)
    assert check(smt, 4, induction=True)


def test_slice_proof_can_fail(tmp_path: Path) -> None:
    source = library("prim/prim_axis_slice.sv")[0].read_text()
    broken = tmp_path / "broken.sv"
    broken.write_text(source.replace("if (!full_q) spare_q", "spare_q"))
    assert broken.read_text() != source
    smt = write_smt(tmp_path, "slice_proof", [broken, HERE / "slice_proof.sv"])
    assert not check(smt, 6)


@pytest.mark.parametrize("block", [0, 1])
@pytest.mark.parametrize("time_bit", [0, 1, 2])
def test_commutator_exchanges_and_drains(tmp_path: Path, time_bit: int, block: int) -> None:
    smt = write_smt(
        tmp_path,
        "commutator_proof",
        [*library(*COMMUTATOR), HERE / "commutator_proof.sv"],
        {"TimeBit": time_bit, "BeatW": max(2, time_bit + 1), "Block": block},
    )
    assert check(smt, 18)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (
            "(drain_q & (drain_slot_q != drain_last_q))",
            "(drain_q & (drain_slot_q < drain_last_q - 1))",
        ),
        ("swap_x ? stored[l][1] : data_x[l][0]};", "data_x[l][0]};"),
        ("tag_d   = drain_q", "tag_d   = drain_q"),
    ][:2],
)
def test_commutator_proof_can_fail(tmp_path: Path, good: str, bad: str) -> None:
    ram, commutator = library(*COMMUTATOR)
    source = commutator.read_text()
    broken = tmp_path / "broken.sv"
    broken.write_text(source.replace(good, bad))
    assert broken.read_text() != source
    smt = write_smt(
        tmp_path,
        "commutator_proof",
        [ram, broken, HERE / "commutator_proof.sv"],
        {"TimeBit": 1, "BeatW": 2},
    )
    assert not check(smt, 18)
