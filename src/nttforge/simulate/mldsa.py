# SPDX-License-Identifier: Apache-2.0
"""The simulated ML-DSA core: bytes in, bytes out, and how many cycles it took."""

import random
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, Protocol

from nttforge.errors import FaultError
from nttforge.families.commands import ADDRESS_BITS, QUEUE_DEPTH
from nttforge.families.mldsa.program import SETS
from nttforge.families.mldsa.registers import ACCEPTED, ERRORS, REGISTERS, operation_code
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.simulate.host_port import PORT_OUTPUTS, HostPort, port_inputs
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters

WORD_BYTES = 8
#: Of tr, which leaves last.
TAIL_BYTES = 64
_PATIENCE = 60_000
_PATIENCE_OF_A_WORD = 60
# For the tries of a signature, of which less than one in 2^64 needs more.
_PATIENCE_OF_TRIES = 300_000
#: Cycles that are simulated at once, until something happens: with stalls it happens often.
_AHEAD, _AHEAD_STALLED = 1000, 16
_ANSWERED = ("none", "signature")
# Of these a key that is there is the last thing to come, not a word.
_LOADS = ("load", "load_seed")
# Bytes of a private key in front of tr: rho and K.
_HEAD_BYTES = 2 * SEED_BYTES

_WORD = {"tvalid": 1, "tlast": 1, "tdata": 64}
_BYTES = {**_WORD, "tkeep": WORD_BYTES}
_BYTE = {"tvalid": 1, "tdata": 8}
#: The verdict of Verify, a half by each rail: of a signature that is wrong, and of a right one.
WORDS = (ACCEPTED[4:] + ACCEPTED[:4], ACCEPTED)
_Streamed = Mapping[str, Mapping[str, int]]
_INPUTS: _Streamed = {"s_command": _BYTE, "s_pub": _BYTES, "s_sec": _WORD}
_OUTPUTS: _Streamed = {"m_result": _BYTE, "m_pub": _WORD, "m_sec": _WORD}
# With registers the host's port and the entropy port stand for the streams of commands and results.
_DATA = ("s_pub", "s_sec")
_HOST_INPUTS: _Streamed = {
    **{name: _INPUTS[name] for name in _DATA},
    "entropy": {"tvalid": 1, "tdata": 64},
}
_HOST_OUTPUTS: _Streamed = {name: of for name, of in _OUTPUTS.items() if name != "m_result"}


def _ports(taken: _Streamed, given: _Streamed, host: bool) -> Ports:
    return Ports(
        inputs={
            **{f"{port}_{name}": bits for port, of in taken.items() for name, bits in of.items()},
            **{f"{port}_tready": 1 for port in given},
            **(port_inputs(ADDRESS_BITS) if host else {}),
            "zeroize_i": 1,
        },
        outputs={
            **{f"{port}_{name}": bits for port, of in given.items() for name, bits in of.items()},
            **{f"{port}_tready": 1 for port in taken},
            **({"interrupt_o": 1, **PORT_OUTPUTS} if host else {}),
            "idle_o": 1,
            "keccak_busy_o": 1,
            "alert_o": 1,
        },
    )


#: Of the core alone, and of a coprocessor with registers.
PORTS = _ports(_INPUTS, _OUTPUTS, host=False)
HOST_PORTS = _ports(_HOST_INPUTS, _HOST_OUTPUTS, host=True)


@dataclass(frozen=True)
class Request:
    """One operation that is asked for.

    Attributes
    ----------
    operation, p
        Which.
    secret
        Bytes of the secret input, whole words: xi, rnd, sk, or rnd and sk; none where it has no
        packet.
    public
        Packets of the public input: of Verify pk, the signature, and M' or mu.
    entropy
        If not None, words for the entropy port: xi or rnd, which is not in `secret` then.
    """

    operation: str
    p: Parameters
    secret: bytes = b""
    public: tuple[bytes, ...] = ()
    entropy: bytes | None = None

    def checked(self, pk: bytes) -> "Request":
        """The same of a core that verifies its signatures: pk and the message follow."""
        return replace(self, public=(*self.public, pk, *self.public))

    @property
    def command(self) -> int:
        """The command's byte."""
        code = operation_code(self.operation)
        return code % 8 | SETS.index(self.p) << 3 | code // 8 << 5

    def word(self, tag: int) -> int:
        """The command register's value."""
        return REGISTERS["command"].word(
            operation=operation_code(self.operation),
            set=SETS.index(self.p),
            entropy=int(self.entropy is not None),
            tag=tag,
        )


