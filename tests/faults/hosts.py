# SPDX-License-Identifier: Apache-2.0
"""How operations are asked for, and their results read: through registers, or through streams."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from nttforge.errors import FaultError
from nttforge.hw.register_map import RegisterMap
from nttforge.kinds.lattice.bus import Request, byte_packet, packet
from nttforge.kinds.lattice.mldsa.standard import ERRORS as DSA_ERRORS
from nttforge.kinds.lattice.mldsa.standard import REGISTERS as DSA_REGISTERS
from nttforge.kinds.lattice.mlkem.standard import ERRORS as KEM_ERRORS
from nttforge.kinds.lattice.mlkem.standard import REGISTERS as KEM_REGISTERS
from nttforge.simulate.cycles import CycleModel
from tests.coprocessors import REASONS
from tests.faults.case import Case, Timing
from tests.faults.closed_loop import Feed, ReplayResult, Word
from tests.faults.hardware import DSA as DSA_COPROCESSOR
from tests.faults.hardware import KEM as KEM_COPROCESSOR
from tests.faults.hardware import KEYS, SCALED, SIGNER, VERIFIER, WIDE_SIGNER, WITH_BOTH
from tests.register_access import RegisterAccess

SINKS = ("m_pub", "m_sec")


class Host(Protocol):
    """What stands at a coprocessor's ports beside its streams of data."""

    sinks: tuple[str, ...]

    def start(self, model: CycleModel, requests: Sequence[Request]) -> None:
        """Ask for operations, as far as that is not done by streams."""

    def commands(self, requests: Sequence[Request]) -> Mapping[str, Feed]:
        """Streams of commands."""

    def results(self, model: CycleModel, played: ReplayResult) -> tuple[str, ...]:
        """How operations ended; the coprocessor is idle.

        Raises
        ------
        FaultError
            If the port answers wrongly.
        """


class RegisterHost:
    """A host at the AXI4-Lite port."""

    sinks: tuple[str, ...] = SINKS

    def __init__(self, registers: RegisterMap, errors: Sequence[str]) -> None:
        self._registers, self._errors = registers, errors

    def start(self, model: CycleModel, requests: Sequence[Request]) -> None:
        """Queue all of them."""
        access = RegisterAccess(model, self._registers)
        for tag, request in enumerate(requests):
            if not access.write("command", request.word(tag)):
                raise FaultError("bus", "a command is refused")

    def commands(self, _: Sequence[Request]) -> Mapping[str, Feed]:
        """None."""
        return {}

    def results(self, model: CycleModel, _: ReplayResult) -> tuple[str, ...]:
        """Read and taken away, as many as there are said to be."""
        access, found = RegisterAccess(model, self._registers), []
        count = self._registers["status"].field("results").get(access.read("status"))
        error = self._registers["result"].field("error")
        for tag in range(min(count, 4)):
            result = access.read("result")
            if self._registers["result"].field("tag").get(result) != tag:
                raise FaultError("order", f"result {result:#x} belongs to another command")
            code = error.get(result)
            found.append(self._errors[code] if code < len(self._errors) else "fault")
            access.write("acknowledge", 1)
        return tuple(found)


class StreamHost:
    """A host at the streams of commands and results."""

    sinks: tuple[str, ...] = (*SINKS, "m_result")

    def start(self, _: CycleModel, __: Sequence[Request]) -> None:
        """Nothing is done in front."""

    def commands(self, requests: Sequence[Request]) -> Mapping[str, Feed]:
        """A byte each."""
        words = [{"tdata": request.command} for request in requests]
        return {"s_command": Feed(words, awaited=True)}

    def results(self, _: CycleModel, played: ReplayResult) -> tuple[str, ...]:
        """Those that came."""
        codes = [word["tdata"] for word in played.words["m_result"]]
        return tuple(REASONS.get(code, "fault") for code in codes)


HOSTS: dict[str, Callable[[], Host]] = {
    KEM_COPROCESSOR: lambda: RegisterHost(KEM_REGISTERS, KEM_ERRORS),
    **dict.fromkeys(
        (DSA_COPROCESSOR, VERIFIER, KEYS, SIGNER, WIDE_SIGNER),
        lambda: RegisterHost(DSA_REGISTERS, DSA_ERRORS),
    ),
    **dict.fromkeys(WITH_BOTH, StreamHost),
    **dict.fromkeys(SCALED, lambda: RegisterHost(KEM_REGISTERS, KEM_ERRORS)),
}


def feeds(model: CycleModel, case: Case, timing: Timing) -> dict[str, Feed]:
    """The input streams of data of a case, as the coprocessor has them."""
    given: dict[str, list[tuple[int, ...]]] = {
        "s_pub": [word for data in case.public for word in byte_packet(data)],
        "s_sec": [word for request in case.requests for word in packet(request.secret)],
        "entropy": [
            word[:1] for request in case.requests for word in packet(request.entropy or b"")
        ],
    }

    def word(stream: str, values: tuple[int, ...]) -> Word:
        named = zip(("tdata", "tlast", "tkeep"), values, strict=False)
        signals = {signal for signal, _, _ in model.fields(stream)}
        return {name: value for name, value in named if name in signals}

    return {
        stream: Feed([word(stream, w) for w in words], timing.first(stream, len(words)))
        for stream, words in given.items()
        if f"{stream}_tvalid" in model.ports.inputs
    }
