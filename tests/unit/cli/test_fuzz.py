# SPDX-License-Identifier: Apache-2.0
"""Hostile invocations, drawn: a fixed sample, and all that the page of verification counts."""

import os
import random
from pathlib import Path

import pytest

from tests import fuzz
from tests.tally import keep

SAMPLE = range(100)
ALL = 3000


@pytest.mark.long
def test_a_fixed_sample_of_hostile_invocations() -> None:
    counted = fuzz.run(SAMPLE.start, SAMPLE.stop)
    assert not counted["broken"], counted
    assert set(counted["codes"]) >= {"0", "1", "2"}
    assert counted["processes"]


@pytest.mark.slow
def test_hostile_invocations() -> None:
    counted = fuzz.run_all(0, ALL, os.cpu_count() or 1)
    keep(fuzz.RECORD, counted)
    assert not counted["broken"], counted


def test_counts_are_summed() -> None:
    one = {"invocations": 2, "broken": 1, "codes": {"0": 1, "2": 1}, "verbs": {"run": 2}}
    both = fuzz.total([one, one | {"codes": {"1": 2}}])
    assert both["codes"] == {"0": 1, "1": 2, "2": 1}
    assert (both["invocations"], both["broken"], both["verbs"]) == (4, 2, {"run": 4})


@pytest.mark.long
def test_every_verb_and_key_is_drawn() -> None:
    known = {path[-1] for path in fuzz.commands()}
    assert known >= {"generate", "verify", "run", "keygen", "decaps", "explore", "pnr"}
    drawn = {word for i in range(600) for word in fuzz.invocation(random.Random(i))}
    assert drawn >= known
    assert {"pipeline.butterflies", "rings.q", "shell.clock_mhz", "name"} <= set(fuzz.KEYS)


@pytest.mark.parametrize(
    ("ended", "fault"),
    [
        (fuzz.Ended(3), "code 3"),
        (fuzz.Ended(None), "code None"),
        (fuzz.Ended(1, "", "Traceback (most recent call last):"), "traceback"),
        (fuzz.Ended(1, "", "error: a defect of nttforge: x"), "defect"),
        (fuzz.Ended(1, "", "error: " + "x" * 294), "long message"),
        (fuzz.Ended(1, "", "error: a\nerror: b"), "more than one message"),
    ],
)
def test_faults_of_words_are_seen(ended: fuzz.Ended, fault: str, tmp_path: Path) -> None:
    assert fuzz.faults(ended, tmp_path, {}) == [fault]
    assert not fuzz.faults(fuzz.Ended(1, "", "error: " + "x" * 293), tmp_path, {})


def test_faults_of_files_are_seen(tmp_path: Path) -> None:
    failed = fuzz.Ended(1)
    (tmp_path / "mine.toml").write_text("new")
    assert fuzz.faults(failed, tmp_path, {"mine.toml": b"old"}) == ["a file was changed"]
    (tmp_path / "out.npy").write_text("x")
    assert fuzz.faults(failed, tmp_path, {}) == ["an output of a failure"]
    assert not fuzz.faults(fuzz.Ended(0), tmp_path, {})
    (tmp_path / ".nttforge-1").write_text("x")
    assert fuzz.faults(fuzz.Ended(0), tmp_path, {}) == ["part of a file"]


def test_a_report_of_a_failure_is_no_fault(tmp_path: Path) -> None:
    """Where it was requested, and if it reports the failure."""
    words, out, failed = ["verify", "x", "--junit", "out"], tmp_path / "out", fuzz.Ended(1)
    case = '<testsuite><testcase name="verify">{}</testcase></testsuite>'
    for text, whole in ((case.format('<failure message="x"/>'), True), (case.format(""), False)):
        out.write_text(text)
        assert (fuzz.reported(words, tmp_path) == {out}) == whole
    out.write_text(case.format("<failure/>"))
    reports = fuzz.reported(words, tmp_path)
    assert not fuzz.faults(failed, tmp_path, {"out": b"old"}, reports)
    assert not fuzz.reported(words[:2], tmp_path)
    out.write_text(case[:30])
    assert not fuzz.reported(words, tmp_path)
    assert not fuzz.reported([*words[:3], "/proc/self/mem"], tmp_path)


def test_a_verb_that_does_not_end_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fuzz, "SECONDS", 1)
    monkeypatch.setattr(fuzz, "main", lambda _: [None for _ in iter(int, 1)])
    with pytest.raises(fuzz.SlowError):
        fuzz.here([], tmp_path)
    assert Path.cwd() != tmp_path
    assert "CXX" not in os.environ or os.environ["CXX"] != "no-compiler"
