# SPDX-License-Identifier: Apache-2.0
"""One ring has one transform: the simulated RTL of every family, and of two largest sizes."""

from typing import Any

import numpy as np
import pytest

import nttforge
from nttforge.design import parse_design
from nttforge.ring.ring import bit_reverse

BABY_BEAR, N = 2013265921, 64
ENGINES: dict[str, dict[str, Any]] = {
    "pipeline": {"pipeline": {"butterflies": 4}},
    "iterative": {"iterative": {"butterflies": 4}},
    "decomposed": {"decomposed": {"n": 16, "t": 4, "b": 2, "l_max": 6}},
    "decomposed, larger": {"decomposed": {"n": 16, "t": 4, "b": 2, "l_max": 20}},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ENGINES)
def test_the_transform_of_x_is_the_powers_of_the_usual_root(name: str) -> None:
    """31^((q-1)/64) to the power k, as Plonky3 has it; the decomposed family in natural order."""
    family = name.split(",", maxsplit=1)[0]
    many = family == "decomposed"
    ring = {"q": BABY_BEAR} | ({} if many else {"n": N, "form": "x^n-1"})
    data = {"name": "roots", "family": family, "rings": [ring], **ENGINES[name]}
    engine = nttforge.open(parse_design(data, "test"))
    x = np.zeros(N, dtype=np.int64)
    x[1] = 1
    w = pow(31, (BABY_BEAR - 1) // N, BABY_BEAR)
    places = [k if many else bit_reverse(k, 6) for k in range(N)]
    assert engine.ntt(x).tolist() == [pow(w, k, BABY_BEAR) for k in places]
