# SPDX-License-Identifier: Apache-2.0
from pathlib import Path
from typing import Any

import pytest

from docs.tools.record import kept
from nttforge.errors import NttforgeError
from nttforge.kinds.lattice.mlkem.build import coprocessor_design
from nttforge.kinds.lattice.mlkem.program import (
    CODES,
    OPERATIONS,
    SETS,
    HashKind,
    Sink,
    Source,
    all_programs,
    describe,
    floor_permutations,
    program_of,
)
from nttforge.standards.ml_kem.parameters import PARAMETER_SETS

# FIPS 203's hash calls, counted by hand: see docs/appendix/ml-kem-schedule.md.
PERMUTATIONS = {"keygen": (27, 43, 69), "encaps": (26, 44, 70)}
PERMUTATIONS |= dict.fromkeys(("decaps", "decaps_standard"), (26, 44, 70))
# Those of KeyGen and of Decaps, but that the matrix is sampled once.
PERMUTATIONS["decaps_seed"] = (27 + 26 - 12, 43 + 44 - 27, 69 + 70 - 48)


def test_permutations_are_the_minimum() -> None:
    for (operation, name), program in all_programs().items():
        index = [p.name for p in SETS].index(name)
        assert program.permutations == PERMUTATIONS[operation][index]


def test_no_coprocessor_of_the_page_is_below_its_floor() -> None:
    """Of several cores the longest share counts: k^2 polynomials of three permutations each."""
    assert floor_permutations("keygen", PARAMETER_SETS["ML-KEM-768"], 4) == 16
    assert floor_permutations("keygen", PARAMETER_SETS["ML-KEM-1024"], 2) == 3 * 16
    assert floor_permutations("keygen", PARAMETER_SETS["ML-KEM-1024"], 4) == 21
    figures = kept(Path(__file__).parents[3] / "docs" / "appendix" / "lattice.md")
    (figure,) = (of for command, of in figures.items() if " show options " in command)
    (table,) = figure["page"]
    for row in table["rows"]:
        rounds, cores = row[:2]
        for p in SETS:
            shown = row[table["columns"].index(p.name)].split(" / ")
            for operation, cycles in zip(OPERATIONS, shown, strict=True):
                assert 24 * floor_permutations(operation, p, cores) < rounds * int(cycles)


def test_jobs_need_only_what_is_made() -> None:
    for (operation, name), program in all_programs().items():
        k = PARAMETER_SETS[name].k
        written = [(job.sink, job.to) for job in program.ntts]
        for job in program.macs[:-1]:
            assert written[job.need_b] in ((Sink.VECTOR, job.b), (Sink.KEY, job.b))
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
        # Each matrix polynomial that is sampled is multiplied once; or it waits and is, once more.
        sampled = sum(job.kind == HashKind.XOF for job in program.hashes)
        uses = 2 if operation == "decaps_seed" else 1
        assert uses * sampled == sum(job.matrix for job in program.macs[:-1])


def test_nothing_is_overwritten_that_is_still_wanted() -> None:
    """A ciphertext's vectors come when they like: they wait for products with what was there."""
    for program in all_programs().values():
        for number, ntt in enumerate(program.ntts[:-1]):
            if ntt.source != Source.CIPHER:
                continue
            before = [
                at
                for at, mac in enumerate(program.macs[:-1])
                if mac.b == ntt.to and mac.need_b < number
            ]
            assert ntt.need >= max(before, default=-1) + 1
            # And the products that they wait for do not wait for them.
            assert all(mac.need_b < number for mac in program.macs[: ntt.need])


def test_a_key_that_is_kept_comes_in_the_order_of_its_places() -> None:
    """s before t, and the matrix by columns, as Encrypt wants its transpose."""
    for p in SETS:
        program = program_of("decaps_seed", p)
        s = [at for at, ntt in enumerate(program.ntts) if ntt.sink == Sink.KEY]
        assert [program.ntts[at].slot for at in s] == list(range(p.k))
        t = [mac for mac in program.macs if mac.to_key]
        assert [mac.sum for mac in t] == list(range(p.k))
        # Before the first of t there is a product that waits for a transform after all of s.
        first = program.macs.index(t[0])
        assert any((mac.need_sum or 0) > max(s) for mac in program.macs[:first])
        products = [mac.label.split(",")[0].split()[0] for mac in program.macs if mac.matrix]
        assert products[: p.k**2] == products[p.k**2 : 2 * p.k**2]


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
