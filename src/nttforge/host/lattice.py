# SPDX-License-Identifier: Apache-2.0
"""A coprocessor with registers through libnttforge: requests under way in its driver."""

import ctypes
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from nttforge.calls import checked
from nttforge.errors import NttforgeError
from nttforge.host.device import Device
from nttforge.host.driver import CODES
from nttforge.host.library import LIBRARY
from nttforge.hw.core import Hardware
from nttforge.hw.registers import RegisterMap
from nttforge.kinds.lattice.bus import checks_of
from nttforge.kinds.lattice.standard import ML_DSA, ML_KEM, Standard, standards_of
from nttforge.kinds.lattice.verbs import find_set
from nttforge.standards.checks import check_length
from nttforge.standards.engine import software_engine
from nttforge.standards.ml_dsa.message import HASHES, MU_BYTES, formatted
from nttforge.standards.ml_dsa.parameters import SEED_BYTES as XI_BYTES
from nttforge.standards.ml_dsa.signing import RND_BYTES, public_key
from nttforge.standards.ml_kem.parameters import SEED_BYTES


class Keys(NamedTuple):
    """What KeyGen of ML-KEM gives, and the cycles that it took."""

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


class SigningKeys(NamedTuple):
    """What KeyGen of ML-DSA gives, and the cycles that it took."""

    pk: bytes
    sk: bytes
    cycles: int


class Signed(NamedTuple):
    """What Sign gives, and the cycles that it took."""

    signature: bytes
    cycles: int


class Judged(NamedTuple):
    """What Verify gives, and the cycles that it took; the reason is as the hardware has it."""

    accepted: bool
    reason: str
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


class _What(ctypes.Structure):
    """What is signed, as the driver has it."""

    _fields_ = (
        ("form", ctypes.c_int),
        ("data", ctypes.c_void_p),
        ("bytes", ctypes.c_size_t),
        ("context", ctypes.c_void_p),
        ("context_bytes", ctypes.c_size_t),
    )


#: Forms of what is signed, behind a message and those with a digest.
_MU, _FORMATTED = len(HASHES) + 1, len(HASHES) + 2


class _Asked(NamedTuple):
    """An operation as the driver is asked for it.

    Attributes
    ----------
    p
        Parameter set.
    name
        Of the function that prepares it.
    parts
        Its arguments behind the set: buffers, each with its length behind it, or as they are.
    result
        From the code and the cycles to what the future gets.
    answers
        Results of the hardware that are answers, and not refusals.
    """

    p: Any
    name: str
    parts: list[Any]
    result: Callable[[str, int], Any]
    answers: tuple[str, ...] = ("none",)


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
        """What the driver says of it."""
        return _Request.from_buffer(self.request)

    def clear(self) -> None:
        """Overwrite what may be secret."""
        for buffer in self.buffers:
            ctypes.memset(buffer, 0, len(buffer))


def _given(data: bytes | None) -> Any:
    """Bytes as C reads them; null for None."""
    return None if data is None else ctypes.create_string_buffer(bytes(data), len(data))


def _seed(name: str, data: bytes | None, length: int = SEED_BYTES) -> Any:
    """A seed, if there is one."""
    if data is not None:
        check_length(name, data, length, "random bytes")
    return _given(data)


def _buffers(*sizes: int) -> list[Any]:
    return [ctypes.create_string_buffer(size) for size in sizes]


def _sized(buffer: Any) -> tuple[Any, ctypes.c_size_t]:
    """A buffer and its length, as the driver wants them."""
    return buffer, ctypes.c_size_t(len(buffer))


class _Calls:
    """What the functions of a standard ask the driver for; seeds may come from the entropy port."""

    standard: ClassVar[Standard]

    def __init__(self, core: Hardware) -> None:
        self._checks = checks_of(core)

    def find(self, parameter_set: int | str) -> Any:
        """A parameter set by its number or name."""
        return find_set(self.standard, str(parameter_set))


