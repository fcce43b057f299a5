# SPDX-License-Identifier: Apache-2.0
"""The options of each verb, as a model: what its command line shows and its job reads.

A field is an argument or an option of typer's; its limits are checked when the model is made.
`--help` and completion load this module, and nothing that only a job needs.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, dataclass_transform

import typer

from nttforge.cli.names import byte_orders, designs, formats, forms, rings, targets
from nttforge.cli.options import (
    COUNTS,
    VALUE,
    DesignArgument,
    JsonOption,
    MarkdownOption,
    SetOption,
    TraceOption,
    between,
    output_option,
    seed_option,
)
from nttforge.limits import (
    COPROCESSOR,
    DSA_COPROCESSOR,
    ENGINE,
    FORMATS,
    LAST_SEED,
    LEAST_MEASURED,
    MOST,
    MOST_BYTES,
    ROUTERS,
)
from nttforge.targets import one_of


class Limits(NamedTuple):
    """From where to where a number may be."""

    least: int
    most: int


@dataclass_transform(kw_only_default=True, frozen_default=True)
@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of a verb: a dataclass of keywords. The docstring is the verb's help."""

    def __init_subclass__(cls) -> None:
        """Make it one."""
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def limits(cls) -> dict[str, Limits]:
        """Of those fields that have any."""
        hints = cls.__annotations__.items()
        marks = ((name, each) for name, hint in hints for each in getattr(hint, "__metadata__", ()))
        return {name: each for name, each in marks if isinstance(each, Limits)}

    @classmethod
    def flags(cls) -> dict[str, str]:
        """The option of each field, as declared; of an argument that which its name would give."""
        flags = {}
        for name, hint in cls.__annotations__.items():
            marks = getattr(hint, "__metadata__", ())
            options = (mark for mark in marks if isinstance(mark, typer.models.OptionInfo))
            # In an annotation typer's Option takes the first name for a default.
            named = (each for mark in options for each in (mark.default, *(mark.param_decls or ())))
            long = (each for each in map(str, named) if each.startswith("--"))
            flags[name] = next(long, f"--{name.replace('_', '-')}")
        return flags

    def given(self, *names: str) -> dict[str, Any]:
        """Those of some options that were given."""
        values = ((name, getattr(self, name)) for name in names)
        return {name: value for name, value in values if value is not None}


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
SvgOption = Annotated[Path | None, typer.Option("-o", "--output", help="An SVG to write instead.")]
KemSet = Annotated[str, typer.Option("--set", metavar="512|768|1024", help="Parameter set.")]
KemDesign = Annotated[
    str, typer.Option("--design", metavar="DESIGN", help="A coprocessor's name or TOML file.")
]
DsaSet = Annotated[str, typer.Option("--set", metavar="44|65|87", help="Parameter set.")]
Message = Annotated[Path | None, typer.Option("--message", metavar="FILE", help="What is signed.")]
Mu = Annotated[str | None, typer.Option("--mu", metavar=VALUE, help="mu, instead of the message.")]
Context = Annotated[
    str, typer.Option("--context", metavar="HEX", help="Context string, 255 bytes at most.")
]
Prehash = Annotated[
    str | None, typer.Option("--prehash", metavar="HASH", help="HashML-DSA with it: `sha2-512`.")
]
DsaDesign = Annotated[
    str, typer.Option("--design", metavar="DESIGN", help="A core's name or TOML file.")
]


class KeyOptions(Options):
    """Options of a standard's verbs; these all of them have."""

    if TYPE_CHECKING:
        parameter_set: str
        design: str
        trace: Path | None

    def own(self) -> dict[str, Any]:
        """What one of the verbs has besides."""
        common = ("parameter_set", "design", "trace", "as_json")
        return {name: value for name, value in vars(self).items() if name not in common}


class Presets(Options):
    """List the rings and designs that have a name."""

    as_json: JsonOption = False


