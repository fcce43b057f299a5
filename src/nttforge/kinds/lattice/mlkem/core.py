# SPDX-License-Identifier: Apache-2.0
"""What the ML-KEM family hands to the tools: no stream of transforms, but three operations."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.design import Design
from nttforge.hw.core import Hardware
from nttforge.hw.drivers import LibraryTemplates
from nttforge.hw.registers import RegisterMap
from nttforge.hw.wrapper import Wrapper
from nttforge.kinds.lattice.commands import coprocessor_wrapper
from nttforge.kinds.lattice.mlkem.registers import REGISTERS


@dataclass(frozen=True, kw_only=True)
class MlkemCore(Hardware):
    """An ML-KEM coprocessor, as data.

    Attributes
    ----------
    operations
        Names, in the order of their codes: `keygen`, `encaps`, `decaps`, ...; at last
        `decaps_seed`, which is `decaps` with a flag.
    parameter_sets
        Names as in FIPS 203, in the order of their codes.
    rounds_per_cycle
        Of Keccak.
    keccak_cores
        All but the first sample the matrix.
    transform
        Design of the transform inside.
    address_bits
        Of its registers.
    """

    what: ClassVar[str] = "an ML-KEM coprocessor"
    instead: ClassVar[str] = "use `nttforge kem keygen`, `kem encaps` or `kem decaps`"
    library: ClassVar[LibraryTemplates | None] = LibraryTemplates(
        "mlkem_host_example.c.j2",
        "mlkem_host_readme.md.j2",
        "mlkem_board.c.j2",
        "mlkem_host.h.j2",
    )

    operations: tuple[str, ...]
    parameter_sets: tuple[str, ...]
    rounds_per_cycle: int
    keccak_cores: int
    transform: Design
    address_bits: int

    @property
    def registers(self) -> RegisterMap:
        """Of its AXI4-Lite port."""
        return REGISTERS

    @property
    def wrapper(self) -> Wrapper:
        """With the names of its own ports."""
        return coprocessor_wrapper(self.name, host=True, keep=False, entropy=True)
