# SPDX-License-Identifier: Apache-2.0
"""Compiling a unit of rtl/decomposed, its packed structs, and what a beat's words are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from nttforge.kinds.decomposed.rounds import Round, Side
from nttforge.kinds.decomposed.shape import Shape as MachineShape
from nttforge.kinds.decomposed.walks import Walk
from nttforge.reduction import MultiplierPlan, plan_multiplier
from nttforge.rtl_library import rtl_root, sources_of
from nttforge.simulate.cycles import CycleModel, Ports

RTL = rtl_root()
PRIM = (
    "prim/ntf_prim_pkg.sv",
    "prim/ntf_prim_pipe.sv",
    "prim/ntf_prim_line.sv",
    "prim/ntf_prim_ram_1r1w.sv",
    "prim/ntf_prim_fifo.sv",
    "prim/ntf_prim_delay.sv",
    "prim/ntf_prim_axis_slice.sv",
    "prim/ntf_prim_kept.sv",
)
PACKAGE = "decomposed/ntf_decomposed_pkg.sv"
ARITH = tuple(name for name in sources_of("ntf_decomposed") if name.startswith("arith/"))
FIELD, LOG = 8, 6
FIELDS = ("p", "c", "r")
PASS_P, PASS_C, PASS_R = range(3)

PLACE_BITS = 2 + 3 * FIELD + 5
SIDE_BITS = 3 + 9 * LOG
TAIL_BITS = 5 * LOG + 2 * SIDE_BITS  # of a round, after its slots
ROUND_BITS = 6 + 4 * LOG + 2 + 2 + LOG + TAIL_BITS
BEAT_BITS = PLACE_BITS + ROUND_BITS


def fields(*parts: tuple[int, int]) -> int:
    """A packed struct of (value, bits), the first one highest."""
    vector = 0
    for value, bits in parts:
        assert 0 <= value < 1 << bits
        vector = vector << bits | value
    return vector


def words(vector: int, bits: int, count: int) -> list[int]:
    return [vector >> i * bits & (1 << bits) - 1 for i in range(count)]


def joined(values: Sequence[int], bits: int) -> int:
    return sum(value % (1 << bits) << i * bits for i, value in enumerate(values))


@dataclass(frozen=True)
class Index:
    """index_t."""

    p: int = 0
    c: int = 0
    r: int = 0
    slot: int = 0

    @property
    def packed(self) -> int:
        return fields((self.slot, 2), (self.r, FIELD), (self.c, FIELD), (self.p, FIELD))


@dataclass(frozen=True)
class Lanes:
    """lanes_t."""

    low: str
    top: str
    high: bool

    @property
    def packed(self) -> int:
        return fields((FIELDS.index(self.low), 2), (FIELDS.index(self.top), 2), (self.high, 1))


@dataclass(frozen=True)
class Shape:
    """LogKernel, LogBeat and LogBurst of the modules."""

    v: int
    t: int
    p: int

    @property
    def words(self) -> int:
        return 1 << self.t

    @property
    def parameters(self) -> dict[str, Any]:
        return {"LogKernel": self.v, "LogBeat": self.t, "LogBurst": self.p}

    @property
    def network(self) -> int:
        """network_latency of the package."""
        return -(-self.t // 2)

    def lane(self, index: Index, lanes: Lanes, lane: int) -> Index:
        """The word that a beat has on a lane."""
        top = self.v - 1 if lanes.high else self.t - 1
        low = lane & (1 << self.t - 1) - 1
        index = replace(index, **{lanes.low: getattr(index, lanes.low) | low})
        bit = lane >> self.t - 1 << top
        return replace(index, **{lanes.top: getattr(index, lanes.top) | bit})

    def indices(self, index: Index, lanes: Lanes) -> list[Index]:
        return [self.lane(index, lanes, lane) for lane in range(self.words)]

    def base(self, index: Index, lanes: Lanes) -> Index:
        """The index with the lanes' bits cleared."""
        full = self.lane(Index(), lanes, self.words - 1)
        return replace(index, **{f: getattr(index, f) & ~getattr(full, f) for f in FIELDS})

    def random(self, rng: Random, slots: int = 2) -> tuple[Index, Lanes]:
        """Any beat that there may be."""
        low, top = rng.choice(FIELDS), rng.choice(FIELDS)
        high = rng.random() < 0.5 and (top != "p" or self.p >= self.v)
        lanes = Lanes(low, top, high)
        index = Index(
            rng.randrange(1 << self.p),
            rng.randrange(1 << self.v),
            rng.randrange(1 << self.v),
            rng.randrange(slots),
        )
        return self.base(index, lanes), lanes


