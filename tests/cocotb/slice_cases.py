# SPDX-License-Identifier: Apache-2.0
"""cocotb tests of ntf_prim_axis_slice; run by test_axis.py."""

import random
from typing import Any

import cocotb
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiStreamFrame

from tests.cocotb.stream_bench import Ports

FRAMES = 60


async def stream(dut: Any, idle: float, backpressure: float, seed: int) -> int:
    ports = Ports(dut, 8)
    await ports.start(idle, backpressure, seed)
    rng = random.Random(seed)
    frames = [(rng.randbytes(4 * rng.randint(1, 12)), rng.randrange(8)) for _ in range(FRAMES)]
    for data, user in frames:
        await ports.source.send(AxiStreamFrame(data, tuser=user))
    first = cocotb.simtime.get_sim_time("step")
    for data, user in frames:
        got = await with_timeout(ports.sink.recv(), 20, "us")
        assert bytes(got.tdata) == data
        assert got.tuser == user
    cycles = (cocotb.simtime.get_sim_time("step") - first) // 10_000
    await ClockCycles(dut.clk_i, 20)
    assert ports.sink.empty() and ports.sink.idle()  # nothing comes twice
    assert cycles >= sum(len(data) // 4 for data, _ in frames)
    return cycles - sum(len(data) // 4 for data, _ in frames)


@cocotb.test()
async def a_beat_every_cycle(dut: Any) -> None:
    assert await stream(dut, 0.0, 0.0, 1) < 10


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.3, 0.9], backpressure=[0.0, 0.3, 0.9])
async def random_pauses(dut: Any, idle: float, backpressure: float) -> None:
    await stream(dut, idle, backpressure, int(100 * idle + 10 * backpressure))
