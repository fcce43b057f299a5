# SPDX-License-Identifier: Apache-2.0
"""Defects that tests put in: one place of one file is changed, in a folder of its own."""

import re
import shutil
from pathlib import Path
from typing import TypeVar

from nttforge.families import Hardware
from nttforge.flow.prepare import Prepared

K = TypeVar("K", bound=Hardware)


def change(path: Path, good: str, bad: str, *, pattern: bool = False) -> None:
    """Change the first place of a file that is `good`, or matches it, which must be there."""
    text = path.read_text("utf-8")
    changed = re.sub(good, bad, text, count=1) if pattern else text.replace(good, bad, 1)
    assert changed != text, f"{path.name} has no {good}"
    path.write_text(changed, "utf-8")


def mutated(
    prepared: Prepared[K], folder: Path, file: str, good: str, bad: str, *, pattern: bool = False
) -> Prepared[K]:
    """The design in a folder that is made for it, with one place of one file changed."""
    shutil.copytree(prepared.folder, folder)
    change(folder / file, good, bad, pattern=pattern)
    return Prepared(prepared.core, folder)
