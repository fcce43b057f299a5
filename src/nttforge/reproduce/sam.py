# SPDX-License-Identifier: Apache-2.0
"""SAM's table I, its figure 7's resources and its section III-C beside our decomposed family.

Wang, Gao: SAM: A Scalable Accelerator for Number Theoretic Transform Using Multi-Dimensional
Decomposition. The paper's latencies are those of its table I, measured on a board; ours are cycles
of the RTL, simulated with a memory of that board's bandwidth, at the paper's clocks.
"""

from dataclasses import dataclass

from nttforge.design import load_design
from nttforge.families import DecomposedCore
from nttforge.families.decomposed.build import build
from nttforge.families.decomposed.explore import Board, choices, words_a_beat
from nttforge.families.decomposed.floors import latency_floor, throughput_floor
from nttforge.flow.decomposed.measure import measure_decomposed
from nttforge.flow.prepare import Prepared, Progress, prepare_decomposed
from nttforge.flow.synth import synth
from nttforge.reproduce.table import Paper, Rows
from nttforge.ring.primes import next_ntt_prime
from nttforge.table import Cell

COLUMNS = [
    "design, words",
    "paper, ms",
    "paper, cycles",
    "ours, cycles",
    "ours, ms",
    "times the paper",
    "of the latency floor",
    "a batch, cycles each",
    "one more",
    "of the throughput floor",
]

#: From this size on a simulation takes minutes.
_LONG = 26
_BATCH = 16
_SYNTHESIS_SECONDS = 4 * 3600


@dataclass(frozen=True)
class Published:
    """The rows of table I that are of one width.

    Attributes
    ----------
    design
        Ours that is measured beside it.
    word_bits, clock_mhz
        Of the paper's engine.
    dsp, lut_thousands, ram_mb
        Multiplier blocks, look-up tables and memory that it takes.
    latency_ms
        By log2 of the words.
    """

    design: str
    word_bits: int
    clock_mhz: float
    dsp: int
    lut_thousands: int
    ram_mb: float
    latency_ms: dict[int, float]


PUBLISHED = (
    Published(
        "sam-64",
        64,
        165,
        2736,
        267,
        76.5,
        {16: 0.38, 17: 0.56, 18: 0.99, 20: 2.84, 24: 34.12, 28: 750.14},
    ),
    Published(
        "sam-256-bn254", 256, 100, 6776, 593, 81.7, {16: 1.24, 20: 12.61, 24: 183.56, 28: 4023.49}
    ),
)

#: What III-C says of the ROM, in bytes, for n = 16 and 256 bits: at 2^28, and 2^36's more.
_PAPER_ROM_KB = (11, 1)
_ROM_SIZES = (16, 20, 24, 28, 32, 36)
#: The paper's board, an Alveo U250: bursts, memory of its block and ultra RAMs.
_BURST_BYTES = 1024
_RAM_BITS = (2547 * 36 + 1280 * 288) << 10


def _engine(name: str, **settings: object) -> Prepared[DecomposedCore]:
    return prepare_decomposed(load_design(name, settings))


def _rows(row: Published, long: bool, progress: Progress) -> Rows:
    """Table I: what is simulated, and for the sizes that are not, the paper's alone."""
    prepared = _engine(row.design)
    sizes = [size for size in row.latency_ms if long or size < _LONG]
    one = {
        r.size: r for r in measure_decomposed(prepared, sizes=sizes, count=1, progress=progress).one
    }
    short = [size for size in sizes if size <= 20]
    many = measure_decomposed(prepared, sizes=short, count=_BATCH, progress=progress).batches
    batch = {r.size: r for r in many}
    rows = []
    for size, paper_ms in row.latency_ms.items():
        cells: list[Cell] = [
            f"{row.design}, 2^{size}",
            paper_ms,
            round(paper_ms * row.clock_mhz * 1e3),
        ]
        if size in one:
            ours = one[size]
            times = round(paper_ms / ours.milliseconds, 2)
            cells += [ours.cycles, ours.milliseconds, times, f"{ours.of_floor:.1%}"]
        else:
            cells += [None, None, None, None]
        if size in batch:
            some = batch[size]
            cells += [some.cycles_per_transform, some.more_cycles]
            cells += [f"{some.of_floor:.1%}, {some.more_of_floor:.1%}"]
        else:
            cells += [None, None, None]
        rows.append(cells)
    return rows


