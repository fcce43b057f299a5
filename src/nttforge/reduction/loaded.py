# SPDX-License-Identifier: Apache-2.0
"""The multiplier by a modulus that is loaded: its steps, exact ranges and constants.

Any q = c * 2^zeros + 1 of at most `bits` bits. Every bound is a multiple of q that grows with q
(docs/appendix/rns-derivation.md has it), so what holds for the widest q holds for each. The twin of
ntf_loaded_word.sv, ntf_loaded_correct.sv and ntf_loaded_mul.sv.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nttforge.errors import NttforgeError
from nttforge.reduction.constant import Cost, Goal, Row, tile_chunks
from nttforge.reduction.kinds import MAX_STEPS
from nttforge.reduction.numbers import Range, centred, lazy, signed_low
from nttforge.reduction.plan import (
    MultiplierPlan,
    assembled,
    check,
    field_mask,
    field_number,
    field_numbers,
    product_range,
    struct_pattern,
)
from nttforge.reduction.product import best_product
from nttforge.reduction.step import Step, StepKind

#: Bits of a product in look-up tables (ntf_arith_pkg::MaxLogicQuotient).
MAX_LOGIC_QUOTIENT = 8
#: Bits of one that is as fast as a row of adders, with its sum in the same row.
MAX_ROW_QUOTIENT = 3
#: Most bits of a quotient that are not those of x: what a multiplier block takes.
MAX_QUOTIENT = 17
#: Widths of moduli.
MIN_BITS, MAX_BITS = 8, 64


@dataclass(frozen=True)
class Moduli:
    """The moduli of an engine: bits, each 1 modulo 2^zeros, inverse bits, clocks apart."""

    bits: int
    zeros: int
    inverse: int = 0
    every: int = 1

    @property
    def factor_width(self) -> int:
        """Bits of c."""
        return self.bits - self.zeros

    @property
    def constants_width(self) -> int:
        """Bits of :meth:`constants`."""
        return self.inverse + 2 * self.factor_width + 1

    @property
    def largest(self) -> int:
        """Largest number that may be a modulus."""
        return (1 << self.bits) - (1 << self.zeros) + 1

    def check(self, q: int) -> None:
        """Refuse what is no modulus."""
        wanted = f"use a prime of at most {self.bits} bits that is 1 modulo {1 << self.zeros}"
        if q.bit_length() > self.bits:
            raise NttforgeError("modulus", f"{q} has {q.bit_length()} bits", wanted)
        if q < 3 or q % (1 << self.zeros) != 1:
            raise NttforgeError("modulus", f"{q} is not 1 modulo {1 << self.zeros}", wanted)

    def constants(self, q: int) -> int:
        """Constants of the hardware: {inverse, -c, c}, c = (q - 1) / 2^zeros."""
        factor = q >> self.zeros
        width = self.factor_width
        minus = -factor & (1 << width + 1) - 1
        return (self.inverse_word(q) << 2 * width + 1) | minus << width | factor

    def inverse_word(self, q: int) -> int:
        """The highest bits of 1/q modulo 2^(zeros + inverse), which is 1 modulo 2^zeros."""
        return pow(q, -1, 1 << self.zeros + self.inverse) >> self.zeros


@dataclass(frozen=True)
class LoadedStep(Step):
    """A Montgomery word, or a correction by q * 2^split, of a loaded modulus.

    - `moduli`: the moduli.
    - `tile`: signed bits of c that a multiplier tile takes; 0 for a correction.
    - `lut_tile`: tiles that take at most so many bits of c are adders in LUTs.
    - `apart`: the product of the quotient has a row of its own.
    """

    moduli: Moduli = Moduli(23, 13)
    tile: int = 0
    lut_tile: int = 0
    apart: bool = False

    @property
    def above(self) -> int:
        """Bits of the quotient that are not those of x."""
        return max(0, self.split - self.moduli.zeros)

    @property
    def chunk_widths(self) -> tuple[int, ...]:
        """Signed bits of -c in each tile."""
        width, step = self.moduli.factor_width + 1, self.tile - 1
        count = tile_chunks(width, self.tile)
        return (*(self.tile,) * (count - 1), width - step * (count - 1))

    @property
    def merges(self) -> int:
        """Rows that add up tiles, and the quotient's carry."""
        return max(len(self.chunk_widths) - 1, int(self.above > 0))

    def reduce(self, x: int, q: int) -> int:
        """The hardware's result for x modulo q."""
        if self.kind is StepKind.CORRECT:
            return x + (q << self.split) if x < 0 else x - (q << self.split)
        m = signed_low(x * pow(q, -1, 1 << self.split), self.split)
        return x - m * q >> self.split

    def cost(self) -> Cost:
        """Area, by the model."""
        total = Cost(self.y.width)
        if self.kind is StepKind.CORRECT:
            return total
        if self.above:
            logic = self.above <= MAX_LOGIC_QUOTIENT
            total += Cost(self.above * (self.above + 3) // 2 if logic else self.above, not logic)
        reach = self.split
        for number, width in enumerate(self.chunk_widths):
            reach += width - 1
            if width <= self.lut_tile:
                total += Cost((width + 1) // 2 * (self.split + 2))
            else:
                total += Cost(0, 1)
            if number or self.merges == len(self.chunk_widths):
                first = self.above if number < 2 and self.above else number * (self.tile - 1)
                total += Cost(reach + 1 - first)
        return total

    def rows(self) -> tuple[Row, ...]:
        """Quotient, tiles, their sum, and what is kept added."""
        correct = self.kind is StepKind.CORRECT
        last = Row(self.y.width, sign=correct)
        if correct:
            return (last,)
        kept = self.x.width - self.split
        alone = self.above <= MAX_LOGIC_QUOTIENT and not self.apart
        quotient = [Row(self.x.width + 1, tile=True)] * (0 if not self.above else 1 if alone else 2)
        whole = self.split + self.moduli.factor_width + 1
        tiles = whole + self.split * (len(self.chunk_widths) - 1)
        merges = [Row(kept + whole)] * self.merges
        return (*quotient, Row(kept + tiles, tile=True), *merges, last)


def word(x: Range, split: int, moduli: Moduli, tile: int, lut_tile: int = 0) -> LoadedStep:
    """Divide by 2^split modulo any of the moduli."""
    q, half = moduli.largest, 1 << split - 1
    y = Range(-(-(x.lo - (half - 1) * q) >> split), x.hi + half * q >> split)
    return LoadedStep(
        StepKind.MONTGOMERY, x, y, split=split, moduli=moduli, tile=tile, lut_tile=lut_tile
    )


def correction(x: Range, shift: int, moduli: Moduli) -> LoadedStep:
    """x + q * 2^shift if x is negative, else x - q * 2^shift."""
    m = moduli.largest << shift
    y = Range(min(x.lo + m, -m), max(x.hi - m, m - 1))
    return LoadedStep(StepKind.CORRECT, x, y, split=shift, moduli=moduli)


def corrected(chain: Sequence[LoadedStep], moduli: Moduli) -> tuple[LoadedStep, ...] | None:
    """The chain with as few corrections after it as make residues in [-q, q): two at most."""
    q = moduli.largest
    steps = tuple(chain)
    while not steps[-1].y.within(lazy(q)):
        y = steps[-1].y
        shift = next(
            (j for j in range(2) if y.within(Range(-(q << j + 1), (q << j + 1) - 1))), None
        )
        if shift is None:
            return None
        steps = (*steps, correction(y, shift, moduli))
    return steps


def _chains(x: Range, moduli: Moduli, goal: Goal) -> Iterator[tuple[LoadedStep, ...]]:
    """Words of equal size: of each, as few as some corrections end, and more."""
    for side, tile in dict.fromkeys((goal.tile, goal.tile[::-1])):
        for split in range(2, side + 1):
            if not _possible(split, tile, moduli):
                continue
            for lut_tile in goal.lut_tiles(moduli.factor_width):
                chain: list[LoadedStep] = []
                now = x
                while len(chain) < MAX_STEPS - 2 and split < now.width:
                    step = word(now, split, moduli, tile, lut_tile)
                    if chain and step.y.hi >= now.hi:
                        break
                    chain.append(step)
                    now = step.y
                    whole = corrected(chain, moduli)
                    if whole:
                        yield whole
                    if now.within(lazy(moduli.largest)):
                        break


def _possible(split: int, tile: int, moduli: Moduli) -> bool:
    """Whether the quotient's bits above those of x are within what the hardware makes."""
    above = split - moduli.zeros
    from_factor = min(moduli.zeros, moduli.factor_width)
    return above <= min(tile - 1, MAX_QUOTIENT, moduli.inverse or from_factor)


@dataclass(frozen=True)
class LoadedPlan(MultiplierPlan):
    """A multiplier by constants modulo whatever is loaded; make one with :func:`plan_loaded`.

    Its one reduction is that of the widest modulus there may be, which bounds all others.

    - `taken`: the moduli that may be loaded.
    - `q`: the one that constants are encoded for, if there is one.
    """

    taken: Moduli = Moduli(23, 13)
    q: int | None = None

    def encode(self, b: int, mod_index: int = 0) -> int:
        """The constant operand that multiplies by b modulo :attr:`q`."""
        del mod_index
        return self.encode_for(self.q or self.taken.largest, b)

    @property
    def chain(self) -> tuple[LoadedStep, ...]:
        """The words and corrections."""
        steps = self.reductions[0].steps
        return tuple(step for step in steps if isinstance(step, LoadedStep))

    def encode_for(self, q: int, b: int) -> int:
        """The constant operand that multiplies by b modulo q: b * R, centred."""
        return centred(b * self.reductions[0].scale, q)

    def model_for(self, q: int, a: int, b: int) -> int:
        """The result of the hardware modulo q, bit by bit, for an encoded b."""
        if abs(a) > self.limit * q or abs(b) > q // 2:
            raise ValueError(f"operands {a}, {b} are out of range for q = {q}")
        x = a * b
        for step in self.chain:
            x = step.reduce(x, q)
        return x

    def describe(self) -> str:
        """A few lines for reports."""
        dsp = self.product.cost().dsp
        words = [step.split for step in self.chain if step.kind is StepKind.MONTGOMERY]
        rest = len(self.chain) - len(words)
        return (
            f"{self.a_width} x {self.b_width} bits in {dsp} tiles, latency {self.latency}\n"
            f"any q = 1 modulo 2^{self.taken.zeros} of at most {self.taken.bits} bits: "
            f"{len(words)} Montgomery words of {words[0]} bits, {rest} corrections"
        )

    def sv_config(self, prefix: str = "Mul", *, moduli: bool = True) -> str:
        """SystemVerilog of {prefix}Cfg, {prefix}Steps and, if `moduli`, {prefix}Moduli."""
        taken = (
            f"  localparam ntf_arith_pkg::loaded_moduli_t {prefix}Moduli = "
            f"{struct_pattern(moduli_fields(self.taken), '    ')};\n\n"
        )
        names = [f"{prefix}Step{i}" for i in range(len(self.chain))]
        steps = "".join(
            f"  localparam ntf_arith_pkg::loaded_step_t {name} = "
            f"{struct_pattern(_step_fields(step, mask), '    ')};\n"
            for name, step, mask in zip(
                names, self.chain, self.reductions[0].reg_after, strict=True
            )
        )
        return (
            f"{self.sv_cfg(prefix)}{taken if moduli else ''}{steps}"
            f"  localparam ntf_arith_pkg::loaded_step_t [{len(names) - 1}:0] {prefix}Steps = {{\n"
            f"    {', '.join(reversed(names))}\n  }};\n"
        )


def moduli_fields(moduli: Moduli) -> dict[str, str]:
    """Fields of loaded_moduli_t."""
    return {
        **field_numbers(moduli, "bits", "zeros", "inverse"),
        "every": f"16'd{moduli.every}",
    }


def _step_fields(step: LoadedStep, reg_after: Sequence[bool]) -> dict[str, str]:
    """Fields of loaded_step_t."""
    return {
        "correct": f"1'b{int(step.kind is StepKind.CORRECT)}",
        "apart": f"1'b{int(step.apart)}",
        "in_width": field_number(step.x.width),
        "out_width": field_number(step.y.width),
        **field_numbers(step, "split", "tile", "lut_tile"),
        "reg_after": field_mask(reg_after),
    }


def plan_loaded(
    bits: int,
    zeros: int,
    *,
    adders_per_stage: int = 4,
    target: str = "xcup",
    prefer: str = "balanced",
    limit: int = 2,
    every: int = 1,
    reach: int = 0,
    inverse: int | None = None,
    apart: bool = False,
) -> LoadedPlan:
    """Plan a multiplier of residues by constants modulo any q = 1 modulo 2^zeros.

    - `bits`, `zeros`, `every`: as the attributes of :class:`Moduli`.
    - `inverse`: so many bits of the inverse, as another multiplier has; the best number if left
      out.
    - `apart`: long products of quotients have a row of their own: shorter clocks, and more of them.
    - `adders_per_stage`, `target`, `prefer`, `limit`, `reach`: as of
      :func:`nttforge.reduction.plan_multiplier`.
    """
    if not MIN_BITS <= bits <= MAX_BITS:
        problem = f"{bits} is not from {MIN_BITS} to {MAX_BITS}"
        raise NttforgeError("bits", problem, "change it")
    if not 2 <= zeros < bits:
        raise NttforgeError("bits", f"no prime of {bits} bits is 1 modulo 2^{zeros}", "use more")
    goal = Goal(target, prefer)
    options = [
        Moduli(bits, zeros, each, every)
        for each in ({0, min(MAX_QUOTIENT, bits - zeros)} if inverse is None else {inverse})
    ]
    largest = options[0].largest
    check([largest], "auto", adders_per_stage, target, prefer)
    x = product_range(largest, limit=limit)

    def cost(chain: tuple[LoadedStep, ...]) -> tuple[float, int]:
        total = sum((step.cost() for step in chain), Cost())
        y = chain[-1].y
        score = goal.score(total) + reach * max(-y.lo, y.hi) / largest
        # An inverse takes memory and registers.
        return score + chain[0].moduli.inverse, sum(len(step.rows()) for step in chain)

    chain = min((c for moduli in options for c in _chains(x, moduli, goal)), key=cost)
    if apart:
        chain = tuple(replace(each, apart=each.above > MAX_ROW_QUOTIENT) for each in chain)
    return plan_of_steps(chain, goal, adders_per_stage=adders_per_stage, limit=limit)


def plan_of_steps(
    chain: tuple[LoadedStep, ...], goal: Goal, *, adders_per_stage: int, limit: int
) -> LoadedPlan:
    """The plan of a product and these steps, whose first one takes its range."""
    moduli, x = chain[0].moduli, chain[0].x
    largest = moduli.largest
    a_width = Range(-limit * largest, limit * largest).width
    product = best_product(a_width, moduli.bits, x.width, goal)
    plan = assembled(goal, adders_per_stage, product, [largest], [("loaded", chain)])
    return LoadedPlan(
        goal,
        adders_per_stage,
        product,
        plan.product_reg_after,
        (replace(plan.reductions[0], kind="loaded"),),
        limit=limit,
        taken=moduli,
    )
