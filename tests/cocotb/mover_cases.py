# SPDX-License-Identifier: Apache-2.0
"""cocotb tests of ntf_axi_reader and ntf_axi_writer; run by test_axi.py."""

import itertools
import logging
import random
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

from tests.cocotb.channels import ReadChannel, WriteChannel, set_pauses

WORD, BURST, DEPTH = 8, 128, 32  # as in axi_movers.sv
BASE, SIZE = 0x8000_0000, 3 * 4096
JOBS = 10


@dataclass
class Bench:
    """The movers with a memory of random content on one side and a stream on the other."""

    dut: Any
    rng: random.Random
    memory: bytearray
    read: ReadChannel
    write: WriteChannel
    sink: AxiStreamSink
    source: AxiStreamSource

    @classmethod
    async def start(cls, dut: Any, memory_pause: float, stream_pause: float, seed: int) -> "Bench":
        logging.getLogger("cocotb").setLevel(logging.WARNING)
        rng = random.Random(seed)
        for name in ("read_start_i", "read_stop_i", "write_start_i", "write_stop_i"):
            getattr(dut, name).value = 0
        dut.rst_ni.value = 0
        clock = dut.clk_i
        Clock(clock, 10, unit="ns").start()
        bench = cls(
            dut,
            rng,
            bytearray(rng.randbytes(SIZE)),
            ReadChannel(dut, "m_axi", clock),
            WriteChannel(dut, "m_axi", clock),
            AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), clock),
            AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), clock),
        )
        bench.read.banks = bench.write.banks = {BASE: bench.memory}
        bench.read.pause(memory_pause, 10 * seed)
        bench.write.pause(memory_pause, 10 * seed + 5)
        set_pauses(bench.sink, stream_pause, 10 * seed + 8)
        set_pauses(bench.source, stream_pause, 10 * seed + 9)
        return bench

    async def reset(self) -> None:
        """As between two jobs: the memory has nothing under way."""
        self.dut.rst_ni.value = 0
        await ClockCycles(self.dut.clk_i, 2)
        self.sink.clear()
        self.source.clear()
        self.read.watch.asked.clear()
        self.write.watch.asked.clear()
        self.dut.rst_ni.value = 1
        await ClockCycles(self.dut.clk_i, 2)

    def any_words(self, most: int = 90) -> tuple[int, int]:
        """Address and number of words, anywhere in the memory."""
        words = self.rng.randint(1, most)
        return BASE + WORD * self.rng.randrange(SIZE // WORD - words), words

    def content(self, address: int, words: int) -> bytes:
        return bytes(self.memory[address - BASE : address - BASE + WORD * words])

    async def begin(self, side: str, address: int, words: int) -> None:
        dut = self.dut
        getattr(dut, f"{side}_addr_i").value = address
        getattr(dut, f"{side}_words_i").value = words
        getattr(dut, f"{side}_start_i").value = 1
        await ClockCycles(dut.clk_i, 1)
        getattr(dut, f"{side}_start_i").value = 0
        await ClockCycles(dut.clk_i, 1)

    async def idle(self, side: str) -> None:
        busy = getattr(self.dut, f"{side}_busy_o")
        for _ in range(20_000):
            await ClockCycles(self.dut.clk_i, 1)
            if busy.value == 0:
                return
        raise AssertionError(f"the {side} mover stays busy")

    async def stopped(self, side: str, address: int, words: int, cycles: int) -> int:
        """A job that is stopped after so many cycles: the words that it had asked for."""
        await self.begin(side, address, words)
        await ClockCycles(self.dut.clk_i, cycles)
        stop = getattr(self.dut, f"{side}_stop_i")
        stop.value = 1
        await self.idle(side)
        stop.value = 0
        asked: int = sum(number for _, number in getattr(self, side).watch.asked)
        assert asked < words and getattr(self.dut, f"{side}_error_o").value == 0
        return asked

    async def words_out(self, number: int) -> bytes:
        frames = [await with_timeout(self.sink.recv(), 200, "us") for _ in range(number)]
        return b"".join(bytes(frame.tdata) for frame in frames)

    async def words_in(self, number: int) -> bytes:
        data = self.rng.randbytes(WORD * number)
        await self.source.send(AxiStreamFrame(data))
        return data


def bursts(address: int, words: int) -> list[tuple[int, int]]:
    """Address and words of each burst: they end at multiples of BURST."""
    ends = range(address // BURST * BURST + BURST, address + WORD * words, BURST)
    cuts = [address, *ends, address + WORD * words]
    return [(a, (b - a) // WORD) for a, b in itertools.pairwise(cuts)]


PAUSES = [0.0, 0.4]


@cocotb.test()
@cocotb.parametrize(memory=PAUSES, stream=PAUSES)
async def reads(dut: Any, memory: float, stream: float) -> None:
    bench = await Bench.start(dut, memory, stream, int(10 * memory + 100 * stream))
    for _ in range(JOBS):
        await bench.reset()
        address, words = bench.any_words()
        await bench.begin("read", address, words)
        assert await bench.words_out(words) == bench.content(address, words)
        await bench.idle("read")
        assert bench.read.watch.asked == bursts(address, words)
        assert dut.read_error_o.value == 0
        assert bench.sink.empty() and dut.m_axis_tvalid.value == 0


@cocotb.test()
async def a_stream_that_takes_nothing(dut: Any) -> None:
    """The reader asks for what its queue has room for, and goes on when there is room."""
    bench = await Bench.start(dut, 0.0, 0.0, 1)
    await bench.reset()
    bench.sink.pause = True
    await bench.begin("read", BASE + 24, 90)
    await ClockCycles(dut.clk_i, 300)
    assert DEPTH - BURST // WORD < sum(words for _, words in bench.read.watch.asked) <= DEPTH
    bench.sink.pause = False
    assert await bench.words_out(90) == bench.content(BASE + 24, 90)


@cocotb.test()
@cocotb.parametrize(memory=PAUSES, stream=PAUSES)
async def read_errors(dut: Any, memory: float, stream: float) -> None:
    """What came before is right; nothing more is asked for; all that is owed is waited for."""
    bench = await Bench.start(dut, memory, stream, int(20 * memory + 200 * stream + 1))
    for _ in range(JOBS):
        await bench.reset()
        address, words = bench.any_words(300)
        place = bench.rng.randrange(words)
        bench.read.bad = address + WORD * place
        await bench.begin("read", address, words)
        await bench.idle("read")
        assert dut.read_error_o.value == 1
        assert dut.read_error_addr_o.value == bench.read.bad
        asked = bench.read.watch.asked
        assert asked == bursts(address, words)[: len(asked)]
        # What was asked for before the error came had room beside all that came before it.
        assert place < sum(number for _, number in asked) <= place + 1 + DEPTH
        assert await bench.words_out(place) == bench.content(address, place)
        at_rest = len(asked)
        await ClockCycles(dut.clk_i, 60)
        assert len(asked) == at_rest and bench.read.ram.r_channel.empty()


@cocotb.test()
@cocotb.parametrize(memory=PAUSES)
async def stopped_reads(dut: Any, memory: float) -> None:
    bench = await Bench.start(dut, memory, 0.0, 5)
    for cycles in (1, 3, 10, 30, 60):
        await bench.reset()
        address = BASE + 8 * cycles
        asked = await bench.stopped("read", address, 700, cycles)
        assert await bench.words_out(asked) == bench.content(address, asked)


@cocotb.test()
@cocotb.parametrize(memory=PAUSES, stream=PAUSES)
async def writes(dut: Any, memory: float, stream: float) -> None:
    """The words, as many bytes of the last one as its strobes say, and nothing else."""
    bench = await Bench.start(dut, memory, stream, int(30 * memory + 300 * stream + 2))
    for _ in range(JOBS):
        await bench.reset()
        address, words = bench.any_words()
        strobes = bench.rng.randrange(1, 1 << WORD)
        before = bytes(bench.memory)
        dut.write_last_strb_i.value = strobes
        data = await bench.words_in(words + bench.rng.randrange(3))  # more do no harm
        await bench.begin("write", address, words)
        await bench.idle("write")
        expected = bytearray(before)
        for i in range(WORD * words):
            if i < WORD * (words - 1) or strobes >> i % WORD & 1:
                expected[address - BASE + i] = data[i]
        assert bench.memory == expected
        assert bench.write.watch.asked == bursts(address, words)
        assert dut.write_error_o.value == 0


@cocotb.test()
async def a_stream_that_gives_too_little(dut: Any) -> None:
    """A burst is announced only when all its words are here."""
    bench = await Bench.start(dut, 0.0, 0.0, 3)
    await bench.reset()
    dut.write_last_strb_i.value = 0xFF
    await bench.begin("write", BASE, 40)
    first = await bench.words_in(BURST // WORD - 1)
    await ClockCycles(dut.clk_i, 100)
    assert not bench.write.watch.asked and dut.m_axi_wvalid.value == 0
    rest = await bench.words_in(40 - BURST // WORD + 1)
    await bench.idle("write")
    assert bench.content(BASE, 40) == first + rest


@cocotb.test()
@cocotb.parametrize(memory=PAUSES, cycles=[1, 3, 10, 30, 60])
async def stopped_writes(dut: Any, memory: float, cycles: int) -> None:
    """What has been announced is written, and nothing else."""
    bench = await Bench.start(dut, memory, 0.0, 6)
    await bench.reset()
    start = WORD * cycles
    expected = bytearray(bench.memory)
    dut.write_last_strb_i.value = 0xFF
    data = await bench.words_in(700)
    asked = await bench.stopped("write", BASE + start, 700, cycles)
    expected[start : start + WORD * asked] = data[: WORD * asked]
    assert bench.memory == expected


@cocotb.test()
@cocotb.parametrize(memory=PAUSES, stream=PAUSES)
async def write_errors(dut: Any, memory: float, stream: float) -> None:
    """An answer is of a whole burst: its address is reported, and the last burst is not asked."""
    bench = await Bench.start(dut, memory, stream, int(40 * memory + 400 * stream + 3))
    for _ in range(JOBS):
        await bench.reset()
        address, words = bench.any_words()
        # The strobes of the last word must reach the byte that fails.
        dut.write_last_strb_i.value = 0xFF
        bench.write.bad = address + WORD * bench.rng.randrange(words)
        await bench.words_in(words)
        await bench.begin("write", address, words)
        await bench.idle("write")
        assert dut.write_error_o.value == 1
        all_bursts = bursts(address, words)
        failed = max(start for start, _ in all_bursts if start <= bench.write.bad)
        assert dut.write_error_addr_o.value == failed
        asked = bench.write.watch.asked
        assert asked == all_bursts[: len(asked)]
        at_rest = len(asked)
        await ClockCycles(dut.clk_i, 60)
        assert len(asked) == at_rest
