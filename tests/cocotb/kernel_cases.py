# SPDX-License-Identifier: Apache-2.0
"""cocotb tests of a whole kernel, two instances with Vitis's port names; run by test_axi.py.

A driver's view: registers over AXI4-Lite, buffers far apart in 64 bits of addresses, an interrupt.
"""

import logging
import random
from collections.abc import Sequence
from typing import Any

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from nttforge.design import parse_design
from nttforge.flow.reference import random_polynomials, reference
from nttforge.hw import StreamCore, build_kind
from nttforge.hw import shell as shell_registers
from nttforge.simulate.shell_simulator import from_memory, to_memory
from tests.cocotb.channels import Channel, ReadChannel, WriteChannel

DESIGN = parse_design(
    {
        "name": "dut",
        "rings": [{"n": 16, "q": 97}],
        "pipeline": {"butterflies": 2},
        # A transform is 14 bytes: words of 8 do not end with it.
        "shell": {"instances": 2, "data_width": 64, "burst_bytes": 64, "latency_cycles": 16},
    },
    "test",
)

CORE = build_kind(DESIGN, StreamCore)
assert CORE.shell is not None
SHELL = CORE.shell
FILLING = 0x5A
BEHIND = 16  # bytes after a result, which must stay
STATUSES = {name: code for code, name in shell_registers.STATUSES.items()}


class Host:
    """A driver, and the memories of two instances."""

    def __init__(self, dut: Any, seed: int) -> None:
        logging.getLogger("cocotb").setLevel(logging.WARNING)
        self.dut, self.rng = dut, random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        clock = dut.ap_clk
        dut.ap_rst_n.value = 0
        Clock(clock, 10, unit="ns").start()
        self.control = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi_control"), clock)
        self.reads = [ReadChannel(dut, f"m_axi_in{i}", clock) for i in range(SHELL.instances)]
        self.writes = [WriteChannel(dut, f"m_axi_out{i}", clock) for i in range(SHELL.instances)]

    async def start(self) -> None:
        await ClockCycles(self.dut.ap_clk, 4)
        self.dut.ap_rst_n.value = 1
        await ClockCycles(self.dut.ap_clk, 4)
        await self.put(shell_registers.GLOBAL_INTERRUPT, 1)
        await self.put(shell_registers.INTERRUPT_ENABLE, 1)

    async def put(self, address: int, value: int, size: int = 4) -> AxiResp:
        answer = await with_timeout(
            self.control.write(address, value.to_bytes(size, "little")), 10, "us"
        )
        return answer.resp

    async def get(self, address: int, size: int = 4) -> int:
        answer = await with_timeout(self.control.read(address, size), 10, "us")
        assert answer.resp == AxiResp.OKAY
        return int.from_bytes(answer.data, "little")

    async def job(self, code: int, counts: Sequence[int]) -> tuple[str, list[int]]:
        """Fill buffers, run, wait for the interrupt; the status and the targets' addresses."""
        targets = []
        assert await self.put(shell_registers.OPERATION, code) == AxiResp.OKAY
        for i, count in enumerate(counts):
            source, target = (self.rng.randrange(1 << 40) << 20 for _ in range(2))
            source += self.rng.randrange(512) * SHELL.word_bytes
            targets.append(target)
            batch = random_polynomials(CORE.operations[code].ring, count, self.numbers)
            data = bytearray(to_memory(SHELL, CORE.operations[code].pack(batch)).tobytes())
            data += bytes(-len(data) % SHELL.word_bytes)  # the last word is read as a whole
            self.reads[i].banks = {source: data}
            self.writes[i].banks = {target: bytearray([FILLING] * (len(data) + BEHIND))}
            at = SHELL.arguments(i)
            assert await self.put(at + shell_registers.SOURCE, source, 8) == AxiResp.OKAY
            assert await self.put(at + shell_registers.TARGET, target, 8) == AxiResp.OKAY
            assert await self.put(at + shell_registers.COUNT, count) == AxiResp.OKAY
        return await self.go(), targets

    async def go(self) -> str:
        await self.put(shell_registers.CONTROL, 1)
        for _ in range(20_000):
            if self.dut.interrupt.value == 1:
                break
            await ClockCycles(self.dut.ap_clk, 1)
        else:
            raise AssertionError("the job does not end")
        assert await self.get(shell_registers.CONTROL) & 0b1110 == 0b1110  # ready, idle, done
        assert await self.get(shell_registers.CONTROL) & 0b1110 == 0b0100  # done was read
        await self.put(shell_registers.INTERRUPT_STATUS, 1)
        assert self.dut.interrupt.value == 0
        return shell_registers.STATUSES[await self.get(shell_registers.STATUS) & 0xFF]

    def check(self, code: int, counts: Sequence[int]) -> None:
        """Each instance's results are those of its own data, and nothing else was written."""
        operation = CORE.operations[code]
        for i, count in enumerate(counts):
            (given,), (got,) = self.reads[i].banks.values(), self.writes[i].banks.values()
            used = count * SHELL.write_bytes(0)
            assert set(got[used:]) <= {FILLING}
            if not count:
                continue
            stream = from_memory(SHELL, np.frombuffer(bytes(given[:used]), np.uint8), count)
            result = from_memory(SHELL, np.frombuffer(bytes(got[:used]), np.uint8), count)
            expected = reference(operation, operation_input(operation, stream))
            assert (operation.unpack(result) == expected).all(), f"instance {i}"


