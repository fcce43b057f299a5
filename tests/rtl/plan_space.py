# SPDX-License-Identifier: Apache-2.0
"""Multipliers drawn from all that a design may ask for, each a unit of the arithmetic bench.

What a key may be comes from design.py's own types (`tests.drawn`), so that a new value is drawn by
itself; a test demands that every argument of the planners is a key here. A number (the seed) stands
for one drawn unit, the same one everywhere.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from inspect import signature
from typing import Any, get_args

from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.hw.common import NO_REGISTERS
from nttforge.hw.growth import LIMITS
from nttforge.kinds.iterative.pairs import plan_pairs
from nttforge.reduction import MultiplierPlan, plan_half_rate, plan_multiplier, plan_shifts
from nttforge.reduction.constant import Goal, Tables, Tiling
from nttforge.reduction.kinds import GOLDILOCKS
from nttforge.reduction.numbers import Range, signed_low
from nttforge.reduction.plan import MAX_ROWS, Operands, assembled
from nttforge.reduction.product import KARATSUBA_FROM, Karatsuba, karatsubas
from nttforge.reduction.step import pass_through
from nttforge.ring.primes import MAX_MODULUS_BITS, is_prime
from tests.drawn import KEYS, Space
from tests.rtl.arith_bench import Unit, Vector
from tests.rtl.test_mod_mul import mul_unit
from tests.rtl.test_mod_mul_half import half_unit

#: Keys of a design that a multiplier depends on.
OWN_KEYS = {
    "target": "target",
    "prefer": "prefer",
    "short": "pipeline.short",
    "adders_per_stage": "pipeline.adders_per_stage",
    "reduction": "pipeline.reduction",
    "lut_tile": "iterative.lut_tile",
}
#: Most moduli that are drawn wide: every one of them is a reduction to compile.
FEW = 3


@cache
def space() -> dict[str, Space]:
    """Every key, and all that it may be."""
    rings = Design.model_fields["rings"].metadata
    most = next(bound.max_length for bound in rings if hasattr(bound, "max_length"))
    either = Space("choice", (False, True))
    return {name: KEYS[key] for name, key in OWN_KEYS.items()} | {
        "width": Space("integer", least=2, most=MAX_MODULUS_BITS),
        "moduli": Space("integer", least=1, most=most),
        "operands": Space("choice", get_args(Operands)),
        "limit": Space("choice", LIMITS),
        "reach": either,
        "output register": either,
        "sparse factor": either,
        "unit": Space("choice", tuple(UNITS)),
    }


def size(of: Space) -> int:
    """How many values there are."""
    if of.kind == "choice":
        return len(of.choices) + of.optional
    least, most = of.limits
    return most - least + 1 + of.optional


#: Arguments of the planners that are not keys by their own name: what they are drawn from.
ARGUMENTS = {"kind": "reduction", "q": "moduli", "factors": "moduli"}


def planner_arguments() -> set[str]:
    """What the planners take, by the names of keys."""
    planners = (plan_multiplier, plan_half_rate, plan_shifts)
    names = {name for planner in planners for name in signature(planner).parameters}
    return {ARGUMENTS.get(name, name) for name in names}


@dataclass
class Draw:
    """One point of the space in the making.

    Attributes
    ----------
    rng
        All that is random comes from it.
    most
        Widest modulus.
    keys
        What has been drawn and took part.
    """

    rng: random.Random
    most: int = MAX_MODULUS_BITS
    keys: dict[str, Any] = field(default_factory=dict)

    def key(self, name: str) -> Any:
        """A key's value, the same if asked again."""
        if name not in self.keys:
            of = space()[name]
            none = of.optional and self.rng.random() < 0.2
            self.keys[name] = None if none else of.draw(self.rng)
        return self.keys[name]

    def width(self, least: int = 2, most: int | None = None) -> int:
        """Bits of an operand: as many of 8 to 16 as of 16 to 32, and so on."""
        ratio = ((most or self.most) + 1) / least
        drawn = min(int(least * ratio ** self.rng.random()), most or self.most)
        self.keys["width"] = drawn
        return drawn

    @property
    def goal(self) -> Goal:
        """What is built for."""
        return Goal(self.key("target"), self.key("prefer"))

    @property
    def adders(self) -> int:
        """Adders a stage, as the families take them."""
        if self.key("short"):
            return NO_REGISTERS
        return int(self.key("adders_per_stage"))

    @property
    def planned(self) -> dict[str, Any]:
        """Arguments that all planners have."""
        goal = self.goal
        return {
            "adders_per_stage": self.adders,
            "target": goal.target,
            "prefer": goal.prefer,
        }

    def registers(self, rows: int) -> tuple[bool, ...]:
        """Registers behind the rows of a tiled product: the tiles' own, and others at random."""
        return (True, *(self.rng.random() < 0.5 for _ in range(rows - 1)))


