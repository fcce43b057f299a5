# SPDX-License-Identifier: Apache-2.0
"""Coprocessors from power-on in four states: registers, refused commands, first operations.

The first operation is the one that reads a key, as its command is decoded before there was another
one. Keys, ciphertexts and secrets are those of another library.
"""

import random
from pathlib import Path
from typing import Any

import pytest

from nttforge.families import Hardware
from nttforge.families.mlkem.program import SETS
from nttforge.families.mlkem.registers import REGISTERS as KEM_REGISTERS
from nttforge.families.registers import RegisterMap
from nttforge.kinds.lattice.bus import KEM_PORTS, kem_port, rotate_key
from nttforge.simulate.host_port import RegisterAccess
from nttforge.standards.oracle import kyber_py
from tests.four_states import FourStates
from tests.modules import SMALL
from tests.rtl.test_four_states import Top, power_on

pytestmark = pytest.mark.slow
KEM = SETS[0]
RNG = random.Random(7)
D, Z, M, WIPE = (RNG.randbytes(32) for _ in range(4))
EK, DK = kyber_py(KEM.name)._keygen_internal(D, Z)
SECRET, CIPHERTEXT = kyber_py(KEM.name)._encaps_internal(EK, M)


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


def kem_operations(model: FourStates, core: Hardware) -> None:
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


TOPS = {
    "mlkem": Top(SMALL["mlkem"], kem_operations),
}


@pytest.mark.parametrize("name", TOPS)
def test_from_power_on(name: str, tmp_path: Path) -> None:
    assert len(power_on(TOPS[name], tmp_path).model.cycles) > 5000
