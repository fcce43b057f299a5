# SPDX-License-Identifier: Apache-2.0
"""SAM's figures of ours: transforms of a size, floors, resources and the ROM of roots."""

from functools import cache

from benchmarks.reproduce import known
from benchmarks.subject import Subject
from nttforge.design import load_design
from nttforge.flow.synth import SynthResult
from nttforge.kinds.decomposed.build import build
from nttforge.kinds.decomposed.candidates import Board, choices, words_a_beat
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.lower_bounds import latency_floor, throughput_floor
from nttforge.kinds.decomposed.measure import (
    DecomposedLatency,
    DecomposedMeasureResult,
    DecomposedThroughput,
    measure_decomposed,
)
from nttforge.ring.primes import next_ntt_prime

#: From this size on a simulation takes minutes; up to the other one a batch is simulated too.
_LONG, _SHORT = 26, 20
_BATCH = 16
#: What III-C says of the ROM, in KB, for n = 16 and 256 bits: at 2^28, and 2^36's more.
_PAPER_ROM = (11, 1)
_ROM_SIZES = (16, 20, 24, 28, 32, 36)
#: The paper's board, an Alveo U250: bursts, memory of its block and ultra RAMs.
_BURST_BYTES = 1024
_RAM_BITS = (2547 * 36 + 1280 * 288) << 10


@cache
def _measured(ours: Subject, size: int) -> DecomposedMeasureResult:
    count = _BATCH if size <= _SHORT else 1
    return measure_decomposed(ours.prepared, progress=ours.progress, sizes=[size], count=count)


def one(ours: Subject, size: int, long: bool) -> DecomposedLatency:
    """One transform; unknown of large ones unless they are wanted."""
    known(long or size < _LONG or None)
    return _measured(ours, size).one[0]


def batched(ours: Subject, size: int) -> DecomposedThroughput:
    """A batch of transforms; unknown of large ones."""
    known(size <= _SHORT or None)
    return _measured(ours, size).batches[0]


def floors(name: str, core: DecomposedCore, sizes: tuple[int, ...]) -> str:
    """Floors of the sizes."""
    floors = ", ".join(
        f"2^{size} {latency_floor(core, size):,.0f} and {throughput_floor(core, size):,.0f}"
        for size in sizes
    )
    return f"floors of latency and of throughput of {name}, cycles: {floors}"


def rom() -> str:
    """III-C: the seed ROM of generated designs, by the largest transform."""
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
    at_28, more = _PAPER_ROM
    return (
        "ROM of roots for 256 bits and n = 16, which does not depend on n: "
        + ", ".join(sizes)
        + f"; the paper's (III-C) takes {at_28} KB for 2^28 and {more} KB more for 2^36"
    )


def resources(name: str, core: DecomposedCore, clock_mhz: float, word_bits: int, dsp: int) -> str:
    """Figure 7: what grows with n, at the paper's t and b."""
    board = Board(clock_mhz, core.board.channel_gbytes_s, _BURST_BYTES, dsp, _RAM_BITS)
    each = core.plan.cost().dsp
    made = ", ".join(
        f"n = {c.n}: {c.multipliers} multipliers, {c.dsp:,} DSP, {c.ram_bits / 1e6:.1f} Mb"
        for c in choices(board, word_bits, each)
    )
    balance = words_a_beat(board, word_bits)
    parts: dict[str, tuple[int, int]] = core.facts["multipliers"]
    whole = sum(count * each_dsp for count, each_dsp in parts.values())
    listed = ", ".join(f"{part} {count} of {each_dsp}" for part, (count, each_dsp) in parts.items())
    return (
        f"figure 7 for {word_bits} bits, t from {balance:.1f} words a beat, with {each} DSP "
        f"a multiplier by the plan: {made}; {name} itself, where shifts take "
        f"the place of some: {whole:,} DSP ({listed}); the paper's takes {dsp:,} DSP at n = 64"
    )


def mapped(design: str, area: SynthResult, kilo_lut: int, dsp: int, ram_mb: float) -> str:
    """Figure 7's resources, of the design itself, as Yosys maps it."""
    found_mb = (area.bram18 * 18 + area.uram * 288) * 1024 / 1e6
    parts = ", ".join(
        f"{part} {counts['lut_total']:,} LUT, {counts['ff']:,} FF and {counts['dsp']:,} DSP"
        for part, counts in area.parts.items()
    )
    return (
        f"{design} mapped for UltraScale+ by Yosys, modules that are there several times once: "
        f"{area.lut_total:,} LUT (the paper's {kilo_lut},000), {area.dsp:,} DSP (the "
        f"paper's {dsp:,}), {area.ff:,} FF, block RAM of {found_mb:.1f} Mb (the paper's "
        f"{ram_mb}); {parts}"
    )