class Generate(Options):
    """Write the design folder: SystemVerilog, twiddles, file list."""

    design: DesignArgument
    output: FolderOption
    hls_blackbox: Annotated[
        bool,
        typer.Option("--hls-blackbox", help="Also a black box for Vitis HLS: C++ model and JSON."),
    ] = False
    verilog: Annotated[
        bool,
        typer.Option("--verilog", help="Also one file of Verilog-2005, and a bench for Icarus."),
    ] = False
    prefix: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Begin every global name with NAME_, the library's too: two releases in a chip.",
            show_default="no prefix",
        ),
    ] = ""
    settings: SetOption = None
    as_json: JsonOption = False


class Host(Options):
    """Write libnttforge: the simulated hardware behind its driver, for C programs to link."""

    design: DesignArgument
    output: FolderOption
    openssl: Annotated[
        bool,
        typer.Option("--openssl", help="With a provider for OpenSSL 3: ML-KEM, X25519MLKEM768."),
    ] = False
    settings: SetOption = None
    as_json: JsonOption = False


class Soc(Options):
    """Write a SoC: a RISC-V processor and the design, firmware that runs known answers."""

    design: DesignArgument
    output: FolderOption
    run: Annotated[
        bool, typer.Option("--run", help="Also simulate it, and show what its UART prints.")
    ] = False
    settings: SetOption = None
    as_json: JsonOption = False


class Bitstream(Options):
    """Write a bitstream for an ECP5 board: the design behind a serial bridge, its clock met."""

    design: DesignArgument
    board: Annotated[str, typer.Option(help="ulx3s-85f, ulx3s-45f or colorlight-i5.")]
    output: FolderOption
    clock: Annotated[float, typer.Option(callback=_RATE_MHZ, help="Of the design, in MHz.")] = 50
    baud: Annotated[int, typer.Option(min=1, help="Rate of the serial port.")] = 1_000_000
    memory: Annotated[int, typer.Option(min=1, help="Bytes for operands and results.")] = 1 << 14
    seed: Annotated[int, typer.Option(min=0, max=1 << 30, help="Seed of the placement.")] = 1
    time_limit: Annotated[float, typer.Option(callback=_SECONDS, help="Seconds for each tool.")] = (
        7200
    )
    settings: SetOption = None
    as_json: JsonOption = False


class Verify(Options):
    """Compare the RTL with the references: corners, random, every kind of stall."""

    design: DesignArgument
    count: Annotated[
        int | None,
        typer.Option(
            *COUNTS["verify"],
            help="Random transforms, or cases of each parameter set, besides corners and vectors; "
            "if left out, of transforms what takes about a minute.",
        ),
        Limits(1, MOST),
    ] = None
    seed: GivenSeed = None
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            metavar="FILE.fst|FILE.vcd",
            help="If something fails: what the signals do there, for GTKWave and Surfer.",
        ),
    ] = None
    campaign: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="So many random transforms, or cases, in parts, several at the same time; goes on "
            "where it was interrupted.",
        ),
        Limits(1, 1_000_000_000),
    ] = None
    rows: Annotated[
        Path | None,
        typer.Option("--rows", help="Of a campaign: file of its parts; DESIGN.jsonl if left out."),
    ] = None
    jobs: Annotated[
        int | None,
        typer.Option(help="Of a campaign: parts at the same time; one a processor if left out."),
        Limits(1, 1000),
    ] = None
    junit: JunitOption = None
    settings: SetOption = None
    as_json: JsonOption = False


class Run(Options):
    """Push your own polynomials through the simulated RTL."""

    design: DesignArgument
    source: Annotated[
        Path,
        typer.Option(
            "--input",
            help="Polynomials: .npy or .json, shape (batch, n); .txt or .csv, decimal, one a line "
            "or a number a line; .hex or .mem, words as $readmemh has them; .bin, raw words.",
        ),
    ]
    target: Annotated[
        Path, typer.Option("--output", help="File to write, of one of the same formats.")
    ]
    second: Annotated[
        Path | None, typer.Option("--input-b", help="A product's second operand.")
    ] = None
    third: Annotated[
        Path | None, typer.Option("--input-c", help="What mac adds to the product.")
    ] = None
    operation: Annotated[
        str | None, typer.Option("--op", help="Operation; may be left out if there is but one.")
    ] = None
    modulus: Annotated[
        int | None,
        typer.Option(min=3, help="Modulus to load, of a design whose moduli are loaded."),
    ] = None
    padding: PaddingOption = None
    format: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(FORMATS),
            help="Format of the input files, and of an output whose suffix names none; by the "
            "suffixes if left out.",
            autocompletion=formats,
        ),
    ] = None
    word_bytes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_BYTES,
            help="Bytes of a word in .bin files; if left out, the least power of two that holds a "
            "coefficient.",
        ),
    ] = None
    byte_order: Annotated[
        str | None,
        typer.Option(
            metavar="little|big",
            help="Byte order of the words in .bin files; little if left out.",
            autocompletion=byte_orders,
        ),
    ] = None
    trace: TraceOption = None
    settings: SetOption = None
    as_json: JsonOption = False


