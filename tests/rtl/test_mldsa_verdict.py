# SPDX-License-Identifier: Apache-2.0
"""The verdict of Verify, alone: no upset of it accepts a signature that is wrong.

Every register of it is flipped, a bit at a time, at every cycle; every step that it is given is
left out, and done twice.
"""

from collections.abc import Iterator

import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.faulty import flips, registers, settings, with_mutants
from tests.rtl.mlkem_bench import RTL

WORDS = 6  # of c~, ML-DSA-65's
#: task_t: verify, sign, external, set, k, l, eta4, wide.
VERIFY = 1 << 13
TASK = VERIFY | 1 << 9 | 6 << 5 | 5 << 2 | 3
PORTS = Ports(
    {
        **{"run_i": 1, "wipe_i": 1, "task_i": 17, "word_valid_i": 1, "word_i": 64},
        **{"compare_i": 130, "sound_i": 2, "judge_i": 1, "mutant_i": 3},
        **{"put_i": 1, "digest_i": 512, "again_i": 1},
    },
    {"accepted_o": 2, "decided_o": 1, "fault_o": 1, "challenge_valid_o": 1, "challenge_o": 512},
)
# Defects that flips or steps must find: each is what stands for expressions of the module.
MUTANTS = {
    "one rail is not asked": {
        "(&done) & (stage[0] == stage[1])": "|done",
        "(stage[r] == StAccept)": "(stage[0] == StAccept)",
    },
    "any number of words": {"count == words": "1'b1"},
    "words that differ are not remembered": {
        "(made & ~equal) ? StDiffers : StCompare": "StCompare"
    },
    "z and hints may be wrong": {"exact & sound & ~made": "exact & ~made"},
}
Cycle = dict[str, int]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    where = tmp_path_factory.mktemp("verdict")
    source = where / "ntf_mldsa_verdict.sv"
    text = (RTL / "mldsa/ntf_mldsa_verdict.sv").read_text()
    source.write_text(with_mutants(text, [*MUTANTS.values()]))
    opened = settings(where, {"ntf_mldsa_verdict": "*_q", "ntf_prim_kept": "*_q"})
    rooms = ("prim/ntf_prim", "arith/ntf_arith", "mldsa/ntf_mldsa")
    packages = [RTL / f"{room}_pkg.sv" for room in rooms]
    rails = [RTL / "prim/ntf_prim_kept.sv", RTL / "prim/ntf_prim_rails.sv"]
    needs = [opened, *packages, *rails, source]
    return CycleModel.build(where / "model", needs, "ntf_mldsa_verdict", PORTS)


def operation(wrong: int | None, *, sound: int = 1) -> list[Cycle]:
    """What the verdict sees if word `wrong` of c~ differs in a byte, or none does."""
    idle = {"run_i": 1, "task_i": TASK, "sound_i": 3 * sound}
    data = [(at + 1) * 0x0123456789ABCDEF & (1 << 64) - 1 for at in range(WORDS)]
    came = [{**idle, "word_valid_i": 1, "word_i": word} for word in data]
    must = [
        {**idle, "compare_i": (1 << 64 | word) << 64 | word ^ (0xFF if at == wrong else 0)}
        for at, word in enumerate(data)
    ]
    end = [{**idle, "judge_i": 1}] * 5
    return [{"task_i": TASK}, idle, *came, idle, *must, idle, *end, *[{"task_i": TASK}] * 2]


def run(model: CycleModel, cycles: list[Cycle], mutant: int = 0) -> list[Cycle]:
    model.reset()
    return model.run([{**cycle, "mutant_i": mutant} for cycle in cycles])


def accepts(model: CycleModel, cycles: list[Cycle], mutant: int = 0) -> bool:
    return any(seen["accepted_o"] == 3 for seen in run(model, cycles, mutant))


def steps(cycles: list[Cycle]) -> Iterator[list[Cycle]]:
    """The same operation with one step left out, or done twice."""
    for at, cycle in enumerate(cycles):
        for event in (e for e in ("run_i", "word_valid_i", "compare_i", "judge_i") if cycle.get(e)):
            yield [*cycles[:at], {**cycle, event: 0}, *cycles[at + 1 :]]
            yield [*cycles[: at + 1], *cycles[at:]]


def test_what_is_told(model: CycleModel) -> None:
    right = run(model, operation(None))
    assert [s["accepted_o"] for s in right][-3:] == [3, 3, 0]  # the operation is over
    assert right[-3]["decided_o"] and not any(s["fault_o"] for s in right)
    wrong = [operation(at) for at in range(WORDS)]
    for cycles in (*wrong, operation(None, sound=0)):
        seen = run(model, cycles)
        assert not any(s["accepted_o"] or s["fault_o"] for s in seen) and seen[-3]["decided_o"]
    keygen = [{**cycle, "task_i": TASK % VERIFY} for cycle in operation(None)]
    assert not any(s["accepted_o"] or s["decided_o"] for s in run(model, keygen))


def again(wrong: int) -> list[Cycle]:
    """A word that is wrong is followed by itself as it must be: so many are right as there are."""
    cycles, right = operation(wrong), operation(None)
    at = next(n for n, cycle in enumerate(cycles) if cycle != right[n])
    return [*cycles[: at + 1], *right[at:]]


def test_no_word_may_be_missing_or_come_twice(model: CycleModel) -> None:
    """What is right is refused then: so many words must have been compared as there are."""
    cycles = operation(None)
    for at, cycle in enumerate(cycles):
        if cycle.get("compare_i"):
            assert not accepts(model, [*cycles[:at], *cycles[at + 1 :]])
            assert not accepts(model, [*cycles[: at + 1], *cycles[at:]])
    assert not any(accepts(model, again(wrong)) for wrong in range(WORDS))


@pytest.mark.parametrize("wrong", [0, WORDS - 1])
def test_no_upset_accepts_what_is_wrong(model: CycleModel, wrong: int) -> None:
    tried = list(flips(model, operation(wrong)))
    assert len(tried) > 10_000
    assert not [where for where in tried if where[-1]]
    assert not any(accepts(model, cycles) for cycles in steps(operation(wrong)))


def test_a_flip_is_told(model: CycleModel) -> None:
    """A rail that is pushed aside raises the fault, and nothing is decided then."""
    cycles = operation(None)
    for register in registers(model):
        for bit in range(register.bits if "u_stage" in register.name else 0):
            model.reset()
            model.run(cycles[:12])
            register.flip(bit)
            seen = model.run(cycles[12:-1])
            assert seen[2]["fault_o"] and not any(s["decided_o"] for s in seen)


@pytest.mark.parametrize("mutant", range(1, len(MUTANTS) + 1), ids=list(MUTANTS))
def test_the_campaign_finds_a_mutant(model: CycleModel, mutant: int) -> None:
    few = operation(None)
    del few[10]
    wrong = operation(1)
    assert (
        accepts(model, few, mutant)
        or accepts(model, operation(None, sound=0), mutant)
        or accepts(model, again(1), mutant)
        or any(where[-1] for where in flips(model, [{**c, "mutant_i": mutant} for c in wrong]))
    )
