# SPDX-License-Identifier: Apache-2.0
"""What the bench in a folder plays of a core that verifies: NIST's vectors, right and wrong."""

from collections.abc import Iterator

from nttforge.kinds.lattice.mldsa.small.standard import STANDARD
from nttforge.kinds.lattice.mldsa.standard import WORDS
from nttforge.kinds.lattice.stimulus import Script, StimulusStep, stimulus_step
from nttforge.kinds.lattice.vectors import examples

SCRIPT = Script(60_000, True, "It verifies signatures of NIST's vectors, right and wrong.")


def cases(*, entropy: bool, checks: bool = False) -> Iterator[StimulusStep]:
    """Signatures of NIST's vectors, right and wrong, set by set."""
    del entropy, checks
    for _, p, values in sorted(examples(STANDARD), key=lambda each: each[1].name):
        reason = "none" if values["verdict"] == WORDS[True] else "signature"
        yield stimulus_step("verify", p, values, reason)
