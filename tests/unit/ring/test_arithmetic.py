# SPDX-License-Identifier: Apache-2.0
"""Arithmetic on arrays is that of integers, at every size of q and at its borders."""

import random

import numpy as np
import pytest

from nttforge.ring.arithmetic import arithmetic


@pytest.mark.parametrize("width", [2, 12, 30, 31, 32, 50, 62, 63, 64, 65, 100])
def test_every_operation_is_that_of_integers(width: int) -> None:
    draw = random.Random(width)
    # The least and the largest odd number of the width, and some between.
    moduli = {(1 << width - 1) + 1, (1 << width) - 1, 3}
    moduli |= {draw.randrange(1 << width - 1, 1 << width) | 1 for _ in range(5)}
    for q in sorted(moduli):
        corners = {0, 1, 2, q // 2, q // 2 + 1, q - 2, q - 1}
        values = [*sorted(corners), *(draw.randrange(q) for _ in range(30))]
        pairs = [(a, b) for a in values for b in values]
        modular = arithmetic(q)
        a, b = (np.array(column, dtype=modular.dtype) for column in zip(*pairs, strict=True))
        assert modular.add(a, b).tolist() == [(x + y) % q for x, y in pairs]
        assert modular.subtract(a, b).tolist() == [(x - y) % q for x, y in pairs]
        assert modular.scale(a, modular.prepare(b)).tolist() == [x * y % q for x, y in pairs]
        assert modular.halve(a).tolist() == [x * pow(2, -1, q) % q for x, _ in pairs]
