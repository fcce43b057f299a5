# SPDX-License-Identifier: Apache-2.0
"""Cycles of keys and signatures, derived from their sampling; see `docs/appendix/lattice.md`.

They are those of one round of Keccak a cycle, and of the handshakes of a host that never waits; of
Sign, those of products whose multipliers have :data:`MULTIPLIER_LATENCY` registers.
"""

from dataclasses import dataclass
from hashlib import shake_128, shake_256
from typing import NamedTuple

import numpy as np

from nttforge.kinds.lattice.mldsa.program import (
    MATRIX_BLOCKS,
    SMALL_BLOCKS,
    Permutations,
    permutations,
    totals,
)
from nttforge.kinds.lattice.mldsa.signing import ORDERS
from nttforge.standards import bits
from nttforge.standards.keccak import SHAKE128_RATE, SHAKE256_RATE, absorbed
from nttforge.standards.ml_dsa.keygen import h
from nttforge.standards.ml_dsa.message import MU_BYTES
from nttforge.standards.ml_dsa.parameters import DROPPED_BITS, SEED_BYTES, N, Parameters, Q
from nttforge.standards.ml_dsa.signing import Signature

ROUND_CYCLES = 24
WORD, WINDOW = 64, 96  # bits that the samplers take in a cycle
# Words of the seed, its permutation, and what is expanded from it in registers.
_SEEDS = 4 + ROUND_CYCLES + 4
# From the last word that a sampler takes until it is known that there are enough.
_SAMPLED = 5
# From the last permutation until the first word of tr leaves, and its eight words.
_TAIL = 4 + 8
# A polynomial that leaves behind tr: of s1 or s2, 32 groups that take longer than words; of t0.
_SMALL, _LOW = 5 + N // 8, 5 + N * DROPPED_BITS // WORD
# Verify: words of rho, and a register; a digest into registers, a block of seventeen words, a
# register; from the last permutation until words of c~ are compared, and from then on.
_RHO, _DIGEST, _COMPARED, _JUDGED = 4 + 1, 4 + 17 + 1, 4, 4
# What goes into a block: mu, and its way; the way of a block of w1, and of a row that begins.
_MU, _BLOCK, _ROW = 4 + 8 + 5, 2, 4
# Wiping and the result, after a key that stays, but eight words of tr do not leave. A private
# key besides: rho, and a register.
_KEPT = 260
_LOAD = 5 + 270
# Sign: mu in registers and in a block, of a loaded key four words earlier.
_SIGN_MU = 10
_LOADED_MU = _SIGN_MU - 4
# A signature that is verified before it leaves: from its last word, as it leaves the core, to the
# first word of the public key, and from the verdict to its first word at the port; the key that is
# loaded is wiped before.
_CHECKED, _LOADED_WIPED = 549, 267
# Registers of a multiplier of the products, as built for UltraScale+; for ECP5, whose blocks are
# smaller, there are three more, with which tries are not derived.
MULTIPLIER_LATENCY = 3


class _Chain(NamedTuple):
    """Cycles of a try that another one follows, without its challenge; 0 if Keccak alone limits it.

    - `failed`: it fails by z or w0 - c s2.
    - `passed`: it passes these checks, and fails later.
    """

    failed: int = 0
    passed: int = 0


@dataclass(frozen=True)
class _Signing:
    """Cycles of Sign, without challenges; observed, see the page: that they are fixed is derived.

    - `comes`, `loaded`: what comes once, and the first try, if it is the last: of a key that comes,
      without the windows of the matrix's last polynomial, and of one that is loaded.
    - `first`, `first_loaded`, `each`: the first try, and each other one.
    - `later`: what the last try takes longer if it is not the first.
    - `products`: a later try takes so long, at least.
    - `ball_least`: of one that is not the first, and passes, the challenge takes so long, at least:
      a polynomial of y is transformed after it.
    """

    comes: int
    loaded: int
    first: _Chain
    first_loaded: _Chain
    each: _Chain
    later: int = 0
    products: int = 0
    ball_least: int = 0

    def passing(self, ball: int) -> int:
        """Cycles of the challenge of a later try that passes."""
        return max(ball, self.ball_least)


