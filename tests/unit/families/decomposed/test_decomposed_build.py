# SPDX-License-Identifier: Apache-2.0
"""From designs of the family to cores and folders."""

import itertools
import re
from pathlib import Path
from typing import Any

import pytest

from nttforge.design import load_design, parse_design
from nttforge.emit import write
from nttforge.errors import NttforgeError
from nttforge.flow.generate import generate
from nttforge.hw import build
from nttforge.kinds.decomposed.backend import DecomposedGenerated
from nttforge.kinds.decomposed.build import seed_words
from nttforge.kinds.decomposed.config import DecomposedTable
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.lower_bounds import latency_floor, throughput_floor, waiting_floor
from nttforge.kinds.decomposed.rounds import Order
from nttforge.kinds.decomposed.stimulus import played_sizes
from nttforge.ring.primes import next_ntt_prime
from tests.marks import first

PRESETS = (
    "sam-64",
    "sam-64-any",
    "sam-256-bn254",
    "sam-256-bls12-381",
    "hbm-256-bn254",
    "sam-tiny",
)
Q = 998244353


def core_of(
    ring: dict[str, Any], more: dict[str, Any] | None = None, **table: Any
) -> DecomposedCore:
    data = {"name": "mine", "family": "decomposed", "rings": [ring], "decomposed": table}
    core = build(parse_design(data | (more or {}), "test"))
    assert isinstance(core, DecomposedCore)
    return core


@pytest.mark.long
@pytest.mark.parametrize("name", PRESETS)
def test_presets(name: str) -> None:
    core = build(load_design(name))
    assert isinstance(core, DecomposedCore)
    assert core.largest == load_design(name).table(DecomposedTable).l_max
    for operation in core.operations:
        size = core.largest_of(operation)
        root = core.root(operation, size)
        half = 1 << (size + operation.negacyclic - 1)
        assert pow(root, half, core.ring.q) == core.ring.q - 1


def test_the_goldilocks_kernel_shifts() -> None:
    """All roots of order 64 are powers of two, up to the sign."""
    core = build(load_design("sam-64"))
    assert isinstance(core, DecomposedCore)
    powers = {pow(2, e, core.ring.q) for e in range(192)}
    assert {pow(core.seeds.roots[6], e, core.ring.q) for e in range(64)} <= powers
    parts: Any = core.facts["multipliers"]
    assert parts["kernel"][0] == 8  # one stage, for the negacyclic inverse


@pytest.mark.parametrize(("back", "stages"), [(False, 1), (True, 6)])
def test_the_way_back_from_a_coset_is_what_takes_multipliers(back: bool, stages: int) -> None:
    data = load_design("sam-64").model_dump(exclude_defaults=True)
    data["decomposed"] |= {"coset": 7, "coset_inverse": back}
    core = build(parse_design(data, "test"))
    assert isinstance(core, DecomposedCore)
    names = [operation.name for operation in core.operations if operation.coset]
    there = ["coset.ntt", "coset.ntt.reversed"]
    assert names == sorted(there + ["coset.intt", "coset.intt.reversed"] * back, key=_as_coded)
    parts: Any = core.facts["multipliers"]
    assert parts["kernel"][0] == 8 * stages
    plain = build(load_design("sam-64"))
    assert isinstance(plain, DecomposedCore)
    assert core.seed_bits * 3 == plain.seed_bits * 5
    # As many cycles: the kernel is as long where its multiplier is the longer one anyway.
    assert back or core.turn == plain.turn


def _as_coded(name: str) -> tuple[bool, bool]:
    return "reversed" in name, "intt" in name


def test_sources_of_engines_with_channels_of_their_own_are_whole() -> None:
    keys: dict[str, Any] = {"n": 32, "t": 8, "b": 2, "l_max": 14}
    keys |= {"engines": 2, "own_channels": True}
    with pytest.raises(NttforgeError, match=r"^decomposed\.blowup: .* leave it out"):
        core_of({"q": Q}, blowup=2, **keys)


