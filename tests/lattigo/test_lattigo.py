# SPDX-License-Identifier: Apache-2.0
"""Every coefficient of key switching, rotation and rescaling is lattigo's: a sample."""

import random
from collections.abc import Iterator

import pytest

from tests.lattigo.__main__ import OPERATIONS, PLACES, Case, differ, draw
from tests.lattigo.peer import Lattigo, NoLattigoError, lattigo

pytestmark = pytest.mark.slow  # builds a program whose module may have to be loaded


@pytest.fixture(scope="module")
def peer() -> Iterator[Lattigo]:
    try:
        with lattigo() as running:
            yield running
    except NoLattigoError as missing:
        pytest.skip(str(missing))


def cases(seed: int) -> dict[tuple[str, str, bool], Case]:
    """One of each operation and place, with one limb a digit and with more."""
    rng, found = random.Random(seed), dict[tuple[str, str, bool], Case]()
    while len(found) < 2 * len(OPERATIONS) * len(PLACES):
        case = draw(rng, most_log_n=10, most_limbs=12)
        found[case.operation, case.place, len(case.p.moduli) == 1] = case
    return found


def test_coefficients_are_lattigos(peer: Lattigo) -> None:
    apart = 0
    for number, case in enumerate(cases(0).values()):
        found = differ(peer, case, random.Random(number))
        assert not found or not case.exact, str(case)
        apart += found > 0
    assert apart, "borders that floating point gets wrong are reached"
