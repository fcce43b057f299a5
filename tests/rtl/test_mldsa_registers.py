# SPDX-License-Identifier: Apache-2.0
"""The ML-DSA coprocessor through its registers: queue, tags, interrupt, entropy, zeroization."""

import random
from collections.abc import Callable

import pytest
from dilithium_py.ml_dsa import ML_DSA_44

from nttforge.design import load_design
from nttforge.flow.prepare import Prepared, prepare_kind
from nttforge.kinds.lattice.bus import Coprocessor, Request, open_core
from nttforge.kinds.lattice.commands import QUEUE_DEPTH
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.signing import OPERATIONS
from nttforge.kinds.lattice.mldsa.standard import ERRORS, REGISTERS, VERSION, private_key
from nttforge.simulate.cycles import CycleModel
from tests.coprocessors import DSA_PORTS
from tests.register_access import RegisterAccess
from tests.rtl.beside import Mutant, MutantModel, caught, with_mutants

P = SETS[0]
FLOW = {"m_pub_tready": 1, "m_sec_tready": 1}
#: A word of a seed; zeros are a fault.
ENTROPY = {"entropy_tvalid": 1, "entropy_tdata": 1}


def prepared() -> Prepared[LatticeCore]:
    return prepare_kind(load_design("ml-dsa-coprocessor"), LatticeCore)


@pytest.fixture(scope="module")
def core() -> Coprocessor:
    return open_core(prepared())


@pytest.fixture
def model(core: Coprocessor) -> CycleModel:
    core._model.reset()
    until(core._model, lambda seen: bool(seen["idle_o"]))
    return core._model


def until(model: CycleModel, over: Callable[[dict[str, int]], bool], **given: int) -> int:
    for cycle in range(20_000):
        if over(model.step(**FLOW, **given)):
            return cycle
    raise AssertionError("it never comes")


def field(access: RegisterAccess, register: str, name: str) -> int:
    return REGISTERS[register].field(name).get(access.read(register))


def test_what_is_read(model: CycleModel) -> None:
    access = RegisterAccess(model, REGISTERS)
    expected = REGISTERS["identity"].word(version=VERSION, rounds=1, lanes=8, depth=QUEUE_DEPTH)
    assert access.read("identity") == expected
    assert access.read("status") == REGISTERS["status"].word(idle=1)
    assert access.read("result") == access.read("cycles") == 0
    assert not access.write("acknowledge", 1)
    assert REGISTERS["result"].field("error").values == ERRORS
    assert REGISTERS["command"].field("operation").values == tuple(OPERATIONS)


def test_unknown_commands_take_no_input(model: CycleModel) -> None:
    access, command = RegisterAccess(model, REGISTERS), REGISTERS["command"]
    offered = {"s_pub_tvalid": 1, "s_sec_tvalid": 1, "entropy_tvalid": 1}
    unknown = [(operation, 0) for operation in range(len(OPERATIONS), 16)] + [(0, 3), (1, 3)]
    for tag, (operation, parameter_set) in enumerate(unknown):
        word = command.word(operation=operation, set=parameter_set, entropy=1, tag=tag)
        assert access.write("command", word)
        for _ in range(20):
            seen = model.step(**offered, **FLOW)
            assert not any(seen[f"{port}_tready"] for port in ("s_pub", "s_sec", "entropy"))
            assert not (seen["m_pub_tvalid"] or seen["m_sec_tvalid"])
        refused = REGISTERS["result"].word(error=ERRORS.index("command"), tag=tag)
        assert access.read("result") == refused and access.read("cycles") == 1
        assert access.write("acknowledge", 1)


@pytest.mark.parametrize("stall", [0.0, 0.3])
def test_more_than_the_queue_holds(core: Coprocessor, model: CycleModel, stall: float) -> None:
    """Each with its own answer, seeds from the stream and from the entropy port."""
    seed = random.Random(int(10 * stall)).randbytes(32)
    pk, sk = ML_DSA_44._keygen_internal(seed)
    made = ML_DSA_44._sign_internal(sk, b"abc", seed)
    padded = made + bytes(-len(made) % 8)
    asked = [
        (Request("keygen", P, entropy=seed), "none", (pk, sk)),
        (Request("sign", P, sk, (b"abc",), entropy=seed), "none", padded),
        (Request("verify", P, public=(pk, made, b"abc")), "none", None),
        (Request("verify", P, public=(pk, made, b"abd"), entropy=b""), "signature", None),
        (Request("keygen", P, seed[:24]), "length", b""),
        (Request("sign", P, seed + sk, (b"abc",)), "none", padded),
        (Request("sign", P, sk[:-8], (b"abc",), entropy=seed), "length", b""),
        (Request("keygen", P, seed), "none", (pk, sk)),
    ]
    assert len(asked) > QUEUE_DEPTH
    for run, (_, reason, expected) in zip(
        core.run_all([each[0] for each in asked], stall=stall, seed=7), asked, strict=True
    ):
        assert run.reason == reason and run.counted > run.cycles
        if isinstance(expected, tuple):
            assert (run.public, private_key(run.secret)) == expected
        elif expected is not None:
            assert run.public == expected
        else:
            assert run.accepted == (reason == "none")


