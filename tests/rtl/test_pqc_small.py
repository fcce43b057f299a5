# SPDX-License-Identifier: Apache-2.0
"""Both narrower cores on one sponge, the same memories and multipliers: answers, cycles, wiping.

In turn, with stalls, ended in the middle; what is left of one when the other begins; mutants.
"""

import random
from collections.abc import Mapping
from functools import partial

import pytest

from docs.tools.sized_machine import Plan, Size
from nttforge.design import load_design
from nttforge.designs import DSA_KEYS, PQC_MIDDLE, PQC_SMALL
from nttforge.errors import FaultError, NttforgeError
from nttforge.flow.prepare import Prepared, prepare_kind
from nttforge.kinds.lattice.bus import Coprocessor, Request, open_core, packet
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.measure import Measures, measure_standard
from nttforge.kinds.lattice.mldsa.program import SETS as DSA_SETS
from nttforge.kinds.lattice.mldsa.small.keys.cycles import keygen_cycles, keygen_standard_cycles
from nttforge.kinds.lattice.mldsa.small.keys.verify import KeyCases
from nttforge.kinds.lattice.mlkem.program import OPERATIONS
from nttforge.kinds.lattice.mlkem.program import SETS as KEM_SETS
from nttforge.kinds.lattice.mlkem.timing import secret_patterns
from nttforge.kinds.lattice.mlkem.verify import MlkemCases
from nttforge.kinds.lattice.standard import ML_KEM, part
from nttforge.kinds.lattice.verify import verify_several
from nttforge.simulate.cycles import CycleModel
from nttforge.standards.ml_dsa.keygen import h
from nttforge.standards.ml_dsa.parameters import Parameters
from tests.coprocessors import BOTH_PORTS, kem_request
from tests.rtl.beside import Mutant, MutantModel, with_mutants
from tests.rtl.kem_port import kem_port
from tests.rtl.mlkem_state import differences, traces
from tests.rtl.test_pqc import KEM, begun, idle, test_a_result_is_waited_for
from tests.rtl.test_pqc import turns as of_turns
from tests.rtl.test_pqc_faults import PATIENCE
from tests.rtl.widths import NARROW, at_both_widths, width_fixture

SEED = 11
BOTH = (MlkemCases, KeyCases)
KINDS = {"kem": MlkemCases, "dsa": KeyCases}
#: By bytes a cycle of ML-DSA.
DESIGNS = {4: PQC_SMALL, 8: PQC_MIDDLE}
#: Of ML-KEM in them.
OF_KEM = {4: Size(2, 2, keccak=4), 8: Size(4, 4, packed=2, keccak=8)}
#: More cycles than planned, of a hundred, as of `ml-kem-small`; and fewer, by bytes a cycle.
LATE, LATE_KEYGEN, SOONER = 6, 14, {4: 0, 8: 3}
width = width_fixture(slow=True)

__all__ = ["test_a_result_is_waited_for"]


def prepared(width: int) -> Prepared[LatticeCore]:
    """It does not sign, and its commands are a stream, which tests can end anywhere."""
    keys = {"lattice.operations": "keygen_verify", "lattice.registers": False}
    return prepare_kind(load_design(DESIGNS[width], keys), LatticeCore)


@pytest.fixture(scope="module")
def core(width: int) -> Coprocessor:
    return open_core(prepared(width))


turns = partial(of_turns, kinds=BOTH, seed=SEED)


@pytest.mark.parametrize(("number", "stall"), [(0, 0.0), (1, 0.5), (2, 0.8)])
def test_both_standards_in_turn(core: Coprocessor, number: int, stall: float) -> None:
    assert not turns(core, number, stall), f"seed {SEED}"


def test_vectors_and_random_cases(core: Coprocessor) -> None:
    result = verify_several(KINDS, core, "dut", cases=3, seed=SEED)
    assert result.ok, result
    assert [each.vectors for each in result.parts.values()] == [180, 120]


