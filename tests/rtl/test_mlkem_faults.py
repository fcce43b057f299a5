# SPDX-License-Identifier: Apache-2.0
"""Upsets in the whole coprocessor: a sample of what `python -m tests.faults` tries."""

import pytest

from tests import faults
from tests.faults import Decapsulation
from tests.rtl.faulty import bits, registers


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Decapsulation:
    return faults.decapsulation(faults.build(tmp_path_factory.mktemp("faults")), seed=3)


def test_a_release_is_seen(run: Decapsulation) -> None:
    """Both rails pushed at once, as no single fault can: K' leaves, and the campaign sees it."""
    pushed = [r for r in registers(run.model) if "u_leave" in r.name]
    end = len(run.inputs) - faults.MARGIN

    def released(at: int) -> bool:
        run.model.restore(run.states[at])
        for register, bit in bits(pushed):
            register.flip(bit)
        return run.released(at)

    assert len(pushed) == 2 and any(released(at) for at in range(end - 40, end))


@pytest.mark.parametrize(
    ("share", "sample"), [(300, 200), pytest.param(10, 20_000, marks=pytest.mark.slow)]
)
def test_no_flip_releases_the_secret(run: Decapsulation, share: int, sample: int) -> None:
    upsets = faults.flips(run, share, sample, seed=5)
    assert not faults.flipped(run, upsets)


def test_no_step_left_out_or_done_twice_releases_it(run: Decapsulation) -> None:
    steps = list(faults.steps(run))
    assert len(steps) > 100
    assert not faults.stepped(run, steps)
