# SPDX-License-Identifier: Apache-2.0
"""The reductions: for each kind, the cheapest chain of steps from a range of x to [-q, q)."""

import heapq
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from math import log2

from nttforge.errors import NttforgeError
from nttforge.reduction.constant import MAX_DIGITS, Cost, Goal
from nttforge.reduction.numbers import Range, centred, lazy, signed_digits
from nttforge.reduction.step import (
    Step,
    StepKind,
    barrett,
    correct,
    high_fold,
    low_fold,
    montgomery,
    pass_through,
)

Chain = tuple[Step, ...]

#: 2^64 - 2^32 + 1, for which 2^96 = -1 and 2^64 = 2^32 - 1.
GOLDILOCKS = 2**64 - 2**32 + 1
#: Steps that a chain may have; states that the search for folds may visit, and ways on from each.
MAX_STEPS = 16
MAX_BRANCHES = 12
MAX_VISITS = 600


def chain_cost(chain: Chain) -> Cost:
    """Area of a chain, by the model."""
    return sum((step.cost() for step in chain), Cost())


def chain_rows(chain: Chain) -> int:
    """Rows of a chain."""
    return sum(len(step.rows()) for step in chain)


def scale(chain: Chain) -> int:
    """Power of two that the chain divides by."""
    divides = (StepKind.LOW, StepKind.MONTGOMERY)
    return sum(step.split for step in chain if step.kind in divides)


def _correction(x: Range, q: int, limit: int) -> Step | None:
    """The correction that brings x nearer to [-q, q), if at most `limit` of them are needed."""
    for j in range(1, limit + 1):
        if x.within(Range(-(q << j), (q << j) - 1)):
            return correct(x, q << j - 1)
    return None


def corrected(chain: Chain, q: int, limit: int = 2) -> Chain | None:
    """The chain with as few corrections after it as it needs; None if that is over `limit`."""
    while not chain[-1].y.within(lazy(q)):
        step = _correction(chain[-1].y, q, limit)
        if step is None:
            return None
        chain = (*chain, step)
    return chain


def _cheapest(chains: Iterator[Chain | None], q: int, goal: Goal, reach: int) -> Chain | None:
    """The chain of least area, if a result that reaches a modulus from 0 costs `reach` LUTs."""

    def cost(chain: Chain) -> tuple[float, int]:
        y = chain[-1].y
        return goal.score(chain_cost(chain)) + reach * max(-y.lo, y.hi) / q, chain_rows(chain)

    found = [chain for chain in chains if chain is not None and len(chain) <= MAX_STEPS]
    return min(found, key=cost, default=None)


def solinas(q: int, x: Range, goal: Goal, reach: int = 0) -> Chain | None:
    """Signed-power folding: the cheapest path of folds and corrections (best first).

    A fold at bit k replaces 2^k by c = 2^k mod+- q, for every k at which c has few signed digits.
    """
    del goal, reach  # No tiles in it, hence the same everywhere; it ends with corrections.
    powers = {}
    for k in range(max(1, q.bit_length() - 1), x.width):
        c = centred(1 << k, q)
        if len(signed_digits(c)) <= MAX_DIGITS:
            powers[k] = c
    # What is still to spend is estimated by the price of a bit in the best first step.
    folds = (s for s in _worthwhile(x, q, powers) if s.kind is StepKind.HIGH)
    price = min((_price(x, step) for step in folds), default=0.0)

    def still(now: Range) -> float:
        return price * max(0, now.width - q.bit_length() - 1)

    order = count()
    queue: list[tuple[float, int, int, Range, Chain]] = [(still(x), next(order), 0, x, ())]
    done: set[Range] = set()
    while queue and len(done) < MAX_VISITS:
        _, _, spent, now, chain = heapq.heappop(queue)
        if now.within(lazy(q)):
            return chain
        if now in done or len(chain) >= MAX_STEPS:
            continue
        done.add(now)
        for step in _worthwhile(now, q, powers):
            cost = spent + step.cost().lut
            entry = (cost + still(step.y), next(order), cost, step.y, (*chain, step))
            heapq.heappush(queue, entry)
    return None


def _worthwhile(x: Range, q: int, powers: dict[int, int]) -> list[Step]:
    """The correction if there is one, and the folds that narrow x for the least area a bit."""
    folds = (high_fold(x, k, c) for k, c in powers.items() if k < x.width - 1)
    # Less than a fiftieth is not worth a row.
    size = x.hi - x.lo
    narrow = [step for step in folds if step and 50 * (step.y.hi - step.y.lo) < 49 * size]
    correction = _correction(x, q, 3)
    best = sorted(narrow, key=lambda step: _price(x, step))[:MAX_BRANCHES]
    return [correction, *best] if correction else best


