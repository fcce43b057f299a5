# SPDX-License-Identifier: Apache-2.0
"""The plan of mod_mul.sv: a shared product, a reduction for each modulus, and their registers."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from nttforge.errors import NttforgeError
from nttforge.reduction.constant import TILES, Constant, Cost, Row, Tiling, best_tiling
from nttforge.reduction.kinds import KINDS, Chain, chain_cost, chain_rows, find_chain, scale
from nttforge.reduction.numbers import Range, centred
from nttforge.reduction.registers import place_registers
from nttforge.reduction.step import Step, StepKind, pass_through

#: Widest modulus, from arith_pkg::MaxWidth.
MAX_MODULUS_BITS = 256
#: Measured area of the multipliers of common moduli; written by nttforge.reduction.measure.
COSTS_FILE = Path(__file__).with_name("costs.json")


@dataclass(frozen=True)
class Reduction:
    """The reduction of one modulus.

    Attributes
    ----------
    kind
        Its name, as in the design.
    q
        The modulus.
    steps
        The chain from the product to [-q, q).
    reg_after
        For each step, for each of its rows, whether a register follows. The very last row's
        register is the output register of mod_mul, and is False here.
    """

    kind: str
    q: int
    steps: Chain
    reg_after: tuple[tuple[bool, ...], ...]

    @property
    def scale(self) -> int:
        """The chain divides by this power of two, modulo q."""
        return 1 << scale(self.steps)

    @property
    def latency(self) -> int:
        """Registers in the chain, the output register of mod_mul not counted."""
        return sum(map(sum, self.reg_after))

    def reduce(self, x: int) -> int:
        """What the hardware makes of the product x."""
        for step in self.steps:
            x = step.apply(x)
        return x


@dataclass(frozen=True)
class MultiplierPlan:
    """A modular multiplier for one or several moduli; make one with :func:`plan_multiplier`.

    Operands are those of mod_mul.sv: `a` in [-limit * q, limit * q], `b` made by :meth:`encode`;
    the result is a lazy residue in [-q, q).
    """

    target: str
    adders_per_stage: int
    product: Tiling
    product_reg_after: tuple[bool, ...]
    reductions: tuple[Reduction, ...]
    limit: int = 2

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
        """Bits of the constant operand."""
        return self.modulus_width

    @property
    def latency(self) -> int:
        """Clocks from the operands to the result, the same for every modulus."""
        return sum(self.product_reg_after) + self.reductions[0].latency + 1

    def encode(self, b: int, mod_index: int = 0) -> int:
        """The constant operand that multiplies by b: b * scale modulo q, centred."""
        reduction = self.reductions[mod_index]
        return centred(b * reduction.scale, reduction.q)

    def model(self, a: int, b: int, mod_index: int = 0) -> int:
        """The result of the hardware, bit by bit, for an encoded b.

        Raises
        ------
        ValueError
            If an operand is out of its range, where the hardware promises nothing.
        """
        q = self.moduli[mod_index]
        if abs(a) > self.limit * q or abs(b) > q // 2:
            raise ValueError(f"operands {a}, {b} are out of range for q = {q}")
        return self.reductions[mod_index].reduce(a * b)

    def cost(self) -> Cost:
        """Area by the model: adder bits, and the bits that choose among moduli."""
        choose = (len(self.moduli) - 1) * self.residue_width
        chains = (chain_cost(r.steps) for r in self.reductions)
        return sum(chains, self.product.cost() + Cost(choose))

    def describe(self) -> str:
        """A few lines for reports: each modulus' kind and steps, latency, tiles."""
        tiling = self.product
        lines = [
            f"{tiling.a_width} x {tiling.b_width} bits in {tiling.cost().dsp} tiles of "
            f"{tiling.tile_a} x {tiling.tile_b}, latency {self.latency}"
        ]
        for r in self.reductions:
            steps = ", ".join(_step_name(s) for s in r.steps if s.kind is not StepKind.PASS)
            lines.append(f"q = {r.q}: {r.kind}, R = 2^{scale(r.steps)}: {steps}")
        return "\n".join(lines)

    def sv_config(self, prefix: str = "Mul") -> str:
        """SystemVerilog declarations of {prefix}Cfg and {prefix}Steps, parameters of mod_mul."""
        steps = max(len(r.steps) for r in self.reductions)
        cfg = {
            "num_mods": f"8'd{len(self.moduli)}",
            "num_steps": f"8'd{steps}",
            "mod_width": _num(self.modulus_width),
            "a_width": _num(self.a_width),
            "b_width": _num(self.b_width),
            "product_width": _num(self.product.out_width),
            "tile_a": _num(self.product.tile_a),
            "tile_b": _num(self.product.tile_b),
            "reg_after": _mask(self.product_reg_after),
            "latency": f"8'd{self.latency}",
        }
        names = [[f"{prefix}Mod{m}Step{i}" for i in range(steps)] for m in range(len(self.moduli))]
        declared = [
            f"  // q = {r.q}, {r.kind}: {_step_name(step)}.\n{step_declaration(name, step, mask)}\n"
            for r, row in zip(self.reductions, names, strict=True)
            for name, step, mask in zip(row, r.steps, r.reg_after, strict=True)
        ]
        last_first = ",\n".join(f"    {n}" for row in reversed(names) for n in reversed(row))
        return (
            f"  localparam arith_pkg::mul_cfg_t {prefix}Cfg = {_pattern(cfg, '    ')};\n\n"
            + "".join(declared)
            + f"  // Step i of modulus m is number m * {steps} + i; the last one comes first.\n"
            f"  localparam arith_pkg::step_t [{len(declared) - 1}:0] {prefix}Steps = {{\n"
            f"{last_first}\n  }};\n"
        )


