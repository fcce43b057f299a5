# SPDX-License-Identifier: Apache-2.0
"""Position of each coefficient in each cycle, observed in simulation: `nttforge show flow DESIGN`.

A word is recognized by its values in several random polynomials; others are shown as unknown.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from nttforge.design import Design
from nttforge.draw.step_page import UNKNOWN, Place, Scene, page
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, Progress, find_operation, prepare, silent
from nttforge.flow.reference import random_polynomials, reference
from nttforge.flow.trace import traced
from nttforge.hw import Operation, StreamCore
from nttforge.hw.view import Tap, View
from nttforge.kinds import part
from nttforge.output import check_writable, write_text
from nttforge.results import Text
from nttforge.ring.ring import Ring
from nttforge.simulate.waves import cycles
from nttforge.table import Cell, Line, Table, markdown

#: Coefficients up to which a page can be looked at.
MOST = 1024
# Odds against two words with the same values: one to so many times as two words can be chosen.
_ODDS = 1 << 20


@dataclass(frozen=True)
class Observation:
    """Words seen together in a cycle: (stages passed, index) by lane, or None."""

    cycle: int
    tap: Tap
    words: tuple[tuple[int, int] | None, ...]
    addresses: tuple[int, ...] = ()


@dataclass(frozen=True)
class DataflowTrace:
    """Observations of one transform at its taps, in the order of the cycles."""

    design: str
    operation: Operation
    taps: tuple[Tap, ...]
    sights: tuple[Observation, ...]

    @property
    def unknown(self) -> int:
        """Words whose values are nowhere in the transform."""
        return sum(word is None for sight in self.sights for word in sight.words)

    @property
    def cycles(self) -> int:
        """From the first beat in to the last one out."""
        return self.sights[-1].cycle + 1


def states(ring: Ring, polynomial: Sequence[int]) -> list[list[int]]:
    """The words of a forward transform in front of its first stage, and after each."""
    words, found = list(polynomial), [list(polynomial)]
    for stage in range(ring.layers):
        half = ring.n >> (stage + 1)
        for block, factor in enumerate(ring.twiddles[stage]):
            for low in range(2 * half * block, 2 * half * block + half):
                product = words[low + half] * factor
                words[low], words[low + half] = (
                    (words[low] + product) % ring.q,
                    (words[low] - product) % ring.q,
                )
        found.append(list(words))
    return found


def _count(ring: Ring) -> int:
    """Polynomials by whose values together a word is known."""
    words = ring.n * (ring.layers + 1)
    count = 1
    while ring.q**count < _ODDS * words * words:
        count += 1
    return count


def _known(
    operation: Operation, polynomials: Sequence[Sequence[int]]
) -> Mapping[tuple[int, ...], tuple[int, int]]:
    """Values in all polynomials -> (stages of the forward transform, index)."""
    each = [states(operation.ring, polynomial) for polynomial in polynomials]
    found: dict[tuple[int, ...], tuple[int, int]] = {}
    for stage in range(operation.ring.layers + 1):
        for index in range(operation.ring.n):
            found.setdefault(tuple(words[stage][index] for words in each), (stage, index))
    return found


def _residue(tap: Tap, word: int, q: int) -> int:
    sign = tap.signed and word >> (tap.bits - 1) & 1
    return (word - (1 << tap.bits) if sign else word) % q


def _values(
    trace: Path, scope: str, view: View, *, starts: Sequence[int], length: int, q: int
) -> Iterator[tuple[int, Tap, list[tuple[int, ...]], tuple[int, ...]]]:
    """(cycle, tap, values of each lane in all polynomials, addresses) of whatever moves."""
    asked = [f"{scope}.cycle"]
    for number, tap in enumerate(view.taps):
        lanes = range(len(tap.words))
        asked += [f"{scope}.t{number}_moves", *(_lane(scope, tap, lane) for lane in lanes)]
        asked += _addresses(scope, tap)
    rows: dict[int, Mapping[str, int]] = {}
    for seen in cycles(trace, asked):
        rows[seen[f"{scope}.cycle"]] = seen
    for cycle in range(length):
        each = [rows[start + cycle] for start in starts]
        for number, tap in enumerate(view.taps):
            if all(row[f"{scope}.t{number}_moves"] for row in each):
                words = [
                    tuple(_residue(tap, row[_lane(scope, tap, lane)], q) for row in each)
                    for lane in range(len(tap.words))
                ]
                yield cycle, tap, words, tuple(each[0][name] for name in _addresses(scope, tap))


def _lane(scope: str, tap: Tap, lane: int) -> str:
    return f"{scope}.{tap.name}.lane_{lane}.word"


def _addresses(scope: str, tap: Tap) -> list[str]:
    return [f"{scope}.{tap.name}.address_{number}" for number in range(len(tap.addresses))]


def trace_dataflow(
    prepared: Prepared[StreamCore], name: str | None = None, progress: Progress = silent
) -> DataflowTrace:
    """Simulate one transform, and say where each of its words was in each cycle.

    - `name`: of an operation, `ntt` or `intt` of some ring; the first one if it is left out.
    """
    core = prepared.core
    operation = core.operations[0] if name is None else find_operation(core, name)
    ring = operation.ring
    if operation.product is not None or operation.packed_bits:
        problem = f"{operation.name} is no transform with a coefficient a word"
        raise NttforgeError("operation", problem, "name another operation")
    if ring.n > MOST:
        problem = f"{ring.n} coefficients are too many to look at"
        raise NttforgeError("design", problem, f"name a design of up to {MOST}")
    (view,) = core.views
    count = _count(ring)
    rng = np.random.default_rng(0)
    given = random_polynomials(ring, count, rng)
    length = operation.latency + operation.beats
    with tempfile.TemporaryDirectory(prefix="nttforge-") as folder:
        trace = Path(folder) / "flow.vcd"
        with traced(prepared, trace), prepared.simulator() as simulator:
            progress(f"{operation.name} of {count} polynomials, one at a time")
            run = simulator.stream(
                [operation] * count, given, gaps=np.full(count, 2 * length, np.int64)
            )
        known = _known(
            operation, (reference(operation, given) if operation.inverse else given).tolist()
        )
        starts = [int(first) for first in run.first_in]
        length = int(run.last_out[0] - run.first_in[0]) + 1
        scope = f"TOP.{core.name}.u_view"
        sights = tuple(
            Observation(cycle, tap, tuple(known.get(word) for word in words), addresses)
            for cycle, tap, words, addresses in _values(
                trace, scope, view, starts=starts, length=length, q=ring.q
            )
        )
    return DataflowTrace(core.name, operation, view.taps, sights)


def _between(before: Tap, after: Tap) -> str:
    """The place of a word that was seen there last, and is seen there next."""
    if before.place.startswith("butterflies"):
        return f"computed by {before.place}"
    if before.addresses:
        return "in memory"
    return f"to the {after.place}"


def places(found: DataflowTrace) -> list[Place]:
    """Observations of a transform, by place, in the order in which words pass."""
    length = found.cycles
    passed: dict[str, list[tuple[str, ...]]] = {tap.name: [()] * length for tap in found.taps}
    seen: dict[int, list[tuple[int, Tap]]] = {}
    for sight in found.sights:
        passed[sight.tap.name][sight.cycle] = tuple(
            UNKNOWN if word is None else str(word[1]) for word in sight.words
        )
        for word in filter(None, sight.words):
            seen.setdefault(word[1], []).append((sight.cycle, sight.tap))
    waits: dict[tuple[str, str], list[list[str]]] = {}
    for index, sights in sorted(seen.items()):
        for (first, before), (last, after) in pairwise(sights):
            key = (before.name, _between(before, after))
            rows = waits.setdefault(key, [[] for _ in range(length)])
            for cycle in range(first + 1, last):
                rows[cycle].append(str(index))
    shown: list[Place] = []
    for tap in found.taps:
        shown.append(Place(tap.place, True, tuple(passed[tap.name])))
        shown += [
            Place(name, False, tuple(map(tuple, rows)))
            for (before, name), rows in waits.items()
            if before == tap.name
        ]
    return shown


def _title(found: DataflowTrace) -> tuple[str, str]:
    operation = found.operation
    caption = (
        f"Seen in simulation, {found.cycles} cycles from the first beat in to the last one out: a "
        "word is known by its value, and called by its index."
    )
    return f"{operation.name} of {found.design}, {operation.ring.describe()}", caption


def flow_page(found: DataflowTrace, design: Design) -> str:
    """The page that steps through it, in the drawing of the design's kind."""
    scene: Scene = part(design.family, "drawing").scene(design)
    return page(*_title(found), places(found), found.operation.ring.n, scene)


