# SPDX-License-Identifier: Apache-2.0
"""What the bench in a folder plays of ML-DSA: NIST's vectors, right and wrong, and a refusal."""

from collections.abc import Iterator

from nttforge.flow.vectors import digest, first_of
from nttforge.kinds.lattice.bus import Request
from nttforge.kinds.lattice.mldsa.standard import STANDARD, WORDS, reference
from nttforge.kinds.lattice.mldsa.vectors import accepted_byte, golden_vectors
from nttforge.kinds.lattice.operation import Values
from nttforge.kinds.lattice.stimulus import Script, StimulusStep, stimulus_step
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters, parameter_set

SCRIPT = Script(
    60_000,
    True,
    "It makes keys and signatures of NIST's vectors, verifies some, and refuses others.",
)


def examples(*, short: bool = False) -> Iterator[tuple[str, Parameters, Values]]:
    """Set by set the first key, the first signature, and the first right and wrong ones.

    With `short` those of the shortest messages, which no memory is too small for.
    """
    vectors = golden_vectors()
    if short:
        vectors.sort(key=lambda vector: len(vector.inputs.get("message", b"")))
    found = first_of(vectors, "operation", "parameter_set", digest="accepted")
    for vector in sorted(found, key=lambda vector: (vector.parameter_set, vector.operation)):
        p = parameter_set(vector.parameter_set)
        right = vector.digests.get("accepted") == digest(accepted_byte(True))
        yield vector.operation, p, {"verdict": WORDS[right], **reference(p, vector.inputs)}


def cases(*, entropy: bool, checks: bool = False) -> Iterator[StimulusStep]:
    """Keys and signatures of ML-DSA, right and wrong; some keys' seeds may come as entropy.

    With `checks` signatures are verified before they leave, and what that takes is sent.
    """
    yield StimulusStep(Request("keygen", STANDARD.sets[0], bytes(SEED_BYTES - 8)), "length")
    for operation, p, values in examples():
        wrong = operation == "verify" and values["verdict"] == WORDS[False]
        yield stimulus_step(operation, p, values, "signature" if wrong else "none", checks=checks)
        if entropy and operation == "keygen":
            yield stimulus_step(operation, p, values, word=b"")
