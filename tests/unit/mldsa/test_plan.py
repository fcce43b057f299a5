# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from docs.tools.dsa_plan import UNITS, machine, plan, sign
from docs.tools.mldsa import counted
from nttforge.kinds.lattice.mldsa.cycles import ROUND_CYCLES
from nttforge.kinds.lattice.mldsa.program import (
    SETS,
    HashJob,
    Job,
    Program,
    SendJob,
    keygen,
    permutations,
    totals,
    verify,
)
from nttforge.kinds.lattice.mldsa.signing import ORDERS, signing
from nttforge.standards.ml_dsa.parameters import RING, N, Parameters, Q
from nttforge.standards.transform_engine import software_engine

ALL = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)
#: Key, signature and its tries, as they have been published (FIPS 204, tables 1 and 2).
SIZES = {
    "ML-DSA-44": (1312, 2560, 2420, 4.25),
    "ML-DSA-65": (1952, 4032, 3309, 5.1),
    "ML-DSA-87": (2592, 4896, 4627, 3.85),
}


@ALL
def test_parameters_are_those_of_the_standard(p: Parameters) -> None:
    assert (p.pk_bytes, p.sk_bytes, p.signature_bytes) == SIZES[p.name][:3]
    assert p.tries == pytest.approx(SIZES[p.name][3], abs=0.05)


@ALL
def test_permutations_are_those_of_dilithium_py(p: Parameters) -> None:
    runs = 3
    n, seen = totals(p), counted(p, runs)
    assert seen[1:] == (n.sign, n.attempt, n.verify)
    # Of the secrets' polynomials a half take a second block, if eta is 2.
    wide = 3 * (0.25 * (p.k + p.l) / runs) ** 0.5
    assert seen[0] == pytest.approx(n.keygen, abs=wide if p.eta == 2 else 0.01)


@pytest.mark.parametrize("keccaks", [1, 2])
@pytest.mark.parametrize("make", [keygen, verify, lambda p: sign(p, 2)])
@ALL
def test_programs_do_all_of_it_in_an_order_that_works(
    p: Parameters, make: Callable[[Parameters], Program], keccaks: int
) -> None:
    program = make(p)
    lists: list[list[Job]] = [[*program.hashes], [*program.macs], [*program.ntts]]
    jobs = {job.label: job for unit in lists for job in unit}
    assert len(jobs) == sum(map(len, lists))
    placed = plan(program, replace(machine(), keccaks=keccaks))
    assert set(placed.jobs) == {*jobs, *program.arrives}
    for unit, listed in zip(UNITS, lists, strict=True):
        assert sorted(placed.order[unit]) == sorted(job.label for job in listed)
        times = [placed.jobs[label] for label in placed.order[unit]]
        works = keccaks if unit == "keccak" else 1
        for at in times:
            assert sum(when.start <= at.start < when.end for when in times) <= works
    for job in jobs.values():
        when = placed.jobs[job.label]
        assert all(placed.jobs[label].last < when.start for label in job.needs)
        if not isinstance(job, HashJob):
            assert all(placed.jobs[label].last < when.end for label in job.takes)
    # No unit does in less time what takes longer.
    hashes = sum(job.permutations for job in program.hashes)
    assert max(when.end for when in placed.jobs.values()) >= ROUND_CYCLES * hashes / keccaks


@ALL
def test_a_key_and_a_check_take_what_keccak_takes(p: Parameters) -> None:
    n = totals(p)
    for program, number in ((keygen(p), n.keygen), (verify(p), n.verify)):
        assert sum(job.permutations for job in program.hashes) == pytest.approx(number)


@ALL
def test_a_try_goes_back_to_where_it_began(p: Parameters) -> None:
    """The lists of the hardware: what comes once, a first try, and one that is repeated."""
    n = totals(p)
    for external in (False, True):
        program = signing(p, external=external)
        each = permutations(p)
        once = n.sign - external * each.mu
        # When the second one ends y of the next two is there, and c~ of one.
        ahead = 2 * n.attempt + 2 * p.l * each.mask + each.challenge
        assert sum(job.permutations for job in program.hashes) == once + ahead
        first, again = (at for at, job in enumerate(program.hashes) if job.kind == "HashEnd")
        assert program.hashes[first].x == 0 and again == len(program.hashes) - 1
        assert program.hashes[again + 1 - program.hashes[again].x].label == "c1"
        order = ORDERS[p.name]
        column, row = divmod(order.tail, p.k // 2)
        label = f"A{2 * row}{column} y2_{column}"
        first_ntt = f"NTT y2_{p.l - order.lag}" if order.lag else "NTT c1"
        for jobs, begin in ((program.macs, label), (program.ntts, first_ntt)):
            begins = {job.stop for job in jobs if job.stop is not None}
            assert [jobs[at].label for at in begins] == [begin]
        at = next(n for n, job in enumerate(program.public) if job.kind == "SendChallenge")
        assert program.public[at + 1 - program.public[at].slot] == SendJob("SendDigest", 2)


@ALL
def test_two_small_polynomials_share_a_transform(p: Parameters) -> None:
    """c s1 and c s2 are read off c (s1 + 512 s2), also when they are as large as they can be."""
    assert 2 * p.beta < 512 and p.beta * 513 < Q // 2
    engine = software_engine()
    random = np.random.default_rng(Random(p.name).randrange(2**32))
    for extreme in (False, True):
        c = np.zeros(N, np.int64)
        c[random.permutation(N)[: p.tau]] = 1 if extreme else random.choice([-1, 1], p.tau)
        small = np.full((2, N), p.eta) if extreme else random.integers(-p.eta, p.eta + 1, (2, N))
        c_hat, s_hat = engine.ntt(RING, np.array([c, small[0] + 512 * small[1]]) % Q)
        product = engine.intt(RING, np.array([c_hat * s_hat % Q]))[0]
        centred = (product + Q // 2) % Q - Q // 2
        low = (centred + 256) % 512 - 256
        turned = np.array([np.concatenate([-c[N - i :], c[: N - i]]) for i in range(N)])
        assert np.array_equal(low, small[0] @ turned)
        assert np.array_equal((centred - low) // 512, small[1] @ turned)
