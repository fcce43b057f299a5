# SPDX-License-Identifier: Apache-2.0
"""A bit flipped in the core that is idle, and in what is between both, of the small core for both.

The other one then gives the right answer, or the result is a fault and the alert is raised: no
other answer with the result "none", and no secret of either core is left.
"""

import pytest
from dilithium_py.ml_dsa import ML_DSA_44

from nttforge.cache import design_files
from nttforge.kinds.lattice.bus import Request
from nttforge.kinds.lattice.mldsa.program import SETS as DSA_SETS
from nttforge.kinds.lattice.mldsa.standard import WORDS
from nttforge.simulate.cycles import CycleModel
from tests.coprocessors import BOTH_PORTS
from tests.faults.fault_campaign import Campaign, bench
from tests.faults.hardware import NARROW_BOTH
from tests.faults.scenario import BAD, STUCK
from tests.rtl.faulty import bits, settings, without_assertions
from tests.rtl.test_pqc_faults import (
    OPEN,
    Held,
    Operation,
    encapsulating,
    held,
    named,
    test_a_fault_at_any_time_gives_no_wrong_answer,
    test_a_fault_beside_an_operation_gives_no_wrong_answer,
    test_behind_a_fault_both_are_wiped_and_right,
    waits_in,
)
from tests.rtl.test_pqc_small import prepared
from tests.rtl.widths import width_fixture

__all__ = [
    "test_a_fault_at_any_time_gives_no_wrong_answer",
    "test_a_fault_beside_an_operation_gives_no_wrong_answer",
    "test_behind_a_fault_both_are_wiped_and_right",
]

PK, SK = ML_DSA_44._keygen_internal(bytes(32))
MESSAGE = bytes(range(32))
#: Registers that can be flipped, besides those of the control of either core.
BETWEEN = {"ntf_sponge_pairs": "*_q", "ntf_scaled_seeds": "*_q", "ntf_dsa_seeds": "*_q"}


width = width_fixture(slow=True)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, width: int) -> CycleModel:
    folder, made = tmp_path_factory.mktemp("pqc"), prepared(width)
    opened = settings(folder / "settings", OPEN | BETWEEN)
    sources = [opened, without_assertions(folder), *design_files(made.folder)]
    return CycleModel.build(folder / "model", sources, made.core.name, BOTH_PORTS)


def verifying(model: CycleModel) -> Held:
    """ML-DSA waits for M'."""
    signature = ML_DSA_44._sign_internal(SK, MESSAGE, bytes(32))
    request = Request("verify", DSA_SETS[0], public=(PK, signature, MESSAGE))
    return held(model, request, len(MESSAGE) // 8, {"m_pub": WORDS[True]}, "u_kem")


OPERATIONS: list[Operation] = [verifying, encapsulating]


operation = waits_in(OPERATIONS)


@pytest.fixture
def key_cycles(width: int) -> int:
    """Of a KeyGen, in which there is a fault, before there is a coefficient of which time tells."""
    return {4: 280, 8: 120}[width]


@pytest.mark.slow
@pytest.mark.parametrize("only", ["ML-KEM-512 encaps", "ML-DSA-44 keygen"])
def test_a_sample_of_the_campaign(
    tmp_path_factory: pytest.TempPathFactory, width: int, only: str
) -> None:
    name = NARROW_BOTH[width]
    made = bench(name, tmp_path_factory.mktemp("campaign"), 3, only, states=24)
    campaign = Campaign({name: made}, 3)
    seen = {tried.outcome for number in range(2) for tried in campaign.chunk(number)}
    assert len(seen) > 2
    assert not {each for each in seen if each.startswith(BAD) or each == STUCK}


def test_a_half_that_is_flipped_is_a_fault(model: CycleModel) -> None:
    """Which half of a word is next, in ML-KEM's turn and in the other one."""
    halves = [named(model, f"u_pairs.u_half.u_rail_{rail}.kept_q") for rail in (0, 1)]
    for begin in OPERATIONS:
        found = begin(model).outcomes([*bits(halves)])
        known = {"fault"} if begin is encapsulating else {"right", "fault"}
        assert found.keys() <= known, found
