# SPDX-License-Identifier: Apache-2.0
"""The streaming engine (ntf_pipeline.sv), as every family derives it from its schedules.

A family says which schedules there are, what the butterflies do, and with which factors; delays,
wires, latencies, widths, multipliers and compressed tables of twiddles follow.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nttforge.config.fields import FlowControl
from nttforge.hw.common import DEEP_ROWS, NO_REGISTERS
from nttforge.hw.growth import Growth, adder_bits, grow
from nttforge.layout.layout import Layout
from nttforge.layout.schedule import Schedule, padded_delays, turnaround
from nttforge.reduction import MultiplierPlan, plan_shifts
from nttforge.reduction.numbers import signed_digits
from nttforge.reduction.product import Shifts
from nttforge.targets import TARGETS

# The commutator's output.
EXCHANGE_REGISTERS = 1


@dataclass(frozen=True)
class TwiddleTable:
    """The twiddle ROMs of one stage: `words[rom][address]`, encoded for the multiplier.

    Butterfly i reads ROM `rom_of[i]`; the factors of an operation stand from its `base` on and
    change every 2^shift beats.
    """

    words: tuple[tuple[int, ...], ...]
    rom_of: tuple[int, ...]
    base: tuple[int, ...]
    shift: tuple[int, ...]

    @property
    def depth(self) -> int:
        """Factors a ROM."""
        return len(self.words[0])


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


def is_sparse(plan: MultiplierPlan, word: int) -> bool:
    """Whether a factor that never changes takes less as shifts and adds than as a multiplier."""
    if isinstance(plan.product, Shifts):
        return False
    value = word - (1 << plan.b_width if word >> (plan.b_width - 1) else 0)
    adders = len(signed_digits(value)) - 1
    # Digits lie at any height: half of them above the middle of the factor.
    bits = plan.a_width + plan.b_width // 2
    return adders * bits < plan.goal.score(plan.product.cost())


@dataclass(frozen=True)
class EngineOptions:
    """Options of an engine.

    - `seamless`: delays are padded, so that any path can follow any other at once.
    - `may_shift`: stages whose factors are powers of two may multiply by shifts.
    - `ram_block_from`, `rom_block_from`: words from which a commutator's memory, and a table of
      twiddles, is block RAM.
    - `ram_ultra_from`: words from which a commutator's memory is UltraRAM; 0 for never.
    - `lut_tile`: bits of the widest tile that is made of look-up tables.
    - `lazy_input`: words come as residues in [-q, q), else in [0, q).
    - `fused`: additions but the last stage's have no register, and the input no slice.
    - `flow_control`: how a sink that is not ready holds the source.
    """

    seamless: bool
    may_shift: bool
    ram_block_from: int
    rom_block_from: int
    lut_tile: int
    lazy_input: bool = False
    fused: bool = False
    flow_control: FlowControl = "enable"
    ram_ultra_from: int = 0


class Engine(ABC):
    """An engine worked out: everything that its emission and its reports need."""

    @property
    @abstractmethod
    def plan(self) -> MultiplierPlan:
        """The multiplier, but where shifts will do."""

    @property
    @abstractmethod
    def lines(self) -> int:
        """Butterflies a stage."""

    @property
    @abstractmethod
    def paths(self) -> tuple[Schedule, ...]:
        """The schedules."""

    @property
    @abstractmethod
    def output_layouts(self) -> tuple[Layout, ...]:
        """Layout of the output, by path."""

    @property
    @abstractmethod
    def codes(self) -> tuple[tuple[int, int], ...]:
        """(modulus, path) of each operation code."""

    @property
    @abstractmethod
    def options(self) -> EngineOptions:
        """Options of the engine."""

    @abstractmethod
    def mode(self, code: int, index_bit: int) -> int:
        """Mode of the butterflies that pair `index_bit` in an operation."""

    @abstractmethod
    def factor(self, code: int, index_bit: int, index: int) -> int:
        """Factor of the butterfly whose pair differs in `index_bit` and holds word `index`.

        A Cooley-Tukey butterfly takes the product from its upper input and adds it for its lower
        output, so its factors are negated. Gentleman-Sande multiplies lower minus upper.
        """

    def factors(self, code: int, index_bit: int, indices: Sequence[int]) -> list[int]:
        """:meth:`factor` of many words."""
        return [self.factor(code, index_bit, index) for index in indices]

    def same_factor(self, index_bit: int, index: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """For each index the least one that has its factor, where that is known beforehand."""
        return index & ~(1 << index_bit)

    @abstractmethod
    def stage_factors(self, code: int, index_bit: int) -> Set[int]:
        """All factors of the butterflies that pair `index_bit` in an operation."""

    @property
    def lane_bits(self) -> int:
        """log2 of the coefficients a beat."""
        return self.lines.bit_length()

    @property
    def beats(self) -> int:
        """Beats a transform, which is its cycles in the steady state."""
        return self.paths[0].input_layout.beats

    @property
    def stages(self) -> int:
        """Stages: one for each index bit that is paired."""
        return len(self.paths[0].stages)

    @property
    def delays(self) -> tuple[tuple[int, ...], ...]:
        """`delays[stage][path]` of the commutators, in beats."""
        return tuple(zip(*(path.delays for path in self.paths), strict=True))

    @cached_property
    def stage_plans(self) -> tuple[MultiplierPlan, ...]:
        """The multiplier of each stage: by shifts where all its factors are powers of two."""
        return tuple(self._stage_plan(stage) for stage in range(self.stages))

    def _stage_plan(self, stage: int) -> MultiplierPlan:
        plan = self.plan
        if not self.options.may_shift:
            return plan
        factors: list[set[int]] = [set() for _ in plan.moduli]
        for code, (modulus, path) in enumerate(self.codes):
            factors[modulus] |= self.stage_factors(code, self.paths[path].stages[stage].index_bit)
        shifts = plan_shifts(
            plan.moduli,
            factors,
            adders_per_stage=plan.adders_per_stage,
            target=plan.goal.target,
            prefer=plan.goal.prefer,
            limit=plan.limit,
        )
        if shifts and plan.goal.score(shifts.cost()) < plan.goal.score(plan.cost()):
            return shifts
        return plan

    @cached_property
    def plans(self) -> tuple[MultiplierPlan, ...]:
        """Those that differ, :attr:`plan` first, with equally many steps."""
        different = list(dict.fromkeys((self.plan, *self.stage_plans)))
        steps = max(plan.steps for plan in different)
        return tuple(plan.padded(steps) for plan in different)

    @property
    def plan_of(self) -> tuple[int, ...]:
        """Index into :attr:`plans` for each stage."""
        different = list(dict.fromkeys((self.plan, *self.stage_plans)))
        return tuple(different.index(plan) for plan in self.stage_plans)

    @cached_property
    def stage_latencies(self) -> tuple[int, ...]:
        """Registers of each stage: the exchange's, the multiplier's, and the adders'."""
        before = EXCHANGE_REGISTERS + self.front_registers
        return tuple(
            before + self.product_latency(plan) + add
            for plan, add in zip(self.stage_plans, self.add_latencies, strict=True)
        )

    @property
    def short(self) -> bool:
        """Whether reduction and last additions have one clock together, for the least latency."""
        return self.plan.adders_per_stage >= NO_REGISTERS

    @property
    def multiplier_latency(self) -> int:
        """Registers of a modular multiplication by any factor."""
        return self.product_latency(self.plan)

    def product_latency(self, plan: MultiplierPlan) -> int:
        """Registers of a modular multiplication by a plan."""
        return plan.latency - int(self.short)

    @property
    def add_latency(self) -> int:
        """Registers of the last stage's adder after the multiplier."""
        return 0 if self.short else 1

    @property
    def add_latencies(self) -> tuple[int, ...]:
        """The same of each stage."""
        inner = 0 if self.options.fused else self.add_latency
        return (*(inner for _ in range(self.stages - 1)), self.add_latency)

    @property
    def input_registers(self) -> int:
        """The slice at the input."""
        return 0 if self.options.fused else 1

    @property
    def output_registers(self) -> int:
        """The slice at the output, or the queue there."""
        return 2 if self.options.flow_control == "credits" else 1

    @property
    def edge_registers(self) -> int:
        """Registers at the edges."""
        return self.input_registers + self.output_registers

    @cached_property
    def credits(self) -> int:
        """Places of the queue at the output, a power of two; 0 without one.

        A credit is away from the cycle in which its beat enters the first stage to that in which
        it leaves the queue. There is one for each of these cycles and the one after them, on the
        longest path, so that a sink that is always ready gets a beat in every cycle.
        """
        if self.options.flow_control == "enable":
            return 0
        inside = max(self.latency(path) for path in range(len(self.paths))) - self.beats
        return 1 << (inside - self.input_registers).bit_length()

    @property
    def deep(self) -> bool:
        """Whether a register is after every memory, and each row at the output has one."""
        return self.plan.adders_per_stage <= DEEP_ROWS

    @property
    def front_registers(self) -> int:
        """Registers in front of a multiplier: the second one is after the ROM.

        The third one is that of a multiplier block, where tools use it.
        """
        if self.plan.adders_per_stage == 1:
            return 3
        return 2 if self.deep else 1

    @property
    def shifts(self) -> bool:
        """Whether what waits does so in shift registers, without a flip-flop at a row of adders."""
        return not self.deep and TARGETS[self.plan.goal.target].shift_registers

    @cached_property
    def growth(self) -> Growth:
        """Growth of residues, and its corrections."""
        operations = [
            (modulus, [stage[code] for stage in self.modes])
            for code, (modulus, _) in enumerate(self.codes)
        ]
        return grow(
            self.plan, operations, lazy_input=self.options.lazy_input, stage_plans=self.stage_plans
        )

    @property
    def settle_registers(self) -> tuple[bool, ...]:
        """Whether a register is after each row at the output.

        The slice is the last one's, but for the highest clock, as there are wires between them.
        """
        rows = len(self.growth.settle) + 1
        most = self.plan.adders_per_stage
        every = 1 if self.deep else most
        return tuple(
            (row + 1) % every == 0 and (row + 1 < rows or most == 1) for row in range(rows)
        )

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
        butterfly = self.plan.goal.score(self.plan.cost()) * self.stages + inside + 4 * words
        return self.lines * (butterfly + 2 * lane)

    def waits(self, path: int) -> tuple[int, ...]:
        """Beats that the first word waits in front of each stage's butterflies."""
        return padded_delays(self.paths) if self.options.seamless else self.paths[path].delays

    def latency(self, path: int) -> int:
        """Cycles from the first beat in to the last beat out, both counted, without stalls."""
        registers = sum(self.stage_latencies) + sum(self.settle_registers) + self.edge_registers
        return self.beats + sum(self.waits(path)) + registers

    @cached_property
    def turnaround(self) -> tuple[tuple[int, ...], ...]:
        """`turnaround[before][after]`: idle cycles between two operations, by code."""
        gaps = self.path_gaps
        return tuple(
            tuple(gaps[before][after] for _, after in self.codes) for _, before in self.codes
        )

    @cached_property
    def path_gaps(self) -> tuple[tuple[int, ...], ...]:
        """The same, by path."""
        return tuple(
            tuple(0 if self.options.seamless else turnaround(before, after) for after in self.paths)
            for before in self.paths
        )

    @property
    def buffer_words(self) -> int:
        """Words that the commutators hold (those of `seamless`'s padding included)."""
        words = 0
        for delays in self.delays:
            if self.options.seamless and len(set(delays)) > 1:
                words += sum(max(delays) for _ in delays)
            else:
                words += max(delays)
        return words * 2 * self.lines

    @cached_property
    def modes(self) -> tuple[tuple[int, ...], ...]:
        """`modes[stage][code]` of the butterflies."""
        return tuple(
            tuple(
                self.mode(code, self.paths[path].stages[stage].index_bit)
                for code, (_, path) in enumerate(self.codes)
            )
            for stage in range(self.stages)
        )

    @cached_property
    def lane_sources(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """`lane_sources[stage][path][lane]`: which lane feeds a stage's lane (wires)."""
        return tuple(
            tuple(_lane_swap(path.stages[stage].source, self.lane_bits) for path in self.paths)
            for stage in range(self.stages)
        )

    @cached_property
    def output_sources(self) -> tuple[tuple[int, ...], ...]:
        """`output_sources[path][lane]`: the wires after the last stage."""
        return tuple(
            _lane_wiring(path.output_layout, layout)
            for path, layout in zip(self.paths, self.output_layouts, strict=True)
        )

    def _encoded(self, stage: int, code: int) -> list[list[int]]:
        """Words of the ROM for a stage's butterflies in an operation, of shape (lines, beats)."""
        plan, modulus = self.stage_plans[stage], self.codes[code][0]
        at = self.paths[self.codes[code][1]].stages[stage]
        index = at.layout.order()[:, : self.lines].T
        indices, which = np.unique(self.same_factor(at.index_bit, index), return_inverse=True)
        factors = self.factors(code, at.index_bit, indices.tolist())
        words = {f: plan.encode(f, modulus) % (1 << plan.b_width) for f in set(factors)}
        encoded = [words[factor] for factor in factors]
        return [[encoded[at] for at in line] for line in which.reshape(self.lines, -1).tolist()]

    @cached_property
    def twiddle_tables(self) -> tuple[TwiddleTable, ...]:
        """The ROMs of all stages."""
        return tuple(self._twiddle_table(stage) for stage in range(self.stages))

    @cached_property
    def sparse(self) -> tuple[tuple[bool, ...], ...]:
        """`sparse[stage][line]`: a factor that never changes, smaller as shifts and adds."""
        return tuple(
            tuple(table.depth == 1 and is_sparse(plan, table.words[rom][0]) for rom in table.rom_of)
            for plan, table in zip(self.stage_plans, self.twiddle_tables, strict=True)
        )

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
        return [sum(sizes[:stage]) for stage in range(self.stages)]

    @property
    def twiddle_words(self) -> list[int]:
        """The factors of all ROMs of all stages."""
        return [word for table in self.twiddle_tables for rom in table.words for word in rom]

    def _twiddle_table(self, stage: int) -> TwiddleTable:
        sequences = [self._encoded(stage, code) for code in range(len(self.codes))]
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
        raise ValueError(f"{before} and {after} differ in time, which wires cannot correct")
    return tuple(lanes[after.index(0, lane)] for lane in range(after.lanes))
