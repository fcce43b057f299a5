# SPDX-License-Identifier: Apache-2.0
"""Routed SoCs: `python -m tests.board.routed_socs` places them, and runs their firmware.

The firmware is that of `nttforge soc`: known answers of all the coprocessor's standards. What is
placed is kept, so a second run takes as long as compiling and simulating the netlist.
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from nttforge.board.chip import Chip
from nttforge.board.routed import run_routed
from nttforge.design import load_design
from nttforge.simulate.serial_line import PASSED
from nttforge.soc.folder import write_soc
from nttforge.table import Cell, Table, markdown
from tests.board.routed_chips import COLUMNS, chip_cells

BOARD = "ulx3s-85f"
DESIGNS = ("ml-kem-small",)
#: Cycles of a bit of the serial line, at 50 MHz.
_BAUD, _BIT = 1_000_000, 50
_MOST = 200_000_000


class Ran(NamedTuple):
    """A SoC's chip, bytes of its ROM, and what its firmware printed."""

    chip: Chip
    rom_bytes: int
    log: str

    @property
    def right(self) -> int:
        """Known answers, of all of which the firmware said so; 0 if it said that one is not."""
        lines = self.log.splitlines()
        return sum(line.endswith(" right") for line in lines) if PASSED in lines else 0


def routed(design: str, board: str, folder: Path) -> Ran:
    """Place a SoC into a folder, and run its firmware on the routed netlist."""
    made = write_soc(load_design(design), folder, board=board, baud=_BAUD)
    assert made.chip is not None
    return Ran(made.chip, made.rom_bytes, run_routed(folder, _BIT, most=_MOST, progress=_tell))


def _tell(text: str) -> None:
    if re.fullmatch(r"[\d,]+ cycles", text):
        print(f"\r{text}", end="", file=sys.stderr)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("designs", nargs="*", default=DESIGNS, help=f"default: {DESIGNS[0]}")
    parser.add_argument("--board", default=BOARD, help=f"default: {BOARD}")
    asked = parser.parse_args()
    rows: list[list[Cell]] = []
    for design in asked.designs:
        with tempfile.TemporaryDirectory(prefix="nttforge-") as name:
            ran = routed(design, asked.board, Path(name) / "soc")
        rows.append([f"`{design}`", *chip_cells(ran.chip), ran.right or "WRONG"])
    print(markdown([Table("", ["SoC of", *COLUMNS, "known answers right"], rows)]))


if __name__ == "__main__":
    main()
