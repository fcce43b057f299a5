# SPDX-License-Identifier: Apache-2.0
"""NIST's ACVP vectors of FIPS 203: inputs as they are, outputs as SHA-256, in `acvp.json.xz`.

`python -m tests.known_answers` compares them with the published ones, and makes them.
"""

from functools import partial

from nttforge.flow.vectors import Vector, packed
from nttforge.kinds.lattice.bus import Coprocessor, request_of
from nttforge.standards.ml_kem.parameters import parameter_set
from nttforge.standards.ml_kem.symmetric import h, j

GOLDEN = "acvp.json.xz"
#: NIST's vectors, from the package.
golden_vectors = partial(packed, __package__, GOLDEN)


def answers(coprocessor: Coprocessor, vector: Vector) -> dict[str, bytes]:
    """What the coprocessor makes of a vector's inputs."""
    p, given = parameter_set(vector.parameter_set), vector.inputs
    orders = ("decaps", "decaps_standard") if vector.operation == "decaps" else (vector.operation,)
    runs = [
        coprocessor.run(request_of(name, p, given, check=name.startswith("decaps")))
        for name in orders
    ]
    run = runs[0]
    if vector.operation == "keygen":
        return {"ek": run.public, "dk": run.secret}
    # Both orders of the key give one secret, or a wrong one.
    secret = run.secret if len({each.secret for each in runs}) == 1 else b""
    c = given.get("c", run.public)
    return {"c": c, "k": secret, "kyber_k": kyber_secret(secret, c)}


def kyber_secret(secret: bytes, c: bytes) -> bytes:
    """The secret of Kyber's third round, which hashed the ciphertext into ML-KEM's."""
    return j(secret + h(c))


def wrong_answers(coprocessor: Coprocessor, vector: Vector) -> list[tuple[str, str, str]]:
    """(output, digest of ours, expected one) of each output that differs."""
    return vector.wrong(answers(coprocessor, vector))
