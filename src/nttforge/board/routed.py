# SPDX-License-Identifier: Apache-2.0
"""The routed netlist of a bitstream, simulated: a serial port with the chip after it.

What nextpnr has packed, placed and routed, with every multiplexer in front of a pin as it is
configured, computes in Verilator. Time is the router's to check, not this one's; the PLL is a wire.
"""

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nttforge.board.cells import cells_text
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, silent
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.simulate.serial_line import characters, output_of
from nttforge.synthesize.nextpnr import ROUTED

_NAME = "nttforge_routed"
PORTS = Ports(inputs={"rx_i": 1}, outputs={"tx_o": 1}, common=("clk_i",))
#: Of a cell: its parameters that the simulation knows. Others must be what it takes for granted.
_PARAMETERS = {
    "TRELLIS_COMB": ("MODE", "INITVAL", "CCU2_INJECT1"),
    "TRELLIS_FF": ("CEMUX", "SD", "REGSET", "SRMODE"),
    "DP16KD": ("DATA_WIDTH_A", "DATA_WIDTH_B", "WRITEMODE_A", "WRITEMODE_B"),
    "TRELLIS_IO": ("DIR",),
    "TRELLIS_RAMW": (),
    "MULT18X18D": (),
    "DCCA": (),
    "EHXPLLL": (),
}
#: Pins that the simulation knows, but those of one bit that all cells of a kind have.
_VECTORS = {
    "DP16KD": {"ADA": 14, "ADB": 14, "DIA": 18, "DIB": 18, "DOA": 18, "DOB": 18},
    "MULT18X18D": {"A": 18, "B": 18, "P": 36},
}
_SINGLE = {
    "TRELLIS_COMB": "A B C D M FCI F1 FXA FXB WD WAD0 WAD1 WAD2 WAD3 WRE WCK F FCO OFX",
    "TRELLIS_FF": "CLK CE LSR DI M Q",
    "DP16KD": "CLKA CLKB CEA CEB WEA WEB",
    "TRELLIS_IO": "I O",
    "TRELLIS_RAMW": "A0 B0 C0 D0 A1 B1 C1 D1 WADO0 WADO1 WADO2 WADO3 WDO0 WDO1 WDO2 WDO3",
    "MULT18X18D": "SIGNEDA SIGNEDB",
    "DCCA": "CLKI CE CLKO",
    "EHXPLLL": "CLKI CLKFB RST STDBY PHASESEL0 PHASESEL1 PHASEDIR PHASESTEP PHASELOADREG "
    "PLLWAKESYNC ENCLKOP CLKOP LOCK",
}
_OUTPUT = re.compile(r"F|FCO|OFX|Q|O|CLKO|CLKOP|LOCK|WADO\d|WDO\d|DO[AB]\d+|P\d+")
#: Pins that are low if nothing is connected; ECP5's others are high.
_LOW = {("TRELLIS_FF", "LSR")}
#: What the simulation takes for granted, of block RAM: no registers after it, one selected block.
_GRANTED = {
    "REGMODE_A": "NOREG",
    "REGMODE_B": "NOREG",
    "CSDECODE_A": "0b000",
    "CSDECODE_B": "0b000",
    "CLKMUX": "CLK",
    "CLKAMUX": "CLKA",
    "CLKBMUX": "CLKB",
    "LSRMUX": "LSR",
    "WCKMUX": "WCK",
    "WREMUX": "WRE",
}
_UNUSED = ("CLKAMUX", "CLKBMUX")
#: Words are compared with shorter ones, and nets of a flat netlist depend on each other.
_WAIVED = ("WIDTHEXPAND", "WIDTHTRUNC", "UNOPTFLAT")
#: Pins that must be at a level: no reset of block RAM, and one port that writes.
_LEVEL = ("1'b0", "~1'b1")
_FIXED = {"DP16KD": {"RSTA": _LEVEL, "RSTB": _LEVEL, "WEB": _LEVEL}}
_IDLE_BATCH = 40  # bits of the serial line