class Asked(Protocol):
    """What is asked of a core: :class:`Request`, or another standard's."""

    @property
    def operation(self) -> str:
        """Which."""

    @property
    def p(self) -> Any:
        """Of which parameter set."""

    @property
    def command(self) -> int:
        """The command's byte."""

    @property
    def secret(self) -> bytes:
        """Bytes of the secret input, a packet of whole words."""

    @property
    def public(self) -> tuple[bytes, ...]:
        """Packets of the public input."""

    @property
    def entropy(self) -> bytes | None:
        """What it takes at the entropy port, if anything."""

    def word(self, tag: int) -> int:
        """The command register's value, where there is one."""


@dataclass
class DsaRun:
    """What one operation showed.

    Attributes
    ----------
    public, secret
        Bytes of the output streams, as they came.
    reason
        Why it was refused: one of :data:`nttforge.families.mldsa.registers.ERRORS`; `none` if not.
        A signature that is wrong is `signature`, and has a verdict at the public output, too.
    cycles
        From the first input word to the last output word, both counted; of a key that is loaded
        to the result; 0 without output of a refusal.
    keccak_cycles
        Of these, cycles in which Keccak worked.
    occupied
        From the cycle in which the command was taken until the next one could be.
    counted
        The same until it was answered, as a coprocessor with registers counts.
    handshakes
        Cycle, counted from the first input word, and port of each word that crossed one.
    """

    public: bytes = b""
    secret: bytes = b""
    reason: str = "none"
    cycles: int = 0
    keccak_cycles: int = 0
    occupied: int = 0
    counted: int = 0
    handshakes: list[tuple[int, str]] = field(default_factory=list)

    @property
    def accepted(self) -> bool:
        """Both the result and the verdict's word say that the signature is right.

        Raises
        ------
        FaultError
            If they do not say the same, or the word is none of the two.
        """
        right = self.reason == "none"
        # What is refused for its length has no verdict.
        if self.public != WORDS[right] and (self.public or self.reason != "length"):
            shown = f"the verdict's word is {self.public.hex()}, the result {self.reason}"
            raise FaultError("verdict", shown)
        return right


def private_key(data: bytes) -> bytes:
    """A private key in FIPS 204's order, from that of the stream, in which tr comes last."""
    return data[:_HEAD_BYTES] + data[-TAIL_BYTES:] + data[_HEAD_BYTES:-TAIL_BYTES]


#: The operations that make a key, and its private key in FIPS 204's order, as each sends it.
KEY_ORDERS: Mapping[str, Callable[[bytes], bytes]] = {
    "keygen": private_key,
    "keygen_standard": bytes,
}


def stream_order(sk: bytes) -> bytes:
    """Undo :func:`private_key`."""
    end = _HEAD_BYTES + TAIL_BYTES
    return sk[:_HEAD_BYTES] + sk[end:] + sk[_HEAD_BYTES:end]


def packet(data: bytes) -> list[tuple[int, int]]:
    """Bytes as words of a stream, each with whether it is the last; none without bytes."""
    return [(word, last) for word, last, _ in byte_packet(data)] if data else []


def byte_packet(data: bytes) -> list[tuple[int, int, int]]:
    """Bytes as words of a stream, each with whether it is the last, and with its `tkeep`.

    No bytes are a word of which none count.
    """
    words = [data[at : at + WORD_BYTES] for at in range(0, len(data), WORD_BYTES)] or [b""]
    return [
        (int.from_bytes(word, "little"), int(at == len(words) - 1), (1 << len(word)) - 1)
        for at, word in enumerate(words)
    ]


def build_model(sources: Sequence[Path], top: str, *, host: bool = False) -> CycleModel:
    """Compile a core's sources, or take the library that is kept; `host` if it has registers.

    Raises
    ------
    NttforgeError
        If a tool is missing, or the sources do not compile.
    """
    if host:
        return CycleModel(model_library(sources, top), HOST_PORTS)
    return CycleModel(CycleModel.kept(sources, top, PORTS), PORTS)


