# SPDX-License-Identifier: Apache-2.0
"""What the kernel does when, and what leaves the buffer: scheduler, pass walker, unload walker.

Each is driven by a play of its neighbours, and every output is compared with what its contract and
the orders of the Python walks say.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

import pytest

from nttforge.kinds.decomposed.rounds import Field as Digit
from nttforge.kinds.decomposed.rounds import Round
from nttforge.kinds.decomposed.shape import Shape as MachineShape
from nttforge.kinds.decomposed.walks import Walk, load, unload
from nttforge.simulate.cycles import CycleModel
from tests.rtl.decomposed.test_walkers import BY_BEATS, MACHINES, WALK, all_rounds, words_of
from tests.rtl.decomposed.unit_bench import (
    BEAT_BITS,
    FIELD,
    LOG,
    PLACE_BITS,
    ROUND_BITS,
    RTL,
    Structures,
    beats,
    fields,
    half,
    joined,
    place_of,
    round_bits,
    unit,
    width,
)
from tests.unit.families.decomposed.pass_orders import kernel_pass

COUNT_BITS = 4 * FIELD
CONTEXTS = 4
TABLES = 4
# Reads of a pass by digit: which tables must be made.
NEEDED = {Digit.P: (0,), Digit.C: (1,), Digit.R: (2, 3)}


FORM_BITS = 2 + 3 * 2 + 3 * LOG
#: block_t and progress_t.
BLOCK = (
    *(("block_number", 2), ("block_slot", 2), ("block_round", ROUND_BITS), ("block_pass", 2)),
    *(("block_form", FORM_BITS), ("block_sets", TABLES), ("block_count", COUNT_BITS)),
)
PROGRESS = (
    *(("unload_valid", 1), ("unload_round", ROUND_BITS), ("unload_slot", 2)),
    *(("unload_all", 1), ("unload_some", 1), ("unload_beats", 32)),
)


def words(walk: Walk, beat: int) -> list[tuple[int, int, int]]:
    p, c, r = (array[beat].tolist() for array in walk.fields)
    return list(zip(p, c, r, strict=True))


def inner_and_outer(at: Round, digit: Digit) -> tuple[Digit, Digit]:
    """The fields that fill up a block of a pass, and that count blocks."""
    inner = Digit.R if digit is Digit.P or (digit is Digit.C and not at.along) else Digit.P
    return inner, next(other for other in Digit if other not in (digit, inner))


def reversed_blocks(at: Round, digit: Digit) -> bool:
    mirrored = {Digit.P: at.mirror_in, Digit.C: False, Digit.R: at.mirror_out}[digit]
    return mirrored and not at.along


def form(at: Round, digit: Digit) -> int:
    """form_t of a pass."""
    named = (digit, *inner_and_outer(at, digit))
    bits = ((at.mp, at.mc, at.mr)[field] for field in named)
    return fields(
        (digit is Digit.P, 1),
        (reversed_blocks(at, digit), 1),
        *((int(field), 2) for field in named),
        *((count, LOG) for count in bits),
    )


def block_count(machine: MachineShape, at: Round, digit: Digit, block: int) -> int:
    """The place of a block's first word as ntf_walk_pkg counts: outer, inner, its bit t, digit."""
    walk = kernel_pass(machine, at, digit).read
    index = words(walk, block << machine.v - machine.t)[0]
    assert index[digit] == 0
    inner, outer = inner_and_outer(at, digit)
    above = index[inner] & 1 << machine.t
    count = index[outer]
    if reversed_blocks(at, digit):
        count = int(f"{count:0{FIELD}b}"[::-1], 2)
    return fields((count, FIELD), (index[inner] ^ above, FIELD), (above, FIELD), (0, FIELD))


def some_rounds(
    machine: MachineShape, rng: Random, count: int, *, pads: bool = False
) -> list[Round]:
    """Rounds of any size, most of them small, but one of each kind of the largest groups."""
    every = list(all_rounds(machine, pads=pads))
    small = [at for at in every if at.group <= 2 * machine.v]
    large = [at for at in every if at.group == machine.group]
    kinds = {(at.last, at.fits, at.still): at for at in rng.sample(large, len(large))}
    result = [rng.choice(small) for _ in range(count)]
    for at in kinds.values():
        result.insert(rng.randrange(count), at)
    return result


