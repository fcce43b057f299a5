# SPDX-License-Identifier: Apache-2.0
"""The simulated coprocessor: packets in, packets out, cycles; for any standard."""

import random
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from nttforge.cache import design_files
from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared
from nttforge.hw.core import Core
from nttforge.hw.register_map import RegisterMap
from nttforge.kinds.lattice.commands import QUEUE_DEPTH
from nttforge.kinds.lattice.operation import WORD_BYTES, Operation, Standard, Values
from nttforge.kinds.lattice.standard import standard_of
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.simulate.host_port import HostPort

_PATIENCE = 60_000
_PATIENCE_OF_A_WORD = 60
# For the tries of a signature, of which less than one in 2^64 needs more.
_PATIENCE_OF_TRIES = 300_000
#: Cycles that are simulated at once, until something happens: with stalls it happens often.
_AHEAD, _AHEAD_STALLED = 1000, 16
#: From this stall on, inputs also rest: cycles at most, longer than most operations take; often
#: before one of so many words at the end of a packet, where its seeds and hashes are.
_SLOW, _REST, _END = 0.4, 4000, 16

_DATA_OUTPUTS = ("m_pub", "m_sec")
#: Cycles for which an input offers nothing, by port and number of the word that follows.
Rests = Mapping[str, Mapping[int, int]]


@dataclass(frozen=True)
class Request:
    """One operation that is asked for.

    - `operation`, `p`: which, of :attr:`Standard.operations`, and its parameter set.
    - `secret`: bytes of the secret input, a packet of whole words; none where it has no packet.
    - `public`: packets of the public input.
    - `entropy`: if not None, words for the entropy port: seeds, which are not in `secret` then, and
      of ML-KEM a word for the wiping, without which that goes on from the last one.
    - `check`: decaps: check the key's hash.
    """

    operation: str
    p: Any
    secret: bytes = b""
    public: tuple[bytes, ...] = ()
    entropy: bytes | None = None
    check: bool = False

    @property
    def standard(self) -> Standard:
        """Standard of the operation."""
        return standard_of(self.p)

    def checked(self, pk: bytes) -> "Request":
        """The same of a core that verifies its signatures: pk and the message follow."""
        return replace(self, public=(*self.public, pk, *self.public))

    @property
    def command(self) -> int:
        """The command's byte, where commands are a stream."""
        byte = self.standard.byte(self.operation)
        place = self.standard.sets.index(self.p)
        return byte | place << 3 | self.check << 5 | (self.entropy is not None) << 6

    def word(self, tag: int, registers: RegisterMap | None = None) -> int:
        """The command register's value; without registers that of its standard alone."""
        return self.standard.word(
            (registers or self.standard.registers)["command"],
            self.operation,
            self.standard.sets.index(self.p),
            **({"check": 1} if self.check else {}),
            entropy=int(self.entropy is not None),
            tag=tag,
        )


def request_of(
    operation: str,
    p: Any,
    values: Values,
    *,
    check: bool = False,
    word: bytes | None = None,
    checks: bool = False,
) -> Request:
    """An operation with its inputs, which are among these values.

    - `operation`, `p`, `values`: its name, its parameter set, and bytes by name.
    - `check`: decaps: check the key's hash.
    - `word`: if not None, seeds come from the entropy port, and after them this.
    - `checks`: the core verifies each signature, by the public key, which is among the values, too.
    """
    found = standard_of(p).operations[operation]
    secret, seeds, public = b"", b"", []
    for value in found.inputs:
        data = value.sent(values[value.name])
        if not value.secret:
            public.append(data)
        elif value.drawn and word is not None:
            seeds += data
        else:
            secret += data
    entropy = None if word is None else seeds + word
    asked = Request(operation, p, secret, tuple(public), entropy, check)
    return asked.checked(values["pk"]) if checks and found.tries else asked


