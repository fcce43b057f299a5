# SPDX-License-Identifier: Apache-2.0
"""The plan of ntf_mod_mul.sv: a shared product, a reduction for each modulus, registers."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Literal

from nttforge.errors import NttforgeError
from nttforge.reduction.constant import (
    LUTS_PER_DSP,
    TILES,
    Constant,
    Cost,
    Goal,
    Row,
    Tables,
    Tiling,
)
from nttforge.reduction.kinds import (
    KINDS,
    Chain,
    chain_cost,
    chain_rows,
    find_chain,
    scale,
    shift_chain,
)
from nttforge.reduction.numbers import Range, centred
from nttforge.reduction.product import Karatsuba, Product, Shifts, best_product
from nttforge.reduction.registers import place_registers
from nttforge.reduction.step import Step, StepKind, pass_through
from nttforge.ring.primes import MAX_MODULUS_BITS

#: Widest constant, ntf_arith_pkg::MaxWidth, and from it the widest modulus.
MAX_WIDTH = 272
#: Most rows of a step, ntf_arith_pkg::MaxRows.
MAX_ROWS = 160
#: A field that its struct's default says.
_ZERO = re.compile(r"(\d*')?[bdh]?0")
#: What a multiplier is given.
Operands = Literal["constant", "residues", "either"]
#: Measured area of the multipliers of common moduli; written by `python -m tests.costs`.
COSTS_FILE = Path(__file__).with_name("costs.json")


@dataclass(frozen=True)
class Reduction:
    """The reduction of one modulus.

    - `kind`: its name, as in the design.
    - `q`: the modulus.
    - `steps`: the chain from the product to [-q, q).
    - `reg_after`: for each step, for each of its rows, whether a register follows. The very last
      row's register is the output register of ntf_mod_mul, and is False here.
    """

    kind: str
    q: int
    steps: Chain
    reg_after: tuple[tuple[bool, ...], ...]

    @cached_property
    def scale(self) -> int:
        """The chain divides by this power of two, modulo q."""
        return 1 << scale(self.steps)

    @property
    def latency(self) -> int:
        """Registers in the chain, the output register of ntf_mod_mul not counted."""
        return sum(map(sum, self.reg_after))

    def reduce(self, x: int) -> int:
        """The hardware's result for the product x."""
        for step in self.steps:
            x = step.apply(x)
        return x