Layout = Mapping[str, Sequence[tuple[str, int]]]
"""Ports that are structures: the fields of each with their bits, the highest first."""


def width(of: Iterable[tuple[str, int]]) -> int:
    """Bits of a structure."""
    return sum(bits for _, bits in of)


class Structures:
    """A model whose structures are driven and seen field by field, as `FIELD_i` and `FIELD_o`."""

    def __init__(self, model: CycleModel, inputs: Layout, outputs: Layout) -> None:
        self.model, self.inputs, self.outputs = model, inputs, outputs

    def reset(self) -> None:
        self.model.reset()

    def step(self, **drive: int) -> dict[str, int]:
        return self.run([drive])[0]

    def run(self, drives: Sequence[Mapping[str, int]]) -> list[dict[str, int]]:
        return [self._seen(seen) for seen in self.model.run([self._driven(d) for d in drives])]

    def _driven(self, drive: Mapping[str, int]) -> dict[str, int]:
        rest = dict(drive)
        whole = {
            port: fields(*((int(rest.pop(f"{name}_i", 0)), bits) for name, bits in parts))
            for port, parts in self.inputs.items()
        }
        return rest | whole

    def _seen(self, seen: Mapping[str, int]) -> dict[str, int]:
        rest = dict(seen)
        for port, parts in self.outputs.items():
            vector = rest.pop(port)
            for name, bits in reversed(parts):
                rest[f"{name}_o"] = vector & (1 << bits) - 1
                vector >>= bits
        return rest


def place(index: Index, lanes: Lanes) -> int:
    return index.packed << 5 | lanes.packed


def unit(
    where: Path,
    name: str,
    inputs: Mapping[str, int],
    outputs: Mapping[str, int],
    *,
    needs: Sequence[str] = (),
    rtl: Path = RTL,
    field: "Field | None" = None,
    common: tuple[str, ...] = ("clk_i", "rst_ni"),
    source: Path | None = None,
    **parameters: int | str,
) -> CycleModel:
    """`source`: where the module is, if not among the RTL."""
    sources = [rtl / file for file in (*PRIM, PACKAGE)]
    if field is not None:
        sources += [*(rtl / file for file in ARITH), field.package(where / "generated")]
        parameters = {**field.parameters, **parameters}
    sources += [rtl / file for file in (*needs, source or f"decomposed/{name}.sv")]
    given = {key: str(value) for key, value in parameters.items()}
    return CycleModel.build(where, sources, name, Ports(inputs, outputs, common), given)


@dataclass(frozen=True)
class Field:
    """A prime field with its plan of multipliers, and roots of every order 2^e."""

    q: int
    orders: int  # root(e) for e < orders
    adders: int = 4
    shift: int = 0  # of a coset; then its powers are seeds, too

    @cached_property
    def plan(self) -> MultiplierPlan:
        return plan_multiplier([self.q], adders_per_stage=self.adders, operands="residues")

    @property
    def width(self) -> int:
        return self.q.bit_length()

    def root(self, e: int, inverse: bool = False) -> int:
        top = next(
            r
            for x in range(2, self.q)
            if pow(
                r := pow(x, (self.q - 1) >> self.orders - 1, self.q), 1 << self.orders - 2, self.q
            )
            == self.q - 1
        )
        root = pow(top, 1 << self.orders - 1 - e, self.q)
        return pow(root, -1, self.q) if inverse else root

    def power(self, e: int, inverse: bool = False) -> int:
        """The shift's power of that place in the ROM."""
        return pow(self.shift, (-1 if inverse else 1) << self.orders - 1 - e, self.q)

    def decode(self, word: int) -> int:
        """The residue that an encoded lazy word stands for."""
        lazy = word - (2 << self.width) * (word >> self.width)
        assert -self.q <= lazy < self.q
        return lazy * pow(self.plan.encode(1), -1, self.q) % self.q

    def package(self, where: Path) -> Path:
        """A package `mul_pkg` with the plan."""
        where.mkdir(parents=True, exist_ok=True)
        file = where / "mul_pkg.sv"
        text = self.plan.sv_config()
        file.write_text(f"package mul_pkg;\n{text}\nendpackage\n")
        return file

    @property
    def parameters(self) -> dict[str, str]:
        return {
            "Cfg": "mul_pkg::MulCfg",
            "Steps": "mul_pkg::MulSteps",
        }

    @property
    def seeds(self) -> str:
        rows = [
            [self.root(e) for e in range(self.orders)],
            [self.root(e, inverse=True) for e in range(self.orders)],
            [1 << e for e in range(self.orders)],
        ]
        for inverse in (False, True) if self.shift else ():
            rows.append([self.power(e, inverse) for e in range(self.orders)])
        mask = (1 << self.width) - 1
        return ", ".join(
            "{"
            + ", ".join(f"{self.width}'d{self.plan.encode(w) & mask}" for w in reversed(row))
            + "}"
            for row in reversed(rows)
        )


