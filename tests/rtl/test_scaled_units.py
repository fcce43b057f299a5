# SPDX-License-Identifier: Apache-2.0
"""Units of lattice coprocessors whose width is a parameter, against their definitions."""

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from docs.tools.sized_machine import RATES, Message, Size, SpongeModel
from nttforge.simulate.cycles import CycleModel, Ports
from tests.mutants import changed_module, sources_of
from tests.rtl.mlkem_bench import RTL, Q, pack, unit, unpack
from tests.rtl.parameter_limits import sources
from tests.test_style import verilator_lint

LANES = 17  # of a block that is absorbed
FORWARD, INVERSE, PRODUCT, ADDEND = range(4)  # jobs of the ring engine
EDGES = (Q - 1, Q, 4095, 0)


@pytest.mark.long
@pytest.mark.parametrize("module", sorted(path.stem for path in (RTL / "scaled").glob("*.sv")))
def test_verilator_has_nothing_to_say(module: str, tmp_path: Path) -> None:
    waivers = tmp_path / "waivers.vlt"
    # Of a unit alone the reset is a port, which assertions sample.
    own = 'lint_off -rule SYNCASYNCNET -file "*/scaled/*.sv"\n'
    waivers.write_text((RTL / "waivers.vlt").read_text("utf-8") + own, "utf-8")
    assert not verilator_lint(sources(module), module, waivers)


class Folded:
    """`ntf_keccak_folded`, a pass at a time."""

    def __init__(self, where: Path, chunks: int) -> None:
        self.chunks, self.width = chunks, 64 // chunks
        self.model = unit(
            where,
            "ntf_keccak_folded",
            {
                **{"wipe_i": 1, "pass_i": 1, "start_i": 1, "fresh_i": 1},
                "block_i": LANES * self.width,
            },
            {
                **{"ready_o": 1, "chunk_o": max(1, (chunks - 1).bit_length())},
                **{"ready_soon_o": 1, "state_o": 25 * self.width, "fault_o": 1},
            },
            Chunks=chunks,
            Lanes=LANES,
        )

    def wait(self) -> int:
        """Cycles until it is ready; the pass that follows comes a cycle later than it could."""
        waited = 0
        while not (seen := self.model.step())["ready_o"]:
            waited += 1
        assert not seen["fault_o"]
        return waited

    def run(self, block: bytes = b"", *, start: bool = True, fresh: bool = False) -> bytes:
        """A pass, and the state that it shows."""
        padded = block.ljust(8 * LANES, b"\0")
        words = [int.from_bytes(padded[at : at + 8], "little") for at in range(0, 8 * LANES, 8)]
        mask, lanes = (1 << self.width) - 1, [0] * 25
        for chunk in range(self.chunks):
            low = chunk * self.width
            part = sum((word >> low & mask) << i * self.width for i, word in enumerate(words))
            seen = self.model.step(pass_i=1, start_i=start, fresh_i=fresh, block_i=part)
            assert seen["ready_o"] and seen["chunk_o"] == chunk and not seen["fault_o"]
            for lane in range(25):
                lanes[lane] |= (seen["state_o"] >> lane * self.width & mask) << low
        return b"".join(lane.to_bytes(8, "little") for lane in lanes)

    def hash(self, message: bytes, rate: int, suffix: int, length: int, shown: bool) -> bytes:
        """A hash function; a result is shown by a pass of its own, or by the next one's."""
        padded = bytearray(message + bytes([suffix]) + bytes(-(len(message) + 1) % rate))
        padded[-1] |= 0x80
        out, fresh = b"", True
        for at in range(0, len(padded), rate):
            self.run(bytes(padded[at : at + rate]), fresh=fresh)
            fresh = False
            assert self.wait() == 23 * self.chunks
        while len(out) < length:
            state = self.run(start=not shown)
            out += state[:rate]
            if shown and len(out) < length:
                assert self.run() == state
            assert self.wait() == (0 if shown and len(out) >= length else 23 * self.chunks)
        return out[:length]


