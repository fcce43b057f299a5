# SPDX-License-Identifier: Apache-2.0
"""The top of a design with plain ports: a module of Verilog-2001, for block designs and kernels.

Ports are named as AMD's tools expect them, so that they see buses: `aclk`, `s_axis_*`, `m_axi_*`.
AXI4 channels get the identifiers that the tops leave out because there is but one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

# Signals of a memory channel: whether it is the memory that gives them, their names and widths.
_READ_PORTS = (
    (False, "arvalid", "1"),
    (True, "arready", "1"),
    (False, "araddr", "address"),
    (False, "arlen", "8"),
    (False, "arsize", "3"),
    (False, "arburst", "2"),
    (False, "arcache", "4"),
    (False, "arprot", "3"),
    (True, "rvalid", "1"),
    (False, "rready", "1"),
    (True, "rdata", "data"),
    (True, "rresp", "2"),
    (True, "rlast", "1"),
)
_WRITE_PORTS = (
    (False, "awvalid", "1"),
    (True, "awready", "1"),
    (False, "awaddr", "address"),
    (False, "awlen", "8"),
    (False, "awsize", "3"),
    (False, "awburst", "2"),
    (False, "awcache", "4"),
    (False, "awprot", "3"),
    (False, "wvalid", "1"),
    (True, "wready", "1"),
    (False, "wdata", "data"),
    (False, "wstrb", "strobe"),
    (False, "wlast", "1"),
    (True, "bvalid", "1"),
    (False, "bready", "1"),
    (True, "bresp", "2"),
)
# Outside alone: identifiers, which are always zero, and not looked at.
_READ_IDS = ("arid", "rid")
_WRITE_IDS = ("awid", "bid")

_CONTROL_PORTS = (
    ("input", "1", "awvalid"),
    ("output", "1", "awready"),
    ("input", "address", "awaddr"),
    ("input", "1", "wvalid"),
    ("output", "1", "wready"),
    ("input", "32", "wdata"),
    ("input", "4", "wstrb"),
    ("output", "1", "bvalid"),
    ("input", "1", "bready"),
    ("output", "2", "bresp"),
    ("input", "1", "arvalid"),
    ("output", "1", "arready"),
    ("input", "address", "araddr"),
    ("output", "1", "rvalid"),
    ("input", "1", "rready"),
    ("output", "32", "rdata"),
    ("output", "2", "rresp"),
)


#: Of the registers, as Vitis names it.
CONTROL_BUS = "s_axi_control"


@dataclass(frozen=True)
class Port:
    """A port of a wrapper: `input` or `output`, with its width in bits.

    `inside` is the port of the top that it is a part of; an output without one has a fixed `value`.
    """

    direction: str
    width: int
    name: str
    inside: str = ""
    value: int = 0

    @property
    def span(self) -> str:
        """Its range, as in a declaration."""
        return f"[{self.width - 1}:0]" if self.width > 1 else ""

    def __str__(self) -> str:
        return f"{self.direction:<6} wire {self.span:<8}{self.name}"


@dataclass(frozen=True)
class Wrapper:
    """A wrapper as data; `tied` are inputs of the top that are constantly low."""

    name: str
    top: str
    ports: tuple[Port, ...]
    buses: tuple[str, ...]
    clock: str = "aclk"
    reset: str = "aresetn"
    tied: tuple[str, ...] = ()

    @property
    def connections(self) -> list[tuple[str, list[str]]]:
        """The top's port -> the wrapper's, the highest bits first."""
        inside: dict[str, list[str]] = {}
        for port in self.ports:
            if port.inside:
                inside.setdefault(port.inside, []).insert(0, port.name)
        return list(inside.items())

    @property
    def constants(self) -> list[Port]:
        """Outputs that never change."""
        return [port for port in self.ports if port.direction == "output" and not port.inside]

    @property
    def levels(self) -> list[str]:
        """Inputs that belong to no bus."""
        buses = tuple(f"{bus}_" for bus in self.buses)
        return [
            port.name
            for port in self.ports
            if port.direction == "input" and not port.name.startswith(buses)
        ]

    @property
    def unused(self) -> list[str]:
        """Inputs that carry nothing."""
        return [p.name for p in self.ports if p.direction == "input" and not p.inside]


def control_ports(bus: str, address: int) -> list[Port]:
    """An AXI4-Lite port, `s_axi` of the top."""
    return [
        Port(way, address if width == "address" else int(width), f"{bus}_{name}", f"s_axi_{name}")
        for way, width, name in _CONTROL_PORTS
    ]


def stream_ports(bus: str, is_input: bool, **widths: int) -> list[Port]:
    """An AXI4-Stream with handshake and the given signals; `is_input` if it goes in."""
    there, back = ("input", "output") if is_input else ("output", "input")
    ports = [Port(there, 1, f"{bus}_tvalid"), Port(back, 1, f"{bus}_tready")]
    ports += [Port(there, width, f"{bus}_{name}") for name, width in widths.items()]
    return [Port(p.direction, p.width, p.name, p.name) for p in ports]


def channel_ports(read: str, write: str, data: int, address: int) -> list[Port]:
    """An AXI4 channel that is read and one that is written, of so many bits."""
    widths = {"data": data, "address": address, "strobe": data // 8}
    ports: list[Port] = []
    for bus, table, (given, is_input) in (
        (read, _READ_PORTS, _READ_IDS),
        (write, _WRITE_PORTS, _WRITE_IDS),
    ):
        for comes, name, kind in table:
            way = "input" if comes else "output"
            width = widths.get(kind) or int(kind)
            ports.append(Port(way, width, f"{bus}_{name}", f"m_axi_{name}"))
        ports.append(Port("output", 1, f"{bus}_{given}"))
        ports.append(Port("input", 1, f"{bus}_{is_input}"))
    return ports


def stream_wrapper(
    top: str, user_bits: int, data_bits: int, keep_bits: int, *, flush: bool
) -> Wrapper:
    """Of a core from stream to stream."""
    data = {"tdata": data_bits} | ({"tkeep": keep_bits} if keep_bits else {})
    ports = [
        *stream_ports("s_axis", True, tlast=1, tuser=user_bits, **data),
        *stream_ports("m_axis", False, tlast=1, tuser=user_bits + 1, **data),
    ]
    if flush:
        ports += [
            Port("input", 1, "flush", "flush_i"),
            Port("output", 1, "flushing", "flushing_o"),
        ]
    tied = ("test_mode_i",) if flush else ()
    return Wrapper(f"{top}_wrapper", top, tuple(ports), ("s_axis", "m_axis"), tied=tied)


def memory_wrapper(
    name: str, top: str, channels: Sequence[tuple[str, str]], data: int, address: int
) -> Wrapper:
    """Of engines on memory channels, each of them (read, write), with Vitis's names."""
    ports = [
        Port("output", 1, "interrupt", "interrupt_o"),
        *control_ports(CONTROL_BUS, 12),
        *(port for pair in channels for port in channel_ports(*pair, data, address)),
    ]
    buses = dict.fromkeys([CONTROL_BUS, *(bus for pair in channels for bus in pair)])
    names = (name, top, tuple(ports), tuple(buses), "ap_clk", "ap_rst_n")
    return Wrapper(*names, tied=("test_mode_i",))
