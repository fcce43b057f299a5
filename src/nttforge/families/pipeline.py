# SPDX-License-Identifier: Apache-2.0
"""The pipeline family: a row of butterflies for every stage, a beat every cycle.

With one butterfly a stage it is the radix-2 multi-path delay commutator of the ML-KEM/ML-DSA
engine (papers: R2MDC, section 4); with several it is StreamNTT's array of line- and cross-mapped
stages (StreamNTT, section IV-B). Which is which follows from the layouts: see docs/pipeline.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from nttforge.design import Design, Direction, Order
from nttforge.families.common import ARITHMETIC, check_shape, stream_format, transform
from nttforge.families.core import Core, Operation
from nttforge.families.growth import (
    COOLEY_TUKEY,
    GENTLEMAN_SANDE,
    LIMITS,
    PASS,
    Growth,
    adder_bits,
    grow,
)
from nttforge.layout.layout import Layout, halves, natural
from nttforge.layout.schedule import Schedule, padded_delays, schedule, turnaround
from nttforge.reduction import MultiplierPlan, plan_multiplier
from nttforge.reduction.numbers import signed_digits
from nttforge.ring.ring import Ring

# The commutator's output.
EXCHANGE_REGISTERS = 1
# The slices at both edges.
EDGE_REGISTERS = 2


@dataclass(frozen=True)
class TwiddleTable:
    """The twiddle ROMs of one stage.

    Attributes
    ----------
    words
        words[rom][address], encoded for the multiplier.
    rom_of
        Which ROM each butterfly of the row reads.
    base, shift
        Per operation: its factors stand from `base` on and change every 2^shift beats.
    """

    words: tuple[tuple[int, ...], ...]
    rom_of: tuple[int, ...]
    base: tuple[int, ...]
    shift: tuple[int, ...]

    @property
    def depth(self) -> int:
        """Factors a ROM."""
        return len(self.words[0])


def stream_layout(order: Order, depth: int, lane_bits: int, *, coefficients: bool) -> Layout:
    """Layout of a stream of coefficients, or of the transform's values.

    Parameters
    ----------
    order
        `natural`: values come in order, coefficients in halves. `mirrored`: index bits from the
        middle are on time, and where coefficients have bit b on a lane, values have bit
        depth - 1 - b. The inverse then is the forward transform with its index bits in reverse, so
        that its stages pair the same lanes; see docs/layouts.md.
    depth, lane_bits
        log2 of the coefficients, and of the lanes.
    coefficients
        Or values.
    """
    if order == "natural":
        return (halves if coefficients else natural)(depth, lane_bits)
    time = _mirrored_time(depth, depth - lane_bits)
    lanes = [bit for bit in range(depth) if bit not in time]
    if coefficients:
        return Layout((*lanes, *time), lane_bits)
    # An exchange puts bit b + 1 where bit b was.
    behind = [bit + 1 for bit in time]
    free = [bit for bit in range(depth) if bit not in behind]
    mirrored = [depth - 1 - bit for bit in lanes]
    left = [bit for bit in free if bit not in mirrored]
    return Layout((*(bit if bit in free else left.pop() for bit in mirrored), *behind), lane_bits)


def _mirrored_time(depth: int, count: int) -> list[int]:
    """So many of the index bits 0 ... depth-2, from the middle: with b also depth - 2 - b.

    If that is impossible, one of them is without its mirror image.
    """
    middle = depth - 2
    order = sorted(range(depth - 1), key=lambda bit: (abs(2 * bit - middle), bit))
    if depth % 2 == 0 and count % 2 == 0:
        order.remove(middle // 2)
    return sorted(order[:count])


def operation_schedule(order: Order, depth: int, lane_bits: int, direction: Direction) -> Schedule:
    """The exchanges of a transform of 2^depth coefficients in 2^lane_bits lanes."""
    forward = direction == "ntt"
    layout = stream_layout(order, depth, lane_bits, coefficients=forward)
    return schedule(layout, range(depth - 1, -1, -1) if forward else range(depth))


def butterfly_mode(ring: Ring, direction: Direction, index_bit: int) -> int:
    """What butterflies that pair `index_bit` do; an incomplete transform passes some through."""
    if index_bit < ring.depth - ring.layers:
        return PASS
    return COOLEY_TUKEY if direction == "ntt" else GENTLEMAN_SANDE


def stage_factor(ring: Ring, direction: Direction, index_bit: int, index: int) -> int:
    """Factor of the butterfly whose pair differs in `index_bit` and holds coefficient `index`.

    A Cooley-Tukey butterfly takes the product from its upper input and adds it for its lower
    output, so its factors are negated.
    """
    mode = butterfly_mode(ring, direction, index_bit)
    if mode == PASS:
        return 1
    stage, block = ring.depth - 1 - index_bit, index >> (index_bit + 1)
    if mode == COOLEY_TUKEY:
        return -ring.twiddles[stage][block] % ring.q
    return ring.inverse_twiddles[stage][block]


def _compress(sequence: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Factors of all beats as (those that differ, shift): a factor holds for 2^shift beats."""
    shift = 0
    values = list(sequence)
    while len(values) > 1 and values[::2] == values[1::2]:
        values = values[::2]
        shift += 1
    return tuple(values), shift


