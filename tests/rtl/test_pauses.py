# SPDX-License-Identifier: Apache-2.0
"""A source that pauses before any one word of a packet, in every operation of every coprocessor.

A pause is longer than what follows from the words before it takes, so whatever does not wait for a
word that it needs is seen.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from nttforge.design import load_design
from nttforge.designs import DSA_COPROCESSOR, KEM_SMALL, PQC
from nttforge.flow.prepare import prepare_any
from nttforge.kinds.lattice.bus import Coprocessor, open_core
from nttforge.kinds.lattice.operation import WORD_BYTES, Standard
from nttforge.kinds.lattice.standard import standards_of
from nttforge.kinds.lattice.stimulus import StimulusStep
from nttforge.kinds.lattice.verify import Cases, cases_of, differs
from nttforge.standards.ml_kem.parameters import ML_KEM_512
from tests.coprocessors import DESIGNS, opened
from tests.mutants import mutated

#: A compiled coprocessor and its standards, by design.
kept = cache(opened)
#: Cycles.
PAUSE = 3000
#: Words at either end of a packet before which the sample pauses, and how many others.
EDGE, OTHERS = 12, 4


def steps_of(standard: Standard, checks: bool) -> list[StimulusStep]:
    """Different operations of the smallest set: right and wrong, and each that there is."""
    kind, p = cases_of(standard), standard.sets[0]
    steps = kind.turns(p, random.Random(5), checks=checks)
    seen = {step.asked.operation for step in steps}
    every = Cases.turns.__func__(kind, p, random.Random(5), checks=checks)  # type: ignore[attr-defined]
    steps += [step for step in every if step.asked.operation not in seen]
    return [step for at, step in enumerate(steps) if step not in steps[:at]]


def before(step: StimulusStep, steps: Sequence[StimulusStep]) -> list[StimulusStep]:
    """What loads the key that an operation needs."""
    if "loaded" not in step.asked.operation:
        return []
    return [each for each in steps if each.asked.operation == "load"]


def packets(step: StimulusStep) -> Iterator[tuple[str, int, int]]:
    """Port, first word and words of each packet that goes in."""
    first = 0
    for packet in step.asked.public:
        yield "s_pub", first, -(-len(packet) // WORD_BYTES)
        first += -(-len(packet) // WORD_BYTES)
    for port, data in (("s_sec", step.asked.secret), ("entropy", step.asked.entropy or b"")):
        if data:
            yield port, 0, len(data) // WORD_BYTES


def wrong_after_pauses(
    core: Coprocessor, standards: Sequence[Standard], *, sampled: bool
) -> Iterator[tuple[str, str, int, str]]:
    """Operation, port and word of each pause that changes what comes of it, and what came."""
    rng = random.Random(6)
    for standard in standards:
        steps = steps_of(standard, core.checks)
        for step in steps:
            loads = [each.asked for each in before(step, steps)]
            sent = sum(len(each.secret) // WORD_BYTES for each in loads)
            for port, first, count in packets(step):
                start = first + (sent if port == "s_sec" else 0)
                places: list[int] = list(range(count))
                if sampled and count > 2 * EDGE + OTHERS:
                    middle = rng.sample(places[EDGE:-EDGE], OTHERS)
                    places = [*places[:EDGE], *middle, *places[-EDGE:]]
                for at in places:
                    rests = {port: {start + at: PAUSE}}
                    *_, run = core.run_all([*loads, step.asked], rests=rests)
                    found = differs(step, run)
                    if found is not None:
                        yield step.asked.operation, port, at, found


# With registers the core is the same.
@pytest.mark.parametrize("design", [n for n in DESIGNS if n not in (DSA_COPROCESSOR, PQC)])
def test_a_pause_changes_nothing(design: str) -> None:
    assert not [*wrong_after_pauses(*kept(design), sampled=True)]


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_a_pause_before_any_word_changes_nothing(design: str) -> None:
    assert not [*wrong_after_pauses(*kept(design), sampled=False)]


def test_a_hash_that_is_compared_too_early_is_found(tmp_path: Path) -> None:
    ready = prepare_any(load_design(KEM_SMALL))
    early = ("rtl/scaled/ntf_scaled_squeeze.sv", "ready_o = check_whole_i", "ready_o = 1'b1")
    core = open_core(mutated(ready, tmp_path / "early", *early))
    found = [*wrong_after_pauses(core, standards_of(ready.core), sampled=True)]
    at = 96 * ML_KEM_512.k + 4  # after s, t and rho
    assert {(each[0], each[1]) for each in found} == {("decaps_standard", "s_sec")}
    assert {each[2] for each in found} <= {*range(at, at + 4)}
    assert all("(hash), not" in each[3] for each in found)