def _price(x: Range, step: Step) -> float:
    """LUTs a bit by which the step narrows x."""
    return step.cost().lut / (log2(x.hi - x.lo) - log2(step.y.hi - step.y.lo))


def goldilocks(q: int, x: Range, goal: Goal, reach: int = 0) -> Chain | None:
    """The classical two folds of 2^64 - 2^32 + 1, at bits 96 and 64."""
    del goal, reach
    if q != GOLDILOCKS:
        return None
    first = high_fold(x, 96, -1)
    if first is None:
        return None
    second = high_fold(first.y, 64, 2**32 - 1)
    assert second is not None
    return corrected((first, second), q)


def word_montgomery(q: int, x: Range, goal: Goal, reach: int = 0) -> Chain | None:
    """Montgomery a word at a time, with the word that makes it cheapest.

    For q = +-1 modulo 2^w the quotient is the low word itself; every other w needs a product more.
    """
    return _cheapest(_words(q, x, goal), q, goal, reach)


def _words(q: int, x: Range, goal: Goal) -> Iterator[Chain | None]:
    for w in range(1, min(q.bit_length() + 1, 65)):
        for plain in (False, True):
            for words in range(1, MAX_STEPS):
                chain = word_chain(q, x, w, words, goal, plain=plain)
                if chain is None:
                    break
                y = chain[-1].y
                if y.within(lazy(q)) or _correction(y, q, 1):
                    yield corrected(chain, q)
                if y.within(lazy(q)):
                    break


@lru_cache(maxsize=4096)
def word_chain(q: int, x: Range, w: int, words: int, goal: Goal, *, plain: bool) -> Chain | None:
    """Montgomery in `words` words of `w` bits; None if the last word is of no use."""
    before = word_chain(q, x, w, words - 1, goal, plain=plain) if words > 1 else ()
    if before is None:
        return None
    now = before[-1].y if before else x
    if w >= now.width:
        return None
    free = (q - 1) % (1 << w) == 0 or (q + 1) % (1 << w) == 0
    if not free and w < q.bit_length() // 6:
        return None
    step = (low_fold if free else montgomery)(now, w, q, goal, plain=plain)
    if step.y.hi - step.y.lo >= now.hi - now.lo:
        return None
    if plain and not (step.c1 and step.c1.tiling):
        return None  # only sums of tiles gain by it
    return (*before, step)


def full_montgomery(q: int, x: Range, goal: Goal, reach: int = 0) -> Chain | None:
    """Montgomery in one step, with R a little above q, but below x: something of x is kept."""
    width = q.bit_length()
    splits = range(width, min(width + 3, x.width))
    chains = (corrected((montgomery(x, w, q, goal),), q) for w in splits)
    return _cheapest(chains, q, goal, reach)


def full_barrett(q: int, x: Range, goal: Goal, reach: int = 0) -> Chain | None:
    """Barrett in one step: two products."""
    width = q.bit_length()
    chains = (
        corrected((barrett(x, split, shift, q, goal),), q)
        for split in range(max(1, width - 3), max(2, width))
        for shift in range(width + 1, width + 5)
    )
    return _cheapest(chains, q, goal, reach)


@lru_cache(maxsize=4096)
def shift_chain(q: int, x: Range, divide: int) -> Chain | None:
    """The chain after a product by shifts: no tiles, and divided by 2^divide, 0 or 1."""
    goal = Goal(prefer="dsp")
    halved = (low_fold(x, 1, q, goal),) if divide else ()
    now = halved[-1].y if halved else x
    rest = [kind(q, now, goal) for kind in (solinas, goldilocks)]
    found = [chain for chain in rest if chain is not None and not chain_cost(chain).dsp]
    if not found:
        return None
    chain = halved + min(found, key=lambda c: (chain_cost(c).lut, chain_rows(c)))
    return chain or (pass_through(x),)


KINDS: dict[str, Callable[[int, Range, Goal, int], Chain | None]] = {
    "solinas": solinas,
    "goldilocks": goldilocks,
    "word-montgomery": word_montgomery,
    "montgomery": full_montgomery,
    "barrett": full_barrett,
}


def find_chain(kind: str, q: int, x: Range, goal: Goal, reach: int = 0) -> Chain:
    """The cheapest chain of a kind; a result that reaches a modulus from 0 costs `reach` LUTs."""
    chain = KINDS[kind](q, x, goal, reach)
    if chain is None:
        raise NttforgeError(
            "reduction",
            f"{kind} does not apply to q = {q}",
            "use 'auto', or 'montgomery', which takes any odd modulus",
        )
    return chain
