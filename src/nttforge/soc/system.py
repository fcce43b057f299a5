# SPDX-License-Identifier: Apache-2.0
"""A SoC around a design: a RISC-V core, memories, UART, timer, all from LiteX. Needs LiteX."""

import logging
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litex.build.generic_platform import GenericPlatform, Pins
from litex.build.io import CRG
from litex.soc.integration.export import get_csr_header, get_soc_header
from litex.soc.integration.soc_core import SoCCore

from nttforge.cache import design_files
from nttforge.hw.wrapper import Wrapper
from nttforge.soc.cores import add_core, words_of
from nttforge.soc.firmware import ROM_BYTES

#: Of the design, in the SoC and in LiteX's headers.
CORE = "core"
REGISTERS = 0x9000_0000
SRAM_BYTES = 0x10000


@dataclass(frozen=True)
class System:
    """A SoC as text: top, memories for `$readmemh`, C headers, regions in bytes, CPU files."""

    verilog: str
    memories: dict[str, str]
    headers: dict[str, str]
    regions: dict[str, tuple[int, int]]
    sinks: dict[str, int]
    sources: dict[str, int]
    processor: tuple[Path, ...]
    prefix: str = CORE


class _Board(GenericPlatform):  # type: ignore[misc]
    """No board's: ports for a clock, a reset and a UART."""

    def __init__(self, name: str) -> None:
        ports = [
            ("clk_i", 0, Pins(1)),
            ("rst_ni", 0, Pins(1)),
            ("serial_tx", 0, Pins(1)),
            ("serial_rx", 0, Pins(1)),
        ]
        super().__init__("", ports, name=name)


class _Serial:
    def __init__(self, platform: _Board) -> None:
        self.tx, self.rx = platform.request("serial_tx"), platform.request("serial_rx")


def build_system(
    name: str,
    wrapper: Wrapper,
    folder: Path,
    *,
    mhz: float,
    bit: int,
    rom_bytes: int = ROM_BYTES,
    without: tuple[str, ...] = (),
) -> System:
    """A SoC around a design: clock in MHz for software, cycles a bit of the UART."""
    logging.disable(logging.CRITICAL)
    try:
        platform = _Board(name)
        soc = _soc(platform, int(mhz * 1e6), bit, wrapper.top, rom_bytes)
        core = add_core(soc, CORE, wrapper, folder, origin=REGISTERS, without=without)
        soc.finalize()
        made = platform.get_verilog(soc, name=name)
    finally:
        logging.disable(logging.NOTSET)
    ends = [
        {bus: words_of(len(end.data)) for bus, end in ends.items() if bus not in without}
        for ends in (core.sinks, core.sources)
    ]
    inside = set(map(str, design_files(folder)))
    return System(
        verilog=_undated(made.main_source),
        memories=dict(made.data_files),
        headers={
            "csr.h": _undated(
                get_csr_header(soc.csr_regions, soc.constants, with_access_functions=False)
            ),
            "soc.h": _undated(get_soc_header(soc.constants, with_access_functions=False)),
        },
        regions={key: (r.origin, r.size) for key, r in soc.bus.regions.items()},
        sinks=ends[0],
        sources=ends[1],
        processor=tuple(Path(s[0]) for s in platform.sources if s[0] not in inside),
    )


def _soc(platform: _Board, clock: int, bit: int, what: str, rom_bytes: int = ROM_BYTES) -> Any:
    """All but the design."""
    soc = SoCCore(
        platform,
        clock,
        cpu_type="vexriscv",
        cpu_variant="standard",
        integrated_rom_size=rom_bytes,
        integrated_rom_init=[0],
        integrated_sram_size=SRAM_BYTES,
        ident=f"nttforge {what}",
        with_uart=False,
        timer_uptime=True,
    )
    soc.crg = CRG(platform.request("clk_i"), rst=~platform.request("rst_ni"))
    soc.add_uart(uart_pads=_Serial(platform), baudrate=clock // bit)
    return soc


def _undated(text: str) -> str:
    """Without dates of making and version control: the same SoC is the same text."""
    return re.sub(r"(?m)^.*\b(Date|[Aa]uto-[Gg]enerated)\b.*\n", "", text)
