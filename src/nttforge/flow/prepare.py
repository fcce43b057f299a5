# SPDX-License-Identifier: Apache-2.0
"""From a design to what the tools work on: its core, and its folder in the cache."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nttforge.content import cached, design_key
from nttforge.design import Design
from nttforge.emit import write
from nttforge.errors import NttforgeError
from nttforge.families import Core, Operation, build
from nttforge.names import did_you_mean
from nttforge.simulate.stream import StreamSimulator

Progress = Callable[[str], None]
"""Is told how far a job has got, in words, for standard error."""


def silent(_: str) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True)
class Prepared:
    """A core and the folder that holds its sources: all that a tool needs.

    Attributes
    ----------
    core
        The core, as data.
    folder
        Its design folder.
    """

    core: Core
    folder: Path

    def simulator(self, progress: Progress = silent) -> StreamSimulator:
        """Compile the core, or take the library that is kept, and open it.

        Raises
        ------
        NttforgeError
            If the compiler is missing.
        """
        progress(f"compiling the simulator of {self.core.name}")
        return StreamSimulator.build(self.core, self.folder)


def prepare(design: Design) -> Prepared:
    """Write the design folder into the cache, by content.

    Raises
    ------
    NttforgeError
        If the design's family cannot build it, or the cache cannot be written.
    """
    core = build(design)
    with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
        written = Path(scratch) / core.name
        write(core, design, written)

        def copy(target: Path) -> None:
            shutil.copytree(written, target, dirs_exist_ok=True)

        # The README and comments count too: the folder is shown to people.
        texts = (str(path.read_bytes()) for path in sorted(written.rglob("*.md")))
        key = design_key(written, *texts)
        return Prepared(core, cached("designs", f"{core.name}-{key}", copy))


def find_operation(core: Core, name: str | None) -> Operation:
    """Look up an operation by name; None will do if the core has but one.

    Raises
    ------
    NttforgeError
        `--op`, proposing the nearest right one.
    """
    names = [operation.name for operation in core.operations]
    if name is None and len(names) == 1:
        return core.operations[0]
    if name in names:
        return core.operations[names.index(name)]
    if name is None:
        raise NttforgeError("--op", "is missing", f"use one of {', '.join(names)}")
    raise NttforgeError("--op", f"{core.name} has no operation {name}", did_you_mean(name, names))