def model_library(sources: Sequence[Path], top: str) -> Path:
    """The library of :func:`build_model` with registers; see simulate/cycle_ports.cpp."""
    return CycleModel.kept(sources, top, HOST_PORTS)


class DsaCore:
    """A compiled core, or a coprocessor with registers, see :func:`build_model`.

    Attributes
    ----------
    host
        It has registers.
    checks
        It verifies each signature before it is let out: see :meth:`Request.checked`.
    """

    def __init__(self, model: CycleModel, *, host: bool = False, checks: bool = False) -> None:
        self._model = model
        self.host, self.checks = host, checks
        self._kind: type[CommandStreams] = _HostStreams if host else CommandStreams
        #: What was run last: the arguments of :meth:`run_all`.
        self.last: tuple[Sequence[Any], float, int] = ((), 0.0, 0)

    def run(self, request: Request, *, stall: float = 0.0, seed: int = 0) -> DsaRun:
        """One operation, from its command until the next one can be taken.

        Parameters
        ----------
        request
            What is asked for.
        stall
            Probability that a port stalls in a cycle.
        seed
            Of the stalls.

        Raises
        ------
        FaultError
            If the core hangs, or shows output though it reports an error.
        """
        return self.run_all([request], stall=stall, seed=seed)[0]

    def run_all(
        self, requests: Sequence[Asked], *, stall: float = 0.0, seed: int = 0
    ) -> list[DsaRun]:
        """Operations one behind the other; the next command waits at its port.

        Raises
        ------
        FaultError
            As :meth:`run`.
        """
        self.last = (requests, stall, seed)
        for _ in range(_PATIENCE):
            if self._model.step()["idle_o"]:
                break
        else:
            raise FaultError("hang", "the core hangs: it is never idle")
        streams = self._kind(self._model, requests, stall, seed)
        # A message may be long: Keccak takes a word in two cycles at most, stalls make it more.
        words = sum(len(data) for request in requests for data in request.public) // WORD_BYTES
        tries = _PATIENCE_OF_TRIES * sum(r.operation.startswith("sign") for r in requests)
        cycle, patience = 0, _PATIENCE * len(requests) + _PATIENCE_OF_A_WORD * words + tries
        while cycle < patience:
            cycle += streams.advance(cycle, patience - cycle)
            if streams.over:
                return streams.runs
        names = ", ".join(f"{r.operation} of {r.p.name}" for r in requests)
        raise FaultError("hang", f"the core hangs in {names}: {streams}", seed, cycle)