@pytest.mark.parametrize("chunks", [1, 2, 4, 8])
def test_folded_keccak_makes_the_hash_functions(tmp_path: Path, chunks: int) -> None:
    keccak = Folded(tmp_path, chunks)
    rng = random.Random(chunks)
    for size in (0, 1, 71, 72, 135, 136, 137, 400):
        message, shown = rng.randbytes(size), bool(size % 2)
        short = message[:130]
        for rate, suffix, length, expected in (
            (136, 6, 32, hashlib.sha3_256(message).digest()),
            (72, 6, 64, hashlib.sha3_512(message).digest()),
            (136, 31, 300, hashlib.shake_256(message).digest(300)),
        ):
            assert keccak.hash(message, rate, suffix, length, shown) == expected
        assert keccak.hash(short, 136, 31, 136, shown) == hashlib.shake_256(short).digest(136)


@pytest.mark.parametrize("chunks", [1, 2, 4, 8])
def test_folded_keccak_never_pauses_and_is_wiped(tmp_path: Path, chunks: int) -> None:
    keccak = Folded(tmp_path, chunks)
    keccak.run(b"\1", fresh=True)
    for _ in range(3):
        for _ in range(23 * chunks):
            assert not keccak.model.step()["ready_o"]
        keccak.run(b"\2")
    # In the middle of a permutation, at any chunk.
    for middle in range(1, 4):
        keccak.wait()
        keccak.run(b"\3", fresh=True)
        for _ in range(middle):
            keccak.model.step()
        for _ in range(3 * chunks):
            assert not keccak.model.step(wipe_i=1)["fault_o"]
        keccak.wait()
        # What is shown is chi of nothing, and iota.
        assert int.from_bytes(keccak.run(start=False), "little") == 0x8000000080008008
        assert keccak.hash(b"abc", 136, 6, 32, False) == hashlib.sha3_256(b"abc").digest()


ZETAS = [pow(17, int(f"{k:07b}"[::-1], 2), Q) for k in range(128)]
ROOTS = [pow(17, 2 * int(f"{i:07b}"[::-1], 2) + 1, Q) for i in range(128)]


def ntt(f: Sequence[int]) -> list[int]:
    """FIPS 203, algorithm 9."""
    f, k, length = list(f), 1, 128
    while length >= 2:
        for start in range(0, 256, 2 * length):
            for j in range(start, start + length):
                t = ZETAS[k] * f[j + length] % Q
                f[j + length], f[j] = (f[j] - t) % Q, (f[j] + t) % Q
            k += 1
        length //= 2
    return f


def intt(f: Sequence[int]) -> list[int]:
    """FIPS 203, algorithm 10."""
    f, k, length = list(f), 127, 2
    while length <= 128:
        for start in range(0, 256, 2 * length):
            for j in range(start, start + length):
                t = f[j]
                f[j] = (t + f[j + length]) % Q
                f[j + length] = ZETAS[k] * (f[j + length] - t) % Q
            k -= 1
        length *= 2
    return [x * 3303 % Q for x in f]


def product(a: Sequence[int], b: Sequence[int], add: Sequence[int]) -> list[int]:
    """FIPS 203, algorithm 11, and a third polynomial."""
    out = list(add)
    for i, root in enumerate(ROOTS):
        a0, a1, b0, b1 = a[2 * i], a[2 * i + 1], b[2 * i], b[2 * i + 1]
        out[2 * i] = (out[2 * i] + a0 * b0 + a1 * b1 * root) % Q
        out[2 * i + 1] = (out[2 * i + 1] + a0 * b1 + a1 * b0) % Q
    return out


