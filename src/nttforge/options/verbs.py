# SPDX-License-Identifier: Apache-2.0
"""The options of every verb: one model each. What a verb does with them is in no module of these.

Models that a kind of core reads, and those of several verbs, come first.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from nttforge.designs import COPROCESSOR, ENGINE
from nttforge.options.model import (
    LAST_SEED,
    MOST,
    Integer,
    Numbers,
    Options,
    Target,
    TargetOrNone,
    argument,
    option,
    required,
)
from nttforge.targets import one_of

#: Transforms, or runs, of which `measure` can tell the interval.
LEAST_MEASURED = 2
#: Formats of files of polynomials, and bytes of the widest raw word.
FORMATS, MOST_BYTES = ("npy", "txt", "csv", "json", "hex", "bin"), 64
_TRACE = "FILE.fst|FILE.vcd"
_SIZES = "L,L,..."
_LARGEST_PADDING = 4


def _seed() -> Any:
    return option("Seed of all random data; by default 0.", least=0, most=LAST_SEED)


def _padding() -> Any:
    text = "For an engine for large transforms: log2 of a transform's words for each source word, "
    return option(f"{text}the others zeros; by default 0.", least=0, most=_LARGEST_PADDING)


def _jobs(what: str) -> Any:
    text = f"{what} to run at the same time; by default one per processor."
    return option(text, least=1, most=1000)


def _tool(tool: str, seconds: int) -> Any:
    return option(f"Time limit of {tool}, in seconds.", seconds, least=1.0, most=1e7)


def _at_most(what: str) -> Any:
    return option(f"Exit with 1 above this number of {what}.", least=0.0, most=1e9)


def _rate(text: str, former: str = "") -> Any:
    return option(text, least=0.001, most=1e5, former=former)


def _folder() -> Any:
    return required("Folder to write; created if needed.", "-o", "--output")


def waveform() -> Any:
    """A file for the waveform of a run."""
    return option("Write a waveform, for GTKWave and Surfer.", metavar=_TRACE)


# -------------------------------------------------------------------------------------------------
# Options that a kind of core reads


class VerifyOptions(Options):
    """Random transforms or cases, and the seed of all data and stalls."""

    count: int | None = option(
        "Number of random transforms, or of cases of each parameter set, besides corners and "
        "vectors; by default about a minute's.",
        None,
        *("--transforms", "--cases"),
        least=1,
        most=MOST,
    )
    seed: int | None = _seed()


class MeasureOptions(Options):
    """Measured operations, their number, and the seed of the data."""

    count: int | None = option(
        "Number of transforms in each sequence or batch, of runs of each operation, or of key "
        "switchings with one key; by default about a minute's.",
        None,
        *("--transforms", "--runs"),
        least=LEAST_MEASURED,
        most=MOST,
    )
    sizes: Numbers | None = option(
        "For an engine for large transforms: log2 of the transforms' sizes; by default several.",
        metavar=_SIZES,
    )
    operation: str | None = option(
        "The one operation to measure, of an engine for large transforms or a coprocessor of one "
        "standard; by default all.",
        None,
        "--op",
    )
    padding: int | None = _padding()
    seed: int | None = _seed()


class FileOptions(Options):
    """Formats of files of polynomials, as far as their suffixes do not say."""

    format: str | None = option(
        "Format of the input files, and of an output file whose suffix names none; by default from "
        "the suffixes.",
        metavar="|".join(FORMATS),
        complete="formats",
    )
    word_bytes: int | None = option(
        "Bytes of a word in .bin files; by default the smallest power of two that holds a "
        "coefficient.",
        least=1,
        most=MOST_BYTES,
    )
    byte_order: Literal["little", "big"] | None = option(
        "Byte order of the words in .bin files; by default little.",
        metavar="little|big",
        complete="byte_orders",
    )


class RunOptions(FileOptions):
    """The operation, and the formats of its files."""

    operation: str | None = option("Operation; can be left out if there is only one.", None, "--op")
    modulus: int | None = option("Modulus to load; only for a design with loaded moduli.", least=3)
    padding: int | None = _padding()


# -------------------------------------------------------------------------------------------------
# Options of several verbs


class Json(Options):
    """A verb that prints something."""

    as_json: bool = option("Print one JSON object on standard output.", False, "--json")


class Tables(Json):
    """A verb whose tables a page can quote."""

    markdown: bool = option("Print the tables as Markdown; with --json, as data.", False)


class WithSettings(Json):
    """A verb that can replace keys of a design."""

    settings: Sequence[str] | None = option(
        "Replace a key of the design, as in pipeline.seamless=true, or all keys of a TOML file. "
        "Later ones win.",
        None,
        *("--set", "--with"),
        metavar="KEY=VALUE|FILE.toml",
    )


class OfDesign(WithSettings):
    """A verb of a design."""

    design: str = argument(
        "Name of a preset, or path of a TOML file.", metavar="DESIGN", complete="designs"
    )


class OnTarget(Options):
    """A verb of a family of FPGAs."""

    target: Target = option(f"FPGA family: {one_of()}.", "xcup", complete="targets")


class OnEcp5(OfDesign):
    """A verb of a design that is built for ECP5, whole or one instance of it."""

    instance: str = option(
        "Only this instance, alone between registers: a path, its end, or the name of a module.",
        "",
        metavar="PATH|MODULE",
        former="--part",
    )
    shell: bool = option("Include the memory shell and all instances.", False)
    speed: int = option("Speed grade of the device: 6, 7 or 8 (fastest).", 8)

    @property
    def target(self) -> str:
        """The family."""
        return "ecp5"


class Reported(Options):
    """A verb whose result continuous integration can show."""

    junit: Path | None = option("Also write a JUnit report to this file.")


class AreaBounds(Reported):
    """Bounds of an area."""

    max_lut: float | None = _at_most("LUTs")
    max_ff: float | None = _at_most("flip-flops")
    max_dsp: float | None = _at_most("DSP blocks")
    max_bram18: float | None = _at_most("18-Kbit block RAMs")
    max_uram: float | None = _at_most("UltraRAMs")


class ClockBound(Reported):
    """A bound of a clock."""

    min_mhz: float | None = option("Exit with 1 below this clock, in MHz.", least=0.0, most=1e9)


class CycleBound(Reported):
    """A bound of cycles."""

    max_cycles: float | None = option(
        "Exit with 1 if the slowest operation takes more cycles.", least=0.0, most=1e9
    )


#: Options that bound a figure of a result.
BOUNDS = {*AreaBounds.model_fields, *ClockBound.model_fields, *CycleBound.model_fields} - {"junit"}


# -------------------------------------------------------------------------------------------------
# Verbs


class Presets(Json):
    """List the named rings and designs."""


class Generate(OfDesign):
    """Write the design folder: SystemVerilog, twiddle factors, file list."""

    folder: Path = _folder()
    blackbox: bool = option(
        "Also write a black box for Vitis HLS: C++ model and JSON.", False, "--hls-blackbox"
    )
    verilog: bool = option(
        "Also write one file of Verilog-2005, and a test bench for Icarus.", False
    )
    prefix: str = option(
        "Prefix of every global name, the library's too, so that two releases fit in one chip; by "
        "default none.",
        "",
        metavar="NAME",
    )


class Host(OfDesign):
    """Write libnttforge: the simulated hardware behind its driver, for C programs to link."""

    folder: Path = _folder()
    openssl: bool = option(
        "Also write a provider for OpenSSL 3: KEMs, signatures, a group of TLS.", False, "--openssl"
    )


def _clock(former: str = "") -> Any:
    return option("Clock on the board, in MHz.", 50, least=0.001, most=1e4, former=former)


def _placement(former: str = "") -> Any:
    names, most = ("--placement-seed",), 1 << 30
    return option("Seed of the placement.", 1, *names, least=0, most=most, former=former)


class OnBoard(OfDesign):
    """What a chip on a board has: clock, serial port, placement."""

    mhz: float = _clock()
    baud: int = option("Rate of the serial port on the board, in baud.", 1_000_000, least=1)
    seed: int = _placement()
    time_limit: float = _tool("each tool", 7200)


class Soc(OnBoard):
    """Write a SoC: a RISC-V processor, the design, and firmware that checks known answers."""

    folder: Path = _folder()
    run: bool = option("Also simulate it, and print the output of its UART.", False)
    board: str | None = option(
        "Also write a bitstream for this board: ulx3s-85f, ulx3s-45f or colorlight-i5."
    )


class Bitstream(OnBoard):
    """Write a bitstream for an ECP5 board: the design with a serial bridge, timing closed."""

    board: str = required("Board: ulx3s-85f, ulx3s-45f or colorlight-i5.")
    folder: Path = _folder()
    mhz: float = _clock("--clock")
    memory_bytes: int = option(
        "Bytes of memory for operands and results.", 1 << 14, "--memory", least=1
    )
    seed: int = _placement("--seed")


class Verify(Reported, VerifyOptions, OfDesign):
    """Compare the RTL with the references: corner cases, random data, random stalls."""

    trace: Path | None = option(
        "Write a waveform of the first failing step, for GTKWave and Surfer.", metavar=_TRACE
    )
    campaign: int | None = option(
        "Verify this number of random transforms or cases in parts, several at a time; an "
        "interrupted campaign is resumed. By default no campaign is run.",
        least=1,
        most=1_000_000_000,
    )
    results: Path | None = option(
        "File of a campaign's results, one line per part; by default DESIGN.jsonl.", former="--rows"
    )
    jobs: int | None = _jobs("Parts of a campaign")


class Run(RunOptions, OfDesign):
    """Run your own polynomials through the simulated RTL."""

    source: Path = required(
        "Polynomials: .npy or .json, shape (batch, n); .txt or .csv, decimal, one polynomial or "
        "number a line; .hex or .mem, words as for $readmemh; .bin, raw words.",
        "--input",
    )
    output: Path = required("File to write, in one of the same formats.", "-o", "--output")
    second: Path | None = option("Second operand of a product.", None, "--input-b")
    third: Path | None = option("Addend of mac.", None, "--input-c")
    trace: Path | None = waveform()


class Measure(CycleBound, Tables, MeasureOptions, OfDesign):
    """Observe cycles in simulation: latency, steady state, turnarounds."""

    place: bool = option(
        "Build for ECP5, place with seeds 1 and 2, and show times too; a design that does not fit "
        "has its estimated clock.",
        False,
        former="--clock",
    )


class Synth(AreaBounds, Tables, OnTarget, OfDesign):
    """Count the area after Yosys, by block: of the core, or with its memory shell."""

    shell: bool = option("Include the memory shell and all instances.", False)
    by_module: bool = option(
        "Map each module that is there several times once, and count it as often as it is there: "
        "minutes instead of hours for large designs, which then are a little larger.",
        False,
    )
    output: Path | None = option(
        "Also write the netlist: JSON of Yosys, or structural Verilog; in a folder as TOP.json.",
        None,
        *("-o", "--output"),
        metavar="FILE.json|FILE.v|FOLDER",
    )
    time_limit: float = _tool("Yosys", 3600)


class Multiplier(OnTarget, Tables):
    """Map the modular multipliers of a modulus, and count their area at full and half rate."""

    q: Integer = argument("The modulus, decimal or hexadecimal.", metavar="Q")
    adders_per_stage: int = option(
        "Number of adder rows between two registers.", 4, least=1, most=8
    )


class Ring(Tables, WithSettings):
    """Find primes for a transform, check a modulus, or show roots and twiddles of rings.

    A modulus that does not fit is refused with the reason and the nearest prime that fits.
    """

    design: str | None = argument(
        "Name of a ring or of a design, or a TOML file: shows its rings.",
        None,
        metavar="[RING|DESIGN]",
        complete="designs",
    )
    n: int | None = option("Number of coefficients, a power of two, with --q or --bits.")
    q: Integer | None = option("Check this modulus, decimal or hexadecimal, and show its ring.")
    bits: int | None = option("Find the largest primes of this number of bits.")
    count: int | None = option("Number of primes to find, up to 1000; by default 1.")
    form: str = option(
        "Polynomial of the ring: a prime is 1 mod 2n, or 1 mod n.",
        "x^n+1",
        metavar="x^n+1|x^n-1",
        complete="forms",
    )
    layers: int | None = option("Layers of butterflies; by default log2(n), a complete transform.")
    root: Literal["minimal"] | Integer | None = option(
        "Root of --q; by default by the rule of docs/roots.md.", metavar="ROOT|minimal"
    )
    generator: Integer | None = option("Generator of the root of --q, in place of --root.")
    twiddles: bool = option("Show all twiddles, not only the first of each stage.", False)


class Explore(OnTarget, Tables):
    """Choose an engine of any family: from requirements to a design.

    With --bandwidth or --sizes it is an engine for large transforms, whose data are in memory.
    """

    rings: list[str] = argument(
        "Names of rings of `presets`, or moduli with --n; or a file of requirements; or named "
        "designs, to compare with the alternatives.",
        metavar="RING...|DESIGN...|REQUIREMENTS.toml",
        complete="rings",
    )
    n: int | None = option("Number of coefficients; only for rings given by a modulus.")
    bits: int | None = option("Most bits of a modulus; only for the ring `runtime`.")
    key_switch: Numbers | None = option(
        "Key switching in place of transforms, by default none: number of limbs of Q, of P, and "
        "of calls with one key in a program, by default 1.",
        metavar="Q,P[,CALLS]",
    )
    interval: int | None = option(
        "Maximum cycles between transforms in a sequence.", former="--throughput"
    )
    latency: int | None = option("Maximum cycles from the first beat in to the last beat out.")
    interval_us: float | None = _rate("Maximum --interval in microseconds.", "--each-us")
    latency_us: float | None = _rate("Maximum --latency in microseconds.")
    max_lut: int | None = option("Maximum number of LUTs.")
    max_ff: int | None = option("Maximum number of flip-flops.")
    max_dsp: int | None = option("Maximum number of DSP blocks.")
    max_bram18: int | None = option("Maximum number of 18-Kbit block RAMs.")
    max_uram: int | None = option("Maximum number of UltraRAM blocks.")
    max_channels: int | None = option("Maximum number of HBM2 channels for keys.")
    min_mhz: float | None = _rate("Minimum clock, in MHz.")
    mhz: float | None = _rate("Clock of the engine in MHz, where no estimate exists.", "--clock")
    directions: str = option("Transforms to support.", "ntt,intt", metavar="ntt,intt")
    products: bool = option("Also support products of polynomials.", False)
    coprocessors: bool = option(
        "Compare coprocessors of the standards that the rings are named after, not transforms.",
        False,
    )
    prefer: str = option("Resource that multipliers save.", "balanced", metavar="dsp|lut|balanced")
    goal: str | None = option(
        "Minimize area or time among the designs that meet the requirements; by default time if "
        "only resources are bounded, else area.",
        metavar="area|time",
    )
    bandwidth: float | None = _rate(
        "Data in memory: bandwidth of each channel, read and write, in GB/s; by default 11."
    )
    burst: int | None = option(
        "Smallest burst, in bytes, that reaches the bandwidth; by default 1024.",
        least=1,
        most=1 << 20,
    )
    ram: float | None = _rate("Maximum memory for the buffer, in Mb; by default 76.5.")
    sizes: Numbers | None = option(
        "Data in memory: log2 of the transforms' sizes to compare; by default 16,20,24.",
        metavar=_SIZES,
    )
    largest: int | None = option(
        "Largest transform, as log2 of its size; by default what the modulus allows, up to 28."
    )
    proved: int = option(
        "Number of candidates to synthesize, best first.", 0, "--prove", least=0, most=100
    )
    output: Path | None = option(
        "Write the chosen design, NAME.toml, or a folder with the whole front.",
        None,
        *("-o", "--output"),
    )
    page: Path | None = option("Write a page with an interactive plot.", None, "--html")


class Timing(ClockBound, OnEcp5):
    """Estimate the clock on an ECP5-85F without placing, and show the critical paths."""

    paths: int = option("Number of register pairs to show.", 10, least=1, most=MOST)
    endpoint: str = option(
        "Only paths that begin or end in this instance.", "", metavar="PATH", former="--at"
    )
    time_limit: float = _tool("Yosys", 3600)


class Pnr(ClockBound, OnEcp5):
    """Place, route and time on an ECP5. Placements are cached."""

    device: str = option("Device: LFE5U-25F, 45F or 85F.", "85F", metavar="25F|45F|85F")
    frequency_mhz: float = option(
        "Target clock, in MHz.", 200, "--mhz", least=1.0, most=10_000, former="--freq"
    )
    placements: int = option(
        "Number of placements to try.", 1, least=1, most=1000, former="--seeds"
    )
    first_seed: int = option(
        "Seed of the first placement; the others count up from it.",
        1,
        "--placement-seed",
        least=0,
        most=1 << 30,
        former="--seed",
    )
    jobs: int | None = _jobs("Placements")
    placer: str | None = option("Placer: heap, or static for large designs; by default by size.")
    router: str = option("Router: router1, or router2 (faster where there is room).", "router1")
    time_limit: float = _tool("each tool", 7200)

    @property
    def seeds(self) -> range:
        """One a placement."""
        return range(self.first_seed, self.first_seed + self.placements)


class Sweep(Json):
    """Run a verb over a grid of designs and options. Existing results are skipped."""

    grid: Path = argument("A verb, designs, values of keys and options.", metavar="GRID.toml")
    output: Path = required("Results, one JSON object per line.", "-o", "--output")
    jobs: int | None = _jobs("Points")
    scheduler: str | None = option("Run the points on a Dask cluster.", metavar="tcp://HOST:PORT")
    table: Path | None = option("Also write the results as a table.", None, "--parquet")
    page: Path | None = option("Also write a page with a plot of the results.", None, "--html")
    rerun: bool = option("Run failed points again.", False, former="--again")


class Report(OfDesign):
    """Write a data sheet: contract, verification, cycles, area, clock."""

    output: Path = required("HTML file to write.", "-o", "--output")
    family: TargetOrNone = option(
        f"FPGA family: {one_of()}; none to leave out the area, which takes longest.",
        "xcup",
        "--target",
    )
    place: bool = option("Also place and route on an ECP5-85F.", False, former="--clock")
    seed: int = option("Seed of all random data.", 0, least=0, most=LAST_SEED)


class Demo(Json):
    """Generate an engine for ML-KEM and ML-DSA, verify it with real keys, and measure it.

    The ML-DSA core then signs, verifies, and rejects a forged signature.
    """

    folder: Path = option(
        "Folder for the engine; created if needed.", Path("build") / ENGINE, "-o", "--output"
    )
    seed: int = option("Seed of all random data.", 0, least=0, most=LAST_SEED)


class CachePath(Json):
    """Print the folder of the cache; NTTFORGE_CACHE selects another one."""


class CacheList(Json):
    """List the cached results, by kind."""


class CachePrune(Json):
    """Delete the least recently used results; results used in the last hour are kept."""

    gigabytes: float | None = option(
        "Size to keep, in gigabytes; by default NTTFORGE_CACHE_GB or 20.",
        None,
        "--to",
        metavar="GB",
        least=0.0,
        most=1e9,
    )


# -------------------------------------------------------------------------------------------------
# show


class ShowContract(Options):
    """Print the transform contract of a ring's pipeline, or of a design: words of every beat."""

    ring: str = argument(
        "Name of a ring or of a design, or path of a TOML file.",
        metavar="RING|DESIGN",
        complete="designs",
    )
    lanes: int | None = option("Coefficients per beat, for a ring; by default 2.")
    order: str | None = option(
        "Order of the beats, for a ring; by default natural.", metavar="natural|mirrored"
    )


