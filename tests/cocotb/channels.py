# SPDX-License-Identifier: Apache-2.0
"""AXI4 memories from cocotbext-axi that pause and fail, and a watch on what is asked of them.

The models check themselves that no burst crosses 4 KB and that WLAST is where it must be.
"""

from collections.abc import Mapping
from typing import Any

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge
from cocotbext.axi import AxiRamRead, AxiRamWrite, AxiReadBus, AxiWriteBus

from tests.cocotb.bench import pauses

#: Buffers by their base address: elsewhere there is no memory.
Banks = Mapping[int, bytearray]
#: The models' own memory, which is not used.
_NOTHING = bytearray(1)


class _Memory:
    """What both directions share: where an address is, and which ones fail."""

    banks: Banks
    bad: int | None

    def at(self, address: int, length: int) -> tuple[bytearray, int]:
        """Buffer and offset of bytes that are there; whatever else is an error response."""
        if self.bad is not None and address <= self.bad < address + length:
            raise LookupError("told to fail")
        for base, data in self.banks.items():
            if base <= address and address + length <= base + len(data):
                return data, address - base
        raise LookupError("no memory here")


class ReadChannel(_Memory, AxiRamRead):
    """A read channel: `banks` behind it, an error at address `bad`."""

    def __init__(self, dut: Any, prefix: str, clock: Any) -> None:
        self.banks, self.bad = {}, None
        super().__init__(AxiReadBus.from_prefix(dut, prefix), clock, mem=_NOTHING)
        self.watch = Watch(dut, clock, prefix, {"ar": ("addr", "len")})

    async def _read(self, address: int, length: int) -> bytes:
        data, offset = self.at(address, length)
        return bytes(data[offset : offset + length])

    def pause(self, probability: float, seed: int) -> None:
        """Pause requests and answers at random."""
        for k, channel in enumerate((self.ar_channel, self.r_channel)):
            set_pauses(channel, probability, seed + k)


class WriteChannel(_Memory, AxiRamWrite):
    """A write channel: `banks` behind it, an error at address `bad`."""

    def __init__(self, dut: Any, prefix: str, clock: Any) -> None:
        self.banks, self.bad = {}, None
        super().__init__(AxiWriteBus.from_prefix(dut, prefix), clock, mem=_NOTHING)
        fields = {"aw": ("addr", "len"), "w": ("data", "strb", "last")}
        self.watch = Watch(dut, clock, prefix, fields)

    async def _write(self, address: int, data: bytes) -> None:
        there, offset = self.at(address, len(data))
        there[offset : offset + len(data)] = data

    def pause(self, probability: float, seed: int) -> None:
        """Pause requests, words and answers at random."""
        for k, channel in enumerate((self.aw_channel, self.w_channel, self.b_channel)):
            set_pauses(channel, probability, seed + k)


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
            # Sampled behind the edge: the handshake is that of the next edge.
            now = [signal.value for signal in signals]
            if held is not None:
                assert valid.value == 1, f"{channel} was withdrawn"
                assert now == held, f"{channel} changed while it was offered"
            taken = valid.value == 1 and ready.value == 1
            held = now if valid.value == 1 and not taken else None
            if taken and channel != "w":
                self.asked.append((int(now[0]), int(now[1]) + 1))
