# SPDX-License-Identifier: Apache-2.0
"""The simulated coprocessor: bytes in, bytes out, and how many cycles it took."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nttforge.errors import FaultError, NttforgeError
from nttforge.families.mlkem.program import SETS, KemOperation
from nttforge.families.mlkem.registers import (
    ADDRESS_BITS,
    ERRORS,
    REGISTERS,
    TAIL_BYTES,
    operation_code,
    register,
)
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.simulate.host_port import PORT_OUTPUTS, RegisterAccess, port_inputs
from nttforge.standards.ml_kem.parameters import Parameters

WORD_BYTES = 8
_PATIENCE = 20_000
#: From this stall on, ports also rest: cycles at most, longer than an operation takes.
_SLOW, _REST = 0.4, 4000

_STREAM = {"tvalid": 1, "tlast": 1, "tdata": 64}
PORTS = Ports(
    inputs={
        **port_inputs(ADDRESS_BITS),
        "entropy_tvalid": 1,
        "entropy_tdata": 64,
        **{f"s_{port}_{name}": bits for port in ("pub", "sec") for name, bits in _STREAM.items()},
        "m_pub_tready": 1,
        "m_sec_tready": 1,
        "zeroize_i": 1,
    },
    outputs={
        "interrupt_o": 1,
        "idle_o": 1,
        "keccak_busy_o": 1,
        "alert_o": 1,
        **PORT_OUTPUTS,
        "entropy_tready": 1,
        "s_pub_tready": 1,
        "s_sec_tready": 1,
        **{f"m_{port}_{name}": bits for port in ("pub", "sec") for name, bits in _STREAM.items()},
    },
)
_INPUTS = {"pub": "s_pub", "sec": "s_sec", "entropy": "entropy"}


@dataclass(frozen=True)
class Request:
    """One operation that is asked for.

    Attributes
    ----------
    operation, p
        Which.
    public, secret
        Bytes of the input streams, whole words; a decapsulation key as `rotate_key` gives it, of
        `decaps_standard` as it is, and of `decaps_seed` d and z.
    check
        Decaps: check the key's hash.
    entropy
        If not None, words for the entropy port: seeds, which are not in `secret` then, and a word
        for the wiping, without which that goes on from the last one. Decaps has that one alone.
    """

    operation: KemOperation
    p: Parameters
    public: bytes
    secret: bytes
    check: bool = False
    entropy: bytes | None = None

    def command(self, tag: int) -> int:
        """The command register's value."""
        operation, seed = operation_code(self.operation)
        return register("command").word(
            operation=operation,
            seed=seed,
            set=SETS.index(self.p),
            check=int(self.check),
            entropy=int(self.entropy is not None),
            tag=tag,
        )


@dataclass
class KemRun:
    """What one operation showed.

    Attributes
    ----------
    public, secret
        Bytes of the output streams.
    error
        Whether it was refused.
    reason
        Why: one of :data:`nttforge.families.mlkem.registers.ERRORS`.
    counted
        Cycles from its beginning to its end, as the coprocessor counts them.
    cycles
        From the first input word to the last output word, both counted; 0 without output.
    keccak_cycles
        Of these, cycles in which Keccak worked.
    occupied
        From the cycle in which the first command was taken until all was idle and wiped.
    handshakes
        Cycle, counted from the first input word, and port of each word that crossed one.
    """

    public: bytes = b""
    secret: bytes = b""
    error: bool = False
    reason: str = "none"
    counted: int = 0
    cycles: int = 0
    keccak_cycles: int = 0
    occupied: int = 0
    handshakes: list[tuple[int, str]] = field(default_factory=list)


def _words(data: bytes) -> list[int]:
    return [
        int.from_bytes(data[at : at + WORD_BYTES], "little")
        for at in range(0, len(data), WORD_BYTES)
    ]


def rotate_key(dk: bytes) -> bytes:
    """A decapsulation key in the order of the stream: its last 96 bytes first."""
    return dk[-TAIL_BYTES:] + dk[:-TAIL_BYTES]


def key_orders(dk: bytes) -> dict[KemOperation, bytes]:
    """The operations that take a decapsulation key, and how each of them does."""
    return {"decaps": rotate_key(dk), "decaps_standard": dk}


def build_model(sources: Sequence[Path], top: str) -> CycleModel:
    """Compile a coprocessor's sources, or take the library that is kept.

    Raises
    ------
    NttforgeError
        If a tool is missing, or the sources do not compile.
    """
    return CycleModel(model_library(sources, top), PORTS)