def plan_multiplier(
    moduli: Sequence[int],
    *,
    kind: str = "auto",
    adders_per_stage: int = 4,
    target: str = "xcup",
    limit: int = 2,
    reach: int = 0,
) -> MultiplierPlan:
    """Plan a multiplier of residues by constants.

    Parameters
    ----------
    moduli
        Odd moduli of up to 256 bits; `mod_i` chooses among them.
    kind
        `solinas`, `goldilocks`, `word-montgomery`, `montgomery`, `barrett`, or `auto` for the
        cheapest one of each modulus.
    adders_per_stage
        Most adder rows between two registers; 1 gives the fastest clock.
    target
        FPGA family whose multiplier blocks the products are cut for: xcup, xc7 or ecp5.
    limit
        The variable operand lies in [-limit * q, limit * q]; 2 or more.
    reach
        LUTs that are saved elsewhere by a result that reaches a modulus less far from 0.

    Raises
    ------
    NttforgeError
        Naming `moduli`, `reduction`, `adders_per_stage` or `target`, whichever is wrong.
    """
    _check(moduli, kind, adders_per_stage, target)
    kinds_chains = [_choose(kind, q, target, limit, reach) for q in moduli]
    reach = limit * max(moduli)
    product_width = max(chain[0].x.width for _, chain in kinds_chains)
    product = best_tiling(
        Range(-reach, reach).width, max(moduli).bit_length(), product_width, target
    )

    head, room = _product_registers(
        product, adders_per_stage, any(c[0].rows()[0].tile for _, c in kinds_chains)
    )
    stages = max(_fewest_stages(c, adders_per_stage, room) for _, c in kinds_chains)
    chains = [_stretched(c, stages, adders_per_stage, room) for _, c in kinds_chains]
    steps = max(len(chain) for chain in chains)
    reductions = tuple(
        _reduction(name, q, chain, steps=steps, stages=stages, most=adders_per_stage, first=room)
        for q, (name, _), chain in zip(moduli, kinds_chains, chains, strict=True)
    )
    return MultiplierPlan(target, adders_per_stage, product, head, reductions, limit)


def _check(moduli: Sequence[int], kind: str, adders_per_stage: int, target: str) -> None:
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


