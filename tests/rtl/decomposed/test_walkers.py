# SPDX-License-Identifier: Apache-2.0
"""What the control's walkers and its sequencer say, against the orders that Python works out."""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from nttforge.errors import NttforgeError
from nttforge.kinds.decomposed import rounds as cut
from nttforge.kinds.decomposed import shape as machines
from nttforge.kinds.decomposed.config import DecomposedTable
from nttforge.kinds.decomposed.rounds import Order, Round, least_size
from nttforge.kinds.decomposed.shape import Shape as MachineShape
from nttforge.kinds.decomposed.walks import unload
from nttforge.simulate.cycles import CycleModel
from tests.mutation.sites import CHOSEN
from tests.rtl.decomposed.unit_bench import (
    BEAT_BITS,
    FIELD,
    LOG,
    ROUND_BITS,
    RTL,
    Index,
    Lanes,
    Shape,
    fields,
    half,
    round_bits,
    unit,
)
from tests.rtl.decomposed.unit_bench import FIELDS as NAMES
from tests.unit.families.decomposed.addresses import fields_read, read_address, write_address
from tests.unit.families.decomposed.generator import Table, jobs

MACHINES = [MachineShape(4, 2, 1), MachineShape(5, 3, 2)]
# Beat by beat through groups of 2^15 words takes a while.
BY_BEATS = [MACHINES[0], pytest.param(MACHINES[1], marks=pytest.mark.slow)]
STORE_SHIFT = 2
LARGEST = 36
"""log2 of the largest transform there is a key for."""
WALK = ("decomposed/ntf_walk_pkg.sv", "decomposed/ntf_walk_iterator.sv")
JOB_BITS = 2 + 3 + 1 + 6 * LOG
SKIP = 3
GROUP_BITS = ROUND_BITS + LOG + 2 + 2 + 2 * 64 + 4 + 1 + SKIP + 12


def sizes(machine: MachineShape) -> range:
    """Transforms of one round, and of two with every kind of digits."""
    return range(least_size(machine), machine.fits + 4)


def all_rounds(
    machine: MachineShape, some: Iterable[int] | None = None, *, pads: bool = False
) -> Iterator[Round]:
    """`pads`: also those first ones whose sources lack their zeros."""
    for size in some or sizes(machine):
        for order in Order:
            plan = cut.rounds(machine, size, order)
            yield from plan
            if pads and order is Order.NATURAL:
                yield from (cut.padded(plan[0], 1 + pad) for pad in range(plan[0].most_pad))


def unpacked(vector: int, *widths: int) -> list[int]:
    """Fields of a packed struct, the first one highest."""
    result = []
    for bits in reversed(widths):
        result.append(vector & (1 << bits) - 1)
        vector >>= bits
    return result[::-1]


def words_of(machine: MachineShape, beat: int) -> tuple[list[tuple[int, int, int]], int]:
    """(p, c, r) of a beat's words, and its slot."""
    slot, r, c, p, low, top, high, _ = unpacked(beat, 2, *[FIELD] * 3, 2, 2, 1, ROUND_BITS)
    shape = Shape(machine.v, machine.t, machine.p)
    every = shape.indices(Index(p, c, r), Lanes(NAMES[low], NAMES[top], bool(high)))
    return [(at.p, at.c, at.r) for at in every], slot


# Loading.


def load_walker(where: Path, machine: MachineShape, rtl: Path = RTL) -> CycleModel:
    ones = ("valid_i", "release_i", "words_valid_i", "load_ready_i")
    return unit(
        where,
        "ntf_load_walker",
        {**dict.fromkeys(ones, 1), "round_i": ROUND_BITS, "number_i": 2},
        {
            **dict.fromkeys(("ready_o", "alloc_o", "words_ready_o", "load_valid_o"), 1),
            **{"load_beat_o": BEAT_BITS, "load_half_o": 1},
        },
        needs=WALK,
        rtl=rtl,
        LogBeat=machine.t,
    )


