# SPDX-License-Identifier: Apache-2.0
"""Static timing of a netlist mapped for ECP5: an estimate, before anything is placed.

Cells have the delays that nextpnr gives them. Wires have none yet, so each net that leaves a slice
is given what such a net takes on a routed path (`ecp5_timing.json`); nets that stay in a slice, or
in a chain of carries, take nothing. As in nextpnr's own report, a path begins at a register or a
memory and ends at one: ports are not timed.
"""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from nttforge.errors import NttforgeError
from nttforge.synthesize.blocks import mapped_blocks, register_names
from nttforge.synthesize.nextpnr import share_of_tables

DATA = Path(__file__).with_name("ecp5_timing.json")
_MEMORY = re.compile(r"(\.\d+)+$|_(DP16KD|TRELLIS_DPR16X4)_\w+$")
_BUS = re.compile(r"\d+$")
_COPY = re.compile(r"\[\d+\]")
_CLOCKS = re.compile(r"CLK\w?|WCK")
#: Nets that stay in a slice: into a multiplexer's data, and into a register alone.
_WITHIN_A_SLICE = (("LUT4", "PFUMX"), ("PFUMX", "L6MUX21"), ("L6MUX21", "L6MUX21"))
_SLICE_OUTPUTS = ("LUT4", "PFUMX", "L6MUX21", "CCU2C")
#: What is in columns of its own, so that wires to and from it are long.
_FAR = ("DP16KD", "MULT18X18D", "MULT18X18D:INPUT")
#: What a level of logic is: these, and a chain of carries as a whole.
_LEVELS = ("LUT4", "MULT18X18D", "TRELLIS_DPR16X4")

Module = Mapping[str, Any]
Bit = int


@dataclass(frozen=True)
class Delays:
    """Delays of cells and nets of one speed grade, in ns.

    - `launch`: from the clock to an output, by type of cell.
    - `setup`: in front of the clock, by `type.port`; none if it is not there.
    - `logic`: through a cell, by `type` or `type.port`.
    - `route`: of a net: `base`, `log2_fanout` times the logarithm of its sinks, `far` for each of
      its two ends that is a block RAM or a multiplier, and, if it is there, `fill` times the share
      of the device's look-up tables that the design takes: the more, the longer its wires, up to
      `fullest`, the largest share of what they were fitted to; beyond that they are extrapolated.
    """

    launch: Mapping[str, float]
    setup: Mapping[str, float]
    logic: Mapping[str, float]
    route: Mapping[str, float]

    def through(self, kind: str, port: str) -> float:
        """Delay of a cell from one of its inputs."""
        return self.logic.get(f"{kind}.{port}", self.logic[kind])

    def wire(self, fanout: int, far: int = 0, fill: float = 0.0) -> float:
        """Delay of a net with so many sinks and ends that are far, in a device so full."""
        route = self.route
        known = min(fill, route.get("fullest", fill))
        size = route["log2_fanout"] * math.log2(fanout) + route.get("fill", 0.0) * known
        return route["base"] + size + route["far"] * far


def is_far(kind: str) -> bool:
    """Whether wires to and from a kind of cell are long."""
    return kind in _FAR


def _kind(cell: Module) -> str:
    """Type of a cell; a multiplier block with registers at its operands is another one."""
    registered = cell.get("parameters", {}).get("REG_INPUTA_CLK", "NONE") != "NONE"
    return f"{cell['type']}:INPUT" if registered else str(cell["type"])


@cache
def delays(speed: int, *, placed: bool = False) -> Delays:
    """The delays of a speed grade.

    - `speed`: the grade.
    - `placed`: with wires as they are in a placement of just this design, which its size decides;
      else those of a block in some design, by which blocks are compared.
    """
    known = json.loads(DATA.read_text(encoding="utf-8"))["speed"]
    if str(speed) not in known:
        grades = " or ".join(sorted(known))
        raise NttforgeError("--speed", f"no delays of grade {speed} are known", f"use {grades}")
    grade = dict(known[str(speed)])
    wires = grade.pop("placed")
    return Delays(**{**grade, "route": wires} if placed else grade)


