# SPDX-License-Identifier: Apache-2.0
"""Modules that have defaults of their own are clean, of several shapes."""

import re
from pathlib import Path

import pytest

from nttforge.cache import design_files
from tests.rtl.decomposed.test_large import prepared_of
from tests.rtl.decomposed.unit_bench import PACKAGE, PRIM, RTL
from tests.slang import complaints
from tests.test_style import DESIGNS, LARGE, prepared, verilator_lint
from tests.undriven import undriven

MODULES = (
    "ntf_xor_network",
    "ntf_plane_arbiter",
    "ntf_plane_buffer",
    "ntf_load_queue",
    "ntf_unload_queue",
    "ntf_twiddle_tables",
)


def top(module: str, parameters: str, where: Path) -> Path:
    """The module under another name, whose parameters are the defaults."""
    text = (RTL / "decomposed" / f"{module}.sv").read_text("utf-8")
    for name, value in (part.split("=") for part in parameters.split()):
        text, places = re.subn(
            rf"(parameter .*\b{name} *= )[^,\s]+", rf"\g<1>{value}", text, count=1
        )
        assert places == 1, (module, name)
    file = where / f"{module}.sv"
    file.write_text(text, "utf-8")
    return file


@pytest.mark.parametrize("parameters", ["", "LogKernel=6 LogBeat=4 LogBurst=7"])
@pytest.mark.parametrize("module", MODULES)
def test_verilator_has_nothing_to_say(module: str, parameters: str, tmp_path: Path) -> None:
    text = (RTL / "decomposed" / f"{module}.sv").read_text("utf-8")
    parameters = " ".join(p for p in parameters.split() if f" {p.split('=')[0]} " in text)
    others = [RTL / "decomposed" / f"{name}.sv" for name in MODULES if name != module]
    common = [RTL / file for file in PRIM]
    waived = tmp_path / "decomposed"  # the waivers go by the room's name
    waived.mkdir()
    sources = [RTL / PACKAGE, *common, *others, top(module, parameters, waived)]
    assert not verilator_lint(sources, module)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in DESIGNS if name.startswith(LARGE)])
def test_every_bit_is_driven(name: str, tmp_path: Path) -> None:
    design = prepared(name)
    assert not undriven(design_files(design.folder), design.core.name, tmp_path)


def test_two_kernels_are_clean(tmp_path: Path) -> None:
    design = prepared_of({"q": 998244353}, kernels=2, l_max=8)
    files, folder, name = design_files(design.folder), design.folder, design.core.name
    assert not verilator_lint(files, name, folder / "waivers.vlt")
    assert not complaints(files, design.core.wrapper.name, folder / "slang.f")
    assert not undriven(files, name, tmp_path)
