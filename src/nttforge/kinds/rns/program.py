# SPDX-License-Identifier: Apache-2.0
"""Programs of an engine as data: commands, what each waits for, and their words.

The twin of ntf_rns_pkg.sv. A program names rows of the memory as it needs them; which commands of
which units must be over before a command begins follows from the rows that they read and write.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from nttforge.errors import NttforgeError

#: Bits of fields of words.
_COUNT, _ROW, _PLACE = 12, 16, 8
_MOST_COMMANDS = 1 << _COUNT - 1


class Op(IntEnum):
    """What a command does."""

    END = 0
    LOAD = 1
    STORE = 2
    MODULUS = 3
    TRANSFORM = 4
    SUM = 5
    FRACTION = 6
    CONVERT = 7


class By(IntEnum):
    """What the row of a summand is multiplied by."""

    FACTOR = 0
    KEY = 1
    ROW = 2
    SIGN = 3


#: Units, as places of what a command waits for.
_UNITS = (Op.TRANSFORM, Op.SUM, Op.CONVERT, Op.LOAD, Op.STORE)
_UNIT_OF = {op: number for number, op in enumerate(_UNITS)} | {
    Op.FRACTION: _UNITS.index(Op.CONVERT)
}
#: Units whose commands end in another order than they begin, of different targets.
_LATE = tuple(_UNITS.index(op) for op in (Op.SUM, Op.CONVERT))
_NO_WAITS = (0,) * len(_UNITS)


@dataclass(frozen=True)
class Term:
    """A summand.

    Attributes
    ----------
    row
        That is multiplied.
    factor
        By which number, premultiplied; or by which row.
    by
        What it is multiplied by.
    shift
        Of a fraction: bits by which its modulus is narrower than a word.
    others
        Factors of the sums for other targets.
    """

    row: int
    factor: int = 0
    by: By = By.FACTOR
    shift: int = 0
    others: tuple[int, ...] = ()

    @property
    def word(self) -> int:
        """As the hardware takes it, for the first target."""
        return self.factor << 32 | self.shift << 18 | self.by << 16 | self.row

    def words(self, targets: int) -> list[int]:
        """For so many targets."""
        others = [factor << 32 for factor in self.others]
        return [self.word, *others, *([0] * (targets - 1 - len(others)))]

    @property
    def reads(self) -> tuple[int, ...]:
        """Rows."""
        return (self.row, self.factor) if self.by is By.ROW else (self.row,)


@dataclass(frozen=True)
class Target:
    """A sum of a command.

    Attributes
    ----------
    place
        Of its modulus.
    initial
        What it begins with.
    dst
        Its row.
    """

    place: int = 0
    initial: int = 0
    dst: int = 0

    @property
    def word(self) -> int:
        """As the hardware takes it."""
        return self.initial << 32 | self.place << 24 | self.dst


@dataclass(frozen=True)
class Command:
    """A command, and the words behind it.

    Attributes
    ----------
    op
        What it does.
    place
        Of its modulus.
    dst, src
        Rows; of a load of a modulus `src` is its words.
    set
        The inverse of a transform, the sign of a fraction.
    targets, terms
        Sums, and their summands.
    moved
        g, if the rows of a sum are read as their images under x -> x^g.
    waits
        So many commands of each unit are over before it begins.
    tag
        Of the end, for its outcome.
    """

    op: Op
    place: int = 0
    dst: int = 0
    src: int = 0
    set: bool = False
    targets: tuple[Target, ...] = ()
    terms: tuple[Term, ...] = ()
    moved: int = 0
    waits: tuple[int, ...] = _NO_WAITS
    tag: int = 0

    @property
    def words(self) -> list[int]:
        """As the hardware takes them."""
        count = len(self.targets)
        head = self.op | self.set << 4 | bool(self.moved) << 5 | self.place << 8
        head |= (self.dst or self.tag) << 16 | (self.src or self.moved // 2) << 32
        head |= len(self.terms) << 48 | count << 56
        for unit, waits in enumerate(self.waits):
            head |= waits << 68 + _COUNT * unit
        targets = [target.word for target in self.targets]
        return [head, *targets, *(word for term in self.terms for word in term.words(count))]


@dataclass
class Program:
    """Commands in order, with the rows that are free.

    Attributes
    ----------
    rows, terms
        Of the memory, and most summands of a sum.
    targets
        Most of a conversion.
    commands
        So far.
    used
        Most rows that held something at a time.
    """

    rows: int
    terms: int
    targets: int = 1
    commands: list[Command] = field(default_factory=list)
    used: int = 0

    def __post_init__(self) -> None:
        self._free = deque(range(self.rows))
        self._counts = [0] * len(_UNITS)
        self._written: dict[int, tuple[int, int]] = {}
        self._read: dict[int, list[tuple[int, int]]] = {}

    def row(self) -> int:
        """A row that nothing needs any more, the one that is free for the longest time.

        Raises
        ------
        NttforgeError
            If there is none.
        """
        if not self._free:
            raise NttforgeError("rns.rows", f"{self.rows} are too few for this", "use more")
        row = self._free.popleft()
        self.used = max(self.used, self.rows - len(self._free))
        return row

    def release(self, *rows: int) -> None:
        """Nothing reads these rows any more."""
        self._free.extend(rows)

    def _issue(self, command: Command, reads: Sequence[int], writes: Sequence[int]) -> None:
        if len(command.terms) > self.terms:
            problem = f"{len(command.terms)} summands are more than {self.terms}"
            raise NttforgeError("rns.terms", problem, "use more, or larger digits")
        unit = _UNIT_OF[command.op]
        needed = [(self._written[row], True) for row in reads if row in self._written]
        for row in writes:
            late = unit in _LATE
            needed += [(self._written[row], late)] if row in self._written else []
            needed += [(mark, False) for mark in self._read.get(row, [])]
        waits = [0] * len(_UNITS)
        for (other, number), always in needed:
            # What one unit did before is read in order.
            if always or other != unit:
                waits[other] = max(waits[other], number)
        self._counts[unit] += 1
        mark = unit, self._counts[unit]
        for row in reads:
            self._read.setdefault(row, []).append(mark)
        for row in writes:
            self._written[row], self._read[row] = mark, []
        self.commands.append(replace(command, waits=tuple(waits)))
        if max(self._counts) >= _MOST_COMMANDS:
            raise NttforgeError("program", f"has {_MOST_COMMANDS} commands", "cut it into several")

    def load(self) -> int:
        """A row that comes from the data stream."""
        row = self.row()
        self._issue(Command(Op.LOAD, dst=row), [], [row])
        return row

    def store(self, row: int) -> None:
        """A row that leaves."""
        self._issue(Command(Op.STORE, src=row), [row], [])

    def modulus(self, place: int, words: int) -> None:
        """The next so many words of the data stream are a place's modulus and factors."""
        self.commands.append(Command(Op.MODULUS, place=place, src=words, waits=tuple(self._counts)))

    def transform(self, place: int, row: int, *, inverse: bool = False) -> int:
        """The transform of a row, in another one."""
        dst = self.row()
        self._issue(Command(Op.TRANSFORM, place=place, dst=dst, src=row, set=inverse), [row], [dst])
        return dst

    def sums(
        self,
        targets: Sequence[Target],
        terms: Sequence[Term],
        *,
        op: Op = Op.CONVERT,
        moved: int = 0,
    ) -> list[int]:
        """Sums of products with the same rows, one a target, in rows of their own.

        Parameters
        ----------
        op
            CONVERT, or SUM, whose unit multiplies by keys and takes two targets.
        moved
            Read the rows as their images under x -> x^moved.
        """
        rows = [self.row() for _ in targets]
        reads = [row for term in terms for row in term.reads]
        whole = tuple(replace(each, dst=row) for each, row in zip(targets, rows, strict=True))
        self._issue(Command(op, targets=whole, terms=tuple(terms), moved=moved), reads, rows)
        return rows

    def sum(
        self,
        place: int,
        terms: Sequence[Term],
        initial: int = 0,
        *,
        op: Op = Op.CONVERT,
        moved: int = 0,
    ) -> int:
        """A sum of products modulo a place, in another row; see :meth:`sums`."""
        return self.sums([Target(place, initial)], terms, op=op, moved=moved)[0]

    def fraction(self, terms: Sequence[Term], *, sign: bool = False) -> int:
        """The whole part of a sum of fractions, or the sign of what is near."""
        dst = self.row()
        command = Command(Op.FRACTION, set=sign, targets=(Target(dst=dst),), terms=tuple(terms))
        self._issue(command, [row for term in terms for row in term.reads], [dst])
        return dst

    def words(self, tag: int = 0) -> list[int]:
        """The packet: a word a beat."""
        end = Command(Op.END, tag=tag, waits=tuple(self._counts))
        return [word for command in (*self.commands, end) for word in command.words]


def units_of(commands: Sequence[Command]) -> Mapping[str, int]:
    """Commands of each kind."""
    counts: dict[str, int] = {}
    for command in commands:
        name = command.op.name.lower()
        counts[name] = counts.get(name, 0) + 1
    return counts
