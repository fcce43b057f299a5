# SPDX-License-Identifier: Apache-2.0
"""Integration files against the RTL: ports and widths from slang's elaboration, addresses from the
control's own register decoder."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pyslang
import pytest

from nttforge import __version__
from nttforge.cache import design_files
from nttforge.design import Design, load_design, parse_design
from nttforge.flow.generate import generate
from nttforge.hw import build
from nttforge.hw import shell as shell_registers
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.simulator import job_places

DESIGN = "streamntt-3221225473"


@pytest.fixture(scope="module")
def core() -> Any:
    return build(load_design(DESIGN, {"shell.instances": 3}))


@pytest.fixture(scope="module")
def folder(core: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("design")
    generate(load_design(DESIGN, {"shell.instances": 3}), folder)
    return folder


@pytest.fixture(scope="module")
def ports(core: Any, folder: Any) -> Any:
    """Direction and width of the kernel's ports, as another parser reads them from its text."""
    text = (folder / f"{core.shell.vitis.name}.v").read_text()
    tree = pyslang.syntax.SyntaxTree.fromText(text)
    assert not [d for d in tree.diagnostics if d.isError()]
    header = text[text.index("\nmodule ") : text.index(");\n")]
    found = {}
    for way, high, name in re.findall(r"(input|output)\s+wire\s+(?:\[(\d+):0\]\s*)?(\w+)", header):
        found[name] = (way, int(high or 0) + 1)
    return found


def test_kernel_xml_names_the_ports_of_the_rtl(core: Any, folder: Any, ports: Any) -> None:
    kernel: Any = ET.parse(folder / "kernel.xml").getroot().find("kernel")
    assert kernel.get("name") == core.shell.vitis.name
    assert kernel.get("hwControlProtocol") == "ap_ctrl_hs"
    named = {port.get("name"): port for port in kernel.iter("port")}
    buses = {re.match(r"(s_axi_control|m_axi_(?:in|out)\d+)_", n) for n in ports}
    assert set(named) == {bus[1] for bus in buses if bus}
    for name, port in named.items():
        width = int(port.get("dataWidth"))
        data = "wdata" if name != "m_axi_in0" and f"{name}_wdata" in ports else "rdata"
        assert ports[f"{name}_{data}"][1] == width
        if port.get("mode") == "master":
            valid = "arvalid" if "in" in name.removeprefix("m_axi_") else "awvalid"
            assert ports[f"{name}_{valid}"] == ("output", 1)


def test_kernel_arguments_are_registers_of_the_control(core: Any, folder: Any) -> None:
    """Addresses as the control's text says: operation, and the arguments of each instance."""
    text = (folder / "rtl/shell/ntf_shell_arguments.sv").read_text()
    constants = {n: int(v, 16) for n, v in re.findall(r"(Addr\w+)\s*=\s*12'h([0-9a-f]{3})", text)}
    (stride,) = map(int, re.findall(r"AddrArguments \+ 12'\((\d+) \* NumInst\)", text))
    kernel: Any = ET.parse(folder / "kernel.xml").getroot().find("kernel")
    args = list(kernel.iter("arg"))
    assert [int(a.get("id")) for a in args] == list(range(len(args)))
    for arg in args:
        name, offset = arg.get("name"), int(arg.get("offset"), 16)
        if name == "operation":
            assert offset == constants["AddrOperation"]
            continue
        ((kind, instance),) = re.findall(r"^(in|out|count)(\d+)$", name)
        register = {"in": 0, "out": 2, "count": 4}[kind]
        assert offset == constants["AddrArguments"] + stride * int(instance) + 4 * register
        signal = {"in": "source_o", "out": "target_o", "count": "count_o"}[kind]
        assert re.search(rf"w_word_q\[{register}\]\) {signal}\[i\]\[8\*b\+:8\]", text)
        assert arg.get("port") == (f"m_axi_{name}" if kind != "count" else "s_axi_control")
    # Read as they are written.
    assert "{32'(count_o[r_inst]), target_o[r_inst], source_o[r_inst]}" in text
    assert len(args) == 1 + 3 * core.shell.instances


def test_connectivity_pairs_neighbouring_channels(core: Any, folder: Any) -> None:
    text = (folder / "connectivity.cfg").read_text()
    pairs = dict(re.findall(r"sp=\w+\.m_axi_(\w+):HBM\[(\d+)\]", text))
    assert pairs == {"in0": "0", "out0": "1", "in1": "2", "out1": "3", "in2": "4", "out2": "5"}
    assert f"nk={core.shell.vitis.name}:1" in text
    placed = re.findall(r"SLR(\d) .*gen_instance\[(\d+)\]", (folder / "placement.xdc").read_text())
    assert placed == [("0", "0"), ("1", "1"), ("2", "2")]
    assert "gen_instance" in (folder / f"{core.shell.top}.sv").read_text()