@dataclass
class Run:
    """Observations of one operation.

    - `public`, `secret`: bytes of the output streams.
    - `reason`: how it ended: one of :attr:`Standard.errors`; `none` if it was not refused. A
      signature that is wrong is `signature`, and has a verdict at the public output, too.
    - `cycles`: from the first input word to the last output word, both counted; of a key that is
      loaded to the result; 0 without output.
    - `keccak_cycles`: of these, cycles in which Keccak worked.
    - `occupied`: from the cycle in which the command was taken until the next one could be, or all
      was wiped.
    - `counted`: until it was answered, as a coprocessor with registers counts.
    - `handshakes`: cycle, counted from the first input word, and port of each word that crossed
      one.
    - `verdicts`: see :attr:`Operation.verdicts`.
    """

    public: bytes = b""
    secret: bytes = b""
    reason: str = "none"
    cycles: int = 0
    keccak_cycles: int = 0
    occupied: int = 0
    counted: int = 0
    handshakes: list[tuple[int, str]] = field(default_factory=list)
    verdicts: tuple[bytes, ...] = ()

    @property
    def error(self) -> bool:
        """Whether it was refused."""
        return self.reason != "none"

    @property
    def accepted(self) -> bool:
        """Both the result and the verdict's word say that the signature is right."""
        right = self.reason == "none"
        # What is refused for its length has no verdict.
        if self.public != self.verdicts[right] and (self.public or self.reason != "length"):
            shown = f"the verdict's word is {self.public.hex()}, the result {self.reason}"
            raise FaultError("verdict", shown)
        return right


def packet(data: bytes) -> list[tuple[int, int]]:
    """Bytes as words of a stream, each with whether it is the last; none without bytes."""
    return [(word, last) for word, last, _ in byte_packet(data)] if data else []


def byte_packet(data: bytes) -> list[tuple[int, int, int]]:
    """Bytes as words of a stream: (word, last, `tkeep`)."""
    words = [data[at : at + WORD_BYTES] for at in range(0, len(data), WORD_BYTES)] or [b""]
    return [
        (int.from_bytes(word, "little"), int(at == len(words) - 1), (1 << len(word)) - 1)
        for at, word in enumerate(words)
    ]


def ports_of(core: Core) -> Ports:
    """The ports of a core, or of a coprocessor."""
    return Ports.of(core.wrapper)


def checks_of(core: Core) -> bool:
    """Whether a core verifies its signatures."""
    return bool(getattr(core, "checks", False))


def model_library(core: Core, sources: Sequence[Path]) -> Path:
    """Compile a core's sources, or take the library that is kept; see simulate/cycle_ports.cpp."""
    return CycleModel.kept(sources, core.name, ports_of(core))


def open_core(prepared: Prepared[Core]) -> "Coprocessor":
    """Compile a core, or take the library that is kept, and open it."""
    core = prepared.core
    library = model_library(core, design_files(prepared.folder))
    model = CycleModel(library, ports_of(core))
    return Coprocessor(model, checks=checks_of(core), registers=core.registers)


class Coprocessor:
    """A compiled core, or a coprocessor with registers; `checks`: it verifies its signatures."""

    def __init__(
        self, model: CycleModel, *, checks: bool = False, registers: RegisterMap | None = None
    ) -> None:
        self._model, self._registers = model, registers
        self.checks = checks
        #: What was run last: the arguments of :meth:`run_all`.
        self.last: tuple[Sequence[Request], float, int] = ((), 0.0, 0)

    def run(self, request: Request, *, stall: float = 0.0, seed: int = 0) -> Run:
        """One operation, from its command until the next one can be taken.

        - `request`: what is asked for.
        - `stall`: probability that a port stalls in a cycle; if it is high, each input also rests
          once a packet, up to a few times as long as an operation takes; often before its end.
        - `seed`: of the stalls.
        """
        return self.run_all([request], stall=stall, seed=seed)[0]

    def run_all(
        self,
        requests: Sequence[Request],
        *,
        stall: float = 0.0,
        seed: int = 0,
        rests: Rests | None = None,
    ) -> list[Run]:
        """Operations in sequence; the next command waits at its port, or in the queue.

        `rests`: of inputs, instead of those that a high `stall` draws.
        """
        self.last = (requests, stall, seed)
        for _ in range(_PATIENCE):
            if self._model.step()["idle_o"]:
                break
        else:
            raise FaultError("hang", "the core hangs: it is never idle")
        streams = self._streams(requests, stall, seed)
        if rests is not None:
            streams.rests = {port: dict(before) for port, before in rests.items()}
        # A message may be long: Keccak takes a word in two cycles at most, stalls make it more.
        words = sum(len(data) for request in requests for data in request.public) // WORD_BYTES
        tries = sum(r.standard.operations[r.operation].tries for r in requests)
        cycle = 0
        patience = _PATIENCE * len(requests) + _PATIENCE_OF_A_WORD * words
        patience += _PATIENCE_OF_TRIES * tries
        while cycle < patience:
            cycle += streams.advance(cycle, patience - cycle)
            if streams.over:
                return streams.runs
        names = ", ".join(f"{r.operation} of {r.p.name}" for r in requests)
        raise FaultError("hang", f"the core hangs in {names}: {streams}", seed, cycle)

    def _streams(self, requests: Sequence[Request], stall: float, seed: int) -> "CommandStreams":
        if "interrupt_o" not in self._model.ports.outputs:
            return CommandStreams(self._model, requests, stall, seed)
        registers = self._registers or requests[0].standard.registers
        return _HostStreams(registers, self._model, requests, stall, seed)


