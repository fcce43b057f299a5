# SPDX-License-Identifier: Apache-2.0
"""The simulated ML-DSA core: bytes in, bytes out, and how many cycles it took."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nttforge.errors import FaultError
from nttforge.families.mldsa.core import ERRORS
from nttforge.families.mldsa.program import SETS
from nttforge.families.mldsa.signing import OPERATIONS
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters

WORD_BYTES = 8
#: Of tr, which leaves last.
TAIL_BYTES = 64
_PATIENCE = 60_000
_PATIENCE_OF_A_WORD = 60
# For the tries of a signature, of which less than one in 2^64 needs more.
_PATIENCE_OF_TRIES = 300_000
_ANSWERED = ("none", "signature")
# Bytes of a private key in front of tr: rho and K.
_HEAD_BYTES = 2 * SEED_BYTES

_WORD = {"tvalid": 1, "tlast": 1, "tdata": 64}
_BYTES = {**_WORD, "tkeep": WORD_BYTES}
_BYTE = {"tvalid": 1, "tdata": 8}
#: The verdict of Verify, a half by each rail: of a signature that is wrong, and of a right one.
WORDS = tuple(bytes.fromhex(word) for word in ("91ae f29f 6e51 0d60", "6e51 0d60 91ae f29f"))
_INPUTS, _OUTPUTS = (
    {"s_command": _BYTE, "s_pub": _BYTES, "s_sec": _WORD},
    {
        "m_result": _BYTE,
        "m_pub": _WORD,
        "m_sec": _WORD,
    },
)
PORTS = Ports(
    inputs={
        **{f"{port}_{name}": bits for port, of in _INPUTS.items() for name, bits in of.items()},
        **{f"{port}_tready": 1 for port in _OUTPUTS},
        "zeroize_i": 1,
    },
    outputs={
        **{f"{port}_{name}": bits for port, of in _OUTPUTS.items() for name, bits in of.items()},
        **{f"{port}_tready": 1 for port in _INPUTS},
        "idle_o": 1,
        "keccak_busy_o": 1,
        "alert_o": 1,
    },
)


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
    """

    operation: str
    p: Parameters
    secret: bytes = b""
    public: tuple[bytes, ...] = ()

    @property
    def command(self) -> int:
        """The command's byte."""
        code = list(OPERATIONS).index(self.operation)
        return code % 8 | SETS.index(self.p) << 3 | code // 8 << 5


@dataclass
class DsaRun:
    """What one operation showed.

    Attributes
    ----------
    public, secret
        Bytes of the output streams, as they came.
    reason
        Why it was refused: one of :data:`nttforge.families.mldsa.core.ERRORS`; `none` if not.
        A signature that is wrong is `signature`, and has a verdict at the public output, too.
    cycles
        From the first input word to the last output word, both counted; of a key that is loaded
        to the result; 0 without output of a refusal.
    keccak_cycles
        Of these, cycles in which Keccak worked.
    occupied
        From the cycle in which the command was taken until the next one could be.
    handshakes
        Cycle, counted from the first input word, and port of each word that crossed one.
    """

    public: bytes = b""
    secret: bytes = b""
    reason: str = "none"
    cycles: int = 0
    keccak_cycles: int = 0
    occupied: int = 0
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


def build_model(sources: Sequence[Path], top: str) -> CycleModel:
    """Compile a core's sources, or take the library that is kept.

    Raises
    ------
    NttforgeError
        If a tool is missing, or the sources do not compile.
    """
    return CycleModel(CycleModel.kept(sources, top, PORTS), PORTS)


class DsaCore:
    """A compiled core, see :func:`build_model`."""

    def __init__(self, model: CycleModel) -> None:
        self._model = model
        #: What was run last: the arguments of :meth:`run_all`.
        self.last: tuple[Sequence[Request], float, int] = ((), 0.0, 0)

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
        self, requests: Sequence[Request], *, stall: float = 0.0, seed: int = 0
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
        streams = _Streams(requests, stall, seed)
        # A message may be long: Keccak takes a word in two cycles at most, stalls make it more.
        words = sum(len(data) for request in requests for data in request.public) // WORD_BYTES
        tries = _PATIENCE_OF_TRIES * sum(r.operation.startswith("sign") for r in requests)
        for cycle in range(_PATIENCE * len(requests) + _PATIENCE_OF_A_WORD * words + tries):
            if streams.step(cycle, self._model):
                return streams.runs
        names = ", ".join(f"{r.operation} of {r.p.name}" for r in requests)
        raise FaultError("hang", f"the core hangs in {names}: {streams}", seed, cycle)


