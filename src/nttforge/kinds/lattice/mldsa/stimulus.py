# SPDX-License-Identifier: Apache-2.0
"""Stimulus of ML-DSA: NIST's vectors, valid and invalid, and a refusal."""

from collections.abc import Iterator

from nttforge.kinds.lattice.bus import Request
from nttforge.kinds.lattice.mldsa.standard import STANDARD, WORDS
from nttforge.kinds.lattice.stimulus import Script, StimulusStep, stimulus_step
from nttforge.kinds.lattice.vectors import examples
from nttforge.standards.ml_dsa.parameters import SEED_BYTES

SCRIPT = Script(
    60_000,
    True,
    "It makes keys and signatures of NIST's vectors, verifies some, and refuses others.",
)


def cases(*, entropy: bool, checks: bool = False) -> Iterator[StimulusStep]:
    """Keys and signatures of ML-DSA, right and wrong; some keys' seeds may come as entropy.

    With `checks` signatures are verified before they leave, and what that takes is sent.
    """
    yield StimulusStep(Request("keygen", STANDARD.sets[0], bytes(SEED_BYTES - 8)), "length")
    # Set by set.
    for operation, p, values in sorted(
        examples(STANDARD), key=lambda each: (each[1].name, each[0])
    ):
        wrong = operation == "verify" and values["verdict"] == WORDS[False]
        yield stimulus_step(operation, p, values, "signature" if wrong else "none", checks=checks)
        if entropy and operation == "keygen":
            yield stimulus_step(operation, p, values, word=b"")
