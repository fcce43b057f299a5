# SPDX-License-Identifier: Apache-2.0
"""Results as people read them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import singledispatch
from pathlib import Path

from pydantic import BaseModel
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from nttforge import __version__
from nttforge.cli.page import Section, page
from nttforge.flow import demo
from nttforge.flow.decomposed.bench import DecomposedGenerated
from nttforge.flow.decomposed.explore import ExploreResult
from nttforge.flow.decomposed.measure import DecomposedMeasureResult
from nttforge.flow.decomposed.run import DecomposedRunResult
from nttforge.flow.decomposed.verify import DecomposedVerifyResult
from nttforge.flow.generate import PresetsResult
from nttforge.flow.mlkem.bench import MlkemGenerated
from nttforge.flow.mlkem.keys import KemResult
from nttforge.flow.mlkem.measure import MlkemMeasureResult
from nttforge.flow.mlkem.verify import MlkemVerifyResult
from nttforge.flow.multiplier import MultiplierResult
from nttforge.flow.report import Report
from nttforge.flow.showcase import Showcase
from nttforge.flow.stream.bench import TransformGenerated
from nttforge.flow.stream.measure import MeasureResult, Throughput
from nttforge.flow.stream.run import RunResult
from nttforge.flow.stream.shell import ShellThroughput
from nttforge.flow.stream.verify import VerifyResult
from nttforge.flow.synth import PnrResult, SynthResult
from nttforge.flow.timing import TimingResult
from nttforge.host.library import HostLibrary
from nttforge.reproduce import Reproduction
from nttforge.results import Generated, Measurement, Verification
from nttforge.synthesize.area import COLUMNS, collapse

_BLOCK_DEPTH = 4  # instances, so that a butterfly's multiplier has a line of its own
_CRITICAL_SEGMENTS = 12


def _table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A table whose numbers are on the right; a column is one of numbers if its cells are."""
    cells = list(rows)
    table = Table(title=title, title_justify="left")
    for index, name in enumerate(columns):
        numbers = bool(cells) and all(isinstance(row[index], int | float) for row in cells)
        table.add_column(name, justify="right" if numbers else "left", overflow="fold")
    for row in cells:
        table.add_row(*(Text(f"{c:,}" if isinstance(c, int) else str(c)) for c in row))
    return table


def _verdict(ok: bool, good: str, bad: str) -> Text:
    return Text(good, "bold green") if ok else Text(bad, "bold red")


def _first_mismatches(mismatches: Sequence[BaseModel], columns: Sequence[str]) -> list[Table]:
    """A table of those attributes, if there is anything to show."""
    if not mismatches:
        return []
    titles = [column.replace("_", " ") for column in columns]
    rows = ([getattr(mismatch, column) for column in columns] for mismatch in mismatches)
    return [_table("First mismatches", titles, rows)]


def _ending(result: Verification) -> Iterator[Text]:
    """What broke off, if anything did, and the verdict."""
    if result.violation:
        yield Text(result.violation, "red")
    compared, bad = result.verdict
    yield _verdict(result.ok, f"{compared}, no mismatch, in {result.seconds} s", bad)


@singledispatch
def view(result: BaseModel) -> RenderableType:
    """A result whose kind depends on the design's family, as people read it."""
    raise TypeError(f"no view of {type(result).__name__}")


def presets_view(result: PresetsResult) -> RenderableType:
    """Designs, then rings."""
    return Group(
        _table(
            "Designs",
            ("name", "family", "rings", ""),
            ((d.name, d.family, ", ".join(d.rings), d.description) for d in result.designs),
        ),
        _table(
            "Rings; the name of one is a design too",
            ("name", "n", "bits of q", "layers", ""),
            ((r.name, r.n, int(r.q).bit_length(), r.layers, r.description) for r in result.rings),
        ),
    )


@view.register
def generate_view(result: TransformGenerated) -> RenderableType:
    """Where the files are, and the contract of each operation."""
    return Group(
        _table(
            f"{result.design}: {result.lanes} lanes of {result.word_bits} bits, "
            f"{result.beats} beats a transform",
            ("operation", "tuser", "ring", "input order", "output order"),
            (
                (op.name, op.code, op.ring, op.input_layout, op.output_layout)
                for op in result.operations
            ),
        ),
        _files(result),
    )


