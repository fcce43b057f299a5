# SPDX-License-Identifier: Apache-2.0
"""`explore`: the engines of all families that meet given requirements, and the best one."""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from nttforge.config.requirements import KeySwitching, Requirements
from nttforge.design import Design
from nttforge.draw.points import check_page, page_of, point
from nttforge.emit.toml import design_toml, to_toml
from nttforge.errors import NttforgeError, shortened, shown
from nttforge.flow.explore import prove
from nttforge.flow.explore.area_model import estimate_area
from nttforge.flow.explore.candidates import CandidateDesign, candidate_designs
from nttforge.flow.explore.pareto import (
    Candidate,
    add_labels,
    binding,
    bounds,
    choose,
    dominates,
    front,
    nearest,
    violations,
)
from nttforge.flow.explore.prove import Proof
from nttforge.flow.prepare import Progress, silent
from nttforge.hw import estimate
from nttforge.hw.resources import ResourceEstimate
from nttforge.kinds import is_explored
from nttforge.output import atomic_folder, check_writable, read_toml, write_text
from nttforge.results import Result
from nttforge.table import Block, Cell, Code, Line, Table, verdict

#: Figures of a candidate that can be an axis of a page, as people call them.
AXES = {
    "each": "cycles each",
    "latency": "latency, cycles",
    "lut": "LUT",
    "ff": "FF",
    "dsp": "DSP",
    "bram18": "BRAM",
    "ram": "buffer, Mb",
    "mhz": "MHz",
    "each_us": "us each",
    "latency_us": "latency, us",
}

#: Shares that are reported of two designs.
_SEEN = 0.01


class ExploreResult(Result):
    """Candidates that meet the requirements.

    - `need`, `target`, `aim`: its name, the FPGA family, and what is the least of the one that is
      chosen.
    - `ok`: something meets it.
    - `looked_at`: designs that families offered and that can be, those that are alike once.
    - `sizes`: of data in memory: log2 of the transforms that are compared.
    - `candidates`: all of them.
    - `why`: if nothing meets it: what binds, and what is nearest.
    - `file`: where the design of the one to take was written, if it was; or the folder with all on
      the front.
    - `proofs`: of those that were synthesized, the one to take first.
    - `beside`: what is to be said of the design that the need was made of, if it was.
    - `operations`: of coprocessors: operations and sets that one of them has.
    - `coprocessors`: if the rings are those of standards: the coprocessors that keep to the bounds.
    - `seconds`: it took.
    """

    need: str
    target: str
    aim: str
    ok: bool
    looked_at: int
    sizes: list[int] = Field(default_factory=list)
    candidates: list[Candidate]
    why: str = ""
    file: str | None = None
    proofs: list[Proof] = Field(default_factory=list)
    beside: str = ""
    operations: list[str] = Field(default_factory=list)
    coprocessors: "ExploreResult | None" = None
    seconds: float

    @property
    def chosen(self) -> Candidate | None:
        """The one to take; the nearest one if nothing meets the need."""
        return next((c for c in self.candidates if c.chosen), None)

    def shown(self) -> Iterator[Block]:
        """The front, the design file of the one to take, or why there is none."""
        yield _table(self)
        if self.proofs:
            yield prove.table(self.proofs)
        taken = self.chosen
        if taken is not None:
            yield Code(taken.design, "toml")
        if self.why:
            yield Code(self.why)
        if self.file:
            yield Line(f"written to {self.file}")
        met = f"the {self.aim} of the chosen one is the least"
        yield _took([self])
        yield verdict(self.ok, met, "nothing meets the need")
        if self.coprocessors is not None:
            yield from self.coprocessors.shown()


