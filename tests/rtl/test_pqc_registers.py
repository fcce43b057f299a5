# SPDX-License-Identifier: Apache-2.0
"""The coprocessor of both standards through its registers: one queue, one table of codes."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from nttforge.design import load_design
from nttforge.designs import PQC
from nttforge.flow.prepare import Prepared, prepare_kind
from nttforge.kinds.lattice.bus import Coprocessor, Request, open_core, packet
from nttforge.kinds.lattice.commands import QUEUE_DEPTH
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mldsa.program import SETS as DSA_SETS
from nttforge.kinds.lattice.mldsa.verify import MldsaCases
from nttforge.kinds.lattice.mlkem.program import SETS as KEM_SETS
from nttforge.kinds.lattice.mlkem.verify import MlkemCases
from nttforge.kinds.lattice.pqc.registers import COMMANDS, REGISTERS, VERSION
from nttforge.kinds.lattice.standard import ML_DSA, ML_KEM
from nttforge.kinds.lattice.stimulus import StimulusStep
from nttforge.kinds.lattice.verify import compared, in_turn
from nttforge.simulate.cycles import CycleModel
from tests.coprocessors import DSA_PORTS, kem_request
from tests.register_access import RegisterAccess
from tests.rtl.beside import Mutant, MutantModel, caught, with_mutants

KEM, DSA = KEM_SETS[0], DSA_SETS[0]
FLOW = {"m_pub_tready": 1, "m_sec_tready": 1}
OFFERED = {"s_pub_tvalid": 1, "s_sec_tvalid": 1, "entropy_tvalid": 1}


def prepared() -> Prepared[LatticeCore]:
    return prepare_kind(load_design(PQC), LatticeCore)


@pytest.fixture(scope="module")
def core() -> Coprocessor:
    return open_core(prepared())


@pytest.fixture
def model(core: Coprocessor) -> CycleModel:
    core._model.reset()
    idle(core._model)
    return core._model


def idle(model: CycleModel, **given: int) -> None:
    for _ in range(20_000):
        if model.step(**FLOW, **given)["idle_o"]:
            return
    raise AssertionError("never idle")


def refused(name: str, tag: int) -> int:
    return REGISTERS["result"].word(error=COMMANDS.errors.index(name), tag=tag)


def known() -> set[tuple[int, ...]]:
    """Operation, set, and the flags `check` and `seed` of all commands that there are."""
    command = REGISTERS["command"]
    found = set()
    for standard in (ML_KEM, ML_DSA):
        kem = standard is ML_KEM
        for operation in standard.operations:
            for place in range(3):
                for check in range(1 + kem):
                    word = standard.word(
                        command, operation, place, **({"check": 1} if check else {})
                    )
                    fields = ("operation", "set", "check", "seed")
                    found.add(tuple(command.field(name).get(word) for name in fields))
    return found


def test_what_is_read(model: CycleModel) -> None:
    access = RegisterAccess(model, REGISTERS)
    expected = REGISTERS["identity"].word(version=VERSION, rounds=1, lanes=8, depth=QUEUE_DEPTH)
    assert access.read("identity") == expected
    assert access.read("status") == REGISTERS["status"].word(idle=1)
    assert access.read("result") == access.read("cycles") == 0
    assert not access.write("acknowledge", 1)


def test_what_is_no_command_of_either_standard_is_refused(model: CycleModel) -> None:
    """An operation that does not exist, or a set or a flag of the other standard."""
    access, command = RegisterAccess(model, REGISTERS), REGISTERS["command"]
    there, tried = known(), 0
    assert len(there) == 3 * (2 * 5 + 11)
    for operation in range(1 << COMMANDS.operation_bits):
        for chosen in range(1 << COMMANDS.set_bits):
            for flags in range(4):
                check, seed = flags & 1, flags >> 1
                if (operation, chosen, check, seed) in there:
                    continue
                tag, tried = tried % 256, tried + 1
                fields = {"operation": operation, "set": chosen, "check": check, "seed": seed}
                assert access.write("command", command.word(**fields, entropy=1, tag=tag))
                for _ in range(12):
                    seen = model.step(**OFFERED, **FLOW)
                    assert not any(seen[f"{port}_tready"] for port in ("s_pub", "s_sec", "entropy"))
                    assert not (seen["m_pub_tvalid"] or seen["m_sec_tvalid"])
                assert access.read("result") == refused("command", tag), fields
                assert access.write("acknowledge", 1)
    assert tried == 16 * 8 * 4 - len(there)


def asked(seed: int) -> list[StimulusStep]:
    rng = random.Random(seed)
    made = in_turn((MlkemCases, MldsaCases), (KEM, DSA), rng)
    assert len(made) > 2 * QUEUE_DEPTH
    # xi from the entropy port too.
    keygen = made[1].asked
    by_entropy = replace(keygen, secret=b"", entropy=keygen.secret)
    return [*made, made[1]._replace(asked=by_entropy)]


@pytest.mark.parametrize("stall", [0.0, 0.5])
def test_both_standards_through_one_queue(
    core: Coprocessor, model: CycleModel, stall: float
) -> None:
    assert not compared(core, asked(7), stall=stall, seed=3)


def test_results_of_both_standards_have_codes_of_one_table(core: Coprocessor) -> None:
    wrong = b"\xff" * KEM.ek_bytes
    runs = core.run_all(
        [
            kem_request("encaps", KEM, wrong, bytes(32)),
            Request("keygen", DSA, bytes(24)),
            kem_request("encaps", KEM, bytes(KEM.ek_bytes - 8), bytes(32)),
            Request("sign_loaded", DSA, bytes(32), (b"",)),
            kem_request("keygen", KEM, b"", bytes(56)),
        ]
    )
    reasons = ["modulus", "length", "public_length", "key", "secret_length"]
    assert [run.reason for run in runs] == reasons


@pytest.mark.parametrize("kem", [False, True], ids=["ML-DSA", "ML-KEM"])
def test_zeroize_ends_what_runs_and_not_what_waits(
    core: Coprocessor, model: CycleModel, kem: bool
) -> None:
    """One of the other standard, which waits in the queue, is done afterwards."""
    access = RegisterAccess(model, REGISTERS)
    first = kem_request("keygen", KEM, b"", bytes(64)) if kem else Request("keygen", DSA, bytes(32))
    # What needs no input: ML-KEM has only what it refuses.
    none = ML_KEM.word(REGISTERS["command"], "encaps", 0, seed=1, tag=1)
    second = Request("drop", DSA).word(1, REGISTERS) if kem else none
    for word in (first.word(0, REGISTERS), second):
        assert access.write("command", word)
    busy = REGISTERS["status"].field("busy")
    assert busy.get(access.read("status"))
    for word, last in packet(first.secret):
        drive = {"s_sec_tvalid": 1, "s_sec_tdata": word, "s_sec_tlast": last}
        while not model.step(**FLOW, **drive)["s_sec_tready"]:
            pass
    for _ in range(100):
        model.step(**FLOW)
    assert access.write("zeroize", 1)
    idle(model)
    assert access.read("result") == refused("zeroized", 0) and access.write("acknowledge", 1)
    ended = "none" if kem else "command"
    assert access.read("result") == refused(ended, 1) and access.write("acknowledge", 1)
    assert not busy.get(access.read("status"))


TOP = "../pqc_coprocessor.sv"
ENDS = r"zeroize_i \| \(zeroize & zeroize_now\)"
MUTANTS = {
    "sets of ML-DSA are ML-KEM's": Mutant(TOP, r"(?<=operation\[7\] \? )command\[6\]", "1'b0", ""),
    "flags of ML-KEM mean nothing": Mutant(TOP, r"command\[7\] \| command\[9\]", "1'b0", ""),
    "errors are ML-DSA's": Mutant(TOP, r"ended\[7\]", "1'b0", ""),
    "seeds come from the stream": Mutant(TOP, r"(?<=1'b0,\n    )command\[8\]", "1'b0", ""),
    "it is busy for a cycle": Mutant(
        TOP, r"\(cmd_valid & cmd_ready\) \| running_q", "cmd_valid", ""
    ),
    "ML-KEM is not zeroized": Mutant(TOP, rf"(?<=\.zeroize_i      \(){ENDS}", "zeroize_i", ""),
    "ML-DSA is not zeroized": Mutant(TOP, rf"(?<=fault, zeroize: ){ENDS}", "zeroize_i", ""),
}


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> MutantModel:
    where = tmp_path_factory.mktemp("mutants")
    return with_mutants(prepared(), DSA_PORTS, [*MUTANTS.values()], where)


@pytest.mark.slow
@pytest.mark.parametrize("name", [None, *MUTANTS])
def test_mutants_are_caught(spoilt: MutantModel, name: str | None) -> None:
    core = Coprocessor(spoilt, registers=REGISTERS)

    def checked(test: Callable[..., None], *given: object) -> None:
        spoilt.reset()
        idle(spoilt)
        test(*given)

    with caught(spoilt, MUTANTS, name):
        checked(test_what_is_no_command_of_either_standard_is_refused, spoilt)
        checked(test_results_of_both_standards_have_codes_of_one_table, core)
        for kem in (False, True):
            checked(test_zeroize_ends_what_runs_and_not_what_waits, core, spoilt, kem)
        checked(test_both_standards_through_one_queue, core, spoilt, 0.0)