class CommandStreams:
    """Both sides of the streams: what is still to be sent, and what came."""

    sinks = tuple(_OUTPUTS)

    def __init__(
        self, model: CycleModel, requests: Sequence[Asked], stall: float, seed: int
    ) -> None:
        self._model, self._busy = model, model.mask("keccak_busy_o")
        self._rng, self._sinks_rng = random.Random(seed), random.Random(f"sinks {seed}")
        self._stall = stall
        self._requests = requests
        # Which sinks can be ready in a cycle; the last choice is all of them.
        self._choices = [
            {f"{port}_tready": ready for port, ready in zip(self.sinks, each, strict=True)}
            for each in product((0, 1), repeat=len(self.sinks))
        ]
        self._vectors = [model.packed(each) for each in self._choices]
        #: Choices of the cycles to come, as far as they were drawn.
        self._drawn: list[int] = []
        self._inputs: dict[str, Sequence[tuple[int, ...]]] = {
            **self._commands(),
            "s_pub": [w for r in requests for data in r.public for w in byte_packet(data)],
            "s_sec": [word for request in requests for word in packet(request.secret)],
        }
        self._at = dict.fromkeys(self._inputs, 0)
        self._offered = dict.fromkeys(self._inputs, False)
        self._words: dict[str, list[tuple[int, int]]] = {"m_pub": [], "m_sec": []}
        self._begun = self._keccak = 0
        self._first: int | None = None
        self._handshakes: list[tuple[int, str]] = []
        self.runs: list[DsaRun] = []
        #: All has been answered, and nothing runs.
        self.over = False

    def __str__(self) -> str:
        left = {port: len(words) - self._at[port] for port, words in self._inputs.items()}
        came = {port: len(words) for port, words in self._words.items()}
        return f"words not taken {left}, words that came {came}, results {len(self.runs)}"

    def _commands(self) -> dict[str, Sequence[tuple[int, ...]]]:
        """What else goes in."""
        return {"s_command": [(request.command,) for request in self._requests]}

    def _reason(self, result: int) -> str:
        """How an operation ended, from the word that says it."""
        return ERRORS[result]

    def _goes(self) -> bool:
        return not self._stall or self._rng.random() >= self._stall

    def advance(self, cycle: int, most: int) -> int:
        """Go on from a cycle until something happens, for so many cycles at most: how many."""
        offered = self._offer()
        count = min(most, self._ahead())
        base, choices = self._model.packed(offered), self._readiness(count)
        gone, seen, busy = self._model.until(
            self._model.mask(*self._awaited()),
            self._busy,
            [base | self._vectors[choice] for choice in choices],
            count,
        )
        del self._drawn[:gone]
        if gone > 1:
            self._passed(cycle + gone - 1)
        if self._first is not None:
            self._keccak += busy - seen["keccak_busy_o"]
        ready = self._choices[choices[min(gone, len(choices)) - 1]]
        self._see(cycle + gone - 1, offered | ready, seen)
        self.over = len(self.runs) == len(self._requests) and bool(seen["idle_o"])
        return gone

    def _ahead(self) -> int:
        """For how many cycles inputs stay as they are, unless something happens."""
        waits = any(
            self._at[port] < len(words) and not self._offered[port]
            for port, words in self._inputs.items()
        )
        return 1 if waits else _AHEAD_STALLED if self._stall else _AHEAD

    def _readiness(self, count: int) -> Sequence[int]:
        """Choices of sinks of so many cycles, or the one of all of them."""
        if not self._stall:
            return [len(self._choices) - 1]
        draw, stall = self._sinks_rng.random, self._stall
        while len(self._drawn) < count:
            choice = 0
            for _ in self.sinks:
                choice = choice << 1 | (draw() >= stall)
            self._drawn.append(choice)
        return self._drawn[:count]

    def _awaited(self) -> list[str]:
        """Outputs that are something that happens."""
        taken = [f"{port}_tready" for port, offered in self._offered.items() if offered]
        come = [f"{port}_tvalid" for port in self.sinks]
        return [*taken, *come, "alert_o", *(["idle_o"] if self._awaits_idle() else [])]

    def _awaits_idle(self) -> bool:
        answered = len(self.runs) == len(self._requests)
        return answered or bool(self.runs and not self.runs[-1].occupied)

    def _passed(self, cycle: int) -> None:
        """Nothing happened up to this cycle."""

    def _offer(self) -> dict[str, int]:
        """What inputs are driven with."""
        drive: dict[str, int] = {}
        for port, words in self._inputs.items():
            # A word that was offered stays.
            there = self._at[port] < len(words)
            self._offered[port] = there and (self._offered[port] or self._goes())
            if self._offered[port]:
                drive[f"{port}_tvalid"] = 1
                signals = zip(("tdata", "tlast", "tkeep"), words[self._at[port]], strict=False)
                drive |= {f"{port}_{signal}": value for signal, value in signals}
        return drive

    def _see(self, cycle: int, drive: dict[str, int], seen: dict[str, int]) -> None:
        self._move(cycle, drive, seen)
        if seen["idle_o"] and self.runs and not self.runs[-1].occupied:
            self.runs[-1].occupied = cycle - self._begun
        if drive["m_result_tready"] and seen["m_result_tvalid"]:
            self._answer(self._end(cycle), seen["m_result_tdata"])

    def _move(self, cycle: int, drive: dict[str, int], seen: dict[str, int]) -> None:
        if seen["alert_o"]:
            raise FaultError("alert", "the core reports a state that cannot be")
        for port in self._inputs:
            if self._offered[port] and seen[f"{port}_tready"]:
                self._at[port] += 1
                self._offered[port] = False
                if port == "s_command":
                    if self.runs and not self.runs[-1].occupied:
                        self.runs[-1].occupied = cycle - self._begun
                    self._begun = cycle
                    continue
                self._first = cycle if self._first is None else self._first
                self._handshakes.append((cycle - self._first, port))
        for port, words in self._words.items():
            if drive[f"{port}_tready"] and seen[f"{port}_tvalid"]:
                words.append((seen[f"{port}_tdata"], seen[f"{port}_tlast"]))
                if self._first is None:
                    raise FaultError("superfluous", f"output on {port} before any input")
                self._handshakes.append((cycle - self._first, port))
        if self._first is not None:
            self._keccak += seen["keccak_busy_o"]

    def _end(self, cycle: int) -> DsaRun:
        """A result came: what was seen until then is its."""
        run = DsaRun(keccak_cycles=self._keccak, handshakes=self._handshakes)
        run.public, run.secret = self._packet("m_pub"), self._packet("m_sec")
        out = [at for at, port in self._handshakes if port in self._words]
        if self._first is not None and self._requests[len(self.runs)].operation in _LOADS:
            out = [cycle - self._first]
        run.cycles = out[-1] + 1 if out else 0
        self._first, self._keccak, self._handshakes = None, 0, []
        return run

    def _answer(self, run: DsaRun, error: int) -> None:
        """What the result says."""
        run.reason = self._reason(error)
        if run.reason not in _ANSWERED and (run.public or run.secret):
            raise FaultError("superfluous", "output of an operation that was refused")
        if run.reason not in _ANSWERED:
            run.cycles = 0
        self.runs.append(run)

    def _packet(self, port: str) -> bytes:
        words = self._words[port]
        self._words[port] = []
        if [last for _, last in words[-1:]] != [1] * bool(words) or sum(w[1] for w in words) > 1:
            raise FaultError("tlast", f"tlast is not on the last word of {port}")
        return b"".join(word.to_bytes(WORD_BYTES, "little") for word, _ in words)


