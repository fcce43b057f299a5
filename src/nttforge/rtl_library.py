# SPDX-License-Identifier: Apache-2.0
"""Finds the hand-written RTL: in the installed package, or in the source tree."""

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from nttforge.cache import FILE_LIST
from nttforge.errors import NttforgeError
from nttforge.kinds import folders

_WORD = re.compile(r"\b[a-z]\w*\b")


def rtl_root() -> Path:
    """Folder of the RTL library."""
    package = Path(__file__).parent
    for folder in (package / "_rtl", package.parents[1] / "rtl"):
        if (folder / "arith").is_dir():
            return folder
    raise NttforgeError("rtl", "the RTL library is not installed", "reinstall nttforge")


def licence() -> Path:
    """The licence's text: beside the library in the source tree, in it if installed."""
    root = rtl_root()
    for folder in (root, root.parent):
        if (folder / "LICENSE").is_file():
            return folder / "LICENSE"
    raise NttforgeError("rtl", "the licence is not installed", "reinstall nttforge")


#: The library for FuseSoC, and what Verilator's lint waives of it.
LIBRARY_CORE, WAIVERS = "nttforge.core", "waivers.vlt"


def whole_library() -> dict[str, Path]:
    """Files of the library that its FuseSoC core names, and the core: by their names below rtl/."""
    root = rtl_root()
    files = [root / LIBRARY_CORE, root / WAIVERS, *sorted(root.rglob("*.sv"))]
    return {path.relative_to(root).as_posix(): path for path in files}


def _roots() -> tuple[Path, ...]:
    """Folder of the library, and those of kinds that other packages bring."""
    return (rtl_root(), *folders("rtl"))


def library() -> dict[str, Path]:
    """Every module and package of the library and of installed kinds, one a file."""
    return _modules(_roots())


def _modules(roots: Iterable[Path]) -> dict[str, Path]:
    return {path.stem: path for root in roots for path in sorted(root.rglob("*.sv"))}


def source_path(name: str) -> Path:
    """A file by its name below rtl/."""
    for root in _roots():
        if (root / name).is_file():
            return root / name
    raise NttforgeError("rtl", f"there is no {name}", "reinstall the package of this kind")


def _code(path: Path) -> str:
    """A file without its comments."""
    return re.sub(r"//.*", "", path.read_text("utf-8"))


def needed(module: str, known: Mapping[str, Path]) -> list[str]:
    """What a module needs, packages first, a module before those that contain it, itself last."""
    order: dict[str, None] = {}

    def visit(name: str) -> None:
        for word in _WORD.findall(_code(known[name])):
            if word in known and word != name and word not in order:
                visit(word)
        order[name] = None

    visit(module)
    return sorted(order, key=lambda name: not name.endswith("_pkg"))


def sources_of(*modules: str) -> tuple[str, ...]:
    """Files that some modules need, by their names below rtl/: packages first, then as `needed`."""
    return _sources_of(_roots(), modules)


@cache
def _sources_of(roots: tuple[Path, ...], modules: tuple[str, ...]) -> tuple[str, ...]:
    """Read once for each place that the library is in: cores are built by the thousand."""
    known = _modules(roots)
    names = (name for module in modules for name in needed(module, known))
    return combine("/".join(known[name].parts[-2:]) for name in names)


def combine(*files: Iterable[str]) -> tuple[str, ...]:
    """Files of several parts, each once: packages first, else in this order."""
    each = dict.fromkeys(name for part in files for name in part)
    return tuple(sorted(each, key=lambda name: not name.endswith("_pkg.sv")))


@contextmanager
def alone(module: str) -> Iterator[Path]:
    """A design folder with a module of the library and what it needs, for as long as it is used."""
    known = library()
    with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
        folder = Path(scratch)
        names = needed(module, known)
        for name in names:
            (folder / f"{name}.sv").write_bytes(known[name].read_bytes())
        (folder / FILE_LIST).write_text("".join(f"{name}.sv\n" for name in names), "utf-8")
        yield folder