class Engine:
    """`ntf_ring_engine` and a memory of polynomials: x, a, b and b's scaled half.

    With `shared` its multipliers are here: what they make is there two cycles later.
    """

    def __init__(self, where: Path, butterflies: int, *, shared: bool) -> None:
        self.shared = shared
        self.products = [0, 0]
        self.lanes = 2 * butterflies
        self.beats = 256 // self.lanes
        at = self.beats.bit_length() - 1
        self.model = unit(
            where,
            "ntf_ring_engine",
            {
                **{"wipe_i": 1, "start_i": 1, "kind_i": 2, "add_i": 1},
                **dict.fromkeys(("read_data_i", "other_data_i"), 12 * self.lanes),
                "products_i": 25 * self.lanes,
            },
            {
                "factors_o": 25 * self.lanes,
                **dict.fromkeys(("ready_o", "read_o", "read_a_o", "other_o"), 1),
                **dict.fromkeys(("other_scaled_o", "write_o", "write_scaled_o", "fault_o"), 1),
                **dict.fromkeys(("read_at_o", "other_at_o", "write_at_o"), at),
                **dict.fromkeys(("write_data_o", "product_data_o"), 12 * self.lanes),
            },
            Butterflies=butterflies,
            Shared=int(shared),
        )
        self.x, self.a, self.b, self.scaled = ([0] * 256 for _ in range(4))

    def read(self, seen: Mapping[str, int]) -> dict[str, int]:
        """Requested words; others may be anything."""

        def word(asked: int, of: Sequence[int], at: int) -> int:
            place = self.lanes * at
            beat = of[place : place + self.lanes] if asked else None
            return pack(beat or [random.getrandbits(12) for _ in range(self.lanes)], 12)

        at = {name: seen.get(name, 0) for name in ("read_at_o", "other_at_o")}
        first = self.a if seen.get("read_a_o") else self.x
        second = self.scaled if seen.get("other_scaled_o") else self.b
        return {
            "read_data_i": word(seen["read_o"], first, at["read_at_o"]),
            "other_data_i": word(seen["other_o"], second, at["other_at_o"]),
        }

    def step(self, **given: int) -> dict[str, int]:
        """A cycle."""
        seen = self.model.step(**given, products_i=self.products.pop(0))
        factors = unpack(seen["factors_o"], 25, self.lanes)
        made = [(each >> 12) * (each & 0xFFF) for each in factors]
        self.products.append(pack(made, 25) if self.shared else random.getrandbits(25))
        return seen

    def run(self, kind: int, *, add: bool = False) -> int:
        """A job, and the cycles from its start until the next one can start."""
        assert self.step()["ready_o"]
        seen = self.step(start_i=1, kind_i=kind, add_i=add)
        assert not seen["read_o"] and not seen["write_o"]
        cycles, data = 1, self.read({"read_o": 0, "other_o": 0})
        while not (seen := self.step(**data))["ready_o"]:
            cycles += 1
            data = self.read(seen)
            if seen["write_o"]:
                place = self.lanes * seen["write_at_o"]
                data_of = "product_data_o" if kind == PRODUCT else "write_data_o"
                words = unpack(seen[data_of], 12, self.lanes)
                to = self.scaled if seen["write_scaled_o"] else self.x
                to[place : place + self.lanes] = words
        assert not seen["write_o"]
        return cycles


@pytest.mark.parametrize(("butterflies", "shared"), [(1, False), (2, False), (4, False), (2, True)])
def test_ring_engine(tmp_path: Path, butterflies: int, shared: bool) -> None:
    engine = Engine(tmp_path, butterflies, shared=shared)
    rng = np.random.default_rng(butterflies)
    size = Size(butterflies=butterflies)
    for case in range(6):

        def draw(edge: bool = case == 0, most: int = Q) -> list[int]:
            return [most - 1] * 256 if edge else rng.integers(0, most, 256).tolist()

        f, g, h = draw(), draw(), draw(most=1 << 12)
        engine.x[:] = f
        assert engine.run(FORWARD) == size.engine("forward")
        assert engine.x == (turned := ntt(f))
        assert engine.scaled[:128] == [turned[2 * i + 1] * ROOTS[i] % Q for i in range(128)]
        engine.x[:] = f
        assert engine.run(ADDEND) == size.engine("addend")
        assert engine.x == turned
        engine.x[:] = f
        assert engine.run(INVERSE) == size.engine("inverse")
        assert engine.x == intt(f)
        engine.a[:], engine.b[:], engine.x[:] = h, g, f
        engine.scaled[:128] = [g[2 * i + 1] * ROOTS[i] % Q for i in range(128)]
        assert engine.run(PRODUCT, add=True) == size.engine("product")
        assert engine.x == product(h, g, f)
        assert engine.run(PRODUCT) == size.engine("product")
        assert engine.x == product(h, g, [0] * 256)


