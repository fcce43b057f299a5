# SPDX-License-Identifier: Apache-2.0
"""Simulates a SoC's folder in Verilator, with the UART output of its firmware."""

import contextlib
import tempfile
from collections.abc import Callable
from pathlib import Path

from nttforge.cache import design_files
from nttforge.flow.prepare import Progress, silent
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.simulate.serial_line import output_of
from nttforge.soc.firmware import NAME, ROM, UART_CYCLES

WAIVERS = "soc.vlt"
PORTS = Ports(inputs={"serial_rx": 1}, outputs={"serial_tx": 1})


def build_model(folder: Path) -> Path:
    """Compile the SoC, or take the library that is kept; its firmware is no part of it."""
    sources = [folder / WAIVERS, *design_files(folder)]
    return CycleModel.kept(sources, NAME, PORTS)


def run_firmware(
    model: Path,
    folder: Path,
    *,
    rom: str | None = None,
    bit: int = UART_CYCLES,
    most: int = 100_000_000,
    progress: Progress = silent,
    printed: Callable[[str], None] = lambda _: None,
) -> str:
    """Run firmware until `PASS` or `FAIL`, for `most` cycles; return all that it printed."""
    with tempfile.TemporaryDirectory(prefix="nttforge-") as name:
        for path in folder.glob("*.init"):
            (Path(name) / path.name).write_bytes(path.read_bytes())
        if rom is not None:
            (Path(name) / ROM).write_text(rom, "ascii")
        with contextlib.chdir(name):
            simulated = CycleModel(model, PORTS)
    return output_of(
        simulated, {"serial_rx": 1}, bit=bit, most=most, progress=progress, printed=printed
    )