def test_the_queues_fill(model: CycleModel) -> None:
    access, keygen = RegisterAccess(model, REGISTERS), REGISTERS["command"].word(entropy=1)
    assert access.write("interrupt_enable", 1)
    # One runs, which waits for its seed; the others wait for it.
    for waiting in (0, *range(1, QUEUE_DEPTH + 1)):
        assert access.write("command", keygen)
        assert field(access, "status", "waiting") == waiting
    assert field(access, "status", "full") == field(access, "status", "busy") == 1
    assert not access.write("command", keygen)
    assert not model.step()["interrupt_o"]
    until(model, lambda seen: bool(seen["interrupt_o"]), **ENTROPY)
    while field(access, "status", "results") < QUEUE_DEPTH:
        for _ in range(100):
            model.step(**FLOW, **ENTROPY)
    # There is no room for another result, so the last command waits.
    for _ in range(600):
        assert not model.step(**FLOW, **ENTROPY)["entropy_tready"]
    assert field(access, "status", "waiting") == 1 and not field(access, "status", "busy")
    assert access.write("acknowledge", 1)
    until(model, lambda seen: bool(seen["idle_o"]), **ENTROPY)
    for left in range(QUEUE_DEPTH, 0, -1):
        assert field(access, "status", "results") == left and access.read("cycles") > 2800
        assert access.write("acknowledge", 1)
    assert not model.step()["interrupt_o"]
    assert access.write("interrupt_enable", 2) and model.step()["interrupt_o"]


@pytest.mark.parametrize("words", [0, 2])
@pytest.mark.parametrize("operation", ["keygen", "sign"])
def test_zeroize_waits_for_no_entropy(
    core: Coprocessor, model: CycleModel, operation: str, words: int
) -> None:
    """What is left of the seed is not wanted any more; the packet after it is."""
    access = RegisterAccess(model, REGISTERS)
    request = Request(operation, P, entropy=b"")
    assert access.write("command", request.word(9))
    for _ in range(words):
        until(model, lambda seen: bool(seen["entropy_tready"]), entropy_tvalid=1)
    assert access.write("zeroize", 1)
    for _ in range(10):
        model.step(**FLOW)
    for _ in range(600):
        seen = model.step(**FLOW, entropy_tvalid=1)
        assert not seen["entropy_tready"]
    if operation == "sign":
        assert not seen["idle_o"] and seen["s_sec_tready"]
        last = {"s_sec_tvalid": 1, "s_sec_tlast": 1, "s_pub_tvalid": 1, "s_pub_tlast": 1}
        assert model.step(**last)["s_sec_tready"]
        until(model, lambda seen: bool(seen["idle_o"]))
    assert model.step()["idle_o"]
    zeroized = REGISTERS["result"].word(error=ERRORS.index("zeroized"), tag=9)
    assert access.read("result") == zeroized and access.write("acknowledge", 1)
    seed = bytes([9] * 32)
    run = core.run(Request("keygen", P, entropy=seed))
    assert (run.public, private_key(run.secret)) == ML_DSA_44._keygen_internal(seed)


@pytest.mark.parametrize("operation", ["keygen", "sign"])
def test_entropy_of_zeros_is_a_fault(model: CycleModel, operation: str) -> None:
    """Of the port alone: a stream of zeros is what deterministic signing has."""
    access = RegisterAccess(model, REGISTERS)
    assert access.write("command", Request(operation, P, entropy=b"").word(3))
    for word in range(4):
        until(model, lambda seen: bool(seen["entropy_tready"]), entropy_tvalid=1)
        assert not model.step()["alert_o"] or word == 3
    if operation == "sign":  # what is left of its packets
        last = {"s_sec_tvalid": 1, "s_sec_tlast": 1, "s_pub_tvalid": 1, "s_pub_tlast": 1}
        for _ in range(600):
            model.step(**FLOW, **last)
    until(model, lambda seen: bool(seen["idle_o"]))
    assert access.read("result") == REGISTERS["result"].word(error=ERRORS.index("fault"), tag=3)
    assert model.step()["alert_o"]


QUEUE, SOURCE = "lattice/ntf_command_queue.sv", "lattice/ntf_seed_source.sv"
MUTANTS = {
    "a result has the tag of the next command": Mutant(QUEUE, r"tag_q(?=, error_i)", "tag", ""),
    "a command waits for no room": Mutant(QUEUE, r"room(?= & ~running_q)", "1'b1", ""),
    "cycles count the queue's": Mutant(QUEUE, r"take(?=\) begin)", "done_i", ""),
    "seeds come from the stream": Mutant(SOURCE, r"(?<=\.seeding = )entropy_i", "1'b0", ""),
    "a seed has a word less": Mutant(SOURCE, r"(?<=\.count == )last_i", "last_i - 2'd1", ""),
    "the end waits for entropy": Mutant(SOURCE, r"wipe_i(?= & rail_q\[r\]\.seeding)", "1'b0", ""),
    "entropy waits for the end": Mutant(SOURCE, r"(?<=ends\[r\]\) \| )wipe_i", "1'b0", ""),
    "what follows a seed is none": Mutant(SOURCE, r"(?<=ends\) & )alone_i", "1'b1", ""),
}


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> MutantModel:
    where = tmp_path_factory.mktemp("mutants")
    return with_mutants(prepared(), DSA_PORTS, [*MUTANTS.values()], where)


@pytest.mark.slow
@pytest.mark.parametrize("name", [None, *MUTANTS])
def test_mutants_are_caught(spoilt: MutantModel, name: str | None) -> None:
    core = Coprocessor(spoilt)

    def checked(test: Callable[..., None], *given: object) -> None:
        spoilt.reset()
        until(spoilt, lambda seen: bool(seen["idle_o"]))
        test(*given)

    with caught(spoilt, MUTANTS, name):
        checked(test_more_than_the_queue_holds, core, spoilt, 0.0)
        checked(test_unknown_commands_take_no_input, spoilt)
        checked(test_the_queues_fill, spoilt)
        for operation in ("keygen", "sign"):
            for words in (0, 2):
                checked(test_zeroize_waits_for_no_entropy, core, spoilt, operation, words)