@dataclass(frozen=True)
class Step:
    """A cell on a path, its block, the net before it, and the delays of both in ns."""

    kind: str
    block: str
    net: str
    wire_ns: float
    cell_ns: float


@dataclass(frozen=True)
class TimedPath:
    """The longest path into one bit of a register or memory, from clock to clock."""

    start: str
    end: str
    delay_ns: float
    steps: tuple[Step, ...]

    @property
    def levels(self) -> int:
        """Look-up tables, carry chains, multipliers and memories that are read between."""
        inner = self.steps[1:-1]
        chains = sum(
            after.kind == "CCU2C" and (before.kind != "CCU2C" or after.wire_ns > 0)
            for before, after in pairwise(self.steps[:-1])
        )
        return chains + sum(step.kind in _LEVELS for step in inner)


@dataclass(frozen=True)
class _Arc:
    """Into the output of a cell: from which bit, in at which port, and how long."""

    source: Bit
    port: str
    wire_ns: float
    cell_ns: float


@dataclass(frozen=True)
class PathNode:
    """A cell on a path, as the netlist has it: what it drives, and the delays up to there."""

    cell: str
    bit: Bit | None
    wire_ns: float
    cell_ns: float


@dataclass(frozen=True)
class _End:
    """An input that is clocked."""

    cell: str
    port: str
    source: Bit
    wire_ns: float
    setup_ns: float


