# SPDX-License-Identifier: Apache-2.0
"""What the ML-DSA family hands to the tools: operations from seeds and messages to bytes."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.design import Design
from nttforge.hw.core import Hardware
from nttforge.hw.drivers import LibraryTemplates
from nttforge.hw.registers import RegisterMap
from nttforge.hw.wrapper import Wrapper
from nttforge.kinds.lattice.commands import coprocessor_wrapper
from nttforge.kinds.lattice.mldsa.registers import REGISTERS


@dataclass(frozen=True, kw_only=True)
class MldsaCore(Hardware):
    """An ML-DSA coprocessor, or its core alone, as data.

    Attributes
    ----------
    operations
        Names, in the order of their codes: `keygen`, `verify`, and `verify_mu`, which takes mu.
    parameter_sets
        Names as in FIPS 204, in the order of their codes.
    rounds_per_cycle
        Of Keccak.
    transform
        Design of the transform inside.
    host
        It has registers and a queue of commands; without them commands and results are streams.
    checks
        It verifies each signature before it is let out, by what the host sends behind the message:
        the public key, and the message again.
    """

    what: ClassVar[str] = "an ML-DSA coprocessor"
    instead: ClassVar[str] = "use `nttforge dsa keygen`, `dsa sign` or `dsa verify`"
    library: ClassVar[LibraryTemplates | None] = LibraryTemplates(
        "mldsa_host_example.c.j2", "mldsa_host_readme.md.j2"
    )

    operations: tuple[str, ...]
    parameter_sets: tuple[str, ...]
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
        return coprocessor_wrapper(self.name, host=self.host, keep=True, entropy=self.host)
