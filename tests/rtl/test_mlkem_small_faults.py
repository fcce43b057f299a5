# SPDX-License-Identifier: Apache-2.0
"""Flipped bits in the narrower ML-KEM cores: a sample of what the campaign tries in them."""

from functools import partial

import pytest

from tests.faults.fault_campaign import CHUNK, Bench, Campaign, bench
from tests.faults.hardware import SCALED
from tests.faults.scenario import BAD, FAULT, STUCK
from tests.rtl.faulty import Register, bits, registers

SEED = 3


@pytest.fixture(scope="module", params=SCALED)
def small(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """With operations of ML-KEM-512 alone, and few states of each, which is quick to make."""
    return bench(request.param, tmp_path_factory.mktemp("faults"), SEED, "ML-KEM-512", states=24)


def check_keygen(small: Bench, flipped: list[Register], every: int) -> None:
    """Each bit of these registers, once in so many cycles: faults, and nothing that is known."""
    scenario = next(s for s in small.scenarios if s.name == "ML-KEM-512 keygen, entropy, early")
    seen = {
        scenario.changed(cycle, partial(register.flip, bit))
        for register, bit in bits(flipped)
        for cycle in range(0, scenario.cycles, every)
    }
    assert FAULT in seen
    assert not {each for each in seen if each.startswith(BAD) or each == STUCK}


@pytest.mark.parametrize("unit", ["u_slots.u_rails", "u_ring.u_rails", "u_engine.u_rails"])
def test_no_noise_is_passed_over(small: Bench, unit: str) -> None:
    """A transform that ends early, or a place too many, would leave zeros where noise belongs."""
    found = [register for register in registers(small.model) if unit in register.name]
    assert len(found) == 2
    check_keygen(small, found, every=100)


def test_no_noise_is_lost(small: Bench) -> None:
    """Beats that are not written, or not yet, are what a wipe has left, which are zeros."""
    names = [f"u_squeeze.{name}" for name in ("active_q", "beat_q", "ended_q", "u_queue.")]
    names += [f"u_sample.{name}" for name in ("beat_q", "done_q", "third_q", "unit_valid_q")]
    names += [f"u_encode.{name}" for name in ("all_q", "beat_q", "have_q", "part_q", "u_active")]
    found = [each for each in registers(small.model) if any(name in each.name for name in names)]
    check_keygen(small, found, every=41)


def test_a_sample_of_the_campaign(small: Bench) -> None:
    campaign = Campaign({small.name: small}, SEED)
    seen = {tried.outcome for number in range(4) for tried in campaign.chunk(number)}
    assert len(seen) > 3 and CHUNK == 250
    assert not {each for each in seen if each.startswith(BAD) or each == STUCK}
