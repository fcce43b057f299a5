# SPDX-License-Identifier: Apache-2.0
"""Prepares a design for the tools: its core, and its folder in the cache."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from nttforge import names
from nttforge.cache import cached, design_key
from nttforge.design import Design, load_design, parse_settings
from nttforge.emit import write
from nttforge.hw import (
    Core,
    Operation,
    StreamCore,
    build,
    build_kind,
)
from nttforge.options.verbs import OfDesign
from nttforge.simulate.stream import StreamSimulator

Progress = Callable[[str], None]
"""Called with a job's progress, in words."""

K = TypeVar("K", bound=Core)
K_co = TypeVar("K_co", bound=Core, covariant=True)


def silent(_: str) -> None:
    """Discards progress."""


@dataclass(frozen=True)
class Prepared(Generic[K_co]):
    """A design with its core and the folder that holds its sources: all that a tool needs.

    - `core`: the core, as data.
    - `folder`: its design folder.
    - `design`: what the core was built of.
    """

    core: K_co
    folder: Path
    design: Design

    def simulator(self: "Prepared[StreamCore]") -> StreamSimulator:
        """Compile a core of transforms, or take the library that is kept, and open it."""
        return StreamSimulator.build(self.core, self.folder)


def prepare_any(design: Design) -> Prepared[Core]:
    """Write the design folder of any family into the cache, by content."""
    return prepare_core(build(design), design)


def open_design(options: OfDesign, progress: Progress, **keys: object) -> Prepared[Core]:
    """The design that options name, with their settings and more keys, prepared."""
    progress(f"generating {options.design}")
    return prepare_any(load_design(options.design, parse_settings(options.settings) | keys))


def prepare_core(core: K, design: Design) -> Prepared[K]:
    """As :func:`prepare_any`, of a core that was built of the design."""
    with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
        written = Path(scratch) / core.name
        write(core, design, written)

        def copy(target: Path) -> None:
            shutil.copytree(written, target, dirs_exist_ok=True)

        # What tools do not read counts too: the folder is shown to people.
        others = sorted(path for path in written.iterdir() if path.is_file())
        texts = (str(path.read_bytes()) for path in others)
        key = design_key(written, *texts)
        return Prepared(core, cached("designs", f"{core.name}-{key}", copy), design)


def prepare_kind(design: Design, kind: type[K]) -> Prepared[K]:
    """As :func:`prepare_any`, for what works on one kind of core only."""
    return prepare_core(build_kind(design, kind), design)


def prepare(design: Design) -> Prepared[StreamCore]:
    """As :func:`prepare_kind`, of a core of transforms."""
    return prepare_kind(design, StreamCore)


def find_operation(core: StreamCore, name: str | None) -> Operation:
    """Look up an operation by name; None will do if the core has but one."""
    return names.find_operation(core.name, name, {o.name: o for o in core.operations})
