# SPDX-License-Identifier: Apache-2.0
"""Proofs of the units that control streams: no loss, no duplication, stability, progress.

Every proof has mutants, for which it must fail. Bounds are in clocks from reset: the commutator's
see three transforms of four beats, the framer's five, the credits' two fillings of four places.
"""

from pathlib import Path

import pytest

from tests.formal.proof import HERE, broken, holds, library, write_smt

PACKAGES = ("prim/ntf_prim_pkg.sv", "arith/ntf_arith_pkg.sv", "pipeline/ntf_pipeline_pkg.sv")
SLICE = "prim/ntf_prim_axis_slice.sv"
RAM, DELAY = "prim/ntf_prim_ram_1r1w.sv", "prim/ntf_prim_delay.sv"
COMMUTATOR, FRAMER = "pipeline/ntf_commutator.sv", "pipeline/ntf_framer.sv"


def smt(folder: Path, top: str, sources: list[Path], **parameters: int) -> Path:
    return write_smt(folder, top, [*library(*PACKAGES), *sources, HERE / f"{top}.sv"], parameters)


def test_slice_is_a_queue_of_two(tmp_path: Path) -> None:
    model = smt(tmp_path, "slice_proof", library(SLICE))
    assert holds(model, 4)
    assert holds(model, 4, induction=True)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("if (!full_q) spare_q", "spare_q"),
        ("full_q <= ~give & (full_q | take);", "full_q <= ~give | (full_q & take);"),
        ("if (give) data_q", "data_q"),
        ("if (give) valid_q", "valid_q"),
    ],
)
def test_slice_proof_can_fail(tmp_path: Path, good: str, bad: str) -> None:
    source = broken(library(SLICE)[0], good, bad, tmp_path)
    assert not holds(smt(tmp_path, "slice_proof", [source]), 6)


CREDITS = library(RAM, "prim/ntf_prim_fifo.sv", "prim/ntf_prim_credit_fifo.sv")


@pytest.mark.parametrize("block", [0, 1])
def test_whatever_a_credit_was_given_for_has_a_place(tmp_path: Path, block: int) -> None:
    assert holds(smt(tmp_path, "credit_proof", CREDITS, Block=block), 14)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("CountW'(Depth - 1)", "CountW'(Depth)"),
        ("CountW'(Depth - 1)", "CountW'(Depth - 2)"),
        ("~give & (none_q", "(none_q"),
        ("take_i ^ give", "take_i"),
        ("valid_o & ready_i;", "valid_i;"),
    ],
)
def test_credit_proof_can_fail(tmp_path: Path, good: str, bad: str) -> None:
    *rest, credit = CREDITS
    source = broken(credit, good, bad, tmp_path)
    assert not holds(smt(tmp_path, "credit_proof", [*rest, source]), 14)


# Memories of block RAM are for depths that no bounded proof reaches: prove them at a small one.
BLOCK = ("Block = Depth > 128", "Block = Depth > 1")


@pytest.mark.parametrize("block", [False, True])
@pytest.mark.parametrize("depth", [0, 1, 2, 3, 5])
def test_delay_is_exact(tmp_path: Path, depth: int, block: bool) -> None:
    ram, delay = library(RAM, DELAY)
    delay = broken(delay, *BLOCK, tmp_path) if block else delay
    assert holds(smt(tmp_path, "delay_proof", [ram, delay], Depth=depth), 3 * depth + 4)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("valid_stored & warm_q", "valid_stored"),
        ("addr_q == AddrW'(Depth - 1)", "addr_q == AddrW'(Depth - 2)"),
        (".we_i   (1'b1)", ".we_i   (valid_i)"),
    ],
)
def test_delay_proof_can_fail(tmp_path: Path, good: str, bad: str) -> None:
    ram, delay = library(RAM, DELAY)
    source = broken(delay, good, bad, tmp_path)
    assert not holds(smt(tmp_path, "delay_proof", [ram, source], Depth=3), 13)


@pytest.mark.parametrize("how", [{}, {"Block": 1}, {"Block": 1, "Ahead": 1}])
@pytest.mark.parametrize(
    ("depths", "beats", "bound"), [((1, 0), 1, 9), ((2, 1), 2, 13), ((0, 2), 2, 13)]
)
def test_commutator_exchanges_and_drains(
    tmp_path: Path, depths: tuple[int, int], beats: int, bound: int, how: dict[str, int]
) -> None:
    model = smt(
        tmp_path,
        "commutator_proof",
        library(RAM, COMMUTATOR),
        Depth0=depths[0],
        Depth1=depths[1],
        BeatW=beats,
        **how,
    )
    assert holds(model, bound)


