# SPDX-License-Identifier: Apache-2.0
"""Packers of both standards' fields, against the standards' own encoding of bits."""

import random
from pathlib import Path

import numpy as np
import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards import bits
from nttforge.standards.ml_dsa.encoding import T1_BITS
from nttforge.standards.ml_dsa.parameters import DROPPED_BITS, PARAMETER_SETS
from nttforge.standards.ml_kem.parameters import PARAMETER_SETS as KEM_SETS
from tests.mutants import changed_module, sources_of
from tests.rtl.mlkem_bench import pack

N, MOST = 256, 20
#: What the standards ask for.
DSA = {p.z_bits for p in PARAMETER_SETS.values()} | {T1_BITS, DROPPED_BITS}
DSA |= {bits for p in PARAMETER_SETS.values() for bits in (p.w1_bits, p.eta_bits)}
KEM = {1, 12} | {d for p in KEM_SETS.values() for d in (p.du, p.dv)}
WIDTHS = [*DSA | KEM]
SIZES = [(1, 1), (1, 4), (2, 1), (2, 4), (2, 8), (4, 2), (4, 8)]
SIZED = pytest.mark.parametrize(("fields", "size"), SIZES)


def build(where: Path, name: str, fields: int, size: int) -> CycleModel:
    """A packer or an unpacker, of a copy in the folder if there is one."""
    packs = "_pack" in name
    inside, outside = (MOST * fields, 8 * size) if packs else (8 * size, MOST * fields)
    ports = Ports(
        {"wipe_i": 1, "d_i": 5, "valid_i": 1, "ready_i": 1, "data_i": inside},
        {"ready_o": 1, "valid_o": 1, "data_o": outside, **({"moved_o": 1} if packs else {})},
    )
    given = {"Fields": f"{fields}", "Bytes": f"{size}"}
    return CycleModel.build(where / name, sources_of(where, name), name, ports, given)


def run(
    model: CycleModel, d: int, sent: list[int], count: int, stall: float
) -> tuple[int, list[int]]:
    """Cycles, and what came out."""
    rng = random.Random(d)
    got: list[int] = []
    at = cycles = 0
    while len(got) < count:
        valid, ready = at < len(sent) and rng.random() >= stall, rng.random() >= stall
        seen = model.step(
            d_i=d, valid_i=valid, ready_i=ready, data_i=sent[at] if valid else rng.getrandbits(8)
        )
        at += valid and seen["ready_o"]
        if ready and seen["valid_o"]:
            got.append(seen["data_o"])
        cycles += 1
        assert cycles < 20_000
    assert at == len(sent)
    return cycles, got


def check(where: Path, name: str, fields: int, size: int) -> None:
    """Polynomials of all widths, one behind another, with stalls and without."""
    model, rng = build(where, name, fields, size), random.Random(fields)
    for stall in (0.0, 0.4):
        for d in rng.sample(WIDTHS, len(WIDTHS)):
            drawn = [rng.getrandbits(MOST) for _ in range(N)]
            low = [each & (1 << d) - 1 for each in drawn]
            packed = bits.pack(np.array(low), d)
            words = [
                int.from_bytes(packed[at : at + size], "little")
                for at in range(0, len(packed), size)
            ]
            packs = "_pack" in name
            values = drawn if packs else low
            beats = [pack(values[at : at + fields], MOST) for at in range(0, N, fields)]
            sent, expected = (beats, words) if packs else (words, beats)
            cycles, got = run(model, d, sent, len(expected), stall)
            assert got == expected
            # As fast as the slower side: a word, or a beat, a cycle.
            if not stall:
                assert cycles <= max(len(words), len(beats)) + 4


def test_the_widths_are_those_of_the_units() -> None:
    assert sorted(WIDTHS) == [1, 3, 4, 5, 6, 10, 11, 12, 13, 18, 20]


@SIZED
@pytest.mark.parametrize("name", ["ntf_pack_fields", "ntf_unpack_fields"])
def test_fields(tmp_path: Path, name: str, fields: int, size: int) -> None:
    check(tmp_path, name, fields, size)


@pytest.mark.parametrize(("name", "d"), [("ntf_pack_fields", 10), ("ntf_unpack_fields", 20)])
def test_wiping_forgets_what_waits(tmp_path: Path, name: str, d: int) -> None:
    """Of two that come something would leave."""
    model = build(tmp_path, name, 2, 4)
    for wiped in (0, 1):
        model.step(d_i=d, valid_i=1)
        model.step(d_i=d, wipe_i=wiped)
        model.step(d_i=d, valid_i=1)
        # A beat stands in a register before it is packed.
        if "_pack" in name:
            model.step(d_i=d)
        assert model.step(d_i=d)["valid_o"] == (not wiped)
        model.step(wipe_i=1)


MUTANTS = {
    "a field at the wrong place": (
        "ntf_unpack_fields",
        "i % 2 != 0 && d_i",
        "i % 2 != 0 && b > 1 && d_i",
    ),
    "room for a word too many": ("ntf_unpack_fields", "(Words - 1) * Word", "Words * Word - 1"),
    "a beat that is not whole": ("ntf_unpack_fields", ">= (AtW + 1)'(d_i)", ">= (AtW + 1)'(3)"),
    "what lies above a field": ("ntf_pack_fields", "data_i[i] & mask", "data_i[i]"),
    "room where there is none": ("ntf_pack_fields", "rest < CountW'(Word)", "1'b1"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, tmp_path: Path) -> None:
    unit, right, wrong = MUTANTS[name]
    changed_module(tmp_path, unit, right, wrong)
    with pytest.raises(AssertionError):
        check(tmp_path, unit, 2, 4)
