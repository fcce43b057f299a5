# SPDX-License-Identifier: Apache-2.0
import hashlib
import random
from pathlib import Path

import numpy as np
import pytest

from nttforge.ring.presets import find_preset
from nttforge.simulate.cycles import CycleModel
from tests.rtl.decomposed.unit_bench import Structures, width
from tests.rtl.mlkem_bench import Q, pack, unit, unpack

EDGES = (Q - 1, Q, 4095, 0)


def permutation(where: Path, rounds: int = 1) -> CycleModel:
    return unit(
        where,
        "ntf_keccak_f1600",
        {"start_i": 1, "fresh_i": 1, "abort_i": 1, "wipe_i": 1, "block_i": 1344},
        {
            **dict.fromkeys(("ready_o", "valid_o", "ready_soon_o", "valid_soon_o"), 1),
            **{"fault_o": 1, "state_o": 1600},
        },
        Rounds=rounds,
    )


def sponge(model: CycleModel, message: bytes, rate: int, suffix: int, length: int) -> bytes:
    """A whole hash function around the permutation, blocks padded here."""
    padded = bytearray(message + bytes([suffix]) + bytes(-(len(message) + 1) % rate))
    padded[-1] |= 0x80
    blocks = [padded[at : at + rate] for at in range(0, len(padded), rate)]
    out = b""
    first = True
    while blocks or len(out) < length:
        block = blocks.pop(0) if blocks else b""
        seen = model.step(start_i=1, fresh_i=first, block_i=int.from_bytes(block, "little"))
        assert seen["ready_o"]
        first = False
        while not (seen := model.step())["valid_o"]:
            assert not seen["ready_o"]
        if not blocks:
            out += seen["state_o"].to_bytes(200, "little")[:rate]
    return out[:length]


@pytest.mark.parametrize("rounds", [1, 2, 6])
def test_keccak_makes_the_hash_functions(tmp_path: Path, rounds: int) -> None:
    model = permutation(tmp_path, rounds)
    rng = random.Random(rounds)
    for size in (0, 1, 71, 72, 135, 136, 137, 168, 400):
        message = rng.randbytes(size)
        assert sponge(model, message, 136, 6, 32) == hashlib.sha3_256(message).digest()
        assert sponge(model, message, 72, 6, 64) == hashlib.sha3_512(message).digest()
        assert sponge(model, message, 168, 31, 700) == hashlib.shake_128(message).digest(700)
        assert sponge(model, message, 136, 31, 300) == hashlib.shake_256(message).digest(300)


