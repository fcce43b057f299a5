# SPDX-License-Identifier: Apache-2.0
"""Both standards on one sponge and one transform, against kyber-py and dilithium-py.

In turn, with stalls, ended in the middle; what is left of one when the other begins; mutants.
"""

import random
from collections.abc import Iterable

import pytest

from nttforge.design import load_design
from nttforge.designs import PQC_CORE
from nttforge.errors import FaultError, NttforgeError
from nttforge.flow.prepare import Prepared, prepare_kind
from nttforge.kinds.lattice.bus import Coprocessor, Request, open_core
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.measure import measure_standard
from nttforge.kinds.lattice.mldsa.program import SETS as DSA_SETS
from nttforge.kinds.lattice.mldsa.verify import MldsaCases
from nttforge.kinds.lattice.mlkem.measure import KemMeasures
from nttforge.kinds.lattice.mlkem.program import SETS as KEM_SETS
from nttforge.kinds.lattice.mlkem.verify import MlkemCases
from nttforge.kinds.lattice.standard import ML_KEM
from nttforge.kinds.lattice.verify import Cases, compared, in_turn
from nttforge.simulate.cycles import CycleModel
from nttforge.standards.ml_dsa.keygen import keygen_internal
from nttforge.standards.transform_engine import software_engine
from tests.coprocessors import BOTH_PORTS
from tests.rtl.beside import Mutant, MutantModel, with_mutants
from tests.rtl.kem_port import kem_port
from tests.rtl.mlkem_state import differences, traces
from tests.rtl.test_mldsa_core import SIGNER, behind_refused, held, held_by_signing

SEED = 7
KEM = ML_KEM.mark
BOTH = (MlkemCases, MldsaCases)
#: What ML-KEM's own coprocessor takes, as docs/appendix/lattice.md has it: by set and operation.
ALONE = (685, 831, 945, 995, 1416, 1071, 1267, 1286, 1512, 2096, 1694, 1889, 1844, 2228, 3085)
SLOWER = 1.03


def prepared() -> Prepared[LatticeCore]:
    return prepare_kind(load_design(PQC_CORE), LatticeCore)


@pytest.fixture(scope="module")
def core() -> Coprocessor:
    return open_core(prepared())


def turns(
    core: Coprocessor,
    number: int,
    stall: float,
    *,
    kinds: Iterable[type[Cases]] = BOTH,
    seed: int = SEED,
) -> list[str]:
    """What is wrong of operations of both standards in turn, of two of the six sets."""
    rng = random.Random(f"{seed} {number}")
    asked = in_turn(kinds, (KEM_SETS[number % 3], DSA_SETS[number % 3]), rng)
    return compared(core, asked, stall=stall, seed=seed + number)


@pytest.mark.parametrize(("number", "stall"), [(0, 0.0), (1, 0.5), (2, 0.8)])
def test_both_standards_in_turn(core: Coprocessor, number: int, stall: float) -> None:
    assert not turns(core, number, stall), f"seed {SEED}"


@pytest.mark.slow
def test_signatures_are_verified_before_they_leave() -> None:
    """If a key says so; ML-KEM's operations in between are those of a core without it."""
    design = load_design(PQC_CORE, {"lattice.verify_signatures": True})
    core = open_core(prepare_kind(design, LatticeCore))
    for number, stall in ((0, 0.0), (2, 0.5)):
        rng = random.Random(f"{SEED} {number}")
        asked = in_turn(BOTH, (KEM_SETS[number], DSA_SETS[number]), rng, checks=core.checks)
        assert not compared(core, asked, stall=stall, seed=SEED + number)
    seeds, p = [bytes([number] * 32) for number in range(2)], DSA_SETS[0]
    (_, sk), (other, _) = (keygen_internal(p, each, software_engine()) for each in seeds)
    with pytest.raises(FaultError, match="illegal state"):
        core.run(Request("sign", p, bytes(32) + sk, (b"",)).checked(other))


