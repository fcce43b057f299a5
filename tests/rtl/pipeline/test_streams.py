# SPDX-License-Identifier: Apache-2.0
"""Streams through small engines: gaps, stalls, products of polynomials, equal handshakes."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import nmod_poly

from nttforge.flow.reference import Polynomials
from nttforge.kinds.stream.verify import STALLS
from nttforge.ring.polynomial_product import base_multiply
from nttforge.ring.transform import intt_definition, ntt_definition
from nttforge.simulate.stream import StallPattern, StreamSimulator
from tests.rtl.frames import check_frames, frame_model, random_frame
from tests.rtl.small_cores import TWO_RINGS, check, mixture, prepare_pipeline


@pytest.fixture(scope="module", params=["plain", "seamless", "block", "ultra", "credits"])
def simulator(request: pytest.FixtureRequest) -> StreamSimulator:
    designs: dict[str, dict[str, Any]] = {
        "plain": {},
        "seamless": {"seamless": True, "butterflies": 2},
        "block": {"ram_block_from": 2, "rom_block_from": 2},
        "ultra": {"ram_ultra_from": 2, "seamless": True, "butterflies": 2},
        "credits": {"flow_control": "credits", "ram_block_from": 2},
    }
    return prepare_pipeline(*TWO_RINGS, **designs[request.param]).simulator()


@pytest.mark.parametrize("source", list(STALLS))
@pytest.mark.parametrize("sink", list(STALLS))
def test_any_stall_on_any_side(simulator: StreamSimulator, source: str, sink: str) -> None:
    operations, polynomials = mixture(simulator.core, 80, seed=len(source) * 100 + len(sink))
    check(
        simulator,
        operations,
        polynomials,
        source=STALLS[source][0],
        sink=STALLS[sink][1],
        seed=len(source),
        probe=True,
    )


@pytest.mark.parametrize("longest", [1, 5, 20, 200])
def test_gaps_between_transforms(simulator: StreamSimulator, longest: int) -> None:
    """From one idle cycle up to so many that everything drains in between."""
    operations, polynomials = mixture(simulator.core, 120, seed=longest)
    gaps = np.random.default_rng(longest).integers(0, longest + 1, 120)
    for sink in (StallPattern(), StallPattern.random(0.4)):
        check(simulator, operations, polynomials, gaps=gaps, sink=sink, seed=longest)


def test_a_sink_that_hardly_ever_takes(simulator: StreamSimulator) -> None:
    operations, polynomials = mixture(simulator.core, 10, seed=9)
    check(simulator, operations, polynomials, sink=StallPattern.bursts(1.5, 40), seed=9)


def test_the_definition(simulator: StreamSimulator) -> None:
    operations, polynomials = mixture(simulator.core, 40, seed=11)
    run = simulator.stream(operations, polynomials)
    for operation, given, got in zip(operations, polynomials, run.outputs, strict=True):
        definition = intt_definition if operation.inverse else ntt_definition
        assert (definition(operation.ring, given) == got).all()


def test_products_are_those_of_flint(simulator: StreamSimulator) -> None:
    """Forward, multiply, inverse: a product in the ring, by an oracle that knows no transform."""
    core = simulator.core
    for forward, inverse in (core.operations[:2], core.operations[2:]):
        ring = forward.ring
        rng = np.random.default_rng(12)
        factors = rng.integers(0, ring.q, (2, 8, ring.n))
        first, second = simulator.transform([(forward, factors[0]), (forward, factors[1])])
        product = base_multiply(ring, first.astype(np.int64), second.astype(np.int64))
        (result,) = simulator.transform([(inverse, product)])
        modulus = nmod_poly([1] + [0] * (ring.n - 1) + [1], ring.q)
        for a, b, got in zip(*factors, result, strict=True):
            wanted = nmod_poly(a.tolist(), ring.q) * nmod_poly(b.tolist(), ring.q) % modulus
            assert [int(wanted[i]) for i in range(ring.n)] == got.tolist()


def test_handshakes_do_not_depend_on_data(simulator: StreamSimulator) -> None:
    operations, polynomials = mixture(simulator.core, 100, seed=13)
    limits = np.array([[operation.ring.q - 1] for operation in operations], dtype=object)
    source, sink = StallPattern.random(0.3), StallPattern.bursts(9, 5)

    def handshakes(data: Polynomials, seed: int) -> bytes:
        run = simulator.stream(
            operations, data, source=source, sink=sink, seed=seed, trace_cycles=1 << 16
        )
        assert run.cycles < 1 << 16
        return run.trace.tobytes()

    first = handshakes(polynomials, 1)
    assert first == handshakes(polynomials * 0, 1)
    assert first == handshakes(polynomials * 0 + limits, 1)
    assert first == handshakes(limits - polynomials, 1)
    assert first != handshakes(polynomials, 2)


@pytest.mark.parametrize("stall", [0.0, 0.4])
@pytest.mark.parametrize(
    "keys", [{}, {"seamless": True, "butterflies": 8}, {"flow_control": "credits"}], ids=str
)
def test_bad_frames_are_marked_and_the_next_is_right(
    keys: dict[str, Any], stall: float, tmp_path: Path
) -> None:
    prepared = prepare_pipeline(*TWO_RINGS, {"name": "c", "n": 16, "q": 193}, **keys)
    rng = random.Random(3)
    frames = [random_frame(prepared.core, rng) for _ in range(120)]
    assert any(frame.error for frame in frames) and not all(frame.error for frame in frames)
    check_frames(prepared.core, frame_model(prepared, tmp_path), frames, stall)