def _floors(row: Published) -> str:
    core = build(load_design(row.design))
    floors = ", ".join(
        f"2^{size} {latency_floor(core, size):,.0f} and {throughput_floor(core, size):,.0f}"
        for size in row.latency_ms
    )
    return f"floors of latency and of throughput of {row.design}, cycles: {floors}"


def _rom(progress: Progress) -> str:
    """III-C: the seed ROM of generated designs, by the largest transform."""
    progress("generating designs of 2^16 to 2^36")
    sizes = []
    prime = str(next_ntt_prime(256, 1 << (max(_ROM_SIZES) + 1)))
    for size in _ROM_SIZES:
        changes = {
            "rings": [{"q": prime}],
            "decomposed.n": 16,
            "decomposed.t": 4,
            "decomposed.l_max": size,
        }
        core = build(load_design("sam-256-bn254", changes))
        sizes.append(f"2^{size} {core.seed_bits / 8 / 1024:.2f} KB")
    at_28, more = _PAPER_ROM_KB
    return (
        "ROM of roots for 256 bits and n = 16, which does not depend on n: "
        + ", ".join(sizes)
        + f"; the paper's (III-C) takes {at_28} KB for 2^28 and {more} KB more for 2^36"
    )


def _resources(row: Published) -> str:
    """Figure 7: what grows with n, at the paper's t and b."""
    core = build(load_design(row.design))
    board = Board(row.clock_mhz, core.board.channel_gbytes_s, _BURST_BYTES, row.dsp, _RAM_BITS)
    each = core.plan.cost().dsp
    made = ", ".join(
        f"n = {c.n}: {c.multipliers} multipliers, {c.dsp:,} DSP, {c.ram_bits / 1e6:.1f} Mb"
        for c in choices(board, row.word_bits, each)
    )
    balance = words_a_beat(board, row.word_bits)
    parts: dict[str, tuple[int, int]] = core.facts["multipliers"]
    whole = sum(count * dsp for count, dsp in parts.values())
    listed = ", ".join(f"{part} {count} of {dsp}" for part, (count, dsp) in parts.items())
    return (
        f"figure 7 for {row.word_bits} bits, t from {balance:.1f} words a beat, with {each} DSP "
        f"a multiplier by the plan: {made}; {row.design} itself, where shifts take "
        f"the place of some: {whole:,} DSP ({listed}); the paper's takes {row.dsp:,} DSP at n = 64"
    )


def _area(row: Published, progress: Progress) -> str:
    """Figure 7's resources, of the design itself, as Yosys maps it."""
    area = synth(_engine(row.design), "xcup", time_limit=_SYNTHESIS_SECONDS, progress=progress)
    ram_mb = (area.bram18 * 18 + area.uram * 288) * 1024 / 1e6
    parts = ", ".join(
        f"{part} {counts['lut_total']:,} LUT, {counts['ff']:,} FF and {counts['dsp']:,} DSP"
        for part, counts in area.parts.items()
    )
    return (
        f"{row.design} mapped for UltraScale+ by Yosys, modules that are there several times once: "
        f"{area.lut_total:,} LUT (the paper's {row.lut_thousands},000), {area.dsp:,} DSP (the "
        f"paper's {row.dsp:,}), {area.ff:,} FF, block RAM of {ram_mb:.1f} Mb (the paper's "
        f"{row.ram_mb}); {parts}"
    )


def _all_rows(clock: bool, progress: Progress) -> Rows:
    rows = [cells for row in PUBLISHED for cells in _rows(row, clock, progress)]
    return rows


def _notes(clock: bool, progress: Progress) -> list[str]:
    return [
        "the paper's milliseconds times its clock are its cycles: 165 MHz for 64 bits, 100 MHz for "
        "256 bits",
        "ours: from the write that starts a job to its interrupt, RTL without its data path, which "
        "takes the same cycles (a test compares them); memory of 11 GB/s a direction for bursts "
        "of 1 KB, 100 cycles of latency",
        f"batches are of {_BATCH} transforms, filling and draining included; one more: what each "
        "of the second half adds to a batch of the first half",
        *(_floors(row) for row in PUBLISHED),
        *(_resources(row) for row in PUBLISHED),
        *(_area(row, progress) for row in PUBLISHED if clock),
        _rom(progress),
    ]


# --clock: Simulate the transforms of 2^28 words as well, and map the designs, which takes from
# many minutes to an hour.
reproduce_sam = Paper(
    "SAM: scalable transforms by multi-dimensional decomposition", COLUMNS, _all_rows, _notes
)
