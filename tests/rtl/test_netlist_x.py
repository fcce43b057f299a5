# SPDX-License-Identifier: Apache-2.0
"""After synthesis, in four states: from reset on, no X leaves a netlist.

Flip-flops and memories begin as X, as those of a chip may; Yosys's simulator carries them on. A
bench of a few lines drives every input at random. What must be known is every valid, ready and
level, and what comes with a valid.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from nttforge.content import design_files
from nttforge.design import parse_design
from nttforge.families.wrapper import Port, Wrapper
from nttforge.flow.prepare import prepare_any
from tests.modules import SMALL
from tests.undriven import passes

#: Family -> cycles: enough for results of streams, and for accesses to the registers of a shell.
CYCLES: Mapping[str, int] = {"pipeline": 160, "iterative": 200, "shell": 60}
#: Signal of a bus -> the valid that it comes with; others are always known.
_COMES_WITH = {
    **dict.fromkeys(("tdata", "tlast"), "tvalid"),
    **dict.fromkeys(("rdata", "rresp", "rlast"), "rvalid"),
    **dict.fromkeys(("wdata", "wstrb", "wlast"), "wvalid"),
    **{"bresp": "bvalid", "araddr": "arvalid", "arlen": "arvalid"},
    **{"awaddr": "awvalid", "awlen": "awvalid"},
}


def _seen(port: Port) -> str:
    """An output as it is looked at. The error bit of a `tuser` comes with the last beat."""
    bus, _, signal = port.name.rpartition("_")
    if signal == "tuser":
        operation = f"{port.name} & ~({port.width}'d1 << {port.width - 1})"
        return f"{{{port.width}{{{bus}_tvalid}}}} & ({bus}_tlast ? {port.name} : {operation})"
    if signal in _COMES_WITH:
        return f"{{{port.width}{{{bus}_{_COMES_WITH[signal]}}}}} & {port.name}"
    return port.name


def bench(wrapper: Wrapper) -> str:
    """A module that drives a wrapper at random; its outputs must be known, whatever happens."""
    outputs = [port for port in wrapper.ports if port.direction == "output"]
    lines = [f"  output {port.span} seen_{port.name}" for port in outputs]
    wires = [f"  wire {port.span} {port.name};" for port in wrapper.ports]
    drives = []
    for number, port in enumerate(p for p in wrapper.ports if p.direction == "input"):
        bits = (f"state[{(11 * number + 7 * bit) % 64}]" for bit in range(port.width))
        # Frames end by their length: an early end is an error, behind which data mean nothing.
        value = "1'b0" if port.name.endswith("tlast") else f"{{{', '.join(bits)}}}"
        drives.append(f"  assign {port.name} = {value};")
    drives += [f"  assign seen_{port.name} = {_seen(port)};" for port in outputs]
    ports = [f".{port.name}({port.name})" for port in wrapper.ports]
    ports += [f".{wrapper.clock}(clk)", f".{wrapper.reset}(rst_n)"]
    return "\n".join(
        [
            "module x_bench (input clk, input rst_n,",
            ",\n".join(lines),
            ");",
            "  reg [63:0] state;",
            "  wire [63:0] a = state ^ (state << 13), b = a ^ (a >> 7), c = b ^ (b << 17);",
            "  always @(posedge clk) if (!rst_n) state <= 64'h9e3779b97f4a7c15; else state <= c;",
            *wires,
            *drives,
            f"  {wrapper.name} u_dut ({', '.join(ports)});",
            "endmodule",
        ]
    )


def unknown(family: str, scratch: Path, *faults: str) -> tuple[set[str], set[str]]:
    """Outputs that were X at any time behind the reset, and those that changed."""
    design = prepare_any(parse_design({"name": "dut"} | SMALL[family], "test"))
    wrapper = design.core.wrapper
    (scratch / "bench.v").write_text(bench(wrapper))
    files = " ".join(map(str, design_files(design.folder)))
    passes(
        scratch,
        f"read_slang --unroll-limit 1048576 --top {wrapper.name} {files}",
        "chformal -remove",
        f"synth -flatten -noabc -top {wrapper.name}",
        *faults,
        "read_verilog bench.v",
        "hierarchy -top x_bench",
        "proc",
        f"sim -clock clk -resetn rst_n -rstlen 3 -n {CYCLES[family]} -vcd seen.vcd x_bench",
    )
    return states((scratch / "seen.vcd").read_text())


def states(text: str) -> tuple[set[str], set[str]]:
    """Signals `seen_...` of a waveform that were X from the end of the reset on, or changed."""
    names = dict(re.findall(r"\$var wire \d+ (\S+) seen_(\w+)", text))
    reset = re.search(r"\$var wire 1 (\S+) rst_n ", text)
    assert names and reset
    values: dict[str, str] = {}
    found: tuple[set[str], set[str]] = (set(), set())
    for instant in re.split(r"^#\d+\n", text.partition("$enddefinitions")[2], flags=re.MULTILINE):
        before = dict(values)
        for vector, of, bit, single in re.findall(
            r"^b([01xz]+) (\S+)$|^([01xz])(\S+)$", instant, re.MULTILINE
        ):
            values[of or single] = vector or bit
        if before.get(reset[1]) != "1":
            continue
        found[0].update(names[of] for of in names if set(values.get(of, "x")) & set("xz"))
        found[1].update(names[of] for of in names if values.get(of) != before.get(of))
    return found


@pytest.mark.parametrize(
    "family", ["pipeline", "iterative", pytest.param("shell", marks=pytest.mark.slow)]
)
def test_no_x_leaves_a_netlist(family: str, tmp_path: Path) -> None:
    wrong, moved = unknown(family, tmp_path)
    assert not wrong
    assert any(name.endswith("valid") for name in moved)


def test_an_x_is_seen(tmp_path: Path) -> None:
    """Flip-flops that lose their reset."""
    fault = "chtype -set $_DFFE_PP_ t:$_DFFE_PN0P_"
    wrong, _ = unknown("pipeline", tmp_path, fault)
    assert wrong