class _KemCalls(_Calls):
    """Those of ML-KEM."""

    standard = ML_KEM

    def keygen(
        self, parameter_set: int | str, d: bytes | None = None, z: bytes | None = None
    ) -> _Asked:
        """A key pair."""
        p = self.find(parameter_set)
        ek, dk = _buffers(p.ek_bytes, p.dk_bytes)
        parts = [_seed("d", d), _seed("z", z), *_sized(ek), *_sized(dk)]
        return _Asked(p, "keygen", parts, lambda _, cycles: Keys(ek.raw, dk.raw, cycles))

    def encaps(self, parameter_set: int | str, ek: bytes, m: bytes | None = None) -> _Asked:
        """A shared secret, and its ciphertext."""
        p = self.find(parameter_set)
        check_length("ek", ek, p.ek_bytes, f"an encapsulation key of {p.name}")
        c, secret = _buffers(p.ciphertext_bytes, SEED_BYTES)
        parts = [*_sized(_given(ek)), _seed("m", m), *_sized(c), *_sized(secret)]
        return _Asked(p, "encaps", parts, lambda _, cycles: Sent(secret.raw, c.raw, cycles))

    def decaps(self, parameter_set: int | str, dk: bytes, c: bytes, check: bool = True) -> _Asked:
        """The secret of a ciphertext."""
        p = self.find(parameter_set)
        check_length("dk", dk, p.dk_bytes, f"a decapsulation key of {p.name}")
        check_length("c", c, p.ciphertext_bytes, f"a ciphertext of {p.name}")
        (secret,) = _buffers(SEED_BYTES)
        parts = [int(check), *_sized(_given(dk)), *_sized(_given(c)), *_sized(secret)]
        return _Asked(p, "decaps", parts, lambda _, cycles: Found(secret.raw, cycles))

    def decaps_seed(self, parameter_set: int | str, seed: bytes, c: bytes) -> _Asked:
        """The same by a key that is made of d and z inside."""
        p = self.find(parameter_set)
        check_length("seed", seed, 2 * SEED_BYTES, "d and z")
        check_length("c", c, p.ciphertext_bytes, f"a ciphertext of {p.name}")
        (secret,) = _buffers(SEED_BYTES)
        d, z = (_given(part) for part in (seed[:SEED_BYTES], seed[SEED_BYTES:]))
        parts = [d, z, *_sized(_given(c)), *_sized(secret)]
        return _Asked(p, "decaps_seed", parts, lambda _, cycles: Found(secret.raw, cycles))


class _DsaCalls(_Calls):
    """Those of ML-DSA."""

    standard = ML_DSA

    def keygen(self, parameter_set: int | str, seed: bytes | None = None) -> _Asked:
        """A key pair."""
        p = self.find(parameter_set)
        pk, sk = _buffers(p.pk_bytes, p.sk_bytes)
        parts = [_seed("seed", seed, XI_BYTES), *_sized(pk), *_sized(sk)]
        return _Asked(p, "keygen", parts, lambda _, cycles: SigningKeys(pk.raw, sk.raw, cycles))

    def sign(
        self,
        parameter_set: int | str,
        sk: bytes,
        message: bytes,
        *,
        context: bytes = b"",
        prehash: str | None = None,
        rnd: bytes | None = None,
    ) -> _Asked:
        """A signature of a message."""
        return self.sign_internal(parameter_set, sk, formatted(message, context, prehash), rnd)

    def sign_internal(
        self, parameter_set: int | str, sk: bytes, message: bytes, rnd: bytes | None = None
    ) -> _Asked:
        """A signature of M'."""
        return self._signed(parameter_set, sk, rnd, _FORMATTED, message)

    def sign_mu(
        self, parameter_set: int | str, sk: bytes, mu: bytes, rnd: bytes | None = None
    ) -> _Asked:
        """A signature of mu."""
        check_length("mu", mu, MU_BYTES, "H(H(pk), M')")
        return self._signed(parameter_set, sk, rnd, _MU, mu)

    def _signed(
        self, parameter_set: int | str, sk: bytes, rnd: bytes | None, form: int, data: bytes
    ) -> _Asked:
        p = self.find(parameter_set)
        check_length("sk", sk, p.sk_bytes, f"a private key of {p.name}")
        (signature,) = _buffers(p.signature_bytes)
        key = [*_sized(_given(sk))]
        if self._checks:
            key += _sized(_given(public_key(p, sk, software_engine())))
        parts = [*key, _seed("rnd", rnd, RND_BYTES), *_what(form, data), *_sized(signature)]
        return _Asked(p, "sign", parts, lambda _, cycles: Signed(signature.raw, cycles))

    def verify(
        self,
        parameter_set: int | str,
        pk: bytes,
        signature: bytes,
        message: bytes,
        *,
        context: bytes = b"",
        prehash: str | None = None,
    ) -> _Asked:
        """Whether a signature of a message is right."""
        return self.verify_internal(
            parameter_set, pk, signature, formatted(message, context, prehash)
        )

    def verify_internal(
        self, parameter_set: int | str, pk: bytes, signature: bytes, message: bytes
    ) -> _Asked:
        """Whether a signature of M' is right."""
        return self._judged(parameter_set, pk, signature, _FORMATTED, message)

    def verify_mu(self, parameter_set: int | str, pk: bytes, signature: bytes, mu: bytes) -> _Asked:
        """Whether a signature of mu is right."""
        check_length("mu", mu, MU_BYTES, "H(H(pk), M')")
        return self._judged(parameter_set, pk, signature, _MU, mu)

    def _judged(
        self, parameter_set: int | str, pk: bytes, signature: bytes, form: int, data: bytes
    ) -> _Asked:
        p = self.find(parameter_set)
        check_length("pk", pk, p.pk_bytes, f"a public key of {p.name}")
        check_length("signature", signature, p.signature_bytes, f"a signature of {p.name}")
        parts = [*_sized(_given(pk)), *_what(form, data), *_sized(_given(signature))]
        return _Asked(
            p,
            "verify",
            parts,
            lambda reason, cycles: Judged(reason == "none", reason, cycles),
            ML_DSA.answered,
        )


