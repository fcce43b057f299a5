# SPDX-License-Identifier: Apache-2.0
"""What the ML-KEM family hands to the tools: no stream of transforms, but three operations."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.hw.drivers import LibraryTemplates
from nttforge.hw.registers import RegisterMap
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mlkem.registers import REGISTERS


@dataclass(frozen=True, kw_only=True)
class MlkemCore(LatticeCore):
    """An ML-KEM coprocessor, as data.

    Attributes
    ----------
    operations
        Names, in the order of their codes: `keygen`, `encaps`, `decaps`, ...; at last
        `decaps_seed`, which is `decaps` with a flag.
    parameter_sets
        Names as in FIPS 203, in the order of their codes.
    keccak_cores
        All but the first sample the matrix.
    """

    what: ClassVar[str] = "an ML-KEM coprocessor"
    instead: ClassVar[str] = "use `nttforge kem keygen`, `kem encaps` or `kem decaps`"
    library: ClassVar[LibraryTemplates | None] = LibraryTemplates(
        "mlkem_host_example.c.j2",
        "mlkem_host_readme.md.j2",
        "mlkem_board.c.j2",
        "mlkem_host.h.j2",
    )
    table: ClassVar[RegisterMap] = REGISTERS
    keep: ClassVar[bool] = False

    operations: tuple[str, ...]
    parameter_sets: tuple[str, ...]
    keccak_cores: int
