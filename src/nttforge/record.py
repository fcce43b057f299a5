# SPDX-License-Identifier: Apache-2.0
"""Keeps the figures of the pages true: runs the commands that the pages show, writes the results.

A block of a page that is kept looks like this, and is replaced as a whole between its comments:

    <!-- nttforge reproduce r2mdc --markdown -->
    whatever the command printed
    <!-- end -->

The command is one of nttforge's verbs or modules (`python -m nttforge.layout.show ...`). What it
prints must not depend on the time or the machine.

`python -m nttforge.record PAGE ...` runs every block's command and rewrites the page;
`--check` only says which blocks differ.
"""

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_BLOCK = re.compile(
    r"^<!-- ((?:nttforge |python -m nttforge\.)[^\n]*?) -->\n(.*?)^<!-- end -->$",
    re.MULTILINE | re.DOTALL,
)


def blocks(page: str) -> Iterator[tuple[str, str]]:
    """(command, recorded output) of each block of a page."""
    for match in _BLOCK.finditer(page):
        yield match.group(1), match.group(2)


def run(command: str) -> str:
    """What a command of nttforge prints.

    Raises
    ------
    subprocess.CalledProcessError
        If it fails.
    """
    program, *arguments = shlex.split(command)
    module = ["-m", "nttforge"] if program == "nttforge" else []
    done = subprocess.run(
        [sys.executable, *module, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.rstrip("\n") + "\n"


def record(page: str) -> str:
    """The page with the output of every block's command."""

    def renewed(match: re.Match[str]) -> str:
        command = match.group(1)
        return f"<!-- {command} -->\n{run(command)}<!-- end -->"

    return _BLOCK.sub(renewed, page)


def main(arguments: list[str] | None = None) -> int:
    """Record or check the pages; 0 if nothing differs or all is written."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing, say what differs")
    parser.add_argument("pages", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    stale = 0
    for path in options.pages:
        page = path.read_text("utf-8")
        renewed = record(page)
        for (command, old), (_, new) in zip(blocks(page), blocks(renewed), strict=True):
            if old != new:
                stale += 1
                print(f"{path}: {command}: {'differs' if options.check else 'renewed'}")
        if not options.check:
            path.write_text(renewed, "utf-8")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