def _unknown(what: str) -> NttforgeError:
    return NttforgeError("routed netlist", f"has {what}", "it is not simulated; report this design")


class _Netlist:
    """A netlist as Verilog, an instance of a cell of ours for each of its own."""

    def __init__(self, module: Mapping[str, Any]) -> None:
        self.lines: list[str] = []
        self.wires: set[int] = set()
        self.pads = {bit: name for name, p in module["ports"].items() for bit in p["bits"]}
        for number, cell in enumerate(module["cells"].values()):
            self._cell(f"c{number}", cell)

    def _pin(self, cell: Mapping[str, Any], pin: str) -> str:
        kind = cell["type"]
        bits = cell["connections"].get(pin, [])
        output = _OUTPUT.fullmatch(pin) is not None
        mux = cell["parameters"].get(f"{pin}MUX", pin)
        if bits and isinstance(bits[0], int):
            self.wires.add(bits[0])
            given = f"n{bits[0]}"
        else:
            given = "" if output else f"1'b{int((kind, pin) not in _LOW)}"
        if (kind, pin) == ("TRELLIS_FF", "CE") or mux == pin:
            return given
        if mux == "INV":
            return f"~{given}"
        if mux in ("0 ", "1 "):
            return f"1'b{mux[0]}"
        raise _unknown(f"{kind} with {pin}MUX = {mux}")

    def _check(self, cell: Mapping[str, Any]) -> None:
        """Refuse what a cell may be set to, and the simulation's cannot."""
        kind, parameters = cell["type"], cell["parameters"]
        if kind not in _PARAMETERS:
            raise _unknown(f"a cell {kind}")
        for key, value in parameters.items():
            if key in _UNUSED and not cell["connections"].get(key.removesuffix("MUX")):
                continue  # a port without a clock
            granted = "NONE" if re.fullmatch("REG_.*_CLK", key) else _GRANTED.get(key, value)
            if value != granted:
                raise _unknown(f"{kind} with {key} = {value}")
        for pin, level in _FIXED.get(kind, {}).items():
            if self._pin(cell, pin) not in level:
                raise _unknown(f"{kind} with a signal at {pin}")

    def _vector(self, name: str, cell: Mapping[str, Any], vector: str, width: int) -> str:
        bits = [self._pin(cell, f"{vector}{at}") for at in reversed(range(width))]
        # An output that goes nowhere still has its place.
        spare = {at: f"{name}_{vector}{at}" for at, bit in enumerate(bits) if not bit}
        self.lines += [f"wire {wire};" for wire in spare.values()]
        return f"{{{', '.join(spare.get(at, bit) for at, bit in enumerate(bits))}}}"

    def _pad(self, name: str, cell: Mapping[str, Any]) -> dict[str, str]:
        port = self.pads[cell["connections"]["B"][0]]
        if cell["parameters"]["DIR"] == "INPUT":
            return {"PAD": port}
        self.lines += [f"wire {name}_o;", f"assign {port} = {name}_o;"]
        return {"PAD": "1'b0", "O": f"{name}_o"}

    def _cell(self, name: str, cell: Mapping[str, Any]) -> None:
        self._check(cell)
        kind, parameters = cell["type"], cell["parameters"]
        if parameters.get("MODE") == "RAMW_BLOCK":
            return  # the cells that it writes have its outputs
        given = {key: parameters[key] for key in _PARAMETERS[kind] if key in parameters}
        settings = [f".{key}({_value(value)})" for key, value in given.items()]
        pins = {pin: self._pin(cell, pin) for pin in _SINGLE[kind].split()}
        for vector, width in _VECTORS.get(kind, {}).items():
            pins[vector] = self._vector(name, cell, vector, width)
        if kind == "TRELLIS_COMB":
            pins["UPPER"] = f"1'b{int(bool(cell['connections'].get('FXA')))}"
        elif kind == "TRELLIS_IO":
            pins |= self._pad(name, cell)
        elif kind == "DP16KD":
            words = [parameters.get(f"INITVAL_{at:02X}", "0") for at in reversed(range(64))]
            value = "".join(word.rjust(320, "0") for word in words)
            settings.append(f".INIT({len(value)}'h{int(value, 2):x})")
        ports = ", ".join(f".{pin}({signal})" for pin, signal in pins.items())
        self.lines.append(f"{kind} #({', '.join(settings)}) {name} ({ports});")

    def text(self, name: str) -> str:
        """The module."""
        wires = sorted(self.wires - set(self.pads))
        return "\n".join(
            [
                f"module {name} (input wire clk_i, input wire rx_i, output wire tx_o);",
                *(f"wire n{bit};" for bit in wires),
                *sorted(self.lines, key=lambda line: not line.startswith("wire")),
                "endmodule\n",
            ]
        )


