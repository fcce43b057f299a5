# SPDX-License-Identifier: Apache-2.0
"""Cycles of Sign on a narrower core, derived: what comes once, and tries, each in the same time.

A try is the engine's: rows of w, y of the next try, the challenge, and products with it. What
Keccak and the unit of coefficients do for it is done meanwhile, but for the last product's check.
"""

from collections import Counter, deque
from collections.abc import Sequence
from itertools import pairwise

from nttforge.kinds.lattice.mldsa.small.keys.cycles import late_cycles, permutation_cycles
from nttforge.standards.keccak import absorbed
from nttforge.standards.ml_dsa.message import MU_BYTES
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, N, Parameters
from nttforge.standards.ml_dsa.signing import Signature

#: By bytes a cycle: a transform and a product of the engine.
_TRANSFORM, _PRODUCT = {4: 256, 8: 131}, {4: 64, 8: 32}
#: From the last product to the next try: its check of w - c s2, and lists that go back; z is
#: checked after that if there are as many columns as rows.
_CHECKED, _SUM = {4: 165, 8: 101}, {4: 133, 8: 69}
#: A try that fails late: its hints' check, and until the engine begins with c t0.
_LATE = {4: 163, 8: 99}
#: A signature of one try without hints, by k: what comes once, and the signature that leaves.
_ONCE = {4: {4: 11734, 6: 17439, 8: 27039}, 8: {4: 6034, 6: 8918, 8: 13804}}
#: mu besides its permutations.
_MU = {4: 39, 8: 21}

#: Of `ntf_dsa_rows`: pairs between its memory and what takes them; cycles in its lanes; and between
#: two rows. Of `ntf_pack_fields`: digits of a word.
_ROOM, _LANES, _BETWEEN, _DIGITS = 16, 8, 4, 16


def try_cycles(p: Parameters, width: int = 4) -> int:
    """Of a try that another one follows.

    - `width`: bytes a cycle.
    """
    rows = p.k * (p.l * _PRODUCT[width] + _TRANSFORM[width])
    engine = rows + (p.l + 1) * _TRANSFORM[width] + _products(p, width)
    return engine + _CHECKED[width] + (_SUM[width] if p.k == p.l else 0)


def _products(p: Parameters, width: int) -> int:
    """Of the engine, of products with the challenge."""
    return p.k * (_PRODUCT[width] + _TRANSFORM[width])


def _hints(p: Parameters, data: bytes, fields: int) -> list[int]:
    """Hints of each group of so many coefficients, row by row."""
    packed = data[-p.omega - p.k :]
    ends = [0, *packed[p.omega :]]
    found = Counter(
        row * (N // fields) + at // fields
        for row, (first, end) in enumerate(pairwise(ends))
        for at in packed[first:end]
    )
    return [found[at] for at in range(p.k * N // fields)]


def _encoded(p: Parameters, hints: Sequence[int]) -> int:
    """Cycles from the first pair of z to the last one of hints that is encoded.

    Pairs of z and then of hints leave one memory, and stand in one queue, a pair a cycle. z is
    packed in a quarter more cycles, or an eighth, and of two hints in a pair the second one takes
    a cycle: what that costs depends on where it is.
    """
    row = len(hints) // p.k
    pairs = deque[int | None]([*[None] * row * p.l, *hints])
    lanes, queue = deque[tuple[int, int | None]](), deque[tuple[int, int | None]]()
    waiting = deque[int]()  # in front of the encoder,
    encodes = None  # hints of the pair there that are left
    cycle = begins = moved = digits = 0
    left = len(hints)
    while True:
        digits -= _DIGITS if digits >= _DIGITS else 0
        ready, room, came = len(waiting) < 2, moved < _ROOM, None
        if (
            queue
            and queue[0][0] < cycle - 1
            and (ready if queue[0][1] is not None else digits < _DIGITS)
        ):
            came = queue.popleft()[1]
            moved -= 1
            digits += p.z_bits if came is None else 0
        if encodes is not None and encodes > 1:
            encodes -= 1
        elif encodes is not None:
            encodes = None
            left -= 1
            if not left:
                return cycle
        if encodes is None and waiting:
            encodes = waiting.popleft()
        if came is not None:
            waiting.append(came)
        if pairs and cycle >= begins and room:
            lanes.append((cycle + _LANES, pairs.popleft()))
            moved += 1
            if len(pairs) % row == 0:
                begins = cycle + 1 + _BETWEEN
        while lanes and lanes[0][0] <= cycle:
            queue.append(lanes.popleft())
        cycle += 1


def once_cycles(p: Parameters, width: int = 4) -> int:
    """Of a signature of one try, without hints, if mu comes."""
    return _ONCE[width][p.k]


def mean_cycles(p: Parameters, width: int = 4) -> int:
    """Of signatures without hints whose mu comes, over their numbers of tries."""
    return round(once_cycles(p, width) + (p.tries - 1) * try_cycles(p, width))


def sign_cycles(
    p: Parameters, sk: bytes, made: Signature, message: int | None, width: int = 4
) -> int:
    """From the first word of rnd to the last one of the signature, both counted.

    - `p`, `sk`: parameter set and private key.
    - `made`: the signature, and its tries.
    - `message`: bytes of M'; None if mu comes.
    - `width`: bytes a cycle.
    """
    *before, _ = made.passed
    cycles = once_cycles(p, width) + len(before) * try_cycles(p, width)
    cycles += sum(before) * (_products(p, width) + _LATE[width])
    # Zeros in the place of hints take a cycle each.
    cycles += late_cycles(sk[:SEED_BYTES], p.k - 1, p.l - 1, width) - made.data[-1]
    hints = _hints(p, made.data, width // 2)
    cycles += _encoded(p, hints) - _encoded(p, [0] * len(hints))
    if message is not None:
        cycles += absorbed(MU_BYTES + message) * permutation_cycles(width) + _MU[width]
    return cycles
