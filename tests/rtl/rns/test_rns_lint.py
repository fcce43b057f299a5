# SPDX-License-Identifier: Apache-2.0
"""Verilator has nothing to say of any module of the room."""

from pathlib import Path

import pytest

from nttforge.rtl_library import rtl_root
from tests.rtl.parameter_limits import sources
from tests.test_style import verilator_lint

RTL = rtl_root()


@pytest.mark.parametrize("module", sorted(path.stem for path in (RTL / "rns").glob("*.sv")))
def test_verilator_has_nothing_to_say(module: str, tmp_path: Path) -> None:
    waivers = tmp_path / "waivers.vlt"
    # Of a unit alone the reset is a port, which assertions sample.
    own = 'lint_off -rule SYNCASYNCNET -file "*/rns/*.sv"\n'
    waivers.write_text((RTL / "waivers.vlt").read_text("utf-8") + own, "utf-8")
    assert not verilator_lint(sources(module), module, waivers)
