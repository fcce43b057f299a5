# SPDX-License-Identifier: Apache-2.0
"""After synthesis, in four states: no X leaves a netlist after reset, and it does what the RTL did.

A design's folder brings a bench, with random pauses on every port. What its inputs and outputs are
in each cycle of the RTL is written down, and done again with the netlist, whose flip-flops and
memories begin as X; payloads are X while their valid is low. What must be known, and as it was, is
every valid, ready and level, and what comes with a valid.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from nttforge.cache import design_files
from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.generate import generate
from nttforge.hw import build
from nttforge.hw.wrapper import Wrapper
from tests.benches import QUICK, make, with_runtime
from tests.drawn import draw, small
from tests.four_states import driven, looked_at
from tests.modules import SMALL
from tests.netlist import synthesised

#: Family -> cycles: enough for results of streams, and for jobs and keys whole.
CYCLES: Mapping[str, int] = {
    "pipeline": 400,
    "iterative": 600,
    "shell": 1500,
    "decomposed": 3000,
    "mlkem": 10000,
    "mldsa": 8000,
}
Cycle = dict[str, int]


def recorder(wrapper: Wrapper, cycles: int) -> str:
    """A module in each wrapper that writes what its ports are before each edge of the clock."""
    ports = [f"input {port.span} {port.name}" for port in wrapper.ports]
    clock, reset = wrapper.clock, wrapper.reset
    names = ", ".join([reset, *(port.name for port in wrapper.ports)])
    words = " ".join(["%h"] * (len(ports) + 1))
    return f"""
module recorder (input {clock}, input {reset}, {", ".join(ports)});
  int file, cycle;
  initial file = $fopen("cycles.txt");
  always @(posedge {clock}) begin
    if (cycle < {cycles}) $fdisplay(file, "{words}", {names});
    if (cycle == {cycles}) $fclose(file);
    cycle <= cycle + 1;
  end
endmodule
bind {wrapper.name} recorder u_recorder (.*);
"""


def recorded(folder: Path, wrapper: Wrapper, cycles: int) -> Iterator[Cycle]:
    """What the bench of a folder does with the RTL, and the RTL with the bench."""
    (folder / "recorder.sv").write_text(recorder(wrapper, cycles))
    with (folder / "files.f").open("a") as sources:
        sources.write("recorder.sv\n")
    with_runtime(folder / "build")
    done = make(folder, *QUICK)
    assert "PASS: " in done.stdout, done.stdout + done.stderr
    names = [wrapper.reset, *(port.name for port in wrapper.ports)]
    for line in (folder / "cycles.txt").read_text().splitlines():
        yield {name: int(word, 16) for name, word in zip(names, line.split(), strict=True)}


@dataclass(frozen=True)
class ReplayResult:
    """A small design, and what its bench did with the RTL."""

    wrapper: Wrapper
    sources: list[Path]
    cycles: list[Cycle]


def played(data: Mapping[str, Any], scratch: Path, cycles: int) -> ReplayResult:
    """Generate a design, and run its bench."""
    design = parse_design(data, "test")
    wrapper = build(design).wrapper
    generate(design, scratch)
    sources = design_files(scratch)
    return ReplayResult(wrapper, sources, list(recorded(scratch, wrapper, cycles)))


def small_of(family: str, scratch: Path) -> ReplayResult:
    return played({"name": "dut"} | SMALL[family], scratch, CYCLES[family])


def differences(design: ReplayResult, scratch: Path, *faults: str) -> tuple[set[str], set[str]]:
    """Outputs that were X, and those that were not as recorded, at any time after the reset."""
    wrapper = design.wrapper
    netlist = synthesised(design.sources, wrapper.name, scratch, faults)
    inputs = {n: len(bits) for n, bits in netlist.inputs.items() if n != wrapper.clock}
    unknown, other, started = set(), set(), False
    for ports in design.cycles:
        outputs = netlist.step({name: driven(name, width, ports) for name, width in inputs.items()})
        for name, word in outputs.items() if started else ():
            bits = looked_at(name, word.width, ports)
            if bits & ~(word.ones | word.zeros):
                unknown.add(name)
            elif bits & (word.ones ^ ports[name]):
                other.add(name)
        started = bool(ports[wrapper.reset])
    return unknown, other


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> ReplayResult:
    return small_of("pipeline", tmp_path_factory.mktemp("pipeline"))


def test_no_x_leaves_a_netlist(pipeline: ReplayResult, tmp_path: Path) -> None:
    assert differences(pipeline, tmp_path) == (set(), set())


@pytest.mark.slow
@pytest.mark.parametrize("family", [family for family in CYCLES if family != "pipeline"])
def test_no_x_leaves_a_netlist_of(family: str, tmp_path: Path) -> None:
    design = small_of(family, tmp_path / "folder")
    assert differences(design, tmp_path) == (set(), set())
    results = [name for name in design.cycles[0] if name.startswith("m_") and "wvalid" in name]
    results += [name for name in design.cycles[0] if name.startswith("m_") and "tvalid" in name]
    assert sum(ports[name] for ports in design.cycles for name in results) > 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_no_x_leaves_a_netlist_of_any_design(seed: int, tmp_path: Path) -> None:
    for data in filter(small, (draw(f"netlist-{seed}.{number}") for number in count())):
        with suppress(NttforgeError):
            design = played(data, tmp_path / "folder", 1000)
            break
    assert differences(design, tmp_path) == (set(), set()), data


def test_an_x_is_seen(pipeline: ReplayResult, tmp_path: Path) -> None:
    """Flip-flops that lose their reset."""
    unknown, _ = differences(pipeline, tmp_path, "chtype -set $_DFF_P_ t:$_DFF_PN0_")
    assert unknown


def test_another_netlist_is_seen(pipeline: ReplayResult, tmp_path: Path) -> None:
    """Gates of another kind."""
    _, other = differences(pipeline, tmp_path, "chtype -set $_OR_ t:$_XOR_")
    assert other
