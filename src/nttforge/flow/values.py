# SPDX-License-Identifier: Apache-2.0
"""Bytes from and to users: hexadecimal digits, or files."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

from nttforge.errors import MOST, NttforgeError
from nttforge.output import check_prefix, open_to_read, write_bytes
from nttforge.results import Result
from nttforge.table import Block, Code, Line

_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+")
#: Bytes of a file: a message may be long, but a device like /dev/zero has no end.
_LARGEST = 1 << 26
#: Characters from which on what looks like no path may be a secret with a wrong digit.
_SECRET = 32
P = TypeVar("P")


class Made(Result):
    """Results of `kem` or `dsa`.

    - `values`: outputs by name, in hexadecimal: `ek` and `dk`, for instance.
    - `seeds`: what they were made from, in hexadecimal, so that it can be done again.
    - `files`: where outputs were written, by name.
    - `cycles`, `keccak_cycles`: first input word to last output word, and those of them in which
      Keccak worked.
    """

    design: str
    parameter_set: str
    operation: str
    values: dict[str, str]
    seeds: dict[str, str]
    files: dict[str, str]
    cycles: int
    keccak_cycles: int

    def shown(self) -> Iterator[Block]:
        """Outputs and seeds in hexadecimal, a line each; of those in files only the names."""
        lines = [f"{name} is in {path}" for name, path in self.files.items()]
        known = {} if self.files else {**self.seeds, **self.values}
        lines += [f"{name} = {value}" for name, value in known.items()]
        yield Code("\n".join(lines))
        yield Line(
            f"{self.operation} of {self.parameter_set} in {self.cycles} cycles, "
            f"{self.keccak_cycles} of them with Keccak at work"
        )

    @classmethod
    def written(
        cls,
        values: Mapping[str, bytes],
        paths: Sequence[Path],
        secret: Sequence[str],
        *,
        seeds: Mapping[str, bytes],
        **known: Any,
    ) -> Self:
        """The result; values are written to those files that there are paths for.

        - `values`, `seeds`: bytes by name.
        - `paths`: those of :func:`output_paths`.
        - `secret`: values that only the owner may read.
        - `known`: the other fields.
        """
        files = {}
        for path in paths:
            name = path.suffix.removeprefix(".")
            write_bytes(path, values[name], secret=name in secret)
            files[name] = str(path)
        return cls(
            values={name: value.hex() for name, value in values.items()},
            seeds={name: value.hex() for name, value in seeds.items()},
            files=files,
            **known,
        )


def output_paths(prefix: Path | None, *names: str) -> list[Path]:
    """Files of the outputs, refused before the work if they cannot be written; none without."""
    return [] if prefix is None else check_prefix(prefix, names)


def find_number(name: str, sets: Mapping[str, P]) -> P:
    """A parameter set by its number, as 65 of ML-DSA-65, or by its whole name."""
    for whole, found in sets.items():
        if name.upper() in (whole, whole.rpartition("-")[2]):
            return found
    *first, last = (whole.rpartition("-")[2] for whole in sets)
    known = f"use {', '.join(first)} or {last}"
    raise NttforgeError("parameter_set", f"there is no {name}", known)


def read_value(option: str, given: str, length: int, *, exact: bool = True) -> bytes:
    """Bytes that a user gave: hexadecimal digits, or a file of bytes or of hexadecimal digits.

    - `option`: where they were given, for the complaint.
    - `given`: the digits, or the file's path; a file whose name is hexadecimal is written `./cafe`.
    - `length`: bytes that are wanted.
    - `exact`: whether another length is refused.
    """
    if _HEXADECIMAL.fullmatch(given):
        return _checked(option, "", _digits(option, given), length, exact)
    try:
        there = Path(given).exists()
    except OSError:  # of a name that no file can have
        there = False
    if not there:
        raise _neither(option, given)
    data = read_bytes(option, Path(given))
    text = b"".join(data.split())
    if len(data) != length and text and _HEXADECIMAL.fullmatch(text.decode("latin-1")):
        data = _digits(option, text.decode())
    return _checked(option, f"{given} holds ", data, length, exact)


def _neither(option: str, given: str) -> NttforgeError:
    """Message for neither digits nor a file; keys are not repeated in logs."""
    if len(given) < _SECRET or (("/" in given or "." in given) and len(given) < MOST):
        problem = f"{given} is neither hexadecimal nor a file"
        return NttforgeError(option, problem, "give one of the two")
    at = next(at for at, character in enumerate(given, 1) if not _HEXADECIMAL.match(character))
    problem = f"character {at} of {len(given)} is no hexadecimal digit, and there is no such file"
    return NttforgeError(option, problem, "correct it, or name a file")


def read_bytes(option: str, path: Path) -> bytes:
    """All of a file's bytes."""
    try:
        with open_to_read(path) as file:
            data = file.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or "cannot be read"
        raise NttforgeError(option, f"{path}: {problem}", "give a file that you can read") from None
    if len(data) > _LARGEST:
        raise NttforgeError(
            option, f"{path}: has more than {_LARGEST >> 20} MiB", "give a shorter file"
        )
    return data


def _digits(option: str, text: str) -> bytes:
    if len(text) % 2:
        raise NttforgeError(
            option, f"{len(text)} hexadecimal digits are an odd number", "give two a byte"
        )
    return bytes.fromhex(text)


def _checked(option: str, where: str, data: bytes, length: int, exact: bool) -> bytes:
    if exact and len(data) != length:
        raise NttforgeError(
            option,
            f"{where}{len(data)} bytes, not {length}",
            "does it belong to another --parameter-set?",
        )
    return data
