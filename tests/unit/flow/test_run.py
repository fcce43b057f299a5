# SPDX-License-Identifier: Apache-2.0
"""`run` transforms files exactly, and answers a bad one with a line that says what is wrong."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import find_operation
from nttforge.kinds.stream.run import run_file
from nttforge.ring.transform import ntt, ntt_definition


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int64, np.uint64])
def test_npy_goes_through(small: Any, tmp_path: Path, dtype: Any) -> None:
    source, target = tmp_path / "x.npy", tmp_path / "y.npy"
    x = np.random.default_rng(0).integers(0, 97, (5, 16)).astype(dtype)
    np.save(source, x)
    result = run_file(small, "a.ntt", source, target)
    y = np.load(target)
    assert result.ok
    assert (result.transforms, y.shape, y.dtype) == (5, (5, 16), np.int64)
    assert (y == ntt_definition(small.core.operations[0].ring, x)).all()
    back = tmp_path / "back.npy"
    run_file(small, "a.intt", target, back)
    assert (np.load(back) == x).all()


def test_one_polynomial_and_none(small: Any, tmp_path: Path) -> None:
    source, target = tmp_path / "x.npy", tmp_path / "y.txt"
    np.save(source, np.arange(16))
    assert run_file(small, "b.ntt", source, target).transforms == 1
    ring = small.core.operations[2].ring
    assert target.read_text().split() == [str(v) for v in ntt(ring, np.arange(16))]
    np.save(source, np.zeros((0, 16), int))
    assert run_file(small, "b.ntt", source, tmp_path / "y.npy").transforms == 0
    assert np.load(tmp_path / "y.npy").shape == (0, 16)


def test_text_of_any_size(wide: Any, tmp_path: Path) -> None:
    source, target = tmp_path / "x.txt", tmp_path / "y.txt"
    ring = wide.core.operations[0].ring
    x = [[ring.q - 1 - i for i in range(8)], list(range(8))]
    source.write_text("\n".join(",".join(map(str, row)) for row in x) + "\n\n")
    assert run_file(wide, None, source, target).ok
    rows = [[int(v) for v in line.split()] for line in target.read_text().splitlines()]
    assert rows == ntt_definition(ring, x).tolist()


def _save(array: Any) -> Any:
    return lambda path: np.save(path, array)


def _text(text: Any) -> Any:
    return lambda path: path.write_text(text)


@pytest.mark.parametrize(
    ("name", "write", "complaint"),
    [
        ("no.npy", lambda _: None, "no such file"),
        ("x.xls", _text("1"), r"\.xls is not known; use \.npy, \.txt, \.csv"),
        ("x", _text("1"), "no suffix is not known"),
        ("x.npy", _text("not numpy"), r"is not a \.npy file"),
        ("x.npy", _text(""), r"is not a \.npy file"),
        ("x.npy", lambda p: np.save(p, np.array([1, "a"], object), allow_pickle=True), "integers"),
        ("x.npy", _save(np.zeros((3, 15), int)), r"shape is \(3, 15\)"),
        ("x.npy", _save(np.zeros((2, 2, 16), int)), r"shape is \(2, 2, 16\)"),
        ("x.npy", _save(np.zeros((1, 16))), "no integer"),
        ("x.npy", _save(np.zeros((1, 16), bool)), "no integer"),
        ("x.npy", _save(np.full((2, 16), 97)), r"coefficient 0 of polynomial 0 is 97.*\[0, 97\)"),
        ("x.npy", _save(np.eye(16, dtype=int) * -1), "coefficient 0 of polynomial 0 is -1"),
        ("x.txt", _text("1 2 x"), "line 1: 'x' is not an integer"),
        ("x.txt", _text("0 " * 16 + "\n1.5 2"), r"line 2: '1\.5'"),
        ("x.txt", _text("1_0 " * 16), "'1_0' is not an integer"),
        ("x.txt", _text("0 " * 16 + "\n1 2 3"), "line 2: it has 3 numbers, the first line 16"),
        ("x.txt", _text("0 " * 15 + "9" * 5000), "5000 digits"),
        ("x.txt", _text(""), r"shape is \(0, 0\)"),
        ("x.txt", lambda p: p.write_bytes(b"\xff\xfe"), "is not a text file"),
        ("x.npy", lambda p: p.mkdir(), "directory"),
    ],
)
def test_bad_input_is_one_line(
    small: Any, tmp_path: Path, name: str, write: Any, complaint: str
) -> None:
    source = tmp_path / name
    write(source)
    with pytest.raises(NttforgeError, match=complaint) as caught:
        run_file(small, "a.ntt", source, tmp_path / "y.npy")
    assert str(source) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "y.npy").exists()


@pytest.mark.parametrize(
    ("target", "complaint"),
    [("no/y.txt", "no such folder"), ("y.xls", "use .npy, .txt, .csv"), ("y.npy", "do not fit")],
)
def test_bad_output_is_refused_first(
    wide: Any, tmp_path: Path, target: str, complaint: str
) -> None:
    with pytest.raises(NttforgeError, match=complaint):
        run_file(wide, None, tmp_path / "missing.txt", tmp_path / target)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("a.nt", "did you mean a.ntt?"), ("A.INTT", "a.intt"), (None, "use one of a.ntt, a.intt")],
)
def test_unknown_operations_name_the_nearest(small: Any, name: str | None, hint: str) -> None:
    with pytest.raises(NttforgeError) as caught:
        find_operation(small.core, name)
    assert hint in caught.value.hint


def test_the_only_operation_needs_no_name(wide: Any) -> None:
    assert find_operation(wide.core, None).name == "ntt"
