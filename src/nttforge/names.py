# SPDX-License-Identifier: Apache-2.0
"""Names that a user gives, and the message for an unknown one."""

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

from nttforge.errors import NttforgeError

V = TypeVar("V")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint for an unknown word: those that begin so, or the nearest one, and all there are."""
    names = list(known)
    begun = [name for name in names if word and name.startswith(word.lower())][:3]
    near = begun or difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.4)
    listed = ", ".join(names)
    if not near:
        return f"use one of {listed}"
    return f"did you mean {' or '.join(near)}? There are: {listed}"


def find(field: str, name: str, known: Mapping[str, V], problem: str = "") -> V:
    """The entry of that name."""
    if not isinstance(name, str) or name not in known:
        raise NttforgeError(field, problem or f"there is no {name}", did_you_mean(str(name), known))
    return known[name]


def find_operation(core: str, name: str | None, known: Mapping[str, V]) -> V:
    """An operation of a core; its name may be left out if there is but one."""
    if name is None and len(known) == 1:
        return next(iter(known.values()))
    if name is None:
        raise NttforgeError("operation", "is missing", f"use one of {', '.join(known)}")
    return find("operation", name, known, f"{core} has no operation {name}")