@pytest.mark.parametrize(
    ("good", "bad", "block"),
    [
        ("(drain_slot_q != drain_last_q)", "(drain_slot_q != drain_last_q - 1)", 0),
        ("drain_last_q <= last;", "drain_last_q <= SlotW'(MaxDepth - 1);", 0),
        ("swap_x ? stored[l][1] : data_x[l][0]};", "data_x[l][0]};", 0),
        ("drain_q ? drain_tag_q : tag_i", "tag_i", 0),
        ("forward_q ? forward_data_q : stored_ram", "stored_ram", 1),
        ("write_x & (slot_x == raddr)", "write_x", 1),
        ("if (valid_i) beat_q", "beat_q", 0),
        ("pass | swap | drain_q", "pass | swap", 0),
        ("drain_q ? drain_slot_q + SlotW'(1)", "drain_q ? drain_slot_q", 2),
        ("valid_i ? path_i : path_q;", "path_i;", 2),
        ("valid_i ? path_i : path_q;", "path_q;", 2),
    ],
)
def test_commutator_proof_can_fail(tmp_path: Path, good: str, bad: str, block: int) -> None:
    ram, commutator = library(RAM, COMMUTATOR)
    sources = [ram, broken(commutator, good, bad, tmp_path)]
    depths = {"Depth0": 2, "Depth1": 1, "BeatW": 2}
    how = {"Block": int(block > 0), "Ahead": int(block > 1)}
    model = smt(tmp_path, "commutator_proof", sources, **depths, **how)
    assert not holds(model, 13)


@pytest.mark.parametrize("right", [True, False])
def test_a_word_that_drains_has_its_address_whatever_comes(tmp_path: Path, right: bool) -> None:
    """The path of a cycle without a beat may be another one, whose depth is greater."""
    ram, commutator = library(RAM, COMMUTATOR)
    if not right:
        commutator = broken(commutator, "drain_d ? next_drain", "drain_q ? next_drain", tmp_path)
    how = {"Depth0": 4, "Depth1": 1, "BeatW": 3, "Block": 1, "Ahead": 1}
    assert holds(smt(tmp_path, "commutator_proof", [ram, commutator], **how), 7) == right


def test_commutator_needs_its_gap(tmp_path: Path) -> None:
    """The harness's own assumption is the least: one idle cycle less, and beats collide."""
    harness = broken(
        HERE / "commutator_proof.sv",
        "32'(idle_q) + depth_now >= depth_before",
        "32'(idle_q) + depth_now + 1 >= depth_before",
        tmp_path,
    )
    sources = [*library(*PACKAGES, RAM, COMMUTATOR), harness]
    assert not holds(write_smt(tmp_path, "commutator_proof", sources), 13)


def test_framer_lets_in_whole_transforms(tmp_path: Path) -> None:
    assert holds(smt(tmp_path, "framer_proof", library(FRAMER)), 22)


@pytest.mark.parametrize("beats", [1, 2])
def test_framer_of_short_transforms(tmp_path: Path, beats: int) -> None:
    assert holds(smt(tmp_path, "framer_proof", library(FRAMER), Beats=beats), 16)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("idle_d >= GapW'(", "idle_d + 1'b1 >= GapW'("),
        ("Gap[valid_o ? op_o : op_q][o]", "Gap[o][valid_o ? op_o : op_q]"),
        ("first ? op_new : op_q", "op_new"),
        ("error_new ? '0 : op_i", "op_i"),
        ("if (final_beat) state_d = StTake;", ""),
        ("if (valid_i & last_i) state_d = StTake;", "if (valid_i) state_d = StTake;"),
        ("data_o  = DataW'(0);", ""),
        ("(first ? error_new : error_q) |", ""),
        ("valid_o ? '0 : (idle_q", "(valid_o & first) ? '0 : (idle_q"),
        ("if (valid_o & final_beat & ~last_i) state_d = StDrop;", ""),
    ],
)
def test_framer_proof_can_fail(tmp_path: Path, good: str, bad: str) -> None:
    source = broken(library(FRAMER)[0], good, bad, tmp_path)
    assert not holds(smt(tmp_path, "framer_proof", [source]), 18)