def flow_table(found: DataflowTrace) -> str:
    """The same as Markdown: a row a cycle."""
    title, caption = _title(found)
    shown = [place for place in places(found) if not place.name.startswith("computed")]
    shown = [place for place in shown if place.passed or any(place.words)]
    shown = [place for place in shown if not place.name.startswith("to the behind")]
    shown = [place for place in shown if not place.name.startswith("behind")]
    rows: list[list[Cell]] = [
        [cycle, *(" ".join(place.words[cycle]) for place in shown)] for cycle in range(found.cycles)
    ]
    bad = f" {found.unknown} words are in no stage of the transform." if found.unknown else ""
    heads = ["cycle", *(place.name for place in shown)]
    return "\n\n".join(
        markdown([block]) for block in (Line(caption + bad), Table(title, heads, rows))
    )


def flow(
    design: Design,
    operation: str | None = None,
    output: Path | None = None,
    progress: Progress = silent,
) -> Text:
    """A simulated transform, step by step: a table, or a page that is written to a file."""
    if output is not None:
        check_writable(output)
    found = trace_dataflow(prepare(design), operation, progress)
    if output is None:
        return Text(flow_table(found), not found.unknown)
    write_text(output, flow_page(found, design))
    return Text(f"written to {output}", not found.unknown)