def test_file_lists_are_those_of_the_folder(core: Any, folder: Any) -> None:
    files = [str(path.relative_to(folder)) for path in design_files(folder)]
    text = (folder / f"{core.name}.core").read_text()
    listed = re.findall(r"^      - ([^\s:]+)", text[: text.index("  constraints:")], re.M)
    # The library's come with its own core, of which tests/end_to_end/test_projects.py knows.
    assert listed == [file for file in files if not file.startswith("rtl/")]
    assert f'depend: ["nttforge:rtl:library:{__version__}"]' in text
    for script in ("package_kernel.tcl", "ooc.tcl"):
        assert re.findall(r"\$here/(\S+\.s?v)\b", (folder / script).read_text()) == files
    assert f"toplevel: {core.shell.top}" in text
    assert "clk_i" in (folder / f"{core.name}.xdc").read_text()


def test_the_readme_says_what_a_host_needs(core: Any, folder: Any) -> None:
    text = (folder / "README.md").read_text()
    traffic = f"| {core.shell.read_bytes(0)} | {core.shell.write_bytes(0)} |"
    for words in (core.shell.top, core.shell.vitis.name, traffic):
        assert words in text
    for address in (
        shell_registers.OPERATION,
        shell_registers.STATUS,
        shell_registers.FAULT,
        shell_registers.CONTROL,
    ):
        assert f"`0x{address:02x}`" in text
    for offset in (shell_registers.SOURCE, shell_registers.TARGET, shell_registers.COUNT):
        address, stride = shell_registers.ARGUMENTS + offset, shell_registers.ARGUMENTS_STRIDE
        assert f"| 0x{address:02x} + {stride} i |" in text
    for name in re.findall(r"`([\w.]+\.(?:xml|tcl|cfg|xdc|core))`", text):
        assert (folder / name).is_file()


LARGE = {"n": 16, "t": 4, "l_max": 14, "port_bits": 64, "memory": "hbm2"}


def large_design(**change: object) -> Design:
    table, ring = LARGE | change, {"preset": "goldilocks"}
    data = {"name": "dut", "family": "decomposed", "rings": [ring], "decomposed": table}
    return parse_design(data, "test")


def large_core(design: Design) -> DecomposedCore:
    core = build(design)
    assert isinstance(core, DecomposedCore)
    return core


@pytest.fixture(params=[{}, {"engines": 4, "own_channels": True}], scope="module")
def generated(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[DecomposedCore, Path]:
    design, folder = large_design(**request.param), tmp_path_factory.mktemp("large")
    generate(design, folder)
    return large_core(design), folder


def test_a_large_kernel_reaches_all_channels_of_its_words(
    generated: tuple[DecomposedCore, Path],
) -> None:
    """Each port those of the stripes that it sees, where the simulator has them too."""
    large, folder = generated
    kernel: Any = ET.parse(folder / "kernel.xml").getroot().find("kernel")
    named = {port.get("name"): port for port in kernel.iter("port")}
    assert set(named) == set(large.wrapper.buses)
    text = (folder / f"{large.name}_wrapper.v").read_text()
    for bus in large.buses:
        assert re.search(rf"output wire \[{8 * large.port_bytes - 1}:0\] +{bus}_wdata", text)
        assert int(named[bus].get("dataWidth")) == 8 * large.port_bytes
    linked = re.findall(
        r"sp=dut\.(\w+):HBM\[(\d+):(\d+)\]", (folder / "connectivity.cfg").read_text()
    )
    assert [bus for bus, *_ in linked] == list(large.buses)
    assert large.dram is not None
    stripe, *buffers = job_places(large, large.operations[0], 14, 1)
    for p, (_, first, last) in enumerate(linked):
        seen = range(large.stripes) if large.sets > 1 else [p % large.ports]
        reached = {(at + s * stripe) // stripe for at in buffers for s in seen}
        assert {int(first), int(last)} <= reached <= set(range(int(first), int(last) + 1))


def test_arguments_of_a_large_kernel_are_registers(
    generated: tuple[DecomposedCore, Path],
) -> None:
    large, folder = generated
    args = list(ET.parse(folder / "kernel.xml").getroot().iter("arg"))
    by_name = {arg.get("name") or "": arg for arg in args}
    assert [int(arg.get("id") or -1) for arg in args] == list(range(len(args)))
    writable = {r.name for r in large.registers if r.access == "rw"}
    others = {"global_interrupt", "interrupt_enable", "interrupt_status", "control"}
    own = {name for name in by_name if not name.startswith("at_")}
    assert own == writable - others
    for name, arg in by_name.items():
        register = large.registers["source" if name.startswith("at_") else name]
        assert int(arg.get("offset") or "", 16) == register.address
        assert int(arg.get("size") or "", 16) == 4 * register.words
    assert {arg.get("port") for arg in args} == set(large.wrapper.buses)


def test_a_large_kernel_has_files_if_a_card_has_its_memory() -> None:
    """Not with DDR4; and not with more ports than a card has channels for."""
    wide = {"n": 128, "t": 32, "port_bits": 64}
    for change, has in (({}, True), ({"memory": "ddr4"}, False), (wide, False)):
        core = large_core(large_design(**change))
        assert (core.vitis is not None, "kernel.xml" in core.templates) == (has, has), change
