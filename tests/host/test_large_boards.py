# SPDX-License-Identifier: Apache-2.0
"""Engines for large transforms on a board, with memory ports, engines and channels in any number:
each operation of any size, with and without the zeros of its source."""

import random
from typing import Any

import numpy as np
import pytest

from nttforge import host
from nttforge.design import parse_design
from nttforge.flow.prepare import prepare_kind
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.verify import reference, with_zeros
from nttforge.simulate.native import from_limbs, random_words
from tests.host.board_models import MEMORY, REGISTERS, SIZE, Space

SMALL: dict[str, Any] = {"n": 16, "t": 4, "b": 2, "l_max": 10}
OWN = {"own_channels": True, "memory": "hbm2", "clock_mhz": 300.0, "port_bits": 64}
TABLES: dict[str, dict[str, Any]] = {
    "two ports": {"port_bits": 64, "coset": 5, "blowup": 4},
    "two engines": {"engines": 2, "digit": 3, "coset": 5, "blowup": 4},
    "four engines": {"engines": 4, "digit": 3, "port_bits": 64},
    "two kernels": {"engines": 2, "kernels": 2, "digit": 3, "coset": 5, "blowup": 4},
    "own channels": {"engines": 2, "digit": 3, **OWN},
    "own channels, two kernels": {"engines": 2, "kernels": 2, "digit": 3, "coset": 5, **OWN},
}


@pytest.mark.parametrize(
    "name",
    [
        name if name == "two ports" else pytest.param(name, marks=pytest.mark.slow)
        for name in TABLES
    ],
)
def test_a_board_does_what_the_definition_says(name: str) -> None:
    keys: dict[str, Any] = {
        "name": "on-a-board",
        "family": "decomposed",
        "rings": [{"q": 998244353}],
    }
    design = parse_design(keys | {"decomposed": SMALL | TABLES[name]}, "the test")
    prepared = prepare_kind(design, DecomposedCore)
    core, space = prepared.core, Space(prepared)
    draw, rng = random.Random(name), np.random.default_rng(1)
    with host.open(design, host.Board(space, REGISTERS, MEMORY, SIZE)) as engine:
        for operation in core.operations:
            for size in draw.sample(range(core.least, core.largest_of(operation) + 1), 3):
                for padding in {0, core.most_padding(operation, size)}:
                    shape = draw.choice((1, 2, 3)), 1 << size - padding
                    words = random_words(core.ring.q, shape, rng)
                    expected = from_limbs(reference(core, operation, with_zeros(words, padding)))
                    given = {"padding": padding} if padding else {}
                    found = engine.start(operation.name, from_limbs(words), **given).result()
                    assert (found == expected).all(), (operation.name, size, padding)
    space.rtl.close()
