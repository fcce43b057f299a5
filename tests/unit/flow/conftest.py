# SPDX-License-Identifier: Apache-2.0
"""Small designs, whose simulators compile in seconds; two rings and both directions."""

from typing import Any

import pytest

from nttforge.design import parse_design
from nttforge.flow.prepare import prepare

SMALL = {
    "name": "two-rings",
    "rings": [{"name": "a", "n": 16, "q": 97}, {"name": "b", "n": 16, "q": 3329, "layers": 3}],
}


@pytest.fixture(scope="session")
def small() -> Any:
    """Two rings of 16 coefficients, one of them incomplete."""
    return prepare(parse_design(SMALL, "small"))


@pytest.fixture(scope="session")
def wide() -> Any:
    """One ring, one operation, words of 65 bits."""
    q = (1 << 64) + 13
    while True:
        q += 2
        if pow(2, q - 1, q) == 1 and (q - 1) % 16 == 0:
            break
    data = {"name": "one-wide-ring", "rings": [{"n": 8, "q": str(q)}], "operations": ["ntt"]}
    return prepare(parse_design(data, "wide"))
