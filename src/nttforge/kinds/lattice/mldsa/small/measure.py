# SPDX-License-Identifier: Apache-2.0
"""What is measured of a core that verifies: cycles beside Keccak's floor."""

import random

from nttforge.kinds.lattice.measure import Measures
from nttforge.kinds.lattice.mldsa.cycles import verify_floor
from nttforge.kinds.lattice.mldsa.program import MESSAGE_WORDS, WORD
from nttforge.kinds.lattice.operation import Values
from nttforge.standards.ml_dsa.keygen import keygen_internal
from nttforge.standards.ml_dsa.message import MU_BYTES
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters
from nttforge.standards.transform_engine import software_engine


class VerifierMeasures(Measures):
    """Verify with M' of eight words, and with mu.

    Random bytes are verified, which take as long as a signature.
    """

    def values(self, p: Parameters, rng: random.Random, runs: int) -> list[Values]:
        """Of each run."""
        lengths = {
            "signature": p.signature_bytes,
            "message": MESSAGE_WORDS * WORD,
            "mu": MU_BYTES,
        }
        return [
            {
                "pk": keygen_internal(p, rng.randbytes(SEED_BYTES), software_engine())[0],
                **{name: rng.randbytes(length) for name, length in lengths.items()},
            }
            for _ in range(runs)
        ]

    def floor(self, operation: str, p: Parameters) -> int | None:
        """What Keccak's permutations alone take, on average."""
        return round(
            verify_floor(p, external=operation.endswith("_mu")) / self.core.rounds_per_cycle
        )


MEASURES = VerifierMeasures