class Explored(Result):
    """Candidates that meet each of several requirements."""

    results: list[ExploreResult]

    @property
    def ok(self) -> bool:
        """Something meets each of them."""
        return all(result.ok for result in self.results)

    def shown(self) -> Iterator[Block]:
        """A line a need, then the fronts, if it is not designs that are looked at."""
        rows: list[list[Cell]] = []
        for result in self.results:
            taken = result.chosen
            assert taken is not None
            on_it = sum(c.front for c in result.candidates)
            said = taken.text if result.ok else "none; " + result.why.splitlines()[-1]
            rows.append([result.need, result.looked_at, on_it, said])
            if result.beside:
                rows[-1].append(result.beside)
        itself = ["itself"] if any(result.beside for result in self.results) else []
        yield Table("Needs", ["need", "looked at", "front", "the one to take", *itself], rows)
        yield _took(self.results)
        for result in self.results:
            if result.beside:
                continue
            yield _table(result)
            if result.proofs:
                yield prove.table(result.proofs)
            if result.why:
                yield Line(result.why)


def _took(results: Sequence[ExploreResult]) -> Line:
    """Beside the tables and not in one: it is another time on each machine."""
    looked_at = sum(result.looked_at for result in results)
    return Line(f"{looked_at} designs looked at in {sum(r.seconds for r in results):.1f} s")


def _operations(found: Sequence[Candidate]) -> list[str]:
    """Those that one of the coprocessors has."""
    return list(min(found, key=lambda c: c.lacks).cycles)


def _by_set(
    rows: Sequence[Candidate], operations: Sequence[str]
) -> Iterator[tuple[str, list[Cell]]]:
    """Latencies of coprocessors: a column a parameter set, with all of its operations."""
    sets: dict[str, list[str]] = {}
    for label in operations:
        name, operation = label.rsplit(" ", 1)
        sets.setdefault(name, []).append(operation)
    for name, known in sets.items():
        found = ((c.cycles.get(f"{name} {each}") for each in known) for c in rows)
        cells: list[Cell] = [
            " / ".join("-" if each is None else f"{each[0]:,.0f}" for each in row) for row in found
        ]
        yield f"{name}: {' / '.join(known)}, cycles", cells


def _table(result: ExploreResult) -> Table:
    """The front, the fastest first."""
    rows = sorted(
        (c for c in result.candidates if c.front), key=lambda c: (c.time(), c.area("lut"))
    )
    cycles: dict[str, Sequence[Cell]] = {
        "cycles each": [_round(c.each) for c in rows],
        "latency": [_round(c.latency) for c in rows],
    }
    if result.sizes:
        cycles = {
            f"2^{size}: one / in a batch": [_both(*c.cycles[f"2^{size}"]) for c in rows]
            for size in result.sizes
        }
    if result.operations:
        cycles = dict(_by_set(rows, result.operations))
    columns: dict[str, Sequence[Cell]] = {
        **cycles,
        "LUT": [_round(c.lut) for c in rows],
        "FF": [_round(c.ff) for c in rows],
        "DSP": [_round(c.dsp) for c in rows],
        "BRAM": [_round(c.bram18) for c in rows],
        "URAM": [_round(c.uram) for c in rows],
        "channels": [_round(c.channels) for c in rows],
        "buffer, Mb": [c.ram and round(c.ram, 1) for c in rows],
        "MHz": [_round(c.mhz) for c in rows],
        "us each": [c.each_us and float(f"{c.each_us:.3g}") for c in rows],
    }
    known: dict[str, Sequence[Cell]] = {
        name: cells for name, cells in columns.items() if any(x is not None for x in cells)
    }
    body: list[list[Cell]] = [
        [c.text, *(cells[i] for cells in known.values()), _mark(c)] for i, c in enumerate(rows)
    ]
    return Table(f"{result.need} on {result.target}", ["engine", *known, ""], body)


def _mark(candidate: Candidate) -> str:
    if candidate.violations:
        return "over: " + ", ".join(candidate.violations)
    return "chosen" if candidate.chosen else ""


def _both(latency: float, each: float) -> str:
    return f"{latency:,.0f} / {each:,.0f}"


def _round(value: float | None) -> int | None:
    return None if value is None else round(value)


