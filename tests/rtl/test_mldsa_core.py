# SPDX-License-Identifier: Apache-2.0
"""The ML-DSA core against dilithium-py: keys, stalls, refusals, cycles, wiping, mutants."""

import random
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_65, ML_DSA_87

from nttforge.cache import design_files
from nttforge.design import load_design
from nttforge.designs import DSA_CORE
from nttforge.errors import FaultError, NttforgeError
from nttforge.flow.backends import backend_of
from nttforge.flow.prepare import Prepared, prepare_kind, silent
from nttforge.flow.vectors import digest
from nttforge.kinds.lattice.bus import Coprocessor, Request, byte_packet, open_core, packet
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.measure import StandardMeasureResult, measure_standard
from nttforge.kinds.lattice.mldsa.cycles import (
    ball_taken,
    keygen_cycles,
    sign_cycles,
    small_words,
    verify_cycles,
)
from nttforge.kinds.lattice.mldsa.forgeries import KINDS
from nttforge.kinds.lattice.mldsa.measure import DsaMeasures
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.standard import WORDS, private_key, stream_order
from nttforge.kinds.lattice.mldsa.verify import FAR, verify_mldsa
from nttforge.kinds.lattice.standard import ML_DSA
from nttforge.kinds.lattice.vectors import golden_vectors, verdict_byte, wrong_answers
from nttforge.options.verbs import MeasureOptions
from nttforge.simulate.cycles import CycleModel
from nttforge.standards import bits as packing
from nttforge.standards.ml_dsa import expand_a, expand_s, matrix_vector, power2round
from nttforge.standards.ml_dsa.keygen import h, keygen_internal
from nttforge.standards.ml_dsa.parameters import ML_DSA_44 as SET_44
from nttforge.standards.ml_dsa.parameters import ML_DSA_65 as SET_65
from nttforge.standards.ml_dsa.parameters import RING, N, Parameters, Q
from nttforge.standards.ml_dsa.signing import (
    decompose,
    expand_mask,
    sample_in_ball,
    sign_mu,
    sk_decode,
)
from nttforge.standards.transform_engine import software_engine
from tests.coprocessors import DSA_CORE_PORTS, KEY_ORDERS
from tests.rtl.beside import Mutant, MutantModel, with_mutants
from tests.rtl.mlkem_bench import pack

ORACLES = dict(zip(SETS, (ML_DSA_44, ML_DSA_65, ML_DSA_87), strict=True))
#: A seed of ML-DSA-65, looked for, of which a polynomial of s1 or s2 takes a third block.
RARE = 10063
PORTS_OUT = ("m_pub", "m_sec")
#: The most cycles of a key, and of a verification.
MOST_CYCLES = {"ML-DSA-44": (2600, 2500), "ML-DSA-65": (4750, 4400), "ML-DSA-87": (8200, 7850)}
every_set = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)


def prepared(*, equal: bool = False) -> Prepared[LatticeCore]:
    return prepare_kind(load_design(DSA_CORE, {"lattice.equal_tries": equal}), LatticeCore)


@pytest.fixture(scope="module")
def core() -> Coprocessor:
    return open_core(prepared())


@pytest.fixture(scope="module")
def equal_core() -> Coprocessor:
    """Tries of Sign that take as long whichever check fails."""
    return open_core(prepared(equal=True))


def keys(
    core: Coprocessor, p: Parameters, seed: bytes, stall: float = 0.0, name: str = "keygen"
) -> tuple[bytes, bytes]:
    run = core.run(Request(name, p, seed), stall=stall, seed=int(10 * stall))
    assert run.reason == "none"
    return run.public, KEY_ORDERS[name](run.secret)


@every_set
def test_keys_are_those_of_dilithium_py_whatever_stalls(core: Coprocessor, p: Parameters) -> None:
    rng = random.Random(p.k)
    for stall in (0.0, 0.2, 0.8):
        seed = rng.randbytes(32)
        for name in KEY_ORDERS:
            assert keys(core, p, seed, stall, name) == ORACLES[p]._keygen_internal(seed)
    sk = rng.randbytes(p.sk_bytes)
    assert private_key(stream_order(sk)) == sk


def test_cycles_are_derived_and_within_the_goals(core: Coprocessor) -> None:
    found = measure_standard(DsaMeasures(ML_DSA, prepared().core), core, runs=2, seed=3)
    for name, row in found.operations.items():
        assert row.derived == row.runs
        p, operation = name.split()
        if operation.startswith("sign"):
            assert row.tries and row.floor_cycles < row.latency_cycles
            continue
        if operation.startswith("load"):  # and wiped, but the key that stays
            assert row.floor_cycles < row.latency_cycles <= row.floor_cycles + 500
            continue
        goal = MOST_CYCLES[p][operation.startswith("verify")]
        if operation == "keygen_standard":  # and s1, s2 and t0 wait for tr
            goal += 1000
        assert row.floor_cycles < row.latency_cycles <= goal
    # A first block that is enough is rare, unless eta is 2; one more than two is never drawn here.
    assert found.operations["ML-DSA-65 keygen"].latency_longest < 4550


@every_set
def test_signatures_with_the_longest_and_shortest_challenges(
    core: Coprocessor, equal_core: Coprocessor, p: Parameters
) -> None:
    """The reference searches for them: of two tries or more, the first and the last challenge."""
    rng, engine = random.Random(p.l), software_engine()
    _, sk = keygen_internal(p, rng.randbytes(32), engine)
    found: dict[tuple[int, int], tuple[Request, list[int]]] = {}
    for _ in range(1000):
        rnd, mu = rng.randbytes(32), rng.randbytes(64)
        made = sign_mu(p, sk, mu, rnd, engine)
        taken = [ball_taken(p, each) for each in made.challenges]
        if 1 < len(taken) < 5:
            request = Request("sign_mu", p, rnd + sk, (mu,))
            cycles = [sign_cycles(p, sk[:32], made, None, equal=equal) for equal in (False, True)]
            found[taken[-1], taken[0]] = request, cycles
    by_last, by_first = sorted(found), sorted(found, key=lambda each: each[::-1])
    chosen = {*by_last[:4], *by_last[-12:], *by_first[:2], *by_first[-4:]}
    asked = [found[each] for each in sorted(chosen)]
    for equal, one in enumerate((core, equal_core)):
        ran = one.run_all([request for request, _ in asked])
        assert [run.cycles for run in ran] == [cycles[equal] for _, cycles in asked]


@pytest.mark.slow
@pytest.mark.parametrize("equal", [False, True])
@pytest.mark.parametrize("name", ["sign", "sign_loaded"])
def test_five_hundred_signatures_take_the_derived_cycles(name: str, equal: bool) -> None:
    ready = prepared(equal=equal)
    measures = DsaMeasures(ML_DSA, ready.core, name)
    found = measure_standard(measures, open_core(ready), runs=500, seed=7)
    assert {key: row.derived for key, row in found.operations.items()} == dict.fromkeys(
        (f"{p.name} {name}" for p in SETS), 500
    )


