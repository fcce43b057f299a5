# SPDX-License-Identifier: Apache-2.0
"""Iterative cores are clean under Verilator's lint and slang, in each shape of their generics."""

from pathlib import Path

import pyslang
import pytest
from arith_bench import run_verilator

from nttforge.content import design_files
from nttforge.design import load_design
from nttforge.flow.prepare import prepare
from nttforge.rtl_library import rtl_root

SHAPES = {
    "one butterfly": {},
    "tiles in LUTs": {"butterflies": 8, "lut_tile": 6},
    "every coefficient in registers": {"butterflies": 128, "short": True},
    "highest clock": {"butterflies": 2, "adders_per_stage": 1},
    "shared factors, registers": {"butterflies": 2, "rom_block_from": 2, "memory": "registers"},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_lint_has_nothing_to_say(shape: str, tmp_path: Path) -> None:
    keys = {f"iterative.{key}": value for key, value in SHAPES[shape].items()}
    prepared = prepare(load_design("ml-dsa", {"family": "iterative", **keys}))
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
