# SPDX-License-Identifier: Apache-2.0
"""Digits at every border are the references', and where lattigo's are not they are near it."""

from collections.abc import Iterator

import pytest

from nttforge.kinds.rns.machine import Machine
from tests.lattigo.borders import compare, offsets
from tests.lattigo.peer import NoLattigoError, lattigo
from tests.rtl.rns.bench import prepared


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    with Machine.of(prepared()) as found:
        yield found


@pytest.mark.parametrize("limbs", [1, 2, 3])
def test_digits_at_borders_are_the_references(machine: Machine, limbs: int) -> None:
    found = compare(machine, None, limbs, 50)
    assert found["wrong rows"] == 0
    assert bool(found["near words"]) == (limbs > 1)
    assert found["borders"] == 4 * (50 * limbs - 2) + 2


def test_borders_are_on_both_sides() -> None:
    """(D - 1) / 2 stays positive, and 1 more is negative; 2^j on either side of both."""
    found = offsets(101)
    assert {0, 1, 2, -1, -15, 16, 17} <= set(found)
    assert {each % 101 for each in (50 + each for each in found)} >= {50, 51, 49, 52}


@pytest.mark.slow  # builds a program whose module may have to be loaded
def test_lattigo_differs_near_borders_alone(machine: Machine) -> None:
    try:
        with lattigo() as peer:
            one, two = (compare(machine, peer, limbs, 50) for limbs in (1, 2))
    except NoLattigoError as missing:
        pytest.skip(str(missing))
    assert one["lattigo differs"] == 0
    assert 0 < two["lattigo differs"] < two["borders"] / 2
    assert two["within"] in {"2^-53 D", "2^-52 D"}
