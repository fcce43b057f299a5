# SPDX-License-Identifier: Apache-2.0
"""Flipped bits in the narrower ML-DSA core: none makes a signature right that is not.

A forgery is tried of which only c is missing: z is 0 and w1 that of 0, so it is right wherever c,
or its product with t1, is 0. Whatever makes the core take something too early shows here.
"""

import random
from collections.abc import Iterator
from functools import partial

import pytest
from dilithium_py.ml_dsa import ML_DSA_44

from nttforge.kinds.lattice.bus import Request
from nttforge.kinds.lattice.mldsa.forgeries import KINDS, Signed
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.standard import WORDS
from nttforge.simulate.cycles import CycleModel
from nttforge.standards.ml_dsa.keygen import h
from nttforge.standards.ml_dsa.message import representative
from nttforge.standards.ml_dsa.parameters import N, Parameters
from tests.faults.case import Answer, Case, timings
from tests.faults.dsa import verified
from tests.faults.hardware import VERIFIER, WIDE_SIGNER, build, is_control
from tests.faults.hosts import HOSTS
from tests.faults.scenario import BAD, FAULT, RIGHT, STUCK, Scenario
from tests.rtl.faulty import Register, bits, registers
from tests.rtl.widths import width_fixture

P = SETS[0]
PK, SK = ML_DSA_44._keygen_internal(bytes([7] * 32))
MESSAGE = b"firmware"
STATES = 64


def without_c(p: Parameters, pk: bytes, message: bytes) -> bytes:
    """A signature that is right if c is 0, of z = 0, without hints."""
    w1 = bytes(N // 8 * p.w1_bits * p.k)
    challenge = h(representative(pk, message) + w1, p.challenge_bytes)
    gamma = (1 << p.gamma1_bits).to_bytes(3, "little")
    number = int.from_bytes(gamma, "little")
    z = sum(number << p.z_bits * at for at in range(N * p.l))
    return challenge + z.to_bytes(N // 8 * p.l * p.z_bits, "little") + bytes(p.omega + p.k)


def _refused(name: str, packets: tuple[bytes, ...]) -> Case:
    request = Request("verify", P, public=packets)
    answer = Answer(("signature",), WORDS[False], b"", (1, 0))
    return Case(name, "dsa", (request,), answer, verified, verified)


def _cases(rng: random.Random) -> Iterator[Case]:
    yield _refused("without c", (PK, without_c(P, PK, MESSAGE), MESSAGE))
    right = Signed(PK, ML_DSA_44._sign_internal(SK, MESSAGE, bytes(32)), MESSAGE)
    for name in ("challenge", "z", "hint", "order of hints"):
        yield _refused(name, KINDS[name](P, right, rng).packets)


DESIGNS = {4: VERIFIER, 8: WIDE_SIGNER}
width = width_fixture(slow=True)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, width: int) -> CycleModel:
    return build(DESIGNS[width], tmp_path_factory.mktemp("faults"))


@pytest.fixture(scope="module")
def scenarios(model: CycleModel, width: int) -> list[Scenario]:
    host, early = HOSTS[DESIGNS[width]](), timings(random.Random(1), 100)[0]
    return [Scenario(model, host, case, early, states=STATES) for case in _cases(random.Random(2))]


@pytest.fixture(scope="module")
def control(model: CycleModel) -> list[Register]:
    return [register for register in registers(model) if is_control(register)]


def _outcomes(
    scenario: Scenario, places: list[tuple[Register, int, int]]
) -> dict[str, list[tuple[str, int, int]]]:
    found: dict[str, list[tuple[str, int, int]]] = {}
    for register, bit, cycle in places:
        outcome = scenario.changed(cycle, partial(register.flip, bit))
        found.setdefault(outcome, []).append((register.name, bit, cycle))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_no_flip_of_control_accepts_a_forgery(
    scenarios: list[Scenario], control: list[Register], seed: int
) -> None:
    rng, every = random.Random(seed), [*bits(control)]
    scenario = scenarios[seed]
    places = [(*rng.choice(every), rng.randrange(scenario.cycles)) for _ in range(250)]
    found = _outcomes(scenario, places)
    assert {RIGHT, FAULT} <= found.keys()
    assert not {name: of for name, of in found.items() if name.startswith(BAD) or name == STUCK}


@pytest.mark.parametrize("unit", ["u_ring.u_able", "u_memories.u_held", "u_candidates.u_held"])
def test_nothing_is_taken_too_early(
    scenarios: list[Scenario], control: list[Register], width: int, unit: str
) -> None:
    """Either rail of what says that something is there, while the challenge comes."""
    of = [register for register in control if unit in register.name]
    assert len(of) == 2
    places = [(*place, cycle) for place in bits(of) for cycle in range(3600, 6000, 240)]
    places = [(register, bit, cycle // width) for register, bit, cycle in places]
    found = _outcomes(scenarios[0], places)
    assert FAULT in found
    assert not {name: of for name, of in found.items() if name.startswith(BAD)}