def read_requirements(path: Path, more: Mapping[str, Any] = {}) -> list[Requirements]:
    """The needs of a file: one, or an array of tables `needs`; each with `more`, which wins."""
    data = read_toml(path, "name a TOML file of needs")
    found = data["needs"] if isinstance(data.get("needs"), list) and len(data) == 1 else [data]
    tables = [{**each, **more} if isinstance(each, dict) else each for each in found]
    return [parse_requirements(table, f"{path}") for table in tables]


def parse_requirements(data: object, source: str, *, options: bool = False) -> Requirements:
    """A checked need; `source` and `options` (it is from the command line) are for messages."""
    try:
        need = Requirements.model_validate(data)
    except ValidationError as errors:
        error = errors.errors(include_url=False, include_context=False)[0]
        key = ".".join(map(str, error["loc"])) or "need"
        if options:  # the innermost name is an option of the command line
            names = [str(part) for part in error["loc"] if isinstance(part, str)] or ["need"]
            key = f"--{names[-1].replace('_', '-')}"
        problem = shortened(
            f"{error['msg'].removeprefix('Value error, ')}: {shown(error['input'])}", 120
        )
        where = key if options else f"{source}: {key}"
        raise NttforgeError(where, problem, "see docs/explore.md") from None
    if need.memory is None:
        for table in need.rings:
            table.ring()
    return need


def _candidate(found: CandidateDesign, need: Requirements) -> Candidate:
    known, family = found.estimate, found.design.family
    if known.area is None:
        area = estimate_area(known.features, need.target, family)
    else:
        area = dict(known.area)
    ns, together = area.pop("ns", None), None
    if need.memory is not None:
        sizes = [f"2^{size}" for size in need.memory.sizes]
        missing = [size for size in sizes if size not in known.cycles]
        if missing:
            problem = f"no engine that suits the board has transforms of {missing[0]}"
            raise NttforgeError("--sizes", problem, "use larger ones")
        known = ResourceEstimate({size: known.cycles[size] for size in sizes}, known.features)
        figures = [figure for c in known.cycles.values() for figure in (c.latency, c.each)]
        together = math.exp(sum(map(math.log, figures)) / len(figures))
    if need.coprocessor:
        latencies = [c.latency for c in known.cycles.values()]
        together = math.exp(sum(map(math.log, latencies)) / len(latencies))
    made = Candidate(
        family=family,
        keys=dict(found.table),
        cycles={name: (c.latency, c.each) for name, c in known.cycles.items()},
        each=known.each,
        latency=known.latency,
        together=together,
        lacks=known.lacks,
        mhz=need.mhz or (1000 / ns if ns else None),
        design=to_toml(found.data),
    ).model_copy(update=area)
    asked = bounds(need)
    for option, (figure, _, _) in asked.items():
        if getattr(made, figure) is None:
            problem = f"nothing estimates it of the family {family} on {need.target}"
            raise NttforgeError(option, problem, "leave it out, or take another target")
    return made.model_copy(update={"violations": violations(made, asked)})


