# SPDX-License-Identifier: Apache-2.0
"""The top of a design with plain ports: a module of Verilog-2001, for block designs and kernels.

Ports are named as AMD's tools expect them, so that they see buses: `aclk`, `s_axis_*`, `m_axi_*`.
AXI4 channels get the signals that the tops leave out because they never change.
"""

from collections.abc import Sequence
from dataclasses import dataclass

# Suffix of a memory channel's port inside -> (suffix outside, its width).
_READ_PORTS = (
    ("arvalid_o", "arvalid", "1"),
    ("arready_i", "arready", "1"),
    ("araddr_o", "araddr", "address"),
    ("arlen_o", "arlen", "8"),
    ("rvalid_i", "rvalid", "1"),
    ("rready_o", "rready", "1"),
    ("rdata_i", "rdata", "data"),
    ("rresp_i", "rresp", "2"),
)
_WRITE_PORTS = (
    ("awvalid_o", "awvalid", "1"),
    ("awready_i", "awready", "1"),
    ("awaddr_o", "awaddr", "address"),
    ("awlen_o", "awlen", "8"),
    ("wvalid_o", "wvalid", "1"),
    ("wready_i", "wready", "1"),
    ("wdata_o", "wdata", "data"),
    ("wstrb_o", "wstrb", "strobe"),
    ("wlast_o", "wlast", "1"),
    ("bvalid_i", "bvalid", "1"),
    ("bready_o", "bready", "1"),
    ("bresp_i", "bresp", "2"),
)
# Outside alone: constants, and inputs that carry nothing. `size` is log2 of the bytes.
_READ_FIXED = (("arid", 1, 0), ("arburst", 2, 1), ("arcache", 4, 3), ("arprot", 3, 0))
_WRITE_FIXED = (("awid", 1, 0), ("awburst", 2, 1), ("awcache", 4, 3), ("awprot", 3, 0))
_READ_UNUSED = (("rid", 1), ("rlast", 1))
_WRITE_UNUSED = (("bid", 1),)

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


@dataclass(frozen=True)
class Port:
    """A port of a wrapper.

    Attributes
    ----------
    direction
        `input` or `output`.
    width
        Bits.
    name
        Outside.
    inside
        The top's port that it is, or part of; empty if it is none's.
    value
        What an output that is none's always is.
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
    """A wrapper as data.

    Attributes
    ----------
    name, top
        Modules: the wrapper, and what is in it.
    ports
        All but clock and reset.
    buses
        Prefixes of the ports that are a bus's.
    clock, reset
        Ports of the wrapper; the top's are `clk_i` and `rst_ni`.
    tied
        Inputs of the top that are constantly low.
    """

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


def control_ports(bus: str, inside: str, address: int) -> list[Port]:
    """An AXI4-Lite port; `inside` has the name of the top's port for `{name}` and `{way}`."""
    return [
        Port(
            way,
            address if width == "address" else int(width),
            f"{bus}_{name}",
            inside.format(name=name, way=way[0]),
        )
        for way, width, name in _CONTROL_PORTS
    ]


def stream_ports(bus: str, taken: bool, **widths: int) -> list[Port]:
    """An AXI4-Stream with handshake and the given signals; `taken` if it goes in."""
    there, back = ("input", "output") if taken else ("output", "input")
    ports = [Port(there, 1, f"{bus}_tvalid"), Port(back, 1, f"{bus}_tready")]
    ports += [Port(there, width, f"{bus}_{name}") for name, width in widths.items()]
    return [Port(p.direction, p.width, p.name, p.name) for p in ports]


def channel_ports(read: str, write: str, data: int, address: int) -> list[Port]:
    """An AXI4 channel that is read and one that is written, of so many bits."""
    widths = {"data": data, "address": address, "strobe": data // 8}
    size = (data // 8).bit_length() - 1
    ports: list[Port] = []
    for bus, table, fixed, unused, name in (
        (read, _READ_PORTS, _READ_FIXED, _READ_UNUSED, "arsize"),
        (write, _WRITE_PORTS, _WRITE_FIXED, _WRITE_UNUSED, "awsize"),
    ):
        for inside, outside, kind in table:
            way = "output" if inside.endswith("_o") else "input"
            ports.append(Port(way, widths.get(kind) or int(kind), f"{bus}_{outside}", inside))
        ports += [Port("output", width, f"{bus}_{n}", value=v) for n, width, v in fixed]
        ports.append(Port("output", 3, f"{bus}_{name}", value=size))
        ports += [Port("input", width, f"{bus}_{n}") for n, width in unused]
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
    control = "s_axi_control"
    ports = [
        Port("output", 1, "interrupt", "interrupt_o"),
        *control_ports(control, "ctrl_{name}_{way}", 12),
        *(port for pair in channels for port in channel_ports(*pair, data, address)),
    ]
    buses = dict.fromkeys([control, *(bus for pair in channels for bus in pair)])
    names = (name, top, tuple(ports), tuple(buses), "ap_clk", "ap_rst_n")
    return Wrapper(*names, tied=("test_mode_i",))
