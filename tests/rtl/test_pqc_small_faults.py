# SPDX-License-Identifier: Apache-2.0
"""A bit flipped in the core that is idle, and in what is between both, of the small core for both.

The other one then gives the right answer, or the result is a fault and the alert is raised: no
other answer with the result "none", and no secret of either core is left.
"""

import random
from collections.abc import Callable

import pytest
from dilithium_py.ml_dsa import ML_DSA_44

from nttforge.cache import design_files
from nttforge.kinds.lattice.bus import Request
from nttforge.kinds.lattice.mldsa.program import SETS as DSA_SETS
from nttforge.kinds.lattice.mldsa.standard import WORDS
from nttforge.kinds.lattice.mlkem.program import SETS as KEM_SETS
from nttforge.simulate.cycles import CycleModel
from tests.coprocessors import BOTH_PORTS, kem_request
from tests.rtl.faulty import bits, settings, without_assertions
from tests.rtl.test_pqc_faults import (
    OPEN,
    PATIENCE,
    Held,
    drive,
    encapsulating,
    held,
    named,
    streams,
    upsets,
    zeroized,
)
from tests.rtl.test_pqc_small import prepared

PK, SK = ML_DSA_44._keygen_internal(bytes(32))
MESSAGE = bytes(range(32))
#: Registers that can be flipped, besides those of the control of either core.
BETWEEN = {"ntf_sponge_pairs": "*_q", "ntf_scaled_seeds": "*_q", "ntf_dsa_seeds": "*_q"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    folder, made = tmp_path_factory.mktemp("pqc"), prepared()
    opened = settings(folder / "settings", OPEN | BETWEEN)
    sources = [opened, without_assertions(folder), *design_files(made.folder)]
    return CycleModel.build(folder / "model", sources, made.core.name, BOTH_PORTS)


def verifying(model: CycleModel) -> Held:
    """ML-DSA waits for M'."""
    signature = ML_DSA_44._sign_internal(SK, MESSAGE, bytes(32))
    request = Request("verify", DSA_SETS[0], public=(PK, signature, MESSAGE))
    return held(model, request, len(MESSAGE) // 8, {"m_pub": WORDS[True]}, "u_kem")


OPERATIONS = [verifying, encapsulating]


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("sample", [20, pytest.param(2000, marks=pytest.mark.slow)])
def test_a_fault_beside_an_operation_gives_no_wrong_answer(
    model: CycleModel, operation: Callable[[CycleModel], Held], sample: int
) -> None:
    run = operation(model)
    found = run.outcomes(upsets(run, sample))
    assert found.keys() == {"right", "fault"}, {k: v for k, v in found.items() if k != "right"}


def test_a_half_that_is_flipped_is_a_fault(model: CycleModel) -> None:
    """Which half of a word is next, in ML-KEM's turn and in the other one."""
    halves = [named(model, f"u_pairs.u_half.u_rail_{rail}.kept_q") for rail in (0, 1)]
    for operation in OPERATIONS:
        found = operation(model).outcomes([*bits(halves)])
        known = {"fault"} if operation is encapsulating else {"right", "fault"}
        assert found.keys() <= known, found


@pytest.mark.parametrize(
    "place", ["u_kem.u_control.u_state.kept_q", "u_dsa.u_control.u_state.kept_q"]
)
def test_behind_a_fault_both_are_wiped_and_right(model: CycleModel, place: str) -> None:
    """Whichever core it is in: of two keys nothing is left; then both do what they do."""
    for begin in OPERATIONS:
        run, states = begin(model), []
        for other in (0, 1):
            model.reset()
            drive(model, {}, PATIENCE, results=0)
            given = streams(Request("keygen", DSA_SETS[0], bytes([other]) * 32))
            if begin is encapsulating:
                asked = kem_request("keygen", KEM_SETS[0], b"", bytes([other]) * 64)
                given = streams(asked)
            drive(model, given, 400)
            named(model, place).flip(3)
            seen = drive(model, {}, PATIENCE)
            assert (seen.reason, seen.alert, seen.idle) == ("fault", True, True)
            zeroized(model)
            states.append(model.state())
        assert states[0] == states[1]
        whole = drive(model, run.whole, PATIENCE)
        assert whole.reason == "none" and whole.words == run.right


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_fault_at_any_time_gives_no_wrong_answer(
    model: CycleModel, operation: Callable[[CycleModel], Held]
) -> None:
    run, rng = operation(model), random.Random(2)
    places = upsets(run, 2000)
    for _ in range(400):
        register, bit = rng.choice(places)
        before = rng.randrange(1, 700)
        how = run.outcome(register, bit, before=before)
        assert how in {"right", "fault"}, (register.name, bit, before, how)
