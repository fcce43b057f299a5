# SPDX-License-Identifier: Apache-2.0
"""The iterative family: one row of butterflies, used for every pass in turn.

It is the scalable core of `scalable-hls-kyber` (section III-A): 1 to n/2 butterflies, with the
coefficients in registers or in banks of memory. Its passes are the pipeline family's schedule of
exchanges, laid out in memory instead of space; docs/iterative.md derives the places, the waits and
the wires.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from nttforge.design import Design, Direction
from nttforge.families.common import ARITHMETIC, check_shape, stream_format, transform
from nttforge.families.core import Core, Operation
from nttforge.families.pipeline import stage_factor
from nttforge.layout.layout import Layout, halves, natural
from nttforge.reduction import MultiplierPlan, plan_multiplier
from nttforge.ring.ring import Ring

# Registers of a transform's way outside the memory and the butterflies: the slices at both edges,
# and the one in front of the butterflies, which the memory has too.
EDGE_REGISTERS = 3
# More adder rows than any reduction has: no register inside it.
NO_REGISTERS = 99


@dataclass(frozen=True)
class Pass:
    """One pass over all coefficients: its pairs differ in one index bit.

    Attributes
    ----------
    index_bit
        That bit.
    layout
        Index bits on the lanes (the pair's is the highest lane) and on the groups' number.
    mirror
        Exclusive-or mask of the lanes: a lane holds what `layout` has on its mirror image.
    position
        The pair bit's place among the bits of a place in memory (see :func:`place`).
    rotate
        The next pass pairs a bit that is a lane, so the results are rotated among the lanes.
    lag
        A group of the next pass needs results of up to so many groups later than its own number.
    """

    index_bit: int
    layout: Layout
    mirror: int
    position: int
    rotate: bool
    lag: int

    def index(self, group: int, lane: int) -> int:
        """Index of the coefficient that a group has on a lane."""
        return self.layout.index(group, lane ^ self.mirror)


def pass_layout(depth: int, lane_bits: int, index_bit: int) -> Layout:
    """Layout of the pass that pairs `index_bit`.

    The lowest bits are lanes as long as the pair's bit is none of them. Once it is, they rotate:
    each pass has the pair's bit on the highest lane and the one paired before on the lowest.
    """
    low = tuple(range(lane_bits - 1))
    if index_bit >= lane_bits - 1:
        rest = [bit for bit in range(lane_bits - 1, depth) if bit != index_bit]
        return Layout((*low, index_bit, *rest), lane_bits)
    rotated = (*range(index_bit + 1, lane_bits), *range(index_bit), index_bit)
    return Layout((*rotated, *range(lane_bits, depth)), lane_bits)


def place(a_pass: Pass, group: int, upper: bool) -> tuple[int, int]:
    """Half of the banks and address of the words of a group, lower or upper of their pairs.

    The place is the group's number with the pair's bit put in at `position`. The parity of all its
    bits tells the half of the banks, and all but its lowest bit are the address.
    """
    low = group & ((1 << a_pass.position) - 1)
    number = (group - low) << 1 | int(upper) << a_pass.position | low
    return number.bit_count() & 1, number >> 1


def passes(depth: int, lane_bits: int, direction: Direction, layers: int) -> tuple[Pass, ...]:
    """The passes of a transform of 2^depth coefficients on 2^lane_bits lanes.

    Parameters
    ----------
    depth, lane_bits
        log2 of the coefficients, and of those that a group has.
    direction
        Forward takes the index bits from the highest down, inverse the same ones upwards.
    layers
        How many bits are paired, from the highest down: fewer than `depth` if incomplete.
    """
    bits = list(range(depth - 1, depth - 1 - layers, -1))
    if direction == "intt":
        bits.reverse()
    layouts = [pass_layout(depth, lane_bits, bit) for bit in bits]
    # In the inverse the butterflies stand in reverse, so that each meets the table of factors that
    # it has in the forward transform.
    mirror = (1 << (lane_bits - 1)) - 1 if direction == "intt" else 0
    result = []
    for number, (bit, layout) in enumerate(zip(bits, layouts, strict=True)):
        source = layout.position(bits[number + 1]) if number + 1 < layers else lane_bits
        is_last = number + 1 == layers
        result.append(
            Pass(
                index_bit=bit,
                layout=layout,
                mirror=mirror,
                position=max(0, bit - (lane_bits - 1)),
                rotate=source < lane_bits,
                lag=0 if is_last else layout.exchange_delay(source, lane_bits - 1),
            )
        )
    return tuple(result)


def stream_layouts(
    depth: int, lane_bits: int, direction: Direction, layers: int
) -> tuple[Layout, Layout]:
    """Layouts of the input and the output stream.

    The coefficients come in halves (the first pass's pairs share a beat). The transform is in
    natural order, unless an incomplete transform ends with a bit that never becomes a lane.
    """
    lowest = depth - layers
    values = natural(depth, lane_bits)
    if lowest >= lane_bits:
        values = pass_layout(depth, lane_bits, lowest)
    both = halves(depth, lane_bits), values
    return both if direction == "ntt" else both[::-1]


def _wires(
    source: Callable[[int, int], int], target: Callable[[int, int], int], layout: Layout
) -> tuple[int, ...]:
    """For each lane of `target`, the lane of `source` with the same coefficient in every group."""

    def of_group(group: int) -> tuple[int, ...]:
        lane_of = {source(group, lane): lane for lane in range(layout.lanes)}
        return tuple(lane_of[target(group, lane)] for lane in range(layout.lanes))

    wires = of_group(0)
    assert wires == of_group(layout.beats - 1)
    return wires


@dataclass(frozen=True)
class Route:
    """One operation's way through the core: its passes and the wires at both edges."""

    passes: tuple[Pass, ...]
    input_layout: Layout
    output_layout: Layout

    @property
    def input_source(self) -> tuple[int, ...]:
        """For each lane of the first pass, the lane of the input."""
        first = self.passes[0]
        return _wires(self.input_layout.index, first.index, self.input_layout)

    @property
    def output_source(self) -> tuple[int, ...]:
        """For each lane of the output, the lane of the last pass."""
        last = self.passes[-1]
        return _wires(last.index, self.output_layout.index, self.output_layout)


def rotation(depth: int, lane_bits: int, direction: Direction) -> tuple[int, ...]:
    """For each lane, the lane whose result it takes when results are rotated."""
    if lane_bits < 2:
        return tuple(range(1 << lane_bits))
    every = passes(depth, lane_bits, direction, depth)
    found = {
        _wires(before.index, after.index, before.layout)
        for before, after in pairwise(every)
        if before.rotate
    }
    (wires,) = found
    return wires


def block_rams(depth: int, width: int) -> int:
    """Memories of 18 Kbit that a table of so many words takes."""
    widths = {512: 36, 1024: 18, 2048: 9, 4096: 4, 8192: 2}
    one = next((bits for words, bits in widths.items() if depth <= words), 1)
    return -(-depth // (1 << 14)) * -(-width // one)


Words = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Factors:
    """The twiddle tables of the row.

    Attributes
    ----------
    tables
        tables[rom][address], encoded for the multiplier.
    rom_of
        Which of them each butterfly reads.
    base, shift, flip
        base[operation][pass] ...: that pass's factors stand from `base` on and change every
        2^shift groups; with `flip` they stand in reverse order.
    """

    tables: Words
    rom_of: tuple[int, ...]
    base: tuple[tuple[int, ...], ...]
    shift: tuple[tuple[int, ...], ...]
    flip: tuple[tuple[int, ...], ...]

    @property
    def depth(self) -> int:
        """Factors a table."""
        return len(self.tables[0])


def _shortened(lines: Sequence[Sequence[int]]) -> tuple[Words, int]:
    """Factors of all butterflies in all groups, and for 2^shift groups each of them holds."""
    shift = 0
    rows = [tuple(line) for line in lines]
    while len(rows[0]) > 1 and all(row[::2] == row[1::2] for row in rows):
        rows = [row[::2] for row in rows]
        shift += 1
    return tuple(rows), shift


def _placed(contents: Sequence[Words]) -> tuple[list[Words], dict[Words, tuple[int, bool]]]:
    """Where each content stands: (base, in reverse); equal ones and mirror images stand once.

    The longest come first, so that each base is a multiple of its content's length, and a content
    that is the beginning of a longer one stands there.
    """
    stored: list[Words] = []
    where: dict[Words, tuple[int, bool]] = {}
    end = 0
    for content in sorted(dict.fromkeys(contents), key=lambda words: -len(words[0])):
        length = len(content[0])
        mirrored = tuple(row[::-1] for row in content)
        base = 0
        for other in stored:
            if tuple(row[:length] for row in other) == content:
                where[content] = base, False
            elif len(other[0]) == length and other == mirrored:
                where[content] = base, True
            base += len(other[0])
        if content not in where:
            where[content] = end, False
            stored.append(content)
            end += length
    return stored, where


@dataclass(frozen=True)
class Iterative:
    """An iterative design worked out: everything that its emission and its reports need."""

    design: Design
    rings: tuple[Ring, ...]
    plan: MultiplierPlan

    @property
    def depth(self) -> int:
        """log2 of the transform's size."""
        return self.rings[0].depth

    @property
    def lines(self) -> int:
        """Butterflies."""
        return self.design.iterative.butterflies

    @property
    def lane_bits(self) -> int:
        """log2 of the coefficients a group or beat."""
        return self.lines.bit_length()

    @property
    def groups(self) -> int:
        """Groups a pass, and beats a transform."""
        return self.rings[0].n // (2 * self.lines)

    @property
    def registers(self) -> bool:
        """Whether the memory is flip-flops."""
        choice = self.design.iterative.memory
        return self.groups == 1 if choice == "auto" else choice == "registers"

    @property
    def block_ram(self) -> bool:
        """Whether the memory is block RAM."""
        return not self.registers and self.groups >= self.design.iterative.ram_block_from

    @property
    def edge_registers(self) -> int:
        """Registers behind the memory's multiplexers and again in front of the memory."""
        short = self.design.iterative.short
        return int(self.design.iterative.adders_per_stage == 1 and not short)

    @property
    def add_registers(self) -> int:
        """Registers of a modular addition."""
        if self.design.iterative.short:
            return 0
        return 2 if self.design.iterative.adders_per_stage == 1 else 1

    @property
    def butterfly_latency(self) -> int:
        """Registers from a pair to its results."""
        if self.design.iterative.short:
            return self.plan.latency - 1
        return 1 + self.plan.latency + self.add_registers

    @property
    def pass_latency(self) -> int:
        """Cycles from the issue of a group to the first one that may use its results.

        Of memory whose read is registered, the address is needed a cycle before the data.
        """
        around = 2 * self.edge_registers + 1 + int(self.block_ram)
        return self.butterfly_latency + around

    @property
    def codes(self) -> tuple[tuple[int, Direction], ...]:
        """(ring, direction) of each operation code."""
        return tuple(
            (ring, direction)
            for ring in range(len(self.rings))
            for direction in self.design.operations
        )

    @cached_property
    def routes(self) -> tuple[Route, ...]:
        """The way of each operation."""
        return tuple(
            Route(
                passes(self.depth, self.lane_bits, direction, self.rings[ring].layers),
                *stream_layouts(self.depth, self.lane_bits, direction, self.rings[ring].layers),
            )
            for ring, direction in self.codes
        )

    @property
    def inverses(self) -> list[int]:
        """Whether each operation is an inverse transform."""
        return [int(direction == "intt") for _, direction in self.codes]

    @property
    def pass_count(self) -> int:
        """Passes of the longest operation."""
        return max(len(route.passes) for route in self.routes)

    def padded(self, values: Sequence[int]) -> list[int]:
        """One value a pass, of an operation that may have fewer than others."""
        return [*values, *[0] * (self.pass_count - len(values))]

    @property
    def positions(self) -> list[list[int]]:
        """positions[operation][pass] of the pair's bit."""
        return [self.padded([p.position for p in route.passes]) for route in self.routes]

    @property
    def rotates(self) -> list[list[int]]:
        """rotates[operation][pass]: whether results are rotated."""
        return [self.padded([int(p.rotate) for p in route.passes]) for route in self.routes]

    @property
    def waits(self) -> list[list[int]]:
        """waits[operation][pass]: idle cycles behind a pass, until the next one's data is there."""
        return [
            self.padded(
                [max(0, p.lag + self.pass_latency - self.groups) for p in route.passes[:-1]]
            )
            for route in self.routes
        ]

    @property
    def rotations(self) -> tuple[tuple[int, ...], ...]:
        """The wires of a rotation, forward and inverse."""
        return tuple(rotation(self.depth, self.lane_bits, d) for d in ("ntt", "intt"))

    def interval(self, code: int) -> int:
        """Cycles a transform in the steady state."""
        return len(self.routes[code].passes) * self.groups + sum(self.waits[code])

    def latency(self, code: int) -> int:
        """Cycles from the first beat in to the last beat out, both counted, without stalls."""
        fill = EDGE_REGISTERS + self.edge_registers + self.butterfly_latency
        return self.interval(code) + fill

    def _pass_factors(self, code: int, a_pass: Pass, doubled: bool) -> tuple[Words, int]:
        """Encoded factors of each butterfly in a pass, and for how many groups each holds."""
        ring, direction = self.codes[code]
        cache: dict[int, int] = {}

        def encoded(index: int) -> int:
            factor = stage_factor(self.rings[ring], direction, a_pass.index_bit, index)
            if doubled:
                factor = -2 * factor % self.rings[ring].q
            if factor not in cache:
                cache[factor] = self.plan.encode(factor, ring) % (1 << self.plan.b_width)
            return cache[factor]

        return _shortened(
            [
                [encoded(a_pass.index(group, line)) for group in range(self.groups)]
                for line in range(self.lines)
            ]
        )

    @cached_property
    def halve_factors(self) -> bool:
        """Whether factors of the inverse are made from those of the forward transform.

        In x^n + 1, minus the inverse of block j's factor is that of the block j from the end. An
        inverse butterfly takes half of the inverse: an adder each, which pays if it saves block
        RAM. A table that sharing makes too small for block RAM would take more logic than it saves.
        """
        apart, shared = (self._factors(halved).depth for halved in (False, True))
        if shared < self.design.iterative.rom_block_from:
            return False
        width = self.plan.b_width
        return block_rams(shared, width) < block_rams(apart, width)

    @cached_property
    def factors(self) -> Factors:
        """The twiddle tables."""
        return self._factors(self.halve_factors)

    def _factors(self, halved_later: bool) -> Factors:
        short = [
            [
                self._pass_factors(code, p, halved_later and self.codes[code][1] == "intt")
                for p in route.passes
            ]
            for code, route in enumerate(self.routes)
        ]
        stored, where = _placed([content for row in short for content, _ in row])
        lines = [
            tuple(word for content in stored for word in content[line])
            for line in range(self.lines)
        ]
        tables = tuple(dict.fromkeys(lines))
        return Factors(
            tables=tables,
            rom_of=tuple(tables.index(line) for line in lines),
            base=tuple(tuple(self.padded([where[c][0] for c, _ in row])) for row in short),
            shift=tuple(tuple(self.padded([shift for _, shift in row])) for row in short),
            flip=tuple(tuple(self.padded([int(where[c][1]) for c, _ in row])) for row in short),
        )

    @property
    def twiddle_words(self) -> list[int]:
        """The factors of all tables, one after the other."""
        return [word for table in self.factors.tables for word in table]


def work_out(design: Design) -> Iterative:
    """Check an iterative design and derive everything from its layouts.

    Raises
    ------
    NttforgeError
        If the rings or parameters do not fit.
    """
    rings = tuple(table.ring() for table in design.rings)
    check_shape("iterative", rings, design.iterative.butterflies)
    table = design.iterative
    plan = plan_multiplier(
        [ring.q for ring in rings],
        kind=table.reduction,
        adders_per_stage=NO_REGISTERS if table.short else table.adders_per_stage,
        target=design.target,
        prefer=design.prefer,
    )
    return Iterative(design, rings, plan)


def _operations(core: Iterative) -> tuple[Operation, ...]:
    operations = []
    for code, ((ring, direction), route) in enumerate(zip(core.codes, core.routes, strict=True)):
        layouts = (route.input_layout, route.output_layout)
        latency = core.latency(code)
        operations.append(
            transform(core.design, ring, direction, code=code, layouts=layouts, latency=latency)
        )
    return tuple(operations)


SOURCES = (
    "arith/arith_pkg.sv",
    "prim/prim_axis_slice.sv",
    "prim/prim_pipe.sv",
    "prim/prim_ram_1r1w.sv",
    *ARITHMETIC,
    "arith/mod_negate_halve.sv",
    "pipeline/twiddle_rom.sv",
    "pipeline/butterfly.sv",
    "pipeline/framer.sv",
    "iterative/bank_memory.sv",
    "iterative/pass_control.sv",
    "iterative/ntt_iterative.sv",
)


def build(design: Design) -> Core:
    """Make the core of an iterative design.

    Raises
    ------
    NttforgeError
        If the rings or parameters do not fit.
    """
    iterative = work_out(design)
    operations = _operations(iterative)
    stream = stream_format(iterative.rings, iterative.lines, len(operations))
    variables = {
        "design": design,
        "iterative": iterative,
        "operations": operations,
        "stream": stream,
    }
    intervals = tuple(iterative.interval(operation.code) for operation in operations)
    return Core(
        name=design.module,
        operations=operations,
        stream=stream,
        sources=SOURCES,
        templates={
            f"{design.module}_pkg.sv": ("iterative_pkg.sv.j2", variables),
            f"{design.module}.sv": ("iterative_top.sv.j2", variables),
            "README.md": ("design_readme.md.j2", variables),
        },
        facts={
            "turnaround": tuple(tuple(0 for _ in operations) for _ in operations),
            "intervals": intervals,
            "pass_latency": iterative.pass_latency,
            "idle_cycles": tuple(sum(waits) for waits in iterative.waits),
            "buffer_words": design.rings[0].ring().n,
            "twiddle_words": len(iterative.twiddle_words),
            "multiplier": iterative.plan.describe(),
        },
    )
