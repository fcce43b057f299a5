# SPDX-License-Identifier: Apache-2.0
"""Stand-ins of boards: an address space with the compiled RTL's registers and its memory.

:data:`WAYS` has every way to it that `nttforge.host` knows, and how each is cut.
"""

import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge import host
from nttforge.flow.prepare import Prepared
from nttforge.kinds.decomposed.simulator import DecomposedSimulator
from nttforge.simulate.memory import Buffer, Channels, MemoryHost, MemoryModel
from nttforge.simulate.shell_simulator import ShellSimulator

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
        count = core.channels if shell is None else shell.instances
        word = core.port_bytes if shell is None else shell.word_bytes
        self._channels = Channels(count, word, 64)
        header = core.driver if shell is None else shell.driver([])
        self.values = {IDENTITY: header["identity"], CONTROL: 4}
        self.memory = memory
        self.jobs = 0
        #: A job that is started never ends.
        self.hung = False

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
            self.rtl.values[address - REGISTERS] = value
        elif value == 1 and self.rtl.hung:
            self.rtl.values[CONTROL] = 1
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
    """A file with registers, and memory a page after them, on which a thread does the jobs."""

    def __init__(self, prepared: Prepared[Any], path: Path) -> None:
        path.write_bytes(bytes(MEMORY + SIZE))
        self._all = np.memmap(path, np.uint8, "r+")
        self._registers = self._all[:MEMORY].view(np.uint32)
        self.rtl = Rtl(prepared, self._all[MEMORY:])
        self._registers[IDENTITY // 4] = self.rtl.values[IDENTITY]
        self._registers[CONTROL] = 4
        self._over = False
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while not self._over:
            if self._registers[CONTROL] != 1 or self.rtl.hung:
                time.sleep(0.001)
                continue
            writes = [(4 * i, int(v)) for i, v in enumerate(self._registers) if 4 * i != IDENTITY]
            for address, value in self.rtl.start(writes).items():
                self._registers[address // 4] = value
            self._registers[CONTROL] = 6

    def fill(self, value: int) -> None:
        self._all[:] = value

    def close(self) -> None:
        self._over = True
        self._thread.join()
        self.rtl.close()


class EtherboneServer:
    """LiteX's Etherbone in front of a space, as its hardware (UDP) or its server (TCP) speaks it.

    With `fault` it is "silent", "closed", answers less than it should ("short"), or "noise".
    """

    def __init__(self, space: Space, kind: socket.SocketKind) -> None:
        self._space = space
        self._stream = kind == socket.SOCK_STREAM
        self.fault = ""
        self._socket = socket.socket(socket.AF_INET, kind)
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        if self._stream:
            self._socket.listen(8)
        self._socket.settimeout(0.05)
        self._over = False
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def answer(self, packet: bytes) -> bytes:
        """What a packet with one record is answered with."""
        magic, version, sizes, flags, enables, writes, reads = struct.unpack_from(
            ">HBB4xBBBB", packet
        )
        assert (magic, version, sizes, flags, enables) == (0x4E6F, 0x10, 0x44, 0, 15)
        words = struct.unpack_from(f">{(len(packet) - 12) // 4}I", packet, 12)
        assert len(words) == (writes + 1 if writes else 0) + (reads + 1 if reads else 0)
        if writes:
            base, *values = words[: writes + 1]
            self._space.write(base, values)
            words = words[writes + 1 :]
        if not reads:
            return b""
        number, *asked = words
        found = [self._space.read(address, 1)[0] for address in asked]
        number = 0 if self._stream else number
        return packet[:8] + struct.pack(f">BBBBI{reads}I", 0, 15, reads, 0, number, *found)

    def _spoilt(self, data: bytes) -> bytes:
        match self.fault:
            case "silent":
                return b""
            case "short":
                return data[:-3]
            case "noise":
                return bytes(len(data))
        return data

    def _serve(self) -> None:
        while not self._over and self.fault != "closed":
            try:
                if self._stream:
                    line, _ = self._socket.accept()
                    with line:
                        self._serve_stream(line)
                else:
                    packet, peer = self._socket.recvfrom(2048)
                    if answer := self._spoilt(self.answer(packet)):
                        self._socket.sendto(answer, peer)
            except TimeoutError:
                continue
        self._socket.close()

    def _serve_stream(self, line: socket.socket) -> None:
        line.settimeout(0.05)
        line.sendall(b"CommNone:127.0.0.1:0")
        data = b""
        while not self._over and self.fault != "closed":
            try:
                more = line.recv(2048)
            except TimeoutError:
                continue
            except ConnectionResetError:
                return
            if not more:
                return
            data += more
            while len(data) >= 12:
                writes, reads = data[10:12]
                size = 12 + (4 * writes + 4 if writes else 0) + (4 * reads + 4 if reads else 0)
                if len(data) < size:
                    break
                line.sendall(self._spoilt(self.answer(data[:size])))
                data = data[size:]
                if self.fault == "short":
                    return

    def close(self) -> None:
        self._over = True
        self._thread.join()


class Bo:
    """A buffer object of pyxrt's: what the host has of it, until it is synchronised."""

    normal = 0

    def __init__(self, space: Space) -> None:
        self._space = space
        self._host = np.full(SIZE, 0xA5, np.uint8)

    def address(self) -> int:
        return MEMORY

    def size(self) -> int:
        return SIZE

    def write(self, data: Any, seek: int) -> None:
        self._host[seek : seek + len(data)] = data

    def read(self, size: int, skip: int) -> Any:
        return self._host[skip : skip + size].view(np.int8).copy()

    def sync(self, direction: str, size: int, offset: int) -> None:
        if self._space.broken:
            raise RuntimeError("failed to sync")
        place = slice(offset, offset + size)
        to, at = (self._space.memory, self._host)[:: 1 if direction == "to" else -1]
        to[place] = at[place]


class Kernel:
    """A kernel of pyxrt's up to 2.14, or an IP of PYNQ's: registers."""

    exclusive = 0

    def __init__(self, space: Space) -> None:
        self._space = space

    def read_register(self, offset: int) -> int:
        try:
            return self._space.read(REGISTERS + offset, 1)[0]
        except OSError:
            raise RuntimeError("failed to read") from None

    def write_register(self, offset: int, value: int) -> None:
        try:
            self._space.write(REGISTERS + offset, [value])
        except OSError:
            raise RuntimeError("failed to write") from None

    read, write = read_register, write_register

    def group_id(self, argument: int) -> int:
        return argument


def pyxrt(space: Space) -> Any:
    """What looks like pyxrt, with one card."""

    def device(_number: int) -> Any:
        if space.broken:
            raise RuntimeError("no such device")
        return SimpleNamespace(load_xclbin=lambda _path: "uuid")

    directions = {"XCL_BO_SYNC_BO_TO_DEVICE": "to", "XCL_BO_SYNC_BO_FROM_DEVICE": "from"}

    class MakeKernel(Kernel):
        def __init__(self, *_: object) -> None:
            super().__init__(space)

    class MakeBo(Bo):
        def __init__(self, *_: object) -> None:
            super().__init__(space)

    return SimpleNamespace(
        device=device,
        kernel=MakeKernel,
        bo=MakeBo,
        xclBOSyncDirection=SimpleNamespace(**directions),
    )


class PynqBuffer(np.ndarray[Any, Any]):
    """A buffer of PYNQ's: an array, and what the board has."""

    device_address = MEMORY
    space: Any = None

    def sync_to_device(self) -> None:
        if self.space.broken:
            raise RuntimeError("failed to sync")
        self.space.memory[:] = self

    def sync_from_device(self) -> None:
        if self.space.broken:
            raise RuntimeError("failed to sync")
        self[:] = self.space.memory


@dataclass
class Plugged:
    """A board that can be reached.

    Attributes
    ----------
    board
        For `nttforge.host.open`.
    rtl
        What is on it.
    cuts
        Ways in which it is not reached any more, by name.
    """

    board: host.Board
    rtl: Rtl
    cuts: Mapping[str, Callable[[], None]]


Closing = list[Callable[[], None]]
#: Of a board until it counts as gone: a machine that has much to do lets a process wait for tenths.
SECONDS = 1.0


def _space(prepared: Prepared[Any], closing: Closing) -> Space:
    space = Space(prepared)
    closing.append(space.rtl.close)
    return space


def _setting(thing: object, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(thing, name, value)


def _direct(prepared: Prepared[Any], _: Path, closing: Closing) -> Plugged:
    space = _space(prepared, closing)
    board = host.Board(space, REGISTERS, MEMORY, SIZE, seconds=SECONDS)
    return Plugged(board, space.rtl, {"no cable": _setting(space, "broken", True)})


def _uart(prepared: Prepared[Any], _: Path, closing: Closing) -> Plugged:
    space = _space(prepared, closing)
    port, left = Serial(space), iter([b"1"])
    board = host.Board(host.Uart(port), REGISTERS, MEMORY, SIZE, seconds=SECONDS)
    cuts = {
        "no cable": _setting(port, "plugged", False),
        "port gone": _setting(space, "broken", True),
        "takes nothing": _setting(port, "write", lambda _: 0),
        "short": _setting(port, "read", lambda _: next(left, b"")),
    }
    return Plugged(board, space.rtl, cuts)


def _mapped(prepared: Prepared[Any], folder: Path, closing: Closing) -> Plugged:
    path = folder / "board"
    file = MappedFile(prepared, path)
    closing.append(file.close)
    way = host.Mapped(path, MEMORY + SIZE)
    wait: Any = lambda: time.sleep(0.001)  # noqa: E731
    board = host.Board(way, 0, MEMORY, SIZE, wait=wait, seconds=SECONDS)
    return Plugged(board, file.rtl, {"unmapped": way.close})


def _pcie(prepared: Prepared[Any], folder: Path, closing: Closing) -> Plugged:
    device = folder / "0000:01:00.0"
    device.mkdir()
    (device / "enable").write_text("0")
    (device / "config").write_bytes(b"\xee\x10")
    file = MappedFile(prepared, device / "resource0")
    closing.append(file.close)
    way = host.Pcie(device.name, MEMORY + SIZE, devices=folder)
    assert (device / "enable").read_text() == "1"

    def pull() -> None:
        (device / "config").write_bytes(b"\xff\xff")
        file.fill(0xFF)

    board = host.Board(way, 0, MEMORY, SIZE, seconds=SECONDS)
    return Plugged(board, file.rtl, {"pulled out": pull, "unmapped": way.close})


def _etherbone(kind: socket.SocketKind, prepared: Prepared[Any], closing: Closing) -> Plugged:
    space = _space(prepared, closing)
    server = EtherboneServer(space, kind)
    closing.insert(0, server.close)
    probe = REGISTERS + IDENTITY
    if kind == socket.SOCK_DGRAM:
        way = host.Etherbone.udp(
            "127.0.0.1", server.port, probe=probe, local_port=0, timeout=SECONDS
        )
    else:
        way = host.Etherbone.tcp("127.0.0.1", server.port, probe=probe, timeout=SECONDS)
    closing.insert(0, way.close)
    board = host.Board(way, REGISTERS, MEMORY, SIZE, seconds=SECONDS)
    faults = ("silent", "closed", "short", "noise")
    cuts = {fault: _setting(server, "fault", fault) for fault in faults}
    return Plugged(board, space.rtl, cuts | {"unplugged": way.close})


def _xrt(prepared: Prepared[Any], _: Path, closing: Closing) -> Plugged:
    space = _space(prepared, closing)
    module = pyxrt(space)
    way = host.Xrt(module, module.kernel(), module.bo())
    cuts = {"card gone": _setting(space, "broken", True)}
    return Plugged(way.board(SECONDS), space.rtl, cuts)


def _pynq(prepared: Prepared[Any], _: Path, closing: Closing) -> Plugged:
    space = _space(prepared, closing)
    buffer = np.full(SIZE, 0xA5, np.uint8).view(PynqBuffer)
    buffer.space = space
    cuts = {"card gone": _setting(space, "broken", True)}
    return Plugged(host.Pynq(Kernel(space), buffer).board(SECONDS), space.rtl, cuts)


#: All ways to a board.
WAYS: Mapping[str, Callable[[Prepared[Any], Path, Closing], Plugged]] = {
    "direct": _direct,
    "uart": _uart,
    "mapped": _mapped,
    "pcie": _pcie,
    "etherbone-udp": lambda p, _, closing: _etherbone(socket.SOCK_DGRAM, p, closing),
    "etherbone-tcp": lambda p, _, closing: _etherbone(socket.SOCK_STREAM, p, closing),
    "xrt": _xrt,
    "pynq": _pynq,
}
