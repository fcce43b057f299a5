# SPDX-License-Identifier: Apache-2.0
"""Reads and writes files of polynomials: the formats of `run`.

A file's format comes from its suffix or from an option, never from its content: the same bytes
never mean two things. Flat formats hold words without the length of a polynomial; it is n.
"""

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
import numpy.typing as npt

from nttforge.errors import NttforgeError, shown
from nttforge.names import find
from nttforge.options.verbs import FileOptions
from nttforge.output import atomic_file, check_writable, open_to_read, reading
from nttforge.simulate.native import from_limbs, to_limbs

Polynomials = npt.NDArray[Any]
ByteOrder = Literal["little", "big"]

_LIMB_BYTES = 8
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_HEX_WORD = re.compile(r"[0-9a-fA-F][0-9a-fA-F_]*")
#: What stands in files for `$readmemh` alone.
_OF_READMEMH = re.compile(r"(0[xX])?[0-9a-fA-F_]+|@.*|//.*|/\*.*")


def check_used(options: FileOptions, formats: Iterable["FileFormat"]) -> None:
    """Refuse options of raw words if no file has any."""
    for name in options.given("word_bytes", "byte_order"):
        if not any(each.name == "bin" for each in formats):
            raise NttforgeError(name, "no file holds raw words", "leave it out, or use .bin")


BY_SUFFIX = FileOptions()
"""Formats as suffixes name them; raw words as coefficients need."""


@dataclass(frozen=True)
class WordSpec:
    """Words of a file: coefficients of a polynomial (None: any), bits, raw bytes and order."""

    n: int | None
    width: int
    bytes: int
    order: ByteOrder

    @classmethod
    def of(cls, n: int | None, width: int, options: FileOptions) -> "WordSpec":
        """Words of `width` bits, raw ones as the options say."""
        size = options.word_bytes or 1 << max(0, (width - 1).bit_length() - 3)
        return cls(n, width, size, options.byte_order or "little")


@dataclass(frozen=True)
class FileFormat:
    """A file format: suffixes, parser, writer; `flat`: without the length of a polynomial."""

    name: str
    suffixes: tuple[str, ...]
    holds: str
    parse: Callable[[bytes, WordSpec, str], Polynomials]
    write: Callable[[BinaryIO, Polynomials, WordSpec], object]
    flat: bool = False

    def describe(self, words: WordSpec) -> str:
        """Content of a file of this format: for raw words also their width and byte order."""
        if self.name != "bin":
            return self.holds
        return f"{self.holds}, {words.bytes} bytes each, {words.order}-endian"


def _decode(data: bytes, where: str) -> str:
    """Text, without the mark that some editors and spreadsheets put before it."""
    with reading(Path(where)):
        return data.decode("utf-8-sig")


def _divided(flat: Polynomials, words: WordSpec, where: str) -> Polynomials:
    """Words of a flat file as polynomials: (n,) if there is one, else (batch, n)."""
    if words.n is None or len(flat) == words.n:
        return flat
    if len(flat) % words.n:
        problem = f"it has {len(flat)} words, and a polynomial {words.n}"
        raise NttforgeError(where, problem, "give whole polynomials")
    return flat.reshape(-1, words.n)


def _objects(values: Iterable[int]) -> Polynomials:
    listed = list(values)
    result = np.empty(len(listed), dtype=object)
    result[:] = listed
    return result


def _decimal(word: str, where: str) -> int:
    # int() would also take underscores and other scripts' digits.
    if not (word.isascii() and word.removeprefix("-").isdigit()):
        hint = "use decimal digits"
        if _OF_READMEMH.fullmatch(word):
            hint += ", or name the file .hex if its words are hexadecimal"
        raise NttforgeError(where, f"{shown(word)} is not an integer", hint)
    try:
        return int(word)
    except ValueError:  # Python's limit on the number of digits
        raise NttforgeError(
            where, f"a number has {len(word)} digits", "reduce it modulo q"
        ) from None


