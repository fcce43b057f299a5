# SPDX-License-Identifier: Apache-2.0
"""Units of rtl/mldsa, and those of rtl/lattice with ML-DSA's widths, against dilithium-py."""

from collections.abc import Iterator
from hashlib import shake_128, shake_256
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_65, ML_DSA_87
from dilithium_py.utilities import utils

from nttforge.simulate.cycles import CycleModel
from nttforge.standards.ml_dsa.parameters import PARAMETER_SETS, N, Parameters, Q
from tests.rtl.mlkem_bench import pack, unit, unpack

ORACLES: dict[str, Any] = {"ML-DSA-44": ML_DSA_44, "ML-DSA-65": ML_DSA_65, "ML-DSA-87": ML_DSA_87}
SETS = list(PARAMETER_SETS.values())
#: What a coefficient's field may have: w1, t1 and all that is signed.
ENCODED, DECODED, WIDEST = (3, 4, 6, 10, 13, 18, 20), (3, 4, 10, 13, 18, 20), 20
SAMPLER = {"idle_o": 1, "done_o": 1, "valid_o": 1}


def signed(value: int, bits: int) -> int:
    """A number of so many bits in two's complement."""
    return value - (value >> bits - 1 << bits)


def corners(p: Parameters) -> list[int]:
    """Residues around every border of Decompose and Power2Round."""
    edges = [m * p.gamma2 for m in range(2 * 44 + 1)] + [m << 12 for m in range(0, Q >> 12, 37)]
    near = {edge + off for edge in [*edges, Q] for off in range(-2, 3)}
    return sorted(r for r in near if 0 <= r < Q)


def sampled(
    model: CycleModel, words: Iterator[int], shape: tuple[int, int], stall: float, **always: int
) -> tuple[list[int], int]:
    """256 coefficients of a sampler that gives (lanes, bits), and how many words it took."""
    random = Random(f"{shape} {stall}")
    got: list[int] = []
    taken = cycles = 0
    model.step(start_i=1, **always)
    seen: dict[str, int] = {"done_o": 0}
    while not seen["done_o"]:
        valid = random.random() >= stall
        word = next(words) if valid else random.getrandbits(64)
        seen = model.step(valid_i=valid, data_i=word, **always)
        taken, cycles = taken + valid, cycles + 1
        got += unpack(seen["data_o"], shape[1], shape[0]) if seen["valid_o"] else []
        assert cycles < 2000
    return got, taken


def words_of(stream: bytes, size: int) -> Iterator[int]:
    for at in range(0, len(stream), size):
        yield int.from_bytes(stream[at : at + size], "little")


def test_the_matrix_is_that_of_dilithium_py(tmp_path: Path) -> None:
    inputs = {"start_i": 1, "valid_i": 1, "data_i": 96}
    outputs = SAMPLER | {"data_o": 92}
    model = unit(tmp_path, "ntf_sample_uniform", inputs, outputs, Lanes=4, InW=24, W=23, Q=Q)
    random = Random(1)
    for case in range(20):
        rho = random.randbytes(32)
        stream = shake_128(rho + bytes([case, 3])).digest(6 * 168)
        got, taken = sampled(model, words_of(stream, 12), (4, 23), 0.4 * (case % 2))
        assert got == ML_DSA_65.R.rejection_sample_ntt_poly(rho, 3, case).coeffs
        # Five blocks of 14 words each are enough, so Keccak need not wait.
        assert taken <= 70
    # Candidates at q, most of which are rejected; the highest bit does not count.
    near = [Q - 1, Q, Q + 1, (1 << 23) - 1, (1 << 24) - 1, 1 << 23, 0]
    drawn = [random.choice(near) for _ in range(4 * 400)]
    words = (pack(drawn[i : i + 4], 24) for i in range(0, 1600, 4))
    got, _ = sampled(model, words, (4, 23), 0)
    assert got == [c for c in (x & (1 << 23) - 1 for x in drawn) if c < Q][:N]


