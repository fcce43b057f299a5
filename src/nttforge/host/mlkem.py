# SPDX-License-Identifier: Apache-2.0
"""The ML-KEM coprocessor through libnttforge: requests under way in its driver."""

import ctypes
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from nttforge.calls import checked
from nttforge.errors import NttforgeError
from nttforge.host.device import Device
from nttforge.host.driver import CODES
from nttforge.host.library import LIBRARY
from nttforge.kinds.lattice.standard import ML_KEM
from nttforge.kinds.lattice.verbs import find_set
from nttforge.standards.checks import check_length
from nttforge.standards.ml_kem.parameters import PARAMETER_SETS, SEED_BYTES, Parameters

_SETS = list(PARAMETER_SETS.values())


class Keys(NamedTuple):
    """What KeyGen gives, and the cycles that it took."""

    ek: bytes
    dk: bytes
    cycles: int


class Sent(NamedTuple):
    """What Encaps gives, and the cycles that it took."""

    secret: bytes
    c: bytes
    cycles: int


class Found(NamedTuple):
    """What Decaps gives, and the cycles that it took."""

    secret: bytes
    cycles: int


class _Options(ctypes.Structure):
    _fields_ = (
        ("stall", ctypes.c_double),
        ("seed", ctypes.c_uint64),
        ("interrupt", ctypes.c_int),
        ("patience", ctypes.c_uint32),
    )


class _Request(ctypes.Structure):
    """Where the user's part of a request begins; the rest is the driver's."""

    _fields_ = (("result", ctypes.c_int), ("cycles", ctypes.c_uint32))


@dataclass
class _Call:
    """An operation under way: its future, the driver's request, and buffers that must stay."""

    future: Future[Any]
    request: Any
    buffers: list[Any]
    prepare: Callable[[], int]
    result: Callable[[int], Any]

    @property
    def seen(self) -> _Request:
        """What the driver says of it."""
        return _Request.from_buffer(self.request)

    def clear(self) -> None:
        """Overwrite what may be secret."""
        for buffer in self.buffers:
            ctypes.memset(buffer, 0, len(buffer))


def _given(data: bytes | None) -> Any:
    """Bytes as C reads them; null for None."""
    return None if data is None else ctypes.create_string_buffer(bytes(data), len(data))


def _seed(name: str, data: bytes | None) -> Any:
    """A seed, if there is one."""
    if data is not None:
        check_length(name, data, SEED_BYTES, "random bytes")
    return _given(data)


