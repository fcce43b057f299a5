# SPDX-License-Identifier: Apache-2.0
"""Iterative cores, simulated: bit-exact under all stall patterns, in as many cycles as derived."""

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nttforge.design import load_design, parse_design
from nttforge.flow.prepare import prepare
from nttforge.flow.reference import references
from nttforge.kinds.stream.measure import measure
from nttforge.kinds.stream.verify import verify
from nttforge.ring.primes import next_ntt_prime
from nttforge.simulate.stream import StallPattern
from tests.drawn import figures_hold
from tests.mutants import beside
from tests.mutation.sites import CHOSEN
from tests.rtl.frames import check_frames, frame_model, random_frame
from tests.rtl.test_iterative_lint import PRIMES

TWO_RINGS = [{"name": "a", "n": 16, "q": 97}, {"name": "b", "n": 16, "q": 3329, "layers": 3}]
Case = tuple[Any, dict[str, Any]]
CASES: dict[str, Case] = {
    "one butterfly, block RAM": ({"n": 32, "q": 193}, {"ram_block_from": 2, "rom_block_from": 2}),
    "registers, short": ({"n": 16, "q": 97}, {"butterflies": 8, "short": True}),
    "registers by choice": ({"n": 32, "q": 193}, {"butterflies": 4, "memory": "registers"}),
    "two rings, fast clock": (TWO_RINGS, {"butterflies": 2, "adders_per_stage": 1}),
    "two rings, one butterfly": (TWO_RINGS, {"rom_block_from": 4}),
    "a tile in LUTs": (
        {"n": 16, "q": 8380417},
        {"butterflies": 2, "lut_tile": 6, "rom_block_from": 2},
    ),
    "cyclic": ({"n": 16, "q": 97, "form": "x^n-1"}, {"butterflies": 2, "short": True}),
    "copies of the address": ({"n": 64, "q": 257}, {"butterflies": 8, "memory": "banks"}),
    "one layer": ({"n": 8, "q": 97, "layers": 1}, {"butterflies": 1}),
}


EVERYTHING = ["ntt", "intt", "pointwise", "mac", "polymul"]
PRODUCTS: dict[str, Case] = {
    "complete": ({"n": 32, "q": 193}, {"butterflies": 2}),
    "pairs, one butterfly": ({"n": 16, "q": 97, "layers": 3}, {"butterflies": 1}),
    "pairs, block RAM": (
        {"n": 32, "q": 193, "layers": 4},
        {"butterflies": 4, "ram_block_from": 2, "rom_block_from": 2},
    ),
    "two rings, fast clock": (TWO_RINGS, {"butterflies": 4, "adders_per_stage": 1}),
    "short, all at once": ({"n": 16, "q": 97, "layers": 3}, {"butterflies": 8, "short": True}),
    "several under way": ({"n": 16, "q": 97}, {"butterflies": 4, "slots": 6}),
    "wide": ({"n": 16, "q": str(next_ntt_prime(70, 32)), "layers": 3}, {"butterflies": 1}),
}


def make(rings: Any, table: Any, name: Any = "dut", operations: Any = ("ntt", "intt")) -> Any:
    rings = rings if isinstance(rings, list) else [rings]
    data = {
        "name": name,
        "family": "iterative",
        "rings": rings,
        "iterative": table,
        "operations": list(operations),
    }
    return prepare(parse_design(data, "test"))


def check(prepared: Any, transforms: Any = 400) -> None:
    result = verify(prepared, transforms=transforms)
    assert result.ok, (result.violation, result.mismatches)
    figures_hold(prepared)


@pytest.mark.parametrize("case", CASES)
def test_cases(case: str) -> None:
    check(make(*CASES[case]))


PAIRS = (
    [{"name": "a", "n": 32, "q": 3329, "layers": 4}, {"name": "b", "n": 32, "q": 8380417}],
    {"pairs": True},
)


