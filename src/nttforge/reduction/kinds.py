# SPDX-License-Identifier: Apache-2.0
"""The reductions: for each kind, the cheapest chain of steps from a range of x to [-q, q)."""

import heapq
from collections.abc import Callable, Iterator
from itertools import count
from math import log2

from nttforge.errors import NttforgeError
from nttforge.reduction.constant import MAX_DIGITS, Cost
from nttforge.reduction.numbers import Range, centred, lazy, signed_digits
from nttforge.reduction.step import (
    Step,
    StepKind,
    barrett,
    correct,
    high_fold,
    low_fold,
    montgomery,
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


def _corrected(chain: Chain, q: int, limit: int = 2) -> Chain | None:
    """The chain with as few corrections behind it as it needs; None if that is over `limit`."""
    while not chain[-1].y.within(lazy(q)):
        step = _correction(chain[-1].y, q, limit)
        if step is None:
            return None
        chain = (*chain, step)
    return chain


def _cheapest(chains: Iterator[Chain | None], q: int, reach: int) -> Chain | None:
    """The chain of least area, if a result that reaches a modulus from 0 costs `reach` LUTs."""

    def cost(chain: Chain) -> tuple[float, int]:
        y = chain[-1].y
        return chain_cost(chain).score + reach * max(-y.lo, y.hi) / q, chain_rows(chain)

    found = [chain for chain in chains if chain is not None and len(chain) <= MAX_STEPS]
    return min(found, key=cost, default=None)


def solinas(q: int, x: Range, target: str, reach: int = 0) -> Chain | None:
    """Signed-power folding: the cheapest path of folds and corrections (best first).

    A fold at bit k replaces 2^k by c = 2^k mod+- q, for every k at which c has few signed digits.
    """
    del target, reach  # No tiles in it, hence the same everywhere; it ends with corrections.
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
            cost = spent + step.cost().score
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
    return step.cost().score / (log2(x.hi - x.lo) - log2(step.y.hi - step.y.lo))


def goldilocks(q: int, x: Range, target: str, reach: int = 0) -> Chain | None:
    """The classical two folds of 2^64 - 2^32 + 1, at bits 96 and 64."""
    del target, reach
    if q != GOLDILOCKS:
        return None
    first = high_fold(x, 96, -1)
    assert first is not None
    second = high_fold(first.y, 64, 2**32 - 1)
    assert second is not None
    return _corrected((first, second), q)


def word_montgomery(q: int, x: Range, target: str, reach: int = 0) -> Chain | None:
    """Montgomery a word at a time, with the word that makes it cheapest.

    For q = +-1 modulo 2^w the quotient is the low word itself; every other w needs a product more.
    """
    return _cheapest(_words(q, x, target), q, reach)


def _words(q: int, x: Range, target: str) -> Iterator[Chain | None]:
    for w in range(1, min(q.bit_length() + 1, 64)):
        free = (q - 1) % (1 << w) == 0 or (q + 1) % (1 << w) == 0
        if not free and w < q.bit_length() // 6:
            continue
        now = x
        chain: Chain = ()
        while not now.within(lazy(q)) and len(chain) < MAX_STEPS:
            step = low_fold(now, w, q, target) if free else montgomery(now, w, q, target)
            if step.y.hi - step.y.lo >= now.hi - now.lo:
                break
            now = step.y
            chain = (*chain, step)
            if _correction(now, q, 1):
                yield _corrected(chain, q)
        yield _corrected(chain, q) if chain else None


def full_montgomery(q: int, x: Range, target: str, reach: int = 0) -> Chain | None:
    """Montgomery in one step, with R a little above q."""
    width = q.bit_length()
    chains = (_corrected((montgomery(x, w, q, target),), q) for w in range(width, width + 3))
    return _cheapest(chains, q, reach)


def full_barrett(q: int, x: Range, target: str, reach: int = 0) -> Chain | None:
    """Barrett in one step: two products."""
    width = q.bit_length()
    chains = (
        _corrected((barrett(x, split, shift, q, target),), q)
        for split in range(max(1, width - 3), max(2, width))
        for shift in range(width + 1, width + 5)
    )
    return _cheapest(chains, q, reach)


KINDS: dict[str, Callable[[int, Range, str, int], Chain | None]] = {
    "solinas": solinas,
    "goldilocks": goldilocks,
    "word-montgomery": word_montgomery,
    "montgomery": full_montgomery,
    "barrett": full_barrett,
}


def find_chain(kind: str, q: int, x: Range, target: str, reach: int = 0) -> Chain:
    """The cheapest chain of one kind, if a result that reaches a modulus from 0 costs `reach` LUTs.

    Raises
    ------
    NttforgeError
        If the kind does not apply to this modulus.
    """
    chain = KINDS[kind](q, x, target, reach)
    if chain is None:
        raise NttforgeError(
            "reduction",
            f"{kind} does not apply to q = {q}",
            "use 'auto', or 'montgomery', which takes any odd modulus",
        )
    return chain
