# SPDX-License-Identifier: Apache-2.0
"""SampleInBall of narrow words, against the standard's."""

import random
from hashlib import shake_256
from pathlib import Path

import numpy as np
import pytest

from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards.ml_dsa.parameters import N, Parameters
from nttforge.standards.ml_dsa.signing import sample_in_ball
from tests.mutants import changed_module, sources_of
from tests.rtl.mlkem_bench import unpack

NAME = "ntf_ball_words"


def build(where: Path, size: int, fields: int = 2) -> CycleModel:
    """The unit, or a changed copy of it in the folder."""
    ports = Ports(
        {"wipe_i": 1, "start_i": 1, "tau_i": 6, "valid_i": 1, "data_i": 8 * size, "ready_i": 1},
        {**dict.fromkeys(("idle_o", "ready_o", "taken_o", "valid_o"), 1), "data_o": 2 * fields},
    )
    files = sources_of(where, NAME)
    given = {"Bytes": f"{size}", "Fields": f"{fields}"}
    return CycleModel.build(where / "build", files, NAME, ports, given)


def sampled(
    model: CycleModel, p: Parameters, stream: bytes, size: int, stall: float, *, fields: int = 2
) -> tuple[list[int], int, int]:
    """The challenge; cycles until all places were chosen; words that were taken."""
    rng, at, cycles, chosen = random.Random(stall), 0, 0, 0
    while not model.step()["idle_o"]:
        cycles += 1
        assert cycles < N
    model.step(start_i=1, tau_i=p.tau)
    got: list[int] = []
    cycles = 0
    while len(got) < N:
        valid, ready = rng.random() >= stall, rng.random() >= stall
        word = int.from_bytes(stream[at : at + size], "little") if valid else rng.getrandbits(8)
        seen = model.step(tau_i=p.tau, valid_i=valid, data_i=word, ready_i=ready)
        at += size * (valid and seen["ready_o"])
        cycles += 1
        chosen = chosen or cycles * seen["taken_o"]
        if seen["valid_o"] and ready:
            got += [(each ^ 2) - 2 for each in unpack(seen["data_o"], 2, fields)]
        assert cycles < 10_000
    return got, chosen - 1, at // size


def check(where: Path, size: int, fields: int = 2) -> None:
    """Challenges of all sets, one behind another, with stalls and without."""
    model, rng = build(where, size, fields), random.Random(size)
    for case in range(24):
        p, seed, stall = SETS[case % 3], rng.randbytes(32), (0.0, 0.4)[case // 3 % 2]
        stream = shake_256(seed).digest(1024)
        got, chosen, words = sampled(model, p, stream, size, stall, fields=fields)
        assert got == sample_in_ball(p, seed).tolist()
        # A word, a candidate, and another cycle for one that is taken.
        places = np.frombuffer(stream[8:], np.uint8)
        at = taken = 0
        while taken < p.tau:
            taken += bool(places[at] <= N - p.tau + taken)
            at += 1
        assert words == 8 // size + -(-at // size)
        if not stall:
            assert chosen == words + at + p.tau


@pytest.mark.parametrize(("size", "fields"), [(1, 2), (2, 2), (4, 2), (8, 2), (2, 4), (8, 4)])
def test_challenges(tmp_path: Path, size: int, fields: int) -> None:
    check(tmp_path, size, fields)


def test_places_at_the_bounds(tmp_path: Path) -> None:
    """Each candidate is the place at hand, one too large, or the same place again and again."""
    model, p = build(tmp_path, 4), SETS[0]
    first = N - p.tau
    for places in (
        [first + i for i in range(p.tau)],
        [each for i in range(p.tau) for each in (min(255, first + i + 1), first + i)],
        [0] * p.tau,
        [first] * p.tau,
    ):
        signs = 0x5A5AFF00C33C0FF0
        stream = signs.to_bytes(8, "little") + bytes(places).ljust(512, b"\0")
        c, queue = [0] * N, iter(places)
        for number, i in enumerate(range(first, N)):
            j = next(place for place in queue if place <= i)
            c[i], c[j] = c[j], 1 - 2 * (signs >> number & 1)
        assert sampled(model, p, stream, 4, 0.0)[0] == c


@pytest.mark.parametrize("fields", [2, 4])
def test_wiping_in_the_middle_leaves_zeros(tmp_path: Path, fields: int) -> None:
    model, p = build(tmp_path, 4, fields), SETS[2]
    fresh = sampled(model, p, shake_256(b"1").digest(1024), 4, 0.0, fields=fields)[0]
    model.step(start_i=1, tau_i=p.tau)
    for word in range(40):
        model.step(tau_i=p.tau, valid_i=1, data_i=word * 0x3010501)
    for _ in range(N // fields):
        model.step(wipe_i=1)
    assert sampled(model, p, shake_256(b"1").digest(1024), 4, 0.0, fields=fields)[0] == fresh


MUTANTS = {
    "a place too few": ("candidate <= place_q", "candidate < place_q"),
    "the other sign": ("{signs_q[0], 1'b1}", "{~signs_q[0], 1'b1}"),
    "signs in another order": ("{data_i, signs_q[63:8*Bytes]}", "{signs_q[63-8*Bytes:0], data_i}"),
    "of the other bank": ("read[candidate[BankW-1:0]]", "read[~candidate[BankW-1:0]]"),
    "of two banks alone": ("read[candidate[BankW-1:0]]", "read[BankW'(candidate[0])]"),
    "into one bank too many": ("target[BankW-1:0] == BankW'(b)", "target[0] == 1'(b)"),
    "half of the rows": ("row_q + (8 - BankW)'(1)", "row_q + (8 - BankW)'(2)"),
    "nothing is left": ("sweep ? 2'd0 : value", "value"),
    "one coefficient less": ("set & (place_q == '1)", "set & (place_q == 8'd254)"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, tmp_path: Path) -> None:
    changed_module(tmp_path, NAME, *MUTANTS[name])
    with pytest.raises(AssertionError):
        check(tmp_path, 4, 4)
