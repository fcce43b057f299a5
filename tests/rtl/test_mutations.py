# SPDX-License-Identifier: Apache-2.0
"""The references must be able to fail: each defect that is put into the RTL is caught by `verify`.

Every mutant changes one place of a design folder's copy; the test asserts that the place is there.
"""

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from nttforge.kinds.stream.verify import VerifyResult, verify
from tests.mutants import beside, mutated
from tests.mutation.sites import CHOSEN
from tests.rtl.small_cores import SMALL_RING, TWO_RINGS, prepare_pipeline

PACKAGE = "dut_pkg.sv"


@dataclass(frozen=True)
class Mutant:
    """A defect: `good` in `file` becomes `bad`.

    Attributes
    ----------
    rings, keys
        Of the design, see :func:`prepare_pipeline`.
    symptom
        What the report must say; any failure will do if it is empty.
    transforms
        Random ones that it takes to see it.
    """

    file: str
    good: str
    bad: str
    rings: Any = (SMALL_RING,)
    keys: Mapping[str, Any] = field(default_factory=dict)
    symptom: str = ""
    transforms: int = 140


SLICE, DELAY = "rtl/prim/ntf_prim_axis_slice.sv", "rtl/prim/ntf_prim_delay.sv"
COMMUTATOR, EXCHANGE = "rtl/pipeline/ntf_commutator.sv", "rtl/pipeline/ntf_exchange.sv"
FRAMER, STAGE = "rtl/pipeline/ntf_framer.sv", "rtl/pipeline/ntf_stage.sv"
ROM, BUTTERFLY = "rtl/pipeline/ntf_twiddle_rom.sv", "rtl/pipeline/ntf_butterfly.sv"
NEARER, CENTRE = "rtl/arith/ntf_mod_nearer.sv", "rtl/arith/ntf_mod_centre.sv"
CREDIT, ENGINE = "rtl/prim/ntf_prim_credit_fifo.sv", "rtl/pipeline/ntf_pipeline.sv"
#: A ring whose residues are brought nearer to 0 on their way.
GROWING = ({"n": 64, "q": 257},)
#: One whose products reach so far from 0 that residues often need a correction at the output.
WIDE = ({"n": 64, "q": 3329},)
CREDITS = {"flow_control": "credits"}
BLOCK = {"ram_block_from": 2, "rom_block_from": 2}

MUTANTS = {
    # Factors and what is done with them.
    "first stage's mode": Mutant(
        PACKAGE, r"0: '\{ct: 1'b1, gs: 1'b0, base", "0: '{ct: 1'b0, gs: 1'b1, base"
    ),
    "last stage's mode": Mutant(
        PACKAGE, r"3: '\{ct: 1'b0, gs: 1'b1, base", "3: '{ct: 1'b1, gs: 1'b0, base"
    ),
    "a stage that should pass computes": Mutant(
        PACKAGE,
        r"3: '\{ct: 1'b0, gs: 1'b0, base",
        "3: '{ct: 1'b1, gs: 1'b0, base",
        rings=TWO_RINGS,
    ),
    "an operation's modulus": Mutant(
        PACKAGE,
        r"2: '\{path: 1'd0, mod: 8'd1",
        "2: '{path: 1'd0, mod: 8'd0",
        rings=TWO_RINGS,
    ),
    "a table's base": Mutant(PACKAGE, r"(3: '\{ct: 1'b0, gs: 1'b1, base: 24'd)8", r"\g<1>0"),
    "factors of another butterfly": Mutant(
        ROM, r"word\[RomOf\[l\]\]", "word[RomOf[0]]", keys={"butterflies": 2}
    ),
    # Arithmetic.
    "too much is taken back at the output": Mutant(
        PACKAGE,
        r"0: '\{multiple: 5'd1",
        "0: '{multiple: 5'd2",
        rings=GROWING,
        transforms=40_000,  # residues that need it are one in some thousand transforms
    ),
    "the product is late": Mutant(
        BUTTERFLY,
        r"\.Depth\(Late\)\) u_waiting",
        ".Depth(Late + 1)) u_waiting",
    ),
    "the mode is late": Mutant(
        BUTTERFLY,
        r"\.Depth\(Wait\)\) u_control",
        ".Depth(Wait + 1)) u_control",
    ),
    # Delays and wires.
    "a commutator of half the depth": Mutant(PACKAGE, r"(depth: '\{0: 16'd1, 1: 16'd)4", r"\g<1>2"),
    "padding one too long": Mutant(
        EXCHANGE,
        r"MaxDepth - 32'\(Depth\[p\]\)",
        "MaxDepth - 32'(Depth[p]) + p",
        keys={"seamless": True},
    ),
    "padding one too short": Mutant(
        EXCHANGE,
        r"MaxDepth - 32'\(Depth\[p\]\)",
        "(MaxDepth > 32'(Depth[p]) ? MaxDepth - 32'(Depth[p]) - 1 : 0)",
        keys={"seamless": True},
    ),
    "the tag is late": Mutant(STAGE, r"\.Depth\(Latency\)\) u_tag", ".Depth(Latency + 1)) u_tag"),
    "the tag is early": Mutant(STAGE, r"\.Depth\(Latency\)\) u_tag", ".Depth(Latency - 1)) u_tag"),
    "the valid bit is late": Mutant(
        STAGE,
        r"(localparam int unsigned Latency   = )",
        r"\g<1>1 + ",
    ),
    "lanes in another order": Mutant(
        PACKAGE,
        r"(\n    wires: .*1: '\{flip: 16'h0, from: 64'h)10",
        r"\g<1>01",
        keys={"butterflies": 2},
    ),
    # Stream control.
    "a gap that is one too short": Mutant(PACKAGE, r"0: 16'd0, 1: 16'd3", "0: 16'd0, 1: 16'd2"),
}

