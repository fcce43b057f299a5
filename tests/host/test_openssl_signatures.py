# SPDX-License-Identifier: Apache-2.0
"""ML-DSA by the provider for OpenSSL: signatures against dilithium-py, certificates by others."""

import os
import random
import re
import subprocess
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_65, ML_DSA_87

from nttforge.design import load_design
from nttforge.designs import DSA_COPROCESSOR, PQC
from nttforge.host.library import write_library
from nttforge.host.openssl import PROVIDER
from nttforge.standards.ml_dsa.message import formatted
from tests.drivers.compilers import STRICT, command_of, run
from tests.host import tls
from tests.host.test_openssl import answers, openssl

REFERENCE = {"ML-DSA-44": ML_DSA_44, "ML-DSA-65": ML_DSA_65, "ML-DSA-87": ML_DSA_87}
SIGNED = formatted(b"message", b"context", None)
#: A PrivateKeyInfo of ML-DSA-65 in front of the seed alone, and of the expanded key (RFC 9881).
SEED_ALONE = bytes.fromhex("3034020100300b060960864801650304031204228020")
EXPANDED = bytes.fromhex("30820fd8020100300b060960864801650304031204820fc404820fc0")


@pytest.fixture(scope="module", params=[DSA_COPROCESSOR, PQC])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    openssl()
    folder = tmp_path_factory.mktemp("library")
    write_library(load_design(request.param), folder, openssl=True)
    return folder