class TimingGraph:
    """The netlist of one flat module as arcs between bits, and when each bit arrives.

    - `module`: of Yosys's `write_json`, made by :func:`nttforge.synthesize.yosys.synthesize` for
      `ecp5`.
    - `grade`: what cells and nets take.
    - `fill`: the share of the device's look-up tables that it takes.

    Raises NttforgeError if there is a cell that has no delay, or a loop without a register.
    """

    def __init__(self, module: Module, grade: Delays) -> None:
        self._module = module
        self._grade = grade
        self._cells: Mapping[str, Any] = module["cells"]
        self._driver: dict[Bit, str] = {}
        self._fanout: Counter[Bit] = Counter()
        self._arcs: dict[Bit, list[_Arc]] = {}
        self._ends: list[_End] = []
        self._arrival: dict[Bit, float] = {}
        self._latest: dict[Bit, _Arc] = {}
        self.fill = share_of_tables(Counter(cell["type"] for cell in self._cells.values()))
        self._connect()
        self._time()

    def _connect(self) -> None:
        for name, cell in self._cells.items():
            for port, bits in cell["connections"].items():
                for bit in bits:
                    if not isinstance(bit, int):
                        continue
                    if cell["port_directions"][port] == "output":
                        self._driver[bit] = name
                    else:
                        self._fanout[bit] += 1
        for name, cell in self._cells.items():
            self._connect_cell(name, cell)

    def _connect_cell(self, name: str, cell: Module) -> None:
        kind = _kind(cell)
        ends, outputs = [], []
        inputs: list[tuple[str, Bit]] = []
        for port, bits in cell["connections"].items():
            wired = [bit for bit in bits if isinstance(bit, int)]
            if cell["port_directions"][port] == "output":
                outputs += [(port, bit) for bit in wired]
            elif not _CLOCKS.fullmatch(port):
                inputs += [(port, bit) for bit in wired]
        if kind in self._grade.launch:
            ends = inputs
            self._arrival.update((bit, self._grade.launch[kind]) for _, bit in outputs)
        elif kind == "TRELLIS_DPR16X4":
            ends = [(port, bit) for port, bit in inputs if port != "RAD"]
            inputs = [(port, bit) for port, bit in inputs if port == "RAD"]
        elif kind not in self._grade.logic:
            raise NttforgeError("timing", f"a cell {kind} has no delay", "report this design")
        for port, bit in ends:
            setup = self._grade.setup.get(f"{kind}.{_BUS.sub('', port)}", 0.0)
            self._ends.append(_End(name, port, bit, self._wire(bit, kind, port), setup))
        if kind in self._grade.launch:
            return
        wires = {(port, bit): self._wire(bit, kind, port) for port, bit in inputs}
        for out, bit in outputs:
            self._arcs[bit] = [
                _Arc(source, port, wires[port, source], self._through(kind, port, out))
                for port, source in inputs
                if kind != "CCU2C" or not (port[-1] == "1" and out == "S0")
            ]

    def _through(self, kind: str, port: str, out: str) -> float:
        if kind != "CCU2C":
            return self._grade.through(kind, port)
        if out == "COUT":
            return self._grade.through(kind, port)
        if port == "CIN" or (port[-1], out) == ("0", "S1"):
            chain = 0.0 if port == "CIN" else self._grade.logic["CCU2C"]
            return chain + self._grade.logic["CCU2C.S"]
        return self._grade.logic["LUT4"]

    def _wire(self, bit: Bit, kind: str, port: str) -> float:
        before = self.driver_kind(bit)
        if port == "CIN" and before == "CCU2C":
            return 0.0
        into_multiplexer = (before, kind) in _WITHIN_A_SLICE and port not in ("C0", "SD")
        into_register = kind == "TRELLIS_FF" and port == "DI" and self._fanout[bit] == 1
        if into_multiplexer or (into_register and before in _SLICE_OUTPUTS):
            return 0.0
        return self._grade.wire(self._fanout[bit], is_far(before) + is_far(kind), self.fill)

    def driver_kind(self, bit: Bit) -> str:
        """Type of the cell that drives a bit; empty for a port."""
        driver = self._driver.get(bit)
        return _kind(self._cells[driver]) if driver else ""

    def kind(self, cell: str) -> str:
        """Type of a cell."""
        return _kind(self._cells[cell])

    def fanout(self, bit: Bit) -> int:
        """Number of its sinks."""
        return self._fanout[bit]

    def arrival(self, bit: Bit) -> float:
        """Arrival time of a bit, in ns from the clock; 0 for a port."""
        return self._arrival.get(bit, 0.0)

    def _time(self) -> None:
        """Arrival times of all bits, in topological order."""
        readers: dict[Bit, list[Bit]] = defaultdict(list)
        missing: dict[Bit, int] = {}
        for bit, arcs in self._arcs.items():
            sources = {arc.source for arc in arcs if arc.source in self._arcs}
            missing[bit] = len(sources)
            for source in sources:
                readers[source].append(bit)
        ready = [bit for bit, number in missing.items() if number == 0]
        for bit in ready:  # grows
            best, latest = -math.inf, None
            for arc in self._arcs[bit]:
                at = self._arrival.get(arc.source, -math.inf) + arc.wire_ns + arc.cell_ns
                if at > best:
                    best, latest = at, arc
            if latest is not None:
                self._arrival[bit], self._latest[bit] = best, latest
            for reader in readers[bit]:
                missing[reader] -= 1
                if missing[reader] == 0:
                    ready.append(reader)
        if len(ready) < len(self._arcs):
            stuck = next(self._driver[bit] for bit, left in missing.items() if left)
            raise NttforgeError(
                "timing", f"there is a loop without a register at {stuck}", "report this design"
            )

    def slowest(self) -> Iterator[tuple[float, int]]:
        """(delay, number of the end) of all that ends somewhere, the slowest first."""
        found = [
            (self._arrival[end.source] + end.wire_ns + end.setup_ns, number)
            for number, end in enumerate(self._ends)
            if end.source in self._arrival
        ]
        yield from sorted(found, key=lambda pair: (-pair[0], pair[1]))

    def period(self) -> float:
        """Delay of the slowest path in ns; 0 if there is none."""
        return next((delay for delay, _ in self.slowest()), 0.0)

    def trace(self, number: int) -> list[PathNode]:
        """The path to an end, from the cell that it begins at to the one that it ends in."""
        end = self._ends[number]
        result = [PathNode(end.cell, None, end.wire_ns, end.setup_ns)]
        bit = end.source
        while bit in self._latest:
            arc = self._latest[bit]
            result.append(PathNode(self._driver[bit], bit, arc.wire_ns, arc.cell_ns))
            bit = arc.source
        result.append(PathNode(self._driver[bit], bit, 0.0, self._arrival[bit]))
        return result[::-1]