def idle(model: CycleModel, **drive: int) -> None:
    for _ in range(20_000):
        if model.step(**drive)["idle_o"]:
            return
    raise AssertionError("never idle")


def begun(model: CycleModel, command: int, cycles: int, noise: int = 1) -> None:
    """A command of which so many cycles have gone by, with words of noise at the secret port."""
    idle(model)
    while not model.step(s_command_tvalid=1, s_command_tdata=command)["s_command_tready"]:
        pass
    for cycle in range(cycles):
        model.step(
            s_sec_tvalid=1, s_sec_tdata=(cycle + noise) * 0x9E3779B97F4A7C15 % 2**64, m_pub_tready=1
        )


@pytest.mark.parametrize("command", [0, KEM], ids=["ML-DSA", "ML-KEM"])
def test_what_is_ended_leaves_the_other_one_as_it_was(core: Coprocessor, command: int) -> None:
    """Zeroized, and reset, at many moments: what follows is right, and the result was reported."""
    model = core._model
    for cycles in (1, 7, 40, 200, 600):
        begun(model, command, cycles)
        # Nobody sends the rest of a packet: a second time it waits for none.
        drive = [
            {"zeroize_i": int(cycle in {0, 2000}), "m_result_tready": 1} for cycle in range(4000)
        ]
        seen = [step for step in (model.step(**each) for each in drive) if step["m_result_tvalid"]]
        assert len(seen) == 1 and seen[0]["m_result_tdata"] & KEM == command
        assert model.step()["idle_o"] and not model.step()["alert_o"]
        begun(model, command, cycles)
        model.reset()
    assert not turns(core, 0, 0.0)


def test_a_result_is_waited_for(core: Coprocessor) -> None:
    """Until it is taken no command is, of whichever standard."""
    model = core._model
    # No such operation or set, and bits that mean nothing.
    for wrong in (
        0x27,
        0x18,
        KEM | 0x18,
        KEM | 0x04,
        KEM | 0x0D,
        KEM | 0x07,
    ):
        begun(model, wrong, 0)
        for offered in (0, KEM) * 40:
            seen = model.step(s_command_tvalid=1, s_command_tdata=offered)
            assert not seen["s_command_tready"] and not seen["idle_o"]
        assert seen["m_result_tvalid"] and seen["m_result_tdata"] == (wrong & KEM) | 1
        model.step(m_result_tready=1)
        idle(model)


def test_nothing_of_one_standard_is_left_for_the_other(core: Coprocessor) -> None:
    model = core._model
    assert not traces(model, KEM_SETS[0], SEED, kem_port)
    assert not differences(model, KEM_SETS[0], SEED, kem_port)
    xi = bytes([5] * 32)
    core.run(Request("keygen", DSA_SETS[2], xi))
    state = model.state()
    assert not [piece for piece in held(DSA_SETS[2], xi) if piece in state]
    # After a signature Keccak has y of a try that did not come to be.
    signed = core.run(Request("sign_mu", DSA_SETS[1], bytes(32) + SIGNER, (bytes(64),)))
    state = model.state()
    assert signed.reason == "none"
    assert not [piece for piece in held_by_signing() if piece in state]
    refused, other = behind_refused(core)
    assert refused == other


@pytest.mark.parametrize("command", [0, KEM], ids=["ML-DSA", "ML-KEM"])
def test_what_is_ended_is_wiped(core: Coprocessor, command: int) -> None:
    """Two keys of which nothing but seeds came, and were hashed: their states are the same."""
    states = []
    for noise in (1, 2):
        core._model.reset()
        begun(core._model, command, 40, noise)
        core._model.step(zeroize_i=1)
        for cycle in range(3000):
            core._model.step(zeroize_i=int(cycle == 2000), m_result_tready=1)
        states.append(core._model.state())
    assert core._model.step()["idle_o"] and states[0] == states[1]


def test_ml_kem_is_no_slower(core: Coprocessor) -> None:
    found = measure_standard(KemMeasures(ML_KEM, prepared().core), core, runs=2)
    latencies = [row.latency_cycles for row in found.operations.values()]
    assert all(ours <= SLOWER * alone for ours, alone in zip(latencies, ALONE, strict=True))