class ShowLayout(Options):
    """Print the schedules of a transform: exchanges, delays, buffers, turnarounds."""

    n: int = required("Number of coefficients.")
    lanes: int = required("Coefficients per beat.")
    layers: int | None = option("Number of stages; by default log2(n).")


class ShowKeys(Options):
    """Print every key of a design: values, default, meaning."""


class ShowExample(Options):
    """Print a family's transform of 16 coefficients, step by step."""

    family: str = argument("Family: pipeline, iterative, ...", metavar="FAMILY")
    svg: Path | None = option("Write a drawing (SVG) instead.", None, "-o", "--output")


class ShowSchema(Options):
    """Print the keys of a design as a JSON Schema, for editors that check TOML files."""


class ShowRegisters(OfDesign):
    """Print the registers of a design with a control port: addresses, bits, meanings."""

    design: str = argument(
        "Name of a preset, or path of a TOML file.",
        COPROCESSOR,
        metavar="DESIGN",
        complete="designs",
    )


class ShowUnits(OnTarget, Tables):
    """Print the area of each unit of a coprocessor by itself."""

    names: list[str] | None = argument("Modules; by default all.", None, metavar="UNIT")
    room: list[str] | None = option(
        "Folder: all units of lattice, mlkem or mldsa; by default ML-KEM's."
    )
    ports: bool = option("Print descriptions and ports instead of areas.", False)