def explore(
    need: Requirements,
    *,
    output: Path | None = None,
    proved: int = 0,
    beside: Design | None = None,
    progress: Progress = silent,
) -> ExploreResult:
    """Look at what all families offer for a need.

    - `need`: what is looked for.
    - `output`: design file to write, of the one to take, if its name ends in .toml; else a folder
      for the designs of all on the front. None if None.
    - `proved`: how many to synthesize: the one to take, then those that come next.
    - `beside`: a design that is compared with what is offered.
    """
    start = time.monotonic()
    if output is not None and output.suffix:
        check_design_file(output)
    found: list[Candidate] = []
    by_design: dict[str, CandidateDesign] = {}
    refused: NttforgeError | None = None
    for candidate_design in candidate_designs(need):
        if isinstance(candidate_design, NttforgeError):
            refused = refused or candidate_design
            continue
        try:
            found.append(_candidate(candidate_design, need))
        except NttforgeError as error:
            refused = refused or error
            continue
        by_design[found[-1].design] = candidate_design
        progress(f"{len(found)} designs looked at")
    if not found:
        raise refused or NttforgeError(
            "need", "no family has such transforms", "see docs/explore.md"
        )
    add_labels(found)
    if beside is not None:
        found.append(_itself(beside, need))
        by_design[found[-1].design] = CandidateDesign({}, {}, beside, estimate(beside, need))
    meeting = [c for c in found if not c.violations]
    latency = need.latency is not None or need.latency_us is not None
    chosen = choose(meeting, need) if meeting else nearest(found, need)
    shown_too = meeting or [chosen]
    for place in front(shown_too, latency=latency):
        shown_too[place].front = True
    chosen.front = chosen.chosen = True
    seconds = round(time.monotonic() - start, 1)  # without the proofs', which say their own
    if output is not None and meeting:
        _write(output, [c for c in meeting if c.front], chosen, need)
    proofs = [
        prove.prove(by_design[c.design], c.text, estimated(c), progress)
        for c in _best(shown_too, chosen, need)[:proved]
    ]
    return ExploreResult(
        need=need.name,
        target=need.target,
        aim=need.aim,
        ok=bool(meeting),
        looked_at=len(found),
        sizes=[] if need.memory is None else list(need.memory.sizes),
        operations=_operations(found) if need.coprocessor else [],
        candidates=found,
        why="" if meeting else _why(found, chosen, need),
        file=str(output) if output is not None and meeting else None,
        proofs=proofs,
        beside="" if beside is None else _beside(found, need),
        seconds=seconds,
    )


def _itself(design: Design, need: Requirements) -> Candidate:
    """A design as a candidate."""
    made = _candidate(CandidateDesign({}, {}, design, estimate(design, need)), need)
    return made.model_copy(update={"text": f"{design.name} itself", "design": design_toml(design)})


def _beside(found: Sequence[Candidate], need: Requirements) -> str:
    """Whether the last one is on the front, or what is better."""
    own = found[-1]
    if own.front:
        return "chosen" if own.chosen else "on the front"
    latency = need.latency is not None
    better = [c for c in found[:-1] if c.front and dominates(c, own, latency)]
    best = choose(better, need)
    less = _less(best, own)
    return f"{best.text}: {', '.join(less)}" if less else "on the front"


def _less(best: Candidate, own: Candidate) -> list[str]:
    """Differences between two candidates that are worth reporting."""
    figures = {"us each": "each_us", "LUT": "lut", "FF": "ff", "DSP": "dsp", "BRAM": "bram18"}
    said = []
    for name, figure in figures.items():
        here, there = getattr(best, figure), getattr(own, figure)
        if here is not None and there and 1 - here / there >= _SEEN:
            said.append(f"{name} {here / there - 1:+.0%}")
    return said


def requirements_of(design: Design) -> Requirements:
    """The need that a design fills: what it does, as fast as it does it."""
    if not is_explored(design.family):
        problem = f"is of the family {design.family}, of which nothing is offered"
        raise NttforgeError(design.name, problem, "name a design of transforms")
    known, keys = estimate(design), design.model_dump()[design.family]
    asked: dict[str, Any] = {"name": design.name, "rings": list(design.rings)}
    more = {"target": design.target, "prefer": design.prefer}
    if "channel_gbytes_s" in keys:
        sizes = [size for size in (16, 20, 24) if f"2^{size}" in known.cycles]
        at = {"bandwidth": keys["channel_gbytes_s"], "largest": keys["l_max"], "sizes": sizes}
        return Requirements.model_validate(
            {**asked, **more, "memory": at, "mhz": keys["clock_mhz"]}
        )
    asked |= {"operations": design.operations, "interval": round(known.each)}
    if "targets" in keys:
        asked["key_switching"] = KeySwitching.usual(design.rings[0].moduli or 1)
    if keys.get("short"):
        asked["latency"] = round(known.latency)
    return Requirements.model_validate({**asked, **more})


