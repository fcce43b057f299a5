# SPDX-License-Identifier: Apache-2.0
"""Former names and phrases do not come back; a file's name and an option say what they mean."""

import re
from pathlib import Path

import pytest
from pydantic.fields import FieldInfo

from nttforge.cli.app import VERBS
from nttforge.config.family import StreamConfig
from nttforge.config.requirements import Requirements
from nttforge.options.model import Options, flag_of
from tests import words

PLACES = (*("src", "rtl", "tests", "docs", "benchmarks", "examples"), "README.md")
#: A unit, or what a number counts.
UNIT = re.compile(
    r"\b(number|cycles|seconds|microseconds|MHz|GB/s|Mb|bytes|baud|log2|bits|gigabytes|seed|LUTs"
    r"|flip-flops|DSP blocks|block RAMs|coefficients|operands?|grade|modulus|layers|root|generator"
    r"|clock|latency|size|processor|operation)\b",
    re.IGNORECASE,
)
#: What a verb does if an option is not given.
ABSENT = re.compile(
    r"\b(by default|also|only|maximum|minimum|exit with|in place of|instead|can be left out|check"
    r"|find|show|for a ring|replace|where no|for an engine|of a product|of mac|selects|with which"
    r"|of a design whose|run the points|write|or give|with --)\b",
    re.IGNORECASE,
)
OPTIONS = [
    pytest.param(model, name, id=f"{verb} {model.flag(name)}")
    for verb, (model, _) in VERBS.items()
    for name, field in model.model_fields.items()
    if not flag_of(field).argument
]


def text_of(path: Path) -> str:
    return path.read_text("utf-8")


def test_no_former_name_comes_back() -> None:
    found = [
        each
        for path in words.files(".py", ".sv")
        for each in words.former_names(path, text_of(path))
    ]
    assert not found, "\n".join(found)


def test_no_phrase_comes_back() -> None:
    found = {
        str(path.relative_to(words.ROOT)): phrases
        for path in words.files()
        if (phrases := words.phrases(text_of(path)))
    }
    assert not found


def test_a_name_of_a_file_is_one_files() -> None:
    assert not words.twice()


def test_names_of_files_say_what_is_in_them() -> None:
    assert not [str(path) for path in words.files() if path.stem in words.FILES]


def test_former_names_and_phrases_are_seen() -> None:
    """The tests above can fail."""
    code = "def work_out(x: Hop) -> None: ...  # telling\n"
    assert words.former_names(Path("x.py"), code) == [
        "x.py:1: work_out is now elaborate",
        "x.py:1: Hop is now PathNode",
    ]
    assert words.former_names(Path("x.sv"), "  input ask_t a_i; // told_t\n") == [
        "x.sv:1: ask_t is now *_req_t, *_rsp_t or *_ready_t"
    ]
    assert words.phrases("// goes to a\n  // state that cannot be\n") == ["a state that cannot be"]


@pytest.mark.parametrize(("model", "name"), OPTIONS)
def test_an_option_says_its_unit_and_its_default(model: type[Options], name: str) -> None:
    field: FieldInfo = model.model_fields[name]
    text = field.description or ""
    assert text[0].isupper() and text.endswith("."), text
    number = re.search(r"\b(int|float)\b", str(field.annotation)) is not None
    assert not number or UNIT.search(text), f"{text}: in what?"
    known = field.is_required() or field.default not in (None, "") or field.annotation is bool
    assert known or ABSENT.search(text), f"{text}: what without it?"


def test_former_options_and_keys_are_listed() -> None:
    page = (words.ROOT / "docs/appendix/renamed.md").read_text("utf-8")
    for verb, (model, _) in VERBS.items():
        for former, present in model.former_flags().items():
            rows = [line for line in page.splitlines() if f"`{verb}`" in line]
            assert any(f"| `{former}` | `{present}` |" in row for row in rows), (verb, former)
    for table in (StreamConfig, Requirements):
        assert all(f"`{name}`" in page for pair in table.FORMER.items() for name in pair)
