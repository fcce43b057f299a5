# SPDX-License-Identifier: Apache-2.0
"""Cycles of KeyGen on a narrower core, derived: they depend on which candidates are sampled.

s1 and s2, polynomial by polynomial, and the matrix; then the last row of t, its inverse transform,
and of four bytes a cycle all rows of the key pair, one after the other; of eight what is left of
them, or of tr.
"""

from hashlib import shake_128, shake_256

from nttforge.kinds.lattice.mldsa.program import MATRIX_BLOCKS
from nttforge.kinds.lattice.mldsa.small.program import FAST, small_blocks
from nttforge.standards.keccak import SHAKE128_RATE, SHAKE256_RATE
from nttforge.standards.ml_dsa.keygen import h
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, N, Parameters, Q

#: Bytes a cycle times cycles of a permutation.
_PERMUTATION = 192
#: From half a word to coefficients that it completes; from the last word to the polynomial's end.
_SAMPLED, _ENDED = 4, 5
#: Between two polynomials, and if Keccak needs longer for the next one than that has words left.
_NEXT, _NEXT_OF_THREE = 2, 17
#: 128 pairs of a row, until the next row begins.
_ROW = 132
#: Before s1; and behind the matrix the last product, its inverse transform and tr.
_AROUND, _AROUND_OF_THREE = 645, 637
#: All of that, by k, of eight bytes a cycle: behind the matrix t1 waits for nothing.
_AROUND_OF_EIGHT = {4: 424, 6: 521, 8: 593}
#: So much longer if tr comes before s1, by bytes a cycle and by k.
_STANDARD = {4: {4: 69, 6: 220, 8: 458}, 8: {4: 278, 6: 488, 8: 596}}


def permutation_cycles(width: int) -> int:
    """Of Keccak, with so many bytes a cycle."""
    return _PERMUTATION // width


def _small(p: Parameters, rho_secret: bytes, nonce: int, width: int) -> int:
    """From the first word of a polynomial of s1 or s2 to its end."""
    data = shake_256(rho_secret + bytes([nonce, 0])).digest(small_blocks(p) * SHAKE256_RATE)
    passes = {2: 15, 4: 9}[p.eta]
    third = 5 * SHAKE256_RATE // width if width == FAST else len(data)
    cycle = waiting = sent = made = whole = 0
    # As many candidates a cycle as a word has bytes; as many coefficients leave together, half of
    # which go on in a cycle.
    for at in range(0, len(data), width // 2):
        if made == N // width and cycle >= whole:
            # What is left of the words takes a cycle each; of eight bytes, how many there are of a
            # third block does not matter, since Keccak needs longer for the next polynomial.
            cycle = min(cycle + -(-(len(data) - at) // width), third)
            break
        half = data[at : at + width // 2]
        waiting += sum((byte % 16 < passes) + (byte // 16 < passes) for byte in half)
        if waiting >= width and made < N // width:
            waiting, made, whole = waiting - width, made + 1, cycle + _SAMPLED
            sent = max(sent, whole) + 2
        cycle += 1
    return max(cycle - 1 + _ENDED, sent)


def late_cycles(rho: bytes, row: int, column: int, width: int) -> int:
    """Cycles that rejected candidates cost the last polynomial of the matrix."""
    data = shake_128(rho + bytes([column, row])).digest(MATRIX_BLOCKS * SHAKE128_RATE)
    numbers = (int.from_bytes(data[at : at + 3], "little") % 2**23 for at in range(0, len(data), 3))
    candidates = taken = 0
    while taken < N:
        taken += next(numbers) < Q
        candidates += 1
    # Three words have two groups of them.
    return (3 * -(-2 * candidates // width) + 1) // 2 - 3 * N // width


def _around(p: Parameters, width: int) -> int:
    """What comes once, besides samples."""
    if width == FAST:
        return _AROUND_OF_EIGHT[p.k]
    of_three = small_blocks(p) == 3
    between = (p.k + p.l) * (_NEXT_OF_THREE if of_three else _NEXT)
    return (_AROUND_OF_THREE if of_three else _AROUND) + between + (p.k + p.l + p.k) * _ROW


def keygen_cycles(p: Parameters, seed: bytes, width: int = 4) -> int:
    """From the first word of the seed to the last of the keys, both counted.

    - `width`: bytes a cycle.
    """
    expanded = h(seed + bytes([p.k, p.l]), 128)
    rho, rho_secret = expanded[:SEED_BYTES], expanded[SEED_BYTES:96]
    small = sum(_small(p, rho_secret, nonce, width) for nonce in range(p.k + p.l))
    matrix = p.k * p.l * MATRIX_BLOCKS * permutation_cycles(width)
    # With eight bytes a cycle larger keys wait for tr, which is hashed from the matrix on.
    late = late_cycles(rho, p.k - 1, p.l - 1, width) if width < FAST or p.k == 4 else 0
    return _around(p, width) + small + matrix + late


def keygen_standard_cycles(p: Parameters, seed: bytes, width: int = 4) -> int:
    """The same with the private key in the standard's order."""
    cycles = keygen_cycles(p, seed, width) + _STANDARD[width][p.k]
    if width < FAST and p.k > 4:
        # Keccak hashes t1 later than it comes: all of the row that is late.
        cycles -= late_cycles(h(seed + bytes([p.k, p.l]), 32), p.k - 1, p.l - 1, width)
    return cycles
