# SPDX-License-Identifier: Apache-2.0
"""Pipelines whose moduli are loaded: drawn primes against FLINT, moduli in flight, wrong loads."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from flint import nmod_poly

from nttforge.design import Design, parse_design
from nttforge.errors import FaultError, NttforgeError
from nttforge.flow.prepare import Prepared, prepare
from nttforge.hw.core import Load, StreamCore
from nttforge.kinds.stream.loaded import (
    LoadedPipeline,
    loads_of,
    operations_of_places,
    ring_of,
    with_modulus,
)
from nttforge.kinds.stream.measure import measure
from nttforge.kinds.stream.verify import verify
from nttforge.ring.ring import Ring, bit_reverse
from nttforge.simulate.stream import StallPattern, StreamSimulator
from tests.known_primes import drawn, largest, smallest, sparsest

#: Of each shape: ring, table.
SHAPES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "three places": ({"n": 16, "bits": 30, "moduli": 3}, {}),
    "an inverse": ({"n": 32, "bits": 64, "moduli": 8}, {"butterflies": 2, "order": "mirrored"}),
    "one beat": ({"n": 8, "bits": 31, "moduli": 2}, {"butterflies": 4, "adders_per_stage": 4}),
    "no gaps": (
        {"n": 64, "bits": 54, "moduli": 2, "form": "x^n-1"},
        {"butterflies": 4, "seamless": True, "rom_block_from": 4},
    ),
}


def design_of(name: str) -> Design:
    ring, table = SHAPES[name]
    rings = [{"q": "runtime", **ring}]
    return parse_design({"name": "dut", "rings": rings, "pipeline": table}, "test")


def engine(core: StreamCore) -> LoadedPipeline:
    found = core.facts["loaded"]
    assert isinstance(found, LoadedPipeline)
    return found


def loaded_with(core: StreamCore, moduli: Sequence[int]) -> StreamCore:
    """The core with moduli in its first places."""
    pipeline = engine(core)
    rings = [ring_of(pipeline.design, q) for q in moduli]
    return replace(
        core, operations=operations_of_places(pipeline, rings), loads=loads_of(pipeline, rings)
    )


@pytest.fixture(scope="module", params=SHAPES)
def prepared(request: pytest.FixtureRequest) -> Prepared[StreamCore]:
    return prepare(design_of(request.param))


@pytest.fixture(scope="module")
def small() -> Iterator[StreamSimulator]:
    with prepare(design_of("three places")).simulator() as simulator:
        yield simulator


def values_by_flint(ring: Ring, polynomial: Sequence[int]) -> list[int]:
    """The transform: a polynomial's values at the roots, in the order of the leaves."""
    f = nmod_poly([int(c) for c in polynomial], ring.q)
    exponents = (bit_reverse(k, ring.depth) for k in range(ring.n))
    return [int(f(pow(ring.root, 2 * e + 1 if ring.negacyclic else e, ring.q))) for e in exponents]


def test_all_operations_under_every_stall(prepared: Prepared[StreamCore]) -> None:
    result = verify(prepared, transforms=60)
    assert result.ok, result


def test_moduli_follow_each_other_as_one_does(prepared: Prepared[StreamCore]) -> None:
    """Gaps are those of directions, whatever the places."""
    result = measure(prepared, transforms=4)
    core = prepared.core
    inverse = {operation.name: operation.inverse for operation in core.operations}
    assert result.latency_cycles == max(operation.latency for operation in core.operations)
    for turn in result.turnarounds:
        if inverse[turn.before] == inverse[turn.after]:
            assert turn.input_idle_cycles == turn.output_idle_cycles == 0


def test_drawn_primes_against_flint(prepared: Prepared[StreamCore]) -> None:
    """Each run has as many primes as places, of any width; corners of data and random ones."""
    pipeline = engine(prepared.core)
    moduli, places = pipeline.moduli, pipeline.places
    rng = random.Random(0)
    shaped = [smallest(moduli.zeros), largest(moduli.bits, moduli.zeros)]
    shaped.append(sparsest(moduli.bits, moduli.zeros))
    shaped += [drawn(moduli.bits, moduli.zeros, rng) for _ in range(16 * places - len(shaped))]
    source, sink = StallPattern.random(0.2), StallPattern.random(0.3)
    with prepared.simulator() as simulator:
        for first in range(0, len(shaped), places):
            core = loaded_with(prepared.core, shaped[first : first + places])
            simulator.core = core
            operations = [core.operations[rng.randrange(len(core.operations))] for _ in range(12)]
            data = [
                [
                    rng.choice((0, 1, op.ring.q - 1, rng.randrange(op.ring.q)))
                    for _ in range(op.ring.n)
                ]
                for op in operations
            ]
            given = np.array(data, dtype=object).astype(np.uint64)
            run = simulator.stream(operations, given, source=source, sink=sink, seed=first)
            for operation, polynomial, output in zip(operations, data, run.outputs, strict=True):
                pair = (output, polynomial) if operation.inverse else (polynomial, output)
                coefficients, values = ([int(word) for word in each] for each in pair)
                assert values_by_flint(operation.ring, coefficients) == values, operation


