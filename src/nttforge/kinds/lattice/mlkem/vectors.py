# SPDX-License-Identifier: Apache-2.0
"""NIST's ACVP vectors of FIPS 203: inputs as they are, outputs as SHA-256, in `acvp.json.xz`.

`python -m tests.vectors` compares them with the published ones, and makes them.
"""

from importlib import resources

from nttforge.flow.vectors import Vector, read_vectors
from nttforge.kinds.lattice.bus import Coprocessor, Run, kem_request, key_orders
from nttforge.standards.ml_kem.parameters import parameter_set
from nttforge.standards.ml_kem.symmetric import h, j

GOLDEN = "acvp.json.xz"


def answers(coprocessor: Coprocessor, vector: Vector) -> dict[str, bytes]:
    """What the coprocessor makes of a vector's inputs."""
    p, given = parameter_set(vector.parameter_set), vector.inputs

    def ran(operation: str, public: bytes, secret: bytes, *, check: bool = False) -> Run:
        return coprocessor.run(kem_request(operation, p, public, secret, check=check))

    if vector.operation == "keygen":
        run = ran("keygen", b"", given["d"] + given["z"])
        return {"ek": run.public, "dk": run.secret}
    if vector.operation == "encaps":
        run = ran("encaps", given["ek"], given["m"])
        kyber = kyber_secret(run.secret, run.public)
        return {"c": run.public, "k": run.secret, "kyber_k": kyber}
    orders = key_orders(given["dk"]).items()
    found = {ran(name, given["c"], key, check=True).secret for name, key in orders}
    # Both orders of the key give one secret, or a wrong one.
    secret = found.pop() if len(found) == 1 else b""
    return {"k": secret, "kyber_k": kyber_secret(secret, given["c"])}


def kyber_secret(secret: bytes, c: bytes) -> bytes:
    """The secret of Kyber's third round, which hashed the ciphertext into ML-KEM's."""
    return j(secret + h(c))


def wrong_answers(coprocessor: Coprocessor, vector: Vector) -> list[tuple[str, str, str]]:
    """(output, digest of ours, expected one) of each output that differs."""
    return vector.wrong(answers(coprocessor, vector))


def golden_vectors() -> list[Vector]:
    """NIST's vectors, from the package."""
    return read_vectors(resources.files(__package__) / GOLDEN)