class MlkemDevice(Device):
    """ML-KEM's three operations, any number of requests under way.

    `keygen(set, d=None, z=None)`, `encaps(set, ek, m=None)`, `decaps(set, dk, c, check=True)`, and
    `decaps_seed(set, seed, c)`, whose seed of 64 bytes, d and z, makes the key in the hardware;
    sets are 512, 768 or 1024. Seeds that are not given come from the entropy port.

    Parameters
    ----------
    name
        The coprocessor's module.
    folder
        The library, as `nttforge host` writes it.
    stall, seed
        See `nttforge_options` in nttforge.h.

    Raises
    ------
    NttforgeError
        If the library cannot be opened.
    """

    def __init__(self, name: str, folder: Path, *, stall: float = 0.0, seed: int = 0) -> None:
        super().__init__(name, ("keygen", "encaps", "decaps", "decaps_seed"))
        self._library = ctypes.CDLL(str(folder / LIBRARY))
        self._library.nttforge_device.restype = ctypes.c_void_p
        self._library.nttforge_device.argtypes = [ctypes.c_void_p]
        self._library.nttforge_close.argtypes = [ctypes.c_void_p]
        self._library.nttforge_request_bytes.restype = ctypes.c_size_t
        self._core = ctypes.c_void_p()
        options = _Options(stall, seed, 0, 0)
        self._check(
            "open", self._library.nttforge_open(ctypes.byref(self._core), ctypes.byref(options))
        )
        self._device = ctypes.c_void_p(self._library.nttforge_device(self._core))
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        #: For what looks whether it is closed, and puts what must not come behind the end.
        self._gate = threading.Lock()
        self._closed = False
        self._worker = threading.Thread(target=self._serve, daemon=True)
        self._worker.start()

    def _function(self, name: str) -> Any:
        return getattr(self._library, f"{self.name}_{name}")

    def _check(self, what: str, code: int) -> None:
        if code == 0:
            return
        message = self._function("message")
        message.restype = ctypes.c_char_p
        text = message(code).decode()
        mend = "use a key as ML-KEM.KeyGen makes it" if code > 0 else f"see {self.name}_driver.h"
        raise NttforgeError(what, text, mend)

    def _start(self, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Future[Any]:
        future: Future[Any] = Future()
        with self._gate:
            if self._closed:
                raise NttforgeError(self.name, "is closed", "open it again")
            try:
                prepare = checked(partial(getattr(self, f"_{name}"), future), name)
                call: _Call = prepare(*arguments, **options)
            except Exception as error:
                future.set_exception(error)
            else:
                self._calls.put(call)
        return future

    def _call(
        self,
        future: Future[Any],
        p: Parameters,
        name: str,
        parts: list[Any],
        result: Callable[[int], Any],
    ) -> _Call:
        """A call with these arguments: each a buffer, with its length behind it, or as it is."""
        request = ctypes.create_string_buffer(self._library.nttforge_request_bytes())
        arguments = [request, ctypes.c_uint32(_SETS.index(p)), *parts]
        buffers = [part for part in parts if isinstance(part, ctypes.Array)]
        function = self._function(f"prepare_{name}")
        return _Call(future, request, buffers, lambda: int(function(*arguments)), result)

    def _keygen(
        self,
        future: Future[Any],
        parameter_set: int | str,
        d: bytes | None = None,
        z: bytes | None = None,
    ) -> _Call:
        p = find_set(ML_KEM, str(parameter_set))
        ek, dk = (ctypes.create_string_buffer(size) for size in (p.ek_bytes, p.dk_bytes))
        return self._call(
            future,
            p,
            "keygen",
            [_seed("d", d), _seed("z", z), *_sized(ek), *_sized(dk)],
            lambda cycles: Keys(ek.raw, dk.raw, cycles),
        )

    def _encaps(
        self, future: Future[Any], parameter_set: int | str, ek: bytes, m: bytes | None = None
    ) -> _Call:
        p = find_set(ML_KEM, str(parameter_set))
        check_length("ek", ek, p.ek_bytes, f"an encapsulation key of {p.name}")
        c, secret = (ctypes.create_string_buffer(size) for size in (p.ciphertext_bytes, SEED_BYTES))
        return self._call(
            future,
            p,
            "encaps",
            [*_sized(_given(ek)), _seed("m", m), *_sized(c), *_sized(secret)],
            lambda cycles: Sent(secret.raw, c.raw, cycles),
        )

    def _decaps(
        self,
        future: Future[Any],
        parameter_set: int | str,
        dk: bytes,
        c: bytes,
        check: bool = True,
    ) -> _Call:
        p = find_set(ML_KEM, str(parameter_set))
        check_length("dk", dk, p.dk_bytes, f"a decapsulation key of {p.name}")
        check_length("c", c, p.ciphertext_bytes, f"a ciphertext of {p.name}")
        secret = ctypes.create_string_buffer(SEED_BYTES)
        return self._call(
            future,
            p,
            "decaps",
            [int(check), *_sized(_given(dk)), *_sized(_given(c)), *_sized(secret)],
            lambda cycles: Found(secret.raw, cycles),
        )

    def _decaps_seed(
        self, future: Future[Any], parameter_set: int | str, seed: bytes, c: bytes
    ) -> _Call:
        p = find_set(ML_KEM, str(parameter_set))
        check_length("seed", seed, 2 * SEED_BYTES, "d and z")
        check_length("c", c, p.ciphertext_bytes, f"a ciphertext of {p.name}")
        secret = ctypes.create_string_buffer(SEED_BYTES)
        d, z = (_given(part) for part in (seed[:SEED_BYTES], seed[SEED_BYTES:]))
        return self._call(
            future,
            p,
            "decaps_seed",
            [d, z, *_sized(_given(c)), *_sized(secret)],
            lambda cycles: Found(secret.raw, cycles),
        )

    def _serve(self) -> None:
        """The thread in which the core lives: takes calls, moves what moves, hands out results."""
        under_way: list[_Call] = []
        open_ = True
        while open_ or under_way:
            while open_ and (not under_way or not self._calls.empty()):
                call = self._calls.get()
                if call is None:
                    open_ = False
                elif self._submit(call):
                    under_way.append(call)
            self._function("advance")(self._device)
            under_way = [call for call in under_way if not self._over(call)]
        self._library.nttforge_close(self._core)

    def _submit(self, call: _Call) -> bool:
        """Hand a call to the driver; whether it is under way now, and cannot be cancelled."""
        if not call.future.set_running_or_notify_cancel():
            call.clear()
            return False
        code = call.prepare() or self._function("submit")(self._device, call.request)
        if code != 0:
            self._end(call, code)
        return code == 0

    def _over(self, call: _Call) -> bool:
        """Whether a call has ended; its future then knows."""
        code = call.seen.result
        if code == CODES["PENDING"]:
            return False
        self._end(call, code)
        return True

    def _end(self, call: _Call, code: int) -> None:
        try:
            self._check("request", code)
            call.future.set_result(call.result(call.seen.cycles))
        except NttforgeError as error:
            call.future.set_exception(error)
        finally:
            call.clear()

    def close(self) -> None:
        """Wait for what has been started, and free the core; a future's callback need not wait."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._calls.put(None)
        if threading.current_thread() is not self._worker:
            self._worker.join()


def _sized(buffer: Any) -> tuple[Any, ctypes.c_size_t]:
    """A buffer and its length, as the driver wants them."""
    return buffer, ctypes.c_size_t(len(buffer))
