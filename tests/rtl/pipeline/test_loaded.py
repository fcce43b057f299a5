# SPDX-License-Identifier: Apache-2.0
"""Pipelines whose moduli are loaded: drawn primes against FLINT, moduli in flight, wrong loads."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nttforge.design import Design, load_design, parse_design
from nttforge.errors import FaultError, NttforgeError
from nttforge.flow.explore.explore import explore, parse_requirements
from nttforge.flow.generate import generate
from nttforge.flow.prepare import Prepared, prepare
from nttforge.hw.common import block_rams
from nttforge.hw.core import Load, StreamCore
from nttforge.kinds.stream.build import elaborate
from nttforge.kinds.stream.engine import block_factors
from nttforge.kinds.stream.loaded import ring_of, with_modulus, work_out_loaded
from nttforge.kinds.stream.measure import measure
from nttforge.kinds.stream.search_space import estimate
from nttforge.kinds.stream.twiddles import factor
from nttforge.kinds.stream.verify import verify
from nttforge.simulate.stream import StreamSimulator
from tests.loaded_costs import FIXED, factors, latency
from tests.loaded_primes import (
    drawn_primes,
    engine,
    loaded_with,
    values_by_flint,
    wrong_words,
)

#: Of each shape: ring, table.
SHAPES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "three places": ({"n": 16, "bits": 30, "moduli": 3}, {}),
    "an inverse": ({"n": 32, "bits": 64, "moduli": 8}, {"butterflies": 2, "order": "mirrored"}),
    "one beat": ({"n": 8, "bits": 31, "moduli": 2}, {"butterflies": 4, "adders_per_stage": 4}),
    "no gaps": (
        {"n": 64, "bits": 54, "moduli": 2, "form": "x^n-1"},
        {"butterflies": 4, "seamless": True, "rom_block_from": 4},
    ),
    "some made": ({"n": 64, "bits": 30, "moduli": 3}, {"twiddles": "made", "made_from": 40}),
    "made for lanes": (
        {"n": 16, "bits": 64, "moduli": 2},
        {"butterflies": 2, "order": "mirrored", "twiddles": "made", "made_from": 2},
    ),
    "made, no gaps": (
        {"n": 32, "bits": 40, "moduli": 2, "form": "x^n-1"},
        {"butterflies": 2, "seamless": True, "rom_block_from": 8, "twiddles": "made"}
        | {"made_from": 2, "adders_per_stage": 4},
    ),
}


def design_of(name: str, **more: Any) -> Design:
    ring, table = SHAPES[name]
    rings = [{"q": "runtime", **ring}]
    return parse_design({"name": "dut", "rings": rings, "pipeline": table | more}, "test")


@pytest.fixture(scope="module", params=SHAPES)
def prepared(request: pytest.FixtureRequest) -> Prepared[StreamCore]:
    return prepare(design_of(request.param))


@pytest.fixture(scope="module")
def small() -> Iterator[StreamSimulator]:
    with prepare(design_of("three places")).simulator() as simulator:
        yield simulator


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
    shaped = drawn_primes(moduli.bits, moduli.zeros, 16 * places, rng)
    with prepared.simulator() as simulator:
        for first in range(0, len(shaped), places):
            core = loaded_with(prepared.core, shaped[first : first + places])
            assert not wrong_words(simulator, core, 12, rng), shaped[first : first + places]


def test_factors_are_made_where_tables_are_long() -> None:
    """Such stages load words of two short tables; what makes a factor knows its beat ahead."""
    core = prepare(design_of("some made")).core
    pipeline = engine(core)
    assert pipeline.made == (True, True, False, False, True, True)
    assert pipeline.ahead == 4 + pipeline.maker.latency - pipeline.front_registers
    ring = core.operations[0].ring
    words = len(list(pipeline.load_words(ring)))
    assert words == 2 + (pipeline.moduli.inverse > 0) + sum(
        sum((1 << low) + (stage.length(path) >> low) for path, low in enumerate(lows))
        if made
        else sum(stage.length(path) for path in range(2))
        for stage, lows, made in zip(
            pipeline.factor_shapes, pipeline.lows, pipeline.made, strict=True
        )
    )


def test_many_places_are_soon_generated(tmp_path: Path) -> None:
    """64 of 2^16 coefficients, with all that is loaded: ten seconds of a processor at most."""
    began = time.process_time()
    generate(load_design("rns-60", {"rings.0.moduli": 64}), tmp_path / "rns")
    assert time.process_time() - began <= 10


@pytest.mark.parametrize("bits", [54, 60])
def test_memory_of_made_factors(bits: int) -> None:
    """2^16 coefficients, 32 a cycle, 32 moduli: bounds of the memories, as derived."""
    made = factors(bits, "made")
    assert made["BRAM18"] <= 200
    assert made["LUTs of LUT RAM"] <= 10_000
    assert made["clocks ahead"] <= 8 * 16
    assert made["multipliers"] == 256 + 68


def test_every_factor_is_a_product() -> None:
    """Of every stage, path, butterfly and beat, as the transform's tables have it."""
    core = prepare(design_of("made for lanes")).core
    pipeline, ring = engine(core), core.operations[0].ring
    for stage in range(pipeline.stages):
        shape = pipeline.factor_shapes[stage]
        for path, direction in enumerate(pipeline.design.directions):
            at = pipeline.paths[path].stages[stage]
            blocks = block_factors(ring, direction, at.index_bit)
            for beat, row in enumerate(at.layout.order()[:, : pipeline.lines].tolist()):
                for line, index in enumerate(row):
                    number = beat >> shape.shift[path]
                    first = shape.lines[shape.rom_of[line]]
                    made = factor(ring, direction, at.index_bit, shape.block(path, first, number))
                    assert made == blocks[index >> at.index_bit + 1]


