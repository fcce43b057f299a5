# SPDX-License-Identifier: Apache-2.0
"""Keys of the mldsa family."""

from typing import Literal

from nttforge.config.family import FamilyKeys


class MldsaTable(FamilyKeys):
    """Parameters of the mldsa family, the ML-DSA coprocessor."""

    registers: bool = True
    """AXI4-Lite registers, queues of commands and results, an interrupt, and seeds from an entropy
    port; without them commands and results are streams of bytes."""
    rounds_per_cycle: Literal[1, 2, 3, 4, 6, 8, 12, 24] = 1
    """Rounds of Keccak a cycle, a divisor of 24: more of them for fewer cycles and a slower clock.
    """
    verify_signatures: bool = False
    """A signature leaves only when the same hardware has verified it: the host sends the public key
    and the message again behind the message, and a faulty one ends with *fault*. A key that is
    loaded signs once.
    """
