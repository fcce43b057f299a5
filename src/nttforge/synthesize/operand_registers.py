# SPDX-License-Identifier: Apache-2.0
"""Registers in front of a multiplier block of ECP5 move into the block, which has them anyway.

A MULT18X18D has a register after each operand pin (Lattice, TN1267, *ECP5 sysDSP usage guide*):
with them the product starts at the clock, and the wire to the block is in the cycle before. Yosys's
`synth_ecp5` leaves them unused. nextpnr knows times of blocks whose operands are both registered,
so both move or none. The registers after the product stay where they are: what enables these is
not among the bits that the open database of ECP5 knows.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from nttforge.cache import cached
from nttforge.synthesize.parts import PORTS
from nttforge.synthesize.static_timing import Delays, TimingGraph, delays, is_far
from nttforge.synthesize.yosys import NETLIST, Synthesis

_BLOCK, _FLOP = "MULT18X18D", "TRELLIS_FF"
_OPERANDS = [f"{operand}{bit}" for operand in "AB" for bit in range(18)]
#: What a register of an operand is in the fabric: data has no reset, and powers up at zero.
_PLAIN = {"CLKMUX": "CLK", "GSR": "DISABLED", "REGSET": "RESET"}
_MOVED = {
    "GSR": "DISABLED",
    "RESETMODE": "SYNC",
    **{f"REG_INPUT{operand}_{pin}": f"{pin}0" for operand in "AB" for pin in ("CLK", "CE", "RST")},
}
_VERSION = "3"  # of what is done to a netlist
_SPEED = 8
_WORTH = 0.95  # of the slowest path through a block before

Cell = dict[str, Any]
_Controls = tuple[int, int | str, bool]


def moved(mapped: Synthesis) -> Synthesis:
    """The mapped design with registers of operands in its multiplier blocks, for nextpnr.

    If the slowest path through a block is not shorter by more than estimates are off, or the period
    is longer, it stays as it is: wires to blocks are long, and which one is longest is seen when
    they are routed. The result is kept by content. Areas are still those that Yosys counted.
    """
    content = mapped.netlist.read_bytes()

    def make(scratch: Path) -> None:
        netlist, grade = json.loads(content), delays(_SPEED)
        module = netlist["modules"][mapped.top]
        before, through = _periods(module, grade)
        if not move_registers(module, grade):
            return
        after, through_then = _periods(module, grade)
        if after <= before and through_then < _WORTH * through:
            (scratch / NETLIST).write_text(json.dumps(netlist), encoding="utf-8")

    if _BLOCK.encode() not in content:
        return mapped
    key = hashlib.sha256(b"\0".join([mapped.top.encode(), _VERSION.encode(), content]))
    kept = cached("operands", key.hexdigest()[:32], make) / NETLIST
    return replace(mapped, netlist=kept) if kept.is_file() else mapped


def _periods(module: dict[str, Any], grade: Delays) -> tuple[float, float]:
    """The slowest path of all, and of those that go through a block, in ns."""
    cells, graph = module["cells"], TimingGraph(module, grade)
    through = (
        delay
        for delay, end in graph.slowest()
        if any(cells[hop.cell]["type"] == _BLOCK for hop in graph.trace(end))
    )
    return graph.period(), next(through, 0.0)


def move_registers(module: dict[str, Any], grade: Delays) -> int:
    """Move registers into the multiplier blocks of a flat netlist for ECP5.

    A block takes those of its operands where all bits are plain registers of one clock and enable
    (or constant, with ones in one operand at most), and where the words arrive no later
    than, as it is, products do. A register that something else reads as well stays there for it.

    - `module`: of Yosys's `write_json`; is changed.
    - `grade`: delays to go by.
    """
    cells: dict[str, Cell] = module["cells"]
    registers = {cell["connections"]["Q"][0]: name for name, cell in _plain_registers(cells)}
    wanted: dict[str, dict[str, str]] = {}
    for name, cell in cells.items():
        if cell["type"] == _BLOCK:
            own = _operands(cell, registers)
            if own and len({_controls(cells[register]) for register in own.values()}) == 1:
                wanted[name] = own
    if wanted:
        wanted = _in_time(module, wanted, grade)
    words = (net["bits"] for net in module["netnames"].values())
    fresh = count(
        1 + max((bit for word in words for bit in word if isinstance(bit, int)), default=0)
    )
    for name, own in wanted.items():
        controls = _controls(cells[next(iter(own.values()))])
        _move(cells[name], {port: cells[register] for port, register in own.items()})
        pins = {"CLK0": controls[0], "CE0": _enable(module, name, controls, fresh), "RST0": "0"}
        cells[name]["connections"] |= {pin: [bit] for pin, bit in pins.items()}
        cells[name]["port_directions"] |= dict.fromkeys(pins, "input")
    _drop_unread(module, {register for own in wanted.values() for register in own.values()})
    return len(wanted)


def _plain_registers(cells: Mapping[str, Cell]) -> Iterator[tuple[str, Cell]]:
    """Those that may move: no reset, no set, not kept, and none that stands for a port."""
    for name, cell in cells.items():
        if cell["type"] != _FLOP or "keep" in cell["attributes"] or name.startswith(f"{PORTS}."):
            continue
        given, pins = cell["parameters"], cell["connections"]
        if (
            all(given.get(key, value) == value for key, value in _PLAIN.items())
            and given.get("CEMUX", "CE").strip() in ("CE", "INV", "1")
            and pins.get("LSR", ["0"]) == ["0"]
            and not pins.get("M")
            and isinstance(pins["DI"][0], int)
        ):
            yield name, cell


def _operands(block: Cell, registers: Mapping[int, str]) -> dict[str, str] | None:
    """Pin -> register of the operands' bits; None if there are others but constants."""
    pins = block["connections"]
    if any(value != "NONE" for key, value in block["parameters"].items() if key.endswith("_CLK")):
        return None
    if any(isinstance(pins.get(pin, ["0"])[0], int) for pin in ("SIGNEDA", "SIGNEDB")):
        return None
    found: dict[str, str] = {}
    for port in _OPERANDS:
        bit = pins.get(port, ["0"])[0]
        if bit in registers:
            found[port] = registers[bit]
        elif isinstance(bit, int):
            return None
    ones = {port[0] for port in _OPERANDS if pins.get(port, ["0"])[0] == "1"}
    return found if len(ones) < 2 else None


