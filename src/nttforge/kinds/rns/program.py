# SPDX-License-Identifier: Apache-2.0
"""Programs of an engine as data: commands, what each waits for, and their words.

The twin of ntf_rns_pkg.sv. Which commands of which units must be over before a command begins
follows from the rows that they read and write.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from nttforge.errors import NttforgeError

#: Bits of fields of words.
_COUNT, _ROW, _PLACE = 12, 16, 8
_MOST_COMMANDS = 1 << _COUNT - 1
_WORD_BITS = 128


class Op(IntEnum):
    """Operation of a command."""

    END = 0
    LOAD = 1
    STORE = 2
    MODULUS = 3
    TRANSFORM = 4
    SUM = 5
    FRACTION = 6
    CONVERT = 7
    SEED = 8


class By(IntEnum):
    """Factor of a summand's row."""

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

    - `row`: that is multiplied.
    - `factor`: by which number, premultiplied; or by which row.
    - `by`: what it is multiplied by.
    - `shift`: of a fraction: bits by which its modulus is narrower than a word.
    - `others`: factors of the sums for other targets.
    - `place`: of the modulus, if half of a key is expanded.
    """

    row: int
    factor: int = 0
    by: By = By.FACTOR
    shift: int = 0
    others: tuple[int, ...] = ()
    place: int = 0

    @classmethod
    def seeded(cls, row: int, digit: int, limb: int, place: int) -> "Term":
        """A row times a key whose uniform half is expanded, of a digit and a limb of the key."""
        return cls(row, 1 << 16 | limb << 8 | digit, By.KEY, place=place)

    @property
    def word(self) -> int:
        """As the hardware takes it, for the first target."""
        low = self.place << 24 | self.shift << 18 | self.by << 16 | self.row
        return self.factor << 32 | low

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

    - `place`: of its modulus.
    - `initial`: what it begins with.
    - `dst`: its row.
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

    - `op`: what it does.
    - `place`: of its modulus.
    - `dst`, `src`: rows; of a load of a modulus `src` is its words.
    - `set`: the inverse of a transform, the sign of a fraction.
    - `targets`, `terms`: sums, and their summands.
    - `moved`: g, if the rows of a sum are read as their images under x -> x^g.
    - `waits`: so many commands of each unit are over before it begins.
    - `tag`: of the end, for its outcome.
    - `seed`: 32 bytes, from which keys are expanded.
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
    seed: bytes = b""

    @property
    def reads(self) -> tuple[int, ...]:
        """Rows."""
        if self.op in (Op.STORE, Op.TRANSFORM):
            return (self.src,)
        return tuple(row for term in self.terms for row in term.reads)

    @property
    def writes(self) -> tuple[int, ...]:
        """Rows."""
        if self.op in (Op.LOAD, Op.TRANSFORM):
            return (self.dst,)
        return tuple(target.dst for target in self.targets)

    @classmethod
    def merged(cls, commands: "Sequence[Command]") -> "Command":
        """One command for several that read the same, of which each has one target."""
        first, *others = commands
        if not others:
            return first
        factors = zip(*([term.factor for term in each.terms] for each in others), strict=True)
        terms = tuple(
            replace(term, others=some) for term, some in zip(first.terms, factors, strict=True)
        )
        targets = tuple(target for each in commands for target in each.targets)
        return replace(first, targets=targets, terms=terms)

    def with_rows(self, rows: Mapping[int, int], op: Op) -> "Command":
        """The same with other rows, in the unit of `op`."""
        by_row = {term.factor: rows[term.factor] for term in self.terms if term.by is By.ROW}
        return replace(
            self,
            op=op,
            src=rows[self.src] if self.op in (Op.STORE, Op.TRANSFORM) else self.src,
            dst=rows[self.dst] if self.op in (Op.LOAD, Op.TRANSFORM) else self.dst,
            targets=tuple(replace(each, dst=rows[each.dst]) for each in self.targets),
            terms=tuple(
                replace(
                    term,
                    row=rows[term.row],
                    factor=by_row[term.factor] if term.by is By.ROW else term.factor,
                )
                for term in self.terms
            ),
        )

    @property
    def words(self) -> list[int]:
        """As the hardware takes them."""
        if self.op is Op.SEED:
            # In the words of a target and a summand.
            whole, low = int.from_bytes(self.seed, "little"), (1 << _WORD_BITS) - 1
            return [self.op | 1 << 48 | 1 << 56, whole & low, whole >> _WORD_BITS]
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
    """Commands in order. In a draft each result has a row of its own, as if there were as many.

    - `rows`, `terms`: of the memory, and most summands of a sum.
    - `targets`: most of a conversion.
    - `commands`: so far.
    - `used`: rows that held something.
    """

    rows: int
    terms: int
    targets: int = 1
    commands: list[Command] = field(default_factory=list)
    used: int = 0

    def __post_init__(self) -> None:
        self._counts = [0] * len(_UNITS)
        self._written: dict[int, tuple[int, int]] = {}
        self._read: dict[int, list[tuple[int, int]]] = {}

    def row(self) -> int:
        """A row that nothing has used.

        Raises NttforgeError if there is none.
        """
        if self.used == self.rows:
            raise NttforgeError("rns.rows", f"{self.rows} are too few for this", "use more")
        self.used += 1
        return self.used - 1

    def issue(self, command: Command) -> None:
        """Add a command, which waits for those before it that its rows depend on.

        Raises NttforgeError if a sum has too many summands, or the program too many commands.
        """
        if len(command.terms) > self.terms:
            problem = f"{len(command.terms)} summands are more than {self.terms}"
            raise NttforgeError("rns.terms", problem, "use more, or larger digits")
        unit, reads, writes = _UNIT_OF[command.op], command.reads, command.writes
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

    def seed(self, seed: bytes) -> None:
        """Expand keys of the commands after it from a seed."""
        self.commands.append(Command(Op.SEED, seed=seed))

    def load(self) -> int:
        """A row that comes from the data stream."""
        row = self.row()
        self.issue(Command(Op.LOAD, dst=row))
        return row

    def store(self, row: int) -> None:
        """A row that leaves."""
        self.issue(Command(Op.STORE, src=row))

    def modulus(self, place: int, words: int) -> None:
        """The next so many words of the data stream are a place's modulus and factors."""
        self.commands.append(Command(Op.MODULUS, place=place, src=words, waits=tuple(self._counts)))

    def transform(self, place: int, row: int, *, inverse: bool = False) -> int:
        """The transform of a row, in another one."""
        dst = self.row()
        self.issue(Command(Op.TRANSFORM, place=place, dst=dst, src=row, set=inverse))
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

        - `op`: CONVERT, or SUM, whose unit multiplies by keys and takes two targets.
        - `moved`: read the rows as their images under x -> x^moved.
        """
        rows = [self.row() for _ in targets]
        whole = tuple(replace(each, dst=row) for each, row in zip(targets, rows, strict=True))
        self.issue(Command(op, targets=whole, terms=tuple(terms), moved=moved))
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
        self.issue(command)
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