@view.register
def mlkem_generate_view(result: MlkemGenerated) -> RenderableType:
    """Where the files are, and the codes of operations and sets."""
    return Group(
        _table(
            f"{result.design}: ML-KEM, {result.rounds_per_cycle} rounds of Keccak a cycle",
            ("code", "operation", "parameter set"),
            (
                (code, operation, parameter_set)
                for code, (operation, parameter_set) in enumerate(
                    zip(result.operations, result.parameter_sets, strict=True)
                )
            ),
        ),
        _files(result),
    )


@view.register
def decomposed_generate_view(result: DecomposedGenerated) -> RenderableType:
    """Where the files are, and what the engine takes."""
    least, largest = result.sizes
    return Group(
        _table(
            f"{result.design}: 2^{least} to 2^{largest} words of {result.word_bits} bits",
            ("", "value"),
            [
                ("points of the kernel", result.kernel),
                ("words a beat", result.lanes),
                ("words a burst", result.burst),
                ("bits of a word in memory", result.store_bits),
                ("bits of the ROM of roots", result.seed_bits),
            ],
        ),
        Text("operations: " + ", ".join(result.operations)),
        _files(result),
    )


@view.register
def host_view(result: HostLibrary) -> RenderableType:
    """Where the library is, and what to read first."""
    return Text(f"{len(result.files)} files in {result.folder}; its README.md has a first program")


def _files(result: Generated) -> Text:
    return Text(f"{len(result.files)} files in {result.folder}, top module {result.top}")


@view.register
def verify_view(result: VerifyResult) -> RenderableType:
    """What was compared, and the first mismatches."""
    parts: list[RenderableType] = [
        _table(
            f"{result.design}, seed {result.seed}",
            ("compared", "number"),
            [
                ("corner polynomials: zero, q-1, every impulse", result.corners),
                ("random polynomials, operations mixed", result.random),
                ("of these, with the definition too", result.definition_checked),
                ("cycles with equal handshakes for different data", result.handshakes_compared),
                ("cycles simulated", result.cycles),
            ],
        ),
        Text("stalls: " + ", ".join(result.stalls)),
    ]
    columns = ("phase", "operation", "transform", "coefficient", "got", "expected", "seed")
    parts += _first_mismatches(result.mismatches, columns)
    return Group(*parts, *_ending(result))


@view.register
def mlkem_verify_view(result: MlkemVerifyResult) -> RenderableType:
    """What was compared with what, and the first answers that differ."""
    kinds = list(dict.fromkeys(kind for row in result.compared.values() for kind in row))
    parts: list[RenderableType] = [
        _table(
            f"{result.design}, seed {result.seed}: compared with {', '.join(result.oracles)}",
            ("parameter set", *kinds),
            (
                (name, *(row.get(kind, 0) for kind in kinds))
                for name, row in result.compared.items()
            ),
        ),
        Text(
            f"{result.vectors} vectors of NIST; {result.handshakes_compared} runs with other "
            f"secrets and the same handshakes; {result.cycles:,} cycles simulated; ports stall in "
            f"{', '.join(f'{stall:.0%}' for stall in result.stalls)} of the cycles"
        ),
    ]
    columns = ("parameter_set", "what", "case", "stall", "got", "expected")
    parts += _first_mismatches(result.mismatches, columns)
    return Group(*parts, *_ending(result))


def kem_view(result: KemResult) -> RenderableType:
    """Outputs and seeds in hexadecimal, a line each, so that they can be copied."""
    lines = [f"{name} = {value}" for name, value in {**result.seeds, **result.values}.items()]
    lines += [f"{name} is in {path}" for name, path in result.files.items()]
    lines.append(
        f"{result.operation} of {result.parameter_set} in {result.cycles} cycles, "
        f"{result.keccak_cycles} of them with Keccak at work"
    )
    return "\n".join(lines)


def _where(output: str | None) -> str:
    return "not written" if output is None else f"written to {output}"


