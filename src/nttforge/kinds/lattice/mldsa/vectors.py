# SPDX-License-Identifier: Apache-2.0
"""NIST's ACVP vectors of FIPS 204, keyGen, sigGen and sigVer, in `acvp.json.xz`.

Inputs are as they are, outputs as SHA-256: keys, signatures, and a byte that says whether one is
right.

`python -m tests.known_answers --standard ml-dsa` compares them with the published ones, and makes
them.
"""

from functools import partial

from nttforge.flow.vectors import Vector, packed
from nttforge.kinds.lattice.bus import Coprocessor, Request
from nttforge.kinds.lattice.functions import Functions
from nttforge.kinds.lattice.mldsa.standard import STANDARD
from nttforge.standards.ml_dsa.message import representative
from nttforge.standards.ml_dsa.parameters import parameter_set

GOLDEN = "acvp.json.xz"


#: NIST's vectors, from the package.
golden_vectors = partial(packed, __package__, GOLDEN)


def accepted_byte(accepted: bool) -> bytes:
    """What a vector has of a signature's verdict."""
    return bytes([accepted])


def wrong_answers(core: Coprocessor, vector: Vector) -> list[tuple[str, str, str]]:
    """(output, digest of ours, expected one) of each output that differs.

    A signature is made of M', and verified with M' and with mu of it.
    """
    p, dsa = parameter_set(vector.parameter_set), Functions(core, STANDARD)
    if vector.operation == "keygen":
        pair = dsa.keygen(p, vector.inputs["seed"])
        run = core.run(Request("keygen_standard", p, vector.inputs["seed"]))
        # Both orders give one key, or a wrong one.
        same = (run.public, run.secret) == (pair.pk, pair.sk)
        return vector.wrong({"pk": pair.pk, "sk": pair.sk if same else b""})
    if vector.operation == "sign":
        sk, message, rnd = (vector.inputs[name] for name in ("sk", "message", "rnd"))
        return vector.wrong({"signature": dsa.sign_internal(p, sk, message, rnd).signature})
    pk, signature, message = (vector.inputs[name] for name in ("pk", "signature", "message"))
    verdict = dsa.verify_internal(p, pk, signature, message)
    other = dsa.verify_mu(p, pk, signature, representative(pk, message))
    return [
        wrong
        for each in (verdict, other)
        for wrong in vector.wrong({"accepted": accepted_byte(each.accepted)})
    ]
