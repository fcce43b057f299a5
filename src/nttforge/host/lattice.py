# SPDX-License-Identifier: Apache-2.0
"""A coprocessor with registers through libnttforge: requests under way in its driver."""

import ctypes
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from nttforge.c_struct import DOUBLE, INT, POINTER, SIZE, U32, U64, members
from nttforge.calls import checked
from nttforge.errors import NttforgeError
from nttforge.host.device import Device
from nttforge.host.driver import CODES
from nttforge.host.library import LIBRARY
from nttforge.hw.core import Core
from nttforge.hw.register_map import RegisterMap
from nttforge.kinds.lattice.bus import checks_of
from nttforge.kinds.lattice.functions import find_set, result_type
from nttforge.kinds.lattice.standard import Standard, standards_of


class Judged(NamedTuple):
    """Result of Verify, and its cycles; the reason as reported by the hardware."""

    accepted: bool
    reason: str
    cycles: int


class _Options(ctypes.Structure):
    _fields_ = members((DOUBLE, "stall"), (U64, "seed"), (INT, "interrupt"), (U32, "patience"))


class _Request(ctypes.Structure):
    """First fields of a request, which the user sees; the rest is the driver's."""

    _fields_ = members((INT, "result"), (U32, "cycles"))


class _What(ctypes.Structure):
    """The message to sign, as the driver's struct."""

    _fields_ = members(
        *((INT, "form"), (POINTER, "data"), (SIZE, "bytes"), (POINTER, "context")),
        (SIZE, "context_bytes"),
    )


class _Asked(NamedTuple):
    """An operation as the driver is asked for it.

    - `standard`, `p`: whose, and its parameter set.
    - `name`: of the function that prepares it.
    - `parts`: its arguments after the set: buffers, each with its length after it, or as they are.
    - `result`: from the code and the cycles to what the future gets.
    """

    standard: Standard
    p: Any
    name: str
    parts: list[Any]
    result: Callable[[str, int], Any]


@dataclass
class _Call:
    """An operation under way: its future, the driver's request, and buffers that must stay."""

    future: Future[Any]
    request: Any
    buffers: list[Any]
    prepare: Callable[[], int]
    asked: _Asked

    @property
    def seen(self) -> _Request:
        """Status of a request in the driver."""
        return _Request.from_buffer(self.request)

    def clear(self) -> None:
        """Overwrite what may be secret."""
        for buffer in self.buffers:
            ctypes.memset(buffer, 0, len(buffer))


def _given(data: bytes | None) -> Any:
    """Bytes as C reads them; null for None."""
    return None if data is None else ctypes.create_string_buffer(bytes(data), len(data))


def _sized(buffer: Any) -> tuple[Any, ctypes.c_size_t]:
    """A buffer and its length, as the driver wants them."""
    return buffer, ctypes.c_size_t(len(buffer))


def _what(form: int, data: bytes) -> Any:
    """The message to sign, by reference; its bytes must outlive it."""
    buffer = _given(data)
    what = _What(form, ctypes.addressof(buffer), len(data), None, 0)
    what.kept = buffer
    return ctypes.byref(what)


class _Calls:
    """Requests of a standard's functions to the driver; seeds may come from the entropy port."""

    def __init__(self, standard: Standard, core: Core) -> None:
        self.standard, self._checks = standard, checks_of(core)

    def function(self, name: str) -> Callable[..., _Asked]:
        """The function's driver call, with the same arguments."""

        def ask(parameter_set: int | str, *given: Any, **named: Any) -> _Asked:
            p = find_set(self.standard, str(parameter_set))
            values, flags = self.standard.arguments(name, p, *given, exact=True, **named)
            return self._asked(name, p, {**values, **flags})

        ask.__signature__ = self.standard.signature(name)  # type: ignore[attr-defined]
        return ask

    def _asked(self, name: str, p: Any, values: dict[str, Any]) -> _Asked:
        called, *takes = self.standard.functions[name].driver
        operation = self.standard.operations[self.standard.functions[name].operation]
        if self._checks and operation.tries:
            key = {"sk": values["sk"]}
            values["pk"] = self.standard.reference(p, key)["pk"]
            takes.insert(1, "pk")
        forms = {value.name: value.form for value in operation.inputs if value.form}
        parts: list[Any] = []
        for each in takes:
            if each in forms:
                parts.append(_what(self.standard.own.forms.index(forms[each]), values[each]))
            else:
                parts += self._part(each, values.get(each))
        if operation.judges:
            judged = lambda reason, cycles: Judged(reason == "none", reason, cycles)  # noqa: E731
            return _Asked(self.standard, p, called, parts, judged)
        sizes = {value.name: value.length(p) for value in operation.outputs if value.length}
        outputs = {name: ctypes.create_string_buffer(size) for name, size in sizes.items()}
        parts += [part for output in outputs.values() for part in _sized(output)]
        made = result_type(operation, "cycles")
        return _Asked(
            *(self.standard, p, called, parts),
            lambda _, cycles: made(**{k: v.raw for k, v in outputs.items()}, cycles=cycles),
        )

    def _part(self, name: str, value: Any) -> Sequence[Any]:
        """An argument of the driver's function: seeds have no length."""
        if name in self.standard.seeds:
            return [_given(value)]
        return [int(value)] if isinstance(value, bool) else _sized(_given(value))


