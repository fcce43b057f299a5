# SPDX-License-Identifier: Apache-2.0
"""The toy family: sums modulo q of all words so far."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.hw.core import Core
from nttforge.hw.wrapper import Wrapper, stream_ports
from nttforge_toy.config import ToyTable


@dataclass(frozen=True, kw_only=True)
class ToyCore(Core):
    """Sums, as data."""

    kind_label: ClassVar[str] = "a core of sums"
    usage_hint: ClassVar[str] = "use run, verify or measure, which take it"

    modulus: int
    words: int

    @property
    def width(self) -> int:
        """Bits of a word."""
        return self.modulus.bit_length()

    @property
    def wrapper(self) -> Wrapper:
        """A stream in, a stream out."""
        ports = [
            *stream_ports("s_axis", True, tdata=self.width),
            *stream_ports("m_axis", False, tdata=self.width),
        ]
        return Wrapper(f"{self.name}_wrapper", self.name, tuple(ports), ("s_axis", "m_axis"))


def build(design: Design) -> ToyCore:
    """Make the core.

    Raises
    ------
    NttforgeError
        If there are several rings.
    """
    if len(design.rings) > 1:
        raise NttforgeError("rings", "sums have one modulus", "leave the others out")
    return ToyCore(
        name=design.module,
        modulus=design.rings[0].modulus,
        words=design.table(ToyTable).words,
        sources=("toy/toy_sum.sv",),
        templates={
            f"{design.module}.sv": ("toy_top.sv.j2", {}),
            "README.md": ("toy_readme.md.j2", {}),
        },
    )