@pytest.mark.parametrize("rounds", [1, 2])
def test_keccak_never_pauses(tmp_path: Path, rounds: int) -> None:
    model = permutation(tmp_path, rounds)
    seen = model.run([{"start_i": 1, "fresh_i": 1}] * 100)
    starts = [t for t, outputs in enumerate(seen) if outputs["ready_o"]]
    assert starts == list(range(0, 100, 24 // rounds))
    assert seen[24 // rounds]["valid_o"]


def test_keccak_abort_and_wipe(tmp_path: Path) -> None:
    model = permutation(tmp_path)
    model.step(start_i=1, fresh_i=1, block_i=1)
    for _ in range(5):
        model.step()
    model.step(abort_i=1)
    seen = model.step()
    assert seen["ready_o"] and not seen["valid_o"] and seen["state_o"]
    assert sponge(model, b"abc", 136, 6, 32) == hashlib.sha3_256(b"abc").digest()
    model.step(wipe_i=1)
    # What is seen is a round of it: of zeros, nothing but iota's first constant.
    assert model.step()["state_o"] == 1


ABSORB = {
    **{"wipe_i": 1, "valid_i": 1, "last_i": 1, "whole_i": 1, "suffix_i": 8, "data_i": 64},
    "ready_i": 1,
}


def test_absorb_pads(tmp_path: Path) -> None:
    model = unit(
        tmp_path,
        "ntf_sponge_absorb",
        ABSORB,
        {"ready_o": 1, "valid_o": 1, "final_o": 1, "fault_o": 1, "block_o": 1088},
    )
    rng = random.Random(5)
    # Whole words, then every number of bytes of the last one, none too.
    lengths = [8 * words for words in (1, 16, 17, 18, 33, 34, 35, *range(100, 110))]
    for length in [*lengths, 0, *range(1, 8), *range(121, 145), 271, 272, 273]:
        suffix = rng.choice([6, 31])
        message = rng.randbytes(length)
        words = max(1, -(-length // 8))
        blocks, at, final = [], 0, False
        while not final:
            valid, ready = at < words and rng.random() < 0.8, rng.random() < 0.3
            # Behind a part of a word comes the suffix, in it.
            word = message[8 * at : 8 * at + 8]
            seen = model.step(
                valid_i=valid,
                data_i=int.from_bytes(word + bytes([suffix] * (len(word) < 8)), "little"),
                last_i=at == words - 1,
                whole_i=len(word) == 8 if at == words - 1 else rng.randrange(2),
                suffix_i=suffix,
                ready_i=ready,
            )
            at += valid and seen["ready_o"]
            if ready and seen["valid_o"]:
                blocks.append(seen["block_o"].to_bytes(136, "little"))
                final = bool(seen["final_o"])
        padded = bytearray(message + bytes([suffix]) + bytes(-(len(message) + 1) % 136))
        padded[-1] |= 0x80
        assert b"".join(blocks) == padded
        assert at == words


def test_absorb_takes_seventeen_cycles(tmp_path: Path) -> None:
    model = unit(
        tmp_path,
        "ntf_sponge_absorb",
        ABSORB,
        {"ready_o": 1, "valid_o": 1, "final_o": 1, "fault_o": 1, "block_o": 1088},
    )
    seen = model.run([{"valid_i": 1, "ready_i": 1}] * 19)
    assert [t for t, outputs in enumerate(seen) if outputs["valid_o"]] == [17]


def test_squeeze_buffer(tmp_path: Path) -> None:
    model = unit(
        tmp_path,
        "ntf_squeeze_buffer",
        {
            "wipe_i": 1,
            "load_i": 1,
            "narrow_i": 1,
            "append_i": 1,
            "digest_i": 1,
            "block_i": 1344,
            "take96_i": 1,
            "take64_i": 1,
            "last_i": 1,
            "drop_i": 1,
        },
        {"room_o": 1, "has96_o": 1, "has64_o": 1, "window_o": 96, "digest_o": 512},
    )
    rng = random.Random(9)

    def drain(width: int) -> list[int]:
        words = []
        while (seen := model.step())[f"has{width}_o"]:
            words.append(seen["window_o"] & (1 << width) - 1)
            model.step(**{f"take{width}_i": 1})
        return words

    wide = rng.getrandbits(1344)
    model.step(load_i=1, block_i=wide)
    assert not model.step()["room_o"]
    assert drain(96) == unpack(wide, 96, 14)
    narrow = [rng.getrandbits(1088) for _ in range(3)]
    model.step(load_i=1, narrow_i=1, block_i=narrow[0])
    assert drain(64) == unpack(narrow[0], 64, 17)
    model.step(load_i=1, narrow_i=1, block_i=narrow[1])
    both = drain(96)
    model.step(load_i=1, narrow_i=1, append_i=1, block_i=narrow[2])
    both += drain(96)
    assert not model.step(drop_i=1)["room_o"]
    assert model.step()["room_o"]
    stream = narrow[1] | narrow[2] << 1088
    assert both == unpack(stream, 96, 22)
    model.step(load_i=1, digest_i=1, block_i=wide)
    seen = model.step()
    assert seen["digest_o"] == wide & (1 << 512) - 1 and seen["room_o"] and not seen["has64_o"]
    model.step(load_i=1, block_i=wide)
    model.step(take96_i=1, last_i=1)
    assert model.step()["room_o"]
    model.step(load_i=1, block_i=wide)
    model.step(wipe_i=1)
    seen = model.step()
    assert seen["window_o"] == 0 and seen["room_o"] and not seen["has64_o"]


@pytest.mark.parametrize("stall", [0.0, 0.4])
def test_uniform_sampler(tmp_path: Path, stall: float) -> None:
    model = unit(
        tmp_path,
        "ntf_sample_uniform",
        {"start_i": 1, "valid_i": 1, "data_i": 96},
        {"idle_o": 1, "done_o": 1, "valid_o": 1, "data_o": 96},
    )
    rng = random.Random(11)
    # Words before the first one are undefined.
    early = model.run([{"valid_i": 1}] * 40)
    assert all(s["done_o"] and not s["valid_o"] for s in early)
    for case in range(60):
        # Some with hardly any rejection, some with much, some of the boundary alone.

        def draw(edges: bool = case % 3 == 2) -> int:
            return rng.choice(EDGES) if edges else rng.getrandbits(12)

        candidates = [draw() for _ in range(8 * 120)]
        expected = [c for c in candidates if c < Q][:256]
        model.step(start_i=1)
        got, at, cycles, done = [], 0, 0, False
        while not done:
            valid = rng.random() >= stall
            word = pack(candidates[8 * at : 8 * at + 8], 12)
            seen = model.step(valid_i=valid, data_i=word)
            cycles += 1
            if seen["valid_o"]:
                got += unpack(seen["data_o"], 12, 8)
            at += valid
            done = bool(seen["done_o"])
            assert cycles < 1000
        assert got == expected
        taken = [c for c in candidates[: 8 * at] if c < Q]
        assert len(taken) >= 256
        if not stall:
            needed = next(n for n in range(961) if sum(c < Q for c in candidates[:n]) == 256)
            assert at <= -(-needed // 8) + 3
        # What comes too late is dropped.
        after = [model.step(valid_i=1, data_i=0) for _ in range(4)]
        assert all(s["done_o"] and not s["valid_o"] for s in after)
    # `idle_o` without `done_o` means that a block was not enough.
    model.step(start_i=1)
    for _ in range(31):
        model.step(valid_i=1, data_i=0)
    assert [model.step()["idle_o"] for _ in range(3)] == [0, 0, 1]
    assert not model.step()["done_o"]
    model.step(valid_i=1, data_i=0)
    assert [model.step()["done_o"] for _ in range(3)] == [0, 0, 1]


@pytest.mark.parametrize("lanes", [2, pytest.param(32, marks=pytest.mark.slow)])
def test_gaps_are_closed_in_beats_of_any_size(tmp_path: Path, lanes: int) -> None:
    """The smallest and the largest one: all that pass leave, in order, up to 256."""
    model = unit(
        tmp_path,
        "ntf_sample_compact",
        {"start_i": 1, "valid_i": 1, "pass_i": lanes, "data_i": 8 * lanes},
        {"idle_o": 1, "done_o": 1, "valid_o": 1, "data_o": 8 * lanes},
        Lanes=lanes,
        W=8,
    )
    rng = random.Random(lanes)
    for share in (1.0, 0.5, 0.05):
        passed, got = [], list[int]()
        seen = model.step(start_i=1)
        while not seen["done_o"] or len(got) < 256:
            data = [rng.getrandbits(8) for _ in range(lanes)]
            passes = [rng.random() < share for _ in range(lanes)]
            valid = rng.random() < 0.8
            passed += [word for word, ok in zip(data, passes, strict=True) if ok and valid]
            seen = model.step(valid_i=valid, pass_i=pack(passes, 1), data_i=pack(data, 8))
            got += unpack(seen["data_o"], 8, lanes) if seen["valid_o"] else []
            assert len(passed) < 2000
        assert got == passed[:256]


def test_binomial_sampler_exhaustively(tmp_path: Path) -> None:
    model = unit(
        tmp_path, "ntf_sample_cbd", {"eta3_i": 1, "bits_i": 96}, {"coeff_o": 48}, common=()
    )
    for eta in (2, 3):
        every = list(range(1 << 2 * eta))
        rng = random.Random(eta)
        for turn in range(max(4, len(every) // 16) * 4):
            group = [every[(16 * turn + i) % len(every)] for i in range(16)]
            rng.shuffle(group)
            seen = model.step(eta3_i=eta == 3, bits_i=pack(group, 2 * eta))
            expected = [(v & (1 << eta) - 1).bit_count() - (v >> eta).bit_count() for v in group]
            assert unpack(seen["coeff_o"], 3, 16) == [e % 8 for e in expected]


def late(values: list[dict[str, int]]) -> list[dict[str, int]]:
    """Inputs for a unit that wants d a cycle after the number; the first result is undefined."""
    empty = [{"d_i": values[0]["d_i"]}]
    numbers = [{k: v for k, v in value.items() if k != "d_i"} for value in values]
    return [n | {"d_i": d["d_i"]} for n, d in zip([*numbers, {}], empty + values, strict=True)]


def test_compress_exhaustively(tmp_path: Path) -> None:
    model = unit(tmp_path, "ntf_compress", {"d_i": 4, "x_i": 12}, {"y_o": 11}, common=("clk_i",))
    cases = [(d, x) for d in (1, 4, 5, 10, 11) for x in range(Q)]
    random.Random(1).shuffle(cases)
    seen = model.run(late([{"d_i": d, "x_i": x} for d, x in cases]))[1:]
    # The nearest of 2^d x / q in integers; there are no ties, because q is odd.
    assert [s["y_o"] for s in seen] == [(2 * (x << d) + Q) // (2 * Q) % 2**d for d, x in cases]


@pytest.mark.parametrize("wide", [False, True])
def test_decompress_exhaustively(tmp_path: Path, wide: bool) -> None:
    ports = {"en_i": 1, "d_i": 4, "y_i": 11}
    model = unit(tmp_path, "ntf_decompress", ports, {"x_o": 12}, common=("clk_i",), Wide=int(wide))
    cases = [(d, y) for d in ((10, 11) if wide else (1, 4, 5)) for y in range(2**d)]
    random.Random(1).shuffle(cases)
    values = [{"d_i": d, "y_i": y, "en_i": 1} for d, y in cases]
    seen = model.run(late(values))[1:] if wide else model.run(values)
    assert [s["x_o"] for s in seen] == [(2 * y * Q + 2**d) // 2 ** (d + 1) for d, y in cases]
    # Without `en_i` the wide one keeps what it has.
    if wide:
        model.run([{"d_i": 10, "y_i": 1023, "en_i": 1}, {"d_i": 10, "y_i": 5}])
        assert model.step(d_i=10)["x_o"] == (2 * 1023 * Q + 1024) // 2048


def test_reduction(tmp_path: Path) -> None:
    ports = {"en_i": 1, "x_i": 26}
    model = unit(tmp_path, "ntf_mlkem_reduce", ports, {"r_o": 12}, common=("clk_i",))
    rng = random.Random(3)
    values = [m * Q + off for m in range(0, 20158, 7) for off in (-1, 0, 1) if m * Q + off >= 0]
    values += [rng.getrandbits(26) for _ in range(100000)] + list(range((1 << 26) - 10000, 1 << 26))
    seen = model.run([{"x_i": v, "en_i": 1} for v in [*values, 0]])[1:]
    assert [s["r_o"] for s in seen] == [v % Q for v in values]
    model.step(x_i=5)
    assert model.step()["r_o"] == 0


def test_reduction_rule_exhaustively() -> None:
    # What the circuit adds up, for every x: the rest stays where one correction mends it.
    residues = [np.array([(v << at) % Q for v in range(32)]) for at in (11, 16, 21)]
    multiples = np.array([(512 * v + 511) // Q * Q for v in range(32)])
    for part in range(16):
        x = np.arange(part << 22, (part + 1) << 22, dtype=np.int64)
        folded = x & 2047
        for at, table in zip((11, 16, 21), residues, strict=True):
            folded = folded + table[x >> at & 31]
        assert folded.max() < 1 << 14
        rest = folded - multiples[folded >> 9]
        assert np.array_equal(np.where(rest < 0, rest + Q, rest), x % Q)


def test_base_multiplication(tmp_path: Path) -> None:
    model = unit(
        tmp_path,
        "ntf_basemul",
        {"en_i": 1, "a_i": 24, "b_i": 24, "add_i": 24, "zeta_i": 12},
        {"r_o": 24},
        common=("clk_i",),
    )
    rng = random.Random(8)
    corners = [0, 1, Q - 1, Q, 4095]
    roots = find_preset("ml-kem").ring.leaf_roots
    cases = []
    for n in range(4000):
        words = [rng.choice(corners) if n % 4 == 0 else rng.getrandbits(12) for _ in range(6)]
        cases.append((words, rng.choice(roots), rng.random() < 0.8))
    seen = model.run(
        [
            {
                "en_i": en,
                "a_i": pack(v[0:2], 12),
                "b_i": pack(v[2:4], 12),
                "add_i": pack(v[4:6], 12),
                "zeta_i": zeta,
            }
            for v, zeta, en in cases
        ]
    )
    enabled = [(v, zeta) for v, zeta, en in cases if en]
    # An output stands after the eighth edge, until the next enabled one.
    edges = 0
    for outputs, (_, _, en) in zip(seen, cases, strict=True):
        if edges >= 8:
            (a0, a1, b0, b1, c0, c1), zeta = enabled[edges - 8]
            even, odd = (a0 * b0 + a1 * b1 * zeta + c0) % Q, (a0 * b1 + a1 * b0 + c1) % Q
            assert unpack(outputs["r_o"], 12, 2) == [even, odd]
        edges += en


def test_encode_and_decode(tmp_path: Path) -> None:
    encode = unit(
        tmp_path / "encode",
        "ntf_byte_encode",
        {"wipe_i": 1, "d_i": 4, "valid_i": 1, "data_i": 96, "late_i": 96, "ready_i": 1},
        {"ready_o": 1, "valid_o": 1, "data_o": 64},
    )
    decode = unit(
        tmp_path / "decode",
        "ntf_byte_decode",
        {"wipe_i": 1, "d_i": 4, "valid_i": 1, "data_i": 64, "ready_i": 1},
        {"ready_o": 1, "step_o": 1, "valid_o": 1, "data_o": 88},
    )
    rng = random.Random(21)
    for d in (12, 1, 4, 5, 10, 11, 12, 4):
        for stall in (0.0, 0.5):
            values = [rng.getrandbits(d) for _ in range(256)]
            expected = sum(v << d * i for i, v in enumerate(values))
            words: list[int] = []
            at = cycles = 0
            while len(words) < 4 * d:
                valid, ready = at < 32 and rng.random() >= stall, rng.random() >= stall
                data = pack(values[8 * at : 8 * at + 8], 12)
                late = d == 12 and rng.random() < 0.5
                beat = {"data_i": 0, "late_i": data} if late else {"data_i": data, "late_i": 0}
                seen = encode.step(d_i=d, valid_i=valid, ready_i=ready, **beat)
                if ready and seen["valid_o"]:
                    words.append(seen["data_o"])
                at += valid and seen["ready_o"]
                cycles += 1
            assert pack(words, 64) == expected
            assert stall or cycles <= max(32, 4 * d) + 9
            if d in (1, 12):
                continue
            got: list[int] = []
            at = cycles = 0
            while len(got) < 256:
                valid, ready = at < 4 * d and rng.random() >= stall, rng.random() >= stall
                word = words[at] if at < 4 * d else 0
                seen = decode.step(d_i=d, valid_i=valid, data_i=word, ready_i=ready)
                if ready and seen["valid_o"]:
                    got += unpack(seen["data_o"], 11, 8)
                at += valid and seen["ready_o"]
                cycles += 1
            assert got == values
            assert stall or cycles <= max(32, 4 * d) + 4


def test_a_short_pause_of_what_is_read_costs_nothing(tmp_path: Path) -> None:
    """75 words take as many cycles, as long as what waits has room."""
    model = unit(
        tmp_path,
        "ntf_byte_unpack",
        {"wipe_i": 1, "bytes_i": 4, "valid_i": 1, "data_i": 64, "ready_i": 1},
        {"step_o": 1, "ready_o": 1, "load_o": 1, "bytes_o": 4, "data_o": 88, "valid_o": 1},
    )
    for pause in range(7):
        model.reset()
        every = [{"bytes_i": 10, "valid_i": 1, "ready_i": t >= pause} for t in range(80)]
        seen = model.run(every)
        left = [t for t in range(pause, 80) if seen[t]["valid_o"]]
        assert left[59] == 75 + 3, pause


@pytest.mark.parametrize("block_from", [8, 9])
def test_a_list_of_jobs(tmp_path: Path, block_from: int) -> None:
    """From any beginning: one after another, and to any word of it; in block RAM, and in tables."""
    model = unit(
        tmp_path,
        "ntf_job_list",
        {"load_i": 1, "base_i": 16, "next_i": 1, "jump_i": 1, "jump_at_i": 6},
        {"at_o": 6, "word_o": 4, "place_o": 4},
        Width=4,
        Num=8,
        Words=0x36274051,  # no word is the number of its place
        BlockFrom=block_from,
    )
    rng = random.Random(15)
    base = at = 0
    for case in range(400):
        what = rng.choice(("load_i", "jump_i", "next_i", "next_i")) if case else "load_i"
        base = rng.randrange(8) if what == "load_i" else base
        at = {"load_i": 0, "jump_i": rng.randrange(8 - base), "next_i": at + 1}[what]
        if base + at == 8:
            at -= 1
            continue
        model.step(base_i=base)
        model.step(**{what: 1}, base_i=base, jump_at_i=at)
        noise = {"jump_at_i": rng.randrange(64), "base_i": base}
        model.run([noise] * (0 if what == "next_i" else 2))
        seen = model.step(**noise)
        assert (seen["at_o"], seen["word_o"]) == (at, 0x36274051 >> 4 * (base + at) & 15)
        assert seen["place_o"] == base + at


#: ctrl_t, what of it counts here; ntt_job_t.
CTRL = (("run", 1), ("wipe", 1), ("rest", 8), ("clear", 1), ("more", 128))
JOB = (
    *(("stop", 1), ("inverse", 1), ("source", 2), ("from", 4)),
    *(("need", 6), ("sink", 3), ("to", 4), ("added", 4)),
)
FROM_SUM = 2


@pytest.mark.parametrize("stall", [0.0, 0.4])
def test_a_transform_that_was_cut_short_is_forgotten(tmp_path: Path, stall: float) -> None:
    """It is cleared; then an inverse and a forward one of zeros are sent, whole."""
    feed = unit(
        tmp_path,
        "ntf_transform_feed",
        {
            **{"ctrl_i": width(CTRL), "job_i": width(JOB), "sampled_i": 16, "sampling_slot_i": 4},
            **{"sampling_words_i": 5, "noise_busy_i": 1, "cipher_fill_i": 8, "written_i": 11},
            **{"noise_i": 96, "cipher_i": 48, "sum_i": 96, "ready_i": 1},
        },
        {
            **{"next_o": 1, "beat_o": 6, "move_o": 1, "flushed_o": 1},
            **{"valid_o": 1, "last_o": 1, "inverse_o": 1, "data_o": 48},
        },
        TLanes=4,
    )
    model, rng, beats = Structures(feed, {"ctrl_i": CTRL, "job_i": JOB}, {}), random.Random(16), 64
    words = {"sum_i": (1 << 96) - 1, "cipher_i": (1 << 48) - 1, "noise_i": (1 << 96) - 1}
    for case in range(40):
        model.reset()
        # So many eights of the first transform are there, or more than one transform.
        written = rng.randrange(32) if case % 4 else 1 << 5
        ends, job = rng.randrange(4, 170), {"source_i": FROM_SUM, "inverse_i": rng.randrange(2)}
        got: list[tuple[int, int, int]] = []
        begun, cleared, seen = 0, ends + rng.randrange(1, 9), {"flushed_o": 0}
        for cycle in range(3000):
            ready, runs, clears = rng.random() >= stall, cycle < ends, ends <= cycle < cleared
            seen = model.step(
                **{**words, **job, "ready_i": ready, "written_i": written},
                **{"run_i": runs, "wipe_i": not runs, "clear_i": clears},
            )
            if cycle == cleared:
                begun = len(got)
            if seen["valid_o"] and ready:
                got.append((bool(seen["data_o"]), seen["last_o"], seen["inverse_o"]))
            if seen["flushed_o"] and not seen["valid_o"]:
                break
        assert begun <= 2 * written or written == 1 << 5
        assert [given for given, _, _ in got] == [True] * begun + [False] * 2 * beats
        first = [n % beats == beats - 1 for n in range(begun)]
        assert [last for _, last, _ in got] == first + ([False] * (beats - 1) + [True]) * 2
        directions = [inverse for _, _, inverse in got]
        assert directions == [job["inverse_i"]] * begun + [1] * beats + [0] * beats


def test_key_decode(tmp_path: Path) -> None:
    model = unit(
        tmp_path,
        "ntf_key_decode",
        {"wipe_i": 1, "valid_i": 1, "data_i": 64},
        {"valid_o": 1, "below_q_o": 1, "data_o": 96},
    )
    rng = random.Random(12)
    values = [rng.choice([rng.randrange(Q), *EDGES]) for _ in range(3 * 256)]
    words = unpack(pack(values, 12), 64, 3 * 48)
    got: list[int] = []
    while len(got) < len(values):
        valid = bool(words) and rng.random() < 0.7
        seen = model.step(valid_i=valid, data_i=words.pop(0) if valid else rng.getrandbits(64))
        if seen["valid_o"]:
            got += unpack(seen["data_o"], 12, 8)
            assert seen["below_q_o"] == all(v < Q for v in got[-8:])
    assert got == values


def test_the_matrix_comes_again(tmp_path: Path) -> None:
    """A queue that gives all it gave once more, when nothing of it waits; wiped, it is empty."""
    model = unit(
        tmp_path,
        "ntf_matrix_queue",
        {"wipe_i": 1, "put_i": 1, "data_i": 16, "again_i": 1, "take_i": 1},
        {"valid_o": 1, "data_o": 16, "count_o": 5},
        Width=16,
        Depth=16,
    )
    rng = random.Random(18)
    for length in (1, 5, 15, 16, 16):
        words, got = [rng.randrange(1 << 16) for _ in range(length)], list[int]()
        left, seen = list(words), model.step()
        assert not seen["valid_o"] and not seen["count_o"]
        # What is there may be taken in the cycle in which it is seen.
        for half in range(2):
            taken = 0
            while taken < length:
                put = bool(left) and rng.random() < 0.6
                asked = rng.random() < 0.6
                state = model.state()
                seen = model.step()
                model.restore(state)
                take = bool(seen["valid_o"]) and asked
                assert seen["count_o"] == (length - len(left) if half == 0 else length) - taken
                if take:
                    got.append(seen["data_o"])
                    taken += 1
                model.step(put_i=put, data_i=left.pop(0) if put else 0, take_i=take)
            model.step(again_i=half == 0)
        assert got == words * 2
        model.step(wipe_i=1)
