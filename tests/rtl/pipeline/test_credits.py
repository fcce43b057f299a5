# SPDX-License-Identifier: Apache-2.0
"""An engine that never stops: the queue at its output is full to the brim, and not by one more."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nttforge.design import parse_design
from nttforge.flow.prepare import Prepared
from nttforge.kinds.stream.build import elaborate
from nttforge.kinds.stream.engine import Pipeline
from tests.mutants import mutated
from tests.rtl.frames import check_frames, frame_model, random_frame
from tests.rtl.small_cores import SMALL_RING, check, design_data, mixture, prepare_pipeline

CREDITS: dict[str, Any] = {"flow_control": "credits"}
#: That many are just enough of the first one, and one too few of the other.
EXACT = {"butterflies": 2, "fused": True} | CREDITS
ONE_LESS = {"butterflies": 4} | CREDITS
ENOUGH = 32


def worked_out(**keys: Any) -> Pipeline:
    return elaborate(parse_design(design_data(SMALL_RING, **keys), "test"))


def away(pipeline: Pipeline) -> int:
    """Cycles from which on a credit may be taken again: those of the longest path, and one."""
    longest = max(pipeline.latency(path) for path in range(len(pipeline.paths)))
    return longest - pipeline.beats - pipeline.input_registers + 1


@pytest.mark.parametrize("block", [False, True])
@pytest.mark.parametrize("good", [1.0, 0.4])
def test_a_sink_that_stops_at_any_moment(good: float, block: bool, tmp_path: Path) -> None:
    """Long enough to fill the queue; also with zeros that the framer puts in."""
    keys = CREDITS | ({"ram_block_from": 2} if block else {})
    prepared, pipeline = prepare_pipeline(SMALL_RING, **keys), worked_out(**keys)
    model = frame_model(prepared, tmp_path)
    rng = random.Random(int(10 * good) + block)
    frames = [random_frame(prepared.core, rng, good) for _ in range(22)]
    full = pipeline.credits + 2  # the input's slice has two
    for moment in range(pipeline.latency(0) + 2 * pipeline.beats):
        stop = range(moment, moment + pipeline.credits + pipeline.latency(0))
        held = check_frames(prepared.core, model, frames, seed=moment, stop=stop)
        assert held == full if good == 1.0 else held > 0, moment


def test_credits_suffice_and_one_less_does_not(tmp_path: Path) -> None:
    assert away(worked_out(**EXACT)) == worked_out(**EXACT).credits == ENOUGH
    assert away(worked_out(**ONE_LESS)) == ENOUGH + 1
    assert worked_out(**ONE_LESS).credits == 2 * ENOUGH

    def longest(prepared: Prepared[Any]) -> int:
        """Cycles from a transform to the next one of its kind, at most."""
        simulator, found = prepared.simulator(), []
        for operation in simulator.core.operations:
            run = simulator.stream([operation] * 60, np.ones((60, 16), dtype=np.int64))
            found.append(int(max(np.diff(run.first_out))))
        operations, polynomials = mixture(simulator.core, 60, seed=3)
        check(simulator, operations, polynomials)
        return max(found)

    exact, less = (prepare_pipeline(SMALL_RING, **keys) for keys in (EXACT, ONE_LESS))
    assert longest(exact) == exact.core.stream.beats
    place = ("dut_pkg.sv", f"credits: 32'd{2 * ENOUGH}", f"credits: 32'd{ENOUGH}")
    assert longest(mutated(less, tmp_path / "less", *place)) == less.core.stream.beats + 1


def test_zeros_that_fill_up_take_credits(tmp_path: Path) -> None:
    prepared = prepare_pipeline(SMALL_RING, **CREDITS)
    place = ("rtl/pipeline/ntf_pipeline.sv", ".take_i (valid[0])", ".take_i (valid[0] & in_ready)")
    wrong = mutated(prepared, tmp_path / "wrong", *place)
    # An assertion that fails would end the process.
    place = ("rtl/prim/ntf_prim_credit_fifo.sv", "!(valid_i && !ready)", "1'b1")
    model = frame_model(mutated(wrong, tmp_path / "quiet", *place), tmp_path / "model")
    rng = random.Random(7)
    frames = [random_frame(prepared.core, rng, 0.0) for _ in range(40)]
    with pytest.raises(AssertionError):
        check_frames(prepared.core, model, frames, stop=range(20, 400))
