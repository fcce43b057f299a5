# SPDX-License-Identifier: Apache-2.0
"""Drawn designs of the decomposed family, of which most is asked: every size has its own rounds."""

from contextlib import suppress

import pytest

from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.hw import build_kind
from nttforge.kinds.decomposed.core import DecomposedCore
from tests.drawn import checked, draw, of_family, sizes_of

DECOMPOSED = of_family("decomposed")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_any_design(seed: int) -> None:
    """Refused in a line that names a key, or right at every size, and as fast as derived."""
    assert checked(seed, DECOMPOSED).transforms > 0


@pytest.mark.long
def test_large_transforms_are_drawn_of_several_rounds() -> None:
    """Of engines that are not refused; and each is tried at the last size that takes one round."""
    several, one = 0, 0
    for data in filter(DECOMPOSED, (draw(f"{seed}.0") for seed in range(600))):
        with suppress(NttforgeError):
            core = build_kind(parse_design(data, "drawn"), DecomposedCore)
            sizes = sizes_of(core, 0)
            several += sizes[-1] > core.shape.fits
            one += core.shape.fits in sizes or sizes[-1] < core.shape.fits
            assert (len(core.rounds(sizes[-1])) > 1) == (sizes[-1] > core.shape.fits)
    assert several >= 5, several
    assert one >= 5, one
