# SPDX-License-Identifier: Apache-2.0
"""The plan of ML-KEM on a machine of any width: see docs/appendix/lattice-sizes.md."""

import pytest

from docs.tools.sized_machine import Plan, Size
from docs.tools.sizes import CORES, PEERS
from nttforge.kinds.lattice.mlkem.program import OPERATIONS, SETS, KemOperation
from nttforge.standards.ml_kem.parameters import ML_KEM_512, Parameters


@pytest.mark.parametrize("p", SETS, ids=lambda p: str(p.name))
@pytest.mark.parametrize("operation", OPERATIONS)
def test_jobs_begin_when_what_they_need_is_there(operation: KemOperation, p: Parameters) -> None:
    plan = Plan(Size(2, 2), operation, p)
    ends = {job.name: begin + job.cycles for begin, job in plan.engine}
    last = 0
    for begin, job in plan.engine:
        assert begin >= max([last, *(ends.get(need, 0) for need in job.needs)])
        last = begin + job.cycles
    assert plan.floor <= plan.cycles and last <= plan.cycles
    # Rows and columns of the matrix, keys, and a transform for each of their polynomials.
    kinds = {"keygen": (p.k, p.k), "encaps": (p.k + 1, p.k), "decaps": (p.k + 2, 2 * p.k)}
    rows, vectors = kinds[operation]
    others = p.k if operation == "keygen" else rows
    assert len(plan.engine) == rows * p.k + vectors + others


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("name", CORES)
def test_cores_are_as_fast_as_they_must_be(name: str, operation: KemOperation) -> None:
    assert Plan(CORES[name], operation, ML_KEM_512).cycles <= PEERS[name][operation]


def test_more_width_is_faster_and_fewer_slots_are_no_faster() -> None:
    for operation in OPERATIONS:
        cycles = [Plan(Size(w, b), operation, SETS[2]).cycles for w, b in ((1, 1), (2, 2), (4, 2))]
        assert cycles == sorted(cycles, reverse=True)
    for operation in OPERATIONS:
        few, many = (Plan(Size(), operation, SETS[2], slots=slots).cycles for slots in (4, 8))
        assert few >= many