def _common_shift(sequences: Sequence[Sequence[int]]) -> int:
    return min(_compress(sequence)[1] for sequence in sequences)


@dataclass(frozen=True)
class Pipeline:
    """A pipeline design worked out: everything that its emission and its reports need."""

    design: Design
    rings: tuple[Ring, ...]
    plan: MultiplierPlan

    @property
    def depth(self) -> int:
        """log2 of the transform's size, which is the number of stages."""
        return self.rings[0].depth

    @property
    def lane_bits(self) -> int:
        """log2 of the coefficients a beat."""
        return self.lines.bit_length()

    @cached_property
    def lines(self) -> int:
        """Butterflies a stage."""
        return butterflies(self.design, self.rings)

    @property
    def beats(self) -> int:
        """Beats a transform, which is its cycles in the steady state."""
        return self.rings[0].n // (2 * self.lines)

    @cached_property
    def paths(self) -> tuple[Schedule, ...]:
        """The schedules, one a direction."""
        return tuple(
            operation_schedule(self.design.pipeline.order, self.depth, self.lane_bits, direction)
            for direction in self.design.operations
        )

    @cached_property
    def codes(self) -> tuple[tuple[int, int], ...]:
        """(ring, path) of each operation code."""
        return tuple(
            (ring, path) for ring in range(len(self.rings)) for path in range(len(self.paths))
        )

    @property
    def delays(self) -> tuple[tuple[int, ...], ...]:
        """delays[stage][path] of the commutators, in beats."""
        return tuple(zip(*(path.delays for path in self.paths), strict=True))

    @property
    def stage_latencies(self) -> tuple[int, ...]:
        """Registers of each stage: the exchange's, the multiplier's, and the adders'."""
        before = EXCHANGE_REGISTERS + self.front_registers + self.plan.latency
        return tuple(before + (self.add_latency if nearer else 1) for nearer in self.growth.nearer)

    @property
    def add_latency(self) -> int:
        """Registers of the adder behind the multiplier and of the correction, if there is one."""
        return 2 if self.design.pipeline.adders_per_stage == 1 else 1

    @property
    def front_registers(self) -> int:
        """Registers in front of a multiplier; for the highest clock, one more behind the ROM."""
        return 2 if self.design.pipeline.adders_per_stage == 1 else 1

    @cached_property
    def growth(self) -> Growth:
        """How residues grow, and where they are taken back."""
        operations = [
            (ring, [stage[code] for stage in self.modes])
            for code, (ring, _) in enumerate(self.codes)
        ]
        return grow(self.plan, operations)

    @property
    def settle_registers(self) -> tuple[bool, ...]:
        """Whether a register is behind each row at the output; the last one's is the slice."""
        rows = len(self.growth.settle) + 1
        most = self.design.pipeline.adders_per_stage
        return tuple((row + 1) % most == 0 and row + 1 < rows for row in range(rows))

    @property
    def area(self) -> int:
        """Area that depends on the multiplier's limit, in LUTs: to choose it by."""
        inside, lane = adder_bits(self.growth)
        # A commutator takes about two LUTs a bit.
        words = sum(
            width
            for width, delays in zip(self.growth.widths[:-1], self.delays, strict=True)
            if any(delays)
        )
        butterfly = self.plan.cost().score * self.depth + inside + 4 * words
        return self.lines * (butterfly + 2 * lane)

    def latency(self, path: int) -> int:
        """Cycles from the first beat in to the last beat out, both counted, without stalls."""
        seamless = self.design.pipeline.seamless
        delays = padded_delays(self.paths) if seamless else self.paths[path].delays
        registers = sum(self.stage_latencies) + sum(self.settle_registers) + EDGE_REGISTERS
        return self.beats + sum(delays) + registers

    @cached_property
    def turnaround(self) -> tuple[tuple[int, ...], ...]:
        """turnaround[before][after]: idle cycles between two operations, by code."""
        if self.design.pipeline.seamless:
            return tuple(tuple(0 for _ in self.codes) for _ in self.codes)
        return tuple(
            tuple(turnaround(self.paths[before], self.paths[after]) for _, after in self.codes)
            for _, before in self.codes
        )

    @property
    def buffer_words(self) -> int:
        """Words that the commutators hold (those of `seamless`'s padding included)."""
        words = 0
        for delays in self.delays:
            if self.design.pipeline.seamless and len(set(delays)) > 1:
                words += sum(max(delays) for _ in delays)
            else:
                words += max(delays)
        return words * 2 * self.lines

    @cached_property
    def modes(self) -> tuple[tuple[int, ...], ...]:
        """modes[stage][code] of the butterflies."""
        return tuple(
            tuple(
                butterfly_mode(
                    self.rings[ring],
                    self.design.operations[path],
                    self.paths[path].stages[stage].index_bit,
                )
                for ring, path in self.codes
            )
            for stage in range(self.depth)
        )

    @cached_property
    def lane_sources(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """lane_sources[stage][path][lane]: which lane feeds a stage's lane (wires)."""
        return tuple(
            tuple(_lane_swap(path.stages[stage].source, self.lane_bits) for path in self.paths)
            for stage in range(self.depth)
        )

    def output_layout(self, direction: Direction) -> Layout:
        """Layout that an operation promises at the output."""
        order = self.design.pipeline.order
        return stream_layout(order, self.depth, self.lane_bits, coefficients=direction == "intt")

    @cached_property
    def output_sources(self) -> tuple[tuple[int, ...], ...]:
        """output_sources[path][lane]: the wires behind the last stage."""
        return tuple(
            _lane_wiring(path.output_layout, self.output_layout(direction))
            for path, direction in zip(self.paths, self.design.operations, strict=True)
        )

    def _sequence(self, stage: int, code: int, line: int) -> list[int]:
        """Encoded factors of one butterfly of a stage in all beats of an operation."""
        ring_index, path_index = self.codes[code]
        ring, path = self.rings[ring_index], self.paths[path_index]
        at = path.stages[stage]
        cache: dict[int, int] = {}
        result = []
        for beat in range(self.beats):
            factor = stage_factor(
                ring,
                self.design.operations[path_index],
                at.index_bit,
                at.layout.index(beat, line),
            )
            if factor not in cache:
                cache[factor] = self.plan.encode(factor, ring_index) % (1 << self.plan.b_width)
            result.append(cache[factor])
        return result

    @cached_property
    def twiddle_tables(self) -> tuple[TwiddleTable, ...]:
        """The ROMs of all stages."""
        return tuple(self._twiddle_table(stage) for stage in range(self.depth))

    @property
    def rom_counts(self) -> list[int]:
        """ROMs of each stage."""
        return [len(table.words) for table in self.twiddle_tables]

    @property
    def rom_depths(self) -> list[int]:
        """Factors a ROM of each stage."""
        return [table.depth for table in self.twiddle_tables]

    @property
    def rom_starts(self) -> list[int]:
        """Index in :attr:`twiddle_words` of each stage's first factor."""
        sizes = [
            count * depth for count, depth in zip(self.rom_counts, self.rom_depths, strict=True)
        ]
        return [sum(sizes[:stage]) for stage in range(self.depth)]

    @property
    def twiddle_words(self) -> list[int]:
        """The factors of all ROMs of all stages."""
        return [word for table in self.twiddle_tables for rom in table.words for word in rom]

    @property
    def sparse(self) -> tuple[tuple[bool, ...], ...]:
        """sparse[stage][line]: a factor that never changes, smaller as shifts and adds."""
        return tuple(
            tuple(table.depth == 1 and self._is_sparse(table.words[rom][0]) for rom in table.rom_of)
            for table in self.twiddle_tables
        )

    def _is_sparse(self, word: int) -> bool:
        value = word - (1 << self.plan.b_width if word >> (self.plan.b_width - 1) else 0)
        adders = len(signed_digits(value)) - 1
        # Digits lie at any height: half of them above the middle of the factor.
        return (
            adders * (self.plan.a_width + self.plan.b_width // 2) < self.plan.product.cost().score
        )

    def _twiddle_table(self, stage: int) -> TwiddleTable:
        sequences = [
            [self._sequence(stage, code, line) for line in range(self.lines)]
            for code in range(len(self.codes))
        ]
        shifts = [_common_shift(lines) for lines in sequences]
        short = [
            [tuple(line[:: 1 << shift]) for line in lines]
            for lines, shift in zip(sequences, shifts, strict=True)
        ]
        # Butterflies that need the same factors in every operation share a ROM.
        needs = [
            tuple(short[code][line] for code in range(len(self.codes)))
            for line in range(self.lines)
        ]
        roms = list(dict.fromkeys(needs))
        # Longest first keeps every base a multiple of its table's length.
        base = [0] * len(self.codes)
        placed: dict[tuple[tuple[int, ...], ...], int] = {}
        end = 0
        for code in sorted(range(len(self.codes)), key=lambda c: -len(short[c][0])):
            content = tuple(rom[code] for rom in roms)
            if content not in placed:
                placed[content] = end
                end += len(content[0])
            base[code] = placed[content]
        words = tuple(
            tuple(word for content in placed for word in content[rom]) for rom in range(len(roms))
        )
        return TwiddleTable(
            words, tuple(roms.index(need) for need in needs), tuple(base), tuple(shifts)
        )


def _lane_swap(source: int, lane_bits: int) -> tuple[int, ...]:
    """Wires that exchange lane position `source` with the pair position; none for a time bit."""
    pair = lane_bits - 1
    if source >= pair:
        return tuple(range(1 << lane_bits))
    return tuple(
        lane & ~(1 << source | 1 << pair)
        | (lane >> pair & 1) << source
        | (lane >> source & 1) << pair
        for lane in range(1 << lane_bits)
    )


def _lane_wiring(before: Layout, after: Layout) -> tuple[int, ...]:
    """For each lane of `after`, the lane of `before` with the same coefficients."""
    lanes = {before.index(0, lane): lane for lane in range(before.lanes)}
    if before.bits[before.lane_bits :] != after.bits[after.lane_bits :]:
        raise ValueError(f"{before} and {after} differ in time, which wires cannot mend")
    return tuple(lanes[after.index(0, lane)] for lane in range(after.lanes))


def butterflies(design: Design, rings: Sequence[Ring]) -> int:
    """Butterflies a stage: as given, or for a design with a shell what its channels can feed."""
    if design.shell is None or "butterflies" in design.pipeline.model_fields_set:
        return design.pipeline.butterflies
    return design.shell.butterflies(rings[0].n, max(ring.width for ring in rings))


def work_out(design: Design) -> Pipeline:
    """Check a pipeline design and derive everything from its layouts.

    Raises
    ------
    NttforgeError
        If the rings or parameters do not fit.
    """
    rings = tuple(table.ring() for table in design.rings)
    check_shape("pipeline", rings, butterflies(design, rings))
    pipelines = []
    for limit in LIMITS:
        plan = plan_multiplier(
            [ring.q for ring in rings],
            kind=design.pipeline.reduction,
            adders_per_stage=design.pipeline.adders_per_stage,
            target=design.target,
            limit=limit,
            reach=max(ring.width for ring in rings),
        )
        pipelines.append(Pipeline(design, rings, plan))
        if not any(pipelines[-1].growth.nearer):
            break  # A multiplier that takes more would change nothing.
    return min(pipelines, key=lambda pipeline: pipeline.area)


def _operations(pipeline: Pipeline) -> tuple[Operation, ...]:
    operations = []
    for code, (ring, path) in enumerate(pipeline.codes):
        direction, route = pipeline.design.operations[path], pipeline.paths[path]
        layouts = (route.input_layout, pipeline.output_layout(direction))
        latency = pipeline.latency(path)
        operations.append(
            transform(pipeline.design, ring, direction, code=code, layouts=layouts, latency=latency)
        )
    return tuple(operations)


SOURCES = (
    "arith/arith_pkg.sv",
    "prim/prim_axis_slice.sv",
    "prim/prim_pipe.sv",
    "prim/prim_ram_1r1w.sv",
    "prim/prim_delay.sv",
    *ARITHMETIC,
    "arith/mod_settle.sv",
    "pipeline/commutator.sv",
    "pipeline/exchange.sv",
    "pipeline/twiddle_rom.sv",
    "pipeline/butterfly.sv",
    "pipeline/ntt_stage.sv",
    "pipeline/framer.sv",
    "pipeline/ntt_pipeline.sv",
)


def build(design: Design) -> Core:
    """Make the core of a pipeline design.

    Raises
    ------
    NttforgeError
        If the rings or parameters do not fit.
    """
    pipeline = work_out(design)
    operations = _operations(pipeline)
    stream = stream_format(pipeline.rings, pipeline.lines, len(operations))
    variables = {"design": design, "pipeline": pipeline, "operations": operations, "stream": stream}
    return Core(
        name=design.module,
        operations=operations,
        stream=stream,
        sources=SOURCES,
        templates={
            f"{design.module}_pkg.sv": ("pipeline_pkg.sv.j2", variables),
            f"{design.module}.sv": ("pipeline_top.sv.j2", variables),
            "README.md": ("design_readme.md.j2", variables),
        },
        facts={
            "turnaround": pipeline.turnaround,
            "intervals": tuple(pipeline.beats for _ in operations),
            "stage_registers": pipeline.stage_latencies,
            "buffer_words": pipeline.buffer_words,
            "multiplier": pipeline.plan.describe(),
        },
    )
