# SPDX-License-Identifier: Apache-2.0
"""ML-DSA on the machine of rtl/scaled, placed in time; and the cores that there are.

`python -m docs.tools.dsa_sizes plan` places every operation and set, `units` says what each unit
works in a try, `order` when each job begins, `memories` what is stored where; `areas` synthesizes
units, `budget` adds up the LUTs of the core that is planned. `observed` and `keys` have the cycles
of the cores that verify and make keys beside the plan, `signs` those of Sign, derived, `both` those
of the core of both standards, `core` and `small` the areas of the cores.
docs/appendix/lattice-sizes-dsa.md derives the machine.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any, Literal

from docs.tools.sized_machine import RATES, Job, Message, Size, SpongeModel, Worker
from docs.tools.sized_machine import Plan as KemPlan
from docs.tools.sizes import area_row, print_table
from nttforge.design import Design, load_design
from nttforge.designs import DSA_KEYS, DSA_MIDDLE, DSA_SMALL, DSA_VERIFIER, PQC_MIDDLE, PQC_SMALL
from nttforge.flow.prepare import prepare_any, prepare_kind
from nttforge.flow.synth import pnr
from nttforge.kinds.lattice.bus import open_core
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.measure import measure_standard
from nttforge.kinds.lattice.mldsa.program import (
    SETS,
    ball_cycles,
    permutations,
    totals,
)
from nttforge.kinds.lattice.mldsa.small.keys.measure import KeyMeasures
from nttforge.kinds.lattice.mldsa.small.keys.standard import STANDARD as KEYS
from nttforge.kinds.lattice.mldsa.small.measure import VerifierMeasures
from nttforge.kinds.lattice.mldsa.small.signing.cycles import mean_cycles, once_cycles, try_cycles
from nttforge.kinds.lattice.mldsa.small.standard import STANDARD as VERIFIES
from nttforge.kinds.lattice.mlkem.program import OPERATIONS as KEM_OPERATIONS
from nttforge.kinds.lattice.standard import ML_KEM, part
from nttforge.names import find
from nttforge.standards.ml_dsa.encoding import T1_BITS
from nttforge.standards.ml_dsa.message import MU_BYTES
from nttforge.standards.ml_dsa.parameters import DROPPED_BITS, SEED_BYTES, N, Parameters
from nttforge.synthesize.yosys import synthesize
from nttforge.table import Table
from nttforge.targets import Target

Operation = Literal["keygen", "sign", "sign_loaded", "verify"]
OPERATIONS: tuple[Operation, ...] = ("keygen", "sign", "sign_loaded", "verify")
_SHORT_RATE, _LONG_RATE = RATES[1], RATES[2]  # of SHAKE256, of SHAKE128
_MESSAGE = 64  # bytes of M'
_SEEDS = 2 * SEED_BYTES  # bytes of rho' and of rho''
#: Blocks that are squeezed, whatever passes: of the matrix, of s1 and s2.
_MATRIX_BLOCKS, _SMALL_BLOCKS = 5, 2
#: Coefficients a cycle of packers, norms, Decompose and hints.
FIELDS = 2
#: Cycles from a beat's reading to when its result can be read, at most: see the page.
LATENCY = 16
#: From a word that completes a polynomial, or a beat that is read, to what is made of it.
_SAMPLED, _CODED = 6, 8
#: Between a port and what is after it.
_PORTS = 3
#: Cycles until it is known whether a try has passed.
_JUDGED = 4
#: Polynomials of results that wait for their checks.
_RESULTS = 2
#: Rows of w of the next try that have a place of their own.
_EARLY_ROWS = 2
#: Machines: bytes a cycle, butterflies.
SIZES = (Size(4, 2), Size(4, 4))
#: ML-KEM of the core of both standards.
OF_KEM = Size(2, 2, keccak=4)
#: What is asked for, of ML-DSA-65: see the page.
TARGETS = {"ML-DSA-65 sign": 49_437, "ML-DSA-65 verify": 9_723}
#: And of eight bytes a cycle, by operation and set: of KeyGen with one packer.
MIDDLE_TARGETS: Mapping[str, tuple[int, ...]] = {
    "keygen": (3_123, 5_488, 9_176),
    "sign": (10_500, 18_500, 19_000),
    "verify": (2_495, 4_385, 7_837),
}
#: What is synthesized: module, and its parameters.
UNITS: tuple[tuple[str, dict[str, int]], ...] = (
    ("ntf_sponge_folded", {"Chunks": 2}),
    ("ntf_dual_lane", {"MlKem": 1}),
    ("ntf_dual_engine", {"Butterflies": 2}),
    ("ntf_dual_engine", {"Butterflies": 4}),
    ("ntf_dual_engine", {"Butterflies": 4, "MlKem": 0}),
    ("ntf_ring_lane", {}),
    ("ntf_pack_fields", {"Fields": 2, "Bytes": 4}),
    ("ntf_unpack_fields", {"Fields": 2, "Bytes": 4}),
    ("ntf_sample_rejected", {"Bytes": 4}),
    ("ntf_sample_compact", {"Lanes": 8, "W": 12}),
    ("ntf_sample_compact", {"Lanes": 4, "W": 12}),
    ("ntf_ball_words", {"Bytes": 4}),
    ("ntf_sample_ball", {}),
    ("ntf_rounding_lane", {}),
    ("ntf_norm_check", {"Lanes": 2}),
    ("ntf_hint_encode", {}),
    ("ntf_hint_decode", {}),
    ("ntf_mldsa_control", {}),
    ("ntf_mldsa_tries", {}),
    ("ntf_mldsa_verdict", {}),
    ("ntf_prim_ram_1r1w", {"Width": 184, "Depth": 2048, "Block": 1}),
    ("ntf_prim_ram_1r1rw", {"Width": 184, "Depth": 1024}),
)
#: LUTs of UltraScale+: unit, in a core of both standards, of ML-DSA alone, from what.
BUDGET = (
    ("sponge", 3686, 3686, "measured"),
    ("engine, four lanes", 3521, 2824, "measured"),
    ("sampler of the matrix, s1 and s2", 378, 378, "measured"),
    ("noise", 100, 0, "estimate"),
    ("challenge", 222, 222, "measured"),
    ("packer, unpacker", 772, 772, "measured"),
    ("unit of coefficients", 1412, 1112, "measured, but ML-KEM's compression"),
    ("hints", 480, 480, "coders measured"),
    ("multiplexers and shift registers of beats", 1200, 1000, "estimate"),
    ("seeds, messages, digests", 1150, 900, "by ml-kem-small"),
    ("control, jobs, tries, verdicts", 2250, 1350, "by both cores"),
    ("ports", 1300, 1000, "by ml-kem-small"),
    ("registers, queue of commands", 600, 600, "by ml-kem-small"),
)
LUTS = {"both": 18_000, "ML-DSA": 15_000}  # at most
#: Places of polynomials: memory, block RAMs, what it holds for the largest set.
MEMORIES = (
    ("M, 64 places", 21, (("the matrix", 56), ("t0, transformed", 8))),
    (
        "V, 32 places",
        11,
        (
            ("y, transformed", 7),
            ("s1 + 512 s2, transformed", 8),
            ("c, transformed", 1),
            ("sums", 2),
        ),
    ),
    (
        "S, 32 places",
        11,
        (("y of two tries, or z", 14), ("w", 10), ("results", 2), ("c", 1)),
    ),
    ("factors", 3, ()),
    ("lists of jobs", 2, ()),
)
BRAMS = 48


@dataclass(frozen=True)
class Hashed:
    """A message, and what must be there besides its bytes before it begins."""

    message: Message
    needs: tuple[str, ...] = ()


class Plan:
    """An operation of a set on a machine, placed in time.

    - `tries`: of a signature; all but the last one fail by z or r0.
    - `cycles`: from the first input word to the last output word.
    - `sponge`: (cycle of the first squeezed word, message), in order.
    - `engine`, `unit`: (beginning, job), in order: transforms and products; what is done with
      coefficients.
    """

    def __init__(self, size: Size, operation: Operation, p: Parameters, tries: int = 1) -> None:
        self.size, self.operation, self.p, self.tries = size, operation, p, tries
        self._there: dict[str, int] = {}
        self._got: dict[str, int] = {}
        self.sponge: list[tuple[int, str]] = []
        hashes, engine, unit = {
            "keygen": (self._keygen_hashes, self._keygen_engine, self._keygen_unit),
            "verify": (self._verify_hashes, self._verify_engine, self._verify_unit),
        }.get(operation, (self._sign_hashes, self._sign_engine, self._sign_unit))
        self.messages = [*hashes()]
        self._squeezes = {each.message.name: each.message.squeezed for each in self.messages}
        self._engine = Worker(engine(), in_order=False)
        self._unit = Worker(unit(), in_order=False)
        self.cycles = self._run()
        self.engine, self.unit = self._engine.begun, self._unit.begun

    # Cycles.

    @property
    def beats(self) -> int:
        """Of a polynomial in the engine."""
        return N // (2 * self.size.butterflies)

    def coded(self, bits: int) -> int:
        """Cycles in which a polynomial of so many bits a coefficient is packed or unpacked."""
        return max(N // FIELDS, N * bits // (8 * self.size.width))

    def _transform(self, name: str, *needs: str) -> Job:
        return Job(name, needs, 8 * self.beats)

    def _product(self, name: str, *needs: str) -> Job:
        return Job(name, needs, 2 * self.beats)

    def _sum(self, name: str, pairs: Sequence[tuple[str, ...]]) -> Iterator[Job]:
        """Products, one added to another; the last one has the sum's name."""
        before: tuple[str, ...] = ()
        for n, needs in enumerate(pairs):
            made = name if n == len(pairs) - 1 else f"{name}+{n}"
            yield self._product(made, *needs, *before)
            before = (made,)

    def _code(self, name: str, bits: int, *needs: str) -> Job:
        return Job(name, needs, self.coded(bits))

    # Messages.

    def _matrix(self) -> Iterator[Hashed]:
        squeezed = _MATRIX_BLOCKS * _LONG_RATE
        for i in range(self.p.k):
            for j in range(self.p.l):
                parts = ((SEED_BYTES + 2, "rho"),)
                yield Hashed(Message(f"A{i}{j}", parts, _LONG_RATE, squeezed))

    def _hash(
        self, name: str, parts: Sequence[tuple[int, str]], squeezed: int, *needs: str
    ) -> Hashed:
        whole = -(-squeezed // self.size.width) * self.size.width
        return Hashed(Message(name, tuple(parts), _SHORT_RATE, whole), needs)

    def _ball(self, name: str, seed: str) -> Hashed:
        return self._hash(name, [(self.p.challenge_bytes, seed)], _SHORT_RATE)

    def _w1(self, turn: str) -> list[tuple[int, str]]:
        return [(N // 8 * self.p.w1_bits, f"w1 {turn}{i}") for i in range(self.p.k)]

    def _key_parts(self) -> list[tuple[int, str]]:
        rows = [(N // 8 * T1_BITS, f"t1 {i}") for i in range(self.p.k)]
        return [(SEED_BYTES, "rho"), *rows]

    def _keygen_hashes(self) -> Iterator[Hashed]:
        yield self._hash("H(xi)", [(SEED_BYTES + 2, "xi")], 128)
        for name in (*(f"s1_{j}" for j in range(self.p.l)), *(f"s2_{i}" for i in range(self.p.k))):
            yield self._hash(name, [(_SEEDS + 2, "H(xi)")], _SMALL_BLOCKS * _SHORT_RATE)
        yield from self._matrix()
        yield self._hash("tr", self._key_parts(), MU_BYTES)

    def _verify_hashes(self) -> Iterator[Hashed]:
        early = self.p.k // 2 + 1  # the challenge comes when some of the matrix is there
        matrix = [*self._matrix()]
        yield from matrix[:early]
        yield self._ball("c", "c~")
        yield from matrix[early:]
        yield self._hash("tr", self._key_parts(), MU_BYTES)
        yield self._hash("mu", [(MU_BYTES, "tr"), (_MESSAGE, "M")], MU_BYTES)
        yield self._hash("c~'", [(MU_BYTES, "mu"), *self._w1("")], self.p.challenge_bytes)

    def _mask(self, n: int) -> Iterator[Hashed]:
        """y of a try, in the place of that of the try before the last."""
        size = N // 8 * self.p.z_bits
        free = (f"judged {n - 2}",) if n > 1 else ()
        for j in range(self.p.l):
            yield self._hash(f"y{n}_{j}", [(_SEEDS + 2, "rho''")], size, *free)

    def _sign_hashes(self) -> Iterator[Hashed]:
        yield self._hash("mu", [(MU_BYTES, "tr"), (_MESSAGE, "M")], MU_BYTES)
        parts = [(SEED_BYTES, "K"), (SEED_BYTES, "rnd"), (MU_BYTES, "mu")]
        yield self._hash("rho''", parts, _SEEDS)
        if self.operation == "sign":
            # One unpacker: y comes when all of the key has.
            matrix = [*self._matrix()]
            yield from matrix[: 2 * self.p.l]
            yield from self._mask(0)
            yield from matrix[2 * self.p.l :]
        else:
            yield from self._mask(0)
        for n in range(self.tries):
            yield from self._mask(n + 1)
            w1 = self._w1(f"{n}_")
            yield self._hash(f"c~{n}", [(MU_BYTES, "mu"), *w1], self.p.challenge_bytes)
            yield self._ball(f"c{n}", f"c~{n}")

    # Jobs of the engine, the most urgent first.

    def _keygen_engine(self) -> Iterator[Job]:
        yield from (self._transform(f"^s1_{j}", f"s1_{j}") for j in range(self.p.l))
        for i in range(self.p.k):
            yield from self._sum(f"^t{i}", [(f"A{i}{j}", f"^s1_{j}") for j in range(self.p.l)])
            yield self._transform(f"t{i}", f"^t{i}")

    def _verify_engine(self) -> Iterator[Job]:
        yield self._transform("^c", "c")
        yield from (self._transform(f"^z{j}", f"z{j}") for j in range(self.p.l))
        for i in range(self.p.k):
            yield self._transform(f"^t1_{i}", f"t1_{i}")
            pairs = [(f"A{i}{j}", f"^z{j}") for j in range(self.p.l)]
            yield from self._sum(f"^w{i}", [("^c", f"^t1_{i}"), *pairs])
            yield self._transform(f"w{i}", f"^w{i}")

    def _sign_engine(self) -> Iterator[Job]:
        p = self.p
        yield from self._early(0)
        if self.operation == "sign":
            yield from (self._transform(f"^s{i}", f"s{i}") for i in range(p.k))
            yield from (self._transform(f"^t0_{i}", f"t0_{i}") for i in range(p.k))
        for n in range(self.tries):
            yield self._transform(f"^c{n}", f"c{n}")
            for name, check in (("s", "check"), ("t0_", "hint"))[: 1 + (n == self.tries - 1)]:
                for i in range(p.k):
                    label, after = f"{n} {name}{i}", f"{check} {n}_{i - _RESULTS}"
                    room = (after,) if i >= _RESULTS else ()
                    judged = (f"judged {n}",) if check == "hint" else ()
                    factor = (f"^{name}{i}",) if self.operation == "sign" else ()
                    yield self._product(f"^{label}", f"^c{n}", *factor, *judged)
                    yield self._transform(label, f"^{label}", *room)
            yield from self._early(n + 1)

    def _early(self, n: int) -> Iterator[Job]:
        """Of a try, what needs no challenge."""
        p = self.p
        for j in range(p.l):
            used = (f"^w{n - 1}_{p.k - 1}",) if n else ()
            yield self._transform(f"^y{n}_{j}", f"y{n}_{j}", *used)
        stored = n or self.operation == "sign_loaded"
        for i in range(p.k):
            pairs = [(f"^y{n}_{j}", *(() if stored else (f"A{i}{j}",))) for j in range(p.l)]
            room = (f"judged {n - 1}",) if n and i >= _EARLY_ROWS else ()
            yield from self._sum(f"^w{n}_{i}", pairs)
            yield self._transform(f"w{n}_{i}", f"^w{n}_{i}", *room)

    # Jobs of the unit of coefficients, the most urgent first.

    def _keygen_unit(self) -> Iterator[Job]:
        p = self.p
        yield from (self._code(f"t1 {i}", T1_BITS, f"read t{i}", "turn tr") for i in range(p.k))
        small = (*(f"s1_{j}" for j in range(p.l)), *(f"s2_{i}" for i in range(p.k)))
        yield from (self._code(f"{name} out", p.eta_bits, name) for name in small)
        yield from (self._code(f"t0 {i}", DROPPED_BITS, f"read t{i}") for i in range(p.k))

    def _verify_unit(self) -> Iterator[Job]:
        p = self.p
        yield from (self._code(f"t1 {i}", T1_BITS, f"t1_{i}", "turn tr") for i in range(p.k))
        yield from (self._code(f"w1 {i}", p.w1_bits, f"read w{i}", "turn c~'") for i in range(p.k))

    def _sign_unit(self) -> Iterator[Job]:
        p = self.p
        if self.operation == "sign":
            # s1 + 512 s2.
            yield from (self._code(f"s{i}", 1, f"s1_{i}", f"s2_{i}") for i in range(p.k))
        for n in range(self.tries):
            for i in range(p.k):
                yield self._code(f"w1 {n}_{i}", p.w1_bits, f"read w{n}_{i}", f"turn c~{n}")
            for i in range(p.k):
                # w - c s2, then z.
                passes = 2 if i < p.l else 1
                yield Job(f"check {n}_{i}", (f"read {n} s{i}",), passes * self.coded(1))
            if n == self.tries - 1:
                yield from (self._code(f"hint {n}_{i}", 1, f"read {n} t0_{i}") for i in range(p.k))

    # In time.

    def _run(self) -> int:
        self._inputs()
        sponge, cycle, waiting = SpongeModel(self.size), 0, [*self.messages]
        last = self._last
        while last not in self._there:
            first = waiting[0] if waiting else None
            if first:
                self._there.setdefault(f"turn {first.message.name}", cycle)
            message = first.message if first else None
            able = self._able(first, cycle)
            if self._waits(sponge.buffered, cycle):
                # What is given in this cycle stays.
                sponge.buffered.insert(0, "")
            done, word = sponge.step(message, able)
            if done:
                waiting.pop(0)
            if word:
                self._squeezed(word, cycle)
            if job := self._engine.step(cycle, self._there):
                self._there[job.name] = cycle + job.cycles
                self._there[f"read {job.name}"] = cycle + job.cycles + LATENCY
            if job := self._unit.step(cycle, self._there):
                self._there[job.name] = cycle + job.cycles + _CODED
                self._judge()
            cycle += 1
            if cycle > 1_000_000:
                raise ValueError("a job waits for what never comes")
        return self._there[last] + self._leaves // self.size.width + _PORTS

    def _waits(self, buffered: Sequence[str], cycle: int) -> bool:
        """Words of s1 and s2 take two cycles until there are enough of them."""
        if not buffered or buffered[0][:2] not in ("s1", "s2"):
            return False
        passing = {2: 15 / 16, 4: 9 / 16}[self.p.eta]
        enough = N / passing / 2  # bytes
        return cycle % 2 == 1 and self._got.get(buffered[0], 0) < enough

    @property
    def _last(self) -> str:
        last = self.tries - 1
        known = {"keygen": "tr", "verify": "c~'"}
        return known.get(self.operation, f"hint {last}_{self.p.k - 1}")

    @property
    def _leaves(self) -> int:
        """Bytes that leave after that."""
        return {"keygen": MU_BYTES, "verify": 8}.get(self.operation, self.p.signature_bytes)

    def _judge(self) -> None:
        """A try is judged when all of it is checked."""
        for n in range(self.tries):
            checks = [self._there.get(f"check {n}_{i}") for i in range(self.p.k)]
            if f"judged {n}" not in self._there and None not in checks:
                self._there[f"judged {n}"] = max(filter(None, checks)) + _JUDGED

    def _inputs(self) -> None:
        """Streams without stalls: `width` bytes a cycle, and what the unpacker takes."""
        p = self.p

        def come(at: int, names: Sequence[str], size: int, bits: int = 0) -> int:
            for name in names:
                at += self.coded(bits) if bits else size // self.size.width
                self._there[name] = at + _PORTS
            return at

        rows, columns = range(p.k), range(p.l)
        if self.operation == "keygen":
            come(0, ["xi"], SEED_BYTES)
        elif self.operation == "verify":
            at = come(0, ["rho"], SEED_BYTES)
            at = come(at, [f"t1_{i}" for i in rows], 0, T1_BITS)
            at = come(at, ["c~"], p.challenge_bytes)
            at = come(at, [f"z{j}" for j in columns], 0, p.z_bits)
            at = come(at, ["h"], p.omega + p.k)
            come(at, ["M"], _MESSAGE)
        else:
            come(0, ["M"], _MESSAGE)
            if self.operation == "sign_loaded":
                come(0, ["rnd", "K", "tr"], 0)
                come(0, ["rnd"], SEED_BYTES)
                return
            at = come(0, ["rnd", "rho", "K"], SEED_BYTES)
            at = come(at, ["tr"], MU_BYTES)
            at = come(at, [f"s1_{j}" for j in columns], 0, p.eta_bits)
            at = come(at, [f"s2_{i}" for i in rows], 0, p.eta_bits)
            # s2 has more polynomials than s1.
            self._there |= {f"s1_{i}": 0 for i in range(p.l, p.k)}
            come(at, [f"t0_{i}" for i in rows], 0, DROPPED_BITS)

    def _able(self, hashed: Hashed | None, cycle: int) -> int:
        """Bytes of a message that are there, with the domain byte."""
        if hashed is None or any(self._there.get(n, cycle + 1) > cycle for n in hashed.needs):
            return 0
        able = 0
        for size, name in hashed.message.parts:
            there = self._bytes(name, size, cycle)
            able += there
            if there < size:
                return able
        return able + 1

    def _bytes(self, name: str, size: int, cycle: int) -> int:
        """Whole, or what of a polynomial has been packed."""
        ends = self._there.get(name)
        if ends is None:
            return 0
        if name[:2] not in ("t1", "w1"):
            return size if ends <= cycle else 0
        cycles = self.coded(8 * size // N)
        return max(0, min(size, size - (ends - cycle) * size // cycles))

    def _squeezed(self, name: str, cycle: int) -> None:
        if name not in self._got:
            self.sponge.append((cycle, name))
        got = self._got[name] = self._got.get(name, 0) + self.size.width
        if name == "H(xi)" and got == SEED_BYTES:
            self._there["rho"] = cycle + 1
        if got < self._squeezes[name]:
            return
        seed = name[0] in "mtrH" or name[:2] == "c~"
        self._there[name] = cycle + (1 if seed else _SAMPLED)
        if name[0] == "c" and not seed:
            # A candidate a cycle, another one for each that is taken; then coefficients.
            first = next(at for at, of in self.sponge if of == name)
            swaps = ball_cycles(self.p) + self.p.tau + N // FIELDS
            self._there[name] = max(self._there[name], first + 8 // self.size.width + swaps)


def floor(size: Size, operation: Operation, p: Parameters, tries: float) -> int:
    """Cycles of Keccak's permutations, with as many tries."""
    whole = totals(p)
    sign = whole.sign + tries * whole.attempt
    loaded = sign - p.k * p.l * permutations(p).matrix
    counts = {"keygen": whole.keygen, "sign": sign, "sign_loaded": loaded, "verify": whole.verify}
    return round(counts[operation] * size.permutation)


def mean(size: Size, operation: Operation, p: Parameters) -> tuple[int, int, int]:
    """Of a signature: the mean, one of one try, and what each other try takes."""
    one, two, three = (Plan(size, operation, p, tries).cycles for tries in (1, 2, 3))
    each, once = three - two, 1 / p.tries
    # More than t tries with probability (1 - once)^t.
    more = 1 - once
    average = one + more * (two - one) + more**2 / once * each
    return round(average), one, each


def _name(size: Size) -> str:
    return f"B = {size.butterflies}"


def plan_table() -> Table:
    """Cycles of every operation and set, behind Keccak's floor; means of signatures."""
    columns = ["w = 4", "floor", *(f"planned, {_name(size)}" for size in SIZES), "asked"]
    rows = []
    for p in SETS:
        for operation in OPERATIONS:
            signs = operation[:4] == "sign"
            cycles = [
                mean(size, operation, p)[0] if signs else Plan(size, operation, p).cycles
                for size in SIZES
            ]
            label = f"{p.name} {operation}"
            least = floor(SIZES[0], operation, p, p.tries if signs else 0)
            asked = f"{TARGETS[label]:,}" if label in TARGETS else ""
            rows.append([label, f"{least:,}", *(f"{each:,}" for each in cycles), asked])
    return Table("Plan", columns, rows)


def unit_table() -> Table:
    """Of four butterflies: what each unit works in a try, and what a try takes."""
    size = SIZES[-1]
    columns = ["a try", "Keccak", "engine", "coefficients", "planned", "first try", "tries"]
    rows = []
    for p in SETS:
        plan = Plan(size, "sign", p, 3)
        between = [
            sum(job.cycles for _, job in jobs if _of_try(job.name, 1))
            for jobs in (plan.engine, plan.unit)
        ]
        _, one, each = mean(size, "sign", p)
        keccak = round(totals(p).attempt * size.permutation)
        figures = (keccak, *between, each, one)
        rows.append([p.name, *(f"{figure:,}" for figure in figures), f"{p.tries:.2f}"])
    return Table("Units", columns, rows)


def _of_try(name: str, number: int) -> bool:
    """Whether a job belongs to that try."""
    marks = (f"^y{number}_", f"w{number}_", f"^w{number}_", f"^c{number}", f"{number} ")
    later = (f"^{number} ", f"w1 {number}_", f"check {number}_", f"hint {number}_")
    return name.startswith((*marks, *later))


def order_table(operation: str, number: str) -> Table:
    """What each unit begins when, of a signature of two tries."""
    known: dict[str, Operation] = {name: name for name in OPERATIONS}
    (p,) = (each for each in SETS if each.name == f"ML-DSA-{number}")
    plan = Plan(SIZES[-1], find("operation", operation, known), p, 2)
    columns = [
        [f"{start:,}: {name}" for start, name in plan.sponge],
        *([f"{start:,}: {job.name}" for start, job in jobs] for jobs in (plan.engine, plan.unit)),
    ]
    rows = [list(row) for row in zip_longest(*columns, fillvalue="")]
    return Table("Order", ["sponge", "engine", "coefficients"], rows)


def memory_table() -> Table:
    """What is stored where, and what that takes."""
    rows = []
    for name, blocks, held in MEMORIES:
        used = sum(number for _, number in held)
        what = ", ".join(f"{number} of {of}" for of, number in held)
        rows.append([name, f"{used}" if used else "", what, f"{blocks}"])
    total = sum(blocks for _, blocks, _ in MEMORIES)
    rows.append(["together", "", "", f"{total} (at most {BRAMS})"])
    return Table("Memories", ["memory", "places used", "holds, of ML-DSA-87", "BRAM18"], rows)


def budget_table() -> Table:
    """LUTs by unit, and their sums."""
    rows = [[name, f"{both:,}", f"{one:,}", source] for name, both, one, source in BUDGET]
    sums = [sum(both for _, both, _, _ in BUDGET), sum(one for _, _, one, _ in BUDGET)]
    rows.append(["together", *(f"{each:,}" for each in sums), ""])
    rows.append(["at most", *(f"{each:,}" for each in LUTS.values()), ""])
    return Table("Budget", ["unit", "both standards", "ML-DSA alone", "from"], rows)


def area_table() -> Table:
    """LUTs of units that there are."""
    rows = [area_row(module, parameters, "xcup", "ecp5") for module, parameters in UNITS]
    return Table("Areas", ["unit", "with", "xcup", "ecp5", "FF", "DSP", "BRAM18"], rows)


def observed_table() -> Table:
    """Cycles of the core that verifies, simulated, beside the plan."""
    made = prepare_kind(load_design(DSA_VERIFIER), LatticeCore)
    measured = measure_standard(VerifierMeasures(VERIFIES, made.core), open_core(made), runs=1)
    rows = []
    for p in SETS:
        for operation in VERIFIES.operations:
            label = f"{p.name} {operation}"
            seen = measured.operations[label]
            planned = f"{Plan(SIZES[-1], 'verify', p).cycles:,}" if operation == "verify" else ""
            asked = f"{TARGETS[label]:,}" if label in TARGETS else ""
            figures = (seen.floor_cycles, seen.latency_cycles, seen.cycles_per_operation)
            least, *found = (f"{figure:,}" for figure in figures)
            rows.append([label, least, planned, *found, asked])
    columns = ["operation", "floor", "planned", "latency", "to the next command", "asked"]
    return Table("Observed", columns, rows)


def keys_table() -> Table:
    """Cycles of KeyGen on the core that makes keys, simulated, beside the plan."""
    made = prepare_kind(load_design(DSA_KEYS), LatticeCore)
    measured = measure_standard(KeyMeasures(KEYS, made.core), open_core(made), runs=1)
    rows = []
    for p in SETS:
        for operation in ("keygen", "keygen_standard"):
            label = f"{p.name} {operation}"
            seen = measured.operations[label]
            known = [each for each in OPERATIONS if each == operation]
            planned = "".join(f"{Plan(SIZES[-1], each, p).cycles:,}" for each in known)
            figures = (seen.floor_cycles, seen.latency_cycles, seen.cycles_per_operation)
            least, *found = (f"{figure:,}" for figure in figures)
            rows.append([label, least, planned, *found])
    columns = ["operation", "floor", "planned", "latency", "to the next command"]
    return Table("Keys", columns, rows)


def sign_table() -> Table:
    """Cycles of Sign on the core that signs, derived: mu from outside, no hints."""
    rows = []
    for p in SETS:
        label = f"{p.name} sign"
        first, each = once_cycles(p), try_cycles(p)
        tries = mean_cycles(p)
        asked = f"{TARGETS[label]:,}" if label in TARGETS else ""
        planned = f"{mean(SIZES[-1], 'sign', p)[0]:,}"
        figures = (f"{first:,}", f"{each:,}", f"{p.tries:.2f}", f"{tries:,}")
        rows.append([p.name, *figures, planned, asked])
    columns = ["set", "of one try", "each further try", "tries", "mean", "planned", "asked"]
    return Table("Signs", columns, rows)


def _of_both(preset: str) -> Iterator[tuple[Any, Any, str, Any]]:
    """Of a core of both standards, simulated: standard, parameter set, operation, its cycles."""
    made = prepare_kind(load_design(preset), LatticeCore)
    opened = open_core(made)
    for standard in made.core.standards:
        measures = part(standard, "measure").MEASURES(standard, made.core)
        measured = measure_standard(measures, opened, runs=int(standard is not ML_KEM))
        sets = {p.name: p for p in standard.sets}
        for label, seen in measured.operations.items():
            name, operation = label.split()
            yield standard, sets[name], operation, seen


def both_table() -> Table:
    """Cycles of the core of both standards, simulated, beside the plan; of Sign see its tables."""
    rows = list[list[str]]()
    for standard, p, operation, seen in _of_both(PQC_SMALL):
        if operation.startswith("sign"):
            continue
        planned = ""
        if operation in KEM_OPERATIONS and standard is ML_KEM:
            planned = f"{KemPlan(OF_KEM, operation, p).cycles:,}"
        elif operation in OPERATIONS:
            planned = f"{Plan(SIZES[-1], operation, p).cycles:,}"
        figures = (seen.floor_cycles, seen.latency_cycles, seen.cycles_per_operation)
        least, *found = (f"{figure:,}" for figure in figures)
        rows.append([f"{p.name} {operation}", least, planned, *found])
    columns = ["operation", "floor", "planned", "latency", "to the next command"]
    return Table("Both", columns, rows)


def middle_table() -> Table:
    """Cycles of the core of both standards of eight bytes a cycle, simulated; Sign's mean."""
    rows = list[list[str]]()
    for standard, p, operation, seen in _of_both(PQC_MIDDLE):
        if operation == "sign_mu":
            continue
        asked = ""
        if standard is not ML_KEM and operation in MIDDLE_TARGETS:
            asked = f"{MIDDLE_TARGETS[operation][SETS.index(p)]:,}"
        latency = mean_cycles(p, 8) if operation == "sign" else seen.latency_cycles
        more = seen.cycles_per_operation - seen.latency_cycles
        figures = (seen.floor_cycles, latency, latency + more)
        rows.append([f"{p.name} {operation}", *(f"{each:,.0f}" for each in figures), asked])
    columns = ["operation", "floor", "latency", "to the next command", "asked"]
    return Table("Middle", columns, rows)


def middle_area_table() -> Table:
    """The cores of eight bytes a cycle."""
    designs = ((DSA_MIDDLE, ("xcup",)), (PQC_MIDDLE, ("xcup", "ecp5")))
    found = (areas(load_design(name), f"`{name}`", targets) for name, targets in designs)
    return Table("Core", ["core", *_AREAS], [*chain.from_iterable(found)])


def areas(design: Design, label: str, targets: Sequence[Target]) -> Iterator[list[str]]:
    """A row for each target: a core with its registers and queue."""
    made, names = prepare_any(design), ("lut_total", "ff", "dsp", "bram18")
    for target in targets:
        counts = synthesize(made.folder, made.core.name, target, time_limit=7200).counts
        yield [label, target, *(f"{counts.get(name, 0):,}" for name in names)]


_AREAS = "family", "LUT", "FF", "DSP", "BRAM18"


def core_table() -> Table:
    """The cores of ML-DSA."""
    designs = (DSA_VERIFIER, DSA_KEYS, DSA_SMALL)
    found = (areas(load_design(name), f"`{name}`", ("xc7", "xcup")) for name in designs)
    return Table("Core", ["core", *_AREAS], [*chain.from_iterable(found)])


def small_table() -> Table:
    """The core of both standards."""
    rows = list[list[str]]()
    for operations in ("all", "keygen_verify"):
        design = load_design(PQC_SMALL, {"lattice.operations": operations})
        rows += areas(design, operations, ("xcup",))
    return Table("Small", ["lattice.operations", *_AREAS], rows)


#: Of each device on which `pqc-small` is placed alone, at so many MHz asked.
_PLACED, _ASKED = ("45F",), 80


def placed_table() -> Table:
    """`pqc-small` placed and routed on devices of small boards."""
    prepared, rows = prepare_any(load_design(PQC_SMALL, {"target": "ecp5"})), list[list[str]]()
    sites = ("TRELLIS_COMB", "DP16KD", "MULT18X18D")
    for device in _PLACED:
        found = pnr(prepared, device=device, frequency_mhz=_ASKED)
        used = (f"{taken:,} of {has:,}" for taken, has in (found.utilization[s] for s in sites))
        rows.append([f"LFE5U-{device}", *used, str(_ASKED), f"{found.fmax_mhz:.1f}"])
    return Table("Placed", ["device", *sites, "MHz asked", "MHz reached"], rows)


def main(arguments: Sequence[str]) -> int:
    """Print a table."""
    tables: dict[str, Callable[[], Table]] = {
        "observed": observed_table,
        "keys": keys_table,
        "signs": sign_table,
        "both": both_table,
        "core": core_table,
        "small": small_table,
        "placed": placed_table,
        "middle": middle_table,
        "middle_core": middle_area_table,
        "plan": plan_table,
        "units": unit_table,
        "memories": memory_table,
        "areas": area_table,
        "budget": budget_table,
    }
    return print_table(arguments, "dsa_sizes", tables, ("order", order_table, ("sign", "65")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
