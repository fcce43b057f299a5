# SPDX-License-Identifier: Apache-2.0
"""Boards with an ECP5: the facts that a bitstream needs, an entry each."""

from dataclasses import dataclass
from pathlib import Path

from nttforge.names import find


@dataclass(frozen=True)
class EcpBoard:
    """An ECP5 board: part, clock pin and MHz, serial pins and level, loader, source of the pins."""

    what: str
    device: str
    package: str
    speed: int
    clock: str
    mhz: float
    receive: str
    transmit: str
    loader: str
    source: str
    level: str = "LVCMOS33"

    def constraints(self) -> str:
        """Pins and the oscillator's frequency, as nextpnr reads them (LPF)."""
        pins = {"clk_i": self.clock, "rx_i": self.receive, "tx_o": self.transmit}
        lines = [
            line
            for port, pin in pins.items()
            for line in (
                f'LOCATE COMP "{port}" SITE "{pin}";',
                f'IOBUF PORT "{port}" IO_TYPE={self.level};',
            )
        ]
        return "\n".join((*lines, f'FREQUENCY PORT "clk_i" {self.mhz:g} MHZ;', ""))

    def load(self, bits: Path) -> str:
        """The command that loads a bitstream."""
        return f"openFPGALoader -b {self.loader} {bits}"


def _ulx3s(size: int) -> EcpBoard:
    return EcpBoard(
        what=f"ULX3S with an LFE5U-{size}F; the FT231X on US1",
        device=f"--{size}k",
        package="CABGA381",
        speed=6,
        clock="G2",
        mhz=25,
        receive="M1",
        transmit="L4",
        loader="ulx3s",
        source="its constraints, ulx3s_v20.lpf",
    )


BOARDS = {
    "ulx3s-85f": _ulx3s(85),
    "ulx3s-45f": _ulx3s(45),
    "colorlight-i5": EcpBoard(
        what="Colorlight i5 v7.0 (LFE5U-25F) on its extension board; the debugger's serial port",
        device="--25k",
        package="CABGA381",
        speed=6,
        clock="P3",
        mhz=25,
        receive="H18",
        transmit="J17",
        loader="colorlight-i5",
        source="wuxx/Colorlight-FPGA-Projects, i5_v7.0-extboard.lpf",
    ),
}


def find_board(name: str) -> EcpBoard:
    """A board by its name."""
    return find("--board", name, BOARDS)
