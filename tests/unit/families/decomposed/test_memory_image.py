# SPDX-License-Identifier: Apache-2.0
"""Words in memory: bytes of arrays in whatever order they lie there."""

from collections.abc import Callable

import numpy as np
import pytest

from nttforge.hw import build_kind
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.simulator import from_memory, to_memory
from nttforge.simulate.native import Limbs, random_words
from tests.end_to_end.test_folder_bench import design_of

LAYOUTS: dict[str, Callable[[Limbs], Limbs]] = {
    "Fortran": np.asfortranarray,
    "every other word": lambda words: np.repeat(words, 2, axis=1)[:, ::2],
    "the other way": lambda words: words[::-1, ::-1].copy()[::-1, ::-1],
    "one row for all": lambda words: np.broadcast_to(words[:1], words.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["large", "sam-64", "sam-256-bn254", "hbm-64"])
def test_bytes_follow_words_not_the_array(name: str, layout: str) -> None:
    core = build_kind(design_of(name), DecomposedCore)
    words = random_words(core.ring.q, (3, 1 << core.least), np.random.default_rng(1))
    given = LAYOUTS[layout](words)
    image = to_memory(core, given)
    assert (image == to_memory(core, np.ascontiguousarray(given))).all()
    assert (from_memory(core, image, given.shape) == given).all()