def test_a_modulus_of_the_user() -> None:
    core = prepare(design_of("three places")).core
    own = with_modulus(core, 12289)
    assert [op.name for op in own.operations] == ["ntt", "intt"]
    assert {op.ring.q for op in own.operations} == {12289}
    for q, wrong in ((12290, "not 1 modulo"), (33, "not an odd prime"), (1 << 31, "32 bits")):
        with pytest.raises(NttforgeError, match=wrong):
            with_modulus(core, q)


def transform(simulator: StreamSimulator, core: StreamCore, place: int) -> None:
    """One transform of the place, which must be right."""
    operation = core.operations[2 * place]
    simulator.core = core
    data = np.arange(operation.ring.n, dtype=np.uint64)[None] % np.uint64(operation.ring.q)
    run = simulator.stream([operation], data)
    assert values_by_flint(operation.ring, data[0].tolist()) == run.outputs[0].tolist()


#: What is done to the words of a load, and to its code.
WRONG: dict[str, Any] = {
    "none": lambda words, code: None,
    "short": lambda words, code: (words[:-1], code),
    "long": lambda words, code: ((*words, 0), code),
    "even": lambda words, code: ((words[0] - 1, *words[1:]), code),
    "not 1 modulo 2n": lambda words, code: ((words[0] + 2, *words[1:]), code),
    "one": lambda words, code: ((1, *words[1:]), code),
    "a modulus alone": lambda words, code: (words[:1], code),
    "another place": lambda words, code: (words, code + 2),
    "no place": lambda words, code: (words, code + 6),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_load_is_marked_and_nothing_hangs(name: str, small: StreamSimulator) -> None:
    """A transform of its place has the error bit; the next load is taken, and all is right."""
    core = loaded_with(prepare(design_of("three places")).core, (97, 12289, 193))
    load = core.loads[0]
    changed = WRONG[name](load.words, load.code)
    wrong = () if changed is None else (Load(changed[1], changed[0]),)
    with pytest.raises(FaultError, match="tuser is 16 instead of 0"):
        transform(small, replace(core, loads=wrong), 0)
    transform(small, replace(core, loads=(*wrong, *core.loads)), 0)
    # A wrong load takes what its place had, and nothing else.
    if wrong and changed[1] == load.code:
        transform(small, replace(core, loads=(*core.loads, *wrong)), 1)
        with pytest.raises(FaultError, match="tuser is 16 instead of 0"):
            transform(small, replace(core, loads=(*core.loads, *wrong)), 0)


def test_what_a_design_cannot_have() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"rings": [{"n": 16, "q": "runtime"}]}, "needs bits"),
        ({"rings": [{"n": 16, "q": 97, "moduli": 2}]}, "moduli is of moduli"),
        ({"rings": [{"n": 16, "q": "runtime", "bits": 30, "root": 3}]}, "root"),
        ({"rings": [{"n": 16, "q": "runtime", "bits": 30}], "family": "iterative"}, "family"),
        ({"rings": [{"n": 16, "q": "running", "bits": 30}]}, "q"),
        ({"rings": [{"n": 1024, "q": "runtime", "bits": 9}]}, "bits"),
    ]
    for data, wrong in cases:
        with pytest.raises(NttforgeError, match=wrong):
            parse_design({"name": "dut"} | data, "test")
    for more, wrong in (({"flush": True}, "flush"), ({"short": True}, "short")):
        with pytest.raises(NttforgeError, match=wrong):
            prepare(
                parse_design(
                    {
                        "name": "dut",
                        "rings": [{"n": 16, "q": "runtime", "bits": 30}],
                        "pipeline": more,
                    },
                    "test",
                )
            )
