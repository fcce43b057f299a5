# SPDX-License-Identifier: Apache-2.0
"""`kem`: keys, ciphertexts and secrets of a user's own, made by the simulated coprocessor."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nttforge.errors import NttforgeError
from nttforge.families import MlkemCore
from nttforge.flow.mlkem.kem import Decapsulation, Encapsulation, Kem, KeyPair
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.output import check_prefix, write_bytes
from nttforge.results import Result
from nttforge.standards.ml_kem.parameters import PARAMETER_SETS, SEED_BYTES, Parameters
from nttforge.table import Block, Code, Line

_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+")
# What nobody but the owner may read.
_SECRET = ("dk", "secret")


class KemResult(Result):
    """What `kem` did.

    Attributes
    ----------
    values
        Outputs by name, in hexadecimal: `ek` and `dk`, `c` and `secret`, or `secret`.
    seeds
        What they were made from, in hexadecimal, so that it can be done again.
    files
        Where outputs were written, by name.
    cycles, keccak_cycles
        First input word to last output word, and those of them in which Keccak worked.
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
        """Outputs and seeds in hexadecimal, a line each, so that they can be copied."""
        lines = [f"{name} = {value}" for name, value in {**self.seeds, **self.values}.items()]
        lines += [f"{name} is in {path}" for name, path in self.files.items()]
        yield Code("\n".join(lines))
        yield Line(
            f"{self.operation} of {self.parameter_set} in {self.cycles} cycles, "
            f"{self.keccak_cycles} of them with Keccak at work"
        )


def find_set(name: str) -> Parameters:
    """A parameter set by its number, 512, 768 or 1024, or by its whole name.

    Raises
    ------
    NttforgeError
        `parameter_set`, if there is none.
    """
    for p in PARAMETER_SETS.values():
        if name.upper() in (p.name, p.name.removeprefix("ML-KEM-")):
            return p
    raise NttforgeError("parameter_set", f"there is no {name}", "use 512, 768 or 1024")


def read_value(option: str, given: str, length: int) -> bytes:
    """Bytes that a user gave: hexadecimal digits, or a file of bytes or of hexadecimal digits.

    Parameters
    ----------
    option
        Where they were given, for the complaint.
    given
        The digits, or the file's path; a file whose name is hexadecimal is written `./cafe`.
    length
        Bytes that are wanted.

    Raises
    ------
    NttforgeError
        Naming the option, if there is no such file, or its length is wrong.
    """
    if _HEXADECIMAL.fullmatch(given):
        return _checked(option, "", _digits(option, given), length)
    path = Path(given)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise NttforgeError(
            option, f"{given} is neither hexadecimal nor a file", "give one of the two"
        ) from None
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or "cannot be read"
        raise NttforgeError(
            option, f"{given}: {problem}", "give a file that you can read"
        ) from None
    text = b"".join(data.split())
    if len(data) != length and text and _HEXADECIMAL.fullmatch(text.decode("latin-1")):
        data = _digits(option, text.decode())
    return _checked(option, f"{given} holds ", data, length)


def _digits(option: str, text: str) -> bytes:
    if len(text) % 2:
        raise NttforgeError(
            option, f"{len(text)} hexadecimal digits are an odd number", "give two a byte"
        )
    return bytes.fromhex(text)


def _checked(option: str, where: str, data: bytes, length: int) -> bytes:
    if len(data) != length:
        raise NttforgeError(
            option, f"{where}{len(data)} bytes, not {length}", "does it belong to another --set?"
        )
    return data


def kem_keygen(
    prepared: Prepared[MlkemCore],
    p: Parameters,
    *,
    d: str | None = None,
    z: str | None = None,
    output: Path | None = None,
    progress: Progress = silent,
) -> KemResult:
    """Make a key pair from seeds (see :func:`read_value`), random ones if they are not given.

    Parameters
    ----------
    prepared
        The coprocessor and its folder.
    p
        Parameter set.
    d, z
        Seeds.
    output
        Prefix of the files `PREFIX.ek` and `PREFIX.dk`.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong.
    """
    seeds = [
        None if s is None else read_value(o, s, SEED_BYTES) for o, s in (("--d", d), ("--z", z))
    ]
    paths = _paths(output, "ek", "dk")
    kem = Kem(prepared.coprocessor(progress))
    progress(f"KeyGen of {p.name}")
    pair = kem.keygen(p, *seeds)
    made = _Made("keygen", pair, {"ek": pair.ek, "dk": pair.dk}, {"d": pair.d, "z": pair.z})
    return _result(prepared, p, made, paths)


def kem_encaps(
    prepared: Prepared[MlkemCore],
    p: Parameters,
    *,
    ek: str,
    m: str | None = None,
    output: Path | None = None,
    progress: Progress = silent,
) -> KemResult:
    """Make a shared secret and its ciphertext; files are `PREFIX.c` and `PREFIX.secret`.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong, or the key if it is refused.
    """
    key = read_value("--ek", ek, p.ek_bytes)
    seed = None if m is None else read_value("--m", m, SEED_BYTES)
    paths = _paths(output, "c", "secret")
    kem = Kem(prepared.coprocessor(progress))
    progress(f"Encaps of {p.name}")
    sent = kem.encaps(p, key, seed)
    made = _Made("encaps", sent, {"c": sent.c, "secret": sent.secret}, {"m": sent.m})
    return _result(prepared, p, made, paths)


def kem_decaps(
    prepared: Prepared[MlkemCore],
    p: Parameters,
    *,
    dk: str,
    c: str,
    check: bool = True,
    output: Path | None = None,
    progress: Progress = silent,
) -> KemResult:
    """Find the shared secret of a ciphertext; the file is `PREFIX.secret`.

    Raises
    ------
    NttforgeError
        Naming the option or the file that is wrong, or the key if it is refused.
    """
    key = read_value("--dk", dk, p.dk_bytes)
    ciphertext = read_value("--c", c, p.ciphertext_bytes)
    paths = _paths(output, "secret")
    kem = Kem(prepared.coprocessor(progress))
    progress(f"Decaps of {p.name}")
    found = kem.decaps(p, key, ciphertext, check=check)
    return _result(prepared, p, _Made("decaps", found, {"secret": found.secret}, {}), paths)


@dataclass(frozen=True)
class _Made:
    """What an operation gave: bytes by name, and the seeds they come from."""

    operation: str
    took: KeyPair | Encapsulation | Decapsulation
    values: dict[str, bytes]
    seeds: dict[str, bytes]


def _paths(prefix: Path | None, *names: str) -> list[Path]:
    """Files of the outputs, refused before the work if they cannot be written; none without."""
    return [] if prefix is None else check_prefix(prefix, names)


def _result(
    prepared: Prepared[MlkemCore], p: Parameters, made: _Made, paths: list[Path]
) -> KemResult:
    """The result, written to files if there are paths for them."""
    files = {}
    for path in paths:
        name = path.suffix.removeprefix(".")
        write_bytes(path, made.values[name], secret=name in _SECRET)
        files[name] = str(path)
    return KemResult(
        design=prepared.core.name,
        parameter_set=p.name,
        operation=made.operation,
        values={name: value.hex() for name, value in made.values.items()},
        seeds={name: value.hex() for name, value in made.seeds.items()},
        files=files,
        cycles=made.took.cycles,
        keccak_cycles=made.took.keccak_cycles,
    )
