# SPDX-License-Identifier: Apache-2.0
from typing import Any

import pytest

from nttforge.errors import NttforgeError
from nttforge.families.mlkem.build import coprocessor_design
from nttforge.families.mlkem.program import (
    CODES,
    SETS,
    Sink,
    Source,
    all_programs,
    describe,
)
from nttforge.standards.ml_kem.parameters import PARAMETER_SETS

# FIPS 203's hash calls, counted by hand: see docs/mlkem.md.
PERMUTATIONS = {"keygen": (27, 43, 69), "encaps": (26, 44, 70)}
PERMUTATIONS |= dict.fromkeys(("decaps", "decaps_standard"), (26, 44, 70))


def test_permutations_are_the_minimum() -> None:
    for (operation, name), program in all_programs().items():
        index = [p.name for p in SETS].index(name)
        assert program.permutations == PERMUTATIONS[operation][index]


def test_jobs_need_only_what_is_made() -> None:
    for (_, name), program in all_programs().items():
        k = PARAMETER_SETS[name].k
        written = [(job.sink, job.to) for job in program.ntts]
        for job in program.macs[:-1]:
            assert written[job.need_b] == (Sink.VECTOR, job.b)
            if job.need_sum is not None:
                assert written[job.need_sum] == (Sink.SUM, job.sum)
        for ntt in program.ntts[:-1]:
            if ntt.source == Source.SUM:
                # The last product into that sum.
                last = max(
                    n
                    for n, mac in enumerate(program.macs[:-1])
                    if mac.sum == ntt.slot or (mac.twice and ntt.slot == k)
                )
                assert ntt.need == last
        # Each matrix polynomial that is sampled is multiplied once.
        sampled = sum(job.permutations == 3 for job in program.hashes)
        assert sampled == sum(job.matrix for job in program.macs[:-1])


def test_programs_cover_operations_and_sets() -> None:
    assert list(all_programs()) == [(op, p.name) for op in CODES for p in SETS]


def test_table_shows_every_job() -> None:
    program = all_programs()["encaps", "ML-KEM-512"]
    text = describe(program)
    jobs: list[Any] = [*program.hashes, *program.macs, *program.ntts]
    assert all(job.label in text for job in jobs)


def test_rounds_must_divide() -> None:
    with pytest.raises(NttforgeError, match="rounds_per_cycle"):
        coprocessor_design(5)
