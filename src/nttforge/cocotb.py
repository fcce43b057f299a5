# SPDX-License-Identifier: Apache-2.0
"""A core of transforms in a cocotb simulation: arrays in, arrays out.

    engine = Engine(dut, "mlkem-mldsa")     # the design that the folder was generated from
    await engine.reset()
    y = await engine.transform("ml-kem.ntt", x)

It needs cocotb and cocotbext-axi (the extra `cocotb`). `engine.source` and `engine.sink` are the
latter's, which can pause.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

from nttforge.design import Design, load_design
from nttforge.flow.prepare import find_operation
from nttforge.hw import StreamCore, build_kind
from nttforge.ring.arithmetic import Array
from nttforge.ring.transform import check_polynomials


class Engine:
    """A device under test whose top is a core of transforms.

    - `dut`: cocotb's handle of the top.
    - `design`: what it was generated from: a name, a TOML file, or a design.
    - `period_ns`: of the clock.

    Raises NttforgeError if there is no such design, or it is of another kind.
    """

    def __init__(self, dut: Any, design: str | Path | Design, period_ns: int = 10) -> None:
        made = design if isinstance(design, Design) else load_design(str(design))
        self.dut, self.core = dut, build_kind(made, StreamCore)
        self._clock = Clock(dut.clk_i, period_ns, "ns")
        if self.core.flush:
            dut.flush_i.value = dut.test_mode_i.value = 0
        common: Any = (dut.clk_i, dut.rst_ni, False)
        stream = self.core.stream
        # Without whole bytes, a lane is a byte of another size.
        size = {} if stream.byte_lanes else {"byte_size": stream.word_bits}
        buses = [AxiStreamBus.from_prefix(dut, name) for name in ("s_axis", "m_axis")]
        self.source = AxiStreamSource(buses[0], *common, **size)
        self.sink = AxiStreamSink(buses[1], *common, **size)

    async def reset(self) -> None:
        """Start the clock, and reset."""
        self._clock.start()
        self.dut.rst_ni.value = 0
        await ClockCycles(self.dut.clk_i, 4)
        self.dut.rst_ni.value = 1
        await ClockCycles(self.dut.clk_i, 2)

    async def transform(self, name: str | None, polynomials: npt.ArrayLike) -> Array:
        """Transform polynomials, shape (n,) or (batch, n), one after the other."""
        operation = find_operation(self.core, name)
        given = check_polynomials(operation.ring, polynomials)
        batch = given.reshape(-1, operation.ring.n)
        for words in operation.pack(batch):
            await self.source.send(AxiStreamFrame(self._bytes(words), tuser=operation.code))
        found = [await self.sink.recv(compact=False) for _ in batch]
        if any(int(frame.tuser[-1]) >> self.core.stream.user_bits for frame in found):
            raise RuntimeError(f"{self.core.name} says that a transform was not whole")
        kind: Any = np.uint64 if self.core.stream.word_bits <= 64 else object
        words = [self._words(frame.tdata) for frame in found]
        return operation.unpack(np.array(words, kind)).reshape(given.shape)

    def _bytes(self, words: Array) -> Sequence[int]:
        """Words as the bus model wants them."""
        stream = self.core.stream
        if not stream.byte_lanes:
            return list(words.tolist())
        return b"".join(int(word).to_bytes(stream.lane_bits // 8, "little") for word in words)

    def _words(self, data: Sequence[int]) -> list[int]:
        """Undo :meth:`_bytes`."""
        stream = self.core.stream
        if not stream.byte_lanes:
            return list(data)
        size = stream.lane_bits // 8
        parts = (data[at : at + size] for at in range(0, len(data), size))
        return [int.from_bytes(bytes(part), "little") for part in parts]