@dataclass(frozen=True)
class MultiplierPlan:
    """A modular multiplier for one or several moduli; make one with :func:`plan_multiplier`.

    Operands are those of ntf_mod_mul.sv, and the result is a lazy residue in [-q, q). `operands`
    are of the kind *constant*: `a` in [-limit * q, limit * q], `b` made by :meth:`encode`; of the
    kind *residues*: both lazy residues, `b` made by :meth:`encode` or the product of two such; or
    *either*, unscaled.
    """

    goal: Goal
    adders_per_stage: int
    product: Product
    product_reg_after: tuple[bool, ...]
    reductions: tuple[Reduction, ...]
    operands: Operands = "constant"
    limit: int = 2
    summed: bool = False

    @property
    def target(self) -> str:
        """FPGA family whose multiplier blocks the products are cut for."""
        return self.goal.target

    @property
    def moduli(self) -> tuple[int, ...]:
        """The moduli, in the order of `mod_i`."""
        return tuple(r.q for r in self.reductions)

    @property
    def modulus_width(self) -> int:
        """Bits of the largest modulus."""
        return max(self.moduli).bit_length()

    @property
    def residue_width(self) -> int:
        """Bits of a lazy residue: one more than the largest modulus has."""
        return self.modulus_width + 1

    @property
    def a_width(self) -> int:
        """Bits of the variable operand."""
        return self.product.a_width

    @property
    def b_width(self) -> int:
        """Bits of the constant operand, or of a residue that takes its place."""
        return self.product.b_width

    @property
    def latency(self) -> int:
        """Clocks from the operands to the result, the same for every modulus."""
        return sum(self.product_reg_after) + self.summed + self.reductions[0].latency + 1

    @property
    def steps(self) -> int:
        """Steps of each reduction."""
        return len(self.reductions[0].steps)

    def encode(self, b: int, mod_index: int = 0) -> int:
        """The constant operand that multiplies by b.

        That is b * scale modulo q, centred; if the product is by shifts, that power of two's code.

        Raises ValueError if the product is by shifts and b is not among its factors.
        """
        reduction = self.reductions[mod_index]
        factor = centred(b * reduction.scale, reduction.q)
        if isinstance(self.product, Shifts):
            return self.product.encode(factor, reduction.q)
        return factor

    def model(self, a: int, b: int, mod_index: int = 0) -> int:
        """The result of the hardware, bit by bit, for an encoded b.

        Raises ValueError if an operand is out of its range, where the hardware promises nothing.
        """
        q = self.moduli[mod_index]
        constant = abs(a) <= self.limit * q and abs(b) <= q // 2
        residues = -q <= min(a, b) and max(a, b) < q
        valid = {"constant": constant, "residues": residues, "either": constant or residues}
        if not valid[self.operands]:
            raise ValueError(f"operands {a}, {b} are out of range for q = {q}")
        return self.reductions[mod_index].reduce(self.product.multiply(a, b))

    def cost(self) -> Cost:
        """Area by the model: adder bits, and the bits that choose among moduli."""
        choose = (len(self.moduli) - 1) * self.residue_width
        chains = (chain_cost(r.steps) for r in self.reductions)
        return sum(chains, self.product.cost() + Cost(choose))

    def describe(self) -> str:
        """A few lines for reports: each modulus' kind and steps, latency, tiles."""
        tiling = self.product
        if isinstance(tiling, Shifts):
            lines = [f"{tiling.a_width} bits by shifts, latency {self.latency}"]
        else:
            blocks = f", {tiling.blocks} blocks a side" if isinstance(tiling, Karatsuba) else ""
            lines = [
                f"{tiling.a_width} x {tiling.b_width} bits in {tiling.cost().dsp} tiles of "
                f"{tiling.tile_a} x {tiling.tile_b}{blocks}, latency {self.latency}"
            ]
        for r in self.reductions:
            steps = ", ".join(_step_name(s) for s in r.steps if s.kind is not StepKind.PASS)
            lines.append(f"q = {r.q}: {r.kind}, R = 2^{scale(r.steps)}: {steps}")
        return "\n".join(lines)

    def padded(self, steps: int) -> "MultiplierPlan":
        """The same with `steps` steps in each reduction, the last of them rows without logic."""
        return replace(self, reductions=tuple(_padded(r, steps) for r in self.reductions))

    def sv_cfg(self, prefix: str) -> str:
        """Declaration of {prefix}Cfg."""
        cfg = {
            "num_mods": f"8'd{len(self.moduli)}",
            "num_steps": f"8'd{self.steps}",
            "mod_width": field_number(self.modulus_width),
            **field_numbers(self, "a_width", "b_width"),
            "product_width": field_number(self.product.out_width),
            **product_fields(self.product),
            "reg_after": field_mask(self.product_reg_after),
            "latency": f"8'd{self.latency}",
        }
        pattern = struct_pattern(cfg, "    ")
        return f"  localparam ntf_arith_pkg::mul_cfg_t {prefix}Cfg = {pattern};\n\n"

    def sv_config(self, prefix: str = "Mul") -> str:
        """Declarations of {prefix}Cfg and {prefix}Steps, parameters of ntf_mod_mul."""
        steps = self.steps
        names = [[f"{prefix}Mod{m}Step{i}" for i in range(steps)] for m in range(len(self.moduli))]
        declared = [
            f"  // q = {r.q}, {r.kind}: {_step_name(step)}.\n{step_declaration(name, step, mask)}\n"
            for r, row in zip(self.reductions, names, strict=True)
            for name, step, mask in zip(row, r.steps, r.reg_after, strict=True)
        ]
        last_first = ",\n".join(f"    {n}" for row in reversed(names) for n in reversed(row))
        return (
            "  // Fields that are not given are 0; ntf_arith_pkg.sv says what each of them is.\n"
            f"{self.sv_cfg(prefix)}"
            + "".join(declared)
            + f"  // Step i of modulus m is number m * {steps} + i; the last one comes first.\n"
            f"  localparam ntf_arith_pkg::step_t [{len(declared) - 1}:0] {prefix}Steps = {{\n"
            f"{last_first}\n  }};\n"
        )


