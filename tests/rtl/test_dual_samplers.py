# SPDX-License-Identifier: Apache-2.0
"""Sampling by rejection for both standards, against what they sample of the same stream."""

import random
from hashlib import shake_128, shake_256
from pathlib import Path

import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards.ml_dsa.parameters import Q as Q_DSA
from nttforge.standards.ml_dsa.sampling import rej_bounded_poly, rej_ntt_poly
from nttforge.standards.ml_kem.parameters import Q as Q_KEM
from nttforge.standards.ml_kem.sampling import sample_ntt
from tests.mutants import changed_module, sources_of
from tests.rtl.mlkem_bench import pack, unpack

N = 256
KEM, DSA, ETA2, ETA4 = range(4)
ALL = (KEM, DSA, ETA2, ETA4)
#: Bits of a candidate, bytes that are enough, and candidates at the bounds.
BITS = (12, 24, 4, 4)
ENOUGH = (672, 840, 272, 272)
BORDERS = (
    (Q_KEM - 1, Q_KEM, 4095, 0, 0xDFF, 0xE00),
    (Q_DSA - 1, Q_DSA, (1 << 24) - 1, (1 << 23) - 1, 1 << 23, Q_DSA - 1 + (1 << 23), 0x7FDFFF),
    (14, 15, 0),
    (8, 9, 15, 0),
)


def build(where: Path, size: int) -> CycleModel:
    """The unit, or a changed copy of it in the folder."""
    ports = Ports(
        {"start_i": 1, "kind_i": 2, "valid_i": 1, "data_i": 8 * size},
        {
            **dict.fromkeys(("ready_o", "idle_o", "done_o", "valid_o", "fault_o"), 1),
            "data_o": 12 * size,
        },
    )
    name = "ntf_sample_rejected"
    files = sources_of(where, name)
    return CycleModel.build(where / "build", files, name, ports, {"Bytes": f"{size}"})


def passed(kind: int, stream: bytes) -> list[int]:
    """All halves that leave, in order."""
    out = []
    for candidate in unpack(
        int.from_bytes(stream, "little"), BITS[kind], 8 * len(stream) // BITS[kind]
    ):
        if kind == KEM and candidate < Q_KEM:
            out.append(candidate)
        if kind == DSA and (low := candidate & (1 << 23) - 1) < Q_DSA:
            out += [low & 4095, low >> 12]
        if kind == ETA2 and candidate < 15:
            out.append(candidate % 5)
        if kind == ETA4 and candidate < 9:
            out.append(candidate)
    return out[: 2 * N if kind == DSA else N]


def run(
    model: CycleModel, kind: int, stream: bytes, size: int, stall: float
) -> tuple[list[int], bool]:
    """What leaves, and whether it was enough."""
    rng = random.Random(stall)
    model.step(kind_i=kind, start_i=1)
    got: list[int] = []
    at, idle = 0, 0
    while idle < 4:
        valid = at < len(stream) and rng.random() >= stall
        word = int.from_bytes(stream[at : at + size], "little") if valid else rng.getrandbits(8)
        seen = model.step(kind_i=kind, valid_i=valid, data_i=word)
        at += size * (valid and seen["ready_o"])
        idle = idle + 1 if at >= len(stream) and seen["idle_o"] else 0
        assert not seen["fault_o"]
        if seen["valid_o"]:
            got += unpack(seen["data_o"], 12, size)
    return got, bool(seen["done_o"])


def check(where: Path, size: int) -> None:
    """Streams of random candidates, many of them at the bounds; at last too few."""
    model, rng = build(where, size), random.Random(size)
    for case in range(24):
        kind, stall = ALL[case % 4], (0.0, 0.4)[case // 4 % 2]
        count = 8 * ENOUGH[kind] // BITS[kind] // (1 if case < 20 else 4)
        drawn = [rng.choice((rng.getrandbits(BITS[kind]), *BORDERS[kind])) for _ in range(count)]
        length = -(-count * BITS[kind] // 8 // (3 * size)) * 3 * size
        stream = pack(drawn, BITS[kind]).to_bytes(length, "little")
        expected = passed(kind, stream)
        whole = len(expected) == (2 * N if kind == DSA else N)
        got, done = run(model, kind, stream, size, stall)
        assert done == whole
        assert got == expected[: len(expected) // size * size]


@pytest.mark.parametrize("size", [2, 4, 8])
def test_candidates(tmp_path: Path, size: int) -> None:
    check(tmp_path, size)


@pytest.mark.parametrize("size", [4, 8])
def test_the_standards_sample_the_same(tmp_path: Path, size: int) -> None:
    model, seed = build(tmp_path, size), bytes(range(34))
    for kind in ALL:
        function, rate = (shake_128, 168) if kind in (KEM, DSA) else (shake_256, 136)
        got, done = run(model, kind, function(seed).digest(6 * rate), size, 0.2)
        assert done
        if kind == KEM:
            assert got == sample_ntt(seed).tolist()
        elif kind == DSA:
            coefficients = [low | high << 12 for low, high in zip(got[::2], got[1::2], strict=True)]
            assert coefficients == rej_ntt_poly(seed).tolist()
        else:
            eta = 2 if kind == ETA2 else 4
            assert [eta - each for each in got] == rej_bounded_poly(seed, eta).tolist()


@pytest.mark.parametrize("size", [4, 8])
def test_words_are_taken_as_fast_as_they_can_be(tmp_path: Path, size: int) -> None:
    """A word a cycle, of nibbles one in two, but all of them when there are enough."""
    model = build(tmp_path, size)
    for kind in ALL:
        model.step(kind_i=kind, start_i=1)
        ready = [model.step(kind_i=kind, valid_i=1)["ready_o"] for _ in range(20)]
        assert ready == ([0, 1] * 10 if kind in (ETA2, ETA4) else [1] * 20)
        for _ in range(400):
            seen = model.step(kind_i=kind, valid_i=1)
        assert seen["done_o"] and seen["ready_o"]


MUTANTS = {
    "q itself passes": ("both[12:0] == '0", "both[12:1] == '0"),
    "the highest bit counts": ("both = {group_q[Low+1][10:0]", "both = {group_q[Low+1][11:1]"),
    "fifteen passes": ("!= 4'd15", "!= 4'd14"),
    "half of a polynomial": (
        "CountW'(Beats) : CountW'(Beats / 2)",
        "CountW'(Beats / 2) : CountW'(Beats / 2)",
    ),
    "what waits is lost": ("full ? joined[2*Bytes-2:Bytes] : joined", "full ? '0 : joined"),
    "nibbles twice": ("data_i[4*(Bytes+i)+:4]", "data_i[4*i+:4]"),
    "groups of the wrong words": ("third_q == 2'd1) ?", "third_q == 2'd2) ?"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, tmp_path: Path) -> None:
    changed_module(tmp_path, "ntf_sample_rejected", *MUTANTS[name])
    with pytest.raises(AssertionError):
        check(tmp_path, 4)