class Measure(Options):
    """Observe cycles in simulation: latency, steady state, turnarounds."""

    design: DesignArgument
    count: Annotated[
        int | None,
        typer.Option(
            *COUNTS["measure"],
            help="Transforms in each sequence or batch, or runs of each operation; if left out, of "
            "transforms what takes about a minute.",
        ),
        Limits(LEAST_MEASURED, MOST),
    ] = None
    sizes: Annotated[
        str | None,
        typer.Option(
            metavar="L,L,...", help="log2 of the transforms, of an engine for large ones."
        ),
    ] = None
    operation: Annotated[
        str | None,
        typer.Option(
            "--op",
            help="What an engine for large transforms does; of an ML-DSA core the one operation to "
            "measure, if not all.",
        ),
    ] = None
    padding: PaddingOption = None
    clock: Annotated[
        bool,
        typer.Option(
            "--clock",
            help="As built for ECP5: place it, seeds 1 and 2, and show time too; of what does not "
            "fit, by the estimated clock.",
        ),
    ] = False
    seed: GivenSeed = None
    max_cycles: MaxCycles = None
    junit: JunitOption = None
    settings: SetOption = None
    markdown: MarkdownOption = False
    as_json: JsonOption = False


class Synth(Options):
    """Area after Yosys, with a line a block: of the core, or with its memory shell."""

    design: DesignArgument
    target: Annotated[str, typer.Option(help=f"{one_of()}.", autocompletion=targets)] = "xcup"
    shell: ShellOption = False
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE.json|FILE.v|FOLDER",
            help="Also write the netlist: JSON of Yosys, which nextpnr reads, or structural "
            "Verilog; in a folder as TOP.json.",
        ),
    ] = None
    time_limit: Annotated[
        float, typer.Option(callback=_SECONDS, help="Seconds until Yosys is given up.")
    ] = 3600
    max_lut: MaxLut = None
    max_ff: MaxFf = None
    max_dsp: MaxDsp = None
    max_bram18: MaxBram = None
    junit: JunitOption = None
    settings: SetOption = None
    markdown: MarkdownOption = False
    as_json: JsonOption = False


class Multiplier(Options):
    """Area of the modular multipliers of a modulus, at full and half rate."""

    q: Annotated[str, typer.Argument(metavar="Q", help="The modulus, decimal or hexadecimal.")]
    target: Annotated[str, typer.Option(help=f"{one_of()}.", autocompletion=targets)] = "xcup"
    adders: Annotated[
        int,
        typer.Option("--adders-per-stage", min=1, max=8, help="Adder rows between two registers."),
    ] = 4
    markdown: MarkdownOption = False
    as_json: JsonOption = False


