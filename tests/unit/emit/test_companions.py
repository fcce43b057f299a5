# SPDX-License-Identifier: Apache-2.0
"""What lies beside the SystemVerilog in a folder, as tools of other languages read it."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nttforge.cache import design_files
from nttforge.design import load_design
from nttforge.flow.generate import generate
from nttforge.hw import build
from nttforge.rtl_library import licence
from nttforge.simulate.toolchain import find_toolchain

DESIGNS = ("ml-kem", "streamntt-12289", "sam-tiny", "ml-kem-coprocessor", "ml-dsa-coprocessor")
_YOSYS = """
import sys
from pyosys import libyosys as ys
ys.run_pass(f"read_verilog {sys.argv[1]}", ys.Design())
"""


@pytest.fixture(scope="module", params=DESIGNS)
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A core and its folder."""
    design = load_design(request.param)
    folder = tmp_path_factory.mktemp("design")
    generate(design, folder)
    return build(design), folder


def test_the_wrapper_is_verilog(written: Any) -> None:
    """Yosys's own frontend, which knows no SystemVerilog unless it is asked, reads it."""
    core, folder = written
    wrapper = folder / f"{core.wrapper.name}.v"
    command = [sys.executable, "-c", _YOSYS]
    done = subprocess.run([*command, wrapper], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "ERROR" not in done.stdout, done.stdout + done.stderr
    broken = folder / "broken.v"
    broken.write_text(wrapper.read_text().replace("input  wire", "input  logic", 1))
    done = subprocess.run([*command, broken], capture_output=True, text=True, check=False)
    broken.unlink()
    assert done.returncode != 0
    text = re.sub(r"//.*", "", wrapper.read_text())
    assert not re.search(r"\b(logic|always_\w+|import|'0|'1)\b", text)


def test_constraints_name_ports_of_the_top(written: Any) -> None:
    core, folder = written
    top = next(path for path in design_files(folder) if path.stem == core.top)
    header = re.sub(r"//.*", "", top.read_text())
    header = header[header.index("\nmodule ") : header.index("\n);")]
    ports = {
        way: set(re.findall(rf"{way}\s+logic\s+(?:\[[^\n]*\]\s*)?(\w+)", header))
        for way in ("input", "output")
    }
    for suffix in ("xdc", "sdc"):
        text = (folder / f"{core.name}.{suffix}").read_text()
        named = [
            set(found.replace("*", "").split())
            for found in re.findall(r"get_ports \{(.*?)\}", text)
        ]
        tied = set(re.findall(r"set_case_analysis 0 \[get_ports (\w+)\]", text))
        assert tied == {"test_mode_i"} & ports["input"]
        assert named == [ports["input"] - {"clk_i", "rst_ni"} - tied, ports["output"]]
        found = re.search(r"-period ([\d.]+) \[get_ports clk_i\]", text)
        assert found is not None
        period = float(found[1])
        assert period == pytest.approx(1000 / core.clock_mhz, abs=1e-3)


def test_headers_compile(written: Any) -> None:
    core, folder = written
    header = folder / f"{core.name}.h"
    assert header.is_file() == (core.name != "ml_kem")
    if not header.is_file():
        return
    macros = re.findall(r"^#define (\w+)(\(i\))? .", header.read_text(), re.MULTILINE)
    assert len(macros) > 30 and len({name for name, _ in macros}) == len(macros)
    uses = "".join(
        f"unsigned value_{name} = {name}{'(1)' if index else ''};\n" for name, index in macros
    )
    program = folder / "uses.cpp"
    program.write_text(f'#include "{header.name}"\n#include "{header.name}"\n{uses}')
    command = [*find_toolchain().compiler, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    program.unlink()
    assert done.returncode == 0, done.stderr[:2000]


def test_the_licence_and_the_readme_of_the_folder(written: Any) -> None:
    core, folder = written
    assert (folder / "LICENSE").read_text() == licence().read_text()
    text = (folder / "README.md").read_text()
    listed = re.findall(r"`([\w.-]+\.(?:v|f|toml|core|xdc|sdc|h|vlt)|Makefile|LICENSE)`", text)
    assert len(set(listed)) >= 9
    for name in listed:
        assert (folder / name).is_file(), name
    assert Path(folder / "bench").is_dir() and core.top in text
