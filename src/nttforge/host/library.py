# SPDX-License-Identifier: Apache-2.0
"""libnttforge: a design's driver over its simulated self, as a library for C programs."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from nttforge.cache import design_files
from nttforge.design import Design
from nttforge.emit.folder import Templates, render_templates
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, prepare_any
from nttforge.host.driver import driver_texts
from nttforge.host.openssl import PROVIDER, build_provider, find_headers, provider_texts
from nttforge.hw import Hardware
from nttforge.hw.drivers import LibraryTemplates
from nttforge.kinds.lattice.bus import model_library, ports_of
from nttforge.kinds.lattice.standard import ML_KEM, standards_of
from nttforge.output import check_folder, filling
from nttforge.results import Result, timed
from nttforge.simulate.build import build_c
from nttforge.simulate.cycles import places
from nttforge.table import Block, Line

NAME = "nttforge"
LIBRARY, HEADER = f"lib{NAME}.so", f"{NAME}.h"
#: Rounds of a driver in which nothing moves, until it gives up: seconds of simulation.
PATIENCE = 100_000


class HostLibrary(Result):
    """A library for C programs.

    Attributes
    ----------
    folder, files
        Where it is, and what is in it: libraries, headers, the driver, an example.
    """

    design: str
    folder: str
    files: list[str]
    seconds: float = 0.0

    def shown(self) -> Iterator[Block]:
        """Where the library is, and what to read first."""
        files = len(self.files)
        yield Line(f"{files} files in {self.folder}; its README.md has a first program")


def _library(core: Hardware) -> LibraryTemplates:
    """What the library of a core is made of.

    Raises
    ------
    NttforgeError
        If it can have none, or has no registers.
    """
    if core.library is None:
        problem = f"is {core.what}, not a coprocessor with a queue of commands"
        raise NttforgeError(core.name, problem, core.instead)
    if core.registers is None:
        raise NttforgeError(
            core.name, "has no registers, which its driver needs", "set `registers` in its table"
        )
    return core.library


def _templates(core: Hardware, *, openssl: bool = False) -> tuple[Templates, Templates]:
    """What is compiled, beside the driver; and what a user gets with it."""
    kind = _library(core)
    ports = ports_of(core)
    known = dict(core.templates[f"{core.name}_driver.c"][1])
    vectors = {
        vector: {name: (at, mask.bit_length()) for name, at, mask in places(widths)}
        for vector, widths in (("inputs", ports.inputs), ("outputs", ports.read))
    }
    variables = {**known, **vectors, "patience": PATIENCE, "made_by": "host"}
    compiled: Templates = {
        HEADER: (kind.header, variables),
        "board.c": (kind.board, variables),
    }
    given: Templates = {
        HEADER: compiled[HEADER],
        "example.c": (kind.example, variables),
        "README.md": (kind.readme, {**variables, "openssl": openssl}),
    }
    return compiled, given


def build_library(prepared: Prepared[Hardware], design: Design) -> Path:
    """Compile the library, or take the one that is kept: the folder with it.

    Raises
    ------
    NttforgeError
        If the compiler is missing.
    """
    core = prepared.core
    _library(core)
    model = model_library(core, design_files(prepared.folder))
    compiled, _ = _templates(core)
    texts = driver_texts(core, design) | render_templates(core, design, compiled)
    return build_c(texts, NAME, model)


@timed
def write_library(design: Design, folder: Path, *, openssl: bool = False) -> HostLibrary:
    """Write the library, its headers and an example into a folder.

    Parameters
    ----------
    openssl
        Also write a provider for OpenSSL 3, `nttforge-kem.so`, and its sources.

    Raises
    ------
    NttforgeError
        If the design is no coprocessor with registers, the compiler or OpenSSL's headers are
        missing, or the folder holds something else or cannot be written.
    """
    check_folder(folder, HEADER, "the library's")
    prepared = prepare_any(design)
    core = prepared.core
    _library(core)
    texts: dict[str, str] = {}
    if openssl:
        if ML_KEM not in standards_of(core):
            raise NttforgeError("--openssl", "the provider is of ML-KEM", "leave it out")
        find_headers()
        texts = provider_texts(core, design)
    built = build_library(prepared, design)
    _, given = _templates(core, openssl=openssl)
    sources, texts = texts, driver_texts(core, design) | render_templates(core, design, given)
    libraries = {path.name: path for path in built.iterdir()}
    if openssl:
        libraries[f"{PROVIDER}.so"] = build_provider(texts | sources, built)
        texts |= sources
    with filling(folder, "choose a folder you can write to") as scratch:
        for name, text in texts.items():
            (scratch / name).write_text(text, "utf-8")
        for name, path in libraries.items():
            shutil.copyfile(path, scratch / name)
    return HostLibrary(
        design=design.name,
        folder=str(folder),
        files=sorted([*texts, *libraries]),
    )
