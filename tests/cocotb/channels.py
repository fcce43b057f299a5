# SPDX-License-Identifier: Apache-2.0
"""AXI4 memories from cocotbext-axi that pause and fail, and a watch on what is asked of them.

The models check themselves that no burst crosses 4 KB and that WLAST is where it must be.
"""

from collections.abc import Mapping
from typing import Any

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge
from cocotbext.axi import AxiRamRead, AxiRamWrite, AxiReadBus, AxiWriteBus

from tests.cocotb.stream_bench import pauses

#: Buffers by their base address: elsewhere there is no memory.
Banks = Mapping[int, bytearray]
#: The models' own memory, which is not used.
_NOTHING = bytearray(1)


class Channel:
    """Of either direction: `banks` after it, an error at address `bad`.

    What pauses, in turn, are `paused`.
    """

    def __init__(self, dut: Any, prefix: str, clock: Any, fields: Mapping[str, Any]) -> None:
        self.banks: Banks = {}
        self.bad: int | None = None
        self.paused: tuple[Any, ...] = ()
        self.watch = Watch(dut, clock, prefix, fields)

    def pause(self, probability: float, seed: int) -> None:
        """Pause requests, words and answers at random."""
        for k, channel in enumerate(self.paused):
            set_pauses(channel, probability, seed + k)

    def at(self, address: int, length: int) -> tuple[bytearray, int]:
        """Buffer and offset of bytes that are there; whatever else is an error response."""
        if self.bad is not None and address <= self.bad < address + length:
            raise LookupError("asked to fail")
        for base, data in self.banks.items():
            if base <= address and address + length <= base + len(data):
                return data, address - base
        raise LookupError("no memory here")


class ReadChannel(Channel):
    """What is read."""

    def __init__(self, dut: Any, prefix: str, clock: Any) -> None:
        self.ram = ram = AxiRamRead(AxiReadBus.from_prefix(dut, prefix), clock, mem=_NOTHING)
        ram._read = self._read
        super().__init__(dut, prefix, clock, {"ar": ("addr", "len")})
        self.paused = ram.ar_channel, ram.r_channel

    async def _read(self, address: int, length: int) -> bytes:
        data, offset = self.at(address, length)
        return bytes(data[offset : offset + length])


class WriteChannel(Channel):
    """What is written."""

    def __init__(self, dut: Any, prefix: str, clock: Any) -> None:
        self.ram = ram = AxiRamWrite(AxiWriteBus.from_prefix(dut, prefix), clock, mem=_NOTHING)
        ram._write = self._write
        fields = {"aw": ("addr", "len"), "w": ("data", "strb", "last")}
        super().__init__(dut, prefix, clock, fields)
        self.paused = ram.aw_channel, ram.w_channel, ram.b_channel

    async def _write(self, address: int, data: bytes) -> None:
        there, offset = self.at(address, len(data))
        there[offset : offset + len(data)] = data


def set_pauses(channel: Any, probability: float, seed: int) -> None:
    channel.clear_pause_generator()
    channel.pause = False
    if probability:
        channel.set_pause_generator(pauses(probability, seed))


class Watch:
    """What is offered stays, unchanged, until it is taken; and what was asked for."""

    def __init__(self, dut: Any, clock: Any, prefix: str, fields: Mapping[str, Any]) -> None:
        self.asked: list[tuple[int, int]] = []  # address and words of each burst
        for channel, names in fields.items():
            signals = [getattr(dut, f"{prefix}_{channel}{name}") for name in names]
            valid = getattr(dut, f"{prefix}_{channel}valid")
            ready = getattr(dut, f"{prefix}_{channel}ready")
            cocotb.start_soon(self._follow(clock, channel, valid, ready, signals))

    async def _follow(
        self, clock: Any, channel: str, valid: Any, ready: Any, signals: list[Any]
    ) -> None:
        held = None
        while True:
            await RisingEdge(clock)
            await ReadOnly()
            # Sampled after the edge: the handshake is that of the next edge.
            now = [signal.value for signal in signals]
            if held is not None:
                assert valid.value == 1, f"{channel} was withdrawn"
                assert now == held, f"{channel} changed while it was offered"
            taken = valid.value == 1 and ready.value == 1
            held = now if valid.value == 1 and not taken else None
            if taken and channel != "w":
                self.asked.append((int(now[0]), int(now[1]) + 1))
