# SPDX-License-Identifier: Apache-2.0
"""What the bench in a folder plays of a core that makes keys and verifies: NIST's vectors."""

from collections.abc import Iterator

from nttforge.kinds.lattice.bus import Request
from nttforge.kinds.lattice.mldsa.small.keys.standard import STANDARD
from nttforge.kinds.lattice.mldsa.standard import WORDS
from nttforge.kinds.lattice.stimulus import Script, StimulusStep, stimulus_step
from nttforge.kinds.lattice.vectors import examples
from nttforge.standards.ml_dsa.parameters import SEED_BYTES

SCRIPT = Script(
    60_000, True, "It makes keys of NIST's vectors, verifies signatures, and refuses a seed."
)


def cases(*, entropy: bool, checks: bool = False) -> Iterator[StimulusStep]:
    """Keys, signatures right and wrong, set by set; some keys' seeds may come as entropy."""
    del checks
    yield StimulusStep(Request("keygen", STANDARD.sets[0], bytes(SEED_BYTES - 8)), "length")
    for operation, p, values in sorted(
        examples(STANDARD), key=lambda each: (each[1].name, each[0])
    ):
        wrong = operation == "verify" and values["verdict"] == WORDS[False]
        yield stimulus_step(operation, p, values, "signature" if wrong else "none")
        if entropy and operation == "keygen":
            yield stimulus_step(operation, p, values, word=b"")
