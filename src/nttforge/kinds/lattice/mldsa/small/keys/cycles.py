# SPDX-License-Identifier: Apache-2.0
"""Cycles of KeyGen on the narrower core, derived: they depend on which candidates are sampled.

s1 and s2, polynomial by polynomial, and the matrix; then the last row of t, its inverse transform,
and all rows of the key pair, one after the other.
"""

from hashlib import shake_128, shake_256

from nttforge.kinds.lattice.mldsa.program import MATRIX_BLOCKS
from nttforge.kinds.lattice.mldsa.small.program import small_blocks
from nttforge.standards.keccak import SHAKE128_RATE, SHAKE256_RATE
from nttforge.standards.ml_dsa.keygen import h
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, N, Parameters, Q

_PERMUTATION = 48
#: Four candidates of half a word a cycle; four coefficients leave together, two of which go on.
_HALF, _LEAVE = 4, 4
#: From a half to coefficients that it completes; from the last word to the polynomial's end.
_SAMPLED, _ENDED = 3, 4
#: Between two polynomials, and if Keccak needs longer for the next one than that has words left.
_NEXT, _NEXT_OF_THREE = 2, 17
#: 128 pairs of a row, until the next row begins.
_ROW = 132
#: Before s1; and behind the matrix the last product, its inverse transform and tr.
_AROUND, _AROUND_OF_THREE = 636, 639
#: So much longer if tr comes before s1, by k: all of t1 then waits for Keccak, not Keccak for it.
_STANDARD = {4: 67, 6: 222, 8: 460}


def _small(p: Parameters, rho_secret: bytes, nonce: int) -> int:
    """From the first word of a polynomial of s1 or s2 to its end."""
    data = shake_256(rho_secret + bytes([nonce, 0])).digest(small_blocks(p) * SHAKE256_RATE)
    passes = {2: 15, 4: 9}[p.eta]
    cycle = waiting = sent = made = whole = 0
    for at in range(0, len(data), 2):
        if made == N // _LEAVE and cycle >= whole:
            # What is left of the words takes a cycle each.
            cycle += (len(data) - at + 3) // 4
            break
        found = sum(byte % 16 < passes for byte in data[at : at + 2])
        waiting += found + sum(byte // 16 < passes for byte in data[at : at + 2])
        if waiting >= _LEAVE and made < N // _LEAVE:
            waiting, made, whole = waiting - _LEAVE, made + 1, cycle + _SAMPLED
            sent = max(sent, whole) + 2
        cycle += 1
    return max(cycle - 1 + _ENDED, sent)


def late_cycles(rho: bytes, row: int, column: int) -> int:
    """Cycles that rejected candidates cost the last polynomial of the matrix."""
    data = shake_128(rho + bytes([column, row])).digest(MATRIX_BLOCKS * SHAKE128_RATE)
    numbers = (int.from_bytes(data[at : at + 3], "little") % 2**23 for at in range(0, len(data), 3))
    candidates = taken = 0
    while taken < N:
        taken += next(numbers) < Q
        candidates += 1
    # Three words have two pairs of them.
    return (3 * -(-candidates // 2) + 1) // 2 - 3 * N // 4


def keygen_cycles(p: Parameters, seed: bytes) -> int:
    """From the first word of the seed to the last of the keys, both counted."""
    expanded = h(seed + bytes([p.k, p.l]), 128)
    rho, rho_secret = expanded[:SEED_BYTES], expanded[SEED_BYTES:96]
    of_three = small_blocks(p) == 3
    small = sum(_small(p, rho_secret, nonce) for nonce in range(p.k + p.l))
    small += (p.k + p.l) * (_NEXT_OF_THREE if of_three else _NEXT)
    matrix = p.k * p.l * MATRIX_BLOCKS * _PERMUTATION + late_cycles(rho, p.k - 1, p.l - 1)
    rows = (p.k + p.l + p.k) * _ROW
    return (_AROUND_OF_THREE if of_three else _AROUND) + small + matrix + rows


def keygen_standard_cycles(p: Parameters, seed: bytes) -> int:
    """The same with the private key in the standard's order."""
    late = late_cycles(h(seed + bytes([p.k, p.l]), 32), p.k - 1, p.l - 1)
    # Of the smallest set the last row of t1 comes when Keccak has hashed all others.
    return keygen_cycles(p, seed) + _STANDARD[p.k] - (0 if p.k == 4 else late)