@pytest.fixture(scope="module")
def program(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tls.program("provider", tmp_path_factory.mktemp("program"))


def cases(rng: random.Random) -> list[tuple[str, str]]:
    """Lines of every set and operation, and the answers; refused ones too."""
    made: list[tuple[str, str]] = []
    for name, reference in REFERENCE.items():
        seed, rnd = rng.randbytes(32), rng.randbytes(32)
        pk, sk = reference._keygen_internal(seed)
        signature = reference._sign_internal(sk, SIGNED, rnd)
        wrong = bytes([signature[0] ^ 1]) + signature[1:]
        other = bytes([pk[0] ^ 1]) + pk[1:]
        made += [
            (f"keygen {name} {seed.hex()} -", f"ok {pk.hex()} {sk.hex()}"),
            (f"write {name} {sk.hex()} {rnd.hex()}", f"ok {signature.hex()} "),
            (f"verify {name} {pk.hex()} {signature.hex()}", "ok 01 "),
            (f"verify {name} {pk.hex()} {wrong.hex()}", "ok 00 "),
            (f"verify {name} {other.hex()} {signature.hex()}", "ok 00 "),
            (f"verify {name} {pk.hex()} {signature[:-1].hex()}", "ok 00 "),
            (f"belongs {name} {sk.hex()} {pk.hex()}", "ok 01 "),
            (f"belongs {name} {sk.hex()} {other.hex()}", "ok 00 "),
            (f"judge {name} {pk.hex()} 00", f"ok {pk.hex()} "),
            (f"judge {name} {sk.hex()} 01", "error a part of the key is missing: "),
            (f"keygen {name} {seed[1:].hex()} -", "error a wrong length: a seed .* 32 bytes"),
            (f"write {name} {sk.hex()} {rnd[1:].hex()}", "error a wrong length: test-entropy"),
            (f"write {name} {sk[1:].hex()} {rnd.hex()}", "error a wrong length: a private key"),
            (f"verify {name} {pk[1:].hex()} {wrong.hex()}", "error a wrong length: a public key"),
        ]
    rng.shuffle(made)
    return made


@pytest.mark.parametrize(("mode", "seed"), [("plain", 1), ("threads", 2), ("fibers", 3)])
def test_signatures_are_what_the_standard_says(
    program: Path, library: Path, mode: str, seed: int
) -> None:
    wanted = cases(random.Random(seed))
    *got, counts = answers(program, library, mode, [line for line, _ in wanted])
    for said, (line, answer) in zip(got, wanted, strict=True):
        assert re.match(answer if answer.startswith("error") else f"{answer}$", said), line[:30]
    # What has another length, or needs a hash alone, does not get to the core.
    assert counts.startswith("15 requests, ")


def test_its_sources_are_strict(library: Path, tmp_path: Path) -> None:
    for source in sorted(library.glob("openssl_*.c")):
        done = run(*command_of("gcc"), *STRICT, "-c", source, "-o", tmp_path / "o")
        assert done.returncode == 0, done.stderr


def test_signatures_that_are_given_up_harm_no_other(program: Path, library: Path) -> None:
    """Their messages are freed with them."""
    sk, rnd = ML_DSA_44._keygen_internal(bytes(32))[1], bytes(range(32))
    signature = ML_DSA_44._sign_internal(sk, SIGNED, rnd)
    line = f"write ML-DSA-44 {sk.hex()} {rnd.hex()}"
    *got, _ = answers(program, library, "abandon", [line] * 6)
    assert got == [f"ok {signature.hex()} ", "error given up"] * 3


class Place:
    """A folder in which commands of OpenSSL have the provider."""

    def __init__(self, library: Path, folder: Path) -> None:
        self.folder = folder
        self._loaded = ("-provider-path", str(library), "-provider", PROVIDER)

    def run(self, verb: str, *words: str) -> str:
        """What a command prints that must succeed."""
        done = self.tried(verb, *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def tried(self, verb: str, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["openssl", verb, *self._loaded, "-provider", "default", *words],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=os.environ,
            timeout=60,
            check=False,
        )

    def certificate(self, name: str) -> x509.Certificate:
        return x509.load_pem_x509_certificate((self.folder / name).read_bytes())


def test_certificates_by_the_core_are_right_for_others(library: Path, tmp_path: Path) -> None:
    """One that signs itself, and one that it signs; judged by other libraries, and by the core."""
    place = Place(library, tmp_path)
    made = ("-nodes", "-days", "2", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=ca")
    place.run("req", "-x509", "-newkey", "ML-DSA-65", *made)
    asked = ("-nodes", "-keyout", "own.key", "-out", "own.csr", "-subj", "/CN=own")
    place.run("req", "-newkey", "ML-DSA-44", *asked)
    signed = ("-CA", "ca.pem", "-CAkey", "ca.key", "-days", "2", "-CAcreateserial")
    place.run("x509", "-req", "-in", "own.csr", *signed, "-out", "own.pem")
    assert place.run("verify", "-CAfile", "ca.pem", "ca.pem", "own.pem") == (
        "ca.pem: OK\nown.pem: OK\n"
    )
    first, second = place.certificate("ca.pem"), place.certificate("own.pem")
    first.verify_directly_issued_by(first)
    second.verify_directly_issued_by(first)
    key = first.public_key().public_bytes_raw()  # type: ignore[union-attr]
    for each in (first, second):
        said = formatted(each.tbs_certificate_bytes, b"", None)
        assert ML_DSA_65._verify_internal(key, said, each.signature)


def test_a_certificate_that_was_changed_is_refused(library: Path, tmp_path: Path) -> None:
    place = Place(library, tmp_path)
    made = ("-nodes", "-keyout", "key.pem", "-outform", "DER", "-out", "c.der", "-subj", "/CN=abc")
    place.run("req", "-x509", "-newkey", "ML-DSA-44", *made)
    changed = (tmp_path / "c.der").read_bytes().replace(b"abc", b"abd")
    (tmp_path / "c.der").write_bytes(changed)
    place.run("x509", "-in", "c.der", "-inform", "DER", "-out", "c.pem")
    done = place.tried("verify", "-check_ss_sig", "-CAfile", "c.pem", "c.pem")
    assert done.returncode != 0 and "certificate signature failure" in done.stderr
    own = place.certificate("c.pem")
    with pytest.raises(InvalidSignature):
        own.verify_directly_issued_by(own)


def test_private_keys_in_all_forms(library: Path, tmp_path: Path) -> None:
    """With a seed the core makes the key; without one it signs, and its public part is missing."""
    place, seed = Place(library, tmp_path), bytes(range(32))
    pk, sk = ML_DSA_65._keygen_internal(seed)
    forms = {"seed": SEED_ALONE + seed, "expanded": EXPANDED + sk}
    for name, data in forms.items():
        (tmp_path / f"{name}.der").write_bytes(data)
    read = ("-inform", "DER", "-outform", "DER", "-in", "seed.der")
    place.run("pkey", *read, "-out", "both.der")
    both = (tmp_path / "both.der").read_bytes()
    assert seed in both and both.endswith(sk) and len(both) == 4098
    place.run("pkey", *read[:-1], "both.der", "-pubout", "-out", "pub.der")
    assert (tmp_path / "pub.der").read_bytes().endswith(pk)
    place.run("pkey", *read[:-1], "both.der", "-check", "-noout")
    place.run("pkey", *read[:-1], "expanded.der", "-out", "again.der")
    assert (tmp_path / "again.der").read_bytes() == forms["expanded"]
    assert place.tried("pkey", *read[:-1], "expanded.der", "-pubout").returncode != 0
    (tmp_path / "both.der").write_bytes(both.replace(seed, bytes(32)))
    assert place.tried("pkey", *read[:-1], "both.der").returncode != 0


def test_a_private_key_under_a_password(library: Path, tmp_path: Path) -> None:
    """What is to be encrypted is; a wrong password gives no key."""
    place = Place(library, tmp_path)
    place.run("genpkey", "-algorithm", "ML-DSA-44", "-out", "plain", "-outform", "DER")
    read = ("pkey", "-inform", "DER", "-in", "plain")
    place.run(*read, "-aes256", "-passout", "pass:abc", "-out", "hidden")
    assert "-----BEGIN ENCRYPTED PRIVATE KEY-----" in (tmp_path / "hidden").read_text()
    again = ("pkey", "-in", "hidden", "-outform", "DER", "-out", "again")
    place.run(*again, "-passin", "pass:abc")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "plain").read_bytes()
    assert place.tried(*again, "-passin", "pass:abd").returncode != 0


def test_a_key_signs_a_file(library: Path, tmp_path: Path) -> None:
    place = Place(library, tmp_path)
    (tmp_path / "text").write_bytes(b"a text\n" * 100)
    place.run("genpkey", "-algorithm", "ML-DSA-44", "-out", "key.pem")
    raw = ("-rawin", "-in", "text", "-inkey", "key.pem")
    place.run("pkeyutl", "-sign", *raw, "-out", "signature")
    assert "Verified" in place.run("pkeyutl", "-verify", *raw, "-sigfile", "signature")
    (tmp_path / "text").write_bytes(b"another text\n")
    done = place.tried("pkeyutl", "-verify", *raw, "-sigfile", "signature")
    assert done.returncode != 0 and "Verification Failure" in done.stdout