def check_loads(model: CycleModel, machine: MachineShape, seed: int) -> None:
    """Two groups of every round, with random stalls: every word where it belongs, in time."""
    rng = Random(seed)
    model.reset()
    groups = [at for at in all_rounds(machine, pads=True) for _ in range(2)]
    rng.shuffle(groups)
    expected = [
        (list(zip(*(f[beat].tolist() for f in fields_read(machine, at)), strict=True)), number)
        for number, at in enumerate(groups)
        for beat in range(1 << (at.group - machine.t - at.load.pad))
    ]
    begun = loaded = released = cycles = 0
    ends = np.cumsum([1 << (at.group - machine.t - at.load.pad) for at in groups]).tolist()
    while loaded < len(expected):
        full = sum(end <= loaded for end in ends[released:begun])
        release = full > 0 and rng.random() < 0.02
        seen = model.step(
            valid_i=begun < len(groups),
            round_i=round_bits(groups[begun]) if begun < len(groups) else 0,
            number_i=begun % 4,
            release_i=release,
            words_valid_i=rng.random() < 0.8,
            load_ready_i=rng.random() < 0.8,
        )
        if seen["load_valid_o"] and seen["words_ready_o"]:
            words, slot = words_of(machine, seen["load_beat_o"])
            wanted, number = expected[loaded]
            assert words == wanted, (groups[number], loaded)
            assert slot == number % (1 << groups[number].slots)
            assert seen["load_half_o"] == half(seen["load_beat_o"], machine.t)
            loaded += 1
        if seen["alloc_o"]:
            check_slots(groups, begun, released)
            begun += 1
        released += release
        cycles += 1
        assert cycles < 200 * len(groups) + 4 * len(expected), "it hangs"


def check_slots(groups: list[Round], number: int, released: int) -> None:
    """No group that is there lies where group `number` is loaded to."""

    def place(i: int) -> tuple[int, int, tuple[int, ...]]:
        at = groups[i]
        return at.slots, i % (1 << at.slots), (at.slots, at.slot_field, at.slot_bit)

    slots, slot, lie = place(number)
    for other in range(released, number):
        _, other_slot, other_lie = place(other)
        assert (slot ^ other_slot) & 1 or (
            lie == other_lie and slots == 2 and slot != other_slot
        ), (number, other)


@pytest.mark.parametrize("machine", BY_BEATS, ids=str)
def test_loads(tmp_path: Path, machine: MachineShape) -> None:
    check_loads(load_walker(tmp_path, machine), machine, 1)


# Bursts.


def burst_walker(where: Path, machine: MachineShape, write: bool, rtl: Path = RTL) -> CycleModel:
    return unit(
        where,
        "ntf_burst_walker",
        {
            **dict.fromkeys(("valid_i", "first_i", "last_i", "ready_i"), 1),
            "round_i": ROUND_BITS,
            "base_i": 64,
        },
        {
            **dict.fromkeys(("ready_o", "valid_o", "first_o", "last_o", "busy_o"), 1),
            "addr_o": 64,
            "len_o": 8,
        },
        needs=WALK,
        rtl=rtl,
        LogBeat=machine.t,
        StoreShift=STORE_SHIFT,
        Write=int(write),
    )


def bursts_of(machine: MachineShape, at: Round, write: bool) -> tuple[list[int], int]:
    """Addresses of a group's bursts in words from its index 0, and log2 of their words."""
    if write:
        places = write_address(at, 0, unload(machine, at).fields)
        bits = at.unload.burst
    else:
        places = read_address(at, 0, fields_read(machine, at))
        bits = at.load.burst
    flat = places.reshape(-1, 1 << bits)
    assert (flat == flat[:, :1] + np.arange(1 << bits)).all()
    return flat[:, 0].tolist(), bits