def _value(value: str) -> str:
    return f"{len(value)}'b{value}" if re.fullmatch("[01]+", value) else f'"{value}"'


def routed_verilog(netlist: Path) -> str:
    """The netlist that nextpnr wrote, as Verilog on the cells of `ecp5_cells.v`."""
    (module,) = json.loads(netlist.read_text("utf-8"))["modules"].values()
    return _Netlist(module).text(_NAME)


def build_routed(folder: Path) -> Path:
    """Compile the routed netlist of a bitstream's folder, or take the library that is kept."""
    if not (folder / ROUTED).is_file():
        raise NttforgeError(str(folder), f"has no {ROUTED}", "write it with `nttforge bitstream`")
    with tempfile.TemporaryDirectory(prefix="nttforge-") as name:
        source = Path(name) / f"{_NAME}.v"
        off = "".join(f"/* verilator lint_off {rule} */\n" for rule in _WAIVED)
        text = f"{off}{cells_text()}\n{routed_verilog(folder / ROUTED)}"
        source.write_text(text, "utf-8")
        return CycleModel.kept([source], _NAME, PORTS)


def run_routed(folder: Path, bit: int, *, most: int, progress: Progress = silent) -> str:
    """Run the firmware of a SoC whose bitstream is in `folder`, as nextpnr has routed it.

    - `bit`: cycles of a bit of its serial line.
    - `most`: cycles until it is given up.
    """
    chip = CycleModel(build_routed(folder), PORTS)
    return output_of(chip, {"rx_i": 1}, bit=bit, most=most, progress=progress)


class RoutedPort:
    """The serial port of a simulated chip, as :class:`nttforge.host.Uart` takes it."""

    def __init__(self, library: Path, bit: int, patience: int = 4000) -> None:
        self._model = CycleModel(library, PORTS)
        self._bit = bit
        self._patience = patience
        self._levels = np.ones(1, np.uint8)
        self._there = b""
        self.cycles = 0
        self._run(np.ones(_IDLE_BATCH * bit, np.uint8))

    def _run(self, levels: np.ndarray) -> None:
        low, high = (self._model.vectors([{"rx_i": level}]) for level in (0, 1))
        raw = self._model.replay(b"".join(high if level else low for level in levels))
        self.cycles += len(levels)
        seen = np.frombuffer(raw, np.uint8).reshape(len(levels), -1)[:, 0] & 1
        self._levels = np.concatenate([self._levels, seen])
        text, used = characters(self._levels, self._bit)
        self._levels = self._levels[used:]
        self._there += text.encode("latin-1")

    def write(self, data: bytes) -> int:
        """See :class:`nttforge.host.transport.Port`."""
        self._run(np.array([*_levels_of(data, self._bit)], np.uint8))
        return len(data)

    def read(self, size: int) -> bytes:
        """See :class:`nttforge.host.transport.Port`."""
        for _ in range(0, self._patience, _IDLE_BATCH):
            if len(self._there) >= size:
                break
            self._run(np.ones(_IDLE_BATCH * self._bit, np.uint8))
        found, self._there = self._there[:size], self._there[size:]
        return found

    def close(self) -> None:
        """End it."""
        self._model.close()


def _levels_of(data: bytes, bit: int) -> Iterator[int]:
    for byte in data:
        for level in (0, *(byte >> at & 1 for at in range(8)), 1):
            yield from [level] * bit