@pytest.mark.slow
def test_a_thousand_cases_a_set(core: Coprocessor) -> None:
    result = verify_several(KINDS, core, "dut", cases=1000, seed=SEED)
    assert result.ok, result


# Cycles.


def measured(core: Coprocessor, width: int, name: str) -> Mapping[str, float]:
    """Latencies of a standard's operations, by set."""
    made = prepared(width).core
    (standard,) = (each for each in made.standards if each.name == name)
    measures: Measures = part(standard, "measure").MEASURES(standard, made)
    found = measure_standard(measures, core, runs=1).operations
    return {label: row.latency_cycles for label, row in found.items()}


def test_ml_kem_takes_as_long_as_planned(core: Coprocessor, width: int) -> None:
    seen = measured(core, width, ML_KEM.name)
    for p in KEM_SETS:
        for operation in OPERATIONS:
            planned = Plan(OF_KEM[width], operation, p).cycles
            late = LATE_KEYGEN if operation == "keygen" and p.k > 2 else LATE
            taken = seen[f"{p.name} {operation}"]
            least = planned * (100 - SOONER[width]) // 100
            assert least <= taken <= planned * (100 + late) // 100


@pytest.mark.parametrize("p", DSA_SETS, ids=lambda p: p.name)
def test_ml_dsa_keys_take_as_long_as_derived(core: Coprocessor, width: int, p: Parameters) -> None:
    """To the cycle, as of the core that has nothing else."""
    rng = random.Random(SEED)
    for _ in range(3):
        seed = rng.randbytes(32)
        runs = core.run_all([Request(name, p, seed) for name in ("keygen", "keygen_standard")])
        derived = keygen_cycles(p, seed, width), keygen_standard_cycles(p, seed, width)
        assert tuple(run.cycles for run in runs) == derived


def test_ml_dsa_verifies_as_fast_as_alone(core: Coprocessor, width: int) -> None:
    alone = open_core(prepare_kind(load_design(DSA_KEYS, NARROW[width]), LatticeCore))
    rng, p = random.Random(SEED), DSA_SETS[1]
    pk, signature, mu = (rng.randbytes(n) for n in (p.pk_bytes, p.signature_bytes, 64))
    asked = Request("verify_mu", p, public=(pk, signature, mu))
    assert core.run(asked).cycles == alone.run(asked).cycles


def test_secrets_change_no_handshake(core: Coprocessor) -> None:
    for stall in (0.0, 0.4):
        found = secret_patterns(core, KEM_SETS[0], 6, seed=SEED, stall=stall)
        assert all(each.runs and not each.leaks for each in found.values())


def until(model: CycleModel, port: str, **drive: int) -> int:
    """Cycles until the output is 1; that one is gone, too."""
    for cycle in range(PATIENCE):
        if model.step(**drive)[port]:
            return cycle
    raise AssertionError(f"{port} is never 1")


def began(model: CycleModel) -> tuple[int, int]:
    """Cycles until a command of ML-DSA, offered from now on, is taken, and until xi is wanted."""
    taken = until(model, "s_command_tready", s_command_tvalid=1)
    return taken, taken + 1 + until(model, "s_sec_tready", s_sec_tvalid=1)


def test_ml_dsa_begins_when_ml_kem_has_wiped(core: Coprocessor) -> None:
    """Its command is taken before that, and waits until all words of the wiping are gone."""
    model = core._model
    model.reset()
    idle(model)
    taken, wanted = began(model)
    at_once = wanted - taken
    model.reset()
    asked = kem_request("keygen", KEM_SETS[0], b"", bytes(64))
    until(model, "s_command_tready", s_command_tvalid=1, s_command_tdata=asked.command)
    for data, last in packet(asked.secret):
        until(model, "s_sec_tready", s_sec_tvalid=1, s_sec_tdata=data, s_sec_tlast=last)
    until(model, "m_result_tvalid", m_pub_tready=1, m_sec_tready=1, m_result_tready=1)
    state = model.state()
    wiped = until(model, "idle_o")
    model.restore(state)
    taken, wanted = began(model)
    model.reset()
    assert taken + 1 < wiped
    assert wanted >= wiped + at_once - 1