def blocks_of(machine: MachineShape, at: Round) -> int:
    return 1 << at.group - machine.v


# The scheduler.


#: Which passes a kernel has.
STAGES = {
    "Whole": slice(None),
    "First": slice(1),
    "Rest": slice(1, None),
}


def scheduler(
    where: Path, machine: MachineShape, rtl: Path = RTL, *, stage: str = "Whole"
) -> Structures:
    ones = ("alloc_i", "load_landed_i", "block_landed_i", "release_i", "room_i")
    twos = ("number_i", "block_landed_number_i", "unload_context_i")
    model = unit(
        where,
        "ntf_pass_scheduler",
        {
            **dict.fromkeys(ones, 1),
            **dict.fromkeys(twos, 2),
            **dict.fromkeys(("version_i", "tables_i"), 3 * TABLES),
            "round_i": ROUND_BITS,
        },
        {
            **dict.fromkeys(("block_valid_o", "retire_o"), 1),
            **{"block_o": width(BLOCK), "unload_o": width(PROGRESS)},
        },
        needs=WALK,
        rtl=rtl,
        LogKernel=machine.v,
        LogBeat=machine.t,
        LogBurst=machine.p,
        LogBlowup=machine.v if stage != "Rest" else 0,
        Stage=f"ntf_decomposed_pkg::Stage{stage}",
    )
    return Structures(model, {}, {"block_o": BLOCK, "unload_o": PROGRESS})


