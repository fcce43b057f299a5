# SPDX-License-Identifier: Apache-2.0
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from nttforge.show.layout_tables import show
from tests.unit.cli.cli_calls import call

PAGE = Path(__file__).parents[3] / "docs" / "layouts.md"
BLOCKS = re.findall(r"^```console\n\$ (.*)\n((?:.*\n)*?)```$", PAGE.read_text(), re.MULTILINE)


def test_the_page_has_its_tables() -> None:
    assert len(BLOCKS) == PAGE.read_text().count("```console") == 3


@pytest.mark.parametrize(("command", "output"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_the_tables_of_the_page_are_what_the_command_prints(
    command: Any, output: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *words = shlex.split(command)
    assert name == "nttforge"
    assert call(capsys, *words)[:2] == (0, output)


def test_one_beat_is_all_wires() -> None:
    text = show(16, 16)
    assert "  0 beats, 0 words\n" in text
    assert "time" not in text


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["--n", "100", "--lanes", "2"], "n"),
        (["--n", "2", "--lanes", "2"], "n"),
        (["--n", "256", "--lanes", "1"], "lanes"),
        (["--n", "256", "--lanes", "3"], "lanes"),
        (["--n", "256", "--lanes", "512"], "lanes"),
        (["--n", "256", "--lanes", "2", "--layers", "9"], "layers"),
        (["--n", "256", "--lanes", "2", "--layers", "0"], "layers"),
    ],
)
def test_bad_arguments(
    arguments: list[Any], field: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(capsys, "show", "layout", *arguments)
    assert (code, out) == (1, "")
    assert err.startswith(f"error: --{field}: ")