def operation_input(operation: Any, stream: Any) -> Any:
    """Polynomials from the words of their streams."""
    polynomials = np.empty_like(stream)
    polynomials[:, operation.input_layout.order().reshape(-1)] = stream
    return polynomials


#: Pauses of in0, out0, in1, out1.
PAUSES = [(0.0, 0.0, 0.0, 0.0), (0.5, 0.0, 0.0, 0.0), (0.0, 0.6, 0.1, 0.0), (0.2, 0.4, 0.5, 0.3)]


@cocotb.test()
@cocotb.parametrize(pauses=PAUSES)
async def instances_do_not_mix(dut: Any, pauses: tuple[float, float, float, float]) -> None:
    """Different data, counts and pauses; an idle one next to a busy one."""
    host = Host(dut, 1 + PAUSES.index(pauses))
    for k in range(SHELL.instances):
        host.reads[k].pause(pauses[2 * k], 7 + 20 * k)
        host.writes[k].pause(pauses[2 * k + 1], 17 + 20 * k)
    await host.start()
    for counts in ((1, 1), (23, 5), (0, 9), (8, 41), (4, 0)):
        code = host.rng.randrange(len(CORE.operations))
        assert (await host.job(code, counts))[0] == "ok"
        host.check(code, counts)


@cocotb.test()
@cocotb.parametrize(channel=range(4), pause=[0.0, 0.4])
async def memory_errors(dut: Any, channel: int, pause: float) -> None:
    """The status names the channel, the address is right, and the next job is served."""
    host = Host(dut, 10 + channel)
    memories: list[Channel] = [*host.reads, *host.writes]
    for each in memories:
        each.pause(pause, channel)
    await host.start()
    memory = memories[channel // 2 + (len(host.reads) if channel % 2 else 0)]
    assert (await host.job(0, (20, 20)))[0] == "ok"
    (base,) = memory.banks
    memory.bad = base + 12 * SHELL.word_bytes
    assert await host.go() == ("write error" if channel % 2 else "read error")
    fault = await host.get(shell_registers.FAULT, 8)
    burst = memory.bad // SHELL.burst_bytes * SHELL.burst_bytes
    assert fault == (max(burst, base) if channel % 2 else memory.bad)
    assert await host.get(shell_registers.STATUS) >> 8 == channel
    memory.bad = None
    assert (await host.job(1, (3, 7)))[0] == "ok"
    host.check(1, (3, 7))


@cocotb.test()
async def registers_of_the_control(dut: Any) -> None:
    """Bytes by their strobes, what is not there is an error, and so are arguments during a job."""
    host = Host(dut, 30)
    await host.start()
    at = SHELL.arguments(1) + shell_registers.SOURCE
    await host.put(at, 0x1122334455667788, 8)
    await host.put(at, 0xAA, 1)
    assert await host.get(at, 8) == 0x11223344556677AA
    assert await host.put(at + 2, 0xBB, 1) != AxiResp.OKAY  # not a register's address
    assert await host.get(at, 8) == 0x11223344556677AA
    assert await host.get(shell_registers.INSTANCES) == SHELL.instances
    for address in (0x14, 0x34, SHELL.arguments(SHELL.instances), 0xFFC):
        assert await host.put(address, 1) != AxiResp.OKAY
        answer = await host.control.read(address, 4)
        assert address < 0x40 or answer.resp != AxiResp.OKAY
    assert (await host.job(0, (1, 1)))[0] == "ok"
    host.reads[0].pause(0.9, 1)
    await host.put(shell_registers.CONTROL, 1)
    assert await host.put(at, 8) != AxiResp.OKAY
    assert await host.get(shell_registers.CONTROL) & 0b0101 == 0b0001  # started, not idle
    assert await host.put(shell_registers.CONTROL, 1) == AxiResp.OKAY  # which starts nothing


@cocotb.test()
async def refused(dut: Any) -> None:
    """Nothing is asked of the memory for a job that is wrong."""
    host = Host(dut, 31)
    await host.start()
    assert (await host.job(0, (0, 0)))[0] == "no work"
    assert (await host.job(0, (2, 2)))[0] == "ok"
    memories: list[Channel] = [*host.reads, *host.writes]
    asked = [len(memory.watch.asked) for memory in memories]
    await host.put(shell_registers.OPERATION, 2)
    assert await host.go() == "unknown operation"
    await host.put(shell_registers.OPERATION, 0)
    at = SHELL.arguments(0)
    target = await host.get(at + shell_registers.TARGET, 8)
    for value, status in ((target + 4, "misaligned"), ((1 << 64) - 8, "out of range")):
        await host.put(at + shell_registers.TARGET, value, 8)
        assert await host.go() == status
        assert await host.get(shell_registers.FAULT, 8) == value
        assert await host.get(shell_registers.STATUS) >> 8 == 1
    await host.put(
        at + shell_registers.TARGET, await host.get(at + shell_registers.SOURCE, 8) + 8, 8
    )
    assert await host.go() == "overlap"
    assert asked == [len(memory.watch.asked) for memory in memories]