def prime(width: int, rng: random.Random, *, sparse: bool = False) -> int:
    """A prime of so many bits: any, one with roots of unity, or one of few digits."""
    if width == 2:
        return 3
    top = 1 << width - 1
    twos = rng.randrange(1, max(2, width - 2))
    for attempt in range(1 << 16):
        if sparse and attempt < 400:
            places = [rng.randrange(1, width) for _ in range(rng.randint(0, 3))]
            q = top + sum(rng.choice((-1, 1)) << place for place in places) + 1
            q = q if q.bit_length() == width else 2 * top - q + 2
        elif attempt < 400 and twos < width - 1:
            q = top | rng.getrandbits(width - 1) >> twos << twos | 1
        else:
            q = top | rng.getrandbits(width - 1) | 1
        if q.bit_length() == width and q % 2 and is_prime(q):
            return q
    raise AssertionError(f"no prime of {width} bits")


def moduli(draw: Draw) -> list[int]:
    """One modulus or several, the widest of a drawn width."""
    rng = draw.rng
    sparse = draw.key("reduction") == "solinas" or rng.random() < 0.3
    count = rng.choices((1, 2, FEW, space()["moduli"].limits[1]), (60, 20, 15, 5))[0]
    if draw.key("reduction") == "goldilocks":
        draw.keys["width"] = GOLDILOCKS.bit_length()
        draw.keys["moduli"] = 1
        return [GOLDILOCKS]
    width = draw.width(most=min(draw.most, 12) if count > FEW else None)
    count = rng.randint(FEW + 1, count) if count > FEW else count
    others = {prime(rng.randint(2, width), rng, sparse=sparse) for _ in range(count - 1)}
    found = [*{prime(width, rng, sparse=sparse), *others}]
    rng.shuffle(found)
    draw.keys["moduli"] = len(found)
    return found