class _HostStreams(CommandStreams):
    """The same around registers: a host queues commands, as many as there is room for."""

    sinks = tuple(_HOST_OUTPUTS)

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._cycle, self._idle, self._rose = 0, 0, 0
        self._access = self._host()
        self._bus, self._waited = next(self._access), False

    def _commands(self) -> dict[str, Sequence[tuple[int, ...]]]:
        data = (request.entropy or b"" for request in self._requests)
        return {"entropy": [(word,) for words in data for word, _ in packet(words)]}

    def _offer(self) -> dict[str, int]:
        return super()._offer() | self._bus

    def _ahead(self) -> int:
        # A host that did nothing in the cycle before waits, too.
        return super()._ahead() if self._waited and not self._bus else 1

    def _awaited(self) -> list[str]:
        return [*super()._awaited(), "interrupt_o"]

    def _awaits_idle(self) -> bool:
        return not self._idle or len(self.runs) == len(self._requests)

    def _passed(self, cycle: int) -> None:
        self._rose = cycle

    def _see(self, cycle: int, drive: dict[str, int], seen: dict[str, int]) -> None:
        self._cycle = cycle
        if not self._idle and seen["idle_o"]:
            self._idle = cycle
        if not seen["interrupt_o"]:
            self._rose = cycle + 1
        self._move(cycle, drive, seen)
        self._waited, self._bus = not self._bus, self._access.send(seen)

    def _host(self) -> Generator[dict[str, int], Mapping[str, int], None]:
        """Results first, then commands."""
        port, sent = HostPort(REGISTERS), 0
        yield from port.writing("interrupt_enable", REGISTERS["interrupt_enable"].word(result=1))
        while True:
            seen = yield {}
            if seen["interrupt_o"]:
                yield from self._result(port)
            elif sent < len(self._requests) and sent - len(self.runs) < QUEUE_DEPTH:
                if not (yield from port.writing("command", self._requests[sent].word(sent % 256))):
                    raise FaultError("bus", "the coprocessor refuses a command")
                sent += 1
                if sent == len(self.runs) + 1:
                    # It is taken in the cycle behind the write's second one.
                    self._begun, self._idle = self._cycle, 0

    def _result(self, port: HostPort) -> Generator[dict[str, int], Mapping[str, int], None]:
        # The line rises in the cycle behind the result's.
        run, ended = self._end(self._rose - 1), self._cycle
        result = yield from port.reading("result")
        tag, error = (REGISTERS["result"].field(name).get(result) for name in ("tag", "error"))
        if tag != len(self.runs) % 256:
            raise FaultError("order", f"result {result:#x} does not belong to command {tag}")
        run.counted = yield from port.reading("cycles")
        run.occupied = (self._idle or ended) - self._begun
        self._begun, self._idle = ended, 0
        yield from port.writing("acknowledge", 1)
        self._answer(run, error)
