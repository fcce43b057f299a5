# SPDX-License-Identifier: Apache-2.0
"""Operations as programs of passes over slots and streams; docs/iterative.md has the tables."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from nttforge.config.fields import Direction, OperationName
from nttforge.design import direction_of
from nttforge.errors import NttforgeError
from nttforge.hw.common import OPERANDS
from nttforge.kinds.iterative.passes import Pass, make_pass, stream_layouts, wires
from nttforge.layout.layout import Layout, natural
from nttforge.ring.ring import Ring

Kind = Literal["forward", "inverse", "load", "scale", "product"]

#: Where a leaf's coefficients are joined: the lowest index bit.
LEAF_BIT = 0


@dataclass(frozen=True)
class Step:
    """One pass of a program, of `cycles` for each group.

    `forward` and `inverse` are a transform's passes; `load` takes words as they are; `scale`
    multiplies the upper words by their leaves' roots; `product` multiplies two polynomials: that of
    `source` and the one in slot `other`, which is in slot `scaled` by its roots, and with
    `accumulate` adds one from the stream. Slots are numbers; None is the stream. `way` has the
    pairs, their places, and what follows from the step that reads the results.
    """

    kind: Kind
    way: Pass
    source: int | None
    target: int | None
    other: int = 0
    scaled: int = 0
    accumulate: bool = False
    cycles: int = 1

    @property
    def streams(self) -> bool:
        """Whether it takes beats from the stream."""
        return self.source is None or self.accumulate

    @property
    def reads(self) -> bool:
        """Whether it needs results of an earlier step."""
        return self.source is not None or self.kind == "product"

    def output_index(self, group: int, lane: int) -> int:
        """Index of the coefficient on a lane of a group's results; products leave mirrored."""
        mirror = self.way.layout.lanes // 2 - 1 if self.kind == "product" else self.way.mirror
        return self.way.layout.index(group, lane ^ mirror)


@dataclass(frozen=True)
class Program:
    """An operation's steps, and the order in which polynomials cross the edges."""

    steps: tuple[Step, ...]
    input_layout: Layout
    output_layout: Layout
    operands: int

    @property
    def groups(self) -> int:
        """Groups of each pass."""
        return self.input_layout.beats

    @property
    def slots(self) -> int:
        """Polynomials that it keeps."""
        used = (
            s for step in self.steps for s in (step.source, step.target, step.other, step.scaled)
        )
        return 1 + max(slot or 0 for slot in used)

    @property
    def written(self) -> set[tuple[int, int]]:
        """(slot, place) of all words of memory that it writes."""
        slots = {step.target for step in self.steps if step.target is not None}
        return {(slot, place) for slot in slots for place in range(self.groups)}

    @cached_property
    def busy(self) -> int:
        """Cycles in which the butterflies work."""
        return sum(step.cycles for step in self.steps) * self.groups

    def waits(self, latency: int) -> list[int]:
        """Idle cycles after each step, for `latency` cycles from a group's issue to its use."""
        following = [*self.steps[1:], None]
        return [
            max(0, step.way.lag + latency - self.groups) if then is not None and then.reads else 0
            for step, then in zip(self.steps, following, strict=True)
        ]

    @property
    def input_source(self) -> tuple[int, ...]:
        """For each lane of a pass, the lane of the stream."""
        found = {
            wires(self.input_layout.index, step.way.index, self.input_layout)
            for step in self.steps
            if step.streams
        }
        (only,) = found
        return only

    @property
    def output_source(self) -> tuple[int, ...]:
        """For each lane of the stream, the lane of the last pass."""
        last = self.steps[-1]
        return wires(last.output_index, self.output_layout.index, self.output_layout)


@dataclass(frozen=True)
class _Draft:
    """A step whose consequences for the one after it are still to be found."""

    kind: Kind
    bit: int
    source: int | None
    target: int | None
    other: int = 0
    scaled: int = 0
    accumulate: bool = False

    @property
    def read_slots(self) -> set[int | None]:
        more = {self.other, self.scaled} if self.kind == "product" else set()
        return {self.source, *more}


