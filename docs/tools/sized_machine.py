# SPDX-License-Identifier: Apache-2.0
"""ML-KEM on a machine of any width, placed in time: a plan, cycle by cycle, of what is no core yet.

The units are those of `rtl/scaled`: a sponge of `width` bytes a cycle, samplers after it, one
engine of `butterflies` that transforms and multiplies, and an encoder. Each does its jobs in
order and takes the cycles that its module takes; a job begins when what it needs is there.
`docs/appendix/lattice-sizes.md` derives the machine.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from nttforge.kinds.lattice.mlkem.program import (
    HashJob,
    HashKind,
    KemOperation,
    Program,
    program_of,
)
from nttforge.standards.ml_kem.parameters import N, Parameters

EngineKind = Literal["forward", "inverse", "product", "addend"]
_SEED = 32  # bytes
#: Of a coefficient of a key.
KEY_BITS = 12
#: Bytes of Keccak's blocks, in the order of `rate_i`.
RATES = (72, 136, 168)
#: Passes over a polynomial, and cycles until the next job begins: `ntf_ring_engine`.
_ENGINE: dict[EngineKind, tuple[int, int]] = {
    "forward": (8, 12),
    "inverse": (7, 12),
    "product": (2, 12),
    "addend": (7, 12),
}
#: Cycles between the word that completes a polynomial and the job that may read it.
_SAMPLED = 5
#: Cycles of a compression and `ntf_pack_words` after the beat that they are given.
_ENCODED = 4
#: Polynomials of the matrix that Decaps samples before its message is there; more hold y up.
_EARLY = 4
#: Cycles between a port and what is after it.
_PORTS = 4


@dataclass(frozen=True)
class Size:
    """A machine.

    - `width`: bytes a cycle of Keccak's buffers, samplers and packers: 1, 2, 4 or 8; a permutation
      takes 192 / `width` cycles.
    - `butterflies`: of the engine, each with one multiplier.
    - `packed`: coefficients a cycle of the packers; 0: as many as `width`.
    - `keccak`: bytes of a word of the sponge, once or twice as many as `width`; 0: as many. A
      permutation then takes 192 / `keccak` cycles.
    """

    width: int = 2
    butterflies: int = 2
    packed: int = 0
    keccak: int = 0

    @property
    def fields(self) -> int:
        """Coefficients a cycle that are packed or unpacked."""
        return self.packed or self.width

    @property
    def sponge(self) -> int:
        """Bytes of a word of the sponge."""
        return self.keccak or self.width

    @property
    def chunks(self) -> int:
        """Cycles of a round of Keccak."""
        return 8 // self.sponge

    @property
    def permutation(self) -> int:
        """Cycles of a permutation."""
        return 24 * self.chunks

    def engine(self, kind: EngineKind) -> int:
        """Cycles of a job of the engine, until the next one can begin."""
        passes, rest = _ENGINE[kind]
        return passes * N // (2 * self.butterflies) + rest

    def encode(self, bits: int) -> int:
        """Cycles in which a polynomial of so many bits a coefficient is packed."""
        if bits == KEY_BITS:
            return N * bits // (8 * self.width)
        return max(N // self.fields, N * bits // (8 * self.fields))


@dataclass(frozen=True)
class Message:
    """What is hashed: words that come from somewhere, and words that are squeezed.

    - `name`: of what is squeezed.
    - `parts`: (bytes, name of the value that they are of), in order; the domain byte follows them.
    - `rate`: bytes of a block.
    - `squeezed`: bytes.
    """

    name: str
    parts: tuple[tuple[int, str], ...]
    rate: int
    squeezed: int

    @property
    def length(self) -> int:
        """Bytes that are absorbed, the domain byte included."""
        return sum(size for size, _ in self.parts) + 1


class SpongeModel:
    """`ntf_sponge_folded`, cycle by cycle, and `ntf_sponge_pairs` in front of it."""

    def __init__(self, size: Size) -> None:
        self.size = size
        self.message: Message | None = None  # of the block that is filled, or was last
        self.fill = self.sent = 0  # words of the block, bytes of the message
        self.full = self.closing = self.final = False
        self.held = False  # half of a word
        self.left = 0  # words to be squeezed of what runs
        self.running: Message | None = None
        self.buffered: list[str] = []
        self.permuting = self.passing = 0  # cycles that are left
        self.start = self.absorb = False

    @property
    def idle(self) -> bool:
        """Nothing is filled, runs, or waits to be squeezed."""
        filled = self.full or self.closing
        return not (filled or self.left or self.buffered or self.permuting or self.passing)

    def step(self, message: Message | None, able: int) -> tuple[bool, str | None]:
        """A cycle, in which so many bytes of a message are there.

        Returns whether its last word was taken; what a word that is squeezed is of.
        """
        full, buffered = self.full, bool(self.buffered)
        word = self.buffered.pop(0) if buffered else None
        if message and not self.held and self._is_half(message):
            self.held = able >= self.sent + self.size.width
            self.sent += self.size.width * self.held
            message = None
        done = self._absorb(message, able)
        soon = self.permuting <= 1
        self.permuting -= self.permuting > 0
        if self.passing:
            self.passing -= 1
            if not self.passing:
                self._end()
        elif soon and not (self.left and buffered):
            more = self.left > self._block
            self.absorb, self.start = full and not more, full or more
            self.passing = self.size.chunks if self.start or self.left else 0
        return done, word

    def _is_half(self, message: Message) -> bool:
        """Whether the next bytes wait for others that are in the same word."""
        halves = self.size.sponge > self.size.width
        return halves and self.sent + self.size.width < message.length

    def _absorb(self, message: Message | None, able: int) -> bool:
        """A word, or a zero after the last one."""
        if self.full or not (self.closing or message):
            return False
        taken = False
        if not self.closing and message:
            needed = min(self.sent + self.size.width, message.length)
            if able < needed:
                return False
            self.message, taken, self.held = message, needed == message.length, False
            self.sent = 0 if taken else needed
        assert self.message is not None
        whole = (9 if self.message.length <= RATES[0] else 17) * self.size.chunks
        self.fill += 1
        self.final = self.closing or taken
        self.full = self.fill == whole
        self.closing = self.final and not self.full
        self.fill %= whole
        return taken

    @property
    def _block(self) -> int:
        return self.running.rate // self.size.sponge if self.running else 0

    def _end(self) -> None:
        """The last cycle of a pass: what it has shown is in the buffer."""
        if self.left and self.running:
            given = min(self.left, self._block)
            self.left -= given
            self.buffered = [self.running.name] * given * (self.size.sponge // self.size.width)
        self.permuting = 23 * self.size.chunks if self.start else 0
        if self.absorb and self.message:
            self.full = False
            if self.final:
                self.running = self.message
                self.left = self.message.squeezed // self.size.sponge


@dataclass(frozen=True)
class Job:
    """A job of the engine or the encoder: what it makes, of what; its cycles.

    - `ahead`: cycles from its beginning to the first coefficient that another job may take.
    """

    name: str
    needs: tuple[str, ...]
    cycles: int
    ahead: int = 0


class Worker:
    """A unit that does one job after another: any that can begin, or the next one alone."""

    def __init__(self, jobs: Iterable[Job], *, in_order: bool) -> None:
        self.jobs, self.in_order = [*jobs], in_order
        self.free = 0
        self.begun: list[tuple[int, Job]] = []

    def step(self, cycle: int, there: Mapping[str, int]) -> Job | None:
        """The job that begins in this cycle."""
        if cycle < self.free:
            return None
        for job in self.jobs[: 1 if self.in_order else None]:
            if all(there.get(need, cycle + 1) <= cycle for need in job.needs):
                self.jobs.remove(job)
                self.begun.append((cycle, job))
                self.free = cycle + job.cycles
                return job
        return None


class Plan:
    """An operation of a parameter set on a machine, placed in time.

    - `cycles`: from the first input word to the last output word.
    - `permutations`: of Keccak; `floor` is their cycles.
    - `hashes`: (cycle of the first squeezed word, message), in order.
    - `engine`, `encoder`: (beginning, job) in order: their lists of jobs.
    """

    def __init__(self, size: Size, operation: KemOperation, p: Parameters, slots: int = 8) -> None:
        self.size, self.operation, self.p, self.slots = size, operation, p, slots
        program = program_of(operation, p)
        self.permutations = program.permutations
        self._messages = [*self._hashes(program)]
        self._there: dict[str, int] = {}
        self._got: dict[str, int] = {}
        self.hashes: list[tuple[int, str]] = []
        self._engine = Worker(self._engine_jobs(), in_order=False)
        self._encoder = Worker(self._encoder_jobs(), in_order=True)
        self.cycles = self._run()
        self.engine, self.encoder = self._engine.begun, self._encoder.begun

    @property
    def floor(self) -> int:
        """Cycles of Keccak's permutations."""
        return self.permutations * self.size.permutation

    # What is to be done.

    def _hashes(self, program: Program) -> Iterator[Message]:
        """In the order of the fast core's program; in Decaps some of the matrix comes first."""
        jobs = [job for job in program.hashes if job.permutations]
        if self.operation == "decaps":
            matrix = [job for job in jobs if job.kind is HashKind.XOF]
            early = matrix[:_EARLY]
            jobs = [job for job in jobs if job not in early]
            jobs[1:1] = early
        yield from map(self._message, jobs)

    def _message(self, job: HashJob) -> Message:
        match job.kind:
            case HashKind.D:
                return Message(job.label, ((_SEED + 1, "d"),), 72, 2 * _SEED)
            case HashKind.G:
                return Message(job.label, ((_SEED, "m"), (_SEED, "h")), 72, 2 * _SEED)
            case HashKind.H:
                return Message(job.label, ((self.p.pke_key_bytes, "t"), (_SEED, "rho")), 136, _SEED)
            case HashKind.J:
                parts = ((_SEED, "z"), (self.p.ciphertext_bytes, "c"))
                return Message(job.label, parts, 136, _SEED)
            case HashKind.PRF:
                return Message(job.label, ((_SEED + 1, "sigma"),), 136, 64 * (3 if job.eta3 else 2))
            case _:
                return Message(job.label, ((_SEED + 2, "rho"),), 168, 3 * 168)

    def _job(self, name: str, kind: EngineKind, *needs: str) -> Job:
        passes, _ = _ENGINE[kind]
        last = (passes - 1) * N // (2 * self.size.butterflies)
        return Job(name, needs, self.size.engine(kind), 15 if kind == "product" else last + 14)

    def _engine_jobs(self) -> Iterator[Job]:
        """The most urgent first."""
        k = range(self.p.k)
        if self.operation == "keygen":
            yield from (self._job(f"^s{j}", "forward", f"s{j}") for j in k)
            for i in k:
                yield self._job(f"^e{i}", "addend", f"e{i}")
                yield from self._sum(f"t{i}", [(f"A{i}{j}", f"^s{j}") for j in k], f"^e{i}")
            return
        if self.operation == "decaps":
            yield from (self._job(f"^u{j}", "forward", f"u{j}") for j in k)
            yield from self._sum("^w", [(f"key{j}", f"^u{j}") for j in k])
            yield self._job("w", "inverse", "^w")
        yield from (self._job(f"^y{j}", "forward", f"y{j}") for j in k)
        for i in k:
            yield from self._sum(f"^u'{i}", [(f"A{j}{i}", f"^y{j}") for j in k])
            yield self._job(f"u'{i}", "inverse", f"^u'{i}")
        yield from self._sum("^v'", [(f"t{j}", f"^y{j}") for j in k])
        yield self._job("v'", "inverse", "^v'")

    def _sum(self, name: str, pairs: list[tuple[str, str]], first: str = "") -> Iterator[Job]:
        before = first
        for n, (a, b) in enumerate(pairs):
            made = name if n == len(pairs) - 1 else f"{name}+{n}"
            yield self._job(made, "product", a, b, *([before] if before else []))
            before = made

    def _encoder_jobs(self) -> Iterator[Job]:
        k, p = range(self.p.k), self.p

        def job(name: str, bits: int, *needs: str) -> Job:
            return Job(name, tuple(f"first {need}" for need in needs), self.size.encode(bits))

        if self.operation == "keygen":
            yield from (job(f"s{j} out", 12, f"^s{j}") for j in k)
            yield from (job(f"t{i} out", 12, f"t{i}") for i in k)
            return
        if self.operation == "decaps":
            yield job("m", 1, "w")
        yield from (job(f"u{i} out", p.du, f"u'{i}", f"e1_{i}") for i in k)
        yield job("v out", p.dv, "v'", "e2")

    # In time.

    def _run(self) -> int:
        self._inputs()
        sponge, cycle, waiting = SpongeModel(self.size), 0, [*self._messages]
        while waiting or self._engine.jobs or self._encoder.jobs or not sponge.idle:
            message = waiting[0] if waiting else None
            done, word = sponge.step(message, self._able(message, cycle))
            if done:
                waiting.pop(0)
            if word:
                self._squeezed(word, cycle)
            if job := self._engine.step(cycle, self._there):
                self._made(job.name, cycle + job.ahead, cycle + job.cycles)
            if job := self._encoder.step(cycle, self._there):
                self._made(job.name, cycle, cycle + job.cycles + _ENCODED)
            cycle += 1
        # A key ends with its hash and z, a secret is chosen when the last beat was compared.
        last = {"keygen": 2 * _SEED, "encaps": 0, "decaps": _SEED}[self.operation]
        return max(cycle, *self._there.values()) + last // self.size.width + _PORTS

    def _made(self, name: str, first: int, whole: int) -> None:
        self._there[name], self._there[f"first {name}"] = whole, first

    def _inputs(self) -> None:
        """Streams without stalls: bytes of a packet come `width` a cycle."""
        p, k, rest = self.p, range(self.p.k), 0
        names = {"keygen": ("d",), "encaps": ("m",), "decaps": ("rho", "h", "z")}[self.operation]
        for n, name in enumerate(names):
            self._there[name] = rest = self._came(_SEED * (n + 1))
        if self.operation == "encaps":
            self._there |= {f"t{j}": self._came(384 * (j + 1)) for j in k}
            self._there["rho"] = self._came(p.ek_bytes)
        if self.operation == "decaps":
            self._there |= {f"key{j}": rest + self._came(384 * (j + 1)) for j in k}
            self._there |= {f"t{j}": rest + self._came(384 * (p.k + j + 1)) for j in k}
            cycles = self.size.encode(p.du)
            self._there |= {f"u{j}": cycles * (j + 1) + _PORTS for j in k}

    def _came(self, size: int) -> int:
        return size // self.size.width + _PORTS

    def _able(self, message: Message | None, cycle: int) -> int:
        """Bytes of a message that are there, with the domain byte."""
        if message is None or not self._room(message):
            return 0
        able = 0
        for size, name in message.parts:
            there = min(size, self._bytes(name, size, cycle))
            able += there
            if there < size:
                return able
        return able + 1

    def _bytes(self, name: str, size: int, cycle: int) -> int:
        if name == "t" and self.operation == "keygen":
            begun = [start for start, job in self._encoder.begun if job.name[0] == "t"]
            ready = cycle - _ENCODED
            return sum(min(384, max(0, ready - start) * self.size.width) for start in begun)
        if name in ("t", "c"):
            return max(0, cycle - _PORTS) * self.size.width
        return size if self._there.get(name, cycle + 1) <= cycle else 0

    def _room(self, message: Message) -> bool:
        """There is a slot for another polynomial of the matrix."""
        if message.rate != RATES[2]:
            return True
        started = [m for m in self._messages if m.rate == RATES[2] and m.name in self._got]
        used = [job for _, job in self._engine.begun if job.needs and job.needs[0][0] == "A"]
        return len(started) - len(used) < self.slots

    def _squeezed(self, name: str, cycle: int) -> None:
        if name not in self._got:
            self.hashes.append((cycle, name))
        got = self._got[name] = self._got.get(name, 0) + self.size.width
        total = next(m.squeezed for m in self._messages if m.name == name)
        if name == "G(d, k)" and got == _SEED:
            self._there["rho"] = cycle + 1
        if got < total:
            return
        kinds = {"G": "sigma", "H": "h"}
        self._there[name] = cycle + _SAMPLED
        self._there[f"first {name}"] = cycle + _SAMPLED
        if name[0] in kinds and "(" in name:
            self._there[kinds[name[0]]] = cycle + 1
