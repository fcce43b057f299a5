# SPDX-License-Identifier: Apache-2.0
"""The data path under a control in Python, which does whole transforms with it."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from nttforge.emit.design_folder import render_engine
from nttforge.kinds.decomposed.core import seed_rows
from nttforge.kinds.decomposed.kernel_engine import KINDS, TWISTED, KernelEngine, least_digit
from nttforge.kinds.decomposed.rounds import Field as Digit
from nttforge.kinds.decomposed.rounds import Round, least_size, rounds
from nttforge.kinds.decomposed.shape import Shape
from nttforge.kinds.decomposed.twiddles import Seeds
from nttforge.kinds.decomposed.walks import load, unload
from nttforge.reduction import MultiplierPlan, plan_multiplier
from nttforge.rtl_library import combine, sources_of
from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.decomposed.unit_bench import (
    BEAT_BITS,
    JOB_BITS,
    PACKAGE,
    PLACE_BITS,
    PRIM,
    RTL,
    Structures,
    beats,
    half,
    job,
    joined,
    place_of,
)
from tests.rtl.decomposed.unit_bench import words as split
from tests.unit.families.decomposed.addresses import read_address, write_address
from tests.unit.families.decomposed.decomposed_model import Machine
from tests.unit.families.decomposed.generator import Job, Table, jobs
from tests.unit.families.decomposed.pass_orders import kernel_pass

KERNEL = {"Kernel": "Engine"} | {f"Kernel{n}": n for n in ("Steps", "Ops", "RomOf", "Twiddles")}
MODULES = (
    *("ntf_xor_network", "ntf_plane_arbiter", "ntf_plane_buffer", "ntf_load_queue"),
    *("ntf_unload_queue", "ntf_twiddle_sequencer", "ntf_twiddle_generator", "ntf_twiddle_tables"),
    *("ntf_twiddle_multiplier", "ntf_decomposed_pace", "ntf_decomposed_datapath"),
)
REQUEST = (
    *(("load_valid", 1), ("load_beat", BEAT_BITS), ("load_half", 1)),
    *(("read_valid", 1), ("read_first", 1)),
    *(("read_beat", BEAT_BITS), ("read_pass", 2), ("read_inverse", 1), ("read_twist", 1)),
    ("twist_op", 8),
    *(("read_sets", 4), ("write_place", PLACE_BITS), ("write_half", 1), ("unload_valid", 1)),
    *(
        ("unload_beat", BEAT_BITS),
        ("unload_half", 1),
        ("out_ready", 1),
        ("job_valid", 1),
        ("job", JOB_BITS),
    ),
)
"""data_req_t."""
RESPONSE = tuple(
    (name, 1)
    for name in (
        *("load_ready", "load_landed", "write_valid", "write_landed"),
        *("unload_ready", "out_valid", "job_ready", "job_done"),
    )
)
"""data_rsp_t."""
GOLDILOCKS = 2**64 - 2**32 + 1
SHIFT = 7  # a generator modulo none of the primes below has it among its roots of unity
DECISION = 5  # DecisionLatency of ntf_decomposed_pkg


@dataclass(frozen=True)
class Machinery:
    """A data path and its numbers."""

    shape: Shape
    seeds: Seeds

    @property
    def q(self) -> int:
        return self.seeds.q

    @property
    def width(self) -> int:
        return self.q.bit_length()

    @cached_property
    def plan(self) -> MultiplierPlan:
        return plan_multiplier([self.q], operands="residues")

    @cached_property
    def engine(self) -> KernelEngine:
        back = range(least_size(self.shape), len(self.seeds.shifts))
        return KernelEngine(self.shape, self.seeds, plan_multiplier([self.q]), tuple(back))

    def twist_op(self, size: int) -> int:
        """Where operations of the last pass of a twisted inverse begin; of a size if on a coset."""
        least = least_digit(self.shape)
        kind = len(KINDS) + size - self.engine.back_sizes[0] if size else TWISTED
        return (kind * (self.shape.v - least + 1) - least) % 256

    def packages(self, where: Path) -> list[Path]:
        where.mkdir(parents=True, exist_ok=True)
        sizes = (
            f"localparam ntf_decomposed_pkg::engine_cfg_t Engine = '{{log_kernel: {self.shape.v}, "
            f"log_beat: {self.shape.t}, log_burst: {self.shape.p}, "
            f"coset: {int(bool(self.seeds.shifts))}, "
            f"factor_latency: {self.plan.latency}, "
            f"kernel_latency: {self.engine.latency(0) - self.engine.beats}, "
            # Of the memory and the control, which are not there: the least that is legal.
            "store_bits: 8, log_min: 1, log_max: 1, max_rounds: 1, num_seeds: 1, blocks: 4, "
            "read_depth: 2, write_depth: 2, default: '0};"
        )
        texts = {
            "mul_pkg": f"{sizes}\n{self.plan.sv_config()}",
            "kernel_pkg": render_engine(self.engine),
        }
        for name, text in texts.items():
            (where / f"{name}.sv").write_text(f"package {name};\n{text}\nendpackage\n")
        return [where / f"{name}.sv" for name in texts]

    @property
    def parameters(self) -> dict[str, str]:
        rows = seed_rows(self.seeds)
        mask = (1 << self.width) - 1
        encoded = [
            [f"{self.width}'d{self.plan.encode(w) & mask}" for w in reversed(row)]
            for row in rows[::-1]
        ]
        return {
            "Cfg": "mul_pkg::Engine",
            "MulCfg": "mul_pkg::MulCfg",
            "MulSteps": "mul_pkg::MulSteps",
            "Modulus": f"{self.width}'d{self.q}",
            "NumSeeds": str(len(self.seeds.roots)),
            "Seeds": "{" + ", ".join("{" + ", ".join(row) + "}" for row in encoded) + "}",
            **{name: f"kernel_pkg::{value}" for name, value in KERNEL.items()},
        }

    def model(self, where: Path, rtl: Path = RTL) -> Structures:
        data = self.width << self.shape.t
        sources = [
            *(rtl / file for file in combine(sources_of("ntf_pipeline"), [PACKAGE], PRIM)),
            *self.packages(where / "generated"),
            *(rtl / "decomposed" / f"{name}.sv" for name in MODULES),
        ]
        ports = Ports(
            {"req_i": sum(bits for _, bits in REQUEST), "load_data_i": data},
            {"rsp_o": len(RESPONSE), "out_data_o": data},
        )
        model = CycleModel.build(where, sources, "ntf_decomposed_datapath", ports, self.parameters)
        return Structures(model, {"req_i": REQUEST}, {"rsp_o": RESPONSE})


def written_at(beat: int, shape: Shape) -> dict[str, int]:
    """The place of the beat that comes out of the kernel, as it is driven."""
    return {"write_place_i": place_of(beat), "write_half_i": half(beat, shape.t)}


@dataclass
class Group:
    """Everything that is to be done for a group."""

    loads: list[int]
    sources: npt.NDArray[np.int64]
    reads: list[list[dict[str, int]]]
    writes: list[list[int]]
    unloads: list[int]
    targets: npt.NDArray[np.int64]
    jobs: int = 0  # jobs that must be done before its first read
    loaded: int = 0
    written: list[int] = field(default_factory=list)
    out: int = 0


class Control:
    """Loads, passes and unloads of a round's groups, each group one step after the one before."""

    def __init__(self, model: Structures, machinery: Machinery, rng: Random, stall: float) -> None:
        self.model, self.machinery, self.rng, self.stall = model, machinery, rng, stall
        self.cycles = 0

    def go(self) -> bool:
        return self.rng.random() >= self.stall

    def transform(
        self, data: list[int], *, inverse: bool = False, form: str = "cyclic"
    ) -> list[int]:
        for at in rounds(self.machinery.shape, len(data).bit_length() - 1):
            data = self.round(at, data, inverse=inverse, form=form)
        return data

    def jobs(self, at: Round, *, inverse: bool, form: str) -> Iterator[tuple[int, int, int]]:
        """(group, table, job) in the order in which they are given."""
        made = jobs(
            at,
            inverse=inverse,
            negacyclic=form == "negacyclic",
            coset=len(self.machinery.seeds.shifts) - 1 if form == "coset" else 0,
        )
        low = at.low_bits
        for group in range(at.groups):
            for table, one in made.items():
                once = table in (Table.A0, Table.B)
                if group and (once or group & (1 << low) - 1):
                    continue
                number = 0 if once else group >> low
                yield group, table, self.job(one, set_=number & 1, restart=not group)

    def job(self, one: Job, *, set_: int, restart: bool) -> int:
        return job(
            one.table,
            set_,
            restart=restart,
            m=one.m,
            k=one.k,
            inverse=one.inverse,
            scaled=one.scaled,
            coset=one.coset,
            log_n=one.log_n,
            start=one.start_root,
            first=one.first_root,
            ratio=one.ratio_root,
        )

    def groups(self, at: Round, *, inverse: bool, form: str) -> list[Group]:
        shape = self.machinery.shape
        low = at.low_bits
        result = []
        for g in range(at.groups):
            slot = g % (1 << at.slots)
            number = g >> low
            sets = 0b0110 * (number & 1)
            reads, writes = [], []
            for digit in at.passes:
                walks = kernel_pass(shape, at, digit)
                common = {
                    "read_valid_i": 1,
                    "read_pass_i": int(digit),
                    "read_inverse_i": int(inverse),
                    "read_twist_i": int(
                        inverse and form != "cyclic" and at.last and digit is Digit.R
                    ),
                    "twist_op_i": self.machinery.twist_op(at.size if form == "coset" else 0),
                    "read_sets_i": sets,
                }
                block = 1 << shape.v - shape.t
                reads.append(
                    [
                        {**common, "read_beat_i": beat, "read_first_i": int(i % block == 0)}
                        for i, beat in enumerate(beats(walks.read, slot, shape))
                    ]
                )
                writes.append(beats(walks.write, slot, shape))
            into, out = load(shape, at), unload(shape, at)
            result.append(
                Group(
                    beats(into, slot, shape),
                    read_address(at, g, into.fields),
                    reads,
                    writes,
                    beats(out, slot, shape),
                    write_address(at, g, out.fields),
                    written=[0] * len(reads),
                )
            )
        return result

    def round(self, at: Round, data: list[int], *, inverse: bool, form: str) -> list[int]:
        return self.begun(at, data, inverse=inverse, form=form).run()

    def begun(self, at: Round, data: list[int], *, inverse: bool, form: str) -> "_Round":
        groups = self.groups(at, inverse=inverse, form=form)
        queue = list(self.jobs(at, inverse=inverse, form=form))
        for group, _, _ in queue:
            for later in groups[group:]:
                later.jobs += 1
        return _Round(self, at, groups, [(g, j) for g, _, j in queue], data)


