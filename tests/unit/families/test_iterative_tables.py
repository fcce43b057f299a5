# SPDX-License-Identifier: Apache-2.0
"""The places, waits, wires and tables of the iterative family, against a model of its memory."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from nttforge.config.fields import Direction
from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.hw import build
from nttforge.kinds.iterative import engine
from nttforge.kinds.iterative.engine import elaborate
from nttforge.kinds.iterative.memory import least_block_rams
from nttforge.kinds.iterative.passes import passes, place, rotation, stream_layouts
from nttforge.ring.primes import next_ntt_prime
from nttforge.rtl_library import rtl_root
from tests.costs import banks

DIRECTIONS: tuple[Direction, ...] = ("ntt", "intt")
# Every n and every number of butterflies up to here.
MOST_BITS = 9
SIZES = [(depth, p) for depth in range(2, MOST_BITS + 1) for p in range(1, depth + 1)]


def design(**keys: Any) -> Any:
    ring = {key: keys.pop(key) for key in ("n", "q", "layers", "form") if key in keys}
    own = {key: keys.pop(key) for key in ("rings", "operations") if key in keys}
    data = {"name": "dut", "family": "iterative", "rings": [ring], "iterative": keys}
    return parse_design(data | own, "t")


def pairs_of(a_pass: Any, lines: Any) -> Any:
    """For each group: ((half, address) of the lower words, of the upper ones)."""
    groups = a_pass.layout.beats
    return [(place(a_pass, g, False), place(a_pass, g, True)) for g in range(groups)]


@pytest.mark.parametrize(("depth", "p"), SIZES)
def test_no_group_needs_a_bank_twice_and_every_pass_visits_every_place_once(
    depth: Any, p: Any
) -> None:
    for direction in DIRECTIONS:
        for a_pass in passes(depth, p, direction, depth):
            seen = set()
            for lower, upper in pairs_of(a_pass, p):
                assert lower[0] != upper[0]
                seen |= {lower, upper}
            assert seen == {(h, a) for h in range(2) for a in range(1 << (depth - p))}


@pytest.mark.parametrize(("depth", "p"), SIZES)
def test_each_pass_finds_its_coefficients_where_the_one_before_left_them(
    depth: Any, p: Any
) -> None:
    lines = 1 << (p - 1)
    for direction in DIRECTIONS:
        wires = rotation(depth, p, direction)
        for layers in {1, depth - 1, depth}:
            run = passes(depth, p, direction, layers)
            memory = np.full((2, lines, 1 << (depth - p)), -1)
            for number, a_pass in enumerate(run):
                for group in range(a_pass.layout.beats):
                    index = [a_pass.index(group, lane) for lane in range(2 * lines)]
                    for low, high in zip(index[:lines], index[lines:], strict=True):
                        assert high - low == 1 << a_pass.index_bit
                    if number:
                        for upper in (False, True):
                            half, address = place(a_pass, group, upper)
                            wanted = index[lines:] if upper else index[:lines]
                            assert memory[half, :, address].tolist() == wanted
                    back = [index[wires[lane]] for lane in range(2 * lines)]
                    words = back if a_pass.rotate else index
                    for upper in (False, True):
                        half, address = place(a_pass, group, upper)
                        memory[half, :, address] = words[lines:] if upper else words[:lines]


@pytest.mark.parametrize(("depth", "p"), [(d, p) for d, p in SIZES if d <= 7])
@pytest.mark.parametrize("latency", [2, 7])
def test_waits_are_the_least_that_let_results_arrive(depth: Any, p: Any, latency: int) -> Any:
    def late(run: Any, waits: Any) -> Any:
        """Whether a place is read before what was written to it is there."""
        written: dict[Any, Any] = {}
        start = 0
        for number, a_pass in enumerate(run):
            for group, places in enumerate(pairs_of(a_pass, p)):
                for at in places:
                    if number and written[at] + latency > start + group:
                        return True
            for group, places in enumerate(pairs_of(a_pass, p)):
                written.update(dict.fromkeys(places, start + group))
            start += a_pass.layout.beats + (waits[number] if number < len(waits) else 0)
        return False

    for direction in DIRECTIONS:
        run = passes(depth, p, direction, depth)
        waits = [max(0, a.lag + latency - a.layout.beats) for a in run[:-1]]
        assert not late(run, waits)
        for number, wait in enumerate(waits):
            if wait:
                fewer = [*waits[:number], wait - 1, *waits[number + 1 :]]
                assert late(run, fewer)


@pytest.mark.parametrize(("depth", "p"), SIZES)
def test_the_lag_of_a_pass_is_that_of_the_exchange_between_layouts(depth: Any, p: Any) -> None:
    for direction in DIRECTIONS:
        for before, after in pairwise(passes(depth, p, direction, depth)):
            last_use = {}
            for group in range(before.layout.beats):
                for index in before.layout.order()[group]:
                    last_use[int(index)] = group
            groups = range(after.layout.beats)
            needed = max(last_use[int(i)] - g for g in groups for i in after.layout.order()[g])
            # Rotated groups stay whole.
            assert before.lag == max(0, needed)


@pytest.mark.parametrize(("depth", "p"), SIZES)
def test_streams_are_in_natural_order_where_the_transform_is_complete(depth: Any, p: Any) -> None:
    into, out = stream_layouts(depth, p, "ntt", depth)
    assert out.order().reshape(-1).tolist() == list(range(1 << depth))
    assert (into.order()[:, into.lanes // 2] == into.order()[:, 0] + (1 << (depth - 1))).all()
    assert stream_layouts(depth, p, "intt", depth) == (out, into)


@pytest.mark.parametrize(
    ("keys", "apart", "shared"),
    [
        ({"butterflies": 1}, 2 * 1023, 1023),
        ({"butterflies": 2}, 2 * 2 * (511 + 256), 2 * (511 + 256)),
        # The inverse's factors are others, but those of all passes are the beginning of the last's.
        ({"butterflies": 1, "form": "x^n-1"}, 512 + 512, 512 + 512),
    ],
)
def test_both_directions_share_their_factors_where_that_saves_memory(
    keys: dict[str, Any], apart: int, shared: int
) -> None:
    core = elaborate(design(n=1024, q=12289, **keys))
    assert core.halve_factors == (shared < apart)
    assert len(core.factors.words) == shared
    small = elaborate(design(n=1024, q=12289, rom_block_from=4096, **keys))
    assert not small.halve_factors
    assert len(small.factors.words) == apart


@pytest.mark.long
@pytest.mark.parametrize("butterflies", [1, 2, 4, 8])
def test_tables_of_a_large_transform_take_little_more_than_their_words(butterflies: int) -> None:
    """A word of 60 bits for each of n - 1 factors is 14 block RAMs."""
    core = elaborate(design(n=4096, q="576460752303439873", butterflies=butterflies))
    assert core.halve_factors
    assert core.factors.block_rams(60) <= {1: 15, 2: 15, 4: 16, 8: 22}[butterflies]


@pytest.mark.parametrize("butterflies", [1, 2, 4, 8, 16])
def test_a_deep_core_has_the_registers_that_no_pass_waits_for(butterflies: int) -> None:
    core = elaborate(design(n=256, q=8380417, butterflies=butterflies))
    hidden = core.groups // 2
    assert core.deep and core.read_registers == (core.pass_latency <= hidden and butterflies < 8)
    assert core.read_registers or core.pass_latency + 1 > hidden
    assert not any(map(sum, core.waits)) or butterflies > 8
    assert not elaborate(design(n=256, q=8380417, short=True)).deep


def check_tables(core: Any) -> None:
    """Every factor of every pass against the ring's, found by the address that the RTL makes."""
    factors = core.factors
    for code, each in enumerate(core.programs):
        ring = core.rings[core.codes[code][0]]
        for number, step in enumerate(each.steps):
            if step.kind == "product":
                continue
            stage = ring.depth - 1 - step.way.index_bit
            place = factors.places[code][number]
            tables = factors.groups[place.group]
            for group in range(core.groups):
                at = group ^ (core.groups - 1) if place.turned else group
                address = place.base | at >> place.shift
                for line in range(core.lines):
                    word = tables.tables[tables.rom_of[line]][address]
                    index = step.way.index(group, line)
                    block = index >> (step.way.index_bit + 1)
                    if step.kind == "load":
                        factor = 1
                    elif step.kind == "scale":
                        factor = ring.leaf_roots[index >> 1]
                    elif step.kind == "forward":
                        factor = -ring.twiddles[stage][block]
                    else:
                        factor = ring.inverse_twiddles[stage][block]
                        factor *= -2 if core.halve_factors else 1
                    ring_number = core.codes[code][0]
                    wanted = core.plan.encode(factor % ring.q, ring_number)
                    assert (word - wanted) % (1 << core.plan.modulus_width) == 0


