# SPDX-License-Identifier: Apache-2.0
"""`synth` and `pnr`: area after Yosys, clock after nextpnr."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.hw import Core
from nttforge.machine import processors
from nttforge.output import check_writable
from nttforge.results import Result, timed
from nttforge.synthesize.area import COLUMNS, collapse, sum_parts
from nttforge.synthesize.nextpnr import (
    ASKED_MHZ,
    DEVICE,
    ROUTERS,
    PathSegment,
    Placement,
    check_installed,
    place_and_route,
)
from nttforge.synthesize.operand_registers import moved
from nttforge.synthesize.yosys import Synthesis, synthesize, write_netlist
from nttforge.table import Block, Cell, Line, Table, tree
from nttforge.targets import Target

#: A clock that a tool works towards; time that a tool may take; where a placement starts.
Megahertz = Annotated[float, Field(ge=1, le=10_000, allow_inf_nan=False)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
PlacementSeed = Annotated[int, Field(ge=0, le=1 << 30)]
#: Of Yosys' JSON, which nextpnr reads, and of structural Verilog.
NETLIST_SUFFIXES = (".json", ".v")
#: Placements whose best is a design's clock in tables.
CLOCK_SEEDS = (1, 2)
# Instances: so that a butterfly's multiplier has a line of its own, and on a page a unit's unit.
_DEPTH, _PAGE_DEPTH = 4, 3
_CRITICAL_SEGMENTS = 12


class SynthResult(Result):
    """Area of a design; :mod:`nttforge.synthesize.area` says what counts as what.

    - `lut`, `lutram`, `srl`: look-up tables that are logic, RAM and shift registers; `lut_total` is
      their sum.
    - `ff`, `dsp`, `bram18`, `uram`, `carry`: flip-flops, DSP blocks, block RAMs of 18 Kbit,
      UltraRAMs, carry chains.
    - `cells`: number of cells of each type.
    - `blocks`: the same columns for each instance path; they add up to the design's.
    - `parts`: the same by what the design consists of, if it says so.
    - `pieces`: modules that were mapped once each and counted as often as they are there; no logic
      is optimised across their edges. None: the design was mapped as a whole.
    - `lanes`: words a beat, if it has parts.
    - `netlist`: where it was written, if anywhere.
    """

    design: str
    target: Target
    lut: int
    lutram: int
    srl: int
    lut_total: int
    ff: int
    dsp: int
    bram18: int
    uram: int
    carry: int
    cells: dict[str, int]
    blocks: dict[str, dict[str, int]]
    parts: dict[str, dict[str, int]] = Field(default_factory=dict)
    pieces: list[str] = Field(default_factory=list)
    lanes: int = 1
    log: str
    netlist: str | None = None
    seconds: float = 0.0

    @property
    def figures(self) -> Mapping[str, float]:
        """The area."""
        names = ("ff", "dsp", "bram18", "uram")
        return {"lut": self.lut_total, **{name: getattr(self, name) for name in names}}

    @property
    def floor_plan(self) -> tuple[str, dict[str, int]]:
        """A floor plan: its title, and look-up tables of each instance path."""
        blocks = {path: row["lut_total"] for path, row in self.blocks.items()}
        return f"{self.lut_total:,} LUT of {self.design}, {self.target}", blocks

    def shown(self) -> Iterator[Block]:
        """A line a block, indented as a tree, then the total; the parts."""
        yield self._by_block(_DEPTH)
        yield from self._by_part()
        if self.netlist is not None:
            yield Line(f"netlist: {self.netlist}")
        yield Line(f"log: {self.log}")

    def page(self) -> Iterator[Block]:
        """The parts, if there are any, else the blocks, not as deep."""
        return iter([*self._by_part()] or [self._by_block(_PAGE_DEPTH)])

    def _columns(self) -> list[str]:
        """The columns in which there is anything."""
        return [column for column in COLUMNS if getattr(self, column)]

    def _by_block(self, depth: int) -> Table:
        shown = self._columns()
        blocks = collapse(self.blocks, depth)
        rows: list[list[Cell]] = [
            [name, number, *(counts[column] for column in shown)]
            for name, (number, counts) in zip(tree(list(blocks)), blocks.values(), strict=True)
        ]
        rows.append(["all", 1, *(getattr(self, column) for column in shown)])
        note = "lut is logic, lut_total adds RAM and shift registers; blocks below are not included"
        title = f"{self.design} for {self.target}, Yosys"
        notes = [note, *([self.note] if self.note and not self.parts else [])]
        return Table(title, ["block", "times", *shown], rows, notes)

    def _by_part(self) -> Iterator[Table]:
        if not self.parts:
            return
        shown = self._columns()
        whole = [getattr(self, column) for column in shown]
        rows: list[list[Cell]] = [
            [part, *(counts[column] for column in shown)] for part, counts in self.parts.items()
        ]
        rows.append(["all", *whole])
        each = (round(count / self.lanes, 1) for count in whole)
        rows.append([f"a lane, of {self.lanes}", *each])
        yield Table("Its parts", ["part", *shown], rows, [self.note] if self.note else [])

    @property
    def note(self) -> str:
        """How the design was mapped, if not as a whole."""
        if not self.pieces:
            return ""
        return (
            "each module that is there several times was mapped once and counted as often as it is "
            f"there; no logic is optimised across the edges of: {', '.join(self.pieces)}"
        )


@timed
def synth(
    prepared: Prepared[Core],
    target: Target = "xcup",
    *,
    shell: bool = False,
    by_module: bool = False,
    output: Path | None = None,
    time_limit: Seconds = 3600,
    progress: Progress = silent,
) -> SynthResult:
    """Synthesize a core with Yosys, or its memory shell with all instances.

    - `by_module`: each module that is there several times is mapped once and counted as often as it
      is there, as always for what is too large otherwise.
    - `output`: where the netlist is written: `.json` of Yosys or `.v`, or a folder, for TOP.json.
    """
    core = prepared.core
    top = _shell_top(core) if shell else core.name
    netlist = None if output is None else _netlist_path(output, top)
    pieces = _pieces(core) if by_module or core.piecewise else ()
    progress(f"Yosys: {top} for {target}{', module by module' if pieces else ''}")
    result = synthesize(prepared.folder, top, target, pieces=pieces, time_limit=time_limit)
    if netlist is not None:
        write_netlist(result, netlist, time_limit)
    counts: dict[str, Any] = result.counts
    return SynthResult(
        design=top,
        target=target,
        **counts,
        parts=sum_parts(result.blocks, core.parts) if core.parts else {},
        pieces=list(pieces),
        lanes=core.shares,
        cells=result.cells,
        blocks=result.blocks,
        log=str(result.log),
        netlist=None if netlist is None else str(netlist),
    ).with_provenance(prepared.design)


def _pieces(core: Core) -> tuple[str, ...]:
    if not core.pieces:
        problem = f"{core.name} has no modules that are mapped once each"
        raise NttforgeError("by_module", problem, "leave it out")
    return core.pieces


def _netlist_path(output: Path, top: str) -> Path:
    """The file of a netlist, refused before the work if it cannot be written."""
    path = output / f"{top}.json" if output.is_dir() else output
    if path.suffix not in NETLIST_SUFFIXES:
        problem = f"{path.suffix or 'no suffix'} is not known"
        raise NttforgeError(str(path), problem, f"use {' or '.join(NETLIST_SUFFIXES)}, or a folder")
    check_writable(path)
    return path


def _shell_top(core: Core) -> str:
    if core.shell_top is None:
        raise NttforgeError("shell", f"{core.name} has no memory shell", "add a table [shell]")
    return core.shell_top


def on_ecp5(
    prepared: Prepared[Core], *, instance: str, shell: bool, time_limit: float, progress: Progress
) -> Synthesis:
    """Map for ECP5 as one flat netlist: a core, its memory shell, or one instance of either."""
    top = _shell_top(prepared.core) if shell else prepared.core.name
    progress(f"Yosys: {f'{instance} of ' if instance else ''}{top} for ecp5")
    return moved(synthesize(prepared.folder, top, "ecp5", part=instance, time_limit=time_limit))


class PnrResult(Result):
    """The clock on ECP5: MHz of the best seed and of all, utilization, critical path."""

    design: str
    device: str
    speed_grade: int
    frequency_asked_mhz: float
    fmax_mhz: float
    seed: int
    fmax_by_seed: dict[int, float]
    utilization: dict[str, tuple[int, int]]
    critical_path: list[PathSegment]
    log: str
    seconds: float = 0.0

    @property
    def figures(self) -> Mapping[str, float]:
        """The clock."""
        return {"mhz": self.fmax_mhz}

    def shown(self) -> Iterator[Block]:
        """Resources, the critical path, and the clock."""
        path = self.critical_path
        longest = sorted(path, key=lambda s: -s.delay_ns)[:_CRITICAL_SEGMENTS]
        yield Table(
            f"{self.design} on {self.device}",
            ("site", "used", "available"),
            [(kind, *site) for kind, site in sorted(self.utilization.items())],
        )
        yield Table(
            f"Critical path, {sum(s.delay_ns for s in path):.2f} ns in {len(path)} pieces",
            ("kind", "from", "to", "ns"),
            [(s.kind, s.source, s.sink, s.delay_ns) for s in path if s in longest],
        )
        yield Line(f"by seed: {', '.join(f'{s}: {f}' for s, f in self.fmax_by_seed.items())}")
        yield Line(
            f"{self.fmax_mhz} MHz at speed grade {self.speed_grade}, seed {self.seed}", "strong"
        )


@timed
def pnr(
    prepared: Prepared[Core],
    *,
    device: str = DEVICE,
    speed: int = 8,
    frequency_mhz: Megahertz = ASKED_MHZ,
    seeds: Sequence[PlacementSeed] = (1,),
    placer: str | None = None,
    router: str = ROUTERS[0],
    instance: str = "",
    shell: bool = False,
    jobs: Annotated[int, Field(ge=1)] | None = None,
    time_limit: Seconds = 7200,
    progress: Progress = silent,
) -> PnrResult:
    """Place, route and time a core on an LFE5U, once a seed, several at the same time.

    Each placement is kept as soon as it ends, so a run that was interrupted goes on from there.

    - `prepared`: of a design for the target `ecp5`.
    - `device`, `speed`, `frequency_mhz`, `placer`, `router`, `time_limit`: as in
      :func:`place_and_route`.
    - `seeds`: one a placement.
    - `instance`: an instance that is placed alone, between registers; none: the whole core.
    - `shell`: the memory shell with all instances instead of the core.
    - `jobs`: placements at the same time; as many as this process has processors if left out.
    """
    check_installed()
    if not seeds:
        raise NttforgeError("seeds", "there are none", "give at least one")
    mapped = on_ecp5(
        prepared, instance=instance, shell=shell, time_limit=time_limit, progress=progress
    )
    found: dict[int, Placement] = {}

    def place(seed: int) -> Placement:
        def tell(line: str) -> None:
            best = max((p.fmax_mhz for p in found.values()), default=None)
            known = f", best of {len(found)} so far {best} MHz" if found else ""
            progress(f"nextpnr: {mapped.top}, seed {seed} of {len(seeds)}{known}: {line}")

        return place_and_route(
            mapped.netlist,
            device=device,
            speed=speed,
            frequency_mhz=frequency_mhz,
            seed=seed,
            placer=placer,
            router=router,
            time_limit=time_limit,
            tell=tell,
        )

    with ThreadPoolExecutor(jobs or processors()) as pool:
        running = [pool.submit(place, seed) for seed in seeds]
        try:
            for done in as_completed(running):
                found[done.result().seed] = done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    placements = [found[seed] for seed in seeds]
    winner = max(placements, key=lambda p: p.fmax_mhz)
    return PnrResult(
        design=mapped.top,
        device=f"LFE5U-{device}",
        speed_grade=speed,
        frequency_asked_mhz=frequency_mhz,
        fmax_mhz=winner.fmax_mhz,
        seed=winner.seed,
        fmax_by_seed={p.seed: p.fmax_mhz for p in placements},
        utilization=winner.utilization,
        critical_path=list(winner.critical_path),
        log=str(winner.log),
    ).with_provenance(prepared.design)