class _Round:
    def __init__(
        self,
        control: Control,
        at: Round,
        groups: list[Group],
        given: list[tuple[int, int]],
        data: list[int],
    ) -> None:
        self.control, self.at, self.groups, self.data = control, at, groups, data
        self.target = [0] * len(data)
        self.given = deque(given)
        self.done = 0
        self.load = self.unload = self.out = 0, 0  # group, beat
        self.read = self.write = self.landed = 0, 0, 0  # group, pass, beat
        self.load_landed = 0, 0
        self.confirmed = deque([False] * (DECISION - 1))  # whether a beat has landed, by cycles
        self.width, self.words = control.machinery.width, 1 << control.machinery.shape.t

    def step(self) -> None:
        control, groups, drive = self.control, self.groups, dict[str, int]()
        g, beat = self.load
        free = g < len(groups) and (
            g < 1 << self.at.slots
            or groups[g - (1 << self.at.slots)].out == len(groups[g - (1 << self.at.slots)].unloads)
        )
        if free and control.go():
            one = groups[g]
            row = [self.data[i] for i in one.sources[beat]]
            drive |= {
                "load_valid_i": 1,
                "load_beat_i": one.loads[beat],
                "load_half_i": half(one.loads[beat], self.control.machinery.shape.t),
                "load_data_i": joined(row, self.width),
            }
        if self.may_read():
            g, number, beat = self.read
            drive |= groups[g].reads[number][beat]
            self.read = self.next_pass(self.read)
        if self.write[0] < len(groups):
            g, number, beat = self.write
            drive |= written_at(groups[g].writes[number][beat], self.control.machinery.shape)
        g, beat = self.unload
        if g < len(groups) and control.go() and self.passed(g, len(groups[g].reads) - 1):
            place = groups[g].unloads[beat]
            drive |= {"unload_valid_i": 1, "unload_beat_i": place}
            drive["unload_half_i"] = half(place, self.control.machinery.shape.t)
        ready = control.go()
        drive["out_ready_i"] = int(ready)
        # A set may be written when the group that used it last has been read.
        if self.given and self.given[0][0] <= self.read[0] + 1 and control.go():
            drive |= {"job_valid_i": 1, "job_i": self.given[0][1]}
        self.take(drive, control.model.step(**drive), ready)
        control.cycles += 1

    def take(self, drive: dict[str, int], seen: dict[str, int], ready: bool) -> None:
        groups = self.groups
        if "load_valid_i" in drive and seen["load_ready_o"]:
            self.load = self.next_beat(self.load, len(groups[self.load[0]].loads))
        if "unload_valid_i" in drive and seen["unload_ready_o"]:
            self.unload = self.next_beat(self.unload, len(groups[self.unload[0]].unloads))
        if seen["load_landed_o"]:
            groups[self.load_landed[0]].loaded += 1
            self.load_landed = self.next_beat(
                self.load_landed, len(groups[self.load_landed[0]].loads)
            )
        if seen["write_valid_o"]:
            self.write = self.next_pass(self.write)
        self.confirmed.append(bool(seen["write_landed_o"]))
        if self.confirmed.popleft():
            g, number, _ = self.landed
            groups[g].written[number] += 1
            self.landed = self.next_pass(self.landed)
        if seen["out_valid_o"] and ready:
            g, beat = self.out
            row = split(seen["out_data_o"], self.width, self.words)
            for at, word in zip(groups[g].targets[beat], row, strict=True):
                self.target[at] = word
            groups[g].out += 1
            self.out = self.next_beat(self.out, len(groups[g].unloads))
        if "job_valid_i" in drive and seen["job_ready_o"]:
            self.given.popleft()
        self.done += seen["job_done_o"]

    def passed(self, g: int, number: int) -> bool:
        return self.groups[g].written[number] == len(self.groups[g].writes[number])

    def may_read(self) -> bool:
        """A block goes on without a gap; a pass begins when what it needs has landed."""
        g, number, beat = self.read
        if g == len(self.groups):
            return False
        one = self.groups[g]
        if not one.reads[number][beat]["read_first_i"]:
            return True
        there = self.passed(g, number - 1) if number else one.loaded == len(one.loads)
        return there and self.done >= one.jobs and self.control.go()

    def next_beat(self, at: tuple[int, int], length: int) -> tuple[int, int]:
        g, beat = at
        return (g, beat + 1) if beat + 1 < length else (g + 1, 0)

    def next_pass(self, at: tuple[int, int, int]) -> tuple[int, int, int]:
        g, number, beat = at
        if beat + 1 < len(self.groups[g].reads[number]):
            return g, number, beat + 1
        return (g, number + 1, 0) if number + 1 < len(self.groups[g].reads) else (g + 1, 0, 0)

    def run(self) -> list[int]:
        limit = self.control.cycles + 400 * len(self.data)
        while self.out[0] < len(self.groups):
            self.step()
            assert self.control.cycles < limit, "it hangs"
        return self.target