def check_bursts(
    model: CycleModel, machine: MachineShape, write: bool, some: Iterable[int] | None = None
) -> None:
    """The bursts of a group of every round of transforms of some sizes, with random stalls."""
    rng = Random(2)
    model.reset()
    groups = list(all_rounds(machine, some, pads=not write))
    bases = [rng.getrandbits(30) << 20 for _ in groups]
    expected = []
    for number, at in enumerate(groups):
        offsets, bits = bursts_of(machine, at, write)
        for i, offset in enumerate(offsets):
            first = number % 4 == 0 and i == 0
            last = number % 3 == 0 and i == len(offsets) - 1
            beats = 1 << (bits - machine.t)
            address = bases[number] + (offset << STORE_SHIFT)
            expected.append((address, beats - 1, int(first), int(last)))
    found: list[tuple[int, ...]] = []
    given, asked = 0, False
    for _ in range(100 + 10 * len(expected)):
        if len(found) == len(expected):
            break
        known = given < len(groups)
        asked = asked or (known and rng.random() < 0.5)  # until it is taken
        seen = model.step(
            valid_i=asked,
            round_i=round_bits(groups[given]) if known else 0,
            base_i=bases[given] if known else 0,
            first_i=given % 4 == 0,
            last_i=given % 3 == 0,
            ready_i=(ready := rng.random() < 0.7),
        )
        if seen["valid_o"] and ready:
            found.append((seen["addr_o"], seen["len_o"], seen["first_o"], seen["last_o"]))
        if asked and seen["ready_o"]:
            given, asked = given + 1, False
    assert found == expected


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_bursts(tmp_path: Path, machine: MachineShape, write: bool) -> None:
    check_bursts(burst_walker(tmp_path, machine, write), machine, write)


@pytest.mark.parametrize("write", [False, True])
def test_bursts_at_the_limits(tmp_path: Path, write: bool) -> None:
    """A burst, a kernel and a transform of as many words as there may be."""
    longest = MachineShape(5, 3, FIELD - 3)
    some: Sequence[int] = (least_size(longest), FIELD, FIELD + 1, longest.fits, LARGEST)
    check_bursts(burst_walker(tmp_path / "burst", longest, write), longest, write, some)
    widest = MachineShape(FIELD, 6, 1)
    some = (least_size(widest),)
    check_bursts(burst_walker(tmp_path / "kernel", widest, write), widest, write, some)


def test_indices_are_as_wide_as_designs_may_need() -> None:
    """No key of a design goes beyond what the packages have bits for."""
    widths = {
        name: int(bits)
        for file in ("ntf_decomposed_pkg", "ntf_walk_pkg")
        for name, bits in re.findall(
            r"parameter int unsigned (\w+) += (\d+);", (RTL / f"decomposed/{file}.sv").read_text()
        )
    }
    assert widths["FieldW"] == FIELD == machines.FIELD
    assert widths["LogW"] == LOG
    assert widths["FractW"] == cut.FRACTION
    keys = DecomposedTable.model_json_schema()["properties"]
    assert widths["CountW"] == keys["l_max"]["maximum"] == LARGEST
    assert 1 << widths["FieldW"] == keys["n"]["maximum"]
    with pytest.raises(NttforgeError, match=r"decomposed\.b: bursts of 512 words"):
        MachineShape(6, 3, 6)


# The sequence of groups.


Plans = Sequence[Sequence[Round]]
"""Rounds by order and size."""


def sequencer(
    where: Path,
    machine: MachineShape,
    rtl: Path = RTL,
    table: Plans = (),
    largest: int = 0,
    *,
    engines: int = 1,
    count_bits: int = 32,
) -> CycleModel:
    """For the transforms of all sizes, or for those of a table whose largest one is given."""
    largest = largest or sizes(machine)[-1]
    table = table or [
        cut.rounds(machine, size, order) for order in Order for size in sizes(machine)
    ]
    most = max(map(len, table))
    rows = [fields(*((round_bits(at), ROUND_BITS) for at in reversed(plan))) for plan in table]
    everything = fields(*((row, most * ROUND_BITS) for row in reversed(rows)))
    bits = len(table) * most * ROUND_BITS
    return unit(
        where,
        "ntf_round_sequencer",
        {
            **dict.fromkeys(("start_i", "ready_i"), 1),
            "order_i": 2,
            **dict.fromkeys(("size_i", "pad_i"), LOG),
            "count_i": count_bits,
            **dict.fromkeys(("source_i", "work_i", "target_i"), 64),
        },
        {
            **dict.fromkeys(("busy_o", "valid_o"), 1),
            "group_o": GROUP_BITS,
            "owner_o": max(1, engines.bit_length() - 1),
            "bounds_o": 2,
            "most_o": count_bits,
        },
        needs=WALK,
        rtl=rtl,
        LogBurst=machine.p,
        StoreShift=STORE_SHIFT,
        LogMin=largest + 1 - len(table) // len(Order),
        LogMax=largest,
        MaxRounds=most,
        LogEngines=engines.bit_length() - 1,
        Padded="1'b1",
        Rounds=f"{bits}'h{everything:x}",
    )