# What is left.


def of_key(p: Parameters, xi: bytes) -> set[bytes]:
    """Of a seed and what is hashed of it, as memories and registers have it."""
    made = h(xi + bytes([p.k, p.l]), 128)
    return {value[at : at + 4] for value in (xi, made[32:]) for at in range(0, len(value), 4)}


def test_nothing_of_one_standard_is_left_for_the_other(core: Coprocessor) -> None:
    model = core._model
    assert not traces(model, KEM_SETS[0], SEED, kem_port)
    assert not differences(model, KEM_SETS[0], SEED, kem_port)
    for p in DSA_SETS:
        xi = random.Random(SEED).randbytes(32)
        core.run(Request("keygen", p, xi))
        state = model.state()
        assert not [piece for piece in of_key(p, xi) if piece in state]


@pytest.mark.parametrize("command", [0, KEM], ids=["ML-DSA", "ML-KEM"])
def test_what_is_ended_is_wiped(core: Coprocessor, command: int) -> None:
    """Two keys of which nothing but seeds came, and were hashed: their states are the same."""
    model, states = core._model, []
    for noise in (1, 2):
        model.reset()
        begun(model, command, 300, noise)
        # Nobody sends the rest of a packet: a second time it waits for none.
        for cycle in range(6000):
            seen = model.step(zeroize_i=int(cycle in {0, 3000}), m_result_tready=1)
        assert seen["idle_o"]
        states.append(model.state())
    assert states[0] == states[1]


def test_keys_leave_no_difference(core: Coprocessor, width: int) -> None:
    """Two keys that take as long, behind an operation of ML-KEM: states are the same."""
    p, rng = DSA_SETS[0], random.Random(SEED)
    seeds: dict[int, bytes] = {}
    while True:
        xi = rng.randbytes(32)
        other = seeds.setdefault(keygen_cycles(p, xi, width), xi)
        if other != xi:
            break
    states = []
    for seed in (xi, other):
        core._model.reset()
        port = kem_port(core._model)
        port.keygen(KEM_SETS[0], bytes(32), bytes(32))
        port.core.run(Request("keygen", p, seed))
        for _ in range(2500):
            seen = core._model.step()
        assert seen["idle_o"]
        states.append(core._model.state())
    assert states[0] == states[1]


def test_what_no_core_does_is_no_command(core: Coprocessor) -> None:
    runs = core.run_all(
        [Request(name, DSA_SETS[0]) for name in ("sign", "load", "drop", "sign_loaded_mu")]
    )
    assert {run.reason for run in runs} == {"command"}


def test_other_designs_are_refused() -> None:
    for keys in (
        {"lattice.width": 2},
        {"lattice.rounds_per_cycle": 2},
        {"lattice.equal_tries": True},
        {"lattice.verify_signatures": True},
    ):
        for design in DESIGNS.values():
            with pytest.raises(NttforgeError):
                load_design(design, keys)
    with pytest.raises(NttforgeError, match="the core of both standards has 2 rings"):
        prepare_kind(load_design(PQC_SMALL, {"rings": [{"preset": "ml-dsa"}]}), LatticeCore)


# Mutants.

