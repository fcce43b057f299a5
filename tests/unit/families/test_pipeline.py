# SPDX-License-Identifier: Apache-2.0
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nttforge.design import design_names, load_design, parse_design
from nttforge.errors import NttforgeError
from nttforge.hw import StreamCore
from nttforge.hw.growth import COOLEY_TUKEY, GENTLEMAN_SANDE, PASS
from nttforge.kinds.stream.build import build_transforms as build
from nttforge.kinds.stream.build import elaborate
from nttforge.kinds.stream.engine import Pipeline
from nttforge.ring.primes import next_ntt_prime
from nttforge.ring.ring import Ring
from nttforge.ring.transform import intt, ntt
from tests.unit.families import pipeline_model as machine
from tests.unit.ring.random_rings import random_polynomials, rings


def table(ring: Ring) -> dict[str, Any]:
    return {
        "name": f"r{ring.q % 10**18}-{ring.layers}-{ring.root % 10**18}",
        "n": ring.n,
        "q": ring.q,
        "form": "x^n+1" if ring.negacyclic else "x^n-1",
        "layers": ring.layers,
        "root": ring.root,
    }


def pipeline_of(tables: Sequence[dict[str, Any]], operations: list[str], **keys: Any) -> Pipeline:
    data = {"name": "dut", "rings": tables, "operations": operations, "pipeline": keys}
    return elaborate(parse_design(data, "test"))


@st.composite
def pipelines(draw: Any) -> Pipeline:
    first = draw(rings(largest=32))
    chosen = [table(first)]
    second = draw(rings(largest=32))
    if second.n == first.n and second != first:
        chosen.append(table(second))
    lines = 1 << draw(st.integers(0, first.depth - 1))
    operations = draw(st.sampled_from((["ntt"], ["intt"], ["ntt", "intt"], ["intt", "ntt"])))
    order = draw(st.sampled_from(("natural", "mirrored")))
    return pipeline_of(chosen, operations, butterflies=lines, order=order)


@pytest.mark.long
@settings(max_examples=20, deadline=None)
@given(pipelines(), st.integers(0, 1 << 30))
def test_tables_modes_and_wires_make_the_transform(pipeline: Pipeline, seed: int) -> None:
    core = build(pipeline.design)
    for operation in core.operations:
        polynomials = random_polynomials(operation.ring, seed, 1)
        stream = operation.pack(polynomials).reshape(pipeline.beats, -1)
        result = machine.run(pipeline, operation.code, stream).reshape(1, -1)
        reference = intt if operation.inverse else ntt
        assert (operation.unpack(result) == reference(operation.ring, polynomials)).all()


def test_a_table_takes_few_calls_a_word() -> None:
    """Large rings are generated in seconds: a factor is worked out once a block, not a beat."""
    table = {"n": 4096, "q": next_ntt_prime(30, 8192)}
    pipeline = pipeline_of([table], ["ntt", "intt"], butterflies=4)
    calls = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal calls
        calls += event == "call"

    _ = pipeline.stage_plans
    sys.setprofile(count)
    try:
        words = len(pipeline.twiddle_words)
    finally:
        sys.setprofile(None)
    assert 0 < calls < 10 * words


@pytest.mark.long
@settings(max_examples=20, deadline=None)
@given(pipelines())
def test_addresses_need_no_adder(pipeline: Pipeline) -> None:
    for stage in pipeline.twiddle_tables:
        for base, shift in zip(stage.base, stage.shift, strict=True):
            last = (pipeline.beats - 1) >> shift
            assert base & last == 0
            assert base + last < stage.depth
        assert len({len(words) for words in stage.words}) == 1
        assert set(stage.rom_of) == set(range(len(stage.words)))


@pytest.mark.long
@settings(max_examples=20, deadline=None)
@given(pipelines())
def test_tables_hold_nothing_twice(pipeline: Pipeline) -> None:
    """Butterflies share what is equal, and a factor that lasts is stored once."""
    for stage in pipeline.twiddle_tables:
        assert len(set(stage.words)) == len(stage.words)
        covered = set()
        for code, (base, shift) in enumerate(zip(stage.base, stage.shift, strict=True)):
            count = ((pipeline.beats - 1) >> shift) + 1
            covered |= set(range(base, base + count))
            if count > 1:
                words = [rom[base : base + count] for rom in stage.words]
                assert any(rom[0::2] != rom[1::2] for rom in words), code
        assert covered == set(range(stage.depth))


def test_modes_of_an_incomplete_ring() -> None:
    core = elaborate(load_design("mlkem-mldsa"))
    codes = {operation.name: operation.code for operation in build(core.design).operations}

    def modes(name: str) -> list[int]:
        return [stage[codes[name]] for stage in core.modes]

    assert modes("ml-kem.ntt") == [COOLEY_TUKEY] * 7 + [PASS]
    assert modes("ml-kem.intt") == [PASS] + [GENTLEMAN_SANDE] * 7
    assert modes("ml-dsa.ntt") == [COOLEY_TUKEY] * 8
    assert modes("ml-dsa.intt") == [GENTLEMAN_SANDE] * 8