def reference(
    machinery: Machinery, data: list[int], *, inverse: bool = False, form: str = "cyclic"
) -> list[int]:
    """What the machine's model, which is proved against python-flint, makes of the words."""
    machine = Machine(machinery.shape, machinery.seeds)
    words = np.array(data, dtype=object)
    negacyclic, coset = form == "negacyclic", form == "coset"
    made = machine.transform(words, inverse=inverse, negacyclic=negacyclic, coset=coset)
    return [int(x) for x in made]


def check(model: Structures, machinery: Machinery, size: int, turns: range = range(4)) -> None:
    """Random words, forward and inverse, of every form, with and without stalls."""
    for turn in turns:
        rng = Random(size * 6 + turn)
        inverse, form = bool(turn & 1), ("cyclic", "negacyclic", "coset")[turn >> 1]
        control = Control(model, machinery, rng, stall=(0.0, 0.3)[turn & 1])
        data = [rng.randrange(machinery.q) for _ in range(1 << size)]
        found = control.transform(data, inverse=inverse, form=form)
        expected = reference(machinery, data, inverse=inverse, form=form)
        assert found == expected, (size, inverse, form)


def check_landing(model: Structures, machinery: Machinery) -> None:
    """A block's beats, each asked for in the first cycle that is allowed, and again much later."""
    rng = Random(1)
    model.reset()
    shape = machinery.shape
    at = rounds(shape, shape.fits)[0]
    data = [rng.randrange(machinery.q) for _ in range(1 << shape.fits)]
    control = Control(model, machinery, rng, stall=0.0)
    begun = control.begun(at, data, inverse=False, form="cyclic")
    while not begun.may_read():
        begun.step()
    group = begun.groups[0]
    block = 1 << shape.v - shape.t
    reads, places = group.reads[0][:block], group.writes[0][:block]
    later = 2 * machinery.engine.turn(machinery.plan)
    asked = {later + i: place for i, place in enumerate(places)}
    landed = written = 0
    out = []
    for cycle in range(2 * later):
        drive = {"out_ready_i": 1} | written_at(places[written % block], shape)
        if cycle < block:
            drive |= reads[cycle]
        if cycle in asked:
            drive |= {"unload_valid_i": 1, "unload_beat_i": asked[cycle]}
            drive["unload_half_i"] = half(asked[cycle], shape.t)
        seen = model.step(**drive)
        if seen["write_landed_o"]:
            asked[cycle + DECISION] = places[landed]
            landed += 1
        written += seen["write_valid_o"]
        if seen["out_valid_o"]:
            out.append(seen["out_data_o"])
    assert landed == written == block
    assert out[:block] == out[block:]
    assert len(set(out)) == block


