# SPDX-License-Identifier: Apache-2.0
"""Flipped bits in the whole ML-KEM coprocessor: a sample of what `python -m tests.faults` tries.

What the campaign must see is forced: seeds of zeros, which no single flip may lead to.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import pytest

from tests.faults.case import Answer
from tests.faults.fault_campaign import BOUND, CHUNK, Bench, Campaign, bench, of_idle_core
from tests.faults.hardware import KEM
from tests.faults.kem_cases import cases
from tests.faults.scenario import (
    ALERTED,
    BAD,
    ERROR,
    FAULT,
    HANG,
    LOCKED,
    NO_EFFECT,
    RIGHT,
    STUCK,
    WRONG,
    Scenario,
    left,
)
from tests.faults.step_faults import steps, tried
from tests.rtl.faulty import Register, bits, registers

SEED = 3


@pytest.fixture(scope="module")
def kem(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """With operations of ML-KEM-512 alone, and few states of each, which is quick to make."""
    return bench(KEM, tmp_path_factory.mktemp("faults"), SEED, "ML-KEM-512", states=24)


def run(kem: Bench, name: str) -> Scenario:
    return next(each for each in kem.scenarios if each.name == f"ML-KEM-512 {name}")


def named(kem: Bench, *parts: str) -> list[Register]:
    return [r for r in registers(kem.model) if any(part in r.name for part in parts)]


def zeroed(found: Iterable[Register]) -> Callable[[], None]:
    def write() -> None:
        for register in found:
            register.write(0)

    return write


def outcomes(scenario: Scenario, change: Callable[[], None], cycles: Iterable[int]) -> set[str]:
    return {scenario.changed(cycle, change) for cycle in cycles}


@pytest.mark.parametrize(
    ("name", "seed", "seen"),
    [
        ("keygen, early", "u_seeds.message_q", "s has PRF of sigma of a known d"),
        ("keygen, early", "u_seeds.sigma_q", "s has PRF of a known seed"),
        ("keygen, early", "u_seeds.z_q", "z is known"),
        ("encaps, early", "u_seeds.message_q", "K of m = 0"),
        ("encaps, early", "u_seeds.sigma_q", "y or e of a known r"),
        ("decaps, wrong c, early", "u_seeds.z_q", "K = J(0, c)"),
        ("decaps, wrong c, early", "u_seeds.reject_q", "K = 0"),
        ("decaps, right c, early", "u_seeds.secret_q", "K = 0"),
    ],
)
def test_a_seed_of_zeros_is_seen(kem: Bench, name: str, seed: str, seen: str) -> None:
    scenario, found = run(kem, name), named(kem, seed)
    assert len(found) == 1
    # Words that come early are used soon.
    cycles = [*range(160), *range(160, scenario.cycles, 8)]
    assert BAD + seen in outcomes(scenario, zeroed(found), cycles)


def test_a_release_is_seen(kem: Bench) -> None:
    """Both rails pushed at once, as no single fault can: K' leaves, and the campaign sees it."""
    pushed, scenario = named(kem, "u_leave"), run(kem, "decaps, wrong c, early")

    def push() -> None:
        for register, bit in bits(pushed):
            register.flip(bit)

    last = range(scenario.cycles - 300, scenario.cycles)
    assert len(pushed) == 2 and BAD + "K' leaves" in outcomes(scenario, push, last)


@pytest.mark.parametrize("name", ["u_framer.state_q", "u_control.clear_q"])
def test_no_flip_takes_a_transform_away_unseen(kem: Bench, name: str) -> None:
    """Another one would take its place, and zeros that of the last one."""
    found, scenario = named(kem, name), run(kem, "keygen, entropy, early")
    assert len(found) == 1
    for register, bit in bits(found):
        seen = outcomes(scenario, partial(register.flip, bit), range(0, scenario.cycles, 2))
        assert not {each for each in seen if each.startswith(BAD)}


def test_a_hang_is_seen(kem: Bench) -> None:
    """Products that are never said to be there are waited for; `zeroize` ends that."""
    found, scenario = named(kem, "u_products.u_mac.after_q"), run(kem, "decaps, right c, early")
    assert len(found) == 1
    every = list(bits(found))
    changes = [partial(register.flip, bit) for register, bit in every]
    seen = {o for change in changes for o in outcomes(scenario, change, range(100, 1200, 50))}
    assert HANG in seen and STUCK not in seen


def test_a_wrong_result_beside_the_alert_is_seen(kem: Bench) -> None:
    """It is no fault: the result says "none". Of the idle core it is bad."""
    wrong, scenario = named(kem, "u_seeds.message_q")[0], run(kem, "encaps, early")
    alert = named(kem, "u_control.alert_q")[0]

    def both() -> None:
        wrong.flip(9)
        alert.write(1)

    seen = outcomes(scenario, both, range(0, 200, 8))
    assert ALERTED in seen and not seen & {WRONG, RIGHT}
    seen = outcomes(scenario, partial(wrong.flip, 9), range(0, 200, 8))
    assert WRONG in seen and ALERTED not in seen
    for outcome in (WRONG, ALERTED):
        assert of_idle_core(outcome).startswith(BAD)
    for outcome in (RIGHT, FAULT, ERROR, HANG, STUCK):
        assert of_idle_core(outcome) == outcome


