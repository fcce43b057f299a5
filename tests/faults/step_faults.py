# SPDX-License-Identifier: Apache-2.0
"""Steps of lists of jobs and of state machines of ML-KEM that are left out, or done again."""

import re
from collections.abc import Iterator, Mapping

from nttforge.simulate.cycles import CycleModel
from tests.faults.scenario import Scenario
from tests.rtl.faulty import Register, registers

#: The job that a list is at.
JOB = re.compile(r"jobs\.(u_list\.)?word_q$")
#: Signals with the steps of units without a list of jobs.
PHASES = (
    "u_core.u_control.u_state.kept_q",
    "u_core.u_control.loading_q",
    "u_core.u_hash.u_absorb_source.turn_q",
    "u_core.u_output.share_q",
    "u_core.u_verdict.u_stage_0.kept_q",
)
Step = tuple[str, int, Mapping[str, int]]
"""What it is, its cycle, and the values of registers that it consists of."""


def _history(scenario: Scenario, watched: Mapping[str, Register]) -> dict[str, list[int]]:
    """Values of registers in every cycle of a run."""
    scenario.loop.enter(0)
    history: dict[str, list[int]] = {name: [] for name in watched}
    for _ in range(scenario.cycles):
        for name, register in watched.items():
            history[name].append(register.read())
        scenario.loop.advance(1)
    return history


def steps(model: CycleModel, scenario: Scenario) -> Iterator[Step]:
    """Each job and each phase of a run, left out and done again."""
    found = {register.name: register for register in registers(model)}
    watched = {n: r for n, r in found.items() if JOB.search(n) or n in PHASES}
    for name, seen in _history(scenario, watched).items():
        turns = [at for at in range(1, len(seen)) if seen[at] != seen[at - 1]]
        for number, at in enumerate(turns):
            later = turns[number + 1] if number + 1 < len(turns) else at
            for what, value in (("again", seen[at - 1]), ("left out", seen[later])):
                values = {name: value}
                if "u_stage_0" in name:  # a step that both rails take
                    values[name.replace("_0", "_1")] = ~value
                yield f"{name} of {at} {what}", at, values


def tried(model: CycleModel, scenario: Scenario, step: Step) -> str:
    """What comes of a step that is left out, or done again."""
    found = {register.name: register for register in registers(model)}
    _, at, values = step

    def write() -> None:
        for name, value in values.items():
            found[name].write(value)

    return scenario.changed(at, write)
