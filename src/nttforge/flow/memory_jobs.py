# SPDX-License-Identifier: Apache-2.0
"""What a kind of core says of its jobs in memory: how operands lie there, and how results do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Placed:
    """A job and its data, before they have addresses.

    - `code`, `log_size`: what the registers take.
    - `sources`: what each engine reads.
    - `targets`: how many bytes each engine writes.
    - `counts`: how many operations each engine does.
    - `scratch`: bytes of the work area, if one is used.
    - `stripe`: from a memory port's part of a buffer to the next one's, if there are several.
    - `results`: from what the engines have written to the array that a user gets.
    - `padding`: what the register takes, if there is one.
    """

    code: int
    log_size: int
    sources: list[Bytes]
    targets: list[int]
    counts: list[int]
    scratch: int
    stripe: int
    results: Callable[[list[Bytes]], Array]
    padding: int = 0


@dataclass(frozen=True)
class Jobs:
    """How a core that does jobs in memory is driven.

    - `header`: variables of its driver.
    - `place`: from the name of an operation, its operands and options to its job.
    """

    header: Mapping[str, Any]
    place: Callable[..., Placed]