@pytest.mark.parametrize("keys", [{}, {"layers": 4}, {"form": "x^n-1"}, {"rom_block_from": 2}])
@pytest.mark.parametrize("butterflies", [1, 2, 8, 32])
def test_tables_hold_the_factor_of_each_butterfly(keys: dict[str, Any], butterflies: int) -> None:
    check_tables(elaborate(design(n=64, q=257, butterflies=butterflies, **keys)))


@pytest.mark.parametrize("butterflies", [1, 4])
def test_tables_of_products_too(butterflies: int) -> None:
    check_tables(
        elaborate(
            design(
                rings=[{"name": "a", "n": 32, "q": 193, "layers": 4}, {"n": 32, "q": 257}],
                operations=["ntt", "intt", "pointwise", "mac", "polymul"],
                butterflies=butterflies,
            )
        )
    )


@pytest.mark.parametrize("butterflies", [3, 64])
def test_an_impossible_number_of_butterflies_is_refused(butterflies: int) -> None:
    with pytest.raises(NttforgeError, match="power of two from 1 to n/2 = 32"):
        build(design(n=64, q=257, butterflies=butterflies))


def test_transforms_that_need_off_chip_memory_are_refused() -> None:
    with pytest.raises(NttforgeError, match="use the family decomposed"):
        build(design(n=1 << 17, q=786433))


