# SPDX-License-Identifier: Apache-2.0
"""Bounds of figures, and reports that continuous integration reads."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from nttforge.cli import main, work
from nttforge.cli.bounds import Bound, gate_of
from nttforge.cli.outcome import Outcome
from nttforge.errors import NttforgeError

FIGURES = {
    "measure": {"cycles": 305.0},
    "synth": {"lut": 3924.0, "ff": 3985.0, "dsp": 16.0, "bram18": 4.0, "uram": 2.0},
    "timing": {"mhz": 158.7},
    "pnr": {"mhz": 158.7},
    "verify": {},
}
# Of each bound, what is kept to and what is not.
BOUNDS = [
    ("measure", "--max-cycles", "305", "304"),
    ("synth", "--max-lut", "3924", "3923.5"),
    ("synth", "--max-ff", "4000", "0"),
    ("synth", "--max-dsp", "16", "15"),
    ("synth", "--max-bram18", "4", "3"),
    ("synth", "--max-uram", "2", "1"),
    ("timing", "--min-mhz", "158.7", "158.8"),
    ("pnr", "--min-mhz", "100", "200"),
]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verbs that are done at once, with known figures."""

    def perform(verb: str, *_: object) -> Outcome:
        return Outcome({"verb": verb}, "done", figures=FIGURES[verb])

    monkeypatch.setattr(work, "perform", perform)


def code(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(str(ended.value.code))


@pytest.mark.parametrize(("verb", "option", "good", "bad"), BOUNDS)
def test_a_bound_is_an_exit_code_and_a_line(
    verb: str, option: str, good: str, bad: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code(verb, "mlkem-mldsa", option, good) == 0
    assert capsys.readouterr().err == ""
    assert code(verb, "mlkem-mldsa", option, bad) == 1
    said = capsys.readouterr()
    assert said.out == "done\n"
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1
    assert option in said.err


def test_json_has_every_bound(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("synth", "mlkem-mldsa", "--json", "--max-lut", "5000", "--max-dsp", "10")
    assert code(*words) == 1
    bounds = json.loads(capsys.readouterr().out)["bounds"]
    assert [(b["option"], b["limit"], b["found"], b["ok"]) for b in bounds] == [
        ("max_lut", 5000, 3924, True),
        ("max_dsp", 10, 16, False),
    ]


def test_without_a_bound_nothing_is_added(capsys: pytest.CaptureFixture[str]) -> None:
    assert code("synth", "mlkem-mldsa", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"verb": "synth"}


@pytest.mark.parametrize("value", ["nan", "-1", "many", "1e12"])
def test_what_is_no_bound_is_refused(value: str) -> None:
    asked = code("synth", "mlkem-mldsa", "--max-lut", value)
    assert asked == (2 if value == "many" else 1)


def test_the_report(tmp_path: Path) -> None:
    file = tmp_path / "report.xml"
    words = ("synth", "mlkem-mldsa", "--max-lut", "5000", "--max-dsp", "10", "--junit", str(file))
    assert code(*words) == 1
    suite = Xml.parse(file).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    cases = {case.get("name"): case.find("failure") is None for case in suite}
    assert cases == {"synth": True, "--max-lut": True, "--max-dsp": False}


def test_the_report_of_what_ended_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(*_: Any) -> Outcome:
        raise NttforgeError("design", "is <bad> & \x1b[2J", "correct it")

    monkeypatch.setattr(work, "perform", ends)
    file = tmp_path / "report.xml"
    assert code("verify", "mlkem-mldsa", "--junit", str(file)) == 1
    (case,) = Xml.parse(file).getroot()
    assert "is <bad> & \\x1b[2J; correct it" in str(case[0].get("message"))


def test_a_report_that_cannot_be_written_is_refused_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "perform", lambda *_: pytest.fail("it was done"))
    assert code("verify", "mlkem-mldsa", "--junit", str(tmp_path / "no" / "report.xml")) == 1


def test_what_a_verb_has_no_figure_for_is_a_defect() -> None:
    gate = gate_of("verify", {"design": "x", "max_lut": 3.0})
    with pytest.raises(KeyError):
        gate.around(lambda _: Outcome({}, ""))(print)


@pytest.mark.parametrize("verb", ["synth", "measure", "timing", "pnr"])
def test_a_bound_says_which_way_it_goes(verb: str) -> None:
    for name, value in FIGURES[verb].items():
        assert Bound(f"max_{name}", value, value).ok
        assert not Bound(f"max_{name}", value - 1, value).ok
        assert not Bound(f"min_{name}", value + 1, value).ok
