# SPDX-License-Identifier: Apache-2.0
"""The jobs that the planner gives the generator of twiddles: which, and not before they may be."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from nttforge.kinds.decomposed import rounds as cut
from nttforge.kinds.decomposed.rounds import Order, Round
from nttforge.kinds.decomposed.shape import Shape as MachineShape
from nttforge.simulate.cycles import CycleModel
from tests.rtl.decomposed.test_walkers import LARGEST, MACHINES, SKIP, WALK, sizes
from tests.rtl.decomposed.unit_bench import (
    JOB_BITS,
    LOG,
    ROUND_BITS,
    RTL,
    job,
    joined,
    round_bits,
    unit,
)
from tests.unit.families.decomposed.generator import Table, jobs

TABLES = len(Table)
UNDER_WAY = 9  # groups: four in the buffer, four that wait to be loaded, and the next one


def planner(where: Path, rtl: Path = RTL) -> CycleModel:
    ones = ("valid_i", "restart_i", "retire_i", "job_ready_i", "job_done_i")
    return unit(
        where,
        "ntf_twiddle_planner",
        {
            **dict.fromkeys(("inverse_i", "negacyclic_i", "coset_i", *ones), 1),
            "round_i": ROUND_BITS,
            "size_i": LOG,
            "fresh_i": TABLES,
            "sets_i": TABLES,
            "skips_i": SKIP,
        },
        {"ready_o": 1, "job_valid_o": 1, "job_o": JOB_BITS, "done_o": 3 * TABLES},
        needs=WALK,
        rtl=rtl,
        Coset="1'b1",
        LogMax=LARGEST,
    )


# Groups that the engine's queues and its buffer hold together, at most.
UNDER_WAY = 12


@dataclass(frozen=True)
class Group:
    """A group and its tables: the version of each that it uses, and which are made for it."""

    at: Round
    versions: tuple[int, ...]
    fresh: tuple[Table, ...]
    restart: bool
    skips: int = 0

    @property
    def makes(self) -> list[tuple[Table, int]]:
        """Jobs in order: the table, and how many of it are to come; the last one is kept."""
        series = (Table.A1, Table.A2)
        return [
            (table, left)
            for table in self.fresh
            for left in reversed(range(1 + self.skips * (table in series)))
        ]


def groups(plan: tuple[Round, ...], count: int, turns: int = 1) -> Iterator[Group]:
    """Those of the last one of some engines that take turns."""
    versions = [0] * TABLES
    passed = 0
    for at in plan:
        low = at.low_bits
        made: dict[Table, int] = {}
        for _ in range(count):
            before = -1
            for number in range(at.groups):
                passed += 1
                if passed % turns:
                    continue
                fresh, key = [], number >> low
                for table in jobs(at, inverse=False, negacyclic=False):
                    own = 0 if table in (Table.A0, Table.B) else key
                    again = own > 0 and before < 0
                    if made.get(table) != own or again:
                        made[table] = own
                        versions[table] += 1
                        fresh.append(table)
                restart = before < 0 or key == 0
                skips = key if restart else max(0, key - before - 1)
                yield Group(at, tuple(versions), tuple(fresh), restart, skips)
                before = key


def check_plan(
    model: CycleModel,
    plan: tuple[Round, ...],
    rng: Random,
    *,
    inverse: bool,
    form: str,
    retires: float,
    makes: float,
    turns: int,
) -> None:
    """`retires`, `makes`: how likely the oldest group has done its passes, a job is done."""
    model.reset()
    every = list(groups(plan, 2, turns))
    expected = [(number, *one) for number, g in enumerate(every) for one in g.makes]
    given: list[tuple[Table, int]] = []
    at = retired = done = cycles = idle = 0
    while at < len(every) or done < len(expected):
        # A group has no pass left only after its tables' making.
        needed = sum(len(g.makes) for g in every[: retired + 1])
        drive = {
            "inverse_i": int(inverse),
            "negacyclic_i": int(form == "negacyclic"),
            "coset_i": int(form == "coset"),
            "retire_i": int(retired < at and done >= needed and rng.random() < retires),
            "job_ready_i": int(rng.random() < 0.7),
            "job_done_i": int(done < len(given) and rng.random() < makes),
        }
        valid = at < min(len(every), retired + UNDER_WAY) and rng.random() < 0.8
        if valid:
            group = every[at]
            drive |= {
                "valid_i": 1,
                "round_i": round_bits(group.at),
                "size_i": group.at.size,
                "fresh_i": sum(1 << table for table in group.fresh),
                "restart_i": int(group.restart),
                "skips_i": group.skips,
                "sets_i": sum((v & 1) << t for t, v in enumerate(group.versions)),
            }
        seen = model.step(**drive)
        made = [given[:done].count((table, 0)) for table in Table]
        assert seen["done_o"] == joined([number % 8 for number in made], 3)
        may = False
        if valid and len(given) < len(expected):
            number, table, left = expected[len(given)]
            group = every[at]
            # Whoever uses the set that is written: the version before the last, or none yet.
            version = group.versions[table]
            old = [n for n, g in enumerate(every[:number]) if g.versions[table] <= version - 2]
            used = [n for n in old if n >= retired]
            may = number == at and not used
            if seen["job_valid_o"]:
                assert may, (number, table, retired)
                with_provenance = jobs(
                    group.at,
                    inverse=inverse,
                    negacyclic=form == "negacyclic",
                    coset=LARGEST if form == "coset" else 0,
                )[table]
                once = table in (Table.A0, Table.B)
                assert seen["job_o"] == job(
                    table,
                    version & 1,
                    restart=int((group.restart and left == group.skips) or once),
                    m=with_provenance.m,
                    pad=with_provenance.pad,
                    k=with_provenance.k,
                    inverse=int(with_provenance.inverse),
                    scaled=int(with_provenance.scaled),
                    coset=int(with_provenance.coset),
                    log_n=with_provenance.log_n,
                    start=with_provenance.start_root,
                    first=with_provenance.first_root,
                    ratio=with_provenance.ratio_root,
                )
                if drive["job_ready_i"]:
                    given.append((table, left))
        else:
            assert not seen["job_valid_o"]
        # What may be given is, but for the cycle in which it looks at a group, those in which it
        # passes tables that are not made, and two until it knows that a group has no pass left.
        idle = idle + 1 if may and not seen["job_valid_o"] and len(given) - done < 8 else 0
        assert idle <= TABLES + 3
        if valid and seen["ready_o"]:
            at += 1
            assert len(given) == sum(len(g.makes) for g in every[:at])
        retired += drive["retire_i"]
        done += drive["job_done_i"]
        cycles += 1
        assert cycles < 200 * len(every) + 2000, "it hangs"
    assert [one[1:] for one in expected] == given


FORMS = ("cyclic", "coset")


def plan_of(machine: MachineShape, size: int, order: Order, turn: int) -> tuple[Round, ...]:
    """Of a forward transform, at times one whose source lacks its zeros."""
    first, *more = cut.rounds(machine, size, order)
    forward = order is not Order.FROM_REVERSED and not turn & 1
    return cut.padded(first, first.most_pad if forward and turn else 0), *more


def check_planner(model: CycleModel, machine: MachineShape) -> None:
    for size in sizes(machine):
        for order in Order:
            for turn in range(4):
                check_plan(
                    model,
                    plan_of(machine, size, order, turn),
                    Random(4 * size + turn),
                    inverse=bool(turn & 1),
                    form=(FORMS[size % 2], "negacyclic")[turn >> 1],
                    retires=(1.0, 0.2)[turn & 1],
                    makes=(1.0, 0.1)[turn >> 1],
                    turns=1 + size % 4,
                )


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_jobs(tmp_path: Path, machine: MachineShape) -> None:
    check_planner(planner(tmp_path), machine)