class _Streams:
    """Both sides of the streams: what is still to be sent, and what came."""

    def __init__(self, requests: Sequence[Request], stall: float, seed: int) -> None:
        self._rng = random.Random(seed)
        self._stall = stall
        self._requests = requests
        self._inputs: dict[str, Sequence[tuple[int, ...]]] = {
            "s_command": [(request.command,) for request in requests],
            "s_pub": [w for r in requests for data in r.public for w in byte_packet(data)],
            "s_sec": [word for request in requests for word in packet(request.secret)],
        }
        self._at = dict.fromkeys(_INPUTS, 0)
        self._offered = dict.fromkeys(_INPUTS, False)
        self._words: dict[str, list[tuple[int, int]]] = {"m_pub": [], "m_sec": []}
        self._begun = self._keccak = 0
        self._first: int | None = None
        self._handshakes: list[tuple[int, str]] = []
        self.runs: list[DsaRun] = []

    def __str__(self) -> str:
        left = {port: len(words) - self._at[port] for port, words in self._inputs.items()}
        came = {port: len(words) for port, words in self._words.items()}
        return f"words not taken {left}, words that came {came}, results {len(self.runs)}"

    def _goes(self) -> bool:
        return not self._stall or self._rng.random() >= self._stall

    def step(self, cycle: int, model: CycleModel) -> bool:
        """One cycle; whether all is over."""
        drive: dict[str, int] = {}
        for port, words in self._inputs.items():
            # A word that was offered stays.
            there = self._at[port] < len(words)
            self._offered[port] = there and (self._offered[port] or self._goes())
            if self._offered[port]:
                drive[f"{port}_tvalid"] = 1
                signals = zip(("tdata", "tlast", "tkeep"), words[self._at[port]], strict=False)
                drive |= {f"{port}_{signal}": value for signal, value in signals}
        for port in _OUTPUTS:
            drive[f"{port}_tready"] = int(self._goes())
        self._see(cycle, drive, seen := model.step(**drive))
        return len(self.runs) == len(self._requests) and bool(seen["idle_o"])

    def _see(self, cycle: int, drive: dict[str, int], seen: dict[str, int]) -> None:
        if seen["alert_o"]:
            raise FaultError("alert", "the core reports a state that cannot be")
        if seen["idle_o"] and self.runs and not self.runs[-1].occupied:
            self.runs[-1].occupied = cycle - self._begun
        for port in _INPUTS:
            if self._offered[port] and seen[f"{port}_tready"]:
                self._at[port] += 1
                self._offered[port] = False
                if port == "s_command":
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
        if drive["m_result_tready"] and seen["m_result_tvalid"]:
            self._end(cycle, seen["m_result_tdata"])

    def _end(self, cycle: int, error: int) -> None:
        """A result came: what was seen until then is its."""
        run = DsaRun(reason=ERRORS[error], keccak_cycles=self._keccak, handshakes=self._handshakes)
        run.public, run.secret = (
            self._packet(port, refused=run.reason not in _ANSWERED) for port in ("m_pub", "m_sec")
        )
        out = [at for at, port in self._handshakes if port in self._words]
        loads = self._requests[len(self.runs)].operation.startswith("load")
        if run.reason == "none" and loads and self._first is not None:
            out = [cycle - self._first]
        run.cycles = out[-1] + 1 if out else 0
        self.runs.append(run)
        self._first, self._keccak, self._handshakes = None, 0, []

    def _packet(self, port: str, *, refused: bool) -> bytes:
        words = self._words[port]
        self._words[port] = []
        if refused and words:
            raise FaultError("superfluous", f"output on {port} of an operation that was refused")
        if [last for _, last in words[-1:]] != [1] * bool(words) or sum(w[1] for w in words) > 1:
            raise FaultError("tlast", f"tlast is not on the last word of {port}")
        return b"".join(word.to_bytes(WORD_BYTES, "little") for word, _ in words)