AREAS = {"source_i": 1 << 40, "work_i": 2 << 40, "target_i": 3 << 40}


def begun(model: CycleModel, job: dict[str, int]) -> None:
    """What is described two cycles before it starts."""
    for start in (0, 0, 1):
        model.step(start_i=start, **job)


def check_sequence(
    model: CycleModel,
    machine: MachineShape,
    order: Order,
    size: int,
    count: int,
    *,
    engines: int = 1,
) -> None:
    rng = Random(size)
    model.reset()
    head, *more = cut.rounds(machine, size, order)
    pad = 0 if order is Order.FROM_REVERSED else rng.randint(0, head.most_pad)
    keys = {"order_i": int(order), "size_i": size, "count_i": count, "pad_i": pad, **AREAS}
    begun(model, keys)
    plan = cut.padded(head, pad), *more
    between = "work_i" if order is Order.NATURAL else "target_i"
    number = 0
    versions = [[0] * 4 for _ in range(engines)]
    # Of each engine: round of a transform and K of its last group; what its tables are for.
    latest: list[tuple[int, int]] = [(-1, 0)] * engines
    made: list[dict[Table, tuple[int, int]]] = [{} for _ in range(engines)]
    work = order_of_work(plan, count)
    for turn, (place, transform) in enumerate(work):
        at = plan[place]
        since = max((i + 1 for i in range(turn) if work[i][0] != place), default=0)
        read = AREAS[between if place else "source_i"]
        write = AREAS["target_i" if at is plan[-1] else between]
        zero = (np.zeros(1, np.int64),) * 3
        low = at.low_bits
        for group in range(at.groups):
            seen = taken(model, rng, keys)
            most, engine = seen["most_o"], number % engines
            assert (seen["owner_o"], seen["bounds_o"]) == (
                engine,
                2 * (group == at.groups - 1) + (group == 0),
            )
            (
                vector,
                got_size,
                got_number,
                first,
                last,
                read_base,
                write_base,
                fresh,
                restart,
                skips,
                version,
            ) = unpacked(seen["group_o"], ROUND_BITS, LOG, 2, 1, 1, 64, 64, 4, 1, SKIP, 12)
            own = number // engines
            assert (vector, got_size, got_number) == (round_bits(at), size, own % 4)
            every = engines > 1
            assert (first, last) == (every or group == 0, every or group == at.groups - 1)
            offset = transform << size
            there = transform << size - at.load.pad
            assert read_base == read + (
                (there + int(read_address(at, group, zero)[0])) << STORE_SHIFT
            )
            assert write_base == write + (
                (offset + int(write_address(at, group, zero)[0])) << STORE_SHIFT
            )
            # A table is made when it is not the one of the engine's group before.
            expected, key = 0, group >> low
            for table in jobs(at, inverse=False, negacyclic=False):
                series = table not in (Table.A0, Table.B) and at.key_bits > 0
                of = (turn, key) if series else (since, 0)
                if made[engine].get(table) != of:
                    made[engine][table] = of
                    expected |= 1 << table
                    versions[engine][table] += 1
            assert fresh == expected, (at, transform, group)
            if fresh & (1 << Table.A1 | 1 << Table.A2):
                # On from the engine's own group of the same transform, or else from K = 0.
                again = latest[engine][0] != turn
                assert (restart, skips) == (again, key if again else key - latest[engine][1] - 1)
            latest[engine] = (turn, key)
            assert version == fields(*((v % 8, 3) for v in reversed(versions[engine])))
            number += 1
            # So many at the most are under way, and what a round reads is not among them.
            assert not place or most <= turn - work.index((place - 1, transform))
    for _ in range(10):
        seen = model.step(ready_i=1, **keys)
        assert not seen["valid_o"] and not seen["busy_o"]