class Ring(Options):
    """Find primes for a transform, check a modulus, or show roots and twiddles of rings.

    A modulus that does not fit is refused with the reason and the nearest prime that fits.
    """

    design: Annotated[
        str | None,
        typer.Argument(
            metavar="[RING|DESIGN]",
            help="A ring's or a design's name, or a TOML file: shows its rings.",
            autocompletion=designs,
        ),
    ] = None
    n: Annotated[int | None, typer.Option("--n", help="Coefficients, a power of two.")] = None
    q: Annotated[
        str | None,
        typer.Option("--q", help="Checks this modulus, decimal or hexadecimal; shows its ring."),
    ] = None
    bits: Annotated[
        int | None, typer.Option(help="Finds primes of exactly so many bits, the largest ones.")
    ] = None
    count: Annotated[
        int | None, typer.Option(help="Number of primes to find, up to 1000; 1 if left out.")
    ] = None
    form: Annotated[
        str,
        typer.Option(
            metavar="x^n+1|x^n-1",
            help="What polynomials are reduced by: a prime is 1 mod 2n, or 1 mod n.",
            autocompletion=forms,
        ),
    ] = "x^n+1"
    layers: Annotated[
        int | None,
        typer.Option(help="Layers of butterflies; log2(n), a complete transform, if left out."),
    ] = None
    root: Annotated[
        str | None,
        typer.Option(metavar="ROOT|minimal", help="Root of --q; by the rule of docs/roots.md."),
    ] = None
    generator: Annotated[
        str | None, typer.Option(help="Generator of the root of --q, in place of --root.")
    ] = None
    twiddles: Annotated[
        bool, typer.Option("--twiddles", help="All twiddles, not only the first of each stage.")
    ] = False
    settings: SetOption = None
    markdown: MarkdownOption = False
    as_json: JsonOption = False


class Explore(Options):
    """Choose an engine of any family: from what it shall do to the design to take.

    With --bandwidth or --sizes it is one for large transforms, whose data are in memory.
    """

    rings: Annotated[
        list[str],
        typer.Argument(
            metavar="RING...|DESIGN...|NEEDS.toml",
            help="Names of rings of `presets`, or moduli with --n; or a file of needs; or designs "
            "that have a name, to see what else does as much.",
            autocompletion=rings,
        ),
    ]
    n: Annotated[int | None, typer.Option(help="Coefficients, of rings given by a modulus.")] = None
    throughput: Annotated[
        int | None, typer.Option(help="Cycles a transform in a sequence, at most.")
    ] = None
    latency: Annotated[
        int | None, typer.Option(help="Cycles from the first beat in to the last out, at most.")
    ] = None
    each_us: Annotated[
        float | None, typer.Option(callback=_RATE, help="The same as --throughput in microseconds.")
    ] = None
    latency_us: Annotated[
        float | None, typer.Option(callback=_RATE, help="The same as --latency in microseconds.")
    ] = None
    lut: Annotated[int | None, typer.Option("--max-lut", help="Look-up tables, at most.")] = None
    ff: Annotated[int | None, typer.Option("--max-ff", help="Flip-flops, at most.")] = None
    dsp: Annotated[int | None, typer.Option("--max-dsp", help="DSP blocks, at most.")] = None
    bram: Annotated[
        int | None, typer.Option("--max-bram18", help="Block RAMs of 18 Kbit, at most.")
    ] = None
    mhz: Annotated[
        float | None, typer.Option("--min-mhz", callback=_RATE, help="The clock, at least.")
    ] = None
    clock: Annotated[
        float | None,
        typer.Option(callback=_RATE, help="MHz of the engine, where nothing estimates them."),
    ] = None
    directions: Annotated[
        str, typer.Option(metavar="ntt,intt", help="Transforms that it shall do.")
    ] = "ntt,intt"
    products: Annotated[bool, typer.Option("--products", help="Products of polynomials, too.")] = (
        False
    )
    prefer: Annotated[
        str, typer.Option(metavar="dsp|lut|balanced", help="What multipliers shall save.")
    ] = "balanced"
    goal: Annotated[
        str | None,
        typer.Option(metavar="area|time", help="What shall be the least of what meets the need."),
    ] = None
    bandwidth: Annotated[
        float | None,
        typer.Option(
            callback=_RATE, help="Data in memory: GB/s of the channel read, and of the one written."
        ),
    ] = None
    burst: Annotated[
        int | None,
        typer.Option(min=1, max=1 << 20, help="Bytes from which bursts reach the bandwidth."),
    ] = None
    ram: Annotated[
        float | None, typer.Option(callback=_RATE, help="Mb of memory that its buffer may take.")
    ] = None
    sizes: Annotated[
        str | None,
        typer.Option(metavar="L,L,...", help="Data in memory: log2 of the transforms that matter."),
    ] = None
    largest: Annotated[
        int | None, typer.Option(help="log2 of the largest transform; up to 28 if left out.")
    ] = None
    target: Annotated[str, typer.Option(help=f"{one_of()}.", autocompletion=targets)] = "xcup"
    prove: Annotated[
        int, typer.Option(min=0, max=100, help="Synthesize so many, the one to take first.")
    ] = 0
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="The one to take, NAME.toml; else a folder for all on the front."
        ),
    ] = None
    html: Annotated[
        Path | None, typer.Option("--html", help="A page with an interactive plot: PAGE.html.")
    ] = None
    markdown: MarkdownOption = False
    as_json: JsonOption = False