def _what(form: int, data: bytes) -> list[Any]:
    """What is signed, by reference; its bytes stay as long as it does."""
    buffer = _given(data)
    what = _What(form, ctypes.addressof(buffer), len(data), None, 0)
    what.kept = buffer
    return [ctypes.byref(what)]


_CALLS: tuple[type[_Calls], ...] = (_KemCalls, _DsaCalls)


class LatticeDevice(Device):
    """The operations of a coprocessor's standards, any number of requests under way.

    ML-KEM: `keygen(set, d=None, z=None)`, `encaps(set, ek, m=None)`, `decaps(set, dk, c,
    check=True)`, and `decaps_seed(set, seed, c)`, whose seed of 64 bytes, d and z, makes the key in
    the hardware; sets are 512, 768 or 1024. ML-DSA: `keygen(set, seed=None)`, `sign(set, sk,
    message, context=b"", prehash=None, rnd=None)`, `verify(set, pk, signature, message,
    context=b"", prehash=None)`, and both also with `_internal` of M' and with `_mu`; sets are 44,
    65 or 87. `kem_...` and `dsa_...` if it has both. Seeds that are not given come from the entropy
    port.

    Parameters
    ----------
    core
        The coprocessor, with registers.
    folder
        The library, as `nttforge host` writes it.
    stall, seed
        See `nttforge_options` in nttforge.h.

    Raises
    ------
    NttforgeError
        If the library cannot be opened.
    """

    def __init__(self, core: Hardware, folder: Path, *, stall: float = 0.0, seed: int = 0) -> None:
        found = standards_of(core)
        calls = [each(core) for each in _CALLS if each.standard in found]
        #: Of each operation what asks for it, its standard, and what its functions begin with.
        self._asks: dict[str, tuple[Callable[..., _Asked], Standard, str]] = {}
        for each in calls:
            prefix = each.standard.prefix if len(found) > 1 else ""
            for name in each.standard.functions:
                self._asks[f"{prefix}{name}"] = (getattr(each, name), each.standard, prefix)
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
        hint = "use a key as KeyGen makes it" if code > 0 else f"see {self.name}_driver.h"
        raise NttforgeError(what, text, hint)

    def _start(self, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Future[Any]:
        future: Future[Any] = Future()
        ask, standard, prefix = self._asks[name]
        with self._gate:
            if self._closed:
                raise NttforgeError(self.name, "is closed", "open it again")
            try:
                asked = checked(ask, name)(*arguments, **options)
                self._calls.put(self._call(future, asked, standard, prefix))
            except Exception as error:
                future.set_exception(error)
        return future

    def _call(self, future: Future[Any], asked: _Asked, standard: Standard, prefix: str) -> _Call:
        request = ctypes.create_string_buffer(self._library.nttforge_request_bytes())
        place = standard.set_code(self._registers["command"], standard.sets.index(asked.p))
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
            if reason not in call.asked.answers:
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
