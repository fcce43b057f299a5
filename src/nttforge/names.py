# SPDX-License-Identifier: Apache-2.0
"""Names that a user gives, and what to say to one that does not exist."""

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

from nttforge.errors import NttforgeError

V = TypeVar("V")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A mend for an unknown word: the nearest known one if any is near, and all there are."""
    names = list(known)
    near = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.4)
    listed = ", ".join(names)
    return f"did you mean {near[0]}? There are: {listed}" if near else f"use one of {listed}"


def find(field: str, name: str, known: Mapping[str, V], problem: str = "") -> V:
    """What has that name.

    Raises
    ------
    NttforgeError
        `field`: there is none, with the nearest name that there is.
    """
    if name not in known:
        raise NttforgeError(field, problem or f"there is no {name}", did_you_mean(name, known))
    return known[name]


def find_operation(core: str, name: str | None, known: Mapping[str, V]) -> V:
    """An operation of a core; its name may be left out if there is but one.

    Raises
    ------
    NttforgeError
        `operation`, with the nearest right one.
    """
    if name is None and len(known) == 1:
        return next(iter(known.values()))
    if name is None:
        raise NttforgeError("operation", "is missing", f"use one of {', '.join(known)}")
    return find("operation", name, known, f"{core} has no operation {name}")
