# SPDX-License-Identifier: Apache-2.0
"""Twiddle tables of the row of butterflies; passes share those that take the least block RAM."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from nttforge.hw.common import block_rams

Words = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Content:
    """Factors of one pass: `words[butterfly][address]`, each of them for 2^shift groups."""

    words: Words
    shift: int


def shortened(lines: Sequence[Sequence[int]]) -> Content:
    """Factors of all butterflies in all groups, without those that only repeat."""
    shift = 0
    rows = [tuple(line) for line in lines]
    while len(rows[0]) > 1 and all(row[::2] == row[1::2] for row in rows):
        rows = [row[::2] for row in rows]
        shift += 1
    return Content(tuple(rows), shift)


def _placed(contents: Sequence[Words]) -> tuple[list[Words], dict[Words, tuple[int, bool]]]:
    """(base, in reverse) of each content; equal ones, mirror images and prefixes share."""
    stored: list[Words] = []
    where: dict[Words, tuple[int, bool]] = {}
    end = 0
    for content in sorted(dict.fromkeys(contents), key=lambda words: -len(words[0])):
        length = len(content[0])
        mirrored = tuple(row[::-1] for row in content)
        base = 0
        for other in stored:
            if tuple(row[:length] for row in other) == content:
                where[content] = base, False
            elif len(other[0]) == length and other == mirrored:
                where[content] = base, True
            base += len(other[0])
        if content not in where:
            where[content] = end, False
            stored.append(content)
            end += length
    return stored, where


@dataclass(frozen=True)
class Group:
    """Tables side by side: `tables[rom][address]`, encoded; each butterfly reads one of them."""

    tables: Words
    rom_of: tuple[int, ...]
    where: dict[Words, tuple[int, bool]]

    @property
    def depth(self) -> int:
        """Factors a table."""
        return len(self.tables[0])

    def block_rams(self, width: int) -> int:
        """Memories of 18 Kbit that its tables take."""
        return len(self.tables) * block_rams(self.depth, width)


def _grouped(contents: Sequence[Words]) -> Group:
    stored, where = _placed(contents)
    lines = [
        tuple(word for content in stored for word in content[line])
        for line in range(len(contents[0]))
    ]
    tables = tuple(dict.fromkeys(lines))
    return Group(tables, tuple(tables.index(line) for line in lines), where)


class Place(NamedTuple):
    """Factors of a pass: from `base` on, a new one every 2^shift groups, reversed if `turned`."""

    group: int = 0
    base: int = 0
    shift: int = 0
    turned: bool = False


@dataclass(frozen=True)
class Factors:
    """The twiddle tables of the row, and `places[operation][pass]` in them."""

    groups: tuple[Group, ...]
    places: tuple[tuple[Place, ...], ...]

    def block_rams(self, width: int) -> int:
        """Memories of 18 Kbit that all tables take."""
        return sum(group.block_rams(width) for group in self.groups)

    @property
    def starts(self) -> list[int]:
        """First word of each group's tables."""
        starts = [0]
        for group in self.groups:
            starts.append(starts[-1] + len(group.tables) * group.depth)
        return starts[:-1]

    @property
    def words(self) -> list[int]:
        """The factors of all tables, one after the other."""
        return [word for group in self.groups for table in group.tables for word in table]


def divisions(kinds: int) -> Iterator[list[range]]:
    """Every way to cut so many kinds of passes, in order, into runs."""
    for cuts in range(1 << (kinds - 1)):
        edges = [0, *(i + 1 for i in range(kinds - 1) if cuts >> i & 1), kinds]
        yield [range(a, b) for a, b in pairwise(edges)]


def arrange(programs: Sequence[Sequence[Content | None]], width: int, block_from: int) -> Factors:
    """Lay out the factors of all passes; tables of `block_from` words or more are block RAM."""
    by_kind: dict[int, list[Words]] = {}
    for content in (c for row in programs for c in row if c is not None):
        by_kind.setdefault(len(set(content.words)), []).append(content.words)
    kinds = [by_kind[key] for key in sorted(by_kind)]
    best = [_grouped([words for kind in kinds for words in kind])]
    for runs in divisions(len(kinds)):
        groups = [_grouped([words for i in run for words in kinds[i]]) for run in runs]
        if len(runs) == 1 or min(group.depth for group in groups) < block_from:
            continue
        if sum(g.block_rams(width) for g in groups) < sum(g.block_rams(width) for g in best):
            best = groups

    def find(content: Content | None) -> Place:
        if content is None:
            return Place()
        number = next(i for i, group in enumerate(best) if content.words in group.where)
        base, turned = best[number].where[content.words]
        return Place(number, base, content.shift, turned)

    return Factors(tuple(best), tuple(tuple(find(content) for content in row) for row in programs))
