# SPDX-License-Identifier: Apache-2.0
"""What `verify` compares of a core that makes keys and verifies: keys, signatures, refusals."""

import random
from collections.abc import Iterator, Sequence
from typing import ClassVar

from nttforge.kinds.lattice.mldsa.small.keys.standard import OPERATIONS, STANDARD
from nttforge.kinds.lattice.mldsa.small.verify import VerifierCases
from nttforge.kinds.lattice.mldsa.verify import key_batch, key_values
from nttforge.kinds.lattice.verify import Batch, Case
from nttforge.standards.ml_dsa.parameters import SEED_BYTES


class KeyCases(VerifierCases):
    """Keys of a seed in both orders, seeds of a wrong length; then as the core that verifies."""

    standard = STANDARD
    does: ClassVar[Sequence[str]] = OPERATIONS

    def batches(self, case: Case, rng: random.Random) -> Iterator[Batch]:
        """Operations of a random case, and what must come of them."""
        values = key_values(self._references[case.p.name], rng.randbytes(SEED_BYTES))
        yield key_batch(case, values, rng)
        yield from super().batches(case, rng)


CASES = KeyCases
