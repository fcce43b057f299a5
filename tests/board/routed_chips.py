# SPDX-License-Identifier: Apache-2.0
"""Routed chips behind the host API: `python -m tests.board.routed_chips` places them, minutes each.

What is placed is kept, so a second run takes as long as compiling the netlists.
"""

import tempfile
from pathlib import Path

import numpy as np
from pydantic import BaseModel

from nttforge import host
from nttforge.board.bitstream import MEMORY, REGISTERS, Bitstream, write_bitstream
from nttforge.board.chip import Chip
from nttforge.board.routed import RoutedPort, build_routed
from nttforge.design import Design, load_design
from nttforge.table import Cell, Table, markdown

BOARDS = ("ulx3s-85f", "colorlight-i5")
#: A shell around a small pipeline, so that placing takes a minute or two.
DESIGN = 'name = "on-a-board"\n[[rings]]\nn = 16\nq = 97\n[pipeline]\nbutterflies = 1\n[shell]\n'
TRANSFORMS = 3
_SITES = ("TRELLIS_COMB", "TRELLIS_FF", "DP16KD", "MULT18X18D")
#: Of a table: what :func:`chip_cells` has.
COLUMNS = ("board", *_SITES, "MHz asked", "MHz reached")


class Answer(BaseModel):
    """What a chip answered: cycles, and whether all of it is the reference's."""

    cycles: int
    right: bool


def the_design(folder: Path) -> Design:
    """The design, from a file in this folder."""
    path = folder / "on-a-board.toml"
    path.write_text(DESIGN, "utf-8")
    return load_design(str(path))


def ask(library: Path, design: Design, bit: int, size: int) -> Answer:
    """Transforms through a chip's serial port, forward and back, beside the simulated core's."""
    port = RoutedPort(library, bit)
    board = host.Board(host.Uart(port), registers=REGISTERS, memory=MEMORY, size=size)
    values = np.random.default_rng(5).integers(0, 97, (TRANSFORMS, 16))
    with host.open(design, board) as there, host.open(design) as here:
        found = there.ntt(values)
        right = np.array_equal(found, here.ntt(values))
        right &= np.array_equal(there.intt(found), values)
    port.close()
    return Answer(cycles=port.cycles, right=right)


def routed(board: str, folder: Path) -> tuple[Bitstream, Answer]:
    """Place a board's chip into a folder, and ask it."""
    design = the_design(folder)
    made = write_bitstream(design, board, folder / board)
    bit = round(made.clock_mhz * 1e6 / made.baud)
    return made, ask(build_routed(folder / board), design, bit, made.memory_bytes)


def chip_cells(chip: Chip) -> list[Cell]:
    """A chip in a table."""
    sites = [f"{chip.used[site][0]:,} of {chip.used[site][1]:,}" for site in _SITES]
    return [chip.board, *sites, f"{chip.clock_mhz:g}", f"{chip.reached_mhz:g}"]


def main() -> None:
    """Print the table."""
    rows: list[list[Cell]] = []
    with tempfile.TemporaryDirectory(prefix="nttforge-") as name:
        for board in BOARDS:
            made, answer = routed(board, Path(name))
            verdict = "right" if answer.right else "WRONG"
            rows.append([*chip_cells(made), answer.cycles, verdict])
    print(markdown([Table("", [*COLUMNS, "cycles simulated", "answers"], rows)]))


if __name__ == "__main__":
    main()
