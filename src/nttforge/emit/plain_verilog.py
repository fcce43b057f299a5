# SPDX-License-Identifier: Apache-2.0
"""A design in Verilog-2005, for tools that do not read SystemVerilog, with a bench of its own."""

from nttforge.design import Design
from nttforge.emit.design_folder import Extra, Templates, render_templates
from nttforge.emit.stimulus import Stimulus
from nttforge.hw.core import Core

FOLDER, OPTION = "verilog", "--verilog"
_ABOUT = "the design in Verilog-2005, one file, and a bench in Verilog-2005 (`make icarus`)"


def verilog_folder(core: Core, design: Design, stimulus: Stimulus, netlist: str) -> Extra:
    """Files of a folder with a design in Verilog-2005: its `netlist`, and the bench's files."""
    variables = {**stimulus.connections(), "made_by": f"generate {OPTION}"}
    file = f"{FOLDER}/{core.name}.v"
    templates: Templates = {
        file: ("plain_verilog.v.j2", variables),
        f"{FOLDER}/{core.name}_bench.v": ("plain_bench.v.j2", variables),
    }
    texts = render_templates(core, design, templates, stimulus)
    return Extra(OPTION, FOLDER, _ABOUT, {**texts, file: f"{texts[file]}{netlist}"})
