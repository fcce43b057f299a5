# SPDX-License-Identifier: Apache-2.0
"""Memory jobs of a kind of core: the layout of operands and results."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Placed:
    """A job and its data before they have addresses; sizes in bytes."""

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
    """Memory jobs of a core: its driver's variables, an operation's job."""

    header: Mapping[str, Any]
    place: Callable[..., Placed]
