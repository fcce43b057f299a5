# SPDX-License-Identifier: Apache-2.0
"""The tries of Sign, alone: no upset accepts one that was rejected, or begins one after the last.

Every register is flipped, a bit at a time, at every cycle.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.faulty import bits, registers, settings, with_mutants
from tests.rtl.mlkem_bench import RTL

MOST = 814
PORTS = Ports(
    {"run_i": 1, "task_i": 17, "checked_i": 2, "rest_i": 1, "sound_i": 2, "mutant_i": 3},
    {
        "rejected_o": 1,
        "back_o": 1,
        "again_o": 1,
        "turn_o": 1,
        "passed_o": 1,
        "skip_o": 1,
        "judged_o": 1,
        "place_o": 3,
        "next_place_o": 3,
        "kappa_o": 16,
        "bank_o": 2,
        "accepted_o": 2,
        "endless_o": 1,
        "fault_o": 1,
    },
)
# Defects that flips, or many tries, must find.
MUTANTS = {
    "another try may follow the last": {"rail_q[1].again & ~any_accepted": "1'b1"},
    "one rail follows the other": {
        "mine.accepted | (decide & ~first & sound_i[r])": (
            "rail_q[0].accepted | (decide & ~first & sound_i[r])"
        )
    },
    "the first checks accept": {"decide & ~mine.passed": "1'b0"},
    "a try that has failed goes on": {"first & (sound_i[r] | Equal)": "first"},
    "rails may differ": {"run_i & differ": "1'b0"},
    "tries have no end": {"mine.tries == Most": "1'b0"},
}
BOTH = 3
Cycle = dict[str, int]
#: Of task_t: sign, k, l, eta4, wide, as ML-DSA-65 has them.
RUN: Cycle = {"run_i": 1, "task_i": 1 << 12 | 6 << 5 | 5 << 2 | 3, "rest_i": 1}
WORK, REST, BACK = [RUN] * 20, 12, 10


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    where = tmp_path_factory.mktemp("tries")
    opened = settings(where, {"ntf_prim_kept": "*_q"})
    source = where / "ntf_mldsa_tries.sv"
    source.write_text(
        with_mutants((RTL / "mldsa/ntf_mldsa_tries.sv").read_text(), [*MUTANTS.values()])
    )
    rooms = ("prim/ntf_prim", "arith/ntf_arith", "mldsa/ntf_mldsa")
    packages = [RTL / f"{room}_pkg.sv" for room in rooms]
    rails = [RTL / "prim/ntf_prim_kept.sv", RTL / "prim/ntf_prim_rails.sv"]
    needs = [opened, *packages, *rails, source]
    return CycleModel.build(where / "model", needs, "ntf_mldsa_tries", PORTS)


def judged(*, sound: int, first: int | None = None) -> list[Cycle]:
    """A try, and that it is judged; twice, if what the first checks say is given."""
    early = [] if first is None else part(first)
    return [*WORK, *early, *part(sound), *[RUN] * BACK]


def part(sound: int) -> list[Cycle]:
    """What is checked has come, until its result is known, and more."""
    return [*[RUN | {"checked_i": BOTH, "sound_i": BOTH * sound}] * 4, *[RUN] * (REST - 4)]


def flipped(model: CycleModel, cycles: list[Cycle]) -> Iterator[tuple[str, int, list[Cycle]]]:
    """Each flip of a bit at a cycle: its register, how many cycles follow, and what is seen."""
    places = list(bits(registers(model)))
    model.reset()
    for at, cycle in enumerate(cycles):
        state = model.state()
        for register, bit in places:
            model.restore(state)
            register.flip(bit)
            yield register.name, len(cycles) - at, model.run(cycles[at:])
        model.restore(state)
        model.run([cycle])


def failures(model: CycleModel, mutant: int = 0) -> set[str]:
    """What does not hold."""
    found = set()
    with_mutant = {"mutant_i": mutant}
    idle = {"task_i": RUN["task_i"]} | with_mutant
    early, late = judged(sound=0), judged(sound=0, first=1)
    for name, cycles in {
        "a rejected try is accepted": (*early, *early),
        "a try that fails late is accepted": (*late, *early),
        "half of a try is accepted": (*WORK, *part(1), *[RUN] * 20),
    }.items():
        for _, _, seen in flipped(model, [idle, *(c | with_mutant for c in cycles)]):
            if any(cycle["accepted_o"] == BOTH for cycle in seen):
                found.add(name)
    for tried, skips in ((early, True), (late, False)):
        model.reset()
        seen = model.run([idle, *(c | with_mutant for c in tried)])
        ends = (seen[-1]["place_o"], seen[-1]["next_place_o"])
        if sum(cycle["rejected_o"] for cycle in seen) != 1 or ends != (6, 6):
            found.add("a try is not rejected")
        if skips != any(cycle["skip_o"] for cycle in seen):
            found.add("another try is left early")
    right = [
        idle,
        *(c | with_mutant for c in (*judged(sound=1, first=1), *part(0), *part(0))),
    ]
    model.reset()
    whole = model.run(right)
    assert any(cycle["accepted_o"] == BOTH for cycle in whole)
    assert not any(cycle["fault_o"] for cycle in whole)
    for _, left, seen in flipped(model, right):
        if any(cycle["again_o"] and cycle["accepted_o"] for cycle in seen):
            found.add("a try follows the last")
        alerted = any(cycle["fault_o"] for cycle in seen) or left < 3
        if left < len(right) and not alerted:
            found.add("nobody sees it")
    tries = [c | with_mutant for c in judged(sound=0)]
    model.reset()
    model.run([idle])
    counts = [any(cycle["endless_o"] for cycle in model.run(tries)) for _ in range(MOST + 1)]
    if counts != [*[False] * (MOST - 1), True, True]:
        found.add("tries end elsewhere")
    return found


def test_no_upset_accepts_or_begins_a_try(model: CycleModel) -> None:
    assert not failures(model)


@pytest.mark.parametrize("number", range(1, len(MUTANTS) + 1), ids=[*MUTANTS])
def test_mutants_are_found(model: CycleModel, number: int) -> None:
    assert failures(model, number)


def test_no_upset_makes_a_norm_small(tmp_path: Path) -> None:
    """Of a coefficient that is too large; one of the rails can be pushed, not both."""
    opened = settings(tmp_path, {"ntf_norm_check": "*_q", "ntf_prim_kept": "*_q"})
    inputs = {"start_i": 1, "beats_i": 10, "bound_i": 20, "valid_i": 1, "x_i": 168}
    needs = [opened, RTL / "prim/ntf_prim_kept.sv", RTL / "mldsa/ntf_norm_check.sv"]
    ports = Ports(inputs, {"done_o": 2, "within_o": 2})
    norms = CycleModel.build(tmp_path / "model", needs, "ntf_norm_check", ports)
    always, beats = {"beats_i": 4, "bound_i": 100}, 4
    seen = set()
    for wrong in (None, *range(beats)):
        values = [99 if at != wrong else 100 for at in range(beats)]
        sent = [always | {"valid_i": 1, "x_i": value} for value in values]
        cycles = [always | {"start_i": 1}, *sent, *[always] * 4]
        norms.reset()
        assert norms.run(cycles)[-1]["within_o"] == (BOTH if wrong is None else 0)
        if wrong is not None:
            for _, _, run in flipped(norms, cycles):
                seen |= {cycle["within_o"] for cycle in run}
    assert seen == {0, 1, 2}
