# SPDX-License-Identifier: Apache-2.0
"""Results as people read them."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from nttforge.flow import demo
from nttforge.flow.generate import GenerateResult, PresetsResult
from nttforge.flow.measure import MeasureResult, Throughput
from nttforge.flow.multiplier import MultiplierResult
from nttforge.flow.run import RunResult
from nttforge.flow.shell import ShellThroughput
from nttforge.flow.showcase import Showcase
from nttforge.flow.synth import PnrResult, SynthResult
from nttforge.flow.verify import VerifyResult
from nttforge.reproduce import Reproduction
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


def generate_view(result: GenerateResult) -> RenderableType:
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
        Text(f"{len(result.files)} files in {result.folder}, top module {result.top}"),
    )


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
    if result.mismatches:
        parts.append(
            _table(
                "First mismatches",
                ("phase", "operation", "transform", "coefficient", "got", "expected", "seed"),
                (
                    (m.phase, m.operation, m.transform, m.coefficient, m.got, m.expected, m.seed)
                    for m in result.mismatches
                ),
            )
        )
    if result.violation:
        parts.append(Text(result.violation, "red"))
    good = f"{result.transforms:,} transforms, no mismatch, in {result.seconds} s"
    bad = f"{result.wrong_transforms} of {result.transforms} transforms are wrong"
    if result.violation:
        bad = "the stream contract is broken"
    parts.append(_verdict(result.ok, good, bad))
    return Group(*parts)


def run_view(result: RunResult) -> RenderableType:
    """One line, and the verdict."""
    return Group(
        Text(
            f"{result.operation} in {result.ring}: {result.transforms} polynomials "
            f"in {result.cycles:,} cycles, written to {result.output}"
        ),
        _verdict(result.ok, "equal to the reference", "DIFFERENT from the reference"),
    )


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


def _shell_table(shell: ShellThroughput) -> RenderableType:
    return _table(
        f"Jobs through memory of {shell.memory_latency} cycles latency: "
        f"{shell.instances_simulated} of {shell.instances} instances, "
        f"channels of {shell.data_width} bits, bound {shell.bound_cycles:g} cycles",
        ("job", "a transform", "of the bound", "transforms", "cycles", "results"),
        (
            (
                job.operation,
                job.cycles_per_transform,
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
    return Group(
        table,
        Text("lut is logic, lut_total adds RAM and shift registers; blocks below are not included"),
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
        generate_view(result.folder),
        demo.render(result.keys),
        Text(f"All of it took {result.seconds:.0f} s."),
    )


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
