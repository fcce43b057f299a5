# SPDX-License-Identifier: Apache-2.0
"""What the ML-KEM family hands to the tools: no stream of transforms, but three operations."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.design import Design
from nttforge.families.core import Hardware


@dataclass(frozen=True, kw_only=True)
class KemCore(Hardware):
    """An ML-KEM coprocessor, as data.

    Attributes
    ----------
    operations
        Names, in the order of their codes: `keygen`, `encaps`, `decaps`.
    parameter_sets
        Names as in FIPS 203, in the order of their codes.
    rounds_per_cycle
        Of Keccak.
    transform
        Design of the transform inside.
    """

    what: ClassVar[str] = "an ML-KEM coprocessor"
    instead: ClassVar[str] = "use `nttforge kem keygen`, `kem encaps` or `kem decaps`"

    operations: tuple[str, ...]
    parameter_sets: tuple[str, ...]
    rounds_per_cycle: int
    transform: Design