def _transform(
    ring: Ring, direction: Direction, slot: int, *, enters: bool, leaves: bool
) -> list[_Draft]:
    """A transform's passes in a slot; it may come from the stream, and go there."""
    bits = list(range(ring.depth - 1, ring.depth - 1 - ring.layers, -1))
    if direction == "intt":
        bits.reverse()
    kind: Kind = "forward" if direction == "ntt" else "inverse"
    last = len(bits) - 1
    return [
        _Draft(
            kind, bit, None if enters and i == 0 else slot, None if leaves and i == last else slot
        )
        for i, bit in enumerate(bits)
    ]


def _load(slot: int) -> _Draft:
    return _Draft("load", LEAF_BIT, None, slot)


def _scale(ring: Ring, source: int, target: int) -> list[_Draft]:
    """Leaves of two coefficients need one operand scaled as well; single ones do not."""
    return [] if ring.leaf_degree == 1 else [_Draft("scale", LEAF_BIT, source, target)]


def _drafts(ring: Ring, name: OperationName) -> list[_Draft]:
    direction = direction_of(name)
    if direction is not None:
        return _transform(ring, direction, 0, enters=True, leaves=True)
    if name == "pointwise":
        product = _Draft("product", LEAF_BIT, None, None, 0, 1 if ring.leaf_degree == 2 else 0)
        return [_load(0), *_scale(ring, 0, 1), product]
    scaled = 2 if ring.leaf_degree == 2 else 0
    if name == "mac":
        product = _Draft("product", LEAF_BIT, 1, None, 0, scaled, accumulate=True)
        return [_load(0), _load(1), *_scale(ring, 0, 2), product]
    return [
        *_transform(ring, "ntt", 0, enters=True, leaves=False),
        *_scale(ring, 0, 2),
        *_transform(ring, "ntt", 1, enters=True, leaves=False),
        _Draft("product", LEAF_BIT, 1, 0, 0, scaled),
        *_transform(ring, "intt", 0, enters=False, leaves=True),
    ]


def _next_bit(drafts: list[_Draft], number: int) -> int | None:
    """The bit that the next reader of a draft's results pairs."""
    target = drafts[number].target
    if target is None:
        return None
    return next(d.bit for d in drafts[number + 1 :] if target in d.read_slots)


def _step(ring: Ring, lane_bits: int, drafts: list[_Draft], number: int) -> Step:
    draft = drafts[number]
    way = make_pass(
        ring.depth,
        lane_bits,
        draft.bit,
        following=_next_bit(drafts, number),
        mirrored=draft.kind == "inverse",
    )
    cycles = 1 if draft.kind != "product" else 2 * ring.leaf_degree
    return Step(
        draft.kind,
        way,
        draft.source,
        draft.target,
        draft.other,
        draft.scaled,
        draft.accumulate,
        cycles,
    )


def program(ring: Ring, name: OperationName, lane_bits: int) -> Program:
    """The steps of an operation on rows of 2^(lane_bits - 1) butterflies."""
    direction = direction_of(name)
    if direction is None and ring.leaf_degree > 2:
        raise NttforgeError(
            "operations",
            f"{name} multiplies remainders of one or two coefficients, not of {ring.leaf_degree}",
            f"give the ring {ring.depth - 1} or {ring.depth} layers, or leave {name} out",
        )
    drafts = _drafts(ring, name)
    steps = tuple(_step(ring, lane_bits, drafts, number) for number in range(len(drafts)))
    if direction is not None:
        layouts = stream_layouts(ring.depth, lane_bits, direction, ring.layers)
    elif name == "polymul":
        outer = stream_layouts(ring.depth, lane_bits, "ntt", ring.layers)[0]
        layouts = outer, outer
    else:
        layouts = natural(ring.depth, lane_bits), natural(ring.depth, lane_bits)
    return Program(steps, *layouts, operands=OPERANDS[name])
