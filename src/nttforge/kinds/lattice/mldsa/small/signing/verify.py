# SPDX-License-Identifier: Apache-2.0
"""What `verify` compares of a narrower core that signs: keys, signatures made and judged."""

import random
from collections.abc import Iterator, Sequence
from typing import ClassVar

from nttforge.kinds.lattice.mldsa.small.keys.verify import KeyCases
from nttforge.kinds.lattice.mldsa.small.signing.standard import OPERATIONS, STANDARD
from nttforge.kinds.lattice.mldsa.verify import key_values, made_batch, signed_values
from nttforge.kinds.lattice.verify import Batch, Case
from nttforge.standards.ml_dsa.parameters import SEED_BYTES


class SignCases(KeyCases):
    """Signatures of M' and of mu, private keys that are refused; then as the core without Sign."""

    standard = STANDARD
    does: ClassVar[Sequence[str]] = OPERATIONS

    def batches(self, case: Case, rng: random.Random) -> Iterator[Batch]:
        """Operations of a random case, and what must come of them."""
        oracle = self._references[case.p.name]
        values = key_values(oracle, rng.randbytes(SEED_BYTES))
        yield made_batch(case, oracle, signed_values(case, oracle, values, rng), rng)
        yield from super().batches(case, rng)


CASES = SignCases