@pytest.mark.slow
@pytest.mark.parametrize("target", ["xc7", "ecp5"])
def test_no_device_has_other_cycles_than_are_derived(target: str) -> None:
    """Where a product's multipliers have other registers, no signature is called derived."""
    found = backend_of(prepared().core).measure(
        prepare_kind(load_design("ml-dsa-core", {"target": target}), LatticeCore),
        MeasureOptions(count=2),
        silent,
    )
    assert isinstance(found, StandardMeasureResult)
    for name, row in found.operations.items():
        none = target == "ecp5" and " sign" in name
        assert row.derived == (None if none else row.runs), name


@pytest.mark.parametrize("name", ["ml-dsa-core", "ml-dsa-coprocessor"])
@pytest.mark.parametrize("stall", [0.0, 0.3])
def test_cycles_at_once_are_those_one_by_one(
    name: str, stall: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last handshake; a seed that is too short ends early."""
    opened = open_core(prepare_kind(load_design(name), LatticeCore))
    p, seed = SETS[0], bytes(32)
    _, sk = ML_DSA_44._keygen_internal(seed)
    requests = [
        Request("keygen", p, seed),
        Request("keygen", p, seed[:8]),
        Request("load", p, sk),
        Request("sign_loaded", p, seed, public=(b"message",)),
    ]
    at_once = opened.run_all(requests, stall=stall, seed=5)
    monkeypatch.setattr("nttforge.kinds.lattice.bus._AHEAD", 1)
    monkeypatch.setattr("nttforge.kinds.lattice.bus._AHEAD_STALLED", 1)
    opened._model.reset()
    assert opened.run_all(requests, stall=stall, seed=5) == at_once
    assert [run.reason for run in at_once] == ["none", "length", "none", "none"]


def test_one_operation_is_measured_alone(core: Coprocessor) -> None:
    found = measure_standard(
        DsaMeasures(ML_DSA, prepared().core, "sign_loaded"), core, runs=4, seed=4
    )
    assert list(found.operations) == [f"{p.name} sign_loaded" for p in SETS]
    assert all(row.derived == row.runs for row in found.operations.values())
    with pytest.raises(NttforgeError, match=r"^operation: there is no 'signs'; use keygen, .* or "):
        backend_of(prepared().core).measure(prepared(), MeasureOptions(operation="signs"), silent)


def test_nist_has_vectors_and_a_wrong_one_is_noticed(core: Coprocessor) -> None:
    golden = golden_vectors(ML_DSA)
    count = Counter((v.operation, v.parameter_set) for v in golden)
    each = {"keygen": 25, "sign": 20, "verify": 15}
    expected = {(name, p.name): number for name, number in each.items() for p in SETS}
    assert count == expected
    key = golden[0]
    right = next(v for v in golden if v.digests == {"accepted": digest(verdict_byte(True))})
    made = next(v for v in golden if v.operation == "sign")
    for each_right in (key, made, right):
        assert not wrong_answers(core, ML_DSA, each_right)
    assert wrong_answers(core, ML_DSA, replace(made, inputs=made.inputs | {"rnd": bytes([1] * 32)}))
    assert wrong_answers(core, ML_DSA, replace(key, digests={"sk": "00"}))
    wrong = right.inputs | {"message": bytes(3)}
    assert len(wrong_answers(core, ML_DSA, replace(right, inputs=wrong))) == 2


def test_verify_compares(core: Coprocessor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the smallest set all that can be wrong; of the others a few vectors."""
    few = [v for v in golden_vectors(ML_DSA) if v.operation == "verify" and v.number % 15 < 4]
    assert {v.digests["accepted"] for v in few} == {digest(verdict_byte(b)) for b in (False, True)}
    monkeypatch.setattr("nttforge.kinds.lattice.verify.golden_vectors", lambda _: few)
    found = verify_mldsa(core, "core", cases=4, sets=SETS[:1])
    assert found.ok and found.vectors == len(few) > 6
    compared = found.compared["ML-DSA-44"]
    assert (compared["refused streams"], compared["right signatures"]) == (20, 8)
    assert (compared["signatures made"], compared["signatures of keys that stay"]) == (8, 12)
    assert {f"wrong: {name}" for name in (*KINDS, FAR)} <= {*compared}


@every_set
def test_a_right_signature_takes_as_long_as_any(core: Coprocessor, p: Parameters) -> None:
    pk, sk = ORACLES[p]._keygen_internal(bytes([p.k] * 32))
    for length in (0, 7, 200):
        message = bytes(length)
        signature = ORACLES[p]._sign_internal(sk, message, bytes(32))
        run = core.run(Request("verify", p, public=(pk, signature, message)))
        assert run.accepted and run.cycles == verify_cycles(p, pk, length)


def test_a_message_may_be_long(core: Coprocessor, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it is hashed, and the core is given time for each word of it."""
    monkeypatch.setattr("nttforge.kinds.lattice.bus._PATIENCE", 3000)
    pk, sk = ML_DSA_44._keygen_internal(bytes(32))
    # 32 blocks with tr, a byte less, a byte more, and some hundreds.
    for length in (4287, 4288, 4289, 50_000):
        message = bytes(length)
        signature = ML_DSA_44._sign_internal(sk, message, bytes(32))
        assert core.run(Request("verify", SET_44, public=(pk, signature, message))).accepted
    # What follows so many blocks is what another signature is of, and is hashed after them.
    for blocks in (16, 32, 64, 128, 256):
        forged = bytes(136 * blocks - 64) + h(pk, 64) + message[:9]
        signature = ML_DSA_44._sign_internal(sk, message[:9], bytes(32))
        assert not core.run(Request("verify", SET_44, public=(pk, signature, forged))).accepted


@pytest.mark.slow
def test_verify_compares_all_sets(core: Coprocessor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nttforge.kinds.lattice.verify.golden_vectors", lambda _: [])
    assert verify_mldsa(core, "core", cases=8, seed=2).ok


def another(p: Parameters) -> Request:
    """A right signature of another key: of what was ended before it, nothing may be left."""
    pk, sk = ORACLES[p]._keygen_internal(bytes([9] * 32))
    signature = ORACLES[p]._sign_internal(sk, b"another", bytes(32))
    return Request("verify", p, public=(pk, signature, b"another"))


def test_what_is_no_command_is_refused(core: Coprocessor) -> None:
    seed = bytes(32)
    for request, reason in (
        (Request("keygen", SET_44, seed[:8]), "length"),
        (Request("keygen", SET_44, seed + seed), "length"),
    ):
        good = Request("keygen", SET_44, seed)
        refused, run = core.run_all([request, good], stall=0.3)
        assert (refused.reason, refused.cycles) == (reason, 0)
        assert run.public == ML_DSA_44._keygen_internal(seed)[0]
    # Packets of Verify: each of the three is too short, or too long, by a word or by a byte.
    p, (pk, sk) = SET_44, ML_DSA_44._keygen_internal(seed)
    signature, mu = ML_DSA_44._sign_internal(sk, b"", seed), h(h(pk, 64), 64)
    packets, right = (pk, signature, mu), another(p)
    for at, data in enumerate(packets):
        for wrong in (data[:-1], data[:-8], data[:8], data + bytes(1), data + bytes(8), b""):
            given = (*packets[:at], wrong, *packets[at + 1 :])
            bad = Request("verify_mu", p, public=given)
            refused, run = core.run_all([bad, right], stall=0.1, seed=at)
            assert (refused.reason, refused.public, run.accepted) == ("length", b"", True)
    # A host that is slow: hints are waited for, too.
    assert core.run(Request("verify", p, public=(pk, signature, b"")), stall=0.97).accepted
    model = core._model
    for command in (
        0b11_000,
        0b11_001,
        0b11_011,
        0b1_00_111,
        0b1_01_011,
        0b10_00_000,
        0b101_01_001,
        0b1_00_011,
    ):
        while not (seen := model.step(s_command_tvalid=1, s_command_tdata=command))["idle_o"]:
            pass
        seen = model.step(m_result_tready=1)
        assert (seen["m_result_tvalid"], seen["m_result_tdata"]) == (1, 1), bin(command)


def held(p: Parameters, seed: bytes) -> set[bytes]:
    """What must not be left of a key, as registers and memories have it."""
    expanded = h(seed + bytes([p.k, p.l]), 128)
    s1, s2 = expand_s(p, expanded[32:96])
    engine = software_engine()
    s1_hat = engine.ntt(RING, s1 % Q)
    matrix = expand_a(p, expanded[:32])
    sums = matrix_vector(matrix, s1_hat)
    # The last product of a row completes its sum elsewhere.
    parts = matrix_vector(matrix[:, :-1], s1_hat[:-1])
    product = engine.intt(RING, sums)
    low = 4096 - power2round((product + s2) % Q)[1]
    order = [[*range(4 * b, 4 * b + 4), *range(128 + 4 * b, 132 + 4 * b)] for b in range(32)]

    def beats(rows: npt.NDArray[np.int64], bits: int, lanes: int) -> set[bytes]:
        flat = rows.reshape(-1, lanes)
        return {pack(row.tolist(), bits).to_bytes(lanes * bits // 8, "little") for row in flat}

    halves = [seed, expanded[32:]]
    found = {half[at : at + 8] for half in halves for at in range(0, len(half), 8)}
    found |= beats(p.eta - np.concatenate([s1, s2]), 4, 16)
    product = product[:, order].reshape(-1, 256)
    found |= beats(np.concatenate([s1_hat, parts, sums, product]), 23, 8)
    # Of t0 a word has four coefficients, the highest of which is not whole bytes.
    fours = low[:, order].reshape(-1, 4).tolist()
    return found | {(pack(four, 13) % 2**48).to_bytes(6, "little") for four in fours}


def left(model: CycleModel, p: Parameters, seed: bytes) -> list[bytes]:
    """Pieces of a key that the model still holds somewhere."""
    state = model.state()
    return [piece for piece in held(p, seed) if piece in state]


def test_zeroize_ends_everything_and_leaves_nothing(core: Coprocessor) -> None:
    """At many moments: packets that were begun end, no piece of the key is left."""
    model, rng = core._model, random.Random(5)
    moments = (3, 40, 90, 300, 460, 700, 1200, 2300, 2500, 2570)
    late = [("keygen_standard", at) for at in (300, 2570, 2700, 3000)]
    for name, at in [*(("keygen", at) for at in moments), *late]:
        command, seed = Request(name, SET_44).command, rng.randbytes(32)
        pk, sk = ML_DSA_44._keygen_internal(seed)
        words = [int.from_bytes(seed[n : n + 8], "little") for n in range(0, 32, 8)]
        while not model.step(s_command_tvalid=1, s_command_tdata=command)["idle_o"]:
            pass
        sent, came, ended = 0, dict.fromkeys(PORTS_OUT, 0), dict.fromkeys(PORTS_OUT, 0)
        for cycle in range(8000):
            drive = {f"{port}_tready": int(rng.random() < 0.7) for port in PORTS_OUT}
            if sent < 4:
                drive |= {
                    "s_sec_tvalid": 1,
                    "s_sec_tdata": words[sent],
                    "s_sec_tlast": int(sent == 3),
                }
            seen = model.step(zeroize_i=int(cycle == at), **drive)
            sent += sent < 4 and seen["s_sec_tready"]
            for port in came:
                taken = drive[f"{port}_tready"] and seen[f"{port}_tvalid"]
                came[port] += taken
                ended[port] += taken and seen[f"{port}_tlast"]
            if seen["m_result_tvalid"]:
                break
        assert seen["m_result_tdata"] == 4
        assert all(ended[port] == (came[port] > 0) for port in came)
        assert not left(model, SET_44, seed), at
        model.step(m_result_tready=1)
        assert keys(core, SET_44, seed) == (pk, sk)


def test_zeroize_behind_an_operation_leaves_its_result(core: Coprocessor) -> None:
    """What was made and taken is not called back by what comes while it is wiped."""
    model, words = core._model, packet(bytes(32))
    for at in (1, 130, 250):
        while not model.step(s_command_tvalid=1)["idle_o"]:
            pass
        sent, open_ports = 0, {*PORTS_OUT}
        while open_ports:
            drive = dict.fromkeys((f"{port}_tready" for port in PORTS_OUT), 1)
            if sent < len(words):
                drive["s_sec_tvalid"], (drive["s_sec_tdata"], drive["s_sec_tlast"]) = 1, words[sent]
            seen = model.step(**drive)
            sent += sent < len(words) and seen["s_sec_tready"]
            open_ports -= {p for p in PORTS_OUT if seen[f"{p}_tvalid"] and seen[f"{p}_tlast"]}
        for cycle in range(1000):
            seen = model.step(zeroize_i=int(cycle == at))
            if seen["m_result_tvalid"]:
                break
        assert seen["m_result_tvalid"] and seen["m_result_tdata"] == 0 and cycle > at, at
        # Nor is what is offered, and has not been taken.
        for wait in range(4):
            seen = model.step(zeroize_i=int(wait == 0))
            assert (seen["m_result_tvalid"], seen["m_result_tdata"]) == (1, 0), (at, wait)
        model.step(m_result_tready=1)
        # All is wiped again after it.
        model.step()
        while not model.step()["idle_o"]:
            pass


def test_zeroize_ends_a_verification(core: Coprocessor) -> None:
    """At many moments: the result says so, no verdict is given, and the next one is right."""
    model, p, rng = core._model, SET_44, random.Random(6)
    pk, sk = ML_DSA_44._keygen_internal(bytes(32))
    packets = (pk, ML_DSA_44._sign_internal(sk, b"m", bytes(32)), b"m")
    request, after = Request("verify", p, public=packets), another(p)
    words = [word for data in packets for word in byte_packet(data)]
    # A second one, while all is wiped, lets no packet go.
    for at in (2, 100, 167, 172, 400, 465, 480, 1500, 2300, 2440, 2460):
        again = at + rng.randrange(2, 200)
        while not model.step(s_command_tvalid=1, s_command_tdata=request.command)["idle_o"]:
            pass
        sent, came = 0, []
        for cycle in range(4000):
            drive = dict.fromkeys(("m_pub_tready", "m_sec_tready"), 1)
            if sent < len(words):
                names = ("s_pub_tdata", "s_pub_tlast", "s_pub_tkeep")
                drive |= {"s_pub_tvalid": 1, **dict(zip(names, words[sent], strict=True))}
            seen = model.step(zeroize_i=int(cycle in (at, again)), **drive)
            sent += sent < len(words) and seen["s_pub_tready"]
            came += [seen["m_pub_tdata"]] if seen["m_pub_tvalid"] else []
            if seen["m_result_tvalid"]:
                break
        assert (seen["m_result_tdata"], sent) == (4, len(words))
        assert not any(word.to_bytes(8, "little") == WORDS[True] for word in came)
        model.step(m_result_tready=1)
        assert core.run(after).accepted, at


@every_set
def test_nothing_of_a_key_is_left(core: Coprocessor, p: Parameters) -> None:
    seed = bytes([p.k] * 32)
    for name in KEY_ORDERS:
        keys(core, p, seed, name=name)
        assert not left(core._model, p, seed)


#: A private key of ML-DSA-65.
SIGNER = ML_DSA_65._keygen_internal(bytes(32))[1]


def beats(rows: npt.NDArray[np.int64], bits: int, lanes: int, *, whole: int = 0) -> set[bytes]:
    """Coefficients as a memory's words have them; `whole` bytes of each, if they are not whole."""
    size = whole or lanes * bits // 8
    flat = rows.reshape(-1, lanes).tolist()
    return {(pack(row, bits) % 256**size).to_bytes(size, "little") for row in flat}


def in_beats(rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Coefficients in the order of the transform's input."""
    order = [[*range(4 * b, 4 * b + 4), *range(128 + 4 * b, 132 + 4 * b)] for b in range(32)]
    return rows[:, order].reshape(-1, N)


def multiplied() -> npt.NDArray[np.int64]:
    """What the challenge is multiplied with: s1 + 512 s2 and t0 of :data:`SIGNER`, transformed."""
    _, _, _, s1, s2, t0 = sk_decode(SET_65, SIGNER)
    pairs = s2 * 512
    pairs[: SET_65.l] += s1
    return np.asarray(software_engine().ntt(RING, np.concatenate([pairs, t0]) % Q), np.int64)


def kept() -> set[bytes]:
    """What stays of :data:`SIGNER` while it is loaded: K, and what is multiplied."""
    key = SIGNER[32:64]
    return {key[at : at + 8] for at in range(0, len(key), 8)} | beats(multiplied(), 23, 8)


def as_squeezed(p: Parameters, seed: bytes, kappa: int) -> set[bytes]:
    """Words of y as Keccak gives them."""
    numbers = (number.to_bytes(2, "little") for number in range(kappa, kappa + p.l))
    streams = [h(seed + number, N // 8 * p.z_bits) for number in numbers]
    return {s[at : at + 8] for s in streams for at in range(0, len(s), 8)}


def held_by_signing(rnd: bytes = bytes(32), mu: bytes = bytes(64)) -> set[bytes]:
    """What must not be left of a signature of :data:`SIGNER`, as registers and memories have it."""
    p, engine = SET_65, software_engine()
    _, key, _, s1, s2, _ = sk_decode(p, SIGNER)
    seed, challenges = h(key + rnd + mu, 64), sign_mu(p, SIGNER, mu, rnd, engine).challenges
    found = kept() | {seed[at : at + 8] for at in range(0, len(seed), 8)}
    found |= beats(p.eta - np.concatenate([s1, s2]), 4, 16)
    # A product, divided by its challenge, which is public in the end, is a secret.
    balls = np.array([sample_in_ball(p, challenge) for challenge in challenges]) % Q
    products = engine.ntt(RING, balls)[:, None] * multiplied() % Q
    found |= beats(products.reshape(-1, N), 23, 8)
    for attempt in range(len(challenges) + 2):  # and y of those that did not come to be
        y = expand_mask(p, seed, p.l * attempt)
        found |= as_squeezed(p, seed, p.l * attempt)
        y_hat = engine.ntt(RING, y % Q)
        w = engine.intt(RING, matrix_vector(expand_a(p, SIGNER[:32]), y_hat))
        found |= beats(y_hat, 23, 8) | beats(in_beats(y % Q), 23, 4, whole=11)
        w1, w0 = decompose(p, w)
        found |= beats(in_beats(w), 23, 8) | beats(in_beats(w0), 19, 4, whole=9)
        found |= held_of_challenge(p, h(mu + packing.pack(w1, p.w1_bits), p.challenge_bytes))
    return found


def held_of_challenge(p: Parameters, challenge: bytes) -> set[bytes]:
    """c~ of a try, what it is expanded to, and c, transformed: secret if the try is rejected."""
    stream = challenge + h(challenge, 136)
    ball = software_engine().ntt(RING, sample_in_ball(p, challenge)[np.newaxis] % Q)
    words = {stream[at : at + 8] for at in range(0, len(stream), 8)}
    return words | beats(np.asarray(ball, np.int64), 23, 8)


def test_nothing_of_a_signature_is_left(core: Coprocessor) -> None:
    """Nor of the key that made it, nor of its tries, when it was made or ended."""
    pieces, words = held_by_signing(), packet(bytes(32) + SIGNER)
    request = Request("sign_mu", SET_65, bytes(32) + SIGNER, (bytes(64),))
    whole = core.run(request)
    assert whole.public and not [p for p in pieces if p in core._model.state()]
    model, mu = core._model, byte_packet(bytes(64))
    rng = random.Random(3)
    for at in (100, 500, 800, 4300, 5200, 5500, rng.randrange(5600, whole.cycles - 450)):
        while not model.step(s_command_tvalid=1, s_command_tdata=request.command)["idle_o"]:
            pass
        sent, words_sent, seen = 0, 0, {"m_result_tvalid": 0}
        cycle, found = 0, 0
        while not seen["m_result_tvalid"]:
            drive = {"m_pub_tready": 1, "m_sec_tready": 1, "zeroize_i": int(cycle == at)}
            if sent < len(words):
                word, last = words[sent]
                drive |= {"s_sec_tvalid": 1, "s_sec_tdata": word, "s_sec_tlast": last}
            if words_sent < len(mu):
                names = ("s_pub_tdata", "s_pub_tlast", "s_pub_tkeep")
                drive |= {"s_pub_tvalid": 1, **dict(zip(names, mu[words_sent], strict=True))}
            if cycle == at:  # it is there, so that the search can find it
                found = sum(piece in model.state() for piece in pieces)
            seen = model.step(**drive)
            sent += sent < len(words) and seen["s_sec_tready"]
            words_sent += words_sent < len(mu) and seen["s_pub_tready"]
            assert not seen["m_pub_tvalid"]
            cycle += 1
            assert cycle < 20_000
        assert seen["m_result_tdata"] == 4 and found > 3, (at, found)
        assert not [piece for piece in pieces if piece in model.state()], at
        model.step(m_result_tready=1)
    assert core.run(request).public == whole.public


def behind_refused(core: Coprocessor) -> list[bytes]:
    """States after two private keys that differ in K alone, refused for the end of their s2.

    Keccak has made rho'' and y of them by then. A norm is judged of either y, and is beyond its
    bound: that bit is not wiped, but starts again with the next operation.
    """
    model, states = core._model, []
    end = 128 + SET_65.eta_bits * 32 * (SET_65.k + SET_65.l)
    for byte in (2, 3):
        sk = SIGNER[:32] + bytes([byte] * 32) + SIGNER[64 : end - 1] + b"\xff" + SIGNER[end:]
        model.reset()
        for _ in range(2):  # the first one leaves what is public, and not wiped
            run = core.run(Request("sign_mu", SET_65, bytes(32) + sk, (bytes(64),)))
            assert run.reason == "key"
        states.append(model.state())
    return states


def test_nothing_of_a_key_that_is_refused_is_left(core: Coprocessor) -> None:
    one, two = behind_refused(core)
    assert one == two


def hit(model: CycleModel, *, idle: int) -> None:
    """Zeroize, so many cycles after the first idle one; then wait for the next."""
    while not model.step()["idle_o"]:
        pass
    for _ in range(idle):
        assert model.step()["idle_o"]
    model.step(zeroize_i=1)
    for _ in range(4):
        model.step()
    while not model.step()["idle_o"]:
        pass


def test_a_key_stays_until_it_is_dropped(core: Coprocessor) -> None:
    """Of it what was transformed, of the signature nothing; and then nothing of it, either."""
    model, p = core._model, SET_65
    load, sign = Request("load", p, SIGNER), Request("sign_loaded_mu", p, bytes(32), (bytes(64),))
    stays, all_of_it = kept(), held_by_signing()
    assert stays < all_of_it and len(stays) == 4 + 2 * p.k * 32

    def found() -> set[bytes]:
        state = model.state()
        return {piece for piece in all_of_it if piece in state}

    for requests in ((load,), (load, sign), (load, sign, sign)):
        core.run_all(requests, stall=0.1)
        assert found() == stays
        hit(model, idle=3)
        assert not found() and core.run(sign).reason == "key"
    ends = (
        *(Request("drop", SET_44), Request("drop", p), Request("keygen", p, bytes(32))),
        *(another(p), Request("sign_loaded_mu", SET_44, bytes(32), (bytes(64),))),
        *(Request("sign_loaded_mu", p, bytes(24), (bytes(64),)), Request("load", p, bytes(64))),
        Request("sign_loaded_mu", p, bytes(32), (bytes(56),)),
    )
    for end in ends:
        core.run_all((load, end))
        # A key that is made afresh is another one.
        assert not found() & stays, end
        assert core.run(sign).reason == "key"


def test_zeroize_takes_a_key_that_stays(core: Coprocessor) -> None:
    """Also when everything else is being wiped, at any moment of that."""
    model, p, words, stays = core._model, SET_65, packet(SIGNER), kept()
    load, sign = Request("load", p, SIGNER), Request("sign_loaded_mu", p, bytes(32), (bytes(64),))
    rng = random.Random(9)
    for at in (*range(1, 12, 2), *rng.sample(range(12, 270), 4), *range(270, 290, 2)):
        while not model.step(s_command_tvalid=1, s_command_tdata=load.command)["idle_o"]:
            pass
        sent, busy = 0, 1
        while sent < len(words) or busy:  # until the matrix is there
            drive = {"s_sec_tvalid": int(sent < len(words))}
            if sent < len(words):
                drive["s_sec_tdata"], drive["s_sec_tlast"] = words[sent]
            seen = model.step(**drive)
            sent, busy = sent + (sent < len(words) and seen["s_sec_tready"]), seen["keccak_busy_o"]
        for cycle in range(at + 600):
            seen = model.step(zeroize_i=int(cycle == at), m_result_tready=1)
        assert seen["idle_o"] and not [piece for piece in stays if piece in model.state()], at
        assert core.run(sign).reason == "key", at


def result_waits(core: Coprocessor) -> None:
    """Load :data:`SIGNER`, and leave the result where it is."""
    model, words, sent = core._model, packet(SIGNER), 0
    load = Request("load", SET_65, SIGNER)
    while not model.step(s_command_tvalid=1, s_command_tdata=load.command)["idle_o"]:
        pass
    seen = {"m_result_tvalid": 0}
    while not seen["m_result_tvalid"]:
        drive = {"s_sec_tvalid": int(sent < len(words))}
        if sent < len(words):
            drive["s_sec_tdata"], drive["s_sec_tlast"] = words[sent]
        seen = model.step(**drive)
        sent += sent < len(words) and seen["s_sec_tready"]
    assert seen["m_result_tdata"] == 0


def test_zeroize_takes_a_key_whose_result_waits(core: Coprocessor) -> None:
    """The result stays as it was offered, as long as it is not taken."""
    model, stays = core._model, kept()
    result_waits(core)
    assert any(piece in model.state() for piece in stays)
    for cycle in range(600):
        seen = model.step(zeroize_i=int(cycle == 0))
        assert (seen["m_result_tvalid"], seen["m_result_tdata"]) == (1, 0), cycle
    assert not [piece for piece in stays if piece in model.state()]
    model.step(m_result_tready=1)
    assert not model.step()["m_result_tvalid"]
    sign = Request("sign_loaded_mu", SET_65, bytes(32), (bytes(64),))
    assert core.run(sign).reason == "key"


def test_zeroize_while_a_result_waits_spares_the_next_command(core: Coprocessor) -> None:
    """Which is offered all the time, whenever the result is taken."""
    model, drop = core._model, Request("drop", SET_65)
    command = {"s_command_tvalid": 1, "s_command_tdata": drop.command}
    for wait in (0, 1, 2, 3, 100, 400):
        result_waits(core)
        results, taken = [], 0
        for cycle in range(1500):
            ready = int(cycle >= wait)
            offered = {} if taken else command
            seen = model.step(zeroize_i=int(cycle == 0), m_result_tready=ready, **offered)
            taken += bool(offered) and seen["s_command_tready"]
            results += [seen["m_result_tdata"]] if ready and seen["m_result_tvalid"] else []
        assert results == [0, 0], wait


#: rnd of a signature of mu zero by ML-DSA-87, looked for: 25 tries, as one of 1,400 takes, or more.
MANY_TRIES = 45
#: rnd of signatures of mu zero, looked for: a try has a hint too many, and nothing else is wrong;
#: the signature has as many as there may be.
MANY_HINTS = {SET_44: (494, 513), SET_65: (580, 696)}
#: And of one that the largest set takes three tries for.
SEVERAL_TRIES = 2


def signs_alike(core: Coprocessor, p: Parameters, number: int) -> bool:
    """Whether the core makes the signature that the reference makes, of mu zero."""
    rnd, mu, engine = number.to_bytes(32, "little"), bytes(64), software_engine()
    _, sk = keygen_internal(p, bytes(32), engine)
    made = core.run(Request("sign_mu", p, rnd + sk, (mu,))).public
    return made[: p.signature_bytes] == sign_mu(p, sk, mu, rnd, engine).data


def test_a_try_with_too_many_hints_is_rejected(core: Coprocessor, equal_core: Coprocessor) -> None:
    for p, numbers in MANY_HINTS.items():
        for one in (core, equal_core):
            assert all(signs_alike(one, p, number) for number in numbers)


def test_a_signature_may_take_many_tries(core: Coprocessor) -> None:
    """The core is given time for them."""
    assert signs_alike(core, SETS[2], MANY_TRIES)


def test_tries_take_as_long_whatever_is_wrong(core: Coprocessor, equal_core: Coprocessor) -> None:
    """A signature's time depends on its tries, their challenges, and the matrix alone.

    And on which of its tries have passed z and r0, unless they are equal.
    """
    rng, engine = random.Random(8), software_engine()
    for p in SETS:
        counts = set()
        for _ in range(8):
            _, sk = keygen_internal(p, rng.randbytes(32), engine)
            rnd, mu = rng.randbytes(32), rng.randbytes(64)
            made = sign_mu(p, sk, mu, rnd, engine)
            for equal, one in enumerate((core, equal_core)):
                run = one.run(Request("sign_mu", p, rnd + sk, (mu,)))
                assert run.public[: p.signature_bytes] == made.data
                assert run.cycles == sign_cycles(p, sk[:32], made, None, equal=bool(equal))
            counts.add(len(made.challenges))
        assert len(counts) > 2


def planned(folder: Path, matrix: int, small: int) -> Coprocessor:
    """The core with other numbers of planned blocks: too few, or too many."""
    made = prepared()
    shutil.copytree(made.folder, folder / "design")
    path = folder / "design" / f"{made.core.name}_program_pkg.sv"
    text = path.read_text("utf-8")
    for name, count in (("matrix_blocks", matrix), ("small_blocks", small)):
        text, found = re.subn(rf"({name}: 5'd)\d+", rf"\g<1>{count}", text)
        assert found == 1
    path.write_text(text, "utf-8")
    sources = design_files(folder / "design")
    return Coprocessor(CycleModel.build(folder / "model", sources, made.core.name, DSA_CORE_PORTS))


@pytest.mark.slow
def test_a_polynomial_that_is_short_is_squeezed_again(tmp_path: Path) -> None:
    """Cases that do not occur for the matrix, and one in 100,000 of s1 and s2: all of them."""
    core = planned(tmp_path, 4, 1)
    for stall in (0.0, 0.6):
        for p, oracle in ORACLES.items():
            assert keys(core, p, bytes([7] * 32), stall) == oracle._keygen_internal(bytes([7] * 32))


@pytest.mark.slow
def test_blocks_that_are_not_wanted_are_dropped(tmp_path: Path) -> None:
    core = planned(tmp_path, 6, 3)
    for p, oracle in ORACLES.items():
        assert keys(core, p, bytes([9] * 32)) == oracle._keygen_internal(bytes([9] * 32))


def test_a_third_block_of_a_secret(core: Coprocessor) -> None:
    """A seed with eta = 4 that was looked for: two blocks are not enough."""
    seed = RARE.to_bytes(32, "little")
    rho_secret = h(seed + bytes([SET_65.k, SET_65.l]), 128)[32:96]
    words = [small_words(SET_65, rho_secret, n) for n in range(SET_65.k + SET_65.l)]
    assert max(words) > 34 and keygen_cycles(SET_65, seed) is None
    for stall in (0.0, 0.5):
        assert keys(core, SET_65, seed, stall) == ML_DSA_65._keygen_internal(seed)


HASH, MAC, FEED = "mldsa/ntf_mldsa_hash.sv", "mldsa/ntf_mldsa_mac.sv", "mldsa/ntf_mldsa_feed.sv"
DRAIN, SEND, SEEDS = (
    "mldsa/ntf_mldsa_drain.sv",
    "mldsa/ntf_mldsa_send.sv",
    "mldsa/ntf_mldsa_seeds.sv",
)
CORE, CONTROL = "mldsa/ntf_mldsa_core.sv", "mldsa/ntf_mldsa_control.sv"
KEYS = "keys"
SECRET, TRIES, CHECKS = (
    "mldsa/ntf_mldsa_secret.sv",
    "mldsa/ntf_mldsa_tries.sv",
    "mldsa/ntf_mldsa_checks.sv",
)
ROWS, HINTS = "mldsa/ntf_mldsa_rows.sv", "mldsa/ntf_mldsa_hints.sv"
SAMPLERS, OUTPUT = "mldsa/ntf_mldsa_samplers.sv", "mldsa/ntf_mldsa_output.sv"
SIGNING, QUEUE = "mldsa/ntf_mldsa_signing.sv", "mldsa/ntf_mldsa_w1_queue.sv"
MADE = "signatures made"
INPUT, VERDICT, BLOCK = (
    "mldsa/ntf_mldsa_input.sv",
    "mldsa/ntf_mldsa_verdict.sv",
    "mldsa/ntf_mldsa_block.sv",
)
RIGHT, WRONG = "right signatures", "wrong: "
MUTANTS = {
    "no rows in H(xi)": Mutant(BLOCK, r"(?<=4'd0, )task_i\.k", "4'd0", KEYS),
    "another order of the matrix": Mutant(
        BLOCK,
        r"4'd0, job_i\.y, 4'd0, job_i\.x\[3:0\]",
        "4'd0, job_i.x[3:0], 4'd0, job_i.y",
        KEYS,
    ),
    "the nonce of the first secret": Mutant(HASH, r"16'\(job\.x\)", "16'd0", KEYS),
    "a permutation too many is not dropped": Mutant(
        HASH, r"(?<=assign enough_d = )run", "1'b0", "cycles"
    ),
    "half a beat of the matrix is another's": Mutant(
        SAMPLERS, r"\{half, first_q\}", "{half, half}", KEYS
    ),
    "nothing is added up": Mutant(MAC, r"(?<=BeatW\{)add_to\.add", "1'b0", KEYS),
    "secrets are not negative": Mutant(FEED, r"(?<=small_negative\[l\] = )x\[4\]", "1'b0", KEYS),
    "a sum is read before it is written": Mutant(FEED, r"\(issue \? .*beat_q\)", "1'b1", KEYS),
    "s2 of eta 4 is that of eta 2": Mutant(DRAIN, r"(?<=small_of\()task_i\.eta4", "1'b0", KEYS),
    "t1 waits for nothing": Mutant(
        OUTPUT, r"\(task_i\.verify \? there_i\.keys : there_i\.rows\) > job\.slot", "1'b1", KEYS
    ),
    "a group is lost": Mutant(SEND, r"encode_valid & encode_ready(?= : able)", "encode_valid", ""),
    "z may be of any size": Mutant(CORE, r"in_bound(?= & hints_ok)", "2'b11", f"{WRONG}{FAR}"),
    "z and hints are not looked at": Mutant(
        VERDICT, r"(?<=exact & )sound", "1'b1", f"{WRONG}order of hints"
    ),
    "the challenge has the weight of another set": Mutant(
        CORE, r"sizes_of\(tasks\[AtInput\]\.set\)\.tau", "6'd39", MADE
    ),
    "the challenge is hashed as if it were longer": Mutant(
        BLOCK, r"(?<=ball\[391:384\] = )8'h1F", "8'h00", MADE
    ),
    "t1 is not negative": Mutant(FEED, r"~wait_i\[l\]\.high(?=, 13'd1)", "wait_i[l].high", RIGHT),
    "products of the challenge are of the matrix": Mutant(
        MAC, r"challenge_q \? challenge : matrix", "matrix", ""
    ),
    "hints are not used": Mutant(DRAIN, r"hint_q\[l\] & task_i\.verify", "1'b0", RIGHT),
    "w1 has six bits": Mutant(SEND, r"task_i\.wide \? 5'd4 : 5'd6", "5'd6", MADE),
    "messages have 32 blocks at most": Mutant(HASH, r"5'\(held_q\.block != '1\)", "5'd1", "blocks"),
    "a signature may be a byte shorter": Mutant(INPUT, r"ends & ~exact", "1'b0", "streams"),
    "messages are whole words": Mutant(INPUT, r"message_held\[7\](?=;)", "1'b1", RIGHT),
    "words that differ are equal": Mutant(
        VERDICT, r"\(r == 0\) \? compare_i\.came.*\n.*must\)", "1'b1", WRONG
    ),
    "one rail decides": Mutant(
        VERDICT, r"compare_i\.came == compare_i\.must", "1'b1", "illegal state"
    ),
    "the result does not ask the verdict": Mutant(CONTROL, r"\(&accepted_i\)", "1'b1", "verdict"),
    "a digest is that of before": Mutant(
        OUTPUT, r"digested\(seeds_i\.digests, job\.slot\[1:0\]\)", "1'b1", ""
    ),
    "any length will do": Mutant(SECRET, r"(?<=held_d\.length = )in\.last != ends", "1'b0", ""),
    "kappa stays": Mutant(TRIES, r"(?<=mine\.kappa \+ )16'\(task_i\.l\)", "16'd0", ""),
    "z of Sign may be of any size": Mutant(CHECKS, r"vector_within(?= & other)", "2'b11", MADE),
    "w0 - c s2 may be of any size": Mutant(CHECKS, r"(?<=& )other_within", "2'b11", MADE),
    "what is left of w0 has the bound of c t0": Mutant(
        CHECKS, r"(?<=bound:     )held_q\.pair", "1'b0", MADE
    ),
    "s2 is not subtracted": Mutant(CHECKS, r"21'\(second\)", "21'd0", MADE),
    "s1 is not added": Mutant(CHECKS, r"21'\(first\)", "21'd0", MADE),
    "t0 is not negative": Mutant(FEED, r"t0\[13\](?=;)", "1'b0", MADE),
    "any hint of before stays": Mutant(HINTS, r"(?<=\.write_i     \()to_i\.go", "1'b0", MADE),
    "hints of the try before count": Mutant(
        SIGNING, r"(?<=\.start_i   \()start", "phase_i.load", ""
    ),
    "there may be any number of hints": Mutant(SIGNING, r"few(?= & ball_whole)", "2'b11", "hints"),
    "both rows are the even one": Mutant(
        MAC, r"(?<=assign active = \{)job_i\.twice \| job_i\.odd", "1'b0", ""
    ),
    "y of the next try takes the place of this one's": Mutant(
        ROWS, r"(?<=vector_to\.go & \()held_q\.vector_bank", "try_i.bank", MADE
    ),
    "y is read where z is": Mutant(ROWS, r"mine \? held_from : asked_i\.feed", "held_from", MADE),
    "y of another try is checked": Mutant(
        ROWS, r"(?<=this_bank:    )try_i\.bank", "later(try_i.bank, asked_i.tries)", MADE
    ),
    "what is added up is read": Mutant(
        MAC, r"(?<=ends  = \(made & ~last\.apart & )last\.whole", "1'b1", "largest"
    ),
    "rows of the try before are there": Mutant(
        DRAIN, r"again_i(?=\) rows_q)", "1'b0", "hangs in sign"
    ),
    # That another try counts words of c~ again is no defect to leave out: it begins after its c~.
    "a challenge is there before it came": Mutant(VERDICT, r"held_words == words(?=;)", "1'b1", ""),
    "another try begins before c~ is there": Mutant(
        CORE, r"rest & hash_done(?= & \(pub)", "rest", ""
    ),
    "rows of two tries have one place": Mutant(
        ROWS, r"from\.slot \+ place(?=;)", "from.slot", MADE
    ),
    "a word of w1 that waits is hashed again": Mutant(
        QUEUE, r"(?<=held_q\.from \+ AtW'\()get", "1'b0", "hangs in sign"
    ),
    "a try that has failed goes on": Mutant(TRIES, r"sound_i\[r\] \| Equal", "1'b1", MADE),
    "rnd is not hashed": Mutant(SEEDS, r"\{64\{shows\.pub_rnd\}\}", "64'd0", MADE),
    "a key may have any coefficients": Mutant(
        SECRET, r"(?<=~held_q\.low & \()\|outside", "1'b0", "streams"
    ),
    "c~ is a digest of 64 bytes": Mutant(VERDICT, r"(?<=put_i \? )words", "4'd8", ""),
    "the rails of a try differ": Mutant(
        TRIES,
        r"(?<=mine\.accepted \| \()decide & ~first & sound_i\[r\]",
        "decide & 1'(r)",
        "illegal state",
    ),
    "a key is kept whatever is wrong": Mutant(CONTROL, r"finished_i & ~wrong(?= &)", "1'b1", ""),
    "any command leaves the key": Mutant(
        CONTROL, r"\(&loaded\) & legal & task_of\(asked\)\.loaded", "1'b1", ""
    ),
    "a key of any set will do": Mutant(CONTROL, r"asked\.set == held_q\.command\.set", "1'b1", ""),
    "what is not loaded signs": Mutant(
        CONTROL, r"\(held_q\.tasked\.loaded & ~\(&loaded\)\)(?=;)", "1'b0", ""
    ),
    "tr of before": Mutant(SEEDS, r"made & task_i\.load(?=\) tr)", "1'b0", ""),
    "the rest of the input stays": Mutant(CONTROL, r"(?<=ended = )~held_q\.open", "1'b1", ""),
}
# What is not overwritten when an operation is over; its result is right.
WIPES = {
    "seeds": Mutant(SEEDS, r"(?<=    if \()phase_i\.wipe(?=\) begin\n      xi_q)", "1'b0", ""),
    "small polynomials": Mutant(
        ROWS,
        r"(?<=\.clear_i\()phase_i\.wipe(?=\),\n +\.clear_at_i\(phase_i\.sweep_at\[6)",
        "1'b0",
        "",
    ),
    "vectors": Mutant(MAC, r"(?<=2'\(b\)\)\) \| )wipe", "1'b0", ""),
    "a key that stays": Mutant(SEEDS, r"!phase_i\.keep", "1'b0", ""),
    "what is transformed of it": Mutant(
        MAC, r"wipe_i & ~\(keep_i & \(b != 0\)\)", "wipe_i & (b == 0)", ""
    ),
    "sums": Mutant(MAC, r"(?<=~last\.whole\) \| )wipe_i", "1'b0", ""),
    "sums that are whole": Mutant(MAC, r"wipe_i(?=;\n    assign waddr)", "1'b0", ""),
    "products with the challenge": Mutant(MAC, r"(?<=made & last\.apart\) \| )wipe_i", "1'b0", ""),
    "half of a sweep": Mutant(CONTROL, r"sweep_q\[0\]\[7:0\]", "{1'b0, sweep_q[0][6:0]}", ""),
    "the transform": Mutant(FEED, r"wipe_i \? ~flushed & [^:]*:3\]\) : able", "able", ""),
    "t0": Mutant(
        "mldsa/ntf_row_memory.sv",
        r"clear_i \| we_i",
        "we_i",
        "",
    ),
}

# What stays of a verification that was ended, and is the next one's.
ENDS = {
    "hints": Mutant(INPUT, r"(?<=hint_o\.set = )hint_set & phase_i\.run", "hint_set", ""),
}


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> MutantModel:
    every = list((MUTANTS | WIPES | ENDS).values())
    return with_mutants(prepared(), DSA_CORE_PORTS, every, tmp_path_factory.mktemp("mutants"))


def verdict(model: MutantModel, mutant: int) -> str:
    """What is wrong of a few cases of the two sets that differ most, and what is left behind."""
    model.mutant = mutant
    model.reset()
    core, seed = Coprocessor(model), bytes([5] * 32)
    found = verify_mldsa(core, "dut", cases=2, seed=1, sets=(SET_44, SET_65))
    if not found.ok:
        return f"{[m.what for m in found.mismatches]} {found.violation}"
    pk, sk = ML_DSA_44._keygen_internal(seed)
    short = (pk, bytes(SET_44.signature_bytes - 1), b"")
    if core.run(Request("verify", SET_44, public=short)).reason != "length":
        return "streams"
    for message, symptom in ((b"abc", RIGHT), (bytes(4288), "blocks")):
        packets = (pk, ML_DSA_44._sign_internal(sk, message, seed), message)
        if not core.run(Request("verify", SET_44, public=packets)).accepted:
            return symptom
    # The largest set, which fills all memories.
    if core.run(Request("keygen", SETS[2], seed)).cycles != keygen_cycles(SETS[2], seed):
        return "cycles"
    return "left" if left(model, SETS[2], seed) else _of_a_signature(core)


def _of_a_signature(core: Coprocessor) -> str:
    """What is left of one, or wrong with one of which only hints reject a try."""
    core.run(Request("sign_mu", SET_65, bytes(32) + SIGNER, (bytes(64),)))
    state = core._model.state()
    if any(piece in state for piece in held_by_signing()):
        return "left of a signature"
    many = ((p, number) for p, numbers in MANY_HINTS.items() for number in numbers)
    if not all(signs_alike(core, *each) for each in many):
        return "hints"
    if not signs_alike(core, SETS[2], SEVERAL_TRIES):
        return "largest set"
    try:
        test_a_key_stays_until_it_is_dropped(core)
    except (AssertionError, FaultError):
        return "a key that stays"
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("name", [None, *MUTANTS, *WIPES])
def test_mutants_are_caught(
    spoilt: MutantModel, name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nttforge.kinds.lattice.verify.golden_vectors", lambda _: [])
    every = MUTANTS | WIPES
    if name is None:
        assert not verdict(spoilt, 0)
        return
    found = verdict(spoilt, list(every).index(name) + 1)
    assert found and every[name].symptom in found


@pytest.mark.slow
def test_a_core_that_hangs_is_noticed(spoilt: MutantModel) -> None:
    spoilt.mutant = list(MUTANTS).index("the rest of the input stays") + 1
    with pytest.raises((FaultError, AssertionError)):
        test_what_is_no_command_is_refused(Coprocessor(spoilt))


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDS)
def test_what_stays_of_a_verification_is_noticed(spoilt: MutantModel, name: str) -> None:
    spoilt.mutant = list(MUTANTS | WIPES | ENDS).index(name) + 1
    with pytest.raises(AssertionError):
        test_zeroize_ends_a_verification(Coprocessor(spoilt))


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [2, 24])
def test_more_rounds_of_keccak_a_cycle(rounds: int) -> None:
    """The samplers are then what limits."""
    design = load_design(DSA_CORE, {"lattice.rounds_per_cycle": rounds})
    core = open_core(prepare_kind(design, LatticeCore))
    for p, oracle in ORACLES.items():
        for stall in (0.0, 0.5):
            seed = bytes([p.k + int(10 * stall)] * 32)
            pk, sk = oracle._keygen_internal(seed)
            assert keys(core, p, seed, stall) == (pk, sk)
            signature = oracle._sign_internal(sk, seed, bytes(32))
            for message, right in ((seed, True), (bytes(3), False)):
                request = Request("verify", p, public=(pk, signature, message))
                assert core.run(request, stall=stall).accepted == right
            made = core.run(Request("sign", p, seed + sk, (seed,)), stall=stall).public
            assert made[: p.signature_bytes] == oracle._sign_internal(sk, seed, seed)
