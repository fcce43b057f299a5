# SPDX-License-Identifier: Apache-2.0
"""Automorphisms in the transform's domain: any odd g, each order of values, under stalls."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from nttforge.layout.layout import Layout
from nttforge.layout.streams import stream_layout
from nttforge.ring.ring import Ring
from nttforge.rtl_library import library, needed
from nttforge.simulate.cycles import CycleModel, Ports
from tests.loaded_primes import values_by_flint
from tests.mutation.sites import CHOSEN, Mutant, spoiled

MODULE = "ntf_automorphism"
ADDRESS, NETWORK = "ntf_automorphism_address", "ntf_lane_network"
WIDTH, TAG = 16, 3
#: Cycles in which nothing moves that are a hang.
PATIENCE = 3000

#: Order, log2 of the values, log2 of the lanes, values or coefficients' order, words of block RAM.
SHAPES = {
    "least": ("natural", 2, 1, False, 256),
    "one butterfly": ("natural", 6, 1, False, 256),
    "natural": ("natural", 7, 3, False, 8),
    "two beats": ("natural", 5, 4, False, 256),
    "mirrored": ("mirrored", 8, 4, False, 256),
    "mirrored, odd": ("mirrored", 7, 3, False, 4),
    "mirrored, other end": ("mirrored", 6, 2, True, 256),
}


def layout_of(name: str) -> Layout:
    order, depth, lane_bits, coefficients, _ = SHAPES[name]
    return stream_layout(order, depth, lane_bits, coefficients=coefficients)


def place_parameter(layout: Layout) -> str:
    """Bits of j, which is a word's number with its bits in reverse."""
    places = [len(layout.bits) - 1 - bit for bit in layout.bits]
    return "90'({" + ", ".join(f"5'd{place}" for place in reversed(places)) + "})"


