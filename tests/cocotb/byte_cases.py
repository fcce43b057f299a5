# SPDX-License-Identifier: Apache-2.0
"""cocotb tests of an engine whose lanes are whole bytes; run by test_axis.py.

The bus models know nothing of words: a stream is bytes, as they have it by themselves.
"""

from typing import Any

import cocotb
import numpy as np

from nttforge.cocotb import Engine
from nttforge.design import parse_design
from nttforge.flow.reference import random_polynomials, reference
from nttforge.hw import StreamCore, build_kind
from tests.cocotb.stream_bench import pauses
from tests.rtl.small_cores import design_data

RINGS = ({"name": "a", "n": 8, "q": 8380417}, {"name": "b", "n": 8, "q": 97})
DESIGN = parse_design(design_data(*RINGS, byte_lanes=True, flush=True), "test")
CORE = build_kind(DESIGN, StreamCore)


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.4], backpressure=[0.0, 0.4])
async def bytes_in_and_out(dut: Any, idle: float, backpressure: float) -> None:
    engine = Engine(dut, DESIGN)
    assert [len(dut.s_axis_tdata), len(dut.s_axis_tkeep)] == [2 * 24, 2 * 3]
    for side in (engine.source, engine.sink):
        assert (side.byte_size, side.byte_lanes) == (8, 6)
    engine.source.set_pause_generator(pauses(idle, 1))
    engine.sink.set_pause_generator(pauses(backpressure, 2))
    await engine.reset()
    rng = np.random.default_rng(5)
    for operation in CORE.operations:
        x = random_polynomials(operation.ring, 4, rng)
        assert (await engine.transform(operation.name, x) == reference(operation, x)).all()