class LatticeDevice(Device):
    """The operations of a coprocessor's standards, any number of requests under way.

    ML-KEM: `keygen(set, d=None, z=None)`, `encaps(set, ek, m=None)`, `decaps(set, dk, c,
    check=True)`, and `decaps_seed(set, seed, c)`, whose seed of 64 bytes, d and z, makes the key in
    the hardware; sets are 512, 768 or 1024. ML-DSA: `keygen(set, seed=None)`, `sign(set, sk,
    message, context=b"", prehash=None, rnd=None)`, `verify(set, pk, signature, message,
    context=b"", prehash=None)`, and both also with `_internal` of M' and with `_mu`; sets are 44,
    65 or 87. `kem_...` and `dsa_...` if it has both. Seeds that are not given come from the entropy
    port.

    Raises NttforgeError if the library cannot be opened.

    - `core`: the coprocessor, with registers.
    - `folder`: the library, as `nttforge host` writes it.
    - `stall`, `seed`: see `nttforge_options` in nttforge.h.
    """

    def __init__(self, core: Core, folder: Path, *, stall: float = 0.0, seed: int = 0) -> None:
        found = standards_of(core)
        #: Of each operation what asks for it, and what its functions begin with.
        self._asks: dict[str, tuple[Callable[..., _Asked], str]] = {}
        for standard in found:
            prefix = standard.prefix if len(found) > 1 else ""
            for name, function in standard.functions.items():
                if function.listed:
                    ask = _Calls(standard, core).function(name)
                    self._asks[f"{prefix}{name}"] = (ask, prefix)
        super().__init__(core.name, [*self._asks])
        self._registers: RegisterMap = core.registers  # type: ignore[assignment]  # it has some
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
        #: For what looks whether it is closed, and puts what must not come after the end.
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
        hint = "use a key as KeyGen makes it" if code > 0 else f"see {self.name}_driver.h"
        raise NttforgeError(what, text, hint)

    def _start(self, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Future[Any]:
        future: Future[Any] = Future()
        ask, prefix = self._asks[name]
        with self._gate:
            if self._closed:
                raise NttforgeError(self.name, "is closed", "open it again")
            try:
                asked = checked(ask, name)(*arguments, **options)
                self._calls.put(self._call(future, asked, prefix))
            except Exception as error:
                future.set_exception(error)
        return future

    def _call(self, future: Future[Any], asked: _Asked, prefix: str) -> _Call:
        request = ctypes.create_string_buffer(self._library.nttforge_request_bytes())
        place = asked.standard.sets.index(asked.p)
        place = asked.standard.set_code(self._registers["command"], place)
        arguments = [request, ctypes.c_uint32(place), *asked.parts]
        buffers = [part for part in asked.parts if isinstance(part, ctypes.Array)]
        function = self._function(f"prepare_{prefix}{asked.name}")
        return _Call(future, request, buffers, lambda: int(function(*arguments)), asked)

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
        errors = self._registers["result"].field("error").values
        reason = errors[code] if code >= 0 else ""
        try:
            if reason not in call.asked.standard.answered:
                self._check("request", code)
            call.future.set_result(call.asked.result(reason, call.seen.cycles))
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