GOLDILOCKS = 2**64 - 2**32 + 1
JOB_BITS = 2 + 5 + 7 * LOG


def job(
    which: int,
    set_: int = 0,
    *,
    restart: int,
    m: int,
    k: int,
    inverse: int = 0,
    scaled: int = 0,
    coset: int = 0,
    log_n: int = 0,
    pad: int = 0,
    start: int = 0,
    first: int = 0,
    ratio: int = 0,
) -> int:
    """twiddle_job_t."""
    flags = ((which, 2), (set_, 1), (restart, 1), (inverse, 1), (scaled, 1), (coset, 1))
    logs = ((x, LOG) for x in (log_n, m, pad, k, start, first, ratio))
    return fields(*flags, *logs)


def side_bits(side: Side) -> int:
    way, *logs = astuple(side)
    return fields((way, 3), *((value, LOG) for value in logs))


def round_bits(at: Round) -> int:
    kind = (at.last, at.keyed, at.fits, at.mirror_in, at.mirror_out, at.still)
    flags = tuple((flag, 1) for flag in kind)
    logs = ((bits, LOG) for bits in (*at.bits, at.kappa))
    slots = ((at.slots, 2), (at.slot_field, 2), (at.slot_bit, LOG))
    outer = ((n, LOG) for n in (at.key_bits, at.low_bits, at.beats, at.split, at.order_b))
    sides = ((side_bits(side), SIDE_BITS) for side in (at.load, at.unload))
    return fields(*flags, *logs, *slots, *outer, *sides)


def place_of(beat: int) -> int:
    """place_t of a beat_t: its slot's upper bit is in its place among the fields."""
    slots, place = (beat >> TAIL_BITS) & (1 << 2 + LOG) - 1, beat >> ROUND_BITS
    upper = place >> 5 + 3 * FIELD + 1 & 1
    field, bit = divmod(slots, 1 << LOG)
    return place ^ upper << 5 + 3 * FIELD + 1 | upper << 5 + field * FIELD + bit


def half(beat: int, t: int) -> int:
    """Where a beat_t of 2^t words is in the buffer."""
    p, c, r = words(place_of(beat) >> 5, FIELD, 3)
    return (p ^ c ^ r) >> t & 1


def beats(walk: Walk, slot: int, shape: MachineShape) -> list[int]:
    """beat_t of each beat of a walk."""
    lanes = walk.bits[: shape.t]
    top_field, top = lanes[-1]
    low_field = lanes[0][0]
    assert lanes[:-1] == tuple((low_field, bit) for bit in range(shape.t - 1))
    assert top in (shape.t - 1, shape.v - 1)
    kind = fields((low_field, 2), (top_field, 2), (top != shape.t - 1, 1))
    tail = kind << ROUND_BITS | round_bits(walk.round)
    p, c, r = (array[:, 0] for array in walk.fields)
    return [
        fields((slot, 2), (int(z), FIELD), (int(y), FIELD), (int(x), FIELD)) << (5 + ROUND_BITS)
        | tail
        for x, y, z in zip(p, c, r, strict=True)
    ]
