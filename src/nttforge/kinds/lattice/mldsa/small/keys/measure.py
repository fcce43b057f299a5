# SPDX-License-Identifier: Apache-2.0
"""What is measured of a core that makes keys and verifies: cycles beside Keccak's floor."""

import random

from nttforge.kinds.lattice.mldsa.small.measure import VerifierMeasures
from nttforge.kinds.lattice.mldsa.small.program import key_floor
from nttforge.kinds.lattice.operation import Values
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters


class KeyMeasures(VerifierMeasures):
    """KeyGen of random seeds, and Verify."""

    def values(self, p: Parameters, rng: random.Random, runs: int) -> list[Values]:
        """Of each run."""
        return [
            {**each, "seed": rng.randbytes(SEED_BYTES)} for each in super().values(p, rng, runs)
        ]

    def floor(self, operation: str, p: Parameters) -> int | None:
        """What Keccak's permutations alone take, on average."""
        if operation.startswith("keygen"):
            return round(key_floor(p) / self.core.rounds_per_cycle)
        return super().floor(operation, p)


MEASURES = KeyMeasures