def _decimal_rows(
    lines: Iterable[tuple[int, list[str]]], words: WordSpec, where: str
) -> Polynomials:
    """Numbered lines of decimal numbers: a polynomial a line, or one number a line."""
    rows: list[list[int]] = []
    for number, cells in lines:
        place = f"{where}, line {number}"
        rows.append([_decimal(cell, place) for cell in cells])
        if len(rows[-1]) != len(rows[0]):
            problem = f"it has {len(rows[-1])} numbers, the first line {len(rows[0])}"
            raise NttforgeError(place, problem, "give one polynomial a line, or one number a line")
    if rows and len(rows[0]) == 1:
        return _divided(_objects(row[0] for row in rows), words, where)
    width = len(rows[0]) if rows else 0
    return _objects(chain.from_iterable(rows)).reshape(len(rows), width)


def _parse_txt(data: bytes, words: WordSpec, where: str) -> Polynomials:
    text = _decode(data, where)
    lines = (line.replace(",", " ").split() for line in text.splitlines())
    numbered = ((number, cells) for number, cells in enumerate(lines, 1) if cells)
    return _decimal_rows(numbered, words, where)


def _parse_csv(data: bytes, words: WordSpec, where: str) -> Polynomials:
    reader = csv.reader(io.StringIO(_decode(data, where), newline=""), strict=True)

    def lines() -> Iterator[tuple[int, list[str]]]:
        try:
            for cells in reader:
                if cells:
                    yield reader.line_num, [cell.strip() for cell in cells]
        except csv.Error as error:
            place = f"{where}, line {reader.line_num}"
            raise NttforgeError(place, f"is not CSV: {error}", "separate by commas") from None

    return _decimal_rows(lines(), words, where)


def _parse_json(data: bytes, words: WordSpec, where: str) -> Polynomials:
    del words
    hint = "give integers, [..], or a list of such lists"
    try:
        value = json.loads(_decode(data, where))
    except RecursionError:
        raise NttforgeError(where, "is nested too deeply", hint) from None
    except json.JSONDecodeError as error:
        raise NttforgeError(where, f"is not JSON: {error}", hint) from None
    except ValueError:  # Python's limit on the number of digits
        problem = "a number has too many digits"
        raise NttforgeError(where, problem, "reduce it modulo q") from None
    if not isinstance(value, list):
        raise NttforgeError(where, f"{shown(value)} is no list", hint)
    shape, level = [len(value)], value
    while level and all(isinstance(inner, list) for inner in level):
        if len({len(inner) for inner in level}) > 1 or len(shape) > 2:
            raise NttforgeError(where, "its lists differ in length or are nested deeper", hint)
        shape.append(len(level[0]))
        level = list(chain.from_iterable(level))
    for inner in level:
        if type(inner) is not int:
            what = "a list" if isinstance(inner, list) else shown(inner)
            raise NttforgeError(where, f"{what} is no integer", hint)
    return _objects(level).reshape(shape)


def _hex_words(text: str, where: str) -> Iterator[tuple[str, str]]:
    """(place, word or address) of a file for `$readmemh`, without its comments."""
    bare = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n") or " ", text)
    for number, line in enumerate(bare.split("\n"), 1):
        for word in line.split():
            place = f"{where}, line {number}"
            if not _HEX_WORD.fullmatch(word.removeprefix("@")):
                raise NttforgeError(
                    place,
                    f"{shown(word)} is no hexadecimal word of $readmemh",
                    "use hexadecimal digits without 0x and sign, @ADDRESS, // for a comment",
                )
            yield place, word


