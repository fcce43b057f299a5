# SPDX-License-Identifier: Apache-2.0
"""Cycles of Sign on a narrower core, derived: what comes once, and tries, each in the same time.

A try is the engine's: rows of w, y of the next try, the challenge, and products with it. What
Keccak and the unit of coefficients do for it is done meanwhile, but for the last product's check.
"""

from itertools import pairwise

from nttforge.kinds.lattice.mldsa.small.keys.cycles import late_cycles
from nttforge.standards.keccak import absorbed
from nttforge.standards.ml_dsa.message import MU_BYTES
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters
from nttforge.standards.ml_dsa.signing import Signature

_PERMUTATION = 48
#: A transform and a product of the engine.
_TRANSFORM, _PRODUCT = 256, 64
#: From the last product to the next try: its check of w - c s2, and lists that go back; z is
#: checked after that if there are as many columns as rows.
_CHECKED, _SUM = 164, 133
#: A try that fails late: its hints' check, and until the engine begins with c t0.
_LATE = 162
#: A signature of one try without hints: what comes once, and the signature that leaves.
_ONCE = {4: 11727, 6: 17432, 8: 27032}
#: mu besides its permutations.
_MU = 37


def try_cycles(p: Parameters) -> int:
    """Of a try that another one follows."""
    rows = p.k * (p.l * _PRODUCT + _TRANSFORM)
    products = p.k * (_PRODUCT + _TRANSFORM)
    engine = rows + (p.l + 1) * _TRANSFORM + products
    return engine + _CHECKED + (_SUM if p.k == p.l else 0)


def _doubled(p: Parameters, data: bytes) -> int:
    """Pairs of hints, which take two cycles where nothing else waits: of the last row.

    Of the first one as well if z has 20 bits: its pairs still wait for z to be packed.
    """
    packed = data[-p.omega - p.k :]
    ends = [0, *packed[p.omega :]]
    rows = [{*packed[first:end]} for first, end in pairwise(ends)]
    slow = [rows[-1], *([rows[0]] if p.z_bits == 20 else [])]
    return sum(at % 2 == 0 and at + 1 in row for row in slow for at in row)


def once_cycles(p: Parameters) -> int:
    """Of a signature of one try, without hints, if mu comes."""
    return _ONCE[p.k]


def sign_cycles(p: Parameters, sk: bytes, made: Signature, message: int | None) -> int:
    """From the first word of rnd to the last one of the signature, both counted.

    - `p`, `sk`: parameter set and private key.
    - `made`: the signature, and its tries.
    - `message`: bytes of M'; None if mu comes.
    """
    *before, _ = made.passed
    late = sum(before) * (p.k * (_PRODUCT + _TRANSFORM) + _LATE)
    cycles = once_cycles(p) + len(before) * try_cycles(p) + late
    # Zeros in the place of hints take a cycle each.
    cycles += late_cycles(sk[:SEED_BYTES], p.k - 1, p.l - 1) - made.data[-1]
    cycles += _doubled(p, made.data)
    if message is not None:
        cycles += absorbed(MU_BYTES + message) * _PERMUTATION + _MU
    return cycles
