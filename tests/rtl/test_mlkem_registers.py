# SPDX-License-Identifier: Apache-2.0
"""The coprocessor's registers, queues and interrupt, through its AXI4-Lite port."""

import random
import re
from pathlib import Path

import pytest
from kyber_py.ml_kem import ML_KEM_512

from nttforge.flow.prepare import prepare_kind
from nttforge.kinds.lattice.bus import open_core
from nttforge.kinds.lattice.commands import QUEUE_DEPTH
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mlkem.build import coprocessor_design
from nttforge.kinds.lattice.mlkem.program import SETS, KemOperation
from nttforge.kinds.lattice.mlkem.standard import REGISTERS, VERSION, rotate_key
from nttforge.simulate.cycles import CycleModel
from nttforge.standards.ml_kem.parameters import Parameters
from tests.coprocessors import address, kem_request, key_orders, register
from tests.rtl.mlkem_bench import RegisterKem

P = SETS[0]
SLVERR = 2


@pytest.fixture(scope="module")
def folder() -> Path:
    return prepare_kind(coprocessor_design(), LatticeCore).folder


@pytest.fixture(scope="module")
def compiled() -> CycleModel:
    return open_core(prepare_kind(coprocessor_design(), LatticeCore))._model


@pytest.fixture
def model(compiled: CycleModel) -> CycleModel:
    compiled.reset()
    idle(compiled)
    return compiled


def idle(model: CycleModel, **inputs: int) -> None:
    for _ in range(5000):
        if model.step(**inputs)["idle_o"]:
            return
    raise AssertionError("the coprocessor never becomes idle")


def status(coprocessor: RegisterKem, field: str) -> int:
    return register("status").field(field).get(coprocessor.read("status"))


def test_the_table_has_no_overlaps() -> None:
    for r in REGISTERS:
        assert sum(f.mask for f in r.fields) == sum(1 << b for f in r.fields for b in bits(f.mask))
        shown = [row[4] for row in REGISTERS.table().rows]
        assert all(f.name in shown for f in r.fields)


def bits(mask: int) -> list[int]:
    return [bit for bit in range(32) if mask >> bit & 1]


def test_the_header_says_the_same(folder: Path) -> None:
    text = (folder / "ml_kem_coprocessor.h").read_text()
    found = dict(re.findall(r"#define ML_KEM_COPROCESSOR_(\w+) (\w+)u", text))
    for r in REGISTERS:
        name = r.name.upper()
        assert int(found[name], 0) == address(r.name)
        for f in r.fields:
            assert int(found[f"{name}_{f.name.upper()}_MASK"], 0) == f.mask
            assert int(found[f"{name}_{f.name.upper()}_SHIFT"], 0) == f.low
    assert (found["RESULT_ERROR_MODULUS"], found["COMMAND_OPERATION_DECAPS"]) == ("4", "2")


def test_what_is_read_and_refused(model: CycleModel) -> None:
    coprocessor = RegisterKem(model)
    expected = register("identity").word(version=VERSION, rounds=1, lanes=4, depth=QUEUE_DEPTH)
    assert coprocessor.read("identity") == expected
    assert coprocessor.read("status") == register("status").word(idle=1)
    assert coprocessor.read("result") == coprocessor.read("cycles") == 0
    assert not coprocessor.write("identity", 0) and not coprocessor.write("status", 0)
    # There is no result to take.
    assert not coprocessor.write("acknowledge", 1)
    for value in (3, 0, 2):
        assert coprocessor.write("interrupt_enable", value)
        assert coprocessor.read("interrupt_enable") == value
    # An address beyond the table, a register that can only be written, a part of a word.
    for addr in (len(REGISTERS) * 4, 60, address("command"), 1):
        model.step(s_axi_arvalid=1, s_axi_araddr=addr)
        seen = model.step(s_axi_rready=1)
        assert (seen["s_axi_rresp"], seen["s_axi_rdata"]) == (SLVERR, 0)
    write = {"s_axi_awvalid": 1, "s_axi_wvalid": 1, "s_axi_wdata": 1}
    for addr, strobes in ((60, 15), (address("interrupt_enable"), 7), (address("command"), 1)):
        while not model.step(**write, s_axi_awaddr=addr, s_axi_wstrb=strobes)["s_axi_awready"]:
            pass
        assert model.step(s_axi_bready=1)["s_axi_bresp"] == SLVERR
    assert coprocessor.read("interrupt_enable") == 2
    assert status(coprocessor, "idle") == 1


