# SPDX-License-Identifier: Apache-2.0
"""Iterative cores are clean under Verilator's lint and slang, in each shape of their generics."""

from pathlib import Path
from typing import Any

import pyslang
import pytest

from nttforge.cache import design_files
from nttforge.design import Design, load_design, parse_design
from nttforge.flow.prepare import prepare
from nttforge.ring.primes import next_ntt_prime
from nttforge.rtl_library import rtl_root
from tests.rtl.arith_bench import run_verilator

PRIMES = (17, 97, 113, 193, 241, 257, 337, 353, 401, 433, 449, 577)
EVERYTHING = ["ntt", "intt", "pointwise", "mac", "polymul"]
BOTH = ["ntt", "intt"]
SHAPES: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "one butterfly": ("ml-dsa", {}, BOTH),
    "products": ("ml-dsa", {"butterflies": 2}, EVERYTHING),
    "products of leaves": ("ml-kem", {"butterflies": 4, "slots": 6}, EVERYTHING),
    "products of one group": ("ml-kem", {"butterflies": 128, "short": True}, EVERYTHING),
    "pairs": ("mlkem-mldsa", {"butterflies": 4, "pairs": True}, BOTH),
    "tiles in LUTs": ("ml-dsa", {"butterflies": 8, "lut_tile": 6}, BOTH),
    "every coefficient in registers": ("ml-dsa", {"butterflies": 128, "short": True}, BOTH),
    "highest clock": ("ml-dsa", {"butterflies": 2, "adders_per_stage": 1}, BOTH),
    "registers by choice": ("ml-dsa", {"butterflies": 2, "memory": "registers"}, BOTH),
    "shared factors": ("newhope-1024", {"butterflies": 1}, BOTH),
}


# Zeros of tens of thousands of bits: of 24 x 24 pairs of operations, and of 64 wide words.
LARGE: dict[str, dict[str, Any]] = {
    "many operations": {"rings": [{"name": f"r{q}", "n": 8, "q": q} for q in PRIMES]},
    "beats of many bits": {
        "rings": [{"n": 64, "q": str(next_ntt_prime(255, 128))}],
        "iterative": {"butterflies": 32, "memory": "registers"},
    },
}


@pytest.mark.parametrize("shape", LARGE)
def test_lint_overlooks_the_size_of_zeros(shape: str, tmp_path: Path) -> None:
    data = {"name": "dut", "family": "iterative", **LARGE[shape]}
    lints(parse_design(data, "test"), tmp_path)


@pytest.mark.parametrize("shape", SHAPES)
def test_lint_has_nothing_to_say(shape: str, tmp_path: Path) -> None:
    ring, table, operations = SHAPES[shape]
    keys = {f"iterative.{key}": value for key, value in table.items()}
    lints(load_design(ring, {"family": "iterative", "operations": operations, **keys}), tmp_path)


def lints(design: Design, tmp_path: Path) -> None:
    prepared = prepare(design)
    files = design_files(prepared.folder)
    waivers = rtl_root() / "waivers.vlt"
    top = prepared.core.name
    flags = ["--lint-only", "-Wall", "--top-module", top, str(waivers)]
    done = run_verilator([*flags, *map(str, files)], tmp_path)
    assert done.returncode == 0 and not done.stderr, done.stderr
    compilation = pyslang.ast.Compilation()
    for path in files:
        compilation.addSyntaxTree(pyslang.syntax.SyntaxTree.fromFile(str(path)))
    assert not [d for d in compilation.getAllDiagnostics() if d.isError()]
