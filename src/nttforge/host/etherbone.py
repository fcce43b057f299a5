# SPDX-License-Identifier: Apache-2.0
"""Etherbone, LiteX's way to its bus over a network: UDP to the board, or TCP to `litex_server`.

Tests have a stand-in that speaks the protocol, and LiteX's own client and server; no board.
"""

import socket
import struct
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Self

from nttforge.calls import checked_constructor
from nttforge.host.transport import WORD, exactly, opening, word_at

PORT = 1234
# Magic, version 1, addresses and data of 32 bits; then padding.
_PACKET = struct.Struct(">HBBI")
_HEAD = (0x4E6F, 0x10, 0x44, 0)
# Flags, byte enables, writes, reads.
_RECORD = struct.Struct(">BBBB")
_HEADERS = _PACKET.size + _RECORD.size
_DATAGRAM = 2048
_REACH = range(1 << 32)


def _check(address: int, count: int) -> None:
    word_at(address, count, _REACH, "Etherbone's bus")


def _words(*words: int) -> bytes:
    return struct.pack(f">{len(words)}I", *words)


@checked_constructor
class Etherbone:
    """A network's way to the bus of a LiteX SoC (`add_etherbone`, or `litex_server`).

    Neither UDP nor the server says that words were written: each packet of writes also reads
    `probe`, which the board does last. What is not answered is an `OSError`, and is never asked
    for again, as registers may have moved on by then.

    Raises NttforgeError if the probe is not an address of 32 bits.

    - `line`: a connected socket, with a timeout.
    - `probe`: address whose reading changes nothing: of memory, or of a register that says what is
      there.
    - `burst`: words a packet; the board must have room for one more (`buffer_depth` of LiteX, 16).
    """

    def __init__(self, line: socket.socket, probe: int, burst: int = 8) -> None:
        _check(probe, 1)
        self._line = line
        self._probe = probe
        self._burst = burst
        self._stream = line.type == socket.SOCK_STREAM
        self._number = 0

    @classmethod
    def udp(
        cls,
        host: str,
        port: int = PORT,
        *,
        probe: int,
        local_port: int | None = None,
        timeout: float = 1.0,
    ) -> Self:
        """To a board. LiteX answers to the port that it listens at, so that one is ours too.

        Raises NttforgeError if there is no way to the host, or the port is in use; see
        :class:`Etherbone`.
        """
        with (
            ExitStack() as failing,
            opening(f"{host}:{port}", "give a board's address, and a local_port that is free"),
        ):
            line = failing.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            line.settimeout(timeout)
            line.bind(("", port if local_port is None else local_port))
            line.connect((host, port))
            way = cls(line, probe)
            failing.pop_all()
            return way

    @classmethod
    def tcp(
        cls, host: str = "localhost", port: int = PORT, *, probe: int, timeout: float = 1.0
    ) -> Self:
        """To a `litex_server`, which has the board at a serial port, at PCIe, or at a network.

        Raises NttforgeError if no such server listens there; see :class:`Etherbone`.
        """
        with (
            ExitStack() as failing,
            opening(f"{host}:{port}", "give the address of a running litex_server"),
        ):
            line = failing.enter_context(socket.create_connection((host, port), timeout))
            if not line.recv(128):  # what it has the board at
                raise OSError("the server ended the connection")
            way = cls(line, probe)
            failing.pop_all()
            return way

    def close(self) -> None:
        """Close the socket."""
        self._line.close()

    def _receive(self) -> bytes:
        if not self._stream:
            return self._line.recv(_DATAGRAM)
        head = exactly(self._line.recv, _HEADERS)
        writes = head[-2]
        return head + exactly(self._line.recv, WORD * (writes + 1) if writes else 0)

    def _answer(self, count: int) -> list[int]:
        """So many words of the answer to the last packet."""
        end = time.monotonic() + (self._line.gettimeout() or 0)
        while True:
            data = self._receive()
            if data[: _PACKET.size] != _PACKET.pack(*_HEAD) or (len(data) - _HEADERS) % WORD:
                raise OSError(f"an answer of {len(data)} bytes is none of Etherbone's")
            body = struct.unpack(f">{len(data[_HEADERS:]) // WORD}I", data[_HEADERS:])
            # Over UDP it has its packet's number, and late ones are left; the server has none.
            if len(body) == count + 1 and (self._stream or body[0] == self._number):
                return list(body[1:])
            if self._stream or time.monotonic() > end:
                raise OSError(f"{len(body)} words were answered, not {count + 1}")

    def _exchange(self, base: int, words: Sequence[int], addresses: Sequence[int]) -> list[int]:
        """Write, then read."""
        self._number = (self._number + 1) % (1 << 32)
        packet = _PACKET.pack(*_HEAD) + _RECORD.pack(0, 15, len(words), len(addresses))
        if words:
            packet += _words(base, *words)
        packet += _words(self._number, *addresses)
        try:
            self._line.sendall(packet)
            return self._answer(len(addresses))
        except TimeoutError:
            self._give_up()
            raise OSError("no answer, or a packet was lost") from None
        except OSError:
            self._give_up()
            raise

    def _give_up(self) -> None:
        """Discards the rest of a stream."""
        if self._stream:
            self._line.close()

    def read(self, address: int, count: int) -> list[int]:
        """See :class:`nttforge.host.transport.Transport`."""
        _check(address, count)
        found: list[int] = []
        while len(found) < count:
            at = address + WORD * len(found)
            burst = min(self._burst, count - len(found))
            found += self._exchange(0, [], range(at, at + WORD * burst, WORD))
        return found

    def write(self, address: int, words: Sequence[int]) -> None:
        """See :class:`nttforge.host.transport.Transport`."""
        _check(address, len(words))
        for first in range(0, len(words), self._burst):
            self._exchange(
                address + WORD * first, words[first : first + self._burst], [self._probe]
            )
