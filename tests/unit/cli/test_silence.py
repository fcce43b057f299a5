# SPDX-License-Identifier: Apache-2.0
"""Long work is not silent, whatever a verb reports."""

import time

import pytest

from nttforge.cli import session
from nttforge.cli.outcome import Outcome
from nttforge.cli.session import run_verb
from nttforge.flow.prepare import Progress


def test_silence_is_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(session, "_LINE_SECONDS", 0.05)
    monkeypatch.setattr(session, "_SILENCE_SECONDS", 0.2)

    def job(progress: Progress) -> Outcome:
        progress("first")
        progress("long work")  # too soon after the other one to be shown at once
        time.sleep(0.8)
        return Outcome({}, "done")

    assert run_verb("measure", False, job) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["measure: first", "measure: long work"]
    assert len(lines) >= 4
    assert all(line.startswith("measure: long work, ") for line in lines[2:])
    assert all(line.endswith(" s so far") for line in lines[2:])


def test_nothing_is_said_behind_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb("measure", False, lambda _: Outcome({}, "done")) == 0
    assert capsys.readouterr().err == ""
