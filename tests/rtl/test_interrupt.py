# SPDX-License-Identifier: Apache-2.0
"""The interrupt line of each design with registers comes from a flip-flop: it has no glitches."""

import json
from pathlib import Path

import pytest

from nttforge.cache import design_files
from nttforge.design import parse_design
from nttforge.flow.prepare import prepare_any
from tests.modules import SMALL
from tests.undriven import passes

#: Modules that say nothing of the line, by family: their outputs may be anything.
FREE = {
    "mlkem": ("ntf_mlkem_core", "ntf_sponge", "ntf_pipeline"),
    "mldsa": ("ntf_mldsa_core", "ntf_sponge", "ntf_pipeline"),
    "decomposed": ("ntf_group_engine",),
    "shell": ("ntf_shell_instance",),
}


@pytest.mark.parametrize("family", FREE)
def test_the_line_comes_from_a_flip_flop(family: str, tmp_path: Path) -> None:
    made = prepare_any(parse_design({"name": "dut"} | SMALL[family], "test"))
    top = made.core.wrapper.top
    free = "".join(f" --blackboxed-module {name}" for name in FREE[family])
    files = " ".join(str(path) for path in design_files(made.folder) if path.suffix == ".sv")
    passes(
        tmp_path,
        f"read_slang --top {top}{free} {files}",
        "flatten",
        "opt_clean",
        "write_json netlist.json",
    )
    module = json.loads((tmp_path / "netlist.json").read_text())["modules"][top]
    (bit,) = module["ports"]["interrupt_o"]["bits"]
    drivers = [
        cell["type"]
        for cell in module["cells"].values()
        for port, bits in cell["connections"].items()
        if bit in bits and cell["port_directions"][port] == "output"
    ]
    assert drivers in (["$adff"], ["$aldff"])
