# SPDX-License-Identifier: Apache-2.0
"""A chip for a board, whatever is in it: its serial rate, constraints, placement and bitstream."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from nttforge.board.boards import EcpBoard, find_board
from nttforge.board.cells import cells_text
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, silent
from nttforge.synthesize.nextpnr import CONFIGURATION, ROUTED, Placement, pack, place_on_board
from nttforge.synthesize.yosys import synthesize
from nttforge.table import Block, Cell, Line, Table

#: The module with the board's pins, and the file of the PLL's black box.
TOP, PLL = "nttforge_board", "EHXPLLL.v"
#: How far the serial rate may be from what was asked.
RATE_TOLERANCE = 0.02
_LEAST_BIT = 8  # cycles


class Chip(BaseModel):
    """A placed chip: its bitstream, clock and routed MHz, use of sites, and how it is loaded."""

    board: str
    bits: str
    clock_mhz: float
    reached_mhz: float
    used: dict[str, tuple[int, int]]
    load: str

    @classmethod
    def of(cls, placed: Placement, name: str, board: str, clock: float, folder: Path) -> "Chip":
        """That of a design on a board, in a folder."""
        bits = f"{name}.bit"
        return cls(
            board=board,
            bits=bits,
            clock_mhz=clock,
            reached_mhz=placed.fmax_mhz,
            used=placed.utilization,
            load=find_board(board).load(folder / bits),
        )

    def shown(self) -> Iterator[Block]:
        """Sites, clock, and the command that loads it."""
        rows: list[list[Cell]] = [[kind, used, there] for kind, (used, there) in self.used.items()]
        yield Table(f"{self.bits} on {self.board}", ["site", "used", "there are"], rows)
        yield Line(f"clock {self.clock_mhz:g} MHz, met: {self.reached_mhz:g} MHz is reached")
        yield Line(f"load it: {self.load}")


def bit_cycles(mhz: float, baud: int) -> int:
    """Cycles of a bit on the serial line."""
    exact = mhz * 1e6 / baud
    cycles = round(exact)
    if cycles < _LEAST_BIT or abs(cycles - exact) > RATE_TOLERANCE * exact:
        most = mhz * 1e6 / _LEAST_BIT
        raise NttforgeError(
            "--baud",
            f"{baud:,} baud is {exact:.2f} cycles of {mhz:g} MHz, and needs a whole number",
            f"choose one that divides the clock, up to {most:,.0f}",
        )
    return cycles


def chip_texts(board: EcpBoard) -> dict[str, str]:
    """Files of every chip: the PLL for Yosys, and the constraints."""
    return {PLL: f"(* blackbox *)\n{cells_text('EHXPLLL')}", "pins.lpf": board.constraints()}


def place_chip(
    folder: Path,
    name: str,
    board: str,
    clock: float,
    *,
    seed: int,
    time_limit: float,
    progress: Progress = silent,
) -> Placement:
    """Synthesize, place and pack the chip whose files are in `folder`; NAME.bit is put there.

    - `clock`: MHz that it must reach, or it is refused.
    - `seed`: of the placement.
    - `time_limit`: of each tool, in seconds.
    """
    facts = find_board(board)
    progress(f"Yosys: {name} for {board}")
    netlist = synthesize(folder, TOP, "ecp5", time_limit=time_limit).netlist
    progress(f"nextpnr: {name} on {board}")
    chip = (facts.device, "--package", facts.package, "--speed", str(facts.speed))
    lpf = facts.constraints()
    placed = place_on_board(netlist, chip, lpf, seed=seed, time_limit=time_limit, tell=progress)
    if placed.fmax_mhz < clock:
        raise NttforgeError(
            "--mhz",
            f"{clock:g} MHz is not met: {placed.fmax_mhz:g} MHz is possible on {board}",
            f"ask for less, or for another --placement-seed (this was {seed})",
        )
    for file in (CONFIGURATION, ROUTED):
        shutil.copyfile(placed.log.with_name(file), folder / file)
    pack(folder / CONFIGURATION).rename(folder / f"{name}.bit")
    return placed
