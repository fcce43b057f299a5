# SPDX-License-Identifier: Apache-2.0
"""A checked list of jobs: any flip in it gives the right words, or a fault."""

import random
from pathlib import Path

import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.faulty import bits, registers, settings, with_mutants
from tests.rtl.mlkem_bench import RTL, pack

WIDTH, WORDS = 6, random.Random(1).choices(range(64), k=40)
BASE, LENGTH = 8, 24
EVERY = 4  # cycles between two words, at least
LATE = 8  # cycles from a flip that matters to the fault
PORTS = Ports(
    {
        "run_i": 1,
        "load_i": 1,
        "base_i": 16,
        "next_i": 1,
        "jump_i": 1,
        "jump_at_i": 6,
        "mutant_i": 3,
    },
    {"at_o": 6, "word_o": WIDTH, "fault_o": 1},
)
MUTANTS = {
    "the parity is not looked at": {"~^{parity, word_o}": "1'b0"},
    "the place is not looked at": {"(place_q != expected_q)": "1'b0"},
}
Cycle = dict[str, int]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    where = tmp_path_factory.mktemp("jobs")
    source = where / "ntf_checked_jobs.sv"
    text = (RTL / "lattice/ntf_checked_jobs.sv").read_text()
    source.write_text(with_mutants(text, [*MUTANTS.values()]))
    opened = settings(
        where, dict.fromkeys(("ntf_checked_jobs", "ntf_job_list", "ntf_prim_kept"), "*_q")
    )
    needs = [opened, RTL / "prim/ntf_prim_kept.sv", RTL / "lattice/ntf_job_list.sv", source]
    words = f"{WIDTH * len(WORDS)}'h{pack(WORDS, WIDTH):x}"
    parameters = {"Width": str(WIDTH), "Num": str(len(WORDS)), "Words": words, "AtW": "6"}
    return CycleModel.build(where / "model", needs, "ntf_checked_jobs", PORTS, parameters)


def cycles(seed: int) -> list[Cycle]:
    """A list that is worked off, with a jump back in it, as Keccak's may have."""
    rng = random.Random(seed)
    still = {"run_i": 1, "base_i": BASE}
    made = [{"base_i": BASE}, {"load_i": 1, "base_i": BASE}, *[{"base_i": BASE}] * 2]
    for at in range(LENGTH - 1):
        made += [still] * (EVERY + rng.randrange(4))
        made.append({**still, "next_i": 1})
        if at == LENGTH // 2:
            made += [*[still] * 3, {**still, "jump_i": 1, "jump_at_i": at - 3}]
    return made + [still] * (LATE + 4)


def survives(model: CycleModel, seed: int, mutant: int = 0, *, every: int = 1) -> list[str]:
    """Flips after which a word is wrong while it may be used, and no fault follows."""
    rng, found = random.Random(seed), []
    driven = [{**cycle, "mutant_i": mutant} for cycle in cycles(seed)]
    moves = [bool(cycle.get("jump_i") or cycle.get("load_i")) for cycle in driven]
    usable = [not any(moves[max(0, at - 2) : at + 1]) for at in range(len(moves))]
    model.reset()
    right = model.run(driven)
    assert not any(seen["fault_o"] for seen in right)
    places = list(bits(registers(model)))
    for number in range(0, len(places), every):
        register, bit = places[number]
        at = rng.randrange(5, len(driven) - LATE)
        model.reset()
        model.run(driven[:at])
        register.flip(bit)
        seen = model.run(driven[at:])
        wrong = [t for t, word in enumerate(seen) if word != right[at + t] and usable[at + t]]
        if wrong and not any(s["fault_o"] for s in seen[: wrong[0] + LATE]):
            found.append(f"{register.name} {bit} in cycle {at}")
    return found


@pytest.mark.parametrize("seed", range(8))
def test_a_flip_is_a_fault_or_harmless(model: CycleModel, seed: int) -> None:
    assert not survives(model, seed)


@pytest.mark.parametrize("mutant", range(1, len(MUTANTS) + 1), ids=list(MUTANTS))
def test_each_check_is_needed(model: CycleModel, mutant: int) -> None:
    assert any(survives(model, seed, mutant) for seed in range(8))


def test_words_are_those_of_the_list(model: CycleModel, tmp_path: Path) -> None:
    model.reset()
    seen = model.run(cycles(0))
    taken = [s for c, s in zip(cycles(0), seen, strict=True) if c.get("next_i")]
    assert all(s["word_o"] == WORDS[BASE + s["at_o"]] for s in taken)
    assert {s["at_o"] for s in taken} == set(range(max(s["at_o"] for s in taken) + 1))