@view.register
def run_view(result: RunResult) -> RenderableType:
    """One line, and the verdict."""
    return Group(
        Text(
            f"{result.operation} in {result.ring}: {result.transforms} polynomials "
            f"in {result.cycles:,} cycles, {_where(result.output)}"
        ),
        _verdict(result.ok, "equal to the reference", "DIFFERENT from the reference"),
    )


@view.register
def decomposed_run_view(result: DecomposedRunResult) -> RenderableType:
    """One line, what was compared, and the verdict."""
    return Group(
        Text(
            f"{result.operation} of {result.transforms} polynomials of 2^{result.size} words, "
            f"root {result.root}, in {result.cycles:,} cycles, {_where(result.output)}"
        ),
        Text(f"compared: {result.words_compared:,} words, {result.points_compared} values"),
        _verdict(result.ok, "equal to the reference", "DIFFERENT from the reference"),
    )


@view.register
def decomposed_verify_view(result: DecomposedVerifyResult) -> RenderableType:
    """What was compared, and the first mismatches."""
    least, largest = result.sizes
    parts: list[RenderableType] = [
        _table(
            f"{result.design}, 2^{least} to 2^{largest} words, seed {result.seed}",
            ("compared", "number"),
            [
                ("transforms", result.transforms),
                ("words", result.words),
                ("values, with the definition", result.definition_checked),
                ("cycles simulated", result.cycles),
            ],
        ),
        Text("operations: " + ", ".join(result.operations)),
        Text("memories: " + "; ".join(result.memories)),
    ]
    columns = ("operation", "size", "memory", "transform", "word", "got", "expected", "seed")
    parts += _first_mismatches(result.mismatches, columns)
    return Group(*parts, *_ending(result))


@view.register
def decomposed_measure_view(result: DecomposedMeasureResult) -> RenderableType:
    """Cycles of one transform and of a batch at each size."""
    return Group(
        _table(
            f"{result.design}, {result.operation}, one transform on the board of "
            f"{result.clock_mhz:g} MHz, {result.beats_per_cycle} beats a cycle",
            ("words", "rounds", "cycles", "ms", "floor", "of it", "with waiting", "of it"),
            (
                (
                    *(f"2^{r.size}", r.rounds, r.cycles, r.milliseconds),
                    *(r.floor_cycles, r.of_floor, r.waiting_cycles, r.of_waiting),
                )
                for r in result.one
            ),
        ),
        _table(
            "Batches",
            ("words", "transforms", "cycles", "cycles each", "floor", "of it", "one more", "of it"),
            (
                (
                    f"2^{r.size}",
                    r.transforms,
                    r.cycles,
                    r.cycles_per_transform,
                    r.floor_cycles,
                    r.of_floor,
                    r.more_cycles,
                    r.more_of_floor,
                )
                for r in result.batches
            ),
        ),
    )


@view.register
def mlkem_measure_view(result: MlkemMeasureResult) -> RenderableType:
    """Cycles of each operation and set."""
    return Group(
        _table(
            f"{result.design}, cycles observed in simulation",
            (
                *("operation", "latency", "floor", "Keccak works", "to the next command"),
                *("longest latency", "runs"),
            ),
            (
                (
                    name,
                    row.latency_cycles,
                    row.floor_cycles,
                    f"{row.keccak_utilisation:.1%}",
                    row.cycles_per_operation,
                    row.latency_longest,
                    row.runs,
                )
                for name, row in result.operations.items()
            ),
        ),
        Text("floor: what Keccak's permutations alone take; longest: with fourth blocks, see docs"),
    )