class Timing(Options):
    """Estimate the clock on an ECP5-85F without placing, and show the paths that limit it."""

    design: DesignArgument
    paths: Annotated[int, typer.Option(help="Pairs of registers to show."), Limits(1, MOST)] = 10
    part: PartOption = ""
    at: Annotated[
        str,
        typer.Option(metavar="PATH", help="Only paths that begin or end in this instance."),
    ] = ""
    shell: ShellOption = False
    speed: Annotated[int, typer.Option(help="Speed grade: 6, 7 or 8, the fastest.")] = 8
    time_limit: Annotated[
        float, typer.Option(callback=_SECONDS, help="Seconds until Yosys is given up.")
    ] = 3600
    min_mhz: MinMhz = None
    junit: JunitOption = None
    settings: SetOption = None
    as_json: JsonOption = False


class Pnr(Options):
    """Place, route and time on an ECP5-85F; what has been placed is kept."""

    design: DesignArgument
    part: PartOption = ""
    shell: ShellOption = False
    speed: Annotated[int, typer.Option(help="Speed grade: 6, 7 or 8, the fastest.")] = 8
    frequency: Annotated[
        float,
        typer.Option("--freq", callback=between(1, 10_000), help="Clock in MHz to work towards."),
    ] = 200
    seeds: Annotated[int, typer.Option(help="Number of placements to try."), Limits(1, 1000)] = 1
    first_seed: Annotated[
        int, typer.Option("--seed", min=0, max=1 << 30, help="Seed of the first.")
    ] = 1
    jobs: Annotated[
        int | None,
        typer.Option(help="Placements at the same time; one a processor if left out."),
        Limits(1, 1000),
    ] = None
    placer: Annotated[
        str | None,
        typer.Option(help="heap, or static, for large designs; by size if left out."),
    ] = None
    router: Annotated[
        str, typer.Option(help="router1, or router2, which is faster where there is room.")
    ] = ROUTERS[0]
    time_limit: Annotated[float, typer.Option(callback=_SECONDS, help="Seconds for each tool.")] = (
        7200
    )
    min_mhz: MinMhz = None
    junit: JunitOption = None
    settings: SetOption = None
    as_json: JsonOption = False


class Sweep(Options):
    """Do a verb over a grid of designs and options; what has a row is not done again."""

    grid: Annotated[
        Path,
        typer.Argument(metavar="GRID.toml", help="A verb, designs, values of keys and options."),
    ]
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Rows, JSON a line; those there are kept.")
    ]
    jobs: Annotated[
        int | None,
        typer.Option(help="Points at the same time; one a processor if left out."),
        Limits(1, 1000),
    ] = None
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="tcp://HOST:PORT", help="A Dask cluster that does the points."),
    ] = None
    table: Annotated[
        Path | None, typer.Option("--parquet", help="Write the rows as a table, too.")
    ] = None
    html: Annotated[
        Path | None, typer.Option("--html", help="A page with a plot of the rows' figures.")
    ] = None
    again: Annotated[bool, typer.Option("--again", help="Do what failed once more.")] = False
    as_json: JsonOption = False


class Report(Options):
    """Write a data sheet: contract, verification, cycles, area, clock."""

    design: DesignArgument
    output: Annotated[Path, typer.Option("-o", "--output", help="The HTML file to write.")]
    target: Annotated[
        str, typer.Option(help=f"{one_of()}; none for no area, which takes longest.")
    ] = "xcup"
    clock: Annotated[bool, typer.Option("--clock", help="Also place and route on an ECP5-85F.")] = (
        False
    )
    seed: SeedOption = 0
    settings: SetOption = None
    as_json: JsonOption = False


