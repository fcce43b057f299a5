# SPDX-License-Identifier: Apache-2.0
"""What the pipeline family derives from its layouts is what the simulated RTL shows."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from nttforge.design import load_design
from nttforge.flow.prepare import Prepared
from nttforge.flow.synth import synth
from nttforge.hw import Operation, StreamCore, build_kind
from nttforge.kinds.stream.verify import verify
from nttforge.simulate.stream import StreamSimulator
from tests.rtl.small_cores import SMALL_RING, TWO_RINGS, mixture, prepare_pipeline

DESIGNS: dict[str, dict[str, Any]] = {
    "plain": {},
    "seamless": {"seamless": True},
    "register after every adder": {"adders_per_stage": 1},
    "long stages": {"adders_per_stage": 8},
    "two butterflies": {"butterflies": 2},
    "a transform a beat": {"butterflies": 4, "n": 8},
    "block memories": {"ram_block_from": 2, "rom_block_from": 2},
    "seamless block memories": {"ram_block_from": 2, "rom_block_from": 2, "seamless": True},
    "inverse first": {"operations": ["intt", "ntt"]},
    "credits": {"flow_control": "credits"},
}


@pytest.fixture(scope="module", params=DESIGNS)
def prepared(request: pytest.FixtureRequest) -> Prepared[StreamCore]:
    keys = dict(DESIGNS[request.param])
    n = keys.pop("n", 16)
    return prepare_pipeline(*(ring | {"n": n} for ring in TWO_RINGS), **keys)


@pytest.fixture(scope="module")
def simulator(prepared: Prepared[StreamCore]) -> StreamSimulator:
    return prepared.simulator()


def test_values(prepared: Prepared[StreamCore]) -> None:
    assert verify(prepared, transforms=140).ok


def streamed(simulator: StreamSimulator, operations: list[Operation]) -> Any:
    n = operations[0].ring.n
    return simulator.stream(operations, np.ones((len(operations), n), dtype=np.int64))


def test_latency(simulator: StreamSimulator) -> None:
    for operation in simulator.core.operations:
        run = streamed(simulator, [operation] * 20)
        assert set(run.latency) == {operation.latency}


def test_steady_state(simulator: StreamSimulator) -> None:
    """A beat every cycle, at both ports, and for rings mixed at random."""
    core = simulator.core
    rng = np.random.default_rng(4)
    for inverse in {operation.inverse for operation in core.operations}:
        same = [operation for operation in core.operations if operation.inverse == inverse]
        run = streamed(simulator, [same[i] for i in rng.integers(0, len(same), 60)])
        for cycles in (run.first_in, run.last_in, run.first_out, run.last_out):
            assert set(np.diff(cycles)) == {core.stream.beats}


def test_turnaround(simulator: StreamSimulator) -> None:
    """Idle cycles between the two operations' beats, seen where they leave."""
    core = simulator.core
    for before in core.operations:
        for after in core.operations:
            run = streamed(simulator, [before] * 20 + [after] * 3)
            idle = run.first_out[20] - run.last_out[19] - 1
            assert idle == core.turnaround(before, after) + after.latency - before.latency
            # The spare entry of the input's slice hides one of them from the source.
            wait = run.last_in[20] - run.last_in[19] - core.stream.beats
            assert core.turnaround(before, after) - 1 <= wait <= core.turnaround(before, after)


def test_seamless_costs_no_cycle(simulator: StreamSimulator) -> None:
    core = simulator.core
    operations, _ = mixture(core, 100, seed=5)
    run = streamed(simulator, operations)
    longest = int(np.diff(run.last_out).max())
    free = all(core.turnaround(a, b) == 0 for a in core.operations for b in core.operations)
    assert (longest == core.stream.beats) == free


def test_the_papers_engine() -> None:
    """105 idle cycles from forward to inverse and none back (docs/pipeline.md)."""

    def engine(name: str, keys: Mapping[str, object] | None = None) -> StreamCore:
        return build_kind(load_design(name, keys), StreamCore)

    def gaps(core: StreamCore) -> list[int]:
        return [core.turnaround(a, b) for a in core.operations for b in core.operations]

    core = engine("mlkem-mldsa")
    assert [op.name for op in core.operations][:2] == ["ml-kem.ntt", "ml-kem.intt"]
    assert gaps(core) == [0, 105, 0, 105, 0, 0, 0, 0] * 2
    assert core.stream.beats == 128
    assert max(op.latency for op in core.operations) <= 330
    fewest = engine("mlkem-mldsa", {"pipeline.adders_per_stage": 4})
    assert gaps(fewest) == gaps(core)
    assert max(op.latency for op in fewest.operations) <= 310
    assert not any(gaps(engine("mlkem-mldsa-seamless")))


def test_one_ring_one_direction_never_waits() -> None:
    core = prepare_pipeline(SMALL_RING, operations=["ntt"]).core
    assert core.turnaround(core.operations[0], core.operations[0]) == 0


def test_a_sum_that_is_centred_takes_no_flip_flops_where_tables_shift() -> None:
    """Two of four butterflies centre it, and every sum waits for three clocks or more."""
    prepared = prepare_pipeline({"n": 16, "q": 7681}, operations=["ntt"], adders_per_stage=4)
    blocks = synth(prepared, "xcup").blocks
    assert sum(path.endswith("u_centre") for path in blocks) == 2
    # The register of the difference, b where nothing is subtracted, may have the name of either.
    parts = ("u_early", "u_twice", "u_look", "u_waiting", "u_front")
    found = Counter[str]()
    for path, row in blocks.items():
        butterfly, _, inside = path.rpartition(".u_butterfly.")
        if any(part in inside for part in parts):
            found[butterfly] += row["ff"]
    width = prepared.core.operations[0].ring.q.bit_length()
    assert len(found) == 4 and max(found.values()) < 2 * width, found
