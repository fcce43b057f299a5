# SPDX-License-Identifier: Apache-2.0
"""What to say to a name that does not exist."""

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A mend for an unknown word: the nearest known one if any is near, and all there are."""
    names = list(known)
    near = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.4)
    listed = ", ".join(names)
    return f"did you mean {near[0]}? There are: {listed}" if near else f"use one of {listed}"
