# SPDX-License-Identifier: Apache-2.0
"""TLS 1.3 handshakes with X25519MLKEM768 by the provider; Go's standard library at the other end.

`python -m tests.host.tls` makes the provider, and has OpenSSL's own `s_server` and `s_client` use
it over loopback, a server with async jobs too; the other side is `peer.go`, which shares no code
with it. Then it spoils shares on their way. Needs OpenSSL 3 with its headers, and Go.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from pydantic import BaseModel

from nttforge.cache import cached
from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, silent
from nttforge.host.library import write_library
from nttforge.host.openssl import PROVIDER, find_headers
from nttforge.standards.ml_kem.parameters import ML_KEM_768

HERE = Path(__file__).parent
GROUP = "X25519MLKEM768"
HANDSHAKES = 100
#: Clients at the same time, of the server with async jobs.
WORKERS = 16
_SECONDS = 120.0
_STRICT = ("-std=gnu99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2")
_CURVE_BYTES = 32
_NUMBER = (0x11EC).to_bytes(2, "big")


class Connection(BaseModel):
    """What the other side says of a connection: its group, bytes that came, an error."""

    curve: str
    bytes: int
    error: str


class Row(BaseModel):
    """Connections of one kind.

    Attributes
    ----------
    provider, other
        Who uses the provider, and who is at the other end.
    what
        Handshakes, or what was spoilt.
    tried, failed
        Connections. One that is spoilt fails if it is not refused as it should be.
    seen
        Groups, or alerts, as the other side or the user of the provider prints them.
    """

    provider: str
    other: str
    what: str
    tried: int
    failed: int
    seen: list[str]


class TlsResult(BaseModel):
    """All rows; `counted` is what the provider counted in the server with async jobs."""

    rows: list[Row]
    counted: str
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether everything was as it should be."""
        return all(row.tried and not row.failed for row in self.rows)


def check_openssl() -> None:
    """See that OpenSSL 3 and its headers are here.

    Raises
    ------
    NttforgeError
        If they are not.
    """
    if shutil.which("openssl") is None:
        raise NttforgeError("openssl", "is not on the PATH", "on Debian: apt install openssl")
    version = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=False)
    if not version.stdout.startswith("OpenSSL 3."):
        raise NttforgeError("openssl", f"is {version.stdout.strip()}", "install OpenSSL 3")
    find_headers()


def peer() -> Path:
    """The program at the other end, compiled or kept.

    Raises
    ------
    NttforgeError
        If there is no Go, or it cannot compile it.
    """
    if shutil.which("go") is None:
        raise NttforgeError("go", "is not on the PATH", "on Debian: apt install golang")
    source = HERE / "peer.go"
    version = subprocess.run(["go", "version"], capture_output=True, text=True, check=False).stdout

    def make(scratch: Path) -> None:
        command = ["go", "build", "-o", str(scratch / "peer"), str(source)]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=scratch, env=_alone(), check=False
        )
        if done.returncode != 0:
            raise NttforgeError("go", done.stderr.strip()[-200:], "install Go 1.25 or newer")

    key = hashlib.sha256(f"{source.read_text('utf-8')}\0{version}".encode()).hexdigest()[:32]
    return cached("peers", key, make) / "peer"


def _alone() -> dict[str, str]:
    """Go as it is installed: it fetches nothing."""
    return os.environ | {"GOTOOLCHAIN": "local", "GOPROXY": "off", "GOFLAGS": ""}


def program(name: str, folder: Path, *links: str) -> Path:
    """A C program beside this file that links OpenSSL, compiled into a folder.

    `links` are words for the compiler of another OpenSSL than the system's.
    """
    target = folder / name
    source = HERE / f"{name}.c"
    libraries = ("-lssl", "-lcrypto", "-pthread")
    command = ["cc", *_STRICT, str(source), "-o", str(target), *links, *libraries]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NttforgeError("cc", done.stderr.strip()[-200:], "correct the program")
    return target


@contextmanager
def listening(
    command: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> Iterator[tuple[str, Path]]:
    """A server that prints its address: the address, and the file with all that it prints."""
    log = folder / f"log{time.monotonic_ns()}"
    until = time.monotonic() + _SECONDS
    with log.open("wb") as printed:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            env=environment,
        )
    try:
        while (found := re.search(r"127\.0\.0\.1:\d+\n", log.read_text("utf-8"))) is None:
            if process.poll() is not None or time.monotonic() > until:
                raise NttforgeError(command[0], log.read_text("utf-8")[-200:], "see there")
            time.sleep(0.01)
        yield found.group().strip(), log
        process.wait(_SECONDS)
    except subprocess.TimeoutExpired:
        raise NttforgeError(command[0], "does not end", "see what it waits for") from None
    finally:
        process.kill()
        process.wait()


