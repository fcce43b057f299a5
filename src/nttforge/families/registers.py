# SPDX-License-Identifier: Apache-2.0
"""Registers as data: C headers and decoders are written from them."""

from dataclasses import dataclass
from typing import Literal

Access = Literal["ro", "rw", "wo"]

WORD_BITS = 32
WORD_BYTES = WORD_BITS // 8


@dataclass(frozen=True)
class Bits:
    """A field of a register.

    Attributes
    ----------
    name
        Lower case.
    low, width
        Its lowest bit, and how many it has.
    text
        What it means.
    values
        Names of its values, from 0 up, if they have names.
    """

    name: str
    low: int
    width: int
    text: str
    values: tuple[str, ...] = ()

    @property
    def mask(self) -> int:
        """Its bits in the register."""
        return ((1 << self.width) - 1) << self.low

    def get(self, word: int) -> int:
        """Its value in a register's."""
        return (word & self.mask) >> self.low


@dataclass(frozen=True)
class Register:
    """A register of 32 bits.

    Attributes
    ----------
    name
        Lower case.
    access
        `ro` shows what the hardware says; `rw` keeps what is written, 0 after reset; `wo` hands a
        write on, which the hardware may refuse.
    text
        What it is for.
    fields
        From the lowest bit up; bits between them are 0.
    """

    name: str
    access: Access
    text: str
    fields: tuple[Bits, ...]

    def field(self, name: str) -> Bits:
        """The field of that name."""
        return next(field for field in self.fields if field.name == name)

    def word(self, **values: int) -> int:
        """The register's value with these fields.

        Raises
        ------
        ValueError
            If a value does not fit its field.
        """
        result = 0
        for name, value in values.items():
            field = self.field(name)
            if not 0 <= value < 1 << field.width:
                raise ValueError(f"{value} does not fit {name}")
            result |= value << field.low
        return result


def macro(address: int, stride: int = 0) -> str:
    """What follows a macro's name in C: its value, or that of number i's register."""
    if not stride:
        return f" 0x{address:02x}u"
    return f"(i) (0x{address:02x}u + 0x{stride:02x}u * (i))"