#: Of a message: rate, and how many bytes are squeezed of what; the domain byte stands behind it.
HASHES: dict[str, tuple[int, int, Callable[[bytes, int], bytes]]] = {
    "sha3_512": (0, 6, lambda m, n: hashlib.sha3_512(m).digest()[:n]),
    "sha3_256": (1, 6, lambda m, n: hashlib.sha3_256(m).digest()[:n]),
    "shake_256": (1, 31, lambda m, n: hashlib.shake_256(m).digest(n)),
    "shake_128": (2, 31, lambda m, n: hashlib.shake_128(m).digest(n)),
}


#: A sponge whose words are twice as wide as its messages', with the ports of one of `Chunks`.
PAIRED = """
module paired import ntf_sponge_pkg::*; #(
  parameter  int unsigned Chunks = 4,
  localparam int unsigned Bits   = 64 / Chunks,
  localparam int unsigned WordsW = $clog2(5 * 21 * Chunks)
) (
  input  logic              clk_i, rst_ni, wipe_i, short_i, valid_i, last_i, ready_i,
  input  logic [1:0]        rate_i,
  input  logic [WordsW-1:0] words_i,
  input  logic [Bits-1:0]   data_i,
  output logic              ready_o, valid_o, last_o, busy_o, fault_o,
  output logic [Bits-1:0]   data_o
);
  folded_req_t       narrow_req, req;
  folded_rsp_t       narrow_rsp, rsp;
  logic [2*Bits-1:0] squeezed;

  assign narrow_req = '{
    wipe: wipe_i, rate: rate_i, words: 9'(words_i), brief: short_i, valid: valid_i, last: last_i,
    data: 64'(data_i), ready: ready_i
  };
  assign {ready_o, valid_o, last_o} = {narrow_rsp.ready, narrow_rsp.valid, narrow_rsp.last};
  assign {data_o, busy_o, fault_o} = {narrow_rsp.data[Bits-1:0], narrow_rsp.busy, narrow_rsp.fault};
  assign rsp.data = 64'(squeezed);

  ntf_sponge_pairs #(.Bytes(8 / Chunks)) u_pairs (
    .clk_i, .rst_ni, .req_i(narrow_req), .rsp_o(narrow_rsp), .req_o(req), .rsp_i(rsp)
  );
  ntf_sponge_folded #(.Chunks(Chunks / 2)) u_sponge (
    .clk_i, .rst_ni, .wipe_i(req.wipe), .rate_i(req.rate), .words_i(req.words[WordsW-2:0]),
    .short_i(req.brief), .valid_i(req.valid), .ready_o(rsp.ready), .last_i(req.last),
    .data_i(req.data[2*Bits-1:0]), .valid_o(rsp.valid), .ready_i(req.ready), .last_o(rsp.last),
    .data_o(squeezed), .busy_o(rsp.busy), .fault_o(rsp.fault)
  );
endmodule
"""