def test_what_stays_after_zeroize_is_seen(kem: Bench) -> None:
    """If nothing is waited for, secrets are still there; and then they are not."""
    pair = kem.pairs[0]
    one, two = (each.wiped(100, lambda: None, 10, 0).state.tobytes() for each in pair)
    assert one != two
    one, two = (each.wiped(100, lambda: None, 10, BOUND).state.tobytes() for each in pair)
    assert one == two
    # A word that comes after everything was wiped.
    found = named(kem, "u_seeds.message_q")[0]
    numbers = iter(range(2))
    assert left(pair, 100, lambda: None, 10, BOUND) is False
    assert left(pair, 100, lambda: found.write(next(numbers)), 10, 0)


def left_by_a_second_request(kem: Bench, count: int) -> int:
    """How many flips in the transform leave a secret, if `zeroize` comes while all is wiped."""
    rng = random.Random(SEED)
    pair = next(pair for pair in kem.pairs if "encaps" in pair[0].name)
    wiped = min(run.cycles for run in pair)
    counts = list(bits(named(kem, "gen_exchange.beat_q", "u_framer.beat_q", "late_waddr_q")))
    found = 0
    for _ in range(count):
        register, bit = rng.choice(counts)
        cycle, zeroize = rng.randrange(wiped - 250, wiped - 160), wiped - rng.randrange(40, 80)
        change = partial(register.flip, bit)
        found += left(pair, cycle, change, zeroize - cycle, BOUND)
    return found


@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=pytest.mark.slow)])
def test_zeroize_during_the_wiping_begins_it_again(kem: Bench, count: int) -> None:
    assert left_by_a_second_request(kem, count) == 0


@pytest.mark.slow
def test_a_wiping_that_goes_on_is_seen(tmp_path: Path) -> None:
    defects = {"ntf_mlkem_control": ("if (again) state_d", "if (1'b0) state_d")}
    kem = bench(KEM, tmp_path, SEED, "ML-KEM-512 encaps", states=24, defects=defects)
    assert left_by_a_second_request(kem, 300) > 5


def test_what_is_refused_is_judged_by_what_leaves() -> None:
    """A result that says "none" is wrong, but bad only if there is something to take."""
    forged = next(case for case in cases(SEED) if "forged hash" in case.name)
    assert forged.judge(Answer(("none",))) is None
    assert forged.judge(Answer(("none",), b"", bytes(32))) == "a key of another hash passes"


def sample(kem: Bench, count: int, seed: int) -> Counter[str]:
    rng = random.Random(seed)
    return Counter(kem.flip(rng).outcome for _ in range(count))


@pytest.mark.parametrize("count", [400, pytest.param(20_000, marks=pytest.mark.slow)])
def test_no_flip_is_bad(kem: Bench, count: int) -> None:
    seen = sample(kem, count, SEED)
    assert {*seen} <= {NO_EFFECT, RIGHT, FAULT, ERROR, WRONG, ALERTED, HANG, LOCKED}, seen
    assert seen[NO_EFFECT] and seen[RIGHT] and seen[FAULT]


@pytest.mark.parametrize("count", [400, pytest.param(12_000, marks=pytest.mark.slow)])
def test_no_flip_of_the_verdict_releases_the_secret(kem: Bench, count: int) -> None:
    rng, scenario = random.Random(SEED), run(kem, "decaps, wrong c, early")
    verdict = list(bits(named(kem, "u_verdict.")))
    for _ in range(count):
        register, bit = rng.choice(verdict)
        cycle = rng.randrange(scenario.cycles)
        outcome = scenario.changed(cycle, partial(register.flip, bit))
        assert not outcome.startswith(BAD), (register.name, bit, cycle)


def test_no_step_left_out_or_done_twice_releases_it(kem: Bench) -> None:
    scenario = run(kem, "decaps, wrong c, early")
    every = list(steps(kem.model, scenario))
    assert len(every) > 100
    found = {step[0]: tried(kem.model, scenario, step) for step in every}
    assert not [what for what, outcome in found.items() if "K'" in outcome]


def test_flips_are_those_of_their_numbers(kem: Bench) -> None:
    """Two chunks in two processes are what they are alone."""
    campaign = Campaign({KEM: kem}, SEED)
    both = [[t.place for t in chunk] for chunk in campaign.run([5, 6])]
    assert both == [[t.place for t in campaign.chunk(number)] for number in (5, 6)]
    assert len(both[0]) == CHUNK
