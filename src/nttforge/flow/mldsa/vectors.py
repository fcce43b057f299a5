# SPDX-License-Identifier: Apache-2.0
"""NIST's ACVP vectors of FIPS 204, keyGen: seeds as they are, keys as SHA-256, in `acvp.json.xz`.

`python -m tests.vectors --standard ml-dsa` compares them with the published ones, and makes them.
"""

from importlib import resources

from nttforge.flow.mldsa.dsa import Dsa
from nttforge.flow.vectors import Vector, read_vectors
from nttforge.simulate.mldsa import DsaCore
from nttforge.standards.ml_dsa.parameters import parameter_set

GOLDEN = "acvp.json.xz"


def golden_vectors() -> list[Vector]:
    """NIST's vectors, from the package."""
    return read_vectors(resources.files(__package__) / GOLDEN)


def wrong_answers(core: DsaCore, vector: Vector) -> list[tuple[str, str, str]]:
    """(output, digest of ours, expected one) of each output that differs."""
    pair = Dsa(core).keygen(parameter_set(vector.parameter_set), vector.inputs["seed"])
    return vector.wrong({"pk": pair.pk, "sk": pair.sk})
