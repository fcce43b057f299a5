# SPDX-License-Identifier: Apache-2.0
"""What the pqc family hands to the tools: ports of both standards."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.design import Design
from nttforge.hw.core import Hardware
from nttforge.hw.wrapper import Wrapper
from nttforge.kinds.lattice.commands import coprocessor_wrapper
from nttforge.kinds.lattice.mldsa.registers import ERRORS as DSA_ERRORS
from nttforge.kinds.lattice.mlkem.registers import ERRORS as KEM_ERRORS

#: Of a command and of a result: it is ML-KEM's.
KEM = 1 << 7


def reason_of(result: int) -> str:
    """How a command ended, from the byte that says it."""
    return KEM_ERRORS[result ^ KEM] if result & KEM else DSA_ERRORS[result]


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
    checks
        It verifies each signature before it is let out, see
        :class:`nttforge.kinds.lattice.mldsa.core.MldsaCore`.
    """

    what: ClassVar[str] = "a core for ML-KEM and ML-DSA"
    instead: ClassVar[str] = "use `nttforge kem` or `nttforge dsa`"

    operations: dict[str, tuple[str, ...]]
    parameter_sets: dict[str, tuple[str, ...]]
    rounds_per_cycle: int
    transform: Design
    checks: bool

    @property
    def wrapper(self) -> Wrapper:
        """With the names of its own ports."""
        return coprocessor_wrapper(self.name, host=False, keep=True, entropy=True)