_SIGN = {
    "ML-DSA-44": _Signing(3471, 1819, _Chain(), _Chain(0, 939), _Chain(0, 768)),
    "ML-DSA-65": _Signing(5519, 2309, _Chain(), _Chain(0, 1049), _Chain(750, 1019), later=45),
    "ML-DSA-87": _Signing(
        *(9234, 3030, _Chain(0, 1910), _Chain(1455, 1580), _Chain(1007, 1223)),
        products=1096,
        later=6,
        ball_least=96,
    ),
}
# A round that Keccak fills, besides its permutations: lists go back, and c~ is on its way.
_ROUND = 12
_BLOCK_WORDS = SHAKE256_RATE * 8 // WORD


def _taken(stream: bytes, candidate: int, mask: int, limit: int, window: int) -> int:
    """Windows of a stream that a sampler takes until 256 candidates have passed."""
    passed = np.flatnonzero((bits.unpack(stream, candidate) & mask) < limit)
    return int(passed[N - 1]) * candidate // window + 1


def small_words(p: Parameters, rho_secret: bytes, nonce: int) -> int:
    """Words that a polynomial of s1 or s2 takes."""
    stream = shake_256(rho_secret + nonce.to_bytes(2, "little")).digest(6 * SHAKE256_RATE)
    return _taken(stream, 4, 15, {2: 15, 4: 9}[p.eta], WORD)


def matrix_windows(rho: bytes, row: int, column: int) -> int:
    """Windows of four candidates that a polynomial of the matrix takes."""
    stream = shake_128(rho + bytes([column, row])).digest(8 * SHAKE128_RATE)
    return _taken(stream, 24, (1 << 23) - 1, Q, WINDOW)


def ball_taken(p: Parameters, challenge: bytes) -> int:
    """Cycles of SampleInBall: words, candidates, and swaps whose places lie in one bank."""
    candidates, place, cycles = shake_256(challenge).digest(SHAKE256_RATE)[8:], N - p.tau, 1
    for at, candidate in enumerate(candidates):
        cycles += 1 + (at % 8 == 0)
        if candidate <= place:
            # A bank is a lane of the transform's beats: half, and place within four.
            cycles += candidate != place and not (candidate ^ place) & 0x83
            place += 1
        if place == N:
            break
    return cycles


def keygen_floor(p: Parameters) -> float:
    """Cycles of the permutations alone, on average."""
    n: Permutations = permutations(p)
    small, matrix = (p.k + p.l) * n.secret, p.k * p.l * n.matrix
    return ROUND_CYCLES * (n.seeds + small + matrix + n.tr)


def keygen_cycles(p: Parameters, seed: bytes) -> int | None:
    """Cycles from the first word of the seed to the last of the keys, both counted.

    None if a polynomial takes more blocks than are planned, as one of 100,000 does with eta = 4.
    """
    expanded = h(seed + bytes([p.k, p.l]), 128)
    rho, rho_secret = expanded[:32], expanded[32:96]
    block = SHAKE256_RATE * 8 // WORD
    cycles = _SEEDS
    for nonce in range(p.k + p.l):
        words = small_words(p, rho_secret, nonce)
        if words > SMALL_BLOCKS * block:
            return None
        # The permutation of the second block is dropped when the first one was enough.
        second = words + _SAMPLED if words <= block else ROUND_CYCLES
        cycles += ROUND_CYCLES + min(second, ROUND_CYCLES)
    cycles += _matrix(p, rho)
    return cycles + absorbed(p.pk_bytes) * ROUND_CYCLES + _TAIL


def keygen_standard_cycles(p: Parameters, seed: bytes) -> int | None:
    """The same, if s1, s2 and t0 wait for tr."""
    cycles = keygen_cycles(p, seed)
    vectors = (p.k + p.l) * _SMALL + p.k * _LOW
    return None if cycles is None else cycles + vectors


def _matrix(p: Parameters, rho: bytes) -> int:
    """The matrix, until its last polynomial has been sampled: what is absorbed waits for that."""
    last = matrix_windows(rho, p.k - 1, p.l - 1)
    more = last - (MATRIX_BLOCKS - 1) * SHAKE128_RATE * 8 // WINDOW + _SAMPLED
    return p.k * p.l * MATRIX_BLOCKS * ROUND_CYCLES + more


