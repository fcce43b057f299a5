# SPDX-License-Identifier: Apache-2.0
"""Access to a board's address space: mapped memory, also of PCIe, and a serial bridge.

Thin on purpose: tests have stand-ins of a mapped file, a PCIe device's files and a serial port, no
board.
"""

import mmap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from nttforge.calls import check_argument, checked_constructor
from nttforge.errors import NttforgeError

Bytes = npt.NDArray[np.uint8]

WORD = 4


class Transport(Protocol):
    """Words of 32 bits at byte addresses that are multiples of 4.

    A broken way is an `OSError`, an address that it does not reach an `NttforgeError`.
    """

    def read(self, address: int, count: int) -> list[int]:
        """So many words from an address on."""

    def write(self, address: int, words: Sequence[int]) -> None:
        """Words to an address and those that follow."""


def read_bytes(way: Transport, address: int, size: int) -> Bytes:
    """Bytes of a board's memory; the address is a multiple of 4."""
    words = way.read(address, -(-size // WORD))
    return np.array(words, "<u4").view(np.uint8)[:size]


def write_bytes(way: Transport, address: int, data: Bytes) -> None:
    """Write them; what is missing of the last word is 0."""
    padded = np.zeros(-(-data.size // WORD) * WORD, np.uint8)
    padded[: data.size] = data
    way.write(address, [int(word) for word in padded.view("<u4")])


def exactly(give: Callable[[int], bytes], size: int) -> bytes:
    """So many bytes of what gives some at a time."""
    data = b""
    while len(data) < size:
        more = give(size - len(data))
        if not more:
            raise OSError(f"{len(data)} of {size} bytes came, then none: the board does not answer")
        data += more
    return data


def word_at(address: int, count: int, reach: range, what: str) -> int:
    """Which word of what a way reaches an address is, if so many words from it on are there too.

    Raises NttforgeError if they are not.
    """
    at, rest = divmod(address - reach.start, WORD)
    if rest or at < 0 or address + WORD * count > reach.stop:
        raise NttforgeError(
            "address",
            f"{WORD * count} bytes at {address:#x} are no words of {what},"
            f" from {reach.start:#x} to {reach.stop - 1:#x}",
            "give the board registers and memory in there, at multiples of 4, or another way",
        )
    return at


@contextmanager
def opening(what: object, hint: str) -> Iterator[None]:
    """Turn what the system says about a way that is opened into a message for the user.

    Raises NttforgeError naming the way, if it cannot be opened.
    """
    try:
        yield
    except (OSError, OverflowError, TypeError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise NttforgeError(str(what), f"cannot be opened: {problem}", hint) from None


@checked_constructor
class Mapped:
    """A file that is mapped: `/dev/uioN`, `/dev/mem`, or a PCIe board's `resource0`.

    Raises NttforgeError if the file, or so many bytes of it, cannot be mapped.

    - `path`: the file.
    - `size`: bytes to map.
    - `offset`: in the file of the board's address `base`.
    - `base`: the address, as the hardware counts, of the first byte.
    """

    def __init__(self, path: Path | str, size: int, offset: int = 0, base: int = 0) -> None:
        hint = "give a file that may be read and written, and a size and offset that it has"
        size, offset, base = (
            check_argument(name, value, int)
            for name, value in {"size": size, "offset": offset, "base": base}.items()
        )
        with opening(path, hint):
            with Path(path).open("r+b", buffering=0) as file:
                self._map = mmap.mmap(file.fileno(), size, offset=offset)
            # Words of 32 bits, as accesses of 32 bits.
            self._words = memoryview(self._map).cast("I")
            self._reach = range(base, base + len(self._map))

    def _at(self, address: int, count: int) -> int:
        if self._map.closed:
            raise OSError("it is not mapped any more")
        return word_at(address, count, self._reach, "what is mapped")

    def read(self, address: int, count: int) -> list[int]:
        """See :class:`Transport`."""
        at = self._at(address, count)
        return [self._words[i] for i in range(at, at + count)]

    def write(self, address: int, words: Sequence[int]) -> None:
        """See :class:`Transport`."""
        at = self._at(address, len(words))
        for i, word in enumerate(words):
            self._words[at + i] = word

    def close(self) -> None:
        """Unmap it."""
        self._words.release()
        self._map.close()


@checked_constructor
class Pcie(Mapped):
    """A PCIe device's first window, as LitePCIe's and `litex_server --pcie` use it.

    It needs a SoC with a PCIe endpoint whose window reaches the registers, and the memory for
    buffers too; the system's consent (root, or the files' group); and no driver but that of Linux.

    Raises NttforgeError if there is no such device, or it cannot be enabled and mapped.

    - `slot`: as `lspci -D` says: 0000:01:00.0.
    - `size`, `offset`, `base`: see :class:`Mapped`.
    - `devices`: where the system has its devices.
    """

    _GONE = 0xFFFFFFFF

    def __init__(
        self,
        slot: str,
        size: int,
        offset: int = 0,
        base: int = 0,
        devices: Path = Path("/sys/bus/pci/devices"),
    ) -> None:
        check_argument("slot", slot, str)
        with opening(slot, "give a slot as `lspci -D` lists it, with the right to its files"):
            folder = devices / slot
            (folder / "enable").write_text("1")
        self._config = folder / "config"
        super().__init__(folder / "resource0", size, offset, base)

    def read(self, address: int, count: int) -> list[int]:
        """See :class:`Transport`. A device that is gone reads as ones, its vendor too."""
        words = super().read(address, count)
        if self._GONE in words and self._config.read_bytes()[:2] == b"\xff\xff":
            raise OSError("the device is not there any more")
        return words


class Port(Protocol):
    """A serial port, as pyserial's `Serial` with a timeout: a short read says that it is over."""

    def read(self, size: int) -> bytes:
        """At most so many bytes."""

    def write(self, data: bytes) -> int | None:
        """Send them: how many were taken."""


@checked_constructor
class Uart:
    """LiteX's bridge from a serial port to its bus (`uartbone`): a letter, a count, an address of
    words, and words, all with the highest byte first.

    - `port`: opened, with a timeout.
    """

    _WRITE, _READ = 1, 2
    _MOST = 8  # words in a burst that the bridge takes in any case
    _REACH = range(WORD << 32)

    def __init__(self, port: Port) -> None:
        self._port = port
        self._lost = False

    def _send(self, data: bytes) -> None:
        if self._lost:
            raise OSError("the serial port has failed before: what comes now is anybody's answer")
        self._lost = True  # until it has ended well
        while data:
            taken = self._port.write(data) or 0
            if not taken:
                raise OSError("the serial port takes nothing")
            data = data[taken:]
        self._lost = False

    def _receive(self, size: int) -> bytes:
        self._lost = True
        data = exactly(self._port.read, size)
        self._lost = False
        return data

    def _at(self, address: int, count: int) -> int:
        return word_at(address, count, self._REACH, "a serial bridge's bus")

    def read(self, address: int, count: int) -> list[int]:
        """See :class:`Transport`."""
        first = self._at(address, count)
        words: list[int] = []
        while len(words) < count:
            burst = min(self._MOST, count - len(words))
            at = first + len(words)
            self._send(bytes([self._READ, burst]) + at.to_bytes(4, "big"))
            data = self._receive(WORD * burst)
            words += np.frombuffer(data, ">u4").tolist()
        return words

    def write(self, address: int, words: Sequence[int]) -> None:
        """See :class:`Transport`."""
        at = self._at(address, len(words))
        for first in range(0, len(words), self._MOST):
            burst = words[first : first + self._MOST]
            data = b"".join(word.to_bytes(WORD, "big") for word in burst)
            head = bytes([self._WRITE, len(burst)]) + (at + first).to_bytes(4, "big")
            self._send(head + data)
