# SPDX-License-Identifier: Apache-2.0
"""What the pqc family hands to the tools: ports of both standards."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.hw.drivers import LibraryTemplates
from nttforge.hw.registers import RegisterMap
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.pqc.registers import REGISTERS


@dataclass(frozen=True, kw_only=True)
class PqcCore(LatticeCore):
    """A core for ML-KEM and ML-DSA, as data.

    Attributes
    ----------
    operations
        By standard, in the order of their codes.
    parameter_sets
        By standard: names, in the order of their codes.
    """

    what: ClassVar[str] = "a core for ML-KEM and ML-DSA"
    instead: ClassVar[str] = "use `nttforge kem` or `nttforge dsa`"
    library: ClassVar[LibraryTemplates | None] = LibraryTemplates(
        "pqc_host_example.c.j2", "pqc_host_readme.md.j2"
    )
    table: ClassVar[RegisterMap] = REGISTERS
    entropy: ClassVar[bool] = True

    operations: dict[str, tuple[str, ...]]
    parameter_sets: dict[str, tuple[str, ...]]