def plan_multiplier(
    moduli: Sequence[int],
    *,
    kind: str = "auto",
    adders_per_stage: int = 4,
    target: str = "xcup",
    prefer: str = "balanced",
    operands: Operands = "constant",
    limit: int = 2,
    reach: int = 0,
) -> MultiplierPlan:
    """Plan a multiplier of residues by constants, or by each other.

    - `moduli`: odd moduli of up to 256 bits; `mod_i` chooses among them.
    - `kind`: `solinas`, `goldilocks`, `word-montgomery`, `montgomery`, `barrett`, or `auto` for the
      cheapest one of each modulus.
    - `adders_per_stage`: most adder rows between two registers; 1 gives the fastest clock.
    - `target`: FPGA family whose multiplier blocks the products are cut for: xcup, xc7 or ecp5.
    - `prefer`: what to save: `dsp`, `lut`, or neither of them more (`balanced`).
    - `operands`: `constant`: a residue and a constant; `residues`: two lazy residues; `either`:
      both kinds, and as those are not scaled beforehand, the reduction is one that does not divide.
    - `limit`: a residue that meets a constant lies in [-limit * q, limit * q]; 2 or more.
    - `reach`: LUTs that are saved elsewhere by a result that reaches a modulus less far from 0.

    Raises NttforgeError naming `moduli`, `reduction`, `adders_per_stage`, `target` or `prefer`,
    whichever is wrong.
    """
    check(moduli, kind, adders_per_stage, target, prefer)
    goal = Goal(target, prefer)
    kinds_chains = [_choose(kind, q, goal, operands, limit=limit, reach=reach) for q in moduli]
    width = max(moduli).bit_length()
    product_width = max(chain[0].x.width for _, chain in kinds_chains)
    most = limit * max(moduli)
    a_width = width + 1 if operands == "residues" else Range(-most, most).width
    b_width = width + (0 if operands == "constant" else 1)
    product = best_product(a_width, b_width, product_width, goal)

    plan = assembled(goal, adders_per_stage, product, moduli, kinds_chains)
    return replace(plan, operands=operands, limit=limit)


def plan_shifts(
    moduli: Sequence[int],
    factors: Sequence[Collection[int]],
    *,
    adders_per_stage: int = 4,
    target: str = "xcup",
    prefer: str = "balanced",
    limit: int = 2,
) -> MultiplierPlan | None:
    """Plan a multiplier by powers of two, which needs no multiplier blocks.

    - `moduli`, `adders_per_stage`, `target`, `prefer`, `limit`: as in :func:`plan_multiplier`.
    - `factors`: all factors of each modulus.

    Returns None unless each factor, or twice it, is plus or minus a small enough power of two.

    Raises NttforgeError as :func:`plan_multiplier`.
    """
    check(moduli, "auto", adders_per_stage, target, prefer)
    goal = Goal(target, prefer)
    plans = []
    for divide in (0, 1):
        for sign in (False, True):
            shifts = _shifts(moduli, factors, divide=divide, sign=sign, limit=limit)
            if shifts:
                product, chains = shifts
                plan = assembled(goal, adders_per_stage, product, moduli, chains)
                plans.append(replace(plan, limit=limit))
    return min(plans, key=lambda plan: goal.score(plan.cost()), default=None)