def test_delays_of_the_papers_engine() -> None:
    """64D ... 1D one way, which the sum and the buffers of the paper follow from."""
    pipeline = elaborate(load_design("mlkem-mldsa"))
    assert [delays[0] for delays in pipeline.delays] == [0, 64, 32, 16, 8, 4, 2, 1]
    assert [delays[1] for delays in pipeline.delays] == [0, 1, 2, 4, 8, 16, 32, 64]
    assert pipeline.beats == 128
    assert pipeline.buffer_words == 2 * sum(max(delays) for delays in pipeline.delays)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in design_names()
        if load_design(name).family == "pipeline" and not name.startswith("rns-")
    ],
)
def test_the_core_says_what_the_pipeline_says(name: str) -> None:
    design = load_design(name)
    core, pipeline = build(design), elaborate(design)
    assert core.name == design.module
    assert [operation.code for operation in core.operations] == list(range(len(core.operations)))
    assert core.stream.lanes * core.stream.beats == core.operations[0].ring.n
    assert core.stream.word_bits == max(ring.width for ring in pipeline.rings)
    assert 1 << core.stream.user_bits >= len(core.operations)
    for operation in core.operations:
        assert operation.latency == pipeline.latency(pipeline.codes[operation.code][1])
        label = "" if len(design.rings) == 1 else f"{ring_name(core, operation.ring)}."
        assert operation.name == f"{label}{direction(operation.inverse)}"
    assert set(core.templates) >= {
        f"{core.name}_pkg.sv",
        f"{core.name}.sv",
        "README.md",
    }


def ring_name(core: StreamCore, ring: Ring) -> str:
    return {3329: "ml-kem", 8380417: "ml-dsa"}[ring.q]


def direction(inverse: bool) -> str:
    return "intt" if inverse else "ntt"


def test_a_single_ring_needs_no_name_in_its_operations() -> None:
    core = build(load_design("ml-dsa"))
    assert [operation.name for operation in core.operations] == ["ntt", "intt"]


RING = {"n": 16, "q": 97}


@pytest.mark.parametrize("butterflies", [3, 6, 16, 32, 1 << 15])
def test_butterflies_that_do_not_fit(butterflies: int) -> None:
    with pytest.raises(NttforgeError, match=r"from 1 to n/2 = 8") as caught:
        pipeline_of([RING], ["ntt"], butterflies=butterflies)
    assert caught.value.field == "pipeline.butterflies"


def test_rings_of_different_sizes() -> None:
    with pytest.raises(NttforgeError) as caught:
        pipeline_of([RING, {"n": 32, "q": 193}], ["ntt"])
    assert caught.value.field == "rings.1.n"


def test_a_reduction_that_a_modulus_does_not_have() -> None:
    with pytest.raises(NttforgeError) as caught:
        pipeline_of([RING], ["ntt"], reduction="goldilocks")
    assert "97" in str(caught.value)


def test_a_modulus_that_is_too_wide() -> None:
    q = (1 << 300) + 1
    while pow(3, q - 1, q) != 1:
        q += 32
    with pytest.raises(NttforgeError, match=r"not from 3 to 2\^256 - 1"):
        pipeline_of([{"n": 16, "q": str(q)}], ["ntt"])


@pytest.mark.parametrize("adders", [1, 2, 4, 8])
@pytest.mark.parametrize("seamless", [False, True])
def test_latency_is_made_of_its_parts(adders: int, seamless: bool) -> None:
    pipeline = pipeline_of(
        [RING], ["ntt", "intt"], adders_per_stage=adders, seamless=seamless, butterflies=2
    )
    delays = (0, 2, 1, 0) if not seamless else (0, 2, 1, 2)
    assert sum(max(d) if seamless else d[0] for d in pipeline.delays) == sum(delays)
    # With one or two rows between registers there is one more after the ROM, and one between any
    # two rows at the output; with one row, in the multiplier block and after the last of them too.
    deep = adders <= 2
    registers = 4 * ((1 + 1 + deep + (adders == 1)) + pipeline.plan.latency + 1)
    settle = len(pipeline.growth.settle)
    registers += settle + (adders == 1) if deep else settle // adders
    assert pipeline.latency(0) == pipeline.beats + sum(delays) + registers + 2


def test_streams_are_told_as_arrays() -> None:
    """pack and unpack undo each other through the core's own orders."""
    core = build(load_design("ml-kem"))
    forward, inverse = core.operations
    polynomials: Any = np.arange(2 * 256).reshape(2, 256)
    assert (inverse.unpack(forward.pack(polynomials)) == polynomials).all()
    assert forward.pack(polynomials)[0, :4].tolist() == [0, 128, 1, 129]
    assert inverse.pack(polynomials)[0, :4].tolist() == [0, 1, 2, 3]


@pytest.mark.long
@pytest.mark.parametrize(
    "depth",
    [*range(2, 14), *(pytest.param(depth, marks=pytest.mark.slow) for depth in (14, 15, 16))],
)
def test_mirrored_directions_share_commutators_and_wires(depth: int) -> None:
    """But for one commutator each, if both the index bits and those on time are odd in number."""
    ring = Ring.create(1 << depth, next_ntt_prime(20, 2 << depth))
    for lane_bits in range(1, depth + 1):
        pipeline = pipeline_of(
            [table(ring)], ["ntt", "intt"], butterflies=1 << (lane_bits - 1), order="mirrored"
        )
        time = depth - lane_bits
        apart = [delays for delays in pipeline.delays if any(delays) and not all(delays)]
        assert len(apart) == (2 if depth % 2 and time % 2 else 0)
        assert sum(any(delays) for delays in pipeline.delays) == time + len(apart) // 2
        assert sum(d[0] for d in pipeline.delays) == sum(d[1] for d in pipeline.delays)
        if not apart:
            assert all(forward == inverse for forward, inverse in pipeline.lane_sources)
            assert len(set(pipeline.output_sources)) == 1
        forward, inverse = build(pipeline.design).operations
        assert forward.output_layout == inverse.input_layout
        assert forward.input_layout == inverse.output_layout