def test_factors_beyond_what_a_pass_can_say_are_refused(monkeypatch: Any) -> None:
    """As many as there may be of each ring: 64 rings of 65,536 would be beyond the field."""
    package = (rtl_root() / "iterative/ntf_iterative_pkg.sv").read_text()
    assert f"[{engine.BASE_BITS - 1}:0] factors_base;" in package
    rings = [{"name": name, "n": 64, "q": q} for name, q in (("a", 257), ("b", 641), ("c", 769))]
    many = parse_design({"name": "dut", "family": "iterative", "rings": rings}, "t")
    build(many)
    last = max(place.base for row in elaborate(many).factors.places for place in row)
    monkeypatch.setattr(engine, "BASE_BITS", last.bit_length())
    build(many)
    monkeypatch.setattr(engine, "BASE_BITS", last.bit_length() - 1)
    with pytest.raises(NttforgeError, match=f"begin at {last} of a table") as caught:
        build(many)
    assert caught.value.field == "rings"


def test_block_ram_of_registers_is_refused() -> None:
    with pytest.raises(NttforgeError, match="no banks that could be block RAM"):
        build(design(n=64, q=257, memory="registers", ram_block_from=2))


def test_rings_of_different_sizes_are_refused() -> None:
    rings = [{"name": "a", "n": 64, "q": 257}, {"name": "b", "n": 32, "q": 257}]
    with pytest.raises(NttforgeError, match="differs from 64"):
        build(parse_design({"name": "dut", "family": "iterative", "rings": rings}, "t"))


@pytest.mark.parametrize(
    ("rings", "keys", "complaint"),
    [
        ([{"preset": "ml-dsa"}], {"pairs": True}, "0 of the moduli"),
        ([{"preset": "ml-kem"}], {"pairs": True}, "0 of the moduli"),
        ([{"preset": "ml-kem"}, {"preset": "ml-dsa"}], {"pairs": True, "butterflies": 128}, "n/4"),
        ([{"preset": "ml-kem"}], {"slots": 40}, "operations at a time"),
    ],
)
def test_impossible_pairs_and_slots_are_refused(
    rings: list[Any], keys: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(NttforgeError, match=complaint):
        build(design(rings=rings, **keys))


@pytest.mark.parametrize(
    ("operations", "keys", "complaint"),
    [
        (["polymul"], {"slots": 2}, "too few"),
        (["polymul"], {"reduction": "word-montgomery"}, "divides products"),
        (["ntt", "mac"], {"pairs": True}, "transforms only"),
    ],
)
def test_impossible_products_are_refused(
    operations: list[Any], keys: dict[str, Any], complaint: str
) -> None:
    rings = [{"preset": "ml-kem"}, {"preset": "ml-dsa"}]
    with pytest.raises(NttforgeError, match=complaint):
        build(design(rings=rings, operations=operations, **keys))


def test_the_pipeline_has_no_products() -> None:
    with pytest.raises(NttforgeError, match="the pipeline has no polymul"):
        build(
            parse_design(
                {"name": "p", "rings": [{"preset": "ml-dsa"}], "operations": ["polymul"]}, "t"
            )
        )


@pytest.mark.long
@pytest.mark.parametrize(
    "butterflies", [1, *(pytest.param(c, marks=pytest.mark.slow) for c in (2, 4, 8, 16))]
)
def test_4096_coefficients_of_60_bits_take_the_least_block_ram(butterflies: Any) -> None:
    """As Yosys maps the memory: not one more than the bits, or the words read a cycle, need."""
    q = str(next_ntt_prime(60, 8192))
    core = elaborate(design(n=4096, q=q, butterflies=butterflies, ram_block_from=2))
    area = banks("xcup", "block", core.words, core.residue_bits, butterflies)
    assert area.block == least_block_rams(4096, core.residue_bits, butterflies)
    assert area.block == {1: 14, 2: 14, 4: 14, 8: 28, 16: 56}[butterflies]