def moved(words: Sequence[int], g: int) -> list[int]:
    """Values of f(x^g), as FLINT has it, in the order of the leaves."""
    n = len(words)
    depth = n.bit_length() - 1

    def reverse(k: int) -> int:
        return int(f"{k:0{depth}b}"[::-1], 2)

    return [words[reverse((reverse(k) * g + (g - 1) // 2) % n)] for k in range(n)]


def test_places_of_an_automorphism() -> None:
    """What goes where, against polynomials."""
    rng = random.Random(0)
    ring = Ring.create(32, 193)
    for g in range(1, 64, 2):
        f = [rng.randrange(ring.q) for _ in range(ring.n)]
        other = [0] * ring.n
        for i, c in enumerate(f):
            sign = -1 if i * g // ring.n % 2 else 1
            other[i * g % ring.n] = sign * c % ring.q
        assert values_by_flint(ring, other) == moved(values_by_flint(ring, f), g)


@dataclass(frozen=True)
class Packet:
    """A transform as sent: words in their order, with a beat too few or too many if asked."""

    words: Sequence[int]
    g: int
    tag: int
    error: bool = False
    beats: int | None = None


class Bench:
    def __init__(self, name: str, folder: Path, spoilt: dict[str, Path] | None = None) -> None:
        _, depth, lane_bits, _, block_from = SHAPES[name]
        self.layout = layout_of(name)
        self.lanes, self.beats, self.size = 1 << lane_bits, 1 << depth - lane_bits, depth
        data = self.lanes * WIDTH
        ports = Ports(
            {"s_valid_i": 1, "s_last_i": 1, "s_user_i": 2 + TAG + depth, "s_data_i": data}
            | {"m_ready_i": 1},
            {"s_ready_o": 1, "m_valid_o": 1, "m_last_o": 1, "m_user_o": TAG + 1, "m_data_o": data},
        )
        found = {each: library()[each] for each in needed(MODULE, library())} | (spoilt or {})
        parameters = {"Width": WIDTH, "TagW": TAG, "SizeBits": depth, "LaneBits": lane_bits}
        self.model = CycleModel.build(
            folder,
            list(found.values()),
            MODULE,
            ports,
            {key: str(value) for key, value in parameters.items()}
            | {"Place": place_parameter(self.layout), "BlockFrom": str(block_from)},
        )

    def stream(self, words: Sequence[int]) -> list[int]:
        """Words as beats."""
        return [
            sum(words[index] << WIDTH * lane for lane, index in enumerate(row))
            for row in self.layout.order().tolist()
        ]

    def play(
        self, packets: Sequence[Packet], *, seed: int = 0, pace: tuple[float, float] = (1, 1)
    ) -> list[int]:
        """Stream them and compare: cycles of the beats that come out."""
        rng = random.Random(seed)
        given = []
        for packet in packets:
            count = self.beats if packet.beats is None else packet.beats
            beats = self.stream(packet.words)
            beats = [*beats, *beats][:count]
            for at, beat in enumerate(beats):
                # g and tag are asked for with the first beat, the error with the last one.
                g = packet.g if at == 0 else rng.randrange(2 << self.size)
                tag = packet.tag if at == 0 else rng.randrange(1 << TAG)
                error = packet.error if at == self.beats - 1 else rng.random() < 0.5
                user = (error << TAG | tag) << self.size + 1 | g
                given.append((user, beat, at == count - 1))
        wanted = list(packets)
        got: list[int] = []
        seen: list[int] = []
        at = cycle = waited = 0
        offered = False
        self.model.reset()
        while wanted:
            offered = at < len(given) and (offered or rng.random() < pace[0])
            user, beat, last = given[at] if offered else (0, 0, 0)
            ready = rng.random() < pace[1]
            out = self.model.step(
                s_valid_i=offered, s_last_i=last, s_user_i=user, s_data_i=beat, m_ready_i=ready
            )
            waited += 1
            if offered and out["s_ready_o"]:
                at, offered, waited = at + 1, False, 0
            if out["m_valid_o"] and ready:
                waited = 0
                got.append(out["m_data_o"])
                seen.append(cycle)
                if out["m_last_o"]:
                    packet = wanted.pop(0)
                    bad = packet.error or packet.g % 2 == 0 or packet.beats is not None
                    assert out["m_user_o"] == bad << TAG | packet.tag
                    assert bad or got == self.stream(moved(packet.words, packet.g))
                    assert len(got) == self.beats
                    got = []
            assert waited < PATIENCE, "it hangs"
            cycle += 1
        return seen


def drawn(bench: Bench, rng: random.Random, count: int, *, wrong: bool = False) -> list[Packet]:
    """Corners of g and others; every second one with something wrong, if asked."""
    n = 1 << bench.size
    packets = []
    for number in range(count):
        g = rng.choice((1, 2 * n - 1, 5 % (2 * n), n + 1, n - 1, rng.randrange(n) * 2 + 1))
        words = [rng.randrange(1 << WIDTH) for _ in range(n)]
        packet = Packet(words, g, rng.randrange(1 << TAG))
        if wrong and number % 2:
            packet = rng.choice(
                (
                    Packet(words, g, packet.tag, error=True),
                    Packet(words, g - 1, packet.tag),
                    Packet(words, g, packet.tag, beats=rng.randint(1, bench.beats - 1)),
                    Packet(words, g, packet.tag, beats=bench.beats + rng.randint(1, bench.beats)),
                )
            )
        packets.append(packet)
    return packets


@pytest.fixture(scope="module", params=SHAPES)
def bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(request.param, tmp_path_factory.mktemp("automorphism"))


def test_every_g(bench: Bench) -> None:
    """All of them for small sizes, others drawn, one behind the other."""
    rng = random.Random(1)
    n = 1 << bench.size
    chosen = range(1, 2 * n, 2) if n <= 64 else [rng.randrange(n) * 2 + 1 for _ in range(64)]
    words = [rng.randrange(1 << WIDTH) for _ in range(n)]
    bench.play([Packet(words, g, g % (1 << TAG)) for g in chosen])


@pytest.mark.parametrize("pace", [(0.7, 0.7), (1, 0.3), (0.2, 1)])
def test_stalls_change_nothing(pace: tuple[float, float], bench: Bench) -> None:
    rng = random.Random(2)
    bench.play(drawn(bench, rng, 24), seed=3, pace=pace)
    bench.play(drawn(bench, rng, 24, wrong=True), seed=4, pace=pace)


def test_a_beat_every_clock(bench: Bench) -> None:
    """Where a transform has as many beats as addresses take clocks."""
    seen = bench.play(drawn(bench, random.Random(5), 6))
    if bench.beats >= 16:
        assert seen == list(range(seen[0], seen[0] + len(seen)))


#: Name -> module, pattern of an expression, what it becomes.
MUTANTS = {
    "written over": (MODULE, r"en && !full_q\[half_q\]", "en"),
    "read before it is whole": (MODULE, r"!read_valid \|\| full_q\[read_half_q\]", "1'b1"),
    "any g": (MODULE, r"(?<=\|\| )!g_q\[half_q\]\[0\]", "1'b0"),
    "an error before": (MODULE, r"(?<=framed_error \|\| )user\[UserW-1\]", "1'b0"),
    "any length": (MODULE, r"(?<=<= )framed_error", "1'b0"),
    "g of another beat": (MODULE, r"write && first(?=\) begin)", "write"),
    "g of the other half": (MODULE, r"(?<=g_i    \()g_q\[ask_half_q\]", "g_q[!ask_half_q]"),
    "tags of the other half": (MODULE, r"tag_q\[read_half_q\]", "tag_q[!read_half_q]"),
    "a half alone": (MODULE, r"(?<=waddr_i\(\{)half_q", "1'b0"),
    "ranks too early": (MODULE, r"(?<=swap_i\()swap_q", "swap"),
    "half of g": (ADDRESS, r"g_later\[1\]\[SizeBits:1\]", "g_later[1][SizeBits-1:0]"),
    "g of the next transform": (
        ADDRESS,
        r"(?<=time_q \* )g_later\[0\]\[SizeBits-1:0\]",
        "g_q[SizeBits-1:0]",
    ),
    "lanes add nothing": (ADDRESS, r"place_q \+ offset_q\[l\]", "place_q"),
    "a transform waits": (ADDRESS, r"busy_q && !last", "busy_q"),
    "started twice": (ADDRESS, r"(?<=if \()start_i && !busy_o(?=\) busy_q)", "1'b1"),
    "each lane's own source": (
        ADDRESS,
        r"source_q\[Node\]\[int'\(Place\[Order\[r\]\]\)\]",
        "source_q[l][int'(Place[Order[r]])]",
    ),
    "addresses of output lanes": (ADDRESS, r"(?<=swap_i\()swap(?=\), .data_i\(addr)", "'0"),
    "no ranks": (NETWORK, r"swap\[l\](?= \?)", "1'b0"),
}


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Path], Path]:
    """Modules with all defects, of which the environment chooses one."""
    folder, changed = tmp_path_factory.mktemp("spoilt"), {}
    for module in (MODULE, ADDRESS, NETWORK):
        data, found = library()[module].read_text("ascii"), {}
        for number, (where, good, bad) in enumerate(MUTANTS.values(), start=1):
            if where == module:
                matches = list(re.finditer(good, data))
                assert matches, good
                match = matches[0]
                found[number] = Mutant(module, 0, "", *match.span(), match[0], bad)
        changed[module] = folder / f"{module}.sv"
        changed[module].write_text(spoiled(data.encode("ascii"), found), "ascii")
    return changed, folder


def check(bench: Bench) -> None:
    rng = random.Random(6)
    for seed, pace in enumerate(((1, 1), (0.6, 0.6), (1, 0.3))):
        bench.play(drawn(bench, rng, 12), seed=seed, pace=pace)
        bench.play(drawn(bench, rng, 12, wrong=True), seed=seed, pace=pace)
    if bench.beats >= 16:
        seen = bench.play(drawn(bench, rng, 6))
        assert seen == list(range(seen[0], seen[0] + len(seen)))


@pytest.mark.parametrize("name", [None, *MUTANTS])
def test_a_defect_is_seen(
    name: str | None,
    spoilt: tuple[dict[str, Path], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    changed, folder = spoilt
    monkeypatch.setenv(CHOSEN, str(0 if name is None else [*MUTANTS].index(name) + 1))
    # Only where addresses come later than a transform's beats does a half wait to be read.
    shape = "two beats" if name == "written over" else "mirrored"
    bench = Bench(shape, folder / shape, changed)
    if name is None:
        check(bench)
        return
    with pytest.raises(AssertionError):
        check(bench)
