# SPDX-License-Identifier: Apache-2.0
"""A bench as data: stimulus and expected values at the ports of a design's wrapper."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from nttforge.hw.shell import ADDRESS_WIDTH
from nttforge.hw.wrapper import Port, channel_ports, control_ports

FOLDER = "bench"
#: Modules of the library that benches are made of.
SOURCES = ("stall", "source", "sink", "memory", "host")

_WRITE, _READ, _POLL, _WAIT, _REFUSE = range(5)  # rtl/bench/ntf_bench_host.sv
_WORD = 32
# Of AXI4, by ntf_bench_memory.
_NOT_LOOKED_AT = {
    *("arid_i", "arcache_i", "arprot_i", "awid_i", "awcache_i", "awprot_i", "rid_o", "bid_o")
}


def _facing(ports: Sequence[Port]) -> list[tuple[str, str]]:
    """Ports of a module that stands against the design's: what goes into one leaves the other."""
    return [
        (f"{p.name.rsplit('_', 1)[1]}_{'o' if p.direction == 'input' else 'i'}", p.name)
        for p in ports
    ]


@dataclass(frozen=True)
class StreamStimulus:
    """Beats of a stream.

    - `taken`: the design accepts them; else they are expected at its output.
    - `signals`: (signal, width), the highest bits of a beat first, `tlast` last.
    - `at_last`: bits that count in beats with `tlast` alone.
    """

    bus: str
    is_input: bool
    signals: tuple[tuple[str, int], ...]
    beats: tuple[int, ...]
    at_last: int = 0

    @property
    def width(self) -> int:
        """Bits of a beat."""
        return sum(width for _, width in self.signals)

    @property
    def file(self) -> str:
        """File of the beats."""
        return f"{FOLDER}/{self.bus}.hex"


@dataclass(frozen=True)
class MemoryStimulus:
    """Content of a memory, and what must be in it at the end.

    - `read`, `write`: prefixes of its ports; `base`: address of the first byte.
    - `width`: bits of a word; `before`, `after`: words.
    """

    read: str
    write: str
    base: int
    width: int
    before: tuple[int, ...]
    behind: tuple[int, ...]
    name: str = ""

    @property
    def ports(self) -> list[tuple[str, str]]:
        """Ports of ntf_bench_memory -> of the design."""
        pairs = _facing(channel_ports(self.read, self.write, self.width, ADDRESS_WIDTH))
        return [pair for pair in pairs if pair[0] not in _NOT_LOOKED_AT]

    @property
    def files(self) -> tuple[str, str]:
        """Files of `before` and `behind`."""
        names = self.name or self.read, self.name or self.write
        return f"{FOLDER}/{names[0]}_before.hex", f"{FOLDER}/{names[1]}_behind.hex"


@dataclass
class HostStimulus:
    """Accesses of an AXI4-Lite host: (what, address, data, mask) as of ntf_bench_host.sv."""

    bus: str
    address_bits: int
    interrupt: str
    lines: list[int] = field(default_factory=list)

    width = 104
    file = f"{FOLDER}/host.hex"

    @property
    def ports(self) -> list[tuple[str, str]]:
        """Ports of ntf_bench_host -> of the design."""
        return _facing(control_ports(self.bus, self.address_bits))

    def _do(self, what: int, address: int = 0, data: int = 0, mask: int = 0) -> None:
        line = what
        for part in (address, data, mask):
            line = line << _WORD | part
        self.lines.append(line)

    def write(self, address: int, data: int, words: int = 1) -> None:
        """Write a register, or several words of one from the lowest up."""
        for word in range(words):
            self._do(_WRITE, address + 4 * word, data >> _WORD * word & (1 << _WORD) - 1)

    def refused(self, address: int, data: int) -> None:
        """Write what must be answered with an error."""
        self._do(_REFUSE, address, data)

    def read(self, address: int, data: int, mask: int) -> None:
        """Read a register, and compare these bits."""
        self._do(_READ, address, data, mask)

    def poll(self, address: int, data: int, mask: int) -> None:
        """Read until these bits are equal."""
        self._do(_POLL, address, data, mask)

    def wait(self, level: int) -> None:
        """Wait for the interrupt."""
        self._do(_WAIT, data=level)


@dataclass(frozen=True)
class Stimulus:
    """Stimulus of a bench; after `cycles` cycles it times out."""

    about: str
    cycles: int
    streams: tuple[StreamStimulus, ...] = ()
    memories: tuple[MemoryStimulus, ...] = ()
    host: HostStimulus | None = None

    @property
    def sources(self) -> tuple[StreamStimulus, ...]:
        """Streams that the design takes."""
        return tuple(stream for stream in self.streams if stream.is_input)

    @property
    def sinks(self) -> tuple[StreamStimulus, ...]:
        """Streams that it gives."""
        return tuple(stream for stream in self.streams if not stream.is_input)

    @property
    def modules(self) -> tuple[str, ...]:
        """Files of the library that it takes."""
        return tuple(f"rtl/{FOLDER}/ntf_bench_{name}.sv" for name in SOURCES)

    def connections(self) -> dict[str, object]:
        """Variables of the bench's template, besides the design's own."""
        host = ("host",) if self.host else ()
        sources = tuple(stream.bus for stream in self.sources)
        sinks = tuple(stream.bus for stream in self.sinks)
        memories = tuple(f"memory{number}" for number in range(len(self.memories)))
        first = (*sources, *sinks, *host)
        return {
            "driven": " & ".join(f"done_{name}" for name in first),
            "compared": memories,
            "counted": (*sinks, *host, *memories),
        }

    def files(self) -> dict[str, str]:
        """Texts of its data, by name."""
        made = {stream.file: _hex(stream.beats, stream.width) for stream in self.streams}
        # Memories at several ports share their files.
        for memory in {memory.files: memory for memory in self.memories}.values():
            words = (memory.before, memory.behind)
            made |= {
                name: _hex(each, memory.width)
                for name, each in zip(memory.files, words, strict=True)
            }
        if self.host:
            made[self.host.file] = _hex(tuple(self.host.lines), self.host.width)
        return made


def _hex(words: tuple[int, ...], width: int) -> str:
    """Text for $readmemh."""
    line = f"%0{-(-width // 4)}x\n"
    return "".join([line % word for word in words])
