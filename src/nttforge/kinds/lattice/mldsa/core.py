# SPDX-License-Identifier: Apache-2.0
"""What the ML-DSA family hands to the tools: operations from seeds and messages to bytes."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.hw.drivers import LibraryTemplates
from nttforge.hw.registers import RegisterMap
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mldsa.registers import REGISTERS


@dataclass(frozen=True, kw_only=True)
class MldsaCore(LatticeCore):
    """An ML-DSA coprocessor, or its core alone, as data.

    Attributes
    ----------
    operations
        Names, in the order of their codes: `keygen`, `verify`, and `verify_mu`, which takes mu.
    parameter_sets
        Names as in FIPS 204, in the order of their codes.
    """

    what: ClassVar[str] = "an ML-DSA coprocessor"
    instead: ClassVar[str] = "use `nttforge dsa keygen`, `dsa sign` or `dsa verify`"
    library: ClassVar[LibraryTemplates | None] = LibraryTemplates(
        "mldsa_host_example.c.j2", "mldsa_host_readme.md.j2"
    )
    table: ClassVar[RegisterMap] = REGISTERS

    operations: tuple[str, ...]
    parameter_sets: tuple[str, ...]