def _controls(register: Cell) -> _Controls:
    """Clock, enable, which is "1" if there is none, and whether this one is low when it enables."""
    pins, how = register["connections"], register["parameters"].get("CEMUX", "CE").strip()
    return pins["CLK"][0], "1" if how == "1" else pins.get("CE", ["1"])[0], how == "INV"


def _in_time(
    module: dict[str, Any], wanted: dict[str, dict[str, str]], grade: Delays
) -> dict[str, dict[str, str]]:
    """The blocks for which it is no loss: where the wires to it fit where the block was."""
    cells, graph = module["cells"], TimingGraph(module, grade)
    readers: dict[int, int] = defaultdict(int)
    for own in wanted.values():
        for register in own.values():
            readers[cells[register]["connections"]["DI"][0]] += 1

    def later(register: str) -> float:
        (bit,) = cells[register]["connections"]["DI"]
        far = 1 + is_far(graph.driver_kind(bit))
        return graph.arrival(bit) + grade.wire(readers[bit], far) + setup

    def now(name: str) -> float:
        outputs = (pins[0] for port, pins in cells[name]["connections"].items() if port[0] == "P")
        return max(graph.arrival(bit) for bit in outputs if isinstance(bit, int))

    setup = grade.setup[f"{_BLOCK}:INPUT.A"]
    least = grade.wire(1, far=1)
    return {
        name: own
        for name, own in wanted.items()
        if max(map(later, set(own.values()))) <= now(name) + least
    }


def _move(block: Cell, registers: Mapping[str, Cell]) -> None:
    """Operands come from in front of the registers, and the block's own take their place."""
    block["connections"] |= {
        port: register["connections"]["DI"] for port, register in registers.items()
    }
    block["parameters"] |= _MOVED
    names = dict.fromkeys(register["attributes"].get("src", "") for register in registers.values())
    block["attributes"]["src"] = "|".join([*names, block["attributes"].get("src", "")]).strip("|")


def _enable(
    module: dict[str, Any], block: str, controls: _Controls, fresh: Iterator[int]
) -> int | str:
    """Enable of a block; an inversion takes a look-up table beside each block."""
    _, enable, inverted = controls
    if not inverted:
        return enable
    bit, name = next(fresh), f"$operands${block}"
    pins: dict[str, int | str] = {"A": enable, "B": "0", "C": "0", "D": "0", "Z": bit}
    module["cells"][name] = {
        "hide_name": 1,
        "type": "LUT4",
        "parameters": {"INIT": "01" * 8},
        "attributes": {},
        "port_directions": {pin: "output" if pin == "Z" else "input" for pin in pins},
        "connections": {pin: [bit] for pin, bit in pins.items()},
    }
    module["netnames"][f"{name}$Z"] = {"hide_name": 1, "bits": [bit], "attributes": {}}
    return bit


def _drop_unread(module: dict[str, Any], registers: set[str]) -> None:
    """Remove the registers that nothing reads any more."""
    read = {
        bit
        for cell in module["cells"].values()
        for port, bits in cell["connections"].items()
        if cell["port_directions"][port] != "output"
        for bit in bits
    } | {bit for port in module["ports"].values() for bit in port["bits"]}
    for register in registers:
        if module["cells"][register]["connections"]["Q"][0] not in read:
            del module["cells"][register]
