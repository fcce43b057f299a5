# SPDX-License-Identifier: Apache-2.0
"""The verbs as a user calls them: names, options, help. What they do is in `jobs.py`."""

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from nttforge.cli import cache, dsa, kem, show
from nttforge.cli.names import byte_orders, designs, formats, forms, rings, targets
from nttforge.cli.options import (
    COUNTS,
    DesignArgument,
    JsonOption,
    MarkdownOption,
    SetOption,
    TraceOption,
    between,
)
from nttforge.cli.outcome import FAILED, INTERRUPTED, OK, USAGE
from nttforge.cli.session import complain, do, standard_output
from nttforge.errors import NttforgeError
from nttforge.limits import ENGINE, FORMATS, LAST_SEED, MOST_BYTES, ROUTERS
from nttforge.targets import one_of
from nttforge.version import __version__

app = typer.Typer(
    name="nttforge",
    help="Verified, measured hardware accelerators for the number-theoretic transform.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(kem.app)
app.add_typer(dsa.app)
app.add_typer(cache.app)
app.add_typer(show.app)

FolderOption = Annotated[
    Path, typer.Option("-o", "--output", help="Folder to write; made if need be.")
]
PartOption = Annotated[
    str,
    typer.Option(
        "--part",
        metavar="BLOCK",
        help="Only this instance, alone between registers: a path, its end, or a module's name.",
    ),
]
ShellOption = Annotated[
    bool, typer.Option("--shell", help="With memory movers and control, all instances.")
]
JunitOption = Annotated[
    Path | None,
    typer.Option("--junit", help="Also report to this file as tests do, for a CI to show."),
]
SeedOption = Annotated[int, typer.Option(min=0, max=LAST_SEED, help="Seed of everything random.")]
GivenSeed = Annotated[
    int | None,
    typer.Option("--seed", min=0, max=LAST_SEED, help="Seed of everything random; 0 if left out."),
]


_SECONDS = between(1, 1e7)
_RATE = between(0.001, 100_000)
_RATE_MHZ = between(0.001, 10_000)


def _bound(what: str) -> typer.models.OptionInfo:
    """An option that bounds a figure: exit code 1 if it does not keep to it."""
    found: typer.models.OptionInfo = typer.Option(
        callback=between(0, 1e9), help=f"Exit with 1 if {what}."
    )
    return found


MaxLut = Annotated[float | None, _bound("it takes more look-up tables")]
MaxFf = Annotated[float | None, _bound("it takes more flip-flops")]
MaxDsp = Annotated[float | None, _bound("it takes more DSP blocks")]
MaxBram = Annotated[float | None, _bound("it takes more block RAMs of 18 Kbit")]
PaddingOption = Annotated[
    int | None,
    typer.Option(
        help="Of an engine for large transforms: log2 of the words of a transform for one of the "
        "source's; the others are zeros."
    ),
]
MaxCycles = Annotated[float | None, _bound("the slowest operation takes more from word to word")]
MinMhz = Annotated[float | None, _bound("the clock is slower")]


@app.command("presets")
def presets_command(as_json: JsonOption = False) -> None:
    """List the rings and designs that have a name."""
    do("presets", **locals())


@app.command("generate")
def generate_command(
    design: DesignArgument,
    *,
    output: FolderOption,
    hls_blackbox: Annotated[
        bool,
        typer.Option("--hls-blackbox", help="Also a black box for Vitis HLS: C++ model and JSON."),
    ] = False,
    verilog: Annotated[
        bool,
        typer.Option("--verilog", help="Also one file of Verilog-2005, and a bench for Icarus."),
    ] = False,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the design folder: SystemVerilog, twiddles, file list."""
    do("generate", **locals())


@app.command("host")
def host_command(
    design: DesignArgument,
    *,
    output: FolderOption,
    openssl: Annotated[
        bool,
        typer.Option("--openssl", help="With a provider for OpenSSL 3: ML-KEM, X25519MLKEM768."),
    ] = False,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write libnttforge: the simulated hardware behind its driver, for C programs to link."""
    do("host", **locals())


@app.command("soc")
def soc_command(
    design: DesignArgument,
    *,
    output: FolderOption,
    run: Annotated[
        bool, typer.Option("--run", help="Also simulate it, and show what its UART prints.")
    ] = False,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a SoC: a RISC-V processor and the design, firmware that runs known answers."""
    do("soc", **locals())


@app.command("bitstream")
def bitstream_command(
    design: DesignArgument,
    *,
    board: Annotated[str, typer.Option(help="ulx3s-85f, ulx3s-45f or colorlight-i5.")],
    output: FolderOption,
    clock: Annotated[float, typer.Option(callback=_RATE_MHZ, help="Of the design, in MHz.")] = 50,
    baud: Annotated[int, typer.Option(min=1, help="Rate of the serial port.")] = 1_000_000,
    memory: Annotated[int, typer.Option(min=1, help="Bytes for operands and results.")] = 1 << 14,
    seed: Annotated[int, typer.Option(min=0, max=1 << 30, help="Seed of the placement.")] = 1,
    time_limit: Annotated[
        float, typer.Option(callback=_SECONDS, help="Seconds for each tool.")
    ] = 7200,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a bitstream for an ECP5 board: the design behind a serial bridge, its clock met."""
    do("bitstream", **locals())


@app.command("verify")
def verify_command(
    design: DesignArgument,
    *,
    count: Annotated[
        int | None,
        typer.Option(
            *COUNTS["verify"],
            help="Random transforms, or cases of each parameter set, besides corners and vectors; "
            "if left out, of transforms what takes about a minute.",
        ),
    ] = None,
    seed: GivenSeed = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            metavar="FILE.fst|FILE.vcd",
            help="If something fails: what the signals do there, for GTKWave and Surfer.",
        ),
    ] = None,
    campaign: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="So many random transforms, or cases, in parts, several at the same time; goes on "
            "where it was interrupted.",
        ),
    ] = None,
    rows: Annotated[
        Path | None,
        typer.Option("--rows", help="Of a campaign: file of its parts; DESIGN.jsonl if left out."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(help="Of a campaign: parts at the same time; one a processor if left out."),
    ] = None,
    junit: JunitOption = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare the RTL with the references: corners, random, every kind of stall."""
    do("verify", **locals())


@app.command("run")
def run_command(
    design: DesignArgument,
    *,
    source: Annotated[
        Path,
        typer.Option(
            "--input",
            help="Polynomials: .npy or .json, shape (batch, n); .txt or .csv, decimal, one a line "
            "or a number a line; .hex or .mem, words as $readmemh has them; .bin, raw words.",
        ),
    ],
    target: Annotated[
        Path, typer.Option("--output", help="File to write, of one of the same formats.")
    ],
    second: Annotated[
        Path | None, typer.Option("--input-b", help="A product's second operand.")
    ] = None,
    third: Annotated[
        Path | None, typer.Option("--input-c", help="What mac adds to the product.")
    ] = None,
    operation: Annotated[
        str | None, typer.Option("--op", help="Operation; may be left out if there is but one.")
    ] = None,
    padding: PaddingOption = None,
    format: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(FORMATS),
            help="Format of the input files, and of an output whose suffix names none; by the "
            "suffixes if left out.",
            autocompletion=formats,
        ),
    ] = None,
    word_bytes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_BYTES,
            help="Bytes of a word in .bin files; if left out, the least power of two that holds a "
            "coefficient.",
        ),
    ] = None,
    byte_order: Annotated[
        str | None,
        typer.Option(
            metavar="little|big",
            help="Byte order of the words in .bin files; little if left out.",
            autocompletion=byte_orders,
        ),
    ] = None,
    trace: TraceOption = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Push your own polynomials through the simulated RTL."""
    do("run", **locals())


@app.command("measure")
def measure_command(
    design: DesignArgument,
    *,
    count: Annotated[
        int | None,
        typer.Option(
            *COUNTS["measure"],
            help="Transforms in each sequence or batch, or runs of each operation; if left out, of "
            "transforms what takes about a minute.",
        ),
    ] = None,
    sizes: Annotated[
        str | None,
        typer.Option(
            metavar="L,L,...", help="log2 of the transforms, of an engine for large ones."
        ),
    ] = None,
    operation: Annotated[
        str | None,
        typer.Option(
            "--op",
            help="What an engine for large transforms does; of an ML-DSA core the one operation to "
            "measure, if not all.",
        ),
    ] = None,
    padding: PaddingOption = None,
    clock: Annotated[
        bool,
        typer.Option(
            "--clock",
            help="As built for ECP5: place it, seeds 1 and 2, and show time too; of what does not "
            "fit, by the estimated clock.",
        ),
    ] = False,
    seed: GivenSeed = None,
    max_cycles: MaxCycles = None,
    junit: JunitOption = None,
    settings: SetOption = None,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Observe cycles in simulation: latency, steady state, turnarounds."""
    do("measure", **locals())


@app.command("synth")
def synth_command(
    design: DesignArgument,
    *,
    target: Annotated[str, typer.Option(help=f"{one_of()}.", autocompletion=targets)] = "xcup",
    shell: ShellOption = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE.json|FILE.v|FOLDER",
            help="Also write the netlist: JSON of Yosys, which nextpnr reads, or structural "
            "Verilog; in a folder as TOP.json.",
        ),
    ] = None,
    time_limit: Annotated[
        float, typer.Option(callback=_SECONDS, help="Seconds until Yosys is given up.")
    ] = 3600,
    max_lut: MaxLut = None,
    max_ff: MaxFf = None,
    max_dsp: MaxDsp = None,
    max_bram18: MaxBram = None,
    junit: JunitOption = None,
    settings: SetOption = None,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Area after Yosys, with a line a block: of the core, or with its memory shell."""
    do("synth", **locals())


@app.command("multiplier")
def multiplier_command(
    q: Annotated[str, typer.Argument(metavar="Q", help="The modulus, decimal or hexadecimal.")],
    *,
    target: Annotated[str, typer.Option(help=f"{one_of()}.", autocompletion=targets)] = "xcup",
    adders: Annotated[
        int,
        typer.Option("--adders-per-stage", min=1, max=8, help="Adder rows between two registers."),
    ] = 4,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Area of the modular multipliers of a modulus, at full and half rate."""
    do("multiplier", **locals())


@app.command("ring")
def ring_command(
    design: Annotated[
        str | None,
        typer.Argument(
            metavar="[RING|DESIGN]",
            help="A ring's or a design's name, or a TOML file: shows its rings.",
            autocompletion=designs,
        ),
    ] = None,
    *,
    n: Annotated[int | None, typer.Option("--n", help="Coefficients, a power of two.")] = None,
    q: Annotated[
        str | None,
        typer.Option("--q", help="Checks this modulus, decimal or hexadecimal; shows its ring."),
    ] = None,
    bits: Annotated[
        int | None, typer.Option(help="Finds primes of exactly so many bits, the largest ones.")
    ] = None,
    count: Annotated[
        int | None, typer.Option(help="Number of primes to find, up to 1000; 1 if left out.")
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            metavar="x^n+1|x^n-1",
            help="What polynomials are reduced by: a prime is 1 mod 2n, or 1 mod n.",
            autocompletion=forms,
        ),
    ] = "x^n+1",
    layers: Annotated[
        int | None,
        typer.Option(help="Layers of butterflies; log2(n), a complete transform, if left out."),
    ] = None,
    root: Annotated[
        str | None,
        typer.Option(metavar="ROOT|minimal", help="Root of --q; by the rule of docs/roots.md."),
    ] = None,
    generator: Annotated[
        str | None, typer.Option(help="Generator of the root of --q, in place of --root.")
    ] = None,
    twiddles: Annotated[
        bool, typer.Option("--twiddles", help="All twiddles, not only the first of each stage.")
    ] = False,
    settings: SetOption = None,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find primes for a transform, check a modulus, or show roots and twiddles of rings.

    A modulus that does not fit is refused with the reason and the nearest prime that fits.
    """
    do("ring", **locals())


@app.command("explore")
def explore_command(
    rings: Annotated[
        list[str],
        typer.Argument(
            metavar="RING...|DESIGN...|NEEDS.toml",
            help="Names of rings of `presets`, or moduli with --n; or a file of needs; or designs "
            "that have a name, to see what else does as much.",
            autocompletion=rings,
        ),
    ],
    *,
    n: Annotated[
        int | None, typer.Option(help="Coefficients, of rings given by a modulus.")
    ] = None,
    throughput: Annotated[
        int | None, typer.Option(help="Cycles a transform in a sequence, at most.")
    ] = None,
    latency: Annotated[
        int | None, typer.Option(help="Cycles from the first beat in to the last out, at most.")
    ] = None,
    each_us: Annotated[
        float | None, typer.Option(callback=_RATE, help="The same as --throughput in microseconds.")
    ] = None,
    latency_us: Annotated[
        float | None, typer.Option(callback=_RATE, help="The same as --latency in microseconds.")
    ] = None,
    lut: Annotated[int | None, typer.Option("--max-lut", help="Look-up tables, at most.")] = None,
    ff: Annotated[int | None, typer.Option("--max-ff", help="Flip-flops, at most.")] = None,
    dsp: Annotated[int | None, typer.Option("--max-dsp", help="DSP blocks, at most.")] = None,
    bram: Annotated[
        int | None, typer.Option("--max-bram18", help="Block RAMs of 18 Kbit, at most.")
    ] = None,
    mhz: Annotated[
        float | None, typer.Option("--min-mhz", callback=_RATE, help="The clock, at least.")
    ] = None,
    clock: Annotated[
        float | None,
        typer.Option(callback=_RATE, help="MHz of the engine, where nothing estimates them."),
    ] = None,
    directions: Annotated[
        str, typer.Option(metavar="ntt,intt", help="Transforms that it shall do.")
    ] = "ntt,intt",
    products: Annotated[
        bool, typer.Option("--products", help="Products of polynomials, too.")
    ] = False,
    prefer: Annotated[
        str, typer.Option(metavar="dsp|lut|balanced", help="What multipliers shall save.")
    ] = "balanced",
    goal: Annotated[
        str | None,
        typer.Option(metavar="area|time", help="What shall be the least of what meets the need."),
    ] = None,
    bandwidth: Annotated[
        float | None,
        typer.Option(
            callback=_RATE, help="Data in memory: GB/s of the channel read, and of the one written."
        ),
    ] = None,
    burst: Annotated[
        int | None,
        typer.Option(min=1, max=1 << 20, help="Bytes from which bursts reach the bandwidth."),
    ] = None,
    ram: Annotated[
        float | None, typer.Option(callback=_RATE, help="Mb of memory that its buffer may take.")
    ] = None,
    sizes: Annotated[
        str | None,
        typer.Option(metavar="L,L,...", help="Data in memory: log2 of the transforms that matter."),
    ] = None,
    largest: Annotated[
        int | None, typer.Option(help="log2 of the largest transform; up to 28 if left out.")
    ] = None,
    target: Annotated[str, typer.Option(help=f"{one_of()}.", autocompletion=targets)] = "xcup",
    prove: Annotated[
        int, typer.Option(min=0, max=100, help="Synthesize so many, the one to take first.")
    ] = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="The one to take, NAME.toml; else a folder for all on the front."
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="A page with an interactive plot: PAGE.html.")
    ] = None,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Choose an engine of any family: from what it shall do to the design to take.

    With --bandwidth or --sizes it is one for large transforms, whose data are in memory.
    """
    do("explore", **locals())


@app.command("timing")
def timing_command(
    design: DesignArgument,
    *,
    paths: Annotated[int, typer.Option(help="Pairs of registers to show.")] = 10,
    part: PartOption = "",
    at: Annotated[
        str,
        typer.Option(metavar="PATH", help="Only paths that begin or end in this instance."),
    ] = "",
    shell: ShellOption = False,
    speed: Annotated[int, typer.Option(help="Speed grade: 6, 7 or 8, the fastest.")] = 8,
    time_limit: Annotated[
        float, typer.Option(callback=_SECONDS, help="Seconds until Yosys is given up.")
    ] = 3600,
    min_mhz: MinMhz = None,
    junit: JunitOption = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Estimate the clock on an ECP5-85F without placing, and show the paths that limit it."""
    do("timing", **locals())


@app.command("pnr")
def pnr_command(
    design: DesignArgument,
    *,
    part: PartOption = "",
    shell: ShellOption = False,
    speed: Annotated[int, typer.Option(help="Speed grade: 6, 7 or 8, the fastest.")] = 8,
    frequency: Annotated[
        float,
        typer.Option("--freq", callback=between(1, 10_000), help="Clock in MHz to work towards."),
    ] = 200,
    seeds: Annotated[int, typer.Option(help="Number of placements to try.")] = 1,
    first_seed: Annotated[
        int, typer.Option("--seed", min=0, max=1 << 30, help="Seed of the first.")
    ] = 1,
    jobs: Annotated[
        int | None,
        typer.Option(help="Placements at the same time; one a processor if left out."),
    ] = None,
    placer: Annotated[
        str | None,
        typer.Option(help="heap, or static, for large designs; by size if left out."),
    ] = None,
    router: Annotated[
        str, typer.Option(help="router1, or router2, which is faster where there is room.")
    ] = ROUTERS[0],
    time_limit: Annotated[
        float, typer.Option(callback=_SECONDS, help="Seconds for each tool.")
    ] = 7200,
    min_mhz: MinMhz = None,
    junit: JunitOption = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Place, route and time on an ECP5-85F; what has been placed is kept."""
    do("pnr", **locals())


@app.command("sweep")
def sweep_command(
    grid: Annotated[
        Path,
        typer.Argument(metavar="GRID.toml", help="A verb, designs, values of keys and options."),
    ],
    *,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Rows, JSON a line; those there are kept.")
    ],
    jobs: Annotated[
        int | None,
        typer.Option(help="Points at the same time; one a processor if left out."),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="tcp://HOST:PORT", help="A Dask cluster that does the points."),
    ] = None,
    table: Annotated[
        Path | None, typer.Option("--parquet", help="Write the rows as a table, too.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="A page with a plot of the rows' figures.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Do what failed once more.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Do a verb over a grid of designs and options; what has a row is not done again."""
    do("sweep", **locals())


@app.command("report")
def report_command(
    design: DesignArgument,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", help="The HTML file to write.")],
    target: Annotated[
        str, typer.Option(help=f"{one_of()}; none for no area, which takes longest.")
    ] = "xcup",
    clock: Annotated[
        bool, typer.Option("--clock", help="Also place and route on an ECP5-85F.")
    ] = False,
    seed: SeedOption = 0,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a data sheet: contract, verification, cycles, area, clock."""
    do("report", **locals())


@app.command("demo")
def demo_command(
    *,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder for the engine; made if need be.")
    ] = Path("build") / ENGINE,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """The main job: an engine for ML-KEM and ML-DSA, proved right on real keys, and measured.

    Behind it the core of ML-DSA signs, verifies, and refuses a forged signature.
    """
    do("demo", **locals())


@app.command(
    "reproduce",
    hidden=True,
    add_help_option=False,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def reproduce_command(context: typer.Context) -> None:
    """Name the command that has replaced it."""
    line = "`nttforge reproduce` is `python -m benchmarks PAPER` now, run in a checkout"
    raise typer.Exit(complain(line, "--json" in context.args, USAGE))


def _version(wanted: bool) -> None:
    if wanted:
        print(f"nttforge {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    _version_wanted: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")
    ] = False,
) -> None:
    pass


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a verb; its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # libraries' words to their callers
    try:
        with standard_output():
            code = app(words, prog_name="nttforge", standalone_mode=False)
    except KeyboardInterrupt:
        return complain("interrupted", False, INTERRUPTED)
    except NttforgeError as error:  # of standard output, where help goes
        return complain(str(error), False, FAILED)
    except Exception as error:
        # What is wrong with the command line comes as one of click's exceptions; typer has its
        # own copy of click or the package, depending on its version.
        describe = getattr(error, "format_message", None)
        if describe is None:
            raise
        text = f"{describe()} (see nttforge --help)" if describe() else "no such command"
        return complain(text, "--json" in words, USAGE)
    return code if isinstance(code, int) else OK
