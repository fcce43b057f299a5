# SPDX-License-Identifier: Apache-2.0
"""Coprocessors from power-on in four states: registers, refused commands, first operations.

The first operation is one that reads a key, as its command is decoded before there was another
one. Keys, ciphertexts, secrets and signatures are those of other libraries.
"""

import random
from pathlib import Path
from typing import Any

import pytest

from nttforge.hw import Core
from nttforge.hw.register_map import RegisterMap
from nttforge.kinds.lattice.bus import Coprocessor, Request
from nttforge.kinds.lattice.mldsa.standard import REGISTERS as DSA_REGISTERS
from nttforge.kinds.lattice.mlkem.program import SETS
from nttforge.kinds.lattice.mlkem.standard import REGISTERS as KEM_REGISTERS
from nttforge.kinds.lattice.mlkem.standard import rotate_key
from nttforge.standards.ml_dsa import signing
from nttforge.standards.ml_dsa.parameters import ML_DSA_44 as DSA
from nttforge.standards.oracle import dilithium_py, kyber_py
from nttforge.standards.transform_engine import software_engine
from tests.coprocessors import BOTH_PORTS, DSA_PORTS, KEM_PORTS
from tests.four_states import FourStates
from tests.modules import SMALL
from tests.register_access import RegisterAccess
from tests.rtl.kem_port import KemPort, kem_port
from tests.rtl.test_four_states import Top, power_on

pytestmark = pytest.mark.slow
KEM = SETS[0]
RNG = random.Random(7)
D, Z, M, WIPE = (RNG.randbytes(32) for _ in range(4))
EK, DK = kyber_py(KEM.name)._keygen_internal(D, Z)
SECRET, CIPHERTEXT = kyber_py(KEM.name)._encaps_internal(EK, M)
XI, RND = (RNG.randbytes(32) for _ in range(2))
PK, SK = dilithium_py(DSA.name)._keygen_internal(XI)


def check_registers(access: RegisterAccess, registers: RegisterMap) -> None:
    """Every register that can be read is known, and nothing is acknowledged."""
    found = {r.name: access.read(r.name) for r in registers if r.access != "wo"}
    assert all(value == 0 for name, value in found.items() if name not in ("identity", "status"))
    assert not access.write("acknowledge", 1)
    assert not access.write("identity", 1)


def refused_command(model: Any, access: RegisterAccess, registers: RegisterMap) -> None:
    """A command of no parameter set ends with an error."""
    while not model.step()["idle_o"]:
        pass
    assert access.write("command", registers["command"].word(set=3))
    for _ in range(20):
        model.step()
    result = registers["result"].field("error")
    assert result.values[result.get(access.read("result"))] == "command"
    assert access.write("acknowledge", 1)


def kem_operations(model: FourStates, core: Core) -> None:
    """An operation of each kind, with seeds from either port, and what is refused."""
    host: Any = model
    host.ports = KEM_PORTS
    access, kem = RegisterAccess(host, KEM_REGISTERS), kem_port(host)
    check_registers(access, KEM_REGISTERS)
    assert kem.decaps(KEM, DK, CIPHERTEXT) == SECRET
    assert kem.keygen(KEM, D, Z) == (EK, DK)
    run = kem.run("keygen", KEM, b"", b"", entropy=D + Z + WIPE[:8])
    assert (run.public, run.secret) == (EK, DK)
    assert kem.encaps(KEM, EK, M) == (SECRET, CIPHERTEXT)
    assert kem.run("decaps_standard", KEM, CIPHERTEXT, DK, check=True).secret == SECRET
    assert kem.run("decaps_seed", KEM, CIPHERTEXT, D + Z).secret == SECRET
    refused_command(host, access, KEM_REGISTERS)
    assert kem.run("encaps", KEM, EK[:-8], M).reason == "public_length"
    assert kem.run("encaps", KEM, EK, M + M).reason == "secret_length"
    assert kem.run("encaps", KEM, b"\xff" * len(EK), M).reason == "modulus"
    tampered = rotate_key(DK[:-64] + bytes(32) + DK[-32:])  # another hash of ek
    assert kem.run("decaps", KEM, CIPHERTEXT, tampered, check=True).reason == "hash"
    assert kem.decaps(KEM, DK, CIPHERTEXT) == SECRET


def signed_at_once() -> tuple[bytes, bytes]:
    """A mu whose signature with `RND` takes one try, and the signature."""
    engine = software_engine()
    while True:
        mu = RNG.randbytes(64)
        made = signing.sign_mu(DSA, SK, mu, RND, engine)
        if len(made.challenges) == 1:
            return mu, made.data


def dsa_operations(core: Coprocessor) -> None:
    """A key that is loaded signs, its signature is verified; keys are made; what is refused."""
    mu, signature = signed_at_once()
    assert core.run(Request("load", DSA, SK)).reason == "none"
    made = core.run(Request("sign_loaded_mu", DSA, b"", (mu,), RND))
    assert (made.reason, made.public[: len(signature)]) == ("none", signature)
    assert core.run(Request("drop", DSA)).reason == "none"
    assert core.run(Request("sign_loaded_mu", DSA, RND, (mu,))).reason != "none"
    assert core.run(Request("verify_mu", DSA, public=(PK, signature, mu))).accepted
    assert not core.run(Request("verify_mu", DSA, public=(PK, signature, mu[::-1]))).accepted
    for given, entropy in ((XI, None), (b"", XI)):
        run = core.run(Request("keygen_standard", DSA, given, entropy=entropy))
        assert (run.public, run.secret) == (PK, SK)
    assert core.run(Request("keygen", DSA, XI[:8])).reason == "length"
    assert not core.run(Request("verify_mu", DSA, public=(PK[8:], signature, mu))).accepted


def dsa_registers(model: FourStates, core: Core) -> None:
    """ML-DSA with registers."""
    host: Any = model
    host.ports = DSA_PORTS
    access = RegisterAccess(host, DSA_REGISTERS)
    check_registers(access, DSA_REGISTERS)
    dsa_operations(Coprocessor(host))
    refused_command(host, access, DSA_REGISTERS)


def both_standards(model: FourStates, core: Core) -> None:
    """A core of both: an operation of ML-KEM first, then all of ML-DSA, then ML-KEM again."""
    host: Any = model
    host.ports = BOTH_PORTS
    core_of_both = Coprocessor(host)
    kem = KemPort(core_of_both)
    assert kem.decaps(KEM, DK, CIPHERTEXT) == SECRET
    dsa_operations(core_of_both)
    assert kem.keygen(KEM, D, Z) == (EK, DK)
    assert kem.encaps(KEM, EK, M) == (SECRET, CIPHERTEXT)


BOTH = {"standards": ["ml-kem", "ml-dsa"], "registers": False}
TOPS = {
    "mlkem": Top(SMALL["mlkem"], kem_operations),
    "mldsa": Top(SMALL["mldsa"], dsa_registers),
    "pqc": Top({"family": "lattice", "lattice": BOTH}, both_standards),
}


@pytest.mark.parametrize("name", TOPS)
def test_from_power_on(name: str, tmp_path: Path) -> None:
    assert len(power_on(TOPS[name], tmp_path).model.cycles) > 5000