def _shifts(
    moduli: Sequence[int],
    factors: Sequence[Collection[int]],
    *,
    divide: int,
    sign: bool,
    limit: int,
) -> tuple[Shifts, list[tuple[str, Chain]]] | None:
    """The product by shifts of factors times 2^divide, and the reductions; None if impossible."""
    exponents = [0]
    for q, mine in zip(moduli, factors, strict=True):
        powers = {pow(2, e, q): e for e in range(2 * q.bit_length(), -1, -1)}
        for factor in mine:
            scaled = (factor << divide) % q
            found = [powers[f] for f in (scaled, q - scaled)[: 1 + sign] if f in powers]
            if not found:
                return None
            exponents.append(min(found))
    top = max(exponents)
    unit = next(u for u in range(top + 1, 0, -1) if len({e % u for e in exponents}) <= 2)
    offset = max(e % unit for e in exponents)
    width = max(moduli).bit_length()
    reach = limit * max(moduli)
    ranges = [Range(-limit * q << top, limit * q << top) for q in moduli]
    out_width = max(x.width for x in ranges)
    codes = max(e // unit for e in exponents)
    product = Shifts(Range(-reach, reach).width, width, out_width, unit, codes, offset, sign)
    if product.factor_width > width:
        return None
    chains = [shift_chain(q, x, divide) for q, x in zip(moduli, ranges, strict=True)]
    found_chains = [("shifts", chain) for chain in chains if chain]
    return (product, found_chains) if len(found_chains) == len(chains) else None


def assembled(
    goal: Goal,
    adders_per_stage: int,
    product: Product,
    moduli: Sequence[int],
    kinds_chains: Sequence[tuple[str, Chain]],
    *,
    summed: bool = False,
) -> MultiplierPlan:
    """Product and reductions with their registers, all moduli alike.

    `summed` tells that a row with a register stands between the two.
    """
    tile_follows = any(c[0].rows()[0].tile for _, c in kinds_chains) and not summed
    head, room = product_registers(product, adders_per_stage, tile_follows)
    room = adders_per_stage if summed else room
    stages = max(_fewest_stages(c, adders_per_stage, room) for _, c in kinds_chains)
    chains = [_stretched(c, stages, adders_per_stage, room) for _, c in kinds_chains]
    steps = max(len(chain) for chain in chains)
    reductions = tuple(
        _reduction(name, q, chain, steps=steps, stages=stages, most=adders_per_stage, first=room)
        for q, (name, _), chain in zip(moduli, kinds_chains, chains, strict=True)
    )
    return MultiplierPlan(goal, adders_per_stage, product, head, reductions, summed=summed)


def check(
    moduli: Sequence[int], kind: str, adders_per_stage: int, target: str, prefer: str
) -> None:
    """Raise the error that names what is wrong of :func:`plan_multiplier`'s arguments, if any."""
    if not moduli:
        raise NttforgeError("moduli", "there are none", "name at least one odd prime")
    for q in moduli:
        if q < 3 or q % 2 == 0:
            raise NttforgeError("moduli", f"{q} is not an odd prime", "use an odd prime")
        if q.bit_length() > MAX_MODULUS_BITS:
            raise NttforgeError(
                "moduli",
                f"{q} has {q.bit_length()} bits",
                f"use a prime of at most {MAX_MODULUS_BITS} bits",
            )
    if kind not in ("auto", *KINDS):
        raise NttforgeError(
            "reduction", f"there is no '{kind}'", f"use one of auto, {', '.join(KINDS)}"
        )
    if adders_per_stage < 1:
        raise NttforgeError("adders_per_stage", f"{adders_per_stage} is below 1", "use 1 to 8")
    if target not in TILES:
        raise NttforgeError("target", f"there is no '{target}'", f"use one of {', '.join(TILES)}")
    if prefer not in LUTS_PER_DSP:
        raise NttforgeError(
            "prefer", f"there is no '{prefer}'", f"use one of {', '.join(LUTS_PER_DSP)}"
        )


def product_range(q: int, operands: Operands = "constant", limit: int = 2) -> Range:
    """Range of a * b for |a| <= limit * q and |b| <= (q-1)/2; or for lazy residues; or for both."""
    reach = limit * q * (q - 1) // 2
    residues = Range(-q * (q - 1), q * q)
    if operands == "constant":
        return Range(-reach, reach)
    return (
        residues if operands == "residues" else Range(min(-reach, residues.lo), max(reach, q * q))
    )


@lru_cache(maxsize=256)
def _choose(
    kind: str, q: int, goal: Goal, operands: Operands, *, limit: int, reach: int
) -> tuple[str, Chain]:
    if limit > 2 or reach:  # The order of the kinds is that of the usual ones, which were measured.
        best, _ = _choose(kind, q, goal, operands, limit=2, reach=0)
        return best, find_chain(best, q, product_range(q, operands, limit), goal, reach)
    x, unscaled = product_range(q, operands), operands == "either"
    if kind != "auto":
        given = find_chain(kind, q, x, goal)
        if unscaled and scale(given):
            raise NttforgeError(
                "reduction",
                f"{kind} divides products by 2^{scale(given)}",
                "use auto, solinas or barrett for a core that multiplies polynomials",
            )
        return kind, given
    found = {name: chain for name, find in KINDS.items() if (chain := find(q, x, goal, 0))}
    if unscaled:
        found = {name: chain for name, chain in found.items() if not scale(chain)}
    costs = {name: chain_cost(chain) for name, chain in found.items()}
    measured = measured_costs().get((goal.target, q), {})
    if goal.prefer == "balanced" and measured.keys() >= costs.keys():
        costs = {name: measured[name] for name in costs}
    best = min(found, key=lambda name: (goal.score(costs[name]), chain_rows(found[name])))
    return best, found[best]


@cache
def measured_costs() -> dict[tuple[str, int], dict[str, Cost]]:
    """Measured area by target and modulus, then by kind; empty if nothing was measured."""
    if not COSTS_FILE.is_file():
        return {}
    table = json.loads(COSTS_FILE.read_text())
    return {
        (target, int(q)): {kind: Cost(*cost) for kind, cost in row.items()}
        for target, rows in table.items()
        for q, row in rows.items()
    }


def product_registers(
    product: Product, most: int, tile_follows: bool
) -> tuple[tuple[bool, ...], int]:
    """Registers of the product's rows, and how many rows its last stage has room for."""
    rows = product.rows()
    tiles = sum(row.tile for row in rows)  # the first rows
    adders = len(rows) - tiles
    registers = [True] * tiles + [i % most == 0 for i in range(1, adders + 1)]
    if tile_follows:
        registers[-1] = True
    pending = 0 if registers[-1] else adders % most
    return tuple(registers), most - pending


def _rows(chain: Chain) -> tuple[Row, ...]:
    return tuple(row for step in chain for row in step.rows())


def _fewest_stages(chain: Chain, most: int, first: int) -> int:
    registers = place_registers(_rows(chain), most, first=first)
    assert registers is not None
    return sum(registers)


def _stretched(chain: Chain, stages: int, most: int, first: int) -> Chain:
    """The chain with as many rows without logic after it as that many stages need."""
    while place_registers(_rows(chain), most, first=first, stages=stages) is None:
        chain += (pass_through(chain[-1].y),)
    return chain


def _reduction(
    kind: str, q: int, chain: Chain, *, steps: int, stages: int, most: int, first: int
) -> Reduction:
    """Pad a stretched chain to `steps` steps, and place its registers."""
    registers = place_registers(_rows(chain), most, first=first, stages=stages)
    assert registers is not None
    rest = [*registers[:-1], False]
    masks = []
    for step in chain:
        count = len(step.rows())
        masks.append(tuple(rest[:count]))
        rest = rest[count:]
    return _padded(Reduction(kind, q, chain, tuple(masks)), steps)


def _padded(reduction: Reduction, steps: int) -> Reduction:
    """The reduction with rows without logic or register up to `steps` steps."""
    missing = steps - len(reduction.steps)
    last = pass_through(reduction.steps[-1].y)
    return replace(
        reduction,
        steps=reduction.steps + (last,) * missing,
        reg_after=reduction.reg_after + ((False,),) * missing,
    )


def product_fields(product: Product) -> dict[str, str]:
    """Fields of mul_cfg_t that choose the product."""
    numbers = dict.fromkeys(
        (
            *("tile_a", "tile_b", "lut_tile", "blocks", "block_width"),
            *("shift_unit", "shift_offset", "code_width"),
        ),
        0,
    )
    match product:
        case Shifts():
            numbers |= {"shift_unit": product.unit, "shift_offset": product.offset}
            numbers |= {"code_width": product.code_width}
        case _:
            numbers |= {name: getattr(product, name) for name in ("tile_a", "tile_b", "lut_tile")}
    if isinstance(product, Karatsuba):
        numbers |= {"blocks": product.blocks, "block_width": product.block_width}
    sign = isinstance(product, Shifts) and product.sign
    fields = {name: field_number(value) for name, value in numbers.items()}
    return fields | {"shift_sign": _flag(sign)}


def field_number(value: int) -> str:
    """A width or a place as a field of a struct."""
    return f"10'd{value}"


def field_numbers(thing: object, *names: str) -> dict[str, str]:
    """Attributes of something as numbers, by name."""
    return {name: field_number(getattr(thing, name)) for name in names}


def field_mask(bits: Sequence[bool]) -> str:
    """Registers behind rows. The cast would cut what is too long, without a word."""
    assert len(bits) <= MAX_ROWS, f"{len(bits)} rows are more than ntf_arith_pkg::MaxRows"
    digits = "".join("1" if bit else "0" for bit in reversed(bits))
    return f"ntf_arith_pkg::MaxRows'({len(bits)}'b{digits})"


def _signed(value: int) -> str:
    """A constant; a plain number, which is signed, has 32 bits."""
    if abs(value) < 1 << 31:
        return str(value)
    return f"{'-' if value < 0 else ''}{MAX_WIDTH}'sh{abs(value):x}"


def _flag(value: bool) -> str:
    return f"1'b{int(value)}"


def struct_pattern(fields: dict[str, str], indent: str) -> str:
    """A struct's literal, a field a line, without those that are 0."""
    given = [f"{name}: {value}" for name, value in fields.items() if not _ZERO.fullmatch(value)]
    inner = "".join(f"{indent}{field},\n" for field in given)
    return f"'{{\n{inner}{indent}default: '0\n{indent[2:]}}}"


def _constant_pattern(constant: Constant | None, indent: str) -> str:
    if constant is None:
        return "'0"
    factor = constant.dense if constant.tiling else constant.value
    digits = "".join(
        f"{indent}  {number}: '{{neg: {_flag(sign < 0)}, shift: {field_number(shift)}, "
        f"width: {field_number(width)}}},  // {'-' if sign < 0 else '+'} 2^{shift}\n"
        for number, (sign, shift, width) in enumerate(constant.digits)
    )
    tiling = constant.tiling if isinstance(constant.tiling, Tiling) else None
    tables = constant.tiling if isinstance(constant.tiling, Tables) else None
    return struct_pattern(
        {
            "num_digits": f"4'd{len(constant.digits)}",
            "digits": f"'{{\n{digits}{indent}  default: '0\n{indent}}}" if digits else "'0",
            "value": _signed(factor),
            "width": field_number(Range(factor, factor).width),
            "shift": field_number(constant.shift),
            "dense_width": field_number(constant.dense_width),
            "tile_a": field_number(tiling.tile_a if tiling else 0),
            "tile_b": field_number(tiling.tile_b if tiling else 0),
            "lut_tile": field_number(tiling.lut_tile if tiling else 0),
            "plain": _flag(tiling is not None and tiling.plain),
            "first_bits": f"4'd{tables.first if tables else 0}",
            "next_bits": f"4'd{tables.following if tables else 0}",
        },
        indent,
    )


def step_declaration(name: str, step: Step, reg_after: Sequence[bool]) -> str:
    """SystemVerilog declaration of one step_t, without the steps around it."""
    fields = {
        "kind": f"ntf_arith_pkg::{step.kind.value}",
        "in_width": field_number(step.x.width),
        "out_width": field_number(step.y.width),
        **field_numbers(step, "split", "shift", "part_width"),
        "neg": _flag(step.neg),
        "plain": _flag(step.plain),
        "c0": _constant_pattern(step.c0, "      "),
        "c1": _constant_pattern(step.c1, "      "),
        **field_numbers(step, "p0_width", "p1_width"),
        "reg_after": field_mask(reg_after),
    }
    return f"  localparam ntf_arith_pkg::step_t {name} = {struct_pattern(fields, '    ')};\n"


def _step_name(step: Step) -> str:
    factor = step.c1.value if step.c1 else 0
    factor = -factor if step.neg else factor
    digits = f" in {len(step.c1.digits)} digits" if step.c1 and step.c1.digits else ""
    match step.kind:
        case StepKind.HIGH:
            return f"2^{step.split} -> {factor}{digits}"
        case StepKind.LOW:
            return f"2^-{step.split} -> {factor}{digits}"
        case StepKind.MONTGOMERY:
            return f"Montgomery word of {step.split} bits"
        case StepKind.BARRETT:
            return f"quotient by (x >> {step.split}) * {step.c0.value if step.c0 else 0}"
        case StepKind.CORRECT:
            return f"+-{factor}"
        case _:
            return "a row without logic"
