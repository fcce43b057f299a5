# SPDX-License-Identifier: Apache-2.0
"""Iterative cores are clean under Verilator's lint and slang, in each shape of their generics."""

from pathlib import Path
from typing import Any

import pyslang
import pytest

from nttforge.content import design_files
from nttforge.design import load_design
from nttforge.flow.prepare import prepare
from nttforge.rtl_library import rtl_root
from tests.rtl.arith_bench import run_verilator

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


@pytest.mark.parametrize("shape", SHAPES)
def test_lint_has_nothing_to_say(shape: str, tmp_path: Path) -> None:
    ring, table, operations = SHAPES[shape]
    keys = {f"iterative.{key}": value for key, value in table.items()}
    own = {"family": "iterative", "operations": operations}
    prepared = prepare(load_design(ring, {**own, **keys}))
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