def explore_all(
    needs: Sequence[Requirements],
    *,
    designs: Sequence[Design] = (),
    output: Path | None = None,
    page: Path | None = None,
    proved: int = 0,
    progress: Progress = silent,
) -> "ExploreResult | Explored":
    """The same for each of several needs, and as a page.

    - `needs`: what is looked for.
    - `designs`: for each need the design that it was made of, if it was.
    - `output`, `proved`: as in :func:`explore`; of several needs a folder for the designs on all
      fronts.
    - `page`: an HTML file to write, with an interactive plot of each need.
    """
    if page is not None:
        check_page(page)
    if len(needs) > 1 and output is not None and output.suffix:
        problem = f"{output} is a file, and there are {len(needs)} needs"
        raise NttforgeError("-o", problem, "name a folder")
    results = [
        explore(need, output=output, proved=proved, beside=own, progress=progress)
        for need, own in zip_longest(needs, designs)
    ]
    if page is not None:
        write_text(page, _page(results))
    return results[0] if len(results) == 1 else Explored(results=results)


def _page(results: Sequence[ExploreResult]) -> str:
    """All candidates of each need, with a plot."""
    groups = {
        f"{result.need} on {result.target}": [
            point(
                each.family,
                each.text,
                each.design,
                {axis: getattr(each, axis) for axis in AXES},
                violations=list(each.violations),
                front=each.front,
                chosen=each.chosen,
            )
            for each in result.candidates
        ]
        for result in results
    }
    note = (
        "Cycles are exact, or floors of large transforms; look-up tables, flip-flops and clock are "
        "estimated. Ring: Pareto front; star: chosen; grey: exceeds a limit."
    )
    return page_of("Engines for a need", groups, AXES, of="requirement", note=note)


def estimated(candidate: Candidate) -> dict[str, float | None]:
    """Area and clock of a candidate."""
    return {name: getattr(candidate, name) for name in ("lut", "ff", "dsp", "bram18", "mhz")}


def _best(found: Sequence[Candidate], chosen: Candidate, need: Requirements) -> list[Candidate]:
    """The one to take, then those on the front that would be taken next."""
    rest = [c for c in found if c.front and c is not chosen]
    ranked = []
    while rest:
        ranked.append(choose(rest, need))
        rest.remove(ranked[-1])
    return [chosen, *ranked]


def _write(
    output: Path, fronts: Sequence[Candidate], chosen: Candidate, need: Requirements
) -> None:
    """Design files: of the one to take, or of all on the front, the one to take first."""
    if output.suffix:
        write_text(output, chosen.design)
        return
    with atomic_folder(output, "name a folder, or a file that ends in .toml") as folder:
        for number, each in enumerate(_best(fronts, chosen, need), start=1):
            name = f"{need.name}-{number}"
            text = each.design.replace(f'name = "{need.name}"', f'name = "{name}"', 1)
            write_text(folder / f"{name}.toml", text)


def _why(found: Sequence[Candidate], near: Candidate, need: Requirements) -> str:
    """Binding requirements, and the nearest candidate."""
    asked = bounds(need)
    lines = [
        f"{option} {asked[option][1]:,.10g} binds: without it {many} of {len(found)} would do"
        for option, many in binding(found)
    ]
    if not lines:
        lines = [
            f"{', '.join(near.violations)} bind together: no design keeps to all but one of them"
        ]
    over = (
        f"{asked[option][0]} {getattr(near, asked[option][0]):,.0f} for {asked[option][1]:,.10g}"
        for option in near.violations
    )
    return "\n".join([*lines, f"nearest: {near.text}: {', '.join(over)}"])


def check_design_file(output: Path) -> None:
    """Refuse a design file that cannot be written, or has another's suffix."""
    if output.suffix != ".toml":
        raise NttforgeError("-o", f"{output} is no design file", "let it end in .toml")
    check_writable(output)
