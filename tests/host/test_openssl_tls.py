# SPDX-License-Identifier: Apache-2.0
"""TLS 1.3 with nothing but lattices: certificate and key exchange by the simulated core.

The server is OpenSSL 3.6 with the provider; the client OpenSSL 3.6 without it, which has both
standards itself. Skipped where `python -m tests.host.newer_openssl` has not built that.
"""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from nttforge.design import load_design
from nttforge.designs import PQC
from nttforge.host.library import write_library
from nttforge.host.openssl import PROVIDER
from tests.host import tls
from tests.host.newer_openssl import Openssl, built
from tests.host.test_openssl import openssl

SCHEME, SIGNED = "mldsa65", "ML-DSA-65"
COUNT = 3
#: The core's algorithms before OpenSSL's own, where both have them.
PREFERRED = f"""\
openssl_conf = first
[first]
alg_section = chosen
[chosen]
default_properties = ?provider={PROVIDER}
[req]
distinguished_name = name
[name]
"""


class Server(NamedTuple):
    """What a server needs: OpenSSL, the provider, a key and its certificate."""

    openssl: Openssl
    folder: Path
    environment: dict[str, str]

    def command(self, verb: str, *words: str) -> list[str]:
        """OpenSSL's program with the provider."""
        return [self.openssl.program, verb, "-provider", PROVIDER, "-provider", "default", *words]

    @property
    def identity(self) -> tuple[str, str]:
        return str(self.folder / "cert.pem"), str(self.folder / "key.pem")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """The certificate is signed by the core: the system's OpenSSL, if 3.0, has no ML-DSA."""
    openssl()
    found = built()
    if found is None:
        pytest.skip("no OpenSSL 3.6 here: python -m tests.host.newer_openssl builds it")
    folder = tmp_path_factory.mktemp("server")
    write_library(load_design(PQC), folder / "lib", openssl=True)
    (folder / "openssl.cnf").write_text(PREFERRED)
    environment = found.environment(
        OPENSSL_CONF=str(folder / "openssl.cnf"), OPENSSL_MODULES=str(folder / "lib")
    )
    made = Server(found, folder, dict(environment))
    certificate, key = made.identity
    words = ("-x509", "-newkey", SIGNED, "-nodes", "-days", "2", "-subj", "/CN=localhost")
    command = made.command("req", *words, "-keyout", key, "-out", certificate)
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return made


def client(
    server: Server, address: str, authority: str, lines: str = "abc\n"
) -> "subprocess.CompletedProcess[str]":
    """OpenSSL's own client, without the provider; it accepts these algorithms alone."""
    only = ("-groups", tls.GROUP, "-sigalgs", SCHEME, "-tls1_3")
    strict = ("-CAfile", authority, "-verify_return_error", "-verify_hostname", "localhost")
    return subprocess.run(
        [server.openssl.program, "s_client", "-connect", address, *only, *strict, "-ign_eof"],
        input=lines,
        env=server.openssl.environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def s_server(server: Server) -> list[str]:
    """OpenSSL's server for one connection, with the provider."""
    words = ("-cert", server.identity[0], "-key", server.identity[1], "-groups", tls.GROUP)
    return server.command("s_server", "-accept", "127.0.0.1:0", *words, "-rev", "-naccept", "1")


def accepted(said: str) -> bool:
    """Whether the client says that all was as it should be, and got its line back."""
    wanted = (
        f"Peer signature type: {SCHEME}",
        f"Negotiated TLS1.3 group: {tls.GROUP}",
        f"sigalg: {SIGNED}",
        "Verify return code: 0 (ok)",
        "\ncba\n",
    )
    return all(each in said for each in wanted)


def test_others_accept_its_certificate(server: Server) -> None:
    """By OpenSSL's own ML-DSA."""
    certificate, key = server.identity
    commands: Sequence[Sequence[str]] = (
        ("verify", "-CAfile", certificate, certificate),
        ("pkey", "-in", key, "-check", "-noout"),
    )
    for words in commands:
        done = subprocess.run(
            [server.openssl.program, *words],
            env=server.openssl.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_a_server_by_the_core_is_accepted_by_another_client(server: Server) -> None:
    with tls.listening(s_server(server), server.folder, server.environment) as (address, _):
        done = client(server, address, server.identity[0], "abc\nCLOSE\n")
    assert done.returncode == 0 and accepted(done.stdout), done


def test_the_core_does_both_in_every_handshake(server: Server) -> None:
    """A server that says what the core did: an encapsulation and a signature each."""
    program = tls.program("async_server", server.folder, *server.openssl.links)
    command = [str(program), *server.identity, str(COUNT)]
    with tls.listening(command, server.folder, server.environment) as (address, log):
        found = [client(server, address, server.identity[0]) for _ in range(COUNT)]
    for done in found:
        assert done.returncode == 0 and accepted(done.stdout), done
    requests = int(re.findall(r"\d+", log.read_text("utf-8").splitlines()[-1])[0])
    assert requests == 1 + 2 * COUNT  # and the server's key, made of its seed


def test_a_client_that_trusts_another_refuses(server: Server, tmp_path: Path) -> None:
    """So that a client which accepts everything would be seen."""
    other = tmp_path / "other.pem"
    words = ("-x509", "-newkey", SIGNED, "-nodes", "-subj", "/CN=localhost", "-config")
    command = (*words, str(server.folder / "openssl.cnf"), "-keyout", "/dev/null", "-out")
    subprocess.run(
        [server.openssl.program, "req", *command, str(other)],
        env=server.openssl.environment(),
        capture_output=True,
        check=True,
    )
    serve = s_server(server)
    with tls.listening(serve, server.folder, server.environment) as (address, _):
        done = client(server, address, str(other))
    assert done.returncode != 0 and not accepted(done.stdout), done
    assert "certificate verify failed" in done.stderr
