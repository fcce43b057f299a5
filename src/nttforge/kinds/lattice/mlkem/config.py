# SPDX-License-Identifier: Apache-2.0
"""Keys of the mlkem family."""

from typing import Literal

from nttforge.config.family import FamilyKeys


class MlkemTable(FamilyKeys):
    """Parameters of the mlkem family, the ML-KEM coprocessor."""

    butterflies: Literal[1, 2, 4] = 2
    """Butterflies a stage of the transform: a beat has twice as many coefficients."""
    keccak_cores: Literal[1, 2, 3, 4] = 1
    """Keccak cores: all but the first sample the matrix."""
    rounds_per_cycle: Literal[1, 2, 3, 4, 6, 8, 12, 24] = 1
    """Rounds of Keccak a cycle, a divisor of 24: more of them for fewer cycles and a slower clock.
    """
