# SPDX-License-Identifier: Apache-2.0
"""What a verb has to say, and its exit code."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nttforge.table import Block

OK, FAILED, USAGE, WRONG, INTERRUPTED, TERMINATED = 0, 1, 2, 3, 130, 143


@dataclass(frozen=True)
class Outcome:
    """What a verb has to say.

    Attributes
    ----------
    data
        The object that `--json` prints.
    view
        The same for people; a plain string is printed as it is.
    ok
        Whether all of it held.
    page
        What a page quotes of it, which `--markdown` prints; with `--json` too, as data.
    figures
        What can be held to a bound.
    problem
        The line that says which bound was not kept to.
    failed
        The exit code if not all of it held.
    """

    data: dict[str, Any]
    view: str | Iterable[Block]
    ok: bool = True
    page: Iterable[Block] = ()
    figures: Mapping[str, float] = field(default_factory=dict)
    problem: str = ""
    failed: int = FAILED