@dataclass
class Group:
    """A group as the scheduler's neighbours know it."""

    machine: MachineShape
    at: Round
    number: int
    versions: list[int]
    stage: str = "Whole"
    loaded: int = 0
    taken: int = 0  # blocks of all passes together
    landed: int = 0
    known_back: int = -1  # passes that have landed as a whole, a cycle later
    slot: int = field(init=False)
    blocks: int = field(init=False)
    unit: int = field(init=False)  # blocks

    def __post_init__(self) -> None:
        self.slot = self.number % (1 << self.at.slots)
        self.blocks = blocks_of(self.machine, self.at)
        shift = self.machine.v - self.machine.t
        self.unit = 1 << load(self.machine, self.at).unit - shift
        if self.stage == "Rest":
            self.unit = self.blocks

    @property
    def passes(self) -> tuple[Digit, ...]:
        return self.at.passes[STAGES[self.stage]]

    @property
    def done(self) -> bool:
        """All of it may leave."""
        return self.landed == self.whole and self.loaded == self.beats

    @property
    def whole(self) -> int:
        return self.blocks * len(self.passes)

    @property
    def beats(self) -> int:
        return 1 << self.at.group - self.machine.t

    def can_go(self, made: list[int]) -> bool:
        """Its next block may be taken."""
        if self.taken == self.whole:
            return False
        number, block = divmod(self.taken, self.blocks)
        if any(made[t] < self.versions[t] for t in NEEDED[self.passes[number]]):
            return False
        if number:
            return self.landed >= number * self.blocks
        needed = (block // self.unit + 1) * self.unit
        return self.loaded >= needed << self.machine.v - self.machine.t

    @property
    def block(self) -> dict[str, int]:
        """What is said of the block that is taken next."""
        number, block = divmod(self.taken, self.blocks)
        digit = self.passes[number]
        return {
            "block_number_o": self.number % CONTEXTS,
            "block_slot_o": self.slot,
            "block_round_o": round_bits(self.at),
            "block_pass_o": int(digit),
            "block_form_o": form(self.at, digit),
            "block_sets_o": sum((v & 1) << t for t, v in enumerate(self.versions)),
            "block_count_o": block_count(self.machine, self.at, digit, block),
        }

    @property
    def unloading(self) -> dict[str, int]:
        block = self.landed % self.blocks
        last = len(self.passes)
        beats = block << self.machine.v - self.machine.t
        if not last:  # what is loaded may leave
            beats = self.loaded
        return {
            "unload_valid_o": 1,
            "unload_round_o": round_bits(self.at),
            "unload_slot_o": self.slot,
            "unload_all_o": int(self.known_back == last and last > 0),
            "unload_some_o": int(self.known_back == max(last - 1, 0)),
            "unload_beats_o": beats,
        }


class Schedule:
    """Drives a scheduler with groups of any rounds, and knows what it has to say each cycle."""

    def __init__(
        self, model: Structures, machine: MachineShape, rng: Random, stage: str = "Whole"
    ) -> None:
        self.model, self.machine, self.rng, self.stage = model, machine, rng, stage
        self.room = True
        self.pace = 1 << machine.v - machine.t
        self.live: list[Group] = []  # oldest first
        self.number = self.retired = self.gone = self.whole_before = 0
        self.versions, self.made = [0] * TABLES, [0] * TABLES
        self.able: deque[list[int]] = deque([[], []])  # who could go, by number: two cycles back
        self.last_block = -self.pace
        self.landing: deque[tuple[int, Group]] = deque()
        self.latency = rng.randrange(12, 60)
        self.cycle = 0
        model.reset()

    def go(self, rounds: list[Round], *, memory: float, unloads: float, twiddles: float) -> None:
        """`memory`, `unloads`, `twiddles`: how likely a beat lands, a group leaves, a table is."""
        rng, coming = self.rng, deque(rounds)
        while coming or self.live:
            drive: dict[str, int] = {}
            new = None
            if coming and len(self.live) < CONTEXTS and rng.random() < 0.3:
                new = self.begin(coming.popleft())
                drive |= {
                    "alloc_i": 1,
                    "round_i": round_bits(new.at),
                    "number_i": new.number % CONTEXTS,
                    "version_i": joined([v % 8 for v in new.versions], 3),
                }
            loading = next((g for g in self.live if g.loaded < g.beats), None)
            lands = loading is not None and rng.random() < memory
            back = bool(self.landing) and self.landing[0][0] == self.cycle
            if back:
                drive["block_landed_i"] = 1
                drive["block_landed_number_i"] = self.landing[0][1].number % CONTEXTS
            leaves = (
                bool(self.live)
                and self.live[0].done
                and self.live[0].number < self.retired
                and rng.random() < unloads
            )
            looked = rng.randrange(CONTEXTS)
            self.make(twiddles)
            had_room, self.room = self.room, self.stage != "First" or rng.random() < 0.7
            drive |= {
                "room_i": int(self.room),
                "load_landed_i": int(lands),
                "release_i": int(leaves),
                "unload_context_i": looked,
                "tables_i": joined([m % 8 for m in self.made], 3),
            }
            self.look(self.model.step(**drive), looked, had_room)
            for group in self.live:
                group.known_back = group.landed // group.blocks
            if lands and loading is not None:
                loading.loaded += 1 << loading.at.load.pad  # its zeros with it
            if back:
                self.landing.popleft()[1].landed += 1
            if leaves:
                self.live.pop(0)
                self.gone += 1
            if new is not None:
                self.live.append(new)
            self.cycle += 1
            assert self.cycle - self.last_block < 20_000, "nothing goes on"

    def begin(self, at: Round) -> Group:
        # A table is made for who reads it, so none is more versions behind than there are contexts.
        read = {t for digit in at.passes[STAGES[self.stage]] for t in NEEDED[digit]}
        self.versions = [
            v + (table in read and self.rng.randrange(2)) for table, v in enumerate(self.versions)
        ]
        group = Group(self.machine, at, self.number, list(self.versions), self.stage)
        self.number += 1
        return group

    def make(self, twiddles: float) -> None:
        """A table is at most one ahead of those that groups with passes left use."""
        using = [g for g in self.live if g.taken < g.whole]
        for table in range(TABLES):
            limit = min([g.versions[table] + 1 for g in using] or [self.versions[table] + 1])
            if self.made[table] < min(limit, self.versions[table]) and self.rng.random() < twiddles:
                self.made[table] += 1

    def look(self, seen: dict[str, int], looked: int, had_room: bool) -> None:
        # A decision takes two registers after what is known.
        may = self.able.popleft()
        self.able.append([g.number for g in self.live if g.can_go(self.made)])
        retires = self.whole_before > self.retired
        assert seen["retire_o"] == retires
        self.retired += retires
        self.whole_before = self.whole_now()
        for group in self.live:
            if group.number % CONTEXTS == looked:
                assert {name: seen[name] for name in group.unloading} == group.unloading
                break
        else:
            assert not seen["unload_valid_o"]
        taken = self.cycle - self.last_block >= self.pace and bool(may) and had_room
        assert seen["block_valid_o"] == taken, (self.cycle, may)
        if taken:
            group = next(g for g in self.live if g.number == may[0])
            assert {name: seen[name] for name in group.block} == group.block
            group.taken += 1
            self.landing.append((self.cycle + self.latency, group))
            self.last_block = self.cycle

    def whole_now(self) -> int:
        """Groups without a block left, up to the first that has one."""
        number = self.gone
        for group in self.live:
            if group.taken < group.whole:
                break
            number += 1
        return number


def check_scheduler(
    model: Structures, machine: MachineShape, seed: int, stage: str = "Whole"
) -> None:
    rng = Random(seed)
    for memory, unloads, twiddles in ((1.0, 1.0, 1.0), (0.9, 0.002, 0.05), (0.3, 0.05, 0.005)):
        schedule = Schedule(model, machine, rng, stage)
        rounds = some_rounds(machine, rng, 24, pads=stage != "Rest")
        schedule.go(rounds, memory=memory, unloads=unloads, twiddles=twiddles)


@pytest.mark.parametrize("machine", BY_BEATS, ids=str)
def test_schedule(tmp_path: Path, machine: MachineShape) -> None:
    check_scheduler(scheduler(tmp_path, machine), machine, 1)


@pytest.mark.parametrize("stage", ["First", "Rest"])
@pytest.mark.parametrize("machine", BY_BEATS[:1], ids=str)
def test_schedule_of_one_of_two_kernels(tmp_path: Path, machine: MachineShape, stage: str) -> None:
    check_scheduler(scheduler(tmp_path, machine, stage=stage), machine, 1, stage)


# The kernel's places.


def pass_walker(where: Path, machine: MachineShape, rtl: Path = RTL) -> Structures:
    model = unit(
        where,
        "ntf_pass_walker",
        {
            **dict.fromkeys(("block_valid_i", "write_valid_i", "write_landed_i"), 1),
            "block_i": width(BLOCK),
        },
        {
            **dict.fromkeys(("block_landed_o", "read_valid_o", "read_first_o", "read_final_o"), 1),
            **dict.fromkeys(("block_landed_number_o", "read_pass_o"), 2),
            "read_sets_o": TABLES,
            **{"read_beat_o": BEAT_BITS, "write_place_o": PLACE_BITS, "write_half_o": 1},
        },
        needs=WALK,
        rtl=rtl,
        LogKernel=machine.v,
        LogBeat=machine.t,
    )
    return Structures(model, {"block_i": BLOCK}, {})


@cache
def _written(machine: MachineShape, at: Round, digit: Digit, slot: int) -> list[int]:
    return beats(kernel_pass(machine, at, digit).write, slot, machine)


@dataclass(frozen=True)
class Block:
    """A block of a pass, given to the walker."""

    machine: MachineShape
    at: Round
    digit: Digit
    number: int
    context: int
    slot: int
    sets: int

    @property
    def drive(self) -> dict[str, int]:
        return {
            "block_valid_i": 1,
            "block_number_i": self.context,
            "block_slot_i": self.slot,
            "block_round_i": round_bits(self.at),
            "block_pass_i": int(self.digit),
            "block_form_i": form(self.at, self.digit),
            "block_sets_i": self.sets,
            "block_count_i": block_count(self.machine, self.at, self.digit, self.number),
        }

    def beat(self, step: int) -> int:
        """Its number in the pass."""
        return (self.number << self.machine.v - self.machine.t) + step

    def places(self, step: int) -> tuple[list[tuple[int, int, int]], int]:
        """Words that are read, and their slot."""
        walk = kernel_pass(self.machine, self.at, self.digit).read
        return words(walk, self.beat(step)), self.slot

    def written(self, step: int) -> int:
        """beat_t of what is written."""
        return _written(self.machine, self.at, self.digit, self.slot)[self.beat(step)]

    @property
    def final(self) -> bool:
        return self.at.last and self.digit is self.at.passes[-1]


def some_blocks(machine: MachineShape, rng: Random, count: int) -> Iterator[Block]:
    """Runs of blocks of any pass, as the scheduler gives them."""
    every = list(all_rounds(machine))
    while count > 0:
        at = rng.choice(every)
        digit, first = rng.choice(at.passes), rng.randrange(blocks_of(machine, at))
        common = rng.randrange(CONTEXTS), rng.randrange(1 << at.slots), rng.randrange(16)
        for number in range(first, min(blocks_of(machine, at), first + rng.randrange(1, 9))):
            yield Block(machine, at, digit, number, *common)
            count -= 1


def check_passes(
    model: Structures, machine: MachineShape, seed: int, *, latency: int, gaps: float
) -> None:
    """`gaps`: how likely a block does not follow the one before at once."""
    rng, pace = Random(seed), 1 << machine.v - machine.t
    model.reset()
    queue = deque(some_blocks(machine, rng, 300))
    reads: dict[int, tuple[Block, int]] = {}  # by cycle
    writes: dict[int, tuple[Block, int]] = {}
    landings: dict[int, tuple[Block, int]] = {}
    cycle = next_block = 0
    landing = rng.randrange(1, 4)
    while queue or cycle <= max(landings) + 1:
        drive = {}
        if queue and cycle >= next_block and (not gaps or rng.random() >= gaps):
            block = queue.popleft()
            drive = block.drive
            next_block = cycle + pace
            for step in range(pace):
                reads[cycle + 2 + step] = block, step
                writes[cycle + 2 + latency + step] = block, step
                landings[cycle + 2 + latency + landing + step] = block, step
        written, landed, before = (
            writes.get(cycle),
            landings.get(cycle),
            landings.get(cycle - 1),
        )
        drive |= {
            "write_valid_i": int(written is not None),
            "write_landed_i": int(landed is not None),
        }
        seen = model.step(**drive)
        read = reads.get(cycle)
        assert seen["read_valid_o"] == (read is not None)
        if read is not None:
            block, step = read
            assert words_of(machine, seen["read_beat_o"]) == block.places(step)
            assert seen["read_beat_o"] & (1 << ROUND_BITS) - 1 == round_bits(block.at)
            assert seen["read_first_o"] == (step == 0)
            assert seen["read_pass_o"] == block.digit
            assert seen["read_sets_o"] == block.sets
            assert seen["read_final_o"] == block.final
        if written is not None:
            block, step = written
            beat = block.written(step)
            assert seen["write_place_o"] == place_of(beat)
            assert seen["write_half_o"] == half(beat, machine.t)
        ends = before is not None and before[1] == pace - 1
        assert seen["block_landed_o"] == ends
        if ends and before is not None:
            assert seen["block_landed_number_o"] == before[0].context
        cycle += 1


def check_all_passes(model: Structures, machine: MachineShape) -> None:
    for seed, (latency, gaps) in enumerate(((12, 0.0), (40, 0.4), (200, 0.02))):
        check_passes(model, machine, seed, latency=latency, gaps=gaps)


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_places_of_passes(tmp_path: Path, machine: MachineShape) -> None:
    check_all_passes(pass_walker(tmp_path, machine), machine)


# Unloading.

UNDER_WAY = 48  # beats that wait to leave


def unload_walker(where: Path, machine: MachineShape, rtl: Path = RTL) -> CycleModel:
    return unit(
        where,
        "unload_contexts",
        {
            "groups_i": CONTEXTS * width(PROGRESS),
            **dict.fromkeys(("unload_ready_i", "out_i"), 1),
        },
        {
            **dict.fromkeys(("release_o", "unload_valid_o", "unload_half_o"), 1),
            "unload_beat_o": BEAT_BITS,
        },
        needs=(*WALK, "decomposed/ntf_unload_walker.sv"),
        rtl=rtl,
        source=Path(__file__).with_name("unload_contexts.sv"),
        LogKernel=machine.v,
        LogBeat=machine.t,
        LogBurst=machine.p,
    )


@dataclass
class Leaving:
    """A group in a context."""

    machine: MachineShape
    at: Round
    number: int
    landed: int = -1  # blocks of the last pass; -1: an earlier pass is under way

    @property
    def whole(self) -> int:
        return blocks_of(self.machine, self.at)

    @property
    def beats(self) -> int:
        return 1 << self.at.group - self.machine.t

    def there(self, beat: int) -> bool:
        """The unit of a beat has landed."""
        unit = 1 << unload(self.machine, self.at).unit
        needed = (beat // unit + 1) * unit
        return self.landed << self.machine.v - self.machine.t >= needed

    @property
    def state(self) -> int:
        """progress_t."""
        done = self.landed == self.whole
        some = self.landed >= 0 and not done
        beats = self.landed << self.machine.v - self.machine.t if some else 0
        slot = self.number % (1 << self.at.slots)
        values = (1, round_bits(self.at), slot, int(done), int(some), beats)
        return fields(*zip(values, (bits for _, bits in PROGRESS), strict=True))


def check_unloads(
    model: CycleModel, machine: MachineShape, seed: int, *, passes: float, ready: float, out: float
) -> int:
    """`passes`, `ready`, `out`: how likely a block lands, a beat is taken, a beat leaves."""
    rng = Random(seed)
    model.reset()
    small = sorted(all_rounds(machine), key=lambda at: at.group)[:4]
    # Runs of small groups, of which all four contexts wait to leave.
    rounds = some_rounds(machine, rng, 18)
    rounds[6:6] = [rng.choice(small) for _ in range(9)]
    expected = [
        (number, beat, words(unload(machine, at), beat))
        for number, at in enumerate(rounds)
        for beat in range(1 << at.group - machine.t)
    ]
    ends = [
        i
        for i, (n, _, _) in enumerate(expected)
        if i + 1 == len(expected) or expected[i + 1][0] != n
    ]
    live: list[Leaving] = []
    began = asked = left = released = cycles = 0
    while released < len(rounds):
        contexts = [0] * CONTEXTS
        for group in live:
            contexts[group.number % CONTEXTS] = group.state
        leaves = left < asked and (asked - left == UNDER_WAY or rng.random() < out)
        takes = asked - left < UNDER_WAY and rng.random() < ready
        seen = model.step(
            groups_i=joined(contexts, width(PROGRESS)), unload_ready_i=int(takes), out_i=int(leaves)
        )
        if seen["unload_valid_o"] and takes:
            number, beat, place = expected[asked]
            assert words_of(machine, seen["unload_beat_o"]) == (
                place,
                number % (1 << rounds[number].slots),
            )
            assert seen["unload_half_o"] == half(seen["unload_beat_o"], machine.t)
            assert next(group for group in live if group.number == number).there(beat)
            asked += 1
        gone = leaves and left == ends[released]
        assert seen["release_o"] == gone
        left += leaves
        if gone:
            live.pop(0)
            released += 1
        if began < len(rounds) and len(live) < CONTEXTS:
            live.append(Leaving(machine, rounds[began], began))
            began += 1
        for group in live:
            # Mostly in order, as the kernel works.
            chance = passes if group is live[0] else passes / 2
            if group.landed < group.whole and rng.random() < chance:
                group.landed += 1
        cycles += 1
        assert cycles < 100 * len(expected) + 10_000, "it hangs"
    return cycles


def check_pace(model: CycleModel, machine: MachineShape) -> None:
    """A group that has landed as a whole leaves without a pause, however short its units are."""
    by_unit = {unload(machine, at).unit: at for at in all_rounds(machine)}
    for at in by_unit.values():
        group = Leaving(machine, at, 0)
        group.landed = group.whole
        contexts = joined([group.state, *[0] * (CONTEXTS - 1)], width(PROGRESS))
        model.reset()
        asked = [
            model.step(groups_i=contexts, unload_ready_i=1, out_i=0)["unload_valid_o"]
            for _ in range(group.beats + 10)
        ]
        first = asked.index(1)
        assert sum(asked) == sum(asked[first : first + group.beats]) == group.beats, at


def check_all_unloads(model: CycleModel, machine: MachineShape) -> None:
    check_pace(model, machine)
    rates = ((1.0, 1.0, 1.0), (0.2, 0.9, 0.5), (0.9, 0.7, 0.02), (0.05, 1.0, 1.0))
    for seed, (passes, ready, out) in enumerate(rates):
        check_unloads(model, machine, seed, passes=passes, ready=ready, out=out)


@pytest.mark.parametrize("machine", BY_BEATS, ids=str)
def test_unloads(tmp_path: Path, machine: MachineShape) -> None:
    check_all_unloads(unload_walker(tmp_path, machine), machine)