class Sponge:
    """`ntf_sponge_folded`: messages in, words out.

    - `where`: may have changed copies of modules.
    - `paired`: with `ntf_sponge_pairs` in front of one of half as many chunks.
    """

    def __init__(self, where: Path, chunks: int, *, paired: bool = False) -> None:
        self.bytes, self.paired = 8 // chunks, paired
        self.words = (5 * 21 * chunks - 1).bit_length()
        name, files = "ntf_sponge_folded", sources_of(where, "ntf_sponge_folded")
        if paired:
            name, top = "paired", where / "paired.sv"
            top.write_text(PAIRED)
            files = [*dict.fromkeys([*sources_of(where, "ntf_sponge_pairs"), *files]), top]
        ports = Ports(
            {
                **{"wipe_i": 1, "rate_i": 2, "words_i": self.words, "short_i": 1, "valid_i": 1},
                **{"last_i": 1, "data_i": 8 * self.bytes, "ready_i": 1},
            },
            {
                **{"ready_o": 1, "valid_o": 1, "last_o": 1, "data_o": 8 * self.bytes},
                **{"busy_o": 1, "fault_o": 1},
            },
        )
        given = {"Chunks": f"{chunks}"}
        self.model = CycleModel.build(where / "build", files, name, ports, given)

    def run(
        self, messages: Sequence[tuple[str, bytes, int]], stall: float, rng: random.Random
    ) -> tuple[list[bytes], list[int]]:
        """What messages, each with a function and a number of bytes, give; and when a word came."""
        given = []
        for name, message, length in messages:
            rate, suffix, _ = HASHES[name]
            padded = message + bytes([suffix])
            padded += bytes(-len(padded) % self.bytes)
            for at in range(0, len(padded), self.bytes):
                word = int.from_bytes(padded[at : at + self.bytes], "little")
                last = at + self.bytes == len(padded)
                given.append({"rate_i": rate, "words_i": length // self.bytes, "data_i": word})
                given[-1] |= {"last_i": int(last), "short_i": int(len(message) < 72)}
        out: list[bytes] = []
        now, when, cycle = b"", [], 0
        wanted = sum(length > 0 for _, _, length in messages)
        while given or len(out) < wanted:
            valid, ready = bool(given) and rng.random() >= stall, rng.random() >= stall
            # A pair comes later than its words: what the message is must stand meanwhile.
            shown = given[0] if given and (valid or self.paired) else {}
            seen = self.model.step(**shown, valid_i=valid, ready_i=ready)
            assert not seen["fault_o"]
            if valid and seen["ready_o"]:
                given.pop(0)
            if seen["valid_o"] and ready:
                now += seen["data_o"].to_bytes(self.bytes, "little")
                when.append(cycle)
                if seen["last_o"]:
                    out.append(now)
                    now = b""
            cycle += 1
            assert cycle < 100_000
        return out, when


def check_sponge(sponge: Sponge, chunks: int) -> None:
    """Messages of all functions in any order, with stalls and without, and after a wiping."""
    rng = random.Random(chunks)
    # As ML-KEM has them; 800 bytes end in a block, and 1088 with one.
    kinds = [
        *(("sha3_512", 64, 64), ("sha3_512", 33, 64), ("sha3_256", 800, 32)),
        *(("shake_256", 33, 128), ("shake_256", 33, 192), ("shake_128", 34, 504)),
        *(("shake_128", 34, 672), ("shake_256", 1088, 32), ("sha3_256", 136, 0)),
    ]
    for stall in (0.0, 0.3):
        drawn = [(name, rng.randbytes(size), out) for name, size, out in rng.choices(kinds, k=24)]
        expected = [HASHES[name][2](message, out) for name, message, out in drawn if out]
        assert sponge.run(drawn, stall, rng)[0] == expected
    for _ in range(3 * chunks):
        sponge.model.step(wipe_i=1)
    seed = bytes(range(32))
    assert sponge.run([("sha3_256", seed, 32)], 0, rng)[0] == [hashlib.sha3_256(seed).digest()]


@pytest.mark.parametrize(
    ("chunks", "paired"), [(1, False), (2, False), (4, False), (8, False), (2, True), (4, True)]
)
def test_folded_sponge(tmp_path: Path, chunks: int, paired: bool) -> None:
    check_sponge(Sponge(tmp_path, chunks, paired=paired), chunks)


#: Of `ntf_sponge_pairs`.
PAIRS = {
    "halves exchanged": ("{req_i.data[HalfW-1:0], held_q}", "{held_q, req_i.data[HalfW-1:0]}"),
    "the lower half comes twice": (
        "upper ? rsp_i.data[HalfW+:HalfW]",
        "upper ? rsp_i.data[HalfW-1:0]",
    ),
    "as many words as halves": ("{1'b0, req_i.words[8:1]}", "req_i.words"),
    "a message ends too early": ("rsp_i.last & half_q[0].upper", "rsp_i.last"),
    "a half stays after a message": ("~half_q[r].second & ~req_i.last", "~half_q[r].second"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_wrong_pairs_are_noticed(tmp_path: Path, name: str) -> None:
    changed_module(tmp_path, "ntf_sponge_pairs", *PAIRS[name])
    with pytest.raises((AssertionError, IndexError)):
        check_sponge(Sponge(tmp_path, 2, paired=True), 2)


@pytest.mark.parametrize("chunks", [1, 2, 4, 8])
def test_folded_sponge_never_pauses(tmp_path: Path, chunks: int) -> None:
    """One permutation behind another: noise, the matrix, noise again, and what is absorbed."""
    sponge, rng = Sponge(tmp_path, chunks), random.Random(chunks)
    messages = [("shake_128", bytes(34), 504)] * 3 + [("shake_256", bytes(33), 128)] * 4
    _, when = sponge.run(messages, 0, rng)
    first = when[0]
    begun = [when[i] for i in range(1, len(when)) if when[i] > when[i - 1] + 1]
    # Of eight bytes a cycle a block takes 21 of 24 cycles, so each block's beginning is seen.
    assert [at - first for at in begun] == [24 * chunks * (i + 1) for i in range(12)]


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_the_plan_of_a_sponge_is_the_sponge(tmp_path: Path, width: int) -> None:
    """In every cycle: which word is taken, and of which message one is squeezed."""
    sponge, plan = Sponge(tmp_path, 8 // width), SpongeModel(Size(width))
    messages = [
        Message(f"{at}", ((size, ""),), RATES[HASHES[name][0]], out)
        for at, (name, size, out) in enumerate(
            [
                *(("sha3_256", 800, 32), ("sha3_512", 64, 64)),
                *[("shake_256", 33, 192)] * 2,
                *[("shake_128", 34, 504)] * 2,
                *(("shake_256", 33, 128), ("shake_256", 1120, 32), ("sha3_512", 33, 64)),
            ]
        )
    ]
    rng, sent, cycles = random.Random(width), 0, 0
    waiting = [*messages]
    names: list[str] = []
    while waiting or not plan.idle:
        # Words come in bursts, as what they are made of comes late.
        there = bool(waiting) and (cycles // 200 % 2 == 0 or rng.random() < 0.5)
        message = waiting[0] if waiting else None
        given: dict[str, int] = {}
        if message and there:
            last = sent + width >= message.length
            given = {"valid_i": 1, "last_i": last, "short_i": message.length <= 72}
            given |= {"rate_i": RATES.index(message.rate), "words_i": message.squeezed // width}
        seen = sponge.model.step(**given, ready_i=1)
        done, word = plan.step(message, message.length if message and there else 0)
        taken = bool(given and seen["ready_o"])
        assert done == (taken and bool(given["last_i"])) and bool(word) == bool(seen["valid_o"])
        sent = 0 if done else sent + width * taken
        names += [word] if word else []
        if done:
            waiting.pop(0)
        cycles += 1
    counts = [names.count(message.name) * width for message in messages]
    assert counts == [message.squeezed for message in messages]


def sampled(kind: int, stream: bytes) -> list[int]:
    """What FIPS 203 makes of a stream: all that passes, or 256 coefficients of noise."""
    bits = int.from_bytes(stream, "little")
    if kind == 0:
        return [c for c in unpack(bits, 12, len(stream) * 2 // 3) if c < Q]
    eta = kind + 1

    def difference(field: int) -> int:
        low = field & (1 << eta) - 1
        return (low.bit_count() - (field >> eta).bit_count()) % Q

    return [difference(field) for field in unpack(bits, 2 * eta, 256)]


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_words_are_sampled(tmp_path: Path, width: int) -> None:
    model = unit(
        tmp_path,
        "ntf_sample_words",
        {"start_i": 1, "kind_i": 2, "valid_i": 1, "data_i": 8 * width},
        {"idle_o": 1, "done_o": 1, "valid_o": 1, "data_o": 24 * width},
        Bytes=width,
    )
    rng = random.Random(width)
    for case in range(30):
        kind, stall = case % 3, (0.0, 0.4)[case // 3 % 2]
        # Enough of what passes, some of it at the bound; and once not enough.
        enough = case != 27
        fields = [rng.choice((rng.getrandbits(12), *EDGES)) for _ in range(448)]
        length = (672 if enough else 312, 128, 192)[kind]
        stream = pack(fields, 12).to_bytes(672, "little")[:length] if not kind else b""
        stream = stream or rng.randbytes(length)
        model.step(kind_i=kind, start_i=1)
        got, at, cycles, idle = [], 0, 0, 0
        while idle < 4:
            valid = at < length and rng.random() >= stall
            word = int.from_bytes(stream[at : at + width], "little")
            seen = model.step(kind_i=kind, valid_i=valid, data_i=word)
            at += width * valid
            cycles += 1
            idle = idle + 1 if at >= length and seen["idle_o"] else 0
            if seen["valid_o"]:
                got += unpack(seen["data_o"], 12, 2 * width)
                last = cycles
        expected = sampled(kind, stream)[:256]
        beats = len(expected) - len(expected) % (2 * width)
        assert got == expected[:beats] and seen["done_o"] == (len(expected) == 256)
        if kind and not stall:
            assert last == length // width + 2


FIELDS = (1, 4, 5, 10, 11, 12)


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_words_are_packed_and_unpacked(tmp_path: Path, width: int) -> None:
    """Polynomials of all d, one behind another, through both, with stalls on all sides."""
    common = {"wipe_i": 1, "d_i": 4, "valid_i": 1, "ready_i": 1}
    given = {"ready_o": 1, "valid_o": 1}
    pack_unit = unit(
        tmp_path / "pack",
        "ntf_pack_words",
        {**common, "data_i": 12 * width},
        {**given, "data_o": 8 * width},
        Fields=width,
    )
    unpack_unit = unit(
        tmp_path / "unpack",
        "ntf_unpack_words",
        {**common, "data_i": 8 * width},
        {**given, "above_o": 1, "data_o": 12 * width},
        Fields=width,
    )
    rng = random.Random(width)
    for d, stall in [(d, s) for s in (0.0, 0.4) for d in rng.sample(FIELDS, 6)]:
        fields = [rng.choice((rng.getrandbits(12), *EDGES)) for _ in range(256)]
        low = [field & (1 << d) - 1 for field in fields]
        words = unpack(pack(low, d), 8 * width, 32 * d // width)
        beats = [pack(fields[at : at + width], 12) for at in range(0, 256, width)]
        for model, sent, expected, bits in (
            (pack_unit, beats, words, 8 * width),
            (
                unpack_unit,
                words,
                [pack(low[at : at + width], 12) for at in range(0, 256, width)],
                0,
            ),
        ):
            got: list[int] = []
            at = cycles = 0
            while len(got) < len(expected):
                valid, ready = at < len(sent) and rng.random() >= stall, rng.random() >= stall
                data = sent[at] if at < len(sent) else 0
                seen = model.step(d_i=d, valid_i=valid, ready_i=ready, data_i=data)
                at += valid and seen["ready_o"]
                if ready and seen["valid_o"]:
                    got.append(seen["data_o"])
                    if not bits:
                        assert seen["above_o"] == any(c >= Q for c in unpack(got[-1], 12, width))
                cycles += 1
            assert got == expected and at == len(sent)
            # As fast as the slower side: a word, or a beat, a cycle.
            if not stall:
                assert cycles <= Size(width).encode(d) + 2