class Demo(Options):
    """The main job: an engine for ML-KEM and ML-DSA, proved right on real keys, and measured.

    Behind it the core of ML-DSA signs, verifies, and refuses a forged signature.
    """

    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder for the engine; made if need be.")
    ] = Path("build") / ENGINE
    seed: SeedOption = 0
    as_json: JsonOption = False


class KemKeygen(KeyOptions):
    """Make a key pair."""

    parameter_set: KemSet
    d: Annotated[str | None, seed_option("d")] = None
    z: Annotated[str | None, seed_option("z")] = None
    output: Annotated[Path | None, output_option("PREFIX.ek and PREFIX.dk")] = None
    design: KemDesign = COPROCESSOR
    trace: TraceOption = None
    as_json: JsonOption = False


class KemEncaps(KeyOptions):
    """Make a shared secret and the ciphertext that carries it."""

    parameter_set: KemSet
    ek: Annotated[str, typer.Option("--ek", metavar=VALUE, help="Encapsulation key.")]
    m: Annotated[str | None, seed_option("m")] = None
    output: Annotated[Path | None, output_option("PREFIX.c and PREFIX.secret")] = None
    design: KemDesign = COPROCESSOR
    trace: TraceOption = None
    as_json: JsonOption = False


class KemDecaps(KeyOptions):
    """Find the shared secret in a ciphertext."""

    parameter_set: KemSet
    dk: Annotated[str | None, typer.Option("--dk", metavar=VALUE, help="Decapsulation key.")] = None
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar=VALUE, help="The key's seed, d and z, 64 bytes, instead."),
    ] = None
    c: Annotated[str, typer.Option("--c", metavar=VALUE, help="Ciphertext.")]
    check: Annotated[bool, typer.Option(" /--no-check", help="Do not check the key's hash.")] = True
    output: Annotated[Path | None, output_option("PREFIX.secret")] = None
    design: KemDesign = COPROCESSOR
    trace: TraceOption = None
    as_json: JsonOption = False


class DsaKeygen(KeyOptions):
    """Make a key pair."""

    parameter_set: DsaSet
    seed: Annotated[str | None, seed_option("seed")] = None
    output: Annotated[Path | None, output_option("PREFIX.pk and PREFIX.sk")] = None
    design: DsaDesign = DSA_COPROCESSOR
    trace: TraceOption = None
    as_json: JsonOption = False


class DsaSign(KeyOptions):
    """Sign a message."""

    parameter_set: DsaSet
    sk: Annotated[str | None, typer.Option("--sk", metavar=VALUE, help="Private key.")] = None
    seed: Annotated[
        str | None, typer.Option("--seed", metavar=VALUE, help="The key's seed, 32 bytes, instead.")
    ] = None
    message: Message = None
    mu: Mu = None
    context: Context = ""
    prehash: Prehash = None
    rnd: Annotated[
        str | None, typer.Option("--rnd", metavar=VALUE, help="32 bytes; random if left out.")
    ] = None
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="The same signature each time: rnd are zeros.")
    ] = False
    output: Annotated[Path | None, output_option("PREFIX.sig")] = None
    design: DsaDesign = DSA_COPROCESSOR
    trace: TraceOption = None
    as_json: JsonOption = False


class DsaVerify(KeyOptions):
    """Tell whether a signature is right: exit code 0, 3 if it is wrong, 1 if nobody can tell."""

    parameter_set: DsaSet
    pk: Annotated[str, typer.Option("--pk", metavar=VALUE, help="Public key.")]
    signature: Annotated[str, typer.Option("--signature", metavar=VALUE, help="Signature.")]
    message: Message = None
    mu: Mu = None
    context: Context = ""
    prehash: Prehash = None
    design: DsaDesign = DSA_COPROCESSOR
    trace: TraceOption = None
    as_json: JsonOption = False


class CachePath(Options):
    """Print the folder; NTTFORGE_CACHE names another one."""

    as_json: JsonOption = False