FOLD, STORE = "pqc/ntf_pqc_fold.sv", "scaled/ntf_dsa_store.sv"
PAIRS, LANE = "scaled/ntf_sponge_pairs.sv", "scaled/ntf_dual_lane.sv"
CONTROL = "pqc/ntf_pqc_control.sv"
#: A request to the sponge without its first bit.
_NO_WIPE = "{{1'b0, {}[$bits(folded_req_t)-2:0]}}"
WRONG, LEFT, STOPS, EARLY = "wrong", "left", "stops", "early"
MUTANTS = {
    "ML-DSA begins while ML-KEM still wipes": Mutant(
        CONTROL, r"(?<=~state\.command\[7\] & )kem_i\.idle", "1'b1", EARLY
    ),
    "a result is lost": Mutant(
        CONTROL, r"(?<=valid_o     = state\.kem \? )state\.there", "kem_i.done", STOPS
    ),
    "ML-KEM never has the sponge": Mutant(FOLD, r"kem_i(?= \? kem_req_i :)", "1'b0", STOPS),
    "ML-KEM does not wipe the sponge": Mutant(
        FOLD, r"kem_req_i(?= : dsa)", _NO_WIPE.format("kem_req_i"), LEFT
    ),
    "ML-DSA does not wipe the sponge": Mutant(
        FOLD, r"(?<=: )dsa_req_i(?=;)", _NO_WIPE.format("dsa_req_i"), LEFT
    ),
    "ML-KEM is offered no words": Mutant(FOLD, r"(?<=rsp_i\.valid & )kem_i", "1'b0", STOPS),
    "the halves of a word are exchanged": Mutant(
        PAIRS, r"\{req_i\.data\[HalfW-1:0\], held_q\}", "held_q, req_i.data[HalfW-1:0]", WRONG
    ),
    "a message's half word is lost": Mutant(
        PAIRS, r"(?<=full = \(push & \(half_q\[r\]\.second \| )req_i\.last", "1'b0", STOPS
    ),
    "a squeezed word's lower half comes twice": Mutant(
        PAIRS, r"half_q\[0\]\.upper(?= \? rsp_i)", "1'b0", WRONG
    ),
    "twice as many words are squeezed": Mutant(
        PAIRS, r"\{1'b0, req_i\.words\[8:1\]\}", "req_i.words", STOPS
    ),
    "half of a word is not wiped": Mutant(PAIRS, r"req_i\.wipe(?=\) \{held_q)", "1'b0", LEFT),
    "ML-KEM's writes are not its own": Mutant(STORE, r"(?<=write   = )guest_i", "1'b0", WRONG),
    "ML-KEM's rows are ML-DSA's": Mutant(STORE, r"(?<=at\[1\]   = )guest_i", "1'b0", WRONG),
    "ML-KEM's factors are ML-DSA's": Mutant(LANE, r"guest_i(?= \? 24'\(fac)", "1'b0", WRONG),
    "ML-DSA's factors are ML-KEM's": Mutant(LANE, r"guest_i(?= \? 17'\(fac)", "1'b1", WRONG),
}


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory, width: int) -> MutantModel:
    folder = tmp_path_factory.mktemp("mutants")
    return with_mutants(prepared(width), BOTH_PORTS, [*MUTANTS.values()], folder, assertions=False)


def symptom(model: MutantModel, mutant: int) -> str:
    """What a few of the tests above see."""
    model.mutant = mutant
    model.reset()
    core = Coprocessor(model)
    try:
        if turns(core, 0, 0.0) or turns(core, 1, 0.5):
            return WRONG
        test_a_result_is_waited_for(core)
    except FaultError:
        return STOPS
    except (NttforgeError, AssertionError, LookupError):
        return WRONG
    try:
        test_ml_dsa_begins_when_ml_kem_has_wiped(core)
    except AssertionError:
        return EARLY
    try:
        for command in (0, KEM):
            test_what_is_ended_is_wiped(core, command)
        test_nothing_of_one_standard_is_left_for_the_other(core)
    except (FaultError, NttforgeError, AssertionError, LookupError):
        return LEFT
    return ""


@pytest.mark.slow
@at_both_widths(dict.fromkeys(NARROW, MUTANTS))
def test_mutants_are_caught(spoilt: MutantModel, name: str | None) -> None:
    number = 0 if name is None else 1 + list(MUTANTS).index(name)
    assert symptom(spoilt, number) == ("" if name is None else MUTANTS[name].symptom)