class Place:
    """A folder with the provider in `lib`, a certificate and its key.

    Parameters
    ----------
    folder
        Empty; it is filled.
    other
        The program at the other end.
    """

    def __init__(self, folder: Path, other: Path) -> None:
        self.folder = folder
        self.library = folder / "lib"
        write_library(load_design("ml-kem-coprocessor"), self.library, openssl=True)
        self.certificate, self.key = folder / "cert.pem", folder / "key.pem"
        self.peer = other
        made = ("-keyout", str(self.key), "-out", str(self.certificate))
        subject = ("-subj", "/CN=localhost", "-days", "2", "-nodes")
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")
        subprocess.run(
            ["openssl", "req", "-x509", *curve, *made, *subject], capture_output=True, check=True
        )

    @property
    def identity(self) -> tuple[str, str]:
        """Certificate and key, as words of a command."""
        return str(self.certificate), str(self.key)

    def environment(self) -> Mapping[str, str]:
        """Of programs that load the provider by its name."""
        return os.environ | {"OPENSSL_MODULES": str(self.library)}

    def openssl(self, verb: str, *words: str) -> list[str]:
        """A command of OpenSSL that knows this group alone."""
        loaded = ("-provider-path", str(self.library), "-provider", PROVIDER)
        return ["openssl", verb, *loaded, "-provider", "default", "-groups", GROUP, *words]

    def server(self, count: int) -> list[str]:
        """`s_server` for so many connections, each line sent back reversed."""
        certificate, key = self.identity
        words = ("-cert", certificate, "-key", key, "-rev", "-naccept", str(count))
        return self.openssl("s_server", "-accept", "127.0.0.1:0", *words)

    def listening(self, command: Sequence[str]) -> AbstractContextManager[tuple[str, Path]]:
        """A server that prints its address: the address, and the file with all that it prints."""
        return listening(command, self.folder, self.environment())

    def clients(self, address: str, count: int, workers: int = 1) -> list[Connection]:
        """What clients in Go say of so many connections."""
        done = subprocess.run(
            [str(self.peer), "client", address, str(count), str(workers)],
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=True,
        )
        return connections(done.stdout)

    def client(self, address: str, line: str, *words: str) -> str:
        """What `s_client` prints that sends a line and reads until the other side ends it."""
        done = subprocess.run(
            self.openssl("s_client", "-connect", address, "-quiet", *words),
            input=f"{line}\n",
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        return done.stdout + done.stderr


def connections(text: str) -> list[Connection]:
    """Those that a peer reports, a line of JSON each."""
    lines = [line for line in text.splitlines() if line.startswith("{")]
    return [Connection(**json.loads(line)) for line in lines]


class Spoiler:
    """Between a client and a server, for one connection: changes a share on its way.

    Parameters
    ----------
    address
        Of the server.
    to_server
        Whose share: the client's, or the server's.
    spoil
        From a share to what is passed on, as long.
    """

    def __init__(self, address: str, to_server: bool, spoil: Callable[[bytes], bytes]) -> None:
        host, port = address.split(":")
        self._target = (host, int(port))
        self._to_server, self._spoil = to_server, spoil
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.spoilt = False
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with self._listener:
            came = self._listener.accept()[0]
            with came as client, socket.create_connection(self._target, _SECONDS) as server:
                client.settimeout(_SECONDS)
                back = threading.Thread(
                    target=self._pass, args=(server, client, not self._to_server)
                )
                back.start()
                self._pass(client, server, self._to_server)
                back.join()

    def _pass(self, source: socket.socket, target: socket.socket, changes: bool) -> None:
        size = (
            ML_KEM_768.ek_bytes if self._to_server else ML_KEM_768.ciphertext_bytes
        ) + _CURVE_BYTES
        mark = _NUMBER + size.to_bytes(2, "big")
        held = b""
        try:
            while data := source.recv(1 << 16):
                held += data
                at = held.find(mark) + len(mark)
                if changes and (at < len(mark) or len(held) < at + size):
                    continue
                if changes:
                    held = held[:at] + self._spoil(held[at : at + size]) + held[at + size :]
                    self.spoilt, changes = True, False
                target.sendall(held)
                held = b""
            target.shutdown(socket.SHUT_WR)
        except OSError:  # one side has gone away
            for end in (source, target):
                end.close()

    def end(self) -> None:
        """Wait for the connection's end."""
        self._thread.join(_SECONDS)


def above_q(share: bytes) -> bytes:
    """ML-KEM's first coefficients of a client's share are the largest of 12 bits."""
    return b"\xff\xff\xff" + share[3:]


def zero_point(share: bytes) -> bytes:
    """X25519's part of a share is a point of small order."""
    return share[:-_CURVE_BYTES] + bytes(_CURVE_BYTES)


def one_bit(share: bytes) -> bytes:
    """A bit of ML-KEM's ciphertext is another."""
    return bytes([share[0] ^ 1]) + share[1:]


#: What a server must refuse, and how (draft-ietf-tls-ecdhe-mlkem; RFC 8446, section 7.4.2).
SPOILT = {"a coefficient above q": above_q, "a point of small order": zero_point}
_ILLEGAL = "remote error: tls: illegal parameter"


def _row(provider: str, other: str, what: str, seen: Sequence[str], wanted: str) -> Row:
    return Row(
        provider=provider,
        other=other,
        what=what,
        tried=len(seen),
        failed=sum(each != wanted for each in seen),
        seen=sorted(set(seen)),
    )


def _groups(found: Sequence[Connection]) -> list[str]:
    """The group of each connection that held, of others why not."""
    return [one.error or one.curve for one in found]


def server_role(place: Place, count: int) -> Row:
    """`s_server` with the provider, clients in Go."""
    with place.listening(place.server(count)) as (address, _):
        found = place.clients(address, count)
    return _row("`s_server`", "Go's client", "handshakes", _groups(found), GROUP)


def client_role(place: Place, count: int) -> Row:
    """`s_client` with the provider, a server in Go."""
    with place.listening([str(place.peer), "server", *place.identity, str(count)]) as (
        address,
        log,
    ):
        echoed = [f"line {i}" in place.client(address, f"line {i}") for i in range(count)]
    seen = _groups(connections(log.read_text("utf-8")))
    seen = [
        group if back else "nothing came back" for group, back in zip(seen, echoed, strict=True)
    ]
    return _row("`s_client`", "Go's server", "handshakes", seen, GROUP)


def async_role(place: Place, count: int) -> tuple[Row, str]:
    """A server of one thread with async jobs, clients in Go at the same time."""
    command = [str(program("async_server", place.folder)), *place.identity, str(count)]
    with place.listening(command) as (address, log):
        found = place.clients(address, count, WORKERS)
    counted = log.read_text("utf-8").splitlines()[-1]
    requests, most = (int(n) for n in re.findall(r"\d+", counted)[:2])
    if requests != count or not 1 < most <= WORKERS:
        raise NttforgeError("async jobs", f"did not share the core: {counted}", "see core_run")
    what = f"handshakes, {WORKERS} at a time"
    return _row("a server with async jobs", "Go's clients", what, _groups(found), GROUP), counted


def refused_by_server(place: Place, what: str, spoil: Callable[[bytes], bytes]) -> Row:
    """`s_server` is sent a spoilt share: the alert that Go's client gets."""
    with place.listening(place.server(1)) as (address, _):
        between = Spoiler(address, True, spoil)
        (found,) = place.clients(between.address, 1)
        between.end()
    seen = found.error if between.spoilt else "nothing was spoilt"
    return _row("`s_server`", "Go's client", what, [seen], _ILLEGAL)


def refused_by_client(place: Place) -> Row:
    """`s_client` is sent a spoilt ciphertext: the alert that it sends."""
    with place.listening([str(place.peer), "server", *place.identity, "1"]) as (address, log):
        between = Spoiler(address, False, one_bit)
        printed = place.client(between.address, "lost", "-msg")
        between.end()
    alerts = re.findall(r">>> TLS 1.3, Alert \[length 0002\], (fatal \w+)", printed)
    (other,) = connections(log.read_text("utf-8"))
    seen = ", ".join(alerts) if between.spoilt and other.error else "nothing was refused"
    return _row(
        "`s_client`", "Go's server", "a bit of the ciphertext", [seen], "fatal bad_record_mac"
    )


def run_tls(count: int = HANDSHAKES, progress: Progress = silent) -> TlsResult:
    """All of it, with so many handshakes of each kind.

    Raises
    ------
    NttforgeError
        If a tool is missing, or something does not end.
    """
    check_openssl()
    other = peer()
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
        progress("compiling the provider")
        place = Place(Path(scratch), other)
        progress(f"{count} handshakes with s_server")
        rows = [server_role(place, count)]
        progress(f"{count} handshakes with s_client")
        rows.append(client_role(place, count))
        progress(f"{count} handshakes with async jobs")
        row, counted = async_role(place, count)
        rows.append(row)
        progress("spoilt shares")
        rows += [refused_by_server(place, what, spoil) for what, spoil in SPOILT.items()]
        rows.append(refused_by_client(place))
    return TlsResult(rows=rows, counted=counted, seconds=round(time.monotonic() - start, 1))


def report(result: TlsResult) -> str:
    """What a page quotes: nothing of it depends on the machine."""
    lines = [
        "| with the provider | other side | what | tried | failed | group, or alert |",
        "|---|---|---|---:|---:|---|",
    ]
    lines += [
        f"| {r.provider} | {r.other} | {r.what} | {r.tried} | {r.failed} | {', '.join(r.seen)} |"
        for r in result.rows
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 0 if all was as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.host.tls")
    parser.add_argument("--handshakes", type=int, default=HANDSHAKES, help="of each kind")
    given = parser.parse_args(arguments)
    try:
        result = run_tls(given.handshakes, lambda text: print(text, file=sys.stderr, flush=True))
    except NttforgeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(report(result))
    print(f"async jobs: {result.counted}; {result.seconds} s", file=sys.stderr)
    return 0 if result.ok else 1


if __name__ == "__main__":
    sys.exit(main())
