# SPDX-License-Identifier: Apache-2.0
"""The plan of ntf_mod_mul_half.sv: a product every second clock for half the multiplier blocks."""

from collections.abc import Iterator
from dataclasses import dataclass

from nttforge.errors import NttforgeError
from nttforge.reduction.constant import Cost, Goal
from nttforge.reduction.kinds import (
    MAX_STEPS,
    Chain,
    chain_cost,
    corrected,
    goldilocks,
    solinas,
    word_chain,
)
from nttforge.reduction.numbers import Range, centred
from nttforge.reduction.plan import MultiplierPlan, assembled, check
from nttforge.reduction.product import best_product


@dataclass(frozen=True)
class HalfRatePlan:
    """A modular multiplier at half rate; make one with :func:`plan_half_rate`.

    - `core`: the product with one half of `b`, and the reduction, both used twice.
    - `split`: bits of the lower half of `b`.
    - `low_first`: which half is multiplied first: the lower one if the reduction divides, by
      2^split.
    - `delay`: clocks from the first half's turn to the second's, an odd number.
    """

    core: MultiplierPlan
    split: int
    low_first: bool
    delay: int

    @property
    def q(self) -> int:
        """The modulus."""
        return self.core.moduli[0]

    @property
    def b_width(self) -> int:
        """Bits of the constant operand."""
        return self.q.bit_length()

    @property
    def latency(self) -> int:
        """Clocks from a pair of operands to its result."""
        return self.delay + self.core.latency

    @property
    def scale(self) -> int:
        """The result is divided by this power of two, modulo q."""
        return self.core.reductions[0].scale ** 2

    def encode(self, b: int) -> int:
        """The constant operand that multiplies by b: b * scale modulo q, centred."""
        return centred(b * self.scale, self.q)

    def model(self, a: int, b: int) -> int:
        """The result of the hardware, bit by bit, for an encoded b."""
        if abs(a) > 2 * self.q or abs(b) > self.q // 2:
            raise ValueError(f"operands {a}, {b} are out of range for q = {self.q}")
        reduce = self.core.reductions[0].reduce
        low, high = b & (1 << self.split) - 1, b >> self.split
        if self.low_first:
            return reduce(a * high + reduce(a * low))
        return reduce(a * low + (reduce(a * high) << self.split))

    def cost(self) -> Cost:
        """Area by the model: what both halves use, and what chooses between them."""
        product = self.core.product
        return self.core.cost() + Cost(
            product.a_width + product.b_width + self.core.reductions[0].steps[0].x.width
        )

    def sv_config(self, prefix: str = "Half") -> str:
        """SystemVerilog declarations of ntf_mod_mul_half's parameters, named with the prefix."""
        numbers = {"BW": self.b_width, "Split": self.split, "Delay": self.delay}
        lines = [
            f"  localparam int unsigned {prefix}{name} = {value};\n"
            for name, value in numbers.items()
        ]
        lines.append(f"  localparam bit {prefix}LowFirst = 1'b{int(self.low_first)};\n")
        return self.core.sv_config(prefix) + "".join(lines)


def plan_half_rate(
    q: int, *, adders_per_stage: int = 4, target: str = "xcup", prefer: str = "balanced"
) -> HalfRatePlan:
    """Plan a multiplier modulo an odd `q` of 8 to 256 bits that takes a pair every second clock."""
    check([q], "auto", adders_per_stage, target, prefer)
    goal = Goal(target, prefer)
    plans = [
        _assembled(q, split, chain, goal, adders_per_stage, low_first=low_first)
        for split, chain, low_first in (*_divided(q, goal), *_folded(q, goal))
    ]
    if not plans:
        raise NttforgeError("moduli", f"{q} is too small to be halved", "use the full rate")
    return min(plans, key=lambda plan: (goal.score(plan.cost()), plan.latency))


def _assembled(
    q: int, split: int, chain: Chain, goal: Goal, adders_per_stage: int, *, low_first: bool
) -> HalfRatePlan:
    width = q.bit_length()
    halves = max(split + 1, width - split)
    product = best_product(width + 2, halves, width + 2 + halves, goal)
    core = assembled(goal, adders_per_stage, product, [q], [("half", chain)], summed=True)
    return HalfRatePlan(core, split, low_first, core.reductions[0].latency + 1 | 1)


def _input_range(q: int, split: int, *, low_first: bool) -> Range:
    """Range of what the reduction takes in either turn, for |a| <= 2q and |b| <= q/2."""
    low = 2 * q * ((1 << split) - 1)
    high = 2 * q * ((q // 2 >> split) + 1)
    most = max(low, high + q) if low_first else max(high, low + (q << split))
    return Range(-most, most)


def _divided(q: int, goal: Goal) -> Iterator[tuple[int, Chain, bool]]:
    """Reductions that divide by 2^split, word by word (Montgomery)."""
    width = q.bit_length()
    for w in range(1, min(width // 2 + 1, 65)):
        least = -(-width // (2 * w))
        for words in (least, least + 1):
            split = w * words
            if not 1 < split < width or words > MAX_STEPS:
                continue
            x = _input_range(q, split, low_first=True)
            for plain in (False, True):
                chain = word_chain(q, x, w, words, goal, plain=plain)
                done = chain and corrected(chain, q)
                if done:
                    yield split, done, True


def _folded(q: int, goal: Goal) -> Iterator[tuple[int, Chain, bool]]:
    """Reductions that divide by nothing."""
    width = q.bit_length()
    for split in range(width // 2 - 2, width // 2 + 3):
        if not 1 < split < width:
            continue
        x = _input_range(q, split, low_first=False)
        chains = [chain for kind in (solinas, goldilocks) if (chain := kind(q, x, goal))]
        if chains:
            yield split, min(chains, key=lambda c: goal.score(chain_cost(c))), False