def test_no_stage_multiplies_by_shifts() -> None:
    """Factors of one prime are powers of two, but not those of the others that may be loaded."""
    q = (1 << 64) - (1 << 32) + 1
    fixed = elaborate(parse_design({"name": "dut", "rings": [{"n": 16, "q": str(q)}]}, "test"))
    assert fixed.options.may_shift and len(fixed.plans) > 1
    ring = {"n": 16, "q": "runtime", "bits": 64}
    made = work_out_loaded(parse_design({"name": "dut", "rings": [ring]}, "test"))
    loaded = replace(made, rings=(ring_of(made.design, q),))
    assert not loaded.options.may_shift
    assert set(loaded.stage_plans) == {loaded.loaded}


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


def with_root(words: Sequence[int], change: Callable[[int, int], int]) -> tuple[int, ...]:
    """The words of a load, with a changed root, which stands in front of the factors."""
    at = 2 if engine(prepare(design_of("three places")).core).moduli.inverse else 1
    return (*words[:at], change(words[at], words[0]), *words[at + 1 :])


#: What is done to the words of a load, and to its code.
WRONG: dict[str, Any] = {
    "none": lambda words, code: None,
    "short": lambda words, code: (words[:-1], code),
    "long": lambda words, code: ((*words, 0), code),
    "even": lambda words, code: ((words[0] - 1, *words[1:]), code),
    "not 1 modulo 2n": lambda words, code: ((words[0] + 2, *words[1:]), code),
    "one": lambda words, code: ((1, *words[1:]), code),
    "no root": lambda words, code: (with_root(words, lambda root, q: 0), code),
    "a root of lower order": lambda words, code: (with_root(words, lambda r, q: r * r % q), code),
    "minus 1": lambda words, code: (with_root(words, lambda root, q: q - 1), code),
    "a root of q and more": lambda words, code: (with_root(words, lambda root, q: root + q), code),
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


def test_places_that_are_used_are_loaded(small: StreamSimulator) -> None:
    """So verifying one of many places does not wait for loads of the others."""
    core = loaded_with(prepare(design_of("three places")).core, (97, 12289, 193))
    assert [load.operations for load in core.loads] == [(0, 1), (2, 3), (4, 5)]
    first = core.loads[0]
    spoils = Load(first.code, first.words[:-1])
    for operations in ((2, 3), (4, 5)):
        loads = (*core.loads, replace(spoils, operations=operations))
        transform(small, replace(core, loads=loads), 0)
    for always in ((0, 1), ()):
        loads = (*core.loads, replace(spoils, operations=always))
        with pytest.raises(FaultError, match="tuser is 16 instead of 0"):
            transform(small, replace(core, loads=loads), 0)


@pytest.mark.parametrize("name", ["three places", "some made", "made for lanes"])
def test_words_of_q_and_more_are_marked(name: str) -> None:
    """At any place of a transform, and of it alone; those before and behind it are right."""
    core = prepare(design_of(name)).core
    moduli = (12289, 7681, 257)
    core = loaded_with(core, moduli[: engine(core).places])
    ring = core.operations[0].ring
    with prepare(design_of(name)).simulator() as simulator:
        simulator.core = core
        for operation in core.operations[:4]:
            q = operation.ring.q
            for at in (0, 1, ring.n // 2, ring.n - 1):
                data = np.zeros((1, ring.n), dtype=np.uint64)
                data[0, at] = q - 1
                simulator.stream([operation], data)
                for word in (q, q + 1, (1 << engine(core).moduli.bits) - 1):
                    data[0, at] = word
                    with pytest.raises(FaultError, match="tuser is"):
                        simulator.stream([operation], data)


@pytest.mark.parametrize("twiddles", ["tables", "made"])
def test_what_is_counted_is_exact(twiddles: str) -> None:
    """Multiplier blocks of butterflies and makers; memories of factors, and of commutators."""
    design = load_design("rns-60", {"pipeline.twiddles": twiddles})
    known, counted = estimate(design).features, factors(60, twiddles)
    assert round(known["dsp"]["tiles"]) == counted["DSP"]
    pipeline = work_out_loaded(design)
    widths, from_ = pipeline.growth.widths, pipeline.options.ram_block_from
    deepest = [max(delays) for delays in pipeline.delays]
    reordered = sum(
        block_rams(depth, 2 * pipeline.lines * width)
        for width, depth in zip(widths, deepest, strict=False)
        if depth >= from_
    )
    assert known["bram18"]["memories"] == counted["BRAM18"] + reordered
    cycles = estimate(design).cycles
    assert {each.each for each in cycles.values()} == {2048}
    assert cycles["ntt"].latency == pipeline.latency(0)


@pytest.mark.parametrize("shape", FIXED)
def test_latency_beside_a_fixed_prime(shape: tuple[int, int, int]) -> None:
    """At most 4 cycles a stage for loaded constants, and 8 where factors are made."""
    row = latency(*shape)
    assert row["loaded"] <= row["fixed"] + 4 * row["stages"]
    assert row["factors made"] <= row["fixed"] + 8 * row["stages"]


def test_explore_compares_tables_with_made_factors() -> None:
    """Pipelines alone; factors are made where block RAM is short, else read from tables."""
    ring = {"n": 1024, "q": "runtime", "bits": 54, "moduli": 16}
    need = {"name": "loaded", "rings": [ring], "interval": 256}
    found = explore(parse_requirements(need, "test"))
    assert found.chosen is not None
    designs = [candidate.design for candidate in found.candidates]
    assert all('family = "pipeline"' in design for design in designs)
    for way in ("tables", "made"):
        assert any(f'twiddles = "{way}"' in design for design in designs)
    assert 'twiddles = "tables"' in found.chosen.design
    few = explore(parse_requirements(need | {"max_bram18": 60}, "test"))
    assert few.chosen is not None
    assert few.ok and 'twiddles = "made"' in few.chosen.design


@pytest.mark.parametrize("family", ["iterative", "decomposed"])
def test_other_families_take_no_loaded_moduli(family: str) -> None:
    ring = {"q": "runtime", "bits": 30} | ({"n": 64} if family == "iterative" else {})
    with pytest.raises(NttforgeError, match="no modulus is loaded in this family"):
        parse_design({"name": "dut", "family": family, "rings": [ring]}, "test")


def test_what_a_design_cannot_have() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"rings": [{"n": 16, "q": "runtime"}]}, "needs bits"),
        ({"rings": [{"n": 16, "q": 97, "moduli": 2}]}, "moduli is of moduli"),
        ({"rings": [{"n": 16, "q": "runtime", "bits": 30, "root": 3}]}, "root"),
        ({"rings": [{"n": 16, "q": "runtime", "bits": 30}], "family": "iterative"}, "family"),
        ({"rings": [{"n": 16, "q": "running", "bits": 30}]}, "q"),
        ({"rings": [{"n": 1024, "q": "runtime", "bits": 9}]}, "bits"),
    ]
    made = {"rings": [{"n": 16, "q": 97}], "pipeline": {"twiddles": "made"}}
    with pytest.raises(NttforgeError, match="twiddles"):
        prepare(parse_design({"name": "dut"} | made, "test"))
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