#: Expressions: defects of one design are compiled into one model, each beside what is right.
BESIDE = {
    # Factors and what is done with them.
    "a table's shift": Mutant(ROM, r"32'\(beat_i\) >> Ops\[o\].shift", "32'(beat_i)"),
    "factors count bubbles": Mutant(STAGE, r"en_i && pairs_valid(?=\))", "en_i"),
    "factors of another beat": Mutant(STAGE, r"(?<=if \(!rst_ni\) beat_q <= )'0", "1"),
    "factors are not reset": Mutant(STAGE, r"!rst_ni(?=\) beat_q <= '0)", "1'b0"),
    "a block ROM without enable": Mutant(
        "rtl/prim/ntf_prim_rom.sv", r"en_i(?=\) word_q <= Table)", "1'b1", keys=BLOCK
    ),
    # Arithmetic.
    "odd sums are not made even": Mutant(
        BUTTERFLY, r"(?<=plus_i \()sum\[0\] && !sum\[XW\]", "1'b0"
    ),
    "odd negative sums are not made even": Mutant(
        BUTTERFLY, r"(?<=minus_i\()sum\[0\] && sum\[XW\]", "1'b0"
    ),
    "no correction up": Mutant(NEARER, r"apply_i && a_i\[InW-1\]", "1'b0", rings=WIDE),
    "no correction down": Mutant(NEARER, r"apply_i && !a_i\[InW-1\]", "1'b0", rings=WIDE),
    "not moved down": Mutant(CENTRE, r"apply_i && high\[mod_i\]", "1'b0", rings=GROWING),
    "not moved up": Mutant(CENTRE, r"apply_i && low\[mod_i\]", "1'b0", rings=GROWING),
    "negative results": Mutant("rtl/arith/ntf_mod_canonical.sv", r"(?<=\()a_i\[W\](?=\))", "1'b0"),
    # Delays and wires.
    "a word that waits is kept if it is not live": Mutant(
        "rtl/prim/ntf_prim_line.sv", r"live\[i\](?= \|\| !OnlyLive)", "!live[i]"
    ),
    "a commutator's last word is left": Mutant(
        COMMUTATOR, r"(?<=drain_last_q <= )last(?=;)", "last - SlotW'(1)"
    ),
    "a commutator drains from the second word": Mutant(
        COMMUTATOR, r"(?<=drain_slot_q <= )'0", "SlotW'(1)"
    ),
    "a commutator does not wait for input": Mutant(COMMUTATOR, r"valid_i(?=\) beat_q <=)", "1'b1"),
    "a commutator keeps the wrong words": Mutant(
        COMMUTATOR, r"swap_x \? stored\[l\]\[1\] : data_x\[l\]\[0\](?=\})", "data_x[l][0]"
    ),
    "a word that is written while it is read": Mutant(
        COMMUTATOR, r"forward_q \? forward_data_q : stored_ram", "stored_ram", keys=BLOCK
    ),
    "a block RAM's words are written late": Mutant(
        COMMUTATOR, r"(?<=slot_x <= )slot(?=;)", "slot_x + 1'b1", keys=BLOCK
    ),
    "a drained beat has the next one's tag": Mutant(
        COMMUTATOR, r"drain_q \? drain_tag_q : tag_i", "tag_i"
    ),
    "padding that is warm at once": Mutant(
        DELAY, r"valid_stored & warm_q", "valid_stored", rings=GROWING, keys={"seamless": True}
    ),
    # Stream control.
    "no gap": Mutant(FRAMER, r"clear_q\[op_new\]", "1'b1"),
    "the gap counts from the first beat": Mutant(FRAMER, r"valid_o(?= \? '0)", "valid_o & first"),
    "every transform is marked as wrong": Mutant(
        FRAMER, r"last_i \^ final_beat", "final_beat", symptom="tuser"
    ),
    "a stalled output repeats": Mutant(
        SLICE,
        r"~give & \(full_q \| take\)",
        "(~give & (full_q | take)) | (give & full_q & data_q[0])",
    ),
    "a stalled output is lost": Mutant(SLICE, r"!full_q(?=\) spare_q)", "1'b1"),
    "a stalled output changes": Mutant(SLICE, r"give(?=\) data_q <=)", "1'b1", symptom="unstable"),
    "a stalled output is withdrawn": Mutant(SLICE, r"give(?=\) valid_q <=)", "1'b1"),
    "a stage does not stall": Mutant(STAGE, r"en_i(?=\) valid_q <=)", "1'b1"),
    "a path from tready to tready": Mutant(
        SLICE, r"(?<=assign ready_o = )~full_q", "~full_q & ready_i", symptom="combinational"
    ),
    "tlast in the wrong place": Mutant(
        ENGINE,
        r"out_beat_q == BeatW'\(Beats - 1\)",
        "out_beat_q == BeatW'(Beats - 2)",
        symptom="tlast",
    ),
    "a credit too many": Mutant(
        CREDIT, r"CountW'\(Depth - 1\)", "CountW'(Depth)", keys=CREDITS, transforms=1400
    ),
    "a credit is not given back": Mutant(
        CREDIT, r"valid_o & ready_i(?=;)", "valid_o & ready_i & data_o[0]", keys=CREDITS
    ),
    "a credit is given back in front of the queue": Mutant(
        CREDIT, r"valid_o & ready_i(?=;)", "valid_i", keys=CREDITS
    ),
    "a queue of one place less": Mutant(
        "rtl/prim/ntf_prim_fifo.sv",
        r"Depth - 1(?=\)\)\)\);)",
        "Depth - 2",
        keys=CREDITS,
        transforms=1400,
    ),
    "a beat enters without a credit": Mutant(
        ENGINE, r"framed_valid & may_enter", "framed_valid", keys=CREDITS
    ),
    "the handshakes depend on the data": Mutant(
        FRAMER,
        r"(?<=assign clear = )!first \|\| \(MaxGap == 0\) \|\| clear_q\[op_new\]",
        "(idle_q == '0 && data_i[0] && !first) ? 1'b0 : (!first || clear_q[op_new])",
        symptom="handshakes depend on the data",
    ),
    "progress depends on the data": Mutant(
        FRAMER,
        r"(?<=assign clear = )!first \|\| \(MaxGap == 0\) \|\| clear_q\[op_new\]",
        "(data_i == {2{7'd96}}) ? 1'b0 : (!first || clear_q[op_new])",
        symptom="stuck",
    ),
}