def order_of_work(plan: Sequence[Round], count: int) -> list[tuple[int, int]]:
    """(round, transform) in the order of work."""
    work = product(range(len(plan)), range(count))
    return sorted(work, key=sum if plan[0].still else None)


def taken(model: CycleModel, rng: Random, keys: dict[str, int]) -> dict[str, int]:
    """What is seen of the next group."""
    for _ in range(100):
        ready = rng.random() < 0.5
        seen = model.step(ready_i=ready, **keys)
        assert seen["busy_o"]
        if seen["valid_o"] and ready:
            return seen
    raise AssertionError("it hangs")


@pytest.mark.parametrize(
    ("machine", "engines"), [(MACHINES[0], 1), (MACHINES[1], 1), (MACHINES[0], 4)]
)
def test_sequence(tmp_path: Path, machine: MachineShape, engines: int) -> None:
    model = sequencer(tmp_path, machine, engines=engines)
    for size in sizes(machine):
        for order in Order:
            for count in (1, 2, 5):
                check_sequence(model, machine, order, size, count, engines=engines)


def counting(rtl: Path, bits: int) -> None:
    """The sequencer's counts of transforms have fewer bits: as many as there may be are a few."""
    file = rtl / "decomposed/ntf_round_sequencer.sv"
    text = file.read_text()
    for given, fewer in ((32, bits), (33, bits + 1)):
        text = text.replace(f"[{given - 1}:0]", f"[{fewer - 1}:0]")
        text = re.sub(rf"\b{given}'(?!\(owner_q)", f"{fewer}'", text)
    file.write_text(text)


@pytest.mark.skipif(CHOSEN in os.environ, reason="defects are put into the text as it is")
def test_as_many_transforms_as_there_may_be(tmp_path: Path) -> None:
    """Each number of transforms that the job's word can say, also of three rounds."""
    machine, size, bits = MACHINES[0], 17, 3
    plans = [cut.rounds(machine, size, order) for order in Order]
    assert any(len(plan) > 2 and plan[0].still for plan in plans)
    shutil.copytree(RTL, rtl := tmp_path / "rtl")
    counting(rtl, bits)
    model = sequencer(tmp_path, machine, rtl, plans, size, count_bits=bits)
    for order in Order:
        for count in range(1, 1 << bits):
            check_sequence(model, machine, order, size, count)


@pytest.mark.parametrize("order", Order)
def test_groups_of_the_largest_transform(tmp_path: Path, order: Order) -> None:
    """Each round as if it were the only one: its first groups are where they belong."""
    machine = MachineShape(4, 2, 1)
    for number, at in enumerate(cut.rounds(machine, LARGEST, order)):
        alone = replace(at, last=True)
        model = sequencer(tmp_path / str(number), machine, table=[[alone]] * 3, largest=LARGEST)
        model.reset()
        keys = {"order_i": int(order), "size_i": LARGEST, "count_i": 1, **AREAS}
        begun(model, keys)
        zero = (np.zeros(1, np.int64),) * 3
        for group in range(64):
            found = unpacked(
                taken(model, Random(group), keys)["group_o"],
                *(ROUND_BITS, LOG, 2, 1, 1, 64, 64, 4, 1, SKIP, 12),
            )
            read, write = (way(alone, group, zero)[0] for way in (read_address, write_address))
            assert found[5] == AREAS["source_i"] + (int(read) << STORE_SHIFT)
            assert found[6] == AREAS["target_i"] + (int(write) << STORE_SHIFT)
