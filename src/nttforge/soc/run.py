# SPDX-License-Identifier: Apache-2.0
"""Simulates a SoC's folder in Verilator, with the UART output of its firmware."""

import contextlib
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from nttforge.cache import design_files
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, silent
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.soc.firmware import NAME, ROM, UART_CYCLES

WAIVERS = "soc.vlt"
PORTS = Ports(inputs={"serial_rx": 1}, outputs={"serial_tx": 1})
#: The last line of every firmware here.
PASSED, FAILED = "PASS", "FAIL"
_BATCH = 1 << 18
_BITS = 10  # of a character: start, eight, stop


def characters(levels: np.ndarray, bit: int = UART_CYCLES) -> tuple[str, int]:
    """Characters on a UART's line, one level per cycle; and the number of cycles used."""
    falls = np.flatnonzero((levels[:-1] == 1) & (levels[1:] == 0)) + 1
    text: list[str] = []
    used = 0
    for fall in falls:
        if fall < used:
            continue
        if fall + _BITS * bit > len(levels):
            return "".join(text), max(used, int(fall) - 1)
        middles = fall + bit // 2 + bit * np.arange(1, _BITS)
        bits = levels[middles]
        if not bits[-1]:
            raise NttforgeError("serial_tx", "has a character without an end", "it is a defect")
        text.append(chr(int(np.packbits(bits[:8], bitorder="little")[0])))
        used = int(middles[-1])
    return "".join(text), max(used, len(levels) - 1)


def build_model(folder: Path) -> Path:
    """Compile the SoC, or take the library that is kept; its firmware is no part of it."""
    sources = [folder / WAIVERS, *design_files(folder)]
    return CycleModel.kept(sources, NAME, PORTS)


def run_firmware(
    model: Path,
    folder: Path,
    *,
    rom: str | None = None,
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
    idle = simulated.vectors([{"serial_rx": 1}]) * _BATCH
    text, left = "", np.ones(1, np.uint8)
    for cycle in range(0, most, _BATCH):
        raw = np.frombuffer(simulated.replay(idle), np.uint8).reshape(_BATCH, -1)
        levels = np.concatenate([left, raw[:, 0] & 1])
        more, used = characters(levels)
        left, text = levels[used:], text + more
        printed(more)
        progress(f"{cycle + _BATCH:,} cycles")
        if any(f"{end}\n" in text for end in (PASSED, FAILED)):
            return text
    problem = f"has not ended after {most:,} cycles; it last said {text[-80:]!r}"
    raise NttforgeError("firmware", problem, "look for what it waits for")