def product_range(q: int, limit: int = 2) -> Range:
    """Range of a * b for |a| <= limit * q and |b| <= (q-1)/2."""
    reach = limit * q * (q - 1) // 2
    return Range(-reach, reach)


@lru_cache(maxsize=256)
def _choose(kind: str, q: int, target: str, limit: int, reach: int) -> tuple[str, Chain]:
    if limit > 2 or reach:  # The order of the kinds is that of the usual ones, which were measured.
        best, _ = _choose(kind, q, target, 2, 0)
        return best, find_chain(best, q, product_range(q, limit), target, reach)
    x = product_range(q)
    if kind != "auto":
        return kind, find_chain(kind, q, x, target)
    found = {name: chain for name, find in KINDS.items() if (chain := find(q, x, target, 0))}
    costs = {name: chain_cost(chain) for name, chain in found.items()}
    measured = measured_costs().get((target, q), {})
    if measured.keys() >= costs.keys():
        costs = measured
    best = min(found, key=lambda name: (costs[name].score, chain_rows(found[name])))
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


def _product_registers(
    product: Tiling, most: int, tile_follows: bool
) -> tuple[tuple[bool, ...], int]:
    """Registers of the product's rows, and how many rows its last stage has room for."""
    adders = len(product.rows()) - 1
    registers = [True] + [i % most == 0 for i in range(1, adders + 1)]
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
    """The chain with as many rows without logic behind it as that many stages need."""
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
    missing = steps - len(chain)
    masks += [(False,)] * missing
    return Reduction(kind, q, chain + (pass_through(chain[-1].y),) * missing, tuple(masks))


def _num(value: int) -> str:
    return f"10'd{value}"


def _mask(bits: Sequence[bool]) -> str:
    digits = "".join("1" if bit else "0" for bit in reversed(bits))
    return f"arith_pkg::MaxRows'({len(bits)}'b{digits})"


def _signed(value: int) -> str:
    width = Range(value, value).width
    magnitude = f"{width}'sh{abs(value):x}"
    return f"{'-' if value < 0 else ''}arith_pkg::MaxWidth'({magnitude})"


def _pattern(fields: dict[str, str], indent: str) -> str:
    inner = ",\n".join(f"{indent}{name}: {value}" for name, value in fields.items())
    return f"'{{\n{inner}\n{indent[2:]}}}"


def _constant_pattern(constant: Constant | None, indent: str) -> str:
    if constant is None:
        return "'0"
    digits = [
        f"{indent}  {{1'b{int(sign < 0)}, 10'd{shift}, 10'd{width}}}"
        for sign, shift, width in reversed(constant.digits)
    ]
    last_first = ",\n".join(digits)
    tiling = constant.tiling
    return _pattern(
        {
            "num_digits": f"4'd{len(digits)}",
            "digits": f"arith_pkg::digits_t'({{\n{last_first}\n{indent}}})" if digits else "'0",
            "value": _signed(constant.value),
            "width": _num(Range(constant.value, constant.value).width),
            "tile_a": _num(tiling.tile_a if tiling else 0),
            "tile_b": _num(tiling.tile_b if tiling else 0),
        },
        indent,
    )


def step_declaration(name: str, step: Step, reg_after: Sequence[bool]) -> str:
    """SystemVerilog declaration of one step_t, without the steps around it."""
    fields = {
        "kind": f"arith_pkg::{step.kind.value}",
        "in_width": _num(step.x.width),
        "out_width": _num(step.y.width),
        "split": _num(step.split),
        "shift": _num(step.shift),
        "part_width": _num(step.part_width),
        "neg": f"1'b{int(step.neg)}",
        "c0": _constant_pattern(step.c0, "      "),
        "c1": _constant_pattern(step.c1, "      "),
        "p0_width": _num(step.p0_width),
        "p1_width": _num(step.p1_width),
        "reg_after": _mask(reg_after),
    }
    return f"  localparam arith_pkg::step_t {name} = {_pattern(fields, '    ')};\n"


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
