# SPDX-License-Identifier: Apache-2.0
"""Boards of AMD's: a kernel's registers and a buffer of its memory, through XRT or PYNQ.

Untested on boards: tests have stand-ins of what is called of these two Python APIs.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np

from nttforge.calls import checked_constructor
from nttforge.errors import NttforgeError
from nttforge.host.jobs import Board
from nttforge.host.transport import WORD, Bytes, word_at

#: Where a way has its registers: above all memory.
REGISTERS = 1 << 64


@contextmanager
def _bus() -> Iterator[None]:
    """Errors of these APIs as an `OSError`."""
    try:
        yield
    except RuntimeError as error:
        raise OSError(str(error)) from None


class AmdBoard(ABC):
    """Registers, and one buffer that the kernel and the host both reach; see `Transport`.

    - `address`, `size`: of the buffer, as the kernel counts.
    """

    def __init__(self, address: int, size: int) -> None:
        self.address = address
        self.size = size
        self._reach = range(address, address + size)

    @abstractmethod
    def _peek(self, offset: int) -> int:
        """A register."""

    @abstractmethod
    def _poke(self, offset: int, value: int) -> None:
        """Write it."""

    @abstractmethod
    def _fetch(self, at: int, size: int) -> Bytes:
        """Bytes of the buffer, as the board has them."""

    @abstractmethod
    def _store(self, at: int, data: Bytes) -> None:
        """Write them, for the board to see."""

    def board(self, seconds: float = 60.0) -> Board:
        """For `nttforge.host.open`: the whole buffer is there for operands and results."""
        return Board(self, REGISTERS, self.address, self.size, seconds=seconds)

    def _at(self, address: int, count: int) -> int:
        return WORD * word_at(address, count, self._reach, "the buffer")

    def read(self, address: int, count: int) -> list[int]:
        """See :class:`nttforge.host.transport.Transport`."""
        with _bus():
            if address >= REGISTERS:
                return [self._peek(address - REGISTERS + WORD * i) for i in range(count)]
            data = self._fetch(self._at(address, count), WORD * count)
            if data.size != WORD * count:
                raise OSError(f"{data.size} of {WORD * count} bytes were read")
            return [int(word) for word in data.view("<u4")]

    def write(self, address: int, words: Sequence[int]) -> None:
        """See :class:`nttforge.host.transport.Transport`."""
        with _bus():
            if address >= REGISTERS:
                for i, word in enumerate(words):
                    self._poke(address - REGISTERS + WORD * i, word)
            else:
                self._store(self._at(address, len(words)), np.array(words, "<u4").view(np.uint8))


@checked_constructor
class Xrt(AmdBoard):
    """A kernel through XRT's Python binding, pyxrt.

    It needs registers of kernels, which pyxrt has up to version 2.14; newer ones took them away,
    and PYNQ still has them. The kernel is opened for itself alone.

    Raises NttforgeError if this pyxrt gives no access to registers.

    - `module`: `pyxrt`, or what looks like it.
    - `kernel`: a `pyxrt.kernel`, exclusive.
    - `buffer`: a `pyxrt.bo` in memory that all channels of the kernel are connected to.
    """

    def __init__(self, module: Any, kernel: Any, buffer: Any) -> None:
        if not (hasattr(kernel, "read_register") and hasattr(kernel, "write_register")):
            raise NttforgeError(
                "pyxrt", "its kernels have no registers (from XRT 2.15 on)", "use host.Pynq"
            )
        super().__init__(buffer.address(), buffer.size())
        self._kernel = kernel
        self._buffer = buffer
        self._to = module.xclBOSyncDirection.XCL_BO_SYNC_BO_TO_DEVICE
        self._from = module.xclBOSyncDirection.XCL_BO_SYNC_BO_FROM_DEVICE

    @classmethod
    def open(
        cls, xclbin: Path | str, kernel: str, size: int, *, device: int = 0, argument: int
    ) -> Self:
        """Load a file of Vitis', open its kernel, and allocate a buffer of so many bytes.

        `argument` is a number in the folder's kernel.xml: a source or a target, in whose memory
        the buffer is to be.

        Raises NttforgeError if pyxrt is not there, or refuses.
        """
        try:
            import pyxrt  # noqa: PLC0415
        except ImportError:
            raise NttforgeError("pyxrt", "is not installed", "install XRT") from None
        try:
            board = pyxrt.device(device)
            loaded = board.load_xclbin(str(xclbin))
            opened = pyxrt.kernel(board, loaded, kernel, pyxrt.kernel.exclusive)
            buffer = pyxrt.bo(board, size, pyxrt.bo.normal, opened.group_id(argument))
        except RuntimeError as error:
            raise NttforgeError(
                "xclbin", str(error), "see that card, file and kernel are there"
            ) from None
        return cls(pyxrt, opened, buffer)

    def _peek(self, offset: int) -> int:
        return int(self._kernel.read_register(offset))

    def _poke(self, offset: int, value: int) -> None:
        self._kernel.write_register(offset, value)

    def _fetch(self, at: int, size: int) -> Bytes:
        self._buffer.sync(self._from, size, at)
        return np.asarray(self._buffer.read(size, at)).view(np.uint8)

    def _store(self, at: int, data: Bytes) -> None:
        self._buffer.write(data, at)
        self._buffer.sync(self._to, data.size, at)


@checked_constructor
class Pynq(AmdBoard):
    """An IP or a kernel of an overlay of PYNQ's.

    - `ip`: as the overlay has it: with `read` and `write` of registers.
    - `buffer`: of `pynq.allocate(size, "u1")`, with `target=` on cards: in memory that all channels
      of the kernel are connected to.
    """

    def __init__(self, ip: Any, buffer: Any) -> None:
        super().__init__(int(buffer.device_address), int(buffer.nbytes))
        self._ip = ip
        self._buffer = buffer

    def _peek(self, offset: int) -> int:
        return int(self._ip.read(offset))

    def _poke(self, offset: int, value: int) -> None:
        self._ip.write(offset, value)

    def _fetch(self, at: int, size: int) -> Bytes:
        self._buffer.sync_from_device()
        return np.array(self._buffer[at : at + size], np.uint8)

    def _store(self, at: int, data: Bytes) -> None:
        self._buffer[at : at + data.size] = data
        self._buffer.sync_to_device()
