# SPDX-License-Identifier: Apache-2.0
"""What the pqc family hands to the tools: ports of both standards."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.design import Design
from nttforge.hw.core import Hardware
from nttforge.hw.drivers import LibraryTemplates
from nttforge.hw.registers import RegisterMap
from nttforge.hw.wrapper import Wrapper
from nttforge.kinds.lattice.commands import coprocessor_wrapper
from nttforge.kinds.lattice.pqc.registers import REGISTERS


@dataclass(frozen=True, kw_only=True)
class PqcCore(Hardware):
    """A core for ML-KEM and ML-DSA, as data.

    Attributes
    ----------
    operations
        By standard, in the order of their codes.
    parameter_sets
        By standard: names, in the order of their codes.
    rounds_per_cycle
        Of Keccak.
    transform
        Design of the transform inside.
    host
        It has registers and a queue of commands; without them commands and results are streams.
    checks
        It verifies each signature before it is let out, see
        :class:`nttforge.kinds.lattice.mldsa.core.MldsaCore`.
    """

    what: ClassVar[str] = "a core for ML-KEM and ML-DSA"
    instead: ClassVar[str] = "use `nttforge kem` or `nttforge dsa`"
    library: ClassVar[LibraryTemplates | None] = LibraryTemplates(
        "pqc_host_example.c.j2", "pqc_host_readme.md.j2"
    )

    operations: dict[str, tuple[str, ...]]
    parameter_sets: dict[str, tuple[str, ...]]
    rounds_per_cycle: int
    transform: Design
    host: bool
    checks: bool

    @property
    def registers(self) -> RegisterMap | None:
        """Of its AXI4-Lite port, if it has one."""
        return REGISTERS if self.host else None

    @property
    def wrapper(self) -> Wrapper:
        """With the names of its own ports."""
        return coprocessor_wrapper(self.name, host=self.host, keep=True, entropy=True)
