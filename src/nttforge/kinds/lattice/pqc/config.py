# SPDX-License-Identifier: Apache-2.0
"""Keys of the pqc family."""

from typing import Literal

from nttforge.config.family import FamilyKeys


class PqcTable(FamilyKeys):
    """Parameters of the pqc family, one core for ML-KEM and ML-DSA."""

    registers: bool = True
    """AXI4-Lite registers, queues of commands and results, and an interrupt; without them commands
    and results are streams of bytes."""
    rounds_per_cycle: Literal[1, 2, 3, 4, 6, 8, 12, 24] = 1
    """Rounds of Keccak a cycle, a divisor of 24: more of them for fewer cycles and a slower clock.
    """
    verify_signatures: bool = False
    """A signature leaves only when the same hardware has verified it, as with the key of ML-DSA's
    own coprocessor.
    """