def test_the_port_waits(model: CycleModel) -> None:
    """Address before data, data before address, and an answer that is not taken for long."""
    coprocessor = RegisterKem(model)
    place = {"s_axi_awaddr": address("interrupt_enable")}
    word = {"s_axi_wdata": 3, "s_axi_wstrb": 15}
    for early in ({"s_axi_awvalid": 1, **place}, {"s_axi_wvalid": 1, **word}):
        seen = [model.step(**early) for _ in range(3)]
        assert not any(s["s_axi_awready"] or s["s_axi_wready"] or s["s_axi_bvalid"] for s in seen)
    both = {"s_axi_awvalid": 1, "s_axi_wvalid": 1, **place, **word}
    for ready in (0, 1):  # it says so whatever is valid in the same cycle
        now = model.step(**both)
        assert now["s_axi_awready"] == now["s_axi_wready"] == ready
    for _ in range(4):
        now = model.step(**both)
        assert now["s_axi_bvalid"] and not now["s_axi_awready"] and not now["s_axi_wready"]
    model.step(s_axi_bready=1)
    assert not model.step()["s_axi_bvalid"]
    model.step(s_axi_arvalid=1, s_axi_araddr=address("interrupt_enable"))
    for _ in range(4):
        now = model.step(s_axi_arvalid=1, s_axi_araddr=0)
        assert (now["s_axi_rvalid"], now["s_axi_rdata"], now["s_axi_arready"]) == (1, 3, 0)
    model.step(s_axi_rready=1)
    assert coprocessor.read("interrupt_enable") == 3


def test_unknown_commands(model: CycleModel) -> None:
    coprocessor, command = RegisterKem(model), register("command")
    offered = {"s_pub_tvalid": 1, "s_sec_tvalid": 1, "entropy_tvalid": 1}
    asked = [(operation, 3, seed) for operation in range(4) for seed in range(2)]
    # No other operation than Decaps makes a key first.
    asked += [(operation, place, 1) for operation in (0, 1, 3) for place in range(3)]
    for tag, (operation, place, seed) in enumerate(asked):
        word = command.word(operation=operation, set=place, seed=seed, tag=tag, entropy=1)
        assert coprocessor.write("command", word)
        for _ in range(20):
            seen = model.step(**offered, m_pub_tready=1, m_sec_tready=1)
            assert not (seen["s_pub_tready"] or seen["s_sec_tready"] or seen["entropy_tready"])
            assert not (seen["m_pub_tvalid"] or seen["m_sec_tvalid"])
        assert coprocessor.read("result") == register("result").word(error=1, tag=tag)
        assert coprocessor.read("cycles") == 1
        assert coprocessor.write("acknowledge", 1)
        assert status(coprocessor, "result") == 0


@pytest.mark.parametrize("stall", [0.0, 0.4])
def test_queued_operations(model: CycleModel, stall: float) -> None:
    rng, coprocessor = random.Random(17), RegisterKem(model)
    for _ in range(3):
        d, z, m = (rng.randbytes(32) for _ in range(3))
        ek, dk = ML_KEM_512._keygen_internal(d, z)
        secret, c = ML_KEM_512._encaps_internal(ek, m)
        bad = bytes([255] * 384) + ek[384:]
        word = rng.randbytes(8)
        requests = [
            kem_request("keygen", P, b"", b"", entropy=d + z + word),
            kem_request("encaps", P, bad, m),
            kem_request("encaps", P, ek, b"", entropy=m + word),
            kem_request("decaps", P, c, rotate_key(dk), check=True, entropy=word),
        ]
        rng.shuffle(requests)
        runs = coprocessor.run_all(requests, stall=stall, seed=rng.randrange(100))
        for request, run in zip(requests, runs, strict=True):
            if request.operation == "keygen":
                assert (run.public, run.secret) == (ek, dk)
            elif request.operation == "decaps":
                assert run.secret == secret
            elif request.public == (bad,):
                assert (run.reason, run.public, run.secret) == ("modulus", b"", b"")
            else:
                assert (run.public, run.secret) == (c, secret)


