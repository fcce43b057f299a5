# SPDX-License-Identifier: Apache-2.0
"""The tutorial: each lesson's commands run in an empty folder, and print what the page shows."""

import re
from pathlib import Path

import pytest

from tests.docs.console import Command, blocks, commands, run, same, write_files

TEXT = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text("utf-8")
LESSONS = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]
#: They synthesize, or compile a bench.
SLOW = ("3.", "4.")


@pytest.mark.sim
@pytest.mark.parametrize(
    "lesson",
    [
        pytest.param(
            lesson, marks=pytest.mark.slow if lesson.startswith(SLOW) else (), id=lesson[:2]
        )
        for lesson in LESSONS
    ],
)
def test_a_lesson_prints_what_it_shows(lesson: str, tmp_path: Path) -> None:
    write_files(TEXT, tmp_path)
    wanted = [command for block in blocks(lesson, "console") for command in commands(block)]
    assert wanted
    again = "python -m tests.docs.console docs/tutorial.md"
    for command, said in run(wanted, tmp_path):
        assert not command.shown or same(command.shown, said), (command.line, said, again)


def test_what_is_wrong_is_seen(tmp_path: Path) -> None:
    assert len(LESSONS) == 4
    ((_, said),) = run([Command("echo one", "two\n")], tmp_path)
    assert not same("two\n", said) and same("o...\n", said)
    for command in (Command("false"), Command("true", "error: it fails\n")):
        with pytest.raises(AssertionError):
            list(run([command], tmp_path))
