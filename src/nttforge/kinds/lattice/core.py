# SPDX-License-Identifier: Apache-2.0
"""What a lattice coprocessor hands to the tools: operations from seeds and messages to bytes."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.design import Design
from nttforge.hw.core import Hardware
from nttforge.hw.registers import RegisterMap
from nttforge.hw.wrapper import Wrapper
from nttforge.kinds.lattice.commands import coprocessor_wrapper


@dataclass(frozen=True, kw_only=True)
class LatticeCore(Hardware):
    """A coprocessor, or its core alone, as data.

    Attributes
    ----------
    table
        Its registers, if it has any.
    keep
        Packets of the public input need not have whole words.
    entropy
        Its core alone takes seeds from a port of their own, as a coprocessor does.
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

    table: ClassVar[RegisterMap]
    keep: ClassVar[bool] = True
    entropy: ClassVar[bool] = False

    rounds_per_cycle: int
    transform: Design
    host: bool = True
    checks: bool = False

    @property
    def registers(self) -> RegisterMap | None:
        """Of its AXI4-Lite port, if it has one."""
        return self.table if self.host else None

    @property
    def wrapper(self) -> Wrapper:
        """With the names of its own ports."""
        entropy = self.host or self.entropy
        return coprocessor_wrapper(self.name, host=self.host, keep=self.keep, entropy=entropy)
