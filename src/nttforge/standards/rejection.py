# SPDX-License-Identifier: Apache-2.0
"""Rejection sampling from an extendable-output function."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

S = TypeVar("S", bound=np.generic)
Xof = Callable[[int], bytes]
"""The first so many bytes of a stream; longer requests extend shorter ones."""


def first_accepted(
    xof: Xof, accepted: Callable[[bytes], npt.NDArray[S]], count: int, first_bytes: int
) -> npt.NDArray[S]:
    """Squeeze until `count` candidates have been accepted.

    - `xof`: the stream.
    - `accepted`: bytes of the stream -> the candidates in it that pass, in order.
    - `count`: candidates wanted.
    - `first_bytes`: bytes to begin with, a whole number of candidates; doubled while too few pass.
      It changes the work, never the result.

    Returns the first `count` accepted candidates, shape (count,).
    """
    length = first_bytes
    while True:
        values = accepted(xof(length))
        if len(values) >= count:
            return values[:count]
        length *= 2
