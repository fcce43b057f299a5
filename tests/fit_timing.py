# SPDX-License-Identifier: Apache-2.0
"""The estimated clock of ECP5 against what nextpnr reaches: `python -m tests.fit_timing`.

Its references are the designs and parts of `python -m benchmarks clocks-NAME`. Each that is asked
for (`--only`, or all) is mapped and placed, or what is kept is taken, and what its slowest path
consists of stands with the routed period in `tests/fit_timing.json`. `--recorded` takes the periods
of `docs/appendix/clock-tables.md` instead of placing, of those that have as many registers,
multipliers and block RAMs as were placed there, and so are the same but for gates. `--fit` then
fits the wires of `timing` to all of them and writes them into `ecp5_timing.json`; since other wires
make other paths the slowest, do that twice. `--errors` only shows estimates and periods, as
Markdown.
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.reproduce import papers
from benchmarks.subject import Subject
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import silent
from nttforge.flow.synth import on_ecp5
from nttforge.output import write_text
from nttforge.synthesize.static_timing import (
    DATA,
    Delays,
    Module,
    PathNode,
    TimingGraph,
    delays,
    is_far,
)

CLOCKS, _ = papers()["clocks-pipeline"]
MEASURED = Path(__file__).with_suffix(".json")
_PAGE = Path(__file__).parents[1] / "docs" / "figures" / "clock-tables.json"
_WIRES = ("base", "log2_fanout", "far", "fill")
_SAME = {"FF": "TRELLIS_FF", "MULT18": "MULT18X18D", "DP16KD": "DP16KD"}


@dataclass(frozen=True)
class Reference:
    """What was placed, and what its slowest path by the estimate consists of.

    Attributes
    ----------
    name
        The design and its part.
    routed_ns
        The period that nextpnr reaches.
    seeds
        Of its placements.
    fill
        The share of the device's look-up tables that it takes.
    cells_ns
        What the path's cells take.
    wires, log2_fanout, far
        Of its wires: how many, the sum of the logarithms of their sinks, and of ends that are far.
    """

    name: str
    routed_ns: float
    seeds: str
    fill: float
    cells_ns: float
    wires: int
    log2_fanout: float
    far: int

    def terms(self) -> tuple[float, ...]:
        """By what each number of a wire is multiplied."""
        return (self.wires, self.log2_fanout, self.far, self.wires * self.fill)

    def estimate(self, route: Mapping[str, float]) -> float:
        """The period with such wires."""
        wires = (route[name] * term for name, term in zip(_WIRES, self.terms(), strict=True))
        return self.cells_ns + sum(wires)


def name_of(placed: Subject) -> str:
    """What a row of the clock tables is called here."""
    part = placed.spec["part"] or ("with its shell" if placed.spec["shell"] else "")
    return ": ".join(filter(None, [placed.label, part]))


def reference(placed: Subject, recorded: bool) -> Reference | None:
    """Map and place it, or take the period that is recorded; None if there is none of this RTL."""
    how = {key: placed.spec[key] for key in ("part", "shell", "time_limit")}
    mapped = on_ecp5(placed.prepared, **how, progress=silent)
    module = mapped.module()
    if recorded:
        row = _recorded(placed)
        kinds = Counter(cell["type"] for cell in module["cells"].values())
        if row is None or any(row[site] != kinds[kind] for site, kind in _SAME.items()):
            return None
        mhz, seeds = row["nextpnr, MHz"], row["seeds"]
    else:
        found = placed.place()
        mhz, seeds = found.fmax_mhz, ", ".join(map(str, found.fmax_by_seed))
    graph = TimingGraph(module, delays(8, placed=True))
    hops = graph.trace(next(graph.slowest())[1])
    wires = list(_wires(graph, module, hops))
    return Reference(
        name=name_of(placed),
        routed_ns=round(1000 / mhz, 3),
        seeds=seeds,
        fill=round(graph.fill, 4),
        cells_ns=round(sum(hop.cell_ns for hop in hops), 3),
        wires=len(wires),
        log2_fanout=round(sum(math.log2(fanout) for fanout, _ in wires), 3),
        far=sum(far for _, far in wires),
    )


def _recorded(placed: Subject) -> dict[str, Any] | None:
    """The row of a design in the tables of docs/appendix/clock-tables.md, if it was placed."""
    kept = json.loads(_PAGE.read_text("utf-8"))
    rows = (
        dict(zip(CLOCKS.heads, row, strict=True))
        for name, figure in kept.items()
        if "benchmarks clocks-" in name
        for block in figure["page"]
        for row in block["rows"]
    )
    part = placed.spec["part"] or ("with its shell" if placed.spec["shell"] else "all")
    for row in rows:
        if (row["design"], row["part"].strip("`")) == (placed.label, part) and row["nextpnr, MHz"]:
            return row
    return None


def _wires(
    graph: TimingGraph, module: Module, hops: Sequence[PathNode]
) -> Iterator[tuple[int, int]]:
    """Sinks, and ends that are far, of each wire of a path that leaves a slice."""
    for before, after in pairwise(hops):
        if after.wire_ns and before.bit is not None:
            far = is_far(graph.driver_kind(before.bit)) + is_far(graph.kind(after.cell))
            yield graph.fanout(before.bit), far


def fit(found: Sequence[Reference]) -> dict[str, float]:
    """The wires with which relative errors of the periods are least."""
    weight = np.array([1 / each.routed_ns for each in found])
    terms = np.array([each.terms() for each in found])
    left = np.array([each.routed_ns - each.cells_ns for each in found])
    solution, *_ = np.linalg.lstsq(terms * weight[:, None], left * weight, rcond=None)
    return {name: round(float(value), 3) for name, value in zip(_WIRES, solution, strict=True)}


def _write(route: Mapping[str, float], fullest: float) -> None:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    before = data["speed"]["8"]["route"]["base"]
    for speed in data["speed"].values():  # the other grades keep their ratio to this one
        ratio = speed["route"]["base"] / before
        wires = {name: round(value * ratio, 3) for name, value in route.items()}
        speed["placed"] = {**wires, "fullest": fullest}
    write_text(DATA, json.dumps(data, indent=1) + "\n")


def kept() -> list[Reference]:
    """What was placed."""
    return [Reference(**row) for row in json.loads(MEASURED.read_text("utf-8"))["rows"]]


def table(found: Sequence[Reference], grade: Delays) -> Iterator[str]:
    """Estimate beside nextpnr's result as Markdown."""
    yield "| design: part | of the tables | wires | estimated, ns | routed, ns | seeds | error |"
    yield "|---|---:|---:|---:|---:|---|---:|"
    for each in found:
        estimate = each.estimate(grade.route)
        error = estimate / each.routed_ns - 1
        yield (
            f"| {each.name} | {each.fill:.1%} | {each.wires} | {estimate:.2f} "
            f"| {each.routed_ns:.2f} | {each.seeds} | {error:+.1%} |"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fit_timing",
        description="Print the estimated period of placed designs beside the routed one.",
    )
    parser.add_argument("--only", metavar="TEXT", help="place those whose name contains this")
    parser.add_argument(
        "--recorded", action="store_true", help="take the periods of the clock tables"
    )
    parser.add_argument("--fit", action="store_true", help="fit the wires anew")
    parser.add_argument("--errors", action="store_true", help="place nothing")
    options = parser.parse_args(arguments)
    try:
        rows = {each.name: each for each in kept()}
        placed = [each for each in CLOCKS.subjects() if each.spec["seeds"]]
        for each in placed if not options.errors else ():
            if (options.only or "") in name_of(each):
                found = reference(each, options.recorded)
                if found:
                    rows[found.name] = found
                    print(f"{found.name}: {found.routed_ns} ns", file=sys.stderr, flush=True)
        ordered = [rows[name] for name in map(name_of, placed) if name in rows]
        if not options.errors:
            data = {"rows": [asdict(each) for each in ordered]}
            write_text(MEASURED, json.dumps(data, indent=1) + "\n")
        if options.fit:
            _write(fit(ordered), max(each.fill for each in ordered))
            delays.cache_clear()
        print("\n".join(table(ordered, delays(8, placed=True))))
    except NttforgeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
