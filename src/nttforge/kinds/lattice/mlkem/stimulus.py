# SPDX-License-Identifier: Apache-2.0
"""Stimulus of ML-KEM: NIST's vectors, and a key that is refused."""

from collections.abc import Iterator

from nttforge.kinds.lattice.bus import request_of
from nttforge.kinds.lattice.mlkem.standard import STANDARD
from nttforge.kinds.lattice.operation import WORD_BYTES
from nttforge.kinds.lattice.stimulus import Script, StimulusStep, stimulus_step
from nttforge.kinds.lattice.vectors import examples
from nttforge.standards.ml_kem.parameters import SEED_BYTES

SCRIPT = Script(
    4000,
    False,
    "It runs NIST's vectors of every operation and set, and a key that must be refused.",
)


def cases(*, entropy: bool, checks: bool = False) -> Iterator[StimulusStep]:
    """Every operation and set of ML-KEM, one with entropy, and a key that is none."""
    del checks
    found = list(examples(STANDARD))
    for operation, p, values in found:
        yield stimulus_step(operation, p, values, check=operation == "decaps")
    if entropy:
        p, values = next((p, values) for name, p, values in found if name == "keygen")
        # The last word is for the wiping.
        yield stimulus_step("keygen", p, values, word=values["d"][:WORD_BYTES])
    p = STANDARD.sets[0]
    wrong = request_of("encaps", p, {"ek": b"\xff" * p.ek_bytes, "m": bytes(SEED_BYTES)})
    yield StimulusStep(wrong, "modulus")