def test_other_rings_are_refused_in_a_line() -> None:
    with pytest.raises(NttforgeError, match="the core of both standards has 2 rings") as refused:
        prepare_kind(load_design(PQC_CORE, {"rings": [{"preset": "ml-dsa"}]}), LatticeCore)
    assert len(str(refused.value)) <= 300


CONTROL, SHARE, SPONGE = "pqc/ntf_pqc_control.sv", "pqc/ntf_pqc_share.sv", "lattice/ntf_sponge.sv"
MUTANTS = {
    "ML-DSA begins while ML-KEM's zeros are on their way": Mutant(
        CONTROL, r"(?<=~state\.command\[7\] & )kem_i\.idle", "1'b1", ""
    ),
    "a result is not waited for": Mutant(
        CONTROL, r"(?<=assign ready_o     = )~state\.owed", "1'b1", ""
    ),
    "a result is lost": Mutant(
        CONTROL, r"(?<=valid_o     = state\.kem \? )state\.there", "kem_i.done", ""
    ),
    "results are all ML-DSA's": Mutant(CONTROL, r"(?<=result_o    = \{)state\.kem", "1'b0", ""),
    "ML-KEM's error is none": Mutant(
        CONTROL, r"(?<=state\.kem \? )state\.error(?= : dsa)", "3'd0", ""
    ),
    "ML-KEM does not wipe the sponge": Mutant(SHARE, r"kem_ask_i\.wipe(?= :)", "1'b0", ""),
    "ML-DSA does not wipe the sponge": Mutant(SHARE, r"dsa_ask_i\.wipe(?=;)", "1'b0", ""),
    "transforms have one modulus": Mutant(SHARE, r"(?<=op_o        = \{)~kem_i", "1'b1", ""),
    "transforms have one direction": Mutant(SHARE, r"(?<=, )t_o\.inverse(?=\};)", "1'b0", ""),
    "ML-KEM has no echo": Mutant(SHARE, r"(?<=kem_free \? )~kem_i & kem_t_i\.valid", "1'b0", ""),
    "ML-DSA has no echo": Mutant(SHARE, r"(?<=dsa_d    = )kem_i & dsa_t_i\.valid", "1'b0", ""),
    "an echo is always ready": Mutant(SHARE, r"(?<=kem_t_ready_o = kem_i \? )ready_i", "1'b1", ""),
    "SHA3-512 has another rate": Mutant(SPONGE, r"pad_q\.narrow", "1'b0", ""),
    "the first words are not absorbed": Mutant(
        SPONGE, r"(?<=\{HeadBits\{)ask_i\.absorbed", "1'b0", ""
    ),
    "the last words are not absorbed": Mutant(
        SPONGE, r"(?<=AbsorbBits - HeadBits\)\{)message", "1'b0", ""
    ),
}


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> MutantModel:
    folder = tmp_path_factory.mktemp("mutants")
    return with_mutants(prepared(), BOTH_PORTS, [*MUTANTS.values()], folder, assertions=False)


def judged(model: MutantModel, mutant: int) -> bool:
    """Whether what a few of the tests above look at is as it must be."""
    model.mutant = mutant
    model.reset()
    core = Coprocessor(model)
    try:
        if turns(core, 0, 0.0) or turns(core, 1, 0.5):
            return False
        test_a_result_is_waited_for(core)
        test_nothing_of_one_standard_is_left_for_the_other(core)
        for command in (0, KEM):
            test_what_is_ended_is_wiped(core, command)
            test_what_is_ended_leaves_the_other_one_as_it_was(core, command)
    except (FaultError, NttforgeError, AssertionError, LookupError):
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("name", [None, *MUTANTS])
def test_mutants_are_caught(spoilt: MutantModel, name: str | None) -> None:
    number = 0 if name is None else 1 + list(MUTANTS).index(name)
    assert judged(spoilt, number) == (name is None)