def patterns(valid: Range, rng: random.Random, count: int = 20) -> list[int]:
    """Ends, zero, all ones, alternating bits, each single bit with either sign, random numbers."""
    width = valid.width
    whole = [0, 1, -1, (1 << width) // 3, ~((1 << width) // 3), (1 << width) // 3 >> 1]
    ends = [valid.lo, valid.lo + 1, valid.hi - 1, valid.hi]
    bits = [sign << place for place in range(width) for sign in (1, -1)]
    below = [(1 << place) - 1 for place in range(width)]
    found = [x for x in (*whole, *ends, *bits, *below) if valid.lo <= x <= valid.hi]
    return [*dict.fromkeys(found), *(rng.randint(*valid) for _ in range(count))]


def pairs(a: Range, b: Range, rng: random.Random, mod: int = 0) -> list[Vector]:
    """Each pattern of either operand with patterns of the other, the ends all with all."""
    every_a, every_b = patterns(a, rng), patterns(b, rng)
    ends = [(x, y) for x in (0, -1, *a) for y in (0, -1, *b)]
    found = [(x, rng.choice(every_b)) for x in every_a] + [
        (rng.choice(every_a), y) for y in every_b
    ]
    valid = [(x, y, mod) for x, y in (*ends, *found) if a.lo <= x <= a.hi and b.lo <= y <= b.hi]
    rng.shuffle(valid)
    return valid


def signed(width: int) -> Range:
    """All numbers of so many bits."""
    return Range(-1 << width - 1, (1 << width - 1) - 1)


def operand_ranges(plan: MultiplierPlan, q: int) -> Iterator[tuple[Range, Range]]:
    """What a modular multiplier promises to take."""
    reach = plan.limit * q
    if plan.operands != "residues":
        yield Range(-reach, reach), Range(-(q // 2), q // 2)
    if plan.operands != "constant":
        yield Range(-q, q - 1), Range(-q, q - 1)


def any_plan(draw: Draw) -> MultiplierPlan:
    """A plan of :func:`plan_multiplier`."""
    operands = draw.key("operands")
    # Only pipelines ask for more than the usual, and they multiply by constants.
    limit = draw.key("limit") if operands == "constant" else 2
    reach = draw.key("reach") if operands == "constant" else False
    draw.keys |= {"limit": limit, "reach": reach}
    found = moduli(draw)
    width = max(found).bit_length()
    kind = draw.key("reduction")
    return plan_multiplier(
        found, kind=kind, operands=operands, limit=limit, reach=width * reach, **draw.planned
    )


def mod_mul(i: int, draw: Draw) -> Unit:
    """ntf_mod_mul as the families have it: with an output register or without, tiles in LUTs."""
    plan = any_plan(draw)
    unit = mul_unit("", i, plan, 20, i)
    vectors = [
        vector
        for mod, q in enumerate(plan.moduli)
        for a, b in operand_ranges(plan, q)
        for vector in pairs(a, b, draw.rng, mod)
    ]
    draw.rng.shuffle(vectors)
    out_reg, lut_tile = draw.key("output register"), draw.key("lut_tile")
    tile = "" if lut_tile is None else f", .LutTile({lut_tile})"
    # A factor that varies makes ntf_mul_sparse large.
    sparse = plan.b_width <= 24 and draw.rng.random() < 0.1
    draw.keys["sparse factor"] = sparse
    options = f".OutReg({out_reg:d}), .Sparse({sparse:d}){tile}"
    return replace(
        unit,
        instance=f"ntf_mod_mul #(.Cfg(P{i}Cfg), .Steps(P{i}Steps), {options})",
        latency=plan.latency - (not out_reg),
        vectors=[*unit.vectors, *vectors],
    )


def shifts(i: int, draw: Draw) -> Unit:
    """ntf_mod_mul by powers of two."""
    rng = draw.rng
    q = rng.choice((GOLDILOCKS, 65537, prime(draw.width(least=3), rng, sparse=True)))
    unit, most = rng.randint(1, 6), max(1, q.bit_length() // rng.choice((1, 2, 4)))
    factors = {pow(2, e, q) for e in range(0, most + 1, unit)}
    if rng.random() < 0.5:
        factors |= {-f % q for f in factors}
    if rng.random() < 0.3:
        factors |= {f * (q + 1) // 2 % q for f in factors}
    limit = draw.key("limit")
    plan = plan_shifts([q], [factors], limit=limit, **draw.planned)
    if plan is None:
        raise NttforgeError("factors", "they are no powers of two", "draw again")
    draw.keys |= {"width": q.bit_length(), "moduli": 1}
    codes = {plan.encode(f): f for f in factors}
    reach = Range(-limit * q + 1, limit * q - 1)
    vectors = [(a, rng.choice([*codes]), 0) for a in patterns(reach, rng)]
    vectors += [(a, code, 0) for code in codes for a in (*reach, 0, rng.randint(*reach))]

    def check(a: int, b: int, mod: int, r: int) -> bool:
        return -q <= r < q and (r - a * codes[b]) % q == 0

    instance = f"ntf_mod_mul #(.Cfg(P{i}Cfg), .Steps(P{i}Steps))"
    widths = (plan.a_width, plan.b_width, 1, plan.residue_width)
    return Unit("", plan.sv_config(f"P{i}"), instance, widths, plan.latency, vectors, check)


def mod_mul_half(i: int, draw: Draw) -> Unit:
    """ntf_mod_mul_half of one modulus."""
    q = prime(draw.width(least=8), draw.rng, sparse=draw.rng.random() < 0.3)
    draw.keys["moduli"] = 1
    plan = plan_half_rate(q, **draw.planned)
    unit = half_unit(i, plan, 40)
    found = pairs(Range(-2 * q, 2 * q), Range(-(q // 2), q // 2), draw.rng)
    turns = [turn for a, b, _ in found for turn in ((a, b, 1), (b, a % q // 2, 0))]
    return replace(unit, vectors=[*turns, *unit.vectors])


def plain_product(
    draw: Draw,
    instance: str,
    declarations: str,
    widths: tuple[int, int, int],
    latency: int,
    *,
    plain: bool = False,
) -> Unit:
    """A unit that multiplies, and nothing else; plain operands are not negative."""
    a_width, b_width, out_width = widths
    a, b = (
        Range(0 if plain else signed(width).lo, signed(width).hi) for width in (a_width, b_width)
    )

    def check(a: int, b: int, mod: int, r: int) -> bool:
        return r == signed_low(a * b, out_width)

    return Unit(
        *("", declarations, instance, (a_width, b_width, 0, out_width), latency),
        pairs(a, b, draw.rng),
        check,
        result="p_o",
        clocked=not instance.startswith("ntf_mul_booth"),
    )


def mul_product(i: int, draw: Draw) -> Unit:
    """The product of a plan, with all that its ports can be given."""
    plan = any_plan(draw)
    product = plan.product
    lut_tile = draw.key("lut_tile")
    tile = "" if lut_tile is None else f", .LutTile({lut_tile})"
    return plain_product(
        draw,
        f"ntf_mul_product #(.Cfg(P{i}Cfg){tile})",
        plan.sv_config(f"P{i}"),
        (product.a_width, product.b_width, product.out_width),
        sum(plan.product_reg_after),
    )


def block_unit(i: int, draw: Draw, product: Karatsuba) -> Unit:
    """ntf_mul_karatsuba, with the registers that the planner gives it."""
    chain = (pass_through(signed(product.out_width)),)
    plan = assembled(draw.goal, draw.adders, product, [3], [("none", chain)])
    return plain_product(
        draw,
        f"ntf_mul_karatsuba #(.Cfg(P{i}Cfg))",
        plan.sv_config(f"P{i}"),
        (product.a_width, product.b_width, product.out_width),
        sum(plan.product_reg_after),
    )


def mul_karatsuba(i: int, draw: Draw) -> Unit:
    """Any of the cuts that the planner chooses among, not only the cheapest."""
    a_width = draw.width(least=min(KARATSUBA_FROM, draw.most))
    b_width = a_width - draw.rng.randrange(3)
    out_width = a_width + b_width - draw.rng.randrange(4)
    return block_unit(
        i, draw, draw.rng.choice([*karatsubas(a_width, b_width, out_width, draw.goal)])
    )


def _tiling(draw: Draw, b_width: int | None = None) -> Tiling:
    rng = draw.rng
    tile = rng.choice((draw.goal.tile, draw.goal.tile[::-1]))
    a_width = draw.width()
    b_width = min(b_width or tile[1], tile[1]) if b_width else draw.width()
    plain = rng.random() < 0.5
    out_width = rng.choice((a_width + b_width, rng.randint(2, a_width + b_width)))
    lut_tile = rng.choice(draw.goal.lut_tiles(max(a_width, b_width)))
    return Tiling(a_width, b_width, out_width, *tile, lut_tile, None, plain)


def tile_unit(draw: Draw, module: str, b_name: str, tiling: Tiling) -> Unit:
    """ntf_mul_tiled or ntf_mul_row with registers at random."""
    registers = draw.registers(len(tiling.rows()))
    mask = sum(bit << place for place, bit in enumerate(registers))
    parameters = {
        "AW": tiling.a_width,
        b_name: tiling.b_width,
        "OutW": tiling.out_width,
        "TileA": tiling.tile_a,
        "TileB": tiling.tile_b,
        "LutTile": tiling.lut_tile,
        "Plain": f"1'b{tiling.plain:d}",
        "RegAfter": f"{MAX_ROWS}'d{mask}",
    }
    chosen = ", ".join(f".{name}({value})" for name, value in parameters.items())
    return plain_product(
        draw,
        f"{module} #({chosen})",
        "",
        (tiling.a_width, tiling.b_width, tiling.out_width),
        sum(registers),
        plain=tiling.plain,
    )


def mul_tiled(i: int, draw: Draw) -> Unit:
    """Any tiles."""
    return tile_unit(draw, "ntf_mul_tiled", "BW", _tiling(draw))


def mul_row(i: int, draw: Draw) -> Unit:
    """One rank of tiles, and the tree over it."""
    tiling = _tiling(draw, b_width=draw.rng.randint(2, 27))
    return tile_unit(draw, "ntf_mul_row", "WB", tiling)


def mul_booth(i: int, draw: Draw) -> Unit:
    """A tile in look-up tables."""
    a_width = draw.width(most=min(draw.most, 27))
    b_width = draw.rng.randint(2, space()["lut_tile"].limits[1])
    out_width = draw.rng.randint(2, a_width + b_width)
    parameters = f".AW({a_width}), .BW({b_width}), .OutW({out_width})"
    return plain_product(
        draw, f"ntf_mul_booth #({parameters})", "", (a_width, b_width, out_width), 0
    )


def mul_table(i: int, draw: Draw) -> Unit:
    """A constant by tables: any constant and digits, not only those that a target has."""
    rng = draw.rng
    factor = rng.choice((1, -1)) * rng.randint(1, (1 << draw.width()) - 1)
    a_width = Range(factor, factor).width
    b_width = rng.randint(1, 64)
    out_width = rng.choice((a_width + b_width, rng.randint(2, a_width + b_width)))
    sizes = rng.randint(1, 6), rng.randint(-(-b_width // 32), 6)  # a row each, of 32 at most
    tables = Tables(factor, a_width, b_width, out_width, *sizes)
    registers = [rng.random() < 0.5 for _ in tables.rows()]
    mask = sum(bit << place for place, bit in enumerate(registers))
    sign = "-" if factor < 0 else ""
    parameters = {
        "Value": f"{sign}272'sh{abs(factor):x}",
        "VW": a_width,
        "XW": b_width,
        "OutW": out_width,
        "First": tables.first,
        "Next": tables.following,
        "RegAfter": f"{MAX_ROWS}'d{mask}",
    }
    chosen = ", ".join(f".{name}({value})" for name, value in parameters.items())
    variable = signed(b_width)

    def check(a: int, b: int, mod: int, r: int) -> bool:
        return r == signed_low(a * factor, out_width)

    return Unit(
        *("", "", f"ntf_mul_table #({chosen})", (b_width, 0, 0, out_width), sum(registers)),
        [(x, 0, 0) for x in patterns(variable, rng)],
        check,
        result="p_o",
        wiring=f".x_i(a_i[{i}][{b_width - 1}:0]), .p_o(r{i})",
    )


def mul_pair(i: int, draw: Draw) -> Unit:
    """A wide product or two narrow ones; the operands of both in one word."""
    rng = draw.rng
    narrow_width = rng.randint(5, 14)
    wide_width = rng.randint(narrow_width + 1, 2 * narrow_width + 1)
    count = rng.choice((1, 1, 2))
    wide_moduli = [prime(wide_width, rng) for _ in range(count)]
    draw.keys |= {"width": wide_width, "moduli": count + 1}
    operands: Operands = rng.choice(("constant", "either"))
    draw.keys["operands"] = operands
    kind = draw.key("reduction")
    plan = plan_multiplier(wide_moduli, kind=kind, operands=operands, **draw.planned)
    p = prime(narrow_width, rng)
    narrow = plan_pairs(plan, p, kind, plan.goal)
    out_reg = draw.key("output register")
    a_w, p_w, r_w = plan.a_width, narrow.a_width, plan.residue_width
    n_w = narrow.residue_width

    def word(wide: int, low: int, high: int) -> int:
        parts = ((wide, a_w), (low, p_w), (high, p_w))
        shift = 0
        result = 0
        for value, width in parts:
            result |= (value & (1 << width) - 1) << shift
            shift += width
        return result

    def unword(a: int) -> tuple[int, int, int]:
        return (
            signed_low(a, a_w),
            signed_low(a >> a_w, p_w),
            signed_low(a >> a_w + p_w, p_w),
        )

    vectors: list[Vector] = []
    for mod, q in enumerate(plan.moduli):
        for a_range, b_range in operand_ranges(plan, q):
            vectors += [
                (word(a, rng.randint(-p, p), 0), b, 2 * mod)
                for a, b, _ in pairs(a_range, b_range, rng)
            ]
    for a, b, _ in pairs(Range(-2 * p, 2 * p), Range(-(p // 2), p // 2), rng):
        other = rng.randint(-2 * p, 2 * p)
        both = (a, other) if rng.random() < 0.5 else (other, a)
        vectors.append((word(rng.getrandbits(a_w), *both), b, 1))
    rng.shuffle(vectors)

    def check(a: int, b: int, mod: int, r: int) -> bool:
        wide, *two = unword(a)
        if not mod % 2:
            return signed_low(r, r_w) == plan.model(wide, b, mod // 2)
        results = (signed_low(r >> r_w, n_w), signed_low(r >> r_w + n_w, n_w))
        return all(
            -p <= y < p and (y * narrow.reductions[0].scale - x * b) % p == 0
            for x, y in zip(two, results, strict=True)
        )

    mod_width = max(1, (count - 1).bit_length())
    wiring = (
        f".pair_i(mod_i[{i}][0]), .mod_i(mod_i[{i}][1+:{mod_width}]), "
        f".a_i(a_i[{i}][{a_w - 1}:0]), .pair_a_i(a_i[{i}][{a_w}+:{2 * p_w}]), "
        f".b_i(b_i[{i}][{plan.b_width - 1}:0]), "
        f".r_o(r{i}[{r_w - 1}:0]), .pair_r_o(r{i}[{r_w}+:{2 * n_w}])"
    )
    instance = (
        f"ntf_mul_pair #(.Cfg(P{i}Cfg), .Steps(P{i}Steps), .PairCfg(N{i}Cfg), "
        f".PairChain(N{i}Steps), .OutReg({out_reg:d}))"
    )
    text = plan.sv_config(f"P{i}") + narrow.sv_config(f"N{i}")
    widths = (a_w + 2 * p_w, plan.b_width, mod_width + 1, r_w + 2 * n_w)
    return Unit(
        *("", text, instance, widths, plan.latency - (not out_reg), vectors, check),
        signed=False,
        wiring=wiring,
    )


UNITS: dict[str, Callable[[int, Draw], Unit]] = {
    maker.__name__: maker
    for maker in (
        *(mod_mul, mul_product, mul_tiled, mul_row, mul_karatsuba, mul_booth),
        *(mul_table, mod_mul_half, mul_pair, shifts),
    )
}
#: How often each is drawn.
WEIGHTS = (8, 3, 3, 3, 2, 0.5, 0.5, 3, 2, 1)


def drawn(seed: int, i: int, most: int = MAX_MODULUS_BITS) -> tuple[Unit, dict[str, Any]]:
    """Unit number i of a top, and the keys that took part; what is refused is drawn again."""
    rng = random.Random(f"plan {seed}")
    (name,) = rng.choices([*UNITS], WEIGHTS)
    while True:
        draw = Draw(rng, most)
        draw.keys["unit"] = name
        try:
            unit = UNITS[name](i, draw)
        except NttforgeError:
            continue
        return replace(unit, name=f"seed {seed}: {draw.keys}"), draw.keys
