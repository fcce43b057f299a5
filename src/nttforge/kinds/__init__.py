# SPDX-License-Identifier: Apache-2.0
"""Kinds of cores: where the parts of each are.

A kind is a package with parts of fixed names: `config` (its table in a design), `build` (from a
design to a core), `backend` (what the verbs do with such a core: `BACKEND`; `BACKENDS` if it has
cores of several types) and, if it has them, `search_space` (what `explore` may propose), `sizes`
(which coprocessors it may propose), `drawing` (pictures of a core of streams), `example` (what such
a core does with 16 coefficients, to follow by hand) and `options` (verbs of such cores alone). Its
templates are in `templates/`; its SystemVerilog is in the library's rtl/, or in `rtl/` of the
package if another distribution brings the kind. docs/extending.md says what a new one takes.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from nttforge.errors import NttforgeError

#: Name of the entry points by which other packages bring a kind: family = "package".
GROUP = "nttforge.kinds"
#: Those by which they bring a standard for lattice coprocessors: name = "package".
STANDARDS = "nttforge.standards"
BUILT_IN: Mapping[str, str] = {
    "pipeline": "nttforge.kinds.stream",
    "iterative": "nttforge.kinds.iterative",
    "decomposed": "nttforge.kinds.decomposed",
    "lattice": "nttforge.kinds.lattice",
    "rns": "nttforge.kinds.rns",
}
#: Families of release 0.1, accepted for one more release: the family that has them now, and the
#: keys of its table that make it theirs.
FORMER: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "mlkem": ("lattice", {"standards": ["ml-kem"]}),
    "mldsa": ("lattice", {"standards": ["ml-dsa"]}),
    "pqc": ("lattice", {"standards": ["ml-kem", "ml-dsa"]}),
}


def installed(group: str) -> dict[str, str]:
    """Packages of other distributions, by the names of their entry points."""
    return {entry.name: entry.value for entry in sorted(entry_points(group=group))}


#: Packages of other distributions, by family.
INSTALLED: Mapping[str, str] = {
    name: package
    for name, package in installed(GROUP).items()
    if name.isidentifier() and name not in BUILT_IN
}
#: By the name of a family, which is that of its table in a design: the package of its kind.
FAMILIES: Mapping[str, str] = {**BUILT_IN, **INSTALLED}

Part = Literal[
    "config", "build", "backend", "search_space", "sizes", "drawing", "example", "options"
]


def part(family: str, name: Part) -> Any:
    """A part of a family's kind, imported."""
    module = f"{FAMILIES[family]}.{name}"
    if family in BUILT_IN:
        return import_module(module)
    try:
        return import_module(module)
    except ImportError as error:
        raise NttforgeError(
            f"family {family}",
            f"{module} cannot be imported: {error}",
            f"reinstall or remove the package that has the entry point of {GROUP}",
        ) from error


def has_part(family: str, name: Part) -> bool:
    """Whether a family's kind has a part that is optional."""
    return find_spec(f"{FAMILIES[family]}.{name}") is not None


def is_explored(family: str) -> bool:
    """Whether `explore` may propose designs of a family."""
    return has_part(family, "search_space")


@cache
def folders(name: Literal["rtl", "templates"]) -> tuple[Path, ...]:
    """Folders of that name in the kinds' packages; the SystemVerilog of those here is in rtl/."""
    specs = map(find_spec, (*INSTALLED.values(), *installed(STANDARDS).values()))
    places = (place for spec in specs for place in (spec and spec.submodule_search_locations) or ())
    others = (Path(place) / name for place in places)
    here = sorted(Path(__file__).parent.glob(f"*/{name}"))
    return (*here, *(folder for folder in others if folder.is_dir()))
