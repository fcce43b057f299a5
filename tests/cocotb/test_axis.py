# SPDX-License-Identifier: Apache-2.0
"""AXI4-Stream at both edges, with independent bus models (cocotbext-axi)."""

from importlib import import_module
from pathlib import Path

import pytest

from nttforge.cache import design_files
from nttforge.flow.prepare import prepare
from nttforge.rtl_library import rtl_root
from tests.cocotb.stream_bench import HERE, run


def test_slice(tmp_path: Path) -> None:
    sources = [rtl_root() / "prim" / "ntf_prim_axis_slice.sv", HERE / "axis_slice.sv"]
    run("axis_slice", sources, "tests.cocotb.slice_cases", tmp_path)


@pytest.mark.parametrize("name", ["engine_cases", "byte_cases"], ids=["words", "bytes"])
def test_engine(name: str, tmp_path: Path) -> None:
    cases = import_module(f"tests.cocotb.{name}")  # which builds its core
    prepared = prepare(cases.DESIGN)
    sources = design_files(prepared.folder)
    run(prepared.core.name, sources, cases.__name__, tmp_path)
