# SPDX-License-Identifier: Apache-2.0
"""Every number of butterflies a stage, in both orders, for the moduli of StreamNTT and others."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nttforge.design import parse_design
from nttforge.flow.prepare import prepare
from nttforge.kinds.stream.verify import verify
from tests.rtl.small_cores import design_data, ntt_primes

MODULI = {16: (7681, 8380417), 256: (7681, 8380417), 1024: (12289, 3221225473)}
ORDERS = ("natural", "mirrored")


def check(n: int, q: int, butterflies: int, order: str, transforms: int = 70) -> None:
    data = design_data({"n": n, "q": q}, butterflies=butterflies, order=order)
    result = verify(prepare(parse_design(data, "lanes")), transforms=transforms, seed=butterflies)
    assert result.ok, result


@pytest.mark.parametrize("butterflies", [1, 2, 4, 8])
def test_lanes_of_a_small_ring(butterflies: int) -> None:
    check(16, 7681, butterflies, "mirrored")


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    ("n", "q", "butterflies"),
    [
        (n, q, 1 << k)
        for n, moduli in MODULI.items()
        for q in moduli
        for k in range(n.bit_length() - 1)
        if n * q.bit_length() << k < 1 << 23  # what compiles in half an hour
    ],
)
def test_lanes(n: int, q: int, butterflies: int, order: str) -> None:
    check(n, q, butterflies, order)


@pytest.mark.slow
def test_the_largest_ring() -> None:
    check(65536, 3221225473, 1, "natural", transforms=3)


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_random_rings_and_lanes(data: st.DataObject) -> None:
    depth = data.draw(st.integers(2, 7), "log2 n")
    q = data.draw(st.sampled_from(ntt_primes(2 << depth, range(depth + 4, 41))), "q")
    butterflies = 1 << data.draw(st.integers(0, depth - 1), "log2 butterflies")
    check(1 << depth, q, butterflies, data.draw(st.sampled_from(ORDERS)), transforms=30)
