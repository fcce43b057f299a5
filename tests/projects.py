# SPDX-License-Identifier: Apache-2.0
"""Projects of several design folders: what FuseSoC makes of their core files, and a chip.

`resolved` reads core files as FuseSoC 2.4 does, as far as ours go: core files anywhere below the
project, one of each name, dependencies before those that have them, and of a dependency the target
`default` alone. A test compares it with FuseSoC itself where that is installed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nttforge.design import Design, load_design
from nttforge.flow.generate import generate
from nttforge.hw import build
from nttforge.hw.wrapper import Wrapper

CHIP = "chip"
CHIP_NAME = f"test:project:{CHIP}:1.0.0"
OTHER_NAME = "test:project:other:1.0.0"
_CONDITION = re.compile(r"(!?)(\w+) *\? *\((\w+)\)")
_BLOCK = re.compile(r"^  (\w+):.*\n((?:    .*\n)+)", re.MULTILINE)
_ITEM = re.compile(r"^      - (?:\"(.*)\"|([^\s:]+))", re.MULTILINE)
_CHIP_CORE = """\
CAPI=2:
name: {name}
filesets:
  rtl:
    file_type: systemVerilogSource
    depend: [{depend}]
    files:
      - {chip}.sv
targets:
  default:
    filesets: [rtl]
    toplevel: {chip}
  lint:
    filesets: [rtl]
    toplevel: {chip}
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
"""
_OTHER_CORE = """\
CAPI=2:
name: {name}
filesets:
  rtl:
    file_type: systemVerilogSource
    files:
{files}targets:
  default:
    filesets: [rtl]
"""


@dataclass(frozen=True)
class _Core:
    """A core file: for each file set its files and what it depends on, for each target its sets."""

    folder: Path
    files: dict[str, list[str]]
    depend: dict[str, list[str]]
    targets: dict[str, list[str]]


def _items(block: str, key: str) -> list[str]:
    """A list in a block, on one line or on one each."""
    found = re.search(rf"^    {key}: *(?:\[(.*)\])?\n((?:      .*\n)*)", block, re.MULTILINE)
    if found is None:
        return []
    if found[1] is not None:
        return [item.strip(' "') for item in found[1].split(",")]
    return [quoted or plain for quoted, plain in _ITEM.findall(found[2])]


def _cores(project: Path) -> dict[str, _Core]:
    """Core files by their names."""
    found: dict[str, _Core] = {}
    for path in sorted(project.rglob("*.core")):
        text = path.read_text("utf-8")
        (name,) = re.findall(r"^name: (\S+)$", text, re.MULTILINE)
        sets, targets = (
            dict(_BLOCK.findall(text[text.index(f"\n{key}:") :].split("\n\n")[0]))
            for key in ("filesets", "targets")
        )
        sets = {key: block for key, block in sets.items() if key not in targets}
        core = _Core(
            path.parent,
            {key: _items(block, "files") for key, block in sets.items()},
            {key: _items(block, "depend") for key, block in sets.items()},
            {key: _items(block, "filesets") for key, block in targets.items()},
        )
        found.setdefault(name, core)
    return found


def resolved(
    project: Path, name: str, target: str = "default", flags: frozenset[str] = frozenset()
) -> list[Path]:
    """Files of a target and of all that it depends on, in FuseSoC's order.

    A conditional file set, `flag ? (set)`, is there with its flag, `!flag ? (set)` without.
    """
    cores, taken, files = _cores(project), set[str](), list[Path]()

    def take(name: str, target: str) -> None:
        if name in taken:
            return
        taken.add(name)
        core, sets = cores[name], []
        for chosen in core.targets[target]:
            condition = _CONDITION.fullmatch(chosen)
            if condition is None:
                sets.append(chosen)
            elif (condition[2] in flags) != bool(condition[1]):
                sets.append(condition[3])
        for part in sets:
            for other in core.depend[part]:
                take(other, "default")
        files.extend(core.folder / file for part in sets for file in core.files[part])

    take(name, target)
    return files


def sources(files: Sequence[Path]) -> list[Path]:
    """Those that are SystemVerilog or Verilog."""
    return [path for path in files if path.suffix in (".sv", ".v")]


def waivers(files: Sequence[Path]) -> list[Path]:
    """Those for Verilator's lint."""
    return [path for path in files if path.suffix == ".vlt"]


def _chip(wrappers: Mapping[str, Wrapper]) -> str:
    """A module with an instance of each wrapper, whose ports are the chip's, after its name."""
    ports, instances = ["input  wire clk_i", "input  wire rst_ni"], []
    for name, wrapper in wrappers.items():
        nets = {wrapper.clock: "clk_i", wrapper.reset: "rst_ni"}
        nets |= {port.name: f"{name}_{port.name}" for port in wrapper.ports}
        ports += [f"{p.direction} wire {p.span} {name}_{p.name}" for p in wrapper.ports]
        joined = ", ".join(f".{port}({net})" for port, net in nets.items())
        instances.append(f"  {wrapper.name} u_{name} ({joined});\n")
    head = f"module {CHIP} (\n  " + ",\n  ".join(ports) + "\n);\n"
    return head + "".join(instances) + "endmodule\n"


def write_project(
    project: Path,
    designs: Sequence[str | Design],
    prefixes: Mapping[str, str] | None = None,
    others: Sequence[str] = (),
) -> dict[str, Wrapper]:
    """Write a folder of each design, and a chip with all of them: wrappers, by module names.

    Parameters
    ----------
    prefixes
        Of designs that have one, by their names, which begin with it.
    others
        Cores that the chip depends on besides.
    """
    wrappers = {}
    for named in designs:
        design = load_design(named) if isinstance(named, str) else named
        prefix = (prefixes or {}).get(design.name, "")
        generate(design, project / design.name, prefix=prefix)
        wrappers[design.module] = build(design).wrapper
    folder = project / CHIP
    folder.mkdir()
    (folder / f"{CHIP}.sv").write_text(_chip(wrappers), "utf-8")
    cores = [*others, *(f"nttforge:generated:{name}:1.0.0" for name in wrappers)]
    depend = ", ".join(f'"{name}"' for name in cores)
    text = _CHIP_CORE.format(name=CHIP_NAME, chip=CHIP, depend=depend)
    (folder / f"{CHIP}.core").write_text(text, "utf-8")
    return wrappers


def write_opentitan(folder: Path) -> list[Path]:
    """Write modules with names of OpenTitan's, which do something else, and a core file of them.

    `prim_fifo` uses the others, and its output is 4.
    """
    folder.mkdir()
    texts = {
        "prim_pkg": "package prim_pkg; parameter int Width = 3; endpackage\n",
        "prim_rom": "module prim_rom (output wire [2:0] q_o); assign q_o = 3'd5; endmodule\n",
        "prim_ram_1r1w": "module prim_ram_1r1w (input wire a, output wire b); "
        "assign b = ~a; endmodule\n",
        "prim_fifo": "module prim_fifo import prim_pkg::*; (output wire [Width-1:0] q_o);\n"
        "  wire [2:0] rom; wire b;\n  prim_rom u_rom (.q_o(rom));\n"
        "  prim_ram_1r1w u_ram (.a(rom[0]), .b(b));\n  assign q_o = {rom[2:1], b};\nendmodule\n",
    }
    for name, text in texts.items():
        (folder / f"{name}.sv").write_text(text, "utf-8")
    files = "".join(f"      - {name}.sv\n" for name in texts)
    core = _OTHER_CORE.format(name=OTHER_NAME, files=files)
    (folder / "other.core").write_text(core, "utf-8")
    return [folder / f"{name}.sv" for name in texts]
