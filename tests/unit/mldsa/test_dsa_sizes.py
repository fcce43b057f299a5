# SPDX-License-Identifier: Apache-2.0
"""The plan of ML-DSA on a small machine: see docs/appendix/lattice-sizes-dsa.md."""

from functools import cache
from itertools import pairwise

import pytest

from docs.tools.dsa_sizes import (
    BRAMS,
    BUDGET,
    LATENCY,
    LUTS,
    MEMORIES,
    OPERATIONS,
    SIZES,
    TARGETS,
    Operation,
    Plan,
    floor,
    mean,
)
from nttforge.kinds.lattice.mldsa.program import SETS, totals
from nttforge.standards.ml_dsa.parameters import N, Parameters

LARGE = SIZES[-1]
ALL = pytest.mark.parametrize("p", SETS, ids=lambda p: str(p.name))


@cache
def planned(operation: Operation, p: Parameters, tries: int = 1) -> Plan:
    return Plan(LARGE, operation, p, tries)


@ALL
@pytest.mark.parametrize("operation", OPERATIONS)
def test_jobs_begin_when_what_they_need_is_there(operation: Operation, p: Parameters) -> None:
    plan = planned(operation, p)
    read = {name.removesuffix(" out"): at for at, name in plan.sponge}
    for jobs in (plan.engine, plan.unit):
        last = 0
        for begin, job in jobs:
            read[job.name] = begin + job.cycles
            assert begin >= last
            last = begin + job.cycles
    for begin, job in (*plan.engine, *plan.unit):
        for need in job.needs:
            if (at := read.get(need.removeprefix("read "))) is not None:
                assert begin >= at + (LATENCY if need.startswith("read ") else 0), job
    tries = 1 if operation.startswith("sign") else 0
    assert plan.cycles >= 0.97 * floor(LARGE, operation, p, tries)


@ALL
def test_every_job_of_an_operation_is_placed(p: Parameters) -> None:
    k, columns = p.k, p.l
    counts = {
        "keygen": (columns + k * columns + k, columns + 3 * k),
        "verify": (1 + columns + 2 * k + k * (columns + 1), 2 * k),
    }
    for operation, (engine, unit) in counts.items():
        plan = planned("keygen" if operation == "keygen" else "verify", p)
        assert (len(plan.engine), len(plan.unit)) == (engine, unit)
    # A try that fails: vectors, rows, a challenge and results; c t0 once.
    one, two = (planned("sign", p, tries) for tries in (1, 2))
    each = columns + 1 + 2 * k + k * columns + k
    late = [job.name for _, job in two.engine if "t0_" in job.name and " " in job.name]
    assert late and not any(name.lstrip("^").startswith("0 ") for name in late)
    assert abs(len(two.engine) - len(one.engine) - each) <= columns + k * columns + k


@ALL
def test_places_are_used_again_when_they_are_free(p: Parameters) -> None:
    plan = planned("sign", p, 3)
    begins = {job.name: at for at, job in (*plan.engine, *plan.unit)}
    sampled = {name: at for at, name in plan.sponge}
    for n in (0, 1):
        checked = max(begins[f"check {n}_{i}"] for i in range(p.k))
        # y of the try after the next one takes the place of z; rows of w that of w.
        assert sampled.get(f"y{n + 2}_0", checked + 1) > checked
        rows = [begins.get(f"w{n + 1}_{i}", checked + 1) for i in range(2, p.k)]
        assert min(rows) > checked


def test_a_beat_is_read_again_when_it_has_been_written() -> None:
    """No gaps: between two passes of a transform, and between any two jobs."""
    beats = N // (2 * LARGE.butterflies)

    def steps(distance: int) -> dict[int, int]:
        """Of each beat, the step that reads it, if pairs are so many beats apart."""
        order: list[int] = []
        for first in range(0, beats, 2 * max(distance, 1)):
            pairs = range(first, first + max(distance, 1))
            order += [at + d for at in pairs for d in ((0, distance) if distance else (0,))]
        if not distance:
            order = [*range(beats)]
        return {beat: step for step, beat in enumerate(order)}

    distances = [2**s for s in reversed(range(beats.bit_length() - 1))]
    forward = [*distances, 0, 0, 0]
    assert len(forward) == 8
    passes = [steps(d) for d in forward]
    for first, second in (*pairwise(passes), (passes[-1], passes[0])):
        for one, other in ((first, second), (second, first)):
            assert min(beats + other[b] - one[b] for b in range(beats)) > LATENCY
    # A product's beat is read in two cycles, and written after the second.
    product = {beat: 2 * beat for beat in range(beats)}
    assert min(beats + product[b] - passes[-1][b] for b in range(beats)) > LATENCY
    assert min(2 * beats + passes[-1][b] - product[b] - 1 for b in range(beats)) > LATENCY


def test_what_is_asked_for_is_planned() -> None:
    for label, most in TARGETS.items():
        name, operation = label.split()
        (p,) = (each for each in SETS if each.name == name)
        signs = operation == "sign"
        cycles = mean(LARGE, "sign", p)[0] if signs else planned("verify", p).cycles
        assert cycles <= most
    assert sum(both for _, both, _, _ in BUDGET) <= LUTS["both"]
    assert sum(alone for _, _, alone, _ in BUDGET) <= LUTS["ML-DSA"]
    assert sum(blocks for _, blocks, _ in MEMORIES) <= BRAMS


def test_a_mean_is_that_of_a_geometric_distribution() -> None:
    p = SETS[0]
    average, one, each = mean(LARGE, "sign", p)
    second = planned("sign", p, 2).cycles
    share = 1 / p.tries
    # Ten thousand times as rare as a signature of one try: what is left out.
    tries = range(1, 200)
    chances = [share * (1 - share) ** (n - 1) for n in tries]
    cycles = [one if n == 1 else second + (n - 2) * each for n in tries]
    assert average == pytest.approx(
        sum(a * b for a, b in zip(chances, cycles, strict=True)), rel=1e-6, abs=1
    )
    assert floor(LARGE, "sign", p, 1) == round(48 * (totals(p).sign + totals(p).attempt))
