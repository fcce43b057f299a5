# SPDX-License-Identifier: Apache-2.0
"""`bitstream`: a design with registers and memory channels on a board, with a serial bridge."""

from collections.abc import Iterator
from pathlib import Path

from nttforge.board.boards import EcpBoard, find_board
from nttforge.board.chip import PLL, TOP, Chip, bit_cycles, chip_texts, place_chip
from nttforge.board.pll import find_pll
from nttforge.cache import FILE_LIST, design_files
from nttforge.design import Design
from nttforge.emit.design_folder import render_templates
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, prepare_any, silent
from nttforge.hw import Core
from nttforge.hw.wrapper import CONTROL_BUS, Wrapper
from nttforge.output import atomic_folder
from nttforge.results import Result, timed
from nttforge.rtl_library import library, needed
from nttforge.synthesize.nextpnr import check_installed
from nttforge.table import Block, Line

#: Where a host finds things.
REGISTERS, MEMORY = 0xF000_0000, 0x4000_0000
_PARTS = ("ntf_uart_port", "ntf_uart_bridge", "ntf_board_bus", "ntf_board_memory")
_MOST_MEMORY, _LEAST_MEMORY = 1 << 20, 1 << 12
_READ = ("arvalid", "arready", "araddr", "arlen", "rvalid", "rready", "rresp", "rlast")
_WRITE = (
    *("awvalid", "awready", "awaddr", "awlen", "wvalid", "wready", "wlast"),
    *("bvalid", "bready", "bresp"),
)
_PLAIN = {"rdata": "mem_rdata", "wdata": "mem_wdata", "wstrb": "mem_wstrb"}


class Bitstream(Chip, Result):
    """A written bitstream: its chip, the serial rate, and where a host finds what."""

    design: str
    folder: str
    baud: int
    registers: int
    memory: int
    memory_bytes: int
    seconds: float = 0.0

    def shown(self) -> Iterator[Block]:
        """Resources, clock, and the next steps."""
        yield from Chip.shown(self)
        yield Line(
            f"serial port {self.baud:,} baud; registers at {self.registers:#x}, "
            f"{self.memory_bytes:,} bytes of memory at {self.memory:#x}"
        )


def wrapper_of(core: Core) -> Wrapper:
    """The module that is put on a board: one with registers, and a memory channel each way."""
    shell = getattr(core, "shell", None)
    wrapper: Wrapper = core.wrapper if shell is None else shell.wrapper
    channels = [port.name for port in wrapper.ports if port.name.endswith(("_arlen", "_awlen"))]
    if not channels:
        raise NttforgeError(
            core.name,
            "has no registers with memory channels, which the bridge drives",
            "add a table [shell] (--set shell.instances=1), or take a decomposed design",
        )
    if len(channels) != 2:
        raise NttforgeError(
            core.name, f"has {len(channels)} memory channels", "a board has one each way"
        )
    return wrapper


def connections(wrapper: Wrapper) -> list[tuple[str, str]]:
    """Connections of the design's ports in the board's top."""
    made = []
    for port in wrapper.ports:
        bus, _, name = port.name.rpartition("_")
        way = "rsp" if port.direction == ("output" if bus == CONTROL_BUS else "input") else "req"
        if bus == CONTROL_BUS:
            signal = f"ctrl_{way}.{name}"
        elif name in _PLAIN:
            signal = _PLAIN[name]
        elif name in _READ or name in _WRITE:
            signal = f"{'read' if name in _READ else 'write'}_{way}.{name}"
        else:
            signal = "'0" if port.direction == "input" else ""
        made.append((port.name, signal))
    return made


def write_sources(
    design: Design, board: EcpBoard, folder: Path, *, mhz: float, baud: int, memory_bytes: int
) -> tuple[float, int]:
    """Write the RTL of the whole chip and its constraints: the clock in MHz, the serial rate."""
    pll = find_pll(board.mhz, mhz)
    bit = bit_cycles(pll.mhz, baud)
    if memory_bytes.bit_count() != 1 or not _LEAST_MEMORY <= memory_bytes <= _MOST_MEMORY:
        raise NttforgeError(
            "--memory",
            f"{memory_bytes} is no power of two from {_LEAST_MEMORY} to {_MOST_MEMORY}",
            "choose one, in bytes",
        )
    prepared = prepare_any(design)
    core = prepared.core
    wrapper = wrapper_of(core)
    known: dict[str, object] = {
        "top": TOP,
        "bit": bit,
        "registers": REGISTERS,
        "memory": MEMORY,
        "bytes": memory_bytes,
        "source": board.mhz,
        "pll": pll,
        "width": next(p.width for p in wrapper.ports if p.name.endswith("_rdata") and _m(p.name)),
        "inner": wrapper,
        "connections": connections(wrapper),
    }
    texts = render_templates(core, design, {f"{TOP}.sv": ("board_top.sv.j2", known)})
    texts |= chip_texts(board)
    sources = {str(p.relative_to(prepared.folder)): p for p in design_files(prepared.folder)}
    there = {path.stem for path in sources.values()}
    known_modules = library()
    for part in _PARTS:
        for name in needed(part, known_modules):
            if name not in there:
                sources[f"rtl/board/{name}.sv"] = known_modules[name]
                there.add(name)
    order = sorted(sources, key=lambda name: not name.endswith("_pkg.sv"))
    texts[FILE_LIST] = "".join(f"{name}\n" for name in (*order, PLL, f"{TOP}.sv"))
    for name, path in sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(path.read_bytes())
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return pll.mhz, round(pll.mhz * 1e6 / bit)


def _m(name: str) -> bool:
    return not name.startswith(CONTROL_BUS)


@timed
def write_bitstream(
    design: Design,
    board: str,
    folder: Path,
    *,
    mhz: float = 50,
    baud: int = 1_000_000,
    memory_bytes: int = 1 << 14,
    seed: int = 1,
    time_limit: float = 7200,
    progress: Progress = silent,
) -> Bitstream:
    """Write RTL, constraints, the bitstream and the routed netlist of a design on a board.

    - `design`: with registers and a memory channel each way.
    - `board`: a key of :data:`BOARDS`.
    - `mhz`, `baud`: the clock, and the serial port's rate.
    - `memory_bytes`: on the chip, for operands and results.
    - `seed`: of the placement.
    """
    facts = find_board(board)
    check_installed()
    with atomic_folder(folder, "choose a folder you can write to") as scratch:
        clock, rate = write_sources(
            design, facts, scratch, mhz=mhz, baud=baud, memory_bytes=memory_bytes
        )
        placed = place_chip(
            scratch, design.name, board, clock, seed=seed, time_limit=time_limit, progress=progress
        )
    return Bitstream(
        **Chip.of(placed, design.name, board, clock, folder).model_dump(),
        design=design.name,
        folder=str(folder),
        baud=rate,
        registers=REGISTERS,
        memory=MEMORY,
        memory_bytes=memory_bytes,
    )
