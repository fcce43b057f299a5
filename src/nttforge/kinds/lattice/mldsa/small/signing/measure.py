# SPDX-License-Identifier: Apache-2.0
"""What is measured of a narrower core that signs: cycles beside Keccak's floor."""

import random

from nttforge.kinds.lattice.mldsa.cycles import sign_floor
from nttforge.kinds.lattice.mldsa.small.keys.measure import KeyMeasures
from nttforge.kinds.lattice.operation import Values
from nttforge.standards.ml_dsa.keygen import keygen_internal
from nttforge.standards.ml_dsa.parameters import Parameters
from nttforge.standards.ml_dsa.signing import RND_BYTES
from nttforge.standards.transform_engine import software_engine


class SignMeasures(KeyMeasures):
    """KeyGen of random seeds, Verify, and Sign with keys of these seeds, of one try or more."""

    def values(self, p: Parameters, rng: random.Random, runs: int) -> list[Values]:
        """Of each run."""
        made = list[Values]()
        for each in super().values(p, rng, runs):
            pk, sk = keygen_internal(p, each["seed"], software_engine())
            made.append({**each, "pk": pk, "sk": sk, "rnd": rng.randbytes(RND_BYTES)})
        return made

    def floor(self, operation: str, p: Parameters) -> int | None:
        """What Keccak's permutations alone take, on average; of a signature of one try."""
        if operation.startswith("sign"):
            return round(
                sign_floor(p, 1, external=operation.endswith("_mu")) / self.core.rounds_per_cycle
            )
        return super().floor(operation, p)


MEASURES = SignMeasures