def model_library(sources: Sequence[Path], top: str) -> Path:
    """The library of :func:`build_model`; what it offers is in simulate/cycle_ports.cpp."""
    return CycleModel.kept(sources, top, PORTS)


class Coprocessor:
    """A compiled coprocessor, see :func:`build_model`."""

    def __init__(self, model: CycleModel) -> None:
        self._model = model
        self._registers = RegisterAccess(model, REGISTERS)
        #: What was run last: the arguments of :meth:`run_all`.
        self.last: tuple[Sequence[Request], float, int] = ((), 0.0, 0)

    def keygen(self, p: Parameters, d: bytes, z: bytes) -> tuple[bytes, bytes]:
        """ML-KEM.KeyGen_internal: encapsulation key and decapsulation key.

        Raises
        ------
        NttforgeError
            If a seed has the wrong length.
        """
        run = self.run("keygen", p, b"", d + z)
        self._accepted(run, "d, z", "give two seeds of 32 bytes")
        return run.public, run.secret

    def encaps(self, p: Parameters, ek: bytes, m: bytes) -> tuple[bytes, bytes]:
        """ML-KEM.Encaps_internal: shared secret and ciphertext.

        Raises
        ------
        NttforgeError
            If the key is refused.
        """
        run = self.run("encaps", p, ek, m)
        self._accepted(run, "ek", "use a key made by ML-KEM.KeyGen, and 32 bytes of randomness")
        return run.secret, run.public

    def decaps(self, p: Parameters, dk: bytes, c: bytes, *, check: bool = True) -> bytes:
        """ML-KEM.Decaps_internal: the shared secret.

        Raises
        ------
        NttforgeError
            If key or ciphertext are refused; with `check` also a key that belies its hash.
        """
        run = self.run("decaps", p, c, rotate_key(dk), check=check)
        self._accepted(run, "dk or c", "use a key made by ML-KEM.KeyGen and its ciphertext")
        return run.secret

    @staticmethod
    def _accepted(run: KemRun, name: str, mend: str) -> None:
        if run.error:
            raise NttforgeError(name, "the coprocessor refuses it", mend)

    def write(self, name: str, value: int) -> bool:
        """Write a register; whether the coprocessor accepts it."""
        return self._registers.write(name, value)

    def read(self, name: str) -> int:
        """Read a register."""
        return self._registers.read(name)

    def run(
        self,
        operation: KemOperation,
        p: Parameters,
        public: bytes,
        secret: bytes,
        *,
        check: bool = False,
        entropy: bytes | None = None,
        stall: float = 0.0,
        seed: int = 0,
    ) -> KemRun:
        """One operation, from its command to the end of its wiping.

        Parameters
        ----------
        operation, p, public, secret, check, entropy
            See :class:`Request`.
        stall
            Probability that a port stalls in a cycle; if it is high, each input also rests once,
            up to a few times as long as an operation takes; often before its last word.
        seed
            Of the stalls.

        Raises
        ------
        FaultError
            If the coprocessor hangs, or shows output though it reports an error.
        """
        request = Request(operation, p, public, secret, check, entropy)
        return self.run_all([request], stall=stall, seed=seed)[0]

    def run_all(
        self, requests: Sequence[Request], *, stall: float = 0.0, seed: int = 0
    ) -> list[KemRun]:
        """Operations that are queued together, as many as the queue holds at most.

        What is counted in cycles, and the handshakes, are those of all of them.

        Raises
        ------
        FaultError
            If the coprocessor hangs, or its outputs do not belong to its results.
        """
        self.last = (requests, stall, seed)
        for _ in range(_PATIENCE):
            if self._model.step()["idle_o"]:
                break
        else:
            raise FaultError("hang", "the coprocessor hangs: it is never idle")
        for tag, request in enumerate(requests):
            if not self.write("command", request.command(tag)):
                raise FaultError("bus", "the coprocessor refuses a command")
        streams = _Streams(requests, stall, seed)
        # The first command is taken in the cycle after its write is, which is the second of three.
        start = 2 - 3 * len(requests)
        for cycle in range(_PATIENCE * len(requests)):
            seen = self._model.step(**streams.drive())
            if seen["idle_o"]:
                break
            streams.see(cycle, seen)
        else:
            names = ", ".join(f"{r.operation} of {r.p.name}" for r in requests)
            raise FaultError("hang", f"the coprocessor hangs in {names}: {streams}", seed, cycle)
        runs = []
        for tag, request in enumerate(requests):
            result = self.read("result")
            if register("result").field("tag").get(result) != tag:
                raise FaultError("order", f"result {result:#x} does not belong to command {tag}")
            error = register("result").field("error").get(result)
            run = streams.result(request, error)
            run.counted, run.occupied = self.read("cycles"), cycle - start
            self.write("acknowledge", 1)
            runs.append(run)
        streams.check_empty()
        return runs