@pytest.mark.parametrize(
    ("ring", "g", "said"),
    [
        (
            {"q": Q},
            pow(3, (Q - 1) >> 12, Q),
            r"order 2\^12: .* negacyclic.ntt at 2\^11 words, and of ntt at more; .* use 2, for",
        ),
        (
            {"q": Q},
            Q - 1,
            r"order 2\^1: its coset is that of ntt; use that operation; .* 2, for",
        ),
        ({"q": Q}, 1, r"order 2\^0: its coset is that of ntt; use that operation; .* 2, for"),
        ({"q": Q}, Q + 5, r"not in \[2, "),
        ({"q": 65537}, 3, r"leave it out: q has none"),
    ],
)
def test_a_coset_of_roots_is_refused(ring: dict[str, Any], g: int, said: str) -> None:
    with pytest.raises(NttforgeError, match=rf"^decomposed\.coset: .*{said}") as found:
        core_of(ring, n=16, t=4, b=2, l_max=16 if ring["q"] == 65537 else 12, coset=g)
    assert len(str(found.value)) <= 300


def test_seeds_are_encoded_for_the_multiplier() -> None:
    core = core_of({"q": Q}, n=16, t=4, b=2, l_max=12)
    words = seed_words(core.plan, core.seeds)
    count = len(core.seeds.roots)
    assert len(words) == 3 * count == 3 * (12 + 2)
    width = core.plan.modulus_width
    for word, plain in zip(words, (*core.seeds.roots, *core.seeds.inverses), strict=False):
        encoded = word - (word >> (width - 1) << width)  # two's complement
        assert core.plan.model(5, encoded) % Q == 5 * plain % Q


def test_the_rom_grows_with_the_logarithm_alone() -> None:
    """SAM, III-C; only the seeds depend on the largest transform."""
    q = str(next_ntt_prime(256, 1 << 38))
    bits = [core_of({"q": q}, n=16, t=4, b=8, l_max=size).seed_bits for size in range(16, 37)]
    steps = {b - a for a, b in itertools.pairwise(bits)}
    assert steps == {3 * 256}


def test_a_modulus_without_the_negacyclic_root() -> None:
    core = core_of({"preset": "bn254"}, t=4, l_max=28)
    assert (core.largest, core.largest_negacyclic) == (28, 27)
    with pytest.raises(NttforgeError, match=r"rings\.0\.q: .*no root of unity"):
        core_of({"preset": "bn254"}, t=4, l_max=29)


def test_the_folder(tmp_path: Path) -> None:
    design = load_design("sam-tiny")
    core = build(design)
    folder = write(core, design, tmp_path)
    package = (tmp_path / "sam_tiny_pkg.sv").read_text()
    assert isinstance(core, DecomposedCore)
    rows = re.findall(r"mp: 6'd(\d+), mc: 6'd(\d+), mr: 6'd(\d+), kappa: 6'd(\d+)", package)
    expected = [
        tuple(str(value) for value in (at.mp, at.mc, at.mr, at.kappa))
        for order in reversed(Order)
        for size in range(core.largest, core.least - 1, -1)
        for at in reversed(core.rounds(size, order))
    ]
    assert rows == expected
    assert folder.files[-2:] == ("sam_tiny.sv", "sam_tiny_wrapper.v")
    assert "x^N + 1" in (tmp_path / "README.md").read_text()


@pytest.mark.parametrize("name", first(PRESETS, 2))
def test_a_bench_plays_each_operation_and_many_words_in_two(name: str) -> None:
    """Several rounds in either direction and order, if a bench is given as many words."""
    core = build(load_design(name))
    assert isinstance(core, DecomposedCore)
    first, *_, last = core.operations
    assert first.inverse != last.inverse and first.order is not last.order
    sizes = {operation: played_sizes(core, operation) for operation in core.operations}
    assert all(played[0] == core.least for played in sizes.values())
    for operation in (first, last):
        several = [n for n in range(core.least, 20) if len(core.rounds(n, operation.order)) > 1]
        assert set(several[:1]) <= set(sizes[operation])
    many = {operation for operation, played in sizes.items() if played[-1] > max(core.least, 14)}
    assert many <= {first, last}


def test_generate_says_what_it_is(tmp_path: Path) -> None:
    result = generate(load_design("sam-tiny"), tmp_path / "out")
    assert isinstance(result, DecomposedGenerated)
    assert (result.kernel, result.lanes, result.burst, result.sizes) == (16, 4, 8, (4, 16))
    natural = ["ntt", "intt", "negacyclic.ntt", "negacyclic.intt"]
    assert result.operations == [*natural, *(f"{name}.reversed" for name in natural)]