class NameResolver:
    """Source names of cells and bits of a mapped netlist."""

    def __init__(self, module: Module) -> None:
        self._cells: Mapping[str, Any] = module["cells"]
        self._blocks = mapped_blocks(module)
        self._words: dict[Bit, list[str]] = defaultdict(list)
        self._files: dict[str, str] = {}
        for name, net in module["netnames"].items():
            if "hdlname" not in net["attributes"]:  # not from the source
                continue
            for bit in set(net["bits"]):
                if isinstance(bit, int):
                    self._words[bit].append(name)
            source = net["attributes"].get("src", "").partition("|")[0].rpartition(":")[0]
            self._files.setdefault(name.rpartition(".")[0], Path(source).stem)

    def block(self, cell: str) -> str:
        """Instance path that a cell belongs to."""
        return self._blocks.get(cell, "")

    def module(self, block: str) -> str:
        """Module of an instance path: each file of the library is one, and wires know theirs."""
        while block and block not in self._files:
            block = block.rpartition(".")[0]
        return self._files.get(block, "")

    def net(self, bit: Bit | None, block: str) -> str:
        """The word that a bit belongs to, seen from a block; empty if it has no name."""
        words = self._words.get(bit, []) if bit is not None else []
        return min(words, key=lambda word: _name_rank(word, block), default="")

    def step(self, hop: PathNode) -> Step:
        """A cell on a path, as users know it."""
        block = self.block(hop.cell)
        net = self.net(hop.bit, block)
        return Step(self._cells[hop.cell]["type"], block, net, hop.wire_ns, hop.cell_ns)

    def register(self, cell: str) -> str:
        """The word that a register or memory is called by."""
        data = self._cells[cell]
        block, names = self.block(cell), register_names(data)
        if data["type"] == "TRELLIS_FF" and not names:
            (bit,) = data["connections"]["Q"]
            names = self._words.get(bit, [])
        elif data["type"] in ("DP16KD", "TRELLIS_DPR16X4"):
            return _MEMORY.sub("", cell)
        return min(names, key=lambda name: _name_rank(name, block), default=cell)


def _name_rank(word: str, block: str) -> tuple[bool, bool, bool, int, str]:
    home, _, leaf = word.rpartition(".")
    return (
        home != block and not word.startswith(f"{block}."),
        not leaf.endswith("_q"),
        leaf.endswith(("_i", "_o")),
        len(word),
        word,
    )


def slowest_paths(
    graph: TimingGraph, names: NameResolver, groups: int, at: str = ""
) -> list[tuple[TimedPath, int]]:
    """The slowest path of each pair of registers, the slowest first, and how many it stands for.

    Registers that differ in indices alone, as those of equal lanes, count as one.

    - `graph`, `names`: of one netlist.
    - `groups`: number of pairs of registers wanted.
    - `at`: an instance path: only paths that begin or end below it.
    """
    paths: dict[tuple[str, str], TimedPath] = {}
    ends: Counter[tuple[str, str]] = Counter()
    for delay, number in graph.slowest():
        hops = graph.trace(number)
        start, end = names.register(hops[0].cell), names.register(hops[-1].cell)
        if at and not any(name.startswith(f"{at}.") for name in (start, end)):
            continue
        pair = _COPY.sub("[*]", start), _COPY.sub("[*]", end)
        if pair not in paths:
            if len(paths) == groups:
                break
            steps = tuple(names.step(hop) for hop in hops)
            paths[pair] = TimedPath(start, end, delay, steps)
        ends[pair] += 1
    return [(path, ends[pair]) for pair, path in paths.items()]
