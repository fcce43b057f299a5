# SPDX-License-Identifier: Apache-2.0
"""Progress reports of long work."""

from pathlib import Path

import pytest

from nttforge import progress as pace


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path))


def test_parts_that_are_done_say_what_is_to_go() -> None:
    words = pace.eta(3, 12, "files", 90, ", 1 failed")
    assert words == "3 of 12 files (25%), 1 failed; 0:01:30 so far, 0:04:30 to go"


def test_work_in_one_piece_is_held_to_the_last_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now, messages = [100.0], list[str]()
    monkeypatch.setattr("nttforge.progress.time.monotonic", lambda: now[0])
    with pace.report_to(messages.append):
        for seconds in (80.0, 40.0):
            work = pace.ProgressTimer("Yosys: x for xcup")
            for _ in range(8):
                now[0] += seconds / 8
                work.tell()
            now[0] += 1 if seconds == 40 else 0
            work.ended()
        longer = pace.ProgressTimer("Yosys: x for xcup")
        now[0] += 60
        longer.tell("mapping")
    assert messages[:2] == [
        "Yosys: x for xcup: 0:00:10 so far",
        "Yosys: x for xcup: 0:00:20 so far",
    ]
    share = "0:00:10 so far, 12%, 0:01:10 to go if it is as the last time"
    assert messages[8:] and messages[9] == f"Yosys: x for xcup: {share}"
    assert messages[-1] == (
        "Yosys: x for xcup: 0:01:00 so far, longer than the last time, 0:00:41; mapping"
    )
    assert len(messages) == 8 + 8 + 1


def test_it_is_not_told_too_often_nor_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    now, messages = [0.0], list[str]()
    monkeypatch.setattr("nttforge.progress.time.monotonic", lambda: now[0])
    work = pace.ProgressTimer("y")
    with pace.report_to(messages.append):
        for _ in range(80):
            now[0] += 0.125
            work.tell()
    work.tell()
    pace.tell("nobody")
    assert len(messages) == 2
