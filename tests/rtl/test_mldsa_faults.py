# SPDX-License-Identifier: Apache-2.0
"""Flipped bits in the whole ML-DSA coprocessor, and in that of both standards.

What the campaign must see is forced, as no single flip may lead to it.
"""

import random
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.standard import WORDS
from nttforge.standards import bits
from nttforge.standards.ml_dsa import bit_pack, expand_a, h, matrix_vector
from nttforge.standards.ml_dsa.parameters import RING, Q
from nttforge.standards.ml_dsa.signing import (
    decompose,
    expand_mask,
    sample_in_ball,
    sign_mu,
    sk_decode,
)
from nttforge.standards.transform_engine import software_engine
from tests.faults.case import ZEROS, Answer
from tests.faults.dsa import REFERENCE, RND, Key, SignatureJudge, known_key, verified
from tests.faults.fault_campaign import BOUND, IDLE, Bench, bench, of_idle_core
from tests.faults.hardware import BOTH, DSA, SEEDS_UNIT
from tests.faults.scenario import BAD, FAULT, STUCK, WRONG, Scenario, left
from tests.rtl.faulty import bits as bits_of
from tests.rtl.faulty import registers

SEED = 3
SMALL = SETS[0]
"""The smallest set."""


@pytest.fixture(scope="module")
def dsa(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return bench(DSA, tmp_path_factory.mktemp("dsa"), SEED, "ML-DSA-44", states=48)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return bench(BOTH, tmp_path_factory.mktemp("both"), SEED, "early", states=48)


@pytest.fixture(scope="module")
def signing(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Both cores in one coprocessor, and one signature whose message is late."""
    name = "ML-DSA-44 sign_mu, deterministic, 1 tries, public words late"
    return bench(BOTH, tmp_path_factory.mktemp("both"), SEED, name, states=24)


def run(of: Bench, name: str) -> Scenario:
    return next(each for each in of.scenarios if each.name == f"ML-DSA-44 {name}")


def zeroed(of: Bench, name: str) -> Callable[[], None]:
    found = [register for register in registers(of.model) if register.name.endswith(name)]
    assert len(found) == 1

    def write() -> None:
        found[0].write(0)

    return write


def outcomes(scenario: Scenario, change: Callable[[], None], cycles: Iterable[int]) -> set[str]:
    return {scenario.changed(cycle, change) for cycle in cycles}


def signed(key: Key, mu: bytes, seed: bytes) -> bytes:
    """A signature of which K, rnd and mu of the mask are other ones: rho'' is H(seed, RND, mu)."""
    sk = key.sk[:32] + seed + key.sk[64:]
    return sign_mu(key.p, sk, mu, RND, software_engine()).data


def attempt(key: Key, mu: bytes, number: int = 0) -> bytes:
    """The first try of a signature, rejected or not; or with another challenge."""
    p, engine = key.p, software_engine()
    rho, secret, _, s1, _, _ = sk_decode(p, key.sk)
    y = expand_mask(p, h(secret + RND + mu, 64), 0)
    w = engine.intt(RING, matrix_vector(expand_a(p, rho), engine.ntt(RING, y % Q)))
    packed = bits.pack(decompose(p, w)[0], p.w1_bits)
    challenge = h(mu + packed + bytes(number), p.challenge_bytes)
    c = engine.ntt(RING, sample_in_ball(p, challenge)[np.newaxis] % Q)
    product = engine.intt(RING, c * engine.ntt(RING, s1 % Q) % Q)
    z = y + (product + Q // 2) % Q - Q // 2
    gamma = 1 << p.gamma1_bits
    return challenge + bit_pack(z, gamma - 1, gamma) + bytes(p.omega + p.k)


def test_tries_that_are_to_be_rejected_are_seen() -> None:
    pk, sk = REFERENCE[SMALL]._keygen_internal(bytes([1] * 32))
    key, found = Key(SMALL, pk, sk), set()
    for number in range(1, 7):
        mu = bytes([number] * 64)
        tries = len(sign_mu(SMALL, sk, mu, RND, software_engine()).challenges)
        answer = Answer(("none",), attempt(key, mu), b"", (1, 0))
        judged = SignatureJudge(key, mu, RND)(answer)
        assert (judged == "a try that is to be rejected") == (tries > 1)
        found.add(judged)
        # Of another challenge it is no try; but z must not tell what y is.
        answer = Answer(("none",), attempt(key, mu, 1), b"", (1, 0))
        found.add(SignatureJudge(key, mu, RND)(answer))
    assert found == {None, "a try that is to be rejected", "z of a right y is out of bounds"}


def test_known_values_are_seen() -> None:
    """In words alone, without a model."""
    p = SMALL
    pk, sk = REFERENCE[p]._keygen_internal(bytes([1] * 32))
    key, mu = Key(p, pk, sk), bytes(range(64))
    judge = SignatureJudge(key, mu, RND)

    def judged(signature: bytes) -> str | None:
        return judge(Answer(("none",), signature + bytes(4), b"", (1, 0)))

    right = sign_mu(p, sk, mu, RND, software_engine()).data
    assert judged(right) is None
    assert judged(signed(key, mu, RND)) == "y has a known polynomial"
    assert judged(sign_mu(p, sk, ZEROS, bytes([1] * 32), software_engine()).data) == (
        "a signature of mu = 0"
    )
    pk, sk = REFERENCE[p]._keygen_internal(bytes(32))
    assert known_key(p, Answer(("none",), pk, sk), standard=True) == "s1 has a known polynomial"
    assert verified(Answer(("none",), WORDS[True])) and not verified(Answer(("none",)))


def test_no_flip_of_the_control_loses_the_result(signing: Bench) -> None:
    rng, scenario = random.Random(SEED), signing.scenarios[0]
    control = [r for r in registers(signing.model) if r.name.startswith("u_dsa.u_control.")]
    for register, bit in bits_of(control):
        cycle = rng.randrange(scenario.cycles)
        assert scenario.changed(cycle, partial(register.flip, bit)) != STUCK, (register.name, bit)


def test_rails_that_differ_are_a_fault(dsa: Bench) -> None:
    """In every unit, wherever the flip is: what joins the units' faults leaves none out."""
    rng, scenario = random.Random(SEED), run(dsa, "sign_mu, deterministic, 1 tries, early")
    rails = [register for register in registers(dsa.model) if "u_rail_" in register.name]
    assert len({register.name.rsplit(".u_rail_")[0] for register in rails}) > 20
    for register in rails:
        for bit in rng.sample(range(register.bits), min(2, register.bits)):
            cycle = rng.randrange(scenario.cycles // 4, scenario.cycles // 2)
            outcome = scenario.changed(cycle, partial(register.flip, bit))
            assert outcome == FAULT, (register.name, bit, cycle, outcome)


def test_no_word_of_hints_outlives_a_wipe(signing: Bench) -> None:
    """Zeros go through their queue, which is empty afterwards."""
    scenario = signing.scenarios[0]
    count = next(r for r in registers(signing.model) if r.name.endswith("u_hints.u_words.count_q"))
    queued = []
    for cycle in range(scenario.cycles * 4 // 5, scenario.cycles, 16):
        scenario.loop.enter(cycle)
        queued.append(count.read())
        scenario.wiped(cycle, lambda: None, 0, BOUND)
        assert count.read() == 0, cycle
    assert max(queued) > 4


def test_no_norm_outlives_a_wipe(signing: Bench) -> None:
    """Whether a coefficient of y was beyond a bound."""
    scenario = signing.scenarios[0]
    found = next(r for r in registers(signing.model) if r.name.endswith("[0].u_found.kept_q"))
    beyond = []
    for cycle in range(0, scenario.cycles, scenario.cycles // 40):
        scenario.loop.enter(cycle)
        beyond.append(found.read() >> 1)
        scenario.wiped(cycle, lambda: None, 0, BOUND)
        assert found.read() == 0, cycle
    assert any(beyond) and not all(beyond)


def test_the_longest_list_of_jobs_ends(tmp_path: Path) -> None:
    """A signature of ML-DSA-87 with 140 products: their number is compared up to the last one."""
    made = bench(DSA, tmp_path, SEED, "ML-DSA-87 sign, hedged, 2 tries, early", states=4)
    assert [each.answer.reasons for each in made.scenarios] == [("none",)]


def test_a_try_that_a_flip_rejects_is_public_and_no_secret(dsa: Bench) -> None:
    """Two keys, and w spoilt: one try passes z and r0, the other does not, so they end apart."""
    pair, beside = dsa.pairs[0], dsa.residues[0]
    valid = next(r for r in registers(dsa.model) if r.name.endswith("u_arithmetic.u_mac.valid_q"))
    apart = 0
    for cycle in range(pair[0].cycles * 2 // 3, pair[0].cycles * 5 // 6, 24):
        flip = partial(valid.flip, 2)
        one, two = (each.wiped(cycle, flip, 400, BOUND) for each in pair)
        apart += one.sent == two.sent and one.tries != two.tries
        assert not left(pair, cycle, flip, 400, BOUND, beside=beside), cycle
    assert apart
    # Of what ends apart other bytes may be left: none of those that hold a seed.
    for register in registers(dsa.model):
        if SEEDS_UNIT in register.name and register.bits > 64:
            before = np.frombuffer(dsa.model.state(), np.uint8)
            register.write(~register.read())
            held = np.frombuffer(dsa.model.state(), np.uint8) != before
            assert held.any() and not (held & beside.moments).any(), register.name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed", "seen"),
    [
        ("keygen, early", "u_seeds.xi_q", "s1 has a known polynomial"),
        ("keygen, early", "u_seeds.rho_secret_q", "s1 has a known polynomial"),
        ("keygen, early", "u_seeds.key_q", "K is known"),
        ("sign_mu, deterministic, 1 tries, early", "u_seeds.rho_secret_q", "y has a known"),
        ("sign_mu, deterministic, 1 tries, early", "u_seeds.digest_q", "a signature of mu = 0"),
    ],
)
def test_a_seed_of_zeros_is_seen(dsa: Bench, name: str, seed: str, seen: str) -> None:
    scenario = run(dsa, name)
    found = outcomes(scenario, zeroed(dsa, seed), range(0, scenario.cycles, 16))
    assert any(outcome.startswith(BAD + seen) for outcome in found), found


def test_no_flip_of_the_idle_core_spoils_a_signature(signing: Bench) -> None:
    rng, scenario = random.Random(SEED), signing.scenarios[0]
    idle = [place for place in signing.places[f"{IDLE}, dsa"] if "u_control." in place[0].name]
    assert len(idle) > 100 and all(register.name.startswith("u_kem.") for register, _ in idle)
    for register, bit in rng.sample(idle, 200):
        cycle = rng.randrange(scenario.cycles)
        outcome = of_idle_core(scenario.changed(cycle, partial(register.flip, bit)))
        assert not outcome.startswith(BAD), (register.name, bit, cycle)


@pytest.mark.slow
def test_a_wrong_result_of_the_idle_core_is_bad(both: Bench) -> None:
    """The same change is counted as wrong where the core is busy, and as bad where it is idle."""
    rng = random.Random(SEED)
    tried = [both.flip(rng) for _ in range(3000)]
    idle = [each for each in tried if each.kind == IDLE]
    assert idle and not any(each.outcome == WRONG for each in idle)
    assert {each.register.partition(".")[0] for each in idle} == {"u_kem", "u_dsa"}


@pytest.mark.slow
@pytest.mark.parametrize("of", ["dsa", "both"])
def test_no_flip_is_bad(of: str, request: pytest.FixtureRequest) -> None:
    backend_of: Bench = request.getfixturevalue(of)
    rng = random.Random(SEED)
    found = [backend_of.flip(rng) for _ in range(3000)]
    bad = [each for each in found if each.outcome.startswith(BAD) or each.outcome == STUCK]
    assert not bad, [(each.outcome, each.place) for each in bad]
