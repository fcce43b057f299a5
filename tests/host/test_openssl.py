# SPDX-License-Identifier: Apache-2.0
"""The provider for OpenSSL: its KEMs against kyber-py and `cryptography`, TLS against Go."""

import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768, ML_KEM_1024

from nttforge.cli import main
from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.host.library import write_library
from nttforge.host.openssl import PROVIDER
from tests.drivers.compilers import STRICT, command_of, run
from tests.host import tls
from tests.host.tls import GROUP

REFERENCE = {"ML-KEM-512": ML_KEM_512, "ML-KEM-768": ML_KEM_768, "ML-KEM-1024": ML_KEM_1024}
SECONDS = 60
CT, POINT = 1088, 32


def openssl() -> None:
    """Skips where OpenSSL 3 or its headers are not."""
    try:
        tls.check_openssl()
    except NttforgeError as error:
        pytest.skip(str(error))


def tls_tools() -> Path:
    """The program at the other end; skips where it cannot be, or OpenSSL is not."""
    openssl()
    try:
        return tls.peer()
    except NttforgeError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    openssl()
    folder = tmp_path_factory.mktemp("library")
    write_library(load_design("ml-kem-coprocessor"), folder, openssl=True)
    return folder


@pytest.fixture(scope="module")
def kems(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that uses OpenSSL's KEMs."""
    return tls.program("provider", tmp_path_factory.mktemp("program"))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> tls.Place:
    return tls.Place(tmp_path_factory.mktemp("place"), tls_tools())


def answers(
    kems: Path, library: Path, mode: str, lines: list[str], config: Path | None = None
) -> list[str]:
    """What the program prints: a line for each, and the counts."""
    environment = os.environ | {"OPENSSL_MODULES": str(library)}
    if config is not None:
        environment["OPENSSL_CONF"] = str(config)
    done = subprocess.run(
        [str(kems), mode],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        env=environment,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done
    return done.stdout.splitlines()


def agreed(private: bytes, public: bytes) -> bytes:
    """X25519 by another library."""
    own = X25519PrivateKey.from_private_bytes(private)
    return own.exchange(X25519PublicKey.from_public_bytes(public))


def public_of(private: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def cases(rng: random.Random) -> list[tuple[str, str]]:
    """Lines of every KEM and operation, and the answers; refused ones too."""
    made: list[tuple[str, str]] = []
    for name, reference in REFERENCE.items():
        d, z, m = (rng.randbytes(32) for _ in range(3))
        ek, dk = reference._keygen_internal(d, z)
        secret, c = reference._encaps_internal(ek, m)
        spoilt = bytes([c[0] ^ 1]) + c[1:]
        rejected = reference._decaps_internal(dk, spoilt)
        above = bytes([255] * 3) + ek[3:]
        belied = dk[:-40] + bytes([dk[-40] ^ 1]) + dk[-39:]
        made += [
            (f"keygen {name} {(d + z).hex()} -", f"ok {ek.hex()} {dk.hex()}"),
            (f"encaps {name} {ek.hex()} {m.hex()}", f"ok {c.hex()} {secret.hex()}"),
            (f"decaps {name} {dk.hex()} {c.hex()}", f"ok  {secret.hex()}"),
            (f"decaps {name} {dk.hex()} {spoilt.hex()}", f"ok  {rejected.hex()}"),
            (f"derive {name} {dk.hex()} -", f"ok {ek.hex()} "),
            (
                f"encaps {name} {above.hex()} -",
                "error the coprocessor refuses the input: .*modulus",
            ),
            (
                f"decaps {name} {belied.hex()} {c.hex()}",
                "error the coprocessor refuses the input: .*hash",
            ),
            (f"keygen {name} {d.hex()} -", "error a wrong length: a seed .* has 64 bytes, not 32"),
            (f"encaps {name} {ek.hex()}00 -", "error a wrong length: a public key .* has"),
            (f"encaps {name} {ek.hex()} 00", "error a wrong length: ikme"),
            (f"decaps {name} {dk[1:].hex()} {c.hex()}", "error a wrong length: a private key"),
            (f"decaps {name} {dk.hex()} {c[8:].hex()}", "error a wrong length: a ciphertext"),
        ]
    ek, dk = ML_KEM_768._keygen_internal(rng.randbytes(32), rng.randbytes(32))
    secret, c = ML_KEM_768._encaps_internal(ek, rng.randbytes(32))
    own, other = rng.randbytes(POINT), rng.randbytes(POINT)
    pair, sent = (dk + own).hex(), (c + public_of(other)).hex()
    made += [
        (f"derive {GROUP} {pair} -", f"ok {(ek + public_of(own)).hex()} "),
        (f"decaps {GROUP} {pair} {sent}", f"ok  {(secret + agreed(own, public_of(other))).hex()}"),
        (f"decaps {GROUP} {pair} {(c + bytes(POINT)).hex()}", "error failed during derivation: "),
        (f"decaps {GROUP} {pair} {c.hex()}", "error a wrong length: a ciphertext"),
        (f"encaps {GROUP} {(ek + bytes(POINT)).hex()} -", "error failed during derivation: "),
        (f"encaps {GROUP} {ek.hex()} -", "error a wrong length: a public key"),
        (f"encaps {GROUP} {(ek + own).hex()} {own.hex()}", "error a wrong parameter: "),
    ]
    rng.shuffle(made)
    return made


def counted(line: str) -> tuple[int, int]:
    """Requests, and the most of them that were under way."""
    requests, most, _ = map(int, re.findall(r"\d+", line))
    return requests, most


@pytest.mark.parametrize(("mode", "seed"), [("plain", 1), ("threads", 2), ("fibers", 3)])
def test_kems_do_what_the_standards_say(kems: Path, library: Path, mode: str, seed: int) -> None:
    wanted = cases(random.Random(seed))
    *got, counts = answers(kems, library, mode, [line for line, _ in wanted])
    assert len(got) == len(wanted)
    for said, (line, answer) in zip(got, wanted, strict=True):
        assert re.match(answer if answer.startswith("error") else f"{answer}$", said), line[:30]
    requests, most = counted(counts)
    # What is refused before it gets to the core is none; the points of small order are met after.
    assert requests == 21
    assert (most == 1) if mode == "plain" else (1 < most <= requests)


def test_what_is_given_for_one_operation_does_not_come_back(kems: Path, library: Path) -> None:
    lines = [f"repeat {name} {bytes(64).hex()} {bytes(32).hex()}" for name in REFERENCE]
    *got, _ = answers(kems, library, "plain", lines)
    assert got == ["ok 01 01"] * len(lines)


def test_keys_are_judged(kems: Path, library: Path) -> None:
    pairs = [ML_KEM_768._keygen_internal(bytes([at]) * 32, bytes(32)) for at in (1, 2)]
    (ek, dk), (_, other) = pairs
    own = bytes(range(POINT))
    point, far = public_of(own), 384 * 3
    strange = other[:far] + dk[far:]  # whose public part, hash and z are right
    wanted = [
        (f"judge ML-KEM-768 {ek.hex()} 00", f"ok {ek.hex()} "),
        (f"judge ML-KEM-768 {dk.hex()} 01", f"ok {ek.hex()} {dk.hex()}"),
        (f"judge {GROUP} {(ek + point).hex()} 00", f"ok {(ek + point).hex()} "),
        (f"judge {GROUP} {(dk + own).hex()} 01", f"ok {(ek + point).hex()} {(dk + own).hex()}"),
        (
            f"judge ML-KEM-768 {'ff' * 3}{ek[3:].hex()} 00",
            "error the coprocessor refuses .*modulus",
        ),
        (
            f"judge ML-KEM-768 {dk[:-33].hex()}00{dk[-32:].hex()} 01",
            "error the copro.* refuses .*hash",
        ),
        (f"judge ML-KEM-768 {strange.hex()} 01", "error not a key: .* parts are not of one pair"),
        (f"judge {GROUP} {(ek + bytes(POINT)).hex()} 00", "error failed during derivation: "),
    ]
    *got, _ = answers(kems, library, "plain", [line for line, _ in wanted])
    for said, (line, answer) in zip(got, wanted, strict=True):
        assert re.match(answer if answer.startswith("error") else f"{answer}$", said), line[:30]


def test_a_key_stays_what_it_is_if_another_share_is_none(kems: Path, library: Path) -> None:
    one, two = (ML_KEM_768._keygen_internal(bytes([at]) * 32, bytes(32))[0] for at in (1, 2))
    keys = {"ML-KEM-768": (one, two), GROUP: (one + bytes(POINT), two + public_of(bytes(POINT)))}
    for name, (own, other) in keys.items():
        shares = {other: "01", other[:-1]: "00", other + b"\0": "00", b"\0": "00"}
        lines = [f"share {name} {own.hex()} {share.hex()}" for share in shares]
        *got, _ = answers(kems, library, "plain", lines)
        kept = [other if taken == "01" else own for taken in shares.values()]
        assert got == [
            f"ok {key.hex()} {taken}" for key, taken in zip(kept, shares.values(), strict=True)
        ]


def test_random_keys_of_the_group(kems: Path, library: Path) -> None:
    line, _ = answers(kems, library, "plain", [f"keygen {GROUP} - -"])
    _, public, private = (bytes.fromhex(word) if word != "ok" else b"" for word in line.split())
    dk, own = private[:-POINT], private[-POINT:]
    assert public[-POINT:] == public_of(own)
    line, _ = answers(kems, library, "plain", [f"encaps {GROUP} {public.hex()} -"])
    _, sent, secret = (bytes.fromhex(word) if word != "ok" else b"" for word in line.split())
    wanted = ML_KEM_768._decaps_internal(dk, sent[:CT]) + agreed(own, sent[CT:])
    assert secret == wanted


def test_a_child_draws_other_keys(kems: Path, library: Path) -> None:
    lines = ["keygen ML-KEM-768 - -", f"keygen {GROUP} - -"]
    got = [line for line in answers(kems, library, "fork", lines) if line.startswith("ok")]
    assert len(set(got)) == 2 * len(lines)


def test_requests_that_are_given_up_harm_no_other(kems: Path, library: Path) -> None:
    d, z = bytes(32), bytes(range(32))
    ek, dk = ML_KEM_1024._keygen_internal(d, z)
    *got, counts = answers(kems, library, "abandon", [f"keygen ML-KEM-1024 {(d + z).hex()} -"] * 10)
    assert got == [f"ok {ek.hex()} {dk.hex()}", "error given up"] * 5
    assert counted(counts) == (5, 10)


def configured(folder: Path, library: Path, *lines: str) -> Path:
    """A configuration file of OpenSSL with these lines for the provider."""
    path = folder / "openssl.cnf"
    sections = {
        "": ["openssl_conf = first"],
        "first": ["providers = all"],
        "all": [f"{PROVIDER} = ours", "default = standard"],
        "ours": ["activate = 1", f"module = {library}/{PROVIDER}.so", *lines],
        "standard": ["activate = 1"],
    }
    text = [[f"[{name}]"] * bool(name) + lines for name, lines in sections.items()]
    path.write_text("\n".join(line for part in text for line in part) + "\n")
    return path


def test_a_core_that_stands_still_ends_in_an_error(
    kems: Path, library: Path, tmp_path: Path
) -> None:
    config = configured(tmp_path, library, "stall = 1.0", "patience = 200")
    for mode in ("plain", "fibers"):
        *got, _ = answers(kems, library, mode, ["keygen ML-KEM-512 - -"] * 2, config)
        assert all(line.startswith("error the coprocessor fails: ") for line in got), got


def test_a_core_whose_ports_pause(kems: Path, library: Path, tmp_path: Path) -> None:
    config = configured(tmp_path, library, "stall = 0.5", "seed = 7")
    ek, dk = ML_KEM_512._keygen_internal(bytes(32), bytes(32))
    line = f"keygen ML-KEM-512 {bytes(64).hex()} -"
    first = answers(kems, library, "plain", [line])
    slower = answers(kems, library, "plain", [line], config)
    assert first[0] == slower[0] == f"ok {ek.hex()} {dk.hex()}"
    cycles = [int(counts.split()[-2]) for counts in (first[1], slower[1])]
    assert cycles[1] > cycles[0]


@pytest.mark.parametrize("line", ["stall = 2", "stall = much", "seed = -1", "patience = 1s"])
def test_a_wrong_configuration_is_said_to_who_uses_it(
    kems: Path, library: Path, tmp_path: Path, line: str
) -> None:
    config = configured(tmp_path, library, line)
    got, _ = answers(kems, library, "plain", ["keygen ML-KEM-512 - -"], config)
    key, value = line.split(" = ")
    assert re.match(f"error a wrong parameter: {key} is a number from 0 to .*, not {value}$", got)


def test_without_the_library_it_does_not_load(library: Path, tmp_path: Path) -> None:
    shutil.copyfile(library / f"{PROVIDER}.so", tmp_path / f"{PROVIDER}.so")
    done = run("openssl", "list", "-providers", "-provider-path", tmp_path, "-provider", PROVIDER)
    assert done.returncode != 0 and "libnttforge.so: cannot open" in done.stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_its_sources_are_strict(library: Path, tmp_path: Path, compiler: str) -> None:
    sources = sorted(library.glob("openssl_*.c"))
    assert len(sources) == 5
    for source in sources:
        done = run(*command_of(compiler), *STRICT, "-c", source, "-o", tmp_path / "o")
        assert done.returncode == 0, done.stderr
        assert "nttforge host --openssl ml-kem-coprocessor.toml -o" in source.read_text()


@pytest.mark.sim
def test_missing_headers_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("CXX", "c++ -nostdinc")
    with pytest.raises(SystemExit) as ended:
        main(["host", "ml-kem-coprocessor", "--openssl", "-o", str(tmp_path / "lib")])
    assert ended.value.code == 1 and not (tmp_path / "lib").exists()
    assert "--openssl: the headers of OpenSSL 3" in capsys.readouterr().err


def test_handshakes_in_both_roles(place: tls.Place) -> None:
    server, client = tls.server_role(place, 1), tls.client_role(place, 1)
    row, counts = tls.async_role(place, 4)
    for each in (server, client, row):
        assert (each.failed, each.seen) == (0, [GROUP])
    assert counted(counts)[0] == 4


@pytest.mark.parametrize("what", tls.SPOILT)
def test_a_server_refuses_spoilt_shares(place: tls.Place, what: str) -> None:
    row = tls.refused_by_server(place, what, tls.SPOILT[what])
    assert not row.failed, row


def test_a_client_refuses_a_spoilt_ciphertext(place: tls.Place) -> None:
    row = tls.refused_by_client(place)
    assert not row.failed, row


def test_a_spoiler_that_spoils_nothing_is_seen(place: tls.Place) -> None:
    row = tls.refused_by_server(place, "nothing", lambda share: share)
    assert row.failed


@pytest.mark.slow
def test_a_hundred_handshakes_of_each_kind() -> None:
    tls_tools()
    result = tls.run_tls()
    assert result.ok, result
    assert [row.tried for row in result.rows[:3]] == [tls.HANDSHAKES] * 3