def test_secrets_are_those_of_dilithium_py(tmp_path: Path) -> None:
    inputs = {"start_i": 1, "eta4_i": 1, "valid_i": 1, "data_i": 64}
    model = unit(tmp_path, "ntf_sample_bounded", inputs, SAMPLER | {"data_o": 64})
    random = Random(2)
    for case in range(40):
        eta = 2 + 2 * (case // 2 % 2)
        rho, stall = random.randbytes(64), 0.4 * (case % 2)
        stream = shake_256(rho + bytes([case, 0])).digest(5 * 136)
        got, taken = sampled(model, words_of(stream, 8), (16, 4), stall, eta4_i=eta == 4)
        expected = ML_DSA_44.R.rejection_bounded_poly(rho, case, eta).coeffs
        assert [(eta - x) % Q for x in got] == [c % Q for c in expected]
        # No more words than needed, and what was on its way.
        nibbles = [x for byte in stream for x in (byte & 15, byte >> 4)]
        passed = [n for n, x in enumerate(nibbles) if x < (15 if eta == 2 else 9)]
        assert stall or taken <= passed[N - 1] // 16 + 4
    # Every half-byte, alone and among others.
    for eta, least in ((2, 15), (4, 9)):
        drawn = [random.randrange(16) for _ in range(16 * 60)]
        words = (pack(drawn[i : i + 16], 4) for i in range(0, len(drawn), 16))
        got, _ = sampled(model, words, (16, 4), 0, eta4_i=eta == 4)
        assert got == [x % 5 if eta == 2 else x for x in drawn if x < least][:N]


@pytest.mark.parametrize("lanes", [8, 16])
def test_challenges_are_those_of_dilithium_py(tmp_path: Path, lanes: int) -> None:
    model = unit(
        tmp_path,
        "ntf_sample_ball",
        {"wipe_i": 1, "start_i": 1, "tau_i": 6, "valid_i": 1, "data_i": 64, "ready_i": 1},
        {"idle_o": 1, "ready_o": 1, "taken_o": 1, "valid_o": 1, "data_o": 2 * lanes},
        Lanes=lanes,
    )
    random, half = Random(3), lanes // 2
    while not model.step()["idle_o"]:
        pass
    for case in range(30):
        p = SETS[case % 3]
        if case == 17:  # in the middle of another one
            model.step(start_i=1, tau_i=p.tau)
            for _ in range(60):
                model.step(tau_i=p.tau, valid_i=1, data_i=random.getrandbits(64))
            model.step(wipe_i=1)
            while not model.step()["idle_o"]:
                pass
        seed, stall = random.randbytes(p.challenge_bytes), 0.4 * (case % 2)
        stream = shake_256(seed).digest(5 * 136)
        model.step(start_i=1, tau_i=p.tau)
        at = cycles = 0
        coefficients = [9] * N
        beat = 0
        while beat < N // lanes:
            valid, ready = random.random() >= stall, random.random() >= stall
            word = int.from_bytes(stream[8 * at : 8 * at + 8], "little")
            seen = model.step(tau_i=p.tau, valid_i=valid, data_i=word, ready_i=ready)
            assert not seen["idle_o"] and not (seen["ready_o"] and seen["taken_o"])
            at += valid and seen["ready_o"]
            cycles += 1
            if seen["valid_o"] and ready:
                for lane, value in enumerate(unpack(seen["data_o"], 2, lanes)):
                    place = half * beat + lane % half + N // 2 * (lane // half)
                    coefficients[place] = signed(value, 2)
                beat += 1
        assert model.step(tau_i=p.tau)["idle_o"]
        expected = ORACLES[p.name].R.sample_in_ball(seed, p.tau).coeffs
        assert coefficients == expected
        assert stall or cycles <= 1 + 17 * 9 + p.tau + N // lanes


BALL = (
    {
        **{"wipe_i": 1, "sweep_at_i": 8, "run_i": 1, "start_i": 1, "tau_i": 6},
        **{"valid_i": 1, "data_i": 64, "take_i": 1},
    },
    {"valid_o": 1, "data_o": 16, "whole_o": 2, "fault_o": 1},
)


def test_a_challenge_of_one_block_ends(tmp_path: Path) -> None:
    """Those that a block is enough for, and one of which nearly all candidates are too large."""
    model = unit(tmp_path, "ntf_mldsa_ball", *BALL)
    random = Random(5)
    for case in range(12):
        p, seed = SETS[case % 3], random.randbytes(32)
        stream = shake_256(seed).digest(136)
        short = case >= 6
        if short:
            stream = stream[:8] + bytes([255]) * 128
        model.step(wipe_i=1)
        model.run([{"run_i": 1}] * 40)
        model.step(run_i=1, start_i=1, tau_i=p.tau)
        words = [int.from_bytes(stream[at : at + 8], "little") for at in range(0, 136, 8)]
        model.run([{"run_i": 1, "tau_i": p.tau, "valid_i": 1, "data_i": word} for word in words])
        coefficients, take, before, came = [9] * N, 0, 0, 0
        while came < 32:
            due, before, take = before, take, int(random.random() < 0.5)
            seen = model.step(run_i=1, tau_i=p.tau, take_i=take)
            if due:
                for lane, value in enumerate(unpack(seen["data_o"], 2, 8)):
                    coefficients[4 * came + lane % 4 + 128 * (lane // 4)] = signed(value, 2)
                came += 1
            take &= seen["valid_o"]
        assert seen["whole_o"] == 3 * (not short)
        rest = model.run([{"run_i": 1, "tau_i": p.tau}] * 4)
        assert not any(s["fault_o"] for s in [seen, *rest])
        if not short:
            assert coefficients == ORACLES[p.name].R.sample_in_ball(seed, p.tau).coeffs
        model.step()
        assert not model.step()["whole_o"]


@pytest.mark.parametrize("sampled", [1, 34, 38, 40, 60])
def test_a_challenge_of_another_weight_is_a_fault(tmp_path: Path, sampled: int) -> None:
    """As many coefficients are sampled as an upset leaves, and 39 are expected."""
    model = unit(tmp_path, "ntf_mldsa_ball", *BALL)
    words = [Random(7).getrandbits(64) for _ in range(17)]
    model.run([{"wipe_i": 1}] * 40 + [{"run_i": 1}] * 40)
    model.step(run_i=1, start_i=1, tau_i=sampled)
    model.run([{"run_i": 1, "tau_i": sampled, "valid_i": 1, "data_i": word} for word in words])
    seen = model.run([{"run_i": 1, "tau_i": 39, "take_i": 1}] * 400)
    assert seen[-1]["fault_o"]
    assert not model.run([{}] * 3)[-1]["fault_o"]


def test_nothing_of_a_challenge_is_left(tmp_path: Path) -> None:
    """In the queue, or among the coefficients, wherever it is ended; and the next one is right."""
    model = unit(tmp_path, "ntf_mldsa_ball", *BALL)
    random = Random(6)
    sweep = [{"wipe_i": 1, "sweep_at_i": at % 256} for at in (*range(265), *[264] * 9)]
    for length in (3, 17, 40, 66, 90):
        left = set()
        for _ in range(3):
            words = [random.getrandbits(64) for _ in range(17)]
            begin: list[dict[str, int]] = [{"run_i": 1, "start_i": 1, "tau_i": 39}]
            sent = [*({"valid_i": 1, "data_i": word} for word in words), *[{}] * length]
            busy = [{"run_i": 1, "tau_i": 39, "take_i": 1} | each for each in sent]
            model.reset()
            model.run([*sweep, *[{}] * 40, *begin, *busy[:length], *sweep, *[{"run_i": 1}] * 4])
            left.add(model.state())
        assert len(left) == 1, length


def test_fields_become_signed_and_back(tmp_path: Path) -> None:
    ports = {"d_i": 5, "x_i": 21}
    model = unit(tmp_path, "ntf_signed_field", ports, {"y_o": 21, "outside_o": 1}, common=())
    random = Random(4)
    bounds = {3: 2, 4: 4, 13: 1 << 12, 18: 1 << 17, 20: 1 << 19}
    for d, b in bounds.items():
        fields = range(1 << d) if d < 14 else [random.getrandbits(d) for _ in range(500)]
        cases = [*fields, (1 << d) - 1, 0]
        seen = model.run([{"d_i": d, "x_i": x} for x in cases])
        assert [signed(s["y_o"], 21) for s in seen] == [b - x for x in cases]
        assert [s["outside_o"] for s in seen] == [d < 5 and x > 2 * b for x in cases]
        back = model.run([{"d_i": d, "x_i": s["y_o"]} for s in seen])
        assert [s["y_o"] for s in back] == cases


def test_power2round(tmp_path: Path) -> None:
    outputs = {"t1_o": 10, "t0_field_o": 13}
    model = unit(tmp_path, "ntf_power2round", {"r_i": 23}, outputs, common=())
    random = Random(5)
    cases = corners(SETS[0]) + [random.randrange(Q) for _ in range(20000)]
    seen = model.run([{"r_i": r} for r in cases])
    ring = ML_DSA_44.R
    for at in range(0, len(cases) - N, N):
        high, low = ring(cases[at : at + N]).power_2_round(13)
        got = seen[at : at + N]
        assert [s["t1_o"] for s in got] == high.coeffs
        assert [(4096 - s["t0_field_o"]) % Q for s in got] == [c % Q for c in low.coeffs]


def test_decompose(tmp_path: Path) -> None:
    ports = {"en_i": 1, "wide_i": 1, "r_i": 23}
    model = unit(tmp_path, "ntf_decompose", ports, {"high_o": 6, "low_o": 19}, common=("clk_i",))
    random = Random(6)
    cases = [
        (p.gamma2, r, random.random() < 0.9)
        for p in (SETS[0], SETS[1])
        for r in [*corners(p), *(random.randrange(Q) for _ in range(20000))]
    ]
    random.shuffle(cases)
    inputs = [{"en_i": en, "wide_i": g == SETS[1].gamma2, "r_i": r} for g, r, en in cases]
    seen = model.run(inputs)
    enabled = [(g, r) for g, r, en in cases if en]
    edges = 0
    for outputs, (_, _, en) in zip(seen, cases, strict=True):
        if edges >= 4:
            g, r = enabled[edges - 4]
            assert (outputs["high_o"], signed(outputs["low_o"], 19)) == utils.decompose(r, 2 * g, Q)
        edges += en


def test_decomposition_rule_exhaustively() -> None:
    """The quotient and the multiple that the circuit takes, for every residue and both gamma2."""
    r = np.arange(Q)
    for gamma2, shift in (((Q - 1) // 88, 11), ((Q - 1) // 32, 9)):
        v = r + gamma2 - 1 >> shift
        quotient = v + (v >> 10) + 1 >> 10 if shift == 9 else (11 * v + (3 * v >> 8)) >> 10
        assert np.array_equal(quotient, (r + gamma2 - 1) // (2 * gamma2))
        assert v.max() < 1 << (15 if shift == 9 else 13)


def test_pairs_are_split(tmp_path: Path) -> None:
    ports = {"en_i": 1, "r_i": 23}
    model = unit(tmp_path, "ntf_pair_split", ports, {"x_o": 9, "y_o": 9}, common=("clk_i",))
    random = Random(13)
    most = max(p.beta for p in SETS)
    edges = [-256, -most, -1, 0, 1, most, 255]
    pairs = [(x, y) for x in edges for y in edges]
    pairs += [(random.randint(-most, most), random.randint(-most, most)) for _ in range(5000)]
    seen = model.run([{"en_i": 1, "r_i": (x + 512 * y) % Q} for x, y in pairs] + [{"r_i": 5}] * 2)
    assert [(signed(s["x_o"], 9), signed(s["y_o"], 9)) for s in seen[1:]] == [*pairs, pairs[-1]]


def test_norms(tmp_path: Path) -> None:
    lanes, bits, beats = 8, 21, 6
    inputs = {"start_i": 1, "beats_i": 10, "bound_i": bits - 1, "valid_i": 1, "x_i": lanes * bits}
    model = unit(tmp_path, "ntf_norm_check", inputs, {"within_o": 2, "done_o": 2})
    random = Random(7)
    assert not model.step()["within_o"]
    bounds = [b for p in SETS for b in ((1 << p.gamma1_bits) - p.beta, p.gamma2 - p.beta, p.gamma2)]
    for case in range(120):
        bound = bounds[case % len(bounds)]
        inside = [random.randint(1 - bound, bound - 1) for _ in range(lanes * beats)]
        inside[0], inside[1] = bound - 1, 1 - bound
        wrong = case % 3 == 1
        if wrong:
            far = [bound, -bound, bound + random.randrange(1000), -(1 << 20)]
            inside[random.randrange(lanes * beats)] = random.choice(far)
        sent = beats + (case % 7 == 3) - (case % 7 == 5)
        always = {"beats_i": beats, "bound_i": bound}
        model.step(**always, start_i=1)
        at = 0
        while at < sent:
            valid = random.random() < 0.7
            x = pack(inside[lanes * at : lanes * at + lanes] or [0] * lanes, bits)
            seen = model.step(**always, valid_i=valid, x_i=x if valid else random.getrandbits(168))
            assert not seen["within_o"] or at == beats
            at += valid
        expected = sent == beats and not wrong
        seen_last = [model.step(**always) for _ in range(6)]
        later = [each["within_o"] for each in seen_last]
        assert later[2:] == [3 * expected] * 4
        assert [each["done_o"] for each in seen_last[1:]] == [3 * (sent >= beats)] * 5
        assert not any(later) or expected or sent > beats


def test_hints_are_those_of_dilithium_py(tmp_path: Path) -> None:
    """MakeHint of the parts, and UseHint, which then gives back what had been."""
    same = {"wide_i": 1, "high_i": 6, "low_i": 19}
    make = unit(
        tmp_path / "make", "ntf_make_hint", same | {"ct0_i": 19}, {"hint_o": 1}, common=("clk_i",)
    )
    use = unit(tmp_path / "use", "ntf_use_hint", same | {"hint_i": 1}, {"high_o": 6}, common=())
    random = Random(8)
    for p in (SETS[0], SETS[1]):
        alpha, wide = 2 * p.gamma2, p.gamma2 == SETS[1].gamma2
        cases = [(r, t) for r in corners(p)[:400] for t in (0, 1, -1, p.gamma2 - 1, 1 - p.gamma2)]
        # HighBits of 0 below q, and what leads to the end of that interval, or beside it.
        for x in (1, 2, p.gamma2 - 2, *(random.randrange(1, p.gamma2 - 1) for _ in range(20))):
            cases += [(Q - x, x - p.gamma2 + off) for off in (-1, 0, 1) if x + off > 0]
        for _ in range(5000):
            r, t = random.randrange(Q), random.randint(1 - p.gamma2, p.gamma2 - 1)
            cases.append((r, t))
            # c t0 that leads to a border.
            edge = random.choice(corners(p)) - r
            if abs(edge) < p.gamma2:
                cases.append((r, edge))
        parts = [utils.decompose(r, alpha, Q) for r, _ in cases]
        given = [{"wide_i": wide, "high_i": h, "low_i": low % (1 << 19)} for h, low in parts]
        seen = make.run(
            [g | {"ct0_i": t % (1 << 19)} for g, (_, t) in zip(given, cases, strict=True)]
        )
        # h = MakeHint(-c t0, w - c s2 + c t0)
        expected = [utils.make_hint(-t, r + t, alpha, Q) for r, t in cases]
        seen = [*seen[1:], make.step(wide_i=wide)]
        assert [s["hint_o"] for s in seen] == expected
        assert 0 < sum(expected) < len(expected)
        moved = [(r + t) % Q for r, t in cases]
        parts = [utils.decompose(r, alpha, Q) for r in moved]
        for hints in (expected, [1 - h for h in expected]):
            seen = use.run(
                [
                    {"wide_i": wide, "high_i": h, "low_i": low % (1 << 19), "hint_i": hint}
                    for (h, low), hint in zip(parts, hints, strict=True)
                ]
            )
            assert [s["high_o"] for s in seen] == [
                utils.use_hint(hint, r, alpha, Q) for hint, r in zip(hints, moved, strict=True)
            ]


def encoded(
    model: CycleModel, groups: list[int], p: Parameters, stall: float, random: Random
) -> bytes:
    """What ntf_hint_encode makes; empty if there were too many."""
    always = {"k_i": p.k, "omega_i": p.omega}
    model.step(**always, start_i=1)
    out, at, last, cycles, tail = b"", 0, False, 0, 0
    while not last:
        valid, ready = at < len(groups) and random.random() >= stall, random.random() >= stall
        data = groups[at] if valid else 0
        seen = model.step(**always, valid_i=valid, ready_i=ready, data_i=data)
        at += valid and seen["ready_o"]
        if seen["valid_o"] and ready:
            out += seen["data_o"].to_bytes(8, "little")
            last, tail = bool(seen["last_o"]), seen["tail_o"]
        cycles += 1
        assert cycles < 3000
    assert at == len(groups)
    ones = sum(group.bit_count() for group in groups)
    assert stall or cycles <= len(groups) + ones + p.omega + p.k + 12
    padding = -tail % 8
    assert out[len(out) - padding :] == bytes(padding)
    return b"" if seen["over_o"] else out[: len(out) - padding]


def decoded(
    model: CycleModel, data: bytes, p: Parameters, stall: float, random: Random
) -> list[list[int]] | None:
    """Hints that ntf_hint_decode finds; None if it refuses."""
    always = {"k_i": p.k, "omega_i": p.omega}
    model.step(**always, start_i=1)
    words = [*words_of(data + random.randbytes(-len(data) % 8), 8)]
    hints = [[0] * N for _ in range(p.k)]
    at = cycles = 0
    while not (seen := model.step(**always, valid_i=0))["done_o"]:
        assert not seen["ok_o"] and not seen["fault_o"]
        if seen["set_o"]:
            hints[seen["slot_o"]][seen["at_o"]] = 1
        valid = at < len(words) and random.random() >= stall
        seen = model.step(**always, valid_i=valid, data_i=words[at] if valid else 0)
        if seen["set_o"]:
            hints[seen["slot_o"]][seen["at_o"]] = 1
        at += valid and seen["ready_o"]
        cycles += 2
        assert cycles < 1000
    assert at == len(words)
    return hints if seen["ok_o"] else None


ENCODE = (
    {"start_i": 1, "k_i": 4, "omega_i": 7, "valid_i": 1, "data_i": 8, "ready_i": 1},
    {"ready_o": 1, "valid_o": 1, "last_o": 1, "tail_o": 3, "data_o": 64, "over_o": 1},
)
DECODE = (
    {"start_i": 1, "k_i": 4, "omega_i": 7, "valid_i": 1, "data_i": 64},
    {"ready_o": 1, "set_o": 1, "slot_o": 3, "at_o": 8, "done_o": 1, "ok_o": 2, "fault_o": 1},
)


def drawn_hints(p: Parameters, count: int, random: Random) -> list[list[int]]:
    """Polynomials with so many hints in all; some have none, some end in 255."""
    hints = [[0] * N for _ in range(p.k)]
    some = random.sample(range(p.k), random.randint(1, p.k))
    places = random.sample([(i, n) for i in some for n in range(N)], count - min(count, 2))
    for i, n in [*places, *[(some[0], 255), (some[-1], 0)][: min(count, 2)]]:
        hints[i][n] = 1
    return hints


def packed_hints(p: Parameters, hints: list[list[int]]) -> bytes:
    """As dilithium-py packs them."""
    oracle = ORACLES[p.name]
    data: bytes = oracle._pack_h(oracle.M.vector([oracle.R(poly) for poly in hints]))
    return data


def test_hints_are_packed(tmp_path: Path) -> None:
    model = unit(tmp_path, "ntf_hint_encode", *ENCODE)
    random = Random(9)
    for case in range(60):
        p = SETS[case % 3]
        count = [0, 1, p.omega - 1, p.omega, random.randrange(p.omega)][case // 3 % 5]
        hints = drawn_hints(p, count, random)
        if case > 50:
            hints[random.randrange(p.k)] = [1] * N
        groups = [pack(poly[n : n + 8], 1) for poly in hints for n in range(0, N, 8)]
        got = encoded(model, groups, p, 0.4 * (case % 2), random)
        ones = sum(map(sum, hints))
        assert got == (packed_hints(p, hints) if ones <= p.omega else b"")


def test_hints_are_unpacked_or_refused(tmp_path: Path) -> None:
    """Right ones, every byte changed, and what is wrong in each way the standard names."""
    model = unit(tmp_path, "ntf_hint_decode", *DECODE)
    random = Random(10)

    def same(p: Parameters, data: bytes) -> bool:
        oracle = ORACLES[p.name]
        try:
            rows = oracle._unpack_h(data)._data
            expected = [poly.coeffs for row in rows for poly in row]
        except ValueError:
            expected = None
        # dilithium-py keeps hints as they are; ours come out before the verdict.
        assert decoded(model, data, p, 0.3 * (random.random() < 0.3), random) == expected
        return expected is not None

    right = wrong = 0
    for case in range(150):
        p = SETS[case % 3]
        count = [0, p.omega, random.randrange(p.omega), p.omega - 1][case // 3 % 4]
        data = bytearray(packed_hints(p, drawn_hints(p, count, random)))
        assert same(p, bytes(data))
        for _ in range(2):
            changed = bytearray(data)
            at = random.choice(
                [random.randrange(len(data)), p.omega - 1, random.randrange(p.omega, len(data))]
            )
            near = [
                changed[at] ^ 1 << random.randrange(8),
                (changed[at] + 1) % 256,
                p.omega + 1,
                255,
            ]
            changed[at] = random.choice(near)
            fine = same(p, bytes(changed))
            right, wrong = right + fine, wrong + (not fine)
        # Two places of a polynomial, equal or exchanged; an end below the one before.
        ends = [0, *data[p.omega :]]
        twice = [i for i in range(p.k) if ends[i + 1] - ends[i] > 1]
        if twice:
            first = ends[twice[0]]
            for pair in ((data[first], data[first]), (data[first + 1], data[first])):
                changed = bytearray(data)
                changed[first : first + 2] = bytes(pair)
                assert not same(p, bytes(changed))
    assert right > 5 and wrong > 100


def test_the_memory_of_hints_has_two_orders(tmp_path: Path) -> None:
    model = unit(
        tmp_path,
        "ntf_hint_memory",
        {
            **{"start_i": 1, "set_i": 1, "set_slot_i": 3, "set_at_i": 8},
            **{"write_i": 1, "write_slot_i": 3, "write_at_i": 5, "write_data_i": 8},
            **{"natural_i": 1, "clear_i": 1, "read_slot_i": 3, "read_at_i": 5},
        },
        {"ones_o": 24, "read_data_o": 8},
    )
    random = Random(11)

    def read(natural: bool, clear: bool) -> list[list[int]]:
        every = []
        for slot in range(8):
            poly = [0] * N
            for at in range(32):
                model.step(natural_i=natural, read_slot_i=slot, read_at_i=at)
                # A cycle later, whatever is asked for by then.
                seen = model.step(
                    **{"natural_i": random.getrandbits(1), "clear_i": clear},
                    **{"read_slot_i": random.getrandbits(3), "read_at_i": random.getrandbits(5)},
                )
                for lane, bit in enumerate(unpack(seen["read_data_o"], 1, 8)):
                    place = 4 * at + lane % 4 + 128 * (lane // 4)
                    poly[8 * at + lane if natural else place] = bit
            every.append(poly)
        return every

    for turn in range(4):
        read(bool(turn % 2), clear=True)
        hints = [[int(random.random() < 0.1) for _ in range(N)] for _ in range(8)]
        model.step(start_i=1)
        if turn < 2:
            for slot, poly in enumerate(hints):
                for at in range(32):
                    beat = [poly[4 * at + i] for i in range(4)] + [
                        poly[128 + 4 * at + i] for i in range(4)
                    ]
                    data = pack(beat, 1)
                    if random.random() < 0.2:  # what stands there without a write does not count
                        model.step(write_data_i=random.getrandbits(8))
                    model.step(write_i=1, write_slot_i=slot, write_at_i=at, write_data_i=data)
            assert model.step()["ones_o"] == sum(map(sum, hints)) * 4097
        else:
            ones = [(s, n) for s, poly in enumerate(hints) for n in range(N) if poly[n]]
            for slot, place in random.sample(ones, len(ones)):
                model.step(set_i=1, set_slot_i=slot, set_at_i=place)
        assert read(True, clear=False) == hints
        assert read(False, clear=True) == hints
        assert not any(map(any, read(True, clear=False)))


def test_fields_of_all_widths_are_packed_and_unpacked(tmp_path: Path) -> None:
    """Against dilithium-py's packing of w1, t1, s, t0 and z, at 64 bits a cycle."""
    handshake = {"wipe_i": 1, "d_i": 5, "valid_i": 1, "ready_i": 1}
    encode = unit(
        tmp_path / "encode",
        "ntf_field_encode",
        handshake | {"data_i": 8 * WIDEST},
        {"ready_o": 1, "valid_o": 1, "data_o": 64},
    )
    decode = unit(
        tmp_path / "decode",
        "ntf_field_decode",
        handshake | {"data_i": 64},
        {"ready_o": 1, "step_o": 1, "valid_o": 1, "data_o": 8 * WIDEST},
    )
    random = Random(12)
    ring = ML_DSA_44.R
    packers: dict[int, Any] = {
        3: lambda x: ring([2 - v for v in x]).bit_pack_s(2),
        4: lambda x: ring(x).bit_pack_w(SETS[1].gamma2),
        6: lambda x: ring(x).bit_pack_w(SETS[0].gamma2),
        10: lambda x: ring(x).bit_pack_t1(),
        13: lambda x: ring([4096 - v for v in x]).bit_pack_t0(),
        18: lambda x: ring([(1 << 17) - v for v in x]).bit_pack_z(1 << 17),
        20: lambda x: ring([(1 << 19) - v for v in x]).bit_pack_z(1 << 19),
    }
    for d in (*ENCODED, *reversed(ENCODED)):
        for stall in (0.0, 0.5):
            values = [random.getrandbits(d) for _ in range(N)]
            words: list[int] = []
            at = cycles = 0
            while len(words) < 4 * d:
                valid, ready = at < 32 and random.random() >= stall, random.random() >= stall
                data = pack(values[8 * at : 8 * at + 8], WIDEST) if valid else 0
                seen = encode.step(d_i=d, valid_i=valid, data_i=data, ready_i=ready)
                words += [seen["data_o"]] if ready and seen["valid_o"] else []
                at += valid and seen["ready_o"]
                cycles += 1
            assert pack(words, 64).to_bytes(32 * d, "little") == packers[d](values)
            assert stall or cycles <= max(32, 4 * d) + 9
            if d not in DECODED:
                continue
            got: list[int] = []
            at = cycles = 0
            while len(got) < N:
                valid, ready = (
                    at < len(words) and random.random() >= stall,
                    random.random() >= stall,
                )
                word = words[at] if valid else random.getrandbits(64)
                seen = decode.step(d_i=d, valid_i=valid, data_i=word, ready_i=ready)
                got += unpack(seen["data_o"], WIDEST, 8) if ready and seen["valid_o"] else []
                at += valid and seen["ready_o"]
                cycles += 1
            assert got == values
            assert stall or cycles <= max(32, 4 * d) + 8
    # Wiped in the middle, nothing is left of it.
    for _ in range(4):
        decode.step(d_i=20, valid_i=1, data_i=(1 << 64) - 1)
    assert decode.step(d_i=20)["data_o"]
    decode.step(d_i=20, wipe_i=1)
    seen = decode.step(d_i=20, ready_i=1)
    assert not seen["valid_o"] and not seen["data_o"]
    encode.step(d_i=20, valid_i=1, data_i=1)
    encode.step(d_i=20, wipe_i=1)
    assert not encode.step(d_i=20, ready_i=1)["valid_o"] and not encode.step(d_i=20)["data_o"]


#: task_t: sign, external, set, k, l, eta4, wide.
TASKS = {
    "ML-DSA-44": 1 << 12 | 0 << 9 | 4 << 5 | 4 << 2 | 0b00,
    "ML-DSA-65": 1 << 12 | 1 << 9 | 6 << 5 | 5 << 2 | 0b11,
    "ML-DSA-87": 1 << 12 | 2 << 9 | 8 << 5 | 7 << 2 | 0b01,
}


class TryBeat:
    """A beat of a try with random coefficients, and what the checks must make of it.

    `spoilt` is a kind, a lane, and the value that is judged there.
    """

    def __init__(
        self, p: Parameters, rng: Random, pair: bool, spoilt: tuple[str, int, int] | None
    ) -> None:
        self.pair, self.p = pair, p
        gamma1, gamma2, beta = 1 << p.gamma1_bits, p.gamma2, p.beta

        def drawn(limit: int) -> list[int]:
            return [rng.randrange(-limit, limit + 1) for _ in range(8)]

        y, w0, t0, a, b = (drawn(x) for x in (gamma1 // 2, gamma2 // 2, gamma2 - 1, beta, beta))
        w1 = [rng.randrange(16) for _ in range(8)]
        if spoilt:
            name, lane, value = spoilt
            if name == "z":
                y[lane] = value - a[lane]
            elif name == "w0":
                w0[lane] = value + b[lane]
            else:
                t0[lane] = value
        both = [x + 512 * z for x, z in zip(a, b, strict=True)]
        self.data = pack([x % Q for x in (both if pair else t0)], 23)
        lanes = zip(w0, y, w1, strict=True)
        self.waiting = pack(
            [
                (rest % (1 << 19)) << 46 | (mask % Q) << 23 | high << 10
                for rest, mask, high in lanes
            ],
            65,
        )
        self.z = [(gamma1 - x - z) % (1 << p.z_bits) for x, z in zip(y, a, strict=True)]
        self.rest = pack([x - z for x, z in zip(w0, b, strict=True)], 19)
        sums = zip([x + z for x, z in zip(w0, t0, strict=True)], w1, strict=True)
        self.hints = pack([abs(s) > gamma2 or (s == -gamma2 and h != 0) for s, h in sums], 1)

    def is_seen(self, seen: dict[str, int], behind: dict[str, int], slot: int) -> bool:
        """Whether it went where it must, as what it must be; hints in the cycle after."""
        seen = seen | {name: behind[name] for name in ("hint_to_o", "hint_o")}
        columns = self.pair and slot < self.p.l
        go = tuple(seen[f"{name}_to_o"] >> 8 for name in ("vector", "rest", "hint"))
        z = [x % (1 << self.p.z_bits) for x in unpack(seen["vector_o"], 20, 8)]
        there = not columns or z == self.z
        made = seen["rest_o"] == self.rest if self.pair else seen["hint_o"] == self.hints
        return go == (columns, self.pair, not self.pair) and there and made


def checked_try(
    model: CycleModel, p: Parameters, spoilt: tuple[str, int, int] | None, rng: Random
) -> bool:
    """Whether a try is within its bounds, in one beat of which a coefficient has a given value."""
    task = {"task_i": TASKS[p.name]}
    kind = spoilt[0] if spoilt else ""
    where = (kind != "t0", rng.randrange(p.l if kind == "z" else p.k), rng.randrange(32))
    places = [(pair, slot, at) for pair in (True, False) for slot in range(p.k) for at in range(32)]
    beats = [TryBeat(p, rng, place[0], spoilt if place == where else None) for place in places]
    model.step(start_i=1, **task)
    seen: list[dict[str, int]] = []
    waiting, asked, first = 0, 0, len(places) // 2
    for number, ((pair, slot, at), beat) in enumerate(zip(places, beats, strict=True)):
        if number == first:  # c t0 comes when what is before has been judged
            early = [model.step(**task, wait_i=word) for word in (waiting, *[asked] * 6)]
            seen, waiting = [*seen, *early], asked
            assert early[-1]["within_o"] in (0, 3)
            if not early[-1]["within_o"]:
                assert kind in ("z", "w0")
        place = {"from_i": 1 << 8 | slot << 5 | at, "pair_i": int(pair)}
        late = {"passed_i": int(number >= first)}
        seen.append(model.step(**task, **place, **late, data_i=beat.data, wait_i=waiting))
        waiting, asked = asked, beat.waiting
    seen += [model.step(**task, passed_i=1, wait_i=word) for word in (waiting, *[asked] * 6)]
    for number, ((_, slot, _), beat) in enumerate(zip(places, beats, strict=True)):
        at = number + len(early) * (number >= first)
        assert beat.is_seen(seen[at + 3], seen[at + 4], slot)
    # It is known after the last beat of either part, and not earlier, whatever is wrong.
    for part in (early, seen):
        assert [each["done_o"] for each in part[-6:]] == [0] * 3 + [3] * 3
    assert not any(each["fault_o"] for each in seen)
    assert seen[-1]["within_o"] in (0, 3)
    return bool(seen[-1]["within_o"])


def test_checks_of_a_try(tmp_path: Path) -> None:
    """Each norm, at its bound and one below, on both sides, in any beat."""
    inputs = {"start_i": 1, "task_i": 17, "from_i": 9, "pair_i": 1, "data_i": 184, "wait_i": 520}
    inputs |= {"passed_i": 1}
    outputs = {"vector_to_o": 9, "vector_o": 160, "rest_to_o": 9, "rest_o": 152, "hint_to_o": 9}
    outputs |= {"hint_o": 8, "within_o": 2, "done_o": 2, "fault_o": 1}
    model = unit(tmp_path, "ntf_mldsa_checks", inputs, outputs)
    rng = Random(11)
    for p in SETS:
        bounds = {"z": (1 << p.gamma1_bits) - p.beta, "w0": p.gamma2 - p.beta, "t0": p.gamma2}
        assert checked_try(model, p, None, rng)
        for name, bound in bounds.items():
            for value in (bound, -bound, bound - 1, 1 - bound):
                within = checked_try(model, p, (name, rng.randrange(8), value), rng)
                assert within == (abs(value) < bound), (p.name, name, value)


def test_packets_end_when_they_are_aborted(tmp_path: Path) -> None:
    """One that was begun, or offered, ends with a word of zeros; one that is over does not."""
    names = ("wipe_i", "abort_i", "abandon_i", "valid_i", "shows_i", "last_i", "m_tready")
    model = unit(
        tmp_path,
        "ntf_packet_port",
        dict.fromkeys(names, 1) | {"data_i": 64},
        {"open_o": 1, "ready_o": 1, "m_tvalid": 1, "m_tlast": 1, "m_tdata": 64},
    )
    random, ends = Random(17), set()
    for _ in range(400):
        sent: list[tuple[int, int]] = []
        came: list[tuple[int, int]] = []
        length, abandoned = random.randrange(1, 9), random.random() < 0.1
        for cycle in range(99):
            wipe, abort = cycle >= length, cycle == length
            word = (random.getrandbits(64), int(random.random() < 0.3))
            whole = sent and sent[-1][1]  # a packet is the only one until the next wiping
            valid = not wipe and not whole and random.random() < 0.8
            ready = random.random() < 0.6 and not (abandoned and 0 <= cycle - length < 8)
            seen = model.step(
                **{"valid_i": valid, "data_i": word[0], "last_i": word[1], "m_tready": ready},
                shows_i=valid or (not wipe and random.random() < 0.5),
                **{"wipe_i": wipe and cycle < length + 5, "abort_i": abort},
                abandon_i=abandoned and cycle == length + 7,
            )
            sent += [word] if valid and seen["ready_o"] else []
            came += [(seen["m_tdata"], seen["m_tlast"])] if seen["m_tvalid"] and ready else []
            if abort:
                before, offered = len(came), seen["m_tvalid"] and not ready
            if cycle > length + 8 and not seen["open_o"]:
                break
        assert came[:before] == sent[:before]
        begun = offered or bool(before and not came[before - 1][1])
        assert came[before:] == [(0, 1)] * (begun and not abandoned)
        ends.add((begun, abandoned))
    assert len(ends) == 4