class CommandStreams:
    """Both sides of the streams: what is still to be sent, and what came."""

    sinks: tuple[str, ...] = ("m_result", *_DATA_OUTPUTS)

    def __init__(
        self, model: CycleModel, requests: Sequence[Request], stall: float, seed: int
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
        keep = "s_pub_tkeep" in model.ports.inputs
        pieces = [byte_packet(data) for request in requests for data in request.public]
        entropy = [(word,) for each in requests for word, _ in packet(each.entropy or b"")]
        self._inputs: dict[str, Sequence[tuple[int, ...]]] = {
            **self._commands(),
            **({"entropy": entropy} if "entropy_tvalid" in model.ports.inputs else {}),
            "s_pub": [word if keep else word[:2] for words in pieces for word in words],
            "s_sec": [word for request in requests for word in packet(request.secret)],
        }
        self._at = dict.fromkeys(self._inputs, 0)
        self._offered = dict.fromkeys(self._inputs, False)
        names = " ".join(request.operation for request in requests)
        self.rests = self._slow(random.Random(f"rests {seed} {stall} {names}"))
        self._words: dict[str, list[tuple[int, int]]] = {"m_pub": [], "m_sec": []}
        self._begun = self._keccak = 0
        self._first: int | None = None
        self._handshakes: list[tuple[int, str]] = []
        self.runs: list[Run] = []
        #: All has been answered, and nothing runs.
        self.over = False

    def __str__(self) -> str:
        left = {port: len(words) - self._at[port] for port, words in self._inputs.items()}
        came = {port: len(words) for port, words in self._words.items()}
        return f"words not taken {left}, words that came {came}, results {len(self.runs)}"

    def _commands(self) -> dict[str, Sequence[tuple[int, ...]]]:
        """The stream of commands, if there is one."""
        return {"s_command": [(request.command,) for request in self._requests]}

    def _slow(self, rng: random.Random) -> dict[str, dict[int, int]]:
        """A slow source: before which words of a port it rests, and for how many cycles."""
        if self._stall < _SLOW:
            return {}
        rests: dict[str, dict[int, int]] = {}
        for port, words in self._inputs.items():
            if port == "s_command":
                continue
            first, rests[port] = 0, {}
            for end, word in enumerate(words, start=1):
                if word[1:2] == (1,) or end == len(words):
                    near = max(first, end - _END)
                    at = rng.choice((end - 1, rng.randrange(near, end), rng.randrange(first, end)))
                    rests[port][at] = rng.randrange(_REST)
                    first = end
        return rests

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
        for port in self.rests:
            if self._resting(port):
                self.rests[port][self._at[port]] -= gone
        if gone > 1:
            self._passed(cycle + gone - 1)
        if self._first is not None:
            self._keccak += busy - seen["keccak_busy_o"]
        ready = self._choices[choices[min(gone, len(choices)) - 1]]
        self._see(cycle + gone - 1, offered | ready, seen)
        self.over = len(self.runs) == len(self._requests) and bool(seen["idle_o"])
        if self.over and any(self._words.values()):
            raise FaultError("superfluous", "the core shows output that belongs to no result")
        return gone

    def _resting(self, port: str) -> int:
        """For how many cycles more an input offers nothing."""
        if self._offered[port]:
            return 0
        return self.rests.get(port, {}).get(self._at[port], 0)

    def _ahead(self) -> int:
        """For how many cycles inputs stay as they are, unless something happens."""
        most = _AHEAD_STALLED if self._stall else _AHEAD
        for port, words in self._inputs.items():
            if self._at[port] < len(words) and not self._offered[port]:
                most = min(most, self._resting(port) or 1)
        return most

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
        """Values of the inputs."""
        drive: dict[str, int] = {}
        for port, words in self._inputs.items():
            # A word that was offered stays.
            there = self._at[port] < len(words) and not self._resting(port)
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
            standard = self._requests[len(self.runs)].standard
            self._answer(self._end(cycle), standard.reason(seen["m_result_tdata"]))

    def _move(self, cycle: int, drive: dict[str, int], seen: dict[str, int]) -> None:
        if seen["alert_o"]:
            raise FaultError("alert", "the core reports an illegal state")
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

    def _end(self, cycle: int) -> Run:
        """A result came: what was seen until then is its."""
        due = self._due()
        run = Run(keccak_cycles=self._keccak, handshakes=self._handshakes, verdicts=due.verdicts)
        run.public = self._packet("m_pub", due.public)
        run.secret = self._packet("m_sec", due.secret)
        out = [at for at, port in self._handshakes if port in self._words]
        if self._first is not None and due.keeps:
            out = [cycle - self._first]
        run.cycles = out[-1] + 1 if out else 0
        self._first, self._keccak, self._handshakes = None, 0, []
        return run

    def _answer(self, run: Run, reason: str) -> None:
        """Decoded result."""
        request = self._requests[len(self.runs)]
        run.reason = reason
        if reason not in request.standard.answered:
            if run.public or run.secret:
                raise FaultError("superfluous", "output of an operation that was refused")
            run.cycles = 0
        if reason == "none":
            due = self._due()
            for name, sent, must in (
                ("m_pub", run.public, due.public),
                ("m_sec", run.secret, due.secret),
            ):
                if must and not sent:
                    raise FaultError("tlast", f"tlast is missing on {name}")
        self.runs.append(run)

    def _due(self) -> Operation:
        """The operation that ends next."""
        request = self._requests[len(self.runs)]
        return request.standard.operations[request.operation]

    def _packet(self, port: str, due: bool) -> bytes:
        words = self._words[port]
        self._words[port] = []
        if words and not due:
            raise FaultError("superfluous", f"output on {port} that belongs to no result")
        if [last for _, last in words[-1:]] != [1] * bool(words) or sum(w[1] for w in words) > 1:
            raise FaultError("tlast", f"tlast is not on the last word of {port}")
        return b"".join(word.to_bytes(WORD_BYTES, "little") for word, _ in words)


class _HostStreams(CommandStreams):
    """The same around registers: a host queues commands, as many as there is room for."""

    sinks = _DATA_OUTPUTS

    def __init__(self, registers: RegisterMap, *given: Any) -> None:
        super().__init__(*given)
        self._registers = registers
        self._cycle, self._idle, self._rose, self._sent = 0, 0, 0, 0
        self._access = self._host()
        self._bus, self._waited = next(self._access), False

    def _commands(self) -> dict[str, Sequence[tuple[int, ...]]]:
        return {}

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
        if self._idle and self.runs and not self.runs[-1].occupied:
            self.runs[-1].occupied = self._idle - self._begun

    def _host(self) -> Generator[dict[str, int], Mapping[str, int], None]:
        """Results first, then commands."""
        port = HostPort(self._registers)
        enable = self._registers["interrupt_enable"].word(result=1)
        yield from port.writing("interrupt_enable", enable)
        while True:
            seen = yield {}
            if seen["interrupt_o"]:
                yield from self._result(port)
            elif self._sent < len(self._requests) and self._sent - len(self.runs) < QUEUE_DEPTH:
                word = self._requests[self._sent].word(self._sent % 256, self._registers)
                if not (yield from port.writing("command", word)):
                    raise FaultError("bus", "the coprocessor refuses a command")
                self._sent += 1
                if self._sent == len(self.runs) + 1:
                    # It is taken in the cycle after the write's second one.
                    if self.runs and not self.runs[-1].occupied:
                        self.runs[-1].occupied = self._cycle - self._begun
                    self._begun, self._idle = self._cycle, 0

    def _result(self, port: HostPort) -> Generator[dict[str, int], Mapping[str, int], None]:
        # The line rises in the cycle after the result's.
        run, ended = self._end(self._rose - 1), self._cycle
        result = yield from port.reading("result")
        register = self._registers["result"]
        tag, error = register.field("tag").get(result), register.field("error")
        if tag != len(self.runs) % 256:
            raise FaultError("order", f"result {result:#x} does not belong to command {tag}")
        run.counted = yield from port.reading("cycles")
        # The last one's wiping may go on after its result.
        if self._idle or self._sent > len(self.runs) + 1:
            run.occupied = (self._idle or ended) - self._begun
            self._begun, self._idle = ended, 0
        yield from port.writing("acknowledge", 1)
        self._answer(run, error.values[error.get(result)])
