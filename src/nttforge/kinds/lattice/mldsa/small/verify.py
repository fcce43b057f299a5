# SPDX-License-Identifier: Apache-2.0
"""What `verify` compares of a core that verifies: vectors, signatures right and wrong, refusals."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from nttforge.kinds.lattice.bus import Request
from nttforge.kinds.lattice.mldsa.small.standard import OPERATIONS, STANDARD
from nttforge.kinds.lattice.mldsa.standard import STANDARD as WHOLE
from nttforge.kinds.lattice.mldsa.verify import (
    MldsaCases,
    judged_batch,
    key_values,
    signed_values,
)
from nttforge.kinds.lattice.stimulus import StimulusStep
from nttforge.kinds.lattice.verify import Batch, Case, Check
from nttforge.standards.ml_dsa.parameters import SEED_BYTES


class VerifierCases(MldsaCases):
    """A signature that is verified with M' and with mu, wrong ones, and what is refused."""

    standard = STANDARD
    #: Names of its operations.
    does: ClassVar[Sequence[str]] = OPERATIONS

    def batches(self, case: Case, rng: random.Random) -> Iterator[Batch]:
        """Operations of a random case, and what must come of them."""
        oracle = self._references[case.p.name]
        values = key_values(oracle, rng.randbytes(SEED_BYTES))
        values = signed_values(case, oracle, values, rng)
        yield [*judged_batch(case, oracle, values, rng), self._no_command(case)]

    @classmethod
    def turns(
        cls, p: Any, rng: random.Random, *, checks: bool, word: bytes | None = None
    ) -> list[StimulusStep]:
        """A verification, right, wrong and right again."""
        steps = super().turns(p, rng, checks=checks, word=word)
        return [step for step in steps if step.asked.operation in cls.does]

    @classmethod
    def _no_command(cls, case: Case) -> Check:
        """One of the operations that it does not do, without their packets."""
        others = [name for name in WHOLE.operations if name not in cls.does]
        name = others[case.number % len(others)]
        return "refused commands", StimulusStep(Request(name, case.p), "command")


CASES = VerifierCases
