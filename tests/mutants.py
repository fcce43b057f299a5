# SPDX-License-Identifier: Apache-2.0
"""Defects that tests put in: places of files are changed, in a folder of the design's own."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from nttforge.flow.prepare import Prepared
from nttforge.hw import Core
from nttforge.rtl_library import library, needed
from tests.mutation.sites import Mutant, spoiled

K = TypeVar("K", bound=Core)


def change(path: Path, good: str, bad: str, *, pattern: bool = False) -> None:
    """Change the first place of a file that is `good`, or matches it, which must be there."""
    text = path.read_text("utf-8")
    changed = re.sub(good, bad, text, count=1) if pattern else text.replace(good, bad, 1)
    assert changed != text, f"{path.name} has no {good}"
    path.write_text(changed, "utf-8")


def sources_of(folder: Path, module: str) -> list[Path]:
    """What a module of the library needs, packages first: copies in the folder where there are."""
    sources = [library()[name] for name in needed(module, library())]
    copies = [(folder / path.name, path) for path in sources]
    return [copy if copy.exists() else path for copy, path in copies]


def changed_module(folder: Path, module: str, good: str, bad: str) -> None:
    """A copy of a module of the library in a folder, with its first `good` changed."""
    source = library()[module]
    (folder / source.name).write_bytes(source.read_bytes())
    change(folder / source.name, good, bad)


def mutated(
    prepared: Prepared[K], folder: Path, file: str, good: str, bad: str, *, pattern: bool = False
) -> Prepared[K]:
    """The design in a folder that is made for it, with one place of one file changed."""
    shutil.copytree(prepared.folder, folder)
    change(folder / file, good, bad, pattern=pattern)
    return replace(prepared, folder=folder)


def beside(
    prepared: Prepared[K], folder: Path, places: Sequence[tuple[str, str, str]]
) -> Prepared[K]:
    """The design with all of these, so that one model has them: a defect costs no compiling.

    `places` are a file, the pattern of an expression there, and what it becomes. The environment
    says which one a model has when it is opened: `CHOSEN` is its number from 1, or 0 for none.
    """
    shutil.copytree(prepared.folder, folder)
    for file in {file for file, _, _ in places}:
        data, found = (folder / file).read_text("ascii"), {}
        for number, (where, good, bad) in enumerate(places, start=1):
            if where == file:
                match = re.search(good, data)
                assert match, f"{file} has no {good}"
                found[number] = Mutant(file, 0, "", *match.span(), match[0], bad)
        (folder / file).write_text(spoiled(data.encode("ascii"), found), "ascii")
    return replace(prepared, folder=folder)
