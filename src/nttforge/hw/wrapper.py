# SPDX-License-Identifier: Apache-2.0
"""The top of a design with plain ports: a module of Verilog-2001, for block designs and kernels.

Ports are named as AMD's tools expect them, so that they see buses: `aclk`, `s_axis_*`, `m_axi_*`.
AXI4 channels get the identifiers that the tops leave out because there is but one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# Signals of a memory channel with their widths; the memory gives those with <. The last two are
# outside alone: identifiers, which are always zero, and not looked at.
_READ = """
    arvalid:1 <arready:1 araddr:address arlen:8 arsize:3 arburst:2 arcache:4 arprot:3
    <rvalid:1 rready:1 <rdata:data <rresp:2 <rlast:1 arid <rid
"""
_WRITE = """
    awvalid:1 <awready:1 awaddr:address awlen:8 awsize:3 awburst:2 awcache:4 awprot:3
    wvalid:1 <wready:1 wdata:data wstrb:strobe wlast:1 <bvalid:1 bready:1 <bresp:2 awid <bid
"""
# Those of AXI4-Lite, of which hardware gives those with <.
_CONTROL = """
    awvalid:1 <awready:1 awaddr:address wvalid:1 <wready:1 wdata:32 wstrb:4
    <bvalid:1 bready:1 <bresp:2 arvalid:1 <arready:1 araddr:address
    <rvalid:1 rready:1 <rdata:32 <rresp:2
"""

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


def _bus_ports(
    bus: str, inside: str, signals: str, ways: tuple[str, str], **widths: int
) -> Iterator[Port]:
    """Ports of a bus, see above; `ways` of signals without and with <."""
    for word in signals.split():
        name, _, width = word.removeprefix("<").partition(":")
        bits = widths.get(width) or int(width or 1)
        yield Port(ways[word[0] == "<"], bits, f"{bus}_{name}", f"{inside}_{name}" if width else "")


def control_ports(bus: str, address: int) -> list[Port]:
    """An AXI4-Lite port, `s_axi` of the top."""
    return [*_bus_ports(bus, "s_axi", _CONTROL, ("input", "output"), address=address)]


def stream_ports(bus: str, is_input: bool, **widths: int) -> list[Port]:
    """An AXI4-Stream with handshake and the given signals; `is_input` if it goes in."""
    there, back = ("input", "output") if is_input else ("output", "input")
    ports = [Port(there, 1, f"{bus}_tvalid"), Port(back, 1, f"{bus}_tready")]
    ports += [Port(there, width, f"{bus}_{name}") for name, width in widths.items()]
    return [Port(p.direction, p.width, p.name, p.name) for p in ports]


def channel_ports(read: str, write: str, data: int, address: int) -> list[Port]:
    """An AXI4 channel that is read and one that is written, of so many bits."""
    widths = {"data": data, "address": address, "strobe": data // 8}
    return [
        port
        for bus, signals in ((read, _READ), (write, _WRITE))
        for port in _bus_ports(bus, "m_axi", signals, ("output", "input"), **widths)
    ]


def stream_wrapper(
    top: str, user_bits: int, data_bits: int, keep_bits: int, *, flush: bool, control: bool
) -> Wrapper:
    """Of a core from stream to stream; with `control` registers beside them."""
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
    buses = ["s_axis", "m_axis"]
    if control:
        ports += control_ports("s_axi", 12)
        buses.append("s_axi")
    tied = ("test_mode_i",) if flush else ()
    return Wrapper(f"{top}_wrapper", top, tuple(ports), tuple(buses), tied=tied)


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
