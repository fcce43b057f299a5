# SPDX-License-Identifier: Apache-2.0
"""Flipped bits in the narrower ML-DSA core while it makes keys.

None gives a key that anyone knows, and no word of the private key leaves where the public one does.
"""

import random
from collections import Counter
from functools import partial

import pytest

from nttforge.kinds.lattice.bus import Request
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.standard import stream_order
from nttforge.simulate.cycles import CycleModel
from tests.faults.case import Answer, Case, timings
from tests.faults.dsa import REFERENCE, known_key
from tests.faults.hardware import KEYS, WIDE_SIGNER, build, is_control
from tests.faults.hosts import HOSTS
from tests.faults.scenario import BAD, FAULT, RIGHT, STUCK, Scenario
from tests.rtl.faulty import Register, bits, registers
from tests.rtl.widths import width_fixture

P, XI = SETS[0], random.Random(5).randbytes(32)
PK, SK = REFERENCE[P]._keygen_internal(XI)
#: Words of K, s1, s2 and t0: all that is secret of a private key.
SECRET = {SK[at : at + 4] for at in (*range(32, 64, 4), *range(128, len(SK), 4))}
CASES = {
    "keygen": (Request("keygen", P, XI), stream_order(SK)),
    "keygen_standard": (Request("keygen_standard", P, XI), SK),
    "entropy": (Request("keygen", P, entropy=XI), stream_order(SK)),
}
STATES = 64


def leaked(answer: Answer) -> str | None:
    """Whether a word of the private key is in the public output, where it does not belong."""
    words = (answer.public[at : at + 4] for at in range(0, len(answer.public), 4))
    known = {PK[at : at + 4] for at in range(0, len(PK), 4)}
    return "a secret leaves as public" if any(w in SECRET - known for w in words) else None


def case(name: str) -> Case:
    request, sk = CASES[name]
    judge = partial(_judge, standard=request.operation == "keygen_standard")
    return Case(
        name, "dsa", (request,), Answer(("none",), PK, sk, (1, 1)), judge, leaked, slack=6000
    )


def _judge(answer: Answer, *, standard: bool) -> str | None:
    return known_key(P, answer, standard)


DESIGNS = {4: KEYS, 8: WIDE_SIGNER}
width = width_fixture(slow=True)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, width: int) -> CycleModel:
    return build(DESIGNS[width], tmp_path_factory.mktemp("faults"))


@pytest.fixture(scope="module")
def scenarios(model: CycleModel, width: int) -> list[Scenario]:
    host, when = HOSTS[DESIGNS[width]](), timings(random.Random(1), 2500)
    return [
        Scenario(model, host, case(name), timing, states=STATES)
        for name, timing in zip(("keygen", "keygen_standard", "entropy"), when, strict=False)
    ]


@pytest.fixture(scope="module")
def control(model: CycleModel) -> list[Register]:
    return [register for register in registers(model) if is_control(register)]


def outcomes(
    scenarios: list[Scenario], control: list[Register], flips: int, seed: int
) -> tuple[Counter[str], list[tuple[str, str, int, int]]]:
    """What came of flips, and which ones were bad."""
    rng, every = random.Random(seed), [*bits(control)]
    found, wrong = Counter[str](), list[tuple[str, str, int, int]]()
    for n in range(flips):
        scenario = scenarios[n % len(scenarios)]
        (register, bit), cycle = rng.choice(every), rng.randrange(scenario.cycles)
        outcome = scenario.changed(cycle, partial(register.flip, bit))
        found[outcome] += 1
        if outcome.startswith(BAD) or outcome == STUCK:
            wrong.append((outcome, register.name, bit, cycle))
    return found, wrong


def test_no_flip_of_control_lets_a_secret_out(
    scenarios: list[Scenario], control: list[Register]
) -> None:
    found, wrong = outcomes(scenarios, control, 300, 1)
    assert {RIGHT, FAULT} <= found.keys()
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_thousands_of_flips(scenarios: list[Scenario], control: list[Register], seed: int) -> None:
    _, wrong = outcomes(scenarios, control, 2000, seed)
    assert not wrong


@pytest.mark.parametrize(
    "unit", ["u_secret.u_rails", "u_packer.u_route", "u_seeds.u_rails", "u_source.u_rails"]
)
def test_nothing_leaves_too_early(
    scenarios: list[Scenario], control: list[Register], unit: str
) -> None:
    """Either rail of what says that a seed is there, or what leaves: at moments of all parts."""
    of = [register for register in control if unit in register.name]
    assert len(of) == 2
    scenario, found = scenarios[0], Counter[str]()
    for place in bits(of):
        for part in (0.004, 0.03, 0.28, 0.73, 0.84):
            cycle = int(part * scenario.cycles)
            found[scenario.changed(cycle, partial(place[0].flip, place[1]))] += 1
    assert FAULT in found
    assert not [name for name in found if name.startswith(BAD) or name == STUCK]
