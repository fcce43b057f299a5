# SPDX-License-Identifier: Apache-2.0
"""Stand-ins of boards: an address space with the compiled RTL's registers and its memory."""

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.flow.prepare import Prepared
from nttforge.simulate.decomposed import DecomposedSimulator
from nttforge.simulate.memory import Buffer, Channels, MemoryHost, MemoryModel
from nttforge.simulate.shell import ShellSimulator

REGISTERS, MEMORY, SIZE = 0x8000_0000, 0x1000, 1 << 20
CONTROL, STATUS, IDENTITY = 0x00, 0x18, 0x30
_ASKED = (STATUS, 0x20, 0x24, 0x28, 0x2C)
_ARGUMENTS = range(0x10, 0x1000)


class Rtl:
    """Registers whose jobs the compiled RTL does, in memory."""

    def __init__(self, prepared: Prepared[Any], memory: npt.NDArray[np.uint8]) -> None:
        core = prepared.core
        shell = getattr(core, "shell", None)
        kind = DecomposedSimulator if shell is None else ShellSimulator
        self._simulator = kind.build(core, prepared.folder)
        self._host: MemoryHost = self._simulator._host
        count = core.ports if shell is None else shell.instances
        word = core.port_bytes if shell is None else shell.word_bytes
        self._channels = Channels(count, word, 64)
        header = core.driver if shell is None else shell.driver([])
        self.values = {IDENTITY: header["identity"], CONTROL: 4}
        self.memory = memory
        self.jobs = 0

    def start(self, writes: Sequence[tuple[int, int]]) -> dict[int, int]:
        """What the registers say afterwards."""
        self.jobs += 1
        answer = self._host.job(
            self._channels,
            [write for write in writes if write[0] in _ARGUMENTS],
            _ASKED,
            [Buffer(MEMORY, self.memory)],
            MemoryModel(latency=9),
            patience=100_000,
            seed=self.jobs,
        )
        return dict(zip(_ASKED, answer.registers, strict=True))

    def close(self) -> None:
        self._simulator.close()


class Space:
    """The address space, as a transport; `broken` is a cable that was pulled out."""

    def __init__(self, prepared: Prepared[Any]) -> None:
        self.memory = np.zeros(SIZE, np.uint8)
        self.rtl = Rtl(prepared, self.memory)
        self._writes: list[tuple[int, int]] = []
        self.broken = False

    def _words(self, address: int, count: int) -> npt.NDArray[np.uint32]:
        at = address - MEMORY
        assert at >= 0 and at + 4 * count <= SIZE
        return self.memory[at : at + 4 * count].view(np.uint32)

    def read(self, address: int, count: int) -> list[int]:
        if self.broken:
            raise OSError("no cable")
        if address >= REGISTERS:
            assert count == 1
            value = self.rtl.values.get(address - REGISTERS, 0)
            if address == REGISTERS + CONTROL:
                self.rtl.values[CONTROL] &= ~2
            return [value]
        return [int(word) for word in self._words(address, count)]

    def write(self, address: int, words: Sequence[int]) -> None:
        if self.broken:
            raise OSError("no cable")
        if address < REGISTERS:
            self._words(address, len(words))[:] = words
            return
        (value,) = words
        if address != REGISTERS + CONTROL:
            self._writes.append((address - REGISTERS, value))
        elif value == 1:
            self.rtl.values |= self.rtl.start(self._writes) | {CONTROL: 6}
            self._writes = []


class Serial:
    """A serial port with LiteX's bridge behind it, which takes and gives a few bytes at a time."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._in = self._out = b""
        self.plugged = True

    def write(self, data: bytes) -> int:
        if not self.plugged:
            return len(data)
        self._in += data[:61]
        while len(self._in) >= 6:
            kind, count = self._in[0], self._in[1]
            assert kind in (1, 2) and 0 < count <= 8
            address = 4 * int.from_bytes(self._in[2:6], "big")
            size = 4 * count if kind == 1 else 0
            if len(self._in) < 6 + size:
                break
            words = np.frombuffer(self._in[6 : 6 + size], ">u4").tolist()
            self._in = self._in[6 + size :]
            if kind == 1:
                self._space.write(address, words)
            else:
                found = self._space.read(address, count)
                self._out += b"".join(word.to_bytes(4, "big") for word in found)
        return len(data[:61])

    def read(self, size: int) -> bytes:
        found, self._out = self._out[: min(size, 29)], self._out[min(size, 29) :]
        return found


class MappedFile:
    """A file with registers, and memory a page behind them, on which a thread does the jobs."""

    def __init__(self, prepared: Prepared[Any], path: Path) -> None:
        path.write_bytes(bytes(MEMORY + SIZE))
        self._all = np.memmap(path, np.uint8, "r+")
        self._registers = self._all[:MEMORY].view(np.uint32)
        self._rtl = Rtl(prepared, self._all[MEMORY:])
        self._registers[IDENTITY // 4] = self._rtl.values[IDENTITY]
        self._registers[CONTROL] = 4
        self._over = False
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while not self._over:
            if self._registers[CONTROL] != 1:
                time.sleep(0.001)
                continue
            writes = [(4 * i, int(v)) for i, v in enumerate(self._registers) if 4 * i != IDENTITY]
            for address, value in self._rtl.start(writes).items():
                self._registers[address // 4] = value
            self._registers[CONTROL] = 6

    def close(self) -> None:
        self._over = True
        self._thread.join()
        self._rtl.close()
