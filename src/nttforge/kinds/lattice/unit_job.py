# SPDX-License-Identifier: Apache-2.0
"""A job of a unit of a narrower core, as data: a struct of one of the packages in `rtl/scaled`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from nttforge.hw.sv_struct import Fields, literal

#: Attributes whose field has a name that Python keeps for itself.
_ATTRIBUTES = {"from": "origin"}


@dataclass(frozen=True)
class UnitJob:
    """A job, `UNIT_job_t`.

    - `unit`, `widths`: of all jobs of a unit: its name, and the fields with their bits.
    - `kind`: the name's end in the package.
    """

    unit: ClassVar[str]
    widths: ClassVar[Mapping[str, int]]

    kind: str
    label: str

    def fields(self) -> Fields:
        """Fields of the struct behind `kind`."""
        return {
            name: (getattr(self, _ATTRIBUTES.get(name, name)), width)
            for name, width in self.widths.items()
        }

    def literal(self) -> str:
        """As SystemVerilog has it."""
        kind = f"{self.unit.capitalize()}{self.kind}"
        return literal(f"{self.unit}_job_t", {"kind": kind, **self.fields()})