@view.register
def measure_view(result: MeasureResult) -> RenderableType:
    """Steady states, mixtures, turnarounds."""
    rows = [(name, figures) for name, figures in result.operations.items()]
    rows += [(f"{name} of all rings mixed", f) for name, f in result.mixed_rings.items()]
    if result.mixed is not None:
        rows.append(("all operations mixed", result.mixed))

    def row(name: str, figures: Throughput) -> tuple[object, ...]:
        mean = figures.cycles_per_transform
        return (name, mean, figures.cycles_longest, figures.latency_cycles, figures.transforms)

    parts: list[RenderableType] = [
        _table(
            f"{result.design}, cycles observed in simulation",
            ("streamed back to back", "a transform", "longest", "latency", "transforms"),
            (row(name, figures) for name, figures in rows),
        )
    ]
    if result.turnarounds:
        parts.append(
            _table(
                "Turnarounds, idle cycles",
                ("from", "to", "input", "output", "turns"),
                (
                    (t.before, t.after, t.input_idle_cycles, t.output_idle_cycles, t.turns)
                    for t in result.turnarounds
                ),
            )
        )
    if result.shell is not None:
        parts.append(_shell_table(result.shell))
    parts.append(
        Text(
            f"latency {result.latency_cycles} cycles, "
            f"{result.cycles_per_transform} cycles a transform"
        )
    )
    return Group(*parts)


def cache_view(
    folder: Path, kinds: Mapping[str, Mapping[str, float]], limit: int
) -> RenderableType:
    """A line a kind of result, and what all of it takes."""
    total = sum(row["bytes"] for row in kinds.values())
    return Group(
        _table(
            str(folder),
            ("kind", "results", "MB", "days since the last use, at most"),
            (
                (kind, int(row["results"]), round(row["bytes"] / 1e6, 1), row["days"])
                for kind, row in kinds.items()
            ),
        ),
        Text(f"{total / 1e9:.2f} GB of {limit / 1e9:g}; nttforge cache prune takes some away"),
    )


def measurement_view(result: Measurement) -> RenderableType:
    """Cycles as their kind shows them, and time if there is a clock."""
    if result.clock is None:
        return view(result)
    title = f"Time at {result.clock.mhz} MHz, {result.clock.device}"
    return Group(view(result), _table(title, *result.times()))


def multiplier_view(result: MultiplierResult) -> RenderableType:
    """A line a multiplier."""
    return _table(
        f"Multipliers modulo {result.q} on {result.target}",
        ("multiplier", "saving", "reduction", "clocks", "latency", "LUT", "FF", "DSP"),
        (
            (r.name, r.prefer, r.reduction, r.clocks, r.latency, r.lut, r.ff, r.dsp)
            for r in result.rows
        ),
    )


def explore_view(result: ExploreResult) -> RenderableType:
    """A line a candidate, then the design file."""
    return Group(
        _table(
            f"Engines for words of {result.word_bits} bits; memory and kernel are as fast at "
            f"{result.words_a_beat:g} words a beat",
            result.columns,
            result.rows,
        ),
        Text("cycles are floors: what no control can be faster than"),
        Text(f"written to {result.file}" if result.file else f"\n{result.design}"),
    )


def _shell_table(shell: ShellThroughput) -> RenderableType:
    return _table(
        f"Jobs through memory of {shell.memory_latency} cycles latency: "
        f"{shell.instances_simulated} of {shell.instances} instances, "
        f"channels of {shell.data_width} bits",
        ("job", "a transform", "bound", "of the bound", "transforms", "cycles", "results"),
        (
            (
                job.operation,
                job.cycles_per_transform,
                job.bound_cycles,
                f"{job.efficiency:.1%}",
                job.transforms,
                job.cycles,
                "right" if job.ok else "WRONG",
            )
            for job in shell.jobs
        ),
    )


def synth_view(result: SynthResult) -> RenderableType:
    """A line a block, indented as a tree, then the total."""
    shown = [column for column in COLUMNS if getattr(result, column)]
    blocks = collapse(result.blocks, _BLOCK_DEPTH)
    rows: list[tuple[object, ...]] = [
        (name, number, *(counts[column] for column in shown))
        for name, (number, counts) in zip(_tree(list(blocks)), blocks.values(), strict=True)
    ]
    rows.append(("all", 1, *(getattr(result, column) for column in shown)))
    table = _table(f"{result.design} for {result.target}, Yosys", ("block", "times", *shown), rows)
    more: list[RenderableType] = []
    if result.parts:
        more.append(_table("Its parts", *result.by_part()))
    if result.note:
        more.append(Text(result.note))
    return Group(
        table,
        Text("lut is logic, lut_total adds RAM and shift registers; blocks below are not included"),
        *more,
        Text(f"log: {result.log}"),
    )


