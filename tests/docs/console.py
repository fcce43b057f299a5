# SPDX-License-Identifier: Apache-2.0
"""Blocks of a page: commands that are run as a reader would, and files that they need.

`python -m tests.docs.console PAGE` runs them all, and writes what they print into the page.
"""

import doctest
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


def blocks(text: str, language: str) -> list[str]:
    """What stands in the blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Command:
    """A line of a block, and what is shown below it; nothing shown is nothing said."""

    line: str
    shown: str = ""


def commands(block: str) -> list[Command]:
    """Those after `$ `, with the lines that follow; or each line, if there is no such sign."""
    if not block.startswith("$ "):
        return [Command(line) for line in block.splitlines()]
    found = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    return [Command(line, shown) for line, shown in found]


def write_files(text: str, folder: Path) -> None:
    """Blocks whose first line is a comment with a file's name are that file."""
    named = re.findall(r"^```\w+\n((?:#|//) (\w+\.\w+)\n.*?)^```$", text, re.DOTALL | re.MULTILINE)
    for content, name in named:
        (folder / name).write_text(content, "utf-8")


def printed(line: str, folder: Path) -> tuple[bool, str]:
    """Whether a command succeeded, and what it printed: its error, if it did not."""
    tools = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-ec", line],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout if done.returncode == 0 else done.stderr
    return done.returncode == 0, "".join(f"{part.rstrip()}\n" for part in said.splitlines())


def same(shown: str, said: str) -> bool:
    """Whether a page shows what was said; `...` stands for what differs from run to run."""
    return doctest.OutputChecker().check_output(shown, said, doctest.ELLIPSIS)


def run(lines: Iterable[Command], folder: Path) -> Iterator[tuple[Command, str]]:
    """Each command, in order, with what it printed; one that shows an error must end in it."""
    for command in lines:
        held, said = printed(command.line, folder)
        if held == command.shown.startswith("error: "):
            raise AssertionError(f"{command.line}: {said}")
        yield command, said if held else said[said.find("error: ") :]


def rewritten(text: str) -> str:
    """The page with what its commands print today, where it showed something else."""

    def block(match: re.Match[str], folder: Path) -> str:
        body = "".join(
            f"$ {command.line}\n"
            + (said if command.shown and not same(command.shown, said) else command.shown)
            for command, said in run(commands(match[1]), folder)
        )
        return f"```console\n{body}```"

    with tempfile.TemporaryDirectory() as folder:
        write_files(text, Path(folder))
        return CONSOLE.sub(lambda match: block(match, Path(folder)), text)


if __name__ == "__main__":
    for page in map(Path, sys.argv[1:]):
        page.write_text(rewritten(page.read_text("utf-8")), "utf-8")
