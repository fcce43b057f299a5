# SPDX-License-Identifier: Apache-2.0
"""libnttforge: a design's driver with its simulation, as a library for C programs."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from nttforge.cache import design_files
from nttforge.design import Design
from nttforge.emit.design_folder import Templates, render_templates
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, prepare_any
from nttforge.host.driver import driver_names, driver_texts
from nttforge.host.openssl import (
    PROVIDER,
    build_provider,
    find_headers,
    provider_contents,
    provider_templates,
)
from nttforge.hw import Core
from nttforge.hw.drivers import LibraryTemplates
from nttforge.kinds.lattice.bus import model_library, ports_of
from nttforge.output import atomic_folder, check_folder
from nttforge.results import Result, timed
from nttforge.simulate.build import build_c
from nttforge.simulate.cycles import places
from nttforge.table import Block, Line

NAME = "nttforge"
LIBRARY, HEADER = f"lib{NAME}.so", f"{NAME}.h"
BOARD, EXAMPLE, README = "board.c", "example.c", "README.md"
#: What has a library, for who asks for that of something else.
_HAVE_ONE = "lattice coprocessors, pipelines of loaded moduli and engines of key switching"
#: Rounds of a driver in which nothing moves, until it gives up: seconds of simulation.
PATIENCE = 100_000


class HostLibrary(Result):
    """A library for C programs.

    - `folder`, `files`: where it is, and what is in it: libraries, headers, the driver, an example.
    """

    design: str
    folder: str
    files: list[str]
    seconds: float = 0.0

    def shown(self) -> Iterator[Block]:
        """Location of the library, and the file to read first."""
        files = len(self.files)
        yield Line(f"{files} files in {self.folder}; its README.md has a first program")


def _kind(core: Core) -> LibraryTemplates:
    """The templates of a core's library."""
    if core.library is None:
        problem = f"is {core.kind_label} without a library, which {_HAVE_ONE} have"
        raise NttforgeError(core.name, problem, core.usage_hint)
    if core.library.registers and core.registers is None:
        problem = "has no registers, which its driver needs"
        raise NttforgeError(core.name, problem, "set `registers` in its table")
    return core.library


def library_texts(prepared: Prepared[Core], *, openssl: bool = False) -> dict[str, str]:
    """All sources of the library, by name: driver, header, simulated board, example, README.

    The driver's are those of the design folder; the others are rendered.

    Raises NttforgeError if the design has no library, or OpenSSL's headers are missing.
    """
    core = prepared.core
    kind, ports = _kind(core), ports_of(core)
    vectors = {
        vector: {name: (at, mask.bit_length()) for name, at, mask in places(widths)}
        for vector, widths in (("inputs", ports.inputs), ("outputs", ports.read))
    }
    known = dict(core.templates[f"{core.name}_driver.c"][1])
    variables = {**known, **vectors, "patience": PATIENCE, "made_by": "host", "provider": None}
    provider: Templates = {}
    if openssl:
        find_headers()
        provider = provider_templates(core)
        variables["provider"] = {**provider_contents(core), "sources": sorted(provider)}
    names = {HEADER: kind.header, BOARD: kind.board, EXAMPLE: kind.example, README: kind.readme}
    own: Templates = {name: (template, variables) for name, template in names.items()}
    return driver_texts(prepared) | render_templates(core, prepared.design, provider | own)


def build_library(prepared: Prepared[Core], texts: Mapping[str, str]) -> Path:
    """Compile the library of :func:`library_texts`, or take a compiled one: the folder with it.

    Raises NttforgeError if the compiler is missing.
    """
    model = model_library(prepared.core, design_files(prepared.folder))
    compiled = (*driver_names(prepared.core), HEADER, BOARD)
    return build_c({name: texts[name] for name in compiled}, NAME, model)


@timed
def write_library(design: Design, folder: Path, *, openssl: bool = False) -> HostLibrary:
    """Write the library, its headers and an example into a folder.

    Raises NttforgeError if the design has no library, the compiler or OpenSSL's headers are
    missing, or the folder holds something else or cannot be written.

    - `openssl`: also write a provider for OpenSSL 3, `nttforge-pqc.so`, and its sources.
    """
    check_folder(folder, HEADER, "the library's")
    prepared = prepare_any(design)
    texts = library_texts(prepared, openssl=openssl)
    built = build_library(prepared, texts)
    libraries = {path.name: path for path in built.iterdir()}
    if openssl:
        libraries[f"{PROVIDER}.so"] = build_provider(texts, built)
    del texts[BOARD]
    with atomic_folder(folder, "choose a folder you can write to") as scratch:
        for name, text in texts.items():
            (scratch / name).write_text(text, "utf-8")
        for name, path in libraries.items():
            shutil.copyfile(path, scratch / name)
    return HostLibrary(design=design.name, folder=str(folder), files=sorted([*texts, *libraries]))