def test_a_beat_may_be_unloaded_as_soon_as_is_said(tmp_path: Path) -> None:
    shape, q, largest, _ = CASES[0]
    machinery = Machinery(shape, Seeds.create(q, largest))
    check_landing(machinery.model(tmp_path), machinery)


BN254 = 0x30644E72E131A029B85045B68181585D2833E84879B9709143E1F593F0000001
# Shape, modulus, log2 of its largest order, then each size with the turns of `check`.
CASES = [
    (Shape(4, 2, 2), 12289, 12, {6: range(6), 9: range(2), 11: range(2, 6, 3)}),
    (Shape(4, 2, 2), GOLDILOCKS, 14, {8: range(1), 13: range(3, 4)}),
]
SLOW = [
    (Shape(4, 2, 2), 12289, 12, dict.fromkeys((7, 8, 9, 10, 11), range(4))),
    (Shape(4, 2, 2), GOLDILOCKS, 16, dict.fromkeys((12, 13, 14), range(4))),
    (Shape(5, 3, 1), 998244353, 16, dict.fromkeys((9, 10, 15), range(4))),
    (Shape(5, 2, 2), BN254, 12, dict.fromkeys((9, 11), range(4))),
    (Shape(6, 4, 3), GOLDILOCKS, 14, dict.fromkeys((12, 13), range(4))),
]


