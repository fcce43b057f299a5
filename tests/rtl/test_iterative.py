# SPDX-License-Identifier: Apache-2.0
"""Iterative cores, simulated: bit-exact under all stall patterns, in as many cycles as derived."""

import random
import shutil

import numpy as np
import pytest

from nttforge.design import parse_design
from nttforge.flow.measure import measure
from nttforge.flow.prepare import Prepared, prepare
from nttforge.flow.verify import verify
from nttforge.ring.primes import next_ntt_prime

TWO_RINGS = [{"name": "a", "n": 16, "q": 97}, {"name": "b", "n": 16, "q": 3329, "layers": 3}]
CASES = {
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
    "one layer": ({"n": 8, "q": 97, "layers": 1}, {"butterflies": 1}),
}


def make(rings, table, name="dut"):
    rings = rings if isinstance(rings, list) else [rings]
    data = {"name": name, "family": "iterative", "rings": rings, "iterative": table}
    return prepare(parse_design(data, "test"))


def check(prepared, transforms=400):
    result = verify(prepared, transforms=transforms)
    assert result.ok, (result.violation, result.mismatches)
    figures = measure(prepared, transforms=24)
    for operation in prepared.core.operations:
        observed = figures.operations[operation.name]
        assert observed.cycles_per_transform == prepared.core.facts["intervals"][operation.code]
        with prepared.simulator() as simulator:
            run = simulator.stream([operation], np.zeros((1, operation.ring.n), dtype=np.int64))
        assert run.latency[0] == operation.latency


@pytest.mark.parametrize("case", CASES)
def test_cases(case):
    check(make(*CASES[case]))


@pytest.mark.parametrize("seed", range(4))
def test_random_designs(seed):
    rng = random.Random(seed)
    depth = rng.randint(2, 6)
    n = 1 << depth
    bits = rng.randint(depth + 2, 34)
    rings = []
    for name in "ab"[: rng.choice((1, 2))]:
        layers = rng.randint(1, depth)
        ring = {"name": name, "n": n, "q": next_ntt_prime(bits, 2 * n), "layers": layers}
        if rng.random() < 0.3:
            ring["form"] = "x^n-1"
        rings.append(ring)
    table = {
        "butterflies": 1 << rng.randint(0, depth - 1),
        "memory": rng.choice(("auto", "registers", "banks")),
        "short": rng.random() < 0.4,
        "adders_per_stage": rng.choice((1, 2, 4, 8)),
        "ram_block_from": rng.choice((2, 8, 64)),
        "rom_block_from": rng.choice((2, 16, 128)),
    }
    check(make(rings, table, f"random-{seed}"))


ENGINE, CONTROL = "rtl/iterative/ntt_iterative.sv", "rtl/iterative/pass_control.sv"
MEMORY = "rtl/iterative/bank_memory.sv"
MUTANTS = {
    "a wait too short": (CONTROL, "WaitW'(Wait[op_o][pass_q])", "WaitW'(Wait[op_o][pass_q] - 1)"),
    "a bank exchanged": (MEMORY, "wparity_i ? wdata_i[(1-h)*Lines+l]", "wparity_i ? wdata_i[l]"),
    "no parity": (ENGINE, "assign parity = ^group;", "assign parity = 1'b0;"),
    "not rotated": (ENGINE, "computed.rotate ?", "1'b0 ?"),
    "takes input while computing": (ENGINE, "in_ready & take & en", "in_ready & en"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name, tmp_path):
    file, good, bad = MUTANTS[name]
    prepared = make({"n": 32, "q": 193}, {"butterflies": 4, "rom_block_from": 4}, "mutant")
    assert prepared.core.facts["idle_cycles"][0] > 0
    folder = tmp_path / "design"
    shutil.copytree(prepared.folder, folder)
    text = (folder / file).read_text()
    assert good in text
    (folder / file).write_text(text.replace(good, bad, 1))
    assert not verify(Prepared(prepared.core, folder), transforms=140).ok


def test_the_inverse_reads_the_forward_factors_backwards(tmp_path):
    prepared = make({"n": 512, "q": 8380417}, {"butterflies": 2}, "shared")
    assert "HalveFactors = 1'b1" in (prepared.folder / "shared_pkg.sv").read_text()
    assert verify(prepared, transforms=70).ok
    folder = tmp_path / "design"
    shutil.copytree(prepared.folder, folder)
    text = (folder / ENGINE).read_text()
    good = "TwFlip[look_step] &"
    assert good in text
    (folder / ENGINE).write_text(text.replace(good, "1'b0 &", 1))
    wrong = verify(Prepared(prepared.core, folder), transforms=14)
    assert {mismatch.operation for mismatch in wrong.mismatches} == {"intt"}
