# SPDX-License-Identifier: Apache-2.0
"""Pipelines with loaded moduli: `q = "runtime"` in a ring; see docs/rns.md."""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import count

from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.hw.common import check_shape, check_transforms_only
from nttforge.hw.core import Load, Operation, StreamCore
from nttforge.hw.engine import EngineOptions, TwiddleTable
from nttforge.hw.growth import LIMITS, Growth, grow
from nttforge.kinds.stream.config import PipelineTable
from nttforge.kinds.stream.engine import Pipeline, butterflies
from nttforge.kinds.stream.twiddles import (
    MAKER_REGISTERS,
    StageFactors,
    maker_words,
    stage_factors,
    table_words,
)
from nttforge.reduction.loaded import LoadedPlan, Moduli, plan_loaded
from nttforge.ring.primes import is_prime
from nttforge.ring.ring import Ring

#: Beats of a transform: what the pipeline's configuration has bits for, as a power of two.
MOST_BEATS = 1 << 15
#: Of a product that it has not: the one that it has adds up as many as are asked for.
_PRODUCT_HINT = 'use ntt and intt, or operations = ["polymul"], which also adds up products'


def is_loaded(design: Design) -> bool:
    """Whether moduli of a design are loaded."""
    return any(table.is_loaded for table in design.rings)


@dataclass(frozen=True)
class LoadedPipeline(Pipeline):
    """A pipeline for any modulus of a ring, worked out for the widest one.

    - `loaded`: its multiplier, which is :attr:`multiplier` too.
    - `places`: moduli that it holds.
    - `maker`: the multiplier of stages that make their factors; see :attr:`made`.
    """

    loaded: LoadedPlan
    places: int
    maker: LoadedPlan

    @cached_property
    def options(self) -> EngineOptions:
        """As its table says; no factor is known."""
        return replace(super().options, may_shift=False)

    @cached_property
    def growth(self) -> Growth:
        """Growth of residues; corrections at the output are shifted moduli."""
        operations = [(0, [stage[code] for stage in self.modes]) for code in range(len(self.codes))]
        return grow(self.plan, operations, loaded=True)

    @property
    def moduli(self) -> Moduli:
        """The moduli that it takes."""
        return self.loaded.taken

    @property
    def path_bits(self) -> int:
        """Bits of an operation in `tuser`."""
        return max(1, (len(self.paths) - 1).bit_length())

    @property
    def place_bits(self) -> int:
        """Bits of a place in `tuser`, above those of the operation."""
        return max(1, (self.places - 1).bit_length())

    @property
    def user_bits(self) -> int:
        """Bits of `tuser`: {load, place, operation}."""
        return 1 + self.place_bits + self.path_bits

    def code(self, place: int, path: int) -> int:
        """`tuser` of a transform."""
        return place << self.path_bits | path

    @cached_property
    def factor_shapes(self) -> tuple[StageFactors, ...]:
        """Factors of each stage."""
        return tuple(stage_factors(self.paths, stage) for stage in range(self.stages))

    @cached_property
    def twiddle_tables(self) -> tuple[TwiddleTable, ...]:
        """Shapes of the tables, whose words are not known."""
        return tuple(
            TwiddleTable(
                ((0,) * stage.longest,) * len(stage.lines),
                stage.rom_of,
                (0,) * len(self.paths),
                stage.shift,
            )
            for stage in self.factor_shapes
        )

    @cached_property
    def made(self) -> tuple[bool, ...]:
        """Whether each stage makes its factors."""
        least = self.table.made_from if self.table.twiddles == "made" else math.inf
        return tuple(stage.longest * self.places >= least for stage in self.factor_shapes)

    @property
    def lows(self) -> tuple[tuple[int, ...], ...]:
        """Bits of a factor's number that the second table is addressed by, by stage and path."""
        paths = range(len(self.paths))
        return tuple(tuple(stage.low(path) for path in paths) for stage in self.factor_shapes)

    @cached_property
    def factor_memories(self) -> tuple[int, ...]:
        """Words of each memory of factors, those of all places."""
        depths: list[int] = []
        for stage, made, lows in zip(self.factor_shapes, self.made, self.lows, strict=True):
            for path, low in enumerate(lows):
                words = stage.length(path)
                if made:
                    depths += [words >> low, 1 << low, *(1 for _ in stage.lines[1:])]
                else:
                    depths += [words for _ in stage.lines]
        return tuple(self.places * depth for depth in depths)

    @property
    def makers(self) -> int:
        """Multipliers that make factors: one a stage, and one for each further one of a beat."""
        return sum(
            len(stage.lines)
            for stage, made in zip(self.factor_shapes, self.made, strict=True)
            if made
        )

    @cached_property
    def ahead(self) -> int:
        """Clocks that beats wait in front of the first stage until factors are made."""
        needed = (
            MAKER_REGISTERS + self.maker.latency * (1 + (len(stage.lines) > 1))
            for stage, made in zip(self.factor_shapes, self.made, strict=True)
            if made
        )
        return max(0, max(needed, default=0) - self.front_registers)

    def latency(self, path: int) -> int:
        """Cycles from the first beat in to the last beat out, with those of :attr:`ahead`."""
        return super().latency(path) + self.ahead

    @property
    def load_wait(self) -> int:
        """Cycles after a load in which its root is checked, at most; see ntf_loaded_root."""
        return 2 * self.moduli.bits * (self.moduli.zeros - 1) + 8

    def load_words(self, ring: Ring) -> Iterator[int]:
        """Words of a ring's load: modulus, inverse if any, root, factors.

        Those of a stage come in the order of its tables, operations, and beats.

        Raises NttforgeError if the modulus of the ring is not one of those.
        """
        self.moduli.check(ring.q)
        yield ring.q
        if self.moduli.inverse:
            yield self.moduli.inverse_word(ring.q)
        yield ring.root
        directions = self.design.directions
        for stage, made in zip(self.factor_shapes, self.made, strict=True):
            if made:
                yield from maker_words(ring, self.loaded, self.maker, directions, stage)
            else:
                yield from table_words(ring, self.loaded, directions, stage)