def _tree(paths: Sequence[str]) -> list[str]:
    """Sorted paths, each without what it shares with the one above it, indented."""
    lines = []
    above: list[str] = []
    for path in paths:
        while above and not path.startswith(f"{above[-1]}."):
            above.pop()
        name = path.removeprefix(f"{above[-1]}.") if above else path
        lines.append("  " * len(above) + name)
        above.append(path)
    return lines


def timing_view(result: TimingResult) -> RenderableType:
    """A line for either end of a pair of registers, then what is on the slowest path."""
    return Group(
        _table(
            f"{result.design} on ECP5, speed grade {result.speed_grade}: slowest paths, estimated",
            ("ns", "levels", "ends", "from, to", "in"),
            (
                (
                    *(g.delay_ns, g.levels, g.ends),
                    *(f"{g.start}\n{g.end}", f"{g.start_module}\n{g.end_module}"),
                )
                for g in result.groups
            ),
        ),
        _table(
            "On the slowest",
            ("wire ns", "cell ns", "cell", "in", "drives"),
            (
                (s.wire_ns, s.cell_ns, s.what, s.module, s.net.rpartition(".")[2])
                for s in result.groups[0].steps
            ),
        ),
        Text(f"{result.cells:,} cells, nothing placed, in {result.seconds} s"),
        Text(f"{result.fmax_mhz} MHz, estimated", "bold"),
    )


def pnr_view(result: PnrResult) -> RenderableType:
    """The clock, what it took, and the path that limits it."""
    path = result.critical_path
    longest = sorted(path, key=lambda s: -s.delay_ns)[:_CRITICAL_SEGMENTS]
    kept = [segment for segment in path if segment in longest]
    return Group(
        _table(
            f"{result.design} on {result.device}",
            ("site", "used", "available"),
            ((kind, *site) for kind, site in sorted(result.utilization.items())),
        ),
        _table(
            f"Critical path, {sum(s.delay_ns for s in path):.2f} ns in {len(path)} pieces",
            ("kind", "from", "to", "ns"),
            ((s.kind, s.source, s.sink, s.delay_ns) for s in kept),
        ),
        Text(f"by seed: {', '.join(f'{s}: {f}' for s, f in result.fmax_by_seed.items())}"),
        Text(
            f"{result.fmax_mhz} MHz at speed grade {result.speed_grade}, seed {result.seed}",
            "bold",
        ),
    )


def demo_view(result: Showcase) -> RenderableType:
    """Cycles, area, files, and last whether every byte is equal."""
    return Group(
        measure_view(result.cycles),
        synth_view(result.area),
        view(result.folder),
        demo.render(result.keys),
        Text(f"All of it took {result.seconds:.0f} s."),
    )


def report_page(result: Report) -> str:
    """The data sheet as HTML."""
    sections = [
        Section("Verification", view(result.verified)),
        Section("Cycles", view(result.measured)),
    ]
    if result.area is not None:
        sections.append(Section("Area", synth_view(result.area)))
    if result.clock is not None:
        sections.append(Section("Clock", pnr_view(result.clock)))
    footer = f"nttforge {__version__}: nttforge report {result.design}"
    return page(result.contract, result.drawing, sections, footer)


def report_view(result: Report, path: Path) -> RenderableType:
    """The figures, and where the data sheet is."""
    parts = [view(result.measured)]
    if result.area is not None:
        parts.append(Text(f"{result.area.lut_total:,} LUT, {result.area.dsp} DSP"))
    if result.clock is not None:
        parts.append(Text(f"{result.clock.fmax_mhz} MHz on {result.clock.device}"))
    good = f"{path} is written, in {result.seconds:.0f} s"
    bad = f"{path} is written, but the RTL is WRONG"
    return Group(*parts, _verdict(result.verified.ok, good, bad))


def reproduction_view(result: Reproduction) -> RenderableType:
    """A paper's table beside ours, and what to bear in mind."""
    rows = ["" if cell is None else cell for row in result.rows for cell in row]
    width = len(result.columns)
    return Group(
        _table(
            result.paper,
            result.columns,
            (rows[start : start + width] for start in range(0, len(rows), width)),
        ),
        *(Text(f"- {note}") for note in result.notes),
    )
