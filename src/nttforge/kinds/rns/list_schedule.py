# SPDX-License-Identifier: Apache-2.0
"""List scheduling: the order of a draft's commands in their units, and the rows that they use.

A list schedule, with the clocks that units read rows and that the transform takes to turn around:
of the commands that could begin first it is the turn of the one with the longest path behind it,
for three parts of four, and of the draft's first one for the last. Conversions of the same rows
become one command with several targets. What streams carry, rows and keys, stays in the draft's
order.
"""

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from nttforge.errors import NttforgeError
from nttforge.kinds.rns.program import By, Command, Op, Program

#: Clocks from a sum's last summand until it is written, about.
_SETTLING = 40
#: Commands, from the first one that has not begun, among which others may begin: all are tried.
_WINDOWS = (1 << 20, 512, 384, 256, 192, 128, 64, 32, 16, 8, 4, 2, 1)
_SUMS = (Op.CONVERT, Op.SUM)


@dataclass(frozen=True)
class Units:
    """Units of an engine.

    - `rows`, `terms`: see :class:`Program`.
    - `targets`: of each unit of sums.
    - `beats`, `banks`: clocks that a row takes, and memories that it is in.
    - `latency`: of a transform, from its first beat in to its last one out.
    - `turnaround`: clocks between two transforms, by whether each is inverse.
    """

    rows: int
    terms: int
    targets: dict[Op, int]
    beats: int
    banks: int
    latency: int
    turnaround: tuple[tuple[int, int], tuple[int, int]]

    def clocks(self, command: Command) -> int:
        """While a unit reads rows for a command; in one bank sums wait for the transform."""
        beats = self.beats * max(1, sum(len(term.reads) for term in command.terms))
        return beats + beats // self.banks if command.terms else beats

    def behind(self, command: Command) -> int:
        """Clocks from there until its rows are written."""
        return self.latency - self.beats if command.op is Op.TRANSFORM else _SETTLING


@dataclass
class _Step:
    """A command of a draft.

    - `needs`: commands that must be over.
    - `follows`: commands that may begin when this one has.
    - `units`: that can do it, the one that is preferred first.
    - `count`: rows that it writes.
    - `kind`: the same for conversions of the same rows, which may be one.
    - `rank`: which goes first: by the clocks of the longest path that begins with it.
    """

    command: Command
    needs: tuple[int, ...]
    missing: int
    units: tuple[Op, ...]
    count: int
    kind: int | None
    follows: list[int] = field(default_factory=list)
    rank: int = 0


def _by_key(command: Command) -> bool:
    return any(term.by is By.KEY for term in command.terms)


def _stream(command: Command) -> Op | None:
    """Stream whose order is fixed."""
    if command.op in (Op.LOAD, Op.STORE):
        return command.op
    return Op.SUM if _by_key(command) else None


def _alike(command: Command) -> tuple[object, ...] | None:
    """Common part of conversions that can be merged."""
    if command.op is not Op.CONVERT or command.moved:
        return None
    return tuple((term.row, term.by, term.shift) for term in command.terms)


def _units_of(command: Command) -> tuple[Op, ...]:
    """Units that can do it, the one that is preferred first."""
    if command.op in _SUMS and not _by_key(command):
        return _SUMS
    return (Op.CONVERT if command.op is Op.FRACTION else command.op,)


