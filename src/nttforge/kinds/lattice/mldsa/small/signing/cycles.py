# SPDX-License-Identifier: Apache-2.0
"""Cycles of Sign on a narrower core, derived: what comes once, and tries, each in the same time.

A try is the engine's: rows of w, y of the next try, the challenge, and products with it. What
Keccak and the unit of coefficients do for it is done meanwhile; only in the first try, in which
Keccak has the matrix to sample, does the engine wait for the challenge.
"""

from collections import Counter, deque
from collections.abc import Sequence
from itertools import pairwise

from nttforge.kinds.lattice.mldsa.small.keys.cycles import late_cycles, permutation_cycles
from nttforge.kinds.lattice.mldsa.small.program import FAST, early_vectors
from nttforge.standards.keccak import SHAKE256_RATE, absorbed
from nttforge.standards.ml_dsa.keygen import h
from nttforge.standards.ml_dsa.message import MU_BYTES
from nttforge.standards.ml_dsa.parameters import N, Parameters
from nttforge.standards.ml_dsa.signing import Signature

#: By bytes a cycle: a transform and a product.
_TRANSFORM, _PRODUCT = {4: 256, 8: 131}, {4: 64, 8: 16}
#: From the last product to the next try if there are as many columns as rows: its checks of
#: w - c s2 and of z. If not, the check of w - c s2 is shorter than the transforms meanwhile.
_CHECKED = {4: 316, 8: 225}
#: Lists that go back, after the last transform of a y; of products beside the engine, the last one
#: of the next try's first row.
_BACK = {4: 21, 8: 43}
#: Of products beside the engine: until the first sum is whole, and what it waits for before.
_SUM, _WAITS = 8, 12
#: A try that fails late, by k: its hints' check, and until the engine begins with c t0; of products
#: beside the engine also the next try's first row, once more.
_LATE = {4: {4: 163, 6: 145, 8: 145}, 8: {4: 159, 6: 163, 8: 195}}
#: A signature of one try without hints whose challenge has no candidate that is rejected, by k:
#: what comes once, and the signature that leaves.
_ONCE = {4: {4: 11066, 6: 16351, 8: 25579}, 8: {4: 5406, 6: 8042, 8: 12570}}
#: mu besides its permutations.
_MU = {4: 39, 8: 21}
#: If the engine does not wait for the challenge: by how many cycles Keccak is ahead of it if mu
#: comes. A message costs what is more; by its permutations, since which beats of y wait for the
#: engine's differs with the first ones.
_AHEAD, _AHEAD_OF = 284, {5: 268, 6: 275, 7: 292, 8: 272}

#: Of `ntf_dsa_rows`: pairs between its memory and what takes them; cycles in its lanes; and between
#: two rows. Of `ntf_pack_fields`: digits of a word.
_ROOM, _LANES, _BETWEEN, _DIGITS = 16, 8, 4, 16


def try_cycles(p: Parameters, width: int = 4) -> int:
    """Of a try that another one follows.

    - `width`: bytes a cycle.
    """
    transform, late = _TRANSFORM[width], p.l - early_vectors(p)
    meanwhile = late * transform + _BACK[width]
    checked = max(meanwhile, _CHECKED[width]) if p.k == p.l else meanwhile
    # Products beside the engine are ahead of it by the first row.
    rows = p.k * transform if width == FAST else _products(p, p.l, width)
    return rows + (p.l - late + 1) * transform + _products(p, 1, width) + checked


def _products(p: Parameters, terms: int, width: int) -> int:
    """Of sums of so many products, a row each, and their inverse transforms."""
    if width < FAST:
        return p.k * (terms * _PRODUCT[width] + _TRANSFORM[width])
    # Each but the first one while the one before is transformed.
    return _WAITS + terms * _PRODUCT[width] + _SUM + p.k * _TRANSFORM[width]


def candidates(p: Parameters, challenge: bytes) -> int:
    """That SampleInBall draws: of 2^50 challenges one needs more than a block has."""
    place = N - p.tau
    for number, byte in enumerate(h(challenge, SHAKE256_RATE)[8:], 1):
        place += byte <= place
        if place == N:
            return number
    raise ValueError(f"{challenge.hex()}: needs a second block")


def _waits(p: Parameters, width: int) -> bool:
    """Whether the engine waits for the challenge of the first try."""
    return width == FAST or p.k > p.l


def _rejected(p: Parameters, challenge: bytes, width: int) -> int:
    """Cycles of candidates that are rejected: each has one, and each word."""
    drawn = candidates(p, challenge)
    return drawn - p.tau - (-drawn // width) + (-p.tau // width)


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
    """Of a signature of one try, without hints or rejected candidates, if mu comes."""
    return _ONCE[width][p.k]


def mean_cycles(p: Parameters, width: int = 4) -> int:
    """Of signatures without hints whose mu comes, over their numbers of tries."""
    drawn = sum(N / (place + 1) - 1 for place in range(N - p.tau, N)) * (1 + 1 / width)
    rejected = drawn if _waits(p, width) else 0
    return round(once_cycles(p, width) + rejected + (p.tries - 1) * try_cycles(p, width))


def sign_cycles(
    p: Parameters, rho: bytes, made: Signature, message: int | None, width: int = 4
) -> int:
    """From the first word of rnd to the last one of the signature, both counted.

    - `p`, `rho`: parameter set, and the seed of the matrix.
    - `made`: the signature, and its tries.
    - `message`: bytes of M'; None if mu comes.
    - `width`: bytes a cycle.
    """
    *before, _ = made.passed
    cycles = once_cycles(p, width) + len(before) * try_cycles(p, width)
    cycles += sum(before) * (_products(p, 1, width) + _LATE[width][p.k])
    # Zeros in the place of hints take a cycle each.
    cycles -= made.data[-1]
    hints = _hints(p, made.data, width // 2)
    cycles += _encoded(p, hints) - _encoded(p, [0] * len(hints))
    keccak = _rejected(p, made.challenges[0], width)
    permutations = 0 if message is None else absorbed(MU_BYTES + message)
    if permutations:
        keccak += permutations * permutation_cycles(width) + _MU[width]
    if _waits(p, width):
        return cycles + keccak + late_cycles(rho, p.k - 1, p.l - 1, width)
    return cycles + max(keccak - _AHEAD_OF.get(permutations, _AHEAD), 0)
