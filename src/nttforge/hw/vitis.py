# SPDX-License-Identifier: Apache-2.0
"""A wrapper as an RTL kernel of Vitis: `kernel.xml`, and options of `v++` for memory and dies."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nttforge.hw.wrapper import Wrapper

#: Pseudo-channels of a card's HBM2, and dies (SLR) of a U280.
CHANNELS, DIES = 32, 3

Argument = tuple[str, str, int, int]
"""Its name, the bus to whose memory it points or that of the registers, its register, its bytes."""


@dataclass(frozen=True)
class VitisKernel:
    """A Vitis kernel: data width in bits, arguments in order, memory of each bus, dies."""

    wrapper: Wrapper
    data_width: int
    arguments: tuple[Argument, ...]
    places: Mapping[str, str]
    about: str
    dies: tuple[tuple[int, str], ...] = ()

    @property
    def name(self) -> str:
        """Of the kernel: its module."""
        return self.wrapper.name

    @property
    def top(self) -> str:
        """Top of the wrapper."""
        return self.wrapper.top

    @property
    def files(self) -> dict[str, tuple[str, dict[str, Any]]]:
        """Templates of a design's folder, by the file's name."""
        names = ["kernel.xml", "connectivity.cfg", "package_kernel.tcl", "ooc.tcl"]
        names += ["placement.xdc"] if self.dies else []
        return {name: (f"{name}.j2", {"kernel": self}) for name in names}


def die(part: int, parts: int) -> int:
    """Die of one of several parts: neighbours share one, and each has as many as the others."""
    return part * DIES // parts


def channels(first: int, last: int | None = None) -> str:
    """Pseudo-channels, as the linker names them."""
    return f"HBM[{first}]" if last is None else f"HBM[{first}:{last}]"