@pytest.mark.parametrize(
    ("ring", "more", "table", "words"),
    [
        ({"q": Q}, {}, {"n": 48}, ["decomposed.n", "48", "power of two"]),
        ({"q": Q}, {}, {"t": 3}, ["decomposed.t", "3"]),
        ({"q": Q}, {}, {"b": 6}, ["decomposed.b", "power of two"]),
        ({"q": Q}, {}, {"n": 16, "t": 8, "l_max": 16}, ["decomposed.n", "too small"]),
        ({"q": Q}, {}, {"n": 16, "t": 4, "b": 32, "l_max": 16}, ["decomposed.b", "do not fit"]),
        (
            {"q": Q},
            {},
            {"n": 64, "t": 8, "b": 64, "l_max": 13},
            ["decomposed.b", "512 words are longer than 256", "use b = 32 or less"],
        ),
        ({"q": Q}, {}, {"t": 16, "l_max": 6}, ["decomposed.l_max", "6 is below 8"]),
        ({"q": Q}, {}, {"l_max": 28}, ["rings.0.q", "no root of unity"]),
        ({"q": Q}, {}, {"lanes": 4}, ["decomposed.lanes", "unknown key"]),
        ({"q": Q, "n": 256}, {}, {"l_max": 16}, ["rings.0.n", "takes every size"]),
        ({"q": Q, "form": "x^n-1"}, {}, {"l_max": 16}, ["rings.0.form", "takes every size"]),
        ({"q": 91}, {}, {"l_max": 16}, ["rings.0.q", "91 is not an odd prime"]),
        ({"preset": "goldilock"}, {}, {}, ["rings.0.ring", "did you mean goldilocks"]),
        ({"q": Q}, {"shell": {}}, {"l_max": 16}, ["shell", "has its own"]),
        ({"q": Q}, {"operations": ["ntt"]}, {"l_max": 16}, ["operations", "all directions"]),
        ({"q": Q}, {}, {"port_bits": 96, "l_max": 16}, ["decomposed.port_bits", "96"]),
        (
            {"preset": "bn254"},
            {},
            {"t": 4, "b": 64},
            ["decomposed.b", "longer than 4096", "use 32"],
        ),
        (
            {"q": Q},
            {},
            {"l_max": 16, "clock_mhz": 1e5, "burst_ns": 1e5},
            ["decomposed.burst_ns", "given up", "a lower clock_mhz"],
        ),
        (
            {"q": Q},
            {},
            {"l_max": 16, "clock_mhz": 1e5, "peak_gbytes_s": 1e-3},
            ["decomposed.burst_ns", "a higher channel_gbytes_s or peak_gbytes_s"],
        ),
    ],
)
def test_wrong_designs(
    ring: dict[str, Any], more: dict[str, Any], table: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(NttforgeError) as caught:
        core_of(ring, more, **table)
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message


def test_two_rings_are_refused() -> None:
    rings = {"rings": [{"q": Q, "name": "a"}, {"q": 469762049, "name": "b"}]}
    with pytest.raises(
        NttforgeError, match=r"one modulus; give one ring; .* an engine each"
    ) as found:
        core_of({"q": Q}, rings, l_max=16)
    assert "generate an engine each, or for n up to 65,536 use the" in str(found.value)
    assert str(found.value).endswith("family pipeline or iterative")


@pytest.mark.parametrize("name", PRESETS)
def test_floors(name: str) -> None:
    """The floor of one is above that of a batch, and both above the words' own time."""
    core = build(load_design(name))
    assert isinstance(core, DecomposedCore)
    for size in range(core.least, core.largest + 1):
        beats = (1 << size) / core.lanes
        rounds = core.rounds(size)
        assert throughput_floor(core, size) >= beats * sum(len(at.passes) for at in rounds)
        for order in Order:
            assert latency_floor(core, size, order) > throughput_floor(core, size, order)
        passes = sum(len(at.passes) for at in rounds)
        added = waiting_floor(core, size) - latency_floor(core, size)
        least = 2 * core.memory_latency * len(rounds)
        assert least + len(rounds) * core.turn <= added + 1e-6
        assert added <= least + passes * core.turn + 1e-6


def test_there_is_room_for_all_blocks_on_their_way() -> None:
    """A long kernel and short blocks: more of them than the presets have room for."""
    core = core_of({"preset": "bn254"}, n=16, t=4, b=2, adders_per_stage=1, l_max=14)
    beats = 4
    assert core.blocks > 64
    assert core.blocks & (core.blocks - 1) == 0
    assert core.blocks * beats >= core.turn + 4 * beats