def _parse_hex(data: bytes, words: WordSpec, where: str) -> Polynomials:
    text = _decode(data, where)
    parts: list[tuple[int, list[int]]] = [(0, [])]
    for _, word in _hex_words(text, where):
        if word.startswith("@"):
            parts.append((int(word[1:].replace("_", ""), 16), []))
        else:
            parts[-1][1].append(int(word.replace("_", ""), 16))
    found: list[int] = []
    for address, part in sorted((part for part in parts if part[1]), key=lambda part: part[0]):
        if address != len(found):
            twice = address < len(found)
            at = address if twice else len(found)
            problem = f"the word at @{at:x} is {'given twice' if twice else 'missing'}"
            raise NttforgeError(where, problem, "give each word once, from @0 on")
        found += part
    if not found:
        raise NttforgeError(where, "has no words", "give one polynomial at least")
    return _divided(_objects(found), words, where)


def _parse_bin(data: bytes, words: WordSpec, where: str) -> Polynomials:
    size = words.bytes
    if len(data) % size or not data:
        problem = f"its {len(data)} bytes are no whole number of words of {size} bytes"
        raise NttforgeError(where, problem, "give --word-bytes and --byte-order as it was written")
    if size in (1, 2, 4, 8):
        mark = "<" if words.order == "little" else ">"
        return _divided(np.frombuffer(data, f"{mark}u{size}"), words, where)
    raw = np.frombuffer(data, np.uint8).reshape(-1, size)
    limbs = -(-size // _LIMB_BYTES)
    padded = np.zeros((len(raw), limbs * _LIMB_BYTES), np.uint8)
    padded[:, :size] = raw if words.order == "little" else raw[:, ::-1]
    return _divided(from_limbs(padded.view("<u8")), words, where)


def _parse_npy(data: bytes, words: WordSpec, where: str) -> Polynomials:
    del words
    return _npy_array(io.BytesIO(data), len(data), where, None)


def _npy_array(file: BinaryIO, size: int, where: str, mapped: Path | None) -> Polynomials:
    """The array of an open `.npy` file of so many bytes, whatever a hostile one's header says."""
    wrong = NttforgeError(
        where,
        "is not a .npy file of integers",
        "write one with numpy.save, or use .txt for integers over 64 bits",
    )
    try:
        header = _HEADERS[np.lib.format.read_magic(file)]
        shape, _, dtype = header(file)
        claimed = math.prod(shape) * dtype.itemsize
        there = size - file.tell()
        # numpy would make room for what the header says.
        if min(shape, default=0) < 0 or claimed > there or dtype.hasobject or dtype.fields:
            raise wrong
        if mapped is not None and claimed:
            return np.lib.format.open_memmap(mapped, mode="r")
        file.seek(0)
        return np.asarray(np.lib.format.read_array(file, allow_pickle=False))
    except (OSError, MemoryError, NttforgeError):
        raise
    except Exception:  # of numpy, Python's parser, its numbers, its text: by the header's bytes
        raise wrong from None


def _rows(polynomials: Polynomials) -> Iterator[Polynomials]:
    """Each polynomial."""
    return iter(polynomials[np.newaxis] if polynomials.ndim == 1 else polynomials)


def _write_lines(separator: str) -> Callable[[BinaryIO, Polynomials, WordSpec], None]:
    """Writes decimal numbers, a polynomial a line."""

    def write(file: BinaryIO, polynomials: Polynomials, words: WordSpec) -> None:
        del words
        for row in _rows(polynomials):
            file.write((separator.join(map(str, row)) + "\n").encode())

    return write


def _write_json(file: BinaryIO, polynomials: Polynomials, words: WordSpec) -> None:
    del words
    lines = (json.dumps([int(value) for value in row]) for row in _rows(polynomials))
    text = ",\n ".join(lines)
    file.write((f"{text}\n" if polynomials.ndim == 1 else f"[{text}]\n").encode())


def _write_hex(file: BinaryIO, polynomials: Polynomials, words: WordSpec) -> None:
    digits = -(-words.width // 4)
    for row in _rows(polynomials):
        file.write("".join(f"{int(value):0{digits}x}\n" for value in row).encode())


def _write_bin(file: BinaryIO, polynomials: Polynomials, words: WordSpec) -> None:
    limbs = -(-max(words.bytes, -(-words.width // 8)) // _LIMB_BYTES)
    for row in _rows(polynomials):
        raw = to_limbs(row, limbs).astype("<u8").view(np.uint8).reshape(len(row), -1)
        kept = raw[:, : words.bytes]
        file.write((kept if words.order == "little" else kept[:, ::-1]).tobytes())


def _write_npy(file: BinaryIO, polynomials: Polynomials, words: WordSpec) -> None:
    """int64, whose differences are what one expects, or uint64 for words of 64 bits."""
    dtype = np.int64 if words.width < 64 else np.uint64
    np.lib.format.write_array(file, polynomials.astype(dtype), allow_pickle=False)


_ALL = (
    FileFormat("npy", (".npy",), "an array of numpy", _parse_npy, _write_npy),
    FileFormat("txt", (".txt",), "decimal numbers", _parse_txt, _write_lines(" ")),
    FileFormat("csv", (".csv",), "decimal numbers with commas", _parse_csv, _write_lines(",")),
    FileFormat("json", (".json",), "JSON lists of integers", _parse_json, _write_json),
    FileFormat(
        "hex", (".hex", ".mem"), "hexadecimal words of $readmemh", _parse_hex, _write_hex, True
    ),
    FileFormat("bin", (".bin",), "raw words", _parse_bin, _write_bin, True),
)

FORMATS: Mapping[str, FileFormat] = {each.name: each for each in _ALL}
"""The formats by name."""

_BY_SUFFIX = {suffix: each for each in _ALL for suffix in each.suffixes}
_SUFFIXES = ", ".join(_BY_SUFFIX)


def format_of(path: Path, named: str | None) -> FileFormat:
    """The format of a file, `named` or by its suffix."""
    if named is not None:
        return find("format", named, FORMATS)
    suffix = path.suffix.lower()
    if suffix not in _BY_SUFFIX:
        problem = f"{path.suffix or 'no suffix'} is not known"
        raise NttforgeError(str(path), problem, f"use {_SUFFIXES}, or --format")
    return _BY_SUFFIX[suffix]


def output_format(path: Path, options: FileOptions) -> FileFormat:
    """The format of an output: by its suffix, or as the options say if that names none."""
    return format_of(path, None if path.suffix.lower() in _BY_SUFFIX else options.format)


def read_npy(source: Path, *, mapped: bool = False) -> Polynomials:
    """The array of a `.npy` file, read or `mapped`."""
    with reading(source), open_to_read(source) as file:
        size = source.stat().st_size
        return _npy_array(file, size, str(source), source if mapped else None)


def read_polynomials(
    source: Path, file_format: FileFormat, words: WordSpec, *, mapped: bool = False
) -> Polynomials:
    """Integers of a file, unchecked; `mapped`: arrays of `.npy` files are mapped, not read."""
    if file_format.name == "npy":
        return read_npy(source, mapped=mapped)
    with reading(source), open_to_read(source) as file:
        data = file.read()
    return file_format.parse(data, words, str(source))


def check_target(target: Path, file_format: FileFormat, words: WordSpec) -> None:
    """Refuse a file that cannot be written, before the work that it is for."""
    check_writable(target)
    if file_format.name == "npy" and words.width > 64:
        problem = f"coefficients of {words.width} bits do not fit a .npy file"
        raise NttforgeError(str(target), problem, "use .txt, .hex or .bin")
    if file_format.name == "bin" and words.width > 8 * words.bytes:
        problem = f"coefficients of {words.width} bits do not fit {words.bytes} bytes"
        raise NttforgeError("word_bytes", problem, f"use {-(-words.width // 8)} or more")


def write_polynomials(
    target: Path, file_format: FileFormat, words: WordSpec, polynomials: Polynomials
) -> None:
    """Write polynomials, shape (n,) or (batch, n), at once or not at all."""
    with atomic_file(target) as file:
        file_format.write(file, polynomials, words)
