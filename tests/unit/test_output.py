# SPDX-License-Identifier: Apache-2.0
"""Files that cannot be written are refused in one line, and none is left behind."""

from pathlib import Path

import pytest

from nttforge.errors import NttforgeError
from nttforge.output import check_writable, writing


def test_a_file_that_can_be_written_is_not_touched(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text("kept")
    check_writable(old)
    check_writable(tmp_path / "new")
    assert old.read_text() == "kept"
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("name", "words"), [("", "Is a directory"), ("no/file", "there is no such folder")]
)
def test_a_file_that_cannot_be_written(name: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(NttforgeError, match=words) as caught:
        check_writable(tmp_path / name)
    assert str(caught.value).startswith(str(tmp_path / name))


def test_a_file_that_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nttforge.output.os.access", lambda *_: False)
    with pytest.raises(NttforgeError, match="Permission denied; correct --output"):
        check_writable(tmp_path / "file")


def test_a_disk_that_fails_while_it_is_written(tmp_path: Path) -> None:
    with pytest.raises(NttforgeError, match="No such file") as caught, writing(tmp_path / "x"):
        (tmp_path / "no" / "x").write_text("")
    assert caught.value.field == str(tmp_path / "x")
