# SPDX-License-Identifier: Apache-2.0
"""The crates fips203 and fips204 as a process, called as kyber-py and dilithium-py are."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from tests.peer_programs import built_program

HERE = Path(__file__).parent
_SOURCES = ("Cargo.toml", "Cargo.lock", "src/main.rs")


class NoCratesError(Exception):
    """cargo, or a crate, is missing: nothing is compared with them."""


def program() -> Path:
    """The compiled program, from the cache."""
    cargo = shutil.which("cargo")
    if cargo is None:
        raise NoCratesError("install Rust: the crates fips203 and fips204 are not compared with")
    line = [cargo, "build", "--release", "--locked", "--quiet", "--target-dir"]
    sources = [HERE / name for name in _SOURCES]
    built = partial(built_program, "crates", sources, missing=NoCratesError)
    return built(lambda folder: [*line, str(folder)]) / "release" / "peer"


class Crates:
    """Both standards' operations of one parameter set, by a running program."""

    def __init__(self, given: IO[str], answered: IO[str], parameter_set: str) -> None:
        self._given, self._answered = given, answered
        self._set = parameter_set

    def _ask(self, operation: str, *values: bytes) -> list[bytes]:
        words = (self._set, operation, *(value.hex() or "-" for value in values))
        self._given.write(" ".join(words) + "\n")
        self._given.flush()
        answer = self._answered.readline().strip()
        if not answer or answer.startswith("error"):
            raise ValueError(f"{operation} of {self._set}: {answer or 'the program has ended'}")
        return [bytes.fromhex(word) for word in answer.split()]

    def _keygen_internal(self, *seeds: bytes) -> tuple[bytes, bytes]:
        public, private = self._ask("keygen", *seeds)
        return public, private

    def _encaps_internal(self, ek: bytes, m: bytes) -> tuple[bytes, bytes]:
        secret, c = self._ask("encaps", ek, m)
        return secret, c

    def _decaps_internal(self, dk: bytes, c: bytes) -> bytes:
        return self._ask("decaps", dk, c)[0]

    def _sign_internal(self, sk: bytes, m: bytes, rnd: bytes) -> bytes:
        return self._ask("sign", sk, m, rnd)[0]

    def _verify_internal(self, pk: bytes, m: bytes, sig: bytes) -> bool:
        return self._ask("verify", pk, m, sig)[0] == b"\x01"


class Running:
    """A running program."""

    def __init__(self, given: IO[str], answered: IO[str]) -> None:
        self._streams = given, answered

    def of(self, parameter_set: str) -> Crates:
        """What it does of a parameter set."""
        return Crates(*self._streams, parameter_set)


@contextmanager
def crates() -> Iterator[Running]:
    """A running program.

    Raises NoCratesError if there is no cargo, or the crates cannot be had.
    """
    line, pipe = [str(program())], subprocess.PIPE
    with subprocess.Popen(line, text=True, stdin=pipe, stdout=pipe) as process:
        assert process.stdin and process.stdout
        yield Running(process.stdin, process.stdout)
        process.stdin.close()