def _steps(commands: Sequence[Command], units: Units) -> list[_Step]:
    steps: list[_Step] = []
    kinds: dict[object, int] = {}
    written: dict[int, int] = {}
    last: dict[Op, int] = {}
    for number, command in enumerate(commands):
        needs = tuple(dict.fromkeys(written[row] for row in command.reads))
        stream = _stream(command)
        known = {*needs, *([last[stream]] if stream in last else [])}
        alike = _alike(command)
        kind = None if alike is None else kinds.setdefault(alike, len(kinds))
        units_of, count = _units_of(command), len(command.writes)
        steps.append(_Step(command, needs, len(known), units_of, count, kind))
        for each in known:
            steps[each].follows.append(number)
        if stream is not None:
            last[stream] = number
        written |= dict.fromkeys(command.writes, number)
    for step in reversed(steps):
        behind = max((steps[each].rank for each in step.follows), default=0)
        step.rank = units.clocks(step.command) + units.behind(step.command) + behind
    # By the path alone, what ends a program would be left for last, behind all that begins one.
    most = max(step.rank for step in steps)
    for number, step in enumerate(steps):
        step.rank = (3 * step.rank + most * (len(steps) - number) // len(steps)) // 4
    return steps


class _Schedule:
    """An attempt with one window, which avoids turnarounds of the transform, or is blind to them.

    A blind one finds its order as if there were none; the clocks are those with them.
    """

    def __init__(self, steps: Sequence[_Step], units: Units, window: int, *, blind: bool) -> None:
        self.steps, self.units, self.window, self.blind = steps, units, window, blind
        self.inverse = False
        self.order: list[tuple[tuple[int, ...], Op]] = []
        self.used = 0
        self.ends: dict[int, int] = {}
        self.missing = [step.missing for step in steps]
        #: Of each command that could begin: when what it needs is over.
        self.ready: dict[int, int] = {}
        self.alike: dict[int, set[int]] = {}
        self.first = 0
        self.idle: Counter[Op] = Counter()
        self.free = [(0, row) for row in range(units.rows)]
        self.rows: dict[int, int] = {}
        self.readers = Counter(row for step in steps for row in step.command.reads)
        self.most = max(step.count for step in steps)
        #: Until all that has begun is over.
        self.clocks = 0
        for number, count in enumerate(self.missing):
            if count == 0:
                self._is_ready(number)

    def run(self, most: int | None = None) -> bool:
        """Whether the rows were enough, and it takes fewer clocks than `most`."""
        while len(self.ends) < len(self.steps):
            found = self._best()
            if found is None:
                return False
            start, number, unit = found
            self._begin(self._merged(number, unit, start), unit, start)
            if most is not None and self.clocks >= most:
                return False
        if self.blind:
            self.clocks = self._replayed()
        return most is None or self.clocks < most

    def _replayed(self) -> int:
        """Clocks of the order that was found, with turnarounds."""
        idle: Counter[Op] = Counter()
        rows: Counter[int] = Counter()
        ends: dict[int, int] = {}
        inverse = False
        for numbers, op in self.order:
            unit = Op.CONVERT if op is Op.FRACTION else op
            steps = [self.steps[number] for number in numbers]
            first = steps[0].command
            start = idle[unit]
            if first.op is Op.TRANSFORM:
                start += self.units.turnaround[inverse][first.set]
                inverse = first.set
            needed = [ends[need] for step in steps for need in step.needs]
            written = [rows[self.rows[row]] for step in steps for row in step.command.writes]
            start = max([start, *needed, *written])
            idle[unit] = start + self.units.clocks(first)
            end = idle[unit] + self.units.behind(first)
            ends |= dict.fromkeys(numbers, end)
            for step in steps:
                for row in (*step.command.reads, *step.command.writes):
                    rows[self.rows[row]] = max(rows[self.rows[row]], end)
        return max(ends.values(), default=0)

    def _best(self) -> tuple[int, int, Op] | None:
        """Of the commands that could begin first that with the longest path: when, and where."""
        while self.first in self.ends:
            self.first += 1
        limit, steps, idle = self.first + self.window, self.steps, self.idle
        # When so many rows are free.
        rows = [0, *(time for time, _ in heapq.nsmallest(self.most, self.free))]
        best: tuple[int, int, int, int] | None = None
        where = Op.SUM
        for number, needed in self.ready.items():
            step = steps[number]
            if number >= limit or step.count >= len(rows):
                continue
            earliest = max(needed, rows[step.count])
            for preference, unit in enumerate(step.units):
                start = max(idle[unit] + self._turnaround(step.command), earliest)
                seen = (start, -step.rank, number, preference)
                if best is None or seen < best:
                    best, where = seen, unit
        return None if best is None else (best[0], best[2], where)

    def _turnaround(self, command: Command) -> int:
        if command.op is not Op.TRANSFORM or self.blind:
            return 0
        return self.units.turnaround[self.inverse][command.set]

    def _is_ready(self, number: int) -> None:
        step = self.steps[number]
        self.ready[number] = max((self.ends[need] for need in step.needs), default=0)
        if step.kind is not None:
            self.alike.setdefault(step.kind, set()).add(number)

    def _merged(self, number: int, unit: Op, start: int) -> list[int]:
        """A command, and others that read the same, while there are rows."""
        kind = self.steps[number].kind
        if kind is None:
            return [number]
        most = min(self.units.targets[unit], sum(time <= start for time, _ in self.free))
        limit = self.first + self.window
        others = sorted(each for each in self.alike[kind] if each != number and each < limit)
        return [number, *others[: max(0, most - 1)]]

    def _begin(self, numbers: list[int], unit: Op, start: int) -> None:
        commands = [self.steps[number].command for number in numbers]
        if commands[0].op is Op.TRANSFORM:
            self.inverse = commands[0].set
        self.idle[unit] = start + self.units.clocks(commands[0])
        end = self.idle[unit] + self.units.behind(commands[0])
        for row in (row for command in commands for row in command.writes):
            self.rows[row] = heapq.heappop(self.free)[1]
        self.used = max(self.used, self.units.rows - len(self.free))
        self.order.append((tuple(numbers), unit if commands[0].op in _SUMS else commands[0].op))
        for number in numbers:
            self._is_begun(number, end)

    def _is_begun(self, number: int, end: int) -> None:
        step = self.steps[number]
        command = step.command
        self.ends[number] = end
        self.clocks = max(self.clocks, end)
        del self.ready[number]
        if step.kind is not None:
            self.alike[step.kind].discard(number)
        for each in step.follows:
            self.missing[each] -= 1
            if self.missing[each] == 0:
                self._is_ready(each)
        self.readers.subtract(command.reads)
        for row in dict.fromkeys((*command.reads, *command.writes)):
            if self.readers[row] == 0:
                heapq.heappush(self.free, (end, self.rows[row]))


@dataclass(frozen=True)
class Order:
    """Commands of a draft in order, several as one where they are together, and their rows.

    - `steps`: numbers of commands of the draft, and what they are as one.
    - `rows`: by row of the draft.
    - `used`: most rows that held something.
    - `clocks`: until all is over, about.
    """

    steps: tuple[tuple[tuple[int, ...], Op], ...]
    rows: Mapping[int, int]
    used: int
    clocks: int

    def of(self, draft: Program, units: Units, seed: bytes | None = None) -> Program:
        """A draft whose commands are those that were ordered, but for their factors."""
        program = Program(units.rows, units.terms, units.targets[Op.CONVERT])
        if seed is not None:
            program.seed(seed)
        for numbers, op in self.steps:
            command = Command.merged([draft.commands[number] for number in numbers])
            program.issue(command.with_rows(self.rows, op))
        program.used = self.used
        return program


def schedule(draft: Program, units: Units) -> Order:
    """The order of commands in which they take least time, with rows that there are.

    Raises NttforgeError if there are too few.
    """
    steps = _steps(draft.commands, units)
    best: _Schedule | None = None
    for window, blind in product(_WINDOWS, (True, False)):
        attempt = _Schedule(steps, units, window, blind=blind)
        if attempt.run(None if best is None else best.clocks):
            best = attempt
    if best is None:
        raise NttforgeError("rns.rows", f"{units.rows} are too few for this", "use more")
    return Order(tuple(best.order), best.rows, best.used, best.clocks)
