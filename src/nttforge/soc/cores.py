# SPDX-License-Identifier: Apache-2.0
"""LiteX modules of designs: CSRs, FIFO or DMA for each stream, interrupt; see :func:`add_core`."""

from pathlib import Path
from typing import Any

from litex.gen import LiteXModule
from litex.soc.cores.dma import WishboneDMAReader, WishboneDMAWriter
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi, stream, wishbone
from litex.soc.interconnect.csr import CSRStatus, CSRStorage
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import Cat, ClockSignal, If, Instance, Mux, ResetSignal, Signal

from nttforge.cache import design_files
from nttforge.errors import NttforgeError
from nttforge.hw.wrapper import Port, Wrapper

#: Of the processor's bus.
WORD = 32
REGISTERS_BYTES = 0x1000
#: Beats that wait in a FIFO.
DEPTH = 32
_DMA_DEPTH = 16
_CHANNELS = ("aw", "w", "b", "ar", "r")


def words_of(bits: int) -> int:
    """Words of the bus that a beat takes in memory: it begins at one, its first bit lowest."""
    return -(-bits // WORD)


def add_sources(platform: Any, folder: Path) -> None:
    """Add a design's files to a platform, without those that another design has added."""
    known = {Path(source[0]).name: Path(source[0]) for source in platform.sources}
    for path in design_files(folder):
        other = known.setdefault(path.name, path)
        if other is path:
            platform.add_source(str(path))
        elif other.read_bytes() != path.read_bytes():
            raise NttforgeError(
                path.stem,
                f"the SoC has two modules of this name: {other} and {path}",
                "write all designs with one version of nttforge, and give each its own name",
            )


class Core(LiteXModule):  # type: ignore[misc]
    """A design as it is: its AXI4-Lite port, its streams, its other signals.

    - `platform`: LiteX's, which gets the design's files.
    - `wrapper`: the design's plain ports.
    - `folder`: the design folder.
    - `axil`: `AXILiteInterface` of its registers, or None.
    - `sinks`, `sources`: endpoints of streams that it takes and gives, by their names; fields as
      AXI4-Stream's, without the t.
    - `levels`: what is no bus's, by name.
    - `ev`: of designs with an interrupt: its event, `done`.

    Raises NttforgeError if the design has memory channels: AXI4, for which this has no module; or
    if the platform has another module of the name of one of the design's.
    """

    def __init__(self, platform: Any, wrapper: Wrapper, folder: Path) -> None:
        if any(port.name.endswith("_arlen") for port in wrapper.ports):
            raise NttforgeError(
                wrapper.top,
                "has AXI4 memory channels, and there is no LiteX module for these",
                "take a design with streams, as ml-kem-coprocessor or ml-kem",
            )
        self.axil: Any = None
        self.sinks: dict[str, Any] = {}
        self.sources: dict[str, Any] = {}
        self.levels: dict[str, Any] = {}
        connections: dict[str, Any] = {
            f"i_{wrapper.clock}": ClockSignal("sys"),
            f"i_{wrapper.reset}": ~ResetSignal("sys"),
        }
        for bus in (*wrapper.buses, ""):
            ports = [port for port in wrapper.ports if _bus_of(wrapper, port) == bus]
            signals = self._bus(bus, ports) if bus else self._levels(ports)
            connections |= {
                f"{port.direction[0]}_{port.name}": signals[port.name] for port in ports
            }
        if "interrupt_o" in self.levels:
            self.ev = EventManager()
            self.ev.done = EventSourceLevel()
            self.ev.finalize()
            self.comb += self.ev.done.trigger.eq(self.levels["interrupt_o"])
        self.specials += Instance(wrapper.name, **connections)
        add_sources(platform, folder)

    def _levels(self, ports: list[Port]) -> dict[str, Any]:
        self.levels = {port.name: Signal(port.width, name=port.name) for port in ports}
        return self.levels

    def _bus(self, bus: str, ports: list[Port]) -> dict[str, Any]:
        """Signals of a bus, by the ports' names."""
        named = {port.name.removeprefix(f"{bus}_"): port for port in ports}
        if "tvalid" not in named:
            self.axil = axi.AXILiteInterface(data_width=WORD, address_width=WORD)
            return {p.name: self._lite(name)[: p.width] for name, p in named.items()}
        fields = {name[1:]: p.width for name, p in named.items() if name[1:] not in _OF_ENDPOINTS}
        endpoint = stream.Endpoint(list(fields.items()))
        taken = named["tvalid"].direction == "input"
        (self.sinks if taken else self.sources)[bus] = endpoint
        return {port.name: getattr(endpoint, name[1:]) for name, port in named.items()}

    def _lite(self, name: str) -> Any:
        """The interface's signal of a port, as `awaddr`."""
        channel = next(c for c in _CHANNELS if name.startswith(c))
        return getattr(getattr(self.axil, channel), name.removeprefix(channel))


_OF_ENDPOINTS = ("valid", "ready", "last")


def _bus_of(wrapper: Wrapper, port: Port) -> str:
    return next((bus for bus in wrapper.buses if port.name.startswith(f"{bus}_")), "")


class _Mover(LiteXModule):  # type: ignore[misc]
    """CSRs of a stream's FIFO and DMA: `base`, `length` in bytes (writing starts it), `done`."""

    def __init__(self, endpoint: Any, dma: Any) -> None:
        reads = isinstance(dma, WishboneDMAReader)
        layout = endpoint.description.payload_layout
        self.beat = [(n, w) for n, w, *_ in layout if reads or n != "keep"]
        self.words = words_of(len(endpoint.data))
        self.wide = WORD * self.words
        self.fifo = stream.SyncFIFO(self.beat, DEPTH, buffered=True)
        self.bus = dma.bus
        self.dma = dma
        self._base = CSRStorage(WORD, description="Address of the first beat.")
        self._length = CSRStorage(WORD, description="Bytes; starts the transfer. 0 ends it.")
        self._done = CSRStatus(1, description="All is moved.")
        self.comb += [
            dma.base.eq(self._base.storage),
            dma.length.eq(self._length.storage),
            dma.enable.eq(self._length.storage != 0),
        ]
        if any(name == "user" for name, _ in self.beat):
            kind = CSRStorage if reads else CSRStatus
            self._user = kind(len(endpoint.user), description="Beside each beat.")


class ToStream(_Mover):
    """FIFO before a stream: the processor writes `data0` last (pushes the beat), or a DMA."""

    def __init__(self, sink: Any, bus: Any) -> None:
        dma = WishboneDMAReader(bus, endianness="big", fifo_depth=_DMA_DEPTH)
        dma.add_ctrl()
        self.data = [CSRStorage(WORD, name=f"data{i}") for i in range(words_of(len(sink.data)))]
        for at, register in enumerate(self.data):
            setattr(self, f"_data{at}", register)
        self._last = CSRStorage(1, description="Whether a packet ends.")
        self._room = CSRStatus(WORD, description="Beats that fit.")
        super().__init__(sink, dma)
        fifo, wide = self.fifo, self.wide
        self.converter = stream.Converter(WORD, wide)
        pushed = Signal()
        self.comb += [
            dma.source.connect(self.converter.sink),
            pushed.eq(self.data[-1].re),
            # Not before the last beat is in the FIFO: what `last` says is looked at there.
            self._done.status.eq(dma.done & ~dma.source.valid & ~self.converter.source.valid),
            self._room.status.eq(DEPTH - fifo.level),
            If(
                pushed,
                fifo.sink.data.eq(Cat(*(register.storage for register in self.data))),
                fifo.sink.last.eq(self._last.storage),
            ).Else(
                fifo.sink.data.eq(self.converter.source.data),
                fifo.sink.last.eq(self.converter.source.last & self._last.storage),
                self.converter.source.ready.eq(fifo.sink.ready),
            ),
            fifo.sink.valid.eq(pushed | self.converter.source.valid),
            fifo.source.connect(sink, omit={"user"}),
        ]
        if hasattr(self, "_user"):
            self.comb += [fifo.sink.user.eq(self._user.storage), sink.user.eq(fifo.source.user)]
        if hasattr(sink, "keep"):
            whole = 2 ** len(sink.keep) - 1
            self._keep = CSRStorage(
                len(sink.keep), reset=whole, description="Bytes of a last beat, a bit each."
            )
            self.comb += fifo.sink.keep.eq(Mux(fifo.sink.last, self._keep.storage, whole))


class FromStream(_Mover):
    """FIFO after a stream: the processor reads `data` (the highest word pops it), or a DMA."""

    def __init__(self, source: Any, bus: Any) -> None:
        dma = WishboneDMAWriter(bus, endianness="big")
        dma.add_ctrl(ready_on_idle=0)
        self.data = [CSRStatus(WORD, name=f"data{i}") for i in range(words_of(len(source.data)))]
        for at, register in enumerate(self.data):
            setattr(self, f"_data{at}", register)
        self._count = CSRStatus(WORD, description="Beats that are there.")
        super().__init__(source, dma)
        fifo, wide = self.fifo, self.wide
        self.converter = stream.Converter(wide, WORD)
        moving = Signal()
        self.comb += [
            source.connect(fifo.sink, omit={"keep"}),
            moving.eq(self._length.storage != 0),
            self._done.status.eq(dma.done),
            self._count.status.eq(fifo.level),
            self.converter.source.connect(dma.sink, omit={"last"}),
            self.converter.sink.data.eq(fifo.source.data),
            self.converter.sink.valid.eq(fifo.source.valid & moving),
            If(moving, fifo.source.ready.eq(self.converter.sink.ready)).Else(
                fifo.source.ready.eq(self.data[-1].we)
            ),
        ]
        for at, register in enumerate(self.data):
            self.comb += register.status.eq(fifo.source.data[WORD * at : WORD * (at + 1)])
        if hasattr(self, "_user"):
            self.comb += self._user.status.eq(fifo.source.user)


def add_core(
    soc: Any,
    name: str,
    wrapper: Wrapper,
    folder: Path,
    *,
    origin: int,
    without: tuple[str, ...] = (),
) -> Core:
    """Put a design into a SoC: registers at `origin`, a FIFO and a DMA for each stream, interrupt.

    - `soc`: LiteX's `SoCCore`, or one of yours made of it.
    - `name`: in the SoC, of registers and interrupt; those of streams have the stream's after it.
    - `origin`: address in the part of the map that is not cached.
    - `without`: streams that you connect yourself, as a true random number generator to `entropy`.
    """
    core = Core(soc.platform, wrapper, folder)
    soc.add_module(name=name, module=core)
    if core.axil is not None:
        region = SoCRegion(origin=origin, size=REGISTERS_BYTES, cached=False)
        soc.bus.add_slave(f"{name}_registers", core.axil, region)
    if hasattr(core, "ev"):
        soc.irq.add(name)
    for kind, endpoints in ((ToStream, core.sinks), (FromStream, core.sources)):
        for stream_name, endpoint in endpoints.items():
            if stream_name not in without:
                bus = wishbone.Interface(data_width=WORD, address_width=WORD, addressing="word")
                module = kind(endpoint, bus)
                soc.add_module(name=f"{name}_{stream_name}", module=module)
                soc.bus.add_master(f"{name}_{stream_name}", bus)
    return core
