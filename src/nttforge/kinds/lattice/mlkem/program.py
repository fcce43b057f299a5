# SPDX-License-Identifier: Apache-2.0
"""Programs of the coprocessor, as data: three lists of jobs for each operation and set.

The units work by themselves, each in the order of its list; a job names the jobs whose results it
needs. `docs/appendix/ml-kem-schedule.md` derives the orders. The jobs are the structs of
`rtl/mlkem/ntf_mlkem_pkg.sv`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import zip_longest
from typing import Literal

from nttforge.hw.sv_struct import Fields, bits, literal
from nttforge.standards.keccak import SHAKE256_RATE, absorbed
from nttforge.standards.ml_kem.parameters import (
    ML_KEM_512,
    ML_KEM_768,
    ML_KEM_1024,
    Parameters,
)

KemOperation = Literal["keygen", "encaps", "decaps", "decaps_standard", "decaps_seed"]
#: Those of the standard. Decaps takes its key with the last 96 bytes first, which is faster.
OPERATIONS: tuple[KemOperation, ...] = ("keygen", "encaps", "decaps")
#: What the hardware does, in the order of its programs: Decaps, too, of a key as the standard has
#: it, and of one that it makes of d and z, which stays inside.
CODES: tuple[KemOperation, ...] = (*OPERATIONS, "decaps_standard", "decaps_seed")
SETS: tuple[Parameters, ...] = (ML_KEM_512, ML_KEM_768, ML_KEM_1024)

# Matrix polynomials that Decaps samples before it knows the message, by rank; the queue, which
# is not emptied before that, holds eight.
EARLY = {2: 2, 3: 3, 4: 3}

MATRIX_BLOCKS = 3
VECTORS = 4  # places for vectors of polynomials


class HashKind(StrEnum):
    """`hash_kind_e`."""

    END = "HashEnd"
    G = "HashG"
    H = "HashH"
    J = "HashJ"
    PRF = "HashPrf"
    XOF = "HashXof"
    D = "HashD"


class Source(StrEnum):
    """`ntt_source_e`: where a transform comes from."""

    SAMPLE = "FromSample"
    CIPHER = "FromCipher"
    SUM = "FromSum"


class Sink(StrEnum):
    """`ntt_sink_e`: what becomes of a transform."""

    VECTOR = "ToVector"
    SUM = "ToSum"
    MESSAGE = "ToMessage"
    KEY = "ToKey"
    U = "ToU"
    V = "ToV"


@dataclass(frozen=True)
class HashJob:
    """One use of a hash function.

    - `kind`: which.
    - `eta3`: PRF: 3 is the width of the distribution, not 2.
    - `x`, `y`: bytes after the seed; x of a PRF is also its noise slot.
    - `permutations`: of Keccak, as planned.
    - `label`: for people.
    """

    kind: HashKind
    permutations: int
    label: str
    eta3: bool = False
    x: int = 0
    y: int = 0

    def literal(self) -> str:
        """As SystemVerilog has it."""
        return literal("hash_job_t", {"kind": self.kind, **bits(self, eta3=1, x=4, y=4)})


@dataclass(frozen=True)
class MacJob:
    """One product of polynomials, added to a sum.

    - `a`: key slot of the first factor; None for the matrix as it is sampled.
    - `b`, `need_b`: vector slot of the second factor, and the transform that writes it.
    - `sum`: slot of the result.
    - `add`: whether what the slot holds is added.
    - `need_sum`: the transform that writes the slot first, if one does.
    - `to_key`: the result goes to the key instead, after what is there.
    - `twice`: each beat of the second factor is multiplied by the matrix, for `sum`, and then by
      key slot `a`, for the sum that becomes v.
    """

    a: int | None
    b: int
    need_b: int
    sum: int
    label: str
    add: bool = True
    need_sum: int | None = None
    to_key: bool = False
    twice: bool = False
    stop: bool = False

    def literal(self) -> str:
        """As SystemVerilog has it."""
        first = bits(self, stop=1, matrix=1, a=3, b=2, need_b=5, add=1, fetched=1, need_sum=5)
        return literal("mac_job_t", {**first, **bits(self, sum=3, to_key=1, twice=1)})

    @property
    def fetched(self) -> bool:
        """Whether a transform writes the sum first."""
        return self.need_sum is not None

    @property
    def matrix(self) -> bool:
        """Whether it uses up a polynomial of the matrix."""
        return self.a is None or self.twice


@dataclass(frozen=True)
class NttJob:
    """One transform.

    - `source`, `slot`: where it comes from.
    - `need`: from a sum: the product that completes it; from the ciphertext: how many products must
      have ended, so that what it overwrites is no longer needed.
    - `sink`, `to`: where it goes.
    - `noise`: noise slot that is added on the way out.
    """

    source: Source
    slot: int
    sink: Sink
    to: int
    label: str
    inverse: bool = False
    need: int = 0
    noise: int = 0
    stop: bool = False

    def literal(self) -> str:
        """As SystemVerilog has it."""
        fields: Fields = {
            **bits(self, stop=1, inverse=1),
            **{"source": self.source, "from": (self.slot, 4), **bits(self, need=6)},
            **{"sink": self.sink, **bits(self, to=4, noise=4)},
        }
        return literal("ntt_job_t", fields)


@dataclass
class Program:
    """The three lists of one operation of one set."""

    hashes: list[HashJob] = field(default_factory=list)
    macs: list[MacJob] = field(default_factory=list)
    ntts: list[NttJob] = field(default_factory=list)

    @property
    def permutations(self) -> int:
        """Of Keccak, as planned; a matrix polynomial takes one more about once in a hundred."""
        return sum(job.permutations for job in self.hashes)

    def close(self) -> "Program":
        """Mark the ends."""
        self.hashes.append(HashJob(HashKind.END, 0, "end"))
        self.macs.append(MacJob(None, 0, 0, 0, "end", stop=True))
        self.ntts.append(NttJob(Source.SAMPLE, 0, Sink.VECTOR, 0, "end", stop=True))
        return self


def _noise(p: Parameters, nonce: int, eta: int, name: str) -> HashJob:
    return HashJob(HashKind.PRF, -(-64 * eta // SHAKE256_RATE), name, eta3=eta == 3, x=nonce)


def _matrix(x: int, y: int, name: str) -> HashJob:
    return HashJob(HashKind.XOF, MATRIX_BLOCKS, name, x=x, y=y)


def _secrets(program: Program, p: Parameters, sink: Sink) -> None:
    """Begin a key: s goes to that sink, e to the sums."""
    k = p.k
    program.hashes.append(HashJob(HashKind.D, 1, "G(d, k)"))
    for nonce in range(2 * k):
        name = f"s{nonce}" if nonce < k else f"e{nonce - k}"
        program.hashes.append(_noise(p, nonce, p.eta1, name))
        to = (sink, nonce) if nonce < k else (Sink.SUM, nonce - k)
        program.ntts.append(NttJob(Source.SAMPLE, nonce, *to, f"NTT {name}"))


def _key_product(k: int, row: int, column: int) -> MacJob:
    """A product of t: the first one of a row is added to e, the last one makes it part of a key."""
    return MacJob(
        *(None, column, column, row, f"A{row}{column} s{column}"),
        need_sum=k + row if column == 0 else None,
        to_key=column == k - 1,
    )


def _invert(program: Program, slot: int, sink: Sink, to: int, name: str, *, noise: int = 0) -> None:
    """Transform a sum back, which the last product so far completes."""
    need = len(program.macs) - 1
    job = NttJob(Source.SUM, slot, sink, to, f"INTT {name}", inverse=True, need=need, noise=noise)
    program.ntts.append(job)


def _keygen(p: Parameters) -> Program:
    program, k = Program(), p.k
    _secrets(program, p, Sink.VECTOR)
    for i in range(k):
        for j in range(k):
            program.hashes.append(_matrix(j, i, f"A{i}{j}"))
            program.macs.append(_key_product(k, i, j))
    program.hashes.append(HashJob(HashKind.H, absorbed(p.ek_bytes), "H(ek)"))
    return program


def _encrypt(program: Program, p: Parameters, key_slot: int, early: Sequence[HashJob]) -> None:
    """Append K-PKE.Encrypt; `early` are the matrix polynomials that were sampled before already.

    The rows of u take the sums 0 ... k - 1, v that of slot k.
    """
    k = p.k
    offset = len(program.ntts)
    for j in range(k):
        program.hashes.append(_noise(p, j, p.eta1, f"y{j}"))
        program.ntts.append(NttJob(Source.SAMPLE, j, Sink.VECTOR, j, f"NTT y{j}"))
    last = k - 1
    for i in range(k):
        for j in range(k):
            if (i, j) == (last, last):
                # v is finished before the last row is, so its noise is sampled before that too.
                program.hashes.append(_noise(p, 2 * k, p.eta2, "e2"))
            sampled = _matrix(i, j, f"A{j}{i}")
            if sampled not in early:
                program.hashes.append(sampled)
            # A row before the last, the product with t shares its second factor.
            twice = i == k - 2
            label = f"A{j}{i} y{j}" + (f", t{j} y{j}" if twice else "")
            program.macs.append(
                MacJob(
                    *(key_slot + j if twice else None, j, offset + j),
                    sum=i,
                    add=j > 0,
                    twice=twice,
                    label=label,
                )
            )
            if j == last:
                _invert(program, i, Sink.U, i, f"u{i}", noise=k + i)
        if i == k - 2:
            _invert(program, k, Sink.V, k, "v", noise=2 * k)
        program.hashes.append(_noise(p, k + i, p.eta2, f"e1_{i}"))


def _encaps(p: Parameters) -> Program:
    program = Program()
    program.hashes.append(HashJob(HashKind.H, absorbed(p.ek_bytes), "H(ek)"))
    program.hashes.append(HashJob(HashKind.G, 1, "G(m, H)"))
    _encrypt(program, p, 0, ())
    return program


def _decaps(p: Parameters, *, standard: bool = False) -> Program:
    program, k = Program(), p.k
    program.hashes.append(HashJob(HashKind.J, absorbed(32 + p.ciphertext_bytes), "J(z, c)"))
    # Left out unless the key's hash is checked; z comes first, or after all that is hashed of it.
    program.hashes.insert(not standard, HashJob(HashKind.H, 0, "H(ek), on demand"))
    # The message is not there yet: the first polynomials of the matrix are sampled meanwhile. When
    # rho comes at the end of a key, it is.
    ahead = 0 if standard else EARLY[k]
    early = [_matrix(n // k, n % k, f"A{n % k}{n // k}") for n in range(ahead)]
    program.hashes += [*early, HashJob(HashKind.G, 1, "G(m', H)")]
    for j in range(k):
        program.ntts.append(NttJob(Source.CIPHER, j, Sink.VECTOR, j, f"NTT u{j}"))
        program.macs.append(MacJob(j, j, j, sum=k + 1, add=j > 0, label=f"s{j} u{j}"))
    _invert(program, k + 1, Sink.MESSAGE, 0, "w")
    _encrypt(program, p, k, early)
    return program


def _decaps_seed(p: Parameters) -> Program:
    """Decaps of a key that is made first.

    The matrix is multiplied column by column, in the order in which Encrypt wants its transpose,
    and waits in its queue for that. Key slots are those of Decaps: s as it is transformed, then t.
    """
    program, k = Program(), p.k
    _secrets(program, p, Sink.KEY)
    sampled = [_matrix(i, j, f"A{j}{i}") for i in range(k) for j in range(k)]
    program.hashes += sampled
    for i in range(k):
        for j in range(k):
            program.macs.append(_key_product(k, j, i))
    program.hashes.append(HashJob(HashKind.H, absorbed(p.ek_bytes), "H(ek)"))
    program.hashes.append(HashJob(HashKind.J, absorbed(32 + p.ciphertext_bytes), "J(z, c)"))
    program.hashes.append(HashJob(HashKind.G, 1, "G(m', H)"))
    # u_j takes the place of a part of s when the last product with that has ended; if there is a
    # fourth place that is free, u_0 takes that one, and the others one place less.
    spare = int(k < VECTORS)
    first = len(program.ntts)
    for j in range(k):
        place = j - spare if j >= spare else k
        need = k * (place + 1) if place < k else 0
        program.ntts.append(NttJob(Source.CIPHER, j, Sink.VECTOR, place, f"NTT u{j}", need=need))
        program.macs.append(MacJob(j, place, first + j, sum=k + 1, add=j > 0, label=f"s{j} u{j}"))
    _invert(program, k + 1, Sink.MESSAGE, 0, "w")
    _encrypt(program, p, k, sampled)
    return program


def program_of(operation: KemOperation, p: Parameters, cores: int = 1) -> Program:
    """The jobs of an operation, ends included.

    With several Keccak cores the first one leaves the matrix to the others, which need no list.
    """
    make: dict[KemOperation, Callable[[Parameters], Program]] = {
        "keygen": _keygen,
        "encaps": _encaps,
        "decaps": _decaps,
        "decaps_standard": partial(_decaps, standard=True),
        "decaps_seed": _decaps_seed,
    }
    program = make[operation](p)
    if cores > 1:
        program.hashes = [job for job in program.hashes if job.kind != HashKind.XOF]
    return program.close()


def all_programs(cores: int = 1) -> dict[tuple[KemOperation, str], Program]:
    """Every program, in the order of the hardware's table: operation first, then set."""
    return {(op, p.name): program_of(op, p, cores) for op in CODES for p in SETS}


def floor_permutations(operation: KemOperation, p: Parameters, cores: int = 1) -> int:
    """Permutations that an operation waits for at least, one after the other in a Keccak core.

    They are the first core's, or of those that share the matrix, a polynomial at a time, the one's
    that has most of it; a matrix polynomial with a fourth block is not counted.
    """
    first = program_of(operation, p, cores).permutations
    if cores == 1:
        return first
    jobs = program_of(operation, p).hashes
    matrix = [job.permutations for job in jobs if job.kind == HashKind.XOF]
    return max(first, sum(matrix[:: cores - 1]))


def describe(program: Program) -> str:
    """The program as a table in Markdown."""
    lines = ["| | Keccak | permutations | products | transforms |", "|---|---|---|---|---|"]
    for row, jobs in enumerate(zip_longest(program.hashes, program.macs, program.ntts)):
        hashed, product, transform = (job.label if job else "" for job in jobs)
        permutations = (jobs[0] and jobs[0].permutations) or ""
        lines.append(f"| {row} | {hashed} | {permutations} | {product} | {transform} |")
    return "\n".join([*lines, ""])
