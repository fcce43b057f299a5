# SPDX-License-Identifier: Apache-2.0
"""The small core for both standards when it signs, too: answers, cycles, refusals, wiping."""

import random

import pytest

from nttforge.design import load_design
from nttforge.flow.prepare import Prepared, prepare_kind
from nttforge.kinds.lattice.bus import Coprocessor, Request, open_core
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mldsa.program import SETS as DSA_SETS
from nttforge.kinds.lattice.mldsa.small.signing.cycles import sign_cycles
from nttforge.kinds.lattice.mldsa.small.signing.verify import SignCases
from nttforge.kinds.lattice.mlkem.program import SETS as KEM_SETS
from nttforge.kinds.lattice.mlkem.verify import MlkemCases
from nttforge.kinds.lattice.verify import compared, in_turn, verify_several
from nttforge.standards.ml_dsa.parameters import Parameters
from tests.coprocessors import kem_request
from tests.rtl.test_mldsa_sign import (
    SMALLEST,
    alike,
    key_of,
    late,
    moment,
    packets,
    request,
    signature,
    test_rnd_from_the_entropy_port,
    test_wrong_keys_are_refused,
)
from tests.rtl.test_pqc_faults import PATIENCE, drive, streams, zeroized
from tests.rtl.test_pqc_small import DESIGNS
from tests.rtl.widths import slow_at_eight, width_fixture

__all__ = ["test_rnd_from_the_entropy_port", "test_wrong_keys_are_refused"]

SEED = 12
KINDS = {"kem": MlkemCases, "dsa": SignCases}
#: When a signature is ended: while the key comes, in the first try, in its checks.
PARTS = (0.007, 0.06, 0.21, 0.51, 0.7)
width = width_fixture()


def prepared(width: int) -> Prepared[LatticeCore]:
    """Its commands are a stream, which tests can end anywhere."""
    design = load_design(DESIGNS[width], {"lattice.registers": False})
    return prepare_kind(design, LatticeCore)


@pytest.fixture(scope="module")
def core(width: int) -> Coprocessor:
    return open_core(prepared(width))


@pytest.mark.parametrize(("number", "stall"), [(0, 0.0), (1, 0.5), (2, 0.8)])
def test_both_standards_in_turn(core: Coprocessor, number: int, stall: float) -> None:
    rng = random.Random(f"{SEED} {number}")
    asked = in_turn(KINDS.values(), (KEM_SETS[number], DSA_SETS[number]), rng)
    assert {"sign", "sign_mu"} & {step.asked.operation for step in asked}
    assert not compared(core, asked, stall=stall, seed=SEED + number)


@slow_at_eight
def test_vectors_and_random_cases(core: Coprocessor) -> None:
    result = verify_several(KINDS, core, "dut", cases=3, seed=SEED)
    assert result.ok, result
    assert [each.vectors for each in result.parts.values()] == [180, 180]


@pytest.mark.slow
def test_a_thousand_cases_a_set(core: Coprocessor) -> None:
    result = verify_several(KINDS, core, "dut", cases=1000, seed=SEED)
    assert result.ok, result


@pytest.mark.parametrize("p", DSA_SETS, ids=lambda p: p.name)
def test_signatures_take_as_long_as_alone(core: Coprocessor, width: int, p: Parameters) -> None:
    """As derived, to the cycle, also of a try that fails by its hints; the key is made here."""
    rng = random.Random(p.name)
    pk, sk = key_of(p, rng.randbytes(32))
    for mu in (late(p, sk)[0], rng.randbytes(64)):
        made = signature(p, sk, mu, bytes(32))
        run = core.run(request(p, sk, mu))
        assert run.public == packets(made)
        assert run.cycles == sign_cycles(p, sk[:32], made, None, width), mu.hex()
        judged = core.run(Request("verify_mu", p, public=(pk, made.data, mu)))
        assert judged.reason == "none"


def test_keys_do_not_stay(core: Coprocessor) -> None:
    runs = core.run_all(
        [Request(name, SMALLEST) for name in ("load", "load_seed", "drop", "sign_loaded_mu")]
    )
    assert {run.reason for run in runs} == {"command"}


def left(core: Coprocessor, sk: bytes, cycles: int | None, *, kem: bool) -> tuple[bytes, bytes]:
    """The state in the middle, and after Sign, or after a zeroize in so many cycles of it.

    `kem`: ML-KEM makes a key between that and the second state.
    """
    model, middle = core._model, b""
    model.reset()
    drive(model, {}, PATIENCE, results=0)
    if cycles is None:
        core.run(request(SMALLEST, sk))
    else:
        drive(model, streams(request(SMALLEST, sk)), cycles)
        middle = model.state()
        zeroized(model)
    if kem:
        drive(model, streams(kem_request("keygen", KEM_SETS[0], b"", bytes(64))), PATIENCE)
    drive(model, {}, 3000, results=1)
    return middle, model.state()


@pytest.mark.parametrize("kem", [False, True], ids=["alone", "ML-KEM follows"])
def test_nothing_of_a_key_is_left(core: Coprocessor, width: int, kem: bool) -> None:
    """Two runs that differ in the key alone end in the same state, down to the last bit."""
    keys = alike(core)
    for cycles in (None, *(moment(part, width) for part in PARTS)):
        (middle, end), (other_middle, other_end) = (left(core, sk, cycles, kem=kem) for sk in keys)
        assert cycles is None or middle != other_middle
        assert end == other_end, cycles