@pytest.mark.parametrize(
    ("shape", "q", "largest", "sizes"),
    [*CASES, *(pytest.param(*case, marks=pytest.mark.slow) for case in SLOW)],
    ids=str,
)
def test_transforms(
    shape: Shape, q: int, largest: int, sizes: dict[int, range], tmp_path: Path
) -> None:
    machinery = Machinery(shape, Seeds.create(q, largest, shift=SHIFT, sizes=largest - 1))
    model = machinery.model(tmp_path)
    for size, turns in sizes.items():
        check(model, machinery, size, turns)


class _Recorded(Structures):
    """A model that keeps what went in and what came out."""

    def __init__(self, model: Structures) -> None:
        super().__init__(model.model, model.inputs, model.outputs)
        self.cycles: list[tuple[dict[str, int], dict[str, int]]] = []

    def step(self, **drive: int) -> dict[str, int]:
        seen = super().step(**drive)
        self.cycles.append((drive, seen))
        return seen


def test_a_block_takes_as_long_as_is_derived(tmp_path: Path) -> None:
    machinery = Machinery(Shape(4, 2, 2), Seeds.create(12289, 12))
    recorded = _Recorded(machinery.model(tmp_path))
    check(recorded, machinery, 8, range(1, 2))
    reads = next(t for t, (drive, _) in enumerate(recorded.cycles) if "read_valid_i" in drive)
    writes = next(t for t, (_, out) in enumerate(recorded.cycles) if out["write_valid_o"])
    assert writes - reads == machinery.engine.turn(machinery.plan)