@pytest.mark.parametrize("butterflies", [1, 4])
def test_two_narrow_butterflies_in_each_wide_one(butterflies: int) -> None:
    """As ML-KEM beside ML-DSA: half the words, half the cycles of each pass."""
    rings, table = PAIRS
    prepared = make(rings, table | {"butterflies": butterflies})
    check(prepared)
    narrow, wide = (prepared.core.operations[code] for code in (0, 2))
    assert 2 * narrow.beats == wide.beats
    facts = prepared.core.facts
    busy = [facts["intervals"][o.code] - facts["idle_cycles"][o.code] for o in (narrow, wide)]
    assert busy == [4 * 32 // (4 * butterflies), 5 * 32 // (2 * butterflies)]


def test_pairs_with_a_fast_clock_and_filled_waits() -> None:
    """Beside two moduli of whole words."""
    rings, table = PAIRS
    rings = [*rings, {"name": "c", "n": 32, "q": 7340033}]
    check(make(rings, table | {"butterflies": 8, "adders_per_stage": 1, "slots": 2}), 200)


@pytest.mark.parametrize("case", PRODUCTS)
def test_products(case: str) -> None:
    check(make(*PRODUCTS[case], operations=EVERYTHING))


def test_a_second_operation_fills_the_waiting_of_the_first() -> None:
    """14 passes of two clocks; with another transform under way, a pass begins in every one."""
    table = {"butterflies": 16, "short": True}
    alone, filled = (
        measure(
            make({"n": 32, "q": 193}, table | {"slots": slots}, f"slots{slots}"), transforms=200
        )
        for slots in (1, 2)
    )
    assert alone.cycles_per_transform == 4 * 2 + 1
    assert round(filled.cycles_per_transform) == 5
    assert filled.latency_cycles <= 2 * alone.latency_cycles


ENGINE, CONTROL = "rtl/iterative/ntf_iterative.sv", "rtl/iterative/ntf_pass_control.sv"
INPUT, ADDRESS = "rtl/iterative/ntf_iterative_input.sv", "rtl/iterative/ntf_iterative_address.sv"
TWIDDLES = "rtl/iterative/ntf_iterative_twiddles.sv"
MEMORY = "rtl/iterative/ntf_bank_memory.sv"
MUTANTS = {
    "a wait too short": (CONTROL, r"WaitW'\(now\.idle\)", "WaitW'(now.idle - 16'd1)"),
    "a bank exchanged": (MEMORY, r"wparity_i(?= \? \{wdata_i)", "1'b0"),
    "no parity": (ADDRESS, r"(?<=parity_o = )\^group_i", "1'b0"),
    "not rotated": (ENGINE, r"computed\.rotate(?= \?)", "1'b0"),
    "takes input while computing": (INPUT, "in_ready & frame & en_i", "in_ready & en_i"),
    "an address of another group": (
        ADDRESS,
        r"(?<=addr\[h\]\[k\] = )group_i\[k\]",
        "~group_i[k]",
    ),
}
UNIT, BUTTERFLY = "rtl/iterative/ntf_butterfly_unit.sv", "rtl/pipeline/ntf_butterfly.sv"
PRODUCT_MUTANTS = {
    "x is not kept": (UNIT, r"c\.phase == 2'd0(?=\) begin)", "1'b1"),
    "a sum that is not chained": (BUTTERFLY, r"chain \? earlier : sum\[XW:1\]", "sum[XW:1]"),
    "another word is added": (UNIT, r"c\.phase\[0\] \? add_b : add_a_i", "add_b"),
    "the scaled word comes second": (ENGINE, "(?<=swap: )phase == 2'd3", "1'b0"),
    "a slot forgotten": (ADDRESS, r"first \+ 32'\(step_i\.target\)", "first"),
    "results are not mirrored": (ENGINE, r"held\[Lines-1-l\]", "held[l]"),
    "a beat taken too early": (CONTROL, r"mine\.phase == 2'd1", "mine.phase == 2'd0"),
    "results out of order": (CONTROL, r"head != CtxW'\(c\)", "1'b0"),
    "the oldest waits": (
        CONTROL,
        r"sum >= \(CtxW \+ 1\)'\(Contexts\)",
        "sum < (CtxW + 1)'(Contexts)",
    ),
}


MUL_PAIR = "rtl/arith/ntf_mul_pair.sv"
PAIR_MUTANTS = {
    "a tile of the other": (MUL_PAIR, r"(?<=pair_i \? )pair_a_i\[1\]", "pair_a_i[0]"),
    "a sign lost": (MUL_PAIR, r"\{1'b0, a_i\[Low-1:0\]\}", "PAW'($signed(a_i[Low-1:0]))"),
    "results of the wrong kind": (UNIT, r"pair_out(?= \? WordW'\(pair_b\))", "pair_i"),
    "as many groups as others": (CONTROL, r"Ops\[op_o\]\.groups(?= - 16'd1)", "Cfg.groups"),
}
#: The designs that they are put into, the defects of each in one model.
SPOILT: dict[str, tuple[Mapping[str, tuple[str, str, str]], Callable[[], Any]]] = {
    "transforms": (
        MUTANTS,
        lambda: make({"n": 32, "q": 193}, {"butterflies": 4, "rom_block_from": 4}, "mutant"),
    ),
    "products": (
        PRODUCT_MUTANTS,
        lambda: make(TWO_RINGS, {"butterflies": 2, "slots": 9}, "mutant", ["mac", "polymul"]),
    ),
    "pairs": (
        PAIR_MUTANTS,
        lambda: make(PAIRS[0], PAIRS[1] | {"butterflies": 2}, "mutant"),
    ),
}


def spoilt(design: str, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A design with a defect, or without if the name is empty."""
    mutants, made = SPOILT[design]
    monkeypatch.setenv(CHOSEN, str([*mutants].index(name) + 1 if name else 0))
    return beside(made(), folder, [*mutants.values()])


@pytest.mark.parametrize(
    ("design", "name"), [(design, name) for design in SPOILT for name in ["", *SPOILT[design][0]]]
)
def test_a_mutant_is_caught(
    design: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared = spoilt(design, name, tmp_path / "design", monkeypatch)
    assert verify(prepared, transforms=140).ok == (not name)


@pytest.mark.parametrize(
    ("name", "file"), [("an address of another group", ADDRESS), ("a wait too short", ENGINE)]
)
def test_the_memory_map_and_the_waits_are_asserted(
    name: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared = spoilt("transforms", name, tmp_path / "design", monkeypatch)
    assert prepared.core.facts["idle_cycles"][0] > 0
    result = verify(prepared, transforms=14)
    assert result.violation is not None and result.violation.startswith("assertion")
    assert Path(file).name in result.violation


def test_the_inverse_reads_the_forward_factors_backwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared = make({"n": 512, "q": 8380417}, {"butterflies": 2}, "shared")
    assert "halve_factors: 1'b1" in (prepared.folder / "shared_pkg.sv").read_text()
    place = (TWIDDLES, r"step_i\.factors_turned(?= \?)", "1'b0")
    both = beside(prepared, tmp_path / "design", [place])
    monkeypatch.setenv(CHOSEN, "0")
    assert verify(both, transforms=70).ok
    monkeypatch.setenv(CHOSEN, "1")
    assert {wrong.operation for wrong in verify(both, transforms=14).mismatches} == {"intt"}


def test_the_next_transform_enters_while_this_one_leaves() -> None:
    prepared = make({"n": 32, "q": 193}, {"butterflies": 2})
    operations = [prepared.core.operations[i % 2] for i in range(20)]
    with prepared.simulator() as simulator:
        run = simulator.stream(operations, np.ones((20, 32), dtype=np.int64))
    assert (run.first_in[1:] < run.first_out[:-1] + 8).all()
    assert (run.first_in[1:] <= run.last_out[:-1]).all()
    # Not a cycle is lost between a transform's last pass and the next one's first.
    assert (np.diff(run.last_out) == prepared.core.facts["intervals"][0]).all()


@pytest.mark.parametrize(
    ("ring", "butterflies", "slots", "interval"),
    [
        ({"n": 4, "q": 5, "layers": 1}, 2, 12, 12),
        ({"n": 8, "q": 17, "layers": 2}, 2, 18, 25),
        ({"n": 4, "q": 5, "layers": 1}, 1, 12, 18),
    ],
)
def test_products_hold_up_who_has_the_stream(
    ring: Any, butterflies: int, slots: int, interval: int
) -> None:
    """Longer than the butterflies and the stream take, and asked for no faster."""
    table = {"butterflies": butterflies, "slots": slots, "adders_per_stage": 2}
    prepared = make(ring, table, operations=["polymul"])
    assert prepared.core.facts["intervals"] == (interval,)
    figures_hold(prepared)


def test_as_many_operations_as_make_a_table_of_ten_thousand_bits() -> None:
    rings = [{"name": f"r{q}", "n": 8, "q": q} for q in PRIMES]
    prepared = make(rings, {"butterflies": 1})
    assert len(prepared.core.operations) == 24
    assert verify(prepared, transforms=30).ok


@pytest.mark.slow
def test_tens_of_thousands_of_polynomials_through_128_butterflies() -> None:
    result = verify(prepare(load_design("scalable-kyber")), transforms=20_000)
    assert result.ok and result.random == 20_000
    filled = prepare(load_design("scalable-kyber", {"iterative.slots": 2}))
    assert verify(filled, transforms=5_000).ok


@pytest.mark.slow
@pytest.mark.parametrize("table", [{"butterflies": 2}, {"butterflies": 4, "slots": 9}])
def test_tens_of_thousands_of_operations_of_all_kinds(table: dict[str, Any]) -> None:
    """In two rings, mixed at random, stalled on both edges; alone and several under way."""
    result = verify(make(TWO_RINGS, table, operations=EVERYTHING), transforms=20_000)
    assert result.ok and result.random == 20_000


LARGE = ["ntt", "intt", "polymul"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "bits", "butterflies", "operations"),
    [
        (8192, 31, 1, LARGE),
        (8192, 31, 16, LARGE),
        (16_384, 60, 4, LARGE),
        (32_768, 31, 1, LARGE[:2]),
        (65_536, 31, 1, LARGE[:2]),
        (65_536, 60, 16, LARGE),
    ],
)
def test_a_large_transform(n: int, bits: int, butterflies: int, operations: Any) -> None:
    """Block RAM, both directions, stalled on both edges, a product too."""
    q = next_ntt_prime(bits, 2 * n)
    prepared = make(
        {"n": n, "q": str(q)}, {"butterflies": butterflies}, f"large{n}x{butterflies}", operations
    )
    rng = np.random.default_rng(5)
    every = prepared.core.operations
    sent = [every[i % len(every)] for i in (0, 1, 2, 1, 0)]
    polynomials = rng.integers(0, q, (len(sent), prepared.core.operands, n))
    with prepared.simulator() as simulator:
        run = simulator.stream(
            sent,
            polynomials,
            source=StallPattern.random(0.1),
            sink=StallPattern.random(0.1),
            seed=3,
        )
        alone = simulator.stream(every[:1] * 3, polynomials[:3])
    assert (run.outputs == references(sent, polynomials)).all()
    assert (np.diff(alone.last_out) == (n.bit_length() - 1) * n // (2 * butterflies)).all()


@pytest.mark.slow
@pytest.mark.parametrize("butterflies", [1, 2, 4, 8, 16])
def test_cycles_of_a_large_transform_of_60_bits(butterflies: int) -> None:
    """Within 2 % of n log2(n) / 2c, as measured; it is that exactly."""
    ring = {"n": 4096, "q": str(next_ntt_prime(60, 8192))}
    prepared = make(ring, {"butterflies": butterflies}, f"wide{butterflies}")
    figures = measure(prepared, transforms=6)
    for operation in figures.operations.values():
        assert operation.cycles_longest == 4096 * 12 // (2 * butterflies)


@pytest.mark.parametrize("stall", [0.0, 0.3])
def test_operations_that_are_too_short_or_too_long_are_marked_and_the_next_is_right(
    stall: float, tmp_path: Path
) -> None:
    prepared = make({"n": 8, "q": 97}, {"butterflies": 2}, "framed", ["ntt", "mac", "polymul"])
    rng = random.Random(2)
    frames = [random_frame(prepared.core, rng) for _ in range(60)]
    check_frames(prepared.core, frame_model(prepared, tmp_path), frames, stall)
