# SPDX-License-Identifier: Apache-2.0
"""Flipped bits in the narrower ML-DSA core while it signs.

None lets a signature out of a try that is to be rejected, or one whose y anyone knows.
"""

import random
from functools import partial

import pytest

from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.simulate.cycles import CycleModel
from tests.faults import dsa
from tests.faults.case import timings
from tests.faults.hardware import SIGNER, WIDE_SIGNER, build, is_control
from tests.faults.hosts import HOSTS
from tests.faults.scenario import BAD, FAULT, RIGHT, STUCK, Scenario
from tests.rtl.faulty import Register, bits, registers
from tests.rtl.test_mldsa_keys_faults import outcomes
from tests.rtl.widths import width_fixture

P, STATES = SETS[0], 64


DESIGNS = {4: SIGNER, 8: WIDE_SIGNER}
width = width_fixture(slow=True)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, width: int) -> CycleModel:
    return build(DESIGNS[width], tmp_path_factory.mktemp("faults"))


@pytest.fixture(scope="module")
def scenarios(model: CycleModel, width: int) -> list[Scenario]:
    rng = random.Random(9)
    xi = rng.randbytes(32)
    pk, sk = dsa.REFERENCE[P]._keygen_internal(xi)
    cases = dsa._signatures(dsa.Key(P, pk, sk), xi, rng, whole=False)
    host, when = HOSTS[DESIGNS[width]](), timings(random.Random(1), 2500)
    return [
        Scenario(model, host, case, timing, states=STATES)
        for case, timing in zip(cases, when, strict=False)
    ]


@pytest.fixture(scope="module")
def control(model: CycleModel) -> list[Register]:
    return [register for register in registers(model) if is_control(register)]


def test_no_flip_of_control_gives_a_wrong_signature(
    scenarios: list[Scenario], control: list[Register]
) -> None:
    found, wrong = outcomes(scenarios, control, 200, 1)
    assert {RIGHT, FAULT} <= found.keys()
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_thousands_of_flips(scenarios: list[Scenario], control: list[Register], seed: int) -> None:
    _, wrong = outcomes(scenarios, control, 2000, seed)
    assert not wrong


@pytest.mark.parametrize("unit", ["u_signature.u_rails", "u_tries.u_rails", "u_more.u_rail"])
def test_no_try_is_accepted_by_one_rail(
    scenarios: list[Scenario], control: list[Register], unit: str
) -> None:
    """What says that a try passed, is accepted and leaves, at moments of the second try's life."""
    of = [register for register in control if unit in register.name]
    scenario, rng = scenarios[-1], random.Random(unit)
    wrong = []
    for register, bit in rng.sample([*bits(of)], min(24, len([*bits(of)]))):
        for part in (0.3, 0.7, 0.95):
            cycle = int(part * scenario.cycles)
            outcome = scenario.changed(cycle, partial(register.flip, bit))
            if outcome.startswith(BAD) or outcome == STUCK:
                wrong.append((outcome, register.name, bit, cycle))
    assert not wrong