def _together(mutant: Mutant) -> list[Mutant]:
    """All defects of the same design that are compiled with it."""
    return [m for m in BESIDE.values() if (m.rings, m.keys) == (mutant.rings, mutant.keys)]


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, tmp_path: Path) -> None:
    mutant = MUTANTS[name]
    right = prepare_pipeline(*mutant.rings, **mutant.keys)
    place = (mutant.file, mutant.good, mutant.bad)
    wrong = mutated(right, tmp_path / "design", *place, pattern=True)
    check(mutant, verify(wrong, transforms=mutant.transforms))


def check(mutant: Mutant, result: VerifyResult) -> None:
    """It was caught, by what it does."""
    assert not result.ok
    assert result.violation or result.wrong_transforms
    assert mutant.symptom in (result.violation or "")


@pytest.mark.parametrize("name", BESIDE)
def test_a_mutant_beside_others_is_caught(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutant = BESIDE[name]
    together = _together(mutant)
    right = prepare_pipeline(*mutant.rings, **mutant.keys)
    places = [(m.file, m.good, m.bad) for m in together]
    wrong = beside(right, tmp_path / "design", places)
    monkeypatch.setenv(CHOSEN, "0")
    if mutant is together[0]:
        assert verify(wrong, transforms=mutant.transforms).ok
    monkeypatch.setenv(CHOSEN, str(together.index(mutant) + 1))
    check(mutant, verify(wrong, transforms=mutant.transforms))


@pytest.mark.parametrize("place", [0, 13])
@pytest.mark.parametrize("bit", [0, 6])
def test_one_wrong_bit_of_one_factor_is_caught(place: int, bit: int, tmp_path: Path) -> None:
    prepared = prepare_pipeline(SMALL_RING)
    text = (prepared.folder / PACKAGE).read_text()
    start = text.index("Twiddles[")
    words = list(re.finditer(r"7'h(\w\w)", text[start:]))
    assert len(words) > 14
    word = words[place]
    wrong = f"{int(word[1], 16) ^ 1 << bit:02x}"
    folder = tmp_path / "design"
    shutil.copytree(prepared.folder, folder)
    at = start + word.start(1)
    (folder / PACKAGE).write_text(text[:at] + wrong + text[at + 2 :])
    result = verify(replace(prepared, folder=folder), transforms=20)
    assert result.wrong_transforms > 0
    assert result.violation is None


@pytest.mark.parametrize(
    "keys", [{}, {"seamless": True}, BLOCK, {"butterflies": 2}, CREDITS], ids="-".join
)
@pytest.mark.parametrize("rings", [(SMALL_RING,), TWO_RINGS], ids=["one", "two"])
def test_what_is_mutated_is_right_before(keys: dict[str, Any], rings: Any) -> None:
    assert verify(prepare_pipeline(*rings, **keys), transforms=140).ok