def check_loaded(design: Design) -> None:
    """Check what a design with loaded moduli does not have yet.

    Raises NttforgeError naming the key.
    """
    table = design.table(PipelineTable)
    if len(design.rings) > 1:
        raise NttforgeError("rings", "there is another one beside loaded moduli", "leave it out")
    if design.shell is not None:
        raise NttforgeError("shell", "loaded moduli have no memory shell yet", "leave it out")
    for key, value in (
        ("flow_control", "enable"),
        ("fused", False),
        ("short", False),
        ("lut_tile", 0),
        ("flush", False),
        ("reduction", "auto"),
    ):
        if getattr(table, key) != value:
            raise NttforgeError(
                f"pipeline.{key}", "loaded moduli have no other than the default", "leave it out"
            )


def work_out_loaded(design: Design) -> LoadedPipeline:
    """Check a design with loaded moduli and derive everything from its layouts.

    Raises NttforgeError if the ring or parameters do not fit.
    """
    check_loaded(design)
    table, ring = design.table(PipelineTable), design.rings[0]
    rings = (ring.ring(),)
    check_transforms_only(design, "a pipeline with loaded moduli", _PRODUCT_HINT)
    lines = butterflies(design, rings)
    check_shape("pipeline", rings, lines)
    if rings[0].n // (2 * lines) > MOST_BEATS:
        problem = f"{rings[0].n} coefficients are more than {MOST_BEATS} beats"
        raise NttforgeError("pipeline.butterflies", problem, "use 2 or more")
    assert ring.bits is not None
    found = []
    make = partial(
        plan_loaded,
        *(ring.bits, ring.zeros),
        adders_per_stage=table.adders_per_stage,
        target=design.target,
        prefer=design.prefer,
    )
    for limit in LIMITS:
        plan = make(limit=limit, every=rings[0].n // (2 * lines), reach=ring.bits)
        maker = make(limit=1, every=plan.taken.every, inverse=plan.taken.inverse, apart=True)
        pipeline = LoadedPipeline(design, rings, plan, plan, ring.moduli or 1, maker)
        with suppress(ValueError):  # residues outgrow the multiplier
            found.append((pipeline.area, limit, pipeline))
    return min(found)[-1]


def sample_moduli(design: Design) -> tuple[int, ...]:
    """A prime for each place: the largest, the smallest, the next largest ..., all different."""
    ring = design.rings[0]
    assert ring.bits is not None
    step, top = 1 << ring.zeros, (1 << ring.bits) + 1
    falling = (q for c in count(1) if is_prime(q := top - c * step))
    rising = (q for c in count(1) if is_prime(q := 1 + c * step))
    chosen: dict[int, None] = {}
    for place in range(ring.moduli or 1):
        q = next(falling if place % 2 == 0 else rising)
        if q in chosen or q.bit_length() > ring.bits:
            raise NttforgeError(
                "rings.0.moduli", f"there are only {place} such primes", "use more bits"
            )
        chosen[q] = None
    return tuple(chosen)


def ring_of(design: Design, q: int) -> Ring:
    """The design's ring with a modulus, and the field's usual root.

    Raises NttforgeError if it is no prime, or not one that can be loaded.
    """
    table = design.rings[0]
    assert table.n is not None and table.bits is not None
    Moduli(table.bits, table.zeros).check(q)
    return Ring.create(table.n, q, negacyclic=table.form == "x^n+1")


def loads_of(pipeline: LoadedPipeline, rings: Sequence[Ring]) -> tuple[Load, ...]:
    """Loads of rings, in the places from 0 on."""
    first = 1 << pipeline.place_bits + pipeline.path_bits
    return tuple(
        Load(
            first | pipeline.code(place, 0),
            tuple(pipeline.load_words(ring)),
            pipeline.load_wait,
            tuple(pipeline.code(place, path) for path in range(len(pipeline.paths))),
        )
        for place, ring in enumerate(rings)
    )


def operations_of_places(pipeline: LoadedPipeline, rings: Iterable[Ring]) -> tuple[Operation, ...]:
    """Transforms of rings in the places from 0 on: `ntt`, or `place1.ntt` if there are several."""
    return tuple(
        Operation(
            name=direction if pipeline.places == 1 else f"place{place}.{direction}",
            code=pipeline.code(place, path),
            ring=ring,
            inverse=direction == "intt",
            input_layout=pipeline.paths[path].input_layout,
            output_layout=pipeline.output_layouts[path],
            latency=pipeline.latency(path),
        )
        for place, ring in enumerate(rings)
        for path, direction in enumerate(pipeline.design.directions)
    )


def with_modulus(core: StreamCore, q: int) -> StreamCore:
    """The core with one modulus loaded, in place 0.

    Raises NttforgeError if the core has no moduli that are loaded, or it is none of them.
    """
    pipeline = core.facts.get("loaded")
    if not isinstance(pipeline, LoadedPipeline):
        problem = f"{core.name.replace('_', '-')} has the moduli of its design"
        raise NttforgeError("modulus", problem, "leave it out")
    rings = [ring_of(pipeline.design, q)]
    operations = operations_of_places(replace(pipeline, places=1), rings)
    codes = [pipeline.code(0, path) for path in range(len(pipeline.paths))]
    return replace(
        core,
        operations=tuple(
            replace(operation, code=code) for operation, code in zip(operations, codes, strict=True)
        ),
        loads=loads_of(pipeline, rings),
    )