def _packed(p: Parameters, words: int) -> int:
    """Cycles in which words of w1 are packed: eight coefficients each."""
    return -(-words * WORD // (8 * p.w1_bits))


def _challenge(p: Parameters) -> int:
    """Permutations of c~, from the first to the last: Keccak waits for what is packed."""
    words = p.k * N * p.w1_bits // WORD
    row = words // p.k
    cycles, done = ROUND_CYCLES, _BLOCK_WORDS - MU_BYTES * 8 // WORD
    for _ in range(absorbed(MU_BYTES + words * WORD // 8) - 1):
        new = min(_BLOCK_WORDS, words - done)
        rows = (done + new - 1) // row - (done - 1) // row
        cycles += max(ROUND_CYCLES, _packed(p, new) + _BLOCK + _ROW * rows)
        done += new
    return cycles


def verify_floor(p: Parameters, *, external: bool = False) -> float:
    """Cycles of Verify's permutations alone, on average."""
    n: Permutations = permutations(p)
    mine = 0 if external else n.tr + n.mu
    return ROUND_CYCLES * (p.k * p.l * n.matrix + n.ball + mine + n.challenge)


def load_floor(p: Parameters) -> float:
    """Cycles of the matrix's permutations alone."""
    return ROUND_CYCLES * p.k * p.l * permutations(p).matrix


def sign_floor(
    p: Parameters, tries: float, *, external: bool = False, loaded: bool = False
) -> float:
    """Cycles of the permutations of a signature of so many tries."""
    n, whole = permutations(p), totals(p)
    once = whole.sign - (n.mu if external else 0)
    return ROUND_CYCLES * (once + tries * whole.attempt) - (load_floor(p) if loaded else 0)


def load_seed_cycles(p: Parameters, seed: bytes) -> int | None:
    """Cycles from the first word of the seed of a key that stays to the result, both counted.

    None as of :func:`keygen_cycles`.
    """
    whole = keygen_cycles(p, seed)
    return None if whole is None else whole + _KEPT


def load_cycles(p: Parameters, rho: bytes) -> int:
    """Cycles from the first word of a private key that stays to the result, both counted."""
    return _LOAD + _matrix(p, rho)


def sign_cycles(
    p: Parameters, rho: bytes | None, made: Signature, message: int | None, *, equal: bool = False
) -> int:
    """Cycles from the first word of a key to the last one of a signature, both counted.

    - `p`, `rho`: parameter set, and the seed of the matrix; None if the key is loaded.
    - `made`: the signature, and its tries.
    - `message`: bytes of M'; None if mu comes.
    - `equal`: every try has all checks.
    """
    of, n = _SIGN[p.name], permutations(p)
    *before, last = [ball_taken(p, challenge) for challenge in made.challenges]
    cycles, hashed, first, early = of.loaded, _LOADED_MU, of.first_loaded, ORDERS[p.name].early
    if rho is not None:
        cycles = of.comes + matrix_windows(rho, p.k - 1, p.l - 1)
        hashed, first, early = _SIGN_MU, of.first, 0
    for at, ball in enumerate(before):
        # Keccak has a challenge, y of one try, or of two, less what it had before, and c~.
        masks = n.mask * (p.l if at else 2 * p.l - early)
        keccak = round(ROUND_CYCLES * (n.ball + masks + n.challenge)) + _ROUND
        passed = equal or made.passed[at]
        chain = (of.each if at else first)[passed]
        lasts = chain + (of.passing(ball) if at and passed else ball)
        cycles += max(keccak, of.products if at else 0, lasts if chain else 0)
    if before:
        last = of.later + of.passing(last)
    cycles += last
    if message is not None:
        cycles += absorbed(MU_BYTES + message) * ROUND_CYCLES + hashed
    return cycles


def checked_cycles(p: Parameters, pk: bytes, message: int | None, *, loaded: bool) -> int:
    """Additional cycles of a signature that is verified before it leaves; as :func:`verify_cycles`.

    `loaded` if it is by a key that is loaded.
    """
    words = -(-p.signature_bytes * 8 // WORD)
    return verify_cycles(p, pk, message) + _CHECKED + words + loaded * _LOADED_WIPED


def verify_cycles(p: Parameters, pk: bytes, message: int | None) -> int:
    """Cycles from the first word of a public key to the verdict, both counted.

    - `p`, `pk`: parameter set and public key.
    - `message`: bytes of M'; None if mu comes.
    """
    cycles = _RHO + ROUND_CYCLES + _matrix(p, pk[:SEED_BYTES])
    if message is not None:
        blocks = absorbed(p.pk_bytes) + absorbed(MU_BYTES + message)
        cycles += blocks * ROUND_CYCLES + _DIGEST
        cycles += _MU + _packed(p, _BLOCK_WORDS - MU_BYTES * 8 // WORD)
    return cycles + _challenge(p) + _COMPARED + p.challenge_bytes * 8 // WORD + _JUDGED
