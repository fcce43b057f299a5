# SPDX-License-Identifier: Apache-2.0
"""libnttforge and the device of the coprocessor of both standards, compared with references."""

import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from dilithium_py.ml_dsa import ML_DSA_44
from kyber_py.ml_kem import ML_KEM_512

from nttforge import host
from nttforge.design import load_design
from nttforge.designs import COPROCESSOR, PQC, PQC_CORE
from nttforge.errors import NttforgeError
from nttforge.host.library import HostLibrary, write_library
from nttforge.kinds.lattice.mldsa.standard import ERRORS as DSA_ERRORS
from nttforge.kinds.lattice.pqc.registers import COMMANDS
from tests.host import test_openssl, tls
from tests.host.test_dsa_library import cases as dsa_cases
from tests.host.test_library import HERE, MODULUS, answers, linked
from tests.host.test_library import cases as kem_cases

BOTH = ("-include", HERE / "both.h")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> HostLibrary:
    return write_library(load_design(PQC), tmp_path_factory.mktemp("library"))


@pytest.mark.parametrize(("stall", "interrupt"), [(0.0, 1), (0.3, 0)])
def test_a_program_of_ml_kem(library: HostLibrary, stall: float, interrupt: int) -> None:
    """Every operation and set, refused ones among them, as by ML-KEM's own coprocessor."""
    assert COMMANDS.errors[MODULUS] == "modulus"
    program = linked(library, HERE / "client.c", *BOTH)
    wanted = kem_cases(random.Random(interrupt))
    got = answers(program, stall, 7, interrupt, [each[0] for each in wanted])
    for (code, _, *outputs), (line, *expected) in zip(got, wanted, strict=True):
        assert [code, *outputs] == expected, line[:10]


@pytest.mark.parametrize(
    ("code", "stall", "forms"),
    [
        (0, 0.3, ["message", "sha2-512", "mu"]),
        pytest.param(1, 0.0, ["formatted", "message"], marks=pytest.mark.slow),
        pytest.param(2, 0.3, ["shake-128", "message"], marks=pytest.mark.slow),
    ],
)
def test_a_program_of_ml_dsa(
    library: HostLibrary, code: int, stall: float, forms: list[str]
) -> None:
    """The same of ML-DSA, whose results have codes of the common table."""
    program = linked(library, HERE / "dsa_client.c", *BOTH)
    wanted = dsa_cases(random.Random(code), code, forms)
    got = answers(program, stall, 7, 1, [each[0] for each in wanted])
    for (said, _, *outputs), (line, error, *expected) in zip(got, wanted, strict=True):
        assert COMMANDS.errors[said] == DSA_ERRORS[error] and outputs == expected, line[:12]


def run_shell(folder: Path, commands: str) -> str:
    """What commands of a README print."""
    done = subprocess.run(
        ["sh", "-ec", commands], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done
    return done.stdout


def test_the_example_and_the_readme(library: HostLibrary) -> None:
    folder = Path(library.folder)
    commands = (folder / "README.md").read_text().split("```console\n")[1].split("```")[0]
    assert "the same secret, and the signature is right" in run_shell(folder, commands)


def test_the_provider_has_ml_kem_of_it(tmp_path: Path) -> None:
    """The same answers as that of ML-KEM's own coprocessor, refused ones among them."""
    test_openssl.openssl()
    folder = Path(write_library(load_design(PQC), tmp_path / "lib", openssl=True).folder)
    readme = (folder / "README.md").read_text()
    assert "s_server" in readme
    for commands in readme.split("```console\n")[2:]:
        run_shell(folder, commands.split("```")[0])
    wanted = test_openssl.cases(random.Random(4))
    lines = [line for line, _ in wanted]
    *got, _ = test_openssl.answers(tls.program("provider", tmp_path), folder, "plain", lines)
    for said, (line, answer) in zip(got, wanted, strict=True):
        assert re.match(answer if answer.startswith("error") else f"{answer}$", said), line[:30]


def test_requests_of_both_standards_under_way() -> None:
    """Each future has its own result, whatever is done before and after it."""
    d, z, m, xi, rnd = (bytes([number] * 32) for number in range(1, 6))
    ek, dk = ML_KEM_512._keygen_internal(d, z)
    secret, c = ML_KEM_512._encaps_internal(ek, m)
    pk, sk = ML_DSA_44._keygen_internal(xi)
    made = ML_DSA_44._sign_internal(sk, b"\0\3abcmessage", rnd)
    wrong = bytes([made[0] ^ 1]) + made[1:]
    asked: list[tuple[tuple[Any, ...], dict[str, Any], Any]] = [
        (("kem_keygen", 512, d, z), {}, (ek, dk)),
        (("dsa_keygen", 44, xi), {}, (pk, sk)),
        (("kem_encaps", 512, ek, m), {}, (secret, c)),
        (("dsa_sign", 44, sk, b"message"), {"context": b"abc", "rnd": rnd}, (made,)),
        (("kem_decaps", 512, dk, c), {}, (secret,)),
        (("dsa_verify", 44, pk, made, b"message"), {"context": b"abc"}, (True, "none")),
        (("kem_decaps_seed", 512, d + z, c), {}, (secret,)),
        (("dsa_verify", 44, pk, wrong, b"message"), {"context": b"abc"}, (False, "signature")),
    ]
    with host.open(PQC, stall=0.2, seed=3) as device:
        futures = [device.start(*given, **named) for given, named, _ in asked]
        refused = device.start("kem_encaps", 512, b"\xff" * 800, m)
        short = device.start("dsa_verify", 44, pk, made[:-1], b"message")
        for future, (given, _, expected) in zip(futures, asked, strict=True):
            assert future.result()[: len(expected)] == expected, given[0]
            assert future.result().cycles > 300
        for future, name in ((refused, "modulus"), (short, "signature")):
            with pytest.raises(NttforgeError, match=name):
                future.result()


def test_devices_of_two_designs_in_one_process() -> None:
    """Each has its own model, whatever the files are called."""
    with host.open(COPROCESSOR) as alone, host.open(PQC) as both:
        names = ((alone, "keygen"), (both, "kem_keygen"))
        pairs = [device.start(name, 512, bytes(32), bytes(32)).result() for device, name in names]
    assert pairs[0][:2] == pairs[1][:2] == ML_KEM_512._keygen_internal(bytes(32), bytes(32))


def test_a_core_without_registers_has_none(tmp_path: Path) -> None:
    with pytest.raises(NttforgeError, match="registers"):
        write_library(load_design(PQC_CORE), tmp_path)
