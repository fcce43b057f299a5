# SPDX-License-Identifier: Apache-2.0
"""From a design to what the tools work on: its core, and its folder in the cache."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nttforge.content import cached, design_files, design_key
from nttforge.design import Design
from nttforge.emit import write
from nttforge.errors import NttforgeError
from nttforge.families import Core, KemCore, LargeCore, Operation, build
from nttforge.mlkem.simulator import Coprocessor, build_model
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


@dataclass(frozen=True)
class PreparedKem:
    """As :class:`Prepared`, of an ML-KEM coprocessor."""

    core: KemCore
    folder: Path

    def coprocessor(self, progress: Progress = silent) -> Coprocessor:
        """Compile the coprocessor, or take the library that is kept, and open it.

        Raises
        ------
        NttforgeError
            If the compiler is missing.
        """
        progress(f"compiling the simulator of {self.core.name}")
        return Coprocessor.of(build_model(design_files(self.folder), self.core.name))


@dataclass(frozen=True)
class PreparedLarge:
    """As :class:`Prepared`, of an engine for large transforms."""

    core: LargeCore
    folder: Path


AnyPrepared = Prepared | PreparedKem | PreparedLarge


def prepare_any(design: Design) -> AnyPrepared:
    """Write the design folder of any family into the cache, by content.

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
        folder = cached("designs", f"{core.name}-{key}", copy)
    if isinstance(core, KemCore):
        return PreparedKem(core, folder)
    if isinstance(core, LargeCore):
        return PreparedLarge(core, folder)
    return Prepared(core, folder)


def as_transforms(prepared: AnyPrepared) -> Prepared:
    """What is prepared, if it is a core of transforms.

    Raises
    ------
    NttforgeError
        If it is a coprocessor, or an engine for large transforms.
    """
    name = prepared.core.name.replace("_", "-")  # the design's
    if isinstance(prepared, PreparedKem):
        raise NttforgeError(
            name,
            "is an ML-KEM coprocessor, which has no transforms to call",
            "use `nttforge kem keygen`, `kem encaps` or `kem decaps`",
        )
    if isinstance(prepared, PreparedLarge):
        raise NttforgeError(
            name,
            "is an engine for transforms of many sizes, not a core of one",
            "use run, verify or measure, which take it",
        )
    return prepared


def prepare(design: Design) -> Prepared:
    """As :func:`prepare_any`, for what works on a core of transforms.

    Raises
    ------
    NttforgeError
        As :func:`as_transforms`, too.
    """
    return as_transforms(prepare_any(design))


def prepare_kem(design: Design) -> PreparedKem:
    """As :func:`prepare_any`, for what works on an ML-KEM coprocessor.

    Raises
    ------
    NttforgeError
        If the design is not one, too.
    """
    if design.family != "mlkem":
        raise NttforgeError(
            design.name,
            f"is of the family {design.family}, not an ML-KEM coprocessor",
            "use ml-kem-coprocessor, or a design of the family mlkem",
        )
    prepared = prepare_any(design)
    assert isinstance(prepared, PreparedKem)
    return prepared


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
