# SPDX-License-Identifier: Apache-2.0
"""The output of a verb, and its exit code."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nttforge.table import Block

OK, FAILED, USAGE, WRONG, INTERRUPTED, TERMINATED = 0, 1, 2, 3, 130, 143


@dataclass(frozen=True)
class Outcome:
    """The result of a verb.

    - `data`: the object that `--json` prints.
    - `view`: the same for people; a plain string is printed as it is.
    - `page`: the part that a page quotes, printed by `--markdown`.
    - `figures`: what can be held to a bound; `problem` names the bound that was not met.
    - `failed`: the exit code unless `ok`.
    """

    data: dict[str, Any]
    view: str | Iterable[Block]
    ok: bool = True
    page: Iterable[Block] = ()
    figures: Mapping[str, float] = field(default_factory=dict)
    problem: str = ""
    failed: int = FAILED
