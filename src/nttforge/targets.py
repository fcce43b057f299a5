# SPDX-License-Identifier: Apache-2.0
"""The FPGA families that designs are planned for and mapped to, one entry each.

docs/extending.md says what a new one takes.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal


@dataclass(frozen=True)
class TargetFacts:
    """Facts of a family.

    - `device`: as people call it.
    - `mapping`: Yosys's command to the family's cells, flat. No pads and no clock buffers: a core
      is a part of a chip.
    - `piecewise`: the same, if modules are left alone.
    - `tile`: bits of both operands of its multiplier block.
    - `widest`: bits of the moduli whose multipliers have measured costs; None: all that are
      measured.
    - `ultra`: what the commands have on top if a design asks for UltraRAM.
    - `digits`: bits of the lowest digit and of the others if constants are multiplied by tables:
      what a look-up table takes, alone and in front of a carry chain.
    - `late_memory`: whether a word of block RAM comes so late that it goes into a register at once;
      look-up tables of these hold few words, so that queues in front of memory are block RAM, too.
    - `shift_registers`: whether a look-up table is a shift register, too: a word that waits takes
      no flip-flops.
    """

    device: str
    mapping: str
    piecewise: str
    tile: tuple[int, int]
    widest: int | None = None
    memories: tuple[str, str] | None = None
    ultra: str = ""
    digits: tuple[int, int] = (6, 5)
    late_memory: bool = False
    shift_registers: bool = False


def _xilinx(device: str, family: str, tile: tuple[int, int], ultra: str = "") -> TargetFacts:
    command = f"synth_xilinx -family {family}{{}} -noiopad -noclkbuf"
    flat, piecewise = command.format(" -flatten"), command.format("")
    memories = ("map_memory", "map_ffram")
    return TargetFacts(
        device, flat, piecewise, tile, memories=memories, ultra=ultra, shift_registers=True
    )


TARGETS = {
    "xcup": _xilinx("UltraScale+", "xcup", (27, 18), " -uram"),
    "xc7": _xilinx("7 series", "xc7", (25, 18)),
    "ecp5": TargetFacts(
        device="ECP5",
        mapping="synth_ecp5 -no-rw-check",
        piecewise="synth_ecp5 -noflatten -no-rw-check",
        tile=(18, 18),
        widest=64,
        digits=(4, 4),
        late_memory=True,
    ),
}

if TYPE_CHECKING:
    Target = str
else:
    Target = Literal[tuple(TARGETS)]


def one_of(*more: str) -> str:
    """The names, and others, as a sentence lists them."""
    *first, last = (*TARGETS, *more)
    return f"{', '.join(first)} or {last}"
