# SPDX-License-Identifier: Apache-2.0
"""Files of polynomials: there and back in every format, and what is refused."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nttforge.errors import NttforgeError
from nttforge.flow.formats import (
    BY_SUFFIX,
    FORMATS,
    Polynomials,
    WordSpec,
    check_target,
    check_used,
    format_of,
    output_format,
    read_polynomials,
)
from nttforge.kinds.stream.run import run_file
from nttforge.options import verbs
from nttforge.options.verbs import FileOptions
from nttforge.ring.transform import ntt_definition

KEM = WordSpec.of(256, 12, BY_SUFFIX)
SMALL = WordSpec.of(16, 7, BY_SUFFIX)


def written(name: str, polynomials: Polynomials, words: WordSpec) -> bytes:
    file = io.BytesIO()
    FORMATS[name].write(file, polynomials, words)
    return file.getvalue()


def parsed(name: str, content: bytes | str, words: WordSpec) -> Polynomials:
    data = content.encode() if isinstance(content, str) else content
    return FORMATS[name].parse(data, words, f"x.{name}")


@st.composite
def files(draw: st.DrawFn) -> tuple[Polynomials, WordSpec]:
    """Polynomials of a drawn width, size and number, and the words of their file."""
    width, n = draw(st.integers(2, 256)), 1 << draw(st.integers(2, 6))
    least = -(-width // 8)
    size = draw(st.none() | st.integers(least, 64))
    order = draw(st.sampled_from((None, "little", "big")))
    batch = draw(st.none() | st.integers(1, 4))
    shape = (n,) if batch is None else (batch, n)
    # A few values of all bits, and the extremes, at drawn places: numbers are what takes long.
    values = [0, (1 << width) - 1, 1 << (width - 1), *draw(st.lists(st.integers(0, 2**width - 1)))]
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    result = np.empty(shape, dtype=object if width > 63 else np.int64)
    result.reshape(-1)[:] = [values[i] for i in rng.integers(0, len(values), result.size)]
    options = FileOptions(word_bytes=size, byte_order=order)  # type: ignore[arg-type]
    return result, WordSpec.of(n, width, options)


@pytest.mark.parametrize("name", FORMATS)
@given(drawn=files())
def test_there_and_back(name: str, drawn: tuple[Polynomials, WordSpec]) -> None:
    polynomials, words = drawn
    if name == "npy" and words.width > 64:
        return
    back = parsed(name, written(name, polynomials, words), words)
    assert back.reshape(-1, words.n or 0).tolist() == polynomials.reshape(-1, words.n or 0).tolist()
    if name in ("npy", "json"):
        assert back.shape == polynomials.shape


@given(drawn=files())
def test_there_and_back_of_one_polynomial_of_any_size(drawn: tuple[Polynomials, WordSpec]) -> None:
    polynomials, words = drawn
    row = polynomials.reshape(-1)
    words = WordSpec(None, words.width, words.bytes, words.order)
    for name in ("hex", "bin"):
        assert parsed(name, written(name, row, words), words).tolist() == row.tolist()


def test_what_is_written() -> None:
    """Read by others: the least power of two of bytes, all digits of a word, no JSON of numpy."""
    row = np.arange(16)
    assert written("bin", row + 256, KEM) == (row + 256).astype("<u2").tobytes()
    assert written(
        "bin", row, WordSpec.of(16, 23, FileOptions(word_bytes=3, byte_order="big"))
    ) == (b"".join(bytes((0, 0, value)) for value in range(16)))
    assert written("hex", row, KEM).splitlines()[-1] == b"00f"
    assert json.loads(written("json", np.stack([row, row]), KEM)) == [[*range(16)]] * 2
    assert written("csv", row, KEM) == b"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
    assert [WordSpec.of(16, width, BY_SUFFIX).bytes for width in (2, 8, 9, 46, 64, 65, 255)] == [
        *(1, 1, 2, 8, 8, 16, 32)
    ]
    assert np.load(io.BytesIO(written("npy", row, KEM))).dtype == np.int64
    goldilocks = WordSpec.of(16, 64, BY_SUFFIX)
    assert np.load(io.BytesIO(written("npy", row, goldilocks))).dtype == np.uint64


READMEMH = """// made by hand /* not a comment
@8 8 9 0_a /* two
lines */ B
@c
c d e f // the last ones
@0 0
1 2 3 4 5 6 7
"""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("txt", " ".join(map(str, range(16)))),
        ("txt", "\ufeff" + ", ".join(map(str, range(16))) + "\r\n\r\n"),
        ("txt", "\n".join(map(str, range(16)))),
        ("csv", ",".join(f'"{i}"' for i in range(16)) + "\r\n"),
        ("csv", "\n".join(map(str, range(16)))),
        ("json", json.dumps([*range(16)])),
        ("hex", READMEMH),
        ("hex", READMEMH.replace("\n", "\r\n")),
    ],
)
def test_others_files_are_read(name: str, content: str) -> None:
    assert parsed(name, content, SMALL).reshape(-1).tolist() == [*range(16)]


def test_several_polynomials_in_a_column() -> None:
    column = "\n".join(map(str, range(32)))
    for name in ("txt", "csv"):
        assert parsed(name, column, SMALL).tolist() == np.arange(32).reshape(2, 16).tolist()
    assert parsed("txt", column, WordSpec.of(None, 7, BY_SUFFIX)).shape == (32,)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("txt", "4ee 0", r"x\.txt, line 1: '4ee' is not an integer; .*\.hex if its words are hexa"),
        ("txt", "@0 1", r"'@0' is not an integer; .*\.hex"),
        ("txt", "0x12", r"'0x12' is not an integer; .*\.hex"),
        ("txt", "1 2 z", "'z' is not an integer; use decimal digits$"),
        ("txt", "\n".join(map(str, range(17))), "it has 17 words, and a polynomial 16"),
        ("csv", "1 2 3", "line 1: '1 2 3' is not an integer"),
        ("csv", "1,2\n1,", "line 2: '' is not an integer"),
        ("csv", "1;2", "line 1: '1;2' is not an integer"),
        ("csv", 'word\n"1', "line 1: 'word' is not an integer"),
        ("csv", '1,2\n"1', "line 2: is not CSV: unexpected end of data"),
        ("csv", "1,2\n1,2,3", "line 2: it has 3 numbers, the first line 2"),
        ("json", "[1, 2", "is not JSON"),
        ("json", "[" * 5000, "is nested too deeply"),
        ("json", '{"a": 1}', "no list"),
        ("json", "7", "7 is no list"),
        ("json", "[1, 2.0]", "2.0 is no integer"),
        ("json", "[1, true]", "True is no integer"),
        ("json", "[1, NaN]", "nan is no integer"),
        ("json", '[1, "2"]', "'2' is no integer"),
        ("json", "[1, [2]]", "a list is no integer"),
        ("json", "[[1, 2], [3]]", "its lists differ in length"),
        ("json", "[[[[[1]]]]]", "nested deeper"),
        ("json", "[" + "9" * 5000 + "]", "too many digits"),
        ("hex", "4ee\n0x12", "line 2: '0x12' is no hexadecimal word"),
        ("hex", "-1", "'-1' is no hexadecimal word"),
        ("hex", "1 xx", "'xx' is no hexadecimal word"),
        ("hex", "1 /* 2", r"'/\*' is no hexadecimal word"),
        ("hex", "@ 1", "'@' is no hexadecimal word"),
        ("hex", "1 @3 2", "the word at @1 is missing; give each word once"),
        ("hex", "1 2 @1 2", "the word at @1 is given twice"),
        ("hex", "@ffffffffffffffffffff 1", "the word at @0 is missing"),
        ("hex", "// nothing", "has no words"),
        ("hex", "1 2 3", "it has 3 words, and a polynomial 16"),
        ("hex", b"\xff\xfe", "is not a text file"),
        ("bin", b"123456789012345", "it has 15 words, and a polynomial 16"),
        ("bin", b"", "its 0 bytes are no whole number"),
        ("npy", b"\x93NUMPY", "is not a .npy file"),
    ],
)
def test_refusals(name: str, content: bytes | str, complaint: str) -> None:
    with pytest.raises(NttforgeError, match=complaint) as caught:
        parsed(name, content, SMALL)
    assert "\n" not in str(caught.value) and f"x.{name}" in str(caught.value)


def test_raw_words_of_another_size() -> None:
    with pytest.raises(NttforgeError, match="33 bytes are no whole number of words of 2 bytes"):
        parsed("bin", bytes(33), KEM)
    with pytest.raises(NttforgeError, match="do not fit 1 bytes; use 2 or more") as caught:
        narrow = WordSpec.of(256, 12, FileOptions(word_bytes=1))
        check_target(Path("y.bin"), FORMATS["bin"], narrow)
    assert caught.value.field == "word_bytes"


def test_what_names_a_format() -> None:
    named = FileOptions(format="hex")
    assert format_of(Path("x.MEM"), None).name == "hex"
    assert format_of(Path("x.txt"), named.format).name == "hex"
    assert output_format(Path("y.npy"), named).name == "npy"
    assert output_format(Path("y.dat"), named).name == "hex"
    with pytest.raises(NttforgeError, match=r"y: no suffix is not known; use .*\.bin, or --format"):
        output_format(Path("y"), BY_SUFFIX)
    with pytest.raises(NttforgeError, match="format: there is no hx; did you mean hex"):
        format_of(Path("x"), "hx")
    with pytest.raises(NttforgeError, match="byte_order: 'middle'"):
        FileOptions.read({"byte_order": "middle"})
    assert tuple(FORMATS) == verbs.FORMATS


def test_raw_options_without_raw_files_are_refused() -> None:
    for options in (FileOptions(word_bytes=2), FileOptions(byte_order="big")):
        with pytest.raises(NttforgeError, match="no file holds raw words"):
            check_used(options, [FORMATS["hex"], FORMATS["npy"]])
        check_used(options, [FORMATS["hex"], FORMATS["bin"]])


def test_through_the_hardware_in_every_format(small: Any, tmp_path: Path) -> None:
    operation = small.core.operations[0]
    x = np.random.default_rng(0).integers(0, 97, (3, 16))
    expected = ntt_definition(operation.ring, x).tolist()
    source = tmp_path / "x.npy"
    np.save(source, x)
    for name, found in FORMATS.items():
        target, back = tmp_path / f"y{found.suffixes[-1]}", tmp_path / f"z{found.suffixes[0]}"
        assert run_file(small, "a.ntt", source, target).output_format
        spec = WordSpec.of(16, 7, BY_SUFFIX)
        assert read_polynomials(target, found, spec).tolist() == expected
        result = run_file(small, "a.intt", target, back)
        assert read_polynomials(back, found, spec).tolist() == x.tolist()
        assert result.input_format == result.output_format == found.describe(spec), name


def test_options_for_files_without_a_suffix(small: Any, tmp_path: Path) -> None:
    x = np.arange(16)
    (tmp_path / "x").write_bytes(x.astype(">u4").tobytes())
    files = FileOptions(format="bin", word_bytes=4, byte_order="big")
    result = run_file(small, "a.ntt", tmp_path / "x", tmp_path / "y", files=files)
    assert result.output_format == "raw words, 4 bytes each, big-endian"
    expected = ntt_definition(small.core.operations[0].ring, x)
    assert (tmp_path / "y").read_bytes() == expected.astype(">u4").tobytes()


def test_the_page_lists_the_formats() -> None:
    page = (Path(__file__).parents[3] / "docs" / "contracts.md").read_text("utf-8")
    for name, found in FORMATS.items():
        suffixes = ", ".join(f"`{suffix}`" for suffix in found.suffixes)
        assert f"| {suffixes} | `{name}` |" in page