def test_the_queues_fill(model: CycleModel) -> None:
    coprocessor, keygen = RegisterKem(model), register("command").word(entropy=1)
    assert coprocessor.write("interrupt_enable", 1)
    # One runs, which waits for its seeds; the others wait for it.
    for waiting in (0, *range(1, QUEUE_DEPTH + 1)):
        assert coprocessor.write("command", keygen)
        assert status(coprocessor, "waiting") == waiting
    assert status(coprocessor, "full") == status(coprocessor, "busy") == 1
    assert not coprocessor.write("command", keygen)
    assert not model.step()["interrupt_o"]
    flow = {"entropy_tvalid": 1, "entropy_tdata": 5, "m_pub_tready": 1, "m_sec_tready": 1}
    for _ in range(20000):
        if model.step(**flow)["interrupt_o"] and status(coprocessor, "results") == QUEUE_DEPTH:
            break
    # There is no room for another result, so the last command waits.
    for _ in range(1000):
        seen = model.step(**flow)
        assert not (seen["entropy_tready"] or seen["idle_o"])
    assert status(coprocessor, "waiting") == 1
    assert coprocessor.write("acknowledge", 0)
    assert status(coprocessor, "results") == QUEUE_DEPTH
    assert coprocessor.write("acknowledge", 1)
    idle(model, **flow)
    for left in range(QUEUE_DEPTH, 0, -1):
        assert status(coprocessor, "results") == left
        assert 600 < register("cycles").field("count").get(coprocessor.read("cycles")) < 2000
        assert coprocessor.write("acknowledge", 1)
    assert not model.step()["interrupt_o"]
    assert coprocessor.write("interrupt_enable", 2) and model.step()["interrupt_o"]


def test_the_entropy_port(model: CycleModel) -> None:
    rng, coprocessor = random.Random(3), RegisterKem(model)
    d, z, m = (rng.randbytes(32) for _ in range(3))
    ek, dk = ML_KEM_512._keygen_internal(d, z)
    secret, c = ML_KEM_512._encaps_internal(ek, m)
    for stall in (0.0, 0.6):
        run = coprocessor.run("keygen", P, b"", b"", entropy=d + z, stall=stall)
        assert (run.public, run.secret) == (ek, dk)
        run = coprocessor.run("encaps", P, ek, b"", entropy=m, stall=stall)
        assert (run.public, run.secret) == (c, secret)
    # A word for the wiping takes no time, whether it is there or not, and what comes after it
    # stays. An error with the port open ends too.
    cases: list[tuple[KemOperation, bytes, bytes, bytes]] = [
        ("keygen", b"", b"", d + z),
        ("encaps", ek, b"", m),
        *((order, c, key, b"") for order, key in key_orders(dk).items()),
        ("decaps_seed", c, d + z, b""),
    ]
    for operation, public, given, seeds in cases:
        runs = [
            coprocessor.run(operation, P, public, given, entropy=seeds + more)
            for more in (b"", z[:8], z[:24])
        ]
        taken = [sum(port == "entropy" for _, port in run.handshakes) for run in runs]
        assert taken == [len(seeds) // 8 + more for more in (0, 1, 1)]
        assert len({(run.cycles, run.counted, run.occupied) for run in runs}) == 1
        assert runs[0].cycles <= runs[0].counted <= runs[0].occupied
        assert len({(run.public, run.secret) for run in runs}) == 1
    run = coprocessor.run("encaps", P, ek[:-8], b"", entropy=m)
    assert (run.error, run.reason) == (True, "public_length")


def test_every_error_code(model: CycleModel) -> None:
    rng, coprocessor = random.Random(4), RegisterKem(model)
    d, m = rng.randbytes(32), rng.randbytes(32)
    ek, dk = ML_KEM_512._keygen_internal(d, d)
    c = ML_KEM_512._encaps_internal(ek, m)[1]
    wrong_hash = dk[:-64] + bytes(32) + dk[-32:]
    cases: list[tuple[str, tuple[KemOperation, Parameters, bytes, bytes], bool]] = [
        ("public_length", ("encaps", P, ek[:-8], m), False),
        ("public_length", ("decaps", P, c + bytes(8), rotate_key(dk)), False),
        ("secret_length", ("encaps", P, ek, m + bytes(8)), False),
        ("secret_length", ("keygen", P, b"", d), False),
        ("modulus", ("encaps", P, bytes([255] * 384) + ek[384:], m), False),
        ("hash", ("decaps", P, c, rotate_key(wrong_hash)), True),
        ("none", ("decaps", P, c, rotate_key(wrong_hash)), False),
        ("public_length", ("decaps_standard", P, c[:-8], dk), True),
        ("secret_length", ("decaps_standard", P, c, dk[:-8]), True),
        ("secret_length", ("decaps_standard", P, c, dk + bytes(8)), False),
        ("hash", ("decaps_standard", P, c, wrong_hash), True),
        ("none", ("decaps_standard", P, c, wrong_hash), False),
        ("public_length", ("decaps_seed", P, c[:-8], d + d), True),
        ("secret_length", ("decaps_seed", P, c, d), False),
        ("secret_length", ("decaps_seed", P, c, d + d + bytes(8)), True),
        ("none", ("decaps_seed", P, c, d + d), True),
    ]
    for reason, arguments, check in cases:
        run = coprocessor.run(*arguments, check=check)
        assert run.reason == reason
        assert (run.public + run.secret == b"") == (reason != "none")
