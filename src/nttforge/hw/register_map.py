# SPDX-License-Identifier: Apache-2.0
"""Registers as data: decoders, C headers, SystemRDL and tables are written from them."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Literal

from nttforge.table import Cell, Table

Access = Literal["ro", "rw", "wo"]
#: What an access does besides, as SystemRDL says it.
Effect = Literal["", "onread = rclr", "onwrite = woclr", "onwrite = woset"]

WORD_BITS = 32
WORD_BYTES = WORD_BITS // 8


@dataclass(frozen=True)
class Bits:
    """A field of a register.

    - `name`: lower case.
    - `low`, `width`: its lowest bit, and how many it has.
    - `text`: what it means.
    - `values`: names of its values, from 0 up, if they have names; empty if there is none of that
      value.
    - `access`: if it is another one than the register's.
    - `effect`: of reading or writing it.
    """

    name: str
    low: int
    width: int
    text: str
    values: tuple[str, ...] = ()
    access: Access | None = None
    effect: Effect = ""

    @property
    def mask(self) -> int:
        """Its bits in the register."""
        return ((1 << self.width) - 1) << self.low

    def get(self, word: int) -> int:
        """Its value in a register's."""
        return (word & self.mask) >> self.low


@dataclass(frozen=True)
class Register:
    """A register of 32 bits, or of 64, the lower half first.

    - `name`: lower case.
    - `access`: `ro` shows what the hardware says; `rw` keeps what is written, 0 after reset; `wo`
      hands a write on, which the hardware may refuse.
    - `text`: what it is for.
    - `fields`: from the lowest bit up; bits between them are 0. None: it is a number.
    - `words`: of 32 bits.
    - `address`, `stride`, `count`: of its first byte; if there are several, from each to the next,
      and how many.
    """

    name: str
    access: Access
    text: str
    fields: tuple[Bits, ...] = ()
    words: int = 1
    address: int = 0
    stride: int = 0
    count: int = 1

    @property
    def macro(self) -> str:
        """Suffix of the macro's name in C: its address, or that of number i."""
        if not self.stride:
            return f" 0x{self.address:02x}u"
        return f"(i) (0x{self.address:02x}u + 0x{self.stride:02x}u * (i))"

    def field(self, name: str) -> Bits:
        """The field of that name."""
        return next(field for field in self.fields if field.name == name)

    def word(self, **values: int) -> int:
        """The register's value with these fields."""
        result = 0
        for name, value in values.items():
            field = self.field(name)
            if not 0 <= value < 1 << field.width:
                raise ValueError(f"{value} does not fit {name}")
            result |= value << field.low
        return result


@cache
def read_registers(package: str, file: str) -> Mapping[str, Register]:
    """Registers of a package's TOML file, by name; they are `rw` if it does not say."""
    found = tomllib.loads((resources.files(package) / file).read_text("utf-8"))
    return {
        name: Register(name, known.pop("access", "rw"), fields=tuple(fields), **known)
        for name, known in found.items()
        for fields in ([Bits(**field) for field in known.pop("fields", ())],)
    }


@dataclass(frozen=True)
class RegisterMap:
    """All registers of a piece of hardware, from the lowest address up."""

    registers: tuple[Register, ...]

    @classmethod
    def packed(cls, registers: Iterable[Register]) -> "RegisterMap":
        """Registers of a word each, one after the other."""
        placed = (replace(r, address=at * WORD_BYTES) for at, r in enumerate(registers))
        return cls(tuple(placed))

    def __iter__(self) -> Iterator[Register]:
        return iter(self.registers)

    def __len__(self) -> int:
        return len(self.registers)

    def __getitem__(self, name: str) -> Register:
        return next(register for register in self.registers if register.name == name)

    def table(self) -> Table:
        """A row a register, and a row a field."""
        rows: list[list[Cell]] = []
        for r in self.registers:
            place = f"0x{r.address:02x}{f' + {r.stride} i' if r.stride else ''}"
            bits = f"{r.words * WORD_BITS - 1}:0"
            whole = None if r.fields else bits
            rows.append([place, r.name, r.access, whole, None, r.text])
            for b in r.fields:
                bits = f"{b.low + b.width - 1}:{b.low}" if b.width > 1 else str(b.low)
                names = ", ".join(f"{value} {name}" for value, name in enumerate(b.values) if name)
                meaning = f"{b.text}{': ' if names else ''}{names}"
                rows.append([None, None, b.access, bits, b.name, meaning])
        columns = ["address", "register", "access", "bits", "field", "meaning"]
        return Table("Registers", columns, rows)
