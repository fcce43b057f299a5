# SPDX-License-Identifier: Apache-2.0
"""`timing`: the clock of a mapped design on ECP5, estimated before anything is placed."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from pydantic import BaseModel

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.synth import on_ecp5
from nttforge.hw import Core
from nttforge.results import Result, timed
from nttforge.synthesize.static_timing import (
    Delays,
    NameResolver,
    Step,
    TimedPath,
    TimingGraph,
    delays,
    slowest_paths,
)
from nttforge.synthesize.yosys import Synthesis
from nttforge.table import Block, Line, Table


class TimingStep(BaseModel):
    """A cell, or a chain of carries, on a path; delays in ns."""

    what: str
    module: str
    block: str
    net: str
    wire_ns: float
    cell_ns: float


class TimingGroup(BaseModel):
    """Paths from one register to another, and those of its copies, of which the slowest is shown.

    - `start`, `end`: names of the registers, or of the memories; `port.NAME` is a register at a
      part's port.
    - `start_module`, `end_module`: modules that they are in.
    - `delay_ns`: from clock to clock.
    - `levels`: look-up tables, carry chains, multipliers and memory reads between.
    - `ends`: bits of the end whose slowest path is one of these.
    - `steps`: what is on the slowest, in order.
    """

    start: str
    end: str
    start_module: str
    end_module: str
    delay_ns: float
    levels: int
    ends: int
    steps: list[TimingStep]


class TimingResult(Result):
    """The estimated clock of a design, and the paths that limit it, slowest first."""

    design: str
    speed_grade: int
    fmax_mhz: float
    cells: int
    groups: list[TimingGroup]
    seconds: float = 0.0

    @property
    def figures(self) -> Mapping[str, float]:
        """The clock."""
        return {"mhz": self.fmax_mhz}

    def shown(self) -> Iterator[Block]:
        """A line for either end of a pair of registers, then what is on the slowest path."""
        yield Table(
            f"{self.design} on ECP5, speed grade {self.speed_grade}: slowest paths, estimated",
            ("ns", "levels", "ends", "from, to", "in"),
            [
                (
                    *(g.delay_ns, g.levels, g.ends),
                    *(f"{g.start}\n{g.end}", f"{g.start_module}\n{g.end_module}"),
                )
                for g in self.groups
            ],
        )
        yield Table(
            "On the slowest",
            ("wire ns", "cell ns", "cell", "in", "drives"),
            [
                (s.wire_ns, s.cell_ns, s.what, s.module, s.net.rpartition(".")[2])
                for s in self.groups[0].steps
            ],
        )
        yield Line(f"{self.cells:,} cells, nothing placed, in {self.seconds} s")
        yield Line(f"{self.fmax_mhz} MHz, estimated", "strong")


@timed
def timing(
    prepared: Prepared[Core],
    *,
    speed: int = 8,
    paths: int = 10,
    instance: str = "",
    shell: bool = False,
    endpoint: str = "",
    time_limit: float = 3600,
    progress: Progress = silent,
) -> TimingResult:
    """Estimate the clock of a core on ECP5 that was prepared for that target.

    `instance` is mapped alone, between registers; `endpoint` keeps only paths that begin
    or end below an instance; `shell` takes the memory shell with all instances.
    """
    grade = delays(speed, placed=True)
    mapped = on_ecp5(
        prepared, instance=instance, shell=shell, time_limit=time_limit, progress=progress
    )
    progress(f"timing {mapped.top}")
    return _timing(mapped, grade, speed, paths=paths, endpoint=endpoint)


@timed
def timing_in_a_design(prepared: Prepared[Core], *, progress: Progress = silent) -> TimingResult:
    """The clock with wires of budgets and of `explore`'s model: speed grade 8, any fill."""
    mapped = on_ecp5(prepared, instance="", shell=False, time_limit=3600, progress=progress)
    progress(f"timing {mapped.top}")
    return _timing(mapped, delays(8), 8)


def _timing(
    mapped: Synthesis, grade: Delays, speed: int, *, paths: int = 1, endpoint: str = ""
) -> TimingResult:
    """The paths of a netlist."""
    module = mapped.module()
    names = NameResolver(module)
    found = slowest_paths(TimingGraph(module, grade), names, paths, endpoint)
    if not found:
        where = f" that begins or ends below {endpoint}" if endpoint else ""
        raise NttforgeError("timing", f"{mapped.top} has no clocked path{where}", "see its blocks")
    groups = [_group(path, ends, names) for path, ends in found]
    return TimingResult(
        design=mapped.top,
        speed_grade=speed,
        fmax_mhz=round(1000 / groups[0].delay_ns, 1),
        cells=sum(mapped.cells.values()),
        groups=groups,
    )


def _group(path: TimedPath, ends: int, names: NameResolver) -> TimingGroup:
    steps: list[TimingStep] = []
    for _, run in groupby(enumerate(path.steps), lambda pair: _chain(path.steps, pair[0])):
        steps.append(_merged([step for _, step in run], names))
    steps[-1].net = path.end
    return TimingGroup(
        start=path.start,
        end=path.end,
        start_module=steps[0].module,
        end_module=steps[-1].module,
        delay_ns=round(path.delay_ns, 3),
        levels=path.levels,
        ends=ends,
        steps=steps,
    )


def _chain(steps: tuple[Step, ...], index: int) -> int:
    """Number of the step that a chain of carries begins with; of any other step its own."""
    while steps[index].kind == steps[index - 1].kind == "CCU2C" and steps[index].wire_ns == 0:
        index -= 1
    return index


def _merged(run: list[Step], names: NameResolver) -> TimingStep:
    first, last = run[0], run[-1]
    return TimingStep(
        what=first.kind if len(run) == 1 else f"{first.kind} x {len(run)}",
        module=names.module(last.block),
        block=last.block,
        net=last.net,
        wire_ns=round(first.wire_ns, 3),
        cell_ns=round(sum(step.cell_ns for step in run), 3),
    )
