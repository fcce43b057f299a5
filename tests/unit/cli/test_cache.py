# SPDX-License-Identifier: Apache-2.0
"""What is kept between runs can be seen and made smaller, and what is in use stays."""

import json
import os
import time
from pathlib import Path

import pytest

from nttforge.cache import cache_limit, cached, cached_results, prune, tail
from nttforge.cli import main
from nttforge.errors import NttforgeError

HOUR = 3600


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Results of 1000 bytes, used five, four and three hours ago."""
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "cache"))
    made = []
    for age, kind in ((5, "designs"), (4, "simulators"), (3, "designs")):

        def make(folder: Path) -> None:
            (folder / "file").write_bytes(bytes(1000))

        made.append(cached(kind, f"key-{age}", make))
        os.utime(made[-1], (0, time.time() - age * HOUR))
    return made


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, object]]:
    """Its exit code and what it found, after where that is from."""
    with pytest.raises(SystemExit) as ended:
        main(["cache", *words, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found.pop("provenance")["nttforge"]
    return int(str(ended.value.code)), found


def test_what_was_used_longest_ago_goes_first(three: list[Path]) -> None:
    assert [kept.path for kept in cached_results()] == three
    assert [kept.path for kept in prune(2500)] == three[:1]
    assert [path.exists() for path in three] == [False, True, True]
    assert prune(2500) == []
    assert not three[0].with_suffix(".lock").exists()


def test_what_is_asked_for_again_is_young(three: list[Path]) -> None:
    cached("designs", "key-5", lambda _: pytest.fail("it is there"))
    assert [kept.path for kept in prune(0)] == three[1:]  # the first may be in use
    assert three[0].exists()


def test_the_limit_is_kept_by_itself(three: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NTTFORGE_CACHE_GB", "2.5e-6")
    cached("native", "first", lambda folder: (folder / "file").touch())
    assert three[0].exists()  # it is looked at once an hour
    stamp = three[0].parents[1] / "pruned"
    os.utime(stamp, (0, time.time() - 2 * HOUR))
    new = cached("native", "key", lambda folder: (folder / "file").touch())
    assert [path.exists() for path in (*three, new)] == [False, True, True, True]
    monkeypatch.setenv("NTTFORGE_CACHE_GB", "much")
    with pytest.raises(NttforgeError, match="NTTFORGE_CACHE_GB: 'much' is no size"):
        cache_limit()


def test_the_verbs(three: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    code, found = call(capsys, "list")
    assert code == 0
    kinds = found["kinds"]
    assert isinstance(kinds, dict)
    assert {kind: row["results"] for kind, row in kinds.items()} == {"designs": 2, "simulators": 1}
    assert call(capsys, "path") == (0, {"path": str(three[0].parents[1])})
    assert call(capsys, "prune", "--to", "0.000001") == (0, {"results": 2, "bytes": 2000})
    os.utime(three[2])  # in use: it stays, whatever is asked for
    assert call(capsys, "prune", "--to", "0") == (0, {"results": 0, "bytes": 0})
    assert [kept.path for kept in cached_results()] == three[2:]


def test_the_end_of_a_log(tmp_path: Path) -> None:
    """However long it is; a complaint may be anywhere in it."""
    log = tmp_path / "tool.log"
    assert tail(log) == ""
    log.write_text("ERROR: one\n" + "a line\n" * 20_000 + "the last \u00e9\n", "utf-8")
    assert tail(log) == "the last \u00e9"
    assert tail(log, 2) == "a line the last \u00e9"
    assert tail(log, 1, ("ERROR:",)) == "ERROR: one"