class _Streams:
    """Both sides of the streams: what is still to be sent, and what came."""

    def __init__(self, requests: Sequence[Request], stall: float, seed: int) -> None:
        self._rng = random.Random(seed)
        self._stall = stall
        self._inputs: dict[str, list[tuple[int, int]]] = {port: [] for port in _INPUTS}
        for request in requests:
            for port, data in (
                ("pub", request.public),
                ("sec", request.secret),
                ("entropy", request.entropy or b""),
            ):
                words = _words(data)
                self._inputs[port] += [
                    (word, int(at == len(words) - 1)) for at, word in enumerate(words)
                ]
        self._at = dict.fromkeys(_INPUTS, 0)
        #: Before which word a port rests once, and for how many cycles: a slow source.
        self._rests = dict.fromkeys(_INPUTS, (0, 0))
        for port, sent in self._inputs.items():
            if stall >= _SLOW and sent:
                at = self._rng.choice((len(sent) - 1, self._rng.randrange(len(sent))))
                self._rests[port] = (at, self._rng.randrange(_REST))
        self._offered = dict.fromkeys(_INPUTS, False)
        self._packets: dict[str, list[list[int]]] = {"pub": [[]], "sec": [[]]}
        self._driven: dict[str, int] = {}
        self._first: int | None = None
        self._cycles = self._keccak = 0
        self._handshakes: list[tuple[int, str]] = []

    def __str__(self) -> str:
        left = {port: len(words) - self._at[port] for port, words in self._inputs.items()}
        came = {port: sum(map(len, packets)) for port, packets in self._packets.items()}
        return f"words not taken {left}, words that came {came}"

    def _goes(self) -> bool:
        return not self._stall or self._rng.random() >= self._stall

    def drive(self) -> dict[str, int]:
        """What the input ports are driven with in this cycle."""
        drive = {}
        for port, words in self._inputs.items():
            at, rest = self._rests[port]
            if at == self._at[port] and rest:
                self._rests[port] = (at, rest - 1)
                continue
            # A word that was offered stays.
            self._offered[port] = self._at[port] < len(words) and (
                self._offered[port] or self._goes()
            )
            if self._offered[port]:
                name = _INPUTS[port]
                drive[f"{name}_tvalid"] = 1
                drive[f"{name}_tdata"], last = words[self._at[port]]
                if port != "entropy":
                    drive[f"{name}_tlast"] = last
        for port in self._packets:
            drive[f"m_{port}_tready"] = int(self._goes())
        self._driven = drive
        return drive

    def see(self, cycle: int, seen: dict[str, int]) -> None:
        """What the output ports show in this cycle."""
        for port, name in _INPUTS.items():
            if self._offered[port] and seen[f"{name}_tready"]:
                self._at[port] += 1
                self._offered[port] = False
                self._first = cycle if self._first is None else self._first
                self._handshakes.append((cycle - self._first, name))
        for port, packets in self._packets.items():
            if self._driven[f"m_{port}_tready"] and seen[f"m_{port}_tvalid"]:
                packets[-1].append(seen[f"m_{port}_tdata"])
                if seen[f"m_{port}_tlast"]:
                    packets.append([])
                if self._first is None:
                    raise FaultError("superfluous", f"output on {port} before any input")
                self._cycles = cycle - self._first + 1
                self._handshakes.append((cycle - self._first, f"m_{port}"))
        self._keccak += seen["keccak_busy_o"] if self._first is not None else 0

    def result(self, request: Request, error: int) -> KemRun:
        """The outcome of the next request."""
        run = KemRun(
            error=error != 0,
            reason=ERRORS[error],
            cycles=self._cycles,
            keccak_cycles=self._keccak,
            handshakes=self._handshakes,
        )
        if not error:
            if not request.operation.startswith("decaps"):
                run.public = self._packet("pub")
            run.secret = self._packet("sec")
        return run

    def _packet(self, port: str) -> bytes:
        words = self._packets[port].pop(0)
        if not self._packets[port]:
            raise FaultError("tlast", f"tlast is missing on {port}")
        return b"".join(word.to_bytes(WORD_BYTES, "little") for word in words)

    def check_empty(self) -> None:
        """Whether nothing came that belongs to no result."""
        if any(packets != [[]] for packets in self._packets.values()):
            text = "the coprocessor shows output that belongs to no result"
            raise FaultError("superfluous", text)
