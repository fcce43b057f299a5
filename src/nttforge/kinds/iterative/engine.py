# SPDX-License-Identifier: Apache-2.0
"""An elaborated iterative design: programs, waits, latencies, tables."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil

from nttforge.config.fields import Direction, OperationName
from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.hw.common import (
    DEEP_ROWS,
    NO_REGISTERS,
    check_shape,
    fewest_butterflies,
)
from nttforge.kinds.iterative.arbitration import steady_interval
from nttforge.kinds.iterative.config import IterativeTable
from nttforge.kinds.iterative.factors import Content, Factors, Place, arrange, shortened
from nttforge.kinds.iterative.memory import MATERIALS, Material, cheapest
from nttforge.kinds.iterative.pairs import as_words, pair_rings, plan_pairs
from nttforge.kinds.iterative.passes import rotation
from nttforge.kinds.iterative.program import Program, Step, program
from nttforge.kinds.stream.engine import stage_factor
from nttforge.reduction import MultiplierPlan, plan_multiplier
from nttforge.reduction.constant import Tiling, booth_tile
from nttforge.ring.ring import Ring

# Registers of a transform's way outside the memory and the butterflies: the slices at both edges,
# and the one in front of the butterflies, which the memory has too.
EDGE_REGISTERS = 3
# What a deep engine has besides: behind the framer, and after the correction at the output.
STREAM_REGISTERS = 2
# Bits of `factors_base` in ntf_iterative_pkg.
BASE_BITS = 20
# Contexts take part in choosing whose turn it is within a cycle.
MOST_CONTEXTS = 16


@dataclass(frozen=True)
class Iterative:
    """An elaborated iterative design; `lines` is its number of butterflies."""

    design: Design
    rings: tuple[Ring, ...]
    lines: int
    plan: MultiplierPlan
    paired: tuple[bool, ...] = ()
    pair_plan: MultiplierPlan | None = None

    @property
    def table(self) -> IterativeTable:
        """Its parameters."""
        return self.design.table(IterativeTable)

    @property
    def depth(self) -> int:
        """log2 of the transform's size."""
        return self.rings[0].depth

    @property
    def lane_bits(self) -> int:
        """log2 of the coefficients a group or beat."""
        return self.lines.bit_length()

    @property
    def groups(self) -> int:
        """Groups a pass, and beats a polynomial."""
        return self.rings[0].n // (2 * self.lines)

    @property
    def products(self) -> bool:
        """Whether polynomials are multiplied by each other."""
        return has_products(self.design)

    @property
    def slots(self) -> int:
        """Polynomials that an operation keeps."""
        return max(each.slots for each in self.programs)

    @property
    def contexts(self) -> int:
        """Operations that are under way at a time."""
        return max(1, self.table.slots // self.slots)

    @property
    def words(self) -> int:
        """Words a bank."""
        return self.contexts * self.slots * self.groups

    @cached_property
    def material(self) -> Material:
        """Kind of the memory."""
        table = self.table
        if table.memory == "registers" or (table.memory == "auto" and self.words == 1):
            return "registers"
        if table.ram_block_from is not None:
            return "block" if self.words >= table.ram_block_from else "distributed"
        among = MATERIALS if table.memory == "auto" else MATERIALS[1:]
        width = self.lines * self.residue_bits
        return cheapest(self.design.target, width, self.words, among)

    @property
    def word_bits(self) -> int:
        """Bits of a word of the stream."""
        pair = 0 if self.pair_plan is None else 2 * self.pair_plan.modulus_width
        return max(self.plan.modulus_width, pair)

    @property
    def residue_bits(self) -> int:
        """Bits of a word inside: one lazy residue, or two."""
        pair = 0 if self.pair_plan is None else 2 * self.pair_plan.residue_width
        return max(self.plan.residue_width, pair)

    @property
    def registers(self) -> bool:
        """Whether the memory is flip-flops."""
        return self.material == "registers"

    @property
    def block_ram(self) -> bool:
        """Whether the memory is block RAM."""
        return self.material == "block"

    @property
    def lut_tile(self) -> int:
        """Widest multiplier tile that is made of look-up tables."""
        given, product = self.table.lut_tile, self.plan.product
        if given is not None:
            return given
        if not isinstance(product, Tiling):
            return 0
        return booth_tile(product, self.plan.goal, self.plan.adders_per_stage)

    @property
    def deep(self) -> bool:
        """Whether there are registers at the stream's edges, and a second one after tables."""
        table = self.table
        return table.adders_per_stage <= DEEP_ROWS and not table.short

    @property
    def write_registers(self) -> int:
        """Registers in front of the memory."""
        return int(self.deep and self.table.adders_per_stage == 1)

    @property
    def read_registers(self) -> int:
        """Registers after the memory's multiplexers: for block RAM, or if no pass waits."""
        if not self.deep:
            return 0
        waits_for_nothing = self._pass_latency(1) <= self.groups // 2
        return int(self.block_ram or waits_for_nothing or self.write_registers > 0)

    @property
    def add_registers(self) -> int:
        """Registers of a modular addition."""
        if self.table.short:
            return 0
        return 2 if self.deep else 1

    @property
    def butterfly_latency(self) -> int:
        """Registers from a pair to its results; operands of products take one more."""
        if self.table.short:
            return self.plan.latency - 1 + int(self.products)
        return 1 + self.plan.latency + self.add_registers + int(self.products)

    @property
    def pass_latency(self) -> int:
        """Cycles from the issue of a group to the first one that may use its results."""
        return self._pass_latency(self.read_registers)

    def _pass_latency(self, read_registers: int) -> int:
        around = read_registers + self.write_registers + 1 + int(self.block_ram)
        return self.butterfly_latency + around

    @property
    def codes(self) -> tuple[tuple[int, OperationName], ...]:
        """(ring, operation) of each operation code."""
        return tuple(
            (ring, name) for ring in range(len(self.rings)) for name in self.design.operations
        )

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """The steps of each operation."""
        return tuple(
            program(self.word_ring(ring), name, self.lane_bits) for ring, name in self.codes
        )

    def is_pair(self, ring: int) -> bool:
        """Whether a word is two coefficients of that ring."""
        return bool(self.paired) and self.paired[ring]

    def word_ring(self, ring: int) -> Ring:
        """The ring whose coefficients, or halves of them, are the words of a polynomial."""
        return as_words(self.rings[ring]) if self.is_pair(ring) else self.rings[ring]

    @property
    def op_mods(self) -> list[int]:
        """Of each operation, which of the wide moduli; 0 for pairs."""
        return [0 if self.is_pair(ring) else self._modulus(ring) for ring, _ in self.codes]

    @property
    def op_pairs(self) -> list[int]:
        """Of each operation, whether a word is two coefficients."""
        return [int(self.is_pair(ring)) for ring, _ in self.codes]

    @property
    def op_groups(self) -> list[int]:
        """Groups of each operation's passes."""
        return [each.groups for each in self.programs]

    def _modulus(self, ring: int) -> int:
        """Number of a ring among those of its plan."""
        return sum(not self.is_pair(before) for before in range(ring))

    def _encode(self, ring: int, factor: int) -> int:
        """A factor for the multiplier, as a word of the tables."""
        if self.is_pair(ring) and self.pair_plan is not None:
            word = self.pair_plan.encode(factor)
        else:
            word = self.plan.encode(factor, self._modulus(ring))
        return word % (1 << self.plan.modulus_width)

    @property
    def pass_count(self) -> int:
        """Passes of the longest operation."""
        return max(len(each.steps) for each in self.programs)

    @property
    def waits(self) -> list[list[int]]:
        """`waits[operation][pass]`: idle cycles after a pass, until the next has its data."""
        return [each.waits(self.pass_latency) for each in self.programs]

    @property
    def beats_in(self) -> list[int]:
        """Beats of the stream that each operation takes."""
        return [each.operands * each.groups for each in self.programs]

    @property
    def pass_rows(self) -> list[list[str]]:
        """`pass_rows[operation][pass]`: SystemVerilog of each pass."""
        return [
            [
                *(
                    _pass_text(each, i, wait, place)
                    for i, (wait, place) in enumerate(zip(waits, places, strict=True))
                ),
                *["ntf_iterative_pkg::PassDefault"] * (self.pass_count - len(waits)),
            ]
            for each, waits, places in zip(
                self.programs, self.waits, self.factors.places, strict=True
            )
        ]

    @property
    def rotations(self) -> tuple[tuple[int, ...], ...]:
        """The wires of a rotation, forward and inverse."""
        return tuple(rotation(self.depth, self.lane_bits, d) for d in ("ntt", "intt"))

    def duration(self, code: int) -> int:
        """Cycles from an operation's first group to its last one, waits included."""
        return self.programs[code].busy + sum(self.waits[code])

    @cached_property
    def mean_intervals(self) -> tuple[Fraction, ...]:
        """Cycles of each operation in the steady state, if the same one follows."""
        return tuple(
            steady_interval(each, waits, self.contexts)
            for each, waits in zip(self.programs, self.waits, strict=True)
        )

    def interval(self, code: int) -> int:
        """`mean_intervals` of an operation code, rounded up."""
        return ceil(self.mean_intervals[code])

    @property
    def slowest(self) -> int:
        """The longest interval of all operations."""
        return max(self.interval(code) for code in range(len(self.codes)))

    def latency(self, code: int) -> int:
        """Cycles from the first beat in to the last beat out, both counted, without stalls."""
        fill = EDGE_REGISTERS + self.read_registers + self.butterfly_latency
        fill += STREAM_REGISTERS * int(self.deep)
        return self.duration(code) + fill

    def _factor(self, code: int, step: Step, doubled: bool, index: int) -> int:
        """Factor of a butterfly."""
        ring = self.word_ring(self.codes[code][0])
        if step.kind == "load":
            return 1
        if step.kind == "scale":
            return ring.leaf_roots[index // ring.leaf_degree]
        direction: Direction = "ntt" if step.kind == "forward" else "intt"
        factor = stage_factor(ring, direction, step.way.index_bit, index)
        return -2 * factor if doubled else factor

    def _content(self, code: int, step: Step, halved_later: bool) -> Content | None:
        """Encoded factors of each butterfly in a pass."""
        if step.kind == "product":
            return None
        number, _ = self.codes[code]
        q = self.rings[number].q
        doubled = halved_later and step.kind == "inverse"
        cache: dict[int, int] = {}

        def encoded(index: int) -> int:
            factor = self._factor(code, step, doubled, index) % q
            if factor not in cache:
                cache[factor] = self._encode(number, factor)
            return cache[factor]

        return shortened(
            [
                [encoded(step.way.index(group, line)) for group in range(step.way.layout.beats)]
                for line in range(self.lines)
            ]
        )

    @cached_property
    def halve_factors(self) -> bool:
        """Whether inverse factors are made from forward ones: adders that save block RAM."""
        if self.pair_plan is not None:
            return False
        apart, shared = self._factors(False), self._factors(True)
        if min(group.depth for group in shared.groups) < self.table.rom_block_from:
            return False
        width = self.plan.modulus_width
        return shared.block_rams(width) < apart.block_rams(width)

    @cached_property
    def factors(self) -> Factors:
        """The twiddle tables."""
        return self._factors(self.halve_factors)

    def _factors(self, halved_later: bool) -> Factors:
        contents = [
            [self._content(code, step, halved_later) for step in each.steps]
            for code, each in enumerate(self.programs)
        ]
        return arrange(contents, self.plan.modulus_width, self.table.rom_block_from)


def _pass_text(each: Program, number: int, wait: int, factors: Place) -> str:
    """One pass as a SystemVerilog pattern of ntf_iterative_pkg::pass_t."""
    step = each.steps[number]
    is_product = step.kind == "product"
    fields = {
        "first": f"1'b{int(step.source is None)}",
        "last": f"1'b{int(step.target is None)}",
        "taken": f"1'b{int(not any(later.streams for later in each.steps[number + 1 :]))}",
        "combine": f"1'b{int(step.kind in ('forward', 'product'))}",
        "inverse": f"1'b{int(step.kind in ('inverse', 'product'))}",
        "product": f"1'b{int(is_product)}",
        "leaves": f"1'b{int(is_product and step.cycles == 4)}",
        "accumulate": f"1'b{int(step.accumulate)}",
        "rotate": f"1'b{int(step.way.rotate)}",
        "position": f"8'd{step.way.position}",
        "source": f"4'd{step.source or 0}",
        "other": f"4'd{step.other}",
        "scaled": f"4'd{step.scaled}",
        "target": f"4'd{step.target or 0}",
        "idle": f"16'd{wait}",
        "factors_table": f"4'd{factors.group}",
        "factors_base": f"{BASE_BITS}'d{factors.base}",
        "factors_shift": f"5'd{factors.shift}",
        "factors_turned": f"1'b{int(factors.turned)}",
    }
    pattern = ", ".join(f"{name}: {value}" for name, value in fields.items())
    return f"ntf_iterative_pkg::pass_t'{{{pattern}}}"


def check_factors(core: Iterative) -> None:
    """Check that each pass can say where its twiddle factors stand."""
    last = max(place.base for row in core.factors.places for place in row)
    if last >> BASE_BITS:
        raise NttforgeError(
            "rings",
            f"twiddle factors of some begin at {last} of a table, beyond 2^{BASE_BITS}",
            "give the design fewer rings, or smaller ones",
        )


def has_products(design: Design) -> bool:
    """Whether a design multiplies polynomials by each other."""
    return len(design.directions) < len(design.operations)


def check_pairs(design: Design, rings: Sequence[Ring]) -> None:
    """Check what else a design with pairs asks for."""
    if has_products(design):
        raise NttforgeError(
            "operations", "pairs in a word have transforms only", "leave products or pairs out"
        )
    butterflies = design.table(IterativeTable).butterflies
    if butterflies > rings[0].n // 4:
        raise NttforgeError(
            "iterative.butterflies",
            f"{butterflies} are more than pairs of words, n/4 = {rings[0].n // 4}",
            "use fewer of them, or leave pairs out",
        )


def elaborate(design: Design) -> Iterative:
    """Check an iterative design and derive everything from its layouts."""
    rings = tuple(table.ring() for table in design.rings)
    table = design.table(IterativeTable)
    check_shape("iterative", rings, table.butterflies)
    if table.memory == "registers" and table.ram_block_from is not None:
        raise NttforgeError(
            "iterative.ram_block_from",
            "memory of registers has no banks that could be block RAM",
            'leave it out, or set memory = "banks"',
        )
    paired = pair_rings(rings) if table.pairs else tuple(False for _ in rings)
    plan = plan_multiplier(
        [ring.q for ring, is_pair in zip(rings, paired, strict=True) if not is_pair],
        kind=table.reduction,
        adders_per_stage=NO_REGISTERS if table.short else table.adders_per_stage,
        target=design.target,
        prefer=design.prefer,
        operands="either" if has_products(design) else "constant",
    )
    pair_plan = None
    if table.pairs:
        check_pairs(design, rings)
        narrow = next(ring.q for ring, is_pair in zip(rings, paired, strict=True) if is_pair)
        pair_plan = plan_pairs(plan, narrow, table.reduction, plan.goal)
    core = Iterative(design, rings, table.butterflies, plan, paired, pair_plan)
    if table.interval is not None:
        most = rings[0].n // (4 if table.pairs else 2)
        lines = fewest_butterflies(
            "iterative", table.interval, most, lambda lines: replace(core, lines=lines).slowest
        )
        core = replace(core, lines=lines)
    if table.slots and table.slots < core.slots:
        raise NttforgeError(
            "iterative.slots",
            f"{table.slots} are too few for {', '.join(design.operations)}",
            f"give it {core.slots} or more, or leave it out",
        )
    if core.contexts > MOST_CONTEXTS:
        raise NttforgeError(
            "iterative.slots",
            f"{table.slots} are more than {MOST_CONTEXTS} operations at a time need",
            f"use {MOST_CONTEXTS * core.slots} or fewer",
        )
    return core