class CacheList(Options):
    """List what is kept, by kind."""

    as_json: JsonOption = False


class CachePrune(Options):
    """Take away what was used longest ago; what was used in the last hour stays."""

    limit: Annotated[
        float | None,
        typer.Option(
            "--to",
            metavar="GB",
            callback=between(0, 1e9),
            help="Gigabytes that may stay; NTTFORGE_CACHE_GB or 20.",
        ),
    ] = None
    as_json: JsonOption = False


class ShowContract(Options):
    """The transform contract of a ring's pipeline, or of a design: which coefficient is where."""

    ring: Annotated[
        str,
        typer.Argument(
            metavar="RING|DESIGN",
            help="A ring's or a design's name, or the path of a TOML file.",
            autocompletion=designs,
        ),
    ]
    lanes: Annotated[
        int | None, typer.Option(help="Coefficients a beat, of a ring; 2 if left out.")
    ] = None
    order: Annotated[
        str | None,
        typer.Option(
            metavar="natural|mirrored", help="Of the beats, of a ring; natural if left out."
        ),
    ] = None


class ShowLayout(Options):
    """The schedules of a transform: exchanges, delays, buffers, turnarounds."""

    n: Annotated[int, typer.Option("--n", help="Coefficients.")]
    lanes: Annotated[int, typer.Option(help="Coefficients a beat.")]
    layers: Annotated[int | None, typer.Option(help="Stages, if not log2(n).")] = None


class ShowKeys(Options):
    """Every key of a design: values, default, meaning."""


class ShowExample(Options):
    """What a family does, with 16 coefficients, to follow by hand."""

    family: Annotated[str, typer.Argument(metavar="FAMILY", help="pipeline, iterative, ...")]
    output: SvgOption = None


class ShowSchema(Options):
    """The same as a JSON Schema, by which editors check and complete a design's TOML."""


class ShowRegisters(Options):
    """The registers of a design with a control port: addresses, bits, meanings."""

    design: DesignArgument = COPROCESSOR


class ShowOptions(Options):
    """Area against cycles for the ML-KEM coprocessor's parameters."""

    areas: Annotated[bool, typer.Option(help="Areas too, which take hours.")] = True
    markdown: MarkdownOption = False
    as_json: JsonOption = False


class ShowUnits(Options):
    """What each unit of a coprocessor costs by itself."""

    names: Annotated[
        list[str] | None, typer.Argument(metavar="UNIT", help="Modules; all if left out.")
    ] = None
    room: Annotated[
        list[str] | None, typer.Option(help="All of lattice, mlkem or mldsa; ML-KEM's if left out.")
    ] = None
    target: Annotated[str, typer.Option(autocompletion=targets)] = "xcup"
    ports: Annotated[bool, typer.Option("--ports", help="What they are, not what they cost.")] = (
        False
    )
    markdown: MarkdownOption = False
    as_json: JsonOption = False


class ShowSheet(Options):
    """What a pipeline design derives: delays, latencies, widths."""

    design: DesignArgument


class ShowFigure(Options):
    """Draw a pipeline design."""

    design: DesignArgument
    output: Annotated[Path, typer.Option("-o", "--output", help="The SVG to write.")]


class ShowFlow(Options):
    """Step through a simulated transform: which coefficient is where in which cycle."""

    design: DesignArgument
    operation: Annotated[
        str | None, typer.Option("--op", help="A transform; the first one if left out.")
    ] = None
    settings: SetOption = None
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A page (HTML) to write instead.")
    ] = None


class ShowTimeline(Options):
    """Which unit of a simulated coprocessor works when."""

    operation: Annotated[
        str, typer.Argument(help="keygen, encaps, decaps, sign or verify, by what the set is of.")
    ]
    parameter_set: Annotated[
        str, typer.Argument(metavar="SET", help="512, 768 or 1024; 44, 65 or 87.")
    ]
    design: Annotated[
        str | None,
        typer.Option("--design", metavar="DESIGN", help="A coprocessor that has the set."),
    ] = None
    plan: Annotated[bool, typer.Option("--plan", help="The units' lists of jobs instead.")] = False
    output: SvgOption = None
